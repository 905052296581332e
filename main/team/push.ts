import type { ClientBase } from 'pg'
import { AppError } from '../../preload/contract/errors.ts'
import type { JobSummary } from '../../preload/contract/jobs.ts'
import { message } from '../../preload/contract/messages.ts'
import { wordsOf } from '../store/jobWords.ts'
import { canonicalJson, startHash, type JournalEntry } from '../store/seal.ts'
import type { TeamPushStore } from '../store/teamPush.ts'
import type { AttachmentStore } from '../store/attachments.ts'
import type { TeamAcknowledgedStore } from '../store/teamAcknowledged.ts'
import { keepChecklist } from './checklists.ts'
import { refusalOf } from './failures.ts'
import { giveAgainWhatIsLost } from './giveAgain.ts'
import { takeOverAgain } from './takeOverAgain.ts'
import { toldWork, type WorkParts } from './toldWork.ts'

export interface PushParts {
  store: { teamPush: TeamPushStore; teamAcknowledged: TeamAcknowledgedStore; attachments: AttachmentStore } & WorkParts
  signal: AbortSignal
  now?: () => Date
}

export interface PushResult {
  jobs: number
  entries: number
  pictures: number
  /** Jobs that go no further by themselves. */
  stopped: number
}

const atOnce = { entries: 500, bytes: 4_000_000 }
const jobsAtOnce = 100
const pieceBytes = 262_144

/** Of a whole batch: a row for each entry would cost more than the entries. */
interface Acknowledged {
  entries: number
  forks: number
  /** Of the last one. */
  hash: string | null
}

const append = "select count(*)::int as entries, (count(*) filter (where outcome = 'fork'))::int as forks, (array_agg(hash order by seq desc))[1] as hash from fitter.append($1, $2, $3)"

/**
 * Gives the team log what it does not have, job by job, each in order. What the server acknowledged is kept after each
 * batch; a lost acknowledgement is asked for again and acknowledged again. One call after the other over one connection.
 */
export async function push(client: ClientBase, { store, signal, now = () => new Date() }: PushParts): Promise<PushResult> {
  const { teamPush } = store
  const result: PushResult = { jobs: 0, entries: 0, pictures: 0, stopped: 0 }
  const written = new Set<string>()
  await giveAgainWhatIsLost(client, store)
  teamPush.tryHeldAgain()
  for (let last: string | undefined; ; ) {
    // On from where it stands: what is acknowledged already is not looked at a thousand times.
    const jobs = teamPush.waiting(jobsAtOnce, last)
    if (jobs.length === 0 && last === undefined) break
    // What came in front of it meanwhile.
    last = jobs.at(-1)
    for (const jobId of jobs) {
      signal.throwIfAborted()
      if (!teamPush.pushed(jobId)) await keepChecklist(client, teamPush.entriesAfter(jobId, 0, { entries: 1, bytes: 1 })[0], written)
      result.pictures += await pushPictures(client, store.attachments, jobId, signal)
      const { entries, isStopped } = await pushJob(client, store, { jobId, isWaiting: true }, signal)
      result.entries += entries
      if (isStopped) result.stopped += 1
      else result.jobs += 1
    }
    if (jobs.length > 0) teamPush.setPushedAt(now().toISOString())
  }
  return result
}

/** Gives the team log what it does not have of these jobs, and of no other. */
export async function pushJobs(client: ClientBase, { store, signal }: PushParts, jobIds: readonly string[]): Promise<void> {
  for (const jobId of jobIds) {
    await pushPictures(client, store.attachments, jobId, signal)
    await pushJob(client, store, { jobId, isWaiting: false }, signal)
  }
}

async function isOfOther(client: ClientBase, jobId: string): Promise<boolean> {
  const { rows } = await client.query<{ is_other: boolean }>('select holder is not null and holder is distinct from fitter.my_laptop() as is_other from fitter.job where id = $1', [jobId])
  return rows[0]?.is_other === true
}

async function pushJob(client: ClientBase, store: PushParts['store'], { jobId, isWaiting }: { jobId: string; isWaiting: boolean }, signal: AbortSignal): Promise<{ entries: number; isStopped: boolean }> {
  const { teamPush } = store
  let sent = 0
  let didGive = false
  const stop = (why: 'team.fork' | 'team.logDamaged' | 'teamServer.dropped') => {
    teamPush.stop(jobId, message(why))
    return { entries: sent, isStopped: true }
  }
  for (;;) {
    signal.throwIfAborted()
    const from = teamPush.pushed(jobId) ?? { seq: 0, hash: startHash(jobId) }
    const waiting = teamPush.entriesAfter(jobId, from.seq, atOnce)
    const work = { moved: teamPush.workMoved(jobId), isTold: teamPush.isWorkTold(jobId) }
    // Where only its gateway work moved, the last entry goes once more, with what is open now.
    const entries = waiting.length > 0 || work.isTold || from.seq === 0 ? waiting : teamPush.entriesAfter(jobId, from.seq - 1, atOnce)
    const last = entries.at(-1)
    // It still waits, and there is nothing to give: its end is not what its log ends with.
    if (!last && isWaiting && !didGive && teamPush.isWaiting(jobId)) return stop('team.logDamaged')
    if (!last) return { entries: sent, isStopped: false }
    const summary = teamPush.summary(jobId)
    // Each as a text: a server that reads it would write it otherwise, and its hash would no longer fit.
    const told = toldWork(store, jobId, summary?.handedOver?.id ?? null)
    try {
      const { rows } = await client.query<Acknowledged>(append, [JSON.stringify({ ...listing(teamPush, jobId), work: told.map((operation) => JSON.stringify(operation)) }), entries.map(hashedText), entries.map(({ hash }) => hash)])
      const [given] = rows
      if (given?.forks !== 0 || given.hash !== last.hash || given.entries !== entries.length) return stop('team.fork')
      const head = { seq: last.seq, hash: last.hash }
      // What is known is acknowledged to everybody: of a job that somebody else has taken over, the work went nowhere.
      if (waiting.length === 0 && (await isOfOther(client, jobId))) {
        teamPush.acknowledge(jobId, head)
        teamPush.hold(jobId, message('team.heldByOther'))
        return { entries: sent, isStopped: true }
      }
      // One write for each: it waits for the disk.
      const isAll = teamPush.entriesAfter(jobId, last.seq, { entries: 1, bytes: 1 }).length === 0
      teamPush.acknowledge(jobId, head, isAll ? { moved: work.moved, operations: told.map(({ id }) => id) } : undefined)
      sent += waiting.length
      didGive = true
    } catch (error) {
      switch (refusalOf(error)) {
        case 'heldByOther':
          if (await takeOverAgain(client, store, jobId)) break
          teamPush.hold(jobId, message('team.heldByOther'))
          return { entries: sent, isStopped: true }
        case 'dropped':
          return stop('teamServer.dropped')
        case 'hashDiffers':
        case 'form':
          return stop('team.logDamaged')
        case 'gap': {
          // A server that was set back, or a standby that had less: it tells how far it has come.
          const known = Number((error as { detail?: unknown }).detail ?? 0)
          const hash = known === 0 ? startHash(jobId) : teamPush.hashAt(jobId, known)
          if (hash === undefined || known >= from.seq) return stop('team.fork')
          teamPush.acknowledge(jobId, { seq: known, hash })
          didGive = true
          break
        }
        default:
          throw error
      }
    }
  }
}

/** Pictures go before the entries that name them. */
async function pushPictures(client: ClientBase, attachments: AttachmentStore, jobId: string, signal: AbortSignal): Promise<number> {
  const own = attachments.ofJob(jobId)
  if (own.length === 0) return 0
  const { rows } = await client.query<{ missing: string }>('select fitter.missing($1) as missing', [own.map(({ sha256 }) => sha256)])
  const missing = new Set(rows.map((row) => row.missing))
  let pushed = 0
  for (const { sha256, mediaType, sizeBytes } of own) {
    if (!missing.has(sha256) || !isAsKept(attachments, sha256)) continue
    for (let number = 0; number * pieceBytes < sizeBytes; number++) {
      signal.throwIfAborted()
      const piece = attachments.piece(sha256, number)
      if (!piece) break
      await client.query('select fitter.keep_piece($1, $2, $3, $4, $5)', [sha256, mediaType, sizeBytes, number, piece])
    }
    const { rows: closed } = await client.query<{ is_whole: boolean }>('select fitter.close_content($1) as is_whole', [sha256])
    if (closed[0]?.is_whole) pushed += 1
  }
  return pushed
}

/** One that is gone or was changed on this disk keeps nothing else from the team log; the check of the data tells it. */
function isAsKept(attachments: AttachmentStore, sha256: string): boolean {
  try {
    attachments.piece(sha256, 0)
    return true
  } catch (error) {
    if (error instanceof AppError && (error.code === 'DATA_UNUSABLE' || error.code === 'NOT_FOUND')) return false
    throw error
  }
}

function hashedText({ seq, at, type, stepId, data }: JournalEntry): string {
  return canonicalJson({ seq, at, type, stepId, data })
}

/** What lists of the team show of it. Zeros would end a text at the server. */
function listing(teamPush: TeamPushStore, jobId: string): Record<string, unknown> {
  const job = teamPush.summary(jobId)
  if (!job) return { id: jobId }
  const clean = (text: string) => text.replaceAll('\u0000', '').toWellFormed()
  const shown = JSON.parse(JSON.stringify(job), (_, value: unknown) => (typeof value === 'string' ? clean(value) : value)) as JobSummary
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    template: clean(job.template.id),
    imei: clean(job.device.imei),
    model: clean(job.device.model),
    vehicle: clean(job.vehicle?.name ?? ''),
    plate: clean(job.vehicle?.plate ?? ''),
    customer: clean(job.customer),
    technician: clean(job.technician),
    madeAt: job.createdAt,
    words: clean(wordsOf(job)),
    shown: { ...shown, ...teamPush.ended(jobId) }
  }
}
