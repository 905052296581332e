import { createAccessoryWork } from '../../../../main/gateway/client/accessories/accessoryWork.ts'
import type { GatewayClient } from '../../../../main/gateway/client/client.ts'
import { createInstallationGateway } from '../../../../main/gateway/client/vehicles/installation.ts'
import { createVehicleGateway } from '../../../../main/gateway/client/vehicles/vehicles.ts'
import type { OperationKind } from '../../../../main/gateway/waitingWork/kind.ts'
import { assetsCreate } from '../../../../main/job/accessories/accessoryOperations.ts'
import { btTagsAssign } from '../../../../main/gateway/waitingWork/kinds/btTagsAssign.ts'
import { countersCreate, countersSetGlobal } from '../../../../main/gateway/waitingWork/kinds/counters.ts'
import { entitiesLink } from '../../../../main/gateway/waitingWork/kinds/entitiesLink.ts'
import { geofencesCreate } from '../../../../main/gateway/waitingWork/kinds/geofencesCreate.ts'
import { ibuttonsCreate } from '../../../../main/gateway/waitingWork/kinds/ibuttonsCreate.ts'
import { officeNote } from '../../../../main/gateway/waitingWork/kinds/officeNote.ts'
import { simsUpdate } from '../../../../main/gateway/waitingWork/kinds/simsUpdate.ts'
import { triggersCreate } from '../../../../main/gateway/waitingWork/kinds/triggersCreate.ts'
import type { NewWork } from '../../../../main/gateway/waitingWork/engine.ts'
import type { SimulatedGateway } from '../../../../simulator/gateway/gateway.ts'
import { iccid, imei } from '../../data/parkedReport.ts'

/** Every kind of gateway work that can wait, as the application puts them together. */
export function realKinds(client: () => Promise<GatewayClient>): OperationKind[] {
  const work = createAccessoryWork(client)
  const installation = createInstallationGateway(client)
  const vehicles = createVehicleGateway(client)
  return [
    entitiesLink(installation),
    countersSetGlobal({ ...vehicles, findExact: installation.findExact }),
    countersCreate(vehicles),
    officeNote(vehicles),
    ibuttonsCreate({ ...work, findExact: installation.findExact }),
    btTagsAssign(work),
    simsUpdate(work),
    assetsCreate(work.assets),
    triggersCreate(work.triggers),
    geofencesCreate(work.fences)
  ] as OperationKind[]
}

type Work = Pick<NewWork, 'kind' | 'key' | 'payload' | 'draft'>

export interface QueuedKind {
  /** Operation of the API that writes. */
  operation: string
  /** The n-th of it; another value of the same thing where `value` differs. */
  work(gateway: SimulatedGateway, n: number, value?: number): Work
  /** How often the gateway has the effect, by its own records. */
  count(gateway: SimulatedGateway, work: Work): number
  /** Whether a write that the gateway applied is this one. */
  isEffect(detail: Record<string, unknown>, payload: Record<string, unknown>): boolean
  /** A repetition changes nothing: a value that is set. */
  isIdempotent?: boolean
  /**
   * How far the value that the gateway shows is from the one that was wanted, with what was driven since it was read.
   */
  errorOf?(gateway: SimulatedGateway, work: Work, drivenM: number): number
  /** A value that someone else has already set. */
  plantOther?(gateway: SimulatedGateway, work: Work): void
}

const of =
  <Payload>(count: (gateway: SimulatedGateway, payload: Payload) => number) =>
  (gateway: SimulatedGateway, { payload }: Work) =>
    count(gateway, payload as Payload)

export const queuedKinds: Record<string, QueuedKind> = {
  'a key fob': {
    operation: 'ibuttons.create',
    work: (gateway, n, value = 0) => {
      const { id: assetId, name: assetName } = assetOf(gateway, value)
      const id = `A1B2C3D4E5F6${String(n).padStart(4, '0')}`
      return { kind: 'ibuttons.create', key: `ibutton:${id}`, payload: { id, assetId, assetName }, draft: false }
    },
    count: of<{ id: string; assetId: number }>(
      (gateway, { id, assetId }) =>
        gateway.state.ibuttons.filter((one) => one.id === id && one.entity === assetId).length
    ),
    isEffect: (detail, { id, assetId }) => detail['id'] === id && detail['entity'] === assetId,
    plantOther: (gateway, { payload }) =>
      void gateway.state.ibuttons.push({ id: (payload as { id: string }).id, entity: assetOf(gateway, 3).id })
  },
  'a link': {
    operation: 'entities.link',
    work(gateway, n, value = 0) {
      const vehicle = vehicleOf(gateway, n)
      const asset = assetOf(gateway, value)
      return {
        kind: 'entities.link',
        key: `vehicle:${vehicle.id}`,
        payload: { primary: { id: vehicle.id, text: vehicle.name }, secondary: { id: asset.id, text: asset.name } },
        draft: false
      }
    },
    count: of<{ primary: { id: number }; secondary: { id: number } }>(
      (gateway, { primary, secondary }) =>
        gateway.state.links.filter((one) => one.primary === primary.id && one.secondary === secondary.id).length
    ),
    isEffect: (detail, { primary, secondary }) =>
      detail['primary_id'] === idOf(primary) && detail['secondary_id'] === idOf(secondary)
  },
  'a Bluetooth tag': {
    operation: 'btTags.assign',
    work(gateway, n, value = 0) {
      const { id: assetId, name: assetName } = assetOf(gateway, value)
      const mac = `AC233FA0${String(n).padStart(4, '0')}`
      return { kind: 'btTags.assign', key: `tag:${mac}`, payload: { mac, assetId, assetName }, draft: false }
    },
    count: of<{ mac: string; assetId: number }>(
      (gateway, { mac, assetId }) =>
        gateway.state.btTags.filter((one) => one.mac === mac && one.asset_id === assetId).length
    ),
    isEffect: (detail, { mac, assetId }) => detail['mac'] === mac && detail['asset_id'] === assetId,
    isIdempotent: true,
    plantOther: (gateway, { payload }) =>
      void gateway.state.btTags.push({
        mac: (payload as { mac: string }).mac,
        asset_id: assetOf(gateway, 3).id,
        atMs: Date.now()
      })
  },
  'the number of a SIM': {
    operation: 'sims.update',
    work: (_gateway, n, value = 0) => ({
      kind: 'sims.update',
      key: `sim:${iccid}`,
      payload: { iccid, resourceId: null, lineNumber: `+34 600 ${String(100 + n)} ${String(100 + value)}` },
      draft: true
    }),
    count: of<{ lineNumber: string }>(
      (gateway, { lineNumber }) =>
        gateway.state.sims.filter((one) => one.iccid === iccid && one.line_number === lineNumber).length
    ),
    isEffect: (detail, { lineNumber }) => detail['line_number'] === lineNumber,
    isIdempotent: true,
    plantOther: (gateway) => {
      for (const sim of gateway.state.sims) if (sim.iccid === iccid) sim.line_number = '+34 699 999 999'
    }
  },
  'an asset': {
    operation: 'assets.create',
    work: (_gateway, n) => ({
      kind: 'assets.create',
      key: `asset:${refOf(n)}`,
      payload: { name: `Driver new ${String(n)}`, type: 'driver', groups: [1], ref: refOf(n) },
      draft: false
    }),
    count: of<{ ref: string }>(
      (gateway, { ref }) => gateway.state.assets.filter((one) => one.info['ref'] === ref).length
    ),
    isEffect: (detail, { name }) => detail['name'] === name
  },
  'a trigger': {
    operation: 'triggers.create',
    work: (gateway, n) => ({
      kind: 'triggers.create',
      key: `trigger:${refOf(n)}`,
      payload: {
        name: `Test ${String(n)}`,
        timezone: 'UTC',
        vehicleId: vehicleOf(gateway, 0).id,
        rules: [{ id: 'fast', key: 'speed', operator: '>=', value: 25 }],
        postfix: ['fast'],
        emails: [],
        ref: refOf(n)
      },
      draft: false
    }),
    count: of<{ ref: string }>(
      (gateway, { ref }) => gateway.state.triggers.filter((one) => one['description'] === ref).length
    ),
    isEffect: (detail, { name }) => detail['name'] === name
  },
  'a geofence': {
    operation: 'geofences.create',
    work: (_gateway, n) => ({
      kind: 'geofences.create',
      key: `fence:${refOf(n)}`,
      payload: { name: `Yard ${String(n)}`, latitude: 40.4, longitude: -3.7, radiusM: 100, ref: refOf(n) },
      draft: false
    }),
    count: of<{ ref: string }>(
      (gateway, { ref }) => gateway.state.geofences.filter((one) => JSON.stringify(one).includes(ref)).length
    ),
    isEffect: (detail, { name }) => detail['name'] === name
  },
  'a counter of its own': {
    operation: 'counters.create',
    work: (gateway, n) => ({
      kind: 'counters.create',
      key: `ownCounter:${refOf(n)}`,
      payload: {
        vid: carrierOf(gateway).id,
        vehicle: 'x',
        counter: 'dev_dist',
        unit: 'm',
        initialValue: n,
        description: `Oil ${String(n)}`,
        ref: refOf(n)
      },
      draft: false
    }),
    count: of<{ ref: string }>(
      (gateway, { ref }) => gateway.state.userCounters.filter((one) => one.description.includes(ref)).length
    ),
    isEffect: (detail, { ref }) => String(detail['description']).includes(String(ref))
  },
  'a counter that is set': {
    operation: 'counters.setGlobal',
    work: (gateway, n, value = 0) => {
      const vid = carrierOf(gateway).id
      return {
        kind: 'counters.setGlobal',
        key: `counter:${String(vid)}:dev_dist`,
        payload: { vid, vehicle: 'x', counter: 'dev_dist', unit: 'm', value: 1e9 * (n + 1) + 1e7 * value },
        draft: false
      }
    },
    count: of<{ value: number }>(
      (gateway, { value }) =>
        gateway.state.effects.filter(
          ({ operation, detail }) =>
            operation === 'counters.setGlobal' && Math.abs(Number(detail['value']) - value) < 1e6
        ).length
    ),
    isEffect: (detail, { value }) => Math.abs(Number(detail['value']) - Number(value)) < 1e6,
    errorOf(gateway, { payload }, drivenM) {
      const { vid, value } = payload as { vid: number; value: number }
      return Math.abs(
        (gateway.state.counterOffsets.get(`${String(vid)} dev_dist`)?.value ?? 0) +
          rawDistance(gateway, vid) -
          (value + drivenM)
      )
    },
    plantOther: (gateway, { payload }) =>
      void gateway.state.counterOffsets.set(`${String((payload as { vid: number }).vid)} dev_dist`, {
        value: 7e9,
        base: 0,
        afterReports: -1
      })
  }
}

/** What the device itself counted. */
function rawDistance(gateway: SimulatedGateway, vid: number): number {
  return Number(gateway.state.events.findLast((event) => event.vid === vid)?.fields['dev_dist'] ?? 0)
}

function idOf(side: unknown): unknown {
  return (side as { id: unknown }).id
}

function refOf(n: number): string {
  return `ref:01ARZ3NDEKTSV4RRFFQ69G${String(n).padStart(4, '0')}`
}

export function vehicleOf(gateway: SimulatedGateway, n: number) {
  return pick(gateway.state.vehicles.filter(isOurs), n)
}

export function carrierOf(gateway: SimulatedGateway) {
  return pick(
    gateway.state.vehicles.filter(({ device }) => String(device) === imei),
    0
  )
}

export function assetOf(gateway: SimulatedGateway, n: number) {
  return pick(
    gateway.state.assets.filter((asset) => isOurs(asset) && asset.ibuttons.length === 0),
    n
  )
}

function isOurs({ groups }: { groups: number[] }): boolean {
  return groups.some((group) => group === 1 || group === 2)
}

function pick<Item>(items: Item[], n: number): Item {
  const item = items[n % Math.max(1, items.length)]
  if (item === undefined) throw new Error('The simulated gateway has too few records')
  return item
}
