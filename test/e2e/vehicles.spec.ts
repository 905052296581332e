import type { Page } from '@playwright/test'
import { addLongPast } from '../world/time/longPast.ts'
import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'
import { findUglyThings } from './support/looks.ts'
import { callCore, keepPicture, prepareWorkplace } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

/** What breaks a rule of accessibility, is cut or too small on the page as it stands. */
async function problemsOf(page: Page): Promise<string[]> {
  return [...(await findBrokenRules(page, { rules: 'all' })), ...(await findUglyThings(page))]
}

test(
  'by keyboard alone: a vehicle is found, its past and its events are read, and its accessories are walked',
  { tag: '@daily' },
  async ({ openFitter, simulate }, testInfo) => {
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
    await expect(grid.getByRole('row', { selected: true })).toContainText('reports')
    await page.keyboard.press('j')
    await expect(grid.getByRole('row', { selected: true })).toContainText('Unit 0002')
    await page.keyboard.press('k')
    await page.keyboard.press('/')
    await page.keyboard.type(yard.plate)
    await expect(grid.getByRole('row')).toHaveCount(2)
    await expect(grid.getByRole('row', { selected: true })).toContainText(yard.plate)
    expect.soft(await problemsOf(page), 'the list').toEqual([])
    await page.keyboard.press('Enter')

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unit 0001')
    const device = page.getByRole('region', { name: 'Device', exact: true })
    await expect(device).toContainText('connected here')
    await expect(device).toContainText(/Same IMEI, SIM, /)
    await expect(device).toContainText('Input 2 off')
    const way = page.getByRole('region', { name: 'At the gateway' })
    await expect(way.getByRole('status')).toContainText(/\d positions?/)
    const past = page.getByRole('region', { name: 'History' })
    await expect(past.getByRole('listitem').filter({ hasText: 'Trailer 12' }).first()).toBeVisible()
    await expect(past).toContainText('no device, 23 days')
    await expect(past).toContainText('silent, 9 days')
    await expect(
      page.getByRole('region', { name: 'Latest events' }).getByRole('listitem').filter({ hasText: 'Ignition off' })
    ).toContainText(/\d+ s$/)
    await expect(page.getByRole('region', { name: 'Counters' })).toContainText(/Distance\s*[\d,.]+ km/)
    expect.soft(await problemsOf(page), 'the vehicle').toEqual([])
    await keepPicture(page, testInfo, 'vehicle')

    const accessories = page.getByRole('link', { name: 'Accessories' })
    while (!(await accessories.evaluate((link) => link === document.activeElement))) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Accessories')
    const problems: string[] = []
    const parts = page.getByRole('navigation', { name: 'Accessories' })
    await expect(parts).toContainText('Driver 01')
    await page.keyboard.press('j')
    await expect(parts.locator('[aria-current=true]')).toContainText('Driver 01')
    await expect(page.getByRole('button', { name: 'Tap test' })).toBeVisible()
    for (const part of [
      'Driver keys',
      'Bluetooth tags',
      'Cameras',
      'Triggers',
      'Live values',
      'Navigation unit',
      'Trips and routes',
      'Outputs'
    ]) {
      await parts.getByRole('link', { name: new RegExp(`^${part}`) }).press('Enter')
      if (part !== 'Outputs')
        await expect(parts.getByRole('link', { name: new RegExp(`^${part}`) })).toHaveAttribute('aria-current', 'page')
      await expect(page.getByRole('region', { name: part, exact: true })).toBeVisible()
      problems.push(...(await problemsOf(page)).map((one) => `${part}: ${one}`))
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Outputs of Unit 0001')
    await page.keyboard.press('j')
    await expect(page.getByRole('option', { selected: true })).toContainText('Expander output 2')
    expect(problems).toEqual([])
  }
)

test('a trigger is said as a sentence, means what it says, and is tried on what happened', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ history: true, reportEveryMs: 20_000 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const vehicle = yard.gateway.state.vehicles.find(({ device }) => String(device) === yard.device.imei)
  await page.evaluate((id) => (window.location.hash = `#/accessories/${String(id)}/triggers`), vehicle?.id)
  const event = page.getByRole('combobox', { name: 'Event', exact: true })
  await event.selectOption({ label: 'Harsh braking' })
  await expect(page.getByText('Fires when the event is “Harsh braking”.')).toBeVisible()
  await page.getByRole('button', { name: /^Test on the last/ }).click()
  await expect(page.getByText(/^1 match since .+, of \d+ events$/)).toBeVisible()
  await event.selectOption('')
  await expect(page.getByText('Fill in the value.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Test on the last/ })).toBeDisabled()
})

test('the event that a jump chose comes into sight when its rows are late', async ({ openFitter, simulate }) => {
  const yard = await simulate({ reportEveryMs: 20_000 })
  const vehicle = yard.gateway.state.vehicles.find(({ device }) => String(device) === yard.device.imei)
  if (!vehicle) throw new Error('no vehicle')
  yard.gateway.state.events.length = 0
  addLongPast(yard.gateway.state, {
    vehicle,
    imei: Number(yard.device.imei),
    untilMs: Date.now() - 60_000,
    n: 400,
    silences: [{ endedMinutesAgo: 20, lastedMinutes: 14 }]
  })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  // The rows of the list answer late, the single row that a jump reads does not.
  await page.evaluate(() => {
    const whole = window as unknown as {
      fitter: { call(name: string, input: { n?: number }, ...rest: unknown[]): Promise<unknown> }
      giveRows: () => void
    }
    const direct = whole.fitter.call.bind(whole.fitter)
    const given = new Promise<void>((resolve) => (whole.giveRows = resolve))
    whole.fitter = {
      ...whole.fitter,
      call: async (name, input, ...rest) => {
        const answer = await direct(name, input, ...rest)
        if (name === 'eventLog.rows' && input.n !== 1) await given
        return answer
      }
    }
  })
  await page.evaluate((id) => (window.location.hash = `#/events/${String(id)}`), vehicle.id)
  await expect(page.getByText('silent 14 min')).toBeVisible()
  await page.keyboard.press('[')
  await expect(page.getByRole('complementary', { name: 'Selected event' })).toContainText('Arrived')
  await page.evaluate(() => (window as unknown as { giveRows: () => void }).giveRows())
  await expect(
    page.getByRole('grid', { name: 'Events, latest first' }).getByRole('row', { selected: true })
  ).toBeInViewport()
})

test('the events of a vehicle: both clocks, what was kept, a condition, and the raw question behind the plain controls', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ reportEveryMs: 20_000 })
  const vehicle = yard.gateway.state.vehicles.find(({ device }) => String(device) === yard.device.imei)
  if (!vehicle) throw new Error('no vehicle')
  yard.gateway.state.events.length = 0
  addLongPast(yard.gateway.state, {
    vehicle,
    imei: Number(yard.device.imei),
    untilMs: Date.now() - 60_000,
    n: 1_700,
    outages: [{ endedMinutesAgo: 60, lastedMinutes: 47 }],
    silences: [{ endedMinutesAgo: 20, lastedMinutes: 14 }],
    twiceEvery: 400
  })
  const { page } = await openFitter()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await prepareWorkplace(page, yard)
  await page.evaluate((id) => (window.location.hash = `#/vehicle/${String(id)}`), vehicle.id)
  await page.getByRole('link', { name: 'Events', exact: true }).click()

  const grid = page.getByRole('grid', { name: 'Events, latest first' })
  await expect(page.getByText('47 buffered, sent late', { exact: true })).toBeVisible()
  await expect(page.getByText('silent 14 min')).toBeVisible()
  await page.keyboard.press('[')
  const chosen = page.getByRole('complementary', { name: 'Selected event' })
  await expect(chosen).toContainText('Arrived')
  await expect(grid.getByRole('row', { selected: true })).toBeVisible()
  await page.keyboard.press('+')
  await expect(page.getByRole('radio', { name: 'Zoom to data' })).not.toBeChecked()
  expect.soft(await problemsOf(page), 'the events').toEqual([])

  await page.getByRole('button', { name: 'Condition' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Field').selectOption({ label: 'Speed' })
  await form.getByLabel('Comparison').selectOption({ label: 'is over' })
  await form.getByLabel(/^Value/).fill('50')
  expect.soft(await problemsOf(page), 'a condition').toEqual([])
  await form.getByRole('button', { name: 'Add condition' }).click()
  await expect(page.getByText(/^\d\d\d events in \d+ lines/)).toBeVisible()
  await page.getByRole('link', { name: 'Raw query' }).click()
  await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveValue('speed > 50')
  await expect(page.getByText(/^GET \/rawdata\?.*filter=speed%20%3E%2050/)).toBeVisible()
  expect.soft(await problemsOf(page), 'the raw question').toEqual([])

  yard.gateway.setOnline(false)
  await page.getByRole('link', { name: 'Simple controls' }).click()
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByText(/The gateway does not answer. These events were loaded/)).toBeVisible({ timeout: 30_000 })
  await expect(grid.getByRole('row').nth(2)).toBeVisible()
})

test('without the gateway each screen says from when its data are, and nothing is red or waits for ever', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate()
  const { page } = await openFitter()
  await page.setViewportSize({ width: 1280, height: 800 })
  await prepareWorkplace(page, yard)
  await callCore(page, 'copies.refresh', {})
  await expect.poll(async () => (await callCore(page, 'copies.status', {})).running, { timeout: 60_000 }).toBeNull()
  yard.gateway.setOnline(false)

  await page.goto(`${page.url().split('#')[0] ?? ''}#/settings/copies`)
  const kept = page.getByRole('region', { name: 'Offline data' })
  await kept.scrollIntoViewIfNeeded()
  await expect(kept.getByRole('row', { name: /^Vehicles/ })).toContainText('complete')
  await expect(kept.getByRole('row')).toHaveCount(9)
  await expect(kept.getByRole('alert')).toHaveCount(0)
  expect.soft(await problemsOf(page), 'the settings').toEqual([])

  await page.keyboard.press('g')
  await page.keyboard.press('v')
  await expect(page.getByText(/The gateway cannot be reached. Showing the local copy from/)).toBeVisible({
    timeout: 30_000
  })
  await expect(page.getByRole('row', { selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Local copy from/)).toBeVisible({ timeout: 40_000 })
  expect.soft(await problemsOf(page), 'the vehicle').toEqual([])
})

test('with no device near, a vehicle is looked after from afar; what a user may not see names the scope that is missing', async ({
  openFitter,
  simulate
}) => {
  const { gateway, device } = await simulate({ mdns: false, reportEveryMs: 1_000 })
  const { page } = await openFitter()
  await page.setViewportSize({ width: 1280, height: 800 })
  const { url, user, password } = gateway
  await callCore(page, 'gateway.signIn', { url, user, password })
  const vehicle = gateway.state.vehicles.find((one) => String(one.device) === device.imei)
  const open = (part: string) =>
    page.evaluate((hash) => (window.location.hash = hash), `#/${part}/${String(vehicle?.id)}`)
  await expect
    .poll(() => gateway.state.devices.find(({ imei }) => String(imei) === device.imei)?.ioEpoch)
    .toBeGreaterThan(0)
  await open('vehicle')
  const pane = page.getByRole('region', { name: 'Device', exact: true })
  await expect(pane).toContainText(/Inputs and outputs \(gateway\)/)
  await expect(pane).toContainText('Power on')
  await expect(pane).toContainText('Engine bus not found')
  expect.soft(await problemsOf(page), 'the vehicle from afar').toEqual([])
  await pane.getByRole('navigation', { name: 'Remote' }).getByRole('link', { name: 'Outputs' }).press('Enter')
  await expect(page.getByText('Ignition and engine are off')).toBeVisible()

  const own = gateway.state.users.find(({ username }) => username === user)
  if (own) own.scopes = { vehicles: 'r', devices: 'r' }
  await callCore(page, 'gateway.signIn', { url, user, password })
  await open('vehicle')
  await expect(page.getByRole('region', { name: 'Counters' })).toContainText('the scope “vehicles.counters” is missing')
  await expect(page.getByRole('region', { name: 'Latest events' })).toContainText('the scope “rawdata” is missing')
  await expect(pane).toContainText('the scope “remote” is missing')
  await open('events')
  await expect(page.getByRole('main')).toContainText('the scope “rawdata” is missing')
  await expect(page.getByRole('alert')).toHaveCount(0)
})
