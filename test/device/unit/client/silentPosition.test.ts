import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createDeviceClient, type DeviceClient } from '../../../../main/device/client/client.ts'
import { message } from '../../../../preload/contract/messages.ts'

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  )
})

/** A device that never answers these paths. */
async function deviceSilentAt(...silent: string[]): Promise<DeviceClient> {
  const server = createServer((request, answer) => {
    if (!silent.includes(request.url ?? '')) answer.setHeader('content-type', 'application/json').end('{}')
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return createDeviceClient({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` })
}

const ask = async (device: DeviceClient) => {
  const [position] = await Promise.allSettled([
    device.gps.position({ timeoutMs: 300 }),
    device.io.all({ timeoutMs: 300 })
  ])
  return position.status === 'rejected' ? (position.reason as { sentence: unknown; code: string }) : undefined
}

test('a position that is never answered while all else answers is no matter of power and network', async () => {
  expect(await ask(await deviceSilentAt('/gps/position'))).toMatchObject({
    code: 'TIMEOUT',
    sentence: message('device.positionUnanswered')
  })
})

test('a device that answers nothing is silent', async () => {
  expect(await ask(await deviceSilentAt('/gps/position', '/IO/all'))).toMatchObject({
    code: 'TIMEOUT',
    sentence: { id: 'device.unanswered' }
  })
})

test('an answer from before says nothing about now, and another silent operation is no matter of the sky', async () => {
  const device = await deviceSilentAt('/gps/position', '/eth/state')
  await device.io.all()
  await expect(device.gps.position({ timeoutMs: 300 })).rejects.toMatchObject({ sentence: { id: 'device.unanswered' } })
  const [eth] = await Promise.allSettled([device.eth.state({ timeoutMs: 300 }), device.io.all()])
  expect(eth).toMatchObject({ reason: { sentence: { id: 'device.unanswered' } } })
})
