import type { Page } from '@playwright/test'
import { findBrokenRules } from '../support/axe.ts'
import { callCore, expect, test } from '../support/fitter.ts'
import { expectStep, keepPicture, prepareWorkplace, runStep, showStep, startJob } from '../support/work.ts'

test.describe.configure({ timeout: 150_000 })

const leastPx = 28

/** Every text that is shown in large type and is smaller than 28 px on the screen. */
function findSmallText(page: Page): Promise<string[]> {
  return page.locator('dialog.large').evaluate((dialog, leastPx) => {
    const problems: string[] = []
    for (const element of dialog.querySelectorAll('*')) {
      const text = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent ?? '')
        .join('')
        .trim()
      if (
        text === '' ||
        !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
        element.closest('.hidden')
      )
        continue
      const px = parseFloat(getComputedStyle(element).fontSize) * element.currentCSSZoom
      if (px < leastPx - 0.1) problems.push(`"${text.slice(0, 40)}" has ${px.toFixed(1)} px`)
    }
    return problems
  }, leastPx)
}

/** Counts the locks of the screen that the page holds. */
async function countLocks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const request = navigator.wakeLock.request.bind(navigator.wakeLock)
    Object.assign(window, { locks: 0 })
    navigator.wakeLock.request = async (type) => {
      const lock = await request(type)
      Object.assign(window, { locks: (window as never as { locks: number }).locks + 1 })
      lock.addEventListener('release', () =>
        Object.assign(window, { locks: (window as never as { locks: number }).locks - 1 })
      )
      return lock
    }
  })
}

const locks = (page: Page) => page.evaluate(() => (window as never as { locks: number }).locks)

test(
  'in large type a job goes on by one key: the value, the turns, a failure with its remedy first, a lost device, and Escape only leaves',
  { tag: '@daily' },
  async ({ openFitter, simulate, frontEnd }, testInfo) => {
    const yard = await simulate({ seed: 61, faults: ['ignitionWireMissing'] })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    const id = await startJob(page, yard)
    await expectStep(page, 'Ignition', 'running')
    await showStep(page, 'Ignition')
    await countLocks(page)

    await page.keyboard.press('z')
    const large = page.getByRole('dialog', { name: 'Large type' })
    await expect(large).toBeFocused()
    await expect(large.getByRole('heading')).toHaveText('Turn the key to ON.')
    await expect(large.locator('.value')).toHaveText('off')
    await expect(large.getByRole('img', { name: '0 of 2' })).toBeVisible()
    expect(await findSmallText(page)).toEqual([])
    expect(await findBrokenRules(page)).toEqual([])
    // The screen of a tablet on the seat stays on as long as a step runs. Electron asks its own permission.
    if (frontEnd === 'browser') await expect.poll(() => locks(page)).toBe(1)
    // Sounds are off until someone switches them on.
    const sound = large.getByRole('button', { name: /^Sound/ })
    await expect(sound).toHaveAttribute('aria-pressed', 'false')
    await sound.click()
    await expect(sound).toHaveText('Sound on')
    expect((await callCore(page, 'settings.get', {})).sounds).toBe(true)

    yard.device.setFault('hang', true)
    await expect(large.locator('.lost')).toContainText('The device has not answered for', { timeout: 20_000 })
    await expect(large.locator('[data-announcer]')).toContainText('The device stopped answering.')
    await expect(large.locator('.label').first()).toContainText('ago')
    await expect(large.locator('.value.wait')).toHaveText('off')
    yard.device.setFault('hang', false)
    await expect(large.locator('.lost')).toBeHidden({ timeout: 20_000 })

    yard.device.vehicle.turnKey('crank')
    await expect(large.getByRole('heading')).toContainText('The ignition wire is missing or on the wrong circuit.', {
      timeout: 40_000
    })
    await expect(large.getByRole('listitem').filter({ hasText: 'Find the IGN wire' })).toBeVisible()
    await expect(large.locator('.primary')).toHaveText('Run again')
    await expect(large.locator('[data-shape="pass"]').and(large.locator('.witnesses *'))).toHaveCount(0)
    expect(await findSmallText(page)).toEqual([])
    await keepPicture(page, testInfo, 'failed')
    yard.device.vehicle.turnKey('off')
    yard.device.setFault('ignitionWireMissing', false)
    // A step that runs again judges the engine by what was read last.
    await expect
      .poll(
        async () =>
          (await callCore(page, 'jobs.live', { id })).lines?.lines
            .find(({ name }) => name === 'TIG')
            ?.changes.at(-1)?.[1]
      )
      .toBe(false)
    await page.keyboard.press('r')
    await expect(large.getByRole('heading')).toHaveText('Turn the key to ON.')

    await page.keyboard.press('Escape')
    await expect(large).toBeHidden()
    await expectStep(page, 'Ignition', 'running')
    if (frontEnd === 'browser') await expect.poll(() => locks(page)).toBe(0)
    // The same key leads in and out.
    await page.keyboard.press('z')
    await expect(large).toBeVisible()
    await page.keyboard.press('z')
    await expect(large).toBeHidden()
    await page.getByRole('button', { name: 'Large type' }).click()
    await large.getByRole('button', { name: 'Leave large type' }).click()
    await expect(large).toBeHidden()
  }
)

test('in large type an output is armed by holding, Off is the largest control while it is on, and the answer is given there', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 62 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  await expectStep(page, 'Ignition', 'running')
  await runStep(page, 'Output 1')
  await page.keyboard.press('z')
  const large = page.getByRole('dialog', { name: 'Large type' })
  await expect(large.getByRole('button', { name: /Hold to switch OUT1 on/ })).toBeEnabled({ timeout: 40_000 })
  expect(await findSmallText(page)).toEqual([])
  await page.keyboard.down('Space')
  const off = large.getByRole('button', { name: /Switch OUT1 off|Cancel/ })
  await expect(off).toBeVisible({ timeout: 10_000 })
  await page.keyboard.up('Space')
  await expect(large.getByRole('button', { name: 'Yes' })).toBeVisible({ timeout: 40_000 })
  const areas = await large.getByRole('button').evaluateAll((buttons) =>
    buttons.map((button) => ({
      isOff: button.matches('.off'),
      area: button.getBoundingClientRect().width * button.getBoundingClientRect().height
    }))
  )
  const largest = areas.toSorted((a, b) => b.area - a.area)[0]
  expect(largest?.isOff).toBe(true)
  expect(await findSmallText(page)).toEqual([])
  // Back in the normal view the button of the step is still the only one: no alarm above it.
  await page.keyboard.press('Escape')
  await expect(
    page.getByRole('region', { name: 'Step', exact: true }).getByRole('button', { name: 'Yes' })
  ).toBeVisible()
  await expect(page.locator('.alarm').getByRole('alert')).toHaveCount(0)
  await page.keyboard.press('z')
  await off.click()
  await expect.poll(() => yard.device.vehicle.state().outputs['OUT1'] ?? false).toBe(false)
})

test('every kind of question is answered in large type or leads to the normal view', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 63 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const text = (en: string) => ({ title: { en, es: en }, instruction: { en: `${en}?`, es: `${en}?` } })
  const steps = [
    { id: 'identity', kind: 'identity', ...text('Identity') },
    { id: 'seals', kind: 'question', ...text('Are both seals closed') },
    { id: 'photo', kind: 'photo', ...text('Photo of the plug'), purpose: 'mounting' },
    { id: 'sign-off', kind: 'signOff', ...text('Sign-off') }
  ]
  await callCore(page, 'templates.import', {
    text: JSON.stringify({
      id: 'short',
      version: 1,
      kind: 'installation',
      name: { en: 'Short', es: 'Corta' },
      description: { en: 'Short', es: 'Corta' },
      steps
    })
  })
  const { devices } = await callCore(page, 'discovery.watch', {})
  const made = await callCore(page, 'jobs.create', {
    templateId: 'short',
    deviceKey: devices.find(({ imei }) => imei === yard.device.imei)?.key ?? '',
    customer: 'Customer One'
  })
  const id = made.outcome === 'created' ? made.id : ''
  await page.evaluate((id) => (window.location.hash = `#/job/${id}`), id)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await expectStep(page, 'Identity', 'running')
  // The field of the label has the focus, and there a letter is a letter.
  await page.getByRole('button', { name: 'Large type' }).click()
  const large = page.getByRole('dialog', { name: 'Large type' })
  await large.getByRole('textbox', { name: /IMEI/ }).fill(yard.device.imei)
  expect(await findSmallText(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(large.getByRole('button', { name: 'Yes' })).toBeVisible({ timeout: 30_000 })
  await large.getByRole('button', { name: 'Yes' }).click()
  await expect
    .poll(async () => (await callCore(page, 'jobs.show', { id })).steps.find((step) => step.id === 'seals')?.state)
    .toBe('pass')
  const elsewhere = large.getByRole('button', { name: 'Answer in the normal view' })
  await page.keyboard.press('n')
  await expect(elsewhere).toBeVisible({ timeout: 20_000 })
  await elsewhere.click({ timeout: 20_000 })
  await expect(large).toBeHidden()
  await expect(
    page.getByRole('region', { name: 'Step', exact: true }).getByText('Photo of the plug').first()
  ).toBeVisible()
})
