import { expect, onTestFinished, test } from 'vitest'
import { createConnections, type Connections } from '../../main/connections/connections.ts'
import { startSimulation } from '../../simulator/simulation.ts'

function openConnections(): Connections {
  const connections = createConnections({ gatewayUrl: () => '', deviceModels: () => ['ft4'], inMemory: true, interfaces: () => ({}) })
  onTestFinished(() => connections.close())
  return connections
}

const signal = new AbortController().signal

test('an address outside the local network that a person confirmed is used by every later call, and only that one', async () => {
  // 0.0.0.0 is of no network, and leads to this computer.
  const yard = await startSimulation({ devices: 1, host: '0.0.0.0', openSystemInfo: true, seed: 11 })
  onTestFinished(() => yard.stop())
  const [device] = yard.devices
  if (!device) throw new Error('The simulator started without a device')
  const address = `0.0.0.0:${device.port}`
  const { devices, discovery } = openConnections()
  expect(() => devices.open(address, device.imei)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  expect(await discovery.addAddress(address)).toMatchObject({ kind: 'publicAddress' })
  expect(() => devices.open(address, device.imei)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))

  expect(await discovery.addAddress(address, { confirmPublic: true })).toMatchObject({ kind: 'added', device: { imei: device.imei } })
  const { value } = await devices.open(address, device.imei).system.info({ signal })
  expect(value.hostname).toContain(device.imei)
  expect((await devices.openVerified(address, device.imei, signal)).label).toBe(address)
  expect(devices.openWith(address, { user: 'x', password: 'y' }).label).toBe(address)
  expect(() => devices.open('8.8.8.8', device.imei)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
})
