import type { Page } from '@playwright/test'
import { buildStale } from '../../../bin/build.ts'
import { openBrowser } from '../../looks/theatre.ts'
import { openEventYard } from '../../world/gateway/eventYard.ts'
import { countFrames, shareBelow, type Frames } from '../window/frames.ts'

export interface EventBench {
  events: number
  rounds: number
  say(text: string): void
}

const frameMs = 1_000 / 60
const eachSeconds = 4
const everyMs = 30_000

/** Scrolls an element by so many pixels in each frame for as long as frames are counted. */
async function scrolling(page: Page, selector: string, pxPerFrame: number): Promise<Frames> {
  await page.evaluate(
    ({ selector, pxPerFrame }) => {
      const box = document.querySelector(selector) as HTMLElement
      box.scrollTop = 0
      const go = (): void => {
        box.scrollTop += pxPerFrame
        ;(window as { going?: number }).going = requestAnimationFrame(go)
      }
      go()
    },
    { selector, pxPerFrame }
  )
  const frames = await countFrames(page, eachSeconds)
  await page.evaluate(() => cancelAnimationFrame((window as { going?: number }).going ?? 0))
  return frames
}

/** Presses keys one after the other while frames are counted. */
async function pressing(page: Page, keys: readonly string[]): Promise<Frames> {
  const counting = countFrames(page, eachSeconds)
  const endMs = performance.now() + eachSeconds * 1_000 - 300
  for (let index = 0; performance.now() < endMs; index++) {
    await page.keyboard.press(keys[index % keys.length] as string)
    await page.waitForTimeout(120)
  }
  return counting
}

/** Kinds are switched off and on again. */
async function filtering(page: Page): Promise<Frames> {
  await page.getByRole('button', { name: /^Show.*kind/ }).click()
  const box = page.getByRole('dialog').getByRole('checkbox')
  const counting = countFrames(page, eachSeconds)
  const endMs = performance.now() + eachSeconds * 1_000 - 500
  for (let index = 0; performance.now() < endMs; index++) {
    await box.nth(1).click()
    await page.waitForTimeout(250)
  }
  const frames = await counting
  await page.keyboard.press('Escape')
  return frames
}

/** The same rows with nothing around them: one box for each, at its place, drawn when it is in sight. */
async function openBareList(page: Page, n: number): Promise<void> {
  await page.setContent(
    `<style>body{margin:0}#box{height:500px;overflow:auto}#all{position:relative;height:${String(n * 34)}px}.row{position:absolute;left:0;right:0;height:34px;font:13px sans-serif}</style><div id="box"><div id="all"></div></div>`
  )
  await page.evaluate(() => {
    const [box, all] = ['box', 'all'].map((id) => document.getElementById(id)) as [HTMLElement, HTMLElement]
    box.addEventListener('scroll', () => {
      const first = Math.floor(box.scrollTop / 34)
      all.replaceChildren(
        ...Array.from({ length: 18 }, (_, index) => {
          const row = document.createElement('div')
          row.className = 'row'
          row.style.top = `${String((first + index) * 34)}px`
          row.textContent = `${String(first + index)} 10:43:05 4 s Position, driving 46 40.42000, -3.70000 14.1 -88 10`
          return row
        })
      )
    })
  })
}

/** The explorer with very many events: scrolling, zooming, filtering; and how long they took to be there. */
export async function benchEvents({ events, rounds, say }: EventBench): Promise<void> {
  await buildStale(['renderer'])
  const browser = await openBrowser()
  const minutes = (events * everyMs) / 60_000
  const yard = await openEventYard(browser, {
    untilMs: Date.now() - 120_000,
    n: events,
    everyMs,
    outages: [100, 900, 5_000, 20_000]
      .filter((at) => at < minutes - 200)
      .map((endedMinutesAgo) => ({ endedMinutesAgo, lastedMinutes: 47 })),
    silences: [30, 2_000, 9_000]
      .filter((at) => at < minutes - 200)
      .map((endedMinutesAgo) => ({ endedMinutesAgo, lastedMinutes: 40 })),
    twiceEvery: 500
  })
  try {
    const { page } = yard
    const startedMs = performance.now()
    await yard.show()
    const firstMs = performance.now() - startedMs
    await page.getByRole('button', { name: /^Last 24 hours/ }).click()
    const wholeMs = performance.now()
    await page
      .getByRole('dialog', { name: 'Time' })
      .getByLabel('From')
      .fill(new Date(Date.now() - (minutes + 60) * 60_000).toISOString().slice(0, 16))
    await page.getByRole('button', { name: 'Show this period' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('button', { name: 'Load again' }).waitFor({ timeout: 600_000 })
    const told = await page.getByText(/^[\d,]+ events in [\d,]+ lines/).innerText()
    say(
      `first rows ${(firstMs / 1000).toFixed(1)} s after the screen was opened; ${told}; there after ${((performance.now() - wholeMs) / 1000).toFixed(1)} s`
    )

    const bare = await browser.newPage({ viewport: { width: 1600, height: 1000 } })
    await openBareList(bare, events)
    const acts: Record<string, () => Promise<Frames>> = {
      'scrolling the list': () => scrolling(page, '[role=grid]', 90),
      'zooming the charts': () => pressing(page, ['+', '+', '+', '-', '-', '-']),
      filtering: () => filtering(page),
      'a bare list of the same rows, scrolling': () => scrolling(bare, '#box', 90)
    }
    const sums = new Map<string, number[]>()
    for (let round = 0; round < rounds; round++) {
      for (const [name, act] of Object.entries(acts)) {
        await (name.startsWith('a bare') ? bare : page).bringToFront()
        sums.set(name, [...(sums.get(name) ?? []), ...(await act()).workMs])
      }
    }
    for (const [name, times] of sums) {
      const share = shareBelow(times, frameMs)
      const sorted = [...times].sort((a, b) => a - b)
      say(
        `${name}: ${share.toFixed(1)} % of ${String(times.length)} frames made in under 16.7 ms, goal 95${share >= 95 ? '' : '  MISSED'} (median ${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)}, p95 ${(sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(1)} ms)`
      )
    }
    const ours = [...sums].filter(([name]) => !name.startsWith('a bare')).flatMap(([, times]) => times)
    const other = sums.get('a bare list of the same rows, scrolling') ?? []
    say(
      `all of the explorer: ${shareBelow(ours, frameMs).toFixed(1)} % against ${shareBelow(other, frameMs).toFixed(1)} % of the bare list`
    )
  } finally {
    await yard.close()
    await browser.close()
  }
}
