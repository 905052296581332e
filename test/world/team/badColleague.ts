import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { jobIdOf } from '../../../main/data/store/jobs/jobId.ts'
import type { PostgresServer } from './postgres/postgresServer.ts'
import {
  append,
  appendJobs,
  arrives,
  chainOf,
  invited,
  leaves,
  note,
  refusal,
  textOf,
  type Said
} from './teamServer.ts'

const pieceBytes = 262_144
const words = ['schneider', 'lindqvist', 'kr4278x', 'vollmer']
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

interface GoodJob {
  id: string
  log: JournalEntry[]
  /** How many entries are there. */
  pushed: number
  word: string
  holder: number
  offer: string | null
}

interface GoodPicture {
  bytes: Buffer
  hash: string
  kind: string
  /** How many pieces each laptop has given, and whether it closed it. */
  given: Map<number, number>
  isWhole: boolean
}

interface GoodPrepared {
  id: string
  maker: number
  to: number
  state: 'open' | 'begun' | 'withdrawn'
}

/**
 * A team of three laptops and one that means no good. Each step is a number: what is done is drawn from it, so that a
 * sequence can be played again. Whatever the bad one calls and however long its transactions stay open, what the three
 * do succeeds at once.
 */
export async function playBadColleague(
  server: PostgresServer,
  owner: Client,
  steps: readonly number[]
): Promise<string[]> {
  const team = `Team ${randomUUID()}`
  const names = ['Laptop 1', 'Laptop 2', 'Laptop 3']
  const good: Client[] = []
  for (const name of names) good.push(await server.connect(await invited(server, owner, { team, name })))
  const login = await invited(server, owner, { team, name: 'Laptop 4' })
  const bad = [await server.connect(login), await server.connect(login)]
  const isOpen = bad.map(() => false)
  const jobs: GoodJob[] = []
  const pictures: GoodPicture[] = []
  const prepared: GoodPrepared[] = []
  const harms: string[] = []
  const story: string[] = []
  let draw = (): number => 0
  const pick = <T>(from: readonly T[]): T | undefined => from[draw() % Math.max(1, from.length)]
  const client = (at: number): Client => good[at] as Client
  for (const one of good) await one.query("set lock_timeout = '1s'")
  // A login may lift what ends its transactions.
  for (const one of bad) await one.query("set lock_timeout = '300ms'; set idle_in_transaction_session_timeout = 0")

  function begin(at: number, more: object = {}): GoodJob {
    const first: Said = { type: 'jobCreated', data: { nonce: randomUUID(), ...more } }
    const [{ hash: _, ...entry }] = chainOf('', [first]) as [JournalEntry]
    const id = jobIdOf(entry)
    const job = {
      id,
      log: chainOf(id, [first, note('a')]),
      pushed: 0,
      word: pick(words) ?? '',
      holder: at,
      offer: null
    }
    jobs.push(job)
    return job
  }

  async function push(job: GoodJob): Promise<void> {
    if (job.offer !== null || job.pushed === job.log.length) return
    const outcome = await appendJobs(client(job.holder), [
      { id: job.id, entries: job.log.slice(job.pushed), summary: { customer: job.word, words: ` ${job.word} ` } }
    ])
    if (outcome[0] !== `1 added ${String(job.log.length)}`) throw new Error(outcome[0])
    job.pushed = job.log.length
  }

  const goodSteps: Record<string, (at: number) => Promise<unknown>> = {
    'starts a job': async (at) => void begin(at),
    pushes: async () => {
      const job = pick(jobs)
      if (job) await push(job)
    },
    'goes on': async () => {
      const job = pick(jobs.filter(({ offer }) => offer === null))
      if (!job) return
      job.log.push(...chainOf(job.id, [note(randomUUID())], job.log.at(-1)))
      await push(job)
    },
    'gives a piece': async (at) => {
      if (pictures.length < 3) {
        const isJson = draw() % 2 === 0
        const bytes = isJson
          ? Buffer.from(`{"of":"${randomBytes(150_000).toString('hex')}"}`)
          : Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(300_000)])
        pictures.push({
          bytes,
          hash: hashOf(bytes),
          kind: isJson ? 'application/json' : 'image/jpeg',
          given: new Map(),
          isWhole: false
        })
      }
      const one = pick(pictures)
      if (!one) return
      const given = one.given.get(at) ?? 0
      if (given * pieceBytes < one.bytes.length) {
        await client(at).query('select fitter.keep_piece($1, $2, $3, $4, $5)', [
          one.hash,
          one.kind,
          one.bytes.length,
          given,
          one.bytes.subarray(given * pieceBytes, (given + 1) * pieceBytes)
        ])
        one.given.set(at, given + 1)
      } else {
        const { rows } = await client(at).query<{ whole: boolean }>('select fitter.close_content($1) as whole', [
          one.hash
        ])
        if (rows[0]?.whole !== true) throw new Error('It is not whole')
        one.isWhole = true
      }
    },
    prepares: async (at) => {
      const id = randomUUID()
      const to = draw() % names.length
      await client(at).query('select fitter.assign($1)', [JSON.stringify({ id, to: names[to], what: { vehicle: id } })])
      prepared.push({ id, maker: at, to, state: 'open' })
    },
    'begins a prepared one': async () => {
      const one = pick(prepared.filter(({ state }) => state === 'open'))
      if (!one) return
      const job = begin(one.to, { prepared: { id: one.id } })
      await push(job)
      const { rows } = await client(one.to).query<{ outcome: string }>(
        'select outcome from fitter.begin_assignment($1, $2)',
        [one.id, job.id]
      )
      if (rows[0]?.outcome !== 'begun') throw new Error(`It is ${String(rows[0]?.outcome)}`)
      one.state = 'begun'
    },
    'withdraws a prepared one': async () => {
      const one = pick(prepared.filter(({ state }) => state === 'open'))
      if (!one) return
      const { rows } = await client(one.maker).query<{ outcome: string }>(
        'select outcome from fitter.withdraw_assignment($1)',
        [one.id]
      )
      if (rows[0]?.outcome !== 'withdrawn') throw new Error(`It is ${String(rows[0]?.outcome)}`)
      one.state = 'withdrawn'
    },
    'hands over': async () => {
      const job = pick(jobs.filter(({ offer, pushed }) => offer === null && pushed > 0))
      if (!job) return
      await push(job)
      const id = randomUUID()
      const work = Buffer.from(`{"of":"${id}"}`)
      const own = client(job.holder)
      const [end] = chainOf(job.id, [leaves(id)], job.log.at(-1)) as [JournalEntry]
      await own.query('select fitter.keep_piece($1, $2, $3, 0, $4)', [
        hashOf(work),
        'application/json',
        work.length,
        work
      ])
      await own.query('select fitter.close_content($1)', [hashOf(work)])
      await append(own, job.id, [end], { customer: job.word, words: ` ${job.word} ` })
      await own.query('select fitter.offer($1, $2, $3, $4)', [
        id,
        names[(job.holder + 1) % names.length],
        JSON.stringify([{ id: job.id, seq: end.seq, hash: end.hash }]),
        hashOf(work)
      ])
      job.log.push(end)
      Object.assign(job, { offer: id, pushed: job.log.length })
    },
    takes: async () => {
      const job = pick(jobs.filter(({ offer }) => offer !== null))
      if (!job?.offer) return
      const to = (job.holder + 1) % names.length
      await client(to).query('select fitter.take_offer($1)', [job.offer])
      job.log.push(...chainOf(job.id, [arrives(job.offer)], job.log.at(-1)))
      Object.assign(job, { holder: to, offer: null })
      await push(job)
    }
  }

  const anyJob = () => pick(jobs)?.id ?? randomUUID()
  const anyHash = () => pick(pictures)?.hash ?? 'a'.repeat(64)
  const anyPrepared = () => pick(prepared)?.id ?? randomUUID()
  const anyOffer = () => pick(jobs.filter(({ offer }) => offer !== null))?.offer ?? randomUUID()
  const badSteps: Record<string, (own: Client) => Promise<unknown>> = {
    'closes a content': (own) => own.query('select fitter.close_content($1)', [anyHash()]),
    'gives a piece of a content': (own) => {
      const one = pick(pictures)
      const number = draw() % 2
      const piece =
        draw() % 2 === 0
          ? randomBytes(10)
          : (one?.bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes) ?? randomBytes(10))
      return own.query('select fitter.keep_piece($1, $2, $3, $4, $5)', [
        anyHash(),
        pick(['image/png', 'image/jpeg', 'application/json']),
        one?.bytes.length ?? 10,
        number,
        piece
      ])
    },
    'gives a whole content under another kind': async (own) => {
      const one = pick(pictures)
      if (!one) return
      for (let number = 0; number * pieceBytes < one.bytes.length; number++)
        await own.query('select fitter.keep_piece($1, $2, $3, $4, $5)', [
          one.hash,
          'image/png',
          one.bytes.length,
          number,
          one.bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes)
        ])
      await own.query('select fitter.close_content($1)', [one.hash])
    },
    'pushes another log under an id': (own) => {
      const id = anyJob()
      return append(own, id, chainOf(id, [{ type: 'jobCreated', data: { nonce: randomUUID() } }]))
    },
    'pushes many such logs': (own) =>
      appendJobs(
        own,
        [anyJob(), anyJob(), randomUUID()].map((id) => ({
          id,
          entries: chainOf(id, [note('b')]),
          summary: { words: ` ${words.join(' ')} ` }
        }))
      ),
    'pushes what is there': (own) => {
      const job = pick(jobs.filter(({ pushed }) => pushed > 0))
      return job
        ? append(own, job.id, job.log.slice(0, job.pushed), { customer: 'forged', words: ' forged ' })
        : Promise.resolve()
    },
    'goes on with a log': (own) => {
      const job = pick(jobs.filter(({ pushed }) => pushed > 0))
      return job
        ? append(
            own,
            job.id,
            chainOf(
              job.id,
              [draw() % 2 === 0 ? note('b') : arrives(job.offer ?? randomUUID())],
              job.log[job.pushed - 1]
            )
          )
        : Promise.resolve()
    },
    'stores a fork': (own) => {
      const job = pick(jobs.filter(({ pushed }) => pushed > 1))
      const other = job ? chainOf(job.id, [note(randomUUID())], job.log[0]) : []
      return job
        ? own.query('select fitter.keep_fork($1, $2, $3)', [job.id, other.map(textOf), other.map(({ hash }) => hash)])
        : Promise.resolve()
    },
    'pushes new words': (own) => {
      const id = randomUUID()
      return appendJobs(own, [
        {
          id,
          entries: chainOf(id, [note('b')]),
          summary: { customer: words[0], words: ` ${words.join(' ')} ${randomUUID().slice(0, 8)} ` }
        }
      ])
    },
    prepares: (own) =>
      own.query('select fitter.assign($1)', [
        JSON.stringify({
          id: draw() % 2 === 0 ? anyPrepared() : randomUUID(),
          to: draw() % 2 === 0 ? '' : names[0],
          dueAt: '2001-01-01T00:00:00.000Z',
          what: {}
        })
      ]),
    'begins a prepared job': (own) =>
      own.query('select * from fitter.begin_assignment($1, $2)', [anyPrepared(), anyJob()]),
    'withdraws a prepared job': (own) => own.query('select * from fitter.withdraw_assignment($1)', [anyPrepared()]),
    'takes what is offered': (own) => own.query('select * from fitter.take_offer($1)', [anyOffer()]),
    'withdraws what is offered': (own) => own.query('select fitter.withdraw_offer($1)', [anyOffer()]),
    'offers a job': (own) => {
      const job = pick(jobs.filter(({ pushed }) => pushed > 0))
      const end = job?.log[job.pushed - 1]
      return own.query("select fitter.offer($1, '', $2, $3)", [
        draw() % 2 === 0 ? anyOffer() : randomUUID(),
        JSON.stringify([{ id: job?.id ?? 'x', seq: end?.seq ?? 1, hash: end?.hash ?? 'x' }]),
        anyHash()
      ])
    },
    'takes a job over': (own) => own.query("select * from fitter.take_over($1, 'Nobody answers')", [anyJob()]),
    reads: (own) => own.query('select * from fitter.entry e, fitter.content c, fitter.assignment a')
  }

  /** In an open transaction a refused call ends only itself. */
  async function doBad(at: number, what: string): Promise<void> {
    const own = bad[at] as Client
    const act = badSteps[what]
    if (!act) return
    if (isOpen[at]) await own.query('savepoint before')
    const state = await refusal(act(own))
    if (isOpen[at] && state !== undefined) await own.query('rollback to savepoint before')
    story.push(`bad ${String(at)} ${what}: ${state ?? 'done'}`)
  }

  async function doGood(at: number, what: string): Promise<void> {
    try {
      await goodSteps[what]?.(at)
      story.push(`${names[at] ?? ''} ${what}`)
    } catch (error) {
      harms.push(`${names[at] ?? ''} ${what}: ${String(error)} ${(error as { where?: string }).where ?? ''}`)
    }
  }

  for (const step of steps) {
    let rest = step
    draw = () => {
      rest = Number((BigInt(rest) * 2_862_933_555_777_941_757n + 3_037_000_493n) % 4_294_967_291n)
      return (rest >> 3) & 0xff_ffff
    }
    if (draw() % 2 === 0) await doGood(draw() % good.length, pick(Object.keys(goodSteps)) ?? '')
    else {
      const at = draw() % bad.length
      if (draw() % 4 === 0) {
        // Its two connections may wait for each other: then nothing of it is there.
        await refusal((bad[at] as Client).query(isOpen[at] ? (draw() % 2 === 0 ? 'commit' : 'rollback') : 'begin'))
        isOpen[at] = !isOpen[at]
      } else await doBad(at, pick(Object.keys(badSteps)) ?? '')
    }
    if (harms.length > 0) break
  }
  for (const one of bad) await refusal(one.query('commit'))
  if (harms.length === 0) harms.push(...(await look()))
  for (const one of [...good, ...bad]) await one.end()
  return harms.length > 0 ? [...story, ...harms] : []

  /** All that the three gave is there, as they gave it. */
  async function look(): Promise<string[]> {
    const found: string[] = []
    const pushed = jobs.filter((job) => job.pushed > 0)
    for (const { id, log, pushed: count, holder, offer } of pushed) {
      const { rows } = await client(0).query<{ hash: string }>(
        'select hash from fitter.entry where job_id = $1 order by seq',
        [id]
      )
      if (JSON.stringify(rows.map(({ hash }) => hash)) !== JSON.stringify(log.slice(0, count).map(({ hash }) => hash)))
        found.push(`The log of ${id} is another one`)
      const {
        rows: [row]
      } = await client(0).query<{ name: string | null }>(
        'select l.name from fitter.job j left join fitter.laptop l on l.id = j.holder where j.id = $1',
        [id]
      )
      if ((row?.name ?? null) !== (offer === null ? names[holder] : null))
        found.push(`${id} is held by ${String(row?.name)}`)
    }
    for (const { hash, bytes, kind, isWhole } of pictures) {
      if (!isWhole) continue
      const { rows } = await client(1).query<{ media_type: string; size_bytes: string }>(
        'select media_type, size_bytes from fitter.content where sha256 = $1',
        [hash]
      )
      const pieces = await client(1).query<{ bytes: Buffer }>(
        'select bytes from fitter.piece where sha256 = $1 order by number',
        [hash]
      )
      if (
        rows.length !== 1 ||
        rows[0]?.media_type !== kind ||
        Number(rows[0].size_bytes) !== bytes.length ||
        !Buffer.concat(pieces.rows.map((row) => row.bytes)).equals(bytes)
      )
        found.push(`The content ${hash} is not as it was given: ${JSON.stringify(rows)}`)
    }
    for (const { id, state } of prepared) {
      const {
        rows: [row]
      } = await client(2).query<{ state: string }>(
        "select case when begun_at is not null then 'begun' when withdrawn_at is not null then 'withdrawn' else 'open' end as state from fitter.assignment where id = $1",
        [id]
      )
      if (row?.state !== state) found.push(`What was prepared is ${String(row?.state)}, not ${state}`)
    }
    for (const word of words) {
      const { rows } = await client(0).query<{ id: string }>('select id from fitter.list_jobs($1, 1000)', [
        JSON.stringify({ words: [word], nearly: true })
      ])
      const missing = pushed.filter((job) => job.word === word && !rows.some(({ id }) => id === job.id))
      if (missing.length > 0) found.push(`${String(missing.length)} jobs are not found by ${word}`)
    }
    return found
  }
}
