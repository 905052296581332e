const mostReloads = 3
const withinMs = 60_000

/** Reloads a crashed window, but not forever: one that crashes again at once would never be usable. */
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
