import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: projectFolder }).map((name) => ({
  name,
  text: readFileSync(join(projectFolder, name), 'utf8')
}))

/** The anchor that a heading gets where the repository is shown. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

function anchorsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

test('every page opens with what its reader will be able to do', () => {
  const withoutOpening = pages.filter(
    ({ name, text }) =>
      name !== 'CODE_OF_CONDUCT.md' &&
      !name.startsWith('docs/guide/') &&
      !/^# .+\n\n(.*\n){0,2}?.*After reading this page (you|an administrator) /.test(text)
  )
  expect(withoutOpening.map(({ name }) => name)).toEqual([])
})

test('every link of the documents leads to a file and a heading that exist', () => {
  const broken: string[] = []
  for (const { name, text } of pages) {
    for (const [, target = ''] of text.replace(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? join(projectFolder, name) : join(projectFolder, dirname(name), path)
      if (!existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor)))
        broken.push(`${name}: ${target}`)
    }
  }
  expect(broken).toEqual([])
})

test('every file of the project that a document names exists', () => {
  const missing: string[] = []
  for (const { name, text } of pages) {
    // What a recipe creates is not there yet; a package has a folder of this name.
    const here = text
      .replace(/```[\s\S]*?```/g, '')
      .replace(/^Create `.+$/gm, '')
      .replace('`resources/terminal`', '')
    for (const [, path = ''] of here.matchAll(
      /`((?:main|preload|renderer|simulator|resources|test|bin|docs|demo)\/[\w./-]+)`/g
    )) {
      if (!existsSync(join(projectFolder, path)) && !existsSync(join(projectFolder, `${path}.ts`)))
        missing.push(`${name}: ${path}`)
    }
  }
  expect(missing).toEqual([])
})

test('the README asks for the Node that the package asks for', () => {
  const { engines } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
    engines: { node: string }
  }
  const [, oldest] = /you need Node (\d+) or newer/.exec(readFileSync(join(projectFolder, 'README.md'), 'utf8')) ?? []
  expect(engines.node).toBe(`>=${oldest}`)
})

test('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, script = '']) => ({ name, script }))
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ script }) => !(script in scripts))).toEqual([])
})

test('what the editor starts exists, and so does every script of the workflows', () => {
  const launch = readFileSync(join(projectFolder, '.vscode', 'launch.json'), 'utf8')
  const programs = [...launch.matchAll(/"program": "\$\{workspaceFolder\}\/([^"]+)"/g)].map(([, file = '']) => file)
  expect(programs.length).toBeGreaterThan(1)
  expect(programs.filter((file) => !existsSync(join(projectFolder, file)))).toEqual([])
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { scripts: object }
  const folder = join(projectFolder, '.github', 'workflows')
  const used = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\bnpm run ([\w:]+)/g)].map(([, script = '']) => script)
  )
  expect(used.filter((script) => !(script in scripts))).toEqual([])
})
