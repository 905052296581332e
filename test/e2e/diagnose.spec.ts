import type { Page } from '@playwright/test'
import { findBrokenRules } from './support/axe.ts'
import { expect, test, type Yard } from './support/fitter.ts'
import { findUglyThings } from './support/looks.ts'
import { readShifts, watchShifts } from './support/shifts.ts'
import { prepareWorkplace } from './support/work.ts'

/** A vehicle of the gateway whose device is not on this network: it has never reported. */
function silentVehicle({ gateway, devices }: Yard): { id: number; name: string } {
  const here = new Set(devices.map(({ imei }) => imei))
  const vehicle = gateway.state.vehicles.find(({ device }) => device !== null && !here.has(String(device)))
  if (!vehicle) throw new Error('The yard has no silent vehicle.')
  return { id: vehicle.id, name: vehicle.name }
}

/** Does what a person does, and counts it: a key, some typed words, or a click is one action. */
function countActions(page: Page) {
  let n = 0
  return {
    count: () => n,
    press: (key: string) => ((n += 1), page.keyboard.press(key)),
    /** Words and the key that ends them. */
    type: async (words: string) => ((n += 1), page.keyboard.type(words), page.keyboard.press('Enter')),
    click: (name: RegExp) => ((n += 1), page.getByRole('button', { name }).click())
  }
}

test('a silent vehicle is diagnosed in two actions from anywhere, a bundle of it is saved in three, and nothing moves by itself', async ({
  openFitter,
  simulate
}) => {
  test.setTimeout(180_000)
  const yard = await simulate({ seed: 91 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const { name } = silentVehicle(yard)
  await page.evaluate(() => (location.hash = '#/settings'))
  await page.getByRole('heading', { level: 1 }).waitFor()

  const diagnosing = countActions(page)
  await diagnosing.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type(`diagnose ${name}`)
  await expect(page.getByRole('option', { name: new RegExp(`^Diagnose ${name}`) }).first()).toBeVisible()
  await diagnosing.press('Enter')
  await watchShifts(page)
  await expect(page.locator('.banner.broken')).toContainText('No data from this device')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  expect(diagnosing.count()).toBe(2)
  // The whole diagnosis, until everything was asked and for some looks more.
  await expect(page.locator('.chain .former')).toHaveCount(0)
  const { byItself, moved } = await readShifts(page)
  expect(byItself, moved.join('\n')).toBeLessThan(0.02)
  expect([...(await findBrokenRules(page)), ...(await findUglyThings(page))]).toEqual([])

  const saving = countActions(page)
  await saving.click(/^Support bundle/)
  const save = page.getByRole('dialog').getByRole('button', { name: /^Save bundle/ })
  await expect(save).toBeEnabled({ timeout: 60_000 })
  await expect(save).toBeFocused()
  const [download] = await Promise.all([page.waitForEvent('download'), saving.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/^fitter-bundle-.*\.zip$/)
  expect(saving.count()).toBeLessThanOrEqual(3)
  await page.keyboard.press('Escape')

  // The visit is filled in with one key, and is there again after another screen.
  await page.keyboard.press('d')
  await page.getByLabel('Note for the technician').fill('The key is at the gate.')
  await page.keyboard.press('Tab')
  await expect(page.getByText('saved on this computer')).toBeVisible()
  await page.evaluate(() => (location.hash = '#/start'))
  await page.getByRole('navigation').getByRole('link', { name: 'Diagnose' }).click()
  await expect(page.getByRole('button', { name: 'Prepare a service visit' })).toBeVisible()
  await page.keyboard.press('d')
  await expect(page.getByLabel('Note for the technician')).toHaveValue('The key is at the gate.')
  expect([...(await findBrokenRules(page)), ...(await findUglyThings(page))]).toEqual([])
})

test('a diagnosis is there at once with what is known, and since when leads to the events of that moment', async ({
  openFitter,
  simulate
}) => {
  test.setTimeout(120_000)
  const yard = await simulate({ seed: 92 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  // Some events are in order before the position is another one.
  await expect.poll(() => yard.gateway.state.events.length).toBeGreaterThan(3)
  yard.device.setFault('reportsElsewhere', true)
  await watchShifts(page)
  await page.evaluate((hash) => (location.hash = hash), `#/diagnose/device/${yard.device.imei}`)
  await expect(page.locator('.banner [class*=since]')).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('.trend svg')).toBeVisible()
  const { byItself, moved } = await readShifts(page)
  // The rows that prove the headline go to the top once, when everything is read: up to 0.02 of it.
  expect(byItself, moved.join('\n')).toBeLessThan(0.03)
  await page
    .locator('.banner')
    .getByRole('button', { name: /^Go to/ })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Events')
  await expect(page.locator('.row.chosen, [aria-selected=true]').first()).toBeVisible({ timeout: 30_000 })
})
