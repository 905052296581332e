import type { IoState, Reading, Sparse } from '../../../preload/contract/device/deviceAreas.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { problemOf } from '../../base/reading/fields.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { LinesMark, LinesNews } from '../../../preload/contract/device/lines.ts'
import type { IoArea } from './io.ts'
import { createLineStory, lineNames, type LineName, type LineStory } from './lineStory.ts'

export type { LineName }

export type AnalogName = 'AN1' | 'AN2' | 'DAN'

export interface LineChange {
  atMs: number
  /** The last reading with this value. */
  untilMs: number
  on: boolean
  readAt: string
}

export interface LineSample {
  atMs: number
  readAt: string
  value: Sparse<IoState>
  problems: Message[]
}

/** Reads all lines of one device while a job runs, so that every check sees the same history from its first second. */
export interface LineRecorder {
  readonly startedMs: number
  latest(): LineSample | undefined
  /** The first entry is the initial value, not a change. */
  story(line: LineName): LineChange[]
  /** Changes only, oldest first. */
  changes(line: LineName): LineChange[]
  /** Why a line cannot be read, from the reading; undefined when it can. */
  unreadable(line: LineName | AnalogName): Message | undefined
  /** How long the device has not answered, the reason, and the time of the last failed attempt. */
  silence(): { forMs: number; error: AppError; askedMs: number } | undefined
  /** How long the device has not answered, if that is longer than its usual delay; an error answer is not silence. */
  lost(): { forMs: number } | undefined
  /** The device answered another request: a silent one is read again at once. */
  look(): void
  /** Resolves at the next reading or failure. */
  next(signal: AbortSignal): Promise<void>
  news(since: LinesMark | null): LinesNews & { problem: Message | null }
  /** The same recorder with a history from `fromMs`: for a repeated step. */
  since(fromMs: number): LineRecorder
  stop(): void
}

/** How often the lines are read. */
export const periodMs = 250

export interface LineRecorderOptions {
  device: { io: Pick<IoArea, 'all'> }
  monotonicMs(): number
  now?(): Date
  /** Continues the known history of this device. */
  kept?: LineStory
  /** The changes kept for each line; all of them for a checklist, which counts them. */
  mostChanges?: number
  changed(): void
  /** A bug in Fitter ended the reading. */
  reportFault(error: unknown): void
}

/** A fast device counts as lost after this long without an answer; a slow one gets more time. */
const lostAfterMs = 2_000
const slowestAtFirstMs = 2_250
const answersLearned = 8
const answerWithinMs = 3_000
const againAfterMs = 500
const noAnswer: readonly string[] = ['TIMEOUT', 'UNREACHABLE']

export function startLineRecorder(options: LineRecorderOptions): LineRecorder {
  const { device, monotonicMs, changed } = options
  const kept = options.kept ?? createLineStory(periodMs)
  const mostChanges = options.mostChanges ?? Infinity
  const toUnixMs = followClock(monotonicMs, options.now ?? (() => new Date()))
  const startedMs = monotonicMs()
  const stories = new Map<LineName, LineChange[]>(lineNames.map((name) => [name, []]))
  const abort = new AbortController()
  let waiting: (() => void)[] = []
  let latest: LineSample | undefined
  let failure: { sinceMs: number; askedMs: number; error: AppError } | undefined
  let tookMs = 0
  let answeredMs = startedMs
  let answerTimes: number[] = []
  let timer: NodeJS.Timeout | undefined
  let pending: AbortController | undefined

  const usualMs = (): number => (answerTimes.length === 0 ? slowestAtFirstMs : Math.max(...answerTimes))
  // The interval of a slow device is its response time and an equal pause.
  const patienceMs = (): number => Math.max(lostAfterMs, 2 * usualMs() + 500)

  async function read(): Promise<void> {
    const askedMs = monotonicMs()
    // The loss is reported when it begins, not when the pending request times out.
    timer = setTimeout(changed, Math.max(0, answeredMs + patienceMs() - askedMs) + 5)
    const mine = (pending = new AbortController())
    try {
      keep(
        await device.io.all({
          signal: AbortSignal.any([abort.signal, mine.signal]),
          timeoutMs: failure?.error.code === 'TIMEOUT' ? 2 * answerWithinMs : Math.max(answerWithinMs, patienceMs())
        }),
        monotonicMs()
      )
      failure = undefined
      answeredMs = monotonicMs()
      answerTimes = [...answerTimes, answeredMs - askedMs].slice(-answersLearned)
    } catch (error) {
      if (abort.signal.aborted || mine.signal.aborted) return
      if (!(error instanceof AppError)) throw error
      if (!noAnswer.includes(error.code)) answeredMs = monotonicMs()
      failure = { sinceMs: failure?.sinceMs ?? askedMs, askedMs, error }
    }
    clearTimeout(timer)
    tookMs = monotonicMs() - askedMs
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
    changed()
    // A slow device is asked less often, so that reading never delays the person's requests. A silent one is asked
    // again soon, to notice its return.
    if (!abort.signal.aborted)
      timer = setTimeout(begin, Math.max(20, periodMs - tookMs, failure ? Math.min(tookMs, againAfterMs) : tookMs))
  }

  function begin(): void {
    read().catch(options.reportFault)
  }

  function keep(reading: Reading<IoState>, atMs: number): void {
    latest = { atMs, readAt: reading.readAt, value: reading.value, problems: reading.problems }
    for (const [name, story] of stories) {
      const on = reading.value[name]
      const last = story.at(-1)
      if (typeof on === 'boolean' && last?.on === on) last.untilMs = atMs
      else if (typeof on === 'boolean') story.push({ atMs, untilMs: atMs, on, readAt: reading.readAt })
      if (story.length > mostChanges) story.shift()
    }
    kept.take(toUnixMs(atMs), reading.value)
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
    lost() {
      const forMs = monotonicMs() - answeredMs
      return forMs >= patienceMs() ? { forMs } : undefined
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
    look() {
      if (abort.signal.aborted || recorder.lost() === undefined || pending?.signal.aborted) return
      pending?.abort()
      clearTimeout(timer)
      begin()
    },
    news: (since) => ({ ...kept.news(since, toUnixMs(monotonicMs())), problem: failure?.error.sentence ?? null }),
    since: (fromMs) => startingAt(recorder, fromMs, monotonicMs),
    stop() {
      abort.abort()
      clearTimeout(timer)
    }
  }
  return recorder
}

/** A wall clock that never runs backwards: it jumps forward after sleep, but ignores being set back. */
function followClock(monotonicMs: () => number, now: () => Date): (atMs: number) => number {
  let aheadMs = now().getTime() - monotonicMs()
  let lastMs = -Infinity
  return (atMs) => {
    const sleptMs = now().getTime() - monotonicMs() - aheadMs
    if (sleptMs > 1_000) aheadMs += sleptMs
    lastMs = Math.max(lastMs, Math.round(aheadMs + atMs))
    return lastMs
  }
}

function startingAt(recorder: LineRecorder, fromMs: number, monotonicMs: () => number): LineRecorder {
  function story(line: LineName): LineChange[] {
    const all = recorder.story(line)
    const before = all.filter((change) => change.atMs < fromMs).slice(-1)
    return [...before, ...all.filter((change) => change.atMs >= fromMs)]
  }
  function silence() {
    const present = recorder.silence()
    // Earlier silence proves nothing about now: a person who repeats a step has fixed something.
    if (!present || present.askedMs < fromMs) return undefined
    return { ...present, forMs: Math.min(present.forMs, monotonicMs() - fromMs) }
  }
  return { ...recorder, story, changes: (line) => story(line).slice(1), silence }
}
