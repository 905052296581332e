import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { VehicleGateway } from '../client/vehicles/vehicles.ts'
import { readSignalGroup } from './signalGroup.ts'
import type { Vehicles } from './vehicles.ts'

export interface VehicleHandlerParts {
  vehicles: Vehicles
  gatewayVehicles: VehicleGateway
}

const dayMs = 86_400_000

/** Whole days (UTC, by the gateway's clock) up to tomorrow, so that today is included. */
function lastWeeks(weeks: number, nowMs: number): { from: string; to: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return { from: day(nowMs - weeks * 7 * dayMs), to: day(nowMs + dayMs) }
}

export function createVehicleHandlers({ vehicles, gatewayVehicles }: VehicleHandlerParts): HandlersOf<'vehicles'> {
  return {
    'vehicles.copy': vehicles.copy.status,
    'vehicles.refresh': vehicles.copy.refresh,
    'vehicles.refreshStates': vehicles.copy.refreshStates,
    'vehicles.stopRefresh': vehicles.copy.stop,
    'vehicles.search': vehicles.copy.search,
    'vehicles.ids': vehicles.copy.ids,
    'vehicles.lines': vehicles.copy.lines,
    'vehicles.silent': vehicles.copy.silent,
    'vehicles.standings': ({ ids }, signal) => vehicles.standings(ids, signal),
    'vehicles.assets': async ({ ids }, signal) => ({ assets: await vehicles.assets(ids, signal) }),
    'vehicles.reports': (range, signal) => gatewayVehicles.reports(range, signal),
    'vehicles.signalWeeks': ({ id, weeks }, signal) =>
      gatewayVehicles.signalDays({ id, ...lastWeeks(weeks, vehicles.gatewayNowMs()) }, signal),
    'vehicles.signalGroup': ({ id, weeks, groupId }, signal) =>
      readSignalGroup(
        {
          vehicles: () => vehicles.copy.withDevice(),
          groupNames: () => vehicles.groupNames(),
          daysOfMany: (ids) =>
            gatewayVehicles.signalDaysOfMany({ ids, ...lastWeeks(weeks, vehicles.gatewayNowMs()) }, signal),
          gatewayNowMs: vehicles.gatewayNowMs
        },
        id,
        groupId
      ),
    'vehicles.show': ({ id }, signal) => vehicles.show(id, signal),
    'vehicles.counters': ({ id }, signal) => gatewayVehicles.counters(id, signal),
    'vehicles.setCounter': vehicles.setCounter,
    'vehicles.createCounter': vehicles.createCounter,
    'vehicles.events': (input, signal) => vehicles.events(input, signal),
    'vehicles.road': ({ id, fromMs, untilMs, isRefresh }, signal) =>
      gatewayVehicles.road({ vehicleId: id, fromMs, untilMs, priority: isRefresh ? 'screen' : 'person' }, signal),
    'vehicles.fences': ({ latitude, longitude }, signal) =>
      vehicles.fences(latitude === null || longitude === null ? null : [longitude, latitude], signal),
    'vehicles.link': vehicles.link,
    'vehicles.assignDevice': vehicles.assignDevice
  }
}
