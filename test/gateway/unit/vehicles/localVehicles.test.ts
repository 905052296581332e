import { expect, test } from 'vitest'
import { createLocalVehicles } from '../../../../main/gateway/vehicles/localVehicles.ts'
import { listOf, openCopies, vehicleRecords } from '../../../world/gateway/copiedLists.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const count = 450

/** A copy of many vehicles, of which the first leave their group when it is copied again. */
async function openFleet() {
  const lines = Array.from({ length: count }, (_, n) => ({ id: n + 1, name: `Truck ${n + 1}`, groups: [1] }))
  const records = vehicleRecords(lines) as { id: number; groups: number[] }[]
  const copies = openCopies(openTestStore(tempFolder()).copies, [listOf('vehicles', records)])
  const copyAgain = async () => {
    await copies.refresh()
    await copies.ended()
  }
  await copyAgain()
  return { vehicles: createLocalVehicles(copies, Date.now), records, copyAgain }
}

test('the ids of a search are all that have the words, also beyond the longest page', async () => {
  const { vehicles } = await openFleet()
  const page = await vehicles.search({ text: 'truck', filter: 'all', group: null, limit: 200 })
  expect([page.vehicles.length, page.more]).toEqual([200, true])
  const { ids, instead } = await vehicles.ids({ text: 'truck', filter: 'all', group: null })
  expect([new Set(ids).size, ids.length, instead]).toEqual([count, count, null])
  expect(ids.slice(0, 200)).toEqual(page.vehicles.map(({ id }) => id))
  const near = await vehicles.ids({ text: 'trukc 17', filter: 'all', group: null })
  expect([near.ids[0], near.instead]).toEqual([17, 'Truck 17'])
})

test('the lines of a list stay those of its beginning when vehicles leave it while they are read', async () => {
  const { vehicles, records, copyAgain } = await openFleet()
  const { ids } = await vehicles.ids({ text: '', filter: 'all', group: 1 })
  expect(ids).toHaveLength(count)
  for (const record of records.slice(100, 300)) record.groups = [2]
  await copyAgain()
  expect((await vehicles.ids({ text: '', filter: 'all', group: 1 })).ids).toHaveLength(count - 200)
  // One that the copy no longer has is left out, with its state.
  const first = await vehicles.lines({ ids: [999_999, ...ids.slice(0, 199)] })
  expect([first.vehicles.length, first.states.length, first.vehicles[0]?.id]).toEqual([199, 199, ids[0]])
  expect((await vehicles.lines({ ids: ids.slice(200, 400) })).vehicles.map(({ id }) => id)).toEqual(ids.slice(200, 400))
})
