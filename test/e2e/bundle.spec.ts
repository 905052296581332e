import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { recordCab, writeRecorded } from '../world/window/recordedCab.ts'
import { openWorkspaceBench } from '../world/device/workspaceBench.ts'
import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'
import { findUglyThings } from './support/looks.ts'
import { prepareWorkplace } from './support/work.ts'

async function open(page: Page, file: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('support bundle')
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'Open a support bundle' })
    .getByLabel('Choose a file')
    .first()
    .setInputFiles(file)
}

test('every screen works from a support bundle, nothing of it can be changed, and leaving finds the own work', async ({
  openFitter,
  dataFolder
}) => {
  test.setTimeout(180_000)
  const bench = await openWorkspaceBench({ seed: 618, gateway: true, gatewayDelayMs: 0, reportEveryMs: 1_000 })
  const file = join(dataFolder, 'bundle.zip')
  let recorded
  try {
    recorded = await recordCab(bench)
    await writeRecorded(file, recorded)
  } finally {
    await bench.stop()
  }
  const { deviceKey, imei, vehicleId } = recorded
  const { page, openWindow } = await openFitter()
  await open(page, file)
  const bar = page.getByRole('region', { name: 'Support bundle' })
  await expect(bar).toContainText(/as of .+, read-only/)
  await expect(page.getByRole('main')).toContainText(/Standard installation/)
  // Its steps are read, and none can be begun.
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toHaveCount(0)
  expect(await findBrokenRules(page)).toEqual([])
  const key = encodeURIComponent(deviceKey)
  const screens: [hash: string, seen: string | RegExp][] = [
    ['start', 'Unit 0001'],
    ['devices', imei.slice(-6)],
    ['jobs', 'Customer One'],
    ['vehicles', 'Unit 0001'],
    ['waiting', 'Nothing is waiting'],
    [`device/${key}`, 'Mobile signal'],
    [`device/${key}/position`, /^-?\d+\.\d{5}, -?\d+\.\d{5}/],
    [`device/${key}/lines`, 'PWR'],
    [`device/${key}/network`, /dBm/],
    [`vehicle/${vehicleId}`, /^Distance$/],
    [`accessories/${vehicleId}`, /Unit 0001/],
    [`diagnose/device/${key}`, /satellites/i]
  ]
  for (const [hash, seen] of screens) {
    await page.evaluate((to) => (location.hash = `#/${to}`), hash)
    await expect(page.getByRole('main').getByText(seen).first(), hash).toBeVisible()
    await expect(page.getByRole('alert'), hash).toHaveCount(0)
  }
  // Another window of the same Fitter shows it too, and so does one that is loaded anew.
  const other = await openWindow()
  await expect(other.getByRole('region', { name: 'Support bundle' })).toBeVisible()
  await bar.getByRole('button', { name: 'Close bundle' }).click()
  await expect(bar).toBeHidden()
  await expect(other.getByRole('region', { name: 'Support bundle' })).toBeHidden()
  await page.evaluate(() => (location.hash = '#/jobs'))
  await expect(page.getByRole('main').getByText('Customer One')).toHaveCount(0)
})

test(
  'a bundle of a device is looked at before it is saved, without names when a person says so, and opens as it was saved',
  { tag: '@daily' },
  async ({ openFitter, simulate, dataFolder }) => {
    test.setTimeout(180_000)
    const yard = await simulate({ seed: 63 })
    const { page } = await openFitter()
    // The dialog comes in with a movement, and places are measured here.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await prepareWorkplace(page, yard)
    await page.evaluate((hash) => (location.hash = hash), `#/device/${yard.device.imei}`)
    await page.getByRole('button', { name: 'More for this device' }).click()
    await page.getByRole('menuitem', { name: 'Support bundle…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Support bundle' })
    const save = dialog.getByRole('button', { name: /^Save bundle/ })
    // The button has its place before the file is ready, and keeps it.
    const boxBefore = await save.boundingBox()
    await expect(save).toBeEnabled({ timeout: 60_000 })
    expect(await save.boundingBox()).toEqual(boxBefore)
    await expect(save).toBeInViewport()
    const names = dialog.getByRole('switch', { name: 'Names and phone numbers' })
    await names.click()
    await expect(names).toHaveAttribute('aria-checked', 'false')
    await expect(save).toBeEnabled({ timeout: 60_000 })
    await dialog.getByRole('button', { name: /^Diagnosis/ }).click()
    await dialog.getByRole('button', { name: /^Device vs. gateway/ }).click()
    await expect(dialog.getByRole('region', { name: 'Device vs. gateway' })).toContainText(yard.device.imei)
    expect([...(await findBrokenRules(page)), ...(await findUglyThings(page))]).toEqual([])
    if (process.env['LOOK']) await page.screenshot({ path: `${process.env['LOOK']}/bundle-dialog.png` })
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
    expect(download.suggestedFilename()).toMatch(new RegExp(`^fitter-bundle-${yard.device.imei}-.*\\.zip$`))
    const file = join(dataFolder, 'saved.zip')
    await download.saveAs(file)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await open(page, file)
    await expect(page.getByRole('region', { name: 'Support bundle' })).toContainText(/as of .+, read-only/)
  }
)
