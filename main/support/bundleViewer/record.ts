import type { Json } from '../../../preload/contract/define.ts'
import type { CallName, CallOutput } from '../../../preload/contract/index.ts'
import type { CallResult } from '../../../preload/contract/errors.ts'
import type { BundleWait } from '../../../preload/contract/support/bundles.ts'
import type { RecordedAnswer } from '../../../preload/contract/support/openedBundle.ts'
import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import { liveOperation } from '../../../preload/contract/device/workspace.ts'
import type { VehicleSheet } from '../../../preload/contract/gateway/vehicles/vehicles.ts'

export interface RecordedSubject {
  jobId: string | null
  imei: string | null
  deviceKey: string | null
  vehicleId: number | null
}

export interface RecordOptions {
  ask(call: CallName, input: unknown): Promise<CallResult<unknown>>
  subject: RecordedSubject
  /** Hears which question is asked. */
  asking?: ((waitsFor: BundleWait, n: number, of: number) => void) | undefined
}

type Question = readonly [call: CallName, input: Json]

const dayMs = 86_400_000
/** The period of the vehicle's track that is recorded. */
export const roadMs = 2 * dayMs
const reportDays = 30
/** The largest number and the longest period that one question may request. */
export const recordedEvents = { hours: 168, limit: 200 } as const
const mostNames = 12
const mostOperations = 50
/** A slow gateway must not prevent a bundle from being written. */
const limitMs = 25_000

/**
 * Records the answers that this computer's screens receive, for the reader of a bundle. Calls that fail or are late are
 * left out.
 */
export async function recordAnswers(
  { ask, subject, asking = () => undefined }: RecordOptions,
  signal: AbortSignal
): Promise<RecordedAnswer[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const answers: RecordedAnswer[] = []
  let asked = 0
  let known = 0

  async function record(questions: readonly Question[]): Promise<void> {
    known += questions.length
    for (const [call, input] of questions) {
      if (limit.aborted) return
      asking(waitOf(call), (asked += 1), known)
      const output = await askUntil(call, input)
      if (output !== undefined) answers.push({ call, input, output, readAt: new Date().toISOString() })
    }
  }

  async function askUntil(call: CallName, input: Json): Promise<Json | undefined> {
    const over = new Promise<undefined>((resolve) =>
      limit.addEventListener('abort', () => resolve(undefined), { once: true })
    )
    const result = await Promise.race([ask(call, input), over])
    return result?.ok ? (JSON.parse(JSON.stringify(result.value)) as Json) : undefined
  }

  function outputOf<T>(call: CallName): T | undefined {
    return answers.find((answer) => answer.call === call)?.output as T | undefined
  }

  await record(ofComputer(subject))
  const work = outputOf<CallOutput<'operations.ofJob'>>('operations.ofJob')?.operations ?? []
  await record(work.slice(-mostOperations).map(({ id }) => ['operations.show', { id }] as const))
  if (subject.deviceKey !== null) await record(ofDevice(subject.deviceKey))
  const status = outputOf<GatewayStatus>('gateway.status')
  const isReachable = status?.state === 'reachable' || (status?.state === 'unknown' && status.user !== null)
  if (subject.vehicleId !== null && isReachable) {
    const [first, ...others] = ofVehicle(subject.vehicleId, Date.now())
    if (first) await record([first])
    // If the gateway does not show the vehicle, waiting for the rest is pointless.
    if (outputOf('vehicles.show') !== undefined) await record(others)
    const sheet = outputOf<VehicleSheet>('vehicles.show')
    const ids = [
      ...new Set((sheet?.history ?? []).filter(({ kind }) => kind === 'asset').map(({ id }) => Number(id)))
    ].filter(Number.isSafeInteger)
    if (ids.length > 0) await record([['vehicles.assets', { ids: ids.slice(0, mostNames) }]])
  }
  signal.throwIfAborted()
  return answers.map((answer) => ({ ...answer, output: onlyAbout(answer, subject) }))
}

/** What a question is about, for the person who waits. */
function waitOf(call: CallName): BundleWait {
  if (/^(vehicles\.events|rawdata\.)/.test(call)) return 'events'
  if (call.startsWith('vehicles.')) return 'vehicle'
  if (/^(accessories|remoteOutputs|triggers)\./.test(call)) return 'accessories'
  return call.startsWith('workspace.') ? 'device' : 'computer'
}

function ofComputer({ jobId }: RecordedSubject): Question[] {
  return [
    ['gateway.status', {}],
    ['copies.status', {}],
    ['vehicles.copy', {}],
    ['discovery.watch', {}],
    ['discovery.gateways', {}],
    ['internet.networks', {}],
    ['outputs.ledger', {}],
    ['operations.paused', {}],
    ['workspace.limits', {}],
    ['diagnosis.tolerances', {}],
    ['workspace.requiredApps', {}],
    ...(jobId === null
      ? []
      : ([
          ['operations.ofJob', { jobId }],
          ['operations.stories', { jobId }]
        ] as const))
  ]
}

function ofDevice(key: string): Question[] {
  return [
    ['workspace.read', { key, view: 'bundle', operations: [...liveOperation.options], everyMs: 60_000 }],
    ['workspace.link', { key }],
    ['workspace.signInState', { key }],
    ['workspace.history', { key, limit: 500 }],
    ['workspace.lines', { key }],
    ['workspace.signals', { key }],
    ['workspace.track', { key }],
    ['workspace.compare', { key }]
  ]
}

function ofVehicle(id: number, nowMs: number): Question[] {
  const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
  return [
    ['vehicles.show', { id }],
    ['vehicles.standings', { ids: [id] }],
    ['vehicles.events', { id, ...recordedEvents }],
    ['vehicles.counters', { id }],
    ['vehicles.reports', { id, from: day(nowMs - reportDays * dayMs), to: day(nowMs) }],
    ['vehicles.road', { id, fromMs: nowMs - roadMs, untilMs: nowMs }],
    ['vehicles.fences', { latitude: null, longitude: null }],
    ['accessories.read', { vehicleId: id }],
    ['accessories.tags', { vehicleId: id, hours: 24 }],
    ['rawdata.journeys', { vehicleId: id, days: 7 }],
    ['remoteOutputs.story', { vehicleId: id }],
    ['triggers.list', { vehicleId: id }]
  ]
}

/** From data about the whole computer, the part about the subject. */
function onlyAbout({ call, output }: RecordedAnswer, { imei, deviceKey }: RecordedSubject): Json {
  if (call === 'discovery.watch') {
    const table = output as { devices: { key: string }[] }
    return { ...table, devices: table.devices.filter(({ key }) => key === deviceKey) } as Json
  }
  if (call === 'outputs.ledger') {
    const { outputs } = output as { outputs: { imei: string }[] }
    return { outputs: outputs.filter((entry) => entry.imei === imei) } as Json
  }
  if (call === 'copies.status') return { ...(output as object), others: [] }
  return output
}
