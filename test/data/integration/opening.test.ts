import fs from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import { openFolder, openStore } from '../../../main/data/store/index.ts'
import type { ListedJob } from '../../../preload/contract/job/jobs.ts'
import { makePastJobs } from '../../world/data/pastJobs.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const limit = { timeout: 360_000 }

async function openWindow(dataFolder: string) {
  const host = openWorkplace({
    frontEnd: 'browser',
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    openPage: () => Promise.resolve()
  })
  onTestFinished(() => host.stop())
  const call = async <T>(name: string, input: object = {}): Promise<T> => {
    const answer = await host.call(name, input)
    if (!answer.ok) throw Object.assign(new Error(answer.error.message.id), { sentence: answer.error.message })
    return answer.value as T
  }
  return { host, call }
}

test(
  'a window is there before its data folder is touched, and its calls wait until the folder is open',
  limit,
  async () => {
    const folder = join(tempFolder(), 'data')
    await import('../../../main/app/openedWorkplace.ts')
    const { call } = await openWindow(folder)
    // The front end shows its window, or listens, before the next turn of the event loop.
    for (let step = 0; step < 500; step++) await Promise.resolve()
    expect(fs.existsSync(folder)).toBe(false)
    expect(await call('app.info')).toMatchObject({ dataFolder: folder })
    expect(fs.existsSync(join(folder, 'fitter.db'))).toBe(true)
  }
)

test(
  'the first screen does not wait for the keychain: whether it can be used follows as a change of the notices',
  limit,
  async () => {
    const { call, host } = await openWindow(tempFolder())
    const told: { notices: { id: string }[] }[] = []
    host.onEvent((name, payload) => name === 'app.notices' && told.push(payload as (typeof told)[number]))
    const read = async () => (await call<{ notices: { id: string }[] }>('app.info')).notices
    expect((await read()).map(({ id }) => id)).not.toContain('keychain')
    await expect.poll(() => told.length).toBeGreaterThan(0)
    expect(await read()).toEqual(told.at(-1)?.notices)
  }
)

test('a window opens on a folder that cannot be opened, says why, and opens it when that is over', limit, async () => {
  const folder = tempFolder()
  const other = openStore(folder)
  const { call } = await openWindow(folder)
  expect(await call('app.opening')).toEqual({
    state: 'closed',
    why: expect.objectContaining({ id: 'store.usedByAnother' }),
    dataFolder: folder
  })
  await expect(call('jobs.list')).rejects.toThrow('store.usedByAnother')
  other.close()
  // Whoever asks in another form is refused, and nothing is opened for them.
  for (const name of ['app.opening', 'app.openAgain'])
    await expect(call(name, { force: true })).rejects.toThrow('app.badInput')
  expect(await call('app.openAgain')).toEqual({ state: 'open' })
  expect(await call('jobs.list')).toMatchObject({ jobs: [] })
})

test('a window opens where the data folder is a file', limit, async () => {
  const file = join(tempFolder(), 'data')
  fs.writeFileSync(file, 'no folder')
  const { call } = await openWindow(file)
  expect(await call('app.opening')).toMatchObject({ state: 'closed', why: { id: 'store.folderNotMade' } })
})

test('a file of a newer Fitter is looked at, and every change is refused with one sentence', limit, async () => {
  const folder = tempFolder()
  makePastJobs(folder, 3, new Date('2026-03-01T10:00:00.000Z'))
  const sql = new Database(join(folder, 'fitter.db'))
  sql.pragma('user_version = 900')
  sql.close()
  const { call } = await openWindow(folder)
  expect(await call('app.info')).toMatchObject({ readOnly: { id: 'damage.readOnlyNewer' } })
  expect((await call<{ jobs: ListedJob[] }>('jobs.list')).jobs).toHaveLength(3)
  expect(await call('jobs.report', { id: 'past-000001', format: 'json' })).toMatchObject({
    mediaType: 'application/json'
  })
  await expect(call('settings.change', { technician: 'Technician Two' })).rejects.toThrow('damage.readOnlyNewer')
})

test(
  'one damaged job stands as damaged beside all others, is read as far as it goes, and takes nothing more',
  limit,
  async () => {
    const folder = tempFolder()
    makePastJobs(folder, 4, new Date('2026-03-01T10:00:00.000Z'))
    const sql = new Database(join(folder, 'fitter.db'))
    sql.exec('drop trigger journal_is_never_changed')
    sql.prepare("update journal set data = '{\"torn' where job_id = 'past-000002' and seq = 3").run()
    sql.prepare("update job set state = 'running' where id = 'past-000002'").run()
    sql.close()
    const { call, host } = await openWindow(folder)
    expect(await call('jobs.show', { id: 'past-000002' })).toMatchObject({ damage: { entry: 3, unreadable: [3] } })
    const { jobs } = await call<{ jobs: ListedJob[] }>('jobs.list')
    expect(jobs.filter(({ damage }) => damage !== null).map(({ id }) => id)).toEqual(['past-000002'])
    await expect(call('jobs.start', { id: 'past-000002' })).rejects.toThrow('damage.jobNotChanged')
    expect(await call('jobs.report', { id: 'past-000002', format: 'pdf' })).toMatchObject({
      mediaType: 'application/pdf'
    })
    await host.stop()
    const listed = await fitter(['job', 'list', '--json', '--data', folder], { env: { HOME: folder } })
    expect([
      listed.code,
      (JSON.parse(listed.stdout) as { id: string; damaged: boolean }[])
        .filter(({ damaged }) => damaged)
        .map(({ id }) => id)
    ]).toEqual([0, ['past-000002']])
    const shown = await fitter(['job', 'show', 'past-000002', '--json', '--data', folder], { env: { HOME: folder } })
    expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([0, { id: 'past-000002', damaged: true }])
  }
)

test(
  'what was lost stays told until a person has read it, and in the history after that; the damaged file is kept',
  limit,
  async () => {
    const folder = tempFolder()
    makePastJobs(folder, 4, new Date('2026-03-01T10:00:00.000Z'))
    const bytes = fs.readFileSync(join(folder, 'fitter.db'))
    const root = rootOfJournal(join(folder, 'fitter.db'))
    fs.writeFileSync(join(folder, 'fitter.db'), bytes.fill(0, (root - 1) * 4096, root * 4096))
    const { call, host } = await openWindow(folder)
    const read = () => call<{ notices: { loss?: number; text: { id: string } }[] }>('app.info')
    const { notices } = await read()
    expect(notices.map(({ text }) => text.id)).toContain('damage.salvaged')
    for (const { loss } of notices) if (loss !== undefined) await call('losses.acknowledge', { key: loss })
    expect((await read()).notices.filter(({ loss }) => loss !== undefined)).toEqual([])
    const { losses, putAside } = await call<{
      losses: { readAt: string | null }[]
      putAside: { name: string; sizeBytes: number }[]
    }>('losses.list')
    expect([losses.every(({ readAt }) => readAt !== null), putAside.length]).toEqual([true, 1])
    expect(fs.readFileSync(join(folder, putAside[0]?.name ?? '')).equals(bytes)).toBe(true)
    await host.stop()
    const again = await openFolder(folder)
    expect([again.opening.how, again.losses(), again.lossRecords().length > 0]).toEqual(['asIs', [], true])
    again.close()
  }
)

function rootOfJournal(file: string): number {
  const sql = new Database(file, { readonly: true })
  const row = sql.prepare<[], { rootpage: number }>("select rootpage from sqlite_schema where name = 'journal'").get()
  sql.close()
  return row?.rootpage ?? 0
}
