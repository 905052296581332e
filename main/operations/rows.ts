import type { Json } from '../../preload/contract/define.ts'
import { type Message, message } from '../../preload/contract/messages.ts'
import type { Operation, OperationState } from '../../preload/contract/gateway/operations.ts'
import type { Paused } from '../../preload/contract/gateway/stories.ts'
import type { AppError } from '../../preload/contract/errors.ts'

/** What the engine needs from the store. Each call is one transaction that is on the disk when it returns. */
export interface OperationRows {
  /** All writes in `work` are committed, or none. */
  together<T>(work: () => T): T
  add(operation: NewRow): void
  change(id: string, change: Change & { state: OperationState; reason: Message; at: string }): void
  /** Writes the intent: state `sending` and the attempt. */
  beginAttempt(id: string, attempt: Omit<Attempt, 'outcome'> & { by: string; imei: string | null }, reason: Message): void
  /** Oldest first. */
  attempts(id: string): Attempt[]
  get(id: string): StoredRow | undefined
  /** All open ones, oldest first, including those that need a person. */
  unfinished(): StoredRow[]
  /** All open ones, oldest first, without payloads: for decisions over all of them. */
  waiting(): WaitingRow[]
  /** The dependencies between open ones. */
  openNeeds(): { id: string; needs: string }[]
  setPaused(ids: readonly string[], paused: Paused): void
  /** Later ones on the same key that may have reached the gateway. */
  youngerSent(row: Pick<StoredRow, 'key' | 'sequence'>): StoredRow[]
  needsOf(id: string): { id: string; part: string }[]
  /** Blocked ones that depend on this one. */
  dependents(id: string): StoredRow[]
  counts(): Partial<Record<OperationState, number>>
  /** Newest first. */
  page(page: { scope: 'open' | 'ended'; before: number | null; limit: number }): StoredRow[]
  /** Oldest first. */
  list(): StoredRow[]
  /** Oldest first. */
  ofJob(jobId: string): StoredRow[]
}

export interface NewRow extends Pick<Operation, 'id' | 'kind' | 'key' | 'state' | 'jobId' | 'title' | 'payload' | 'reason' | 'createdAt'> {
  isLive: boolean
  needs: { id: string; part: string }[]
}

export type StoredRow = Omit<Operation, 'evidenceCount' | 'choices' | 'tries'> & { baseline: Json; result: Json; isLive: boolean; claim: Claim | null; paused: Paused }

/**
 * Another laptop may have sent this work, or may be about to: it came from there, or from an older copy of the data. It is
 * read back before this laptop first sends it.
 */
export interface Claim {
  /** What appears at the gateway after this may be its effect (epoch ms, by the gateway's clock if known). */
  sinceMs: number | null
  /** Beside the grace time, so that two laptops with the same work do not send at the same moment. */
  waitMs: number
  /** If it is absent: it is sent, if its kind allows that, or a person decides. */
  whenAbsent: 'send' | 'ask'
  isReadBack: boolean
  /** When it arrived on this computer, by its clock; absent if it was not handed over. Never passed on to the next holder. */
  arrivedAtMs?: number
}

export interface WaitingRow extends Pick<StoredRow, 'id' | 'sequence' | 'key' | 'kind' | 'state' | 'jobId' | 'isLive'> {
  isPaused: boolean
  /** The vehicle of its job, where one is known. */
  vehicleId: number | null
}

export interface Change {
  /** The ids for a draft's names, or the results of dependencies; only for a draft or a blocked one. */
  finalised?: { payload: Json; key: string; title: Message }
  baseline?: Json
  /** Its result for dependent work. */
  result?: Json
  /** It was read back here. */
  claim?: Claim
  evidence?: { what: Message; raw: Json }
  attempt?: { number: number; outcome: string }
}

/** One attempt of an operation, as stored. */
export interface Attempt {
  number: number
  requestHash: string
  startedAt: string
  /** The gateway's clock at its start, if known (epoch ms). */
  serverTimeMs: number | null
  /** Its result; null while it runs, and forever if the process died. */
  outcome: string | null
  /** Who worked here. */
  by?: string
}

export const answered = 'answered'
const arrivalUnknown = 'unknown'
const notApplied = 'not applied'

/** Text of an attempt's outcome, for an attempt that failed. */
export function outcomeOf(error: AppError, state: OperationState): string {
  return `${state === 'unknown' ? arrivalUnknown : notApplied}: ${error.code}${error.status === undefined ? '' : ` ${error.status}`}`
}

/** Each attempt as text for a person, beside its log. */
export function triesOf({ state }: { state: OperationState }, attempts: readonly Attempt[]): Operation['tries'] {
  return attempts.map(({ number, startedAt, outcome, by = '' }) => ({ number, startedAt, what: sayOutcome(outcome, state), by, outcome }))
}

function sayOutcome(outcome: string | null, state: OperationState): Message {
  if (outcome === null) return message(state === 'sending' ? 'waiting.tryUnderWay' : 'waiting.tryNotWritten')
  if (outcome === answered) return message('waiting.tryAnswered')
  const cause = /: ([A-Z_]+)/.exec(outcome)?.[1] ?? ''
  return outcome.startsWith(arrivalUnknown) ? message('waiting.tryUnknown', { cause }) : message('waiting.tryNotApplied', { cause })
}

/** Whether the gateway can have applied it. */
export function mayHaveArrived({ outcome }: Attempt): boolean {
  return outcome === null || outcome === answered || outcome.startsWith(arrivalUnknown)
}

/** Whether the gateway answered that it already exists. */
export function wasConflict({ outcome }: Attempt): boolean {
  return outcome !== null && /\bCONFLICT\b/.test(outcome)
}

/** Attempts that count against the limit: those that may have arrived since a person last said "send again". */
export function countSpent(operation: { evidence: readonly { raw: unknown }[] }, attempts: readonly Attempt[]): number {
  const allowedAfter = allowedSince(operation)
  return attempts.filter((attempt) => attempt.number > allowedAfter && mayHaveArrived(attempt)).length
}

/** Whether a person said "send again" after the last attempt. */
export function isPersonsWish(operation: { evidence: readonly { raw: unknown }[] }, attempts: readonly Attempt[]): boolean {
  const allowedAfter = allowedSince(operation)
  return allowedAfter > 0 && attempts.every(({ number }) => number <= allowedAfter)
}

function allowedSince(operation: { evidence: readonly { raw: unknown }[] }): number {
  return Math.max(0, ...operation.evidence.map(({ raw }) => sentAgainAfter(raw)))
}

/** Stored as evidence of a person's "send again", so that it survives a restart. */
export function attemptOfDecision(from: OperationState, to: OperationState, afterAttempt: number) {
  return { from, to, afterAttempt }
}

function sentAgainAfter(raw: unknown): number {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) return 0
  const { to, afterAttempt } = raw as { to?: unknown; afterAttempt?: unknown }
  return to === 'pending' && typeof afterAttempt === 'number' ? afterAttempt : 0
}
