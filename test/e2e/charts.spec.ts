import { readFileSync } from 'node:fs'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { serveChartPage } from '../world/window/chartPage.ts'
import { findBrokenRules } from './support/axe.ts'
import { watchPage } from './support/watchPage.ts'

/** The charts on a page of their own, with readings that the page itself writes down (`told`). */
let served: Awaited<ReturnType<typeof serveChartPage>>
const misbehaviour: string[] = []

// One page is served for all of them.
test.describe.configure({ mode: 'default' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  served = await serveChartPage()
})
test.afterAll(() => served.close())
test.beforeEach(async ({ page }) => {
  misbehaviour.length = 0
  await watchPage(page, new URL(served.url).origin, misbehaviour)
  await page.goto(`${served.url}?scene=one`)
  await expect(plot(page).locator('canvas')).toBeVisible()
})
test.afterEach(() => expect(misbehaviour).toEqual([]))

const chart = (page: Page): Locator => page.getByRole('region', { name: 'Mobile signal' })
const plot = (page: Page): Locator => chart(page).getByRole('application')
const axisTimes = async (page: Page): Promise<string> =>
  plot(page)
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())

/** The picture at two moments at which the page has told more in between. */
async function changesWithTime(page: Page): Promise<boolean> {
  const before = await axisTimes(page)
  const count = await page.evaluate(() => (window as never as { told: unknown[] }).told.length)
  await page.waitForFunction((wanted) => (window as never as { told: unknown[] }).told.length > wanted + 15, count)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  return (await axisTimes(page)) !== before
}

test('a chart moves with time, and stands still while it is paused', { tag: '@daily' }, async ({ page }) => {
  expect(await changesWithTime(page)).toBe(true)
  await page.keyboard.press('f')
  await expect(chart(page).getByRole('button', { name: 'Continue' })).toBeVisible()
  // The reading after the right edge still takes the line to it.
  await changesWithTime(page)
  expect(await changesWithTime(page)).toBe(false)
  await page.keyboard.press('f')
  await expect(chart(page).getByRole('button', { name: 'Freeze' })).toBeVisible()
  expect(await changesWithTime(page)).toBe(true)
})

/** From the first to the last row of the table: what time the chart shows. */
async function shownSeconds(page: Page): Promise<number> {
  await chart(page).getByRole('button', { name: 'Show as table' }).click()
  const rows = chart(page).getByRole('rowheader')
  await expect(rows.nth(1)).toBeVisible()
  // Both at one moment: the table moves on with time.
  const [first = '', second = ''] = await rows.evaluateAll((shown) =>
    shown.slice(0, 2).map((row) => (row as HTMLElement).innerText)
  )
  await chart(page).getByRole('button', { name: 'Show as chart' }).click()
  const seconds = (text: string) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  // Between them may be midnight.
  return ((seconds(second) - seconds(first) + 86_400) % 86_400) * 24
}

test('keys, wheel and a drawn span zoom, a double click shows all again', async ({ page }) => {
  expect(Math.abs((await shownSeconds(page)) - 600)).toBeLessThanOrEqual(24)
  await plot(page).focus()
  await page.keyboard.press('+')
  expect(Math.abs((await shownSeconds(page)) - 300)).toBeLessThanOrEqual(24)
  await plot(page).focus()
  await page.keyboard.press('-')
  await page.keyboard.press('-')
  expect(Math.abs((await shownSeconds(page)) - 1_200)).toBeLessThanOrEqual(24)
  await plot(page).dblclick({ position: { x: 200, y: 90 } })
  expect(Math.abs((await shownSeconds(page)) - 600)).toBeLessThanOrEqual(24)
  const box = (await plot(page).boundingBox())!
  await page.mouse.move(box.x + box.width * 0.3, box.y + 90)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.55, box.y + 90, { steps: 4 })
  await page.mouse.up()
  await expect(chart(page).getByRole('button', { name: 'Continue' })).toBeVisible()
  const drawn = await shownSeconds(page)
  expect(drawn).toBeGreaterThan(100)
  expect(drawn).toBeLessThan(220)
  await plot(page).focus()
  await page.mouse.move(box.x + box.width * 0.4, box.y + 90)
  await page.mouse.wheel(0, -100)
  // The wheel arrives when the page comes to it.
  await expect.poll(() => shownSeconds(page)).toBeLessThan(drawn)
  await plot(page).focus()
  await page.keyboard.press('0')
  await expect(chart(page).getByRole('button', { name: 'Freeze' })).toBeVisible()
})

test('two cursors measure time and values by keys alone, and say where nothing was read', async ({ page }) => {
  await plot(page).focus()
  await page.keyboard.press('a')
  await page.keyboard.press('b')
  const between = chart(page).locator('dt', { hasText: 'B − A' }).locator('xpath=following-sibling::dd')
  await expect(between).toHaveText(/^\d+ min( \d+ s)?, -?[\d.]+ dBm \/ /)
  const readout = chart(page).locator('dl')
  const valueOf = async (name: string) =>
    (await readout
      .locator('div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
      .locator('dd')
      .allInnerTexts()) as string[]
  const before = (await valueOf('B'))[0]
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await valueOf('B'))[0]).not.toBe(before)
  // What a cursor says is what the page was told at that time.
  const [time = '', value = ''] = await valueOf('A')
  const told = await page.evaluate((wanted) => {
    const all = (window as never as { told: [number, number | null][] }).told
    return all.find(
      ([atMs]) =>
        new Date(atMs).toLocaleTimeString('en-GB', { hour12: false }) +
          `.${String(new Date(atMs).getMilliseconds()).padStart(3, '0')}` ===
        wanted
    )?.[1]
  }, time)
  expect(value).toBe(`${String(told).replace('-', '−')} dBm`)
  await page.keyboard.press('Escape')
  await expect(chart(page).getByText('highest').first()).toBeVisible()
})

test('a gap is said, can be gone to, and is hatched instead of joined', async ({ page }) => {
  await expect(chart(page).getByText('1 gap').first()).toBeVisible()
  await plot(page).focus()
  await page.keyboard.press('[')
  await expect(chart(page).getByRole('button', { name: 'Continue' })).toBeVisible()
  await chart(page).getByRole('button', { name: 'Show as table' }).click()
  await expect(chart(page).getByRole('row', { name: 'no reading' }).first()).toBeVisible()
  await expect(plot(page)).toHaveAttribute('aria-label', /1 gap/)
})

async function saved(page: Page, name: string, of: Locator): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), of.getByRole('button', { name }).click()])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

test('the picture is a PNG with its words', async ({ page }) => {
  const { name, bytes } = await saved(page, 'Save as PNG picture', chart(page))
  expect(name).toMatch(/^Mobile-signal-\d{4}-\d\d-\d\dT\d{6}\.png$/)
  expect([...bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10])
  const canvas = await plot(page)
    .locator('canvas')
    .evaluate(({ width, height }: HTMLCanvasElement) => ({ width, height }))
  expect(bytes.readUInt32BE(16)).toBeGreaterThan(canvas.width)
  expect(bytes.readUInt32BE(20)).toBeGreaterThan(canvas.height + 60)
})

test('the table holds exactly what was read, gaps as empty cells', async ({ page }) => {
  await page.keyboard.press('f')
  await expect(chart(page).getByRole('button', { name: 'Continue' })).toBeVisible()
  const { name, bytes } = await saved(page, 'Save as CSV table', chart(page))
  expect(name).toMatch(/\.csv$/)
  // The mark at the start is for spreadsheets.
  const [header, ...rows] = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  expect(header).toEqual(['time (UTC)', 'Device (dBm)', 'Gateway (dBm)'])
  const device = rows.filter(([, value]) => value !== '').map(([at, value]) => [Date.parse(at!), Number(value)])
  const told = await page.evaluate(() => (window as never as { told: [number, number | null][] }).told)
  const expected = told.filter(
    ([atMs, value]) => value !== null && atMs >= device[0]![0]! && atMs <= device.at(-1)![0]!
  )
  expect(device.length).toBeGreaterThan(540)
  expect(device).toEqual(expected)
  expect(rows.some((row) => row.slice(1).every((cell) => cell === ''))).toBe(true)
})

test('no cell of the table is a formula', async ({ page }) => {
  const { name, bytes } = await saved(page, 'Save as CSV table', page.getByRole('region', { name: '=Supply' }))
  expect(name).toMatch(/^Supply-/)
  expect(bytes.toString('utf8').split('\r\n')[0]).toBe("\uFEFFtime (UTC),'=1+1 (V)")
})

test('another theme is drawn at once, in its own colours', async ({ page }) => {
  await page.keyboard.press('f')
  await expect(chart(page).getByRole('button', { name: 'Continue' })).toBeVisible()
  const before = await axisTimes(page)
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'))
  await expect.poll(() => axisTimes(page)).not.toBe(before)
})

test('nothing moves while values change, and nothing is wrong for those who do not see it', async ({ page }) => {
  await expect(chart(page).getByText('highest').first()).toBeVisible()
  const shift = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: false })
        const told = (window as never as { told: unknown[] }).told
        const wanted = told.length + 15
        const look = () => (told.length > wanted ? resolve(sum) : requestAnimationFrame(look))
        look()
      })
  )
  expect(await shift).toBe(0)
  expect(await findBrokenRules(page, { rules: 'all', within: 'section.chart' })).toEqual([])
})
