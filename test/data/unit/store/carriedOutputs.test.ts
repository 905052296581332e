import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exchangeData, prepareRestore, restoreData } from '../../../../main/data/store/backups/copies.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import type { NewLedgerRow } from '../../../../main/data/store/work/outputLedger.ts'
import { appendEntry } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const imei = '490154203237518'
const row: NewLedgerRow = {
  imei,
  output: 'OUT1',
  path: 'local',
  vehicleId: null,
  address: 'ft4.local',
  since: '2026-11-20T09:00:00.000Z',
  by: 'T',
  jobId: null
}
const proved = { how: 'proved', by: '', reason: '', at: '2026-11-20T09:00:10.000Z' } as const
const at = new Date('2026-11-20T10:00:00Z')

/** A folder with an empty ledger, and a backup of it. */
async function makeFolder() {
  const folder = tempFolder()
  const backup = join(folder, 'backup.db')
  const store = openStore(folder)
  await store.backup(backup)
  return { folder, backup, store }
}

test('an output that may be on is still known after an older backup was restored, with all that was known of it', async () => {
  const { folder, backup, store } = await makeFolder()
  appendEntry(store, 'one', 'after the backup')
  store.outputLedger.begin({ ...row, jobId: 'one' })
  store.outputLedger.settleOn(store.outputLedger.begin({ ...row, output: 'e 2', path: 'gateway', vehicleId: 7 }))
  store.close()
  const { outputs } = await restoreData(folder, backup, at)
  expect(outputs).toMatchObject([
    { imei, output: 'OUT1', path: 'local' },
    { imei, output: 'e 2', path: 'gateway' }
  ])
  const restored = openStore(folder)
  // Its job is not in the backup.
  expect(restored.outputLedger.open()).toMatchObject([
    { ...row, isOnSettled: false },
    { ...row, output: 'e 2', path: 'gateway', vehicleId: 7, isOnSettled: true }
  ])
  expect(await restored.check()).toMatchObject({ ok: true })
  restored.close()
})

test('an output that was proved off after the backup does not come back as one that may be on', async () => {
  const { folder, store } = await makeFolder()
  const [first, second] = [store.outputLedger.begin(row), store.outputLedger.begin({ ...row, output: 'OUT2' })]
  const during = join(folder, 'during.db')
  await store.backup(during)
  store.outputLedger.end(first, proved)
  store.outputLedger.end(second, { ...proved, how: 'person', by: 'Anna', reason: 'fuse removed' })
  store.close()
  await restoreData(folder, during, at)
  const restored = openStore(folder)
  expect(restored.outputLedger.open()).toEqual([])
  restored.close()
  const file = new Database(join(folder, 'fitter.db'), { readonly: true })
  expect(
    file.prepare('select ended_how as how, ended_by as by, end_reason as reason from output_ledger order by id').all()
  ).toEqual([
    { how: 'proved', by: '', reason: '' },
    { how: 'person', by: 'Anna', reason: 'fuse removed' }
  ])
  file.close()
})

test('an output that was proved off does not come back by way of a backup that never knew of it', async () => {
  const { folder, backup, store } = await makeFolder()
  const id = store.outputLedger.begin(row)
  const whileOn = join(folder, 'while-on.db')
  await store.backup(whileOn)
  store.outputLedger.end(id, proved)
  store.close()
  await restoreData(folder, backup, at)
  await restoreData(folder, whileOn, new Date('2026-11-20T11:00:00Z'))
  const restored = openStore(folder)
  expect(restored.outputLedger.open()).toEqual([])
  restored.close()
})

test('an exchange that is undone leaves the ledger as it was', async () => {
  const { folder, backup, store } = await makeFolder()
  store.outputLedger.begin(row)
  store.close()
  const incoming = await prepareRestore(folder, backup)
  exchangeData(folder, incoming, at).undo()
  incoming.remove()
  const again = openStore(folder)
  expect(again.outputLedger.open()).toMatchObject([row])
  again.close()
})

test('when the present file cannot be read, what was noted beside it is said until a person has read it', async () => {
  const { folder, backup, store } = await makeFolder()
  store.outputLedger.begin(row)
  store.outputLedger.begin({ ...row, output: 'OUT2' })
  const killed = tempFolder()
  cpSync(folder, killed, { recursive: true })
  store.close()
  writeFileSync(join(killed, 'fitter.db'), 'x'.repeat(8192))
  rmSync(join(killed, 'fitter.db-wal'))
  await restoreData(killed, backup, at)
  const restored = openStore(killed)
  expect(restored.losses()).toEqual([{ id: 'store.outputsLost', values: { n: 2 } }])
  await restored.backup(join(killed, 'later.db'))
  restored.close()
  // And after the next one too.
  await restoreData(killed, backup, new Date('2026-11-20T11:00:00Z'))
  const again = openStore(killed)
  expect(again.losses()).toEqual([{ id: 'store.outputsLost', values: { n: 2 } }])
  again.close()
})

test('what a file lost that was never opened since is said', async () => {
  const { folder, backup, store } = await makeFolder()
  store.close()
  const reopened = openStore(folder)
  reopened.outputLedger.begin(row)
  const killed = tempFolder()
  cpSync(folder, killed, { recursive: true })
  reopened.close()
  rmSync(join(killed, 'fitter.db-wal'), { force: true })
  await restoreData(killed, backup, at)
  const restored = openStore(killed)
  expect(restored.losses()).toEqual([{ id: 'store.outputsLost', values: { n: 1 } }])
  restored.close()
})

/** What happens to a folder: outputs go on and are proved off, backups are made, and any backup is restored. */
const deed = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('on' as const),
      output: fc.constantFrom('OUT1', 'OUT2', 'e 1'),
      path: fc.constantFrom('local' as const, 'gateway' as const)
    })
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('off' as const), index: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('backup' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), index: fc.nat(5) }) }
)

test(
  'whatever is restored in whatever order, exactly the outputs that nobody saw off may be on',
  { timeout: 360_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 14 }), async (deeds) => {
        const { folder, backup, store: first } = await makeFolder()
        let store = first
        const backups = [backup]
        const on: string[] = []
        let seconds = 0
        const nameOf = ({ path, output, since }: NewLedgerRow) => `${path} ${output} ${since}`
        try {
          for (const one of deeds) {
            if (one.kind === 'on') {
              const next = {
                ...row,
                output: one.output,
                path: one.path,
                since: new Date(at.getTime() + ++seconds * 1000).toISOString()
              }
              if (store.outputLedger.open().some(({ path, output }) => path === next.path && output === next.output))
                continue
              store.outputLedger.begin(next)
              on.push(nameOf(next))
            } else if (one.kind === 'off') {
              const open = store.outputLedger.open()
              const ending = open[one.index % Math.max(1, open.length)]
              if (!ending) continue
              store.outputLedger.end(ending.id, proved)
              on.splice(on.indexOf(nameOf(ending)), 1)
            } else if (one.kind === 'backup') {
              const file = join(folder, `backup-${backups.length}.db`)
              await store.backup(file)
              backups.push(file)
            } else {
              store.close()
              await restoreData(folder, backups[one.index % backups.length]!, new Date(at.getTime() + ++seconds * 1000))
              store = openStore(folder)
            }
            expect(store.outputLedger.open().map(nameOf).sort()).toEqual([...on].sort())
            expect(store.losses()).toEqual([])
          }
        } finally {
          store.close()
        }
      }),
      { numRuns: 15 }
    )
  }
)
