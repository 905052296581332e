import { createHash } from 'node:crypto'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { SignInScheme } from '../../../../preload/contract/gateway/gateway.ts'

export interface Credentials {
  user: string
  password: string
  /** The wanted duration of the session; `normal` if omitted. */
  scheme?: SignInScheme | undefined
}

/** Stores the token between runs; implemented by the secret store. */
export interface TokenStore {
  get(): Promise<string | undefined>
  set(token: string | undefined): Promise<void>
}

export interface SessionOptions {
  /** Base address: a stored token is only ever sent to the gateway that issued it. */
  base: string
  credentials: () => Promise<Credentials | undefined>
  store?: TokenStore | undefined
  /** One POST /login; throws AppError. NOT_AUTHENTICATED means that the gateway itself refused the credentials. */
  login(credentials: Credentials): Promise<string>
  /** A token that arrived too late: signed out in the meantime. */
  discard?(token: string): void
}

export type Session = ReturnType<typeof createSession>

interface Token {
  text: string
  /** Monotonic ms. */
  usedAt: number
  /** Monotonic ms; null for a token from an earlier run. */
  issuedAt: number | null
  isProven: boolean
  hasEnded?: boolean
}

/** A `normal` token expires after 60 minutes without requests ("Authentication" 3); renewed shortly before. */
const idleLimitMs = 58 * 60_000
/** How long only a person may retry credentials that the gateway refused: retries may lock an account. */
const barredMs = 15 * 60_000
/** A `finite` token is renewed after this share of its time. */
const finiteShare = 0.95

/** One session with a gateway: one sign-in at a time, none in the background with recently refused credentials. */
export function createSession(options: SessionOptions) {
  let token: Token | undefined
  let isStoreRead = false
  let signingIn: Promise<string> | undefined
  let lastPassword: string | undefined
  /** Refused credentials that are not retried in the background until then (monotonic ms), and why. */
  const barred = new Map<string, { until: number; why: Message }>()
  let epoch = 0

  async function readStore(): Promise<void> {
    if (isStoreRead) return
    isStoreRead = true
    const kept = await options.store?.get()
    if (kept === undefined || token) return
    const user = (await options.credentials())?.user
    const text = unpack(kept, options.base, user)
    if (text !== undefined) token = { text, usedAt: performance.now(), issuedAt: null, isProven: false }
  }

  async function signInNow(isByPerson: boolean): Promise<string> {
    const begunIn = epoch
    const credentials = await options.credentials()
    if (!credentials || credentials.user === '' || credentials.password === '') {
      throw new AppError('NOT_AUTHENTICATED', message('gateway.nobodySignedIn'), { fate: 'notSent' })
    }
    lastPassword = credentials.password
    const print = fingerprint(`${credentials.user}\0${credentials.password}`)
    const refused = barred.get(print)
    if (!isByPerson && refused !== undefined && refused.until > performance.now()) {
      throw new AppError(
        'NOT_AUTHENTICATED',
        refused.why.id === 'gateway.wrongPassword' ? message('gateway.refusedBefore') : refused.why,
        { fate: 'notSent' }
      )
    }
    let text: string
    try {
      text = await options.login(credentials)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'NOT_AUTHENTICATED')
        barred.set(print, { until: performance.now() + barredMs, why: error.sentence })
      // Whatever happened to the sign-in, the request that needed it was not sent.
      throw error.fate === 'refused' ? error : error.withFate('notSent')
    }
    barred.delete(print)
    if (begunIn !== epoch) {
      options.discard?.(text)
      throw new AppError('NOT_AUTHENTICATED', message('gateway.signedOutMeanwhile'), { fate: 'notSent' })
    }
    token = { text, usedAt: performance.now(), issuedAt: performance.now(), isProven: false }
    await options.store?.set(pack(text, options.base, credentials.user))
    return text
  }

  function began(work: Promise<string>): Promise<string> {
    const now = work.finally(() => {
      if (signingIn === now) signingIn = undefined
    })
    return now
  }

  function signInOnce(signal: AbortSignal | undefined): Promise<string> {
    signingIn ??= began(signInNow(false))
    return orCancelled(signingIn, signal)
  }

  return {
    /** A token to send; signs in if there is none or it must have expired. */
    async token(signal?: AbortSignal): Promise<string> {
      await readStore()
      if (token) {
        const credentials = await options.credentials()
        if (credentials === undefined || (token && isAlive(token, credentials.scheme))) return token.text
      }
      return signInOnce(signal)
    },
    /** After a 401 to `used`: the newer token, signing in at most once for all callers. */
    async renew(used: string, signal?: AbortSignal): Promise<string> {
      if (token && token.text !== used) return token.text
      return signInOnce(signal)
    },
    /** A person signs in: now, even if there is a token or an earlier refusal. */
    async signIn(signal?: AbortSignal): Promise<string> {
      await readStore()
      // Not the running one: it may have started with other credentials.
      signingIn = began(signInNow(true))
      return orCancelled(signingIn, signal)
    },
    /** The gateway accepted the token: its idle time restarts. */
    seenAccepted(used: string): void {
      if (token?.text !== used) return
      token.usedAt = performance.now()
      token.isProven = true
    },
    /** The gateway says that this session has ended: the next request signs in. */
    ended(used: string): void {
      if (token?.text === used) token.hasEnded = true
    },
    /** Whether this token ever got an answer other than 401: then a 401 is about rights. */
    isProven: (used: string): boolean => token?.text === used && token.isProven,
    /** Drops the token, and one that is being requested (a sign-out). */
    async forget(): Promise<void> {
      epoch += 1
      token = undefined
      isStoreRead = true
      await options.store?.set(undefined)
    },
    async current(): Promise<string | undefined> {
      await readStore()
      return token?.text
    },
    /** The computer slept for this long: the gateway's time continued. */
    slept(ms: number): void {
      if (!token) return
      token.usedAt -= ms
      if (token.issuedAt !== null) token.issuedAt -= ms
    },
    /** Values that must never be shown: token and password. */
    secrets: (): string[] => [token?.text, lastPassword].filter((secret) => secret !== undefined)
  }
}

function isAlive(token: Token, scheme: SignInScheme | undefined): boolean {
  const now = performance.now()
  if (token.hasEnded) return false
  if (scheme?.kind === 'infinite') return true
  // The age of a token from an earlier run is unknown: if it has expired, the gateway answers 401 and it is renewed.
  if (scheme?.kind === 'finite')
    return token.issuedAt === null || now - token.issuedAt < scheme.expiresS * 1000 * finiteShare
  return now - token.usedAt < idleLimitMs
}

function orCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void =>
      reject(new AppError('CANCELLED', message('gateway.cancelledSignIn'), { fate: 'notSent' }))
    if (signal.aborted) {
      onAbort()
      // The shared sign-in continues for the others, who handle its failure.
      work.then(undefined, () => undefined)
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

function pack(token: string, base: string, user: string): string {
  return `1 ${fingerprint(base)} ${fingerprint(user)} ${token}`
}

function unpack(kept: string, base: string, user: string | undefined): string | undefined {
  const [version, site, owner, token] = kept.split(' ')
  if (version !== '1' || site !== fingerprint(base) || token === undefined) return undefined
  return user === undefined || owner === fingerprint(user) ? token : undefined
}
