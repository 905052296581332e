import type { Answer } from 'dns-packet'
import type { HeardRecord } from './records.ts'

export interface CachedRecord {
  record: HeardRecord
  heardAtMs: number
  /** When mDNS last named it; `heardAtMs` is also renewed by other signs of life. */
  namedAtMs: number
  /** When mDNS first named it, since it was last forgotten. */
  firstNamedAtMs: number
  /** Addresses of the same host that one packet named together with it. */
  namedWith: ReadonlySet<string>
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
const undecidedMs = 5000
// Two of the questions that are asked every five seconds while two computers use one name.
const silentMs = 12_000
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
   * Adds a record; with `isRefreshed` false it expires without being asked for. True for a visible change (new,
   * replaced or leaving).
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
      Object.assign(known, fresh(record, nowMs, isRefreshed), {
        firstNamedAtMs: known.firstNamedAtMs,
        namedWith: known.namedWith
      })
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
      Object.assign(held, fresh(held.record, nowMs, true), {
        namedAtMs: held.namedAtMs,
        firstNamedAtMs: held.firstNamedAtMs,
        namedWith: held.namedWith
      })
    }
  }

  /** One packet named these IPv4 addresses of a host: they belong to one computer. */
  nameTogether(name: string, addresses: ReadonlySet<string>): void {
    for (const held of this.set('A', name))
      if (addresses.has(held.record.data)) held.namedWith = new Set([...held.namedWith, ...addresses])
  }

  /**
   * The IPv4 addresses of a host that were never named together. `competing`: mDNS named an earlier one again after a
   * later one appeared, so two computers have this name. `undecided`: a later one appeared just now, and may only
   * replace the earlier one.
   */
  compareAddresses(name: string, nowMs: number): { competing: string[]; isUndecided: boolean } {
    const held = this.set('A', name).filter((item) => !item.saidGoodbye)
    const competing = new Set<string>()
    let isUndecided = false
    for (const [index, one] of held.entries()) {
      for (const other of held.slice(index + 1)) {
        if (one.namedWith.has(other.record.data)) continue
        const [earlier, later] = one.firstNamedAtMs <= other.firstNamedAtMs ? [one, other] : [other, one]
        // Packets of two sockets can be read in the wrong order, so the repetition must be clearly later.
        if (earlier.namedAtMs - later.firstNamedAtMs > graceMs) competing.add(one.record.data).add(other.record.data)
        else if (nowMs - later.firstNamedAtMs < undecidedMs) isUndecided = true
      }
    }
    return { competing: [...competing].sort(), isUndecided }
  }

  /**
   * Of two computers with one name, the one that no longer answers is dropped: its address did not change, so nothing
   * replaces it.
   */
  dropSilent(name: string, nowMs: number): void {
    const held = this.set('A', name)
    const newestMs = Math.max(...held.map((item) => item.namedAtMs))
    for (const item of held)
      if (newestMs - item.namedAtMs > silentMs && !item.wasReplaced)
        Object.assign(item, { wasReplaced: true, expiresAtMs: Math.min(item.expiresAtMs, nowMs + graceMs) })
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
    firstNamedAtMs: nowMs,
    namedWith: new Set(),
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
