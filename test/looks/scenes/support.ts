import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeBundleFile } from '../../world/data/bundles/bundleFile.ts'
import type { Theatre } from '../theatre.ts'
import { letFleetFall, place, placeOfVehicle, prepareYard, until, type Act } from './act.ts'

/** Opens a support bundle, as if a person had chosen its file. */
async function openBundle({ call, page }: Theatre, file: Buffer): Promise<void> {
  const pieceBytes = 300_000
  for (let from = 0; from < file.length; from += pieceBytes) {
    const base64 = file.subarray(from, from + pieceBytes).toString('base64')
    await call('cab.add', { upload: 'scene-bundle', totalBytes: file.length, from, base64 })
  }
  await page.getByRole('region', { name: /^(Support bundle|Paquete)/ }).waitFor()
}

export const support: Act = {
  name: 'support',
  simulation: { devices: 3, seed: 73, history: true },
  scenes: [
    {
      name: 'diagnose-calm',
      async open(theatre) {
        await prepareYard(theatre)
        await place(`#/diagnose/device/${theatre.device.imei}`)(theatre)
        await theatre.page.locator('.banner.calm').waitFor()
      }
    },
    {
      name: 'diagnose-weeks',
      async open(theatre) {
        await place(`#/diagnose/device/${theatre.device.imei}`)(theatre)
        await theatre.page.getByRole('button', { name: /^(More|Más)$/ }).click()
        await theatre.page.getByRole('menuitem', { name: /^(Signal over|Señal por)/ }).click()
        await theatre.page.locator('.lane svg').first().waitFor()
      }
    },
    {
      // The signal fell four weeks ago; the others kept theirs.
      name: 'diagnose-weeks-group',
      async open(theatre) {
        const { state } = theatre.gateway
        const vehicle = state.vehicles.find((one) => String(one.device) === theatre.device.imei)
        const own = state.events.filter(({ vid }) => vid === vehicle?.id)
        const changedMs = Date.now() - 28 * 86_400_000
        const others = state.vehicles.filter(({ id, device }) => device !== null && id !== vehicle?.id).slice(0, 12)
        others.forEach(({ id }, n) => state.events.push(...own.map((event) => ({ ...event, vid: id, fields: { ...event.fields, cf_rssi: 12 + n + (event.id % 3), sv: 8 + (n % 4) } }))))
        for (const event of own) if (event.deviceTimeMs > changedMs) event.fields = { ...event.fields, cf_rssi: 6 + (event.id % 3), comdelay: 30 + (event.id % 5) }
        await place('#/start')(theatre)
        await place(`#/diagnose/device/${theatre.device.imei}`)(theatre)
        await theatre.page.getByRole('button', { name: /^(More|Más)$/ }).click()
        await theatre.page.getByRole('menuitem', { name: /^(Signal over|Señal por)/ }).click()
        await theatre.page.locator('.weakest').waitFor()
      },
      leave: place('#/start')
    },
    {
      name: 'diagnose-warning',
      async open(theatre) {
        theatre.device.setFault('weakSignal', true)
        theatre.device.setFault('reportsElsewhere', true)
        await place(`#/diagnose/device/${theatre.device.imei}`)(theatre)
        await theatre.page.locator('.banner.warn[data-finding="otherPlace"]').waitFor()
        await theatre.page.locator('.beside, .also').first().waitFor()
      }
    },
    {
      name: 'bundle-save',
      async open({ page }) {
        await page.getByRole('button', { name: /^(Support bundle|Paquete)/ }).click()
        await page.getByRole('dialog').locator('.primary:enabled').waitFor()
      },
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'diagnose-unreachable',
      async open(theatre) {
        theatre.gateway.setFault({ status: 500 })
        await theatre.page.keyboard.press('r')
        await until('the trouble', async () => (await theatre.call('gateway.status', {})).state !== 'reachable')
      }
    },
    {
      name: 'diagnose-unreachable-remote',
      async open(theatre) {
        const [, other] = theatre.yard.devices
        const vehicle = theatre.gateway.state.vehicles.find((one) => String(one.device) === other?.imei)
        await place(`#/diagnose/vehicle/${vehicle?.id ?? ''}`)(theatre)
      },
      leave: ({ gateway, device }) => {
        gateway.setFault(null)
        device.setFault('weakSignal', false)
        device.setFault('reportsElsewhere', false)
        return Promise.resolve()
      }
    },
    {
      name: 'diagnose-remote',
      async open(theatre) {
        const here = new Set(theatre.yard.devices.map(({ imei }) => imei))
        const vehicle = theatre.gateway.state.vehicles.find(({ device }) => device !== null && !here.has(String(device)))
        await place(`#/diagnose/vehicle/${vehicle?.id ?? ''}`)(theatre)
        await theatre.page.locator('.banner.broken').waitFor()
      }
    },
    {
      name: 'diagnose-visit',
      async open({ page }) {
        await page.keyboard.press('d')
        await page.locator('.visit').waitFor()
      }
    },
    {
      name: 'bundle-open',
      isHeld: true,
      async open(theatre) {
        const { call, page, device } = theatre
        device.setFault('wrongApn', true)
        await place(`#/diagnose/device/${device.imei}`)(theatre)
        // Its reports from elsewhere, in the scenes before, may be told as two devices, which comes first.
        await page.locator('.banner.broken, .banner.fail').waitFor()
        const view = 'scene-bundle'
        await call('bundles.prepare', { view, about: { key: device.imei }, holds: { photos: true, positions: true, names: false } })
        const pieces: Buffer[] = []
        for (let from: number | null = 0; from !== null; ) {
          const part: { base64: string; next: number | null } = await call('bundles.part', { view, from })
          pieces.push(Buffer.from(part.base64, 'base64'))
          from = part.next
        }
        await openBundle(theatre, Buffer.concat(pieces))
        await page.locator('.banner.broken, .banner.fail').waitFor()
      }
    },
    { name: 'bundle-events', isHeld: true, open: placeOfVehicle('events') },
    { name: 'bundle-devices', isHeld: true, open: place('#/devices'), leave: async ({ call }) => void (await call('cab.leave', {})) }
  ]
}

/** Adds an ordered item in the dialog of a new job. */
/** The first screen of a person whose role is support. */
export const supportHome: Act = {
  name: 'support home',
  simulation: { devices: 4, seed: 61, history: true },
  scenes: [
    {
      name: 'support-home-empty',
      async open({ call, page }) {
        await call('settings.change', { role: 'support', technician: 'M. Peña' })
        await page.evaluate(() => (window.location.hash = '#/diagnose'))
        await page.getByRole('searchbox').first().waitFor()
      }
    },
    {
      name: 'support-home',
      async open(theatre) {
        const { call, device, gateway, page, yard } = theatre
        await prepareYard(theatre)
        await call('settings.change', { technician: 'M. Peña' })
        // A sync in progress has read the devices already.
        await until('the first copy', async () => (await call('vehicles.copy', {})).running === null)
        letFleetFall(gateway)
        await call('vehicles.refresh', {})
        await until('the copy', async () => (await call('vehicles.copy', {})).running === null)
        device.setFault('wrongApn', true)
        for (const { imei } of yard.devices.slice(0, 3)) {
          const vehicle = gateway.state.vehicles.find((one) => String(one.device) === imei)
          await place(imei === device.imei ? `#/diagnose/device/${imei}` : `#/diagnose/vehicle/${vehicle?.id ?? ''}`)(theatre)
          await until('a diagnosis of each', async () => (await call('visits.latest', {})).latest.some((one) => one.imei === imei))
        }
        for (const by of ['Technician One', 'Technician Two']) {
          const folder = mkdtempSync(join(tmpdir(), 'fitter-looks-'))
          await openBundle(theatre, readFileSync(await makeBundleFile(folder, { head: { by } })))
          rmSync(folder, { recursive: true })
          await call('cab.leave', {})
          await page.getByRole('searchbox').first().waitFor()
        }
        await place('#/start')(theatre)
        await page.evaluate(() => (window.location.hash = '#/diagnose'))
        await page.getByRole('grid').waitFor()
      }
    },
    {
      name: 'support-home-search',
      async open({ page }) {
        await page.getByRole('searchbox').first().fill('Unit')
        await page.locator('a.found').first().waitFor()
      },
      leave: ({ page }) => page.getByRole('searchbox').first().fill('')
    },
    {
      name: 'diagnose-403',
      async open(theatre) {
        const here = new Set(theatre.yard.devices.map(({ imei }) => imei))
        const vehicle = theatre.gateway.state.vehicles.findLast(({ device }) => device !== null && !here.has(String(device)))
        theatre.gateway.setFault(['vehicles.get', 'vehicles.list'].map((operation) => ({ status: 403, operation })))
        await place(`#/diagnose/vehicle/${vehicle?.id ?? ''}`)(theatre)
        await theatre.page.locator('.banner.broken').waitFor()
      }
    },
    {
      name: 'diagnose-401',
      async open(theatre) {
        theatre.gateway.setFault({ status: 401 })
        await theatre.page.keyboard.press('r')
        await theatre.page.locator('.banner.account').waitFor()
      },
      async leave(theatre) {
        const { gateway, call } = theatre
        gateway.setFault(null)
        await call('gateway.signIn', { url: gateway.url, user: gateway.user, password: gateway.password })
      }
    }
  ]
}
