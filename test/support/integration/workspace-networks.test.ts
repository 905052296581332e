import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { SimulatedDevice } from '../../../simulator/simulation.ts'
import { message } from '../../../preload/contract/messages.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../../world/device/workspaceBench.ts'

let bench: WorkspaceBench
let key: string
let device: SimulatedDevice

beforeAll(async () => {
  bench = await openWorkspaceBench({ devices: 1, form: 'maker' })
  key = bench.keys[0] as string
  device = bench.simulation.devices[0] as SimulatedDevice
})
afterEach(() => {
  expect(bench.faults).toEqual([])
})
afterAll(() => bench.stop())

const phone = 'Ana’s iPhone'
const sent = (part: string) => device.requests.filter(({ path }) => path.includes(part))
const change = (input: Parameters<typeof bench.call<'workspace.change'>>[1]['change'], confirmCut = true) =>
  bench.call('workspace.change', { key, change: input, confirmCut })

it('names that the device prints with numbers for bytes are readable, and hidden networks are one line', async () => {
  const { networks, raw } = await bench.call('workspace.scanWifi', { key, view: 'a' })
  expect(networks.map(({ ssid }) => ssid)).toContain(phone)
  expect(networks.at(-1)).toMatchObject({ ssid: '', heard: 2 })
  expect(JSON.stringify(raw)).toContain('Ana\\\\xe2\\\\x80\\\\x99s iPhone')
})

it('a network is added by its real name, read back by it, used, and removed by it', async () => {
  expect(await change({ operation: 'wifi.add', ssid: phone, password: 'not-a-secret-phone' })).toMatchObject({
    kind: 'changed',
    result: { kind: 'readBack' }
  })
  expect(sent('/wifi/add/')).toMatchObject([{ path: expect.stringContaining('Ana%E2%80%99s%20iPhone') as string }])
  // This form has no `connected`: the core knows how it is told.
  await vi.waitFor(
    async () =>
      expect(
        (await bench.call('workspace.read', { key, view: 'a', operations: ['wifi.state'] })).facts.wifi?.inUse
      ).toMatchObject({ ssid: phone }),
    15_000
  )
  expect(await change({ operation: 'wifi.remove', ssid: phone })).toMatchObject({
    kind: 'changed',
    result: { kind: 'readBack' }
  })
})

it('what no device can use is refused before the question about our own link, for one device and for many', async () => {
  const before = device.requests.length
  const wrong = { operation: 'wifi.add', ssid: 'Maria Cec\\xc3\\xadlia', password: 'not-a-secret' } as const
  await expect(change(wrong, false)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: message('wifiText.nameMarks')
  })
  await expect(change({ operation: 'hotspot.edit', name: 'Van', password: 'short' }, false)).rejects.toMatchObject({
    message: message('wifiText.passwordLength', { n: 5 })
  })
  await expect(bench.call('workspace.startRun', { keys: [key], change: wrong })).rejects.toMatchObject({
    message: message('wifiText.nameMarks')
  })
  expect(device.requests).toHaveLength(before)
})

it('starting the hotspot asks first where it may end the connection, and ends the Wi-Fi of the device', async () => {
  await change({ operation: 'hotspot.stop' })
  device.setFault('wrongTypes', true, 'eth.state')
  const held = await change({ operation: 'hotspot.start' }, false)
  expect(held).toMatchObject({ kind: 'cutsLink', wayBack: message('workspace.backJoinHotspot') })
  expect(sent('/hotspot/start')).toEqual([])
  device.setFault('wrongTypes', false, 'eth.state')
  expect(await change({ operation: 'hotspot.start' }, false)).toMatchObject({
    kind: 'changed',
    result: { kind: 'readBack' }
  })
  expect(
    (await bench.call('workspace.read', { key, view: 'a', operations: ['wifi.state'] })).readings['wifi.state']?.value
  ).toMatchObject({ state: 'Interface_disabled' })
})
