import type { AreaReading, DeviceArea } from '../../../preload/contract/device/device.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import { readArea } from '../../device/client/areas.ts'
import type { Connections } from './connections.ts'
import type { GatewayAccounts } from './gatewayAccounts.ts'
import { signIn, signInKept } from './signIn.ts'

export interface ConnectionHandlerParts {
  connections: Connections
  accounts: GatewayAccounts
  findEntities: HandlersOf<'gateway'>['gateway.findEntities']
}

export function createConnectionHandlers({
  connections,
  accounts,
  findEntities
}: ConnectionHandlerParts): HandlersOf<'device' | 'gateway'> {
  return {
    'gateway.status': () => connections.gateway.status(),
    'gateway.signIn': (input, signal) => accounts.signIn(input, signal),
    'gateway.signOut': (_input, signal) => accounts.signOut(signal),
    'gateway.sites': async () => ({ sites: await accounts.sites() }),
    'gateway.chooseSite': (site, signal) => accounts.chooseSite(site, signal),
    'gateway.forgetSite': async (site, signal) => ({ sites: await accounts.forgetSite(site, signal) }),
    'gateway.timeZones': async (_input, signal) => ({ zones: await accounts.timeZones(signal) }),
    'gateway.sessions': async (_input, signal) => ({ sessions: await accounts.sessions(signal) }),
    'gateway.endSession': async ({ key }, signal) => ({ sessions: await accounts.endSession(key, signal) }),
    'gateway.groups': async (_input, signal) => ({ groups: await accounts.groups(signal) }),
    'gateway.createToken': (wish, signal) => accounts.createToken(wish, signal),
    'gateway.findEntities': findEntities,
    'device.kept': async () => ({ hasShared: await connections.devices.hasShared() }),
    'device.forgetShared': async () => {
      await connections.devices.forgetShared()
      return { hasShared: await connections.devices.hasShared() }
    },
    'device.signIn': ({ key, user, password, shared }, signal) =>
      signIn(connections, connections.seen(key), { user, password }, shared, signal),
    'device.signInKept': ({ key }, signal) => signInKept(connections, connections.seen(key), signal),
    'device.signOut': async ({ key }) => {
      const device = connections.seen(key)
      await connections.devices.forget(device.imei, connections.addressOf(device))
      connections.discovery.setSignedIn(key, false)
    },
    'device.read': async ({ key, areas }, signal) => {
      const seen = connections.seen(key)
      const address = connections.demandAddress(seen)
      connections.devices.pickFirst(address, seen.imei)
      const client = connections.devices.open(address, seen.imei)
      const read = await Promise.all(
        areas.map(async (area): Promise<[DeviceArea, AreaReading]> => [area, await readArea(client, area, { signal })])
      )
      return { areas: Object.fromEntries(read) }
    }
  }
}
