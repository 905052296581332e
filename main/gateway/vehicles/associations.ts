import type { Association } from '../../../preload/contract/vehicles/vehicles.ts'
import { epochMsOf } from '../decoders/fields.ts'
import { endName, entityIdName, historyName, isId, listsOf, startName } from './linkHistory.ts'

const deviceKey = /^(device|imei|device_id|device_imei)$/i

/**
 * The association history of a vehicle record, newest first ("`:id` request also shows association history"; its name and
 * form are not documented). Only entries that name a device or another entity and have a time or a matching list count.
 * `isKnown` is false when nothing in the record looked like a history.
 */
export function associationsOf(record: unknown): { entries: Association[]; isKnown: boolean } {
  const entries: Association[] = []
  let isKnown = false
  for (const { path, entries: list } of listsOf(record, [])) {
    const isHistory = path.some((part) => historyName.test(part))
    for (const item of list) {
      const association = readEntry(item, isHistory, path.at(-1) ?? '')
      if (association) entries.push(association)
    }
    isKnown ||= isHistory || entries.length > 0
  }
  entries.sort((a, b) => (b.from ?? '').localeCompare(a.from ?? ''))
  return { entries, isKnown }
}

function readEntry(item: Record<string, unknown>, isHistory: boolean, listName: string): Association | undefined {
  const times = Object.entries(item)
  const from = timeOf(times.filter(([key]) => startName.test(key) && !endName.test(key)))
  const until = timeOf(times.filter(([key]) => endName.test(key)))
  if (!isHistory && from === null) return undefined
  const name = typeof item['name'] === 'string' ? item['name'] : null
  for (const [key, value] of times) {
    const imei = deviceKey.test(key) || (key === 'id' && /device/i.test(listName)) ? String(plain(value)) : ''
    if (/^\d{15}$/.test(imei)) return { kind: 'device', id: imei, name, from, until }
  }
  for (const [key, value] of times) {
    const id = entityIdName.test(key) ? plain(value) : undefined
    if (id !== undefined && isId(value, Number(id))) return { kind: 'asset', id: String(id), name, from, until }
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
  const times = fields.map(([, value]) => epochMsOf(value)).filter((ms) => ms !== undefined)
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
}
