import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeviceClient, type DeviceClient } from '../../../main/device/client/client.ts'
import { startSimulation, type Simulation } from '../../../simulator/simulation.ts'
import { openExchange, type Exchange } from '../../world/data/exchange.ts'

let sim: Simulation
let exchange: Exchange
let client: DeviceClient
beforeEach(async () => {
  sim = await startSimulation({ devices: 2 })
  const [own] = sim.devices
  exchange = await openExchange(own!)
  client = createDeviceClient({
    address: exchange.address,
    imei: own!.imei,
    credentials: () => Promise.resolve({ user: own!.user, password: own!.password })
  })
})
afterEach(async () => {
  await exchange.stop()
  await sim.stop()
})

const writes = () => exchange.passed.filter(({ path }) => path !== '/system-info')

describe('A client that knows whose device it talks to', () => {
  it.each<[string, (device: DeviceClient) => Promise<unknown>]>([
    ['an output', (device) => device.io.setOutput({ out: 'OUT1', state: true })],
    [
      'an output off, past everything else',
      (device) => device.io.setOutput({ out: 'OUT1', state: false }, { overtakes: true })
    ],
    ['auto-alignment', (device) => device.accel.autoAlignment({ state: true })],
    ['a setting', (device) => device.modem.editApn({ apn: 'a', user: '', pass: '', pin: '' })],
    ['a console command', (device) => device.exec.run({ command: 'uptime' })],
    ['a change that is a GET', (device) => device.wifi.reset()]
  ])('sends %s to no other device', async (_what, send) => {
    await send(client)
    expect(exchange.passed[0]?.path).toBe('/system-info')
    expect(writes()).toHaveLength(1)
    exchange.putIn(sim.devices[1]!)
    await expect(send(client)).rejects.toMatchObject({
      code: 'WRONG_DEVICE',
      message: expect.stringContaining(sim.devices[1]!.imei) as string
    })
    expect(writes()).toHaveLength(1)
  })

  it('sends nothing to a device that hides its name', async () => {
    sim.devices[0]!.setFault('serverError', true, 'system.info')
    await expect(client.io.setOutput({ out: 'OUT1', state: true })).rejects.toMatchObject({ code: 'SERVER_ERROR' })
    expect(writes()).toEqual([])
  })
})

describe('Off, past everything else', () => {
  it('does not wait behind a console command that runs', async () => {
    sim.devices[0]!.setFault('hang', true, 'exec.run')
    const running = client.exec.run({ command: 'sleep 30' }, { timeoutMs: 2_000 }).catch((error: unknown) => error)
    await expect.poll(() => exchange.passed.some(({ path }) => path === '/exec')).toBe(true)
    await client.io.setOutput({ out: 'OUT1', state: false }, { overtakes: true })
    const { value } = await client.io.all({ overtakes: true })
    expect(value.OUT1).toBe(false)
    expect(exchange.passed.map(({ path }) => path)).toEqual([
      '/system-info',
      '/exec',
      '/system-info',
      '/IO/OUT1/false',
      '/IO/all'
    ])
    expect(await running).toMatchObject({ code: 'TIMEOUT' })
  })
})
