import { vi } from 'vitest'
import { z } from 'zod'
import { readFields } from '../../../main/base/reading/fields.ts'
import { accessoryEvent } from '../../../main/gateway/client/accessories/accessoryReadings.ts'
import { photosOf } from '../../../main/gateway/client/accessories/photoReader.ts'
import type { TriggerSeen } from '../../../main/job/jobs/engine/accessoryPort.ts'
import { startLineRecorder } from '../../../main/device/client/lineRecorder.ts'
import type { Check, CheckContext, Outcome, Question, Shown } from '../../../main/job/jobs/engine/check.ts'
import type {
  DeviceRecord,
  EngineBusAtGateway,
  EventsRequest,
  GatewayEvent,
  GatewayLines
} from '../../../main/job/jobs/engine/ports.ts'
import type { Profile } from '../../../main/job/jobs/engine/profile.ts'
import {
  applications,
  gpsPosition,
  hotspotState,
  ioState,
  modemConfiguration,
  modemInformation,
  osUpdate,
  systemInfo,
  wifiState,
  type Reading
} from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Answer, Meter } from '../../../preload/contract/job/jobs.ts'
import type { SeenRow } from '../../../preload/contract/job/jobSeen.ts'
import { asMessage, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import { english, orNothing } from '../window/english.ts'
import type { StepKind } from '../../../preload/contract/job/steps/index.ts'
import { quickProfile } from './quickProfile.ts'

const looseAnswer = z.looseObject({})
export const benchImei = '490154203237518'
/** The clock of the computer when a check begins. */
export const benchBeganMs = Date.parse('2026-11-20T09:00:00Z')

/** What device and gateway answer so many milliseconds after the check began; a failure where there is no answer. */
export interface Surroundings {
  io?(ms: number): object | AppError
  gps?(ms: number): object | AppError
  modem?(ms: number): object | AppError
  system?(ms: number): object | AppError
  wifi?(ms: number): object | AppError
  hotspot?(ms: number): object | AppError
  configuration?(ms: number): object | AppError
  osCheck?(ms: number): object | AppError
  apps?(ms: number): unknown[] | AppError
  /** What was sent to the device, by operation; a failure where it does not answer. */
  send?(operation: string, input: unknown, ms: number): object | AppError
  gatewayDevice?(ms: number): DeviceRecord | null | AppError
  gatewaySim?(ms: number): { raw: object } | null | AppError
  gatewayLines?(ms: number): GatewayLines | null | AppError
  events?(ms: number, request: EventsRequest): GatewayEvent[] | AppError
  engineBus?(ms: number): EngineBusAtGateway | null | AppError
  /** The gateway's clock less this computer's, in seconds. */
  gatewayClock?(ms: number): number | null | AppError
  /** Events of the accessories, as the gateway writes them; those of a device that is not named are its own. */
  accessories?(ms: number): { events: object[]; fields?: string[] } | AppError
  /** Keys that are registered, assets by id, whether the history of the vehicle names an asset anew, and triggers. */
  keys?: { id: string; assetId: number | null }[] | null
  assets?: Record<number, string>
  links?(ms: number): boolean
  triggers?: { triggers: TriggerSeen[]; isComplete: boolean } | null
  /** What the vehicle's cameras show, as the gateway tells it, and how bright each picture that is kept is. */
  photos?(ms: number, captures: number): object | AppError
  brightness?: { mean: number; spread: number }
  captured?: { deviceIsOnline: boolean | null } | AppError
  /** The result of added gateway work. */
  operation?: { state: string; reason: Message; evidence: [] }
  /** What a person answers to the question that is open. */
  answer?(ms: number, question: Question): Answer | undefined
  plan?: object
  vehicle?: { id: number; name: string }
  /** What was scanned when the job was made. */
  label?: string | undefined
  /** What the vehicle is called while the gateway does not know it. */
  vehicleText?: string
  units?: 'metric' | 'imperial'
  counters?: Record<string, number>
  attempts?: number
  profile?: Partial<Profile>
}

export interface CheckRun extends Omit<Outcome, 'summary' | 'remedy'> {
  summary: string
  remedy: string
  /** How long the check took. */
  tookMs: number
  saw: { atMs: number; witness: string; what: string; raw: unknown; thresholds: unknown }[]
  shown: {
    atMs: number
    say: string | null
    hint: string | null | undefined
    meters: ReturnType<typeof meterInWords>[]
    leftMs: number | null | undefined
    inputs: Shown['inputs'] | undefined
  }[]
  asked: string[]
  /** The journal of what was sent to the device. */
  wrote: { phase: string; operation: string; input: unknown }[]
  /** Gateway work that was given to the table of work that waits. */
  added: object[]
  /** How work that was sent at once ended. */
  ended: string[]
  /** How often a photo was asked for. */
  captures: number
  unasked: number
}

/** Runs one check on a clock that a test moves, with the real recorder of lines and the real parser of answers. */
export async function runCheck<Kind extends StepKind>(
  check: Check<Kind>,
  around: Surroundings,
  maxMs = 120_000
): Promise<CheckRun> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: benchBeganMs })
  const abort = new AbortController()
  const nowMs = () => Date.now() - benchBeganMs
  const run: Pick<CheckRun, 'saw' | 'shown' | 'asked' | 'wrote' | 'added' | 'ended' | 'unasked'> = {
    saw: [],
    shown: [],
    asked: [],
    wrote: [],
    added: [],
    ended: [],
    unasked: 0
  }
  const waiting: { question: Question; take(answer: Answer): void }[] = []
  const faults: unknown[] = []
  let captures = 0
  const lines = startLineRecorder({
    device: { io: { all: () => answerOf(ioState, around.io?.(nowMs()) ?? {}) } },
    monotonicMs: nowMs,
    changed: () => undefined,
    reportFault: (fault) => faults.push(fault)
  })
  const context = {
    job: {
      id: 'job',
      device: { imei: benchImei },
      vehicle: around.vehicle ?? null,
      vehicleText: around.vehicleText ?? '',
      answers: new Map(around.label === undefined ? [] : [['identity', { value: around.label }]]),
      steps: []
    },
    step: { id: 'identity', attempts: around.attempts ?? 1 },
    plan: { ...around.plan },
    units: around.units ?? 'metric',
    profile: { ...quickProfile, ...around.profile },
    lines,
    signal: abort.signal,
    device: {
      gps: {
        position: (options: { signal: AbortSignal }) => stoppable(options, gpsPosition, around.gps?.(nowMs()) ?? {})
      },
      modem: {
        information: (options: { signal: AbortSignal }) =>
          stoppable(options, modemInformation, around.modem?.(nowMs()) ?? {}),
        configuration: (options: { signal: AbortSignal }) =>
          stoppable(options, modemConfiguration, around.configuration?.(nowMs()) ?? {}),
        editApn: (input: unknown, options: { signal: AbortSignal }) =>
          stoppable(options, looseAnswer, around.send?.('modem.editApn', input, nowMs()) ?? {})
      },
      updates: {
        osCheck: (options: { signal: AbortSignal }) => stoppable(options, osUpdate, around.osCheck?.(nowMs()) ?? {})
      },
      apps: {
        list: (options: { signal: AbortSignal }) => stoppable(options, applications, around.apps?.(nowMs()) ?? [])
      },
      ecu: {
        addParameter: (input: unknown, options: { signal: AbortSignal }) =>
          stoppable(options, looseAnswer, around.send?.('ecu.addParameter', input, nowMs()) ?? {})
      },
      system: {
        info: (options: { signal: AbortSignal }) => stoppable(options, systemInfo, around.system?.(nowMs()) ?? {})
      },
      wifi: {
        state: (options: { signal: AbortSignal }) => stoppable(options, wifiState, around.wifi?.(nowMs()) ?? {})
      },
      hotspot: {
        state: (options: { signal: AbortSignal }) => stoppable(options, hotspotState, around.hotspot?.(nowMs()) ?? {})
      }
    },
    gateway: {
      findDevice: () => orFailure(around.gatewayDevice?.(nowMs()) ?? null),
      findSim: () => orFailure(around.gatewaySim?.(nowMs()) ?? null),
      readLines: () => orFailure(around.gatewayLines?.(nowMs()) ?? null),
      readEvents: (request: EventsRequest) => orFailure(around.events?.(nowMs(), request) ?? []),
      readEngineBus: () => orFailure(around.engineBus?.(nowMs()) ?? null),
      async readClock() {
        return { aheadS: await orFailure(around.gatewayClock === undefined ? 0 : around.gatewayClock(nowMs())) }
      },
      findCopied: () => Promise.resolve(undefined),
      readRecord: () => Promise.resolve(null),
      findExact: (_kind: string, text: string) => {
        const found = Object.entries(around.assets ?? {}).find(([, name]) => name === text)
        return Promise.resolve(
          found ? { kind: 'one', entity: { id: Number(found[0]), name: found[1] } } : { kind: 'none', similar: [] }
        )
      },
      accessories: {
        readEvents: async () => accessoryAnswer(await orFailure(around.accessories?.(nowMs()) ?? { events: [] })),
        readKeys: () => Promise.resolve(around.keys === undefined ? [] : around.keys),
        nameOfAsset: (id: number) => Promise.resolve(around.assets?.[id] ?? null),
        findLink: () => Promise.resolve({ found: around.links?.(nowMs()) ?? false, sure: true }),
        readTriggers: () => Promise.resolve(around.triggers ?? null),
        readCounters: () => Promise.resolve(around.counters ?? null),
        lastPhotos: async () => photosOf(await orFailure(around.photos?.(nowMs(), captures) ?? {})),
        capturePhoto: async () => {
          captures += 1
          return { message: '', raw: null, ...(await orFailure(around.captured ?? { deviceIsOnline: true })) }
        }
      }
    },
    operations: {
      addKey: (key: object) => ({ id: String(run.added.push(key)) }),
      sendNow: async ({ send }: { send(): Promise<unknown> }) => ({
        id: 'live',
        kind: 'answered',
        answer: await send()
      }),
      endLive: (_id: string, { state }: { state: string }) => run.ended.push(state),
      addCounter: (counter: object) => ({ id: String(run.added.push(counter)) }),
      ofJob: () => [],
      settled: () => Promise.resolve(around.operation ?? { state: 'done', reason: plainMessage('Done'), evidence: [] })
    },
    monotonicMs: nowMs,
    elapsedMs: nowMs,
    now: () => new Date(Date.now()),
    show({ say, hint, meters, leftMs, inputs }: Partial<Shown>) {
      run.shown.push({
        atMs: nowMs(),
        say: say === undefined ? null : english(asMessage(say)),
        hint: hint === null || hint === undefined ? hint : english(asMessage(hint)),
        meters: (meters ?? []).map(meterInWords),
        leftMs,
        inputs
      })
    },
    saw({ witness, what, raw, thresholds }: Parameters<CheckContext['saw']>[0]) {
      run.saw.push({ atMs: nowMs(), witness, what: english(asMessage(what)), raw, thresholds })
    },
    ask(question: Question) {
      run.asked.push(english(asMessage(question.text)))
      const asked: { given: Answer | undefined; answered: Promise<Answer> } = {
        given: undefined,
        answered: Promise.resolve({})
      }
      asked.answered = new Promise((resolve) => {
        waiting.splice(0, waiting.length, { question, take: (answer) => ((asked.given = answer), resolve(answer)) })
      })
      return asked
    },
    unask() {
      run.unasked += 1
      waiting.length = 0
    },
    recordWrite: (entry: CheckRun['wrote'][number]) =>
      run.wrote.push({ phase: entry.phase, operation: entry.operation, input: entry.input }),
    attach: ({ bytes }: { bytes: Uint8Array }) =>
      Promise.resolve(
        bytes.length > 4
          ? {
              outcome: 'kept',
              attachment: { sha256: 'a'.repeat(64) },
              brightness: around.brightness ?? { mean: 120, spread: 60 }
            }
          : { outcome: 'refused', reason: plainMessage('It is cut off.') }
      ),
    pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  } as unknown as CheckContext<Kind>
  try {
    let ended: { outcome: Outcome; tookMs: number } | { error: unknown } | undefined
    // The first reading is there before a check begins, as in a job.
    await vi.advanceTimersByTimeAsync(0)
    check(context).then(
      (outcome) => (ended = { outcome, tookMs: nowMs() }),
      (error: unknown) => (ended = { error })
    )
    while (!ended && nowMs() < maxMs) {
      const [open] = waiting
      const given = open && around.answer?.(nowMs(), open.question)
      if (given) {
        waiting.pop()
        open.take(given)
      }
      await vi.advanceTimersByTimeAsync(50)
    }
    if (faults.length > 0) throw faults[0]
    if (!ended) throw new Error(`The check did not end within ${maxMs} ms`)
    if ('error' in ended) throw ended.error
    const { summary, remedy, ...outcome } = ended.outcome
    return { ...outcome, summary: english(summary), remedy: orNothing(remedy), tookMs: ended.tookMs, captures, ...run }
  } finally {
    lines.stop()
    abort.abort()
    vi.useRealTimers()
  }
}

/** On from the first of these times, off from the second, and so on. */
export function toggledAt(...times: number[]): (ms: number) => boolean {
  return (ms) => times.filter((time) => time <= ms).length % 2 === 1
}

/** What was wanted against what was seen, in words. */
export function rowsInWords(rows: readonly SeenRow[] | undefined) {
  return (rows ?? []).map(({ label, wanted, device, gateway, verdict, note }) => ({
    label: english(asMessage(label)),
    wanted: words(wanted),
    device: words(device),
    gateway: words(gateway),
    verdict,
    ...(note === undefined ? {} : { note: words(note) })
  }))
}

function words(text: SeenRow['wanted']): string | null {
  return text === null ? null : english(asMessage(text))
}

function meterInWords({ label, value, target, progress, tone, best }: Meter) {
  return {
    label: english(label),
    value: orNothing(value),
    target: orNothing(target),
    progress,
    tone,
    ...(best ? { best: `${english(best.value)}, ${best.agoS} s ago` } : {})
  }
}

/** Fields that every answer about accessories can have, as the documents name them. */
export const accessoryFields = [
  'aid',
  'ecu_distance',
  'ecu_tires_psi',
  'ecu_tires_tmp',
  'ecu_tpms_warnings',
  'ecu_tpms_provision',
  'btt_mac',
  'btt_battery',
  'btt_temp',
  'ea_a',
  'ea_b',
  'ea_c',
  'io_exp_state',
  'io_exp_in1',
  'io_exp_in2',
  'io_exp_in3',
  'io_exp_in4'
]

function accessoryAnswer({ events, fields = accessoryFields }: { events: object[]; fields?: string[] }) {
  const all = events.map((event): Record<string, unknown> => ({ device_id: Number(benchImei), ...event }))
  const own = all.filter((event) => String(event.device_id) === benchImei)
  return {
    events: own.map(accessoryEvent).filter((event) => event !== undefined),
    ofOthers: all.length - own.length,
    fields: new Set(fields),
    nowMs: Date.now()
  }
}

/** An event so many milliseconds after the check began, one second under way. */
export function eventAt(ms: number, fields: object): object {
  const epochS = Math.floor((benchBeganMs + ms) / 1000)
  return { event_epoch: epochS, system_epoch: epochS + 1, type: 10, label: 'prdtst', ...fields }
}

function orFailure<T>(given: T | AppError): Promise<T> {
  return given instanceof AppError ? Promise.reject(given) : Promise.resolve(given)
}

/** Whatever a check asks of a device ends when the step is stopped. */
function stoppable<T>(
  { signal }: { signal?: AbortSignal },
  schema: unknown,
  given: object | AppError
): Promise<Reading<T>> {
  if (!signal) throw new Error('Asked without a way to stop it')
  return answerOf(schema, given)
}

async function answerOf<T>(schema: unknown, given: object | AppError): Promise<Reading<T>> {
  const raw = await orFailure(given)
  const parsed = readFields(schema as typeof gpsPosition, raw)
  if ('wanted' in parsed) throw new Error('The answer is no object')
  return {
    operation: '',
    status: 200,
    value: parsed.value as Reading<T>['value'],
    problems: parsed.problems,
    raw,
    readAt: new Date().toISOString(),
    elapsedMs: 0
  }
}
