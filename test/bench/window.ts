import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { makeFirstVersionData } from '../support/firstVersion.ts'
import { startFitter, type Running } from '../support/fitterProcess.ts'
import { summariseMs } from '../support/measure.ts'

/** npm run bench -- window [--quick]: the screens in a browser with 100,000 jobs (5,000) in the log. */
const jobs = process.argv.includes('--quick') ? 5_000 : 100_000
const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-window-'))
const say = (text: string) => process.stdout.write(`${text}\n`)

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

let serving: Running | undefined

try {
  say(`Making ${jobs} jobs …`)
  makeFirstVersionData(join(folder, 'data'), { jobs, entries: 1 })
  serving = startFitter(['serve', '--json', '--data', join(folder, 'data')], { env: { HOME: folder } })
  await serving.saw('"url"', 180_000)
  const url = /"url":"([^"]+)"/.exec(serving.output())?.[1] ?? ''
  const browser = await chromium.launch({ executablePath: process.env['FITTER_CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const started = performance.now()
  await page.goto(url)
  await page.locator('main h1').first().waitFor()
  const firstMs = performance.now() - started
  const bare = await browser.newPage()
  const bareStarted = performance.now()
  await bare.goto('data:text/html,<main><h1>x</h1></main>')
  await bare.locator('main h1').first().waitFor()
  say(`first usable screen: ${firstMs.toFixed(0)} ms, a bare page ${(performance.now() - bareStarted).toFixed(0)} ms`)
  const opened = performance.now()
  await page.evaluate(() => (location.hash = '#/jobs'))
  await page.locator('[role="rowgroup"] [role="row"]').first().waitFor()
  say(`Jobs screen usable: ${(performance.now() - opened).toFixed(0)} ms, goal 300`)
  say(`it says: ${await page.locator('main [role="status"]').first().innerText()}`)
  const frames = summariseMs(await countFrames(page))
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
  say(`scrolled: p95 of a frame ${frames.p95Ms.toFixed(1)} ms, goal 16.7; ${nodes} elements, goal 3000; heap ${(usedSize / 1e6).toFixed(1)} MB, goal 60`)
  await browser.close()
} finally {
  serving?.kill('SIGTERM')
  await serving?.ended
  rmSync(folder, { recursive: true })
}
