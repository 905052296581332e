import { addRichVehicle } from '../../world/gateway/richDay.ts'
import { settle } from '../theatre.ts'
import { letFleetFall, limitMs, place, placeOfVehicle, prepareYard, until, vehicleOf, type Act, type Scene } from './act.ts'

const deviceParts = ['overview', 'position', 'network', 'lines', 'engineBus', 'accelerometer', 'wifi', 'hotspot', 'apps', 'updates', 'console', 'raw'] as const

const accessoryParts = ['keys', 'tags', 'cameras', 'live', 'outputs', 'triggers', 'navUnit', 'journeys'] as const

export const yard: Act = {
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
        // The gateway shows no such trailer and no such driver. A link that was cut off on its way is read back for two
        // minutes before anything is decided: the next one is decided at once.
        await until('a decision', async () => {
          if ((await call('operations.tryNow', { id: null })).counts.needsAttention > 0) return true
          const { operations } = await call('operations.list', { scope: 'open', before: null, limit: 50 })
          for (const { id } of operations.filter(({ kind, state }) => kind === 'entities.link' && state === 'unknown')) await call('operations.drop', { id, reason: 'Cut off on its way' })
          return false
        })
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
        // A sync in progress has read the devices already.
        await until('the first copy', async () => (await call('vehicles.copy', {})).running === null)
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
