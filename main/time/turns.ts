import { AsyncLocalStorage } from 'node:async_hooks'

/** The caller of the gateway. Callers with queued calls take turns, however many calls each of them has queued. */
export interface Asker {
  name: string
  /**
   * The longest wait for the gateway's rate limit. `waits` receives the time until which nothing can be sent (epoch ms), and null
   * when the call leaves the queue. Without `line`, a call is refused if the limit delays it beyond its time limit.
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
