import type { ClientBase } from 'pg'
import { message } from '../../../preload/contract/messages.ts'
import { canonicalJson, startHash, type JournalEntry } from '../../data/store/jobs/seal.ts'
import type { Pushed, TeamPushStore } from '../../data/store/team/teamPush.ts'
import { refusalOf } from '../server/failures.ts'
import { listingOf } from '../reading/listing.ts'
import { pushedWork, type WorkParts } from './pushedWork.ts'

export type PushStore = { teamPush: TeamPushStore; together<T>(work: () => T): T } & WorkParts

export interface Part {
  jobId: string
  from: Pushed
  entries: JournalEntry[]
  texts: string[]
  bytes: number
  last: JournalEntry
  /** False: only its gateway work changed, and its last entry is sent again with it. */
  isNew: boolean
  summary: string
  /**
   * The gateway work in it, and the count up to which it contains all changes; undefined when nothing must be recorded.
   */
  told: { moved: number; operations: string[] } | undefined
}

/**
 * The result for a part: given (stored, and acknowledged here), stopped (does not continue automatically), held
 * (someone else must push first), again (the server's position is known now, continue from there), heldByOther (to be
 * checked).
 */
export type SendOutcome = 'given' | 'stopped' | 'held' | 'again' | 'heldByOther'

/** What the team log lacks of a job, as much as fits; undefined when nothing waits. */
export function partOf(store: PushStore, jobId: string, limit: { entries: number; bytes: number }): Part | undefined {
  const { teamPush } = store
  const known = teamPush.pushed(jobId)
  const from = known ?? { seq: 0, hash: startHash(jobId) }
  const waiting = teamPush.entriesAfter(jobId, from.seq, limit)
  const [moved, isTold] = [teamPush.workMoved(jobId), teamPush.isWorkTold(jobId)]
  // If only its gateway work changed, the last entry is sent again, with the open work.
  const entries =
    waiting.length > 0 || isTold || from.seq === 0 ? waiting : teamPush.entriesAfter(jobId, from.seq - 1, limit)
  const last = entries.at(-1)
  if (!last) return undefined
  const job = teamPush.summary(jobId)
  const told = pushedWork(store, jobId, job?.handedOver?.id ?? null)
  // Each as text: a server that parses it would write it differently, and its hash would no longer match.
  const texts = entries.map(hashedText)
  const summary = JSON.stringify({
    ...(job ? listingOf(job, teamPush.ended(jobId)) : { id: jobId }),
    work: told.map((operation) => JSON.stringify(operation))
  })
  return {
    jobId,
    from,
    entries,
    texts,
    bytes: texts.reduce((sum, text) => sum + text.length, summary.length),
    last,
    isNew: waiting.length > 0,
    summary,
    told: told.length > 0 || !isTold ? { moved, operations: told.map(({ id }) => id) } : undefined
  }
}

interface Answer {
  number: number
  outcome: 'added' | 'known' | 'fork' | 'refused'
  code: string | null
  detail: string | null
  hash: string | null
  is_of_other: boolean
}

const append = String.raw`select number, outcome, code, detail, hash, is_of_other
  from fitter.append_jobs(string_to_array($1, E'\n'), $2, string_to_array($3, E'\n'), string_to_array($4, E'\n'))`

/** Sends these parts in one call, one for each job, and stores the answers in one write. */
export async function sendParts(
  client: ClientBase,
  store: PushStore,
  parts: readonly Part[],
  givenAt?: string
): Promise<SendOutcome[]> {
  // Neither contains a line break. As arrays, every quotation mark would be escaped here and parsed again there.
  const { rows } = await client.query<Answer>(append, [
    parts.map(({ summary }) => summary).join('\n'),
    parts.flatMap(({ texts }, index) => texts.map(() => index + 1)),
    parts.flatMap(({ texts }) => texts).join('\n'),
    parts.flatMap(({ entries }) => entries.map(({ hash }) => hash)).join('\n')
  ])
  const answers = new Map(rows.map((answer) => [answer.number, answer]))
  return store.together(() => {
    if (givenAt !== undefined) store.teamPush.setPushedAt(givenAt)
    return parts.map((part, index) => keepAnswer(store.teamPush, part, answers.get(index + 1)))
  })
}

function keepAnswer(teamPush: TeamPushStore, part: Part, answer: Answer | undefined): SendOutcome {
  const { jobId, from, last, isNew, told } = part
  const stop = (
    why: 'team.fork' | 'team.logDamaged' | 'teamServer.dropped' | 'teamPush.tooMuch' | 'teamForks.tooMuch'
  ): SendOutcome => {
    teamPush.stop(jobId, message(why))
    return 'stopped'
  }
  if (answer?.outcome === 'refused') {
    switch (refusalOf(answer)) {
      case 'heldByOther':
        return 'heldByOther'
      case 'dropped':
        return stop('teamServer.dropped')
      case 'forkFull':
        return stop('teamForks.tooMuch')
      case 'tooMuch':
        return stop('teamPush.tooMuch')
      case 'gap': {
        // A restored server, or a standby with less data: it reports its position.
        const known = Number(answer.detail ?? 0)
        const hash = known === 0 ? startHash(jobId) : teamPush.hashAt(jobId, known)
        if (hash === undefined || known >= from.seq) return stop('team.fork')
        teamPush.acknowledge(jobId, { seq: known, hash })
        return 'again'
      }
      default:
        return stop('team.logDamaged')
    }
  }
  if (answer?.outcome === 'fork' || answer?.hash !== last.hash) return stop('team.fork')
  const isAll = told !== undefined && teamPush.entriesAfter(jobId, last.seq, { entries: 1, bytes: 1 }).length === 0
  // Known entries are acknowledged to everyone: for a job that someone else has taken over, the work was not stored.
  const isElsewhere = !isNew && answer.is_of_other
  teamPush.acknowledge(jobId, { seq: last.seq, hash: last.hash }, isAll && !isElsewhere ? told : undefined)
  if (!isElsewhere) return 'given'
  teamPush.hold(jobId, message('team.heldByOther'))
  return 'held'
}

/** An entry as it was hashed, without its hash. */
export function hashedText({ seq, at, type, stepId, data }: JournalEntry): string {
  return canonicalJson({ seq, at, type, stepId, data })
}
