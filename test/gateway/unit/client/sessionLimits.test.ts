import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createSession,
  type Credentials,
  type SessionOptions
} from '../../../../main/gateway/client/transport/session.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'

const minuteMs = 60_000
const someone: Credentials = { user: 'someone@example.com', password: 'secret-word' }
const base = 'https://one.example/api'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open(more: Partial<SessionOptions> = {}) {
  const state = {
    logins: [] as Credentials[],
    discarded: [] as string[],
    kept: undefined as string | undefined,
    reads: 0
  }
  const session = createSession({
    base,
    credentials: () => Promise.resolve(someone),
    store: {
      get: () => {
        state.reads += 1
        return Promise.resolve(state.kept)
      },
      set: (token) => {
        state.kept = token
        return Promise.resolve()
      }
    },
    login: (credentials) => {
      state.logins.push(credentials)
      return Promise.resolve(`token-${state.logins.length}`)
    },
    discard: (token) => state.discarded.push(token),
    ...more
  })
  return { session, state }
}

/** A sign-in that ends when the test says so. */
function held() {
  const ends: { resolve: (token: string) => void; reject: (error: unknown) => void }[] = []
  return { ends, login: () => new Promise<string>((resolve, reject) => ends.push({ resolve, reject })) }
}

describe('How long a token is used', () => {
  it('is 58 minutes without requests for a normal one', async () => {
    const { session, state } = open()
    await session.token()
    vi.advanceTimersByTime(58 * minuteMs - 1)
    expect(await session.token()).toBe('token-1')
    vi.advanceTimersByTime(1)
    expect(await session.token()).toBe('token-2')
    expect(state.logins).toEqual([someone, someone])
  })

  it('counts from what the gateway accepted last, of this token alone', async () => {
    const { session } = open()
    await session.token()
    vi.advanceTimersByTime(30 * minuteMs)
    session.seenAccepted('another token')
    vi.advanceTimersByTime(28 * minuteMs)
    expect(await session.token()).toBe('token-2')
    vi.advanceTimersByTime(30 * minuteMs)
    session.seenAccepted('token-2')
    vi.advanceTimersByTime(30 * minuteMs)
    expect(await session.token()).toBe('token-2')
  })

  it('has no end for an infinite one', async () => {
    const { session } = open({ credentials: () => Promise.resolve({ ...someone, scheme: { kind: 'infinite' } }) })
    await session.token()
    vi.advanceTimersByTime(100 * 24 * 60 * minuteMs)
    expect(await session.token()).toBe('token-1')
  })

  it('is 95 % of the time of a finite one, however busy it is', async () => {
    const { session } = open({
      credentials: () => Promise.resolve({ ...someone, scheme: { kind: 'finite', expiresS: 100_000 } })
    })
    vi.advanceTimersByTime(50_000_000)
    await session.token()
    vi.advanceTimersByTime(94_999_999)
    session.seenAccepted('token-1')
    expect(await session.token()).toBe('token-1')
    vi.advanceTimersByTime(1)
    expect(await session.token()).toBe('token-2')
  })

  it('is not known for a finite one of an earlier run: the gateway says when it is over', async () => {
    const first = open()
    await first.session.token()
    const { session, state } = open({
      credentials: () => Promise.resolve({ ...someone, scheme: { kind: 'finite', expiresS: 10 } })
    })
    state.kept = first.state.kept?.replace('token-1', 'kept-token')
    expect(await session.token()).toBe('kept-token')
    vi.advanceTimersByTime(60 * minuteMs)
    expect(await session.token()).toBe('kept-token')
  })

  it('ends nothing where nobody is known who could sign in again', async () => {
    const first = open()
    await first.session.token()
    const { session, state } = open({ credentials: () => Promise.resolve(undefined) })
    state.kept = first.state.kept
    vi.advanceTimersByTime(60 * minuteMs)
    expect(await session.token()).toBe('token-1')
    vi.advanceTimersByTime(60 * minuteMs)
    expect(await session.token()).toBe('token-1')
  })
})

describe('The token kept between runs', () => {
  it('is read once, and holds neither the password nor the user in the clear', async () => {
    const { session, state } = open()
    await session.token()
    await session.current()
    await session.token()
    expect(state.reads).toBe(1)
    const print = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)
    expect(state.kept).toBe(`1 ${print(base)} ${print(someone.user)} token-1`)
  })

  it('is not proven, and takes no place of one that came meanwhile', async () => {
    const first = open()
    await first.session.token()
    let deliver: (kept: string | undefined) => void = () => undefined
    const { session } = open({
      store: { get: () => new Promise((done) => (deliver = done)), set: () => Promise.resolve() }
    })
    const reading = session.current()
    expect(await session.renew('an old one')).toBe('token-1')
    session.seenAccepted('token-1')
    deliver(first.state.kept?.replace('token-1', 'kept-token'))
    expect(await reading).toBe('token-1')
    expect(session.isProven('token-1')).toBe(true)
  })

  it('is used before anybody signs in, and unproven until it was accepted', async () => {
    const first = open()
    await first.session.token()
    const { session, state } = open()
    state.kept = first.state.kept?.replace('token-1', 'kept-token')
    expect(await session.token()).toBe('kept-token')
    expect(state.logins).toEqual([])
    expect(session.isProven('kept-token')).toBe(false)
    session.seenAccepted('kept-token')
    expect(session.isProven('kept-token')).toBe(true)
  })

  it('is none of another version, even with everything else right', async () => {
    const first = open()
    await first.session.token()
    const { session, state } = open()
    state.kept = first.state.kept?.replace(/^1/, '2')
    expect(await session.current()).toBeUndefined()
    expect(await session.token()).toBe('token-1')
    const other = open()
    other.state.kept = first.state.kept?.replace(/ token-1$/, '')
    expect(await other.session.current()).toBeUndefined()
  })

  it('needs no store', async () => {
    const { session } = open({ store: undefined })
    expect(await session.current()).toBeUndefined()
    expect(await session.token()).toBe('token-1')
    await session.forget()
    expect(await session.current()).toBeUndefined()
  })
})

describe('Nobody signs in', () => {
  it.each<[string, Credentials | undefined]>([
    ['without credentials', undefined],
    ['without a user', { user: '', password: 'x' }],
    ['without a password', { user: 'x', password: '' }]
  ])('%s, and nothing was sent', async (_what, credentials) => {
    const { session, state } = open({ credentials: () => Promise.resolve(credentials) })
    await expect(session.token()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED', fate: 'notSent' })
    await expect(session.signIn()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED', fate: 'notSent' })
    expect(state.logins).toEqual([])
    expect(session.secrets()).toEqual([])
  })

  it('for 15 minutes with credentials that were refused, unless a person asks or they are others', async () => {
    let password = 'wrong'
    const tried: string[] = []
    const { session } = open({
      credentials: () => Promise.resolve({ ...someone, password }),
      login: (credentials) => {
        tried.push(credentials.password)
        return credentials.password === 'right'
          ? Promise.resolve('token')
          : Promise.reject(new AppError('NOT_AUTHENTICATED', plainMessage('no'), { status: 401, fate: 'refused' }))
      }
    })
    await expect(session.token()).rejects.toMatchObject({ fate: 'refused' })
    vi.advanceTimersByTime(15 * minuteMs - 1)
    await expect(session.token()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED', fate: 'notSent' })
    expect(tried).toEqual(['wrong'])
    vi.advanceTimersByTime(1)
    await expect(session.token()).rejects.toMatchObject({ fate: 'refused' })
    await expect(session.signIn()).rejects.toMatchObject({ fate: 'refused' })
    expect(tried).toEqual(['wrong', 'wrong', 'wrong'])
    password = 'right'
    expect(await session.token()).toBe('token')
  })

  it('is over for credentials that a person signed in with after all', async () => {
    let isRight = false
    let tries = 0
    const { session } = open({
      login: () => {
        tries += 1
        return isRight
          ? Promise.resolve(`token-${tries}`)
          : Promise.reject(new AppError('NOT_AUTHENTICATED', plainMessage('no')))
      }
    })
    await expect(session.token()).rejects.toThrow()
    isRight = true
    expect(await session.signIn()).toBe('token-2')
    expect(await session.renew('token-2')).toBe('token-3')
  })

  it('is not said of a fault or of a gateway that is away: the next one tries again', async () => {
    const errors = [
      new TypeError('a fault'),
      new AppError('NOT_PERMITTED', plainMessage('no'), { fate: 'refused' }),
      new AppError('TIMEOUT', plainMessage('late'), { fate: 'unknown' })
    ]
    const given = [...errors]
    const { session } = open({ login: () => Promise.reject(given.shift() ?? new Error('once too often')) })
    await expect(session.token()).rejects.toBe(errors[0])
    await expect(session.token()).rejects.toBe(errors[1])
    await expect(session.token()).rejects.toMatchObject({ code: 'TIMEOUT', fate: 'notSent' })
  })
})

describe('A sign-out', () => {
  it('drops a token that is on its way: it is handed back, used by nobody, kept nowhere', async () => {
    const { ends, login } = held()
    const { session, state } = open({ login })
    const waiting = session.token()
    await vi.advanceTimersByTimeAsync(0)
    await session.forget()
    ends[0]?.resolve('late token')
    await expect(waiting).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED', fate: 'notSent' })
    expect(state).toMatchObject({ discarded: ['late token'], kept: undefined })
    expect(await session.current()).toBeUndefined()
  })

  it('does so without anybody to hand it to as well', async () => {
    const { ends, login } = held()
    const { session } = open({ login, discard: undefined })
    const waiting = session.token()
    await vi.advanceTimersByTimeAsync(0)
    await session.forget()
    ends[0]?.resolve('late token')
    await expect(waiting).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
  })

  it('before the store was read keeps it unread', async () => {
    const first = open()
    await first.session.token()
    const { session, state } = open()
    state.kept = first.state.kept
    await session.forget()
    state.kept = first.state.kept
    expect(await session.current()).toBeUndefined()
    expect(state.reads).toBe(0)
  })

  it('does not keep a later sign-in from counting', async () => {
    const { session } = open()
    await session.forget()
    session.seenAccepted('token-1')
    await session.forget()
    expect(await session.token()).toBe('token-1')
  })
})

describe('After a 401', () => {
  it('who used an older token gets the newer one, who used this one a new one', async () => {
    const { session, state } = open()
    await session.token()
    expect(await session.renew('an old one')).toBe('token-1')
    expect(await session.renew('token-1')).toBe('token-2')
    expect(state.logins).toHaveLength(2)
  })

  it('a token proves itself for itself alone, and a new one anew', async () => {
    const { session } = open()
    expect(session.isProven('token-1')).toBe(false)
    await session.token()
    expect(session.isProven('token-1')).toBe(false)
    session.seenAccepted('token-1')
    expect(session.isProven('token-1')).toBe(true)
    expect(session.isProven('token-2')).toBe(false)
    await session.renew('token-1')
    expect(session.isProven('token-1')).toBe(false)
    expect(session.isProven('token-2')).toBe(false)
  })
})

describe('A sign-in by a person', () => {
  it('is one of its own, and the older one that ends later does not hold the next up', async () => {
    const { ends, login } = held()
    const { session } = open({ login })
    const background = session.token()
    await vi.advanceTimersByTimeAsync(0)
    const person = session.signIn()
    await vi.advanceTimersByTimeAsync(0)
    expect(ends).toHaveLength(2)
    ends[0]?.resolve('old')
    expect(await background).toBe('old')
    // Still one under way: who needs a token now waits for that one.
    const third = session.renew('old')
    await vi.advanceTimersByTimeAsync(0)
    expect(ends).toHaveLength(2)
    ends[1]?.resolve('new')
    expect(await person).toBe('new')
    expect(await third).toBe('new')
  })
})

describe('Who no longer wants to wait', () => {
  it('is told at once, also when that was so before, and no failure is left that nobody heard', async () => {
    const unheard: unknown[] = []
    const note = (error: unknown) => unheard.push(error)
    process.on('unhandledRejection', note)
    try {
      const { ends, login } = held()
      const { session } = open({ login })
      const gone = new AbortController()
      gone.abort()
      await expect(session.token(gone.signal)).rejects.toMatchObject({ code: 'CANCELLED', fate: 'notSent' })
      ends[0]?.reject(new AppError('UNREACHABLE', plainMessage('gone')))
      await vi.advanceTimersByTimeAsync(1)
      vi.useRealTimers()
      await new Promise((done) => setImmediate(done))
      expect(unheard).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
    }
  })

  it('leaves no listener behind where the sign-in came first', async () => {
    const { session } = open()
    const stop = new AbortController()
    const removed = vi.spyOn(stop.signal, 'removeEventListener')
    expect(await session.token(stop.signal)).toBe('token-1')
    await vi.advanceTimersByTimeAsync(0)
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function))
  })
})

it('what must never be shown is the token and the password, as far as there are any', async () => {
  const { session } = open()
  expect(session.secrets()).toEqual([])
  await session.token()
  expect(session.secrets()).toEqual(['token-1', 'secret-word'])
  await session.forget()
  expect(session.secrets()).toEqual(['secret-word'])
})
