import { expect, test } from '../support/fitter.ts'
import { findTicking, listenToRegions } from '../support/liveRegions.ts'
import { callCore, expectStep, prepareWorkplace, runStep, showStep, startJob } from '../support/work.ts'

test.describe.configure({ timeout: 240_000 })

const watchedMs = 6_000

test('a screen reader is never told a value that ticks, on any screen that is live', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 95, devices: 2 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  await expectStep(page, 'Ignition', 'running')
  const vehicle = yard.gateway.state.vehicles.find((one) => String(one.device) === yard.device.imei)?.id ?? 0
  const problems: string[] = []

  async function watch(name: string, ms = watchedMs): Promise<void> {
    await listenToRegions(page)
    // The time itself is what is tested: this long nobody touches anything.
    await page.waitForTimeout(ms)
    problems.push(...(await findTicking(page)).map((problem) => `${name}: ${problem}`))
  }

  await showStep(page, 'Ignition')
  yard.device.vehicle.turnKey('on')
  await watch('job')
  yard.device.setFault('hang', true)
  await page.getByText('has not answered').first().waitFor({ timeout: 20_000 })
  await watch('job without its device')
  yard.device.setFault('hang', false)
  await runStep(page, 'Output 1')
  const id = (await callCore(page, 'jobs.list', { limit: 1 })).jobs[0]?.id ?? ''
  yard.device.vehicle.turnKey('off')
  await expect
    .poll(
      async () =>
        (await callCore(page, 'jobs.live', { id })).steps.some(
          ({ stepId, conditions }) => stepId === 'output-1' && conditions?.every(({ holds }) => holds)
        ),
      { timeout: 40_000 }
    )
    .toBe(true)
  await callCore(page, 'jobs.answer', { id, stepId: 'output-1', answer: { armed: true } })
  await watch('output on', 8_000)
  await callCore(page, 'jobs.pause', { id })

  for (const hash of [
    '#/start',
    '#/devices',
    '#/board',
    `#/device/${yard.device.imei}/overview`,
    `#/device/${yard.device.imei}/lines`,
    `#/device/${yard.device.imei}/position`,
    `#/device/${yard.device.imei}/network`,
    `#/diagnose/device/${yard.device.imei}`,
    '#/vehicles',
    `#/vehicle/${vehicle}`,
    `#/events/${vehicle}`,
    `#/track/${vehicle}`,
    `#/accessories/${vehicle}/live`,
    '#/waiting',
    '#/jobs',
    '#/team'
  ]) {
    await page.evaluate((hash) => (window.location.hash = hash), hash)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await watch(hash)
  }
  yard.device.setFault('wrongApn', true)
  await page.evaluate((imei) => (window.location.hash = `#/diagnose/device/${imei}`), yard.device.imei)
  await page.locator('.banner.broken').waitFor({ timeout: 30_000 })
  await watch('diagnosis with a fault')
  expect(problems).toEqual([])
})
