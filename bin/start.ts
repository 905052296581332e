import { spawn } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startBrowserHost, type BrowserHost } from '../main/app/browserHost/index.ts'
import { makeRedirectFile } from '../main/app/browserHost/redirectFile.ts'
import { hasDisplay, openWithSystem } from '../main/app/browserHost/systemOpener.ts'
import { findDataFolder } from '../main/app/dataFolder.ts'
import { endLimitMs, onEndSignal, onSuspendSignal } from '../main/app/endSignals.ts'
import { catchFaults } from '../main/app/lastResort.ts'
import { findOutsidePage } from '../main/base/page/outsidePages.ts'
import { AppError } from '../preload/contract/errors.ts'
import { findChromium, openAppWindow } from './appWindow.ts'
import { buildStale, projectFolder } from './build.ts'
import { chooseFrontEnd, type FrontEndChoice } from './frontEndChoice.ts'
import { fetchElectron, findElectron, reasonNotToFetch } from './electronBinary.ts'

const usage = `npm start [-- --training] [-- --browser] [-- --data DIR] [-- --port PORT]
  --training  begins in the training workplace, with simulated vehicles
  --browser   shows the UI in a browser even where Electron is there
  --data DIR  data folder of the browser's Fitter (the user's application data unless said)
  --port PORT port of the browser's address (any free one unless said)`

const ended = new AbortController()

interface Wishes {
  training: boolean
  browser: boolean
  data: string
  port: number
}

function readWishes(): Wishes | undefined {
  try {
    const { values } = parseArgs({
      options: {
        training: { type: 'boolean' },
        browser: { type: 'boolean' },
        data: { type: 'string' },
        port: { type: 'string' }
      }
    })
    const port = Number(values.port ?? 0)
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return undefined
    return {
      training: values.training ?? false,
      browser: values.browser ?? false,
      data: resolve(values.data ?? findDataFolder()),
      port
    }
  } catch {
    return undefined
  }
}

/** Electron's program, downloaded if needed; or, in one sentence, why the browser is used instead. */
async function prepareFrontEnd(wishes: Wishes): Promise<Exclude<FrontEndChoice, { kind: 'fetchFirst' }>> {
  const choice = chooseFrontEnd({
    wantsBrowser: wishes.browser,
    hasDisplay: hasDisplay(),
    isRootOnLinux: process.platform === 'linux' && process.getuid?.() === 0,
    electron: findElectron(projectFolder),
    reasonNotToFetch: reasonNotToFetch(projectFolder)
  })
  if (choice.kind !== 'fetchFirst') return choice
  console.log('Fetching Electron (at most 30 s) ...')
  const problem = await fetchElectron(projectFolder, ended.signal)
  const program = findElectron(projectFolder)
  if (program !== undefined) return { kind: 'window', program }
  return {
    kind: 'browser',
    sentence: `Electron could not be fetched (${problem ?? 'nothing came'}), so Fitter opens in a browser.`
  }
}

/** Runs the desktop window until it closes. Returns its exit code, or the reason why it did not start. */
function runElectron(program: string, training: boolean): Promise<number | string> {
  const startedMs = performance.now()
  return new Promise((done) => {
    const child = spawn(program, [projectFolder, ...(training ? ['--training'] : [])], { stdio: 'inherit' })
    ended.signal.addEventListener('abort', () => child.kill('SIGTERM'))
    child.on('error', (error) => done(error.message))
    child.on('exit', (code, signal) => {
      if (ended.signal.aborted) return done(0)
      // 127: a system library is missing. A signal right after the start: the system does not allow it to run.
      const isStillborn = performance.now() - startedMs < 10_000 && (code === 127 || signal !== null)
      done(isStillborn ? `it ended at once (${signal ?? code})` : (code ?? 70))
    })
  })
}

/** Serves the UI until it is asked to end. Returns the exit code. */
async function runInBrowser(wishes: Wishes, built: Promise<unknown>): Promise<number> {
  const { openWorkplace } = await import('../main/app/workplace.ts')
  const host = openWorkplace({
    dataFolder: wishes.data,
    frontEnd: 'browser',
    resourcesFolder: join(projectFolder, 'resources'),
    start: wishes.training ? 'training' : 'real',
    openPage: (page) => openWithSystem(findOutsidePage(page, [projectFolder, join(projectFolder, 'out')]))
  })
  const stopSuspending = onSuspendSignal(async () => sayLeft((await host.outputsOff())?.sentence))
  const stopFaults = catchFaults({ faulted: (error) => host.faulted(error), end: () => ended.abort() })
  try {
    await built
    const page = await startBrowserHost({
      host,
      rendererFolder: join(projectFolder, 'out', 'renderer'),
      port: wishes.port,
      keptIn: wishes.data
    })
    console.log(
      `\n  ${page.url}\n\nThis address works once, within five minutes. Enter gives another; Ctrl+C ends Fitter.`
    )
    if (process.stdin.isTTY) {
      createInterface({ input: process.stdin }).on('line', () => console.log(`\n  ${page.issueKey()}\n`))
    }
    if (!ended.signal.aborted) await showPage(page, join(dirname(wishes.data), 'browser'))
    if (!ended.signal.aborted) await new Promise((done) => ended.signal.addEventListener('abort', done))
    await page.stop()
    return 0
  } finally {
    stopFaults()
    sayLeft((await host.outputsOff())?.sentence)
    await host.stop()
    stopSuspending()
  }
}

/** The outputs that may still be on. */
function sayLeft(sentence: string | undefined): void {
  if (sentence !== undefined) console.error(sentence)
}

/** Opens the address in a browser; without a display the printed address must do. */
async function showPage(page: BrowserHost, profileFolder: string): Promise<void> {
  if (!hasDisplay()) return
  const redirect = makeRedirectFile(page.issueKey(() => redirect.remove()))
  ended.signal.addEventListener('abort', () => redirect.remove())
  const program = findChromium()
  if (program === undefined) {
    await openWithSystem(redirect.url).catch((error: unknown) =>
      console.log(error instanceof Error ? error.message : error)
    )
    return
  }
  const startedMs = performance.now()
  const window = openAppWindow(program, redirect.url, profileFolder)
  ended.signal.addEventListener('abort', () => window.kill())
  window.on('error', (error) =>
    console.log(`${program} did not start (${error.message}): open the address above by hand.`)
  )
  window.on('exit', (code) => {
    if (ended.signal.aborted) return
    if (code === 0 && performance.now() - startedMs > 3_000) ended.abort()
    else console.log(`${program} did not stay open: open the address above by hand.`)
  })
}

async function start(wishes: Wishes): Promise<number> {
  const startedMs = performance.now()
  // Both front ends need the page, and a failed download must not add its time to the build: run them in parallel.
  const page = buildStale(['renderer', 'sealPage', 'licences'])
  page.catch(() => undefined) // awaited below; until then a rejection has no handler
  const choice = await prepareFrontEnd(wishes)
  if (choice.kind === 'window') {
    await Promise.all([page, buildStale(['main', 'preload'])])
    console.log(`Built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s. Starting the window.`)
    const outcome = await runElectron(choice.program, wishes.training)
    if (typeof outcome === 'number') return outcome
    console.log(`Electron could not be started (${outcome}), so Fitter opens in a browser.`)
  } else console.log(choice.sentence)
  return runInBrowser(wishes, page)
}

onEndSignal(() => {
  ended.abort()
  setTimeout(() => process.exit(1), endLimitMs).unref()
})

const wishes = readWishes()
if (wishes === undefined) {
  console.error(usage)
  process.exit(2)
}
try {
  process.exit(await start(wishes))
} catch (error) {
  if (!(error instanceof AppError)) throw error
  console.error(error.message)
  process.exit(error.code === 'DATA_LOCKED' || error.code === 'DATA_UNUSABLE' ? 5 : 1)
}
