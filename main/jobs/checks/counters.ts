import type { SeenRow } from '../../../preload/contract/jobSeen.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { setGlobalKind } from '../../operations/kinds/counters.ts'
import { askGateway } from '../askGateway.ts'
import { deferred, fail, notApplicable, pass, warn, withFigure, withRows, type CheckContext, type Outcome } from '../check.ts'
import { copiedVehicle } from '../recall.ts'
import { givenUp } from './link.ts'

type CounterName = 'odometer' | 'engineHours'

interface Settable {
  /** The global counter of the vehicle ("Counters"), in metres or seconds. */
  counter: string
  unit: 'm' | 's'
  /** What one of the person's unit is in the counter's. */
  factor: number
  personUnit: string
  most: number
}

const settable: Readonly<Record<CounterName, Settable>> = {
  odometer: { counter: 'dev_dist', unit: 'm', factor: 1_000, personUnit: 'km', most: 9_999_999 },
  engineHours: { counter: 'dev_ign', unit: 's', factor: 3_600, personUnit: 'h', most: 999_999 }
}

/**
 * Odometer and engine hours as the person reads them are set as global counters of the vehicle
 * (`PUT /vehicles/:vid/counters`; metres, seconds) and read back. The gateway applies them with the device's next report:
 * until it shows them the step waits. A value that the engine bus contradicts (`ecu_distance` metres, `ecu_eusage` seconds)
 * has to be typed twice, and is then no more than a warning.
 */
export async function checkCounters(context: CheckContext<'counters'>): Promise<Outcome> {
  const { job, operations, previous } = context
  const waiting = previous === 'deferred' ? countersOf(context).map(({ id }) => id) : []
  if (waiting.length > 0) return waitFor(context, waiting, [], [])
  const names = context.plan.counters ?? ['odometer']
  const values: { name: CounterName; value: number }[] = []
  const doubts: Message[] = []
  for (const name of names) {
    const { value, doubt } = await askValue(context, name)
    values.push({ name, value })
    if (doubt) doubts.push(doubt)
  }
  const { vehicle } = job
  if (!vehicle) return deferred(message('accessoryChecks.countersNeedVehicle'), message('link.runVehicleFirst'))
  const ids = values.map(({ name, value }) => {
    const { counter, unit, factor } = settable[name]
    return operations.addCounter({ jobId: job.id, vid: vehicle.id, vehicle: vehicle.name, counter, unit, value: Math.round(value * factor), copied: [copiedVehicle(job)].filter((one) => one !== undefined) }).id
  })
  return waitFor(context, ids, values, doubts)
}

async function askValue(context: CheckContext<'counters'>, name: CounterName): Promise<{ value: number; doubt: Message | null }> {
  const { personUnit, most, unit } = settable[name]
  const text = message(name === 'odometer' ? 'accessoryChecks.readOdometer' : 'accessoryChecks.readEngineHours')
  let hint: Message | null = null
  let doubted: number | undefined
  for (;;) {
    context.show({ say: text, hint, meters: [], leftMs: null })
    const answer = await context.ask({ kind: 'value', text, unit: personUnit, min: 0, max: most }).answered
    const value = readAmount(answer.value)
    if (value === undefined || value < 0 || value > most) {
      hint = message('accessoryChecks.typeAmount', { most, unit: personUnit })
      continue
    }
    const bus = await readBus(context, name)
    const apart = bus === null ? 0 : Math.abs(bus - value)
    const doubt = apart <= context.profile.counters.withinKm ? null : sayDoubt(name, value, bus ?? 0)
    if (doubt && doubted !== value) {
      doubted = value
      hint = message('accessoryChecks.typeAgain', { doubt })
      continue
    }
    const what = unit === 'm' ? message('accessoryChecks.typedOdometer', { readKm: value }) : message('accessoryChecks.typedEngineHours', { hours: value })
    context.saw({ witness: 'person', what, raw: { counter: settable[name].counter, value, unit: personUnit, bus }, thresholds: { withinKm: context.profile.counters.withinKm } })
    return { value, doubt }
  }
}

/** What the vehicle itself says, in the person's unit; null where its bus does not say it. */
async function readBus(context: CheckContext<'counters'>, name: CounterName): Promise<number | null> {
  const { accessories } = context.gateway
  const request = { imei: context.job.device.imei, vehicleId: context.job.vehicle?.id ?? null }
  if (name === 'odometer') {
    const reply = await askGateway(() => accessories.readEvents(request, context.signal))
    const metres = reply.kind === 'answer' ? reply.value.events.findLast((event) => event.odometerM !== null && event.odometerM > 0)?.odometerM : undefined
    return metres === undefined || metres === null ? null : metres / 1_000
  }
  const reply = await askGateway(() => accessories.readCounters(request, context.signal))
  const seconds = reply.kind === 'answer' ? reply.value?.['ecu_eusage'] : undefined
  return seconds === undefined || seconds <= 0 ? null : seconds / 3_600
}

function sayDoubt(name: CounterName, value: number, bus: number): Message {
  return name === 'odometer' ? message('accessoryChecks.busOdometer', { busKm: bus, readKm: value }) : message('accessoryChecks.busEngineHours', { bus: Math.round(bus), hours: value })
}

async function waitFor(context: CheckContext<'counters'>, ids: readonly string[], values: readonly { name: CounterName; value: number }[], doubts: readonly Message[]): Promise<Outcome> {
  const waitMs = context.profile.counters.giveUpS * 1_000
  const ending = AbortSignal.any([context.signal, AbortSignal.timeout(waitMs)])
  context.show({ say: message('accessoryChecks.settingCounters'), hint: null, meters: [], leftMs: waitMs })
  const settled = await Promise.all(ids.map((id) => context.operations.settled(id, ending)))
  context.signal.throwIfAborted()
  for (const operation of settled) for (const seen of operation.evidence) context.saw({ witness: 'gateway', what: seen.what, raw: seen.raw })
  const rows = values.map(({ name, value }, index): SeenRow => {
    const isDone = settled[index]?.state === 'done'
    return {
      label: message(name === 'odometer' ? 'accessoryChecks.odometer' : 'accessoryChecks.engineHours'),
      wanted: name === 'odometer' ? message('accessoryChecks.km', { readKm: value }) : message('accessoryChecks.hours', { hours: value }),
      device: null,
      gateway: isDone ? message('accessoryChecks.shown') : null,
      verdict: isDone ? 'agrees' : 'waiting'
    }
  })
  const outcome = judgeOperations(settled)
  if (outcome.state !== 'pass') return withRows(rows, outcome)
  const [doubt] = doubts
  const [first] = rows
  const judged = doubt ? warn(message('accessoryChecks.withRemark', { what: outcome.summary, remark: doubt }), message('accessoryChecks.compareDashboard'), ['gateway', 'person']) : outcome
  return withRows(rows, first?.wanted ? withFigure(first.wanted, judged) : judged)
}

/** What the gateway work of counters came to; deferred while something of it may still come. */
export function judgeOperations(settled: readonly { state: string; reason: string | Message }[]): Outcome {
  const failed = settled.find(({ state }) => state === 'failed' || state === 'needsAttention')
  if (failed) return fail(failed.reason, message('link.lookUnderWaiting'), ['gateway'])
  const open = settled.find(({ state }) => state !== 'done' && !givenUp.has(state))
  if (open) return deferred(message('jobs.waitsForGateway', { why: open.reason }))
  const done = settled.find(({ state }) => state === 'done')
  return done ? pass(done.reason, ['gateway', 'person']) : notApplicable(settled[0]?.reason ?? message('accessoryChecks.countersNeedVehicle'))
}

/** The gateway work about counters that this job has, but for what was given up. */
export function countersOf({ job, operations }: { job: { id: string }; operations: CheckContext['operations'] }) {
  return operations.ofJob(job.id).filter(({ kind, state }) => kind === setGlobalKind && !givenUp.has(state))
}

function readAmount(given: string | number | undefined): number | undefined {
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined
  const text = given?.trim().replace(',', '.') ?? ''
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}
