import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'
import { findUglyThings } from './support/looks.ts'
import { callCore, prepareWorkplace } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

test('an output through the gateway: the alarm is a row that covers nothing, Off is in sight in each window, and the space bar switches off', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 63, reportEveryMs: 1_000 })
  const { page } = await openFitter()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await prepareWorkplace(page, yard)
  const vehicleId = yard.gateway.state.vehicles.find(({ device }) => String(device) === yard.device.imei)?.id ?? 0
  const areMet = async () =>
    (await callCore(page, 'remoteOutputs.story', { vehicleId })).conditions.every(({ holds }) => holds)
  await expect.poll(areMet, { timeout: 60_000, intervals: [2_000] }).toBe(true)
  await page.evaluate((id) => (window.location.hash = `#/accessories/${String(id)}/outputs`), vehicleId)
  await expect(page.getByRole('heading', { name: 'All conditions are met' })).toBeVisible()
  await callCore(page, 'remoteOutputs.set', { vehicleId, otype: 'e', out: 1, on: true, confirmed: true })

  const alarm = page.getByRole('alert', { name: 'Outputs that may be on' })
  await expect(alarm).toContainText(/expander output 1 of .+ is on, 0:\d\d left/, { timeout: 60_000 })
  const off = page.getByRole('button', { name: /^Off/ })
  await expect(off).toBeFocused()
  for (const [width, height] of [
    [1280, 800],
    [1024, 640],
    [2560, 1440]
  ] as const) {
    await page.setViewportSize({ width, height })
    const [row, strip, rail, button] = await Promise.all(
      [alarm, page.getByRole('banner'), page.getByRole('navigation', { name: 'Main' }), off].map((one) =>
        one.boundingBox()
      )
    )
    const size = `${String(width)} wide`
    expect.soft(row?.width, size).toBe(width)
    expect.soft(row?.y, size).toBeGreaterThanOrEqual((strip?.y ?? 0) + (strip?.height ?? 0))
    expect.soft(rail?.y, size).toBeGreaterThanOrEqual((row?.y ?? 0) + (row?.height ?? 0))
    expect.soft((button?.y ?? height) + (button?.height ?? 0), size).toBeLessThan(height)
    expect.soft([...(await findBrokenRules(page, { rules: 'all' })), ...(await findUglyThings(page))], size).toEqual([])
  }
  await expect(page.getByText('Confirmed off').locator('..')).toContainText('not yet')
  await off.press('Space')
  await expect(alarm).toBeHidden({ timeout: 60_000 })
  await expect(page.getByText('Confirmed off').locator('..')).not.toContainText('not yet')
})
