import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolder, openStore } from '../../../../main/data/store/index.ts'
import type { NewLedgerRow } from '../../../../main/data/store/work/outputLedger.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const row: NewLedgerRow = {
  imei: '490154203237518',
  output: 'OUT1',
  path: 'local',
  vehicleId: null,
  address: 'ft4.local',
  since: '2026-11-20T09:00:00.000Z',
  by: 'T',
  jobId: null
}
const ended = { how: 'proved', by: '', reason: '', at: '2026-11-20T09:00:10.000Z' } as const

/** The folder as a kill leaves it at this moment, with the write-ahead log or without it. */
function killedCopy(folder: string, withLog: boolean): string {
  const copy = tempFolder()
  cpSync(folder, copy, { recursive: true })
  if (!withLog) rmSync(join(copy, 'fitter.db-wal'), { force: true })
  return copy
}

test('a lost write-ahead log does not lose silently what may be on: it is told until a person has read it', async () => {
  const folder = tempFolder()
  openStore(folder).close()
  const store = openStore(folder)
  store.outputLedger.begin(row)
  store.outputLedger.begin({ ...row, output: 'OUT2' })
  const copy = killedCopy(folder, false)
  store.close()
  for (let start = 0; start < 2; start++) {
    const again = await openFolder(copy)
    expect(again.outputLedger.open()).toEqual([])
    expect(again.losses()).toContainEqual({ id: 'store.outputsLost', values: { n: 2 } })
    again.close()
  }
  const last = openStore(copy)
  for (const { key } of last.lossRecords()) last.acknowledgeLoss(key, 'T')
  last.close()
  const quiet = openStore(copy)
  expect(quiet.losses()).toEqual([])
  quiet.close()
})

test('a data file that could not be read at all, and was begun anew, tells of them as well', async () => {
  const folder = tempFolder()
  const store = openStore(folder)
  store.outputLedger.begin(row)
  const copy = killedCopy(folder, false)
  store.close()
  const again = await openFolder(copy)
  expect(again.losses()).toContainEqual({ id: 'store.outputsLost', values: { n: 1 } })
  again.close()
})

test('nothing is told of outputs that ended, or whose entries are there', () => {
  const folder = tempFolder()
  openStore(folder).close()
  const store = openStore(folder)
  store.outputLedger.end(store.outputLedger.begin(row), ended)
  const withoutAny = killedCopy(folder, false)
  store.outputLedger.begin(row)
  const withLog = killedCopy(folder, true)
  store.close()
  for (const [copy, open] of [
    [withoutAny, 0],
    [withLog, 1],
    [folder, 1]
  ] as const) {
    const again = openStore(copy)
    expect(again.outputLedger.open()).toHaveLength(open)
    expect(again.losses().map(({ id }) => id)).not.toContain('store.outputsLost')
    again.close()
  }
})

test('a write that is undone is not in the mark', () => {
  const folder = tempFolder()
  openStore(folder).close()
  const store = openStore(folder)
  expect(() =>
    store.together(() => {
      store.outputLedger.begin(row)
      throw new Error('no')
    })
  ).toThrow('no')
  store.settings.change({ technician: 'T' })
  const copy = killedCopy(folder, false)
  store.close()
  const again = openStore(copy)
  expect(again.losses().map(({ id }) => id)).not.toContain('store.outputsLost')
  again.close()
})
