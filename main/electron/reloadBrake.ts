const mostReloads = 3
const withinMs = 60_000

/** Lets a window that crashed be loaded again, but not for ever: one that crashes at once each time would never be usable. */
export function createReloadBrake(nowMs: () => number = () => performance.now()): { mayReload(): boolean } {
  let reloadedAtMs: number[] = []
  return {
    mayReload() {
      reloadedAtMs = reloadedAtMs.filter((atMs) => nowMs() - atMs < withinMs)
      if (reloadedAtMs.length >= mostReloads) return false
      reloadedAtMs.push(nowMs())
      return true
    }
  }
}
