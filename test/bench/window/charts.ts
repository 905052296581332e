import { chromium, type CDPSession, type Page } from '@playwright/test'
import { serveChartPage } from '../../world/window/chartPage.ts'
import { summariseMs } from '../../world/time/measure.ts'
import { countFrames, shareBelow, type Frames } from './frames.ts'

export interface ChartBench {
  /** How long the heap is watched. */
  heapMinutes: number
  framesSeconds: number
  rounds: number
  say(text: string): void
}

const frameMs = 1_000 / 60

async function heapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
  return usedSize / 1e6
}

/** Ten charts at 10 Hz with 24 h of history and a map with 5,000 places, against the same page without them. */
export async function benchCharts({ heapMinutes, framesSeconds, rounds, say }: ChartBench): Promise<void> {
  const served = await serveChartPage()
  const browser = await chromium.launch({
    executablePath: process.env['FITTER_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox']
  })
  try {
    const open = async (query: string): Promise<Page> => {
      const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } })
      await page.goto(`${served.url}${query}`)
      await page.locator('main').waitFor()
      return page
    }
    const busy = await open('?charts=10&hz=10&hours=24&places=5000')
    await busy.locator('canvas').nth(9).waitFor()
    const idle = await open('?charts=0&places=0')
    const ours: Frames = { apartMs: [], workMs: [] }
    const other: Frames = { apartMs: [], workMs: [] }
    for (let round = 0; round < rounds; round += 1) {
      for (const [page, frames] of [
        [busy, ours],
        [idle, other]
      ] as const) {
        await page.bringToFront()
        const counted = await countFrames(page, framesSeconds)
        frames.apartMs.push(...counted.apartMs)
        frames.workMs.push(...counted.workMs)
      }
    }
    const tell = (name: string, { apartMs, workMs }: Frames): void => {
      const { medianMs, p95Ms } = summariseMs(workMs)
      const share = shareBelow(workMs, frameMs)
      say(
        `${name}: ${share.toFixed(1)} % of ${String(workMs.length)} frames made in under 16.7 ms, goal 95${share >= 95 ? '' : '  MISSED'} (median ${medianMs.toFixed(1)}, p95 ${p95Ms.toFixed(1)}); ${shareBelow(apartMs, frameMs * 1.5).toFixed(1)} % came with the next tick of the screen`
      )
    }
    tell('10 charts at 10 Hz, 24 h each, 5,000 places', ours)
    tell('the same page without them', other)

    await busy.bringToFront()
    const session = await busy.context().newCDPSession(busy)
    const samples = Math.max(6, Math.round(heapMinutes))
    const heap: number[] = []
    for (let sample = 0; sample <= samples; sample += 1) {
      heap.push(await heapMb(session))
      if (sample < samples) await busy.waitForTimeout((heapMinutes * 60_000) / samples)
    }
    const third = Math.ceil(heap.length / 3)
    const mean = (part: number[]) => part.reduce((sum, value) => sum + value, 0) / part.length
    const grown = mean(heap.slice(-third)) - mean(heap.slice(0, third))
    say(
      `heap over ${String(heapMinutes)} min: ${heap.map((mb) => mb.toFixed(1)).join(' ')} MB; the last third ${grown >= 0 ? '+' : ''}${grown.toFixed(2)} MB against the first, goal flat`
    )
  } finally {
    await browser.close()
    await served.close()
  }
}
