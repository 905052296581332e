import type { Page } from '@playwright/test'
import { expect, test, type Yard } from './support/fitter.ts'
import { readShifts, watchShifts } from './support/shifts.ts'
import { callCore, expectStep, holdButton, keepPicture, prepareWorkplace, sentence, stage } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

const mostActions = 14

/** What a person does to the application: a click, a key that acts, a field that is typed, a label that is scanned. What they do to the vehicle does not count. */
function countActions(page: Page) {
  const done: string[] = []
  return {
    done,
    async click(name: string | RegExp) {
      done.push(`click ${String(name)}`)
      await page.getByRole('button', { name }).first().click()
    },
    async press(key: string) {
      done.push(`press ${key}`)
      await page.keyboard.press(key)
    },
    async hold(key: string) {
      done.push(`hold ${key}`)
      await page.keyboard.down(key)
      await expect(holdButton(page)).toBeHidden({ timeout: 15_000 })
      await page.keyboard.up(key)
    },
    /** A scanner types the number and ends it with Enter. */
    async scan(imei: string) {
      done.push(`scan ${imei}`)
      await page.keyboard.type(imei)
      await page.keyboard.press('Enter')
    }
  }
}

/** A customer that an earlier job was for, as on any day but the first. */
async function hadACustomer(page: Page, yard: Yard): Promise<void> {
  const table = await callCore(page, 'discovery.watch', {})
  const key = table.devices.find(({ imei }) => imei === yard.device.imei)?.key ?? ''
  const made = await callCore(page, 'jobs.create', { templateId: 'diagnosis', deviceKey: key, customer: 'Customer One' })
  if (made.outcome !== 'created') throw new Error('Another job on this device is open.')
  await callCore(page, 'jobs.cancel', { id: made.id, reason: 'It was for another day' })
}

/** Somebody in the cab turns the key, starts the engine and presses what is wired, until both steps have seen it. */
async function workInTheCab(page: Page, yard: Yard): Promise<void> {
  yard.device.vehicle.setHelper(true)
  await expectStep(page, 'Ignition', 'passed', 90_000)
  await expect(sentence(page)).toContainText('Are these all?', { timeout: 60_000 })
}

test('a clean standard installation takes at most 14 actions with a scanned label, and nothing moves on the screen by itself', async ({ openFitter, simulate }, testInfo) => {
  const yard = await simulate({ seed: 61, helperStory: 'installation-fast' })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await hadACustomer(page, yard)
  const person = countActions(page)

  await person.press('l')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await person.scan(yard.device.imei)
  await person.click('Start a job')
  const newJob = page.getByRole('dialog', { name: 'New job' })
  await expect(newJob.getByRole('radio', { name: /^Standard installation/ })).toBeChecked()
  await expect(newJob.getByRole('textbox', { name: 'Customer' })).toHaveValue('Customer One')
  await person.click('Create and start')
  await expectStep(page, 'Identity', 'passed')
  await watchShifts(page)
  await workInTheCab(page, yard)
  await person.click('These are all')
  await expectStep(page, 'Inputs', 'passed', 60_000)
  yard.device.vehicle.setHelper(false)
  yard.device.vehicle.turnKey('off')
  // Everything that waits is settled: from here on each step begins by itself.
  for (const title of ['External power', 'Position', 'Network', 'Delivered at the gateway', 'Same place']) await expectStep(page, title, 'passed', 60_000)
  await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
  await person.hold('Space')
  await expect(sentence(page)).toContainText('Does the relay on output 1 do what it should?', { timeout: 20_000 })
  await person.click('Yes')
  await expectStep(page, 'Auto-alignment', 'running')
  await person.click('Yes')
  await expectStep(page, 'Auto-alignment', 'sent, not proved')
  await person.click(/^Yes, Unit/)
  await expectStep(page, 'Vehicle', 'passed')
  await person.click('There is none')
  await expectStep(page, 'Entity link', 'does not apply')
  await person.click('Sign off')
  await expect(sentence(page)).toHaveText('This job is done and signed.')
  const [report] = await Promise.all([page.waitForEvent('download'), person.press('p')])
  expect(report.suggestedFilename()).toMatch(/\.pdf$/)
  await keepPicture(page, testInfo, 'done-by-hand')

  const shifts = await readShifts(page)
  await testInfo.attach('actions and shifts', { body: JSON.stringify({ actions: person.done, shifts }, null, 2), contentType: 'application/json' })
  expect(person.done.length, person.done.join('\n')).toBeLessThanOrEqual(mostActions)
  expect(shifts).toEqual({ byItself: 0, afterInput: 0, moved: [] })
})

test('a whole job is done with the keyboard alone', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 62, helperStory: 'installation-fast' })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const keys = countActions(page)
  await keys.press('l')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await keys.scan(yard.device.imei)
  const start = page.getByRole('dialog').getByRole('button', { name: 'Start a job' })
  await start.waitFor()
  while (!(await start.evaluate((button) => button === document.activeElement))) await keys.press('Tab')
  await keys.press('Enter')
  await expect(page.getByRole('dialog', { name: 'New job' }).getByRole('button', { name: 'Create and start' })).toBeFocused()
  await keys.press('Enter')
  await expectStep(page, 'Identity', 'passed')
  await workInTheCab(page, yard)
  // Enter is the one filled button, J and K walk the list, S asks for a reason, N leads to what asks.
  await keys.press('Enter')
  await expectStep(page, 'Inputs', 'passed', 60_000)
  yard.device.vehicle.setHelper(false)
  yard.device.vehicle.turnKey('off')
  await expectStep(page, 'Output 1', 'running', 60_000)
  await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
  await keys.press('j')
  await expect(stage(page)).toContainText('Step 11 of 14')
  await keys.press('k')
  await keys.hold('Space')
  await expect(sentence(page)).toContainText('Does the relay on output 1 do what it should?', { timeout: 20_000 })
  await keys.press('Enter')
  await expectStep(page, 'Output 1', 'passed')
  await expectStep(page, 'Auto-alignment', 'running')
  await keys.press('s')
  const dialog = page.getByRole('dialog', { name: 'Skip “Auto-alignment”' })
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('No level ground here')
  await keys.press('Tab')
  await keys.press('Tab')
  await keys.press('Enter')
  await expectStep(page, 'Auto-alignment', 'skipped')
  await expectStep(page, 'Vehicle', 'running')
  await expect(stage(page).getByRole('button', { name: /^Yes, Unit/ })).toBeVisible()
  await keys.press('Enter')
  await expectStep(page, 'Vehicle', 'passed')
  await expect(stage(page).getByRole('textbox', { name: /trailer or driver/ })).toBeFocused()
  await keys.press('Tab')
  await keys.press('Enter')
  await expectStep(page, 'Entity link', 'does not apply')
  await expect(stage(page).getByRole('button', { name: 'Sign off' })).toBeEnabled()
  await keys.press('Enter')
  await expect(sentence(page)).toHaveText('Done, with 1 step skipped')
  await keys.press('n')
  await expect(page).toHaveURL(/#\/devices/)
})
