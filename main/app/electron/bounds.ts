export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

const usual = { width: 1280, height: 800 }
/** The part of a window that must be on a screen, so that a person can grab it. */
const graspPx = 100

function isBounds(value: unknown): value is Bounds {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  return ['x', 'y', 'width', 'height'].every((name) => Number.isInteger(fields[name]))
}

/**
 * The saved position of the window if its screen still exists, never larger than the screen; otherwise the centre in
 * the default size.
 */
export function chooseBounds(saved: unknown, workAreaOf: (bounds: Bounds) => Bounds): Partial<Bounds> {
  if (!isBounds(saved)) return usual
  const area = workAreaOf(saved)
  const isInReach =
    saved.x < area.x + area.width - graspPx &&
    saved.x + saved.width > area.x + graspPx &&
    saved.y >= area.y &&
    saved.y < area.y + area.height - graspPx
  return isInReach
    ? { x: saved.x, y: saved.y, width: Math.min(saved.width, area.width), height: Math.min(saved.height, area.height) }
    : usual
}

/** True if the window filled its screen when it was closed; its saved position is that from before. */
export function wasMaximized(saved: unknown): boolean {
  return isBounds(saved) && 'isMaximized' in saved && saved.isMaximized === true
}
