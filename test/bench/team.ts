import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * npm run bench -- team [push|grown|list|live] [--quick]: the team log on a real server on this machine, against the
 * bare statements on the same rows, in turn in one run.
 */
const all = ['push', 'joining', 'grown', 'list', 'live']
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = wanted.filter((word) => !all.includes(word))

if (unknown.length > 0) {
  process.stderr.write(`Name one of: ${all.join(', ')}\n`)
  process.exitCode = 2
} else {
  for (const name of all) {
    const file = join(import.meta.dirname, 'team', `${name}.ts`)
    if ((wanted.length === 0 || wanted.includes(name)) && existsSync(file)) await import(pathToFileURL(file).href)
  }
}
