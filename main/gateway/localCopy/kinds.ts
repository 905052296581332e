import { z } from 'zod'
import type { CopyKind } from '../../../preload/contract/gateway/copies.ts'
import { json } from '../../../preload/contract/define.ts'
import { vehicleLine, type VehicleLine } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { CallOptions, GatewayReading } from '../client/transport/caller.ts'
import type { GatewayClient } from '../client/client.ts'
import { plateOf } from '../client/vehicles/entities.ts'
import { simIdsOf } from '../client/vehicles/installation.ts'
import type { PageReading } from '../client/transport/paging.ts'
import type { Asset, Device, Sim, Vehicle } from '../client/records/entities.ts'
import type { Group } from '../client/records/people.ts'
import type { Geofence } from '../client/records/places.ts'
import type { Label } from '../client/records/site.ts'
import { lineFields, toVehicleLine, vinOf } from '../client/vehicles/vehicleLine.ts'
import type { CopiedRow } from '../../data/store/gatewayCopies.ts'
import { copiedState, copiedStateOf, type SeenRecord } from './copiedState.ts'
import { foldText, wordsOf } from './searchTerms.ts'

const record = z.record(z.string(), json)
const copiedAsset = z.object({
  id: z.number(),
  name: z.string(),
  type: z.string().nullable(),
  groups: z.array(z.number()),
  info: record
})
const copiedGroup = z.object({ id: z.number(), name: z.string().nullable() })
const copiedLabel = z.object({ label: z.string(), en: z.string().nullable(), es: z.string().nullable() })
const copiedDevice = z.object({ imei: z.string(), simIds: z.array(z.string()), state: copiedState })
const copiedSim = z.object({ id: z.number(), iccid: z.string().nullable(), lineNumber: z.string().nullable() })

/** The stored form of each kind. A record of another form is ignored. */
export const copiedForms = {
  vehicles: vehicleLine,
  assets: copiedAsset,
  groups: copiedGroup,
  labels: copiedLabel,
  triggerFields: record,
  fences: record,
  devices: copiedDevice,
  sims: copiedSim
} satisfies Record<CopyKind, z.ZodType>

export type Copied = { [Kind in CopyKind]: z.infer<(typeof copiedForms)[Kind]> }
export type CopiedAsset = Copied['assets']

export interface KindOfCopy {
  kind: CopyKind
  /** The records of a page; a complete list counts as one page. */
  pageSize: number
  read(client: GatewayClient, where: { set: number; page: number }, options: CallOptions): Promise<PageReading<unknown>>
  /** Undefined for a record without an identity. `before`: the record of the copy so far. */
  toRow(item: unknown, seen: SeenRecord): CopiedRow | undefined
}

export const kindsOfCopy: readonly KindOfCopy[] = [
  {
    kind: 'vehicles',
    pageSize: 1_000,
    read: (client, where, options) =>
      client.vehicles.list({ select: lineFields, ...where }, options) as Promise<PageReading<unknown>>,
    toRow(item) {
      const line = toVehicleLine(item as Vehicle)
      return line && vehicleRow(line)
    }
  },
  {
    kind: 'devices',
    pageSize: 500,
    read: (client, where, options) => client.devices.list(where, options) as Promise<PageReading<unknown>>,
    toRow: deviceRow
  },
  {
    kind: 'assets',
    pageSize: 1_000,
    read: (client, where, options) =>
      client.assets.list({ select: ['id', 'name', 'type', 'info', 'groups'], ...where }, options) as Promise<
        PageReading<unknown>
      >,
    toRow(item) {
      const { id, name, type, groups, info } = item as Partial<Asset>
      if (typeof id !== 'number') return undefined
      const asset: CopiedAsset = {
        id,
        name: name ?? `asset ${id}`,
        type: type ?? null,
        groups: (groups ?? []).filter((group) => typeof group === 'number'),
        info: (info ?? {}) as CopiedAsset['info']
      }
      return rowOf(id, asset.name, {
        record: asset,
        texts: [asset.name, String(id), plateOf(asset.info), vinOf(asset.info)],
        info: asset.info
      })
    }
  },
  {
    kind: 'groups',
    pageSize: 1_000,
    read: (client, where, options) => client.groups.list(where, options) as Promise<PageReading<unknown>>,
    toRow(item) {
      const { id, name } = item as Partial<Group>
      return id === undefined ? undefined : rowOf(id, name ?? '', { record: { id, name: name ?? null } })
    }
  },
  {
    kind: 'labels',
    pageSize: 1_000,
    read: async (client, _where, options) => {
      const reading = await client.labels.list({}, options)
      const all = Object.entries(reading.value as Record<string, Partial<Label> | undefined>)
      return inOnePage(
        reading,
        all.map(([label, { en, es } = {}]) => ({ label, en: en ?? null, es: es ?? null }))
      )
    },
    toRow(item) {
      const label = item as Copied['labels']
      return rowOf(label.label, label.label, { record: label, texts: [label.label, label.en, label.es] })
    }
  },
  {
    kind: 'triggerFields',
    pageSize: 1_000,
    read: async (client, _where, options) => {
      const reading = await client.triggers.structure({}, options)
      return inOnePage(
        reading,
        Object.entries(reading.value.structure ?? {}).map(([category, fields]) => ({ category, fields }))
      )
    },
    toRow(item) {
      const { category } = item as { category: string }
      return rowOf(category, category, { record: item })
    }
  },
  {
    kind: 'fences',
    // A polygon has up to 800 positions.
    pageSize: 200,
    read: (client, where, options) => client.geofences.list(where, options) as Promise<PageReading<unknown>>,
    toRow(item) {
      const { encoding: _encoding, ...fence } = item as Partial<Geofence>
      const id = fence.id ?? fence.properties?.id
      const name = fence.properties?.name ?? ''
      return id === undefined
        ? undefined
        : rowOf(id, name, { record: fence, texts: [name, fence.properties?.description ?? null, String(id)] })
    }
  },
  {
    kind: 'sims',
    pageSize: 1_000,
    read: (client, where, options) => client.sims.list(where, options) as Promise<PageReading<unknown>>,
    toRow(item) {
      const { id, resource_id: resourceId, iccid, line_number: lineNumber } = item as Partial<Sim>
      const own = resourceId ?? id
      if (own === undefined) return undefined
      return rowOf(own, iccid ?? '', {
        record: { id: own, iccid: iccid ?? null, lineNumber: lineNumber ?? null },
        texts: [iccid ?? null, lineNumber ?? null, String(own)]
      })
    }
  }
]

/** The record of a device, with what the copy knew of it before. */
export function deviceRow(item: unknown, { before, ...seen }: SeenRecord): CopiedRow | undefined {
  const { imei } = (item ?? {}) as Partial<Device>
  if (imei === undefined) return undefined
  const known = copiedDevice.safeParse(before(String(imei))).data
  const simIds = [...new Set(simIdsOf(item))]
  return rowOfDevice({
    imei: String(imei),
    // A part of the record may be without its SIM.
    simIds: simIds.length > 0 ? simIds : (known?.simIds ?? []),
    state: copiedStateOf(item, seen, known?.state)
  })
}

export function rowOfDevice(device: Copied['devices']): CopiedRow {
  return rowOf(device.imei, device.imei, { record: device, texts: [device.imei, ...device.simIds] })
}

export function vehicleRow(line: VehicleLine): CopiedRow {
  return rowOf(line.id, line.name, {
    record: line,
    texts: [line.name, line.plate, line.vin, line.imei, String(line.id)],
    info: line.info
  })
}

function rowOf(
  id: number | string,
  name: string,
  { record: kept, texts = [name, String(id)], info }: { record: unknown; texts?: (string | null)[]; info?: unknown }
): CopiedRow {
  return { id: String(id), name, exact: foldText(name), words: wordsOf(texts, info), record: kept }
}

function inOnePage(reading: GatewayReading<unknown>, data: unknown[]): PageReading<unknown> {
  return { ...reading, value: { data, page: 1, pages: 1, total: data.length } } as PageReading<unknown>
}
