import type { Page } from '@playwright/test'
import { addRichVehicle } from '../support/richDay.ts'
import { expect, test, type Yard } from './support/fitter.ts'
import { callCore } from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

async function openEvents(page: Page, yard: Yard): Promise<void> {
  const { url, user, password } = yard.gateway
  await callCore(page, 'gateway.signIn', { url, user, password })
  const vehicle = addRichVehicle(yard.gateway.state)
  await page.evaluate((vehicle) => (location.hash = `#/events/${vehicle}`), vehicle)
  await expect(page.getByText(/events in \d+ lines/)).toBeVisible()
}

/** The left edges of the cells of each row in sight, heads first, and how much wider the table is than its room. */
async function edges(page: Page): Promise<{ rows: number[][]; tooWidePx: number }> {
  return page.getByRole('grid').evaluate((grid) => ({
    rows: [...grid.querySelectorAll('[role=row]')].map((row) => [...row.querySelectorAll(':scope > [role=columnheader], :scope > [role=gridcell]')].map((cell) => Math.round(cell.getBoundingClientRect().left * 10) / 10)),
    tooWidePx: grid.scrollWidth - grid.clientWidth
  }))
}

test('every row has its cells under the heads, at every width, with and without an open event', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 41 })
  const { page } = await openFitter()
  await openEvents(page, yard)
  for (const isOpen of [false, true]) {
    if (isOpen) await page.getByRole('row', { name: /GPS lost/ }).click()
    for (const [width, height] of [[1024, 640], [1280, 800], [1920, 1080], [2560, 1440]] as const) {
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

test('two vehicles in one list stand under the same heads', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 43 })
  const { page } = await openFitter()
  await openEvents(page, yard)
  const other = addRichVehicle(yard.gateway.state, 1)
  await page.evaluate((other) => (location.hash = `${location.hash}/${other}`), other)
  await expect(page.getByRole('heading', { name: 'Events of two vehicles' })).toBeVisible()
  await expect(page.getByText(/events in \d+ lines/)).toBeVisible()
  for (const [width, height] of [[1024, 640], [1280, 800], [2560, 1440]] as const) {
    await page.setViewportSize({ width, height })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const { rows: [heads = [], ...others], tooWidePx } = await edges(page)
    expect(others.length).toBeGreaterThan(3)
    for (const row of others) expect(row, `at ${width} x ${height}`).toEqual(heads)
    expect(tooWidePx, `table at ${width}`).toBe(0)
  }
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
