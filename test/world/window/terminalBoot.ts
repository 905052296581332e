import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * Runs a built main bundle as its packaged terminal command does, on the stand-in for Electron: the bundle, then the
 * command line.
 */

const standIn = new URL('./electron/electronStandIn.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context)
})
const { journal } = await import('./electron/electronStandIn.ts')
const [, , bundle = '', ...args] = process.argv
process.argv = [process.execPath, '--terminal', '--', ...args]

process.on('exit', () => {
  if (journal.length > 0)
    process.stderr.write(`Electron was asked for: ${journal.map(({ step }) => step).join(', ')}\n`)
})
await import(pathToFileURL(bundle).href)
