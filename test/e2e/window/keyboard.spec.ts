import type { Page } from '@playwright/test'
import { findBrokenRules } from '../support/axe.ts'
import { callCore, expect, test } from '../support/fitter.ts'
import { keepPicture, prepareWorkplace } from '../support/work.ts'

test.describe.configure({ timeout: 120_000 })

/** The focus is somewhere that a person can see and go on from. */
async function expectFocus(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body))
    .toBe(true)
}

function heading(page: Page) {
  return page.getByRole('heading', { level: 1 })
}

test('by keyboard alone: a job is found by its plate, opened, begun and left, and the next one goes on from the first screen', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 91 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const made = await callCore(page, 'jobs.create', {
    templateId: 'standard-installation',
    deviceKey: yard.device.imei,
    vehicleText: yard.plate,
    customer: 'Customer One',
    scannedImei: yard.device.imei
  })
  expect(made.outcome).toBe('created')

  // The first screen knows the job and its device: Enter goes on with it.
  const primary = page.getByRole('button', { name: `Continue ${yard.plate}`, exact: true })
  await expect(primary).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => window.location.hash)).toMatch(/^#\/job\//)
  await expect.poll(async () => (await callCore(page, 'jobs.list', { limit: 1 })).jobs[0]?.isActive).toBe(true)
  await expectFocus(page)

  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Find or do' })
  await expect(field).toBeFocused()
  await page.keyboard.type('standard inst')
  const options = page.getByRole('option')
  await expect(page.getByRole('option', { selected: true })).toContainText('Standard installation')
  await expect(page.getByRole('tab', { name: 'Jobs' })).toHaveText(/Jobs\s*1/)
  expect(await findBrokenRules(page)).toEqual([])
  await keepPicture(page, testInfo, 'palette')
  // The list is walked without leaving the field.
  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await expect(options.last()).toContainText('All outputs off')
  await expect(field).toBeFocused()
  await page.keyboard.press('Tab')
  for (const kind of ['Devices', 'Jobs']) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('tab', { name: kind })).toHaveAttribute('aria-selected', 'true')
  }
  await expect(page.getByRole('group', { name: 'Jobs' }).getByRole('option')).toHaveText([/Standard installation/])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectFocus(page)

  for (const [letter, title] of [
    ['d', 'Devices'],
    ['v', 'Vehicles'],
    [',', 'Settings'],
    ['j', 'Jobs'],
    ['s', 'Start']
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await expect(page.getByRole('navigation').getByRole('link', { name: title })).toHaveAttribute(
      'aria-current',
      'page'
    )
    await expect(heading(page)).toBeVisible()
    await expectFocus(page)
  }

  // A screen of the device by its name.
  await page.keyboard.press('Control+k')
  await page.keyboard.type(`console ${yard.device.imei.slice(-6)}`)
  await expect(page.getByRole('option', { selected: true })).toContainText('Console')
  await expect(page.getByRole('group', { name: /^Commands for/ })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => window.location.hash)).toBe(`#/device/${yard.device.imei}/console`)
})

test(
  'a vehicle is found by parts of its plate, also in the gateway when nothing of it is kept, and a job for it begins from there',
  { tag: '@daily' },
  async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed: 92 })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    await page.keyboard.press('Control+k')
    await page.keyboard.type(yard.plate.toLowerCase())
    const chosen = page.getByRole('option', { selected: true })
    await expect(chosen).toContainText(yard.plate)
    await expect(chosen).toContainText('device found')
    await expect(
      page.getByRole('group', { name: `Commands for ${yard.plate}` }).getByRole('option', { name: /^Start a job/ })
    ).toBeVisible()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'New job' })
    // As typed until the list of the gateway is copied, then as the vehicle with this plate.
    await expect
      .poll(() =>
        dialog.evaluate(
          (part) => `${part.textContent} ${[...part.querySelectorAll('input')].map(({ value }) => value).join(' ')}`
        )
      )
      .toContain(yard.plate)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()

    // The list of the gateway is copied: now it is found without asking, by the letters and the number of its plate.
    await callCore(page, 'vehicles.refresh', {})
    await expect.poll(async () => (await callCore(page, 'vehicles.copy', {})).running).toBeNull()
    const { vehicles } = await callCore(page, 'find.kept', { text: yard.plate.replace(/(\D+)0*(\d+)/, '$1 $2') })
    expect(vehicles.found.map(({ plate }) => plate)).toContain(yard.plate)
  }
)

test('what is typed right behind Ctrl K is looked for, and is no shortcut', async ({ openFitter }) => {
  const { page } = await openFitter()
  await page.reload()
  await heading(page).waitFor()
  // At once, in one task of the page: no key waits for the field to be there.
  await page.evaluate(() => {
    const press = (key: string, ctrlKey = false) =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true })
      )
    press('k', true)
    for (const letter of 'gd lm') press(letter)
    press('Backspace')
  })
  await expect(page.getByRole('combobox')).toHaveValue('gd l')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Start' })).toHaveAttribute(
    'aria-current',
    'page'
  )
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

test('the sheet of keys opens by "?", a key is changed there and works at once, a taken one is refused with words, and all of them can be off', async ({
  openFitter
}, testInfo) => {
  const { page } = await openFitter()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toBeVisible()
  expect(await findBrokenRules(page)).toEqual([])
  await keepPicture(page, testInfo, 'keys')
  const line = sheet.getByRole('button', { name: /^Scan a label/ })
  await line.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('c')
  await expect(sheet.getByRole('alert')).toContainText('C is used for “New job”')
  await page.keyboard.press('m')
  await expect(line).toHaveAccessibleName(/^Scan a label ?M$/)
  await expect(line).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expectFocus(page)

  await page.keyboard.press('l')
  await page.keyboard.press('m')
  await expect(page.getByRole('dialog', { name: 'Scan or type the label' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await heading(page).waitFor()
  await expect(page.getByRole('button', { name: 'Scan a label' })).toContainText('M')

  await page.keyboard.press('?')
  await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).focus()
  await page.keyboard.press('Space')
  await expect(sheet.getByRole('switch')).toHaveAttribute('aria-checked', 'false')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.keyboard.press('m')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(page.getByRole('combobox')).toBeFocused()
})

test('nothing on the first screen moves while what it tells comes in', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 93 })
  const { page, openWindow } = await openFitter()
  await prepareWorkplace(page, yard)
  await callCore(page, 'jobs.create', {
    templateId: 'standard-installation',
    deviceKey: yard.device.imei,
    vehicleText: '',
    customer: 'Customer One'
  })
  const other = await openWindow()
  await other.addInitScript(() => {
    const seen = window as unknown as { shifts: string[] }
    seen.shifts = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { sources: { node: Node | null }[] }[]) {
        seen.shifts.push(
          ...entry.sources.map(({ node }) =>
            (node instanceof Element ? node.outerHTML : (node?.textContent ?? '')).slice(0, 120)
          )
        )
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await other.reload()
  await expect(other.getByRole('button', { name: /^Continue Standard installation$/ })).toBeVisible()
  await expect(other.getByRole('link', { name: /^0 done today/ })).toBeVisible()
  expect(await other.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([])
})
