/** A place on the desktop, in pixels. */
export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

const usual = { width: 1280, height: 800 }
/** So much of a window has to be on a screen, for a person to get hold of it. */
const graspPx = 100

function isBounds(value: unknown): value is Bounds {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  return ['x', 'y', 'width', 'height'].every((name) => Number.isInteger(fields[name]))
}

/**
 * Where to open the window: where it was, as long as a screen is still there; else in the middle, in its usual size.
 * @param saved what was kept, which may be anything
 * @param workAreaOf the free area of the screen that is nearest to a place
 */
export function chooseBounds(saved: unknown, workAreaOf: (bounds: Bounds) => Bounds): Partial<Bounds> {
  if (!isBounds(saved)) return usual
  const area = workAreaOf(saved)
  const isInReach =
    saved.x < area.x + area.width - graspPx &&
    saved.x + saved.width > area.x + graspPx &&
    saved.y >= area.y &&
    saved.y < area.y + area.height - graspPx
  return isInReach ? { x: saved.x, y: saved.y, width: saved.width, height: saved.height } : usual
}
