import path from 'node:path'
import type { GatewayCopies } from '../../../preload/contract/gateway/copies.ts'
import { createAccessories } from '../../job/accessories/accessories.ts'
import { createGatewayAccounts } from '../../gateway/accounts/gatewayAccounts.ts'
import { createCopies } from '../../gateway/localCopy/copies.ts'
import { createGatewayEvents } from '../../gateway/events/gatewaySource.ts'
import { createEventLogs } from '../../gateway/events/logs.ts'
import { createEventReader } from '../../gateway/client/events/eventReader.ts'
import { vehicleCopyOf } from '../../gateway/vehicles/localVehicles.ts'
import { createVehicles } from '../../gateway/vehicles/vehicles.ts'
import type { DeviceWork } from './deviceWork.ts'
import type { CoreOptions, Foundation } from './foundation.ts'
import type { GatewayWork } from './gatewayWork.ts'

export interface GatewayRecordsParts
  extends Pick<DeviceWork, 'jobs' | 'outputs'>, Pick<GatewayWork, 'gatewayVehicles' | 'operations' | 'sendSoon'> {
  options: CoreOptions
}

/** What the gateway has and had: its local copy, vehicles, accounts, accessories, event logs. */
export function buildGatewayRecords(
  { store, connections, events }: Foundation,
  { options, jobs, outputs, gatewayVehicles, operations, sendSoon }: GatewayRecordsParts
) {
  const { reportFault } = options
  const { gateway } = connections
  const copies = createCopies({
    rows: store.copies,
    site: () => gateway.site(),
    isPresent: (site) => gateway.isPresent(site),
    client: (site) => gateway.clientOf(site),
    changed: tellCopies,
    isBusy: () => jobs.hasOpen(),
    reportFault
  })
  const vehicles = createVehicles({ copies, connections, operations, vehicles: gatewayVehicles, sendSoon })

  function tellCopies(state: GatewayCopies): void {
    events.tell('copies.changed', state)
    events.tell('vehicles.copied', vehicleCopyOf(state))
  }

  return {
    copies,
    vehicles,
    accounts: createGatewayAccounts({
      gateway,
      settings: store.settings,
      events,
      copies: {
        leave: () => copies.stop(),
        forget: (site) => store.copies.forgetSite(site),
        tell: async () => tellCopies(await copies.status()),
        groups: async () => (await copies.all('groups', 5_000))?.records
      },
      onSecret: (text) => connections.redactor.add(text)
    }),
    accessories: createAccessories({
      store,
      connections,
      copies,
      operations,
      jobs,
      outputs,
      events,
      sendSoon,
      reportFault
    }),
    eventLogs: createEventLogs({
      source:
        options.eventSource ??
        createGatewayEvents(
          () => gateway.client(),
          createEventReader(() => gateway.client())
        ),
      fences: async (signal) => (await gatewayVehicles.fences(null, signal)).fences,
      names: async (ids, signal) => new Map((await vehicles.assets(ids, signal)).map(({ id, name }) => [id, name])),
      events,
      folder: path.join(options.dataFolder, 'fitter.events'),
      reportFault
    })
  }
}

export type GatewayRecords = ReturnType<typeof buildGatewayRecords>
