import type { Page } from '@playwright/test'
import { callCore, expect, test, type Yard } from '../support/fitter.ts'
import { hearJob, useHands } from '../support/hands.ts'
import { expectStep, holdButton, prepareWorkplace, sentence, stage } from '../support/work.ts'

test.describe.configure({ timeout: 200_000 })

async function copyVehicles(page: Page, { device: { imei } }: Yard): Promise<void> {
  await callCore(page, 'vehicles.refresh', {})
  await expect
    .poll(async () => (await callCore(page, 'vehicles.search', { text: imei, limit: 2 })).vehicles.length, {
      timeout: 40_000
    })
    .toBe(1)
}

test('by keyboard alone, and by ear: a whole installation from the first screen to the report', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 64, helperStory: 'installation-fast' })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await copyVehicles(page, yard)
  const hands = await useHands(page)

  await hands.press('g')
  await hands.press('d')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Devices' })).toHaveAttribute(
    'aria-current',
    'page'
  )
  await hands.moveTo(/^Start a job/)
  await hands.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New job' })
  await expect(dialog).toMatchAriaSnapshot(`
    - dialog "New job":
      - combobox "Device nearby, or IMEI"
      - combobox "Customer"
      - group "Checklist":
        - radio /Standard installation/ [checked]
      - contentinfo:
        - button "Start"
  `)
  await hands.moveTo(/^Customer$/)
  await hands.type('Customer One')
  await hands.moveTo(/^Start$/)
  await hands.press('Enter')
  await expect(dialog).toBeHidden()

  // The field of the label has the focus by itself.
  await expectStep(page, 'Identity', 'running')
  const heard = await hearJob(page)
  await expect(stage(page).getByRole('textbox', { name: /IMEI/ })).toBeFocused()
  await hands.type(yard.device.imei)
  await hands.press('Enter')
  await expectStep(page, 'Identity', 'passed')
  await expect(page.getByRole('region', { name: 'Checklist' })).toMatchAriaSnapshot(`
    - region "Checklist":
      - list:
        - listitem:
          - button /Identity , passed/
        - listitem:
          - button /External power , (running|passed)/
        - listitem:
          - button /Ignition , running/
  `)
  yard.device.vehicle.setHelper(true)
  await expectStep(page, 'Ignition', 'passed', 90_000)
  await expect(sentence(page)).toContainText('Is anything else wired?', { timeout: 60_000 })
  await hands.press('Enter')
  await expectStep(page, 'Inputs', 'passed', 60_000)
  yard.device.vehicle.setHelper(false)
  yard.device.vehicle.turnKey('off')
  for (const title of ['External power', 'Position', 'Network', 'Delivered at the gateway', 'Same place'])
    await expectStep(page, title, 'passed', 60_000)
  await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
  await page.keyboard.down('Space')
  await expect(holdButton(page)).toBeHidden({ timeout: 15_000 })
  await page.keyboard.up('Space')
  await expect(sentence(page)).toContainText('Does the relay on output 1 do what it should?', { timeout: 20_000 })
  await hands.moveTo(/^Switch OUT1 off/)
  await hands.press('y')
  await expectStep(page, 'Output 1', 'passed')
  await expectStep(page, 'Auto-alignment', 'running')
  await hands.press('Enter')
  await expectStep(page, 'Auto-alignment', 'sent, not confirmed')
  await expectStep(page, 'Vehicle', 'passed')
  await hands.moveTo(/^There is none/)
  await hands.press('Enter')
  await expectStep(page, 'Trailer or driver', 'does not apply')
  await hands.moveTo(/^Sign off$/)
  await hands.press('Enter')
  await expect(sentence(page)).toHaveText('This job is done and signed.')
  const [report] = await Promise.all([page.waitForEvent('download'), hands.press('p')])
  expect(report.suggestedFilename()).toMatch(/\.pdf$/)

  const said = await heard()
  // Each once, and nothing about values.
  for (const what of ['Identity: passed.', 'Ignition: passed', 'Inputs: passed', 'Output 1: passed.'])
    expect(
      said.filter((text) => text.includes(what)),
      said.join('\n')
    ).toHaveLength(1)
  expect(said.filter((text) => /your turn/.test(text)).length).toBeGreaterThan(0)
  expect(
    said.filter((text, n) => said.findIndex((other) => other.replace(/\d+/g, '0') === text.replace(/\d+/g, '0')) !== n),
    'told again with another number'
  ).toEqual([])
  expect(hands.problems).toEqual([])
})

test(
  'by keyboard alone: a diagnosis from the first screen to the evidence of its broken link',
  { tag: '@daily' },
  async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed: 65, faults: ['wrongApn'] })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    const hands = await useHands(page)
    await hands.press('g')
    await hands.press('i')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await hands.press('Control+k')
    await hands.type(yard.device.imei.slice(-6))
    await expect(page.getByRole('option', { selected: true })).toContainText(yard.device.imei.slice(-6))
    await page.keyboard.press('Escape')
    await hands.press('/')
    await hands.type(yard.device.imei.slice(-6))
    await expect(
      page
        .getByRole('option')
        .or(page.getByRole('link', { name: new RegExp(yard.device.imei.slice(-6)) }))
        .first()
    ).toBeVisible()
    await hands.moveTo(new RegExp(yard.device.imei.slice(-6)))
    await hands.press('Enter')
    const banner = page.locator('.banner.broken')
    await expect(banner).toBeVisible({ timeout: 30_000 })
    await expect(banner.getByRole('heading')).toContainText(/mobile network|IP address/)
    await hands.press('r')
    await expect(banner).toBeVisible({ timeout: 30_000 })
    const names = await hands.walk()
    expect(names.length).toBeGreaterThan(10)
    expect(hands.problems).toEqual([])
  }
)

const screens = [
  '#/start',
  '#/devices',
  '#/board',
  '#/jobs',
  '#/numbers',
  '#/vehicles',
  '#/team',
  '#/waiting',
  '#/settings',
  '#/templates',
  '#/explain',
  '#/batch',
  '#/diagnose/choose'
] as const

/** In groups, as a walk of all of them is long on a busy computer. */
const places: Record<string, (place: { imei: string; vehicle: number }) => string[]> = {
  'the first half of the screens': () => screens.slice(0, 7),
  'the other half of the screens': () => screens.slice(7),
  'the pages of a device': ({ imei }) =>
    ['overview', 'position', 'network', 'lines', 'engineBus', 'wifi', 'apps', 'console', 'raw'].map(
      (part) => `#/device/${imei}/${part}`
    ),
  'the pages of a vehicle': ({ imei, vehicle }) => [
    `#/vehicle/${vehicle}`,
    `#/events/${vehicle}`,
    `#/track/${vehicle}`,
    ...['keys', 'cameras', 'triggers', 'outputs'].map((part) => `#/accessories/${vehicle}/${part}`),
    `#/snapshots/${imei}`
  ]
}

for (const [group, hashesOf] of Object.entries(places)) {
  test(`on ${group} each stop of the Tab key has a name, is seen, and leads on`, async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed: 66, devices: 2 })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    await copyVehicles(page, yard)
    const vehicle = yard.gateway.state.vehicles.find((one) => String(one.device) === yard.device.imei)?.id ?? 0
    const hands = await useHands(page)
    for (const hash of hashesOf({ imei: yard.device.imei, vehicle })) {
      await page.evaluate((hash) => (window.location.hash = hash), hash)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await expect(page.locator('.skeleton, [aria-busy="true"]')).toHaveCount(0, { timeout: 20_000 })
      const names = await hands.walk()
      // The strip, the rail and the screen itself.
      expect(names.length, `${hash}: ${names.join(' | ')}`).toBeGreaterThan(8)
      // The first stop leads past the strip and the rail.
      expect(names[0], hash).toBe('Skip to content')
    }
    expect(hands.problems).toEqual([])
  })
}

test('by keyboard alone: every page of the settings is reached and left, and a setting is changed', async ({
  openFitter
}) => {
  const { page } = await openFitter()
  const hands = await useHands(page)
  await hands.press('g')
  await hands.press(',')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  for (const part of ['', 'team', 'connection', 'data', 'keys']) {
    await page.evaluate((part) => (window.location.hash = part ? `#/settings/${part}` : '#/settings'), part)
    await expect(page.locator('.skeleton, [aria-busy="true"]')).toHaveCount(0, { timeout: 20_000 })
    expect((await hands.walk()).length, part).toBeGreaterThan(8)
  }
  await page.evaluate(() => (window.location.hash = '#/settings'))
  await hands.moveTo(/^(As the system|System|Light|Same as system|Follow the system)/)
  for (let n = 0; n < 4 && (await callCore(page, 'settings.get', {})).theme !== 'dark'; n += 1) {
    await hands.press('ArrowRight')
    await expect(page.locator(':focus')).toBeChecked()
  }
  await expect.poll(async () => (await callCore(page, 'settings.get', {})).theme).toBe('dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  expect(hands.problems).toEqual([])
})
