import { ulid } from 'ulid'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { VehicleEvent, VehicleSheet, VehicleState } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { Connections } from '../accounts/connections.ts'
import { readFences } from '../client/vehicles/fences.ts'
import type { Geofence } from '../client/records/places.ts'
import type { Sparse } from '../../../preload/contract/device/deviceAreas.ts'
import { isEventOfDevice } from '../../base/reading/eventOfDevice.ts'
import { lastReportOf, rhythmOfEvents } from '../../base/reading/rhythmOfEvents.ts'
import { imeiOfRecord } from '../client/vehicles/deviceRecord.ts'
import { readDeviceState } from '../client/vehicles/deviceState.ts'
import { findEntities } from '../client/vehicles/entities.ts'
import { settableUnit, type VehicleGateway } from '../client/vehicles/vehicles.ts'
import type { NewWork, Operations } from '../waitingWork/engine.ts'
import {
  counterKey,
  createCounterKind,
  createCounterTitle,
  setGlobalKind,
  setGlobalTitle
} from '../waitingWork/kinds/counters.ts'
import { linkKey, linkKind, linkTitle } from '../waitingWork/kinds/entitiesLink.ts'
import { assignDevice } from './assignDevice.ts'
import type { Copies } from '../localCopy/copies.ts'
import type { ShownReports } from '../localCopy/copiedState.ts'
import { whileAway } from '../localCopy/whileAway.ts'
import { stateOfVehicle } from './fleet.ts'
import { createLocalVehicles, type LocalVehicles } from './localVehicles.ts'

export interface VehicleParts {
  copies: Copies
  connections: Connections
  operations: Operations
  vehicles: VehicleGateway
  sendSoon(): void
}

const mostGroups = 5_000
const mostFences = 2_000

/** Vehicles outside a checklist: found with and without the gateway, read, and changed through operations. */
export function createVehicles({ copies, connections, operations, vehicles, sendSoon }: VehicleParts) {
  const { gateway } = connections

  const gatewayNowMs = (): number => Date.now() + (gateway.clockDifferenceMs() ?? 0)
  const copy: LocalVehicles = createLocalVehicles(copies, gatewayNowMs)

  function add(work: Omit<NewWork, 'jobId' | 'draft'> & { draft?: boolean }): { operationId: string } {
    const { id } = operations.add({ draft: false, ...work, jobId: null })
    sendSoon()
    return { operationId: id }
  }

  async function nameOfVehicle(id: number): Promise<string> {
    return (await copy.get(id))?.vehicle.name ?? String(id)
  }

  async function namesOfGroups(): Promise<ReadonlyMap<number, string | null>> {
    return new Map((await copies.all('groups', mostGroups))?.records.map(({ id, name }) => [id, name]))
  }

  return {
    copy,
    gatewayNowMs,
    groupNames: namesOfGroups,
    show: (id: number, signal: AbortSignal): Promise<VehicleSheet> =>
      whileAway(
        async () => {
          const site = await gateway.site()
          const { problems, ...sheet } = await vehicles.show(id, signal)
          if (site) await copy.remember(site, sheet.vehicle)
          if (sheet.device) await copies.rememberDevice(sheet.device.raw, gatewayNowMs())
          const state = await copy.stateOf(sheet.vehicle)
          return { ...sheet, state, source: 'gateway' as const, note: noteOf(problems) }
        },
        async (why) => {
          const kept = await copy.get(id)
          return (
            kept && sheetOfCopy(kept, { why, groups: await namesOfGroups(), state: await copy.stateOf(kept.vehicle) })
          )
        }
      ),
    /** Which vehicles report, as the gateway shows it now. */
    async standings(ids: readonly number[], signal: AbortSignal): Promise<CallOutput<'vehicles.standings'>> {
      const { standings, readAt, gatewayMs } = await vehicles.standings(ids, signal)
      const known = standings.map(async ({ id, device }) => {
        const copied = device === null ? undefined : await copies.rememberDevice(device, gatewayMs)
        const imei = device === null ? null : imeiOfRecord(device)
        const { lastReportedAt, isOnline } = readDeviceState(device)
        return { id, lastReportedAt, isOnline, state: stateOfVehicle({ imei }, copied) }
      })
      return { standings: await Promise.all(known), readAt }
    },
    /** The latest events of a vehicle, which show its rhythm and its last report. */
    async events(
      { id, hours, limit, isRefresh }: CallParsed<'vehicles.events'>,
      signal: AbortSignal
    ): Promise<CallOutput<'vehicles.events'>> {
      const read = await vehicles.events(id, { hours, limit, priority: isRefresh ? 'screen' : 'person' }, signal)
      const line = (await copy.get(id))?.vehicle
      if (!line) return read
      const own = read.events.filter((event) => isEventOfDevice(event, line.imei))
      if (line.imei !== null && own.length > 0) await copies.rememberReports(line.imei, reportsOf(own, read.readAt))
      return { ...read, state: await copy.stateOf(line) }
    },
    /** While the gateway cannot be reached, results come from the local copy, with its age. */
    findEntities: ({ kind, text }: CallParsed<'gateway.findEntities'>, signal: AbortSignal) =>
      whileAway(
        async () => {
          const { entities, complete } = await findEntities(
            await gateway.client(),
            { kind, text },
            { signal, priority: 'person' }
          )
          return { entities, complete }
        },
        () => copies.choices(kind, text, 50)
      ),
    assets: (ids: readonly number[], signal: AbortSignal): Promise<CallOutput<'vehicles.assets'>['assets']> =>
      whileAway(
        () => vehicles.assets(ids, signal),
        async () => {
          const kept = await Promise.all(ids.map((id) => copies.get('assets', id)))
          return kept.flatMap((one) =>
            one ? [{ id: one.record.id, name: one.record.name, type: one.record.type }] : []
          )
        }
      ),
    /** While the gateway cannot be reached, the vehicles of the local copy, with their age. */
    fences: (position: readonly [number, number] | null, signal: AbortSignal): Promise<CallOutput<'vehicles.fences'>> =>
      whileAway(
        async () => ({
          ...(await vehicles.fences(position, signal)),
          source: 'gateway' as const,
          readAt: new Date().toISOString()
        }),
        async () => {
          const kept = await copies.all('fences', mostFences)
          return (
            kept && {
              ...readFences(kept.records as Sparse<Geofence>[], {
                position,
                isComplete: kept.isComplete && kept.records.length < mostFences
              }),
              source: 'copy' as const,
              readAt: kept.copiedAt
            }
          )
        }
      ),
    assignDevice: (input: CallParsed<'vehicles.assignDevice'>, signal: AbortSignal) =>
      assignDevice({ client: () => gateway.client(), vehicles, operations, sendSoon }, input, signal),
    async setCounter({ id, counter, value }: CallParsed<'vehicles.setCounter'>) {
      const unit = settableUnit(counter)
      if (unit === undefined) throw new AppError('INVALID_REQUEST', message('vehicles.counterNotSettable', { counter }))
      const payload = { vid: id, vehicle: await nameOfVehicle(id), counter, unit, value }
      return add({ kind: setGlobalKind, key: counterKey(payload), title: setGlobalTitle(payload), payload })
    },
    async createCounter({ id, counter, initialValue, description }: CallParsed<'vehicles.createCounter'>) {
      const unit = settableUnit(counter)
      if (unit === undefined) throw new AppError('INVALID_REQUEST', message('vehicles.counterUnknown', { counter }))
      const payload = {
        vid: id,
        vehicle: await nameOfVehicle(id),
        counter,
        unit,
        initialValue,
        description,
        ref: `ref:${ulid()}`
      }
      return add({ kind: createCounterKind, key: counterKey(payload), title: createCounterTitle(payload), payload })
    },
    async link({ id, name, assetId, assetName, copiedAt }: CallParsed<'vehicles.link'>) {
      const seen = copiedAt === null ? undefined : await copies.seen('asset', assetId, copiedAt)
      const payload = {
        primary: { id, text: name },
        secondary: { id: assetId, text: assetName },
        ...(seen ? { copied: [seen] } : {})
      }
      return add({
        draft: seen !== undefined,
        kind: linkKind,
        key: linkKey(payload.primary),
        title: linkTitle(payload),
        payload
      })
    }
  }
}

export type Vehicles = ReturnType<typeof createVehicles>

function sheetOfCopy(
  { vehicle, copiedAt }: NonNullable<Awaited<ReturnType<LocalVehicles['get']>>>,
  { why, groups, state }: { why: Message; groups: ReadonlyMap<number, string | null>; state: VehicleState }
): VehicleSheet {
  return {
    vehicle,
    source: 'copy',
    readAt: copiedAt ?? '',
    note: why,
    groups: vehicle.groups.map((group) => ({ id: group, name: groups.get(group) ?? null })),
    device: null,
    state,
    history: [],
    historyKnown: false,
    raw: null
  }
}

function reportsOf(events: readonly VehicleEvent[], readAt: string): ShownReports {
  const reports = events.map((event) => ({
    ...event,
    eventAtMs: Date.parse(event.at),
    arrivedAtMs: event.arrivedAt === null ? null : Date.parse(event.arrivedAt)
  }))
  const last = lastReportOf(reports)
  return {
    lastReportedAt: last && new Date(last.atMs).toISOString(),
    isDriving: last?.isDriving ?? null,
    rhythm: rhythmOfEvents(reports),
    readAt
  }
}

function noteOf(problems: Message[]): Message | null {
  return problems.length === 0 ? null : message('gateway.notAllRead', { problems })
}
