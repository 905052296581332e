import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { openDataFile, type DataFile } from '../../../../main/data/store/file/database.ts'
import { runWithMending } from '../../../../main/data/store/damage/mending.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const table = 'create table copied (name text primary key) strict;'
const damaged = () => new AppError('DATA_UNUSABLE', message('store.damaged'))
let data: DataFile
beforeEach(() => {
  data = openDataFile(tempFolder())
  data.makeAgain(table)
  data.write(() => data.prepare("insert into copied values ('kept')").run())
})
afterEach(() => data.close())

/** Fails so many times, then counts what is in the table. */
function failing(times: number): () => number {
  let left = times
  return () => {
    left -= 1
    if (left >= 0) throw damaged()
    return data.prepare<[], { n: number }>('select count(*) as n from copied').get()?.n ?? -1
  }
}

test('what looks damaged once stays as it is: a disk that fails to give a page looks like that', () => {
  expect(runWithMending(data, table, failing(1))).toBe(1)
})

test('what looks damaged twice is made again, and what is damaged still is told', () => {
  expect(runWithMending(data, table, failing(2))).toBe(0)
  expect(() => runWithMending(data, table, failing(3))).toThrow(
    expect.objectContaining({ code: 'DATA_UNUSABLE' }) as Error
  )
})
