import { createHash, randomUUID } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import type { JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { startPostgres, type PostgresServer } from './postgres/postgresServer.ts'
import { append, chainOf, holdersAreLost, invited, leaves, note } from './teamServer.ts'

export let server: PostgresServer
export let owner: Client
const open: Client[] = []
export let one: Client
export let two: Client
export let three: Client
export let reader: Client
export let stranger: Client
export let oneMore: Client
export let twoMore: Client
export let threeMore: Client

const logins = new Map<Client, ClientConfig>()

async function connected(login: ClientConfig): Promise<Client> {
  const client = await server.connect(login)
  open.push(client)
  logins.set(client, login)
  return client
}
export const laptop = async (team: string, name: string, mayWrite = true) =>
  connected(await invited(server, owner, { team, name, mayWrite }))
/** Another connection of the same laptop. */
const again = (client: Client) => connected(logins.get(client) as ClientConfig)

/**
 * For the tests of one file: a server with three laptops of one team, two connections each, who only reads there, and
 * another team.
 */
export function useHoldingServer(): void {
  beforeAll(async () => {
    server = await startPostgres({ deadlock_timeout: '100ms' })
    owner = await server.connect()
    await raiseSchema(owner)
    await holdersAreLost(owner)
    one = await laptop('North', 'Laptop 1')
    two = await laptop('North', 'Laptop 2')
    three = await laptop('North', 'Laptop 3')
    reader = await laptop('North', 'Back office', false)
    stranger = await laptop('South', 'Laptop 1')
    oneMore = await again(one)
    twoMore = await again(two)
    threeMore = await again(three)
  }, 60_000)

  afterAll(async () => {
    for (const client of [...open.splice(0), owner]) await client?.end()
    await server?.remove()
  })
}

/** What goes along with an offer, kept whole. */
export async function content(client: Client, text = `{"operations":[],"of":"${randomUUID()}"}`): Promise<string> {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('hex')
  await client.query('select fitter.keep_piece($1, $2, $3, 0, $4)', [hash, 'application/json', bytes.length, bytes])
  await client.query('select fitter.close_content($1)', [hash])
  return hash
}

export interface Leaving {
  id: string
  work: string
  jobs: { id: string; seq: number; hash: string }[]
  /** The last entry of each. */
  last: JournalEntry[]
}

/** Jobs whose logs say that they leave, pushed; not offered yet. */
export async function leaving(client: Client, count = 1): Promise<Leaving> {
  const id = randomUUID()
  const last: JournalEntry[] = []
  const jobs: Leaving['jobs'] = []
  for (let n = 0; n < count; n++) {
    const jobId = randomUUID()
    const entries = chainOf(jobId, [note('a'), leaves(id)])
    await append(client, jobId, entries)
    const end = entries.at(-1) as JournalEntry
    last.push(end)
    jobs.push({ id: jobId, seq: end.seq, hash: end.hash })
  }
  return { id, work: await content(client), jobs, last }
}

export const offer = (client: Client, { id, work, jobs }: Leaving, to = '') =>
  client.query('select fitter.offer($1, $2, $3, $4)', [id, to, JSON.stringify(jobs), work])
export const take = async (client: Client, { id }: Leaving) =>
  (
    await client.query<{ state: string; taken_by_name: string; is_taken_by_me: boolean }>(
      'select * from fitter.take_offer($1)',
      [id]
    )
  ).rows[0]
export const withdraw = async (client: Client, { id }: Leaving) =>
  (await client.query<{ is_back: boolean }>('select fitter.withdraw_offer($1) as is_back', [id])).rows[0]?.is_back
export const takeOver = async (client: Client, jobId: string, reason = 'It fell into the water') =>
  (
    await client.query('select head_seq::int, head_hash, from_name, work from fitter.take_over($1, $2)', [
      jobId,
      reason
    ])
  ).rows[0]
export const offers = async (client: Client) =>
  (await client.query('select id, from_name, to_name, state, taken_by_name from fitter.offers()')).rows
export const lost = async (client: Client) =>
  (await client.query('select job_id, holder_name, reason, head_seq::int from fitter.lost()')).rows
export const holder = async (jobId: string) =>
  (
    await owner.query('select l.name from fitter.job j left join fitter.laptop l on l.id = j.holder where j.id = $1', [
      jobId
    ])
  ).rows[0].name as string | null
export const jobOf = (from: Leaving) => from.jobs[0]?.id as string
