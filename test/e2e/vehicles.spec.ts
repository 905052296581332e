import type { Page } from '@playwright/test'
import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'
import { findUglyThings } from './support/looks.ts'
import { callCore, prepareWorkplace } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

/** What breaks a rule of accessibility, is cut or too small on the page as it stands. */
async function problemsOf(page: Page): Promise<string[]> {
  return [...(await findBrokenRules(page, { rules: 'all' })), ...(await findUglyThings(page))]
}

test('by keyboard alone: a vehicle is found, its past and its events are read, and its accessories are walked', async ({ openFitter, simulate }) => {
  const yard = await simulate({ history: true, reportEveryMs: 20_000 })
  const { page } = await openFitter()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await prepareWorkplace(page, yard)
  await callCore(page, 'vehicles.refresh', {})

  await page.keyboard.press('g')
  await page.keyboard.press('v')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vehicles')
  const grid = page.getByRole('grid', { name: 'Vehicles' })
  await expect(grid.getByRole('row', { selected: true })).toContainText('Unit 0001')
  await expect(grid.getByRole('row', { selected: true })).toContainText(/reports, /)
  await page.keyboard.press('j')
  await expect(grid.getByRole('row', { selected: true })).toContainText('Unit 0002')
  await page.keyboard.press('k')
  await page.keyboard.press('/')
  await page.keyboard.type(yard.plate)
  await expect(grid.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('complementary', { name: 'Unit 0001' })).toContainText(yard.plate)
  expect.soft(await problemsOf(page), 'the list').toEqual([])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unit 0001')
  const device = page.getByRole('region', { name: 'Device', exact: true })
  await expect(device).toContainText('the one beside you')
  await expect(device).toContainText(/Same place, \d+ m apart/)
  const past = page.getByRole('region', { name: 'Everything that belonged to it' })
  await expect(past.getByRole('listitem').filter({ hasText: 'Trailer 12' }).first()).toBeVisible()
  await expect(past).toContainText('no device, 23 days')
  await expect(past).toContainText('silent, 9 days')
  await expect(page.getByRole('region', { name: 'Last events' }).getByRole('listitem').filter({ hasText: 'Ignition off' })).toContainText(/\d+ s$/)
  await expect(page.getByRole('region', { name: 'Counters' })).toContainText(/Distance\s*[\d,.]+ km/)
  expect.soft(await problemsOf(page), 'the vehicle').toEqual([])

  const accessories = page.getByRole('link', { name: 'Accessories' })
  while (!(await accessories.evaluate((link) => link === document.activeElement))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Accessories')
  const problems: string[] = []
  const parts = page.getByRole('navigation', { name: 'Accessories' })
  for (const part of ['Driver keys', 'Bluetooth tags', 'Cameras', 'Live values', 'Outputs', 'Triggers', 'Navigation unit', 'Trips and routes']) {
    await expect(parts.getByRole('link', { name: part })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('region', { name: part, exact: true })).toBeVisible()
    problems.push(...(await problemsOf(page)).map((one) => `${part}: ${one}`))
    await page.keyboard.press('j')
  }
  expect(problems).toEqual([])
})

test('a trigger is said as a sentence, means what it says, and is tried on what happened', async ({ openFitter, simulate }) => {
  const yard = await simulate({ history: true, reportEveryMs: 20_000 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const vehicle = yard.gateway.state.vehicles.find(({ device }) => String(device) === yard.device.imei)
  await page.evaluate((id) => (window.location.hash = `#/accessories/${String(id)}/triggers`), vehicle?.id)
  const event = page.getByRole('combobox', { name: 'Event', exact: true })
  await event.selectOption({ label: 'Harsh braking' })
  await expect(page.getByText('Fires when the event is “Harsh braking”.')).toBeVisible()
  await page.getByRole('button', { name: /^Try it on the events/ }).click()
  await expect(page.getByText(/^1 of \d+ events would have fired it$/)).toBeVisible()
  await event.selectOption('')
  await expect(page.getByText('Fill in the value.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Try it on the events/ })).toBeDisabled()
})

test('without the gateway each screen says from when its data are, and nothing is red or waits for ever', async ({ openFitter, simulate }) => {
  const yard = await simulate()
  const { page } = await openFitter()
  await page.setViewportSize({ width: 1280, height: 800 })
  await prepareWorkplace(page, yard)
  await callCore(page, 'copies.refresh', {})
  await expect.poll(async () => (await callCore(page, 'copies.status', {})).running, { timeout: 60_000 }).toBeNull()
  yard.gateway.setOnline(false)

  await page.goto(`${page.url().split('#')[0] ?? ''}#/settings`)
  const kept = page.getByRole('region', { name: 'Data without internet' })
  await kept.scrollIntoViewIfNeeded()
  await expect(kept.getByRole('row', { name: /^Vehicles/ })).toContainText('all of them')
  await expect(kept.getByRole('row')).toHaveCount(9)
  await expect(kept.getByRole('alert')).toHaveCount(0)
  expect.soft(await problemsOf(page), 'the settings').toEqual([])

  await page.keyboard.press('g')
  await page.keyboard.press('v')
  await expect(page.getByText(/The gateway is away: this is the copy of/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('row', { selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/From the copy of/)).toBeVisible({ timeout: 40_000 })
  expect.soft(await problemsOf(page), 'the vehicle').toEqual([])
})
