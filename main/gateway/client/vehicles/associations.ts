import type { Association } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { endName, entityIdName, historyName, isId, isRemovalEntry, listsOf, startName } from './linkHistory.ts'

const deviceKey = /^(device|imei|device_id|device_imei)$/i

/**
 * The association history of a vehicle record, newest first ("`:id` request also shows association history"; its name
 * and form are not documented: resources/forms.json, "history"). Only entries that name a device or another entity and
 * have a time or a matching list count. `isKnown` is false when nothing in the record looked like a history.
 */
export function associationsOf(record: unknown): { entries: Association[]; isKnown: boolean } {
  const entries: Change[] = []
  let isKnown = false
  for (const { path, entries: list } of listsOf(record, [])) {
    const isHistory = path.some((part) => historyName.test(part))
    for (const item of list) {
      const association = readEntry(item, isHistory, path.at(-1) ?? '')
      if (association) entries.push(association)
    }
    isKnown ||= isHistory || entries.length > 0
  }
  const stays = endStays(entries)
  return { entries: stays.sort((a, b) => (b.from ?? '').localeCompare(a.from ?? '')), isKnown }
}

/** Where a removal is an entry of its own, it ends the last stay of the same device or entity that began before it. */
function endStays(changes: readonly Change[]): Association[] {
  const timeOf = ({ isRemoval, from, until }: Change): string => (isRemoval ? until : from) ?? ''
  // A beginning of the same second comes first.
  const sorted = [...changes].sort(
    (a, b) => timeOf(a).localeCompare(timeOf(b)) || Number(a.isRemoval) - Number(b.isRemoval)
  )
  const stays: Association[] = []
  for (const { isRemoval, ...change } of sorted) {
    const open = isRemoval
      ? stays.findLast(({ kind, id, until }) => kind === change.kind && id === change.id && until === null)
      : undefined
    if (open) open.until = change.until
    else stays.push({ ...change })
  }
  return stays
}

/** An entry of a history; a removal has its time in `until`. */
type Change = Association & { isRemoval: boolean }

function readEntry(item: Record<string, unknown>, isHistory: boolean, listName: string): Change | undefined {
  const times = Object.entries(item)
  const isRemoval = isRemovalEntry(item)
  const startedAt = timeOf(times.filter(([key]) => startName.test(key) && !endName.test(key)))
  const endedAt = timeOf(times.filter(([key]) => endName.test(key)))
  const [from, until] = isRemoval ? [null, endedAt ?? startedAt] : [startedAt, endedAt]
  if (!isHistory && (isRemoval ? until : from) === null) return undefined
  const name = typeof item['name'] === 'string' ? item['name'] : null
  for (const [key, value] of times) {
    const imei = deviceKey.test(key) || (key === 'id' && /device/i.test(listName)) ? String(plain(value)) : ''
    if (/^\d{15}$/.test(imei)) return { kind: 'device', id: imei, name, from, until, isRemoval }
  }
  for (const [key, value] of times) {
    const id = entityIdName.test(key) ? plain(value) : undefined
    if (id !== undefined && isId(value, Number(id)))
      return { kind: 'asset', id: String(id), name, from, until, isRemoval }
  }
  return undefined
}

function plain(value: unknown): string | number | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''))
    return typeof value === 'string' ? value.trim() : value
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const { id, imei } = value as { id?: unknown; imei?: unknown }
    return plain(imei) ?? plain(id)
  }
  return undefined
}

function timeOf(fields: [string, unknown][]): string | null {
  const times = fields.map(([, value]) => timeFromOutside(value)).filter((ms) => ms !== undefined)
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
}
