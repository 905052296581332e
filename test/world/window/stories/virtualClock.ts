import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate } from 'node:timers'
import { vi } from 'vitest'

const beganAt = Date.UTC(2026, 10, 20, 9)
/** Turns of the event loop after which an arrived answer has no further effect. */
const quietTurns = 4
/** Whoever does not answer within this many turns waits for the clock. */
const mostTurns = 400

/** A virtual clock for use with real connections: it stops while a request is in progress. */
export interface VirtualClock {
  /** Moves on until `isSo`, or this much time has passed; false when it did not come about. */
  until(isSo: () => boolean, mostMs: number, stepMs?: number): Promise<boolean>
  /** Moves on without looking at anything. */
  skip(ms: number): Promise<void>
  stop(): void
}

export function startVirtualClock(): VirtualClock {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: beganAt
  })
  let underWay = 0
  const begins = () => void (underWay += 1)
  const ends = () => void (underWay -= 1)
  subscribe('http.server.request.start', begins)
  subscribe('http.server.response.finish', ends)

  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

  async function settle(): Promise<void> {
    let quiet = 0
    for (let turns = 0; quiet < quietTurns && turns < mostTurns; turns++) {
      await turn()
      quiet = underWay > 0 ? 0 : quiet + 1
    }
    // Who never answers, or whose connection was cut, is not waited for again.
    if (underWay > 0) underWay = 0
  }

  return {
    async until(isSo, mostMs, stepMs = 50) {
      for (let passedMs = 0; passedMs < mostMs; passedMs += stepMs) {
        await settle()
        if (isSo()) return true
        vi.advanceTimersByTime(stepMs)
      }
      await settle()
      return isSo()
    },
    async skip(ms) {
      for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
        vi.advanceTimersByTime(1_000)
        await settle()
      }
    },
    stop() {
      unsubscribe('http.server.request.start', begins)
      unsubscribe('http.server.response.finish', ends)
      vi.useRealTimers()
    }
  }
}
