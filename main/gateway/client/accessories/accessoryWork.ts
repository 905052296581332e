import type { Json } from '../../../../preload/contract/define.ts'
import { orNull } from '../transport/orNull.ts'
import type { CallOptions, GatewayReading } from '../transport/caller.ts'
import type { GatewayClient } from '../client.ts'
import { orAborted } from '../../../base/time/pause.ts'
import { readAllPages, type FetchPage } from '../transport/paging.ts'
import { askTogether, orAlone } from '../together.ts'

interface LookWords {
  wording: 1 | 2
  signal: AbortSignal
}
type Reading = Pick<GatewayReading<unknown>, 'status' | 'raw'>
type List = (input: object, options: CallOptions) => Promise<GatewayReading<unknown>>

const asPerson = (signal: AbortSignal): CallOptions => ({ signal, priority: 'person' })
const answerOf = (reading: Reading): Json => ({ status: reading.status, answer: (reading.raw ?? null) as Json })

/**
 * Gateway work for accessories: each write once, and reads of its effect. A second wording avoids the gateway's cache.
 */
export function createAccessoryWork(client: () => Promise<GatewayClient>) {
  /** One pass through a list serves everyone who searches it at the same time. */
  const wholeList = {
    assets: walker((site) => site.assets),
    triggers: walker((site) => site.triggers),
    geofences: walker((site) => site.geofences)
  }
  const keyLists = { 1: keyLister({}), 2: keyLister({ tz: 'UTC' }) }

  function walker(of: (site: GatewayClient) => { list: unknown }) {
    return { 1: walkOf(200), 2: walkOf(1000) }

    function walkOf(set: number) {
      return askTogether(() => {
        const all = client().then((site) =>
          readAllPages((where) => (of(site).list as FetchPage<object>)(where), { set })
        )
        return (_ref: string) => all
      })
    }
  }

  function keyLister(input: { tz?: string }) {
    return askTogether(() => {
      const list = client().then((site) => site.ibuttons.list(input))
      return (_id: string) => list
    })
  }

  /**
   * The pages of a list cost less than many records. A list may omit what a record contains: then the record is
   * requested.
   */
  const readSimAlone = async ({ iccid, resourceId, wording }: SimQuestion): Promise<SimReading> =>
    simReading(
      (await (await client()).sims.get({ id: wording === 2 && resourceId !== null ? resourceId : iccid })).value
    )
  const readListedSim = askTogether<SimQuestion, SimReading>((questions) => {
    const maxPages = Math.floor(questions.length / 3)
    const listed =
      maxPages === 0
        ? undefined
        : client().then((site) =>
            orAlone(() => readAllPages((where) => site.sims.list(where), { set: 1000, maxPages }))
          )
    return async (question) => {
      const record = (await listed)?.items.find((sim) => sim.iccid === question.iccid && sim.line_number !== undefined)
      return record ? simReading(record) : readSimAlone(question)
    }
  })

  /** The record with `ref`, found by a search or, in the second wording, in the whole list. */
  async function findReference(
    area: keyof typeof wholeList,
    searchKey: string,
    ref: string,
    { wording, signal }: LookWords
  ): Promise<{ found: boolean | null; id: number | null; raw: Json }> {
    const has = (record: unknown): boolean => JSON.stringify(record).includes(ref)
    if (wording === 1) {
      const { value } = await ((await client())[area].list as List)({ search: { [searchKey]: ref } }, { signal })
      const items = (value as { data?: unknown[] }).data
      if (!Array.isArray(items)) return { found: null, id: null, raw: null }
      const hit = items.find(has)
      if (hit !== undefined) return { found: true, id: idOf(hit), raw: hit as Json }
    }
    // A search that the gateway does not understand may return nothing: only the whole list proves an absence.
    const all = await orAborted(wholeList[area][wording](ref), signal)
    const hit = all.items.find(has)
    if (hit !== undefined) return { found: true, id: idOf(hit), raw: hit as Json }
    return { found: all.isComplete ? false : null, id: null, raw: { read: all.items.length } }
  }

  return {
    /** Null when the gateway does not show it. */
    nameOfAsset: (assetId: number, signal: AbortSignal): Promise<string | null> =>
      orNull(async () => (await (await client()).assets.get({ id: assetId }, { signal })).value.name ?? null),

    async registerKey(id: string, assetId: number, signal: AbortSignal): Promise<Json> {
      return answerOf(await (await client()).ibuttons.create({ id, entity: assetId }, asPerson(signal)))
    },

    /** The list of keys, and in the second wording the asset's own record as well. */
    async findKey(
      id: string,
      assetId: number,
      { wording, signal }: LookWords
    ): Promise<{ assetId: number | null | undefined; raw: Json }> {
      const gateway = await client()
      const isOurs = (text: unknown): boolean => typeof text === 'string' && text.toUpperCase() === id.toUpperCase()
      if (wording === 2) {
        const { value } = await gateway.assets.get({ id: assetId }, { signal })
        if (value.ibuttons?.some(isOurs)) return { assetId, raw: { ibuttons: value.ibuttons } }
      }
      const { value } = await orAborted(keyLists[wording](id), signal)
      const hit = (value.data ?? []).find((key) => isOurs(key.id))
      return hit
        ? { assetId: hit.entity ?? null, raw: hit as Json }
        : { assetId: undefined, raw: { keys: value.data?.length ?? 0 } }
    },

    async assignTag(mac: string, assetId: number, signal: AbortSignal): Promise<Json> {
      return answerOf(await (await client()).btTags.assign({ mac, asset_id: assetId }, asPerson(signal)))
    },

    async findTagOwners(
      mac: string,
      { sinceMs, wording, signal }: LookWords & { sinceMs: number }
    ): Promise<{ owners: number[]; nowMs: number; raw: Json }> {
      const gateway = await client()
      const nowMs = gateway.nowMs()
      const { value } = await gateway.rawdata.query(
        {
          from: new Date(sinceMs),
          to: new Date(nowMs + (wording === 1 ? 60_000 : 120_000)),
          fields: ['btt_mac', 'btt_driver'],
          order: 'event_time',
          tail: 1_000
        },
        { signal }
      )
      const bare = (text: unknown): string =>
        typeof text === 'string' ? text.replaceAll(/[^0-9A-Fa-f]/g, '').toUpperCase() : ''
      const mine = (value.events ?? []).filter((event) => bare(event['btt_mac']) === bare(mac))
      const owners = mine.map((event) => event['btt_driver']).filter((owner) => typeof owner === 'number')
      return { owners, nowMs, raw: (mine.at(-1) ?? null) as Json }
    },

    readSim: (
      { iccid, resourceId }: { iccid: string; resourceId: number | null },
      { wording, signal }: LookWords
    ): Promise<SimReading> =>
      orAborted((wording === 1 ? readListedSim : readSimAlone)({ iccid, resourceId, wording }), signal),

    async updateSim(resourceId: number, lineNumber: string, signal: AbortSignal): Promise<Json> {
      return answerOf(
        await (await client()).sims.update({ resource_id: resourceId, line_number: lineNumber }, asPerson(signal))
      )
    },

    assets: {
      async create(
        { name, type, groups, ref }: { name: string; type: string; groups: number[]; ref: string },
        signal: AbortSignal
      ): Promise<Json> {
        const input = { name, type, info: { ref }, ...(groups.length > 0 ? { groups } : {}) }
        return answerOf(await (await client()).assets.create(input, asPerson(signal)))
      },
      hasReference: (ref: string, words: LookWords) => findReference('assets', 'info.ref', ref, words)
    },

    triggers: {
      /** Everything in one body, because changing a trigger is not documented. */
      async create(
        work: {
          name: string
          timezone: string
          vehicleId: number
          rules: Json
          postfix: string[]
          emails: string[]
          ref: string
        },
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
      hasReference: (ref: string, words: LookWords) => findReference('triggers', 'description', ref, words)
    },

    fences: {
      async create(
        work: { name: string; latitude: number; longitude: number; radiusM: number; ref: string },
        signal: AbortSignal
      ): Promise<Json> {
        const input = {
          type: 'Feature' as const,
          geometry: { type: 'Circle' as const, radius: work.radiusM, coordinates: [work.longitude, work.latitude] },
          properties: { name: work.name, visibility: 'private', custom: { ref: work.ref } }
        }
        return answerOf(await (await client()).geofences.create(input, asPerson(signal)))
      },
      hasReference: (ref: string, words: LookWords) => findReference('geofences', 'properties.custom.ref', ref, words)
    }
  }
}

interface SimQuestion {
  iccid: string
  resourceId: number | null
  wording: 1 | 2
}
type SimReading = ReturnType<typeof simReading>

function simReading(sim: {
  resource_id?: number | undefined
  id?: number | undefined
  line_number?: string | null | undefined
}) {
  return { resourceId: sim.resource_id ?? sim.id ?? null, lineNumber: sim.line_number ?? null, raw: sim as Json }
}

/** Of a record with our reference; null when it has none. */
function idOf(record: unknown): number | null {
  const { id } = record as { id?: unknown }
  return typeof id === 'number' ? id : null
}
