import { z } from 'zod'
import type { StepKind } from '../../../../preload/contract/job/steps/index.ts'
import { storedMessage } from '../../../../preload/contract/base/messageSchema.ts'
import { toleranceIds, type ToleranceId } from '../../../../preload/contract/support/tolerances.ts'
import { outputLimits, storedOutputLimits } from '../../outputs/limits.ts'

const accessoryLimits = {
  iButton: z.strictObject({ giveUpS: z.number() }),
  btTag: z.strictObject({ batteryPercent: z.number(), minDegC: z.number(), maxDegC: z.number(), giveUpS: z.number() }),
  tyres: z.strictObject({ minPsi: z.number(), maxPsi: z.number(), giveUpS: z.number() }),
  temperature: z.strictObject({ minDegC: z.number(), maxDegC: z.number(), giveUpS: z.number() }),
  expander: z.strictObject({ cycles: z.number(), giveUpS: z.number() }),
  /** A picture darker and flatter than these (0 to 255) is of a covered lens, or of the night. */
  camera: z.strictObject({ darkestMean: z.number(), flattestSpread: z.number(), giveUpS: z.number() }),
  trigger: z.strictObject({ giveUpS: z.number() }),
  counters: z.strictObject({ withinKm: z.number(), withinHours: z.number(), giveUpS: z.number() })
}

/**
 * The thresholds of checks: data of the customer, copied into each job and printed with each result. Names contain the
 * unit.
 */
export const profile = z.strictObject({
  id: z.string(),
  version: z.number(),
  name: storedMessage,
  externalPower: z.strictObject({ holdS: z.number(), shortDropS: z.number(), giveUpS: z.number() }),
  ignition: z.strictObject({
    cycles: z.number(),
    engineWithinS: z.number(),
    gatewayWithinS: z.number(),
    giveUpS: z.number()
  }),
  position: z.strictObject({
    satellitesPass: z.number(),
    hdopPass: z.number(),
    satellitesWarn: z.number(),
    hdopWarn: z.number(),
    ageS: z.number(),
    giveUpS: z.number()
  }),
  network: z.strictObject({ signalPassDbm: z.number(), signalWarnDbm: z.number(), giveUpS: z.number() }),
  delivered: z.strictObject({
    eventAgePassS: z.number(),
    delayPassS: z.number(),
    eventAgeWarnS: z.number(),
    askEveryS: z.number(),
    giveUpS: z.number()
  }),
  samePlace: z.strictObject({ passM: z.number(), warnM: z.number(), parkedKmh: z.number(), giveUpS: z.number() }),
  inputs: z.strictObject({
    cycles: z.number(),
    quietS: z.number(),
    gatewayWithinS: z.number(),
    giveUpS: z.number()
  }),
  output: storedOutputLimits,
  alignment: z.strictObject({ standstillKmh: z.number(), fixAgeS: z.number(), conditionsWithinS: z.number() }),
  testTrip: z.strictObject({
    minKm: z.number(),
    minMinutes: z.number(),
    movingKmh: z.number(),
    standstillS: z.number(),
    startWithinS: z.number(),
    longestMinutes: z.number(),
    deliverS: z.number(),
    lostS: z.number(),
    resumeWithinS: z.number(),
    fewestEvents: z.number(),
    seenPassPercent: z.number(),
    seenWarnPercent: z.number(),
    silentPassPercent: z.number(),
    silentWarnPercent: z.number(),
    delayMedianPassS: z.number(),
    delayMedianWarnS: z.number(),
    delayP95PassS: z.number(),
    delayP95WarnS: z.number(),
    apartPassM: z.number(),
    apartWarnM: z.number(),
    speedPassKmh: z.number(),
    speedWarnKmh: z.number(),
    distancePassPercent: z.number(),
    distanceWarnPercent: z.number()
  }),
  removed: z.strictObject({ askEveryS: z.number(), settleS: z.number(), giveUpS: z.number() }),
  swapped: z.strictObject({
    askEveryS: z.number(),
    settleS: z.number(),
    giveUpS: z.number(),
    countersM: z.number(),
    countersS: z.number()
  }),
  ...accessoryLimits,
  clock: z.strictObject({ passS: z.number(), warnS: z.number(), giveUpS: z.number() }),
  /** `topMv`: this close to the end of its range a channel no longer measures. */
  analog: z.strictObject({ steadyS: z.number(), topMv: z.number(), nothingMv: z.number(), giveUpS: z.number() }),
  radio: z.strictObject({ giveUpS: z.number() }),
  apn: z.strictObject({ settleS: z.number(), readBackS: z.number(), giveUpS: z.number() }),
  engineBus: z.strictObject({
    coveragePassPercent: z.number(),
    coverageWarnPercent: z.number(),
    freshS: z.number(),
    settleS: z.number(),
    runningS: z.number(),
    giveUpS: z.number()
  }),
  software: z.strictObject({ giveUpS: z.number() }),
  /** The tolerances between device and gateway outside of a checklist. */
  comparison: z.strictObject(
    Object.fromEntries(toleranceIds.map((id) => [id, z.number()])) as Record<ToleranceId, z.ZodNumber>
  )
})

export type Profile = z.infer<typeof profile>

/** The name of a kind's limits in a profile: Wi-Fi and hotspot share theirs, some kinds have none. */
export type LimitsOf<Kind extends StepKind> = Kind extends 'wifi' | 'hotspot' ? 'radio' : Extract<Kind, keyof Profile>

/** The delivered profiles have every limit of an output. */
export const shippedProfile = profile.extend({ output: outputLimits })
