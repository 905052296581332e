import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { english } from '../../world/window/english.ts'
import type { SimulatedDevice } from '../../../simulator/simulation.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../../world/device/workspaceBench.ts'

let bench: WorkspaceBench
let device: SimulatedDevice
let key: string

beforeEach(async () => {
  bench = await openWorkspaceBench()
  device = bench.simulation.devices[0] as SimulatedDevice
  key = bench.keys[0] as string
})
afterEach(async () => {
  const { faults } = bench
  await bench.stop()
  expect(faults).toEqual([])
})

const take = async (view = 'test') => (await bench.call('snapshots.take', { key, view })).snapshot
const contentOf = async (id: string) => (await bench.call('snapshots.read', { id })).content

it('a snapshot holds every area that only looks, and its file is what was kept, byte by byte', async () => {
  const taken = await take()
  expect(taken).toMatchObject({
    imei: device.imei,
    cause: 'person',
    osVersion: '4.2.1',
    asked: 13,
    silent: 0,
    isOpened: false
  })
  const { text, sha256 } = await bench.call('snapshots.export', { id: taken.id })
  expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
  expect(sha256).toBe(taken.sha256)
  const content = await contentOf(taken.id)
  expect(Object.keys(content.readings)).toHaveLength(13)
  for (const reading of Object.values(content.readings))
    expect(reading).toMatchObject({ failure: null, readAt: expect.stringMatching(/Z$/) as string })
  // Asking whether there is an update may start one.
  expect(device.requests.some(({ path }) => path.startsWith('/updates'))).toBe(false)
  expect(text).not.toContain(device.password)
  expect(bench.events.filter(({ name }) => name === 'snapshots.progress').at(-1)?.payload).toEqual({
    view: 'test',
    done: 14,
    total: 14
  })
})

it('a silent area says so in its place and holds nothing else', async () => {
  device.setFault('notFound', true, 'eth.state')
  device.setFault('truncated', true, 'apps.list')
  const taken = await take()
  expect(taken).toMatchObject({ asked: 13, silent: 2 })
  const { readings } = await contentOf(taken.id)
  expect(readings['eth.state']).toMatchObject({ value: null, failure: { code: 'NOT_FOUND' } })
  expect(readings['apps.list']?.failure?.code).toBe('UNREADABLE')
  expect(readings['io.all']?.value).toMatchObject({ PWR: true })
})

it('beside a job, what its steps have just read is not asked again, and keeps its own time', async () => {
  const { readings } = await bench.call('workspace.read', { key, view: 'screen', operations: ['io.all'] })
  const asked = () => device.requests.filter(({ path }) => path === '/IO/all').length
  const before = asked()
  const jobId = bench.core.jobs.create({
    templateId: 'diagnosis',
    device: { imei: device.imei, model: device.model, address: `${device.host}:${device.port}` },
    vehicleText: '',
    customer: ''
  })
  const made = await bench.core.snapshots.makeForJob(
    { cause: 'jobStart', jobId, device: bench.core.jobs.show(jobId).device, vehicle: null },
    AbortSignal.timeout(60_000)
  )
  expect(asked()).toBe(before)
  made.keep()
  const [kept] = bench.core.snapshots.ofJob(jobId)
  expect(kept?.line).toMatchObject({ sha256: made.sha256, cause: 'jobStart', jobId })
  expect((await contentOf(kept?.line.id ?? '')).readings['io.all']?.readAt).toBe(readings['io.all']?.readAt)
})

it('a job keeps how its device stood at its beginning, once, in its log', async () => {
  const id = bench.core.jobs.create({
    templateId: 'diagnosis',
    device: { imei: device.imei, model: device.model, address: `${device.host}:${device.port}` },
    vehicleText: '',
    customer: ''
  })
  const snapshotsOf = (jobId: string) => bench.core.jobs.show(jobId).snapshots ?? []
  await bench.core.jobs.start(id, AbortSignal.timeout(60_000))
  await vi.waitFor(() => expect(snapshotsOf(id)).toHaveLength(1), 20_000)
  const [made] = snapshotsOf(id)
  expect(made).toMatchObject({ cause: 'jobStart', silent: 0, why: null })
  expect(bench.core.jobs.journal(id).find(({ type }) => type === 'snapshot')?.data).toMatchObject({
    sha256: made?.sha256
  })
  expect((await bench.call('snapshots.list', { jobId: id })).snapshots.map(({ sha256 }) => sha256)).toEqual([
    made?.sha256
  ])
  // Once is enough, however often the work goes on.
  await bench.core.jobs.pause(id)
  await bench.core.jobs.start(id, AbortSignal.timeout(60_000))
  await bench.core.jobs.pause(id)
  expect(snapshotsOf(id)).toHaveLength(1)
})

it('another device in its place, a wrong password and a stop leave no file behind', async () => {
  device.setFault('impostor', true)
  await expect(take()).rejects.toMatchObject({ code: 'WRONG_DEVICE' })
  device.setFault('impostor', false)
  device.setFault('unauthorized', true)
  await expect(take()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
  device.setFault('unauthorized', false)
  device.setFault('hang', true)
  const stopped = take('stops')
  await vi.waitFor(
    () =>
      expect(
        bench.events.some(
          ({ name, payload }) => name === 'snapshots.progress' && (payload as { view: string }).view === 'stops'
        )
      ).toBe(true),
    15_000
  )
  await bench.call('snapshots.stop', { view: 'stops' })
  await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' })
  expect((await bench.call('snapshots.list', {})).snapshots).toEqual([])
})

it('two snapshots are compared the older one first, and one from a file like one from here', async () => {
  const before = await take()
  device.vehicle.setInput('IN2', true)
  const after = await vi.waitFor(async () => {
    const taken = await take()
    expect((await contentOf(taken.id)).readings['io.all']?.value).toMatchObject({ IN2: true })
    return taken
  }, 10_000)
  const compared = await bench.call('snapshots.diff', { before: after.id, after: before.id })
  expect([compared.before.id, compared.after.id]).toEqual([before.id, after.id])
  expect(compared.sentences.map(english)).toEqual(['IN2 is active now, it was not'])
  expect(compared.differences).toContainEqual({
    area: 'io',
    field: 'IN2',
    before: false,
    after: true,
    noise: false,
    rule: null
  })
  const { text } = await bench.call('snapshots.export', { id: before.id })
  const opened = await bench.call('snapshots.open', { text })
  if (opened.outcome !== 'opened') throw new Error(english(opened.why))
  expect(opened.snapshot).toMatchObject({ isOpened: true, sha256: before.sha256, imei: device.imei })
  expect(
    (await bench.call('snapshots.diff', { before: opened.snapshot.id, after: after.id })).sentences.map(english)
  ).toEqual(['IN2 is active now, it was not'])
  expect(await bench.call('snapshots.open', { text: '{}' })).toMatchObject({
    outcome: 'refused',
    why: { id: 'snapshots.notOurs' }
  })
})

it('the list comes page by page, newest first', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.unshift((await take()).id)
  const first = await bench.call('snapshots.list', { imei: device.imei, limit: 2 })
  expect(first.snapshots.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  const second = await bench.call('snapshots.list', { imei: device.imei, limit: 2, after: first.next })
  expect(second).toMatchObject({ snapshots: [{ id: ids[2] }], next: null })
  expect(await bench.call('snapshots.list', { imei: '1' })).toEqual({ snapshots: [], next: null })
})
