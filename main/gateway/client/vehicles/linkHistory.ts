import type { Json } from '../../../../preload/contract/define.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'

export interface LinkFinding {
  found: boolean
  entry?: Json
  /**
   * Found after `sinceEpochMs`, or a history that certainly lacks it. False for an entry without a time, or without a
   * history.
   */
  sure: boolean
}

/** Possible field names of an association history; the document does not name it. */
export const historyName = /assoc|history/i
/** A list of the vehicle's devices is a different history. */
const deviceName = /device|imei/i
const listName = /assoc|history|link|entit|asset|second|ibutton|driver|relat/i
/** Field names that can only contain the id of another entity, and the one that may. */
export const entityIdName = /^(aid|entity|entity_id|asset|asset_id|secondary|secondary_id|secondaryid)$/i
export const startName =
  /^(time|at|date|since|start|begin|from|created|linked|associated|epoch|_epoch|updated)|(_at|_time|_epoch|start|from)$/i
export const endName = /end|until|^to$|remov|unlink|finish|deassoc|disassoc|detach/i

/**
 * Looks for an association with `secondaryId` in a vehicle record, in lists that plausibly are such a history (not
 * documented).
 */
export function hasLinkTo(vehicleRecord: unknown, secondaryId: number, sinceEpochMs?: number): LinkFinding {
  let isHistorySeen = false
  let unsure: Json | undefined
  for (const { path, entries } of listsOf(vehicleRecord, [])) {
    const name = path.at(-1) ?? ''
    const isHistory = path.some((part) => historyName.test(part)) && !deviceName.test(name)
    isHistorySeen ||= isHistory
    for (const entry of entries) {
      const ids = Object.keys(entry).filter((key) => entityIdName.test(key))
      isHistorySeen ||= ids.length > 0
      // A plain `id` belongs to the entity only if nothing else can, and only in a list about entities.
      if (ids.length === 0 && (isHistory || listName.test(name)) && 'id' in entry) ids.push('id')
      if (!ids.some((key) => isId(entry[key], secondaryId)) || isRemovalEntry(entry)) continue
      const startMs = startOf(entry)
      if (sinceEpochMs === undefined || (startMs !== undefined && startMs >= sinceEpochMs)) {
        return { found: true, entry: entry as Json, sure: true }
      }
      if (startMs === undefined) unsure ??= entry as Json
    }
  }
  if (unsure !== undefined) return { found: true, entry: unsure, sure: false }
  return { found: false, sure: isHistorySeen }
}

type Entry = Record<string, unknown>

const sameTapMs = 3_000

/**
 * The earliest start of an entry that counts, epoch ms. Clocks have whole seconds and differ slightly: an entry of the
 * same moment as `sinceMs` counts. An entry that began within `sameTapMs` of `afterMs`, the last event with the asset,
 * is old: the gateway writes the entry of a tap a moment after the device dated its event.
 */
export function beginningOf({
  sinceMs,
  afterMs
}: {
  sinceMs: number | undefined
  afterMs?: number | undefined
}): number | undefined {
  if (sinceMs === undefined) return undefined
  return Math.max(
    Math.floor(sinceMs / 1000) * 1000 - 2_000,
    afterMs === undefined ? 0 : Math.floor(afterMs / 1000) * 1000 + sameTapMs
  )
}

/** An entry that says with a flag that something was removed. */
export function isRemovalEntry(entry: Readonly<Record<string, unknown>>): boolean {
  return entry['association'] === false || entry['association'] === 'false'
}

/** Every list in the record with its path of names; items that are not records are skipped. */
export function* listsOf(value: unknown, path: string[]): Generator<{ path: string[]; entries: Entry[] }> {
  if (path.length > 5 || value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    const entries = value.filter(
      (item): item is Entry => item !== null && typeof item === 'object' && !Array.isArray(item)
    )
    if (entries.length > 0 || value.length === 0) yield { path, entries }
    for (const item of entries) yield* listsOf(item, path)
    return
  }
  for (const [key, item] of Object.entries(value)) yield* listsOf(item, [...path, key])
}

export function isId(value: unknown, id: number): boolean {
  if (typeof value === 'number') return value === id
  if (typeof value === 'string') return value.trim() === String(id)
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return isId((value as { id?: unknown }).id, id)
  return false
}

/** The earliest time of an entry, except its end, in epoch ms. */
function startOf(entry: Entry): number | undefined {
  const times = Object.entries(entry)
    .filter(([key]) => startName.test(key) && !endName.test(key))
    .map(([, value]) => timeFromOutside(value))
    .filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}
