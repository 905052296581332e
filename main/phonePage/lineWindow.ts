import type { LineChange } from '../../preload/contract/device/lines.ts'
import type { JobLines } from '../../preload/contract/jobs/jobs.ts'

/** How far back the page shows a line. */
export const windowMs = 40_000
const keptMs = windowMs + 20_000
/** As for every chart of lines: this many usual intervals without a reading are a gap. */
const gapIntervals = 2.5
const slowestMs = 1_000

/** A line was on, off or not read between two moments, both as the time before now. */
export interface LinePart {
  fromMs: number
  toMs: number
  on: boolean | null
}

/** The last minute of the lines of a job's device, from the events of the job. */
export interface LineWindow {
  /** False when the news does not continue what is known: then all of it is needed. */
  take(news: JobLines): boolean
  /** How old the last reading is; null before the first. */
  ageMs(): number | null
  lostForMs(): number | null
  isOn(line: string): boolean | null
  millivolts(name: string): number | null
  /** The line over the window, oldest first; a time without readings is a part of its own. */
  parts(line: string): LinePart[]
}

/** `monotonicMs` tells how old the latest news is. */
export function createLineWindow(monotonicMs: () => number): LineWindow {
  let latest: JobLines | undefined
  let heardMs = 0
  const lines = new Map<string, LineChange[]>()
  const voltages = new Map<string, number | null>()
  let gaps: [number, number][] = []

  function clear(): void {
    lines.clear()
    voltages.clear()
    gaps = []
  }

  function nowOf({ nowMs }: JobLines): number {
    return nowMs + monotonicMs() - heardMs
  }

  function gapsUntilNow(news: JobLines): [number, number][] {
    const { readMs, pace } = news
    const isSilent = readMs !== null && nowOf(news) - readMs > gapIntervals * Math.max(pace?.everyMs ?? slowestMs, pace?.longestMs ?? 0)
    return isSilent ? [...gaps, [readMs, nowOf(news)]] : gaps
  }

  return {
    take(news) {
      const isNext = latest !== undefined && latest.story === news.story && news.since !== null && news.since <= latest.mark
      if (news.since !== null && !isNext) return false
      if (news.since === null) clear()
      const afterMs = news.since === null ? -Infinity : (latest?.mark ?? -Infinity)
      for (const { name, changes } of news.lines) {
        const all = [...(lines.get(name) ?? []), ...changes.filter(([atMs]) => atMs > afterMs)]
        lines.set(name, all.slice(Math.max(0, all.findLastIndex(([atMs]) => atMs <= news.nowMs - keptMs))))
      }
      for (const { name, points } of news.voltages) {
        const point = points.at(-1)
        if (point) voltages.set(name, point[2])
      }
      gaps = [...gaps, ...news.gaps.filter(([, toMs]) => toMs > afterMs)].filter(([, toMs]) => toMs > news.nowMs - keptMs)
      latest = news
      heardMs = monotonicMs()
      return true
    },
    ageMs: () => (latest?.readMs === null || latest === undefined ? null : Math.max(0, nowOf(latest) - latest.readMs)),
    lostForMs: () => (latest?.lostForMs === null || latest === undefined ? null : latest.lostForMs + monotonicMs() - heardMs),
    isOn: (line) => lines.get(line)?.at(-1)?.[1] ?? null,
    millivolts: (name) => voltages.get(name) ?? null,
    parts(line) {
      if (!latest) return []
      const nowMs = nowOf(latest)
      const startMs = nowMs - windowMs
      const changes = lines.get(line) ?? []
      const parts: LinePart[] = []
      const unread = gapsUntilNow(latest)
      const add = (fromMs: number, toMs: number, on: boolean | null): void => {
        const [from, to] = [Math.max(fromMs, startMs), Math.min(toMs, nowMs)]
        if (from < to) parts.push({ fromMs: nowMs - from, toMs: nowMs - to, on })
      }
      changes.forEach(([atMs, on], n) => {
        const endMs = changes[n + 1]?.[0] ?? nowMs
        let fromMs = atMs
        for (const [gapFromMs, gapToMs] of unread.filter(([from, to]) => to > atMs && from < endMs)) {
          add(fromMs, gapFromMs, on)
          add(Math.max(atMs, gapFromMs), Math.min(gapToMs, endMs), null)
          fromMs = Math.max(fromMs, gapToMs)
        }
        add(fromMs, endMs, on)
      })
      return parts
    }
  }
}
