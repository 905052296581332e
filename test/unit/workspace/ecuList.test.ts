import { describe, expect, it } from 'vitest'
import type { EcuRow } from '../../../preload/contract/device/workspace.ts'
import { checkEcuList, checkEcuRow, readEcuCsv } from '../../../main/workspace/ecuList.ts'
import { ecuPresets } from '../../../main/workspace/ecuPresets.ts'

const good: EcuRow = {
  PARAM_NAME: 'ENGINE_SPEED',
  PGN: 'F004',
  TRANSMISSION_RATE: '100',
  PRIORITY: '3',
  DLC: '8',
  LENGTH: '2',
  START_POSITION: '4',
  MULTIPLIER: '0.125',
  GROUP: 'SIGNAL',
  OFFSET: '0'
}

describe('A row of an engine-bus list', () => {
  it('becomes an entry with OFFSET as a number, when everything fits the document', () => {
    expect(checkEcuRow(good)).toEqual({ entry: { ...good, OFFSET: 0 }, problems: [], notes: [] })
  })

  it.each<[keyof EcuRow, string]>([
    ['PARAM_NAME', ''],
    ['PARAM_NAME', 'a b'],
    ['PGN', ''],
    ['PGN', 'G123'],
    ['PGN', 'FFFFF'],
    ['PGN', '123456'],
    ['TRANSMISSION_RATE', 'often'],
    ['TRANSMISSION_RATE', '-1'],
    ['PRIORITY', '8'],
    ['PRIORITY', '1.5'],
    ['DLC', 'x'],
    ['LENGTH', '0'],
    ['START_POSITION', ''],
    ['START_POSITION', '-1'],
    ['MULTIPLIER', '0'],
    ['MULTIPLIER', '0,125'],
    ['GROUP', 'SIGNALS'],
    ['OFFSET', ''],
    ['OFFSET', 'NaN'],
    ['OFFSET', 'Infinity']
  ])('is refused with %s "%s", and the field is named', (field, value) => {
    const { entry, problems } = checkEcuRow({ ...good, [field]: value })
    expect(entry).toBeNull()
    expect(problems.map((problem) => problem.field)).toEqual([field])
  })

  it('is tidied where the document says how: trailing zeros of the PGN, letter case', () => {
    const { entry, notes } = checkEcuRow({
      ...good,
      PGN: '0xfee0',
      GROUP: 'extended signal',
      TRANSMISSION_RATE: 'on request',
      OFFSET: '-40'
    })
    expect(entry).toMatchObject({ PGN: 'FEE', GROUP: 'EXTENDED_SIGNAL', TRANSMISSION_RATE: 'ON_REQUEST', OFFSET: -40 })
    expect(notes).toHaveLength(1)
  })

  it('says when its name comes twice, and when it was sent before', () => {
    const [first, second] = checkEcuList([good, good], () => '2026-01-01T00:00:00.000Z')
    expect(first?.sentAt).toBe('2026-01-01T00:00:00.000Z')
    expect(first?.entry).not.toBeNull()
    expect(second?.entry).toBeNull()
  })

  it('is right in every preset', () => {
    for (const { rows } of ecuPresets)
      expect(checkEcuList(rows, () => null).flatMap(({ problems }) => problems)).toEqual([])
  })
})

describe('A CSV file', () => {
  it.each([',', ';', '\t'])(
    'is read with "%s" between its fields, quotes, empty lines and a byte order mark',
    (separator) => {
      const line = (...fields: string[]) => fields.join(separator)
      const text = `\uFEFF${line('pgn', 'Param Name', 'offset')}\r\n${line('FEF1', '"A""B"', '-40')}\n\n${line('FEF2', `"x${separator}y"`)}`
      expect(readEcuCsv(text).map(({ PGN, PARAM_NAME, OFFSET, GROUP }) => [PGN, PARAM_NAME, OFFSET, GROUP])).toEqual([
        ['FEF1', 'A"B', '-40', ''],
        ['FEF2', `x${separator}y`, '', '']
      ])
    }
  )

  it('without the names of the columns is refused', () => {
    expect(() => readEcuCsv('1,2,3')).toThrow('ecuList.firstLine')
  })
})
