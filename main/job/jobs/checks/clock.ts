import { z } from 'zod'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { correctGpsEpoch, type EpochReading } from '../../../device/client/facts.ts'
import { gpsEpochLateS, type DateFault } from '../../../base/reading/contradictions.ts'
import { sayDateFault } from '../../../base/reading/sayContradictions.ts'
import { createFixWatch } from '../../../device/client/fixWatch.ts'
import { askGateway, createPatience, type GatewayAnswer } from '../engine/askGateway.ts'
import {
  deferred,
  fail,
  missingField,
  pass,
  unreadable,
  warn,
  withFigure,
  withRows,
  type CheckContext,
  type Outcome
} from '../engine/check.ts'
import { makeMeter, timeLeft } from '../engine/meters.ts'
import type { GatewayEvent } from '../engine/ports.ts'
import type { Profile } from '../engine/profile.ts'
import { deviceLost } from '../engine/silence.ts'
import { isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import { ended, withoutAnswer, type Finisher } from '../finish/finish.ts'
import { dateFaultOf } from '../../../base/reading/reportedEvents.ts'
import { arrivedAtMs, asReported, findArrivals } from './arrivals.ts'

/** A clock counts as running if it advanced twice during the check. */
const ticksWanted = 2
const unreadableAfterMs = 20_000

interface DeviceClock {
  /** Device minus this computer, in seconds: the best reading so far. */
  aheadS: number
  assumed: EpochReading['assumed']
  /** Why its difference is no number to compare: a rollover, or years off. */
  rolledWeeks: number | undefined
  isUnsure: boolean
  timestamp: number
}

/**
 * The clocks of device (whose epoch is detected), gateway and this computer: device and gateway must agree; the newest
 * event shows its dates.
 */
export async function checkClock(context: CheckContext<'clock'>): Promise<Outcome> {
  const { giveUpS } = context.profile.clock
  const watch = createFixWatch(context)
  const patience = createPatience()
  let device: DeviceClock | undefined
  let ticks = 0
  let problemSinceMs: number | undefined

  for (;;) {
    const reading = await watch.read()
    const problem = reading && missingField(reading, ['timestamp'])
    if (problem) problemSinceMs ??= context.elapsedMs()
    else problemSinceMs = undefined
    if (
      problem &&
      problemSinceMs !== undefined &&
      context.elapsedMs() - problemSinceMs >= Math.min(unreadableAfterMs, giveUpS * 500)
    ) {
      return unreadable(message('clock.unreadable', { why: problem }), message('jobs.lookAtRawAnswer'))
    }
    const timestamp = reading?.value.timestamp
    if (reading && timestamp !== undefined) {
      if (device && timestamp > device.timestamp) ticks += 1
      const readMs = Date.parse(reading.readAt)
      const { unixMs, assumed, rolledWeeks, isUnsure = false } = correctGpsEpoch(timestamp, readMs)
      const aheadS = (unixMs - readMs) / 1000
      // Whole seconds and the transfer time only make a clock look slow, so the reading furthest ahead is the most
      // accurate.
      device = {
        timestamp,
        assumed,
        rolledWeeks,
        isUnsure,
        aheadS: device?.assumed === assumed ? Math.max(device.aheadS, aheadS) : aheadS
      }
    }
    if (device && ticks >= ticksWanted) {
      const reply = await askGateway(() => context.gateway.readClock(context.signal))
      const isGivenUp = patience.isOver(reply) || context.elapsedMs() >= giveUpS * 1000
      if (reply.kind !== 'away' || isGivenUp) return judge(context, device, reply)
    }
    const lost = deviceLost(context)
    if (lost) return lost
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    if (leftMs <= 0) {
      const failure = watch.failure()
      if (failure)
        return unreadable(message('clock.unreadable', { why: failure.sentence }), message('jobs.runAgainWhenAnswering'))
      return unreadable(message(device ? 'clock.standsStill' : 'clock.nothingRead'), message('clock.letSeeSky'))
    }
    context.show({
      say: message('clock.comparing'),
      hint: problem || null,
      meters: [makeMeter(message('clock.device'), device && apart(device.aheadS)), timeLeft(leftMs)],
      leftMs
    })
    await context.pause(1_000)
  }
}

async function judge(
  context: CheckContext<'clock'>,
  device: DeviceClock,
  reply: GatewayAnswer<{ aheadS: number | null }>
): Promise<Outcome> {
  if (device.rolledWeeks !== undefined || device.isUnsure) {
    const { rolledWeeks: weeks, timestamp } = device
    const what =
      weeks === undefined
        ? message('clock.yearsOff')
        : message('clock.rolledOver', { weeks: Math.abs(weeks), way: weeks > 0 ? 'behind' : 'ahead' })
    context.saw({ witness: 'device', what, raw: { device: { timestamp } } })
    return fail(what, message(weeks === undefined ? 'clock.letSeeSky' : 'clock.updateReceiver'), ['device'])
  }
  const { passS, warnS } = context.profile.clock
  const thresholds = { passS, warnS }
  const gatewayS = reply.kind === 'answer' ? reply.value.aheadS : null
  const { event: events, fault } = (reply.kind === 'away' ? undefined : await newestEvent(context, device)) ?? {}
  const atMs = context.now().getTime()
  const timeOf = (aheadS: number): Message =>
    message('clock.reads', { time: new Date(atMs + aheadS * 1000).toISOString() })
  /** Device minus gateway; minus this computer if the gateway sends no time. */
  const apartS = tenth(device.aheadS - (gatewayS ?? 0))
  const eventS = events ? tenth(-(events.delayS ?? 0)) : null
  const epoch = device.assumed === 'gps' ? { note: message('clock.countsFromGps') } : {}
  const rows: SeenRow[] = [
    {
      label: message('clock.device'),
      wanted: message('clock.within', { mostS: passS }),
      device: timeOf(device.aheadS),
      gateway: null,
      verdict: Math.abs(apartS) <= passS ? 'agrees' : 'differs',
      ...epoch
    },
    {
      label: message('clock.gateway'),
      wanted: null,
      device: null,
      gateway: gatewayS === null ? null : timeOf(gatewayS),
      verdict: gatewayS === null ? 'unreadable' : 'received'
    },
    {
      label: message('clock.computer'),
      wanted: message('clock.within', { mostS: warnS }),
      device: null,
      gateway: null,
      verdict: gatewayS === null ? 'waiting' : Math.abs(gatewayS) <= warnS ? 'agrees' : 'differs',
      note: timeOf(0)
    },
    ...(events && eventS !== null
      ? [
          {
            label: message('clock.newestEvent'),
            wanted: message('clock.notAhead'),
            device: null,
            gateway: message('clock.eventDated', { time: new Date(events.eventAtMs).toISOString() }),
            verdict: fault || eventS > passS ? 'differs' : 'agrees'
          } as const satisfies SeenRow
        ]
      : [])
  ]
  context.saw({
    witness: gatewayS === null ? 'device' : 'gateway',
    what: message('clock.seen', { apart: apart(apartS), epoch: device.assumed === 'gps' ? 'gps' : 'unix' }),
    raw: {
      device: { timestamp: device.timestamp, assumed: device.assumed, aheadOfComputerS: tenth(device.aheadS) },
      gateway: { aheadOfComputerS: gatewayS },
      newestEvent: events?.raw ?? null,
      computer: new Date(atMs).toISOString()
    },
    thresholds
  })
  // Only the gateway can show which clock is right: it is asked when it answers again.
  if (reply.kind === 'away')
    return withRows(rows, deferred(message('clock.waitsForGateway', { apart: apart(apartS), why: reply.why })))
  return withRows(
    rows,
    withFigure(
      apart(apartS),
      verdictOf({
        apartS,
        gatewayS,
        eventS,
        fault: fault ?? null,
        isGps: device.assumed === 'gps',
        passS,
        warnS,
        why: reply.kind === 'answer' ? message('clock.gatewaySaysNone') : reply.why
      })
    )
  )
}

/** Judges the gateway's clock later. This computer's clock may have changed since, so a difference only warns. */
export function judgeLater(
  seen: { aheadS: number; isGps: boolean },
  gatewayS: number,
  { passS, warnS }: Profile['clock']
): Outcome {
  const apartS = tenth(seen.aheadS - gatewayS)
  const outcome = verdictOf({
    apartS,
    gatewayS,
    eventS: null,
    fault: null,
    isGps: seen.isGps,
    passS,
    warnS,
    why: message('clock.gatewaySaysNone')
  })
  const isAgreed = outcome.state === 'pass' && Math.abs(seen.aheadS) <= warnS
  return withFigure(
    apart(apartS),
    isAgreed
      ? outcome
      : warn(message('clock.deviceOff', { apart: apart(apartS) }), message('clock.comparedLater'), [
          'device',
          'gateway'
        ])
  )
}

interface Judged {
  apartS: number
  gatewayS: number | null
  /** How far the latest event was dated ahead of its arrival; null without an event. */
  eventS: number | null
  /** What is wrong with the dates of the latest events. */
  fault: DateFault | null
  isGps: boolean
  passS: number
  warnS: number
  why: Message
}

function verdictOf({ apartS, gatewayS, eventS, fault, isGps, passS, warnS, why }: Judged): Outcome {
  const letSeeSky = message('clock.letSeeSky')
  if (fault?.kind === 'gpsEpoch')
    return fail(message('clock.eventsByGpsEpoch'), message('clock.askForFirmware'), ['device', 'gateway'])
  if (fault) {
    const { sentence, remedy } = sayDateFault(fault)
    return fail(sentence, remedy, ['device', 'gateway'])
  }
  if (gatewayS === null) {
    if (Math.abs(apartS) > warnS)
      return warn(
        message('clock.differsFromComputer', { apart: apart(apartS) }),
        message('clock.gatewayDecides', { why }),
        ['device']
      )
    return warn(message('clock.computerOnly', { apart: apart(apartS) }), message('clock.gatewayDecides', { why }), [
      'device'
    ])
  }
  const both = ['device', 'gateway'] as const
  if (Math.abs(apartS) > warnS)
    return fail(message('clock.deviceWrong', { apart: apart(apartS) }), letSeeSky, [...both])
  if (eventS !== null && eventS > warnS)
    return fail(message('clock.eventsAhead', { apart: apart(eventS) }), letSeeSky, [...both])
  if (Math.abs(apartS) > passS) {
    const isLeap = isGps && Math.abs(apartS - leapS) < 2
    return warn(message(isLeap ? 'clock.leapSeconds' : 'clock.deviceOff', { apart: apart(apartS) }), letSeeSky, [
      ...both
    ])
  }
  if (eventS !== null && eventS > passS)
    return warn(message('clock.eventsAhead', { apart: apart(eventS) }), letSeeSky, [...both])
  if (Math.abs(gatewayS) > warnS)
    return warn(message('clock.computerWrong', { apart: apart(-gatewayS) }), message('clock.setComputer'), [...both])
  return pass(message(isGps ? 'clock.agreeFromGps' : 'clock.agree', { apart: apart(apartS) }), [...both])
}

/** A GPS time without its leap seconds is ahead by this much. */
const leapS = 18

/**
 * The event of the device that arrived last, and what is wrong with its date; a late one is not misdated. With the GPS
 * epoch, or another wrong date, it appears years from now: those are read too.
 */
async function newestEvent(
  context: CheckContext<'clock'>,
  { assumed }: DeviceClock
): Promise<{ event: GatewayEvent; fault: DateFault | null } | undefined> {
  const { imei } = context.job.device
  const request = { imei, vehicleId: context.job.vehicle?.id ?? null }
  const recent = await askGateway(() => context.gateway.readEvents(request, context.signal))
  if (recent.kind !== 'answer') return undefined
  const found = recent.value.find((event) => isEventOfDevice(event, imei) && event.delayS !== null)
  const alone = (event: GatewayEvent | undefined) => event && { event, fault: dateFaultOf([asReported(event)]) }
  if (assumed !== 'gps') {
    if (found) return alone(found)
    const nowMs = context.now().getTime()
    const sinceMs = nowMs - context.profile.delivered.eventAgeWarnS * 1000
    const arrivals = await findArrivals({ ...request, sinceMs, nowMs }, context)
    const [event] = arrivals
    return event && { event, fault: dateFaultOf(arrivals.map(asReported)) }
  }
  const thereMs = context.now().getTime() - gpsEpochLateS * 1000
  const past = await askGateway(() =>
    context.gateway.readEvents(
      { ...request, sinceMs: thereMs - 1_800_000, untilMs: thereMs + 1_800_000 },
      context.signal
    )
  )
  const old =
    past.kind === 'answer'
      ? past.value.find((event) => isEventOfDevice(event, imei) && event.delayS !== null)
      : undefined
  // Events from before the device used the GPS epoch may still be in the last half hour.
  return alone(old && (!found || arrivedAtMs(old) > arrivedAtMs(found)) ? old : found)
}

function apart(aheadS: number): Message {
  return message('clock.apart', { apartS: Math.abs(tenth(aheadS)), way: aheadS >= 0 ? 'ahead' : 'behind' })
}

function tenth(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

const clockOfEvidence = z.object({
  device: z.object({ aheadOfComputerS: z.number(), assumed: z.enum(['unix', 'gps']) })
})

/** The device was compared with this computer during the step; now this computer is compared with the gateway. */
export const finishClock: Finisher<'clock'> = async (step, { limits, gateway, signal }) => {
  const seen = step.evidence
    .toReversed()
    .map((one) => clockOfEvidence.safeParse(one.raw).data?.device)
    .find((one) => one !== undefined)
  if (!seen) return { kind: 'open', why: step.summary ?? step.title }
  const reply = await askGateway(() => gateway.readClock(signal))
  if (reply.kind !== 'answer') return withoutAnswer(reply, message('jobs.askWhetherShown'))
  const { aheadS } = reply.value
  if (aheadS === null) return { kind: 'open', why: message('clock.gatewaySaysNone') }
  const raw = { device: seen, gateway: { aheadOfComputerS: aheadS } }
  return ended(judgeLater({ aheadS: seen.aheadOfComputerS, isGps: seen.assumed === 'gps' }, aheadS, limits), [
    { what: message('clock.gatewayAsked'), raw }
  ])
}
