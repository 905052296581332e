import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSession, type Credentials } from '../../../../main/gateway/client/transport/session.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const someone = { user: 'someone@example.com', password: 'secret-word' }

function openSession(
  parts: {
    base?: string
    credentials?: Credentials | null
    store?: { kept: string | undefined }
    login?: () => Promise<string>
  } = {}
) {
  let logins = 0
  const store = parts.store ?? { kept: undefined }
  const session = createSession({
    base: parts.base ?? 'https://one.example/api',
    credentials: async () => (parts.credentials === null ? undefined : (parts.credentials ?? someone)),
    store: {
      get: async () => store.kept,
      set: async (token) => {
        store.kept = token
      }
    },
    login: async () => {
      logins++
      return parts.login ? parts.login() : `token-${logins}`
    }
  })
  return { session, store, logins: () => logins }
}

test('a token that must have expired by idling is renewed before it is used', async () => {
  const { session, logins } = openSession()
  expect(await session.token()).toBe('token-1')
  vi.advanceTimersByTime(57 * 60_000)
  expect(await session.token()).toBe('token-1')
  vi.advanceTimersByTime(60 * 60_000)
  expect(await session.token()).toBe('token-2')
  expect(logins()).toBe(2)
})

test('every accepted request starts the idle time anew', async () => {
  const { session, logins } = openSession()
  const token = await session.token()
  for (let i = 0; i < 3; i++) {
    vi.advanceTimersByTime(50 * 60_000)
    session.seenAccepted(token)
  }
  await session.token()
  expect(logins()).toBe(1)
})

test('what is kept between runs is bound to gateway and user', async () => {
  const { session, store } = openSession()
  await session.token()
  expect(store.kept).toContain('token-1')
  const other = { user: 'else@example.com', password: 'x' }
  expect(await openSession({ store }).session.current()).toBe('token-1')
  expect(await openSession({ store, base: 'https://two.example/api' }).session.current()).toBeUndefined()
  expect(await openSession({ store, credentials: other }).session.current()).toBeUndefined()
  expect(await openSession({ store, credentials: null }).session.current()).toBe('token-1')
})

test.each(['', 'token', '1 a b token', '2 x y z'])('something else in the store (%j) is no token', async (kept) => {
  expect(await openSession({ store: { kept } }).session.current()).toBeUndefined()
})

test('many who meet a 401 at once sign in once', async () => {
  const { session, logins } = openSession()
  const used = await session.token()
  const renewed = await Promise.all([session.renew(used), session.renew(used), session.renew(used)])
  expect(renewed).toEqual(['token-2', 'token-2', 'token-2'])
  expect(await session.renew(used)).toBe('token-2')
  expect(logins()).toBe(2)
})

test('a sign-in that failed for lack of a connection is tried again next time', async () => {
  let isReachable = false
  const { session } = openSession({
    login: async () => {
      if (!isReachable) throw new AppError('UNREACHABLE', plainMessage('gone'), { retryable: true })
      return 'late-token'
    }
  })
  const error = await session.token().catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'UNREACHABLE' })
  expect(error).toMatchObject({ fate: 'notSent' })
  isReachable = true
  expect(await session.token()).toBe('late-token')
})

test('who cancels stops waiting, and the sign-in goes on for the others', async () => {
  let finish: (token: string) => void = () => undefined
  const { session, logins } = openSession({ login: () => new Promise((resolve) => (finish = resolve)) })
  const stop = new AbortController()
  const impatient = session.token(stop.signal).catch((error: unknown) => error)
  const patient = session.token()
  await vi.advanceTimersByTimeAsync(0)
  stop.abort()
  expect(await impatient).toMatchObject({ code: 'CANCELLED' })
  finish('token')
  expect(await patient).toBe('token')
  expect(logins()).toBe(1)
})

test('after a sign-out nothing is kept', async () => {
  const { session, store } = openSession()
  await session.token()
  await session.forget()
  expect(store.kept).toBeUndefined()
  expect(await session.current()).toBeUndefined()
})

test('credentials that the gateway refused are tried again by themselves after a while, by a person at once', async () => {
  let isRight = false
  const { session, logins } = openSession({
    login: async () => {
      if (!isRight) throw new AppError('NOT_AUTHENTICATED', plainMessage('no'), { status: 401 })
      return 'token'
    }
  })
  await expect(session.token()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
  await expect(session.token()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED', fate: 'notSent' })
  expect(logins()).toBe(1)
  await expect(session.signIn()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
  expect(logins()).toBe(2)
  isRight = true
  vi.advanceTimersByTime(14 * 60_000)
  await expect(session.token()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
  expect(logins()).toBe(2)
  vi.advanceTimersByTime(2 * 60_000)
  expect(await session.token()).toBe('token')
})
