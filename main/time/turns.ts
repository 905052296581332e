import { AsyncLocalStorage } from 'node:async_hooks'

/** Who asks the gateway. Everybody with calls in line gets one turn after the other, however many calls somebody has. */
export interface Asker {
  name: string
  /**
   * Stays in line so long for the limit of the gateway. `waits` is told until when nothing can be sent (epoch ms), and null once
   * the call has left the line. Without this, a call that the limit holds back for longer than it lasts is refused.
   */
  line?: { mostMs: number; waits(untilMs: number | null): void }
}

const askers = new AsyncLocalStorage<Asker>()

/** Every call to the gateway that `work` makes is a call of this asker. */
export function askAs<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work)
}

export function presentAsker(): Asker | undefined {
  return askers.getStore()
}
