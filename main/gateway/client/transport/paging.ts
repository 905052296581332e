import type { Page } from '../records/page.ts'
import type { GatewayReading } from './caller.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'

export interface WalkOptions {
  /** Items per page. Default 200, the gateway's own. */
  set?: number
  /** Stops after this many pages; the pass is then incomplete. Default 500. */
  maxPages?: number
  /** Continues an earlier pass. Default 1. */
  firstPage?: number
}

/** A page as it was read: any of it may be missing. */
export type PageReading<Item> = Omit<GatewayReading<unknown>, 'value'> & { value: Partial<Page<Item>> }
export type FetchPage<Item> = (where: { set: number; page: number }) => Promise<PageReading<Item>>

/** Why a pass ended. Only `end` means that every item was read. */
export type WalkEnd = 'end' | 'repeated' | 'limit'

/**
 * Reads the pages of a collection by the newest page count. A repeated page ends it: a gateway that ignores `page`
 * would never end.
 */
export async function* walkPages<T>(
  fetchPage: FetchPage<T>,
  options: WalkOptions = {}
): AsyncGenerator<PageReading<T>, WalkEnd, void> {
  const set = options.set ?? 200
  const maxPages = options.maxPages ?? 500
  let previous: string | undefined
  const firstPage = options.firstPage ?? 1
  for (let page = firstPage; page < firstPage + maxPages; page++) {
    const reading = await fetchPage({ set, page })
    const items = reading.value.data ?? []
    const print = JSON.stringify(items)
    if (items.length > 0 && print === previous) return 'repeated'
    if (reading.value.page !== undefined && reading.value.page !== page && items.length > 0 && page > 1)
      return 'repeated'
    previous = print
    yield reading
    if (isLast(reading, page, set, items.length)) return 'end'
  }
  return 'limit'
}

export interface AllItems<T> {
  items: T[]
  /** False when the pass stopped early: there may be more. */
  isComplete: boolean
  problems: Message[]
  pages: number
  /** The last page's reading: status, rate limit, time. Undefined without a page. */
  last: PageReading<T> | undefined
}

/** All items of a collection, once each: items that moved to a later page are not counted twice. */
export async function readAllPages<T>(
  fetchPage: FetchPage<T>,
  options: WalkOptions & { maxItems?: number } = {}
): Promise<AllItems<T>> {
  const maxItems = options.maxItems ?? 100_000
  const seen = new Set<string>()
  const all: AllItems<T> = { items: [], isComplete: true, problems: [], pages: 0, last: undefined }
  const walk = walkPages(fetchPage, options)
  for (;;) {
    const step = await walk.next()
    if (step.done) {
      all.isComplete &&= step.value === 'end'
      if (step.value === 'repeated') all.problems.push(message('gateway.pageAgain'))
      if (step.value === 'limit') all.problems.push(message('gateway.listTooLong'))
      return all
    }
    all.pages++
    all.last = step.value
    all.problems.push(...step.value.problems.map((problem) => message('gateway.onPage', { page: all.pages, problem })))
    for (const item of step.value.value.data ?? []) {
      const key = keyOf(item)
      if (key !== undefined) {
        if (seen.has(key)) continue
        seen.add(key)
      }
      if (all.items.length >= maxItems) {
        all.isComplete = false
        all.problems.push(message('gateway.firstItems', { n: maxItems }))
        return all
      }
      all.items.push(item)
    }
  }
}

function isLast<T>(reading: PageReading<T>, page: number, set: number, count: number): boolean {
  const { pages, total } = reading.value
  if (count === 0) return true
  if (pages !== undefined) return page >= pages
  if (total !== undefined) return page * set >= total
  // A plain list shorter than a page is complete.
  return count < set
}

function keyOf(item: unknown): string | undefined {
  if (item === null || typeof item !== 'object') return undefined
  const { id, imei, resource_id: resource } = item as Record<string, unknown>
  for (const [name, value] of [
    ['id', id],
    ['imei', imei],
    ['resource', resource]
  ] as const) {
    if (typeof value === 'number' || typeof value === 'string') return `${name}:${value}`
  }
  return undefined
}
