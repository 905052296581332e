import { message, type Message } from '../../../preload/contract/messages.ts'
import type { OperationState } from '../../../preload/contract/gateway/operations.ts'
import { allEnded } from '../../base/time/pause.ts'
import type { StoredOperation } from '../../data/store/work/operations.ts'
import { mayHaveArrived } from './rows.ts'
import { waitOfClaim } from './handover/claim.ts'
import { finaliseDraft } from './drafts.ts'
import type { LiveOperations } from './live.ts'
import { sendOperation, holdBack } from './send.ts'
import type { EngineParts } from './parts.ts'
import { lookAgain, verifyOperation, watchOperation } from './readBack.ts'
import { hasEnded } from './transitions.ts'

const underWay: readonly OperationState[] = ['sending', 'verifying']

/** Passes over all that can move: one at a time per key, keys in parallel. */
export function createPasses(parts: EngineParts, live: Pick<LiveOperations, 'expireForgotten'>) {
  const { rows, moves, patience, inHand, still, reading } = parts

  /**
   * Rule 2: it was interrupted between the first byte and the answer. The result is unknown, so it must not be sent
   * again.
   */
  function pickUpTheInterrupted(reason: Message): void {
    for (const row of rows.unfinished()) {
      if (row.isLive || !underWay.includes(row.state) || inHand.has(row.id) || still.has(row.id)) continue
      moves.move(row.id, 'unknown', reason)
      patience.beginGrace(row.id, waitOfClaim(row))
    }
  }

  async function advance(id: string): Promise<void> {
    const row = rows.get(id)
    if (!row || reading.aborted || still.has(id) || patience.isHeld(id)) return
    if (row.state === 'blocked' || row.state === 'draft' || row.state === 'failed' || hasEnded(row.state)) return
    if ((row.state === 'pending' || row.state === 'needsAttention') && parts.isPaused(id)) return
    if (row.state === 'needsAttention' && parts.kinds.get(row.kind)?.lookAgainMs === undefined) return
    const work = parts.workOf(row)
    if (!work) return
    if (row.state === 'pending') return sendOperation(parts, row, work)
    if (row.state === 'unknown') return verifyOperation(parts, row, work)
    if (row.state === 'accepted') return watchOperation(parts, row, work)
    if (row.state === 'needsAttention') return lookAgain(parts, row, work)
  }

  /** The work on one key in order. Open work delays later work; a refusal had no effect and delays nothing. */
  async function advanceQueue(queue: StoredOperation[]): Promise<void> {
    for (const [index, { id }] of queue.entries()) {
      await advance(id)
      const after = rows.get(id)
      if (!after || hasEnded(after.state) || after.state === 'failed') continue
      if (after.state === 'needsAttention') holdBack(parts, queue.slice(index + 1), after)
      return
    }
  }

  return {
    pickUpTheInterrupted,
    async once(): Promise<void> {
      pickUpTheInterrupted(message('operations.notWrittenDown'))
      live.expireForgotten()
      const waiting = (): StoredOperation[] => rows.unfinished().filter(({ isLive }) => !isLive)
      // Each is waited for, even if one fails: running work must never overlap with the next pass. Names become ids
      // first: only then it is known which operations are about the same vehicle.
      await allEnded(
        waiting()
          .filter(({ state }) => state === 'draft')
          .map((row) => finaliseDraft(parts, row))
      )
      const queues = [...Map.groupBy(waiting(), (row) => row.key).values()]
      const isFirst = new Set(queues.filter(goesFirst))
      await allEnded([...isFirst].map(advanceQueue))
      // Unsent work that the limit delayed gets the next requests: earlier failures must not use them up.
      const isLimited = [...isFirst].some((queue) => patience.holdOf(headOf(queue)?.id ?? '')?.cause === 'limit')
      if (!isLimited) await allEnded(queues.filter((queue) => !isFirst.has(queue)).map(advanceQueue))
    }
  }

  /** A refusal delays nothing. */
  function headOf(queue: readonly StoredOperation[]): StoredOperation | undefined {
    return queue.find(({ state }) => state !== 'failed')
  }

  /** Unsent work, and work that someone waits for, comes before reading back and sending again. */
  function goesFirst(queue: readonly StoredOperation[]): boolean {
    const head = headOf(queue)
    return (
      queue.some(({ id }) => parts.awaited.has(id)) ||
      (head?.state === 'pending' && !rows.attempts(head.id).some(mayHaveArrived))
    )
  }
}
