import { expect, it } from 'vitest'
import { dateOf, hourOf, startOfDate, startOfDay, startOfWeek, wallMs } from '../../../../preload/base/messages/zone.ts'

const iso = (ms: number) => new Date(ms).toISOString()

it.each([
  ['2026-05-04', 'America/Los_Angeles', '2026-05-04T07:00:00.000Z'],
  ['2026-05-04', 'Asia/Kathmandu', '2026-05-03T18:15:00.000Z'],
  ['2026-05-04', 'Pacific/Kiritimati', '2026-05-03T10:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  // Midnight was left out: the day begins at 01:00.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  // The hour before midnight came twice.
  ['2026-04-05', 'America/Santiago', '2026-04-05T04:00:00.000Z'],
  // Midnight came twice: the day begins with the first one.
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z']
])('%s begins in %s at %s', (date, zone, begins) => {
  const ms = startOfDate(date, zone)
  expect(iso(ms)).toBe(begins)
  expect([dateOf(ms, zone), dateOf(ms - 1, zone)]).toEqual([date, dateOf(ms - 12 * 3_600_000, zone)])
  expect(iso(startOfDay(ms, zone))).toBe(begins)
  expect(iso(startOfDay(ms + 22 * 3_600_000, zone))).toBe(begins)
})

it('a week begins on its Monday, across a clock change', () => {
  expect(iso(startOfWeek(Date.parse('2026-03-29T20:00Z'), 'Europe/Berlin'))).toBe('2026-03-22T23:00:00.000Z')
  expect(iso(startOfWeek(Date.parse('2026-03-22T23:00Z'), 'Europe/Berlin'))).toBe('2026-03-22T23:00:00.000Z')
})

it('the hour on a clock of the zone, also for a moment between two seconds', () => {
  expect(hourOf(Date.parse('2026-05-04T06:30:00.900Z'), 'America/Los_Angeles')).toBeCloseTo(23.50025, 5)
})

it('a time that is none is no moment', () => {
  expect(wallMs('2026-13-01T00:00', 'UTC')).toBeNaN()
})
