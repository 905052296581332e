import type { JobLines } from '../../../preload/contract/job/jobs.ts'
import { followLines, gapsOf, isOn, voltageMv, type LinesStory } from '../../../preload/job/linesStory.ts'

/** How far back the page shows a line. */
export const windowMs = 40_000
const keptMs = windowMs + 20_000

/** A line was on, off or not read between two moments, both as the time before now. */
export interface LinePart {
  fromMs: number
  toMs: number
  on: boolean | null
}

/** The last minute of the lines of a job's device, from the events of the job. */
export type LineWindow = ReturnType<typeof createLineWindow>

/** `monotonicMs` tells how old the latest news is. */
export function createLineWindow(monotonicMs: () => number) {
  let story: LinesStory | null = null
  let lostForMs: number | null = null
  let heardMs = 0

  /** The time on the clock of the history. */
  function nowOf({ nowMs }: LinesStory): number {
    return nowMs + monotonicMs() - heardMs
  }

  return {
    /** False when the news does not continue what is known: then all of it is needed. */
    take(news: JobLines): boolean {
      const next = followLines(story, { ...news, fromMs: Math.max(news.fromMs ?? -Infinity, news.nowMs - keptMs) })
      if (!next) return false
      if (next !== story) [story, lostForMs, heardMs] = [next, news.lostForMs, monotonicMs()]
      return true
    },
    /** How old the last reading is; null before the first. */
    ageMs: () => (typeof story?.readMs !== 'number' ? null : Math.max(0, nowOf(story) - story.readMs)),
    lostForMs: () => (lostForMs === null ? null : lostForMs + monotonicMs() - heardMs),
    isOn: (line: string) => isOn(story, line) ?? null,
    millivolts: (name: string) => voltageMv(story, name),
    /** The line over the window, oldest first; a time without readings is a part of its own. */
    parts(line: string): LinePart[] {
      if (!story) return []
      const nowMs = nowOf(story)
      const startMs = nowMs - windowMs
      const changes = story.lines.get(line) ?? []
      const parts: LinePart[] = []
      const unread = gapsOf({ ...story, nowMs })
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
