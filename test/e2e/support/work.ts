import { expect, type Locator, type Page, type TestInfo } from '@playwright/test'
import type { OrderItem } from '../../../preload/contract/job/steps/index.ts'
import { callCore, type Yard } from './fitter.ts'

export { callCore }

export function stepButton(page: Page, title: string): Locator {
  return page.getByRole('region', { name: 'Checklist' }).getByRole('button', { name: new RegExp(`^${title} ?, `) })
}

export function stage(page: Page): Locator {
  return page.getByRole('region', { name: 'Step', exact: true })
}

/** What the step on the stage says, in its largest words. */
export function sentence(page: Page): Locator {
  return stage(page).getByRole('heading').first()
}

/** The card of one device on the devices screen. */
export function deviceCard(page: Page, imei: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('link', { name: `Open ${imei}` }) })
}

/** Waits until the checklist says that a step is in that state, in its own words. */
export async function expectStep(page: Page, title: string, state: string, timeout = 30_000): Promise<void> {
  await expect(stepButton(page, title)).toHaveAccessibleName(new RegExp(`^${title} ?, ${state}(?! with)`), { timeout })
}

export async function showStep(page: Page, title: string): Promise<void> {
  await stepButton(page, title).click()
  await expect(stepButton(page, title)).toHaveAttribute('aria-current', 'step')
}

export async function runStep(page: Page, title: string): Promise<void> {
  await showStep(page, title)
  // What came after a step that passed begins by itself, perhaps at this moment.
  await expect(async () => {
    if (
      /, running/.test(
        (await stepButton(page, title).getAttribute('aria-label')) ?? (await stepButton(page, title).innerText())
      )
    )
      return
    await stage(page)
      .getByRole('button', { name: /^(Run (this step|again)|Start now)( |$)/ })
      .click({ timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
}

/**
 * Short hold times, the simulated gateway and the simulated device: everything that is set up once on a real computer.
 */
export async function prepareWorkplace(page: Page, yard: Yard): Promise<void> {
  await callCore(page, 'settings.change', { profile: 'short-holds', technician: 'Technician One' })
  const { url, user, password } = yard.gateway
  const signedIn = await callCore(page, 'gateway.signIn', { url, user, password })
  expect(signedIn.kind).toBe('signedIn')
  await callCore(page, 'discovery.watch', {})
  const found = await callCore(page, 'discovery.findImei', { imei: yard.device.imei })
  expect(found.kind).toBe('found')
  const key = await keyOf(page, yard.device.imei)
  const device = await callCore(page, 'device.signIn', {
    key,
    user: yard.device.user,
    password: yard.device.password,
    shared: false
  })
  expect(device.kind).toBe('signedIn')
}

async function keyOf(page: Page, imei: string): Promise<string> {
  const table = await callCore(page, 'discovery.watch', {})
  const seen = table.devices.find((device) => device.imei === imei)
  if (!seen) throw new Error(`The device ${imei} is not in the table.`)
  return seen.key
}

/** A running job on the screen with its identity proved. */
export async function startJob(
  page: Page,
  yard: Yard,
  { vehicle = '', imei = yard.device.imei, items = [] as OrderItem[], templateId = 'standard-installation' } = {}
): Promise<string> {
  const made = await callCore(page, 'jobs.create', {
    templateId,
    deviceKey: await keyOf(page, yard.device.imei),
    vehicleText: vehicle,
    customer: 'Customer One',
    ...(items.length > 0 && { order: { reference: '', vehicle: '', customer: '', notes: '', items } })
  })
  if (made.outcome !== 'created') throw new Error('Another job on this device is open.')
  const { id } = made
  await page.evaluate((id) => (window.location.hash = `#/job/${id}`), id)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await giveImei(page, imei)
  return id
}

export async function giveImei(page: Page, imei: string): Promise<void> {
  await expectStep(page, 'Identity', 'running')
  await showStep(page, 'Identity')
  await stage(page).getByRole('textbox', { name: /IMEI/ }).fill(imei)
  await stage(page).getByRole('button', { name: 'Check' }).click()
}

/** The button that has to be held; its name is what it does. */
export function holdButton(page: Page): Locator {
  return stage(page).getByRole('button', { name: /Hold to switch OUT1 on/ })
}

async function stateOf(button: Locator): Promise<'gone' | 'enabled' | 'neither'> {
  if ((await button.count()) === 0) return 'gone'
  return (await button.and(button.page().locator(':enabled')).count()) > 0 ? 'enabled' : 'neither'
}

/**
 * Held for as long as the button asks: it is gone once the output is armed. A condition that breaks meanwhile lets go
 * of it.
 */
async function holdUntilArmed(
  button: Locator,
  press: () => Promise<void>,
  release: () => Promise<void>
): Promise<void> {
  await expect(async () => {
    await expect(button).toBeEnabled({ timeout: 40_000 })
    await press()
    try {
      await expect(button.and(button.page().locator(':enabled'))).toHaveCount(0, { timeout: 15_000 })
    } finally {
      await release()
    }
    // Armed and gone, or a condition broke and it can be held anew: nothing in between lasts.
    await expect.poll(() => stateOf(button), { timeout: 40_000 }).not.toBe('neither')
    expect(await stateOf(button)).toBe('gone')
  }).toPass({ timeout: 90_000 })
}

export async function holdWithMouse(page: Page): Promise<void> {
  const button = holdButton(page)
  await holdUntilArmed(
    button,
    async () => {
      await button.hover()
      await page.mouse.down()
    },
    () => page.mouse.up()
  )
}

export async function holdWithKeyboard(page: Page): Promise<void> {
  const button = holdButton(page)
  await holdUntilArmed(
    button,
    async () => {
      await button.focus()
      await page.keyboard.down('Space')
    },
    () => page.keyboard.up('Space')
  )
}

/** Keeps what the window looks like as an artefact of the test. */
export async function keepPicture(page: Page, testInfo: TestInfo, name: string): Promise<void> {
  const path = testInfo.outputPath(`${name}.png`)
  await page.screenshot({ path })
  await testInfo.attach(name, { path, contentType: 'image/png' })
}
