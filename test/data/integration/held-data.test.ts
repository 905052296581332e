import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import { kindOf } from '../../../main/data/store/file/held.ts'
import { openFolder, openStore, type Store } from '../../../main/data/store/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { holdFile } from '../../world/data/holdFile.ts'
import { makeYard } from '../../world/window/installation.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const limit = { timeout: 540_000 }
const isLinux = process.platform === 'linux'

function usedFolder(): { folder: string; file: string } {
  const folder = tempFolder()
  const store = openStore(folder)
  appendEntry(store, 'one', 'before')
  store.close()
  return { folder, file: join(folder, 'fitter.db') }
}

const textsOf = (store: Store): string[] => store.jobs.journal('one').map(({ data }) => (data as { text: string }).text)

function refusalOf(work: () => unknown): AppError {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('Nothing was refused.')
}

function keepStore(store: Store): Store {
  onTestFinished(() => store.close())
  return store
}

const heldBy = (program: string, kind: string) => ({
  code: 'DATA_LOCKED',
  retryable: true,
  sentence: isLinux ? { id: 'store.heldBy', values: { program, kind } } : { id: 'store.held' }
})

describe('another program that holds the data file', limit, () => {
  it('for two seconds delays the opening and a write, and nothing fails', async () => {
    const { folder, file } = usedFolder()
    await holdFile(file, { forMs: 2_000 })
    keepStore(await openFolder(folder)).close()
    await holdFile(file, { forMs: 2_000 })
    const store = keepStore(openStore(folder))
    for (const text of ['first', 'second', 'third']) {
      await holdFile(file, { forMs: 2_000 })
      appendEntry(store, 'one', text)
    }
    expect([textsOf(store), store.disk.standing(), store.disk.hasFailed()]).toEqual([
      ['before', 'first', 'second', 'third'],
      'usable',
      false
    ])
  })

  it('for longer is named when the folder is opened, and is no other Fitter', { tags: ['long'] }, async () => {
    const { folder, file } = usedFolder()
    const holder = await holdFile(file, { called: '/usr/bin/sqlitebrowser' })
    const startedMs = performance.now()
    await expect(openFolder(folder)).rejects.toMatchObject(heldBy('sqlitebrowser', 'browser'))
    expect(performance.now() - startedMs).toBeGreaterThan(4_500)
    expect(refusalOf(() => openStore(folder))).toMatchObject(heldBy('sqlitebrowser', 'browser'))
    const listed = await fitter(['job', 'list', '--data', folder], {})
    expect([listed.code, listed.stderr]).toEqual([
      5,
      expect.stringMatching(
        isLinux
          ? /^A database browser \(sqlitebrowser\) uses the data file\. Nothing was saved/
          : /^Another program, such as a backup/
      )
    ])
    await holder.release()
    expect(textsOf(keepStore(await openFolder(folder)))).toEqual(['before'])
  })

  it('leaves the thread free while a window opens its folder', async () => {
    const { folder, file } = usedFolder()
    await holdFile(file, { forMs: 3_000 })
    const host = openWorkplace({
      frontEnd: 'browser',
      dataFolder: folder,
      resourcesFolder: sourceResourcesFolder,
      openPage: () => Promise.resolve()
    })
    onTestFinished(() => host.stop())
    let longestMs = 0
    let lastMs = Infinity
    // Loading the program takes its time too; only what comes after it counts.
    await host.call('app.opening', {})
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs)
      lastMs = performance.now()
    }, 10)
    expect(await host.call('jobs.list', { search: '', limit: 5 })).toMatchObject({ ok: true })
    clearInterval(timer)
    expect(longestMs).toBeLessThan(1_500)
  })

  it('while Fitter writes is told after five seconds, then at once, and writing goes on by itself when the file is free', async () => {
    const { folder, file } = usedFolder()
    const store = keepStore(openStore(folder))
    const holder = await holdFile(file, { called: 'restic' })
    const tookMs = (work: () => unknown): number => {
      const startedMs = performance.now()
      expect(refusalOf(work)).toMatchObject(heldBy('restic', 'backup'))
      return performance.now() - startedMs
    }
    expect(tookMs(() => appendEntry(store, 'one', 'lost'))).toBeGreaterThan(4_500)
    expect([store.disk.standing(), store.disk.hasFailed()]).toEqual(['held', false])
    expect(tookMs(() => appendEntry(store, 'one', 'lost too'))).toBeLessThan(2_000)
    const usable = store.disk.usable(AbortSignal.timeout(30_000))
    await holder.release()
    await usable
    appendEntry(store, 'one', 'after')
    expect([textsOf(store), store.disk.standing()]).toEqual([['before', 'after'], 'usable'])
  })

  it('never keeps the thread from an output that may be on, and none is switched on late', async () => {
    const { folder, file } = usedFolder()
    const store = keepStore(openStore(folder))
    const row = {
      imei: '490154203237518',
      output: 'OUT1',
      path: 'local',
      vehicleId: null,
      address: '127.0.0.1:1',
      since: '2026-11-20T09:00:00.000Z',
      by: 'T',
      jobId: null
    } as const
    const id = store.outputLedger.begin(row)
    const holder = await holdFile(file)
    const tookMs = (work: () => unknown): number => {
      const startedMs = performance.now()
      expect(refusalOf(work)).toMatchObject({ code: 'DATA_LOCKED' })
      return performance.now() - startedMs
    }
    expect(tookMs(() => appendEntry(store, 'one', 'lost'))).toBeLessThan(2_000)
    await holder.release()
    await store.disk.usable(AbortSignal.timeout(30_000))
    store.outputLedger.end(id, { how: 'proved', by: 'T', reason: '', at: '2026-11-20T09:00:05.000Z' })
    const again = await holdFile(file)
    expect(tookMs(() => store.outputLedger.begin(row))).toBeLessThan(2_000)
    await again.release()
    expect(store.outputLedger.open()).toEqual([])
  })

  it('another Fitter is named as such at once, also while that program is there', async () => {
    const { folder, file } = usedFolder()
    const store = keepStore(openStore(folder))
    for (const hold of [false, true]) {
      const holder = hold ? await holdFile(file) : undefined
      const startedMs = performance.now()
      await expect(openFolder(folder)).rejects.toMatchObject({
        code: 'DATA_LOCKED',
        sentence: { id: 'store.usedByAnother' }
      })
      expect(performance.now() - startedMs).toBeLessThan(4_000)
      await holder?.release()
    }
    expect(textsOf(store)).toEqual(['before'])
  })
})

describe('a running job', () => {
  let yard: Awaited<ReturnType<typeof makeYard>>
  test(
    'waits while another program holds the data file for eight seconds, and goes on: no step fails, and nothing is lost',
    { ...limit, tags: ['long'] },
    async () => {
      yard = await makeYard()
      const folder = tempFolder()
      const id = await yard.newJob(folder)
      const file = join(folder, 'data', 'fitter.db')
      const run = yard.start(folder, ['job', 'run', id, '--answers', yard.answers(folder), '--profile', 'short-holds'])
      await run.saw(/network/i)
      for (const forMs of [2_000, 8_000]) {
        const holder = await holdFile(file, { forMs })
        await holder.ended
      }
      const ended = await run.ended
      const job = await yard.show(folder, id)
      const bad = job.steps
        .filter(({ state }) => !['pass', 'warn', 'skipped'].includes(state))
        .map(({ id: step, state, summary }) => [step, state, summary])
      expect([bad, ended.code, ended.stderr.includes('    at ')]).toEqual([[], 0, false])
      const again = job.steps.flatMap(({ id: step, attempts }) => (attempts === 1 ? [] : [[step, attempts]]))
      expect(again).toEqual([])
      const checked = await fitter(['data', 'check', '--data', join(folder, 'data')], {})
      expect(checked.code).toBe(0)
    }
  )
})

test('programs are named by what they do', () => {
  expect(
    ['clamscan', 'MsMpEng.exe', 'rsync', 'restic', 'sqlite3', 'DB Browser for SQLite', 'dropbox', 'vim'].map(kindOf)
  ).toEqual(['scanner', 'scanner', 'backup', 'backup', 'browser', 'browser', 'sync', 'other'])
})
