import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'
import { findUglyThings } from './support/looks.ts'
import { callCore, prepareWorkplace } from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

test('the work list: what needs attention is counted, sorted by since when, filtered and diagnosed by keys, also without the gateway', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 51 })
  const { state } = yard.gateway
  const hourMs = 3_600_000
  const visible = state.vehicles.filter(
    ({ device, groups }) =>
      device !== null && String(device) !== yard.device.imei && groups.some((group) => group !== 3)
  )
  const deviceOf = (index: number) => state.devices.find(({ imei }) => imei === visible[index]?.device)
  const now = Date.now()
  Object.assign(deviceOf(0) ?? {}, { lastReportMs: now - 50 * hourMs })
  Object.assign(deviceOf(1) ?? {}, { lastReportMs: now - 90 * hourMs, ioEpoch: 1, io: { io_pwr: false } })
  Object.assign(deviceOf(2) ?? {}, {
    lastReportMs: now - hourMs / 2,
    latest: { cf_rssi: 1, loc: { valid_position: true } }
  })
  const { page } = await openFitter()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await prepareWorkplace(page, yard)
  await callCore(page, 'vehicles.refresh', {})
  await expect.poll(async () => (await callCore(page, 'vehicles.copy', {})).running, { timeout: 60_000 }).toBeNull()
  yard.gateway.setOnline(false)

  await expect(page.getByRole('navigation').getByRole('link', { name: /^Vehicles/ })).toContainText(
    '3 vehicles need attention'
  )
  await page.keyboard.press('g')
  await page.keyboard.press('v')
  const filters = page.getByRole('group', { name: 'Vehicles to show' })
  await expect(filters.getByRole('button', { pressed: true })).toHaveText(/^\s*Needs attention\s*3$/)
  const grid = page.getByRole('grid', { name: 'Vehicles' })
  const names = [1, 0, 2].map((index) => visible[index]?.name ?? '')
  for (const [index, name] of names.entries()) await expect(grid.getByRole('row').nth(index + 1)).toContainText(name)
  await expect(grid.getByRole('row').nth(1)).toContainText('silent, no power')
  await expect(grid.getByRole('row').nth(1)).toContainText('3 d 18 h')
  await expect(grid.getByRole('row').nth(3)).toContainText('over 30 min')
  await expect(page.getByText('1 to 3 of 3, longest first')).toBeVisible()
  for (const [width, height] of [
    [1280, 800],
    [1024, 640],
    [2560, 1440],
    [640, 400]
  ] as const) {
    await page.setViewportSize({ width, height })
    expect
      .soft(
        [...(await findBrokenRules(page, { rules: 'all' })), ...(await findUglyThings(page))],
        `${String(width)} wide`
      )
      .toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('combobox', { name: 'Condition' }).selectOption('weakSignal')
  await expect(grid.getByRole('row')).toHaveCount(2)
  await filters.getByRole('button', { name: /^Needs attention/ }).press('Enter')
  await expect(grid.getByRole('row')).toHaveCount(4)
  await expect(grid.getByRole('row', { selected: true })).toContainText(names[2] ?? '')
  await page.keyboard.press('k')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(new RegExp(`#/diagnose/vehicle/${String(visible[0]?.id)}$`))

  await page.keyboard.press('g')
  await page.keyboard.press('v')
  const plate = String(visible[0]?.info['license_plate'])
  await page.keyboard.press('/')
  await page.keyboard.type(`${plate[1] ?? ''}${plate[0] ?? ''}${plate.slice(2)}`)
  await expect(page.getByText(`Showing “${plate}” and similar results.`)).toBeVisible()
  await expect(grid.getByRole('row')).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[1] ?? '')
})
