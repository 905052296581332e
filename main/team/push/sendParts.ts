import type { ClientBase } from 'pg'
import { message } from '../../../preload/contract/messages.ts'
import { canonicalJson, startHash, type JournalEntry } from '../../store/jobs/seal.ts'
import type { Pushed, TeamPushStore } from '../../store/team/teamPush.ts'
import { refusalOf } from '../server/failures.ts'
import { listingOf } from '../reading/listing.ts'
import { pushedWork, type WorkParts } from './pushedWork.ts'

export type PushStore = { teamPush: TeamPushStore; together<T>(work: () => T): T } & WorkParts

/** What goes of a job in one call. */
export interface Part {
  jobId: string
  from: Pushed
  entries: JournalEntry[]
  texts: string[]
  bytes: number
  last: JournalEntry
  /** False: its gateway work alone moved, and its last entry goes once more with that. */
  isNew: boolean
  summary: string
  /** The gateway work that it tells, and up to where that is all of what moved; undefined where nothing of it has to be kept. */
  told: { moved: number; operations: string[] } | undefined
}

/**
 * What became of a part: given (there, and acknowledged here), stopped (it goes no further by itself), held (somebody else has
 * to push first), again (where the server stands is known now, and it goes on from there), heldByOther (to be looked into).
 */
export type SendOutcome = 'given' | 'stopped' | 'held' | 'again' | 'heldByOther'

/** What the team log does not have of a job, as much of it as fits; undefined where nothing waits. */
export function partOf(store: PushStore, jobId: string, limit: { entries: number; bytes: number }): Part | undefined {
  const { teamPush } = store
  const known = teamPush.pushed(jobId)
  const from = known ?? { seq: 0, hash: startHash(jobId) }
  const waiting = teamPush.entriesAfter(jobId, from.seq, limit)
  const [moved, isTold] = [teamPush.workMoved(jobId), teamPush.isWorkTold(jobId)]
  // Where only its gateway work moved, the last entry goes once more, with what is open now.
  const entries = waiting.length > 0 || isTold || from.seq === 0 ? waiting : teamPush.entriesAfter(jobId, from.seq - 1, limit)
  const last = entries.at(-1)
  if (!last) return undefined
  const job = teamPush.summary(jobId)
  const told = pushedWork(store, jobId, job?.handedOver?.id ?? null)
  // Each as a text: a server that reads it would write it otherwise, and its hash would no longer fit.
  const texts = entries.map(hashedText)
  const summary = JSON.stringify({ ...(job ? listingOf(job, teamPush.ended(jobId)) : { id: jobId }), work: told.map((operation) => JSON.stringify(operation)) })
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

/** Gives the server these parts in one call, one of each job, and keeps what it answered of each in one write. */
export async function sendParts(client: ClientBase, store: PushStore, parts: readonly Part[], givenAt?: string): Promise<SendOutcome[]> {
  // Neither has a line break in it. As arrays each quotation mark of each would be escaped here, and read again there.
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
  const stop = (why: 'team.fork' | 'team.logDamaged' | 'teamServer.dropped' | 'teamPush.tooMuch' | 'teamForks.tooMuch'): SendOutcome => {
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
        // A server that was set back, or a standby that had less: it tells how far it has come.
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
  // What is known is acknowledged to everybody: of a job that somebody else has taken over, the work went nowhere.
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
