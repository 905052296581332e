import type { Page } from '@playwright/test'
import { callCore, expect, test } from './support/fitter.ts'
import { findBrokenRules } from './support/axe.ts'
import { prepareWorkplace } from './support/work.ts'

test.describe.configure({ timeout: 180_000 })

async function expectAccessible(page: Page): Promise<void> {
  expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
}

async function goTo(page: Page, screen: RegExp, heading: RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Main parts' }).getByRole('link', { name: screen }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
}

test('the devices are walked by keyboard, and the chosen one says all that is known of it', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 81, devices: 2 })
  const [first, second] = yard.devices
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await callCore(page, 'discovery.findImei', { imei: second?.imei ?? '' })
  await goTo(page, /^Devices$/, /^\d+ devices nearby$/)
  const chosen = page.getByRole('region', { name: 'Chosen device' })
  await expect(page.getByRole('link', { name: `Open ${second?.imei}` })).toBeVisible({ timeout: 20_000 })
  await expect(chosen).toContainText(first?.imei.slice(-6) ?? '')
  await expect(chosen).toContainText('Verified')
  // What was read of it comes back as its history.
  await expect(chosen.getByText(/dBm$/)).toBeVisible({ timeout: 20_000 })
  await expect(chosen).toContainText('None in the log of this computer.')
  await expectAccessible(page)
  // What was read too long ago is grey, and can still be read.
  await chosen.locator('.sign').evaluateAll((signs) => signs.forEach((sign) => sign.classList.add('stale')))
  await expectAccessible(page)

  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: `Open ${first?.imei}` }).first()).toBeFocused()
  for (let presses = 0; presses < 12 && !(await chosen.innerText()).includes(second?.imei.slice(-6) ?? ''); presses++) await page.keyboard.press('j')
  await expect(chosen).toContainText(second?.imei.slice(-6) ?? '')
  await expect(chosen).toContainText('Needs sign-in')
  await expectAccessible(page)
  // Back to the one that is ready: Enter on its line opens it.
  for (let presses = 0; presses < 12 && !(await chosen.innerText()).includes(first?.imei.slice(-6) ?? ''); presses++) await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`#/device/${first?.imei}`))
})

test('the settings are gone through by their list, kept, and a shared password can be removed', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 82 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await callCore(page, 'device.signIn', { key: yard.device.imei, user: yard.device.user, password: yard.device.password, shared: true })
  await goTo(page, /^Settings$/, /^Settings$/)
  await expectAccessible(page)
  const list = page.getByRole('navigation', { name: 'Settings' })
  await page.keyboard.press('j')
  await expect(list.getByRole('button', { name: 'Work' })).toBeFocused()
  const technician = page.getByRole('textbox', { name: /^Technician/ })
  await expect(technician).toBeInViewport()
  await technician.fill('Technician Two')
  await technician.press('Enter')
  await expect(page.getByRole('banner')).toContainText('Technician Two')

  await list.getByRole('button', { name: 'Device passwords' }).press('Enter')
  const passwords = page.getByRole('region', { name: 'Device passwords' })
  await expect(passwords.getByRole('status')).toHaveText('one is kept')
  await passwords.getByRole('button', { name: 'Remove it' }).press('Enter')
  await expect(passwords.getByRole('status')).toHaveText('none is kept')
  expect(await callCore(page, 'device.kept', {})).toEqual({ hasShared: false })

  await page.getByRole('radio', { name: '44 px' }).press('Space')
  await expect(page.locator('html')).toHaveAttribute('data-rows', 'roomy')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-rows', 'roomy')
})

test('the self-test says what was sent on which card and what came back, and what needs a look first', async ({ openFitter }) => {
  const { page } = await openFitter()
  await goTo(page, /^Devices$/, /nearby$/)
  const toTest = page.getByRole('link', { name: 'Self-test' }).or(page.getByRole('link', { name: 'Run the self-test' })).first()
  await toTest.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Self-test')
  const network = page.getByRole('region', { name: 'Network' })
  await expect(network).toContainText(/questions? sent/, { timeout: 30_000 })
  await expectAccessible(page)
  await expect.poll(() => page.locator('section li .word').count()).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'Run again' }).press('Enter')
  await expect(network).toContainText(/questions? sent/)
})

test('what waits for the gateway says so in groups, and nothing says what to do instead', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 83 })
  const { page } = await openFitter()
  await goTo(page, /^Waiting/, /^Nothing waits$/)
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')

  await prepareWorkplace(page, yard)
  yard.gateway.setOnline(false)
  await callCore(page, 'vehicles.link', { id: 1, name: 'Unit 1', assetId: 2, assetName: 'Trailer 2' })
  await goTo(page, /^Waiting/, /^1 operation is open$/)
  await expect(page.getByRole('heading', { name: /^On its way/ })).toBeVisible()
  const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Trailer 2' })
  await expect(item).toHaveCount(1)
  await expectAccessible(page)
  await page.keyboard.press('j')
  await expect(item).toBeFocused()
  yard.gateway.setOnline(true)
})

test('a checklist is copied, changed and kept by keyboard, with what a job would show beside it, and a job is made of it with an order', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 84 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await goTo(page, /^Settings$/, /^Settings$/)
  await page.getByRole('region', { name: 'Work' }).getByRole('link', { name: 'Open' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checklists')
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Camera/ }).press('Enter')
  await page.getByRole('button', { name: 'Copy and change' }).press('Enter')
  await page.getByRole('textbox', { name: 'Id' }).fill('our-cameras')
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await steps.getByRole('button', { name: /Identity$/ }).press('Enter')
  await steps.getByLabel('Kind of step to add').selectOption('question')
  await steps.getByRole('button', { name: 'Add', exact: true }).press('Enter')
  const preview = page.getByRole('complementary', { name: 'As a job shows it' })
  await expect(preview.getByRole('listitem').nth(1)).toContainText('Question')
  // Without its Spanish words it may be kept; with an id that is taken it may not.
  const form = page.getByRole('region', { name: 'What the step says' })
  await expect(form).toContainText('The text is missing in Spanish.')
  await expectAccessible(page)
  await form.getByRole('textbox', { name: 'Id' }).fill('sign-off')
  await form.getByRole('textbox', { name: 'Id' }).press('Tab')
  await expect(page.getByRole('button', { name: 'Save as new version' })).toBeDisabled()
  await form.getByRole('textbox', { name: 'Id' }).fill('damage')
  await form.getByRole('textbox', { name: 'Id' }).press('Tab')
  await expect(page.getByRole('button', { name: 'Save as new version' })).toBeEnabled()
  await page.getByRole('button', { name: 'Save as new version' }).press('Enter')
  await expect(page).toHaveURL(/#\/templates\/our-cameras$/)

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New job' })
  await dialog.getByRole('radio', { name: /^Camera \(copy\)/ }).press('Space')
  await dialog.getByRole('button', { name: 'Type an order' }).press('Enter')
  await dialog.getByLabel('Thing that was ordered').selectOption('starterRelay')
  await dialog.getByRole('button', { name: 'Add', exact: true }).press('Enter')
  await expect(dialog.getByText(/^Output: Starter relay$/)).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create and start' }).press('Enter')
  await expect(page.getByRole('button', { name: /^Starter relay/ })).toBeVisible({ timeout: 20_000 })
})
