import { expect, test } from 'vitest'
import type { VehicleLine } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { Core } from '../../../../main/app/core.ts'
import { findKept } from '../../../../main/app/handlers.ts'
import { createLocalVehicles } from '../../../../main/gateway/vehicles/localVehicles.ts'
import { listOf, openCopies } from '../../../world/gateway/copiedLists.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { summaryOf } from '../../../world/data/jobSummary.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

function line(n: number): VehicleLine {
  return {
    id: n,
    name: `Unit ${String(n).padStart(4, '0')}`,
    plate: `HLD${String(n).padStart(3, '0')}`,
    vin: null,
    imei: `86769804${String(n).padStart(7, '0')}`,
    groups: [],
    info: {}
  }
}

/** Thousands of jobs, vehicles and devices in a real file; the gateway is never asked. */
async function fill() {
  const store = openTestStore(tempFolder())
  const records = Array.from({ length: 900 }, (_, n) => line(n + 1)).map(({ id, name, plate, imei }) => ({
    id,
    name,
    info: { license_plate: plate },
    device: imei,
    groups: []
  }))
  const copies = openCopies(store.copies, [listOf('vehicles', records)])
  await copies.refresh()
  await copies.ended()
  const entry = { type: 'evidence', stepId: null, data: {}, at: '2026-03-01T10:00:00.000Z' }
  for (let n = 1; n <= 2_700; n++) {
    const { id: vehicle, plate, imei } = line(((n - 1) % 900) + 1)
    const id = `01J${String(n).padStart(8, '0')}`
    store.jobs.append(id, [entry], () =>
      summaryOf(id, {
        state: 'done',
        vehicle: { id: vehicle, name: plate ?? '' },
        device: { imei: imei ?? '', model: 'ft4', address: '' },
        createdAt: new Date(Date.parse('2026-01-01T00:00:00.000Z') + n * 60_000).toISOString()
      })
    )
  }
  for (let n = 1; n <= 900; n++)
    store.knownDevices.remember({
      imei: line(n).imei ?? '',
      model: 'ft4',
      lastVehicle: line(n).plate,
      lastSeenAt: '2026-03-01T10:00:00.000Z'
    })
  const jobs = {
    list: (request: Parameters<typeof store.jobs.page>[0]) => ({
      ...store.jobs.page(request),
      jobs: store.jobs.page(request).jobs.map((job) => ({ ...job, isActive: false, damage: null }))
    })
  }
  return { store, jobs, vehicles: { copy: createLocalVehicles(copies, Date.now) } } as unknown as Core
}

test('words of all sorts find jobs, vehicles and devices among thousands, and how many there are', async () => {
  const core = await fill()
  const seven = await findKept(core, { text: 'hld 7', limit: 6 })
  expect(seven.vehicles.found[0]?.plate).toBe('HLD007')
  expect(seven.vehicles).toMatchObject({ isMore: true, total: 900 })
  expect(seven.jobs).toMatchObject({ n: 333, isMore: false, total: 2_700, isSimilar: false })
  expect(seven.jobs.found.slice(0, 4).map((job) => job.vehicle?.name)).toEqual(['HLD007', 'HLD007', 'HLD007', 'HLD799'])
  expect(seven.devices).toMatchObject({ n: 111, total: 900 })

  const plate = await findKept(core, { text: 'HLD-007', limit: 6 })
  expect(plate.jobs.found.slice(0, 3).map((job) => job.vehicle?.name)).toEqual(['HLD007', 'HLD007', 'HLD007'])
  expect(plate.vehicles.found[0]?.plate).toBe('HLD007')

  const number = await findKept(core, { text: '000899', limit: 6 })
  expect(number.jobs.n).toBe(3)
  expect(number.vehicles.found.map(({ id }) => id)).toEqual([899])
  expect(number.devices.found.map(({ imei }) => imei)).toEqual(['867698040000899'])
})
