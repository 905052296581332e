import { ulid } from 'ulid'
import type { Json } from '../../preload/contract/define.ts'
import type { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import { answered, outcomeOf } from './rows.ts'
import { type EngineParts, asAppError, isOurFault } from './parts.ts'
import { beginAttempt } from './send.ts'

/** What is sent at once; a file that names another kind was not written by Fitter. */
const liveKinds = ['photocam.capture', 'navUnit.mode', 'navUnit.message', 'navUnit.job', 'vehicles.assignDevice'] as const
export type LiveKind = (typeof liveKinds)[number]

export function isLiveKind(kind: string): kind is LiveKind {
  return liveKinds.some((known) => known === kind)
}

/** Work that is sent at once and once, or not at all: nobody wants it later. */
export interface LiveWork<Answer> {
  kind: LiveKind
  key: string
  title: Message
  /** What is sent, without secrets. */
  payload: Json
  jobId: string | null
  /** The device that it is about, where one is known. */
  imei: string | null
  send(): Promise<Answer>
  /** What the answer says. `isProof`: nothing more has to be seen. */
  read(answer: Answer): { what: Message; raw: Json; isProof: boolean }
}

/** unknown: no answer came; it may have been applied, and is not sent again. */
export type LiveResult<Answer> = { id: string; kind: 'answered'; answer: Answer } | { id: string; kind: 'unknown'; error: AppError }

/** How a live operation ended for whoever followed it. */
export type LiveEnd = { state: 'done' | 'expired'; reason: Message; raw: Json }

/** Gateway work that a person follows: its intent is on the disk first, and its end is written by whoever saw it. */
export interface LiveOperations {
  /** Throws the failure of a request that surely had no effect. */
  sendNow<Answer>(work: LiveWork<Answer>): Promise<LiveResult<Answer>>
  /** Writes what was seen of it. One that has ended already stays as it is. */
  endLive(id: string, end: LiveEnd): void
  /** Ends those that nobody follows any more: Fitter stopped meanwhile. */
  expireForgotten(): void
}

/** Live work of the engine; its rows are never sent by a pass. */
export function createLiveOperations(parts: EngineParts): LiveOperations {
  const { rows, moves, now, reading } = parts
  const followed = new Set<string>()

  return {
    async sendNow({ kind, key, title, payload, jobId, imei, send, read }) {
      const id = ulid()
      followed.add(id)
      moves.inOne(() => {
        const reason = message('operations.ready')
        rows.add({ id, kind, key, state: 'pending', jobId, title, payload, reason, createdAt: now().toISOString(), isLive: true, needs: [] })
        beginAttempt(parts, { id, number: 1, payload, imei })
      })
      moves.tell(id)
      try {
        const answer = await send()
        const { what, raw, isProof } = read(answer)
        moves.move(id, isProof ? 'done' : 'accepted', what, { evidence: { what, raw }, attempt: { number: 1, outcome: answered } })
        if (isProof) followed.delete(id)
        return { id, kind: 'answered', answer }
      } catch (error) {
        const failure = asAppError(error, reading)
        // "It exists already" may be our own: what is shown next decides.
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
    endLive(id, { state, reason, raw }) {
      followed.delete(id)
      const row = rows.get(id)
      if (row && (row.state === 'accepted' || row.state === 'unknown')) moves.move(id, state, reason, { evidence: { what: reason, raw } })
    },
    expireForgotten() {
      for (const { id, isLive, state } of rows.unfinished()) {
        if (isLive && !followed.has(id)) moves.move(id, 'expired', message(state === 'accepted' ? 'operations.liveNotSeen' : 'operations.liveLost'))
      }
    }
  }
}
