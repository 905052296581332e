import path from 'node:path'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { loadShipped, type Shipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { createTemplates, type Templates } from '../../../main/job/jobs/checklists/templates.ts'
import type { Store } from '../../../main/data/store/index.ts'
import { english } from '../window/english.ts'
import type { Profile } from '../../../main/job/jobs/engine/profile.ts'
import type { TemplateStep } from '../../../preload/contract/job/steps/index.ts'

export const resourcesFolder = path.join(import.meta.dirname, '..', '..', '..', 'resources')

/** Times so short that a whole checklist runs in seconds; the limits on values are those of the standard profile. */
export const quickProfile: Profile = {
  id: 'quick',
  version: 3,
  name: plainMessage('Quick (tests)'),
  externalPower: { holdS: 2, shortDropS: 1, giveUpS: 8 },
  ignition: { cycles: 2, engineWithinS: 3, gatewayWithinS: 8, giveUpS: 20 },
  position: { satellitesPass: 6, hdopPass: 1.5, satellitesWarn: 4, hdopWarn: 3, ageS: 10, giveUpS: 5 },
  network: { signalPassDbm: -90, signalWarnDbm: -100, giveUpS: 5 },
  delivered: { eventAgePassS: 60, delayPassS: 30, eventAgeWarnS: 300, askEveryS: 1, giveUpS: 15 },
  samePlace: { passM: 50, warnM: 200, parkedKmh: 1, giveUpS: 10 },
  inputs: { cycles: 2, quietS: 1, gatewayWithinS: 8, giveUpS: 20 },
  output: {
    holdToArmMs: 10,
    countdownS: 0.5,
    readBackS: 2,
    standstillKmh: 0.5,
    fixAgeS: 10,
    conditionsWithinS: 15,
    effectWithinS: 4,
    offWithinS: 12,
    stillS: 0
  },
  alignment: { standstillKmh: 0.5, fixAgeS: 10, conditionsWithinS: 10 },
  testTrip: {
    minKm: 0.2,
    minMinutes: 1,
    movingKmh: 5,
    standstillS: 10,
    startWithinS: 60,
    longestMinutes: 10,
    deliverS: 30,
    lostS: 40,
    resumeWithinS: 3600,
    fewestEvents: 5,
    seenPassPercent: 95,
    seenWarnPercent: 70,
    silentPassPercent: 10,
    silentWarnPercent: 40,
    delayMedianPassS: 30,
    delayMedianWarnS: 300,
    delayP95PassS: 120,
    delayP95WarnS: 600,
    apartPassM: 50,
    apartWarnM: 200,
    speedPassKmh: 10,
    speedWarnKmh: 25,
    distancePassPercent: 10,
    distanceWarnPercent: 25
  },
  removed: { askEveryS: 1, settleS: 2, giveUpS: 10 },
  swapped: { askEveryS: 1, settleS: 2, giveUpS: 10, countersM: 2000, countersS: 7200 },
  iButton: { giveUpS: 20 },
  btTag: { batteryPercent: 20, minDegC: -20, maxDegC: 45, giveUpS: 20 },
  tyres: { minPsi: 20, maxPsi: 150, giveUpS: 20 },
  temperature: { minDegC: -23, maxDegC: 60, giveUpS: 20 },
  expander: { cycles: 1, giveUpS: 20 },
  camera: { darkestMean: 16, flattestSpread: 6, giveUpS: 20 },
  trigger: { giveUpS: 20 },
  counters: { withinKm: 10, withinHours: 2, giveUpS: 5 },
  clock: { passS: 5, warnS: 60, giveUpS: 5 },
  analog: { steadyS: 2, topMv: 50, nothingMv: 500, giveUpS: 5 },
  radio: { giveUpS: 3 },
  apn: { settleS: 2, readBackS: 2, giveUpS: 5 },
  engineBus: { coveragePassPercent: 90, coverageWarnPercent: 60, freshS: 60, settleS: 6, runningS: 4, giveUpS: 20 },
  software: { giveUpS: 20 },
  comparison: {
    lastContactS: 300,
    positionM: 50,
    satellites: 3,
    hdop: 1,
    speedKmh: 5,
    headingDeg: 30,
    signalDb: 10,
    clockS: 5,
    gatewayAgeS: 300,
    lineAgeS: 60,
    momentS: 10
  }
}

/** What ships, with the quick profile and a checklist `one-step` of the given steps (behind them the sign-off). */
export function quickShipped(steps?: TemplateStep[]): Shipped {
  const shipped = loadShipped(resourcesFolder)
  shipped.profiles.set(quickProfile.id, quickProfile)
  if (steps) {
    shipped.templates.set('some-steps', {
      id: 'some-steps',
      version: 1,
      name: plainMessage('Some steps'),
      kind: 'installation',
      description: plainMessage(''),
      steps
    })
  }
  return shipped
}

/** The checklists that ship, and those that a store keeps. */
export function templatesOf(shipped: Shipped, store: Store): Templates {
  return createTemplates({
    shipped,
    rows: store.templates,
    say: (_language, text) => english(text),
    hasText: () => true,
    reportFault(error) {
      throw error
    }
  })
}

/** The step of the standard installation with this id. */
export function standardStep(id: string, more: object = {}): TemplateStep {
  const step = loadShipped(resourcesFolder)
    .templates.get('standard-installation')
    ?.steps.find((candidate) => candidate.id === id)
  if (!step) throw new Error(`The standard installation has no step ${id}`)
  return { ...step, ...more } as TemplateStep
}
