import fs from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { trainingFolderIn } from '../../../main/app/dataFolder.ts'
import { createBundleDoor } from '../../../main/app/openedBundleDoor.ts'
import { showBundle } from '../../../main/app/openedBundle.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { openBundle } from '../../../main/support/diagnosis/bundles/openBundle.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import { makeBundleFile } from '../../world/data/bundles/bundleFile.ts'
import { startFeedServer } from '../../world/gateway/updateFeed.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const limit = { timeout: 360_000 }

function openHost(dataFolder: string) {
  const host = openWorkplace({
    frontEnd: 'browser',
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    openPage: () => Promise.resolve()
  })
  onTestFinished(() => host.stop())
  return async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    const answer = await host.call(name, input)
    if (!answer.ok) throw Object.assign(new Error(name), answer.error)
    return answer.value as CallOutput<Name>
  }
}

/** The data of the training, changed by its file. */
function changeTraining(dataFolder: string, change: (sql: Database.Database) => void): void {
  const folder = trainingFolderIn(dataFolder)
  openStore(folder).close()
  const sql = new Database(join(folder, 'fitter.db'))
  change(sql)
  sql.close()
}

/** A folder that is in use refuses to be opened. */
function expectFree(folder: string): void {
  openStore(folder).close()
}

test(
  'a training whose data cannot be changed is left as it was, and opens when the data is right again',
  limit,
  async () => {
    const folder = tempFolder()
    const call = openHost(folder)
    await call('settings.change', { technician: 'Technician One' })
    let version: unknown
    changeTraining(folder, (sql) => {
      version = sql.pragma('user_version', { simple: true })
      sql.pragma('user_version = 900')
    })
    await expect(call('app.enter', { workplace: 'training' })).rejects.toMatchObject({
      message: { id: 'damage.readOnlyNewer' }
    })
    expect(await call('app.info', {})).toMatchObject({ workplace: 'real' })
    const sql = new Database(join(trainingFolderIn(folder), 'fitter.db'))
    sql.pragma(`user_version = ${String(version)}`)
    sql.close()
    expectFree(trainingFolderIn(folder))
    await call('app.enter', { workplace: 'training' })
    expect(await call('app.info', {})).toMatchObject({ workplace: 'training' })
  }
)

test('a training that cannot take over how the person reads is closed again', limit, async () => {
  const folder = tempFolder()
  const call = openHost(folder)
  await call('settings.change', { technician: 'Technician One' })
  changeTraining(folder, (sql) =>
    sql.exec(
      "create trigger full_disk before insert on setting when new.name = 'technician' begin select raise(abort, 'full'); end"
    )
  )
  await expect(call('app.enter', { workplace: 'training' })).rejects.toMatchObject({
    message: { id: expect.any(String) as string }
  })
  expect(await call('app.info', {})).toMatchObject({ workplace: 'real' })
  expectFree(trainingFolderIn(folder))
})

test('a Fitter that cannot open its data leaves no look for updates behind', limit, async () => {
  const server = await startFeedServer({ isSecure: false })
  onTestFinished(() => server.stop())
  const began = vi.spyOn(globalThis, 'setTimeout')
  const ended = vi.spyOn(globalThis, 'clearTimeout')
  onTestFinished(() => void vi.restoreAllMocks())
  const folder = tempFolder()
  const other = openStore(folder)
  onTestFinished(() => other.close())
  const host = openWorkplace({
    frontEnd: 'desktop',
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    openPage: () => Promise.resolve(),
    updates: { notByItself: null, source: server.source }
  })
  onTestFinished(() => host.stop())
  await expect
    .poll(async () => await host.call('app.opening', {}))
    .toMatchObject({ ok: true, value: { state: 'closed' } })
  const looks = began.mock.calls.flatMap(([, ms], index) => {
    const made = began.mock.results[index]
    return (ms ?? 0) >= 5_000 && made?.type === 'return' ? [made.value] : []
  })
  expect(looks.length).toBeGreaterThan(0)
  for (const look of looks) expect(ended).toHaveBeenCalledWith(look)
})

test.skipIf(process.platform !== 'linux')('a bundle that cannot be shown leaves no file open', limit, async () => {
  const folder = tempFolder()
  const open = () =>
    fs.readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const file = fs.readlinkSync(`/proc/self/fd/${fd}`)
        return file.startsWith(folder) ? [file] : []
      } catch {
        return []
      }
    })
  const bundle = await openBundle(await makeBundleFile(tempFolder(), { name: 'given.zip' }), {
    signal: new AbortController().signal
  })
  const refuse = () => Promise.reject(new Error('not asked'))
  let wereOpen: string[] = []
  const shown = showBundle({
    bundle: {
      ...bundle,
      deviceWrites() {
        wereOpen = open()
        return Promise.reject(new Error('unreadable'))
      }
    },
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    frontEnd: { frontEnd: 'browser', version: '0' },
    reader: refuse as never,
    door: createBundleDoor as never,
    reportFault: (error) => expect.unreachable(String(error))
  })
  await expect(shown).rejects.toThrow('unreadable')
  expect(wereOpen.length).toBeGreaterThan(0)
  expect(open()).toEqual([])
  expect(fs.readdirSync(join(folder, 'fitter.cab'))).toEqual([])
})
