import type { RateTier } from './types.ts'

interface Window {
  count: number
  endsMs: number
  /** When the first 429 of this window was sent. */
  closedMs: number | null
}

/** Requests that were already on their way when the 429 was sent are no violation. */
const inFlightMs = 100

/** Counts the requests of every user per tier; the tightest tier decides. */
export function createRateLimits(tiers: Record<'data' | 'other', RateTier[]>) {
  const windows = new Map<string, Window>()

  function countRequest(user: string, kind: 'data' | 'other', nowMs: number) {
    const states = tiers[kind].map((tier) => ({
      tier,
      window: openWindow(`${user} ${kind} ${tier.perSeconds}`, tier, nowMs)
    }))
    const full = states.find(({ tier, window }) => window.count >= tier.requests)
    if (full) {
      const isEarly = full.window.closedMs !== null && nowMs - full.window.closedMs > inFlightMs
      full.window.closedMs ??= nowMs
      return verdictOf(false, full.tier, full.window, isEarly)
    }
    for (const { window } of states) window.count++
    const tightest = [...states].sort((a, b) => left(a) - left(b))[0]
    if (!tightest)
      return { allowed: true, limit: 0, remaining: 0, resetS: Math.ceil(nowMs / 1000), value: 0, isEarly: false }
    return verdictOf(true, tightest.tier, tightest.window, false)
  }

  function openWindow(key: string, tier: RateTier, nowMs: number): Window {
    const present = windows.get(key)
    if (present && nowMs < present.endsMs) return present
    // The header has whole seconds, so the window ends on one: a client that waits for it is never early.
    const fresh = { count: 0, endsMs: Math.ceil((nowMs + tier.perSeconds * 1000) / 1000) * 1000, closedMs: null }
    windows.set(key, fresh)
    return fresh
  }

  return { countRequest }
}

function left({ tier, window }: { tier: RateTier; window: Window }): number {
  return tier.requests - window.count
}

/** `isEarly`: a request although the client knew that the window was closed. */
function verdictOf(allowed: boolean, tier: RateTier, window: Window, isEarly: boolean) {
  return {
    allowed,
    limit: tier.requests,
    remaining: Math.max(0, tier.requests - window.count),
    resetS: Math.round(window.endsMs / 1000),
    value: window.count + (allowed ? 0 : 1),
    isEarly
  }
}
