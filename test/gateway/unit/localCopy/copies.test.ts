import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { copyKinds } from '../../../../preload/contract/gateway/copies.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { CopiesOptions } from '../../../../main/gateway/localCopy/copies.ts'
import { kindsOfCopy, type KindOfCopy } from '../../../../main/gateway/localCopy/kinds.ts'
import { openStore, type Store } from '../../../../main/data/store/index.ts'
import { orAborted } from '../../../../main/base/time/pause.ts'
import { listOf, openCopies as openAll, vehicleRecords, type ListOptions } from '../../../world/gateway/copiedLists.ts'

let folder: string
let store: Store
const site = { url: 'https://gateway.example/api', user: 'one@example.com' }
const named = (word: string, count: number) =>
  vehicleRecords(Array.from({ length: count }, (_, n) => ({ id: n + 1, name: `${word} ${n + 1}` })))
const broken = plainMessage('The connection to the gateway broke.')

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fitter-copy-'))
  store = openStore(folder)
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

function openCopies(kinds: readonly KindOfCopy[], more: Partial<CopiesOptions> = {}) {
  return openAll(store.copies, kinds, more)
}

/** A list in pages of ten that notes the pages that were asked for, and breaks off once after `failAfter` of them. */
function pages(
  kind: 'vehicles' | 'assets',
  count: number,
  asked: string[] = [],
  { failAfter = Infinity, ...options }: { failAfter?: number } & ListOptions = {}
): KindOfCopy {
  let left = failAfter
  return listOf(kind, named(kind === 'vehicles' ? 'Unit' : 'Driver', count), {
    pageSize: 10,
    onPage(page) {
      if (left-- === 0) throw new AppError('UNREACHABLE', broken, { retryable: true })
      asked.push(`${kind} ${page}`)
    },
    ...options
  })
}

async function copied(copies: ReturnType<typeof openCopies>) {
  await copies.refresh()
  await copies.ended()
  return copies.status()
}
const of = (status: Awaited<ReturnType<typeof copied>>, kind: string) => status.kinds.find((one) => one.kind === kind)

test('a walk that broke off goes on at its kind and page, also after a restart, and says why until then', async () => {
  const asked: string[] = []
  const first = await copied(openCopies([pages('vehicles', 15, asked), pages('assets', 25, asked, { failAfter: 1 })]))
  expect(first.problem).toEqual(broken)
  expect(of(first, 'vehicles')).toMatchObject({ count: 15, complete: true, open: null })
  expect(of(first, 'assets')).toMatchObject({
    count: 10,
    copiedAt: null,
    complete: false,
    open: { done: 10, total: 25 }
  })
  store.close()
  store = openStore(folder)
  const second = await copied(openCopies([pages('vehicles', 15, asked), pages('assets', 25, asked)]))
  expect(asked).toEqual(['vehicles 1', 'vehicles 2', 'assets 1', 'assets 2', 'assets 3'])
  expect(of(second, 'assets')).toMatchObject({ count: 25, complete: true, open: null })
  expect(second).toMatchObject({ problem: null, running: null })
})

test('devices are copied directly after the names of the vehicles: until then nobody knows which of them reports', () => {
  expect(kindsOfCopy.map(({ kind }) => kind).slice(0, 2)).toEqual(['vehicles', 'devices'])
  expect(kindsOfCopy.map(({ kind }) => kind)).toEqual(copyKinds)
})

test('while somebody looks, the devices alone are read again every five minutes, unseen, and a sync goes first', async () => {
  let nowMs = Date.parse('2026-11-20T12:00:00Z')
  const asked: string[] = []
  const device = { imei: '867698040023051', last_reported: '2026-11-20T11:59:30Z' }
  const told: unknown[] = []
  const copies = openCopies(
    [
      pages('vehicles', 10, asked),
      listOf('devices', [device], { onPage: (page) => void asked.push(`devices ${String(page)}`) })
    ],
    { now: () => new Date(nowMs), changed: (status) => told.push(status.running) }
  )
  const readAt = async () => (await copies.deviceState(device.imei))?.readAt
  await copies.refreshStates()
  await copies.ended()
  // The first copy is a sync, which is shown.
  expect(asked).toEqual([])
  await copied(copies)
  asked.length = told.length = 0
  nowMs += 4 * 60_000
  await copies.refreshStates()
  await copies.ended()
  expect(asked).toEqual([])
  nowMs += 60_000
  await copies.refreshStates()
  expect(await copies.status()).toMatchObject({ running: null, problem: null })
  await copies.ended()
  expect(asked).toEqual(['devices 1'])
  expect(told).toEqual([null])
  expect(await readAt()).toBe('2026-11-20T12:05:00.000Z')
  nowMs += 6 * 60_000
  await copies.refreshStates()
  await copied(copies)
  expect(asked).toContain('vehicles 1')
  expect(await readAt()).toBe('2026-11-20T12:11:00.000Z')
})

test('after a whole walk everything is walked through again', async () => {
  const asked: string[] = []
  const copies = openCopies([pages('vehicles', 10, asked), pages('assets', 10, asked)])
  await copied(copies)
  await copied(copies)
  expect(asked).toEqual(['vehicles 1', 'assets 1', 'vehicles 1', 'assets 1'])
})

test('a walk of long ago is begun anew', async () => {
  const asked: string[] = []
  let now = new Date('2026-11-20T08:00:00Z')
  const copies = openCopies([pages('vehicles', 30, asked, { failAfter: 1 })], { now: () => now })
  await copied(copies)
  now = new Date('2026-11-20T09:30:00Z')
  await copied(copies)
  expect(asked).toEqual(['vehicles 1', 'vehicles 1', 'vehicles 2', 'vehicles 3'])
})

test('nothing is forgotten when the gateway counts more than were seen, and what is gone is forgotten after a whole walk', async () => {
  await copied(openCopies([pages('vehicles', 30)]))
  expect(of(await copied(openCopies([pages('vehicles', 20, [], { total: 30 })])), 'vehicles')).toMatchObject({
    count: 30,
    complete: false
  })
  expect(of(await copied(openCopies([pages('vehicles', 20)])), 'vehicles')).toMatchObject({ count: 20, complete: true })
})

test('a list that the gateway does not give to this user is said, and the others are copied all the same', async () => {
  const refused = plainMessage('Not permitted.')
  const noAssets = pages('assets', 5, [], {
    onPage() {
      throw new AppError('NOT_PERMITTED', refused, { status: 401, fate: 'refused' })
    }
  })
  const status = await copied(openCopies([noAssets, pages('vehicles', 5)]))
  expect(status.problem).toBeNull()
  expect(of(status, 'assets')).toMatchObject({ count: 0, copiedAt: null, refused })
  expect(of(status, 'vehicles')).toMatchObject({ count: 5, complete: true, refused: null })
})

test('a copy belongs to its user: another one at the same site sees none of it', async () => {
  const copies = openCopies([pages('vehicles', 12)])
  await copied(copies)
  const other = openCopies([], { site: async () => ({ ...site, user: 'two@example.com' }) })
  expect((await other.search('vehicles', { text: 'unit', limit: 50 })).records).toEqual([])
  expect(await other.findExact('vehicle', 'unit 1')).toBeUndefined()
  expect((await other.status()).others).toEqual([{ ...site, count: 12 }])
  expect((await copies.search('vehicles', { text: 'unit', limit: 50 })).records).toHaveLength(12)
  store.copies.forgetSite(site)
  expect((await copies.search('vehicles', { text: 'unit', limit: 50 })).records).toEqual([])
})

test('kinds are kept apart: an asset of the same number and word is no vehicle', async () => {
  const copies = openCopies([listOf('vehicles', named('Unit', 5)), listOf('assets', named('Unit', 3))])
  await copied(copies)
  expect((await copies.search('vehicles', { text: 'unit', limit: 50 })).records).toHaveLength(5)
  expect((await copies.search('assets', { text: 'unit', limit: 50 })).records).toHaveLength(3)
  expect((await copies.choices('asset', 'unit 2', 5))?.entities[0]).toMatchObject({
    id: 2,
    kind: 'asset',
    name: 'Unit 2'
  })
})

test('the exact name comes first, and more hits than asked for are told', async () => {
  const copies = openCopies([pages('vehicles', 60)])
  await copied(copies)
  const found = await copies.search('vehicles', { text: 'Unit 1', limit: 5 })
  expect(found.records.map(({ name }) => name)[0]).toBe('Unit 1')
  expect(found.more).toBe(true)
  expect((await copies.search('vehicles', { text: 'unit 60', limit: 5 })).more).toBe(false)
  const first = await copies.search('vehicles', { text: '', limit: 5 })
  expect(
    (await copies.search('vehicles', { text: '', limit: 5, after: first.records.at(-1)?.id })).records[0]?.name
  ).toBe('Unit 6')
})

test('a name means a record only when it is the only one called so in a whole copy', async () => {
  const records = [
    { id: 1, name: 'Truck 4', info: { license_plate: 'HLD-004' } },
    { id: 2, name: 'Truck 44', info: { license_plate: 'HLD-044', vin: 'YV2RT40A1MB123456' } },
    { id: 3, name: 'Twin' },
    { id: 4, name: 'TWIN' }
  ]
  const copies = openCopies([listOf('vehicles', records)])
  await copied(copies)
  for (const text of ['truck  4', 'HLD 004', 'hld004', '1'])
    expect(await copies.findExact('vehicle', text), text).toMatchObject({
      kind: 'one',
      entity: { id: 1 },
      isComplete: true
    })
  expect(await copies.findExact('vehicle', 'YV2RT40A1MB123456')).toMatchObject({ kind: 'one', entity: { id: 2 } })
  expect(await copies.findExact('vehicle', 'truck')).toMatchObject({ kind: 'none', similar: [{ id: 1 }, { id: 2 }] })
  expect(await copies.findExact('vehicle', 'twin')).toMatchObject({ kind: 'several', similar: [{ id: 3 }, { id: 4 }] })
  expect(await copies.findExact('asset', 'twin')).toBeUndefined()
  const partly = openCopies([listOf('vehicles', records, { total: 5 })])
  await copied(partly)
  expect(await partly.findExact('vehicle', 'truck 4')).toMatchObject({
    kind: 'notAllSeen',
    similar: [{ id: 1 }, { id: 2 }]
  })
})

test('a stopped walk writes nothing more, keeps what it has and goes on when asked again', async () => {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const kind = pages('vehicles', 20, [], {
    onPage: (page, signal) => (page === 1 ? undefined : orAborted(gate, signal))
  })
  const copies = openCopies([kind])
  await copies.refresh()
  await vi.waitFor(async () => expect(of(await copies.status(), 'vehicles')?.count).toBe(10), 15_000)
  await copies.stop()
  expect(await copies.status()).toMatchObject({ running: null, problem: null })
  release()
  expect(of(await copied(copies), 'vehicles')).toMatchObject({ count: 20, complete: true })
})

test('while a job runs, half of what the gateway allows stays for it', async () => {
  const asked: number[] = []
  let isBusy = true
  const resetMs = 400
  const kind = pages('vehicles', 40, [], { onPage: () => void asked.push(performance.now()) })
  const limited: KindOfCopy = {
    ...kind,
    async read(client, where, options) {
      const reading = await kind.read(client, where, options)
      if (where.page === 2) isBusy = false
      // Whoever waited for the reset of a later page would not be back within this test.
      const resetAt = new Date(Date.now() + (where.page === 1 ? resetMs : 3_600_000)).toISOString()
      return { ...reading, rateLimit: { limit: 10, remaining: where.page === 1 ? 4 : 9, resetAt } }
    }
  }
  await copied(openCopies([limited], { isBusy: () => isBusy, gentleEveryMs: 1 }))
  expect(asked).toHaveLength(4)
  const [first = 0, second = 0] = asked
  expect(second - first).toBeGreaterThan(resetMs - 50)
})

test('an old copy is made anew by itself, a young one is left as it is', async () => {
  const asked: string[] = []
  let now = new Date('2026-11-20T08:00:00Z')
  const copies = openCopies([pages('vehicles', 5, asked)], { now: () => now, gentleEveryMs: 1 })
  const look = async () => {
    await copies.refreshOld()
    await copies.ended()
    return asked.length
  }
  expect(await look()).toBe(1)
  now = new Date('2026-11-20T12:00:00Z')
  expect(await look()).toBe(1)
  now = new Date('2026-11-20T21:00:00Z')
  expect(await look()).toBe(2)
})

test('what was just read is shown also while another program holds the data file', async () => {
  const held = new AppError('DATA_LOCKED', plainMessage('held'), { retryable: true })
  const copies = openAll(
    {
      ...store.copies,
      putOne: () => {
        throw held
      }
    },
    [pages('vehicles', 3)]
  )
  const record = { imei: 357042060123456 }
  await expect(copies.rememberDevice(record, Date.now())).resolves.toMatchObject({ lastReportedAt: null })
  await expect(
    copies.remember(site, { id: 1, name: 'Unit 1', plate: '', vin: '', imei: null, groups: [] } as never)
  ).resolves.toBeUndefined()
})
