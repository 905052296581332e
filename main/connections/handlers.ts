import type { AreaReading, DeviceArea } from '../../preload/contract/device.ts'
import type { HandlersOf } from '../../preload/contract/index.ts'
import { readArea } from '../device/areas.ts'
import type { Connections } from './connections.ts'
import { signIn, signInKept } from './signIn.ts'

/** The calls about who is signed in to which device. */
export function createConnectionHandlers(connections: Connections): HandlersOf<'device'> {
  return {
    'device.signIn': ({ key, user, password, shared }, signal) => signIn(connections, connections.seen(key), { user, password }, shared, signal),
    'device.signInKept': ({ key }, signal) => signInKept(connections, connections.seen(key), signal),
    'device.signOut': async ({ key }) => {
      const device = connections.seen(key)
      await connections.devices.forget(device.imei, connections.addressOf(device))
      connections.discovery.setSignedIn(key, false)
      return {}
    },
    'device.read': async ({ key, areas }, signal) => {
      const seen = connections.seen(key)
      const address = connections.demandAddress(seen)
      connections.devices.pickFirst(address, seen.imei)
      const client = connections.devices.open(address, seen.imei)
      const read = await Promise.all(areas.map(async (area): Promise<[DeviceArea, AreaReading]> => [area, await readArea(client, area, { signal })]))
      return { areas: Object.fromEntries(read) }
    },
  }
}
