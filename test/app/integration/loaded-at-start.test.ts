import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { buildStale, projectFolder } from '../../../bin/build.ts'

/** Of the built bundle: what is loaded before anything is asked of Fitter decides how long every start takes. */
const folder = join(projectFolder, 'out', 'main')
beforeAll(() => buildStale(['main']), 900_000)

/** A file of the bundle and all that it imports by itself, and not later. */
function loadedWith(name: string, found = new Set<string>()): Set<string> {
  const file =
    readdirSync(folder).find((one) => one.endsWith('.mjs') && one.replace(/-[\w-]{8}\.mjs$|\.mjs$/, '') === name) ??
    expect.fail(`The bundle has no ${name}.`)
  addImports(file, found)
  return found
}

function addImports(file: string, found: Set<string>): void {
  if (found.has(file)) return
  found.add(file)
  for (const [, next = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
    /(?:^|[;}\n])(?:import|export)(?:[^;'"()]*?from)?\s*"\.\/([\w.-]+\.mjs)"/g
  ))
    addImports(next, found)
}

/** The packages whose code is in these files; a file that the builder made up has no sources. */
function packagesOf(files: Set<string>): string[] {
  const maps = [...files].map((file) => join(folder, `${file}.map`)).filter((map) => existsSync(map))
  const sources = maps.flatMap((map) => (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources)
  return [...new Set(sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []))].sort()
}

it('listens before the core is loaded: its schemas, its data file and the connections come after the address', () => {
  const packages = packagesOf(loadedWith('serve'))
  expect(packages).toContain('ws')
  expect(packages.filter((name) => name !== 'ws')).toEqual([])
})

it('loads neither the client of HTTP nor that of PostgreSQL before something has to be sent', () => {
  const packages = packagesOf(loadedWith('openedWorkplace'))
  expect(packages).toContain('zod')
  expect(packages.filter((name) => /^(axios|form-data|follow-redirects|mime-db|pg|pg-.*)$/.test(name))).toEqual([])
})

it('never imports the HTTP of Node as a module, which would load its fetch too', () => {
  const importing = readdirSync(folder).filter(
    (file) => file.endsWith('.mjs') && /from\s*["']node:http["']/.test(readFileSync(join(folder, file), 'utf8'))
  )
  expect(importing).toEqual([])
})
