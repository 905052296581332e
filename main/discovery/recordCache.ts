import type { Answer } from 'dns-packet'
import type { HeardRecord } from './records.ts'

export interface CachedRecord {
  record: HeardRecord
  heardAtMs: number
  /** When mDNS last named it; `heardAtMs` is also renewed by other signs of life. */
  namedAtMs: number
  ttlMs: number
  expiresAtMs: number
  /** When it is asked for again: at 80, 85, 90 and 95 % of its time to live (RFC 6762 section 5.2). */
  refreshAtMs: number
  refreshStep: number
  saidGoodbye: boolean
  wasReplaced: boolean
}

const refreshShares = [0.8, 0.85, 0.9, 0.95]
const graceMs = 1000
const mostRecords = 5000
// However alive an address is: after half an hour mDNS must confirm its owner again.
const longestTrustMs = 1_800_000

/** The valid records of one card, by the rules of RFC 6762 on time to live, goodbye and cache flush. */
export class RecordCache {
  #sets = new Map<string, CachedRecord[]>()
  #size = 0

  set(type: HeardRecord['type'], name: string): readonly CachedRecord[] {
    return this.#sets.get(`${type} ${name}`) ?? []
  }

  /**
   * Adds a record; with `isRefreshed` false it expires without being asked for. True for a visible change (new, replaced or
   * leaving).
   */
  put(record: HeardRecord, nowMs: number, isRefreshed = true): boolean {
    const key = `${record.type} ${record.name}`
    const held = this.#sets.get(key) ?? []
    let hasChanged = false
    if (record.flush && record.ttlMs > 0) {
      for (const other of held) {
        // Records of the last second belong to the same announcement, split over several packets (section 10.2).
        if (isSame(other.record, record) || nowMs - other.namedAtMs <= graceMs) continue
        if (!other.wasReplaced) {
          other.wasReplaced = true
          other.expiresAtMs = Math.min(other.expiresAtMs, nowMs + graceMs)
          hasChanged = true
        }
      }
    }
    const known = held.find((other) => isSame(other.record, record))
    if (record.ttlMs === 0) {
      if (!known || known.saidGoodbye) return hasChanged
      known.saidGoodbye = true
      known.expiresAtMs = Math.min(known.expiresAtMs, nowMs + graceMs)
      return true
    }
    if (known) {
      hasChanged ||= known.saidGoodbye || known.wasReplaced
      Object.assign(known, fresh(record, nowMs, isRefreshed))
      return hasChanged
    }
    if (this.#size >= mostRecords) return hasChanged
    held.push(fresh(record, nowMs, isRefreshed))
    this.#sets.set(key, held)
    this.#size += 1
    return true
  }

  /** Another sign of life (an HTTP answer): the record counts as heard again. */
  confirm(type: HeardRecord['type'], name: string, nowMs: number): void {
    for (const held of this.set(type, name)) {
      if (held.saidGoodbye || held.wasReplaced || nowMs - held.namedAtMs > longestTrustMs) continue
      Object.assign(held, fresh(held.record, nowMs, true), { namedAtMs: held.namedAtMs })
    }
  }

  /** Removes and returns expired records. */
  expire(nowMs: number): CachedRecord[] {
    const over: CachedRecord[] = []
    for (const [key, held] of this.#sets) {
      if (!held.some((item) => item.expiresAtMs <= nowMs)) continue
      over.push(...held.filter((item) => item.expiresAtMs <= nowMs))
      const kept = held.filter((item) => item.expiresAtMs > nowMs)
      if (kept.length > 0) this.#sets.set(key, kept)
      else this.#sets.delete(key)
    }
    this.#size -= over.length
    return over
  }

  *all(): Generator<CachedRecord> {
    for (const held of this.#sets.values()) yield* held
  }

  /** PTR answers that need not be sent again: those with more than half of their time left (section 7.1). */
  knownAnswers(name: string, nowMs: number): Answer[] {
    return this.set('PTR', name)
      .filter((held) => !held.saidGoodbye && held.expiresAtMs - nowMs > held.ttlMs / 2)
      .map((held) => ({
        type: 'PTR',
        name,
        ttl: Math.round((held.expiresAtMs - nowMs) / 1000),
        data: held.record.data
      }))
  }
}

function isSame(a: HeardRecord, b: HeardRecord): boolean {
  return a.data === b.data && (a.type !== 'SRV' || (b.type === 'SRV' && a.port === b.port))
}

function fresh(record: HeardRecord, nowMs: number, isRefreshed: boolean): CachedRecord {
  const { ttlMs } = record
  return {
    record,
    heardAtMs: nowMs,
    namedAtMs: nowMs,
    ttlMs,
    expiresAtMs: nowMs + ttlMs,
    refreshAtMs: isRefreshed ? nowMs + ttlMs * (0.8 + Math.random() * 0.02) : Infinity,
    refreshStep: 0,
    saidGoodbye: false,
    wasReplaced: false
  }
}

/** Sets the next time to ask for the record; Infinity after the fourth. */
export function planNextRefresh(held: CachedRecord): void {
  held.refreshStep += 1
  const share = refreshShares[held.refreshStep]
  held.refreshAtMs = share === undefined ? Infinity : held.heardAtMs + held.ttlMs * (share + Math.random() * 0.02)
}
