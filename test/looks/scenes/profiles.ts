import type { Theatre } from '../theatre.ts'
import { limitMs, place, prepareYard, until, type Act } from './act.ts'

/** Signs in to every device, and gives the first one settings to save. */
async function prepareProfiles(theatre: Theatre): Promise<void> {
  await prepareYard(theatre)
  const { call, yard } = theatre
  const { devices } = await call('discovery.watch', {})
  for (const { imei, user, password } of yard.devices) {
    const seen = devices.find((one) => one.imei === imei)
    if (seen && !seen.signedIn) await call('device.signIn', { key: seen.key, user, password, shared: false })
  }
  const key = theatre.device.imei
  await call('workspace.change', { key, change: { operation: 'modem.editApn', apn: 'internet.rionorte', user: '', pass: '', pin: '' }, confirmCut: true })
  await call('workspace.change', { key, change: { operation: 'hotspot.stop' }, confirmCut: true })
  const { presets } = await call('workspace.ecuPresets', {})
  const { rows } = await call('workspace.checkEcuList', { key, rows: (presets[0]?.rows ?? []).slice(0, 5) })
  const run = await call('workspace.startRun', { keys: [key], change: { operation: 'ecu.addParameter', rows: rows.flatMap(({ entry }) => (entry ? [entry] : [])) } })
  await until('the engine-bus list', async () => (await call('workspace.runs', {})).runs.some(({ id, state }) => id === run.id && state === 'ended'))
  const sent = await call('workspace.startRun', { keys: [yard.devices[1]?.imei ?? ''], change: { operation: 'ecu.addParameter', rows: rows.slice(0, 1).flatMap(({ entry }) => (entry ? [entry] : [])) } })
  await until('one entry of it on the second device', async () => (await call('workspace.runs', {})).runs.some(({ id, state }) => id === sent.id && state === 'ended'))
}

export const profiles: Act = {
  name: 'profiles',
  simulation: { devices: 4, seed: 88 },
  scenes: [
    {
      name: 'device-profile-save',
      async open(theatre) {
        const { page, device } = theatre
        await prepareProfiles(theatre)
        await place(`#/device/${device.imei}`)(theatre)
        await page.getByRole('button', { name: /^(More for this device|Más sobre este equipo)/ }).click()
        await page.getByRole('menuitem', { name: /^(Save as profile|Guardar como perfil)/ }).click()
        await page.getByRole('dialog').getByRole('textbox').first().fill('Río Norte 2026')
        await page.getByRole('dialog').getByText(/Engine speed/).waitFor()
      },
      async leave({ page }) {
        await page.getByRole('dialog').getByRole('button', { name: /^(Save profile|Guardar perfil)/ }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
    },
    {
      name: 'device-profile',
      async open(theatre) {
        await place(`#/profiles/${theatre.yard.devices[1]?.imei ?? ''}`)(theatre)
        await theatre.page.getByText('internet.rionorte').waitFor()
      }
    },
    {
      name: 'device-profile-send',
      async open({ page }) {
        await page.getByRole('button', { name: /^(Apply|Aplicar) \d/ }).click()
        await page.getByRole('dialog').getByRole('checkbox').setChecked(true)
      }
    },
    {
      name: 'device-profile-lost',
      async open({ page, yard }) {
        yard.devices[1]?.setFault('hang', true, 'hotspot.stop')
        await page.getByRole('dialog').getByRole('button', { name: /^(Apply|Aplicar) \d/ }).click()
        await page.getByRole('row').filter({ hasText: /Hotspot|Punto de acceso/ }).filter({ hasText: /sending|enviando/ }).waitFor({ timeout: limitMs })
        yard.devices[1]?.setFault('reset', true)
        await page.getByText(/^(The device stopped answering|El equipo dejó)/).waitFor({ timeout: limitMs })
        yard.devices[1]?.setFault('reset', false)
        yard.devices[1]?.setFault('hang', false, 'hotspot.stop')
      }
    },
    {
      name: 'board-profile',
      async open(theatre) {
        const { page, call, yard } = theatre
        const made = await call('jobs.create', { templateId: 'standard-installation', deviceKey: yard.devices[2]?.imei ?? '', customer: 'Customer One', vehicleText: '' })
        await call('jobs.start', { id: made.outcome === 'created' ? made.id : '' })
        await place('#/board')(theatre)
        await page.getByRole('checkbox', { name: /^(Choose all|Elegir todos)/ }).check()
        await page.getByRole('complementary').getByText(/^(after its job|tras su trabajo)/).waitFor({ timeout: limitMs })
        await page.getByRole('complementary').getByText(/^(Devices stay reachable|Los equipos siguen)/).waitFor({ timeout: limitMs })
      }
    },
    {
      name: 'board-plan',
      async open({ page }) {
        await page.getByRole('complementary').getByRole('checkbox').check()
        await page.getByRole('complementary').getByRole('button', { name: /^(Apply to|Aplicar a) / }).click()
        await page.getByRole('button', { name: /^(Discard|Descartar)$/ }).waitFor()
      }
    }
  ]
}
