import { expect, it } from 'vitest'
import { createTakings } from '../../../main/team/holding/takings.ts'
import type { TellPictures } from '../../../main/team/reading/fetchPictures.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { TeamTaking } from '../../../preload/contract/team/teamHolding.ts'
import type { TakeOverResult } from '../../../preload/contract/job/transfers.ts'

const none = { done: 0, total: 0, doneBytes: 0, totalBytes: 0 }
const pictures = (done: number) => ({ done, total: 2, doneBytes: done * 10, totalBytes: 20 })
const taken: TakeOverResult = {
  id: 'HANDOVER',
  outcome: 'taken',
  from: 'Laptop 1',
  to: '',
  at: '2026-03-01T10:00:00.000Z',
  jobs: [],
  operations: [],
  attachments: 0
}

function setUp() {
  const told: TeamTaking[] = []
  const faults: unknown[] = []
  let ended = 0
  const takings = createTakings({
    tell: (taking) => told.push(taking),
    ended: () => (ended += 1),
    reportFault: (fault) => faults.push(fault)
  })
  const work = Promise.withResolvers<TakeOverResult>()
  const heard: { signal?: AbortSignal; tell: TellPictures; begun: number } = { tell: () => undefined, begun: 0 }
  const begin = () =>
    takings.begin('JOB', (signal, tell) => {
      Object.assign(heard, { signal, tell, begun: heard.begun + 1 })
      signal.addEventListener('abort', () => work.reject(signal.reason))
      return work.promise
    })
  return { takings, told, faults, work, heard, begin, ended: () => ended }
}

it('answers as soon as it may begin, and is followed to its end', async () => {
  const { takings, told, work, heard, begin, ended } = setUp()
  const begun = begin()
  heard.tell(pictures(0))
  expect(await begun).toEqual({ id: 'JOB', state: 'underWay', pictures: pictures(0), why: null, taken: null })
  expect(told).toEqual([])
  heard.tell(pictures(1))
  // Again while it is under way, it is the same one.
  expect(await begin()).toEqual({ id: 'JOB', state: 'underWay', pictures: pictures(1), why: null, taken: null })
  expect(heard.begun).toBe(1)
  work.resolve(taken)
  await takings.stop()
  expect(told).toEqual([
    { id: 'JOB', state: 'underWay', pictures: pictures(1), why: null, taken: null },
    { id: 'JOB', state: 'taken', pictures: pictures(1), why: null, taken }
  ])
  expect(takings.list()).toEqual(told.slice(1))
  expect(ended()).toBe(1)
})

it('answers with what came where nothing has to be fetched', async () => {
  const { told, work, begin } = setUp()
  work.resolve(taken)
  expect(await begin()).toEqual({ id: 'JOB', state: 'taken', pictures: none, why: null, taken })
  expect(told).toEqual([])
})

it('says why it cannot begin to whoever begins it, and nobody else', async () => {
  const { takings, told, work, begin, ended } = setUp()
  const why = new AppError('CONFLICT', plainMessage('Somebody has it.'))
  work.reject(why)
  await expect(begin()).rejects.toBe(why)
  expect([told, takings.list(), ended()]).toEqual([[], [], 1])
})

it('says why it failed on the way, and begins anew when it is asked for again', async () => {
  const { takings, told, faults, work, heard, begin } = setUp()
  const begun = begin()
  heard.tell(pictures(1))
  await begun
  work.reject(new AppError('UNREACHABLE', plainMessage('No way there.')))
  await takings.stop()
  expect(told).toMatchObject([
    { state: 'failed', pictures: pictures(1), why: plainMessage('No way there.'), taken: null }
  ])
  expect(faults).toEqual([])
  await expect(begin()).rejects.toMatchObject({ code: 'UNREACHABLE' })
  expect(heard.begun).toBe(2)
  expect(takings.list()).toEqual([])
})

it('ends with Fitter, and a fault in it is reported', async () => {
  const { takings, told, faults, heard, begin } = setUp()
  const begun = begin()
  heard.tell(pictures(0))
  await begun
  await takings.stop()
  expect(heard.signal?.aborted).toBe(true)
  expect(told).toMatchObject([{ state: 'failed', why: { id: 'team.stopped' } }])

  const other = setUp()
  const otherBegun = other.begin()
  other.heard.tell(pictures(0))
  await otherBegun
  const fault = new Error('Wrong.')
  other.work.reject(fault)
  await other.takings.stop()
  expect(other.faults).toEqual([fault])
  expect(other.told).toMatchObject([{ state: 'failed', why: { id: 'app.fault' } }])
  expect(faults).toEqual([])
})
