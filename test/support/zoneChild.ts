import { networkInterfaces } from 'node:os'
import { createDeviceClient } from '../../main/device/client.ts'
import { startScriptedServer } from './scriptedServer.ts'

/** Reaches a server by the link-local address fe80::4 of its network namespace; prints address and Host header. */
async function findLinkLocal(): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    for (const [card, list] of Object.entries(networkInterfaces())) {
      const found = list?.find(({ address }) => address === 'fe80::4')
      if (found) return `${found.address}%${card}`
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('This namespace has no link-local address.')
}

const address = await findLinkLocal()
const server = await startScriptedServer((_, response) => response.end(), address)
await createDeviceClient({ address: `[${address}]:${server.port}` }).wifi.start()
process.stdout.write(`${address} ${server.received[0]?.headers.host?.replace(`:${server.port}`, '')}`)
await server.stop()
