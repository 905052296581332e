import { readPage, type PageKind, type Row, type Value } from './cells.ts'
import { migrations } from '../../file/migrationList.ts'
import type { PageFile } from './pages.ts'
import { formOfVersion, hasForm, isWordTable, versionLike, type IndexForm, type TableForm } from './tables.ts'
import type { Progress } from '../../file/progress.ts'

/** The parts of a file that were found, however they are connected. */
export type FoundFile = ReturnType<typeof findRows>

interface Root {
  type: string
  name: string
  table: string
  root: number
}

const leaves: ReadonlySet<PageKind> = new Set(['tableLeaf', 'indexLeaf', 'indexBranch'])

/** Reads a file that SQLite itself may refuse. Read-only. */
export function findRows(file: PageFile, tell: Progress) {
  const isUsed = new Uint8Array(file.pages + 1)
  let looked = 0
  const { roots, isWhole } = findRoots()
  const form = formOfVersion(readVersion(roots))
  const rootOf = new Map(roots.filter(({ root }) => root > 1).map(({ name, root }) => [name, root]))
  // If the list of tables is intact, an unreferenced page is an old one.
  markFree()

  function look(number: number): ReturnType<typeof readPage> {
    looked += 1
    if (looked % 2_000 === 0) tell(Math.min(looked, file.pages), file.pages)
    return readPage(file, number, use)
  }

  function use(page: number): void {
    if (page <= file.pages) isUsed[page] = 1
  }

  /** Everything below a root. False when some of it was lost. */
  function walk(root: number, family: 'table' | 'index', take: (row: Row) => void): boolean {
    let isComplete = true
    const open = [root]
    while (open.length > 0) {
      const number = open.pop() ?? 0
      if (number < 1 || number > file.pages || isUsed[number]) {
        isComplete = false
        continue
      }
      const page = look(number)
      if (page === undefined || !page.kind.startsWith(family)) {
        isComplete = false
        continue
      }
      isUsed[number] = 1
      if (page.unreadable > 0) isComplete = false
      for (const row of page.rows) take(row)
      open.push(...page.children.toReversed())
    }
    return isComplete
  }

  function familyOf(root: number, type: string): 'table' | 'index' {
    if (type === 'index') return 'index'
    return readPage(file, root)?.kind.startsWith('index') ? 'index' : 'table'
  }

  function findRoots(): { roots: Root[]; isWhole: boolean } {
    const found: Root[] = []
    const take = ({ values }: Row): void => {
      const root = rootIn(values)
      if (root) found.push(root)
    }
    if (walk(1, 'table', take)) return { roots: found, isWhole: true }
    const known = new Set(found.map(({ name }) => name))
    for (let number = 1; number <= file.pages; number++) {
      if (isUsed[number]) continue
      const page = readPage(file, number)
      if (page?.kind !== 'tableLeaf') continue
      const inPage = page.rows.flatMap(({ values }) => rootIn(values) ?? [])
      if (inPage.length === 0 || inPage.length < page.rows.length) continue
      isUsed[number] = 1
      for (const root of inPage) if (!known.has(root.name)) found.push(root)
    }
    return { roots: found, isWhole: false }
  }

  function readVersion(found: readonly Root[]): number {
    const head = file.page(1)
    const said = head && isHead(head) ? head.readUInt32BE(60) : 0
    return isWhole && said > 0 && said <= migrations.length
      ? said
      : versionLike(new Set(found.filter(({ type }) => type === 'table').map(({ name }) => name)))
  }

  /** Free pages: their content was deleted. */
  function markFree(): void {
    const head = file.keptPage(1)
    if (!head || !isHead(head)) return
    const seen = new Set<number>()
    for (let trunk = head.readUInt32BE(32); trunk > 0 && trunk <= file.pages && !seen.has(trunk);) {
      seen.add(trunk)
      const page = file.keptPage(trunk)
      if (!page || isUsed[trunk]) return
      const count = page.readUInt32BE(4)
      if (count > file.pageBytes / 4 - 2) return
      isUsed[trunk] = 1
      for (let index = 0; index < count; index++) use(page.readUInt32BE(8 + index * 4))
      trunk = page.readUInt32BE(0)
    }
  }

  /** Rows in a table's own tree, in its order; true when every page of it could be read. */
  function ownRows(table: TableForm, take: (row: Row) => void): boolean {
    const root = rootOf.get(table.name)
    let isComplete = root !== undefined
    const checked = (row: Row): void => {
      if (hasForm(table, row.values)) take(row)
      else isComplete = false
    }
    return root !== undefined && walk(root, table.hasRowid ? 'table' : 'index', checked) && isComplete
  }

  return {
    form,
    ownRows,
    /** Rows on unreferenced pages, of tables with losses. After the rows of every tree. */
    looseRows(incomplete: ReadonlySet<TableForm>, take: (table: TableForm, row: Row) => void): void {
      // A page that belongs to something else is not unreferenced.
      for (const { type, root } of roots)
        if (root > 1 && !isUsed[root]) walk(root, familyOf(root, type), () => undefined)
      for (let number = 2; number <= file.pages; number++) {
        if (isUsed[number]) continue
        const page = look(number)
        if (!page || !leaves.has(page.kind) || page.rows.length === 0) continue
        const isTable = page.kind === 'tableLeaf'
        const fitting = [...incomplete].filter(
          (table) => table.hasRowid === isTable && page.rows.every(({ values }) => hasForm(table, values))
        )
        const [only, other] = fitting
        // Two tables look alike: leave the page out.
        if (only && !other) for (const row of page.rows) take(only, row)
      }
    },
    /** The rows in an index: the number of each, and some of its columns. True when all of it could be read. */
    indexRows({ name, columns }: IndexForm, take: (rowid: bigint, columns: Map<string, Value>) => void): boolean {
      const root = rootOf.get(name)
      if (root === undefined) return false
      return walk(root, 'index', ({ values }) => {
        const rowid = values[columns.length]
        if (typeof rowid === 'number' || typeof rowid === 'bigint')
          take(BigInt(rowid), new Map(columns.map((column, index) => [column, values[index] ?? null])))
      })
    },
    /** The tables behind a full-text index with all their rows; undefined when any of them was lost. */
    wordTables(name: string): { name: string; rows: Row[] }[] | undefined {
      let isComplete = true
      const behind = roots.filter(
        ({ type, name: own, root }) => type === 'table' && root > 1 && own.startsWith(`${name}_`) && isWordTable(own)
      )
      const tables = behind.map(({ name: own, root }) => {
        const rows: Row[] = []
        if (!walk(root, /_(idx|config)$/.test(own) ? 'index' : 'table', (row) => rows.push(row))) isComplete = false
        return { name: own, rows }
      })
      return isComplete && tables.length > 0 ? tables : undefined
    }
  }
}

function isHead(page: Buffer): boolean {
  return page.toString('latin1', 0, 15) === 'SQLite format 3'
}

function rootIn(values: readonly Value[]): Root | undefined {
  const [type, name, table, root, text] = values
  if (values.length !== 5 || typeof type !== 'string' || typeof name !== 'string' || typeof table !== 'string')
    return undefined
  if (typeof root !== 'number' || (text !== null && typeof text !== 'string')) return undefined
  return ['table', 'index', 'trigger', 'view'].includes(type) ? { type, name, table, root } : undefined
}
