import { expect, test } from './support/fitter.ts'
import {
  callCore,
  deviceCard,
  expectStep,
  holdButton,
  holdWithMouse,
  keepPicture,
  prepareWorkplace,
  runStep,
  sentence,
  showStep,
  stage,
  startJob,
  stepButton
} from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

test(
  'a wrong password is said at the sign-in, and the right one is taken afterwards',
  { tag: '@daily' },
  async ({ openFitter, simulate }, testInfo) => {
    const yard = await simulate({ seed: 31 })
    const { page } = await openFitter()
    await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click()
    const card = deviceCard(page, yard.device.imei)
    await expect(card).toContainText('Needs sign-in', { timeout: 20_000 })
    await card.getByRole('button', { name: 'Sign in' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in to the device' })
    await expect(dialog).toContainText('anyone on this network can read the password')
    await dialog.getByRole('textbox', { name: 'User' }).fill(yard.device.user)
    await dialog.getByLabel('Password').fill('wrong')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await expect(dialog.getByRole('alert')).toContainText(/user|password/i)
    await keepPicture(page, testInfo, 'wrong-password')
    await dialog.getByLabel('Password').fill(yard.device.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await expect(dialog).toBeHidden()
    await expect(card).toContainText('Verified', { timeout: 20_000 })
  }
)

test('a device that answers as another one is called an impostor, and no job is offered for it', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 32, faults: ['impostor'], openSystemInfo: true })
  const { page } = await openFitter()
  await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click()
  const card = page.getByRole('listitem').filter({ hasText: yard.device.imei })
  await expect(card).toContainText('Impostor', { timeout: 20_000 })
  await expect(card.locator('[data-shape="fail"]')).toBeVisible()
  await expect(card).toContainText(/answers as|names|Do not/i)
  await expect(card.getByRole('button', { name: /Start a job|Sign in/ })).toHaveCount(0)
  await keepPicture(page, testInfo, 'impostor')
})

test('an IMEI with a wrong check digit is refused where it is typed, before anything is looked up', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 33 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const wrong = yard.device.imei.slice(0, 14) + ((Number(yard.device.imei[14]) + 1) % 10)

  await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click()
  await page.getByRole('button', { name: 'Scan label' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(wrong)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText(/digit/)
  await page.keyboard.press('Escape')

  await startJob(page, yard, { imei: wrong })
  await expect(
    stage(page).getByText(/is not a valid IMEI: it needs 15 digits with a correct check digit/)
  ).toBeVisible()
  await keepPicture(page, testInfo, 'wrong-digit')
  await stage(page).getByRole('textbox', { name: /IMEI/ }).fill(yard.device.imei)
  await page.keyboard.press('Enter')
  await expectStep(page, 'Identity', 'passed')
})

test('a device that stops answering in the middle of a step is told over the whole job, and the step continues by itself once it is back', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 34 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  await expectStep(page, 'External power', 'running')
  yard.device.setFault('hang', true)
  await expectStep(page, 'External power', 'waiting', 60_000)
  await showStep(page, 'External power')
  await expect(page.locator('.lost-device').filter({ hasText: /The device has not answered for \d+ s/ })).toBeVisible()
  await keepPicture(page, testInfo, 'silent-device')
  yard.device.setFault('hang', false)
  await expectStep(page, 'External power', 'passed', 60_000)
  await expect(page.getByText(/The device has not answered for/)).toHaveCount(0)
})

test('what only the gateway can prove waits while it is away, and is done after "Try now" when it is back', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 35 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  yard.gateway.setOnline(false)
  const id = await startJob(page, yard, { vehicle: yard.plate })
  for (const title of ['Identity', 'Delivered at the gateway', 'Same place'])
    await expectStep(page, title, 'waiting for the gateway', 60_000)
  await expect(stepButton(page, 'Same place').locator('[data-shape="defer"]')).toBeVisible()
  await expectStep(page, 'External power', 'passed')
  await runStep(page, 'Vehicle')
  await expectStep(page, 'Vehicle', 'waiting for the gateway')
  await runStep(page, 'Trailer or driver')
  await stage(page)
    .getByRole('textbox', { name: /trailer or driver/ })
    .fill('Trailer 12')
  await stage(page).getByRole('button', { name: 'Use “Trailer 12” as typed' }).click()
  await expectStep(page, 'Trailer or driver', 'waiting for the gateway')
  for (const stepId of ['ignition', 'inputs', 'output-1', 'alignment']) {
    await callCore(page, 'jobs.waive', { id, stepId, reason: 'Not ordered for this vehicle' })
  }
  await runStep(page, 'Sign-off')
  await expect(stage(page).getByRole('textbox', { name: 'Name of the technician' })).toHaveValue('Technician One')
  await stage(page).getByRole('button', { name: 'Sign off' }).click()
  await expect(stage(page).getByRole('heading', { name: 'The vehicle can leave.' })).toBeVisible()
  const beside = page.getByRole('complementary').getByRole('article')
  await expect(beside).toContainText('Continues when the gateway is reachable')
  await keepPicture(page, testInfo, 'awaits-gateway')

  const waiting = page.getByRole('navigation').getByRole('link', { name: /^Waiting/ })
  await expect(waiting).toContainText('1 pending')
  await waiting.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 waiting for the gateway')
  // The steps of the job and its work are one story, which says why and when.
  const story = page.getByRole('main').getByRole('article')
  await expect(story).toHaveCount(1)
  // Where the copy of the gateway came before it went away, the vehicle is from there.
  await expect(story).toContainText(/not yet known at the gateway|from the local copy of/)
  await expect(story).toContainText('Continues when the gateway is reachable')
  await expect(story).toContainText(/Next try in \d+ s\./)
  for (const text of ['Same place', 'Vehicle', 'Link '])
    await expect(story.getByRole('listitem').filter({ hasText: text }).first()).toBeVisible()
  await keepPicture(page, testInfo, 'waiting')
  await page.getByRole('button', { name: 'Pause all' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Paused since .* by Technician One\./ })).toBeVisible()
  await expect(story).toContainText('Paused since')
  await expect(page.getByRole('banner')).toContainText('paused')
  await keepPicture(page, testInfo, 'waiting-paused')
  yard.gateway.setOnline(true)
  await page.getByRole('status').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Paused since/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Try all now' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing is waiting', { timeout: 30_000 })
  await expect(waiting).not.toContainText('pending')
  await page.evaluate((id) => (window.location.hash = `#/job/${id}`), id)
  for (const title of ['Identity', 'Delivered at the gateway', 'Same place', 'Vehicle', 'Trailer or driver'])
    await expectStep(page, title, 'passed')
  expect((await callCore(page, 'jobs.show', { id })).state).toBe('done')
})

test('a skipped step shows barred ring, word and reason everywhere, and never looks like a pass', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 36 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const id = await startJob(page, yard)
  await expectStep(page, 'Identity', 'passed')
  await showStep(page, 'Ignition')
  await stage(page).getByRole('button', { name: 'Skip with reason' }).click()
  const dialog = page.getByRole('dialog', { name: 'Skip “Ignition”' })
  await expect(dialog.getByRole('button', { name: 'Skip this step' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Electric vehicle without a key')
  await dialog.getByRole('button', { name: 'Skip this step' }).click()
  await expectStep(page, 'Ignition', 'skipped')
  await expect(stepButton(page, 'Ignition').locator('[data-shape="waived"]')).toBeVisible()
  await expect(stepButton(page, 'Ignition').locator('[data-shape="pass"]')).toHaveCount(0)
  await expect(stepButton(page, 'Ignition')).toHaveAttribute('title', /Electric vehicle without a key/)
  await showStep(page, 'Ignition')
  await expect(stage(page)).toContainText('Skipped, not verified.')
  await expect(stage(page)).toContainText('Electric vehicle without a key')
  await expect(stage(page)).toContainText('Technician One')
  await expect(stage(page).locator('[data-shape="waived"]').first()).toBeVisible()
  await keepPicture(page, testInfo, 'skipped')
  const { base64 } = await callCore(page, 'jobs.report', { id, format: 'csv' })
  const csv = Buffer.from(base64, 'base64').toString('utf8')
  expect(csv).toContain('waived')
  expect(csv).toContain('Electric vehicle without a key')
})

test(
  'letting go of the hold too early switches nothing and says so',
  { tag: '@daily' },
  async ({ openFitter, simulate }, testInfo) => {
    const yard = await simulate({ seed: 37 })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    await startJob(page, yard)
    await expectStep(page, 'Identity', 'passed')
    await runStep(page, 'Output 1')
    // Locked as long as a condition is missing: nothing can be let go of then.
    await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
    await holdButton(page).hover()
    await page.mouse.down()
    await page.mouse.up()
    await expect(stage(page).locator('.hold').getByRole('status')).toContainText(
      'Released too early. Nothing was switched.'
    )
    await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
    await holdButton(page).focus()
    await page.keyboard.down('Space')
    await page.keyboard.up('Space')
    await expect(stage(page).locator('.hold').getByRole('status')).toContainText(
      'Released too early. Nothing was switched.'
    )
    // A press that slides off the button is no hold either.
    await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
    await holdButton(page).hover()
    await page.mouse.down()
    await page.mouse.move(5, 5)
    await page.mouse.up()
    await expect(stage(page).locator('.hold').getByRole('status')).toContainText(
      'Released too early. Nothing was switched.'
    )
    await keepPicture(page, testInfo, 'too-early')
    expect(yard.device.requests.filter(({ operation }) => operation === 'io.setOutput')).toEqual([])
    await expectStep(page, 'Output 1', 'running')
  }
)

test('when the vehicle moves while the output is on, it is switched off at once and the step fails', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 38 })
  const { vehicle } = yard.device
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  await expectStep(page, 'Identity', 'passed')
  // An engine that the device cannot notice: the only way to move while an output blocks the starter.
  vehicle.turnKey('crank')
  await expect.poll(() => vehicle.state().engineOn).toBe(true)
  vehicle.cutPower(true)
  await runStep(page, 'Output 1')
  await holdWithMouse(page)
  await expect(sentence(page)).toContainText('Does the relay on output 1 do what it should?')
  expect(vehicle.state().outputs.OUT1).toBe(true)
  vehicle.drive(true)
  await expectStep(page, 'Output 1', 'failed')
  await expect.poll(() => vehicle.state().outputs.OUT1).toBe(false)
  await showStep(page, 'Output 1')
  await expect(stage(page)).toContainText('OUT1 was switched off: the vehicle moved')
  await expect(stage(page)).toContainText(/Park the vehicle safely/)
  await keepPicture(page, testInfo, 'moved')
})
