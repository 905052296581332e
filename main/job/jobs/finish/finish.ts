import type { Step } from '../../../../preload/contract/job/jobs.ts'
import type { StepKind } from '../../../../preload/contract/job/steps/index.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { GatewayAnswer } from '../engine/askGateway.ts'
import { fail, type Outcome, type MessageOrText } from '../engine/check.ts'
import type { LoggedJob, NewEntry } from '../record/journal.ts'
import type { GatewayPort, OperationsPort } from '../engine/ports.ts'
import type { LimitsOf, Profile } from '../engine/profile.ts'

export interface DeferredOptions {
  job(): LoggedJob
  /** All or none. */
  write(entries: NewEntry[]): void
  gateway: GatewayPort
  operations: OperationsPort
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

/** Ends a step later with what only the gateway can confirm; what the device said is in the evidence of the day. */
export type Finisher<Kind extends StepKind> = (
  step: Step,
  options: DeferredOptions & { limits: Profile[LimitsOf<Kind>] }
) => Finish | Promise<Finish>

export function ended(result: Outcome, seen: Finished['seen'] = [], vehicle?: Finished['vehicle']): Finished {
  return { kind: 'ended', result, seen, ...(vehicle ? { vehicle } : {}) }
}

export function withoutAnswer(reply: Exclude<GatewayAnswer<unknown>, { kind: 'answer' }>, remedy: Message): Finish {
  return reply.kind === 'away' ? { kind: 'away', why: reply.why } : ended(fail(reply.why, remedy, ['gateway']))
}
