import type { Client } from 'pg'
import type { AttachmentStore } from '../../../main/data/store/jobs/attachments.ts'
import { canonicalJson, hashEntry, startHash, type JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import type { TeamAcknowledgedStore } from '../../../main/data/store/team/teamAcknowledged.ts'
import type { Pushed, TeamPushStore } from '../../../main/data/store/team/teamPush.ts'
import { inviteLaptop } from '../../../main/team/admin/members.ts'
import { push } from '../../../main/team/push/push.ts'
import type { PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { summaryOf } from '../../world/data/jobSummary.ts'

export interface MadeUpLaptop {
  login: string
  password: string
  jobs: { id: string; entries: JournalEntry[] }[]
}

/** The laptops of a bench have taken nothing over. */
const nothingBefore: TeamAcknowledgedStore = {
  before: () => [],
  setBack: () => undefined,
  forked: () => [],
  goOn: () => undefined
}
const noPictures = { ofJob: () => [] } as unknown as AttachmentStore
/** No gateway work. */
const nothingElse = {
  together: <T>(work: () => T): T => work(),
  operations: { ofJob: () => [], get: () => undefined, needsOf: () => [] },
  handovers: { attemptsOf: () => [], away: () => undefined, isHere: () => false }
}

/**
 * A laptop of the team with so many jobs; each eighth entry of a job is the end of a step, of which the views have a
 * row.
 */
export async function madeUpLaptop(
  owner: Client,
  { name, jobs, entries }: { name: string; jobs: number; entries: number }
): Promise<MadeUpLaptop> {
  const login = await inviteLaptop(owner, { team: 'Bench', name, mayWrite: true })
  const id = (job: number) => `${name.replaceAll(' ', '-')}-${String(job)}`
  return {
    ...login,
    jobs: Array.from({ length: jobs }, (_, job) => ({ id: id(job), entries: entriesOf(id(job), entries) }))
  }
}

function entriesOf(id: string, count: number): JournalEntry[] {
  const entries: JournalEntry[] = []
  let before = startHash(id)
  for (let seq = 1; seq <= count; seq++) {
    const step = `step-${String(Math.ceil(seq / 8) % 13)}`
    const evidence = {
      seq,
      at: '2026-03-01T10:00:00.000Z',
      type: 'evidence',
      stepId: step,
      data: { attempt: 1, what: `${String(seq)} ${'x'.repeat(300)}` }
    }
    const ended = {
      ...evidence,
      type: 'stepEnded',
      data: {
        attempt: 1,
        state: seq % 80 === 0 ? 'fail' : 'pass',
        summary: { id: 'plain.text', values: { text: 'x'.repeat(100) } },
        remedy: null,
        witness: ['device'],
        durationMs: 5_000
      }
    }
    const entry = seq % 8 === 0 ? ended : evidence
    before = hashEntry(before, entry)
    entries.push({ ...entry, hash: before })
  }
  return entries
}

/** Pushes all that it has, through the code that laptops run. */
export async function pushAll(
  server: PostgresServer,
  { login, password, jobs }: MadeUpLaptop,
  port = server.port
): Promise<void> {
  const client = await server.connect({ ...server.owner, port, user: login, password })
  const { entries, stopped } = await push(client, {
    store: { ...nothingElse, teamPush: pushStoreOf(jobs), teamAcknowledged: nothingBefore, attachments: noPictures },
    signal: new AbortController().signal
  })
  if (stopped > 0 || entries !== jobs.reduce((sum, job) => sum + job.entries.length, 0))
    throw new Error(`${String(entries)} entries arrived, ${String(stopped)} jobs stopped`)
  await client.end()
}

/** The same rows into a bare table, so many in one statement. */
export async function insertAll(
  server: PostgresServer,
  { jobs }: MadeUpLaptop,
  { id, month, atOnce }: { id: string; month: string; atOnce: number }
): Promise<void> {
  const client = await server.connect()
  const all = jobs.flatMap((job) =>
    job.entries.map(({ hash, ...entry }) => [id, month, job.id, entry.seq, canonicalJson(entry), hash, id])
  )
  for (let first = 0; first < all.length; first += atOnce) {
    const part = all.slice(first, first + atOnce)
    const rows = part.map(
      (_, row) => `(${Array.from({ length: 7 }, (_unused, column) => `$${String(row * 7 + column + 1)}`).join(', ')})`
    )
    await client.query(
      `insert into bare.entry (team_id, month, job_id, seq, text, hash, pushed_by) values ${rows.join(', ')}`,
      part.flat()
    )
  }
  await client.end()
}

/** What a laptop has in its file, here in memory: what is measured is the way to the server and what it does. */
function pushStoreOf(jobs: MadeUpLaptop['jobs']): TeamPushStore {
  const pushed = new Map<string, Pushed>()
  const byId = new Map(jobs.map((job) => [job.id, job.entries]))
  const isWaiting = (id: string) => pushed.get(id)?.hash !== byId.get(id)?.at(-1)?.hash
  const known: Partial<TeamPushStore> = {
    waiting: (limit, after) =>
      [...byId.keys()]
        .slice(after === undefined ? 0 : [...byId.keys()].indexOf(after) + 1)
        .filter(isWaiting)
        .slice(0, limit),
    isWaiting,
    takeAddedTo: () => [],
    pushed: (id) => pushed.get(id),
    acknowledge: (id, at) => void pushed.set(id, at),
    summary: (id) => summaryOf(id, { customer: 'Customer One', technician: 'Technician One' }),
    ended: () => undefined,
    workMoved: () => 0,
    isWorkTold: () => true,
    tryHeldAgain: () => undefined,
    setPushedAt: () => undefined,
    entriesAfter: (id, seq, limit) => (byId.get(id) ?? []).slice(seq, seq + limit.entries)
  }
  return known as TeamPushStore
}
