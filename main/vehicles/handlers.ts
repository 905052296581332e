import type { Teller } from '../../preload/contract/events.ts'
import type { HandlersOf } from '../../preload/contract/index.ts'
import type { Connections } from '../connections/connections.ts'
import type { VehicleGateway } from '../gateway/vehicles.ts'
import type { GatewayDesk } from './vehicleWork.ts'

export interface VehicleHandlerParts {
  connections: Connections
  events: Teller
  gatewayDesk: GatewayDesk
  gatewayVehicles: VehicleGateway
}

/** One line for each call about the gateway's vehicles, sites and sessions. */
export function createVehicleHandlers({ connections, events, gatewayDesk: desk, gatewayVehicles: vehicles }: VehicleHandlerParts): HandlersOf<'gateway' | 'vehicles'> {
  return {
    'gateway.status': () => connections.gateway.status(),
    'gateway.signIn': (input, signal) => desk.signIn(input, signal),
    'gateway.signOut': async (_input, signal) => {
      await connections.gateway.signOut(signal)
      const status = await connections.gateway.status()
      events.tell('gateway.changed', status)
      return status
    },
    'gateway.sites': async () => ({ sites: await desk.sites() }),
    'gateway.chooseSite': (site, signal) => desk.chooseSite(site, signal),
    'gateway.forgetSite': async (site, signal) => ({ sites: await desk.forgetSite(site, signal) }),
    'gateway.sessions': async (_input, signal) => ({ sessions: await desk.sessions(signal) }),
    'gateway.endSession': async ({ key }, signal) => ({ sessions: await desk.endSession(key, signal) }),
    'gateway.groups': async (_input, signal) => ({ groups: await desk.groups(signal) }),
    'gateway.createToken': (wish, signal) => desk.createToken(wish, signal),
    'gateway.findEntities': (input, signal) => desk.findEntities(input, signal),

    'vehicles.copy': () => desk.copy.status(),
    'vehicles.refresh': () => desk.copy.refresh(),
    'vehicles.stopRefresh': async () => {
      await desk.copy.stop()
      return desk.copy.status()
    },
    'vehicles.search': ({ text, limit }) => desk.copy.search(text, limit),
    'vehicles.show': ({ id }, signal) => desk.show(id, signal),
    'vehicles.counters': ({ id }, signal) => vehicles.counters(id, signal),
    'vehicles.setCounter': (input) => desk.setCounter(input),
    'vehicles.createCounter': (input) => desk.createCounter(input),
    'vehicles.events': ({ id, hours, limit }, signal) => vehicles.events(id, { hours, limit }, signal),
    'vehicles.fences': ({ latitude, longitude }, signal) =>
      vehicles.fences(latitude === null || longitude === null ? null : [longitude, latitude], signal),
    'vehicles.link': (input) => desk.link(input),
    'vehicles.assignDevice': (input, signal) => desk.assignDevice(input, signal)
  }
}
