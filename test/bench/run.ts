import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// npm run bench -- NAME [options]: runs test/bench/NAME.ts
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3))
const [name, ...options] = process.argv.slice(2)

if (!name || !names.includes(name)) {
  process.stderr.write(`Name one of: ${names.join(', ')}\n`)
  process.exitCode = 2
} else {
  process.argv.splice(2, Infinity, ...options)
  await import(pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href)
}
