import { ulid } from 'ulid'
import type { Json } from '../../../preload/contract/define.ts'
import type { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { answered, outcomeOf } from './rows.ts'
import { type EngineParts, asAppError, isOurFault } from './parts.ts'
import { titleOfLive, type LiveKind } from './liveKinds.ts'
import { beginAttempt } from './send.ts'

/** Work that is sent at once and once, or never: nobody wants it later. */
export interface LiveWork<Answer> {
  kind: LiveKind
  key: string
  /** What is sent, without secrets. */
  payload: Json
  jobId: string | null
  imei: string | null
  send(): Promise<Answer>
  /** The result in the answer. `isProof`: no further proof is needed. */
  read(answer: Answer): { what: Message; raw: Json; isProof: boolean }
}

/** unknown: there was no answer; it may have been applied, and is not sent again. */
export type LiveResult<Answer> =
  { id: string; kind: 'answered'; answer: Answer } | { id: string; kind: 'unknown'; error: AppError }

export type LiveEnd = { state: 'done' | 'expired'; reason: Message; raw: Json }

/** Gateway work that a person follows: its intent is on the disk first, and its follower writes its end. */
export type LiveOperations = ReturnType<typeof createLiveOperations>

/** The engine's live work; no pass ever sends it. */
export function createLiveOperations(parts: EngineParts) {
  const { rows, moves, now, reading } = parts
  const followed = new Set<string>()

  return {
    /** Throws the failure of a request that certainly had no effect. */
    async sendNow<Answer>({
      kind,
      key,
      payload,
      jobId,
      imei,
      send,
      read
    }: LiveWork<Answer>): Promise<LiveResult<Answer>> {
      const title = titleOfLive(kind, payload)
      if (!title) throw new Error(`Live work of the kind ${kind} with another payload`)
      const id = ulid()
      followed.add(id)
      moves.inOne(() => {
        const reason = message('operations.ready')
        rows.add({
          id,
          kind,
          key,
          state: 'pending',
          jobId,
          title,
          payload,
          reason,
          createdAt: now().toISOString(),
          isLive: true,
          needs: []
        })
        beginAttempt(parts, { id, number: 1, payload, imei })
      })
      moves.tell(id)
      try {
        const answer = await send()
        const { what, raw, isProof } = read(answer)
        moves.move(id, isProof ? 'done' : 'accepted', what, {
          evidence: { what, raw },
          attempt: { number: 1, outcome: answered }
        })
        if (isProof) followed.delete(id)
        return { id, kind: 'answered', answer }
      } catch (error) {
        const failure = asAppError(error, reading)
        // "It already exists" may be our own effect: the next reading decides.
        const isUnknown = failure.fate === 'unknown' || failure.code === 'CONFLICT'
        const attempt = { number: 1, outcome: outcomeOf(failure, isUnknown ? 'unknown' : 'cancelled') }
        if (isUnknown && !isOurFault(failure)) {
          moves.move(id, 'unknown', message('operations.arrivalUnknown', { why: failure.sentence }), { attempt })
          return { id, kind: 'unknown', error: failure }
        }
        followed.delete(id)
        moves.move(id, isUnknown ? 'expired' : 'cancelled', failure.sentence, { attempt })
        throw error
      }
    },
    /** Writes the observed result. An ended one is unchanged. */
    endLive(id: string, { state, reason, raw }: LiveEnd): void {
      followed.delete(id)
      const row = rows.get(id)
      if (row && (row.state === 'accepted' || row.state === 'unknown'))
        moves.move(id, state, reason, { evidence: { what: reason, raw } })
    },
    /** Ends those that nobody follows any more, because Fitter stopped. */
    expireForgotten(): void {
      for (const { id, isLive, state } of rows.unfinished()) {
        if (isLive && !followed.has(id))
          moves.move(id, 'expired', message(state === 'accepted' ? 'operations.liveNotSeen' : 'operations.liveLost'))
      }
    }
  }
}
