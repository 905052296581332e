import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { mayHaveArrived } from '../rows.ts'
import { waitOfClaim } from './claim.ts'
import type { EngineParts } from '../parts.ts'
import { hasEnded } from '../transitions.ts'

/** The engine's part in giving work to another laptop, and in taking it from there. */
export interface HandoverOperations {
  /** Nothing touches these until the returned function is called; resolves when nothing of them is under way any more. */
  keepStill(ids: readonly string[]): Promise<() => void>
  /** Ends what has not ended, within the transaction that gives it away: from then on nothing of it is sent from here. */
  giveAway(ids: readonly string[], reason: Message): void
  /** Nothing more of these begins until the returned function is called, whatever they were at; resolves when no pass runs any more. */
  stopAtOnce(ids: readonly string[]): Promise<() => void>
  /**
   * Within the transaction in which a job is lost to somebody who took it over: what that one was told of is done there now;
   * of what nobody was told a person decides here.
   */
  giveUp(work: readonly { id: string; isTold: boolean }[], reasons: { moved: Message; left: Message }): void
  /**
   * Within the transaction in which a job goes on with the log of somebody else: what that one was told of is done there.
   * Nothing else is sent from here by itself any more: what may have left is looked for, and what never did waits for a person.
   */
  setAside(work: readonly { id: string; isTold: boolean; isLeft: boolean }[], reasons: { moved: Message; unsent: Message; mayHaveLeft: Message }): void
  /** After the transaction in which work came or went. */
  moved(ids: readonly string[]): void
}

export function createHandover(parts: EngineParts, engine: { running(): Promise<void> | undefined; expireForgotten(): void }): HandoverOperations {
  const { rows, moves, patience, still, inHand } = parts

  return {
    async keepStill(ids) {
      for (const id of ids) assertNotHandedOver(parts, id)
      for (const id of ids) still.add(id)
      const letGo = (): void => {
        for (const id of ids) still.delete(id)
      }
      try {
        // What was begun ends as it would have ended; its failure is told to whoever waits for it.
        await engine.running()?.catch(() => undefined)
        engine.expireForgotten()
        const underWay = ids.map((id) => rows.get(id)).find((row) => row && (row.state === 'sending' || inHand.has(row.id) || (row.isLive && !hasEnded(row.state))))
        if (underWay) throw new AppError('CONFLICT', message('transfer.workOnItsWay', { title: underWay.title }), { retryable: true })
      } catch (error) {
        letGo()
        throw error
      }
      return letGo
    },
    giveAway(ids, reason) {
      moves.inOne(() => {
        // What needs the others goes first: nothing is left behind that waits for what has left.
        for (const id of ids.toReversed()) {
          const row = rows.get(id)
          if (row && !hasEnded(row.state)) moves.move(id, 'moved', reason)
        }
      })
    },
    async stopAtOnce(ids) {
      for (const id of ids) still.add(id)
      // Its failure is told to whoever waits for it.
      await engine.running()?.catch(() => undefined)
      return () => {
        for (const id of ids) still.delete(id)
      }
    },
    giveUp(work, { moved, left }) {
      moves.inOne(() => {
        for (const { id, isTold } of work.toReversed()) {
          const row = rows.get(id)
          // Live work ends by whoever follows it, and no pass ever sends it.
          if (!row || row.isLive || (hasEnded(row.state) && row.state !== 'moved')) continue
          // It left into a file or an offer of which the new holder knows nothing.
          if (row.state === 'moved' && isTold) continue
          if (row.state === 'sending') moves.move(id, 'unknown', message('operations.notWrittenDown'))
          if (isTold) moves.move(id, 'moved', moved)
          else if (row.state !== 'failed') moves.move(id, 'needsAttention', left)
        }
      })
    },
    setAside(work, { moved, unsent, mayHaveLeft }) {
      moves.inOne(() => {
        for (const { id, isTold, isLeft } of work.toReversed()) {
          const row = rows.get(id)
          if (!row || row.isLive) continue
          if (row.state === 'moved' ? isTold || !isLeft : hasEnded(row.state)) continue
          if (row.state === 'sending') moves.move(id, 'unknown', message('operations.notWrittenDown'))
          if (isTold) moves.move(id, 'moved', moved)
          // What a person looks at already, and what the gateway has taken.
          else if (['failed', 'needsAttention', 'accepted'].includes(row.state)) continue
          else if (['sending', 'unknown', 'verifying'].includes(row.state) || (row.state === 'pending' && rows.attempts(id).some(mayHaveArrived))) {
            const createdMs = Date.parse(row.createdAt)
            const sinceMs = row.claim?.sinceMs ?? (Number.isNaN(createdMs) ? null : createdMs)
            moves.move(id, 'unknown', mayHaveLeft, { claim: { sinceMs, waitMs: row.claim?.waitMs ?? 0, whenAbsent: 'ask', isReadBack: false } })
          } else moves.move(id, 'needsAttention', unsent)
        }
      })
    },
    moved(ids) {
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
