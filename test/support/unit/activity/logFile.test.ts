import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogEntry } from '../../../../preload/contract/app/activity.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { createLogFile, readLogFolder, type LogDisk } from '../../../../main/support/activity/logFile.ts'
import { appendFile, mkdir, rename, stat } from 'node:fs/promises'
import { tempFolder } from '../../../world/tempFolder.ts'

const entry = (text: string, own: Partial<LogEntry> = {}): Omit<LogEntry, 'n'> => ({
  at: '2026-11-27T09:00:00.000Z',
  level: 'info',
  topic: 'app',
  text: plainMessage(text),
  detail: null,
  kind: null,
  place: null,
  ...own
})
const words = (entries: readonly LogEntry[]): unknown[] => entries.map(({ text }) => text.values['text'])

test('each entry is one line, whatever its text contains', async () => {
  const folder = join(tempFolder(), 'log')
  const file = createLogFile({ folder })
  const forged =
    'done\n{"n":99,"at":"2026-11-27T09:00:00.000Z","level":"error","topic":"app","text":{"id":"plain.text","values":{"text":"forged"}},"detail":null,"kind":null,"place":null}\r\n\u2028\u0000'
  file.add(entry(forged))
  file.add(entry('second'))
  await file.close()
  const lines = readFileSync(join(folder, 'fitter.jsonl'), 'utf8').split('\n')
  expect(lines).toHaveLength(3)
  expect(lines.at(-1)).toBe('')
  expect(words(await readLogFolder(folder))).toEqual([forged, 'second'])
})

test('a flood stays within its files, keeps the latest entries, and says how many were left out', async () => {
  const folder = join(tempFolder(), 'log')
  const file = createLogFile({ folder, limits: { fileBytes: 20_000, files: 3, waiting: 1_000 } })
  for (let round = 0; round < 20; round++) {
    for (let n = 0; n < 5_000; n++) file.add(entry(`entry ${round} ${n}`))
    await file.flush()
  }
  expect(file.takeLeftOut()).toBeGreaterThan(50_000)
  await file.close()
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  expect(sizes.length).toBeLessThanOrEqual(3)
  for (const size of sizes) expect(size).toBeLessThanOrEqual(20_000)
  const left = await file.read()
  expect(words(left).at(-1)).toBe('entry 19 4999')
  expect(left.map(({ n }) => n)).toEqual(left.map(({ n }) => n).toSorted((a, b) => a - b))
})

test('files rotate: the newest lines are in the first, and numbers go on after a restart', async () => {
  const folder = join(tempFolder(), 'log')
  const open = () => createLogFile({ folder, limits: { fileBytes: 2_000, files: 3 } })
  let file = open()
  for (let n = 1; n <= 60; n++) {
    file.add(entry(`entry ${n}`))
    await file.flush()
  }
  await file.close()
  expect(readdirSync(folder).sort()).toEqual(['fitter.1.jsonl', 'fitter.2.jsonl', 'fitter.jsonl'])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(2_000)
  file = open()
  expect(file.add(entry('after the restart')).n).toBe(61)
  await file.close()
  const all = await readLogFolder(folder, 3)
  expect(words(all).at(-1)).toBe('after the restart')
  expect(words(all)).not.toContain('entry 1')
})

test('a line that was cut or changed does not hide the others', async () => {
  const folder = join(tempFolder(), 'log')
  const file = createLogFile({ folder })
  file.add(entry('whole'))
  await file.close()
  writeFileSync(
    join(folder, 'fitter.jsonl'),
    `${readFileSync(join(folder, 'fitter.jsonl'), 'utf8')}{"n":2,"at":"20\nnot json\n{"n":"3"}\n`
  )
  expect(words(await readLogFolder(folder))).toEqual(['whole'])
})

test('a folder that cannot be written hurts nobody: the latest entries are there, and the reason is known', async () => {
  const parent = tempFolder()
  const inTheWay = join(parent, 'log')
  writeFileSync(inTheWay, 'a file where the folder should be')
  const file = createLogFile({ folder: inTheWay })
  file.add(entry('kept in memory'))
  await file.flush()
  expect(file.problem()).toMatch(/EEXIST|ENOTDIR/)
  expect(words(await file.read())).toEqual(['kept in memory'])
  await file.close()
  expect(existsSync(inTheWay)).toBe(true)
})

test.each(['append', 'rename'] as const)(
  'a disk that is full at %s loses nothing that fits into memory, and writing goes on when there is room',
  async (failing) => {
    const folder = join(tempFolder(), 'log')
    let isFull = false
    const refuse = (): Promise<never> => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
    const disk: LogDisk = {
      makeFolder: (path) => mkdir(path, { recursive: true }),
      append: (path, text) => (isFull && failing === 'append' ? refuse() : appendFile(path, text)),
      sizeOf: (path) =>
        stat(path).then(
          ({ size }) => size,
          () => 0
        ),
      rename: (from, to) => (isFull && failing === 'rename' ? refuse() : rename(from, to))
    }
    const file = createLogFile({ folder, disk, limits: { fileBytes: 300, files: 3 } })
    file.add(entry('before'))
    await file.flush()
    isFull = true
    file.add(entry('while full'))
    await file.flush()
    expect(file.problem()).toBe('ENOSPC')
    expect(words(await file.read())).toEqual(['before', 'while full'])
    isFull = false
    file.add(entry('after'))
    await file.flush()
    expect(file.problem()).toBeNull()
    await file.close()
    expect(words(await readLogFolder(folder, 3))).toEqual(['before', 'while full', 'after'])
  }
)

test('a very long entry keeps its line, without its values', async () => {
  const folder = join(tempFolder(), 'log')
  mkdirSync(folder)
  const file = createLogFile({ folder })
  file.add(entry('x'.repeat(100_000)))
  await file.close()
  expect(statSync(join(folder, 'fitter.jsonl')).size).toBeLessThan(8_100)
  expect(await readLogFolder(folder)).toMatchObject([{ n: 1, text: { id: 'plain.text' } }])
})
