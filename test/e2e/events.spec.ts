import type { Page } from '@playwright/test'
import { addRichVehicle } from '../world/gateway/richDay.ts'
import { expect, test, type Yard } from './support/fitter.ts'
import { findBrokenRules } from './support/axe.ts'
import { findFaintText, findUglyThings } from './support/looks.ts'
import { callCore } from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

const problemsOf = async (page: Page): Promise<string[]> => [
  ...(await findBrokenRules(page, { rules: 'all' })),
  ...(await findUglyThings(page)),
  ...(await findFaintText(page))
]

/** Where it is this hour now. The two hours of the vehicle lie within one day, or midnight lies among them. */
const zoneAt = (hour: 0 | 12): string => {
  const eastH = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  return `Etc/GMT${eastH > 0 ? '-' : '+'}${Math.abs(eastH)}`
}

async function openEvents(page: Page, yard: Yard, hour: 0 | 12 = 12): Promise<void> {
  const { url, user, password } = yard.gateway
  await callCore(page, 'settings.change', { timeZone: zoneAt(hour) })
  await callCore(page, 'gateway.signIn', { url, user, password })
  const vehicle = addRichVehicle(yard.gateway.state)
  await page.evaluate((vehicle) => (location.hash = `#/events/${vehicle}`), vehicle)
  await expect(page.getByText(/events in \d+ lines/)).toBeVisible()
}

/** The left edges of the cells of each row in sight, heads first, and how much wider the table is than its room. */
async function edges(page: Page): Promise<{ rows: number[][]; tooWidePx: number }> {
  return page.getByRole('grid').evaluate((grid) => ({
    rows: [...grid.querySelectorAll('[role=row]')].map((row) =>
      [...row.querySelectorAll(':scope > [role=columnheader], :scope > [role=gridcell]')].map(
        (cell) => Math.round(cell.getBoundingClientRect().left * 10) / 10
      )
    ),
    tooWidePx: grid.scrollWidth - grid.clientWidth
  }))
}

test('every row has its cells under the heads, at every width, with and without an open event', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 41 })
  const { page } = await openFitter()
  await openEvents(page, yard)
  for (const isOpen of [false, true]) {
    if (isOpen) await page.getByRole('row', { name: /GPS lost/ }).click()
    for (const [width, height] of [
      [1024, 640],
      [1280, 800],
      [1920, 1080],
      [2560, 1440]
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      const { rows, tooWidePx } = await edges(page)
      const [heads = [], ...others] = rows
      expect(others.length, `rows at ${width}`).toBeGreaterThan(3)
      expect(heads.length).toBeGreaterThan(6)
      for (const row of others) expect(row, `at ${width} x ${height}, ${isOpen ? 'open' : 'closed'}`).toEqual(heads)
      expect(tooWidePx, `table at ${width}, ${isOpen ? 'open' : 'closed'}`).toBe(0)
      const control = await page.getByRole('toolbar', { name: 'Filters' }).boundingBox()
      expect(control?.height ?? 0, `filters at ${width} are one line`).toBeLessThan(70)
    }
  }
})

for (const hour of [12, 0] as const)
  test(`two vehicles in one list stand under the same heads, ${hour === 0 ? 'also when their times need a date' : 'within one day'}`, async ({
    openFitter,
    simulate
  }) => {
    const yard = await simulate({ seed: 43 })
    const { page } = await openFitter()
    await openEvents(page, yard, hour)
    const other = addRichVehicle(yard.gateway.state, 1)
    await page.evaluate((other) => (location.hash = `${location.hash}/${other}`), other)
    await expect(page.getByRole('heading', { name: 'Events of two vehicles' })).toBeVisible()
    await expect(page.getByText(/events in \d+ lines/)).toBeVisible()
    for (const [width, height] of [
      [1024, 640],
      [1280, 800],
      [2560, 1440]
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      const {
        rows: [heads = [], ...others],
        tooWidePx
      } = await edges(page)
      expect(others.length).toBeGreaterThan(3)
      for (const row of others) expect(row, `at ${width} x ${height}`).toEqual(heads)
      expect(tooWidePx, `table at ${width}`).toBe(0)
    }
    expect.soft(await problemsOf(page), 'the comparison').toEqual([])
    await page.locator('.canvas').hover({ position: { x: 300, y: 40 } })
    await expect(page.getByRole('row', { name: /^Speed, km\/h/ })).toContainText(/\d/)
  })

test('a value filters by two clicks, and the chart is fitted to what is there', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 42 })
  const { page } = await openFitter()
  await openEvents(page, yard)
  await expect(page.getByRole('radio', { name: 'Zoom to data' })).toBeChecked()
  await expect(page.getByText(/^no events before/)).toBeVisible()
  await page.locator('.value.bad').first().click()
  await page.getByRole('menuitem', { name: 'Hide this value' }).click()
  await expect(page.locator('.value.bad')).toHaveCount(0)
  await page.getByRole('button', { name: /^Remove: Satellites/ }).click()
  await expect(page.locator('.value.bad').first()).toBeVisible()
})

test('a day is on the map with its trips and stops, and a trip of the list is shown alone', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 44 })
  const { page } = await openFitter()
  await page.setViewportSize({ width: 1024, height: 640 })
  await openEvents(page, yard)
  await page.getByRole('link', { name: 'Track' }).click()
  const list = page.getByRole('list', { name: 'Trips and stops' })
  await expect(list.getByRole('button').first()).toContainText('until')
  await expect(page.locator('.map-stop b').first()).toBeVisible()
  const places = () =>
    page.locator('.map-stop b').evaluateAll((marks) => marks.map((mark) => mark.getBoundingClientRect().left))
  const whole = await places()
  const map = await page.getByRole('application', { name: /^Map/ }).boundingBox()
  for (const left of whole) {
    expect(left).toBeGreaterThan(map?.x ?? 0)
    expect(left).toBeLessThan((map?.x ?? 0) + (map?.width ?? 0) - 60)
  }
  expect.soft(await problemsOf(page), 'the track').toEqual([])
  await list.getByRole('button', { name: /max/ }).first().click()
  await expect.poll(places).not.toEqual(whole)
  await page.keyboard.press('0')
  await expect.poll(places).toEqual(whole)
  const length = page.getByRole('slider', { name: 'Moment shown' })
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(length).toHaveAttribute('aria-valuetext', /trip 1 of/)
})
