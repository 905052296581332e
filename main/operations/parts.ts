import type { OperationKind } from './kind.ts'
import type { Moves } from './moves.ts'
import type { Patience } from './patience.ts'
import type { OperationRows } from './rows.ts'

/** What the steps of the engine share. */
export interface EngineParts {
  rows: OperationRows
  kinds: ReadonlyMap<string, OperationKind>
  moves: Moves
  patience: Patience
  /** What this process is sending or reading back at this moment. */
  inHand: Set<string>
  /** All of it is paused; what is paused by itself says so in its row. */
  isAllPaused(): boolean
  /** What a step of a job or a person waits for right now. */
  awaited: Set<string>
  /** What is being handed over at this moment: nothing touches it. */
  still: Set<string>
  /** Somebody may have taken jobs over without this laptop having heard of it. */
  mayBeElsewhere(): boolean
  /** How long the gateway may answer from its cache. */
  cacheLagMs: number
  /** How often an effect that is still to come is looked for. */
  lookEveryMs: number
  monotonicMs(): number
  now(): Date
  /** The gateway's clock less ours, in ms, as far as it was learned. */
  clockDifferenceMs(): number | null
  /** Makes sure that the gateway's clock is known, where it is not. */
  learnTime(signal: AbortSignal): Promise<void>
  /** Who works here; kept with each attempt. */
  sentBy(): string
  /** Ends with the engine: reads at once, writes a little later. */
  reading: AbortSignal
  writing: AbortSignal
}

/** Whether a person holds it back: nothing new of it is sent, what is under way is read back. */
export function isPaused({ rows, isAllPaused }: EngineParts, id: string): boolean {
  return isAllPaused() || (rows.get(id)?.paused ?? null) !== null
}

/** Marks an operation as being worked on by this process, so that a look at the table never takes it for interrupted. */
export async function keepInHand<T>({ inHand }: EngineParts, id: string, work: () => Promise<T>): Promise<T> {
  inHand.add(id)
  try {
    return await work()
  } finally {
    inHand.delete(id)
  }
}
