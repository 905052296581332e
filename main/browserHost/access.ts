import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** How long a printed address works. */
export const keyLifetimeMs = 5 * 60_000

/** Compares without telling by its duration how much was right, whatever the lengths are. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Who may use this host: a one-time key (in the address that is printed) is exchanged for a cookie, and only the cookie
 * opens anything. Keys live in memory, work once, and for five minutes.
 */
export class Access {
  readonly #keys = new Map<string, number>()
  readonly #sessions = new Set<string>()
  readonly #cookieName: string
  readonly #nowMs: () => number

  constructor(port: number, nowMs: () => number = () => performance.now()) {
    // Browsers keep cookies per host name, not per port: two Fitters must not sign each other out.
    this.#cookieName = `fitter-${port}`
    this.#nowMs = nowMs
  }

  issueKey(): string {
    const key = makeToken()
    this.#keys.set(key, this.#nowMs() + keyLifetimeMs)
    return key
  }

  /** The `Set-Cookie` value for a key that is right, unused and still fresh; undefined for any other. */
  exchange(given: string): string | undefined {
    let found: string | undefined
    for (const [key, endsAtMs] of this.#keys) {
      if (endsAtMs <= this.#nowMs()) this.#keys.delete(key)
      else if (isSame(given, key)) found = key
    }
    if (found === undefined) return undefined
    this.#keys.delete(found)
    const session = makeToken()
    this.#sessions.add(session)
    return `${this.#cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`
  }

  hasSession(request: IncomingMessage): boolean {
    for (const part of (request.headers.cookie ?? '').split(';')) {
      const [name, value] = part.trim().split('=', 2)
      if (name !== this.#cookieName || value === undefined) continue
      for (const session of this.#sessions) if (isSame(value, session)) return true
    }
    return false
  }
}
