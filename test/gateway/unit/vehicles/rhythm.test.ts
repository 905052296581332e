import { expect, it, onTestFinished, vi } from 'vitest'
import { openStore } from '../../../../main/data/store/index.ts'
import { createLocalVehicles } from '../../../../main/gateway/vehicles/localVehicles.ts'
import { listOf, openCopies } from '../../../world/gateway/copiedLists.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const startMs = Date.parse('2026-11-20T12:00:00Z')
const minuteMs = 60_000
const imei = '867698040023051'

/** A vehicle whose device is read again and again, each time with the report that it had by then. */
function openVehicle() {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs })
  onTestFinished(() => void vi.useRealTimers())
  const store = openStore(tempFolder())
  onTestFinished(() => store.close())
  const record: Record<string, unknown> = { imei }
  const copies = openCopies(store.copies, [
    listOf('vehicles', [{ id: 1, name: 'Unit 0001', device: Number(imei), groups: [1] }]),
    listOf('devices', [record])
  ])
  const local = createLocalVehicles(copies, () => Date.now())
  return {
    async readAt(minutes: number, reportedMinutes: number, ignition?: boolean) {
      vi.setSystemTime(startMs + minutes * minuteMs)
      record['last_reported'] = new Date(startMs + reportedMinutes * minuteMs).toISOString()
      record['ios_state'] = ignition === undefined ? {} : { io_ign: ignition }
      await copies.refresh()
      await copies.ended()
      const { states } = await local.lines({ ids: [1] })
      return states[0]?.conditions.includes('silent')
    }
  }
}

it('a vehicle that reported every two minutes is silent after hours, not only after a day', async () => {
  const { readAt } = openVehicle()
  for (let minutes = 0; minutes <= 20; minutes += 2) expect(await readAt(minutes, minutes)).toBe(false)
  expect(await readAt(20 + 4, 20)).toBe(false)
  expect(await readAt(20 + 9, 20)).toBe(true)
  expect(await readAt(20 + 300, 20)).toBe(true)
})

it('a vehicle that reports each hour while it is parked is not silent after three', async () => {
  const { readAt } = openVehicle()
  for (let minutes = 0; minutes <= 300; minutes += 5)
    expect(await readAt(minutes, Math.floor(minutes / 60) * 60)).toBe(false)
  expect(await readAt(300 + 200, 300)).toBe(false)
  expect(await readAt(300 + 241, 300)).toBe(true)
})

it('driving and parked have their own rhythm', async () => {
  const { readAt } = openVehicle()
  let minutes = 0
  for (; minutes <= 40; minutes += 2) await readAt(minutes, minutes, true)
  const parkedAt = minutes
  for (; minutes <= parkedAt + 300; minutes += 5)
    await readAt(minutes, parkedAt + Math.floor((minutes - parkedAt) / 60) * 60, false)
  expect(await readAt(parkedAt + 300 + 100, parkedAt + 300, false)).toBe(false)
  expect(await readAt(parkedAt + 300 + 100, parkedAt + 300, true)).toBe(true)
})

it('reports that Fitter did not watch are no rhythm: a vehicle that was not read for hours may have reported often', async () => {
  const { readAt } = openVehicle()
  for (let hours = 0; hours <= 5; hours++) expect(await readAt(hours * 60, hours * 60)).toBe(false)
  // Without a rhythm a silence begins after a day.
  expect(await readAt(300 + 1_400, 300)).toBe(false)
  expect(await readAt(300 + 1_441, 300)).toBe(true)
})
