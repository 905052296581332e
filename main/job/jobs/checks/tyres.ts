import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { AccessoryEvent, TyresSeen } from '../engine/accessoryPort.ts'
import { fail, pass, unreadable, warn, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import {
  asReceived,
  finishByEvents,
  followEvents,
  notExposed,
  unreadableField,
  type EventView,
  type Judgement
} from './accessoryEvents.ts'

/**
 * Each ordered wheel has a tyre module that has reported a pressure in range and no warning since the step began
 * (`ecu_tires_psi` psi, `ecu_tires_tmp` Celsius, `ecu_tpms_warnings`, `ecu_tpms_provision`; "Tyre-pressure monitor").
 * If the order assigns modules to wheels, a module in another wheel is reported with both wheels. Without an order, the
 * modules that the monitor was provisioned with are required.
 */
export function checkTyres(context: CheckContext<'tyres'>): Promise<Outcome> {
  return followEvents(context, {
    giveUpS: context.profile.tyres.giveUpS,
    say: message('accessoryChecks.readingTyres'),
    judge: judgeTyres
  })
}

export const finishTyres = finishByEvents<'tyres'>(() => judgeTyres)

interface Wheel {
  location: number
  label: Message
  /** Without leading zeros, as people write it; null if the order does not name it. */
  sensorId: string | null
}

interface JudgedWheel {
  wheel: Wheel
  row: SeenRow
  problem: { what: Message; remedy: Message; isWarning?: true } | null
}

type Alarm =
  | 'accessoryChecks.alarm.low'
  | 'accessoryChecks.alarm.veryLow'
  | 'accessoryChecks.alarm.leak'
  | 'accessoryChecks.alarm.mute'
  | 'accessoryChecks.alarm.warm'
  | 'accessoryChecks.alarm.hot'
const alarms: Readonly<Record<string, Alarm>> = {
  'under-inflation warning': 'accessoryChecks.alarm.low',
  'under-inflation alarm': 'accessoryChecks.alarm.veryLow',
  'tyre leak alarm': 'accessoryChecks.alarm.leak',
  'module does not report': 'accessoryChecks.alarm.mute',
  'temperature warning': 'accessoryChecks.alarm.warm',
  'module over-temperature': 'accessoryChecks.alarm.hot'
}

export function judgeTyres({ events, fields, plan, profile, isOver, isSettled }: EventView<'tyres'>): Judgement {
  const limits = { minPsi: plan.minPsi ?? profile.tyres.minPsi, maxPsi: plan.maxPsi ?? profile.tyres.maxPsi }
  const isCompared = [plan.wheels, plan.minPsi, plan.maxPsi].some((one) => one !== undefined)
  const now = newestOf(events)
  const sensors = now.tyres.provision?.sensors ?? []
  const wheels =
    plan.wheels?.map(({ axle, wheel, sensorId }) => wheelAt(axle * 16 + wheel, sensorId)) ??
    sensors.map(({ location }) => wheelAt(location))
  const judged = wheels
    .map((wheel) => judgeWheel(wheel, now.tyres, limits))
    .sort((one, other) => one.wheel.location - other.wheel.location)
  const known = new Set([...sensors, ...(now.tyres.pressuresPsi ?? [])].map(({ location }) => location))
  const others = [...known]
    .filter((location) => !wheels.some((wheel) => wheel.location === location))
    .sort((one, other) => one - other)
  const rows = [
    ...judged.map(({ row }) => (isCompared ? row : asReceived(row))),
    ...others.map((location): SeenRow => ({
      label: sayWheel(location),
      wanted: null,
      device: null,
      gateway: sayPressure(now.tyres, location),
      verdict: 'notOrdered'
    }))
  ]
  const seen = now.events.map((event) => ({ what: message('accessoryChecks.tyresRead'), event, thresholds: limits }))
  const worst =
    judged.find(({ problem }) => problem && !problem.isWarning)?.problem ??
    judged.find(({ problem }) => problem)?.problem ??
    null
  return { outcome: outcomeOf(), rows, hint: worst?.what ?? null, seen }

  function outcomeOf(): Outcome | null {
    const hidden = ['ecu_tires_psi', 'ecu_tpms_provision'].find((field) => !fields.has(field))
    if (hidden && (hidden === 'ecu_tires_psi' || !plan.wheels)) return notExposed(hidden)
    const { provision } = now.tyres
    const state = provision?.state
    if (state === 'malfunction' || state === 'deactivated') {
      if (!isSettled && !isOver) return null
      return fail(
        message(state === 'malfunction' ? 'accessoryChecks.tyreSystemFaulty' : 'accessoryChecks.tyreSystemOff'),
        message('accessoryChecks.checkTyreReceiver'),
        ['gateway']
      )
    }
    const missing = judged.filter(({ row }) => row.verdict === 'missing')
    const exchanged = judged.find(({ problem }) => problem?.what.id === 'accessoryChecks.moduleElsewhere')
    if (exchanged?.problem && (isSettled || isOver))
      return fail(exchanged.problem.what, exchanged.problem.remedy, ['gateway'])
    if (!isOver && (missing.length > 0 || judged.length === 0)) return null
    const odd = unreadableField(events, [
      'ecu_tires_psi',
      'ecu_tires_tmp',
      'ecu_tpms_warnings',
      'ecu_tpms_conditions',
      'ecu_tpms_provision'
    ])
    if (odd)
      return isOver || isSettled
        ? unreadable(message('accessoryChecks.fieldUnreadable', { field: odd }), message('jobs.lookAtRawAnswer'))
        : null
    if (judged.length === 0)
      return fail(message('accessoryChecks.noTyres'), message('accessoryChecks.checkTyreReceiver'), ['gateway'])
    if (missing.length > 0)
      return fail(
        message('accessoryChecks.wheelsMissing', { wheels: missing.map(({ wheel }) => wheel.label) }),
        message('accessoryChecks.provideModules'),
        ['gateway']
      )
    if (worst && !isSettled && !isOver) return null
    if (worst)
      return worst.isWarning ? warn(worst.what, worst.remedy, ['gateway']) : fail(worst.what, worst.remedy, ['gateway'])
    const figure = message('accessoryChecks.wheelCount', { n: judged.length })
    const readPsi = (now.tyres.pressuresPsi ?? []).flatMap(({ location, psi }) =>
      wheels.some((wheel) => wheel.location === location) ? [psi] : []
    )
    const text = message('accessoryChecks.tyresFine', {
      n: judged.length,
      minPsi: Math.min(...readPsi),
      maxPsi: Math.max(...readPsi)
    })
    if (now.tyres.warnings !== null) return withFigure(figure, pass(text, ['gateway']))
    // The monitor may still report its warnings; until then, nothing confirms that there are none.
    return isOver || isSettled
      ? withFigure(
          figure,
          warn(
            message('accessoryChecks.withRemark', { what: text, remark: message('accessoryChecks.noWarnings') }),
            message('accessoryChecks.lookAtMonitor'),
            ['gateway']
          )
        )
      : null
  }
}

/** The latest of each part: pressures and provisioning may come in different events. */
function newestOf(events: readonly AccessoryEvent[]): { tyres: TyresSeen; events: AccessoryEvent[] } {
  const newest = (part: keyof TyresSeen) => events.findLast((event) => event.tyres[part] !== null)
  const [pressures, temperatures, warnings, provision] = [
    newest('pressuresPsi'),
    newest('temperaturesC'),
    newest('warnings'),
    newest('provision')
  ]
  return {
    tyres: {
      pressuresPsi: pressures?.tyres.pressuresPsi ?? null,
      temperaturesC: temperatures?.tyres.temperaturesC ?? null,
      warnings: warnings?.tyres.warnings ?? null,
      provision: provision?.tyres.provision ?? null
    },
    events: [...new Set([pressures, temperatures, warnings, provision].filter((event) => event !== undefined))]
  }
}

function judgeWheel(
  wheel: Wheel,
  tyres: TyresSeen,
  { minPsi, maxPsi }: { minPsi: number; maxPsi: number }
): JudgedWheel {
  const { location, label, sensorId } = wheel
  const row = {
    label,
    wanted:
      sensorId === null
        ? message('accessoryChecks.rangePsi', { minPsi, maxPsi })
        : message('accessoryChecks.moduleWithRange', { sensorId, minPsi, maxPsi }),
    device: null
  }
  const sensors = tyres.provision?.sensors ?? []
  const here = sensors.find((sensor) => sensor.location === location)
  const gateway = sayPressure(tyres, location)
  const differs = (what: Message, remedy: Message, isWarning?: true): JudgedWheel => ({
    wheel,
    row: { ...row, gateway, verdict: 'differs', note: what },
    problem: { what, remedy, ...(isWarning ? { isWarning } : {}) }
  })
  if (sensorId !== null && (!here || bareId(here.sensorId) !== sensorId)) {
    const elsewhere = sensors.find((sensor) => bareId(sensor.sensorId) === sensorId)
    if (elsewhere)
      return differs(
        message('accessoryChecks.moduleElsewhere', { sensorId, wanted: label, found: sayWheel(elsewhere.location) }),
        message('accessoryChecks.exchangeModules')
      )
    if (here)
      return differs(
        message('accessoryChecks.otherModule', { sensorId, other: bareId(here.sensorId), wheel: label }),
        message('accessoryChecks.provideModules')
      )
  }
  const pressure = tyres.pressuresPsi?.find((one) => one.location === location)
  // If the order names the module, the module must be identified.
  if (!pressure || (sensorId !== null && !here))
    return { wheel, row: { ...row, gateway: pressure ? gateway : null, verdict: 'missing' }, problem: null }
  const warning = tyres.warnings?.find((one) => one.location === location)
  const alarm = warning && alarms[warning.alarm]
  if (warning?.isAlarming)
    return differs(
      message('accessoryChecks.wheelAlarm', {
        wheel: label,
        alarm: alarm ? message(alarm) : message('accessoryChecks.unknown')
      }),
      message('accessoryChecks.checkTyre')
    )
  if (warning?.isDefective)
    return differs(
      message('accessoryChecks.moduleDefective', { wheel: label }),
      message('accessoryChecks.changeModule')
    )
  if (warning && ['loose', 'turned'].includes(warning.looseness))
    return differs(message('accessoryChecks.moduleLoose', { wheel: label }), message('accessoryChecks.fastenModule'))
  if (pressure.psi < minPsi || pressure.psi > maxPsi)
    return differs(
      message('accessoryChecks.pressureOutside', { wheel: label, psi: pressure.psi, minPsi, maxPsi }),
      message('accessoryChecks.checkTyre')
    )
  if (warning?.isBatteryLow)
    return differs(
      message('accessoryChecks.moduleBattery', { wheel: label }),
      message('accessoryChecks.changeModule'),
      true
    )
  return { wheel, row: { ...row, gateway, verdict: 'agrees' }, problem: null }
}

function sayPressure(tyres: TyresSeen, location: number): Message {
  const psi = tyres.pressuresPsi?.find((one) => one.location === location)?.psi
  const atDegC = tyres.temperaturesC?.find((one) => one.location === location)?.celsius
  const sensor = tyres.provision?.sensors.find((one) => one.location === location)
  if (psi === undefined && atDegC === undefined && !sensor) return message('accessoryChecks.unknown')
  const unknown = message('accessoryChecks.unknown')
  return message('accessoryChecks.wheelSays', {
    pressure: psi === undefined ? unknown : message('accessoryChecks.psi', { psi }),
    temperature: atDegC === undefined ? unknown : message('accessoryChecks.degrees', { atDegC }),
    module: sensor ? message('accessoryChecks.module', { sensorId: bareId(sensor.sensorId) }) : unknown
  })
}

function wheelAt(location: number, sensorId?: string): Wheel {
  return { location, label: sayWheel(location), sensorId: sensorId === undefined ? null : bareId(sensorId) }
}

/** People count from 1, the gateway counts from 0. */
function sayWheel(location: number): Message {
  return message('accessoryChecks.wheel', { axle: (location >> 4) + 1, wheel: (location & 0x0f) + 1 })
}

function bareId(sensorId: string): string {
  return sensorId.replace(/^0+(?=\d)/, '')
}
