import type { Json } from '../../preload/contract/define.ts'
import { orNull } from './orNull.ts'
import type { Page } from './records/page.ts'
import type { CallOptions, GatewayReading } from './caller.ts'
import type { GatewayClient } from './client.ts'
import { readAllPages } from './paging.ts'

interface LookWords {
  wording: 1 | 2
  signal: AbortSignal
}
type Reading = Pick<GatewayReading<unknown>, 'status' | 'raw'>
type List = (input: object, options: CallOptions) => Promise<GatewayReading<unknown>>

const asPerson = (signal: AbortSignal): CallOptions => ({ signal, priority: 'person' })
const answerOf = (reading: Reading): Json => ({ status: reading.status, answer: (reading.raw ?? null) as Json })

/**
 * What the gateway work of accessories asks: each write once, and the reads that show its effect. The second wording is
 * a different request, since the gateway caches by request.
 */
export function createAccessoryWork(client: () => Promise<GatewayClient>) {
  /** The record that carries `ref`, found by a search or, in the second wording, by walking the list. */
  async function findReference(list: List, searchKey: string, ref: string, { wording, signal }: LookWords): Promise<{ found: boolean | null; id: number | null; raw: Json }> {
    const has = (record: unknown): boolean => JSON.stringify(record).includes(ref)
    if (wording === 1) {
      const { value } = await list({ search: { [searchKey]: ref } }, { signal })
      const items = (value as { data?: unknown[] }).data
      if (!Array.isArray(items)) return { found: null, id: null, raw: null }
      const hit = items.find(has)
      if (hit !== undefined) return { found: true, id: idOf(hit), raw: hit as Json }
    }
    // A search that the gateway does not understand may come back empty: only the whole list proves an absence.
    const all = await readAllPages<object>((where) => list(where, { signal }) as Promise<GatewayReading<Page<object>>>, { set: wording === 1 ? 200 : 1000 })
    const hit = all.items.find(has)
    if (hit !== undefined) return { found: true, id: idOf(hit), raw: hit as Json }
    return { found: all.isComplete ? false : null, id: null, raw: { read: all.items.length } }
  }

  return {
    /** Null where the gateway does not show it. */
    nameOfAsset: (assetId: number, signal: AbortSignal): Promise<string | null> =>
      orNull(async () => (await (await client()).assets.get({ id: assetId }, { signal })).value.name ?? null),

    async registerKey(id: string, assetId: number, signal: AbortSignal): Promise<Json> {
      return answerOf(await (await client()).ibuttons.create({ id, entity: assetId }, asPerson(signal)))
    },

    /** The list of keys, and in the second wording the asset's own record as well. */
    async findKey(id: string, assetId: number, { wording, signal }: LookWords): Promise<{ assetId: number | null | undefined; raw: Json }> {
      const gateway = await client()
      const isOurs = (text: unknown): boolean => typeof text === 'string' && text.toUpperCase() === id.toUpperCase()
      if (wording === 2) {
        const { value } = await gateway.assets.get({ id: assetId }, { signal })
        if (value.ibuttons?.some(isOurs)) return { assetId, raw: { ibuttons: value.ibuttons } }
      }
      const { value } = await gateway.ibuttons.list(wording === 2 ? { tz: 'UTC' } : {}, { signal })
      const hit = (value.data ?? []).find((key) => isOurs(key.id))
      return hit ? { assetId: hit.entity ?? null, raw: hit as Json } : { assetId: undefined, raw: { keys: value.data?.length ?? 0 } }
    },

    async assignTag(mac: string, assetId: number, signal: AbortSignal): Promise<Json> {
      return answerOf(await (await client()).btTags.assign({ mac, asset_id: assetId }, asPerson(signal)))
    },

    async findTagOwners(mac: string, { sinceMs, wording, signal }: LookWords & { sinceMs: number }): Promise<{ owners: number[]; nowMs: number; raw: Json }> {
      const gateway = await client()
      const nowMs = Date.now() + (gateway.clockDifferenceS() ?? 0) * 1000
      const { value } = await gateway.rawdata.query(
        { from: new Date(sinceMs), to: new Date(nowMs + (wording === 1 ? 60_000 : 120_000)), fields: ['btt_mac', 'btt_driver'], order: 'event_time', tail: 1_000 },
        { signal }
      )
      const bare = (text: unknown): string => (typeof text === 'string' ? text.replaceAll(/[^0-9A-Fa-f]/g, '').toUpperCase() : '')
      const mine = (value.events ?? []).filter((event) => bare(event['btt_mac']) === bare(mac))
      const owners = mine.map((event) => event['btt_driver']).filter((owner) => typeof owner === 'number')
      return { owners, nowMs, raw: (mine.at(-1) ?? null) as Json }
    },

    async readSim({ iccid, resourceId }: { iccid: string; resourceId: number | null }, { wording, signal }: LookWords) {
      const id = wording === 2 && resourceId !== null ? resourceId : iccid
      const { value } = await (await client()).sims.get({ id }, { signal })
      return { resourceId: value.resource_id ?? value.id ?? null, lineNumber: value.line_number ?? null, raw: value as Json }
    },

    async updateSim(resourceId: number, lineNumber: string, signal: AbortSignal): Promise<Json> {
      return answerOf(await (await client()).sims.update({ resource_id: resourceId, line_number: lineNumber }, asPerson(signal)))
    },

    assets: {
      async create({ name, type, groups, ref }: { name: string; type: string; groups: number[]; ref: string }, signal: AbortSignal): Promise<Json> {
        const input = { name, type, info: { ref }, ...(groups.length > 0 ? { groups } : {}) }
        return answerOf(await (await client()).assets.create(input, asPerson(signal)))
      },
      async hasReference(ref: string, words: LookWords) {
        const gateway = await client()
        return findReference((input, options) => gateway.assets.list(input, options), 'info.ref', ref, words)
      }
    },

    triggers: {
      /** Everything in one body: changing a trigger is not documented. */
      async create(
        work: { name: string; timezone: string; vehicleId: number; rules: Json; postfix: string[]; emails: string[]; ref: string },
        signal: AbortSignal
      ): Promise<Json> {
        const input = {
          name: work.name,
          description: work.ref,
          type: 'event',
          category: 'vehicle' as const,
          timezone: work.timezone,
          rules: work.rules as Record<string, unknown>[],
          postfix: work.postfix,
          vehicles: [work.vehicleId],
          processes: work.emails.length > 0 ? [['email_event', { destinations: work.emails }]] : []
        }
        return answerOf(await (await client()).triggers.create(input, asPerson(signal)))
      },
      async hasReference(ref: string, words: LookWords) {
        const gateway = await client()
        return findReference((input, options) => gateway.triggers.list(input, options), 'description', ref, words)
      }
    },

    fences: {
      async create(work: { name: string; latitude: number; longitude: number; radiusM: number; ref: string }, signal: AbortSignal): Promise<Json> {
        const input = {
          type: 'Feature' as const,
          geometry: { type: 'Circle' as const, radius: work.radiusM, coordinates: [work.longitude, work.latitude] },
          properties: { name: work.name, visibility: 'private', custom: { ref: work.ref } }
        }
        return answerOf(await (await client()).geofences.create(input, asPerson(signal)))
      },
      async hasReference(ref: string, words: LookWords) {
        const gateway = await client()
        return findReference((input, options) => gateway.geofences.list(input, options), 'properties.custom.ref', ref, words)
      }
    }
  }
}

/** Of a record that carries our reference; null where it shows none. */
function idOf(record: unknown): number | null {
  const { id } = record as { id?: unknown }
  return typeof id === 'number' ? id : null
}

export type AccessoryWork = ReturnType<typeof createAccessoryWork>
