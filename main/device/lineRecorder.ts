import type { IoState, Reading, Sparse } from '../../preload/contract/deviceAreas.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import { problemOf } from '../reading/fields.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { LineTrace } from '../../preload/contract/jobs.ts'
import type { IoArea } from './io.ts'

const lineNames = [
  'IGN', 'TIG', 'PWR', 'MOT',
  'IN1', 'IN2', 'IN3', 'IN4', 'IN5', 'IN6', 'IN7',
  'OUT1', 'OUT2', 'OUT3', 'OUT4',
  'SO1', 'SO2', 'SO3', 'SO4'
] as const
export type LineName = (typeof lineNames)[number]
const analogNames = ['AN1', 'AN2', 'DAN', 'BAT'] as const

export interface LineChange {
  atMs: number
  on: boolean
  readAt: string
}

export interface LineSample {
  atMs: number
  readAt: string
  value: Sparse<IoState>
  problems: Message[]
}

/** Reads all lines of one device while a job runs, so that every check sees the same story from its first second. */
export interface LineRecorder {
  readonly startedMs: number
  latest(): LineSample | undefined
  /** The first entry is the value at the first reading, not a change. */
  story(line: LineName): LineChange[]
  /** Real changes only, oldest first. */
  changes(line: LineName): LineChange[]
  /** Why a line cannot be read, in the words of the reading; undefined when it can. */
  unreadable(line: LineName): Message | undefined
  /** How long the device has not answered, with the reason, and when it was last asked in vain. */
  silence(): { forMs: number; error: AppError; askedMs: number } | undefined
  /** Resolves at the next reading or failure. */
  next(signal: AbortSignal): Promise<void>
  trace(jobId: string): LineTrace
  /** The same recorder with a story that begins at `fromMs`: for a step that is run again. */
  since(fromMs: number): LineRecorder
  stop(): void
}

export interface LineRecorderOptions {
  device: { io: Pick<IoArea, 'all'> }
  monotonicMs(): number
  periodMs?: number
  changed(): void
  /** A fault inside Fitter ended the reading. */
  reportFault(error: unknown): void
}

export function startLineRecorder(options: LineRecorderOptions): LineRecorder {
  const { device, monotonicMs, changed } = options
  const periodMs = options.periodMs ?? 250
  const startedMs = monotonicMs()
  const stories = new Map<LineName, LineChange[]>(lineNames.map((name) => [name, []]))
  const abort = new AbortController()
  let waiting: (() => void)[] = []
  let latest: LineSample | undefined
  let failure: { sinceMs: number; askedMs: number; error: AppError } | undefined
  let tookMs = 0
  let timer: NodeJS.Timeout | undefined

  async function read(): Promise<void> {
    const askedMs = monotonicMs()
    try {
      keep(await device.io.all({ signal: abort.signal, timeoutMs: 3_000 }), monotonicMs())
      failure = undefined
    } catch (error) {
      if (abort.signal.aborted) return
      if (!(error instanceof AppError)) throw error
      failure = { sinceMs: failure?.sinceMs ?? askedMs, askedMs, error }
    }
    tookMs = monotonicMs() - askedMs
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
    changed()
    // A device that answers slowly is asked less often, so that reading never crowds out what the person does.
    if (!abort.signal.aborted) timer = setTimeout(begin, Math.max(20, periodMs - tookMs, tookMs))
  }

  function begin(): void {
    read().catch(options.reportFault)
  }

  function keep(reading: Reading<IoState>, atMs: number): void {
    latest = { atMs, readAt: reading.readAt, value: reading.value, problems: reading.problems }
    for (const [name, story] of stories) {
      const on = reading.value[name]
      if (typeof on === 'boolean' && story.at(-1)?.on !== on) story.push({ atMs, on, readAt: reading.readAt })
    }
  }

  begin()

  const recorder: LineRecorder = {
    startedMs,
    latest: () => latest,
    story: (line) => stories.get(line) ?? [],
    changes: (line) => (stories.get(line) ?? []).slice(1),
    unreadable(line) {
      if (!latest || latest.value[line] !== undefined) return undefined
      return problemOf(latest.problems, line) ?? message('jobs.missingInAnswer', { path: line })
    },
    silence() {
      return failure && { forMs: monotonicMs() - failure.sinceMs, error: failure.error, askedMs: failure.askedMs }
    },
    next(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        const stopped = () => reject(signal.reason as Error)
        signal.addEventListener('abort', stopped, { once: true })
        waiting.push(() => {
          signal.removeEventListener('abort', stopped)
          resolve()
        })
      })
    },
    trace(jobId) {
      return {
        jobId,
        nowMs: monotonicMs() - startedMs,
        lines: [...stories].map(([name, story]) => ({
          name,
          changes: story.map(({ atMs, on }) => ({ atMs: atMs - startedMs, on }))
        })),
        analogs: analogNames.map((name) => ({ name, valueMv: latest?.value[name] ?? null })),
        problem: failure?.error.sentence ?? null
      }
    },
    since: (fromMs) => startingAt(recorder, fromMs, monotonicMs),
    stop() {
      abort.abort()
      clearTimeout(timer)
    }
  }
  return recorder
}

function startingAt(recorder: LineRecorder, fromMs: number, monotonicMs: () => number): LineRecorder {
  function story(line: LineName): LineChange[] {
    const all = recorder.story(line)
    const before = all.filter((change) => change.atMs < fromMs).slice(-1)
    return [...before, ...all.filter((change) => change.atMs >= fromMs)]
  }
  function silence() {
    const present = recorder.silence()
    // Silence from before says nothing about now: whoever runs a step again has done something about it.
    if (!present || present.askedMs < fromMs) return undefined
    return { ...present, forMs: Math.min(present.forMs, monotonicMs() - fromMs) }
  }
  return { ...recorder, story, changes: (line) => story(line).slice(1), silence }
}
