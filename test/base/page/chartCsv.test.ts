import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readTextTable } from '../../../main/base/reading/csvTable.ts'
import { chartCsv } from '../../../renderer/base/instruments/charts/chartCsv.ts'
import { roundScale } from '../../../renderer/base/instruments/charts/scale.ts'

const startMs = Date.UTC(2026, 0, 1)

it('writes a row for each time of a reading, in order, with an empty cell where a line has none', () => {
  const text = chartCsv('time (UTC)', [
    {
      title: 'Device (dBm)',
      points: { atMs: [startMs, startMs + 1_000, startMs + 1_500], values: [-97, -96.5, null] }
    },
    { title: 'Gateway (dBm)', points: { atMs: [startMs + 1_000, startMs + 4_000], values: [-98, -99] } }
  ])
  expect(text).toBe(
    [
      '\ufefftime (UTC),Device (dBm),Gateway (dBm)',
      '2026-01-01T00:00:00.000Z,-97,',
      '2026-01-01T00:00:01.000Z,-96.5,-98',
      '2026-01-01T00:00:01.500Z,,',
      '2026-01-01T00:00:04.000Z,,-99',
      ''
    ].join('\r\n')
  )
})

it('reads back as the numbers that went in', () => {
  const value = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 1_000)
  fc.assert(
    fc.property(fc.array(fc.option(value), { minLength: 1, maxLength: 50 }), (values) => {
      const atMs = values.map((_, index) => startMs + index * 250)
      const { columns, rows } = readTextTable(chartCsv('time', [{ title: 'one', points: { atMs, values } }]))
      expect(columns).toEqual(['time', 'one'])
      expect(rows.map(({ cells }) => Date.parse(cells.get('time') ?? ''))).toEqual(atMs)
      expect(rows.map(({ cells }) => (cells.has('one') ? Number(cells.get('one')) : null))).toEqual(values)
    })
  )
})

it('leaves no title that a spreadsheet would take for a formula', () => {
  expect(chartCsv('=time', [{ title: '@SUM(A1), V', points: { atMs: [], values: [] } }])).toBe(
    '\ufeff\'=time,"\'@SUM(A1), V"\r\n'
  )
})

it('rounds an axis outwards, so that every reading is on it and a small change leaves it standing', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 40 }), (values) => {
      const { least, most } = roundScale(values, {})
      expect(least).toBeLessThanOrEqual(Math.min(...values))
      expect(most).toBeGreaterThanOrEqual(Math.max(...values))
      expect(most).toBeGreaterThan(least)
    })
  )
  expect(roundScale([-97.1, -90.2], {})).toEqual(roundScale([-97.2, -90.3], {}))
  expect(roundScale([3, 11], { least: 0, most: 13 })).toEqual({ least: 0, most: 13 })
})
