import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogEntry } from '../../../preload/contract/app/activity.ts'
import { message } from '../../../preload/contract/messages.ts'
import { createLogFile, logFolderName } from '../../../main/support/activity/logFile.ts'
import { createCore, sourceResourcesFolder } from '../../../main/app/core.ts'
import { startFitter } from '../../world/window/fitterProcess.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const limitMs = 60_000

function write(folder: string, entries: Partial<LogEntry>[]) {
  const file = createLogFile({ folder: join(folder, logFolderName) })
  for (const own of entries)
    file.add({
      at: '2026-11-27T09:00:00.000Z',
      level: 'info',
      topic: 'app',
      text: message('activity.started', { version: '9.9' }),
      detail: null,
      kind: null,
      place: null,
      ...own
    })
  return file
}

async function logs(folder: string, ...more: string[]) {
  const fitter = startFitter(['logs', '--data', folder, ...more])
  const { code } = await fitter.ended
  return { code, output: fitter.output() }
}

test(
  'fitter logs shows the log of a folder that a window has open, by topic and level',
  { timeout: limitMs },
  async () => {
    const folder = tempFolder()
    const file = write(folder, [
      {},
      { topic: 'data', text: message('activity.backupMade') },
      { topic: 'data', level: 'warning', text: message('activity.leftOut', { n: 3 }) }
    ])
    await file.flush()
    const all = await logs(folder)
    expect(
      all.output
        .trim()
        .split('\n')
        .map((line) => line.replace(/^\S+ +/, ''))
    ).toEqual([
      'info     app      Fitter 9.9 started',
      'info     data     Backup made',
      'warning  data     3 entries were left out: too many at once'
    ])
    expect(
      (await logs(folder, '--topic', 'data', '--level', 'warning', '--json')).output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
    ).toMatchObject([
      { n: 3, level: 'warning', topic: 'data', text: '3 entries were left out: too many at once', kind: null }
    ])
    expect((await logs(folder, '--limit', '1')).output).toMatch(/^\S+ +warning/)
    expect((await logs(folder, '--level', 'loud')).code).toBe(2)
    await file.close()
  }
)

test(
  'fitter logs --follow shows what is written meanwhile, and ends when it is stopped',
  { timeout: limitMs },
  async () => {
    const folder = tempFolder()
    const file = write(folder, [{}])
    await file.flush()
    const fitter = startFitter(['logs', '--data', folder, '--follow'])
    await fitter.saw('Fitter 9.9 started', limitMs)
    file.add({
      at: '2026-11-27T09:00:01.000Z',
      level: 'info',
      topic: 'data',
      text: message('activity.backupMade'),
      detail: null,
      kind: 'backupMade',
      place: null
    })
    await file.flush()
    await fitter.saw('Backup made', limitMs)
    fitter.kill('SIGINT')
    expect((await fitter.ended).code).toBe(0)
    await file.close()
  }
)

test('a window writes the log of its data folder, a command does not', { timeout: limitMs }, async () => {
  const open = (background: boolean) => {
    const dataFolder = tempFolder()
    const core = createCore({
      dataFolder,
      resourcesFolder: sourceResourcesFolder,
      inMemorySecrets: true,
      interfaces: () => ({}),
      background,
      reportFault: (error) => void expect.unreachable(String(error))
    })
    return { core, dataFolder }
  }
  const read = async ({ core }: ReturnType<typeof open>) =>
    (
      await core.activity.handlers['activity.log'](
        { level: 'debug', topic: null, search: '', limit: 100 },
        new AbortController().signal
      )
    ).entries.map(({ text }) => text.id)
  const window = open(true)
  window.core.activity.noteFault(new Error('broken'))
  await window.core.stop()
  // A late fault of background work must not become another one.
  expect(() => window.core.activity.noteFault(new Error('late'))).not.toThrow()
  const again = createLogFile({ folder: join(window.dataFolder, logFolderName) })
  expect((await again.read()).map(({ text }) => text.id)).toEqual(
    expect.arrayContaining(['activity.started', 'activity.fault'])
  )
  await again.close()
  const command = open(false)
  expect(await read(command)).toContain('activity.started')
  await command.core.stop()
  const none = createLogFile({ folder: join(command.dataFolder, logFolderName) })
  expect(await none.read()).toEqual([])
  await none.close()
})
