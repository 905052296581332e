import type { Page } from '@playwright/test'
import { settle } from '../looks/theatre.ts'
import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'
import { findUglyThings } from './support/looks.ts'
import { callCore, prepareWorkplace } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

async function look(page: Page, where: string): Promise<string[]> {
  await settle(page)
  return [...(await findBrokenRules(page)), ...(await findUglyThings(page))].map((one) => `${where}: ${one}`)
}

test('a device is saved as a profile and applied to another one, which is lost in the middle', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ devices: 2, seed: 64 })
  const target = yard.devices[1]
  if (!target) throw new Error('There is only one device.')
  const { page } = await openFitter()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await prepareWorkplace(page, yard)
  expect((await callCore(page, 'discovery.findImei', { imei: target.imei })).kind).toBe('found')
  await callCore(page, 'device.signIn', {
    key: target.imei,
    user: target.user,
    password: target.password,
    shared: false
  })
  const source = yard.device.imei
  await callCore(page, 'workspace.change', {
    key: source,
    change: { operation: 'modem.editApn', apn: 'internet.rionorte', user: '', pass: '', pin: '' },
    confirmCut: true
  })
  await callCore(page, 'workspace.change', { key: source, change: { operation: 'hotspot.stop' }, confirmCut: true })

  // What is saved is read first and shown.
  await page.evaluate((hash) => (window.location.hash = hash), `#/device/${source}`)
  await page.getByRole('button', { name: 'More for this device' }).click()
  await page.getByRole('menuitem', { name: 'Save as profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as profile' })
  await expect(dialog.getByText('internet.rionorte')).toBeVisible()
  await expect(dialog.getByText('IMEI, SIM and login of the device')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name of the profile' }).fill('Río Norte 2026')
  const problems = await look(page, 'saving')
  await dialog.getByRole('button', { name: 'Save profile' }).click()
  await expect(dialog).toHaveCount(0)

  await page.evaluate((hash) => (window.location.hash = hash), `#/device/${target.imei}`)
  await page.getByRole('button', { name: 'More for this device' }).click()
  await page.getByRole('menuitem', { name: 'Apply a profile' }).click()
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  await expect(row('APN')).toContainText('internet.example')
  await expect(row('APN')).toContainText('will change')
  await expect(row('Hotspot')).toContainText('will change')
  await expect(row('Wi-Fi')).toContainText('same')
  problems.push(...(await look(page, 'preview')))

  // The device answers for the APN and is gone with the hotspot.
  target.setFault('hang', true, 'hotspot.stop')
  await page.getByRole('button', { name: 'Apply 2 settings' }).click()
  await page.getByRole('checkbox', { name: /^Send empty/ }).check()
  problems.push(...(await look(page, 'before sending')))
  await page.getByRole('dialog').getByRole('button', { name: 'Apply 2 settings' }).click()
  await expect(row('APN')).toContainText('confirmed', { timeout: 30_000 })
  await expect(row('Hotspot')).toContainText('sending')
  // The device is asked what it has first: before the change itself is there, it cannot have arrived.
  await expect.poll(() => target.requests.some(({ path }) => path === '/hotspot/stop')).toBe(true)
  target.setFault('reset', true)
  await expect(page.getByText('The device stopped answering. Nothing more was sent.')).toBeVisible({ timeout: 40_000 })
  await expect(row('Hotspot')).toContainText('may have arrived')
  problems.push(...(await look(page, 'lost')))
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()

  // Back again: only what still differs is offered and sent.
  target.setFault('reset', false)
  target.setFault('hang', false, 'hotspot.stop')
  // While it did not answer like a device, the search doubted that it is one; it asks again after some seconds.
  await expect
    .poll(
      async () =>
        (await callCore(page, 'discovery.watch', {})).devices.find(({ imei }) => imei === target.imei)?.standing,
      { timeout: 60_000 }
    )
    .toBe('verified')
  await page.getByRole('button', { name: 'Check again' }).last().click()
  await expect(row('APN')).toContainText('same')
  await expect(row('Hotspot')).toContainText('will change')
  const edits = target.requests.filter(({ path }) => path === '/storage/edit').length
  await page.getByRole('button', { name: 'Apply 1 setting' }).click()
  await expect(page.getByText('Done. The device shows everything that was sent.')).toBeVisible({ timeout: 30_000 })
  expect(target.kept().apn.apn).toBe('internet.rionorte')
  expect(target.requests.filter(({ path }) => path === '/storage/edit')).toHaveLength(edits)
  expect(
    (await callCore(page, 'workspace.read', { key: target.imei, view: 'e2e', operations: ['hotspot.state'] })).readings[
      'hotspot.state'
    ]?.value
  ).toEqual({ state: 'Disabled' })
  expect(problems).toEqual([])
})

test('the screen of a profile fits a small window in Spanish, also without a profile', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 65 })
  const { page } = await openFitter()
  await page.setViewportSize({ width: 1024, height: 640 })
  await prepareWorkplace(page, yard)
  await callCore(page, 'settings.change', { language: 'es' })
  await page.reload()
  await page.evaluate((hash) => (window.location.hash = hash), `#/profiles/${yard.device.imei}`)
  await expect(page.getByRole('heading', { name: 'Aún no hay perfiles de equipo' })).toBeVisible()
  const problems = await look(page, 'empty')
  const draft = await callCore(page, 'deviceProfiles.read', { key: yard.device.imei })
  await callCore(page, 'deviceProfiles.save', {
    draft: draft.id,
    name: 'Un nombre bastante largo para un perfil de equipo',
    settings: ['apn', 'hotspotOn', 'wifiOn']
  })
  await callCore(page, 'workspace.change', {
    key: yard.device.imei,
    change: { operation: 'hotspot.stop' },
    confirmCut: true
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Aplicar 1 ajuste' })).toBeEnabled()
  expect([...problems, ...(await look(page, 'preview'))]).toEqual([])
})
