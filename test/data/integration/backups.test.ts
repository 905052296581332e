import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DataProgress, DataStatus } from '../../../preload/contract/app/dataFolder.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { makeMadeUpLog } from '../../world/data/madeUpLog.ts'
import { canRun } from '../../world/data/requirement.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const limit = { timeout: 360_000 }

/** A workplace without a window, on a folder of this test. */
async function openTestWorkplace(dataFolder: string) {
  const host = openWorkplace({
    frontEnd: 'browser',
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    openPage: () => Promise.resolve()
  })
  let isOpen = true
  const stop = async () => {
    if (isOpen) await host.stop()
    isOpen = false
  }
  onTestFinished(stop)
  const heard: string[] = []
  host.onEvent((name) => heard.push(name))
  async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    const result = await host.call(name, input)
    if (!result.ok) throw Object.assign(new Error(JSON.stringify(result.error)), result.error)
    return result.value as CallOutput<Name>
  }
  async function atRest(): Promise<DataStatus> {
    await expect.poll(async () => (await call('data.status', {})).work, { timeout: 45_000, interval: 20 }).toBeNull()
    return call('data.status', {})
  }
  return { call, atRest, stop, heard, host }
}

test(
  'a backup is made, looked into and gone back to; what was there is kept and can be gone back to as well',
  limit,
  async () => {
    const folder = tempFolder()
    const store = openStore(folder)
    appendEntry(store, 'one', 'first')
    store.close()
    const { call, atRest, heard } = await openTestWorkplace(folder)
    await call('settings.change', { technician: 'Technician One' })
    await call('data.backUp', {})
    const made = await atRest()
    expect(made).toMatchObject({
      jobs: 1,
      problem: null,
      ended: { ok: true },
      backups: [{ place: 'here', jobs: 1, state: 'good' }]
    })
    await call('settings.change', { technician: 'Technician Two' })

    const from = { kind: 'backup', id: made.backups[0]?.id ?? '', place: 'here' } as const
    expect(await call('data.look', { from })).toMatchObject({ jobs: 1, jobsNow: 1, openOperations: 0 })
    await call('data.restore', { from })
    await expect.poll(() => heard.includes('app.entered'), { timeout: 45_000, interval: 20 }).toBe(true)
    const restored = await call('data.status', {})
    expect((await call('settings.get', {})).technician).toBe('Technician One')
    expect(restored).toMatchObject({ jobs: 1, putAside: [{ mayRestore: true }] })
    expect((await call('app.info', {})).notices.map(({ id }) => id)).toContain('restored')

    const aside = { kind: 'putAside', name: restored.putAside[0]?.name ?? '' } as const
    expect(await call('data.look', { from: aside })).toMatchObject({ jobs: 1, jobsNow: 1 })
    heard.length = 0
    await call('data.restore', { from: aside })
    await expect.poll(() => heard.includes('app.entered'), { timeout: 45_000, interval: 20 }).toBe(true)
    expect((await call('settings.get', {})).technician).toBe('Technician Two')
    await call('data.check', {})
    expect(await atRest()).toMatchObject({ lastCheck: { isWhole: true, ok: true, findings: [] } })
  }
)

test('what cannot take the place of the data is refused before anything closes', limit, async () => {
  const folder = tempFolder()
  const { call, atRest, heard } = await openTestWorkplace(folder)
  for (const from of [
    { kind: 'backup', id: '../fitter.db', place: 'here' },
    { kind: 'putAside', name: '../fitter.db' },
    { kind: 'picked' }
  ] as const) {
    await expect(call('data.restore', { from })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  await call('data.restore', { from: { kind: 'file', path: join(folder, 'nothing.db') } })
  expect(await atRest()).toMatchObject({ ended: { ok: false, sentence: { id: 'store.backupNotThere' } } })
  expect(heard).not.toContain('app.entered')
})

test(
  'a second folder for backups is told when its disk is gone, is not made anew on this disk, and the backups here go on',
  limit,
  async () => {
    const folder = tempFolder()
    const stick = tempFolder()
    const { call, atRest } = await openTestWorkplace(folder)
    await expect(call('data.choosePlace', { path: join(stick, 'none') })).rejects.toMatchObject({
      code: 'INVALID_REQUEST'
    })
    await expect(call('data.choosePlace', { path: folder })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect((await call('data.choosePlace', { path: stick })).elsewhere).toEqual({ folder: stick, problem: null })
    await call('data.backUp', {})
    expect((await atRest()).backups.map(({ place }) => place).sort()).toEqual(['elsewhere', 'here'])
    rmSync(join(stick, 'fitter-backups'), { recursive: true })
    await call('data.backUp', {})
    const told = await atRest()
    expect(told.elsewhere?.problem?.id).toBe('backups.notThere')
    expect(existsSync(join(stick, 'fitter-backups'))).toBe(false)
    expect(readdirSync(join(folder, 'backups'))).toHaveLength(2)
    expect((await call('app.info', {})).notices.map(({ id }) => id)).toContain('backups-elsewhere')
  }
)

test('quitting stops a backup within a second and leaves nothing of it', limit, async () => {
  const folder = tempFolder()
  await makeMadeUpLog(folder, { jobs: 3_000, entries: 20 })
  const { call, stop, host } = await openTestWorkplace(folder)
  const begun = new Promise<void>((resolve) =>
    host.onEvent(
      (name, payload) => name === 'data.changed' && ((payload as DataProgress).work?.done ?? 0) > 0 && resolve()
    )
  )
  await call('data.backUp', {})
  await begun
  await stop()
  expect(readdirSync(join(folder, 'backups'))).toEqual([])
})

const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

test.runIf(canRun(canMount, 'a small disk needs root on Linux'))(
  'on a disk with little room no backup is made, and how much room it needs is said',
  limit,
  () => {
    const program = `import { openStore } from ${JSON.stringify(join(import.meta.dirname, '..', '..', '..', 'main', 'data', 'store', 'index.ts'))}
    const store = openStore('disk'); const made = await store.keepGeneration({ folder: 'disk/backups', at: new Date(), withPictures: false })
    console.log(made.kind, made.needBytes > 0, (await import('node:fs')).readdirSync('disk/backups').length); store.close()`
    const script = 'mkdir disk; mount -t tmpfs -o size=64m tmpfs disk; exec "$0" program.mjs'
    const cwd = tempFolder()
    writeFileSync(join(cwd, 'program.mjs'), program)
    const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-ec', script, process.execPath], {
      cwd,
      encoding: 'utf8'
    })
    expect([stdout, stderr]).toEqual(['noRoom true 0\n', ''])
  }
)
