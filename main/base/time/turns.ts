import { AsyncLocalStorage } from 'node:async_hooks'

/** The caller of the gateway. Callers with queued calls take turns, however many calls each of them has queued. */
export interface Asker {
  name: string
  /**
   * The longest wait for the rate limit; `waits` gets until when (epoch ms), and null at the end. Without `line` a late
   * call is refused.
   */
  line?: { mostMs: number; waits(untilMs: number | null): void }
}

const askers = new AsyncLocalStorage<Asker>()

/** Every gateway call that `work` makes belongs to this caller. */
export function askAs<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work)
}

export function presentAsker(): Asker | undefined {
  return askers.getStore()
}
