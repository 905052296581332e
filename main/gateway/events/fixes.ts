/** What the search for lost GPS needs from events, in the order in which they happened. */
export interface FixedEvents {
  n: number
  atMs(index: number): number
  /** Whether its position was valid; null: an event that has no position, or a copy. */
  hasFix(index: number): boolean | null
}

/**
 * A time in which events had no valid position. `open`: it may have started before, or continue after, the loaded
 * events.
 */
export interface FixLoss {
  fromMs: number
  toMs: number
  open: 'start' | 'end' | 'both' | null
}

export interface Fixes {
  /** By index: at this event GPS was lost (1) or was back (2). */
  changes: Uint8Array
  /** By index: the last event with a valid position up to it; -1: none. */
  lastValid: Int32Array
  losses: FixLoss[]
}

export const fixLost = 1
export const fixBack = 2

/** Finds where positions stop being valid, and where they are valid again. */
export function findFixes(events: FixedEvents): Fixes {
  const changes = new Uint8Array(events.n)
  const lastValid = new Int32Array(events.n).fill(-1)
  const losses: FixLoss[] = []
  let state: boolean | null = null
  let valid = -1
  let open: FixLoss | undefined
  for (let index = 0; index < events.n; index++) {
    const fix = events.hasFix(index)
    const at = events.atMs(index)
    if (fix === true) valid = index
    lastValid[index] = valid
    if (fix === null || Number.isNaN(at)) continue
    if (!fix && !open) losses.push((open = { fromMs: at, toMs: at, open: state === null ? 'both' : 'end' }))
    else if (open) open.toMs = at
    if (fix && open) {
      open.open = open.open === 'both' ? 'start' : null
      open = undefined
    }
    if (state !== null && state !== fix) changes[index] = fix ? fixBack : fixLost
    state = fix
  }
  return { changes, lastValid, losses }
}
