import type { Page } from '@playwright/test'
import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'
import { settle } from '../looks/theatre.ts'
import { findUglyThings } from './support/looks.ts'
import { callCore, prepareWorkplace } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

const sections = [
  'Overview',
  'Position',
  'Network',
  'Lines',
  'Engine bus',
  'Accelerometer',
  'Wi-Fi',
  'Hotspot',
  'Applications',
  'Updates',
  'Console',
  'Raw answers'
]
const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Areas of the device' }).getByRole('link', { name: new RegExp(`^${name}`) })

async function expectSection(page: Page, name: string): Promise<void> {
  await expect(link(page, name)).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeAttached()
}

/** A word says what it means beside itself; Escape gives the focus back, and nothing else is closed by it. */
async function expectExplained(page: Page): Promise<void> {
  const word = page.getByRole('button', { name: 'Registration', exact: true })
  const said = page.getByRole('dialog', { name: 'Meaning of “Registration”' })
  await word.focus()
  await page.keyboard.press('Enter')
  await expect(said).toContainText('Registration for calls and text')
  await expect(said).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(said).toHaveCount(0)
  await expect(word).toBeFocused()
  await word.press('Space')
  await expect(said).toContainText('GSM_REG')
  await expect(word).toHaveAttribute('aria-expanded', 'true')
}

test('a device is walked through by keyboard alone, section by section, and breaks no rule of accessibility', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 61 })
  const { page } = await openFitter()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await prepareWorkplace(page, yard)
  await page.evaluate((hash) => (window.location.hash = hash), `#/device/${yard.device.imei}`)
  await expectSection(page, 'Overview')
  await expect(page.getByText('agree', { exact: false }).first()).toBeVisible()

  const problems: string[] = []
  for (const [index, name] of sections.entries()) {
    if (index > 0) await page.keyboard.press('j')
    await expectSection(page, name)
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    if (name === 'Network') await expectExplained(page)
    for (const one of [...(await findBrokenRules(page)), ...(await findUglyThings(page))])
      problems.push(`${name}: ${one}`)
    if (name === 'Network') await page.keyboard.press('Escape')
  }
  expect(problems).toEqual([])

  // A page that is read again opens where it was.
  await page.reload()
  await expectSection(page, 'Raw answers')
  await page.keyboard.press('k')
  await expectSection(page, 'Console')
  // In the list itself the arrows move, and Enter opens.
  await link(page, 'Console').focus()
  await page.keyboard.press('ArrowUp')
  await expect(link(page, 'Updates')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectSection(page, 'Updates')
})

test(
  'what is wrong with a device leads by keyboard to where it is mended',
  { tag: '@daily' },
  async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed: 62 })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    yard.device.vehicle.cutPower(true)
    await page.evaluate((hash) => (window.location.hash = hash), `#/device/${yard.device.imei}`)
    await expect(page.getByText('No external power. The device runs on its internal battery.')).toBeVisible()
    await expect(link(page, 'Lines')).toHaveAccessibleName(/problem/)
    await page.getByRole('list', { name: 'Problems' }).getByRole('link', { name: 'Lines' }).focus()
    await page.keyboard.press('Enter')
    await expectSection(page, 'Lines')
  }
)

test('what keeps a vehicle from reporting is named by keyboard alone, mended where it is said, and seen to heal', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 62 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  yard.device.setFault('wrongApn', true)
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(page.getByRole('heading', { level: 1, name: 'Which vehicle is not reporting?' })).toBeVisible()
  await page.keyboard.type(yard.device.imei)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const link = (name: string) =>
    page.getByRole('list', { name: 'From the wire to the user' }).getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(link('Address')).toHaveAccessibleName(/broken/)
  await expect(link('Network')).toHaveAccessibleName(/in order/)
  // What is behind the broken link is known as well.
  await expect(link('Valid fix')).toHaveAccessibleName(/in order/)
  await expect(
    page.getByRole('heading', { level: 2, name: 'Registered on the mobile network, but no IP address assigned.' })
  ).toBeVisible()
  await expect(page.getByRole('row', { name: /APN wrong\.example/ })).toBeVisible()
  // Letters do not act while the dialog is open.
  await page.keyboard.press('d')
  const apn = page.getByRole('dialog').getByRole('textbox', { name: 'APN', exact: true })
  await apn.fill('internet.example')
  // The fields that stay empty are sent empty: the person says so.
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^Send empty/ })
    .press('Space')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByText('Confirmed by reading back')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(link('Address')).toHaveAccessibleName(/in order/)
})

test('a narrow window has the sections in a list to choose from, and nothing is cut', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 63 })
  const { page } = await openFitter()
  await page.setViewportSize({ width: 1024, height: 640 })
  await prepareWorkplace(page, yard)
  await callCore(page, 'settings.change', { language: 'es' })
  await page.reload()
  await page.evaluate((hash) => (window.location.hash = hash), `#/device/${yard.device.imei}`)
  const choice = page.getByRole('combobox', { name: 'Áreas del equipo' })
  for (const part of ['network', 'engineBus', 'wifi', 'console', 'raw']) {
    await choice.selectOption(part)
    await expect(page).toHaveURL(new RegExp(`/device/${yard.device.imei}/${part}$`))
    await settle(page)
    expect((await findUglyThings(page)).map((one) => `${part}: ${one}`)).toEqual([])
  }
})
