import type { Json } from '../../preload/contract/define.ts'

export interface LinkFinding {
  found: boolean
  /** The entry that shows it. */
  entry?: Json
  /**
   * Whether the record was understood: found with a time after `sinceEpochMs`, or a history that surely lacks it.
   * False when an entry without a time could be older, or when no association history was recognised at all.
   */
  sure: boolean
}

/** Names under which an association history may stand; the document does not show it. */
const historyName = /assoc|history|link|entit|asset|second|ibutton|driver|relat/i
/** Names of an entry's field that may hold the id of the other entity. */
const idName = /^(aid|id|entity|entity_id|asset|asset_id|secondary|secondary_id|secondaryid)$/i
const strongIdName = /^(aid|entity|entity_id|asset|asset_id|secondary|secondary_id|secondaryid)$/i
const startName = /^(time|at|date|since|start|begin|from|created|linked|associated|epoch|_epoch|updated)|(_at|_time|_epoch|start|from)$/i
const endName = /end|until|^to$|remov|unlink|finish/i

/**
 * Looks for an association with `secondaryId` in the record of `GET /vehicles/:id` ("also shows association history";
 * its field is not shown). Only lists of records whose name or fields plausibly are such a history count.
 * With `sinceEpochMs`, entries that began before it do not count.
 */
export function hasLinkTo(vehicleRecord: unknown, secondaryId: number, sinceEpochMs?: number): LinkFinding {
  let isHistorySeen = false
  let unsure: Json | undefined
  for (const { name, entries } of listsOf(vehicleRecord, '', 0)) {
    const isNamed = historyName.test(name)
    for (const entry of entries) {
      const names = Object.keys(entry)
      const isHistory = names.some((key) => strongIdName.test(key)) || (isNamed && names.some((key) => idName.test(key)))
      if (!isHistory) continue
      isHistorySeen = true
      if (!names.some((key) => (isNamed ? idName : strongIdName).test(key) && isId(entry[key], secondaryId))) continue
      const startMs = startOf(entry)
      if (sinceEpochMs === undefined || (startMs !== undefined && startMs >= sinceEpochMs)) {
        return { found: true, entry: entry as Json, sure: true }
      }
      if (startMs === undefined) unsure ??= entry as Json
    }
  }
  if (unsure !== undefined) return { found: true, entry: unsure, sure: false }
  return { found: false, sure: isHistorySeen || hasEmptyHistory(vehicleRecord) }
}

type Entry = Record<string, unknown>

function* listsOf(value: unknown, name: string, depth: number): Generator<{ name: string; entries: Entry[] }> {
  if (depth > 5 || value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    const entries = value.filter((item): item is Entry => item !== null && typeof item === 'object' && !Array.isArray(item))
    if (entries.length > 0) yield { name, entries }
    for (const item of value) yield* listsOf(item, name, depth + 1)
    return
  }
  for (const [key, item] of Object.entries(value)) yield* listsOf(item, key, depth + 1)
}

function hasEmptyHistory(record: unknown): boolean {
  if (record === null || typeof record !== 'object') return false
  return Object.entries(record).some(([key, value]) => /assoc|history/i.test(key) && Array.isArray(value) && value.length === 0)
}

function isId(value: unknown, id: number): boolean {
  if (typeof value === 'number') return value === id
  if (typeof value === 'string') return value.trim() === String(id)
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return isId((value as { id?: unknown }).id, id)
  return false
}

/** The earliest time of an entry that is not its end, in epoch ms. */
function startOf(entry: Entry): number | undefined {
  const times = Object.entries(entry)
    .filter(([key]) => startName.test(key) && !endName.test(key))
    .map(([, value]) => epochMsOf(value))
    .filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}

function epochMsOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (value > 1e8 && value < 1e11) return value * 1000
    return value >= 1e11 && value < 1e14 ? value : undefined
  }
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  // Times are UTC by default, also those without a zone.
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(value)
  const ms = Date.parse(hasZone || !value.includes('T') ? value : `${value}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
