import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { mayHaveArrived } from '../rows.ts'
import { waitOfClaim } from './claim.ts'
import type { EngineParts } from '../parts.ts'
import { hasEnded } from '../transitions.ts'

/** The engine's part in handing work over and importing it. */
export function createHandover(
  parts: EngineParts,
  engine: { running(): Promise<void> | undefined; expireForgotten(): void }
) {
  const { rows, moves, patience, still, inHand } = parts

  return {
    /** Protects these until the returned function is called; resolves when none of them is in progress any more. */
    async keepStill(ids: readonly string[]): Promise<() => void> {
      for (const id of ids) assertNotHandedOver(parts, id)
      for (const id of ids) still.add(id)
      const release = (): void => {
        for (const id of ids) still.delete(id)
      }
      try {
        // Work that has started ends normally; its failure goes to whoever waits for it.
        await engine.running()?.catch(() => undefined)
        engine.expireForgotten()
        const underWay = ids
          .map((id) => rows.get(id))
          .find((row) => row && (row.state === 'sending' || inHand.has(row.id) || (row.isLive && !hasEnded(row.state))))
        if (underWay)
          throw new AppError('CONFLICT', message('transfer.workOnItsWay', { title: underWay.title }), {
            retryable: true
          })
      } catch (error) {
        release()
        throw error
      }
      return release
    },
    /** Ends open work within the transaction that hands it over: from then on this laptop sends none of it. */
    giveAway(ids: readonly string[], reason: Message): void {
      moves.inOne(() => {
        // Dependent work first, so that nothing waits here for work that has left.
        for (const id of ids.toReversed()) {
          const row = rows.get(id)
          if (row && !hasEnded(row.state)) moves.move(id, 'moved', reason)
        }
      })
    },
    /** Starts nothing of these until the returned function is called; resolves when no pass runs any more. */
    async stopAtOnce(ids: readonly string[]): Promise<() => void> {
      for (const id of ids) still.add(id)
      // Its failure goes to whoever waits for it.
      await engine.running()?.catch(() => undefined)
      return () => {
        for (const id of ids) still.delete(id)
      }
    },
    /** Someone else takes over a job: the work that they know is done there now; a person decides about the rest. */
    giveUp(work: readonly { id: string; isTold: boolean }[], { moved, left }: { moved: Message; left: Message }): void {
      moves.inOne(() => {
        for (const { id, isTold } of work.toReversed()) {
          const row = rows.get(id)
          // Live work is ended by whoever follows it, and no pass ever sends it.
          if (!row || row.isLive || (hasEnded(row.state) && row.state !== 'moved')) continue
          // It left in a file or an offer that the new holder does not know.
          if (row.state === 'moved' && isTold) continue
          if (row.state === 'sending') moves.move(id, 'unknown', message('operations.notWrittenDown'))
          if (isTold) moves.move(id, 'moved', moved)
          else if (row.state !== 'failed') moves.move(id, 'needsAttention', left)
        }
      })
    },
    /**
     * Someone else's log is adopted: sent work is looked for, unsent work waits for a person, and nothing is sent
     * automatically.
     */
    setAside(
      work: readonly { id: string; isTold: boolean; isLeft: boolean }[],
      { moved, unsent, mayHaveLeft }: { moved: Message; unsent: Message; mayHaveLeft: Message }
    ): void {
      moves.inOne(() => {
        for (const { id, isTold, isLeft } of work.toReversed()) {
          const row = rows.get(id)
          if (!row || row.isLive) continue
          if (row.state === 'moved' ? isTold || !isLeft : hasEnded(row.state)) continue
          if (row.state === 'sending') moves.move(id, 'unknown', message('operations.notWrittenDown'))
          if (isTold) moves.move(id, 'moved', moved)
          // Work that a person is looking at, and work that the gateway has accepted.
          else if (['failed', 'needsAttention', 'accepted'].includes(row.state)) continue
          else if (
            ['sending', 'unknown', 'verifying'].includes(row.state) ||
            (row.state === 'pending' && rows.attempts(id).some(mayHaveArrived))
          ) {
            const createdMs = Date.parse(row.createdAt)
            const sinceMs = row.claim?.sinceMs ?? (Number.isNaN(createdMs) ? null : createdMs)
            moves.move(id, 'unknown', mayHaveLeft, {
              claim: { sinceMs, waitMs: row.claim?.waitMs ?? 0, whenAbsent: 'ask', isReadBack: false }
            })
          } else moves.move(id, 'needsAttention', unsent)
        }
      })
    },
    /** After the transaction that moved work. */
    moved(ids: readonly string[]): void {
      for (const id of ids) {
        const row = rows.get(id)
        patience.forget(id)
        if (row?.state === 'unknown') patience.beginGrace(id, waitOfClaim(row))
        moves.tell(id)
      }
    }
  }
}

/** Throws CONFLICT for work that is being handed over. */
export function assertNotHandedOver({ still }: EngineParts, id: string): void {
  if (still.has(id)) throw new AppError('CONFLICT', message('transfer.leavesNow'))
}
