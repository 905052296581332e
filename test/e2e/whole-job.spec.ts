import type { Locator, Page, TestInfo } from '@playwright/test'
import AxeBuilder from '@axe-core/playwright'
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { createTexts } from '../../main/base/messages/texts.ts'
import { makeJsonReport } from '../../main/job/reports/json.ts'
import { makeSealPage } from '../../main/job/reports/sealPage.ts'
import { fingerprintOf } from '../../main/data/store/jobs/signature.ts'
import { makeSealedJob, makeSigner } from '../world/data/sealedJob.ts'
import { resizeWindow } from './support/looks.ts'
import { verifyJsonReport } from '../../main/job/reports/verify.ts'
import { callCore, expect, test } from './support/fitter.ts'
import {
  deviceCard,
  expectStep,
  giveImei,
  holdButton,
  holdWithKeyboard,
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

test.describe.configure({ timeout: 150_000 })

test(
  'a technician does a whole installation in training and hands over the report',
  { tag: '@daily' },
  async ({ openFitter }, testInfo) => {
    const { page } = await openFitter()
    await page.getByRole('button', { name: 'Open training' }).click()
    // Leaving the screen before it opened would end that.
    await expect
      .poll(async () => (await callCore(page, 'app.info', {})).workplace, { timeout: 30_000 })
      .toBe('training')
    await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click()
    await page.getByRole('switch', { name: 'Helper does it for me' }).click({ timeout: 30_000 })
    const card = page.getByRole('listitem').filter({ hasText: 'Verified' }).first()
    await expect(card).toBeVisible({ timeout: 20_000 })
    const imei = (await card.getByRole('link', { name: /^Open \d{15}$/ }).getAttribute('title')) ?? ''
    await keepPicture(page, testInfo, '01-devices')

    await callCore(page, 'vehicles.refresh', {})
    await expect
      .poll(async () => (await callCore(page, 'vehicles.search', { text: imei, limit: 2 })).vehicles.length, {
        timeout: 40_000
      })
      .toBe(1)
    await deviceCard(page, imei).getByRole('button', { name: 'Start a job' }).click()
    const dialog = page.getByRole('dialog', { name: 'New job' })
    await expect(dialog.getByRole('radio', { name: /^Standard installation/ })).toBeChecked()
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('Customer One')
    await keepPicture(page, testInfo, '02-new-job')
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()

    await giveImei(page, imei)
    await expectStep(page, 'Identity', 'passed')
    // What only has to be watched runs by itself, all of it at the same time.
    await expect(
      stepButton(page, '(External power|Ignition|Network)').filter({ hasText: 'running' }).first()
    ).toBeVisible()
    await keepPicture(page, testInfo, '03-watching')
    await expectStep(page, 'Network', 'passed')
    await expectStep(page, 'Position', 'passed')
    await expectStep(page, 'External power', 'passed')
    await expectStep(page, 'Delivered at the gateway', 'passed')
    await expectStep(page, 'Same place', 'passed')
    await doInputs(page, testInfo)
    await expectStep(page, 'Ignition', 'passed', 90_000)
    await showStep(page, 'Ignition')
    await keepPicture(page, testInfo, '05-ignition')

    await doOutput(page, testInfo, holdWithMouse)
    await doAlignment(page, testInfo)
    const plate = await doVehicle(page, testInfo, imei)
    await doLink(page, testInfo)

    await runStep(page, 'Sign-off')
    await stage(page).getByRole('textbox', { name: 'Name of the technician' }).fill('Technician One')
    await expect(stage(page).getByRole('combobox', { name: 'Name of the customer' })).toHaveValue('Customer One')
    await keepPicture(page, testInfo, '11-sign-off')
    await stage(page).getByRole('button', { name: 'Sign off' }).click()
    await expect(stage(page).getByRole('heading', { name: 'This job is done and signed.' })).toBeVisible()
    await expect(stage(page).getByRole('list', { name: 'Steps by result' })).toHaveText(
      /^\s*13 passed\s*0 skipped\s*0 not applicable\s*1 sent, not confirmed\s*$/
    )
    await keepPicture(page, testInfo, '12-done')

    const pdf = await download(page, 'PDF')
    expect(pdf.name).toMatch(/\.pdf$/)
    expect(pdf.content.subarray(0, 5).toString('latin1')).toBe('%PDF-')
    expect(pdf.content.subarray(-1024).toString('latin1')).toContain('%%EOF')
    const csv = (await download(page, 'CSV')).content.toString('utf8')
    expect(csv).toContain(imei)
    expect(csv).toContain('Customer One')
    const json = await download(page, 'JSON')
    // Practice has no keychain, and its seal says so.
    expect(verifyJsonReport(json.content)).toMatchObject({
      ok: true,
      verdict: 'hashesOnly',
      findings: [{ id: 'report.check.training' }],
      seal: { kind: 'hashOnly' }
    })
    const report = JSON.parse(json.content.toString('utf8')) as {
      job: { state: string; steps: { id: string; state: string }[] }
    }
    expect(report.job.state).toBe('done')
    expect(report.job.steps.filter(({ state }) => state !== 'pass')).toEqual([])
    // One changed digit is noticed.
    expect(
      verifyJsonReport(json.content.toString('utf8').replace(imei, imei.slice(0, 14) + ((Number(imei[14]) + 1) % 10)))
        .ok
    ).toBe(false)

    const sealPage = await download(page, 'HTML')
    expect(verifyJsonReport(sealPage.content)).toMatchObject({ ok: true })

    // How both witnesses stood then is kept, to be held against what they say later.
    const { installed } = await callCore(page, 'diagnosis.installed', { imei })
    expect(installed?.facts.find(({ fact }) => fact === 'power')).toMatchObject({ device: { value: true } })

    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click()
    const row = page.getByRole('row').filter({ hasText: imei.slice(-6) })
    await expect(row).toContainText('Done')
    await expect(row).toContainText('Customer One')
    await keepPicture(page, testInfo, '13-log')
    expect(plate).not.toBe('')
  }
)

test('the page beside a report checks the seal from a file, without a network, and shows green only when everything fits', async ({
  browser
}, testInfo) => {
  const key = makeSigner()
  const texts = createTexts({ language: 'en', units: 'metric', timeZone: 'UTC' })
  const sample = await makeSealedJob(key.sign)
  const report = await makeJsonReport({
    ...sample,
    generatedAt: '2026-11-20T17:00:00.000Z',
    appVersion: '0.1.0',
    texts,
    isTraining: false,
    sign: key.sign
  })
  const whole = makeSealPage(report, texts, false)
  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (said) => void (said.type() === 'error' && complaints.push(said.text())))
  page.on('pageerror', (error) => void complaints.push(error.message))

  async function opened(name: string, html: string) {
    const file = testInfo.outputPath(`${name}.html`)
    writeFileSync(file, html)
    await page.goto(pathToFileURL(file).href)
    const result = page.locator('#result')
    await expect(result).toHaveAttribute('data-state', /./)
    return result
  }

  const holds = await opened('whole', whole)
  await expect(holds).toHaveAttribute('data-state', 'holds')
  await expect(holds.getByRole('heading', { name: 'The seal is valid' })).toBeVisible()
  await expect(page.locator('#facts')).toContainText(fingerprintOf(key.publicKey).slice(0, 4))
  await expect(page.getByText('Gateway 2026-11-20T15:58:11.000Z').first()).toBeVisible()
  const violations = (await new AxeBuilder({ page }).analyze()).violations
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.screenshot({ path: testInfo.outputPath('seal-page.png') })

  const [first, second] = [...report.matchAll(/\n {4}\{\n {6}"seq": \d+,[\s\S]*?\n {4}\}(?=,?\n)/g)]
    .map(([entry]) => entry)
    .slice(3, 5) as [string, string]
  const tampered = {
    changed: whole.replaceAll('"value": 11', '"value": 12'),
    missing: whole.replace(`${first},`, ''),
    reordered: whole.replace(`${first},${second}`, `${second},${first}`),
    added: whole.replace(`${first},`, `${first},${first},`),
    replaced: whole.replaceAll(key.publicKey, makeSigner().publicKey)
  }
  for (const [name, html] of Object.entries(tampered)) {
    expect(html).not.toBe(whole)
    const broken = await opened(name, html)
    await expect(broken, name).toHaveAttribute('data-state', 'broken')
    await expect(broken.getByRole('listitem').first()).toBeVisible()
  }
  expect(complaints).toEqual([])
  await context.close()
})

test('the output is armed by holding the space bar, in the real workplace, and is off again afterwards', async ({
  openFitter,
  simulate
}, testInfo) => {
  const yard = await simulate({ seed: 21 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  await expectStep(page, 'Identity', 'passed')
  const switched: boolean[] = []
  yard.device.vehicle.onChange(({ line, value }) => {
    if (line === 'OUT1') switched.push(value === true)
  })
  await doOutput(page, testInfo, holdWithKeyboard)
  expect(switched).toEqual([true, false])
  expect(yard.device.vehicle.state().outputs.OUT1).toBe(false)
})

async function doInputs(page: Page, testInfo: TestInfo): Promise<void> {
  await showStep(page, 'Inputs')
  await expect(sentence(page)).toContainText('Confirmed: IN1 and IN2. Is anything else wired?', { timeout: 60_000 })
  await keepPicture(page, testInfo, '04-inputs')
  await stage(page).getByRole('button', { name: 'That’s all of them' }).click()
  await expectStep(page, 'Inputs', 'passed', 60_000)
}

async function doOutput(page: Page, testInfo: TestInfo, hold: (page: Page) => Promise<void>): Promise<void> {
  await runStep(page, 'Output 1')
  await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
  await keepPicture(page, testInfo, '06-hold-to-arm')
  const question = stage(page).getByRole('heading', { level: 2, name: 'Does the relay on output 1 do what it should?' })
  const stopped = stage(page).getByText(/The countdown stopped/)
  await hold(page)
  // In training the helper turns the key again and again: with the engine on nothing is switched, and it is armed anew.
  await expect(question.or(stopped).first()).toBeVisible({ timeout: 20_000 })
  if (!(await question.isVisible())) {
    await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
    await hold(page)
  }
  await expect(question).toBeVisible({ timeout: 20_000 })
  await expect(stage(page).getByText(/OUT1 is on, confirmed .* ago/)).toBeVisible()
  await keepPicture(page, testInfo, '07-effect')
  await expectOffInSight(page)
  await stage(page).getByRole('button', { name: 'Yes', exact: true }).click()
  await expectStep(page, 'Output 1', 'passed')
}

/** In the smallest window of a laptop, too: whole, and larger than the answers beside it. */
async function expectOffInSight(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await resizeWindow(page, { width: 1024, height: 640 })
  const boxOf = async (what: Locator) => (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const [off, yes, foot] = [
    await boxOf(stage(page).getByRole('button', { name: 'Switch OUT1 off' })),
    await boxOf(stage(page).getByRole('button', { name: 'Yes', exact: true })),
    await boxOf(stage(page).locator('.foot'))
  ]
  expect(off.y + off.height).toBeLessThanOrEqual(foot.y)
  expect(off.width).toBeGreaterThan(0)
  expect(off.height).toBeGreaterThan(yes.height)
  await resizeWindow(page, size)
}

async function doAlignment(page: Page, testInfo: TestInfo): Promise<void> {
  await runStep(page, 'Auto-alignment')
  await expect(stage(page).getByRole('button', { name: 'Yes', exact: true })).toBeVisible()
  await keepPicture(page, testInfo, '08-alignment')
  await stage(page).getByRole('button', { name: 'Yes', exact: true }).click()
  await expectStep(page, 'Auto-alignment', 'sent, not confirmed')
}

async function doVehicle(page: Page, testInfo: TestInfo, imei: string): Promise<string> {
  await runStep(page, 'Vehicle')
  // The gateway knows already where this device is: it is confirmed, or another vehicle is searched for.
  await expect(stage(page).getByRole('button', { name: /^Yes, Unit/ })).toBeVisible()
  await keepPicture(page, testInfo, '09-vehicle')
  await stage(page).getByRole('button', { name: 'Choose another' }).click()
  const box = stage(page).getByRole('textbox', { name: /Name, plate or number of the vehicle/ })
  await expect(box).toBeFocused()
  await box.fill('Unit 00')
  const own = stage(page).getByRole('button', { name: new RegExp(`device ${imei}`) })
  await expect(own).toBeVisible()
  const plate = /[A-Z]{3} \d{3}/.exec(await own.innerText())?.[0] ?? ''
  await box.fill(plate)
  await expect(stage(page).getByRole('button', { name: /device|no device/ })).toHaveCount(1)
  await own.click()
  await expectStep(page, 'Vehicle', 'passed')
  return plate
}

async function doLink(page: Page, testInfo: TestInfo): Promise<void> {
  await runStep(page, 'Trailer or driver')
  await stage(page)
    .getByRole('textbox', { name: /trailer or driver/ })
    .fill('Trailer')
  const trailer = stage(page).getByRole('button', { name: /^Trailer 12/ })
  await expect(trailer).toBeVisible()
  await keepPicture(page, testInfo, '10-link')
  await trailer.click()
  await expectStep(page, 'Trailer or driver', 'passed', 60_000)
}

async function download(
  page: Page,
  format: 'PDF' | 'CSV' | 'JSON' | 'HTML'
): Promise<{ name: string; content: Buffer }> {
  await page.getByRole('main').getByRole('button', { name: 'Report', exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click()
  ])
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) }
}
