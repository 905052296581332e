import { createHash, randomUUID } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raiseSchema } from '../../main/team/server/schema.ts'
import type { JournalEntry } from '../../main/store/jobs/seal.ts'
import { startPostgres, type PostgresServer } from '../support/postgres/postgresServer.ts'
import { append, appendJobs, arrives, chainOf, holdersAreLost, invited, leaves, note, refusal, textOf } from '../support/teamServer.ts'

let server: PostgresServer
let owner: Client
const open: Client[] = []
let one: Client
let two: Client
let three: Client
let reader: Client
let stranger: Client
let oneMore: Client
let twoMore: Client
let threeMore: Client

const logins = new Map<Client, ClientConfig>()

async function connected(login: ClientConfig): Promise<Client> {
  const client = await server.connect(login)
  open.push(client)
  logins.set(client, login)
  return client
}
const laptop = async (team: string, name: string, mayWrite = true) => connected(await invited(server, owner, { team, name, mayWrite }))
/** Another connection of the same laptop. */
const again = (client: Client) => connected(logins.get(client) as ClientConfig)

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
  for (const client of [...open, owner]) await client?.end()
  await server?.remove()
})

/** What goes along with an offer, kept whole. */
async function content(client: Client, text = `{"operations":[],"of":"${randomUUID()}"}`): Promise<string> {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('hex')
  await client.query('select fitter.keep_piece($1, $2, $3, 0, $4)', [hash, 'application/json', bytes.length, bytes])
  await client.query('select fitter.close_content($1)', [hash])
  return hash
}

interface Leaving {
  id: string
  work: string
  jobs: { id: string; seq: number; hash: string }[]
  /** The last entry of each. */
  last: JournalEntry[]
}

/** Jobs whose logs say that they leave, pushed; not offered yet. */
async function leaving(client: Client, count = 1): Promise<Leaving> {
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

const offer = (client: Client, { id, work, jobs }: Leaving, to = '') => client.query('select fitter.offer($1, $2, $3, $4)', [id, to, JSON.stringify(jobs), work])
const take = async (client: Client, { id }: Leaving) => (await client.query<{ state: string; taken_by_name: string; is_taken_by_me: boolean }>('select * from fitter.take_offer($1)', [id])).rows[0]
const withdraw = async (client: Client, { id }: Leaving) => (await client.query<{ is_back: boolean }>('select fitter.withdraw_offer($1) as is_back', [id])).rows[0]?.is_back
const takeOver = async (client: Client, jobId: string, reason = 'It fell into the water') => (await client.query('select head_seq::int, head_hash, from_name, work from fitter.take_over($1, $2)', [jobId, reason])).rows[0]
const offers = async (client: Client) => (await client.query('select id, from_name, to_name, state, taken_by_name from fitter.offers()')).rows
const lost = async (client: Client) => (await client.query('select job_id, holder_name, reason, head_seq::int from fitter.lost()')).rows
const holder = async (jobId: string) => (await owner.query('select l.name from fitter.job j left join fitter.laptop l on l.id = j.holder where j.id = $1', [jobId])).rows[0].name as string | null
const jobOf = (from: Leaving) => from.jobs[0]?.id as string

describe('A job that is offered', () => {
  it('belongs to nobody until one takes it, and then to that one', async () => {
    const given = await leaving(one, 2)
    await offer(one, given, 'Laptop 2')
    expect(await offers(two)).toContainEqual({ id: given.id, from_name: 'Laptop 1', to_name: 'Laptop 2', state: 'open', taken_by_name: '' })
    expect((await offers(one)).find(({ id }) => id === given.id)).toMatchObject({ state: 'mine' })
    expect((await offers(three)).find(({ id }) => id === given.id)).toBeUndefined()
    expect((await offers(reader)).find(({ id }) => id === given.id)).toBeUndefined()
    expect(await holder(jobOf(given))).toBeNull()
    expect(await take(two, given)).toMatchObject({ state: 'taken', taken_by_name: 'Laptop 2', is_taken_by_me: true })
    // A lost answer is asked for again.
    expect(await take(two, given)).toMatchObject({ state: 'taken', is_taken_by_me: true })
    expect(await append(two, jobOf(given), chainOf(jobOf(given), [arrives(given.id), note('b')], given.last[0]), { customer: 'Customer One' })).toEqual(['3 added', '4 added'])
    expect((await offers(one)).find(({ id }) => id === given.id)).toMatchObject({ state: 'taken', taken_by_name: 'Laptop 2' })
  })

  it('is offered once, however often it is asked', async () => {
    const given = await leaving(one)
    await Promise.all([offer(one, given), offer(oneMore, given)])
    await offer(one, given)
    expect((await owner.query('select count(*)::int as n from fitter.handover where id = $1', [given.id])).rows).toEqual([{ n: 1 }])
    await take(two, given)
    await offer(one, given)
    expect(await holder(jobOf(given))).toBe('Laptop 2')
    expect(await refusal(offer(one, { ...given, jobs: [] }))).toBe('FT006')
    expect(await refusal(offer(one, { ...given, work: 'a'.repeat(64) }))).toBe('FT006')
  })

  it('goes to one of twenty that take it at the same moment', async () => {
    const given = await leaving(one, 5)
    await offer(one, given)
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => laptop('North', `Crowd ${String(n)}`)))
    const outcomes = await Promise.all(all.map((client) => refusal(take(client, given))))
    expect(outcomes.filter((state) => state === undefined)).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set([undefined, 'FT002']))
    const names = new Set(await Promise.all(given.jobs.map(({ id }) => holder(id))))
    expect([...names]).toEqual([`Crowd ${String(outcomes.indexOf(undefined))}`])
    for (const client of all) await client.end()
  })

  it('comes back to its giver, or goes to its taker: never both', async () => {
    for (let round = 0; round < 20; round++) {
      const given = await leaving(one, 2)
      await offer(one, given)
      const [back, taken] = await Promise.all([refusal(withdraw(one, given)), refusal(take(two, given))])
      expect([back, taken]).toEqual(back === undefined ? [undefined, 'FT008'] : ['FT002', undefined])
      for (const { id } of given.jobs) expect(await holder(id)).toBe(back === undefined ? 'Laptop 1' : 'Laptop 2')
    }
  })

  it('is worked on by its giver again once it was withdrawn, also when its last entry comes once more', async () => {
    const given = await leaving(one)
    await offer(one, given)
    expect(await refusal(append(one, jobOf(given), chainOf(jobOf(given), [arrives(given.id)], given.last[0])))).toBe('FT002')
    expect(await withdraw(one, given)).toBe(true)
    expect(await withdraw(one, given)).toBe(true)
    expect(await append(one, jobOf(given), given.last)).toEqual(['2 known'])
    expect(await holder(jobOf(given))).toBe('Laptop 1')
    expect(await refusal(offer(one, given))).toBe('FT008')
    expect(await append(one, jobOf(given), chainOf(jobOf(given), [arrives(given.id)], given.last[0]))).toEqual(['3 added'])
    expect(await refusal(take(two, given))).toBe('FT008')
  })

  it('has gone on to somebody else: taking it again, or back again, changes nothing', async () => {
    const given = await leaving(one)
    await offer(one, given)
    await take(two, given)
    await takeOver(three, jobOf(given))
    expect(await refusal(take(two, given))).toBe('FT002')
    const early = await leaving(one)
    const late = await leaving(one)
    await offer(one, late)
    for (const back of [early, late]) {
      await withdraw(one, back)
      await takeOver(three, jobOf(back))
      expect(await refusal(withdraw(one, back))).toBe('FT002')
      expect(await holder(jobOf(back))).toBe('Laptop 3')
    }
  })

  it('is withdrawn before it comes: it finds that when it does', async () => {
    const given = await leaving(one, 2)
    expect(await refusal(withdraw(two, given))).toBe('FT002')
    expect(await withdraw(one, given)).toBe(true)
    for (const { id } of given.jobs) expect(await holder(id)).toBe('Laptop 1')
    expect(await refusal(offer(one, given))).toBe('FT008')
    expect(await withdraw(one, given)).toBe(true)
    for (let round = 0; round < 20; round++) {
      const quick = await leaving(one, 2)
      const [back, offered] = await Promise.all([withdraw(one, quick), refusal(offer(oneMore, quick))])
      expect([back, offered]).toEqual([true, offered === undefined ? undefined : 'FT008'])
      for (const { id } of quick.jobs) expect(await holder(id)).toBe('Laptop 1')
    }
  })

  it('has all its jobs and all that comes along, or is refused and none of them is offered', async () => {
    const given = await leaving(one, 2)
    const missing = { id: randomUUID(), seq: 1, hash: 'a'.repeat(64) }
    expect(await refusal(offer(one, { ...given, jobs: [...given.jobs, missing] }))).toBe('FT004')
    expect(await refusal(offer(one, { ...given, work: 'a'.repeat(64) }))).toBe('FT004')
    expect(await refusal(offer(one, given, 'Nobody'))).toBe('FT007')
    expect(await refusal(offer(one, given, 'Laptop 1'))).toBe('FT007')
    expect(await refusal(offer(one, given, 'Back office'))).toBe('FT007')
    expect(await refusal(offer(one, { ...given, jobs: given.jobs.map((job) => ({ ...job, hash: 'a'.repeat(64) })) }))).toBe('FT002')
    expect(await refusal(offer(two, { ...given, work: await content(two) }))).toBe('FT002')
    expect(await refusal(offer(one, { ...given, jobs: [...given.jobs, ...given.jobs] }))).toBe('FT006')
    expect((await owner.query('select count(*)::int as n from fitter.job where offered_in = $1', [given.id])).rows).toEqual([{ n: 0 }])
    await offer(one, given)
    const still = await leaving(one)
    expect(await refusal(offer(one, { ...still, jobs: [...still.jobs, ...given.jobs] }))).toBe('FT002')
  })

  it('is not taken by whom it is not offered to, nor by another team', async () => {
    const given = await leaving(one)
    await offer(one, given, 'Laptop 2')
    expect(await refusal(take(three, given))).toBe('FT002')
    expect(await refusal(take(one, given))).toBe('FT002')
    expect(await refusal(take(reader, given))).toBe('42501')
    expect(await refusal(take(stranger, given))).toBe('FT009')
    expect(await refusal(withdraw(two, given))).toBe('FT002')
    // Of what it cannot see, it can only withdraw what it might still offer itself.
    expect(await withdraw(stranger, given)).toBe(true)
    expect(await holder(jobOf(given))).toBeNull()
    expect((await take(two, given))?.state).toBe('taken')
  })
})

describe('A job that went as a file', () => {
  it('goes on at whoever opened it, also at its giver', async () => {
    for (const taker of [two, one]) {
      const given = await leaving(one)
      expect(await holder(jobOf(given))).toBeNull()
      const arrival = chainOf(jobOf(given), [arrives(given.id), note('b')], given.last[0])
      expect(await append(taker, jobOf(given), [...given.last, ...arrival])).toEqual(['2 known', '3 added', '4 added'])
      expect(await holder(jobOf(given))).toBe(taker === two ? 'Laptop 2' : 'Laptop 1')
    }
  })

  it('goes on at one of two; the log of the other is a fork', async () => {
    for (let round = 0; round < 10; round++) {
      const given = await leaving(one)
      const outcomes = await Promise.all([two, three].map((client, n) => append(client, jobOf(given), chainOf(jobOf(given), [arrives(given.id), note(n)], given.last[0]))))
      expect(outcomes.map((all) => all.at(-1)).sort()).toEqual(['4 added', '4 fork'])
    }
  })

  it('goes on with nothing but its arrival', async () => {
    const given = await leaving(one)
    expect(await refusal(append(two, jobOf(given), chainOf(jobOf(given), [note('b')], given.last[0])))).toBe('FT002')
    expect(await refusal(append(two, jobOf(given), chainOf(jobOf(given), [arrives(randomUUID())], given.last[0])))).toBe('FT002')
    expect(await refusal(append(two, jobOf(given), chainOf(jobOf(given), [{ type: 'movedHere', data: 'x' }], given.last[0])))).toBe('FT002')
  })

  it('is followed in one push through all its hands', async () => {
    const jobId = randomUUID()
    const log = chainOf(jobId, [note(1), leaves('A1'), arrives('A1'), note(2), leaves('A2'), arrives('A2')])
    expect((await append(two, jobId, log.slice(0, 2))).at(-1)).toBe('2 added')
    expect((await append(two, jobId, log.slice(2, 5))).at(-1)).toBe('5 added')
    expect(await holder(jobId)).toBeNull()
    expect((await append(three, jobId, log)).at(-1)).toBe('6 added')
    expect(await holder(jobId)).toBe('Laptop 3')
  })
})

describe('A job on which its holder works', () => {
  let first: Client
  let second: Client
  beforeAll(async () => {
    first = await laptop('Busy', 'Laptop 1')
    second = await laptop('Busy', 'Laptop 2')
    await owner.query("update fitter.team set take_over_after = '10 minutes' where name = 'Busy'")
  })
  const worked = (id: string, agoS: number) => owner.query("update fitter.job set changed_at = now() - $2 * interval '1 second' where id = $1", [id, agoS])

  it('is taken over when ten minutes have passed, and before that its holder and the wait are told', async () => {
    const id = randomUUID()
    await append(first, id, chainOf(id, [note('a')]))
    await worked(id, 125)
    const refused = await takeOver(second, id).catch((error: unknown) => error as { code: string; detail: string })
    expect(refused.code).toBe('FT013')
    const { by, agoS, waitS } = JSON.parse(refused.detail) as { by: string; agoS: number; waitS: number }
    expect([by, Math.floor(agoS / 60), Math.ceil(waitS / 60)]).toEqual(['Laptop 1', 2, 8])
    expect(await holder(id)).toBe('Laptop 1')
    expect(await lost(first)).toEqual([])
    await worked(id, 601)
    expect(await takeOver(second, id)).toMatchObject({ from_name: 'Laptop 1' })
    // Whoever took it over works on it now.
    expect(await refusal(takeOver(first, id))).toBe('FT013')
    expect(await takeOver(second, id)).toMatchObject({ from_name: 'Laptop 1' })
  })

  it('is taken over at any time by a lead, once its holder has left, and by accepting an offer', async () => {
    const [byLead, ofGone] = [randomUUID(), randomUUID()]
    await append(first, byLead, chainOf(byLead, [note('a')]))
    await owner.query("update fitter.laptop set is_lead = true where name = 'Laptop 2' and team_id = (select id from fitter.team where name = 'Busy')")
    expect(await takeOver(second, byLead)).toMatchObject({ from_name: 'Laptop 1' })
    await owner.query('update fitter.laptop set is_lead = false')
    const gone = await laptop('Busy', 'Gone')
    await append(gone, ofGone, chainOf(ofGone, [note('a')]))
    expect(await refusal(takeOver(second, ofGone))).toBe('FT013')
    await gone.query('select fitter.leave_team()')
    expect(await takeOver(second, ofGone)).toMatchObject({ from_name: 'Gone' })
    const offered = await leaving(first)
    await offer(first, offered)
    expect(await take(second, offered)).toMatchObject({ state: 'taken', is_taken_by_me: true })
  })

  it('is taken over again at once by whoever shows that it had done so before the server was set back', async () => {
    const id = randomUUID()
    const entries = chainOf(id, [note('a')])
    await append(first, id, entries)
    const moved = (data: object) => textOf(chainOf(id, [{ type: 'movedHere', data: { id: 'x', from: 'Laptop 1', at: '2026-11-22T10:00:00.000Z', by: '', reason: 'It was lost', ...data } }], entries[0])[0] as JournalEntry)
    const again = (text: string) => second.query('select * from fitter.take_over($1, $2, $3)', [id, 'It was lost', text])
    for (const text of [moved({}), moved({ isTakenOver: true }).replace('"seq":2', '"seq":3'), '{}', 'x']) expect(await refusal(again(text)), text).toBe('FT013')
    await again(moved({ isTakenOver: true }))
    expect(await holder(id)).toBe('Laptop 2')
  })
})

describe('A job that a server lacks which was set back', () => {
  const folders = { mine: '6f1f3d0c-0f43-4c55-9d2a-0f1e6c6f2a01', theirs: '6f1f3d0c-0f43-4c55-9d2a-0f1e6c6f2a02' }
  const markOf = (folder: string) => createHash('sha256').update(folder).digest('hex')
  let first: Client
  let second: Client
  beforeAll(async () => {
    first = await laptop('Restored', 'Laptop 1')
    second = await laptop('Restored', 'Laptop 2')
    await first.query('select fitter.join_team($1)', [folders.theirs])
    await second.query('select fitter.join_team($1)', [folders.mine])
  })
  const created = { type: 'jobCreated', data: { folder: markOf(folders.theirs) } }
  const there = async (id: string) => (await owner.query('select from fitter.job where id = $1', [id])).rows.length

  it('does not become that of a colleague who gives its entries first', async () => {
    for (const give of ['one', 'many']) {
      const id = randomUUID()
      const entries = chainOf(id, [created, note('a')])
      const given = give === 'one' ? await refusal(append(second, id, entries)) : (await appendJobs(second, [{ id, entries }]))[0]
      expect(given).toBe(give === 'one' ? 'FT002' : '1 refused FT002')
      expect(await there(id)).toBe(0)
      expect((await appendJobs(first, [{ id, entries }]))[0]).toBe('1 added 2')
      expect(await holder(id)).toBe('Laptop 1')
    }
  })

  it('comes to whoever had taken it over, with a record of that, and the one before is told', async () => {
    const id = randomUUID()
    const moved = { type: 'movedHere', data: { id: 'x', from: 'Laptop 1', at: '2026-11-22T10:00:00.000Z', by: '', reason: 'It was lost', folder: markOf(folders.mine), isTakenOver: true } }
    const entries = chainOf(id, [created, note('a'), moved, note('b')])
    expect((await appendJobs(second, [{ id, entries }]))[0]).toBe('1 added 4')
    expect(await holder(id)).toBe('Laptop 2')
    expect(await lost(first)).toEqual([{ job_id: id, holder_name: 'Laptop 2', reason: 'It was lost', head_seq: 2 }])
  })

  it('is nobody\'s when it is given by whoever knows that it was taken over, until the other one comes', async () => {
    const id = randomUUID()
    const entries = chainOf(id, [created, note('a')])
    expect((await appendJobs(first, [{ id, entries, summary: { isElsewhere: true } }]))[0]).toBe('1 added 2')
    expect(await holder(id)).toBeNull()
    expect(await takeOver(second, id)).toMatchObject({ head_seq: 2, from_name: 'Laptop 1' })
    expect(await holder(id)).toBe('Laptop 2')
  })
})

describe('A job that is taken over', () => {
  it('gives its log and the work of its holder to the one, and tells the other who has it and why', async () => {
    const id = randomUUID()
    const entries = chainOf(id, [note('a'), note('b')])
    const work = [{ id: 'op1', state: 'waiting' }]
    await append(one, id, entries, { work })
    const answer = { head_seq: 2, head_hash: entries[1]?.hash, from_name: 'Laptop 1', work }
    expect(await takeOver(two, id)).toEqual(answer)
    expect(await takeOver(two, id, 'Another reason')).toEqual(answer)
    expect((await lost(one)).find(({ job_id }) => job_id === id)).toEqual({ job_id: id, holder_name: 'Laptop 2', reason: 'It fell into the water', head_seq: 2 })
    expect((await lost(two)).find(({ job_id }) => job_id === id)).toBeUndefined()
    expect(await refusal(append(one, id, chainOf(id, [note('c')], entries[1])))).toBe('FT002')
    expect(await append(two, id, chainOf(id, [arrives('x')], entries[1]))).toEqual(['3 added'])
    const { rows } = await owner.query("select count(*)::int as n from fitter.handover where kind = 'takenOver' and jobs -> 0 ->> 'id' = $1", [id])
    expect(rows).toEqual([{ n: 1 }])
    await takeOver(one, id)
    expect((await lost(one)).find(({ job_id }) => job_id === id)).toBeUndefined()
    expect((await lost(two)).find(({ job_id }) => job_id === id)).toMatchObject({ holder_name: 'Laptop 1' })
  })

  it('has each entry once, whoever was quicker: the old holder or the new one', async () => {
    for (let round = 0; round < 20; round++) {
      const id = randomUUID()
      const first = chainOf(id, [note('a')])
      await append(one, id, first)
      const more = chainOf(id, [note('b')], first[0])
      const [pushed, over] = await Promise.all([refusal(append(one, id, more)), takeOver(two, id)])
      expect([pushed, over.head_seq]).toEqual(pushed === undefined ? [undefined, 2] : ['FT002', 1])
      expect(await holder(id)).toBe('Laptop 2')
    }
  })

  it('waits for the push that is under way, and goes on from its end', async () => {
    const id = randomUUID()
    const first = chainOf(id, [note('a')])
    await append(one, id, first)
    await one.query('begin')
    await append(one, id, chainOf(id, [note('b')], first[0]))
    const over = takeOver(two, id)
    await expect.poll(async () => (await owner.query("select count(*)::int as n from pg_locks where not granted")).rows[0].n as number).toBeGreaterThan(0)
    await one.query('commit')
    expect(await over).toMatchObject({ head_seq: 2, from_name: 'Laptop 1' })
  })

  it('goes to one after the other where two take it over, and the first is told', async () => {
    const id = randomUUID()
    await append(one, id, chainOf(id, [note('a')]))
    await Promise.all([takeOver(two, id), takeOver(three, id)])
    const [loser] = (await holder(id)) === 'Laptop 2' ? [three, two] : [two, three]
    expect((await lost(loser as Client)).map(({ job_id }) => job_id as string)).toContain(id)
    expect((await lost(one)).map(({ job_id }) => job_id as string)).toContain(id)
  })

  it('tells the first also where the second had begun before it', async () => {
    const id = randomUUID()
    await append(one, id, chainOf(id, [note('a')]))
    await three.query('begin')
    await three.query('select now()')
    await takeOver(two, id)
    await takeOver(three, id)
    await three.query('commit')
    expect(await holder(id)).toBe('Laptop 3')
    expect((await lost(two)).map(({ job_id }) => job_id as string)).toContain(id)
  })

  it('needs a reason, a writer of its team, and that it is not offered to somebody', async () => {
    const given = await leaving(one)
    expect(await refusal(takeOver(two, jobOf(given), ' a '))).toBe('FT006')
    expect(await refusal(takeOver(two, randomUUID()))).toBe('FT009')
    expect(await refusal(takeOver(stranger, jobOf(given)))).toBe('FT009')
    expect(await refusal(takeOver(reader, jobOf(given)))).toBe('42501')
    await offer(one, given, 'Laptop 2')
    expect(await refusal(takeOver(three, jobOf(given)))).toBe('FT002')
    expect(await refusal(takeOver(two, jobOf(given)))).toBe('FT002')
  })

  it('was under way to a laptop that left, or in a file that is lost', async () => {
    const gone = await laptop('North', 'Gone')
    const given = await leaving(one, 2)
    await offer(one, given, 'Gone')
    await gone.query('select fitter.leave_team()')
    expect(await takeOver(two, jobOf(given))).toMatchObject({ from_name: 'Laptop 1' })
    expect((await lost(one)).map(({ job_id }) => job_id as string)).toContain(jobOf(given))
    // What is left of the offer goes back.
    expect(await withdraw(one, given)).toBe(true)
    expect(await holder(jobOf(given))).toBe('Laptop 2')
    expect(await holder(given.jobs[1]?.id as string)).toBe('Laptop 1')
    const file = await leaving(one)
    expect(await takeOver(three, jobOf(file))).toMatchObject({ from_name: 'Laptop 1' })
    expect(await refusal(append(two, jobOf(file), chainOf(jobOf(file), [arrives(file.id)], file.last[0])))).toBe('FT002')
    expect(await refusal(offer(one, file))).toBe('FT002')
  })

  it('was of a laptop that left', async () => {
    const gone = await laptop('North', 'Gone too')
    const id = randomUUID()
    await append(gone, id, chainOf(id, [note('a')]))
    await gone.query('select fitter.leave_team()')
    expect(await takeOver(two, id)).toMatchObject({ from_name: 'Gone too' })
    expect(await holder(id)).toBe('Laptop 2')
  })
})

describe('Everything at once', () => {
  it('leaves each job with one holder, one log, and nobody waiting in a circle', async () => {
    const takers = [oneMore, two, three]
    const others = [one, twoMore, threeMore]
    for (let round = 0; round < 15; round++) {
      const given = await leaving(one, 6)
      const backwards = { ...given, jobs: [...given.jobs].reverse() }
      const outcomes = await Promise.all([
        refusal(offer(one, round % 2 === 0 ? given : backwards)),
        ...takers.map((client) => refusal(take(client, given))),
        refusal(withdraw(oneMore, given)),
        ...given.jobs.map(({ id }, n) => refusal(takeOver(others[n % 3] as Client, id))),
        ...given.jobs.map(({ id }, n) => refusal(append(takers[(n + 1) % 3] as Client, id, chainOf(id, [arrives(given.id), note(n)], given.last[n]))))
      ])
      expect(outcomes.filter((state) => state !== undefined && !/^FT00[2489]$/.test(state))).toEqual([])
      for (const { id } of given.jobs) {
        const { rows } = await owner.query('select count(*)::int as n, max(e.seq)::int as last, (select head_seq::int from fitter.job where id = $1) as head from fitter.entry e where job_id = $1', [id])
        expect(rows[0].n).toBe(rows[0].last)
        expect(rows[0].head).toBe(rows[0].last)
      }
    }
  })
})

describe('A data folder that left and is invited again', () => {
  it('goes on with its own jobs', async () => {
    const folder = randomUUID()
    const before = await laptop('North', 'Again')
    await before.query('select fitter.join_team($1)', [folder])
    const id = randomUUID()
    const entries = chainOf(id, [note('a')])
    await append(before, id, entries)
    await before.query('select fitter.leave_team()')
    const again = await laptop('North', 'Again')
    await again.query('select fitter.join_team($1)', [folder])
    expect(await append(again, id, chainOf(id, [note('b')], entries[0]))).toEqual(['2 added'])
    const other = await laptop('South', 'Again')
    await other.query('select fitter.join_team($1)', [folder])
    expect(await holder(id)).toBe('Again')
  })

  it('is told what was taken over from it meanwhile', async () => {
    const [id, folder] = [randomUUID(), randomUUID()]
    const before = await laptop('North', 'Stolen')
    await before.query('select fitter.join_team($1)', [folder])
    await append(before, id, chainOf(id, [note('a')]))
    await before.query('select fitter.leave_team()')
    await one.query('select * from fitter.take_over($1, $2)', [id, 'It was stolen'])
    const found = await laptop('North', 'Found')
    await found.query('select fitter.join_team($1)', [folder])
    expect((await found.query('select job_id, reason from fitter.lost()')).rows).toEqual([{ job_id: id, reason: 'It was stolen' }])
    await found.query('select * from fitter.take_over($1, $2)', [id, 'It was found'])
    expect((await found.query('select * from fitter.lost()')).rows).toEqual([])
  })
})

describe('What an entry says', () => {
  it('is kept to the letter with zeros and halves of a pair in it, as devices and cut names have them', async () => {
    const id = randomUUID()
    const entries = chainOf(id, [note('a\u0000b'), note('cut \ud83d'), note('\\u0000 \\\\u0000 \\'), leaves('A1')])
    expect(await append(one, id, entries)).toHaveLength(4)
    const { rows } = await two.query('select hash from fitter.entry where job_id = $1 order by seq', [id])
    expect(rows.map(({ hash }) => hash as string)).toEqual(entries.map(({ hash }) => hash))
    expect(await holder(id)).toBeNull()
  })
})

describe('A new month', () => {
  it('is begun by many at once, and by none of them twice, while others read', async () => {
    await owner.query('create database fresh')
    const fresh = { ...server.owner, database: 'fresh' }
    const freshOwner = await server.connect(fresh)
    await raiseSchema(freshOwner)
    const clients = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const login = await invited({ ...server, owner: fresh }, freshOwner, { team: 'North', name: `Laptop ${String(n)}` })
        return server.connect(login)
      })
    )
    await clients[0]?.query('begin; select * from fitter.entry')
    const outcomes = await Promise.all(clients.slice(1).map((client) => {
      const id = randomUUID()
      return append(client, id, chainOf(id, [note('a'), note('b')]))
    }))
    expect(outcomes).toEqual(outcomes.map(() => ['1 added', '2 added']))
    for (const client of [...clients, freshOwner]) await client.end()
  })
})
