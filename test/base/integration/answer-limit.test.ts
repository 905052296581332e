import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { isLocalIp, parseAddress } from '../../../main/base/addresses/address.ts'
import { createProxies } from '../../../main/base/internet/proxies.ts'
import { createGatewayRoutes } from '../../../main/base/internet/routes.ts'
import { createTrust } from '../../../main/base/internet/authorities.ts'
import { createTransport as createDeviceTransport } from '../../../main/device/client/transport.ts'
import { createTransport as createGatewayTransport } from '../../../main/gateway/client/transport/transport.ts'

/** Answers each request after this long, or never. In a thread of its own, which goes on while the test's is held. */
async function startServer(afterMs: number | null): Promise<number> {
  const worker = new Worker(
    `const { createServer } = require('node:http')
    const { parentPort, workerData } = require('node:worker_threads')
    const server = createServer((_, response) => {
      if (workerData !== null) setTimeout(() => response.end('{}'), workerData)
    })
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
    { eval: true, workerData: afterMs }
  )
  onTestFinished(async () => void (await worker.terminate()))
  const [port] = (await once(worker, 'message')) as [number]
  return port
}

/** As a write does that waits for another program with the data file. */
function holdThread(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)
}

const timeoutMs = 600

function askDevice(port: number): Promise<{ status: number }> {
  const address = parseAddress('127.0.0.1', port)
  if (!address) throw new Error('no address')
  const transport = createDeviceTransport(address, { isAllowed: isLocalIp })
  return transport.send({
    operation: 'gps.position',
    mutates: false,
    method: 'GET',
    path: '/gps/position',
    body: undefined,
    authorization: undefined,
    timeoutMs,
    signal: undefined
  })
}

function askGateway(port: number): Promise<{ status: number }> {
  const transport = createGatewayTransport(
    createGatewayRoutes({
      proxies: createProxies({ choice: () => ({ kind: 'system' }) }),
      trust: createTrust(() => []),
      interfaces: () => ({})
    })
  )
  onTestFinished(() => transport.close())
  return transport.send({ method: 'GET', url: `http://127.0.0.1:${port}/api`, headers: {}, isWrite: false, timeoutMs })
}

it.each([
  ['device', askDevice],
  ['gateway', askGateway]
])('a %s that answered in time was not silent because the thread was held', async (_, ask) => {
  const port = await startServer(100)
  // Loads the library, which takes time of its own.
  await ask(port)
  const answer = ask(port)
  // Behind the reading of sockets: the timers are next.
  setTimeout(() => setImmediate(() => holdThread(2 * timeoutMs)), 30)
  expect(await answer).toMatchObject({ status: 200 })
})

it.each([
  ['device', askDevice],
  ['gateway', askGateway]
])('a %s that never answers is given up also while the thread is held again and again', async (_, ask) => {
  const port = await startServer(null)
  const holding = setInterval(() => holdThread(250), 10)
  onTestFinished(() => clearInterval(holding))
  await expect(ask(port)).rejects.toMatchObject({ code: 'TIMEOUT' })
})
