import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { setGlobalKind } from '../../../gateway/waitingWork/kinds/counters.ts'
import { askGateway } from '../engine/askGateway.ts'
import {
  deferred,
  fail,
  notApplicable,
  pass,
  unreadable,
  warn,
  withFigure,
  withRows,
  type CheckContext,
  type Outcome
} from '../engine/check.ts'
import { copiedVehicle } from '../engine/recall.ts'
import { askWhichNumber } from './answers.ts'
import { awaitWork, givenUp } from '../engine/gatewayWork.ts'
import { typedVehicle } from './link.ts'
import { ended, type Finisher } from '../finish/finish.ts'

type CounterName = 'odometer' | 'engineHours'

interface Settable {
  /** The global counter of the vehicle ("Counters"), in metres or seconds. */
  counter: string
  unit: 'm' | 's'
  most: number
  personUnit(units: CheckContext['units']): { name: string; factor: number }
}

const hours = { name: 'h', factor: 3_600 }
const settable: Readonly<Record<CounterName, Settable>> = {
  odometer: {
    counter: 'dev_dist',
    unit: 'm',
    most: 9_999_999_000,
    personUnit: (units) => (units === 'imperial' ? { name: 'mi', factor: 1_609.344 } : { name: 'km', factor: 1_000 })
  },
  engineHours: { counter: 'dev_ign', unit: 's', most: 999_999 * 3_600, personUnit: () => hours }
}

interface TypedCounter {
  name: CounterName
  /** In metres or seconds. */
  value: number
}

/**
 * Odometer and engine hours, as read by the person, are set as global counters of the vehicle (`PUT
 * /vehicles/:vid/counters`; metres, seconds) and read back. The gateway applies them with the device's next report; the
 * step waits until the gateway shows them. Afterwards a counter only increases by driving, so each value is shown in
 * full and confirmed; a value that the engine bus contradicts (`ecu_distance` metres, `ecu_eusage` seconds) must be
 * typed twice, and then gives only a warning. The work is also added while the gateway cannot be reached, and is sent
 * later.
 */
export async function checkCounters(context: CheckContext<'counters'>): Promise<Outcome> {
  const { job, operations, previous } = context
  const waiting = previous === 'deferred' ? countersOf(context).map(({ id }) => id) : []
  if (waiting.length > 0) return waitFor(context, waiting, [], [])
  const vehicle = job.vehicle
    ? { vid: job.vehicle.id, vehicle: job.vehicle.name }
    : { vid: null, vehicle: typedVehicle(job) }
  if (vehicle.vehicle === '')
    return fail(message('accessoryChecks.countersNeedVehicle'), message('link.runVehicleFirst'), ['person'])
  const names = context.plan.counters ?? ['odometer']
  const values: TypedCounter[] = []
  const doubts: Message[] = []
  for (const name of names) {
    const { value, doubt } = await askValue(context, name, vehicle.vehicle)
    values.push({ name, value })
    if (doubt) doubts.push(doubt)
  }
  const ids = values.map(({ name, value }) => {
    const { counter, unit } = settable[name]
    return operations.addCounter({
      jobId: job.id,
      ...vehicle,
      counter,
      unit,
      value: Math.round(value),
      copied: [copiedVehicle(job)].filter((one) => one !== undefined)
    }).id
  })
  return waitFor(context, ids, values, doubts)
}

async function askValue(
  context: CheckContext<'counters'>,
  name: CounterName,
  vehicle: string
): Promise<{ value: number; doubt: Message | null }> {
  const { counter, most, personUnit } = settable[name]
  const { name: unit, factor } = personUnit(context.units)
  const mostTyped = Math.floor(most / factor)
  const text = message(name === 'odometer' ? 'accessoryChecks.readOdometer' : 'accessoryChecks.readEngineHours')
  let hint: Message | null = null
  let doubted: number | undefined
  for (;;) {
    context.show({ say: text, hint, meters: [], leftMs: null })
    const answer = await context.ask({ kind: 'value', text, unit, min: 0, max: mostTyped }).answered
    const typed = await askWhichNumber(context, answer.value, unit)
    if (typed === undefined || typed < 0 || typed > mostTyped) {
      hint = message('accessoryChecks.typeAmount', { most: mostTyped, unit })
      continue
    }
    const value = typed * factor
    const bus = await readBus(context, name)
    const { withinKm, withinHours } = context.profile.counters
    const within = name === 'odometer' ? withinKm * 1_000 : withinHours * 3_600
    const doubt = bus === null || Math.abs(bus - value) <= within ? null : sayDoubt(name, value, bus)
    if (doubt && doubted !== value) {
      doubted = value
      hint = message('accessoryChecks.typeAgain', { doubt })
      continue
    }
    const question = message(
      name === 'odometer' ? 'accessoryChecks.confirmOdometer' : 'accessoryChecks.confirmEngineHours',
      { vehicle, amount: typed, unit }
    )
    context.show({ say: question, hint: doubt, meters: [], leftMs: null })
    if ((await context.ask({ kind: 'yesNo', text: question }).answered).answer !== true) {
      hint = null
      continue
    }
    const what =
      name === 'odometer'
        ? message('accessoryChecks.typedOdometer', { readKm: value / 1_000 })
        : message('accessoryChecks.typedEngineHours', { hours: value / 3_600 })
    context.saw({
      witness: 'person',
      what,
      raw: { counter, value: typed, unit, bus: bus === null ? null : bus / factor },
      thresholds: name === 'odometer' ? { withinKm } : { withinHours }
    })
    return { value, doubt }
  }
}

/** The vehicle's own value, in metres or seconds; null if its bus does not provide one. */
async function readBus(context: CheckContext<'counters'>, name: CounterName): Promise<number | null> {
  const { accessories } = context.gateway
  const request = { imei: context.job.device.imei, vehicleId: context.job.vehicle?.id ?? null }
  if (name === 'odometer') {
    const reply = await askGateway(() => accessories.readEvents(request, context.signal))
    return (
      (reply.kind === 'answer'
        ? reply.value.events.findLast((event) => event.odometerM !== null && event.odometerM > 0)?.odometerM
        : undefined) ?? null
    )
  }
  const reply = await askGateway(() => accessories.readCounters(request, context.signal))
  const seconds = reply.kind === 'answer' ? reply.value?.['ecu_eusage'] : undefined
  return seconds === undefined || seconds <= 0 ? null : seconds
}

function sayDoubt(name: CounterName, value: number, bus: number): Message {
  return name === 'odometer'
    ? message('accessoryChecks.busOdometer', { busKm: bus / 1_000, readKm: value / 1_000 })
    : message('accessoryChecks.busEngineHours', { bus: Math.round(bus / 360) / 10, hours: value / 3_600 })
}

async function waitFor(
  context: CheckContext<'counters'>,
  ids: readonly string[],
  values: readonly TypedCounter[],
  doubts: readonly Message[]
): Promise<Outcome> {
  const waitMs = context.profile.counters.giveUpS * 1_000
  context.show({ say: message('accessoryChecks.settingCounters'), hint: null, meters: [], leftMs: waitMs })
  const settled = await Promise.all(ids.map((id) => awaitWork(context, id, waitMs)))
  const rows = values.map(({ name, value }, index): SeenRow => {
    const isDone = settled[index]?.state === 'done'
    return {
      label: message(name === 'odometer' ? 'accessoryChecks.odometer' : 'accessoryChecks.engineHours'),
      wanted:
        name === 'odometer'
          ? message('accessoryChecks.km', { readKm: value / 1_000 })
          : message('accessoryChecks.hours', { hours: value / 3_600 }),
      device: null,
      gateway: isDone ? message('accessoryChecks.shown') : null,
      verdict: isDone ? 'agrees' : 'waiting'
    }
  })
  const outcome = judgeOperations(settled)
  if (outcome.state !== 'pass') return withRows(rows, outcome)
  const [doubt] = doubts
  const [first] = rows
  const judged = doubt
    ? warn(
        message('accessoryChecks.withRemark', { what: outcome.summary, remark: doubt }),
        message('accessoryChecks.compareDashboard'),
        ['gateway', 'person']
      )
    : outcome
  return withRows(rows, first?.wanted ? withFigure(first.wanted, judged) : judged)
}

/** The result of the gateway work for counters; deferred while some of it is open. */
export function judgeOperations(settled: readonly { state: string; reason: string | Message }[]): Outcome {
  const failed = settled.find(({ state }) => state === 'failed' || state === 'needsAttention')
  if (failed) return fail(failed.reason, message('link.lookUnderWaiting'), ['gateway'])
  const open = settled.find(({ state }) => state !== 'done' && !givenUp.has(state))
  if (open) return deferred(message('jobs.waitsForGateway', { why: open.reason }))
  const done = settled.find(({ state }) => state === 'done')
  return done
    ? pass(done.reason, ['gateway', 'person'])
    : notApplicable(settled[0]?.reason ?? message('accessoryChecks.countersNeedVehicle'))
}

/** The gateway work for this job's counters, without discarded work. */
function countersOf({ job, operations }: { job: { id: string }; operations: CheckContext['operations'] }) {
  return operations.ofJob(job.id).filter(({ kind, state }) => kind === setGlobalKind && !givenUp.has(state))
}

export const finishCounters: Finisher<'counters'> = (_step, { job, operations }) => {
  const all = operations.ofJob(job().id).filter(({ kind }) => kind === setGlobalKind)
  // Without any work, as after a loss of data, nothing would ever end the step.
  if (all.length === 0)
    return ended(unreadable(message('accessoryChecks.countersNotAmongWork'), message('jobs.runAgain')))
  const current = all.filter(({ state }) => !givenUp.has(state))
  const work = current.length > 0 ? current : all
  const outcome = judgeOperations(work)
  if (outcome.state === 'deferred') return { kind: 'open', why: outcome.summary }
  return ended(
    outcome,
    work.map(({ id, state, reason }) => ({ what: reason, raw: { operation: id, state } }))
  )
}
