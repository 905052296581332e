import type { CopyRow } from './kinds.ts'

export interface CopySite {
  url: string
  user: string
}

/** What the local copy needs from the store; each write is one transaction. */
export interface CopyRows {
  roundAt(site: CopySite): string | null
  setRound(site: CopySite, at: string | null): void
  state(site: CopySite, kind: string): {
    count: number
    copiedAt: string | null
    endedAt: string | null
    isComplete: boolean
    refused: unknown
    open: { startedAt: string; nextPage: number; pageSize: number; seen: number; total: number | null } | null
  }
  beginWalk(site: CopySite, kind: string, walk: { pageSize: number; at: string }): void
  putPage(site: CopySite, kind: string, page: { rows: readonly CopyRow[]; nextPage: number; total: number | null }): void
  endWalk(site: CopySite, kind: string, end: { at: string; isComplete: boolean }): void
  refuseWalk(site: CopySite, kind: string, refused: { at: string; why: unknown }): void
  putOne(site: CopySite, kind: string, row: CopyRow): void
  get(site: CopySite, kind: string, id: string): unknown
  findExact(site: CopySite, kind: string, query: { exact: string; limit: number }): unknown[]
  findWord(site: CopySite, kind: string, query: { word: string; limit: number }): unknown[]
  findWords(site: CopySite, kind: string, query: { starts: readonly string[]; limit: number }): unknown[]
  /** In the order of the copy, after `after`. */
  first(site: CopySite, kind: string, query: { limit: number; after?: string | undefined }): unknown[]
  sites(): (CopySite & { count: number })[]
}
