import type { CopyKind, GatewayCopies } from '../../../preload/contract/gateway/copies.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { gatewayTimeMs } from '../../../preload/gateway/reporting.ts'
import type { CallOptions } from '../client/transport/caller.ts'
import type { GatewayClient } from '../client/client.ts'
import { walkPages, type PageReading } from '../client/transport/paging.ts'
import { pause } from '../../base/time/pause.ts'
import type { KindOfCopy } from './kinds.ts'
import type { CopiedRow, CopySite, GatewayCopyStore } from '../../data/store/gatewayCopies.ts'

export interface WalkParts {
  rows: GatewayCopyStore
  site: CopySite
  kinds: readonly KindOfCopy[]
  /** Of this account, from the first page to the last. */
  client: GatewayClient
  /** False when another account is in use, or the person signed out: answers from that time are not stored. */
  isPresent(): Promise<boolean>
  /** A person works at the gateway: they get half of its request limit. */
  isGentle(): boolean
  progress(at: Progress): void
  now(): Date
  /** The pause between two pages while it is gentle. */
  gentleEveryMs: number
  signal: AbortSignal
}

export type Progress = NonNullable<GatewayCopies['running']>

/** Other requests come first; nobody waits for the copy. */
const limitWaitMs = 15 * 60_000
const timeoutMs = 60_000
const sliceSize = 100
const maxPages = 2_000
/** An older pass is restarted: too many records have moved between the pages since. */
const resumeWithinMs = 60 * 60_000
const roundWithinMs = 12 * 60 * 60_000

/**
 * Reads the pages of every kind from where an earlier pass stopped. A refused kind is recorded; any other failure ends
 * the pass.
 */
export async function walkAll(parts: WalkParts): Promise<void> {
  const { rows, site, now, signal } = parts
  const begunAt = rows.roundAt(site)
  const isGoingOn = begunAt !== null && now().getTime() - Date.parse(begunAt) < roundWithinMs
  const roundAt = isGoingOn ? begunAt : now().toISOString()
  if (!isGoingOn) rows.setRound(site, roundAt)
  for (const kind of parts.kinds) {
    signal.throwIfAborted()
    const { endedAt, open } = rows.state(site, kind.kind)
    if (isGoingOn && open === null && endedAt !== null && endedAt >= roundAt) continue
    await walkOne(parts, kind)
  }
  rows.setRound(site, null)
}

/** Reads the pages of one kind. */
export async function walkOne(parts: WalkParts, kind: KindOfCopy): Promise<void> {
  try {
    await walkKind(parts, kind)
  } catch (error) {
    const why = refusalOf(error)
    if (!why) throw error
    await stopIfLeft(parts)
    parts.rows.refuseWalk(parts.site, kind.kind, { at: parts.now().toISOString(), why })
  }
}

async function stopIfLeft({ isPresent, signal }: WalkParts): Promise<void> {
  const isLeft = !(await isPresent())
  signal.throwIfAborted()
  if (isLeft) throw stopped()
}

/**
 * A list that is refused or does not exist: the gateway does not distinguish them. Without a sign-in nothing is
 * refused.
 */
function refusalOf(error: unknown): Message | undefined {
  return error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'NOT_PERMITTED')
    ? error.sentence
    : undefined
}

async function walkKind(parts: WalkParts, kind: KindOfCopy): Promise<void> {
  const { rows, site, now, signal } = parts
  const { pageSize } = kind
  const { open } = rows.state(site, kind.kind)
  const isFresh =
    open !== null && open.pageSize === pageSize && now().getTime() - Date.parse(open.startedAt) < resumeWithinMs
  if (!isFresh) rows.beginWalk(site, kind.kind, { pageSize, at: now().toISOString() })
  const firstPage = isFresh ? open.nextPage : 1
  let done = isFresh ? open.seen : 0
  let total: number | null = isFresh ? open.total : null
  let page = firstPage
  parts.progress({ kind: kind.kind, done, total, leftMs: null })
  const startedMs = performance.now()
  const options: CallOptions = { signal, priority: 'background', rateLimitWaitMs: limitWaitMs, timeoutMs }
  const walk = walkPages<unknown>(async (where) => kind.read(parts.client, where, options), {
    set: pageSize,
    firstPage,
    maxPages
  })
  for (;;) {
    signal.throwIfAborted()
    const step = await walk.next()
    await stopIfLeft(parts)
    if (step.done) {
      rows.endWalk(site, kind.kind, {
        at: now().toISOString(),
        isComplete: step.value === 'end' && (total === null || done >= total)
      })
      return
    }
    const { data, total: counted } = step.value.value as { data?: unknown[]; total?: number }
    total = counted ?? null
    const seen = {
      at: now().toISOString(),
      gatewayAt: new Date(gatewayNowMs(parts)).toISOString(),
      before: (id: string) => rows.get(site, kind.kind, id)
    }
    const found = (data ?? []).flatMap((item) => kind.toRow(item, seen) ?? [])
    await putInSlices(parts, kind.kind, { rows: found, page, total })
    done = rows.state(site, kind.kind).open?.seen ?? done
    page += 1
    const left = total === null ? null : Math.ceil(total / pageSize) - (page - 1)
    const leftMs =
      left === null ? null : Math.max(0, Math.round(((performance.now() - startedMs) / (page - firstPage)) * left))
    parts.progress({ kind: kind.kind, done, total, leftMs })
    await giveWay(parts, step.value)
  }
}

/** Storing a thousand at once would delay running checks; the page counts as unread until the last part is stored. */
async function putInSlices(
  { rows, site, signal }: WalkParts,
  kind: CopyKind,
  { rows: found, page, total }: { rows: readonly CopiedRow[]; page: number; total: number | null }
): Promise<void> {
  let from = 0
  do {
    signal.throwIfAborted()
    const slice = found.slice(from, from + sliceSize)
    from += sliceSize
    rows.putPage(site, kind, { rows: slice, nextPage: from >= found.length ? page + 1 : page, total })
    await new Promise((resolve) => setImmediate(resolve))
  } while (from < found.length)
}

/**
 * At least half of the request limit stays free for a person: half the smallest documented limit, and a half used
 * window is left alone.
 */
async function giveWay(parts: WalkParts, { rateLimit }: PageReading<unknown>): Promise<void> {
  const { isGentle, gentleEveryMs, signal } = parts
  if (!isGentle()) return
  const isHalfUsed = rateLimit !== null && rateLimit.remaining < rateLimit.limit / 2
  const untilResetMs = isHalfUsed ? Date.parse(rateLimit.resetAt) - gatewayNowMs(parts) : 0
  await pause(Math.max(gentleEveryMs, Math.min(limitWaitMs, untilResetMs || 0)), signal)
}

function gatewayNowMs({ client, now }: WalkParts): number {
  return gatewayTimeMs(now().getTime(), client.clockDifferenceS())
}

export const stopped = (): AppError => new AppError('CANCELLED', message('vehicles.copyStopped'))
