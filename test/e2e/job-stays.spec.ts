import { expect, test } from './support/fitter.ts'
import { expectStep, holdButton, prepareWorkplace, runStep, showStep, stage, startJob } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

test('Escape closes the notifications and stops nothing: the step that runs keeps what was seen', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 91 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  await expectStep(page, 'Inputs', 'running')
  await showStep(page, 'Inputs')
  for (const on of [true, false]) {
    yard.device.vehicle.setInput('IN1', on)
    await expect(stage(page).getByText('IN1').first()).toBeVisible()
  }
  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
  await bell.click()
  await expect(bell).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(bell).toHaveAttribute('aria-expanded', 'false')
  // No panel is open any more: there is nothing to close, with the focus on a button or on nothing.
  await page.keyboard.press('Escape')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('Escape')
  await expect(stage(page).getByText('IN1').first()).toBeVisible()
  await expectStep(page, 'Inputs', 'running')
})

test('Escape cancels the countdown before an output, and only that', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 92 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  await expectStep(page, 'Ignition', 'running')
  await runStep(page, 'Output 1')
  await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
  await page.keyboard.press('Escape')
  await expectStep(page, 'Output 1', 'running')
  await page.keyboard.down('Space')
  await expect(stage(page).getByRole('button', { name: 'Cancel' })).toBeVisible({ timeout: 10_000 })
  await page.keyboard.up('Space')
  await page.keyboard.press('Escape')
  await expectStep(page, 'Output 1', 'waiting')
  expect(yard.device.vehicle.state().outputs.OUT1).toBe(false)
})
