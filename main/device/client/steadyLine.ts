import type { LineChange } from './lineRecorder.ts'

/**
 * A level counts once readings show it for this long without another between; a shorter one is a contact that bounces
 * or is loose.
 */
export const leastHeldMs = 500

/** Without a reading for longer than this, a level may have lasted unseen: nothing says that it was short. */
const longestUnreadMs = 2 * leastHeldMs

/** A line left its level and returned to it too soon for a hand. */
export interface LineDrop {
  atMs: number
  forMs: number
  /** The level that it left. */
  from: boolean
}

export interface SteadyLine {
  /**
   * The levels that lasted, each other than the one before. The first is the value at the first reading, however short.
   */
  levels: LineChange[]
  drops: LineDrop[]
}

/** Separates what a hand did from what a contact does: an edge counts only with a level that lasts on both sides. */
export function steadyOf(story: readonly LineChange[]): SteadyLine {
  const levels: LineChange[] = []
  const drops: LineDrop[] = []
  let leftMs: number | undefined
  let isWatched = true
  for (const [index, change] of story.entries()) {
    const before = levels.at(-1)
    isWatched &&= change.atMs - (story[index - 1] ?? change).untilMs <= longestUnreadMs
    if (before && change.untilMs - change.atMs < leastHeldMs) {
      if (change.on !== before.on) leftMs ??= change.atMs
      continue
    }
    if (index === 0 || !before || change.on !== before.on) levels.push(change)
    else if (leftMs !== undefined && isWatched)
      drops.push({ atMs: leftMs, forMs: change.atMs - leftMs, from: change.on })
    leftMs = undefined
    isWatched = true
  }
  return { levels, drops }
}
