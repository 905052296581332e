import type { Page } from '@playwright/test'
import { callCore, expect, test } from '../support/fitter.ts'
import { findBrokenRules } from '../support/axe.ts'
import { keepPicture, prepareWorkplace } from '../support/work.ts'
import { makeAuthority } from '../../world/gateway/testCertificates.ts'

test.describe.configure({ timeout: 180_000 })

async function expectAccessible(page: Page): Promise<void> {
  expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
}

async function goTo(page: Page, screen: RegExp, heading: RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Main parts' }).getByRole('link', { name: screen }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
}

test(
  'the devices are walked by keyboard, and the chosen one says all that is known of it',
  { tag: '@daily' },
  async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed: 81, devices: 2 })
    const [first, second] = yard.devices
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    await callCore(page, 'discovery.findImei', { imei: second?.imei ?? '' })
    await goTo(page, /^Devices$/, /^\d+ devices nearby$/)
    const chosen = page.getByRole('region', { name: 'Selected device' })
    await expect(page.getByRole('link', { name: `Open ${second?.imei}` })).toBeVisible({ timeout: 20_000 })
    await expect(chosen).toContainText(first?.imei.slice(-6) ?? '')
    await expect(chosen).toContainText('Verified')
    // What was read of it comes back as its history.
    await expect(chosen.getByText(/dBm$/)).toBeVisible({ timeout: 20_000 })
    await expect(chosen).toContainText('No jobs on this computer.')
    await expectAccessible(page)
    // What was read too long ago is grey, and can still be read.
    await chosen.locator('.sign').evaluateAll((signs) => signs.forEach((sign) => sign.classList.add('stale')))
    await expectAccessible(page)

    await page.keyboard.press('j')
    await expect(page.getByRole('link', { name: `Open ${first?.imei}` }).first()).toBeFocused()
    for (let presses = 0; presses < 12 && !(await chosen.innerText()).includes(second?.imei.slice(-6) ?? ''); presses++)
      await page.keyboard.press('j')
    await expect(chosen).toContainText(second?.imei.slice(-6) ?? '')
    await expect(chosen).toContainText('Needs sign-in')
    await expectAccessible(page)
    // Back to the one that is ready: Enter on its line opens it.
    for (let presses = 0; presses < 12 && !(await chosen.innerText()).includes(first?.imei.slice(-6) ?? ''); presses++)
      await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`#/device/${first?.imei}`))
  }
)

test('the settings are gone through by their list, kept, and a shared password can be removed', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 82 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await callCore(page, 'device.signIn', {
    key: yard.device.imei,
    user: yard.device.user,
    password: yard.device.password,
    shared: true
  })
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
  await expect(passwords.getByRole('status')).toHaveText('saved')
  await passwords.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(passwords.getByRole('status')).toHaveText('none saved')
  expect(await callCore(page, 'device.kept', {})).toEqual({ hasShared: false })

  await list.getByRole('button', { name: 'Display' }).press('Enter')
  await page.getByRole('radio', { name: 'Tall (gloves)' }).press('Space')
  await expect(page.locator('html')).toHaveAttribute('data-rows', 'roomy')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-rows', 'roomy')

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Data', exact: true }).click()
  // A backup is made, looked into, and gone back to: the workplace opens with it, and says of when it is.
  const data = page.getByRole('region', { name: 'Data', exact: true })
  await data.getByRole('button', { name: 'Back up now' }).click()
  await expect(data.getByRole('status')).toHaveText('A backup was made and checked.', { timeout: 20_000 })
  await callCore(page, 'settings.change', { technician: 'Technician Three' })
  await data
    .getByRole('button', { name: /^Go back to/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Go back to this copy?' })
  await expect(dialog.getByRole('button', { name: 'Restore this copy' })).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByRole('checkbox').press('Space')
  await dialog.getByRole('button', { name: 'Restore this copy' }).click()
  await expect(async () => {
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await expect(page.getByText(/^Restored the data of/)).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  await expect(page.getByRole('banner')).toContainText('Technician Two')
})

test('the way to the gateway is tried step by step, and a certificate of the company comes and goes', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 82 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await page.evaluate(() => (window.location.hash = '#/settings/connection'))
  const part = page.getByRole('region', { name: 'Connection to the gateway' })
  await expect(part).toBeInViewport()
  await part.getByRole('button', { name: 'Try now' }).press('Enter')
  await expect(part.getByRole('status')).toHaveText('The gateway can be reached.')
  const steps = part.getByRole('list', { name: 'Connection to the gateway' })
  await expect(steps).toContainText('The gateway itself answers.')
  await expect(steps).toContainText(`Signed in as ${yard.gateway.user}.`)
  await part.getByText('Paste a certificate').click()
  await part.getByRole('textbox', { name: 'Paste a certificate' }).fill(makeAuthority('Company Root').cert)
  await part.getByRole('button', { name: 'Add', exact: true }).press('Enter')
  await expect(part.getByRole('list', { name: 'Company certificates' })).toContainText('Company Root')
  await expectAccessible(page)
  await keepPicture(page, testInfo, 'connection')
  await part.getByRole('button', { name: 'Remove Company Root' }).press('Enter')
  await expect(part).toContainText('No company certificate added.')
  await goTo(page, /^Devices$/, /nearby$/)
  await expect(
    page.getByRole('region', { name: 'Networks of this computer' }).getByRole('status').first()
  ).toContainText('gateway')
  await expectAccessible(page)
  await keepPicture(page, testInfo, 'networks')
})

test('the system check says what was sent on which card and what came back, and what needs a look first', async ({
  openFitter
}) => {
  const { page } = await openFitter()
  await goTo(page, /^Devices$/, /nearby$/)
  const toTest = page
    .getByRole('link', { name: 'System check' })
    .or(page.getByRole('link', { name: 'Run system check' }))
    .first()
  await toTest.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('System check')
  const network = page.getByRole('region', { name: 'Network' })
  await expect(network).toContainText(/quer(y|ies) sent/, { timeout: 30_000 })
  await expectAccessible(page)
  await expect.poll(() => page.locator('section li .word').count()).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'Run again' }).press('Enter')
  await expect(network).toContainText(/quer(y|ies) sent/)
})

test(
  'what waits for the gateway says so in groups, what needs a person is answered with a reason, and nothing says what to do instead',
  { tag: '@daily' },
  async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed: 83 })
    const { page } = await openFitter()
    await goTo(page, /^Waiting/, /^Nothing is waiting$/)
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')

    await prepareWorkplace(page, yard)
    yard.gateway.setOnline(false)
    await callCore(page, 'vehicles.link', { id: 1, name: 'Unit 1', assetId: 2, assetName: 'Trailer 2' })
    await goTo(page, /^Waiting/, /^1 waiting for the gateway$/)
    await expect(page.getByRole('heading', { name: /^Pending/ })).toBeVisible()
    const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Trailer 2' })
    await expect(item).toHaveCount(1)
    await expectAccessible(page)
    await page.keyboard.press('j')
    await expect(page.getByRole('main').getByRole('article')).toBeFocused()
    await page.keyboard.press('j')
    await expect(item).toBeFocused()

    // The gateway has no such trailer, and does not say whether it is hidden or missing.
    yard.gateway.setOnline(true)
    await page.getByRole('button', { name: 'Try now', exact: true }).press('Enter')
    await expect(page.getByRole('heading', { name: 'For you' })).toBeVisible({ timeout: 30_000 })
    await expect(page).toHaveTitle('(1) Fitter: Waiting')
    await expect(page.getByRole('main').getByRole('article')).toContainText(
      'Continues when you decide: Link Unit 1 with Trailer 2.'
    )
    await item.getByRole('button', { name: 'Discard' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Discard this change' })
    await expect(dialog).toContainText(/Link Unit 1 with Trailer 2.*not found,? or not permitted/)
    await expectAccessible(page)
    const reason = dialog.getByRole('textbox', { name: 'Reason' })
    await expect(reason).toHaveValue('')
    await expect(dialog.getByRole('button', { name: 'Discard' })).toBeDisabled()
    await reason.fill('The trailer was sold')
    await dialog.getByRole('button', { name: 'Discard' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing is waiting')
    await expect(page).toHaveTitle('Fitter: Waiting')
    await page.getByText('Finished', { exact: true }).press('Enter')
    await page.getByText(/^Tries and/).press('Enter')
    await expect(page.getByRole('main')).toContainText('A person decided: The trailer was sold')
  }
)

test('a checklist is copied, changed and kept by keyboard, with what a job would show beside it, and a job is made of it with an order', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 84 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await goTo(page, /^Settings$/, /^Settings$/)
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Work' }).press('Enter')
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
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(preview.getByRole('listitem').nth(1)).toContainText('Custom question')
  // Without its Spanish words it may be kept; with an id that is taken it may not.
  const form = page.getByRole('region', { name: 'Texts of the step' })
  await expect(form).toContainText('The Spanish text is missing.')
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
  await dialog.getByRole('button', { name: /more checklists$/ }).press('Enter')
  await dialog.getByRole('radio', { name: /^Camera \(copy\)/ }).press('Space')
  await dialog.getByRole('button', { name: 'Add an item' }).press('Enter')
  await dialog.getByRole('searchbox', { name: 'Search items' }).fill('Starter relay')
  await expect(dialog.getByRole('button', { name: 'Starter relay', exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(
    dialog.getByRole('listitem').filter({ hasText: 'Starter relay' }).getByRole('button').first()
  ).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Start', exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: /^Starter relay/ })).toBeVisible({ timeout: 20_000 })
})
