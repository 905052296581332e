import { expect, it, onTestFinished } from 'vitest'
import { isLocalIp, parseAddress, type Address } from '../../../../main/base/addresses/address.ts'
import { createTransport, type TransportRequest } from '../../../../main/device/client/transport.ts'
import { startScriptedServer } from '../../../world/device/scriptedServer.ts'

function read(text: string, port?: number): Address {
  const address = parseAddress(text, port)
  if (!address) throw new Error(`${text} is no address`)
  return address
}

const request: TransportRequest = {
  operation: 'gps.position',
  mutates: false,
  method: 'GET',
  path: '/gps/position',
  body: undefined,
  authorization: 'Basic secret',
  timeoutMs: 1_000,
  signal: undefined
}

it('A name that turns out to be a public address gets no request, unless a person has confirmed it', async () => {
  const address = read('device.example')
  const lookUp = () => Promise.resolve(['8.8.8.8'])
  const transport = createTransport(address, { isAllowed: isLocalIp, lookUp })
  await expect(transport.send(request)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

it('A name is looked up once: a later answer cannot lead the credentials elsewhere', async () => {
  const server = await startScriptedServer((_, response) => response.end('{}'))
  onTestFinished(() => server.stop())
  const answers = [['::1', '127.0.0.1'], ['127.0.0.2']]
  const transport = createTransport(read('device.local', server.port), {
    isAllowed: isLocalIp,
    lookUp: () => Promise.resolve(answers.shift() ?? [])
  })
  await transport.send(request)
  await transport.send(request)
  expect(server.received.map(({ headers }) => headers.host)).toEqual(Array(2).fill(`device.local:${server.port}`))
  expect(answers).toHaveLength(1)
})

it('A name without an address is unreachable, and a look-up that never ends runs into the limit', async () => {
  const address = read('device.local')
  const none = createTransport(address, { isAllowed: isLocalIp, lookUp: () => Promise.resolve([]) })
  await expect(none.send(request)).rejects.toMatchObject({ code: 'UNREACHABLE' })
  const never = createTransport(address, { isAllowed: isLocalIp, lookUp: () => new Promise(() => undefined) })
  await expect(never.send({ ...request, timeoutMs: 30 })).rejects.toMatchObject({ code: 'TIMEOUT' })
})

it('A device is asked from the address of the card that it was heard on', async () => {
  const callers: (string | undefined)[] = []
  const server = await startScriptedServer((_, response, socket) => {
    callers.push(socket.remoteAddress)
    response.end('{}')
  })
  onTestFinished(() => server.stop())
  const transport = createTransport(read('127.0.0.1', server.port), {
    isAllowed: isLocalIp,
    startFrom: (ip) => (ip === '127.0.0.1' ? '127.0.0.3' : undefined)
  })
  await transport.send(request)
  expect(callers).toEqual(['127.0.0.3'])
})
