import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { projectFolder } from './build.ts'
import { startDevFront } from './devFront.ts'
import { writeMessageTypes } from './messageTypes.ts'

const usage = `npm run dev [-- --training] [-- --data DIR] [-- --port PORT] [-- --inspect[=PORT]]
  A changed file of the page is replaced in the open page; a changed file of the core starts the core again, with its data.
  --training        begins in the training workplace, with simulated vehicles
  --data DIR        data folder (out/dev-data unless said)
  --port PORT       port of the address (any free one unless said)
  --inspect[=PORT]  a debugger can attach to the core`

interface Ready {
  url: string
  port: number
}

function readWishes() {
  const parameters = process.argv.slice(2)
  const inspect = parameters.filter((one) => /^--inspect(-brk)?(=[\w.:]+)?$/.test(one))
  try {
    const { values } = parseArgs({
      args: parameters.filter((one) => !inspect.includes(one)),
      options: { training: { type: 'boolean' }, data: { type: 'string' }, port: { type: 'string' } }
    })
    const port = Number(values.port ?? 0)
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return undefined
    return {
      inspect,
      port,
      start: values.training ? 'training' : 'real',
      data: resolve(values.data ?? join(projectFolder, 'out', 'dev-data'))
    }
  } catch {
    return undefined
  }
}

const wishes = readWishes()
if (wishes === undefined) {
  console.error(usage)
  process.exit(2)
}
const { inspect, data, start } = wishes
writeMessageTypes()
// In a process of its own: a build makes the whole process one of production, without hot replacement.
const build = spawnSync(process.execPath, [join(projectFolder, 'bin', 'build.ts'), 'sealPage', 'licences'], {
  stdio: 'inherit'
})
if (build.status !== 0) process.exit(1)
const front = await startDevFront(wishes.port)

let core: ChildProcess | undefined
let corePort = 0
let isEnding = false
let hasChanged = false

/** Starts the core, and again whenever it ended for a change. */
function startCore(): void {
  hasChanged = false
  const script = join(projectFolder, 'bin', 'devCore.ts')
  const child = spawn(process.execPath, [...inspect, script, data, String(corePort), start], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  core = child
  child.on('message', ({ url, port }: Ready) => {
    corePort = port
    console.log(`\n  ${front.lead(url, port)}\n`)
  })
  child.on('exit', (code) => {
    core = undefined
    front.coreEnded()
    if (isEnding) process.exit(code ?? 0)
    if (hasChanged) startCore()
    else console.log(`The core ended (${code ?? 'by a signal'}). It starts again after the next change.`)
  })
}

function restartCore(name: string): void {
  if (hasChanged) return
  hasChanged = true
  console.log(`${name} changed: the core starts again.`)
  if (core) core.kill('SIGTERM')
  else startCore()
}

let timer: NodeJS.Timeout | undefined
for (const folder of ['main', 'preload', 'simulator', 'resources']) {
  watch(join(projectFolder, folder), { recursive: true }, (_event, file) => {
    if (file === null || !/\.(ts|json|js)$/.test(file)) return
    clearTimeout(timer)
    // An editor writes a file in several steps.
    timer = setTimeout(() => {
      if (folder === 'resources') writeMessageTypes()
      restartCore(join(folder, file))
    }, 100)
  })
}

function end(): void {
  if (isEnding) process.exit(1)
  isEnding = true
  void front.stop()
  if (core) core.kill('SIGTERM')
  else process.exit(0)
}
process.on('SIGINT', end)
process.on('SIGTERM', end)
if (process.stdin.isTTY) createInterface({ input: process.stdin }).on('line', () => core?.send('another address'))
console.log('The address works once, within five minutes. Enter gives another; Ctrl+C ends Fitter.')
startCore()
