import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ecuEntry, type EcuRow } from '../../../../preload/contract/device/workspace.ts'
import { readEcuFile, readEcuText } from '../../../../main/support/deviceSession/ecuFile.ts'
import { checkEcuList, checkEcuRow } from '../../../../main/support/deviceSession/ecuList.ts'
import { ecuPresets } from '../../../../main/support/deviceSession/ecuPresets.ts'
import { invokeDevice } from '../../../../main/device/client/operations.ts'
import type { DeviceClient } from '../../../../main/device/client/client.ts'
import { whyBodyIsWrong } from '../../../../simulator/device/bodies.ts'
import { workbook } from '../../../world/gateway/listForms.ts'

const good: EcuRow = {
  PARAM_NAME: 'EEC1 - ENGINE SPEED',
  PGN: 'F004',
  TRANSMISSION_RATE: '100MS',
  PRIORITY: '3',
  DLC: '8',
  LENGTH: '2_BYTES',
  START_POSITION: '4-5',
  MULTIPLIER: '0.125',
  GROUP: 'NUMBER_VALUE',
  OFFSET: '-273'
}
const choicesOf = (change: Partial<EcuRow>) =>
  checkEcuRow({ ...good, ...change }).problems.map(({ field, choices }) => [field, choices])

/** Lists in the form that the maker publishes for the device: each value of each field that occurs in them. */
const rates = [
  '10MS',
  '50MS',
  '100MS',
  '200MS',
  '250MS',
  '500MS',
  '800MS',
  '1000MS',
  '0.5S',
  '1S',
  '5S',
  '10S',
  'CONTINUOUS',
  'ON_REQUEST'
]
const lengths = [
  '1_BIT',
  '2_BITS',
  '3_BITS',
  '4_BITS',
  '5_BITS',
  '6_BITS',
  '7_BITS',
  '8_BITS',
  '12_BITS',
  '1_BYTE',
  '2_BYTES',
  '3_BYTES',
  '4_BYTES'
]
const names = fc.constantFrom(
  'VD - TRIP DISTANCE (HIGH RESOLUTION)',
  'EFL/P1 - OIL LEVEL',
  "EEC3 - DRIVER'S SPEED",
  'DM1 - SPN & FMI',
  'AUX #04',
  'CELL NO. 1',
  'A_B - C'
)
const makersRow = fc.record(
  {
    PARAM_NAME: names,
    PGN: fc.constantFrom('FEE0', 'FD20', 'E000', 'F004', '0000', '18D0', '03F3'),
    TRANSMISSION_RATE: fc.constantFrom(...rates),
    PRIORITY: fc.constantFrom('2', '3', '6', '7'),
    DLC: fc.constantFrom('8', '39', '2', 'VARIABLE'),
    LENGTH: fc.constantFrom(...lengths),
    START_POSITION: fc.constantFrom('1', '8.5', '1-2', '20-21', '5-8', '1.1'),
    GROUP: fc.constantFrom(
      'NUMBER_VALUE',
      'SIGNAL',
      'PERCENT',
      'EXTENDED_SIGNAL',
      'LOCATION_COMPONENT_1',
      'TIRE_COMPONENT'
    ),
    MULTIPLIER: fc.constantFrom('1', '0.125', '0.00390625', '0.00195312', '1000', '0.03125'),
    OFFSET: fc.constantFrom('0', '-40', '-273', '-7.8125', '-160635'),
    ACCESSORY_TYPE: fc.constantFrom('FOTON', 'DONGF')
  },
  {
    requiredKeys: [
      'PARAM_NAME',
      'PGN',
      'TRANSMISSION_RATE',
      'PRIORITY',
      'DLC',
      'LENGTH',
      'START_POSITION',
      'GROUP',
      'MULTIPLIER'
    ]
  }
)
const accessoryRow = makersRow.map(({ PGN: _pgn, PRIORITY: _priority, ...row }) => ({
  ...row,
  CAN_ID: '0C9',
  SOURCE_INTERFACE: 'SECONDARY',
  REVERSED: '1'
}))
const asLine = (row: object): string =>
  Object.entries(row)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')

describe('A list in the form of the maker', () => {
  it('is sent as it stands, whatever it contains: names, rates, lengths and positions unchanged, no offset where it has none', async () => {
    const sent: unknown[] = []
    const device = {
      ecu: { addParameter: (entry: unknown) => Promise.resolve(sent.push(entry)) }
    } as unknown as DeviceClient
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.oneof(makersRow, accessoryRow), { selector: (row) => JSON.stringify(row), maxLength: 20 }),
        async (rows) => {
          const text = [
            '# A list',
            '',
            'START_SECTION: CONFIGURATION',
            'PRIMARY_CAN: J1939_250KHZ',
            'SECONDARY_CAN: DISABLED',
            'END_SECTION',
            'START_SECTION: J1939',
            ...rows.map(asLine),
            'END_SECTION',
            ''
          ].join('\r\n')
          const { rows: read, configuration } = readEcuText(text)
          expect(configuration).toEqual({ PRIMARY_CAN: 'J1939_250KHZ', SECONDARY_CAN: 'DISABLED' })
          const checked = checkEcuList(read, () => null)
          expect(checked.flatMap(({ problems }) => problems)).toEqual([])
          const wanted = rows.map(({ OFFSET, ...row }) => ({
            ...row,
            ...(OFFSET === undefined ? {} : { OFFSET: Number(OFFSET) })
          }))
          expect(checked.map(({ entry }) => entry)).toEqual(wanted)
          sent.length = 0
          for (const { entry } of checked) {
            expect(ecuEntry.safeParse(entry).success).toBe(true)
            expect(whyBodyIsWrong('ecu.addParameter', entry)).toBeUndefined()
            await invokeDevice(device, 'ecu.addParameter', { body: entry })
          }
          expect(sent).toEqual(wanted)
        }
      ),
      { numRuns: 60 }
    )
  })

  it('with an unknown field or another line is refused whole, with its line', () => {
    const idOf = (text: string): unknown => {
      try {
        return readEcuText(text)
      } catch (error) {
        return (error as { sentence: unknown }).sentence
      }
    }
    expect(idOf(`START_SECTION: J1939\n${asLine({ PARAM_NAME: 'A', SPN: '190' })}`)).toEqual({
      id: 'ecuList.unknownField',
      values: { line: 2, name: 'SPN' }
    })
    expect(idOf('START_SECTION: J1939\nand so on')).toEqual({ id: 'ecuList.notALine', values: { line: 2 } })
  })

  it('says which fields the API document does not name', () => {
    expect(checkEcuRow({ ...good, PGN: '', PRIORITY: '', CAN_ID: '0c9', SOURCE_INTERFACE: 'secondary' })).toMatchObject(
      {
        entry: { CAN_ID: '0C9', SOURCE_INTERFACE: 'SECONDARY' },
        notes: [{ id: 'ecuList.notDocumented', values: { fields: 'CAN_ID, SOURCE_INTERFACE' } }]
      }
    )
  })

  it('may give one name to several signals; the same signal twice is a problem of the second', () => {
    const [first, other, same] = checkEcuList(
      [good, { ...good, LENGTH: '4_BITS', START_POSITION: '1.5' }, good],
      () => '2026-01-01T00:00:00.000Z'
    )
    expect([first?.entry !== null, other?.entry !== null, same?.problems.map(({ text }) => text.id)]).toEqual([
      true,
      true,
      ['ecuList.sameRow']
    ])
    expect(first?.sentAt).toBe('2026-01-01T00:00:00.000Z')
  })
})

describe('A row of another list', () => {
  it.each<[keyof EcuRow, string, string]>([
    ['PGN', '0xfee0', 'FEE0'],
    ['PGN', '0FEE0', 'FEE0'],
    ['PGN', '1FEE0', '1FEE0'],
    ['GROUP', 'extended signal', 'EXTENDED_SIGNAL'],
    ['TRANSMISSION_RATE', 'on request', 'ON_REQUEST'],
    ['TRANSMISSION_RATE', '500 ms', '500MS'],
    ['LENGTH', '2 bytes', '2_BYTES'],
    ['LENGTH', '1 byte', '1_BYTE'],
    ['LENGTH', '2_BYTE', '2_BYTES'],
    ['DLC', 'variable', 'VARIABLE'],
    ['MULTIPLIER', '0,125', '0.125']
  ])('is tidied where it can mean one thing: %s %s is sent as %s', (field, written, sent) => {
    expect(checkEcuRow({ ...good, [field]: written })).toMatchObject({ entry: { [field]: sent }, problems: [] })
  })

  it.each<[keyof EcuRow, string, string[]]>([
    ['PGN', 'FEE', ['FEE0', '0FEE']],
    ['PGN', 'FD2', ['FD20', '0FD2']],
    ['PGN', 'E', ['E000', '000E']],
    ['TRANSMISSION_RATE', '100', ['100MS', '100S']],
    ['LENGTH', '2', ['2_BYTES', '2_BITS']],
    ['MULTIPLIER', '1,250', ['1250', '1.25']],
    ['OFFSET', '-1.250', ['-1250', '-1.25']]
  ])('is asked about where it can mean two: %s %s, and either choice is then right', (field, written, choices) => {
    expect(choicesOf({ [field]: written })).toEqual([[field, choices]])
    for (const choice of choices) expect(checkEcuRow({ ...good, [field]: choice }).problems).toEqual([])
  })

  it.each<[keyof EcuRow, string]>([
    ['PARAM_NAME', ''],
    ['PARAM_NAME', 'Motor\u0007'],
    ['PGN', ''],
    ['PGN', 'G123'],
    ['PGN', 'FFFFF'],
    ['PGN', '123456'],
    ['TRANSMISSION_RATE', 'often'],
    ['TRANSMISSION_RATE', '-1'],
    ['TRANSMISSION_RATE', '0MS'],
    ['PRIORITY', '8'],
    ['PRIORITY', '1.5'],
    ['PRIORITY', ''],
    ['DLC', 'x'],
    ['LENGTH', '0'],
    ['LENGTH', '2_WORDS'],
    ['START_POSITION', ''],
    ['START_POSITION', '-1'],
    ['START_POSITION', '1.9'],
    ['MULTIPLIER', '0'],
    ['MULTIPLIER', 'x'],
    ['GROUP', 'SIGNALS'],
    ['OFFSET', 'NaN'],
    ['OFFSET', 'Infinity'],
    ['CAN_ID', 'XYZ'],
    ['SOURCE_INTERFACE', 'THIRD'],
    ['REVERSED', 'no']
  ])('is refused with %s "%s", and the field is named', (field, value) => {
    const { entry, problems } = checkEcuRow({ ...good, [field]: value })
    expect(entry).toBeNull()
    expect(problems.map((problem) => [problem.field, problem.choices])).toEqual([[field, undefined]])
  })

  it('is right in every preset, and each is sent as it stands: numbers as numbers, PGNs whole', () => {
    for (const { rows } of ecuPresets) {
      const checked = checkEcuList(rows, () => null)
      expect(checked.flatMap(({ problems, notes }) => [...problems, ...notes])).toEqual([])
      expect(checked.map(({ entry }) => entry?.PGN)).toEqual(rows.map(({ PGN }) => PGN))
      for (const { GROUP, PGN } of rows)
        expect([GROUP, PGN.length]).toEqual([GROUP === 'PERCENT' ? 'PERCENT' : 'NUMBER_VALUE', 4])
    }
  })
})

describe('A table', () => {
  it.each([',', ';', '\t'])(
    'is read with "%s" between its fields, quotes, empty lines and a byte order mark',
    (separator) => {
      const line = (...fields: string[]) => fields.join(separator)
      const text = `\uFEFFThe bus\r\n${line('pgn', 'Param Name', 'offset')}\r\n${line('FEF1', '"A""B"', '-40')}\n\n${line('FEF2', `"x${separator}y"`)}`
      expect(
        readEcuText(text).rows.map(({ PGN, PARAM_NAME, OFFSET, GROUP }) => [PGN, PARAM_NAME, OFFSET, GROUP])
      ).toEqual([
        ['FEF1', 'A"B', '-40', ''],
        ['FEF2', `x${separator}y`, '', '']
      ])
    }
  )

  it('is read as a workbook and in UTF-16 too', async () => {
    const cells = [
      ['PARAM_NAME', 'PGN', 'MULTIPLIER'],
      ['VD - TRIP', 'FEE0', 0.125]
    ]
    for (const file of [
      workbook(cells),
      Buffer.from(`\uFEFF${cells.map((row) => row.join('\t')).join('\r\n')}`, 'utf16le')
    ]) {
      expect((await readEcuFile(file)).rows).toMatchObject([
        { PARAM_NAME: 'VD - TRIP', PGN: 'FEE0', MULTIPLIER: '0.125' }
      ])
    }
  })

  it('without the names of the columns is refused', () => {
    expect(() => readEcuText('1,2,3')).toThrow('ecuList.firstLine')
  })

  it('whose PGN a spreadsheet took for a power of ten is refused with its line', () => {
    expect(() => readEcuText('PARAM_NAME;PGN\nA;1E+05\n')).toThrow('ecuList.atLine')
  })
})
