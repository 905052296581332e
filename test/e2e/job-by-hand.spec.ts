import type { Page } from '@playwright/test'
import { expect, test, type Yard } from './support/fitter.ts'
import { jpegPicture, withExif } from '../world/data/pictures.ts'
import { findBrokenRules } from './support/axe.ts'
import { findUglyThings, resizeWindow } from './support/looks.ts'
import { readShifts, watchShifts } from './support/shifts.ts'
import { callCore, expectStep, holdButton, keepPicture, prepareWorkplace, sentence, stage } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

const mostActions = 11

/**
 * What a person does to the application: a click, a key that acts, a field that is typed, a label that is scanned. What
 * they do to the vehicle does not count.
 */
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
  const made = await callCore(page, 'jobs.create', {
    templateId: 'diagnosis',
    deviceKey: key,
    customer: 'Customer One'
  })
  if (made.outcome !== 'created') throw new Error('Another job on this device is open.')
  await callCore(page, 'jobs.cancel', { id: made.id, reason: 'It was for another day' })
}

/** The local copy of the vehicles names the one that this device is in. */
async function copyVehicles(page: Page, { device: { imei } }: Yard): Promise<void> {
  await callCore(page, 'vehicles.refresh', {})
  await expect
    .poll(async () => (await callCore(page, 'vehicles.search', { text: imei, limit: 2 })).vehicles.length, {
      timeout: 40_000
    })
    .toBe(1)
}

/** Somebody in the cab turns the key, starts the engine and presses what is wired, until both steps have seen it. */
async function workInTheCab(page: Page, yard: Yard): Promise<void> {
  yard.device.vehicle.setHelper(true)
  await expectStep(page, 'Ignition', 'passed', 90_000)
  await expect(sentence(page)).toContainText('Is anything else wired?', { timeout: 60_000 })
}

test('a clean standard installation takes at most 11 actions with a scanned label, and nothing moves on the screen by itself', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 61, helperStory: 'installation-fast' })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await hadACustomer(page, yard)
  await copyVehicles(page, yard)
  const person = countActions(page)

  await person.press('l')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await person.scan(yard.device.imei)
  await person.click('Start a job')
  const newJob = page.getByRole('dialog', { name: 'New job' })
  await expect(newJob.getByRole('radio', { name: /^Standard installation/ })).toBeChecked()
  await expect(newJob.getByRole('combobox', { name: 'Customer' })).toHaveValue('Customer One')
  await person.click(/^Start$/)
  await expectStep(page, 'Identity', 'passed')
  await watchShifts(page)
  await workInTheCab(page, yard)
  await person.click('That’s all of them')
  await expectStep(page, 'Inputs', 'passed', 60_000)
  yard.device.vehicle.setHelper(false)
  yard.device.vehicle.turnKey('off')
  // Everything that waits is settled: from here on each step begins by itself.
  for (const title of ['External power', 'Position', 'Network', 'Delivered at the gateway', 'Same place'])
    await expectStep(page, title, 'passed', 60_000)
  await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
  await person.hold('Space')
  await expect(sentence(page)).toContainText('Does the relay on output 1 do what it should?', { timeout: 20_000 })
  await person.click('Yes')
  await expectStep(page, 'Auto-alignment', 'running')
  await person.click('Yes')
  await expectStep(page, 'Auto-alignment', 'sent, not confirmed')
  await expectStep(page, 'Vehicle', 'passed')
  await person.click('There is none')
  await expectStep(page, 'Trailer or driver', 'does not apply')
  await person.click('Sign off')
  await expect(sentence(page)).toHaveText('This job is done and signed.')
  const [report] = await Promise.all([page.waitForEvent('download'), person.press('p')])
  expect(report.suggestedFilename()).toMatch(/\.pdf$/)
  await keepPicture(page, testInfo, 'done-by-hand')

  const shifts = await readShifts(page)
  await testInfo.attach('actions and shifts', {
    body: JSON.stringify({ actions: person.done, shifts }, null, 2),
    contentType: 'application/json'
  })
  expect(person.done.length, person.done.join('\n')).toBeLessThanOrEqual(mostActions)
  expect(shifts).toEqual({ byItself: 0, afterInput: 0, moved: [] })
})

/**
 * An installation earlier that day, for the same customer and without a trailer; and the local copy of the vehicles.
 */
async function hadAnInstallation(page: Page, yard: Yard): Promise<void> {
  const made = await callCore(page, 'jobs.create', {
    templateId: 'standard-installation',
    deviceKey: yard.device.imei,
    customer: 'Customer One',
    scannedImei: yard.device.imei
  })
  if (made.outcome !== 'created') throw new Error('Another job on this device is open.')
  await callCore(page, 'jobs.start', { id: made.id })
  await callCore(page, 'jobs.runStep', { id: made.id, stepId: 'link' })
  await expect
    .poll(async () =>
      (await callCore(page, 'jobs.live', { id: made.id })).steps.some(
        ({ stepId, prompt }) => stepId === 'link' && prompt
      )
    )
    .toBe(true)
  await callCore(page, 'jobs.answer', { id: made.id, stepId: 'link', answer: { choose: '' } })
  await expect
    .poll(async () => (await callCore(page, 'jobs.show', { id: made.id })).steps.find(({ id }) => id === 'link')?.state)
    .toBe('notApplicable')
  await callCore(page, 'jobs.cancel', { id: made.id, reason: 'It was for another day' })
  await copyVehicles(page, yard)
}

test('the second installation of a day takes 8 actions, and nothing moves on the screen by itself', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 63, helperStory: 'installation-fast' })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await hadAnInstallation(page, yard)
  await page.evaluate(() => (window.location.hash = '#/start'))
  const person = countActions(page)

  await expect(page.getByRole('button', { name: /^Start/ }).first()).toBeVisible()
  await person.click('Start')
  const newJob = page.getByRole('dialog', { name: 'New job' })
  await expect(newJob.getByRole('combobox', { name: 'Customer' })).toHaveValue('Customer One')
  await expect(newJob).toContainText(yard.plate)
  await expect(newJob).toContainText('Confirmed: the gateway lists the device there')
  await expect(newJob.getByRole('checkbox', { name: /^No trailer or driver/ })).toBeChecked()
  await keepPicture(page, testInfo, 'second-job')
  await person.click(/^Start$/)
  await expect(stage(page).getByRole('textbox', { name: /IMEI/ })).toBeFocused()
  await watchShifts(page)
  await person.scan(yard.device.imei)
  await expectStep(page, 'Identity', 'passed')
  await workInTheCab(page, yard)
  await person.click('That’s all of them')
  await expectStep(page, 'Inputs', 'passed', 60_000)
  yard.device.vehicle.setHelper(false)
  yard.device.vehicle.turnKey('off')
  await expect(holdButton(page)).toBeEnabled({ timeout: 60_000 })
  await person.hold('Space')
  await expect(sentence(page)).toContainText('Does the relay on output 1 do what it should?', { timeout: 20_000 })
  await person.click('Yes')
  await expectStep(page, 'Auto-alignment', 'running', 60_000)
  await person.click('Yes')
  await expectStep(page, 'Vehicle', 'passed')
  await expectStep(page, 'Trailer or driver', 'does not apply')
  await person.click('Sign off')
  await expect(sentence(page)).toHaveText('This job is done and signed.')

  const shifts = await readShifts(page)
  await testInfo.attach('actions and shifts', {
    body: JSON.stringify({ actions: person.done, shifts }, null, 2),
    contentType: 'application/json'
  })
  expect(person.done, person.done.join('\n')).toHaveLength(8)
  // A slow machine may lose its device for two seconds: the lines that say so are the one thing that may push the job
  // down.
  expect(shifts.moved.filter((moved) => !/"(panes job|work)/.test(moved) && !moved.startsWith('after input'))).toEqual(
    []
  )
  expect(shifts.afterInput).toBeLessThan(0.02)
})

test('a whole job is done with the keyboard alone', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 62, helperStory: 'installation-fast' })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await copyVehicles(page, yard)
  const keys = countActions(page)
  await keys.press('l')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await keys.scan(yard.device.imei)
  const start = page.getByRole('dialog').getByRole('button', { name: 'Start a job' })
  await start.waitFor()
  while (!(await start.evaluate((button) => button === document.activeElement))) await keys.press('Tab')
  await keys.press('Enter')
  await expect(
    page.getByRole('dialog', { name: 'New job' }).getByRole('button', { name: 'Start', exact: true })
  ).toBeFocused()
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
  await keys.press('y')
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
  await expectStep(page, 'Vehicle', 'passed')
  await expect(stage(page).getByRole('textbox', { name: /trailer or driver/ })).toBeFocused()
  await keys.press('Tab')
  await keys.press('Enter')
  await expectStep(page, 'Trailer or driver', 'does not apply')
  await expect(stage(page).getByRole('button', { name: 'Sign off' })).toBeEnabled()
  await keys.press('Enter')
  await expect(sentence(page)).toHaveText('Done, with 1 step skipped')
  await keys.press('n')
  await expect(page).toHaveURL(/#\/devices/)
})

const byPicture = {
  id: 'by-picture',
  version: 1,
  name: { en: 'By picture' },
  kind: 'service',
  description: { en: 'Plate and signatures' },
  steps: [
    { id: 'identity', kind: 'identity', title: { en: 'Identity' }, instruction: { en: 'Scan the label.' } },
    {
      id: 'plate',
      kind: 'photo',
      title: { en: 'Plate' },
      instruction: { en: 'Take the plate.' },
      purpose: 'plate',
      minPhotos: 1
    },
    {
      id: 'sign-off',
      kind: 'signOff',
      title: { en: 'Sign-off' },
      instruction: { en: 'Sign off the job.' },
      signatures: 'both'
    }
  ]
}

test(
  'a photo is chosen and kept, both sign, one by hand and one in letters, and the done job shows all of it',
  { tag: '@daily' },
  async ({ openFitter, simulate }, testInfo) => {
    const yard = await simulate({ seed: 62 })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    expect(await callCore(page, 'templates.import', { text: JSON.stringify(byPicture) })).toMatchObject({
      outcome: 'kept'
    })
    const table = await callCore(page, 'discovery.watch', {})
    const key = table.devices.find(({ imei }) => imei === yard.device.imei)?.key ?? ''
    const made = await callCore(page, 'jobs.create', {
      templateId: 'by-picture',
      deviceKey: key,
      customer: 'Customer One',
      scannedImei: yard.device.imei
    })
    if (made.outcome !== 'created') throw new Error('Another job on this device is open.')
    await page.evaluate((id) => (window.location.hash = `#/job/${id}`), made.id)
    await page.getByRole('button', { name: 'Start', exact: true }).click()

    const end = stage(page).getByRole('button', { name: 'That’s all of them' })
    await expect(end).toBeDisabled()
    const chooser = stage(page).getByLabel('Choose pictures', { exact: true }).and(page.locator('input'))
    await chooser.setInputFiles({ name: 'half.jpg', mimeType: 'image/jpeg', buffer: jpegPicture().subarray(0, 300) })
    await expect(stage(page).getByRole('alert')).toContainText('half.jpg: This picture cannot be read')
    // Larger than one piece, with the place of somewhere else in it.
    const picture = withExif(
      jpegPicture(1600, 1200, (x, y) => (x * y) % 251),
      { place: { latitude: -33.9, longitude: 18.4 } }
    )
    await chooser.setInputFiles({ name: 'plate.jpg', mimeType: 'image/jpeg', buffer: picture })
    await expect(stage(page).getByRole('img', { name: /^Plate/ })).toBeVisible({ timeout: 20_000 })
    for (const size of [
      { width: 1280, height: 800 },
      { width: 1024, height: 640 }
    ]) {
      await resizeWindow(page, size)
      expect(await findUglyThings(page)).toEqual([])
    }
    expect(await findBrokenRules(page)).toEqual([])
    await keepPicture(page, testInfo, 'photo-prompt')
    await end.click()

    await expect(stage(page).getByRole('button', { name: 'Sign off' })).toBeDisabled({ timeout: 20_000 })
    await stage(page).getByRole('textbox', { name: 'Name of the technician' }).fill('Technician One')
    const pad = stage(page).getByRole('img', { name: 'Signature of the technician: draw here' })
    const field = await pad.boundingBox()
    if (!field) throw new Error('No field to sign in')
    await page.mouse.move(field.x + 20, field.y + 20)
    await page.mouse.down()
    await page.mouse.move(field.x + 90, field.y + 70, { steps: 8 })
    await page.mouse.move(field.x + 160, field.y + 30, { steps: 8 })
    await page.mouse.up()
    const customer = stage(page).getByRole('group', { name: 'Signature of the customer' })
    await customer.getByRole('button', { name: 'Type the name instead' }).press('Enter')
    await customer.getByRole('textbox').fill('Customer One')
    expect(await findBrokenRules(page)).toEqual([])
    await keepPicture(page, testInfo, 'signatures')
    await stage(page).getByRole('button', { name: 'Sign off' }).click()

    await expect(sentence(page)).toHaveText('This job is done and signed.')
    const signatures = page.getByRole('region', { name: 'Signatures' })
    await expect(signatures.getByRole('img', { name: 'Technician One, drawn' })).toBeVisible()
    await expect(signatures).toContainText('Customer One')
    await page.getByRole('button', { name: /^Plate.*open large$/ }).press('Enter')
    await expect(page.getByRole('dialog', { name: 'Plate' })).toContainText('SHA-256')
    await keepPicture(page, testInfo, 'photo-large')
    await page.keyboard.press('Escape')
    expect(await findUglyThings(page)).toEqual([])
    expect(await findBrokenRules(page)).toEqual([])
    await keepPicture(page, testInfo, 'done-with-photo')
    const [kept] = (await callCore(page, 'jobs.show', { id: made.id })).attachments ?? []
    expect(kept).toMatchObject({
      purpose: 'plate',
      source: 'file',
      width: 1600,
      height: 1200,
      latitude: null,
      longitude: null
    })
  }
)
