import { createDeviceClient } from '../../../main/device/client/client.ts'
import { startScriptedServer } from '../device/scriptedServer.ts'

/** Reaches a server on each of the link-local addresses in its arguments; prints the Host headers that came in. */
for (const address of process.argv.slice(2)) {
  const server = await startScriptedServer((_, response) => response.end(), address)
  await createDeviceClient({ address: `[${address}]:${server.port}` }).wifi.start()
  process.stdout.write(`${server.received[0]?.headers.host?.replace(`:${server.port}`, '')} `)
  await server.stop()
}
