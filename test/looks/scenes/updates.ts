import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../main/data/store/index.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { feedContent, startFeedServer } from '../../world/gateway/updateFeed.ts'
import type { Theatre } from '../theatre.ts'
import { openJob, place, prepareYard, until, type Act, type Scene } from './act.ts'

/** A computer of a company: what its policy sets, limits and says wrongly. */
export const managed: Act = {
  name: 'managed',
  policy: (gatewayUrl) => `{
  // Rio Norte, fleet workshops
  "company": { "name": "Rio Norte" },
  "contact": { "name": "IT Service Desk", "mail": "it@rionorte.example", "phone": "extension 220" },
  "reading": { "timeZone": "America/Bogota", "units": "furlongs" },
  "gateway": {
    "address": "${gatewayUrl}",
    "others": false,
    "callsPerMinute": 30
  },
  "credentials": { "keep": "session" },
  "maps": { "online": false }
}

`,
  scenes: [
    {
      name: 'settings-managed',
      async open(theatre) {
        const { url, user, password } = theatre.gateway
        await theatre.call('settings.change', { technician: 'A. Ruiz', gatewayCalls: 60 })
        await theatre.call('gateway.signIn', { url, user, password })
        await place('#/settings/gateway')(theatre)
        await theatre.page.locator('#setting-gatewayAddress').waitFor()
        await theatre.page.keyboard.press('/')
        await theatre.page.keyboard.type('gat')
      }
    },
    {
      name: 'settings-limit',
      async open({ page }) {
        await page.keyboard.press('Escape')
        await page.locator('#setting-gatewayCalls').click()
      }
    },
    { name: 'settings-managed-reading', open: place('#/settings/reading') },
    {
      name: 'settings-policy-file',
      async open({ page }) {
        await page.locator('aside section button').click()
        await page.getByRole('dialog').waitFor()
      },
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    ...(['work', 'connection', 'passwords', 'maps', 'keys', 'data', 'about'] as const).map((page) => ({ name: `settings-${page}`, open: place(`#/settings/${page}`) }))
  ]
}
/** A feed with a new version, and what the company says about it. */
function newVersion(policy: object): NonNullable<Act['surroundings']> {
  return async (folder) => {
    const server = await startFeedServer({ isSecure: false })
    server.publish(feedContent({
      news: {
        en: [{ name: 'Ignition step', text: 'recognises hybrid vehicles.' }, { name: 'Support bundles', text: 'open in half the time.' }, { name: 'Spanish', text: 'is complete in training.' }],
        es: [{ name: 'El paso de contacto', text: 'reconoce vehículos híbridos.' }, { name: 'Los paquetes de soporte', text: 'se abren en la mitad del tiempo.' }, { name: 'La práctica', text: 'está completa en español.' }]
      }
    }))
    const [sourceFile, policyFile] = [join(folder, 'updateSource.json'), join(folder, 'policy.json')]
    writeFileSync(sourceFile, JSON.stringify(server.source))
    writeFileSync(policyFile, JSON.stringify(policy, undefined, 2))
    return { env: { FITTER_UPDATE_SOURCE: sourceFile, FITTER_POLICY_FILE: policyFile }, stop: () => server.stop() }
  }
}

async function openUpdatePanel(theatre: Theatre): Promise<void> {
  await place('#/settings/about')(theatre)
  await theatre.page.locator('#settings-about').getByRole('button', { name: /^(Show|Mostrar)$/ }).click()
  await theatre.page.locator('dialog.update h3').waitFor()
}

const closePanel: Scene['leave'] = async ({ page }) => {
  await page.keyboard.press('Escape')
  await page.locator('dialog.update').waitFor({ state: 'detached' })
}

/** A new version of Fitter: found and downloaded. */
export const updates: Act = {
  name: 'updates',
  surroundings: newVersion({}),
  scenes: [
    {
      name: 'update-available',
      async open(theatre) {
        await prepareYard(theatre)
        await theatre.call('updates.check', {})
        await openUpdatePanel(theatre)
      },
      leave: closePanel
    },
    {
      name: 'update',
      async open(theatre) {
        await theatre.call('updates.download', {})
        await until('the package is there', async () => (await theatre.call('updates.get', {})).phase === 'ready')
        await openUpdatePanel(theatre)
      },
      leave: closePanel
    },
    { name: 'settings-about', open: place('#/settings/about') }
  ]
}

/** A new version that an output, a job and waiting work are in the way of. */
export const updatesBlocked: Act = {
  name: 'updates-blocked',
  surroundings: newVersion({}),
  fill(dataFolder) {
    const store = openStore(dataFolder)
    store.outputLedger.begin({ imei: '490154203237518', output: 'OUT1', path: 'local', vehicleId: null, address: '127.0.0.1:1', since: new Date().toISOString(), by: 'Technician One', jobId: null })
    for (const n of [1, 2]) store.operations.add({ id: `work${n}`, kind: 'entities.link', key: `vehicle:${n}`, state: 'pending', jobId: null, title: plainMessage('Link'), payload: { primary: { id: null, text: `Truck ${n}` }, secondary: { id: null, text: 'Trailer 12' } }, reason: plainMessage('A reason.'), createdAt: new Date().toISOString(), isLive: false, needs: [] })
    store.close()
  },
  scenes: [
    {
      name: 'update-blocked',
      async open(theatre) {
        const { call } = theatre
        await call('operations.pause', { id: null })
        await prepareYard(theatre)
        await call('updates.check', {})
        await call('updates.download', {})
        await until('the package is there', async () => (await call('updates.get', {})).phase === 'ready')
        await openJob(theatre)
        await openUpdatePanel(theatre)
        await theatre.page.locator('dialog.update .reason').nth(2).waitFor()
      },
      leave: closePanel
    }
  ]
}

/** A company that allows only an earlier version. */
export const updatesManaged: Act = {
  name: 'updates-managed',
  surroundings: newVersion({ company: { name: 'Rio Norte' }, contact: { name: 'IT Service Desk', mail: 'it@rionorte.example', phone: 'extension 220' }, updates: { mode: 'ask', version: '0.1.x', channel: 'stable' } }),
  scenes: [
    {
      name: 'update-managed',
      async open(theatre) {
        await theatre.call('updates.check', {})
        await openUpdatePanel(theatre)
      },
      leave: closePanel
    }
  ]
}
