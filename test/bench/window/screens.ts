import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { chromium, type Page } from '@playwright/test'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { fillWithMadeUpJobs } from '../../../main/job/training/madeUpJobs.ts'
import { startFitter, type Running } from '../../world/window/fitterProcess.ts'
import { alternate, sayRatio, summariseMs } from '../../world/time/measure.ts'
import { markFirstScreen, scriptsOfFirstScreen } from '../../world/window/loadedScripts.ts'

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
  response.end(
    isScript
      ? "document.querySelector('main').innerHTML = '<h1>x</h1>'"
      : '<!doctype html><script type="module" src="/page.js"></script><main></main>'
  )
})

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('main h1').first().waitFor()
}

/** What script the first screen needs, and which of the large libraries are in it. */
async function sayFirstLoad(page: Page, url: string, say: (text: string) => void): Promise<void> {
  await markFirstScreen(page)
  await openPage(page, url)
  await page.waitForLoadState('networkidle')
  const scripts = await scriptsOfFirstScreen(page)
  const kB = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`
  const sum = scripts.reduce((total, { gzipBytes }) => total + gzipBytes, 0)
  const libraries = scripts.flatMap(({ holds }) => holds)
  say(
    `first JavaScript: ${kB(sum)} gzip, goal 200 kB${sum <= 200_000 ? '' : '  MISSED'}: ${scripts.map(({ name, gzipBytes }) => `${name} ${kB(gzipBytes)}`).join(', ')}; ${libraries.length === 0 ? 'no charts, maps or barcodes in it' : `with ${libraries.join(', ')}  MISSED`}`
  )
}

export interface ScreensBench {
  /** Jobs in the log. */
  jobs: number
  rounds: number
  say(text: string): void
}

/**
 * The screens in a browser with many jobs in the log. The bare page is one heading that a script puts there, from a
 * server on this computer; both are opened in turn, after the browser is warm.
 */
export async function benchScreens({ jobs, rounds, say }: ScreensBench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-window-'))
  let serving: Running | undefined

  try {
    say(`Making ${jobs} jobs …`)
    await fillWithMadeUpJobs(join(folder, 'data'), { jobs, resourcesFolder: sourceResourcesFolder })
    await new Promise<void>((resolve) => barePages.listen(0, '127.0.0.1', resolve))
    const bareUrl = `http://127.0.0.1:${String((barePages.address() as AddressInfo).port)}/`
    serving = startFitter(['serve', '--json', '--data', join(folder, 'data')], { env: { HOME: folder } })
    await serving.saw('"url"', 180_000)
    const entry = /"url":"([^"]+)"/.exec(serving.output())?.[1] ?? ''
    const browser = await chromium.launch({
      executablePath: process.env['FITTER_CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox']
    })
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const bare = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await openPage(page, entry)
    await openPage(bare, bareUrl)
    // The key is spent; from here on the page's own address is opened, as a reload does.
    const url = new URL(page.url()).origin
    await sayFirstLoad(page, url, say)
    sayRatio(
      'first usable screen, against a bare page',
      await alternate(
        rounds,
        () => openPage(page, url),
        () => openPage(bare, bareUrl)
      ),
      1.25
    )
    const opened: number[] = []
    for (let round = 0; round < rounds; round++) {
      await page.evaluate(() => (location.hash = '#/start'))
      await page.locator('main .today').waitFor()
      const started = performance.now()
      await page.evaluate(() => (location.hash = '#/jobs'))
      await page.locator('[role="rowgroup"] [role="row"]').first().waitFor()
      opened.push(performance.now() - started)
    }
    say(
      `Jobs screen usable: ${summariseMs(opened).medianMs.toFixed(0)} ms, the first time ${(opened[0] ?? 0).toFixed(0)}, goal 300`
    )
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
    say(
      `scrolled: p95 of a frame ${frames.p95Ms.toFixed(1)} ms (a page that does nothing ${idle.p95Ms.toFixed(1)}), goal 16.7, of it our own script, style and layout ${perFrameMs.toFixed(1)} ms on average; ${nodes} elements, goal 3000; heap ${(usedSize / 1e6).toFixed(1)} MB, goal 60`
    )
    await browser.close()
  } finally {
    barePages.close()
    barePages.closeAllConnections()
    serving?.kill('SIGTERM')
    await serving?.ended
    rmSync(folder, { recursive: true })
  }
}
