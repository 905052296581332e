import { expect, test } from 'vitest'
import { formatTime, parseTime, subtractDuration } from '../../../../simulator/gateway/time.ts'

test.each([
  ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T09:30:15', 'UTC', '2026-11-20T09:30:15.000Z'],
  ['2026-11-20T09:30:15', 'America/Bogota', '2026-11-20T14:30:15.000Z'],
  ['2026-03-29T12:00:00', 'Europe/Madrid', '2026-03-29T10:00:00.000Z'],
  ['2026-03-28T12:00:00', 'Europe/Madrid', '2026-03-28T11:00:00.000Z']
])('%s in %s is %s', (text, zone, expected) => {
  expect(new Date(parseTime(text, zone) ?? NaN).toISOString()).toBe(expected)
})

test.each([
  '2026-02-30',
  '2026-11-20T24:00:00',
  '2026-11-20T09:30',
  '2026-11-20 09:30:15',
  '2026-11-20T09:30:15Z',
  '20261120',
  ''
])('%s is no time', (text) => {
  expect(parseTime(text, 'UTC')).toBeUndefined()
})

test.each([
  ['PT1H', '2026-11-20T08:00:00.000Z'],
  ['P1W', '2026-11-13T09:00:00.000Z'],
  ['P1DT30M', '2026-11-19T08:30:00.000Z'],
  ['P1M', '2026-10-20T09:00:00.000Z'],
  ['P1Y', '2025-11-20T09:00:00.000Z']
])('%s before nine is %s', (duration, expected) => {
  expect(new Date(subtractDuration(Date.UTC(2026, 10, 20, 9), duration) ?? NaN).toISOString()).toBe(expected)
})

test.each(['P', 'PT', '1H', 'P1H', 'PT1D', 'P1W1D', 'PT-1H'])('%s is no duration', (duration) => {
  expect(subtractDuration(0, duration)).toBeUndefined()
})

test('a time is written with the offset of its zone, with microseconds where they are given', () => {
  const ms = Date.UTC(2026, 6, 1, 9, 0, 0, 123)
  expect(formatTime(ms, 'UTC')).toBe('2026-07-01T09:00:00+00:00')
  expect(formatTime(ms, 'Asia/Kolkata', 45)).toBe('2026-07-01T14:30:00.123045+05:30')
  expect(formatTime(ms, 'America/St_Johns')).toBe('2026-07-01T06:30:00-02:30')
})
