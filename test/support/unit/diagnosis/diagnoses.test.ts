import { expect, it, vi } from 'vitest'
import { sourceResourcesFolder } from '../../../../main/app/core.ts'
import { createDiagnoses, type DiagnosesParts } from '../../../../main/support/diagnosis/diagnoses.ts'
import { diagnosisLimits } from '../../../../main/support/diagnosis/limits.ts'
import type { DiagnosisGateway } from '../../../../main/gateway/client/diagnosisGateway.ts'
import { loadShipped } from '../../../../main/job/jobs/checklists/shipped.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { LatestDiagnosis } from '../../../../preload/contract/support/visits.ts'

const imei = '867698040023056'
const { standardProfile } = loadShipped(sourceResourcesFolder)

function deskOf(gateway: Partial<DiagnosisGateway>, more: Partial<DiagnosesParts> = {}) {
  const none = () => Promise.resolve(null)
  return createDiagnoses({
    door: () => expect.unreachable(),
    imeiOf: () => null,
    nearby: () => null,
    gateway: {
      aheadS: () => Promise.resolve(0),
      username: () => Promise.resolve('user'),
      readUser: () => Promise.resolve({ name: 'user', isStaff: false, scopes: null, groups: null }),
      findCarrier: () => Promise.resolve({ vehicle: null, isSure: true }),
      readVehicle: none,
      readRecord: none,
      readSim: none,
      readLines: none,
      readEngineBus: none,
      readDistance: none,
      readRestingOn: none,
      readEvents: () => Promise.resolve([]),
      ...gateway
    },
    gatewayName: () => Promise.resolve('here'),
    expected: () => ({ apn: null, simId: null, from: null }),
    limits: () => diagnosisLimits(standardProfile),
    tolerances: () => standardProfile.comparison,
    installed: () => null,
    reportFault: (error) => expect.unreachable(String(error)),
    ...more
  })
}

it('a vehicle is named from the local copy while the gateway answers with errors', async () => {
  const fails = () =>
    Promise.reject(new AppError('SERVER_ERROR', message('gateway.failed', { status: 503 }), { fate: 'away' }))
  const asked: unknown[] = []
  const desk = deskOf(
    { readVehicle: fails, findCarrier: fails, readUser: fails },
    { copied: (...who) => (asked.push(who), Promise.resolve({ name: 'Unit 0007', plate: 'HLD007' })) }
  )
  const look = await desk.look({ vehicleId: 7 })
  expect(look).toMatchObject({
    tone: 'unknown',
    subject: { name: 'Unit 0007', plate: 'HLD007' },
    gateway: { state: 'away', why: { id: 'gateway.failed' } }
  })
  expect(asked).toEqual([[7, null]])
  desk.stop()
})

it.each([404, 403])('a vehicle that the gateway answers with %i is named from the local copy', async (status) => {
  const refuses = () =>
    Promise.reject(new AppError('NOT_FOUND', message('gateway.notFound'), { status, fate: 'refused' }))
  const desk = deskOf(
    { readVehicle: refuses, findCarrier: refuses, readUser: refuses },
    { copied: () => Promise.resolve({ name: 'Unit 0007', plate: 'HLD007' }) }
  )
  expect(await desk.look({ vehicleId: 7 })).toMatchObject({
    subject: { name: 'Unit 0007' },
    gateway: { state: 'answers' }
  })
  desk.stop()
})

it('a device that the gateway shows in no vehicle gets no vehicle of the local copy', async () => {
  const desk = deskOf({}, { copied: () => Promise.resolve({ name: 'Unit 0007', plate: 'HLD007' }) })
  expect(await desk.look({ imei })).toMatchObject({ subject: { name: null } })
  desk.stop()
})

it('whoever comes back to a diagnosis gets everything asked afresh, and its age is that of the oldest answer', async () => {
  let nowMs = Date.UTC(2026, 10, 20)
  let asked: string[] = []
  const readUser = () => (
    asked.push('user'),
    Promise.resolve({ name: 'user', isStaff: false, scopes: null, groups: null })
  )
  const readVehicle = () => (
    asked.push('vehicle'),
    Promise.resolve({ vehicle: { id: 7, name: 'Unit 0007', plate: null, groups: null, imei }, stays: [] })
  )
  const desk = deskOf({ readUser, readVehicle }, { now: () => nowMs })
  const lookAfter = async (ms: number) => {
    asked = []
    nowMs += ms
    const { gateway } = await desk.look({ vehicleId: 7 })
    return [asked.sort(), gateway?.readAt]
  }
  const openedAt = new Date(nowMs).toISOString()
  expect(await lookAfter(0)).toEqual([['user', 'vehicle'], openedAt])
  expect(await lookAfter(9_000)).toEqual([[], openedAt])
  expect(await lookAfter(9_000)).toEqual([['vehicle'], openedAt])
  expect(await lookAfter(11_000)).toEqual([['user', 'vehicle'], new Date(nowMs).toISOString()])
  desk.stop()
})

it('the first picture waits for nobody: it has the name of the local copy with its time, and the requests are sent', async () => {
  let answer = (): void => undefined
  const slow = new Promise<null>((resolve) => (answer = () => resolve(null)))
  let asked = 0
  const desk = deskOf(
    { readVehicle: () => ((asked += 1), slow) },
    {
      copied: () =>
        Promise.resolve({
          name: 'Unit 0007',
          plate: 'HLD007',
          copiedAt: '2026-11-20T08:00:00.000Z',
          lastReportedAt: '2026-11-20T07:13:00.000Z'
        })
    }
  )
  // A timer would never end.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const look = await desk.quick({ vehicleId: 7 }).finally(() => vi.useRealTimers())
  expect(look).toMatchObject({
    subject: { name: 'Unit 0007', copiedAt: '2026-11-20T08:00:00.000Z', copiedReportAt: '2026-11-20T07:13:00.000Z' },
    gateway: { state: 'asking' },
    isWhole: false
  })
  expect(asked).toBe(1)
  answer()
  desk.stop()
})

it('a gateway that fails says since when, how often, and when it is asked again; one that answers says nothing of it', async () => {
  let nowMs = Date.UTC(2026, 10, 20)
  let isFailing = true
  const readVehicle = () =>
    isFailing
      ? Promise.reject(new AppError('SERVER_ERROR', message('gateway.failed', { status: 503 }), { fate: 'away' }))
      : Promise.resolve(null)
  const desk = deskOf({ readVehicle }, { now: () => nowMs })
  const retryAfter = async (ms: number) => {
    nowMs += ms
    return (await desk.look({ vehicleId: 7 })).gateway?.retry
  }
  const failedSince = new Date(nowMs).toISOString()
  expect(await retryAfter(0)).toEqual({ failedSince, attempts: 1, nextAt: new Date(nowMs + 30_000).toISOString() })
  expect(await retryAfter(31_000)).toEqual({ failedSince, attempts: 2, nextAt: new Date(nowMs + 30_000).toISOString() })
  isFailing = false
  expect(await retryAfter(31_000)).toBeNull()
  desk.stop()
})

it('a diagnosis is noted when its result changes, not with each look, and never before anything is known', async () => {
  const noted: LatestDiagnosis[] = []
  let events: () => Promise<[]> = () => new Promise(() => undefined)
  const readVehicle = () =>
    Promise.resolve({ vehicle: { id: 7, name: 'Unit 0007', plate: 'HLD007', groups: null, imei }, stays: [] })
  let nowMs = Date.UTC(2026, 10, 20)
  const desk = deskOf(
    { readVehicle, readEvents: () => events() },
    { now: () => nowMs, looked: (latest) => void noted.push(latest) }
  )
  const subject = { vehicleId: 7 }
  const first = await desk.quick(subject)
  expect([first.isWhole, noted]).toEqual([false, []])
  events = () => Promise.resolve([])
  nowMs += 60_000
  await vi.waitFor(async () => expect((await desk.retest(subject, null)).isWhole).toBe(true), 15_000)
  const n = noted.length
  expect(noted.at(-1)).toMatchObject({
    subject,
    name: 'Unit 0007',
    plate: 'HLD007',
    links: expect.arrayContaining(['ok']) as string[]
  })
  await desk.look(subject)
  expect(noted).toHaveLength(n)
  desk.stop()
})
