import type { DataFile } from './file/database.ts'
import { readJson } from './file/errors.ts'
import { runWithMending } from './damage/mending.ts'
import { gatewayCopies } from './file/schema/gatewayCopies.ts'

export interface CopySite {
  url: string
  user: string
}

export interface CopiedRow {
  id: string
  name: string
  /** Its folded name: a search for the whole name ranks this record before those that only begin with it. */
  exact: string
  words: string
  record: unknown
}

export interface KindState {
  count: number
  copiedAt: string | null
  /** When the last pass ended, even if the gateway refused. */
  endedAt: string | null
  isComplete: boolean
  /** Why the gateway refused; undefined when it returned records. */
  refused: unknown
  open: { startedAt: string; nextPage: number; pageSize: number; seen: number; total: number | null } | null
}

export type GatewayCopyStore = ReturnType<typeof openCopy>

interface SiteRow {
  key: number
  roundAt: string | null
}
interface WalkRow {
  walk: number
  nextPage: number | null
  pageSize: number | null
  startedAt: string | null
  seen: number
  total: number | null
  endedAt: string | null
  copiedAt: string | null
  isComplete: number
  refused: string | null
}
interface RecordRow {
  record: string
}

/** The local copy of what a user sees at the gateway, by kind, with a word search. A damaged copy is rebuilt. */
export function createGatewayCopyStore(data: DataFile) {
  let copy = openCopy(data)
  const mended = <T>(work: () => T): T =>
    runWithMending(data, gatewayCopies, () => {
      try {
        return work()
      } catch (error) {
        copy = openCopy(data)
        throw error
      }
    })
  return Object.fromEntries(
    Object.keys(copy).map((name) => [
      name,
      (...given: unknown[]) =>
        mended(() => (copy as unknown as Record<string, (...given: unknown[]) => unknown>)[name]?.(...given))
    ])
  ) as unknown as GatewayCopyStore
}

function openCopy(data: DataFile) {
  const readSite = data.prepare<[string, string], SiteRow>(
    'select key, round_at as roundAt from copy_site where url = ? and user = ?'
  )
  const addSite = data.prepare('insert into copy_site (url, user) values (?, ?)')
  const setRound = data.prepare('update copy_site set round_at = ? where key = ?')
  const readWalk = data.prepare<[number, string], WalkRow>(
    'select walk, next_page as nextPage, page_size as pageSize, started_at as startedAt, seen, total, ended_at as endedAt, copied_at as copiedAt, is_complete as isComplete, refused from copy_walk where site = ? and kind = ?'
  )
  const addWalk = data.prepare('insert into copy_walk (site, kind) values (?, ?) on conflict do nothing')
  const startWalk = data.prepare(
    'update copy_walk set walk = walk + 1, next_page = 1, page_size = ?, started_at = ?, seen = 0, total = null where site = ? and kind = ?'
  )
  const moveWalk = data.prepare('update copy_walk set next_page = ?, seen = ?, total = ? where site = ? and kind = ?')
  const stopWalk = data.prepare(
    'update copy_walk set next_page = null, started_at = null, ended_at = ?, copied_at = ?, is_complete = ?, refused = null where site = ? and kind = ?'
  )
  const refuseWalk = data.prepare(
    'update copy_walk set next_page = null, started_at = null, ended_at = ?, is_complete = 0, refused = ? where site = ? and kind = ?'
  )
  const countRows = data.prepare<[number, string], { n: number }>(
    'select count(*) as n from copy_record where site = ? and kind = ?'
  )
  const keyOf = data.prepare<[number, string, string], { key: number; walk: number }>(
    'select key, walk from copy_record where site = ? and kind = ? and id = ?'
  )
  const insert = data.prepare(
    'insert into copy_record (site, kind, id, name, exact, record, walk) values (?, ?, ?, ?, ?, ?, ?)'
  )
  const update = data.prepare('update copy_record set name = ?, exact = ?, record = ?, walk = ? where key = ?')
  const removeWords = data.prepare('delete from copy_word where rowid = ?')
  const insertWords = data.prepare('insert into copy_word (rowid, site, words) values (?, ?, ?)')
  const unseen = data.prepare<[number, string, number], { key: number }>(
    'select key from copy_record where site = ? and kind = ? and walk <> ?'
  )
  const ofSite = data.prepare<[number], { key: number }>('select key from copy_record where site = ?')
  const removeRow = data.prepare('delete from copy_record where key = ?')
  const removeWalks = data.prepare('delete from copy_walk where site = ?')
  const removeSite = data.prepare('delete from copy_site where key = ?')
  const allSites = data.prepare<[], CopySite & { key: number }>(
    'select key, url, user from copy_site order by url, user'
  )
  const kindsOf = data.prepare<[number], { kind: string }>('select kind from copy_walk where site = ?')
  const one = data.prepare<[number, string, string], RecordRow>(
    'select record from copy_record where site = ? and kind = ? and id = ?'
  )
  const inOrder = data.prepare<[number, string, number, number], RecordRow>(
    'select record from copy_record where site = ? and kind = ? and key > ? order by key limit ?'
  )
  const byExact = data.prepare<[number, string, string, number], RecordRow>(
    'select record from copy_record where site = ? and kind = ? and exact = ? order by key limit ?'
  )
  // In row order, not by rank: ranking fifty thousand matches of a short word is too slow.
  const byWords = data.prepare<[string, number], RecordRow>(
    'select record from copy_word w join copy_record r on r.key = w.rowid where copy_word match ? order by w.rowid limit ?'
  )

  const counts = new Map<string, number>()

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

  function openWalk(site: SiteRow, kind: string): WalkRow {
    const known = readWalk.get(site.key, kind)
    if (known) return known
    addWalk.run(site.key, kind)
    return readWalk.get(site.key, kind) as WalkRow
  }

  /** True when this pass meets it for the first time. */
  function put(site: SiteRow, kind: string, walk: number, row: CopiedRow): boolean {
    const record = JSON.stringify(row.record)
    const known = keyOf.get(site.key, kind, row.id)
    const key = known
      ? known.key
      : Number(insert.run(site.key, kind, row.id, row.name, row.exact, record, walk).lastInsertRowid)
    if (known) {
      update.run(row.name, row.exact, record, walk, key)
      removeWords.run(key)
    }
    insertWords.run(key, placeWord(site, kind), row.words)
    return known?.walk !== walk
  }

  /** Counting a hundred thousand rows at each key press would take most of the time of a search. */
  function countOf(key: number, kind: string): number {
    const name = `${key} ${kind}`
    const count = counts.get(name) ?? countRows.get(key, kind)?.n ?? 0
    counts.set(name, count)
    return count
  }

  function write(site: CopySite, kind: string, work: (row: SiteRow, walk: WalkRow) => void): void {
    data.write(() => {
      const row = openSite(site)
      counts.delete(`${row.key} ${kind}`)
      work(row, openWalk(row, kind))
    })
  }

  function search(query: string, limit: number): unknown[] {
    return byWords.all(query, limit).map(({ record }) => readJson<unknown>(record))
  }

  return {
    /** The start of an unfinished pass through all kinds. */
    roundAt: (site: CopySite): string | null => siteOf(site)?.roundAt ?? null,
    setRound: (site: CopySite, at: string | null) => data.write(() => setRound.run(at, openSite(site).key)),
    state(site: CopySite, kind: string): KindState {
      const row = siteOf(site)
      const walk = row && readWalk.get(row.key, kind)
      if (!walk) return { count: 0, copiedAt: null, endedAt: null, isComplete: false, refused: undefined, open: null }
      const { nextPage, pageSize, startedAt, seen, total, endedAt, copiedAt, isComplete, refused } = walk
      return {
        count: countOf(row.key, kind),
        copiedAt,
        endedAt,
        isComplete: isComplete === 1,
        refused: refused === null ? undefined : readJson<unknown>(refused),
        open:
          nextPage === null || pageSize === null
            ? null
            : { startedAt: startedAt ?? '', nextPage, pageSize, seen, total }
      }
    },
    beginWalk: (site: CopySite, kind: string, { pageSize, at }: { pageSize: number; at: string }) =>
      write(site, kind, ({ key }) => startWalk.run(pageSize, at, key, kind)),
    /** Stores a page, or a part of it, and the position to continue from, in one transaction. */
    putPage(
      site: CopySite,
      kind: string,
      { rows, nextPage, total }: { rows: readonly CopiedRow[]; nextPage: number; total: number | null }
    ): void {
      write(site, kind, (row, { walk, seen }) => {
        const added = rows.filter((one) => put(row, kind, walk, one)).length
        moveWalk.run(nextPage, seen + added, total, row.key, kind)
      })
    },
    /** Ends the pass. If it was complete, records that it did not meet are removed. */
    endWalk(site: CopySite, kind: string, { at, isComplete }: { at: string; isComplete: boolean }): void {
      write(site, kind, (row, { walk }) => {
        if (isComplete) for (const { key } of unseen.all(row.key, kind, walk)) remove(key)
        stopWalk.run(at, at, isComplete ? 1 : 0, row.key, kind)
      })
    },
    /** The gateway refuses these: the copy stays, with its age. */
    refuseWalk: (site: CopySite, kind: string, { at, why }: { at: string; why: unknown }) =>
      write(site, kind, ({ key }) => refuseWalk.run(at, JSON.stringify(why), key, kind)),
    /** Updates one record that was read alone. */
    putOne: (site: CopySite, kind: string, row: CopiedRow) =>
      write(site, kind, (at, { walk }) => put(at, kind, walk, row)),
    get(site: CopySite, kind: string, id: string): unknown {
      const row = siteOf(site)
      const found = row && one.get(row.key, kind, id)
      return found && readJson<unknown>(found.record)
    },
    /** Records whose folded name is `exact`. */
    findExact(site: CopySite, kind: string, { exact, limit }: { exact: string; limit: number }): unknown[] {
      const row = siteOf(site)
      return row ? byExact.all(row.key, kind, exact, limit).map(({ record }) => readJson<unknown>(record)) : []
    },
    findWord(site: CopySite, kind: string, { word, limit }: { word: string; limit: number }): unknown[] {
      const row = siteOf(site)
      return row ? search(`site : ${quote(placeWord(row, kind))} AND words : ${quote(word)}`, limit) : []
    },
    /** Records with words that begin with each of `starts`. One more than `limit` means that there are more. */
    findWords(
      site: CopySite,
      kind: string,
      { starts, limit }: { starts: readonly string[]; limit: number }
    ): unknown[] {
      const row = siteOf(site)
      if (!row || starts.length === 0) return []
      return search(
        [`site : ${quote(placeWord(row, kind))}`, ...starts.map((start) => `words : ${quote(start)} *`)].join(' AND '),
        limit
      )
    },
    first(site: CopySite, kind: string, { limit, after }: { limit: number; after?: string | undefined }): unknown[] {
      const row = siteOf(site)
      const from = row && after !== undefined ? (keyOf.get(row.key, kind, after)?.key ?? 0) : 0
      return row ? inOrder.all(row.key, kind, from, limit).map(({ record }) => readJson<unknown>(record)) : []
    },
    /** The owners of local copies on this computer, with the number of records. */
    sites: (): (CopySite & { count: number })[] =>
      allSites.all().map(({ key, url, user }) => ({
        url,
        user,
        count: kindsOf.all(key).reduce((sum, { kind }) => sum + countOf(key, kind), 0)
      })),
    forgetSite(site: CopySite): void {
      data.write(() => {
        const row = siteOf(site)
        if (!row) return
        for (const { key } of ofSite.all(row.key)) remove(key)
        removeWalks.run(row.key)
        removeSite.run(row.key)
        counts.clear()
      })
    }
  }
}

/** One word for owner and kind; vehicles, which were copied first, have no kind in it. */
function placeWord(site: SiteRow, kind: string): string {
  return kind === 'vehicles' ? `site${site.key}` : `site${site.key}${kind.toLowerCase()}`
}

/** A quoted string is never read as an operator of the query language. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
