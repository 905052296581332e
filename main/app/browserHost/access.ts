import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { digestOf, hasDigest } from '../../base/page/secretText.ts'

/** How long a printed address works. */
export const keyLifetimeMs = 5 * 60_000
/** The number of known browsers; the oldest is forgotten. */
const mostSessions = 20

function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

export interface AccessOptions {
  port: number
  /** Digests of the issued cookies, oldest first. */
  sessions?: readonly string[]
  /** Called for a new one; the cookie itself is never stored. */
  sessionsChanged?(digests: readonly string[]): void
  nowMs?(): number
}

/**
 * Access to this host: a one-time key (in the printed address) is exchanged for a cookie, and only the cookie opens
 * anything. Keys are in memory, work once, and for five minutes.
 */
export class Access {
  readonly #keys = new Map<string, { endsAtMs: number; used: () => void }>()
  readonly #sessions: Set<string>
  readonly #cookieName: string
  readonly #nowMs: () => number
  readonly #sessionsChanged: (digests: readonly string[]) => void

  constructor({
    port,
    sessions = [],
    sessionsChanged = () => undefined,
    nowMs = () => performance.now()
  }: AccessOptions) {
    // Browsers store cookies per host name, not per port: two Fitters must not sign each other out.
    this.#cookieName = `fitter-${port}`
    this.#sessions = new Set(sessions)
    this.#sessionsChanged = sessionsChanged
    this.#nowMs = nowMs
  }

  /** `used` is called when the key was exchanged. */
  issueKey(used: () => void = () => undefined): string {
    const key = makeToken()
    this.#keys.set(digestOf(key), { endsAtMs: this.#nowMs() + keyLifetimeMs, used })
    return key
  }

  /** A new key for a valid, unused and unexpired one; undefined for any other. */
  exchangeForKey(given: string): string | undefined {
    return this.#use(given) ? this.issueKey() : undefined
  }

  /** The `Set-Cookie` value for a valid, unused and unexpired key; undefined for any other. */
  exchange(given: string): string | undefined {
    if (!this.#use(given)) return undefined
    const session = makeToken()
    this.#sessions.add(digestOf(session))
    for (const oldest of this.#sessions) if (this.#sessions.size > mostSessions) this.#sessions.delete(oldest)
    this.#sessionsChanged([...this.#sessions])
    return `${this.#cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`
  }

  #use(given: string): boolean {
    let found: string | undefined
    for (const [digest, { endsAtMs }] of this.#keys) {
      if (endsAtMs <= this.#nowMs()) this.#keys.delete(digest)
      else if (hasDigest(given, digest)) found = digest
    }
    if (found === undefined) return false
    this.#keys.get(found)?.used()
    return this.#keys.delete(found)
  }

  hasSession(request: IncomingMessage): boolean {
    for (const part of (request.headers.cookie ?? '').split(';')) {
      const [name, value] = part.trim().split('=', 2)
      if (name !== this.#cookieName || value === undefined) continue
      for (const session of this.#sessions) if (hasDigest(value, session)) return true
    }
    return false
  }
}
