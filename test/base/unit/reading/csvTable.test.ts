import { describe, expect, it } from 'vitest'
import { readTextTable } from '../../../../main/base/reading/csvTable.ts'

const rows = (content: string | Uint8Array) =>
  readTextTable(content).rows.map(({ line, cells }) => [line, Object.fromEntries(cells)])

describe('A table', () => {
  it.each([
    ['commas', 'Vehicle,Notes\r\nVan 1,"Key, at the desk"\r\n'],
    ['semicolons', 'Vehicle;Notes\nVan 1;Key, at the desk\n'],
    ['tabs and a byte order mark', '\uFEFFVehicle\tNotes\nVan 1\tKey, at the desk'],
    ['blanks around and an empty line', ' Vehicle , Notes \n\n Van 1 ,"Key, at the desk"\n,\n']
  ])('with %s is read by the names of its columns', (_what, text) => {
    expect(rows(text)).toEqual([[text.includes('\n\n') ? 3 : 2, { vehicle: 'Van 1', notes: 'Key, at the desk' }]])
  })

  it('that no UTF-8 reader can read is read as Windows writes it', () => {
    expect(rows(Buffer.from('vehicle\nCamión', 'latin1'))).toEqual([[2, { vehicle: 'Camión' }]])
    expect(rows(Buffer.from('vehicle\nCamión', 'utf8'))).toEqual([[2, { vehicle: 'Camión' }]])
  })

  it.each([
    ['nothing', '', 'reading.tableEmpty'],
    ['two columns of one name', 'vehicle,Vehicle\n1,2', 'reading.tableColumnTwice'],
    ['a quotation mark that is not closed', 'vehicle\n"Van 1', 'reading.tableBroken'],
    ['a cell without a column', 'vehicle\nVan 1,and more', 'reading.tableCellWithoutColumn'],
    ['more lines than anybody has vehicles', `vehicle\n${'Van\n'.repeat(20_001)}`, 'reading.tableTooLong']
  ])('with %s is refused', (_what, text, id) => {
    expect(() => readTextTable(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', sentence: expect.objectContaining({ id }) }) as Error
    )
  })
})
