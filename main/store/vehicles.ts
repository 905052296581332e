import type { DataFile } from './database.ts'
import { readJson } from './errors.ts'
import { mending } from './mending.ts'
import { vehicles } from './migrations/0003-vehicles.ts'

export interface CopySite {
  url: string
  user: string
}

export interface CopiedVehicle {
  id: number
  name: string
  /** Its name, folded: who types all of it means this one before all that only begin so. */
  exact: string
  /** Folded words under which it is found, separated by blanks. */
  words: string
  record: unknown
}

export interface CopyState {
  count: number
  copiedAt: string | null
  isComplete: boolean
  /** A walk that was begun and not ended. */
  open: { startedAt: string; nextPage: number; pageSize: number; seen: number } | null
}

export interface VehicleStore {
  state(site: CopySite): CopyState
  beginWalk(site: CopySite, pageSize: number, at: string): void
  /** Keeps one page and where to go on, in one transaction. */
  putPage(site: CopySite, vehicles: readonly CopiedVehicle[], nextPage: number): void
  /** Ends the walk. When it saw everything, vehicles that it did not meet are forgotten. */
  endWalk(site: CopySite, end: { at: string; isComplete: boolean }): void
  /** Renews one vehicle that was read by itself. */
  putOne(site: CopySite, vehicle: CopiedVehicle): void
  get(site: CopySite, id: number): unknown
  /** Vehicles whose folded name is `exact`. */
  findExact(site: CopySite, exact: string, limit: number): unknown[]
  /** Vehicles that have a word beginning with each of `starts`. One more than `limit` tells that there are more. */
  findWords(site: CopySite, starts: readonly string[], limit: number): unknown[]
  /** In the order in which they were met first, from the one after the vehicle `after` on. */
  first(site: CopySite, limit: number, after?: number): unknown[]
  forgetSite(site: CopySite): void
}

interface SiteRow {
  key: number
  walk: number
  next_page: number | null
  page_size: number | null
  walk_started_at: string | null
  seen: number
  copied_at: string | null
  is_complete: number
}
interface RecordRow {
  record: string
}

/**
 * The copy of the gateway's vehicles, found by the words of their names, plates, VINs and `info` values. It is a copy: a
 * damaged one is begun anew.
 */
export function createVehicleStore(data: DataFile): VehicleStore {
  let copy = openCopy(data)
  const mended = <T>(work: () => T): T =>
    mending(data, vehicles, () => {
      try {
        return work()
      } catch (error) {
        copy = openCopy(data)
        throw error
      }
    })
  return {
    state: (site) => mended(() => copy.state(site)),
    beginWalk: (site, pageSize, at) => mended(() => copy.beginWalk(site, pageSize, at)),
    putPage: (site, page, nextPage) => mended(() => copy.putPage(site, page, nextPage)),
    endWalk: (site, end) => mended(() => copy.endWalk(site, end)),
    putOne: (site, vehicle) => mended(() => copy.putOne(site, vehicle)),
    get: (site, id) => mended(() => copy.get(site, id)),
    findExact: (site, exact, limit) => mended(() => copy.findExact(site, exact, limit)),
    findWords: (site, starts, limit) => mended(() => copy.findWords(site, starts, limit)),
    first: (site, limit, after) => mended(() => copy.first(site, limit, after)),
    forgetSite: (site) => mended(() => copy.forgetSite(site))
  }
}

function openCopy(data: DataFile): VehicleStore {
  const readSite = data.prepare<[string, string], SiteRow>('select * from vehicle_site where url = ? and user = ?')
  const addSite = data.prepare('insert into vehicle_site (url, user) values (?, ?)')
  const startWalk = data.prepare('update vehicle_site set walk = walk + 1, next_page = 1, page_size = ?, walk_started_at = ?, seen = 0 where key = ?')
  const moveWalk = data.prepare('update vehicle_site set next_page = ?, seen = ? where key = ?')
  const stopWalk = data.prepare(
    'update vehicle_site set next_page = null, walk_started_at = null, copied_at = ?, is_complete = ? where key = ?'
  )
  const countRows = data.prepare<[number], { n: number }>('select count(*) as n from vehicle_copy where site = ?')
  const keyOf = data.prepare<[number, number], { key: number; walk: number }>('select key, walk from vehicle_copy where site = ? and id = ?')
  const insert = data.prepare('insert into vehicle_copy (site, id, name, exact, record, walk) values (?, ?, ?, ?, ?, ?)')
  const update = data.prepare('update vehicle_copy set name = ?, exact = ?, record = ?, walk = ? where key = ?')
  const removeWords = data.prepare('delete from vehicle_word where rowid = ?')
  const insertWords = data.prepare('insert into vehicle_word (rowid, site, words) values (?, ?, ?)')
  const unseen = data.prepare<[number, number], { key: number }>('select key from vehicle_copy where site = ? and walk <> ?')
  const removeRow = data.prepare('delete from vehicle_copy where key = ?')
  const removeSite = data.prepare('delete from vehicle_site where key = ?')
  const one = data.prepare<[number, number], RecordRow>('select record from vehicle_copy where site = ? and id = ?')
  const inOrder = data.prepare<[number, number, number], RecordRow>('select record from vehicle_copy where site = ? and key > ? order by key limit ?')
  const byExact = data.prepare<[number, string, number], RecordRow>(
    'select record from vehicle_copy where site = ? and exact = ? order by key limit ?'
  )
  // In the order of the rows, not by rank: ranking fifty thousand hits of a short word takes longer than a person waits.
  const byWords = data.prepare<[string, number], RecordRow>(
    'select record from vehicle_word w join vehicle_copy v on v.key = w.rowid where vehicle_word match ? order by w.rowid limit ?'
  )

  const counts = new Map<number, number>()

  function remove(key: number): void {
    removeWords.run(key)
    removeRow.run(key)
  }

  function siteOf({ url, user }: CopySite): SiteRow | undefined {
    return readSite.get(url, user)
  }

  function openSite(site: CopySite): SiteRow {
    const known = siteOf(site)
    if (known) return known
    addSite.run(site.url, site.user)
    return siteOf(site) as SiteRow
  }

  /** True for one that this walk meets for the first time. */
  function put(site: SiteRow, vehicle: CopiedVehicle): boolean {
    const record = JSON.stringify(vehicle.record)
    const known = keyOf.get(site.key, vehicle.id)
    const key = known ? known.key : Number(insert.run(site.key, vehicle.id, vehicle.name, vehicle.exact, record, site.walk).lastInsertRowid)
    if (known) {
      update.run(vehicle.name, vehicle.exact, record, site.walk, key)
      removeWords.run(key)
    }
    insertWords.run(key, siteWord(site), vehicle.words)
    return known?.walk !== site.walk
  }

  /** Counting fifty thousand rows at each key stroke would be most of the time of a search. */
  function countOf(key: number): number {
    const count = counts.get(key) ?? countRows.get(key)?.n ?? 0
    counts.set(key, count)
    return count
  }

  function write(site: CopySite, work: (row: SiteRow) => void): void {
    data.write(() => {
      const row = openSite(site)
      counts.delete(row.key)
      work(row)
    })
  }

  return {
    state(site) {
      const row = siteOf(site)
      if (!row) return { count: 0, copiedAt: null, isComplete: false, open: null }
      const open =
        row.next_page === null || row.page_size === null
          ? null
          : { startedAt: row.walk_started_at ?? '', nextPage: row.next_page, pageSize: row.page_size, seen: row.seen }
      return { count: countOf(row.key), copiedAt: row.copied_at, isComplete: row.is_complete === 1, open }
    },
    beginWalk: (site, pageSize, at) => write(site, ({ key }) => startWalk.run(pageSize, at, key)),
    putPage(site, vehicles, nextPage) {
      write(site, (row) => {
        const added = vehicles.filter((vehicle) => put(row, vehicle)).length
        moveWalk.run(nextPage, row.seen + added, row.key)
      })
    },
    endWalk(site, { at, isComplete }) {
      write(site, (row) => {
        if (isComplete) for (const { key } of unseen.all(row.key, row.walk)) remove(key)
        stopWalk.run(at, isComplete ? 1 : 0, row.key)
      })
    },
    putOne: (site, vehicle) => write(site, (row) => put(row, vehicle)),
    get(site, id) {
      const row = siteOf(site)
      const found = row && one.get(row.key, id)
      return found && readJson<unknown>(found.record)
    },
    findExact(site, exact, limit) {
      const row = siteOf(site)
      return row ? byExact.all(row.key, exact, limit).map(({ record }) => readJson<unknown>(record)) : []
    },
    findWords(site, starts, limit) {
      const row = siteOf(site)
      if (!row || starts.length === 0) return []
      const query = [`site : ${quote(siteWord(row))}`, ...starts.map((start) => `words : ${quote(start)} *`)].join(' AND ')
      return byWords.all(query, limit).map(({ record }) => readJson<unknown>(record))
    },
    first(site, limit, after) {
      const row = siteOf(site)
      const from = row && after !== undefined ? (keyOf.get(row.key, after)?.key ?? 0) : 0
      return row ? inOrder.all(row.key, from, limit).map(({ record }) => readJson<unknown>(record)) : []
    },
    forgetSite(site) {
      data.write(() => {
        const row = siteOf(site)
        if (!row) return
        for (const { key } of unseen.all(row.key, -1)) remove(key)
        removeSite.run(row.key)
        counts.delete(row.key)
      })
    }
  }
}

function siteWord(site: SiteRow): string {
  return `site${site.key}`
}

/** A quoted string is never taken for an operator of the query language. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
