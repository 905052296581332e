import type { Page } from '@playwright/test'
import { expect, test, type Fixtures } from './support/fitter.ts'
import { expectStep, holdButton, prepareWorkplace, runStep, showStep, stage, startJob } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

/** A job on a simulated device that has begun. */
async function beginJob({ openFitter, simulate }: Pick<Fixtures, 'openFitter' | 'simulate'>, seed: number) {
  const yard = await simulate({ seed })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  return { yard, page }
}

/** Output 1 is held until its countdown runs. */
async function holdOutput(page: Page): Promise<void> {
  await page.keyboard.down('Space')
  await expect(stage(page).getByRole('button', { name: 'Cancel' })).toBeVisible({ timeout: 10_000 })
  await page.keyboard.up('Space')
}

test('Escape closes the notifications and stops nothing: the step that runs keeps what was seen', async ({
  openFitter,
  simulate
}) => {
  const { yard, page } = await beginJob({ openFitter, simulate }, 91)
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
  const { yard, page } = await beginJob({ openFitter, simulate }, 92)
  await expectStep(page, 'Ignition', 'running')
  await runStep(page, 'Output 1')
  await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
  await page.keyboard.press('Escape')
  await expectStep(page, 'Output 1', 'running')
  await holdOutput(page)
  await page.keyboard.press('Escape')
  await expectStep(page, 'Output 1', 'waiting')
  expect(yard.device.vehicle.state().outputs.OUT1).toBe(false)
})

test('Off keeps its pixel from the moment the output is on, while its device is lost and until it is confirmed off', async ({
  openFitter,
  simulate
}) => {
  const { yard, page } = await beginJob({ openFitter, simulate }, 93)
  await expectStep(page, 'Ignition', 'running')
  await runStep(page, 'Output 1')
  await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
  await holdOutput(page)
  await expect(stage(page).getByRole('button', { name: 'Yes' })).toBeVisible({ timeout: 40_000 })

  // On each frame: where Off is, and whether the line of the job says one thing while the step says another.
  await page.evaluate(() => {
    const seen = { places: new Set<string>(), strip: new Set<number>(), frames: 0, contradicts: 0 }
    Object.assign(window, { seen })
    const look = (): void => {
      const off = document.querySelector('.stage button.off:not(.cancel)')
      if (off) {
        const { x, y, width, height } = off.getBoundingClientRect()
        seen.places.add([x, y, width, height].map((part) => part.toFixed(2)).join(' '))
        seen.frames += 1
      }
      // What stands behind the device in the strip: its age while it is lost pushes nothing.
      seen.strip.add(document.querySelector('header .network')?.getBoundingClientRect().x ?? -1)
      const line = document.querySelector('.job-line, .alarm.line .head')?.textContent ?? ''
      const said = document.querySelector('.facts')?.textContent ?? ''
      if (/not answered|stopped answering/.test(line) && /confirmed off|off again/.test(said)) seen.contradicts += 1
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  const line = page.locator('.job-line, .alarm.line .head')
  yard.device.setFault('hang', true)
  await expect(line).toContainText(/The device stopped answering \d+ s ago, and OUT1 was on\./, { timeout: 10_000 })
  await stage(page).getByRole('button', { name: 'Switch OUT1 off' }).click()
  await expect(line).toContainText(/may still be on/, { timeout: 30_000 })
  await expect(page.locator('.alarm').getByRole('alert')).toHaveCount(1)
  yard.device.setFault('hang', false)
  await expect(line).not.toContainText(/may still be on|has not answered|stopped answering/, { timeout: 30_000 })
  await expect.poll(() => yard.device.vehicle.state().outputs.OUT1).toBe(false)
  const seen = await page.evaluate(() => {
    const { places, strip, frames, contradicts } = (
      window as unknown as {
        seen: { places: Set<string>; strip: Set<number>; frames: number; contradicts: number }
      }
    ).seen
    return { places: [...places], strip: [...strip], frames, contradicts }
  })
  expect(seen.frames).toBeGreaterThan(100)
  expect(seen.places).toHaveLength(1)
  expect(seen.strip).toHaveLength(1)
})
