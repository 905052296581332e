import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from '@playwright/test'
import { sourceResourcesFolder } from '../../main/app/core.ts'
import { fillWithMadeUpJobs } from '../../main/job/training/madeUpJobs.ts'
import { startFitter } from '../world/window/fitterProcess.ts'
import { makeInstalledFolder } from '../world/window/installedFitter.ts'
import { sayRatio, summariseMs } from '../world/time/measure.ts'

/**
 * `npm run bench -- start [jobs] [rounds]`: from the start of the processes to the first usable screen, with 100,000
 * jobs in the log. Both sides start a server and a Chromium of their own in each round, at the same moment, as the
 * desktop window does; the other side's server has one page with one heading that a script puts there. Ours is `fitter
 * serve` of an installed Fitter: the built bundle in a folder without sources, started as its terminal command does,
 * without a compile cache, which no package has. It runs in Node on the stand-in for Electron, written as plain
 * JavaScript: what Electron itself takes to start is in neither side. The part of the server ends with its address,
 * while the core still opens the data; what the page waits for then is in its part.
 */
const jobs = Number(process.argv[2] ?? 100_000)
const rounds = Number(process.argv[3] ?? 9)
const goal = 1.25
const bareServer = `
const isScript = (url) => url === '/page.js'
require('node:http').createServer((request, response) => {
  response.writeHead(200, { 'Content-Type': isScript(request.url) ? 'text/javascript' : 'text/html', 'Cache-Control': 'no-store' })
  response.end(isScript(request.url) ? "document.querySelector('main').innerHTML = '<h1>x</h1>'" : '<!doctype html><script type="module" src="/page.js"></script><main></main>')
}).listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port + '/') })`

interface Server {
  url: string
  stop(): Promise<unknown>
}

const installed = await makeInstalledFolder()
const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-start-'))

async function startOurs(): Promise<Server> {
  const serving = startFitter(['serve', '--json', '--data', join(folder, 'data')], {
    env: { HOME: folder },
    starter: installed.starter
  })
  await serving.saw('"url"', 180_000)
  return {
    url: /"url":"([^"]+)"/.exec(serving.output())?.[1] ?? '',
    stop() {
      serving.kill('SIGTERM')
      return serving.ended
    }
  }
}

async function startBare(): Promise<Server> {
  const child = spawn(process.execPath, ['-e', bareServer], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url,
    stop() {
      child.kill('SIGTERM')
      return once(child, 'close')
    }
  }
}

const openBrowser = () =>
  chromium.launch({ executablePath: process.env['FITTER_CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })

async function show(page: Page, url: string): Promise<void> {
  // The very first start answers when it has brought the data to today's form.
  page.setDefaultTimeout(180_000)
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('main h1').first().waitFor()
}

/** Times of the parts of one start; whatever was started is ended after the measurement. */
const ends: (() => Promise<unknown>)[] = []
const parts: Record<'server' | 'page', { ours: number[]; other: number[] }> = {
  server: { ours: [], other: [] },
  page: { ours: [], other: [] }
}
async function begin(side: 'ours' | 'other', startServer: () => Promise<Server>): Promise<void> {
  const startedMs = performance.now()
  const opening = openBrowser().then(async (browser) => ({
    browser,
    page: await browser.newPage({ viewport: { width: 1280, height: 800 } })
  }))
  const server = await startServer()
  ends.push(server.stop)
  parts.server[side].push(performance.now() - startedMs)
  const { browser, page } = await opening
  ends.push(() => browser.close())
  const openedMs = performance.now()
  await show(page, server.url)
  parts.page[side].push(performance.now() - openedMs)
}

async function endAll(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()))
}

try {
  await fillWithMadeUpJobs(join(folder, 'data'), { jobs, resourcesFolder: sourceResourcesFolder })
  await begin('ours', startOurs)
  await begin('other', startBare)
  await endAll()
  for (const { ours, other } of Object.values(parts)) ours.length = other.length = 0
  const whole = { ours: [] as number[], other: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    // What one side started has ended before the other begins: a Chromium that still runs makes the next one slower.
    for (const [side, startServer] of [
      ['ours', startOurs],
      ['other', startBare]
    ] as const) {
      const startedMs = performance.now()
      await begin(side, startServer)
      whole[side].push(performance.now() - startedMs)
      await endAll()
    }
  }
  sayRatio(`start to first usable screen, ${jobs} jobs`, whole, goal)
  for (const [part, { ours, other }] of Object.entries(parts))
    process.stdout.write(
      `of it the ${part}: ${summariseMs(ours).medianMs.toFixed(0)} ms against ${summariseMs(other).medianMs.toFixed(0)} ms\n`
    )
} finally {
  await endAll()
  installed.remove()
  rmSync(folder, { recursive: true })
}
