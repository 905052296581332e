import type { LineChange, LinesMark, LinesNews, VoltagePoint } from '../contract/device/lines.ts'
import type { Message } from '../contract/messages.ts'

/**
 * The known history of a device's lines, as the lanes draw it. The lists grow in place and are never reactive; each
 * update creates a new object around them.
 */
export interface LinesStory extends LinesMark {
  nowMs: number
  fromMs: number | null
  readMs: number | null
  lines: ReadonlyMap<string, LineChange[]>
  gaps: [number, number][]
  voltages: ReadonlyMap<string, VoltagePoint[]>
  pace: LinesNews['pace']
  /** Why there are no updates. */
  problem: Message | null
}

type News = LinesNews & { problem: Message | null }

/** A gap is this many usual intervals without a reading: it is shown as a gap without values. */
export const gapIntervals = 2.5

/** Beyond this number of points the story is loaded again: the core thins out old readings. */
const mostPoints = 16_000

/** The story with its update; null when the update does not continue the story and all of it must be loaded. */
export function followLines(before: LinesStory | null, news: News): LinesStory | null {
  const { story, mark, nowMs, fromMs, readMs, pace, problem, since } = news
  if (since === null) {
    const lines = new Map(news.lines.map(({ name, changes }) => [name, [...changes]]))
    const voltages = new Map(news.voltages.map(({ name, points }) => [name, [...points]]))
    return { story, mark, nowMs, fromMs, readMs, pace, problem, lines, voltages, gaps: [...news.gaps] }
  }
  if (!before || before.story !== story || before.mark < since) return null
  // An update may overlap the story: its sender does not know who has asked in the meantime.
  const isNew = ([atMs]: readonly [number, ...unknown[]]) => atMs > before.mark
  for (const { name, changes } of news.lines) before.lines.get(name)?.push(...changes.filter(isNew))
  for (const { name, points } of news.voltages) before.voltages.get(name)?.push(...points.filter(isNew))
  before.gaps.push(...news.gaps.filter(([, toMs]) => toMs > before.mark))
  forget(before, fromMs ?? -Infinity)
  return mark < before.mark ? before : { ...before, mark, nowMs, fromMs, readMs, pace, problem }
}

/** What to request next: everything after the last reading, or all. */
export function nextMark(story: LinesStory | null): LinesMark | null {
  if (!story || [...story.voltages.values()].some((points) => points.length > mostPoints)) return null
  return { story: story.story, mark: story.mark }
}

/** The state of a line at the last reading; null when unreadable, undefined without readings. */
export function isOn(story: LinesStory | null, name: string): boolean | null | undefined {
  return story?.lines.get(name)?.at(-1)?.[1]
}

/** A voltage at the last reading; null when unreadable. */
export function voltageMv(story: LinesStory | null, name: string): number | null {
  return story?.voltages.get(name)?.at(-1)?.[2] ?? null
}

/** Times without a reading, including the one that lasts until now. */
export function gapsOf({ gaps, readMs, nowMs, pace }: LinesStory): readonly (readonly [number, number])[] {
  const isSilent =
    readMs !== null && nowMs - readMs > gapIntervals * Math.max(pace?.everyMs ?? slowestMs, pace?.longestMs ?? 0)
  return isSilent ? [...gaps, [readMs, nowMs]] : gaps
}
const slowestMs = 1_000

function forget(story: LinesStory, fromMs: number): void {
  for (const changes of story.lines.values())
    dropBefore(
      changes,
      changes.findLastIndex(([atMs]) => atMs <= fromMs)
    )
  for (const points of story.voltages.values())
    dropBefore(
      points,
      points.findIndex(([atMs]) => atMs >= fromMs)
    )
  dropBefore(
    story.gaps,
    story.gaps.findIndex(([, toMs]) => toMs > fromMs)
  )
}

function dropBefore(list: unknown[], first: number): void {
  if (first > 0) list.splice(0, first)
}
