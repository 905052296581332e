import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readTextTable } from '../../../../main/base/reading/csvTable.ts'
import { csvFile, csvLines } from '../../../../preload/base/messages/csvFile.ts'
import { numberInFile } from '../../../../preload/base/messages/numberInFile.ts'
import { formatTableTime } from '../../../../preload/base/messages/times.ts'

it('a file for a person begins with the mark that Excel needs for its letters, a piece of one does not', () => {
  expect(Buffer.from(csvFile([['Íñigo Müller', -69, null, true]]), 'utf8').subarray(0, 3)).toEqual(
    Buffer.from([0xef, 0xbb, 0xbf])
  )
  expect(csvLines([['=1+1', -3.5, null, 2e-7, 1e21]])).toBe("'=1+1,-3.5,,0.0000002,1000000000000000000000\r\n")
})

it('a cell that a spreadsheet would take for a formula is escaped, and numbers stay numbers', () => {
  const lines = csvLines([
    ['=1+1', -3.5],
    ['@x, "y"', true],
    ['\tz', null],
    ['-', 0]
  ])
  expect(lines).toBe(`'=1+1,-3.5\r\n"'@x, ""y""",true\r\n'\tz,\r\n'-,0\r\n`)
})

it('a file that Fitter wrote is read back by Fitter as what it was, whatever is in its cells', () => {
  const cell = fc.oneof(
    fc.constantFrom('=1+1', '-cmd', '@x', '+34 600 000 000', 'a;b\tc', 'He said "no"', '\u00a0x'),
    fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .filter((text) => !/[\p{Cf}\0]|^'|^="|^#|^\d+[.,]0+$|E\+\d\d$/iu.test(text))
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), (rows) => {
      const { rows: read } = readTextTable(csvFile([['one', 'two'], ...rows]))
      const meant = rows
        .map((cells) => cells.map((text) => text.replace(/[\u00a0\u2007\u202f]/g, ' ').trim()))
        .filter((cells) => cells.some((text) => text !== ''))
      expect(read.map(({ cells }) => ['one', 'two'].map((name) => cells.get(name) ?? ''))).toEqual(meant)
    })
  )
})

it('a number in a file has no exponent and is the same number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(numberInFile(value)).toMatch(/^-?\d+(\.\d+)?$/)
      expect(Number(numberInFile(value))).toBe(value === 0 ? 0 : value)
    })
  )
  expect([NaN, Infinity].map(numberInFile)).toEqual(['', ''])
})

it.each([
  ['America/New_York', '2026-11-01T05:30:00.000Z', '2026-11-01 01:30:00-04:00'],
  ['America/New_York', '2026-11-01T06:30:00.000Z', '2026-11-01 01:30:00-05:00'],
  ['America/New_York', '2026-11-01T07:30:00.000Z', '2026-11-01 02:30:00'],
  ['Europe/London', '2026-10-25T01:30:00.000Z', '2026-10-25 01:30:00+00:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00.000Z', '2026-04-05 01:45:00+10:30'],
  ['America/Bogota', '2026-11-01T05:30:00.000Z', '2026-11-01 00:30:00'],
  ['UTC', 'yesterday', 'yesterday']
])('a time of %s in a table (%s) is %s: with its offset where the clock shows it twice', (timeZone, iso, text) => {
  expect(formatTableTime(iso, { language: 'en', timeZone })).toBe(text)
})
