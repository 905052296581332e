import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { trainingFolderIn } from '../../main/app/dataFolder.ts'
import { openStore } from '../../main/store/index.ts'
import { plainMessage } from '../../preload/contract/messages.ts'
import { jpegPicture } from '../support/pictures.ts'
import { makeFirstVersionData } from '../support/firstVersion.ts'
import { makeBundleFile } from '../support/bundleFile.ts'
import { makePastJobs } from '../support/pastJobs.ts'
import { addRichVehicle } from '../support/richDay.ts'
import { keepResults, makeResult } from '../support/trainingResults.ts'
import { workOfADay } from '../support/teamYard.ts'
import { feedContent, startFeedServer } from '../support/updateFeed.ts'
import { settle, type Theatre, type TheatreOptions } from './theatre.ts'

/** A screen in a state, in the order in which a person could come to it. */
export interface Scene {
  name: string
  open(theatre: Theatre): Promise<void>
  /** The core's process stands still, or shows a support bundle: it can't change the language. */
  isHeld?: boolean
  /** A page on a phone instead of the window; undefined where this computer has no network for one. */
  onPhone?(theatre: Theatre): Promise<Page | undefined>
  /** Undoes what the next scene must not find. */
  leave?(theatre: Theatre): Promise<void>
}

/** Scenes that share one yard and one data folder. */
export interface Act extends TheatreOptions {
  name: string
  scenes: readonly Scene[]
}

const limitMs = 60_000

function place(hash: string): Scene['open'] {
  return async ({ page }) => {
    await page.evaluate((hash) => (window.location.hash = hash), hash)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
}

/** Opens a support bundle, as if a person had chosen its file. */
async function openBundle({ call, page }: Theatre, file: Buffer): Promise<void> {
  const pieceBytes = 300_000
  for (let from = 0; from < file.length; from += pieceBytes) {
    const base64 = file.subarray(from, from + pieceBytes).toString('base64')
    await call('cab.add', { upload: 'scene-bundle', totalBytes: file.length, from, base64 })
  }
  await page.getByRole('region', { name: /^(Support bundle|Paquete)/ }).waitFor()
}

function vehicleOf({ gateway, device }: Theatre): number {
  return gateway.state.vehicles.find((one) => String(one.device) === device.imei)?.id ?? 0
}

/** A screen of the vehicle that the first device is in. */
function placeOfVehicle(screen: 'vehicle' | 'accessories' | 'events', part = ''): Scene['open'] {
  return async (theatre) => {
    const vehicle = theatre.gateway.state.vehicles.find((one) => String(one.device) === theatre.device.imei)
    await place(`#/${screen}/${vehicle?.id ?? ''}${part && `/${part}`}`)(theatre)
  }
}

/** Devices that have been silent, without power or position, or weak, each for another time. */
function letFleetFall({ state }: Theatre['gateway']): void {
  const hourMs = 3_600_000
  state.devices.filter(({ lastReportMs }) => lastReportMs === null).forEach((device, index) => {
    const isSilent = index % 3 === 0
    device.lastReportMs = Date.now() - (isSilent ? (30 + 37 * index) * hourMs : (0.02 + (index % 5) * 1.7) * hourMs)
    device.io = { ...device.io, io_pwr: index % 4 !== 0, io_ign: false }
    device.ioEpoch = Math.floor(device.lastReportMs / 1000)
    const time = new Date(device.lastReportMs).toISOString()
    device.latest = { event_time: time, system_time: time, cf_rssi: index % 5 === 1 ? 2 : 9 + (index % 9), loc: { lat: 40.4, lon: -3.7, valid_position: index % 6 !== 2 } }
  })
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`Waited ${limitMs / 1000} s for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Signed in to the gateway and to the first device. */
async function prepareYard({ call, yard, gateway, device }: Theatre): Promise<void> {
  await call('settings.change', { profile: 'short-holds', technician: 'Technician One' })
  const { url, user, password } = gateway
  await call('gateway.signIn', { url, user, password })
  await call('discovery.watch', {})
  for (const { imei } of yard.devices) await until(`device ${imei} in the table`, async () => (await call('discovery.findImei', { imei })).kind === 'found')
  const { devices } = await call('discovery.watch', {})
  const seen = devices.find(({ imei }) => imei === device.imei)
  if (!seen) throw new Error('The device is not in the table.')
  await call('device.signIn', { key: seen.key, user: device.user, password: device.password, shared: false })
}

/** The job of the first device: made, on the screen, begun. */
async function openJob(theatre: Theatre): Promise<string> {
  const { call, device, gateway } = theatre
  const vehicle = gateway.state.vehicles.find((one) => String(one.device) === device.imei)
  const made = await call('jobs.create', {
    templateId: 'standard-installation',
    deviceKey: device.imei,
    vehicleText: String(vehicle?.info.license_plate ?? ''),
    customer: 'Customer One',
    scannedImei: device.imei
  })
  const id = made.outcome === 'created' ? made.id : made.job.id
  await place(`#/job/${id}`)(theatre)
  if (made.outcome === 'created') await call('jobs.start', { id })
  return id
}

async function stateOf({ call }: Theatre, id: string, stepId: string): Promise<string> {
  return (await call('jobs.show', { id })).steps.find((step) => step.id === stepId)?.state ?? ''
}

/** Runs a step unless it has begun by itself, until it asks the person. */
async function runUntilAsked(theatre: Theatre, id: string, stepId: string): Promise<void> {
  if ((await stateOf(theatre, id, stepId)) !== 'running') await theatre.call('jobs.runStep', { id, stepId })
  await until(`${stepId} asks`, async () => (await theatre.call('jobs.live', { id })).steps.some((step) => step.stepId === stepId && step.prompt !== null))
}

async function newestJob({ call }: Theatre): Promise<string> {
  return (await call('jobs.list', { search: '', limit: 1 })).jobs[0]?.id ?? ''
}

/** The step on the stage in large type, until it is left. */
function inLargeType(name: string): Scene {
  return {
    name,
    async open({ page }) {
      await page.keyboard.press('z')
      await page.getByRole('dialog').waitFor()
    },
    leave: ({ page }) => page.keyboard.press('Escape')
  }
}

/** Puts a step on the stage. */
async function showStep({ page }: Theatre, title: RegExp): Promise<void> {
  await page.locator('main').getByRole('button', { name: title }).first().click()
}

const deviceParts = ['overview', 'position', 'network', 'lines', 'engineBus', 'accelerometer', 'wifi', 'hotspot', 'apps', 'updates', 'console', 'raw'] as const

const accessoryParts = ['keys', 'tags', 'cameras', 'live', 'outputs', 'triggers', 'navUnit', 'journeys'] as const

const first: Act = {
  name: 'first',
  scenes: [
    { name: 'start-first', open: place('#/start') },
    { name: 'devices-found', open: place('#/devices') },
    { name: 'log-empty', open: place('#/jobs') },
    { name: 'vehicles-signed-out', open: place('#/vehicles') },
    { name: 'waiting-empty', open: place('#/waiting') },
    { name: 'templates', open: place('#/templates') },
    { name: 'template', open: place('#/templates/trailer') },
    { name: 'self-test', open: place('#/self-test') },
    {
      name: 'help',
      async open(theatre) {
        await place('#/diagnose')(theatre)
        await place('#/help/no-position')(theatre)
        await theatre.page.locator('article h1').waitFor()
      }
    },
    { name: 'explain', open: place('#/explain') },
    { name: 'explain-code', open: place('#/explain/4') },
    { name: 'team-not-joined', open: place('#/team') },
    {
      name: 'team',
      async open(theatre) {
        const yard = await theatre.team()
        await workOfADay(yard)
        await theatre.call('settings.change', { technician: 'Technician One' })
        await theatre.call('team.join', { text: await yard.invite('Laptop 1') })
        await place('#/team')(theatre)
        await theatre.page.getByRole('complementary').getByRole('img', { name: /Photo|Foto|Other|Otra/ }).first().waitFor()
      }
    },
    {
      name: 'team-job',
      async open({ page }) {
        await page.keyboard.press('Enter')
        await page.getByText(/^(Read only|Solo lectura)/).waitFor()
      }
    },
    {
      name: 'team-office',
      async open(theatre) {
        const { server } = await theatre.team()
        const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
        const line = (n: number, checklist: string, to: string, time = '08:00') => `Unit ${String(n).padStart(4, '0')} HLD${String(n)},Customer One,${checklist},${to},${at} ${time}`
        const lines = ['vehicle,customer,template,for,when', ...[120, 121, 122, 123, 124].map((n) => line(n, 'standard-installation', 'Laptop 2', `${String(n - 112).padStart(2, '0')}:30`)), line(31, 'trailer', 'Laptop 3'), line(190, 'Standart', 'Laptop 3'), line(191, 'standard-installation', ''), 'Unit 0192,Customer Two,trailer,Nobody,24/11/2026', ...Array.from({ length: 11 }, (_, n) => line(200 + n, 'standard-installation', 'Laptop 4'))]
        lines[6] = lines[6]?.replace('HLD31', 'KRT031') ?? ''
        await theatre.call('team.openOwner', { address: `postgres://owner@127.0.0.1:${String(server.port)}/postgres`, password: server.owner.password })
        await place('#/team/office')(theatre)
        await theatre.page.locator('li.member').first().waitFor()
        await theatre.page.getByRole('button', { name: /^(Invite|Invitar)$/ }).click()
        await theatre.page.getByRole('dialog').getByRole('textbox').fill('Laptop 7')
        await theatre.page.getByRole('dialog').locator('.primary').click()
        await theatre.page.locator('.code svg').waitFor()
        await theatre.page.locator('input[type=file]').setInputFiles({ name: 'orders-24-nov.csv', mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\n')}\n`) })
        await theatre.page.locator('.fault').first().waitFor()
        await theatre.page.keyboard.press('j')
      }
    },
    {
      name: 'team-office-owner',
      async open({ page, call }) {
        await call('team.closeOwner', {})
        await page.reload()
        await page.getByRole('button', { name: /^(Sign in as owner|Entrar como propietario)$/ }).click()
        await page.getByRole('dialog').waitFor()
      },
      leave: async ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'start-offered',
      async open(theatre) {
        await (await theatre.team()).offer('Laptop 9', 'Unit 0109')
        await place('#/start')(theatre)
        await theatre.page.getByRole('region', { name: /^(Handed over to you|Entregado a usted)/ }).waitFor()
      }
    },
    {
      name: 'hand-over-team',
      async open(theatre) {
        await theatre.page.getByRole('button', { name: /^(Take over|Tomar)/ }).click()
        await until('the job is here', async () => (await newestJob(theatre)) !== '')
        await place(`#/job/${await newestJob(theatre)}`)(theatre)
        await theatre.page.getByRole('button', { name: /^(More|Más)/ }).click()
        await theatre.page.getByRole('menuitem', { name: /^(Hand over|Entregar)/ }).click()
        await theatre.page.getByRole('radio').first().waitFor()
      }
    },
    {
      name: 'job-offered',
      async open({ page }) {
        await page.getByRole('dialog').getByRole('button', { name: /^(Hand over|Entregar)$/ }).click()
        await page.getByRole('dialog').getByRole('status').waitFor()
        await page.getByRole('dialog').locator('.primary').click()
        await page.getByRole('button', { name: /^(Take back|Recuperar)$/ }).waitFor()
      }
    },
    { name: 'settings-team', open: place('#/settings/team') },
    {
      name: 'start-assigned',
      async open(theatre) {
        const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
        const wish = { templateId: 'standard-installation', customer: 'Customer One', to: 'Laptop 1' }
        await theatre.call('team.prepare', { ...wish, vehicle: 'Unit 0012 HLD012', dueAt: at(-1), imei: theatre.device.imei })
        await theatre.call('team.prepare', { ...wish, vehicle: 'Trailer 13 R48820', dueAt: at(20), templateId: 'trailer', notes: 'The key is at the gate; ask for the yard manager.' })
        await theatre.call('team.prepare', { ...wish, vehicle: 'Unit 0003', to: '', customer: 'Customer Two' })
        await place('#/start')(theatre)
        await theatre.page.getByText('Unit 0003').first().waitFor()
      }
    },
    { name: 'log-assigned', open: place('#/jobs') },
    {
      name: 'team-assigned',
      async open(theatre) {
        await place('#/team')(theatre)
        await theatre.page.getByText('Unit 0003').click()
        await theatre.page.getByText(/^(Prepared, not started|Preparado, sin iniciar)$/).waitFor()
      }
    },
    {
      name: 'job-forked',
      async open(theatre) {
        const yard = await theatre.team()
        await yard.offer('Laptop 8', 'Unit 0108')
        const [offered] = (await theatre.call('team.offers', {})).offers.filter(({ state, direction }) => state === 'open' && direction !== 'mine')
        await theatre.call('team.takeOffer', { id: offered?.id ?? '' })
        await until('the job is here', async () => (await theatre.call('team.offers', {})).takings.some(({ state }) => state === 'taken'))
        const id = await newestJob(theatre)
        await theatre.call('team.push', {})
        await yard.fork(id)
        await until('both logs are known', async () => (await theatre.call('team.push', {})).forks > 0)
        await place(`#/job/${id}`)(theatre)
        await theatre.page.getByRole('button', { name: /^(Compare and settle|Comparar y resolver)/ }).click()
        await theatre.page.getByRole('dialog').getByRole('region').waitFor()
      },
    },
    {
      name: 'job-forked-all',
      async open({ page }) {
        await page.getByRole('button', { name: /^(Show all \d+ entries|Mostrar las \d+ entradas)/ }).click()
        await page.locator('li.same').nth(1).waitFor()
      },
      leave: async ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'team-away',
      async open(theatre) {
        await (await theatre.team()).server.stop()
        await place('#/team')(theatre)
        await theatre.page.getByText(/^(The team log cannot be reached|No se puede conectar)/).first().waitFor()
      }
    },
    {
      name: 'team-job-away',
      async open(theatre) {
        await place('#/team-job/01TEAMYARD000031')(theatre)
        await theatre.page.getByText(/^(Local copy from|Copia local)/).first().waitFor()
      }
    }
  ]
}

const yard: Act = {
  name: 'yard',
  simulation: { devices: 3, seed: 71, history: true },
  scenes: [
    {
      name: 'devices',
      async open(theatre) {
        await prepareYard(theatre)
        await place('#/devices')(theatre)
      }
    },
    ...deviceParts.map((part): Scene => ({ name: `device-${part}`, open: (theatre) => place(`#/device/${theatre.device.imei}/${part}`)(theatre) })),
    {
      name: 'device-engineBus-running',
      async open(theatre) {
        const { call, device } = theatre
        const { presets } = await call('workspace.ecuPresets', {})
        const rows = (presets[0]?.rows ?? []).map((row) => ({ ...row, OFFSET: Number(row.OFFSET) }))
        await call('workspace.startRun', { keys: [device.imei], change: { operation: 'ecu.addParameter', rows } })
        device.vehicle.bus.connect(rows.slice(0, -2).map(({ PARAM_NAME }) => PARAM_NAME))
        device.vehicle.turnKey('crank')
        await until('the gateway has the engine', () => Promise.resolve(device.vehicle.state().engineHasRun))
        // The page asks the gateway twice a minute.
        await new Promise((resolve) => setTimeout(resolve, 4_000))
        await place(`#/device/${device.imei}/engineBus`)(theatre)
        await theatre.page.locator('.bus.pass').waitFor({ timeout: limitMs })
      },
      leave: ({ device }) => {
        device.vehicle.bus.connect([])
        device.vehicle.turnKey('off')
        return Promise.resolve()
      }
    },
    {
      // The way of this computer is not known, and the networks in range were looked for.
      name: 'device-wifi-scanned',
      async open(theatre) {
        theatre.device.setFault('serverError', true, 'eth.state')
        await place(`#/device/${theatre.device.imei}/overview`)(theatre)
        await place(`#/device/${theatre.device.imei}/wifi`)(theatre)
        await theatre.page.locator('.scan .line .slim').first().click({ timeout: limitMs })
        await theatre.page.locator('.scan li').first().waitFor()
        await theatre.page.locator('[data-effect="mayCut"]').first().waitFor()
      },
      leave: ({ device }) => Promise.resolve(device.setFault('serverError', false, 'eth.state'))
    },
    {
      name: 'diagnose-broken',
      async open(theatre) {
        theatre.device.setFault('wrongApn', true)
        await place(`#/diagnose/device/${theatre.device.imei}`)(theatre)
        await theatre.page.locator('.banner.broken').waitFor()
        await theatre.page.keyboard.press('p')
      }
    },
    { name: 'diagnose-choose', open: place('#/diagnose/choose'), leave: ({ device }) => Promise.resolve(device.setFault('wrongApn', false)) },
    {
      name: 'device-overview-broken',
      async open(theatre) {
        theatre.device.vehicle.cutPower(true)
        await place(`#/device/${theatre.device.imei}/overview`)(theatre)
        // Several devices share this computer with all that runs beside: a round of readings may take long.
        await theatre.page.locator('.problems .fail').first().waitFor({ timeout: limitMs })
      },
      leave: ({ device }) => Promise.resolve(device.vehicle.cutPower(false))
    },
    {
      name: 'snapshots',
      async open(theatre) {
        const { call, device, page } = theatre
        await call('snapshots.take', { key: device.imei, view: 'scene' })
        device.vehicle.setInput('IN2', true)
        // A snapshot shares a reading that is on its way: one from before the change must have ended.
        await until('a reading with the change', async () => ((await call('workspace.read', { key: device.imei, view: 'scene', operations: ['io.all'], everyMs: 1_000 })).readings['io.all']?.value as { IN2?: boolean } | null | undefined)?.IN2 === true)
        await call('workspace.closeView', { view: 'scene' })
        await call('snapshots.take', { key: device.imei, view: 'scene' })
        await place(`#/snapshots/${device.imei}`)(theatre)
        await page.getByText(/^IN2 /).first().waitFor()
        for (const closed of await page.locator('details.section > summary').all()) await closed.click()
      },
      leave: ({ device }) => Promise.resolve(device.vehicle.setInput('IN2', false))
    },
    { name: 'board', open: place('#/board') },
    { name: 'vehicles', open: place('#/vehicles') },
    { name: 'vehicle', open: placeOfVehicle('vehicle') },
    ...accessoryParts.map((part): Scene => ({ name: `accessories-${part}`, open: placeOfVehicle('accessories', part) })),
    { name: 'events', open: placeOfVehicle('events') },
    {
      name: 'events-time',
      open: ({ page }) => page.getByRole('button', { name: /^(Last 24 hours|Últimas 24 horas)/ }).click(),
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    { name: 'events-raw', open: placeOfVehicle('events', 'raw') },
    {
      name: 'waiting',
      async open(theatre) {
        const vehicle = theatre.gateway.state.vehicles.find((one) => String(one.device) === theatre.device.imei)
        theatre.gateway.setOnline(false)
        await theatre.call('vehicles.link', { id: Number(vehicle?.id), name: 'Unit 0001', assetId: 900, assetName: 'Trailer 12' })
        await theatre.call('vehicles.link', { id: Number(vehicle?.id), name: 'Unit 0001', assetId: 901, assetName: 'Driver One' })
        await theatre.call('accessories.createAsset', { name: 'Trailer 14', type: 'trailer', groups: [1], jobId: null })
        await place('#/waiting')(theatre)
        await theatre.page.getByRole('main').getByRole('article').first().waitFor()
      }
    },
    {
      name: 'waiting-paused',
      async open(theatre) {
        await theatre.call('operations.pause', { id: null })
        await theatre.page.getByRole('status').first().waitFor()
      },
      leave: async ({ call }) => void (await call('operations.resume', { id: null }))
    },
    {
      name: 'waiting-decision',
      async open({ gateway, call, page }) {
        gateway.setOnline(true)
        // The gateway shows no such trailer and no such driver. What failed while it was away may fail once more: its connections are gone.
        await until('a decision', async () => (await call('operations.tryNow', { id: null })).counts.needsAttention > 0)
        await page.getByRole('main').getByRole('article').first().locator('[data-shape="warn"]').first().waitFor()
      }
    },
    {
      name: 'waiting-answer',
      async open({ page }) {
        await page.locator('.story .buttons button').filter({ hasText: /again|otra vez/ }).first().click()
        await page.getByRole('dialog').waitFor()
      },
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    { name: 'vehicle-waiting', open: placeOfVehicle('vehicle') },
    { name: 'settings', open: place('#/settings') },
    {
      name: 'palette',
      async open(theatre) {
        await place('#/jobs')(theatre)
        await theatre.page.keyboard.press('Control+k')
        await theatre.page.keyboard.type('unit 00')
      },
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'palette-near',
      async open(theatre) {
        await place('#/vehicles')(theatre)
        await theatre.page.keyboard.press('Control+k')
        await theatre.page.keyboard.type('uint 0001')
        await theatre.page.locator('dialog .instead').waitFor()
      },
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'notifications',
      open: ({ page }) => page.getByRole('button', { name: /^Notifications/ }).click(),
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'keys',
      open: ({ page }) => page.keyboard.press('?'),
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'vehicles-work-list',
      async open(theatre) {
        const { gateway, call } = theatre
        letFleetFall(gateway)
        await call('vehicles.refresh', {})
        await until('the copy', async () => (await call('vehicles.copy', {})).running === null)
        await place('#/start')(theatre)
        await place('#/vehicles')(theatre)
      }
    },
    {
      name: 'outputs-remote',
      async open(theatre) {
        await until('the vehicle stands', async () => (await theatre.call('remoteOutputs.story', { vehicleId: vehicleOf(theatre) })).conditions.every(({ holds }) => holds))
        await theatre.call('remoteOutputs.set', { vehicleId: vehicleOf(theatre), otype: 'e', out: 1, on: true, confirmed: true })
        await until('the output is on', async () => (await theatre.call('outputs.ledger', {})).outputs.some(({ state }) => state === 'on'))
        await placeOfVehicle('accessories', 'outputs')(theatre)
      }
    },
    {
      name: 'alarm',
      open: placeOfVehicle('vehicle'),
      leave: async ({ call }) => void (await call('outputs.allOff', {}))
    },
    {
      name: 'events-lost',
      async open(theatre) {
        const { page } = theatre
        const vehicle = addRichVehicle(theatre.gateway.state)
        await place(`#/events/${vehicle}`)(theatre)
        await page.getByRole('row', { name: /GPS (lost|perdido)/ }).first().waitFor()
      }
    },
    {
      name: 'events-event',
      async open({ page }) {
        await page.getByRole('row', { name: /GPS (lost|perdido)/ }).click()
        await page.getByRole('complementary').getByRole('application').waitFor()
      },
      leave: ({ page }) => page.getByRole('button', { name: /^(Close the event|Cerrar el evento)$/ }).click()
    },
    {
      name: 'events-value',
      async open({ page }) {
        await page.locator('.value.bad').first().click()
        await page.getByRole('menu').getByText(/ in \d| en \d/).waitFor()
      },
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'events-compare',
      async open(theatre) {
        const { gateway, page } = theatre
        const other = addRichVehicle(gateway.state, 1)
        const first = gateway.state.vehicles.find(({ name }) => name === 'Unit 0004')
        await place(`#/events/${first?.id ?? 0}/${other}`)(theatre)
        await page.getByRole('row').nth(2).waitFor()
        await settle(page)
        await page.locator('.canvas').hover({ position: { x: 420, y: 40 } })
      }
    },
    {
      name: 'track',
      async open(theatre) {
        const { gateway, page } = theatre
        await place(`#/track/${addRichVehicle(gateway.state, 2)}`)(theatre)
        await page.locator('.map-stop b').first().waitFor()
        await page.keyboard.press('j')
        await page.keyboard.press('j')
        await page.keyboard.press('j')
        await page.keyboard.press('j')
      }
    },
    {
      name: 'track-day',
      open: ({ page }) => page.keyboard.press('0')
    },
    {
      name: 'track-export',
      open: ({ page }) => page.getByRole('button', { name: /^(Export|Exportar)$/ }).click(),
      leave: ({ page }) => page.keyboard.press('Escape')
    }
  ]
}

const job: Act = {
  name: 'job',
  simulation: { seed: 72, faults: ['ignitionWireMissing'] },
  scenes: [
    {
      name: 'job-failed',
      async open(theatre) {
        await prepareYard(theatre)
        const id = await openJob(theatre)
        // The engine runs, and its ignition wire says nothing.
        theatre.device.vehicle.turnKey('crank')
        await until('the failed ignition', async () => (await stateOf(theatre, id, 'ignition')) === 'fail')
        await showStep(theatre, /^Ignition|^Encendido|^Contacto/)
      }
    },
    {
      ...inLargeType('cab-failed'),
      leave: async ({ device, page }) => {
        await page.keyboard.press('Escape')
        device.vehicle.turnKey('off')
        device.setFault('ignitionWireMissing', false)
      }
    },
    {
      name: 'job-inputs',
      async open(theatre) {
        const { device } = theatre
        for (const on of [true, false]) {
          device.vehicle.setInput('IN1', on)
          await new Promise((resolve) => setTimeout(resolve, 1_500))
        }
        await showStep(theatre, /^Inputs|^Entradas/)
      }
    },
    {
      name: 'copy-menu',
      async open({ page }) {
        await page.locator('.facts dl.kv dd').first().click({ button: 'right' })
        await page.getByRole('menu').waitFor()
      },
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'drop-veil',
      async open({ page }) {
        await page.evaluate(() => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File(['a,b'], 'fleet.csv', { type: 'text/csv' }))
          document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
        })
        await page.locator('.drop-veil').waitFor()
      },
      leave: async ({ page }) => void (await page.evaluate(() => window.dispatchEvent(new DragEvent('dragleave', { relatedTarget: null }))))
    },
    {
      name: 'job-output',
      async open(theatre) {
        await runUntilAsked(theatre, await newestJob(theatre), 'output-1')
        await showStep(theatre, /^Output 1|^Salida 1/)
      }
    },
    { name: 'start', open: place('#/start') },
    {
      name: 'job-done',
      async open(theatre) {
        const { call } = theatre
        const id = await newestJob(theatre)
        for (const { id: stepId } of (await call('jobs.show', { id })).steps) {
          const isSettled = ['pass', 'warn', 'waived', 'deferred', 'notApplicable'].includes(await stateOf(theatre, id, stepId))
          if (!isSettled && stepId !== 'sign-off') await call('jobs.waive', { id, stepId, reason: 'The part comes with the next visit' })
        }
        await runUntilAsked(theatre, id, 'sign-off')
        await call('jobs.answer', { id, stepId: 'sign-off', answer: { value: 'Technician One', answer: true } })
        await until('the job is done', async () => (await call('jobs.show', { id })).state === 'done')
        await place(`#/job/${id}`)(theatre)
      }
    },
    {
      name: 'core-lost',
      isHeld: true,
      async open(theatre) {
        theatre.hold(true)
        await theatre.page.getByRole('alert').first().waitFor()
      },
      leave: async ({ hold }) => hold(false)
    }
  ]
}

/** A job in the middle: it needs hands, an output is on, its device is lost, it is to be signed. */
const jobStates: Act = {
  name: 'job-states',
  simulation: { seed: 74 },
  scenes: [
    {
      name: 'job-your-turn',
      async open(theatre) {
        await prepareYard(theatre)
        const id = await openJob(theatre)
        await until('the ignition waits for the key', async () => (await theatre.call('jobs.live', { id })).steps.some(({ stepId, act }) => stepId === 'ignition' && act))
        await runUntilAsked(theatre, id, 'alignment')
        theatre.device.vehicle.turnKey('on')
        await showStep(theatre, /^Ignition|^Encendido|^Contacto/)
      }
    },
    inLargeType('cab'),
    {
      name: 'job-phone-dialog',
      async open({ page }) {
        await page.getByRole('button', { name: /^(More|Más)$/ }).click()
        await page.getByRole('menuitem', { name: /^(Show on a phone|Mostrar en un teléfono)$/ }).click()
        await page.getByRole('dialog').waitFor()
        const onOff = page.getByRole('dialog').getByRole('switch')
        if ((await onOff.count()) === 0) return
        await onOff.click()
        await page.getByRole('dialog').locator('.address').waitFor()
      }
    },
    {
      name: 'job-phone-blocked',
      async open({ page }) {
        if ((await page.getByRole('dialog').locator('.address').count()) > 0) await page.getByRole('dialog').locator('.hint').waitFor()
      },
      leave: async ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'job-phone',
      open: ({ device }) => Promise.resolve(device.vehicle.turnKey('on')),
      async onPhone({ page, call }) {
        const address = (await call('phone.state', {})).page?.url
        if (address === undefined) return undefined
        const phone = await page.context().newPage()
        await phone.setViewportSize({ width: 390, height: 844 })
        await phone.goto(address)
        await phone.locator('.now').waitFor()
        return phone
      },
      leave: async ({ call, device }) => {
        await call('phone.stop', {})
        device.vehicle.turnKey('off')
      }
    },
    {
      name: 'job-inputs-start',
      async open(theatre) {
        const { call } = theatre
        const id = await newestJob(theatre)
        await call('jobs.pause', { id })
        const wires = [['IN1', 'Panic button', 'white and red', 'Press it twice, under the dash'], ['IN2', 'Driver’s door', 'blue and black', 'Open and close it twice'], ['IN4', 'Cargo door', 'green', 'Open and close it twice']] as const
        const item = { kind: 'inputs', inputs: wires.map(([line]) => line), wires: Object.fromEntries(wires.map(([line, name, wire, instruction]) => [line, { name: { en: name }, wire: { en: wire }, instruction: { en: instruction } }])) }
        await call('orders.change', { id, order: { reference: 'A-7', vehicle: '', customer: '', notes: '', items: [item] as never } })
        await call('jobs.start', { id })
        await until('the inputs wait', async () => (await call('jobs.live', { id })).steps.some(({ stepId, prompt }) => stepId === 'inputs' && prompt))
        await showStep(theatre, /^Inputs|^Entradas/)
      }
    },
    inLargeType('cab-inputs'),
    {
      name: 'job-output-on',
      async open(theatre) {
        const { call, page } = theatre
        const id = await newestJob(theatre)
        await call('jobs.pause', { id })
        await call('orders.change', { id, order: null })
        await call('jobs.start', { id })
        await runUntilAsked(theatre, id, 'output-1')
        await showStep(theatre, /^Output 1|^Salida 1/)
        await call('jobs.answer', { id, stepId: 'output-1', answer: { armed: true } })
        await until('the output is on', async () => (await call('jobs.live', { id })).steps.some(({ prompt }) => prompt?.kind === 'effect'))
        await page.locator('.answers').waitFor()
      }
    },
    inLargeType('cab-output'),
    {
      name: 'job-device-lost',
      async open(theatre) {
        const { call, device, page } = theatre
        const id = await newestJob(theatre)
        await call('jobs.answer', { id, stepId: 'output-1', answer: { effect: true } })
        await until('the output passed', async () => (await stateOf(theatre, id, 'output-1')) === 'pass')
        await showStep(theatre, /^Ignition|^Encendido|^Contacto/)
        device.setFault('hang', true)
        await page.getByText(/(has not answered|no responde)/).first().waitFor()
      }
    },
    {
      ...inLargeType('cab-lost'),
      leave: async ({ device, page }) => {
        await page.keyboard.press('Escape')
        device.setFault('hang', false)
      }
    },
    {
      name: 'job-sign-off',
      async open(theatre) {
        const { call } = theatre
        const id = await newestJob(theatre)
        for (const { id: stepId } of (await call('jobs.show', { id })).steps) {
          const isSettled = ['pass', 'warn', 'waived', 'deferred', 'notApplicable'].includes(await stateOf(theatre, id, stepId))
          const isWatching = ['external-power', 'position', 'network', 'delivered', 'same-place', 'clock'].includes(stepId)
          if (isWatching) await until(`${stepId} ended`, async () => ['pass', 'warn', 'fail', 'unreadable'].includes(await stateOf(theatre, id, stepId)))
          else if (!isSettled && stepId !== 'sign-off') await call('jobs.waive', { id, stepId, reason: 'The part comes with the next visit' })
        }
        await runUntilAsked(theatre, id, 'sign-off')
        await showStep(theatre, /^Sign-off|^Firma/)
      }
    },
    {
      name: 'job-guide',
      async open(theatre) {
        const { call, device } = theatre
        const text = (en: string, es: string) => ({ title: { en, es }, instruction: { en: `${en}.`, es: `${es}.` } })
        const wires = [
          { line: 'IGN', wire: { en: 'black and blue, at the ignition lock', es: 'negro y azul, en la chapa de contacto' } },
          { line: 'PWR', wire: { en: 'red, at the fuse box', es: 'rojo, en la caja de fusibles' } }
        ]
        const picture = `data:image/jpeg;base64,${jpegPicture(320, 240, (x, y) => ((x >> 4) + (y >> 4)) * 12).toString('base64')}`
        const van = {
          id: 'van', version: 1, kind: 'installation', name: { en: 'Delivery van', es: 'Furgoneta de reparto' }, description: { en: 'Van', es: 'Furgoneta' },
          plug: { columns: 4, pins: ['PWR', 'GND', 'IGN', 'OUT1', 'IN1', 'IN2', 'IN3', 'AN1'].map((line, n) => ({ pin: String(n + 1), line })) },
          steps: [{ id: 'identity', kind: 'identity', ...text('Identity', 'Identidad') }, { id: 'ignition', kind: 'ignition', ...text('Ignition', 'Encendido'), guide: { wires, picture } }, { id: 'sign-off', kind: 'signOff', ...text('Sign-off', 'Firma') }]
        }
        await call('templates.import', { text: JSON.stringify(van) })
        await call('jobs.pause', { id: await newestJob(theatre) })
        const made = await call('jobs.create', { templateId: 'van', deviceKey: device.imei, customer: 'Customer One', scannedImei: device.imei, besideOpenJob: true })
        const id = made.outcome === 'created' ? made.id : ''
        await place(`#/job/${id}`)(theatre)
        await call('jobs.start', { id })
        await until('the ignition waits for the key', async () => (await call('jobs.live', { id })).steps.some(({ stepId, act }) => stepId === 'ignition' && act))
        await showStep(theatre, /^Ignition|^Encendido/)
      }
    },
    {
      name: 'job-many-steps',
      async open(theatre) {
        const { call, device } = theatre
        const title = (n: number) => ({ title: { en: `Question ${String(n)} about the vehicle`, es: `Pregunta ${String(n)} sobre el vehículo` }, instruction: { en: 'Answer.', es: 'Responda.' } })
        const steps = Array.from({ length: 25 }, (_, n) => ({ id: `q${String(n)}`, kind: 'question', ...title(n + 1) }))
        const many = {
          id: 'many', version: 1, kind: 'installation', name: { en: 'Many steps', es: 'Muchos pasos' }, description: { en: 'Many', es: 'Muchos' },
          steps: [{ id: 'identity', kind: 'identity', title: { en: 'Identity', es: 'Identidad' }, instruction: { en: 'Scan.', es: 'Escanee.' } }, ...steps, { id: 'sign-off', kind: 'signOff', title: { en: 'Sign-off', es: 'Firma' }, instruction: { en: 'Sign.', es: 'Firme.' } }]
        }
        await call('templates.import', { text: JSON.stringify(many) })
        await call('jobs.pause', { id: await newestJob(theatre) })
        const made = await call('jobs.create', { templateId: 'many', deviceKey: device.imei, customer: 'Customer One', scannedImei: device.imei, besideOpenJob: true })
        const id = made.outcome === 'created' ? made.id : ''
        await place(`#/job/${id}`)(theatre)
        await call('jobs.start', { id })
        await theatre.page.locator('section.steps li').nth(26).waitFor({ state: 'attached' })
      }
    }
  ]
}

/** An electric vehicle: its ignition passes with a warning. */
const jobWarned: Act = {
  name: 'job-warned',
  simulation: { seed: 75, faults: ['electric'] },
  scenes: [
    {
      name: 'job-warning',
      async open(theatre) {
        await prepareYard(theatre)
        const id = await openJob(theatre)
        const { vehicle } = theatre.device
        await until('the ignition waits for the key', async () => (await theatre.call('jobs.live', { id })).steps.some(({ stepId, act }) => stepId === 'ignition' && act))
        for (const to of ['on', 'off', 'on', 'off', 'on', 'crank'] as const) {
          vehicle.turnKey(to)
          await new Promise((resolve) => setTimeout(resolve, 1_500))
        }
        await until('the ignition warns', async () => (await stateOf(theatre, id, 'ignition')) === 'warn')
        await showStep(theatre, /^Ignition|^Encendido|^Contacto/)
        await theatre.page.locator('.foot .primary').waitFor()
      }
    },
    {
      name: 'job-warning-accepted',
      async open({ page }) {
        await page.locator('.foot .primary').click()
        await page.locator('.stage p.note [data-shape="warn"]').waitFor()
      }
    },
    {
      name: 'job-choose-vehicle',
      async open(theatre) {
        const { call, device, page } = theatre
        await call('jobs.pause', { id: await newestJob(theatre) })
        const made = await call('jobs.create', { templateId: 'standard-installation', deviceKey: device.imei, vehicleText: '', customer: 'Customer One', scannedImei: device.imei, besideOpenJob: true })
        const id = made.outcome === 'created' ? made.id : ''
        await place(`#/job/${id}`)(theatre)
        await call('jobs.start', { id })
        await runUntilAsked(theatre, id, 'vehicle')
        await showStep(theatre, /^Vehicle|^Vehículo/)
        await page.locator('.stage .answers .big-button:not(.primary)').click()
        await page.locator('.stage .camera').waitFor()
      }
    }
  ]
}

const support: Act = {
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
        await page.locator('.banner.broken').waitFor()
        const view = 'scene-bundle'
        await call('bundles.prepare', { view, about: { key: device.imei }, holds: { photos: true, positions: true, names: false } })
        const pieces: Buffer[] = []
        for (let from: number | null = 0; from !== null; ) {
          const part: { base64: string; next: number | null } = await call('bundles.part', { view, from })
          pieces.push(Buffer.from(part.base64, 'base64'))
          from = part.next
        }
        await openBundle(theatre, Buffer.concat(pieces))
        await page.locator('.banner.broken').waitFor()
      }
    },
    { name: 'bundle-events', isHeld: true, open: placeOfVehicle('events') },
    { name: 'bundle-devices', isHeld: true, open: place('#/devices'), leave: async ({ call }) => void (await call('cab.leave', {})) }
  ]
}

/** Adds an ordered item in the dialog of a new job. */
/** The first screen of a person whose role is support. */
const supportHome: Act = {
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
    }
  ]
}

/** What happened, and the log of this computer. */
const activity: Act = {
  name: 'activity',
  simulation: { devices: 2, seed: 67, history: true },
  scenes: [
    {
      name: 'activity',
      async open(theatre) {
        const { call, gateway, page } = theatre
        await prepareYard(theatre)
        const vehicle = vehicleOf(theatre)
        await call('vehicles.link', { id: vehicle, name: 'Unit 0001', assetId: gateway.state.assets[0]?.id ?? 0, assetName: 'Trailer 12' })
        await call('data.backUp', {})
        const look = (isLooking: boolean) =>
          page.evaluate((isLooking) => {
            document.hasFocus = () => isLooking
            window.dispatchEvent(new Event(isLooking ? 'focus' : 'blur'))
          }, isLooking)
        await look(false)
        await openJob(theatre)
        await until('a check ended', async () => (await call('activity.list', {})).entries.some(({ kind }) => kind === 'checkEnded'))
        await look(true)
        await until('the end of being away', async () => (await call('activity.list', {})).away !== null)
        await page.evaluate(() => (window.location.hash = '#/activity'))
        await page.getByRole('grid').waitFor()
        await page.keyboard.press('j')
        await page.keyboard.press('j')
      }
    },
    {
      name: 'activity-settings',
      open: ({ page }) => page.getByRole('button', { name: /^(Notifications and log|Notificaciones y registro)$/ }).click(),
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'notifications-happened',
      open: ({ page }) => page.getByRole('button', { name: /^(Notifications|Notificaciones)/ }).first().click(),
      leave: ({ page }) => page.keyboard.press('Escape')
    }
  ]
}

async function addItem({ page }: Theatre, name: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^(New job|Trabajo nuevo|Nuevo trabajo)/ })
  await dialog.getByRole('button', { name: /^(Add an item|Agregar)/ }).click()
  await dialog.getByRole('dialog').getByRole('button', { name }).first().click()
}

const begin: Act = {
  name: 'begin',
  simulation: { devices: 4, seed: 75, history: true },
  scenes: [
    {
      name: 'new-job',
      async open(theatre) {
        await prepareYard(theatre)
        const { page, device, call } = theatre
        await until('the local copy', async () => (await call('vehicles.search', { text: device.imei })).vehicles.length > 0)
        await place('#/start')(theatre)
        await page.keyboard.press('c')
        const dialog = page.getByRole('dialog').first()
        await dialog.getByRole('combobox').first().fill(device.imei.slice(-6))
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await dialog.locator('[aria-label]').getByPlaceholder(/Order number|Número de pedido/).fill('4471')
        for (const name of [/^Inputs/, /^Key fob/, /^APN/, /^Custom question/, /^Tyre modules/]) await addItem(theatre, name)
        await dialog.getByRole('textbox', { name: 'APN' }).fill('internet.example')
        await dialog.getByRole('textbox', { name: /^What should/ }).fill('Is the seal number written in the door frame?')
        await dialog.getByRole('radio', { name: /^3 axles/ }).click()
        await dialog.getByText(/^Confirmed/).waitFor()
        await dialog.getByText(/^17 steps/).first().waitFor()
      }
    },
    {
      name: 'new-job-missing',
      async open({ page }) {
        await page.getByRole('textbox', { name: /^What should/ }).fill('')
      },
      leave: async ({ page }) => page.getByRole('button', { name: /^(Cancel|Cancelar)/ }).click()
    },
    {
      name: 'batch-checked',
      async open(theatre) {
        await place('#/batch')(theatre)
        const { devices } = await theatre.call('discovery.watch', {})
        for (const { imei, user, password } of theatre.yard.devices) {
          const seen = devices.find((one) => one.imei === imei)
          if (seen && !seen.signedIn) await theatre.call('device.signIn', { key: seen.key, user, password, shared: false })
        }
        const rows = theatre.yard.devices.map(({ imei }, index) => `${imei};standard-installation;Unit 000${index + 1};Customer One`)
        const table = ['device;template;vehicle;customer', ...rows, '490154203237518;standard-installation;Unit 0099;Customer One'].join('\n')
        await theatre.page.locator('input[type=file]').setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
        await theatre.page.getByRole('row').nth(1).waitFor()
      }
    },
    {
      name: 'batch',
      async open(theatre) {
        const { page, call } = theatre
        await page.getByRole('button', { name: /^Start \d/ }).click()
        await until('a job of the batch', async () => (await call('jobs.list', { isOpen: true, limit: 1 })).total > 0)
        await runUntilAsked(theatre, (await call('jobs.list', { search: theatre.device.imei, limit: 1 })).jobs[0]?.id ?? '', 'link')
        await page.getByRole('link', { name: /^Next that/ }).waitFor({ timeout: limitMs })
      }
    },
    { name: 'board-live', open: place('#/board') }
  ]
}

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

const profiles: Act = {
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

const statistics: Act = {
  name: 'statistics',
  fill: (dataFolder) => makePastJobs(dataFolder, 400),
  scenes: [
    {
      name: 'numbers',
      async open(theatre) {
        await place('#/numbers')(theatre)
        await theatre.page.getByRole('row').nth(2).waitFor()
      }
    }
  ]
}

const training: Act = {
  name: 'training',
  isTraining: true,
  fill: (dataFolder) => keepResults(trainingFolderIn(dataFolder)),
  scenes: [
    { name: 'training-start', open: place('#/start') },
    { name: 'training-devices', open: place('#/devices') },
    {
      name: 'training-home',
      async open(theatre) {
        await place('#/training')(theatre)
        await theatre.page.getByRole('button', { name: /^(No trips since yesterday|Sin viajes desde ayer)/ }).click()
      }
    },
    {
      name: 'training-score',
      async open(theatre) {
        await place(`#/training/${encodeURIComponent(makeResult().at)}`)(theatre)
        await theatre.page.getByRole('button', { name: /^(Next exercise|Siguiente ejercicio)/ }).waitFor()
        await theatre.page.getByRole('button', { name: /^(Show the moment|Mostrar el momento)/ }).click()
      }
    }
  ]
}

/** The company's gateway, with a person who is about to sign in. */
async function typeGateway({ page, gateway }: Theatre): Promise<void> {
  const back = page.getByRole('button', { name: /^(Back|Atrás)$/ })
  if (!(await page.getByRole('textbox', { name: /^(Gateway address|Dirección)/ }).isVisible())) await ((await back.isVisible()) ? back : page.getByRole('button', { name: /^(Continue|Continuar)/ })).click()
  await page.getByRole('textbox', { name: /^(Gateway address|Dirección)/ }).fill(gateway.url)
  await page.getByRole('textbox', { name: /^(User|Usuario)/ }).fill(gateway.user)
  await page.locator('input[type=password]').fill(gateway.password)
  await page.getByText(/^(The gateway can be reached|La plataforma responde)/).waitFor()
}

const newComputer: Act = {
  name: 'newComputer',
  isNewComputer: true,
  simulation: { devices: 3 },
  scenes: [
    { name: 'first-run-language', open: place('#/start') },
    { name: 'first-run', open: typeGateway },
    {
      name: 'first-run-device',
      async open(theatre) {
        await typeGateway(theatre)
        await theatre.page.getByRole('button', { name: /^(Sign in|Iniciar sesión)$/ }).click()
        await theatre.page.getByRole('heading', { name: /^(Open your first device|Abra su primer equipo)$/ }).waitFor()
      }
    },
    {
      name: 'start-setup',
      async open({ page }) {
        await page.keyboard.press('Escape')
        await page.getByRole('region', { name: /^(Still to set up|Falta configurar)$/ }).waitFor()
      }
    }
  ]
}

const years: Act = {
  name: 'years',
  fill: (dataFolder) => makeFirstVersionData(dataFolder, { jobs: 5_000, entries: 1 }),
  scenes: [
    { name: 'log', open: place('#/jobs') },
    {
      name: 'log-chosen',
      async open(theatre) {
        await place('#/jobs')(theatre)
        const { page } = theatre
        await page.getByRole('row').nth(1).waitFor()
        for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key)
        await page.getByRole('region', { name: /3 (selected|elegidos)/ }).waitFor()
      },
      leave: ({ page }) => page.getByRole('button', { name: /^(Clear selection|Quitar selección)$/ }).click()
    },
    {
      name: 'log-narrowed',
      async open(theatre) {
        await place('#/jobs')(theatre)
        await theatre.page.getByRole('checkbox', { name: /^(Done, skipped|Con omitidos)/ }).setChecked(true)
      }
    },
    { name: 'numbers-years', open: place('#/numbers') }
  ]
}

/** A computer of a company: what its policy sets, limits and says wrongly. */
const managed: Act = {
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
const updates: Act = {
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
const updatesBlocked: Act = {
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
const updatesManaged: Act = {
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

export const acts: readonly Act[] = [first, yard, job, jobStates, jobWarned, support, begin, profiles, statistics, training, newComputer, updates, updatesBlocked, updatesManaged, years, managed, supportHome, activity]
