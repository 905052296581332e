import type { Outcome, MessageOrText } from '../engine/check.ts'
import type { LoggedJob, NewEntry } from '../record/journal.ts'
import type { GatewayPort, OperationsPort } from '../engine/ports.ts'
import type { Profile } from '../engine/profile.ts'

export interface DeferredOptions {
  job(): LoggedJob
  /** All or none. */
  write(entries: NewEntry[]): void
  gateway: GatewayPort
  operations: OperationsPort
  /** What a profile of an earlier version lacks comes from this one. */
  standardProfile: Profile
  now(): Date
  signal: AbortSignal
}

export interface Finished {
  kind: 'ended'
  result: Outcome
  seen: { what: MessageOrText; raw: unknown }[]
  vehicle?: { id: number; name: string }
}

/** `away`: the gateway did not answer. `open`: it did, and what is awaited may still come. */
export type Finish = Finished | { kind: 'away' | 'open'; why: MessageOrText }

export function ended(result: Outcome, seen: Finished['seen'] = [], vehicle?: Finished['vehicle']): Finished {
  return { kind: 'ended', result, seen, ...(vehicle ? { vehicle } : {}) }
}

