import { expect, it } from 'vitest'
import { signalDaysOf } from '../../../../main/gateway/client/vehicles/vehicleLife.ts'
import { changeOf } from '../../../../renderer/support/diagnosis/weeks/weekChange.ts'

const noisy = (value: number, n: number): number[] => Array.from({ length: n }, (_, index) => value + (index % 3) - 1)

it('finds the day from which on a value is another one, and its medians', () => {
  expect(changeOf([...noisy(-83, 20), ...noisy(-98, 12)], 6)).toEqual({ index: 20, before: -83, after: -98 })
})

it('days without a value neither hide the change nor are it', () => {
  expect(changeOf([...noisy(-83, 10), null, null, ...noisy(-98, 10)], 6)).toMatchObject({ index: 12, before: -83 })
})

it.each([
  ['a value that stays', noisy(-83, 30)],
  ['one bad day', [...noisy(-83, 15), -110, ...noisy(-83, 15)]],
  ['a difference below the least', [...noisy(-83, 15), ...noisy(-86, 15)]],
  ['too few days', [-83, -83, -98, -98]],
  ['a value that jumps all the time', Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? -70 : -100))]
])('%s is no change', (_, values) => {
  expect(changeOf(values, 6)).toBeNull()
})

it('a day of the gateway has its medians in the units of people; what is missing or impossible is unknown', () => {
  const rows = [
    { event_time: '2026-11-20T00:00:00Z', cf_rssi: 21, sv: 11, comdelay: 3.5, n: 40 },
    { event_time: '2026-11-21T00:00:00Z', cf_rssi: 99, sv: null, comdelay: null, n: null },
    { event_time: null, n: 4 }
  ]
  expect(signalDaysOf(rows)).toEqual([
    { day: '2026-11-20', signalDbm: -71, satellites: 11, delayS: 3.5, reports: 40 },
    { day: '2026-11-21', signalDbm: null, satellites: null, delayS: null, reports: 0 }
  ])
})
