import { AsyncLocalStorage } from 'node:async_hooks'

/** Who calls the gateway. Everyone with calls in line gets one turn after the other, however many calls they have. */
export interface Asker {
  name: string
  /**
   * The longest time in line for the gateway's limit. `waits` gets the time until which nothing can be sent (epoch ms), and null
   * when the call has left the line. Without `line`, a call is refused if the limit holds it back for longer than its time limit.
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
