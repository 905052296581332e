import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { chromium, type Page } from '@playwright/test'
import { makeFirstVersionData } from '../support/firstVersion.ts'
import { startFitter, type Running } from '../support/fitterProcess.ts'
import { alternate, sayRatio, summariseMs } from '../support/measure.ts'

/**
 * npm run bench -- window [--quick]: the screens in a browser with 100,000 jobs (5,000) in the log. The bare page is one
 * heading that a script puts there, from a server on this computer; both are opened in turn, after the browser is warm.
 */
const isQuick = process.argv.includes('--quick')
const jobs = isQuick ? 5_000 : 100_000
const rounds = isQuick ? 7 : 15
const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-window-'))
const say = (text: string) => process.stdout.write(`${text}\n`)

/** How long each frame takes while the list, where there is one, is scrolled. */
async function countFrames(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const box = document.querySelector('[role="table"]')
        const frames: number[] = []
        let last = performance.now()
        const step = (now: number): void => {
          frames.push(now - last)
          last = now
          box?.scrollBy(0, 40)
          if (frames.length < 300) requestAnimationFrame(step)
          else resolve(frames.slice(1))
        }
        requestAnimationFrame(step)
      })
  )
}

const barePages = createServer((request, response) => {
  const isScript = request.url === '/page.js'
  response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html', 'Cache-Control': 'no-store' })
  response.end(isScript ? "document.querySelector('main').innerHTML = '<h1>x</h1>'" : '<!doctype html><script type="module" src="/page.js"></script><main></main>')
})

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('main h1').first().waitFor()
}

let serving: Running | undefined

try {
  say(`Making ${jobs} jobs …`)
  makeFirstVersionData(join(folder, 'data'), { jobs, entries: 1 })
  await new Promise<void>((resolve) => barePages.listen(0, '127.0.0.1', resolve))
  const bareUrl = `http://127.0.0.1:${String((barePages.address() as AddressInfo).port)}/`
  serving = startFitter(['serve', '--json', '--data', join(folder, 'data')], { env: { HOME: folder } })
  await serving.saw('"url"', 180_000)
  const entry = /"url":"([^"]+)"/.exec(serving.output())?.[1] ?? ''
  const browser = await chromium.launch({ executablePath: process.env['FITTER_CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const bare = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await openPage(page, entry)
  await openPage(bare, bareUrl)
  // The key is spent; from here on the page's own address is opened, as a reload does.
  const url = new URL(page.url()).origin
  sayRatio('first usable screen, against a bare page', await alternate(rounds, () => openPage(page, url), () => openPage(bare, bareUrl)), 1.25)
  const opened: number[] = []
  for (let round = 0; round < rounds; round++) {
    await page.evaluate(() => (location.hash = '#/start'))
    await page.locator('main .today').waitFor()
    const started = performance.now()
    await page.evaluate(() => (location.hash = '#/jobs'))
    await page.locator('[role="rowgroup"] [role="row"]').first().waitFor()
    opened.push(performance.now() - started)
  }
  say(`Jobs screen usable: ${summariseMs(opened).medianMs.toFixed(0)} ms, the first time ${(opened[0] ?? 0).toFixed(0)}, goal 300`)
  say(`it says: ${await page.locator('main [role="status"]').first().innerText()}`)
  await bare.bringToFront()
  const idle = summariseMs(await countFrames(bare))
  await page.bringToFront()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const workedMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const parts = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']
    return metrics.filter(({ name }) => parts.includes(name)).reduce((sum, { value }) => sum + value * 1000, 0)
  }
  const before = await workedMs()
  const times = await countFrames(page)
  const perFrameMs = ((await workedMs()) - before) / times.length
  const frames = summariseMs(times)
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
  say(`scrolled: p95 of a frame ${frames.p95Ms.toFixed(1)} ms (a page that does nothing ${idle.p95Ms.toFixed(1)}), goal 16.7, of it our own script, style and layout ${perFrameMs.toFixed(1)} ms on average; ${nodes} elements, goal 3000; heap ${(usedSize / 1e6).toFixed(1)} MB, goal 60`)
  await browser.close()
} finally {
  barePages.close()
  barePages.closeAllConnections()
  serving?.kill('SIGTERM')
  await serving?.ended
  rmSync(folder, { recursive: true })
}
