/** When an unanswered question is repeated: at least twice as long each time (RFC 6762 section 5.2). */
export const repeatGapsMs: readonly number[] = [1000, 2000, 4000, 8000, 16_000]

interface Waiting<Item> {
  item: Item
  step: number
  dueAtMs: number
}

/** Questions about single names or to single hosts, each repeated until it is answered, five times at most. */
export class FollowUps<Item> {
  readonly #waiting = new Map<string, Waiting<Item>>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Adds the question unless it is already being asked, or there are too many. */
  add(key: string, item: Item, dueAtMs: number): void {
    if (this.#waiting.has(key) || this.#waiting.size >= this.#most) return
    this.#waiting.set(key, { item, step: 0, dueAtMs })
  }

  has(key: string): boolean {
    return this.#waiting.has(key)
  }

  /** It is answered. */
  delete(key: string): void {
    this.#waiting.delete(key)
  }

  clear(): void {
    this.#waiting.clear()
  }

  nextAtMs(): number {
    let nextMs = Infinity
    for (const { dueAtMs } of this.#waiting.values()) nextMs = Math.min(nextMs, dueAtMs)
    return nextMs
  }

  /** The questions due until then, each with its next time; the last repetition ends it. */
  takeDue(nowMs: number, untilMs: number): { item: Item; isRetry: boolean }[] {
    const due: { item: Item; isRetry: boolean }[] = []
    for (const [key, waiting] of this.#waiting) {
      if (waiting.dueAtMs > untilMs) continue
      due.push({ item: waiting.item, isRetry: waiting.step > 0 })
      const gapMs = repeatGapsMs[waiting.step]
      waiting.step += 1
      if (gapMs === undefined) this.#waiting.delete(key)
      else waiting.dueAtMs = nowMs + gapMs
    }
    return due
  }
}
