import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

const architecture = readFileSync(join(projectFolder, 'docs', 'architecture.md'), 'utf8')
const wings = [...architecture.matchAll(/^\| `(\w+)` +\|/gm)].map(([, wing = '']) => wing)
const foldersIn = (folder: string): string[] =>
  readdirSync(join(projectFolder, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : []
  )

test('the picture of the architecture shows the wings in the order of its table', () => {
  const picture = /```mermaid\n(.*?)```/s.exec(architecture)?.[1] ?? ''
  const arrows = [...picture.matchAll(/^ *(\w+)\[.*--> (\w+)/gm)].map(([, from, to]) => [from, to])
  expect(arrows).toEqual(wings.slice(1).map((wing, above) => [wings[above], wing]))
})

describe('each floor has no folder but the wings', () => {
  test.each<[floor: string, others: string[]]>([
    ['main', []],
    ['preload/contract', []],
    ['renderer', ['public']],
    ['resources/messages/en', []],
    ['resources/messages/es', []],
    ['test', ['bench', 'docs', 'e2e', 'looks', 'project', 'proof', 'world']]
  ])('%s', (floor, others) => {
    expect(foldersIn(floor).filter((folder) => !wings.includes(folder) && !others.includes(folder))).toEqual([])
  })
})

test.each(wings)('main/%s has a page at its door, which names each of its rooms', (wing) => {
  const page = readFileSync(join(projectFolder, 'main', wing, 'README.md'), 'utf8')
  const rooms = [...page.matchAll(/^- `(\w+)\/`/gm)].map(([, room]) => room)
  expect(rooms.sort()).toEqual(foldersIn(`main/${wing}`).sort())
  expect(page.split('\n').length).toBeLessThanOrEqual(31)
})
