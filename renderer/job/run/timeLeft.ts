import type { HeardStep } from '../../base/shell/jobs.store.ts'
import { formatDuration, formatSeconds } from '../../base/format.ts'
import { t } from '../../base/texts.ts'

export interface TimeLeft {
  /** Whole seconds, 0 only when it is over: every place shows this one number. */
  seconds: number
  /** When it is over, by this computer's clock. */
  atMs: number
}

/** The end that the core names is exact; the clock of another computer may differ from this one by more. */
const apartMs = 1_500

/** What is left of a running step at this moment: the only place where it is counted and rounded. */
export function timeLeft(
  live: Pick<HeardStep, 'leftMs' | 'heardAtMs' | 'output'> | null | undefined,
  nowMs: number
): TimeLeft | null {
  if (!live || live.leftMs === null) return null
  const heardMs = live.heardAtMs + live.leftMs
  const namedMs = Date.parse(live.output?.offAt ?? '')
  const atMs = Math.abs(namedMs - heardMs) < apartMs ? namedMs : heardMs
  return { seconds: secondsUntil(atMs, nowMs), atMs }
}

export function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

/** The same as minutes and seconds. */
export function leftText({ seconds }: Pick<TimeLeft, 'seconds'>): string {
  return formatDuration(seconds * 1000)
}

/** "0.2 s ago": the age of a reading, in tenths below one second. */
export function ageText(ageMs: number): string {
  const seconds = ageMs < 1_000 ? Math.max(1, Math.floor(ageMs / 100)) / 10 : Math.floor(ageMs / 1000)
  return t('windowLargeType.ago', { age: formatSeconds(seconds) })
}
