import type { ClientBase } from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLane } from '../../../main/team/push/lane.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { failure } from '../../world/team/fakeTeamLog.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A lane to a server whose connections are numbered, and whose end is noted. */
function open(idleMs = 1_000) {
  const bench = { opened: 0, ended: [] as number[], opens: (): void => undefined }
  const lane = createLane({
    async open(work, signal) {
      bench.opens()
      const number = (bench.opened += 1)
      await Promise.resolve()
      const broken = new Promise<void>((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('closed')))
      )
      try {
        await Promise.race([work({ number } as unknown as ClientBase), broken])
      } finally {
        bench.ended.push(number)
      }
    },
    sayError: (error) =>
      error instanceof AppError
        ? error
        : new AppError(
            'UNREACHABLE',
            message('team.away', { host: error instanceof Error ? error.message : 'team.example' })
          ),
    idleMs
  })
  const connection = (client: ClientBase) => (client as unknown as { number: number }).number
  return {
    bench,
    lane,
    ask: (signal?: AbortSignal) => lane.use((client) => Promise.resolve(connection(client)), signal),
    connection
  }
}
const broken = () => Promise.reject(new Error('The connection broke'))

it('whoever waits is told when there is no way to open the connection again, also where that is found out at once', async () => {
  const { bench, lane, ask } = open(0)
  bench.opens = () => {
    if (bench.opened > 0) throw new AppError('NOT_FOUND', message('team.notJoined'))
  }
  const first = ask()
  const second = lane.use(broken)
  expect(await first).toBe(1)
  await expect(second).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await lane.close()
})

it('once it is closed nothing is asked any more, and what ran has ended', async () => {
  const { lane } = open()
  const order: string[] = []
  const answer = Promise.withResolvers<undefined>()
  const running = lane.use(async () => {
    await answer.promise
    order.push('ran to its end')
  })
  await vi.advanceTimersByTimeAsync(1)
  const waiting = lane.use(() => Promise.resolve('never asked'))
  const closed = lane.close().then(() => order.push('closed'))
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED', sentence: { id: 'team.stopped' } })
  await expect(lane.use(() => Promise.resolve('never asked'))).rejects.toMatchObject({ code: 'CANCELLED' })
  answer.resolve(undefined)
  await closed
  await running
  expect(order).toEqual(['ran to its end', 'closed'])
})

it('asks one after the other over one connection, and keeps it for the next', async () => {
  const { bench, lane, ask } = open()
  const order: string[] = []
  const slow = lane.use(async () => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    order.push('first')
  })
  const next = ask().then(() => order.push('second'))
  await vi.advanceTimersByTimeAsync(499)
  expect(order).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await Promise.all([slow, next])
  expect(order).toEqual(['first', 'second'])
  await vi.advanceTimersByTimeAsync(999)
  expect(bench.ended).toEqual([])
  expect(await ask()).toBe(1)
  await vi.advanceTimersByTimeAsync(999)
  expect(await ask()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(bench.ended).toEqual([1])
  expect(vi.getTimerCount()).toBe(0)
  expect(await ask()).toBe(2)
  await lane.close()
  expect(bench.ended).toEqual([1, 2])
  expect(vi.getTimerCount()).toBe(0)
})

it('closes the connection at once where it is not to stay', async () => {
  const { bench, ask } = open(0)
  expect(await ask()).toBe(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(bench.ended).toEqual([1])
  expect(await ask()).toBe(2)
})

it('a query over a connection that broke meanwhile is asked again over a new one, once', async () => {
  const { bench, lane, ask, connection } = open()
  await ask()
  const over: number[] = []
  const again = lane.use((client) => {
    over.push(connection(client))
    return over.length === 1 ? broken() : Promise.resolve('answered')
  })
  expect(await again).toBe('answered')
  expect(over).toEqual([1, 2])
  const never = lane.use((client) => {
    over.push(connection(client))
    return broken()
  })
  await expect(never).rejects.toMatchObject({
    code: 'UNREACHABLE',
    sentence: { values: { host: 'The connection broke' } }
  })
  expect(over).toEqual([1, 2, 2, 3])
  await vi.advanceTimersByTimeAsync(0)
  expect(bench.ended).toEqual([1, 2, 3])
  expect(await ask()).toBe(4)
})

it('what waits behind a query over a broken connection comes after it', async () => {
  const { lane, ask } = open()
  await ask()
  const order: string[] = []
  let tries = 0
  const first = lane.use(() => ((tries += 1) === 1 ? broken() : Promise.resolve(order.push('first'))))
  const second = lane.use(() => Promise.resolve(order.push('second')))
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'second'])
})

it('a query that fails over a fresh connection is not asked again', async () => {
  const { bench, lane, ask } = open()
  let tries = 0
  await expect(lane.use(() => ((tries += 1), broken()))).rejects.toMatchObject({ code: 'UNREACHABLE' })
  expect(tries).toBe(1)
  expect(await ask()).toBe(2)
  expect(bench.ended).toEqual([1])
})

it.each<[string, unknown, boolean]>([
  ['a refusal of the team log', failure('FT002', { severity: undefined }), true],
  ['an error of a query', failure('42501'), true],
  ['a timeout of a query', failure('57014'), true],
  ['a sentence for a person', new AppError('CONFLICT', message('team.fork')), true],
  ['a server that stops', failure('57P01'), false],
  ['a server that is a standby', failure('25006'), false],
  ['an end of the session', failure('08006', { severity: 'FATAL' }), false],
  ['an error of the network', failure('ECONNRESET'), false],
  ['a code with more around it', failure('x42501'), false],
  ['a code with more behind it', failure('42501x'), false],
  ['something without a code', Object.assign(new Error('gone'), { code: 7, severity: 'ERROR' }), false],
  ['nothing', undefined, false]
])('%s leaves the connection as it is, or in doubt', async (_, error, isKept) => {
  const { bench, lane, ask } = open()
  await ask()
  let tries = 0
  const asked = lane.use(() => {
    tries += 1
    return tries === 1 ? Promise.reject(error as Error) : Promise.resolve('answered')
  })
  if (isKept) await expect(asked).rejects.toBeInstanceOf(AppError)
  else expect(await asked).toBe('answered')
  expect([tries, bench.opened]).toEqual(isKept ? [1, 1] : [2, 2])
  await lane.close()
})

it('a caller that stops waiting is released at once, and what it asked ends with its connection', async () => {
  const { bench, lane, ask } = open()
  const stop = new AbortController()
  const asked = lane.use(() => new Promise(() => undefined), stop.signal)
  const behind = ask()
  await vi.advanceTimersByTimeAsync(10)
  stop.abort()
  await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(await behind).toBe(2)
  expect(bench.ended).toEqual([1])
})

it('a caller that stops before its turn, or before it asked, is never asked for', async () => {
  const { bench, lane, ask } = open()
  const stop = new AbortController()
  let asked = 0
  const slow = lane.use(() => new Promise((resolve) => setTimeout(resolve, 100)))
  const waiting = lane.use(() => Promise.resolve((asked += 1)), stop.signal)
  stop.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
  await expect(lane.use(() => Promise.resolve((asked += 1)), stop.signal)).rejects.toMatchObject({ code: 'CANCELLED' })
  await vi.advanceTimersByTimeAsync(100)
  await slow
  expect(await ask()).toBe(1)
  expect([asked, bench.ended]).toEqual([0, []])
})

it('a caller that was answered stops nothing any more', async () => {
  const { bench, ask } = open()
  const stop = new AbortController()
  expect(await ask(stop.signal)).toBe(1)
  const next = ask()
  stop.abort()
  expect(await next).toBe(1)
  expect(bench.ended).toEqual([])
})

it('a query that fails while its caller stops is told as stopped, and the next one goes over a new connection', async () => {
  const { lane, ask } = open()
  await ask()
  const stop = new AbortController()
  const tries: number[] = []
  const asked = lane.use(() => {
    tries.push(1)
    return new Promise((_, reject) =>
      stop.signal.addEventListener('abort', () => reject(new AppError('TIMEOUT', message('team.late', { host: '' }))))
    )
  }, stop.signal)
  await vi.advanceTimersByTimeAsync(1)
  stop.abort()
  await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(await ask()).toBe(2)
  expect(tries).toEqual([1])
})

it('tells all who wait that no connection can be opened, and opens one for the next', async () => {
  const { bench, lane, ask } = open()
  bench.opens = () => {
    throw new AppError('UNREACHABLE', message('team.away', { host: 'team.example' }))
  }
  const all = await Promise.allSettled([ask(), ask(), lane.use(broken)])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(
    all.every((one) => one.status === 'rejected' && one.reason instanceof AppError && one.reason.code === 'UNREACHABLE')
  ).toBe(true)
  bench.opens = () => undefined
  expect(await ask()).toBe(1)
})

it('closing ends a connection that waits for the next query', async () => {
  const lane = createLane({
    open: (work) => work({} as ClientBase),
    sayError: (error) => error as AppError,
    idleMs: 1_000
  })
  expect(await lane.use(() => Promise.resolve('answered'))).toBe('answered')
  await lane.close()
  expect(vi.getTimerCount()).toBe(0)
})

it('what is no error is told as one', async () => {
  const lane = createLane({
    open: () => Promise.reject('no way' as unknown as Error),
    sayError: (error) => error as AppError,
    idleMs: 0
  })
  await expect(lane.use(() => Promise.resolve(1))).rejects.toThrow('no way')
})

it('closing ends a query that hangs, and tells its caller', async () => {
  const { bench, lane } = open()
  const answer = Promise.withResolvers<never>()
  const asked = lane.use(() => answer.promise)
  await vi.advanceTimersByTimeAsync(1)
  let isClosed = false
  const closed = lane.close().then(() => (isClosed = true))
  await vi.advanceTimersByTimeAsync(1)
  expect([bench.ended, isClosed]).toEqual([[1], false])
  answer.reject(new Error('Connection terminated'))
  await expect(asked).rejects.toMatchObject({ code: 'CANCELLED', cause: { message: 'Connection terminated' } })
  await closed
  await lane.close()
})
