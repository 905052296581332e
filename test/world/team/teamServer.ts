import type { Client, ClientConfig, DatabaseError } from 'pg'
import { canonicalJson, sealEntry, startHash, type JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import type { PostgresServer } from './postgres/postgresServer.ts'

/** One entry to be: what it is, and what it says. */
export interface Said {
  type: string
  data: unknown
  stepId?: string
}

/** Entries with their hashes, from the beginning of a log or after one of its entries. */
export function chainOf(jobId: string, said: readonly Said[], after?: JournalEntry): JournalEntry[] {
  const entries: JournalEntry[] = []
  for (const { type, data, stepId = null } of said) {
    const last = entries.at(-1) ?? after
    entries.push(
      sealEntry(last?.hash ?? startHash(jobId), {
        seq: (last?.seq ?? 0) + 1,
        at: '2026-11-22T10:00:00.000Z',
        type,
        stepId,
        data: data as never
      })
    )
  }
  return entries
}

export const note = (data: unknown): Said => ({ type: 'note', data })
export const leaves = (id: string): Said => ({
  type: 'movedAway',
  data: { id, to: '', at: '2026-11-22T10:00:00.000Z' }
})
export const arrives = (id: string): Said => ({
  type: 'movedHere',
  data: { id, from: '', at: '2026-11-22T10:00:00.000Z', by: '', reason: null }
})

export const textOf = ({ hash: _, ...entry }: JournalEntry): string => canonicalJson(entry)

/** Pushes entries as a laptop does: what became of each. */
export async function append(
  client: Client,
  jobId: string,
  entries: readonly JournalEntry[],
  summary: object = {}
): Promise<string[]> {
  const { rows } = await client.query<{ seq: string; outcome: string }>(
    'select seq, outcome from fitter.append($1, $2, $3)',
    [JSON.stringify({ id: jobId, ...summary }), entries.map(textOf), entries.map(({ hash }) => hash)]
  )
  return rows.map(({ seq, outcome }) => `${seq} ${outcome}`)
}

export interface GivenJob {
  id: string
  entries: readonly JournalEntry[]
  summary?: object
}

/** Pushes many jobs in one call, as laptops do: what became of each. */
export async function appendJobs(client: Client, jobs: readonly GivenJob[]): Promise<string[]> {
  const { rows } = await client.query<{ number: number; outcome: string; code: string | null; seq: string | null }>(
    'select number, outcome, code, seq from fitter.append_jobs($1, $2, $3, $4) order by number',
    [
      jobs.map(({ id, summary }) => JSON.stringify({ id, ...summary })),
      jobs.flatMap(({ entries }, n) => entries.map(() => n + 1)),
      jobs.flatMap(({ entries }) => entries.map(textOf)),
      jobs.flatMap(({ entries }) => entries.map(({ hash }) => hash))
    ]
  )
  return rows.map(({ number, outcome, code, seq }) => `${String(number)} ${outcome} ${code ?? seq ?? ''}`)
}

/** How the server refuses it: the state of the error; undefined where it does not. */
export async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error as DatabaseError).code
  )
}

/** Teams made from now on have jobs that may be taken over at once: their holders count as lost. */
export async function holdersAreLost(owner: Client): Promise<void> {
  await owner.query("alter table fitter.team alter column take_over_after set default '0'")
}

/** Invites a laptop: how it connects. */
export async function invited(
  server: PostgresServer,
  owner: Client,
  request: { team: string; name: string; mayWrite?: boolean }
): Promise<ClientConfig> {
  await makeTeam(owner, request.team)
  const { login, password } = await inviteLaptop(owner, { mayWrite: true, ...request })
  return { ...server.owner, user: login, password }
}

/** Invites a laptop and connects as it. */
export async function laptopOf(
  server: PostgresServer,
  owner: Client,
  request: { team: string; name: string; mayWrite?: boolean }
): Promise<Client> {
  return server.connect(await invited(server, owner, request))
}
