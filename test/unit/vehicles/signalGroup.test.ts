import { expect, test } from 'vitest'
import type { SignalDay } from '../../../preload/contract/vehicles/vehicles.ts'
import { bandsOf, readSignalGroup } from '../../../main/vehicles/signalGroup.ts'

const today = new Date().toISOString().slice(0, 10)
const day = (signalDbm: number | null, more: Partial<SignalDay> = {}): SignalDay => ({ day: today, signalDbm, satellites: 10, delayS: 3, reports: 100, ...more })
const line = (id: number) => ({ id, name: `Unit ${String(id)}`, plate: null, vin: null, imei: `86123409${String(id).padStart(7, '0')}`, groups: [], info: {} })
const vehicles = (n: number) => () => Promise.resolve(Array.from({ length: n }, (_, index) => line(index + 1)))

test('the band of a day has 80 % of the vehicles between its edges, and the median in the middle', () => {
  const group = Array.from({ length: 11 }, (_, n) => [day(-70 - n * 2)])
  expect(bandsOf(group)).toEqual([{ day: today, signalDbm: { low: -88, middle: -80, high: -72 }, satellites: { low: 10, middle: 10, high: 10 }, delayS: { low: 3, middle: 3, high: 3 }, reports: { low: 100, middle: 100, high: 100 } }])
})

test('a value that too few vehicles have on a day has no band there', () => {
  const group = Array.from({ length: 6 }, (_, n) => [day(n < 4 ? -80 : null)])
  expect(bandsOf(group)[0]).toMatchObject({ signalDbm: null, satellites: { middle: 10 } })
})

test('the own vehicle is not compared with itself, and a few vehicles are no group', async () => {
  const asked: number[][] = []
  const daysOfMany = (ids: readonly number[]) => {
    asked.push([...ids])
    return Promise.resolve(new Map(ids.map((id) => [id, id === 3 ? [day(null, { reports: 0 })] : [day(-80 - id)]])))
  }
  expect(await readSignalGroup({ vehicles: vehicles(6), daysOfMany }, 1)).toMatchObject({ days: [], withData: 4, least: 5, weakest: [] })
  expect(asked).toEqual([[2, 3, 4, 5, 6]])
  const group = await readSignalGroup({ vehicles: vehicles(8), daysOfMany }, 1)
  expect(group).toMatchObject({ withData: 6, days: [{ signalDbm: { middle: -85.5 } }] })
  expect(group.weakest.map(({ id, signalDbm }) => [id, signalDbm])).toEqual([[8, -88], [7, -87], [6, -86], [5, -85]])
})

test('of a large fleet as many are asked as one question carries, from the whole list', async () => {
  let ids: readonly number[] = []
  await readSignalGroup({ vehicles: vehicles(1_001), daysOfMany: (asked) => ((ids = asked), Promise.resolve(new Map())) }, 1)
  expect(ids).toHaveLength(50)
  expect(ids.at(-1)).toBeGreaterThan(950)
})

test('without other vehicles nobody is asked', async () => {
  const daysOfMany = () => Promise.reject(new Error('Nothing to ask'))
  expect(await readSignalGroup({ vehicles: vehicles(1), daysOfMany }, 1)).toMatchObject({ withData: 0, days: [] })
})
