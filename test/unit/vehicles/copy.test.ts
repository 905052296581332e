import { plainMessage } from '../../../preload/contract/messages.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../../preload/contract/errors.ts'
import type { VehicleLine } from '../../../preload/contract/vehicles.ts'
import { openStore, type Store } from '../../../main/store/index.ts'
import { createVehicleCopy, type VehicleCopyOptions } from '../../../main/vehicles/copy.ts'

let folder: string
let store: Store
const site = { url: 'https://gateway.example/api', user: 'one@example.com' }
const vehicles = (count: number): VehicleLine[] =>
  Array.from({ length: count }, (_, n) => ({ id: n + 1, name: `Unit ${n + 1}`, plate: null, vin: null, imei: null, groups: [1], info: {} }))

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fitter-copy-'))
  store = openStore(folder)
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

function openCopy(walk: VehicleCopyOptions['walk'], more: Partial<VehicleCopyOptions> = {}) {
  return createVehicleCopy({
    rows: store.vehicles,
    site: async () => site,
    walk,
    changed: () => undefined,
    reportFault: (error) => {
      throw error
    },
    pageSize: 10,
    ...more
  })
}

/** Pages of `all`; fails once after `failAfter` pages. Notes the pages that were asked for. */
function pagesOf(all: VehicleLine[], asked: number[], options: { failAfter?: number; total?: number } = {}): VehicleCopyOptions['walk'] {
  let left = options.failAfter ?? Infinity
  return async function* ({ set, firstPage }) {
    for (let page = firstPage; (page - 1) * set < all.length; page++) {
      if (left-- === 0) throw new AppError('UNREACHABLE', plainMessage('The connection to the gateway broke.'), { retryable: true })
      asked.push(page)
      yield { page, total: options.total ?? all.length, vehicles: all.slice((page - 1) * set, page * set) }
    }
    return 'end'
  }
}

const ended = (copy: ReturnType<typeof openCopy>) => vi.waitFor(async () => expect((await copy.status()).running).toBeNull(), { timeout: 5000 })

test('a walk that broke off goes on at its page, also after a restart, and says why until then', async () => {
  const asked: number[] = []
  const first = openCopy(pagesOf(vehicles(45), asked, { failAfter: 2 }))
  await first.refresh()
  await ended(first)
  expect(await first.status()).toMatchObject({ count: 20, copiedAt: null, problem: plainMessage('The connection to the gateway broke.') })
  store.close()
  store = openStore(folder)
  const second = openCopy(pagesOf(vehicles(45), asked))
  await second.refresh()
  await ended(second)
  expect(asked).toEqual([1, 2, 3, 4, 5])
  expect(await second.status()).toMatchObject({ count: 45, complete: true, problem: null })
})

test('a walk of long ago is begun anew', async () => {
  const asked: number[] = []
  let now = new Date('2026-11-20T08:00:00Z')
  const copy = openCopy(pagesOf(vehicles(30), asked, { failAfter: 1 }), { now: () => now })
  await copy.refresh()
  await ended(copy)
  now = new Date('2026-11-20T09:30:00Z')
  await copy.refresh()
  await ended(copy)
  expect(asked).toEqual([1, 1, 2, 3])
})

test('nothing is forgotten when the gateway counts more than were seen', async () => {
  const copy = openCopy(pagesOf(vehicles(30), []))
  await copy.refresh()
  await ended(copy)
  const fewer = openCopy(pagesOf(vehicles(20), [], { total: 30 }))
  await fewer.refresh()
  await ended(fewer)
  expect(await fewer.status()).toMatchObject({ count: 30, complete: false })
})

test('a copy belongs to its user: another one at the same site sees none of it', async () => {
  const copy = openCopy(pagesOf(vehicles(12), []))
  await copy.refresh()
  await ended(copy)
  const other = openCopy(pagesOf([], []), { site: async () => ({ ...site, user: 'two@example.com' }) })
  expect((await other.search('unit', 50)).vehicles).toEqual([])
  expect((await copy.search('unit', 50)).vehicles).toHaveLength(12)
  store.vehicles.forgetSite(site)
  expect((await copy.search('unit', 50)).vehicles).toEqual([])
})

test('the exact name comes first, and more hits than asked for are told', async () => {
  const copy = openCopy(pagesOf(vehicles(60), []))
  await copy.refresh()
  await ended(copy)
  const found = await copy.search('Unit 1', 5)
  expect(found.vehicles.map(({ name }) => name)[0]).toBe('Unit 1')
  expect(found.more).toBe(true)
  expect((await copy.search('unit 60', 5)).more).toBe(false)
  expect((await copy.search('', 5)).vehicles).toHaveLength(5)
})

test('a stopped walk keeps what it has and goes on when asked again', async () => {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const all = vehicles(20)
  const copy = openCopy(async function* ({ firstPage }, signal) {
    yield { page: firstPage, total: 20, vehicles: all.slice((firstPage - 1) * 10, firstPage * 10) }
    if (firstPage === 1) {
      await Promise.race([gate, new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))])
    }
    return 'end'
  })
  await copy.refresh()
  await vi.waitFor(async () => expect((await copy.status()).count).toBe(10))
  await copy.stop()
  expect(await copy.status()).toMatchObject({ running: null, problem: null, count: 10 })
  release()
  await copy.refresh()
  await ended(copy)
  expect(await copy.status()).toMatchObject({ count: 20, complete: true })
})
