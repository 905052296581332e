import { expect, test } from 'vitest'
import type { SignalDay } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import { bandsOf, readSignalGroup } from '../../../../main/gateway/vehicles/signalGroup.ts'

const today = new Date().toISOString().slice(0, 10)
const day = (signalDbm: number | null, more: Partial<SignalDay> = {}): SignalDay => ({
  day: today,
  signalDbm,
  satellites: 10,
  delayS: 3,
  reports: 100,
  ...more
})
const line = (id: number, groups: number[] = []) => ({
  id,
  name: `Unit ${String(id)}`,
  plate: null,
  vin: null,
  imei: `86123409${String(id).padStart(7, '0')}`,
  groups,
  info: {}
})
const gatewayNowMs = () => Date.now()
const groupNames = () => Promise.resolve(new Map([[7, 'South yard']]))
const vehicles = (n: number) => () => Promise.resolve(Array.from({ length: n }, (_, index) => line(index + 1)))

test('the band of a day has 80 % of the vehicles between its edges, and the median in the middle', () => {
  const group = Array.from({ length: 11 }, (_, n) => [day(-70 - n * 2)])
  expect(bandsOf(group)).toEqual([
    {
      day: today,
      signalDbm: { low: -88, middle: -80, high: -72 },
      satellites: { low: 10, middle: 10, high: 10 },
      delayS: { low: 3, middle: 3, high: 3 },
      reports: { low: 100, middle: 100, high: 100 }
    }
  ])
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
  expect(await readSignalGroup({ vehicles: vehicles(6), groupNames, daysOfMany, gatewayNowMs }, 1)).toMatchObject({
    days: [],
    withData: 4,
    least: 5,
    weakest: []
  })
  expect(asked).toEqual([[1, 2, 3, 4, 5, 6]])
  const group = await readSignalGroup({ vehicles: vehicles(8), groupNames, daysOfMany, gatewayNowMs }, 1)
  expect(group).toMatchObject({ withData: 6, days: [{ signalDbm: { middle: -85.5 } }] })
  expect(group.weakest.map(({ id, signalDbm }) => [id, signalDbm])).toEqual([
    [8, -88],
    [7, -87],
    [6, -86],
    [5, -85]
  ])
})

test('of a large fleet as many are asked as one question carries, from the whole list', async () => {
  let ids: readonly number[] = []
  await readSignalGroup(
    {
      vehicles: vehicles(1_001),
      groupNames,
      daysOfMany: (asked) => ((ids = asked), Promise.resolve(new Map())),
      gatewayNowMs
    },
    1
  )
  expect(ids).toHaveLength(51)
  expect(ids.at(-1)).toBeGreaterThan(950)
})

test('without other vehicles nobody is asked', async () => {
  const daysOfMany = () => Promise.reject(new Error('Nothing to ask'))
  expect(await readSignalGroup({ vehicles: vehicles(1), groupNames, daysOfMany, gatewayNowMs }, 1)).toMatchObject({
    withData: 0,
    days: []
  })
})

test('a group of the account is compared with alone, and those of the vehicle are offered first', async () => {
  const fleet = [line(1, [7]), ...Array.from({ length: 6 }, (_, n) => line(n + 2, [7])), line(20, [4]), line(21)]
  const asked: number[][] = []
  const daysOfMany = (ids: readonly number[]) => (
    asked.push([...ids]),
    Promise.resolve(new Map(ids.map((id) => [id, [day(-80 - id)]])))
  )
  const group = await readSignalGroup(
    { vehicles: () => Promise.resolve(fleet), groupNames, daysOfMany, gatewayNowMs },
    1,
    7
  )
  expect(asked).toEqual([[1, 2, 3, 4, 5, 6, 7]])
  expect(group.groups).toEqual([
    { id: 7, name: 'South yard', isOwn: true },
    { id: 4, name: null, isOwn: false }
  ])
})

test('the place counts who is better, each value in its own direction, and is unknown without a value', async () => {
  const own = day(-90, { satellites: null, delayS: 3, reports: 90 })
  const daysOfMany = (ids: readonly number[]) =>
    Promise.resolve(new Map(ids.map((id) => [id, [id === 1 ? own : day(-80 - 2 * id, { delayS: id })]])))
  const { places } = await readSignalGroup({ vehicles: vehicles(8), groupNames, daysOfMany, gatewayNowMs }, 1)
  // -84, -86, -88 are better than -90; a delay of 2 s is better than 3 s.
  expect(places).toEqual({
    signalDbm: { place: 4, of: 8 },
    satellites: null,
    delayS: { place: 2, of: 8 },
    reports: { place: 8, of: 8 }
  })
})

test('the last week is that of the gateway, on a computer whose clock is years slow', async () => {
  const daysOfMany = (ids: readonly number[]) => Promise.resolve(new Map(ids.map((id) => [id, [day(-80 - id)]])))
  const places = async (aheadMs: number) =>
    (
      await readSignalGroup(
        { vehicles: vehicles(8), groupNames, daysOfMany, gatewayNowMs: () => Date.now() + aheadMs },
        1
      )
    ).places.signalDbm
  expect(await places(0)).toEqual({ place: 1, of: 8 })
  expect(await places(30 * 86_400_000)).toBeNull()
})
