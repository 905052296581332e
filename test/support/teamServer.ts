import type { Client, ClientConfig, DatabaseError } from 'pg'
import { canonicalJson, sealEntry, startHash, type JournalEntry } from '../../main/store/seal.ts'
import { inviteLaptop, makeTeam } from '../../main/team/members.ts'
import type { PostgresServer } from '../../simulator/postgres/postgresServer.ts'

/** One entry to be: what it is, and what it says. */
export interface Said {
  type: string
  data: unknown
}

/** Entries with their hashes, from the beginning of a log or after one of its entries. */
export function chainOf(jobId: string, said: readonly Said[], after?: JournalEntry): JournalEntry[] {
  const entries: JournalEntry[] = []
  for (const { type, data } of said) {
    const last = entries.at(-1) ?? after
    entries.push(sealEntry(last?.hash ?? startHash(jobId), { seq: (last?.seq ?? 0) + 1, at: '2026-11-22T10:00:00.000Z', type, stepId: null, data: data as never }))
  }
  return entries
}

export const note = (data: unknown): Said => ({ type: 'note', data })
export const leaves = (id: string): Said => ({ type: 'movedAway', data: { id, to: '', at: '2026-11-22T10:00:00.000Z' } })
export const arrives = (id: string): Said => ({ type: 'movedHere', data: { id, from: '', at: '2026-11-22T10:00:00.000Z', by: '', reason: null } })

export const textOf = ({ hash: _, ...entry }: JournalEntry): string => canonicalJson(entry)

/** Pushes entries as a laptop does: what became of each. */
export async function append(client: Client, jobId: string, entries: readonly JournalEntry[], summary: object = {}): Promise<string[]> {
  const { rows } = await client.query<{ seq: string; outcome: string }>('select seq, outcome from fitter.append($1, $2, $3)', [JSON.stringify({ id: jobId, ...summary }), entries.map(textOf), entries.map(({ hash }) => hash)])
  return rows.map(({ seq, outcome }) => `${seq} ${outcome}`)
}

/** How the server refuses it: the state of the error; undefined where it does not. */
export async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(() => undefined, (error: unknown) => (error as DatabaseError).code)
}

/** Invites a laptop: how it connects. */
export async function invited(server: PostgresServer, owner: Client, request: { team: string; name: string; mayWrite?: boolean }): Promise<ClientConfig> {
  await makeTeam(owner, request.team)
  const { login, password } = await inviteLaptop(owner, { mayWrite: true, ...request })
  return { ...server.owner, user: login, password }
}

/** Invites a laptop and connects as it. */
export async function laptopOf(server: PostgresServer, owner: Client, request: { team: string; name: string; mayWrite?: boolean }): Promise<Client> {
  return server.connect(await invited(server, owner, request))
}
