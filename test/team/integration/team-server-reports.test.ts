import { createHash, randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { sealEntry, startHash, type JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { append, chainOf, holdersAreLost, laptopOf, note, refusal, type Said } from '../../world/team/teamServer.ts'
import { readTeamPicture } from '../../../main/team/reading/openJob.ts'

let server: PostgresServer
let owner: Client
let one: Client
let reader: Client
let foreign: Client
const open: Client[] = []

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
  await raiseSchema(owner)
  await holdersAreLost(owner)
  const laptop = async (team: string, name: string, mayWrite = true) => {
    const client = await laptopOf(server, owner, { team, name, mayWrite })
    open.push(client)
    return client
  }
  one = await laptop('North', 'Laptop 1')
  reader = await laptop('North', 'Reports', false)
  foreign = await laptop('South', 'Laptop 1')
}, 180_000)

afterAll(async () => {
  for (const client of [...open, owner]) await client?.end()
  await server?.remove()
})

interface StepSaid extends Said {
  stepId?: string
}
const ended = (stepId: string, attempt: number, state: string, more: object = {}): StepSaid => ({
  type: 'stepEnded',
  stepId,
  data: {
    attempt,
    state,
    summary: { id: `checks.${stepId}`, values: { satellites: 3 } },
    remedy: null,
    witness: ['device'],
    durationMs: 1500,
    ...more
  }
})
const waived = (stepId: string): StepSaid => ({
  type: 'waived',
  stepId,
  data: { reason: 'Garage roof', by: 'Technician One' }
})
const attached = (sha256: string): StepSaid => ({
  type: 'attached',
  stepId: 'photos',
  data: { sha256, mediaType: 'image/png' }
})

function stepChain(jobId: string, said: readonly StepSaid[], after?: JournalEntry): JournalEntry[] {
  const entries: JournalEntry[] = []
  for (const { type, data, stepId } of said) {
    const last = entries.at(-1) ?? after
    entries.push(
      sealEntry(last?.hash ?? startHash(jobId), {
        seq: (last?.seq ?? 0) + 1,
        at: '2026-11-20T10:00:00.000Z',
        type,
        stepId: stepId ?? null,
        data: data as never
      })
    )
  }
  return entries
}

async function keepPicture(client: Client, text: string): Promise<string> {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('hex')
  await client.query('select fitter.keep_piece($1, $2, $3, 0, $4)', [hash, 'image/png', bytes.length, bytes])
  await client.query('select fitter.close_content($1)', [hash])
  return hash
}

/** A job as if it had been begun in another month, with all that was pushed of it then. */
async function begunIn(jobId: string, month: string): Promise<void> {
  await owner.query('begin')
  await owner.query('select fitter.keep_month($1::date)', [month])
  await owner.query('update fitter.entry set month = $2 where job_id = $1', [jobId, month])
  await owner.query("update fitter.job set month = $2, changed_at = $2::date + interval '5 days' where id = $1", [
    jobId,
    month
  ])
  await owner.query(
    'update fitter.content c set kept_at = $2 where exists (select from fitter.job_content n where n.sha256 = c.sha256 and n.job_id = $1)',
    [jobId, month]
  )
  await owner.query('commit')
}

const count = async (sql: string, values: unknown[] = []) =>
  (await owner.query<{ n: number }>(`select count(*)::int as n from ${sql}`, values)).rows[0]?.n

describe('The views for the tools of the company', () => {
  it('tell jobs, steps and failures as they stand, from what was pushed', async () => {
    const id = randomUUID()
    const entries = stepChain(id, [
      note('a'),
      ended('gnss', 1, 'unreadable'),
      ended('gnss', 2, 'fail'),
      ended('gnss', 3, 'pass'),
      ended('power', 1, 'pass', { isSent: true }),
      ended('ignition', 1, 'waiting'),
      ended('photos', 1, 'fail'),
      waived('photos')
    ])
    const summary = {
      kind: 'installation',
      state: 'done',
      template: 'standard',
      imei: '356307042441013',
      model: 'FMB120',
      customer: 'Customer One',
      technician: 'Technician One',
      shown: {
        id,
        stepsDone: 4,
        stepsTotal: 5,
        isFirstTime: false,
        endedAt: '2026-11-20T11:00:00.000Z',
        counts: { waived: 1, fail: 0 }
      }
    }
    await append(one, id, entries.slice(0, 3), { ...summary, state: 'running' })
    await append(one, id, entries, summary)
    await append(one, id, entries, summary)
    const steps = await reader.query(
      'select step, state, only_sent, attempts, failed_attempts, first_state, reason, reason_values, waived_because, duration_ms::int, customer from fitter.steps where job = $1 order by step',
      [id]
    )
    const common = {
      only_sent: false,
      waived_because: null,
      duration_ms: 1500,
      reason_values: { satellites: 3 },
      customer: 'Customer One'
    }
    expect(steps.rows).toEqual([
      {
        ...common,
        step: 'gnss',
        state: 'pass',
        attempts: 3,
        failed_attempts: 2,
        first_state: 'unreadable',
        reason: 'checks.gnss'
      },
      {
        ...common,
        step: 'ignition',
        state: 'waiting',
        attempts: 1,
        failed_attempts: 0,
        first_state: null,
        reason: 'checks.ignition'
      },
      {
        ...common,
        step: 'photos',
        state: 'waived',
        attempts: 1,
        failed_attempts: 1,
        first_state: 'fail',
        reason: 'checks.photos',
        waived_because: 'Garage roof'
      },
      {
        ...common,
        step: 'power',
        state: 'pass',
        only_sent: true,
        attempts: 1,
        failed_attempts: 0,
        first_state: 'pass',
        reason: 'checks.power'
      }
    ])
    const failures = await reader.query(
      'select entry::int, step, attempt, state, reason, model from fitter.failures where job = $1 order by entry',
      [id]
    )
    expect(failures.rows).toEqual([
      { entry: 2, step: 'gnss', attempt: 1, state: 'unreadable', reason: 'checks.gnss', model: 'FMB120' },
      { entry: 3, step: 'gnss', attempt: 2, state: 'fail', reason: 'checks.gnss', model: 'FMB120' },
      { entry: 7, step: 'photos', attempt: 1, state: 'fail', reason: 'checks.photos', model: 'FMB120' }
    ])
    const jobs = await reader.query(
      'select team, kind, state, holder, technician, steps_done, steps_total, steps_skipped, entries::int, passed_first_time, held_by_law from fitter.jobs where job = $1',
      [id]
    )
    expect(jobs.rows).toEqual([
      {
        team: 'North',
        kind: 'installation',
        state: 'done',
        holder: 'Laptop 1',
        technician: 'Technician One',
        steps_done: 4,
        steps_total: 5,
        steps_skipped: 1,
        entries: 8,
        passed_first_time: false,
        held_by_law: false
      }
    ])
    const better = randomUUID()
    await append(one, better, chainOf(better, [note('a')]), {
      ...summary,
      shown: { ...summary.shown, id: better, isFirstTime: true }
    })
    const pass = await reader.query(
      "select to_char(day, 'YYYY-MM-DD') as day, technician, jobs::int, passed_first_time::int, percent::float from fitter.first_time_pass"
    )
    expect(pass.rows).toEqual([
      { day: '2026-11-20', technician: 'Technician One', jobs: 2, passed_first_time: 1, percent: 50 }
    ])
  })

  it('show each team its own, and the owner all of them', async () => {
    const id = randomUUID()
    await append(foreign, id, stepChain(id, [ended('gnss', 1, 'fail')]), {
      state: 'done',
      shown: { isFirstTime: true }
    })
    for (const view of ['jobs', 'steps', 'first_time_pass', 'failures']) {
      const teams = async (client: Client) =>
        (await client.query<{ team: string }>(`select distinct team from fitter.${view} order by team`)).rows.map(
          ({ team }) => team
        )
      expect([view, await teams(reader), await teams(foreign), await teams(owner)]).toEqual([
        view,
        ['North'],
        ['South'],
        ['North', 'South']
      ])
    }
  })

  it('leave out what is not in the form that is agreed, and the entry is kept all the same', async () => {
    const id = randomUUID()
    const odd: StepSaid[] = [
      ended('a', -1, 'x'.repeat(500), { durationMs: 'never' }),
      { type: 'stepEnded', stepId: 'b', data: 'text' },
      {
        type: 'stepEnded',
        stepId: 'c',
        data: { state: 'fail', attempt: 1e300, summary: { id: 'x\u0000', values: { at: 'y'.repeat(10_000) } } }
      },
      { type: 'waived', data: {} },
      { type: 'attached', data: { sha256: '../../x' } }
    ]
    expect(await append(one, id, stepChain(id, odd))).toHaveLength(5)
    const { rows } = await reader.query('select step, attempts, state from fitter.steps where job = $1 order by step', [
      id
    ])
    expect(rows).toEqual([
      { step: 'a', attempts: 0, state: 'x'.repeat(20) },
      { step: 'c', attempts: 0, state: 'fail' }
    ])
  })
})

describe('Keeping, and no longer keeping', () => {
  it('drops photos alone: the jobs stay whole, what another job names stays, and nobody sends them again', async () => {
    const [old, held, later] = [randomUUID(), randomUUID(), randomUUID()]
    const [own, shared, theirs] = [
      await keepPicture(one, 'photo of the old'),
      await keepPicture(one, 'photo of both'),
      await keepPicture(one, 'photo of the held')
    ]
    for (const [id, pictures] of [
      [old, [own, shared]],
      [held, [theirs]],
      [later, [shared]]
    ] as const)
      await append(one, id, stepChain(id, [note('a'), ...pictures.map(attached)]), { words: ' customer ' })
    for (const id of [old, held]) await begunIn(id, '2020-03-01')
    await owner.query("update fitter.job set changed_at = '2020-03-20' where id = any($1)", [[old, held]])
    await owner.query('select fitter.set_hold($1, $2, true, $3)', ['North', held, 'A court has asked for it'])
    const told = { jobs: '1', entries: '0', contents: '1', held_by_law: '1', still_used: '0' }
    expect((await owner.query("select * from fitter.drop_photos_before('2020-04-01', true)")).rows[0]).toMatchObject(
      told
    )
    expect(
      (await owner.query("select * from fitter.drop_photos_before('2020-04-01', false, 'South')")).rows[0]
    ).toMatchObject({ contents: '0' })
    expect(await count('fitter.content where sha256 = $1', [own])).toBe(1)
    expect(
      (await owner.query("select * from fitter.drop_photos_before('2020-04-01', false, 'North')")).rows[0]
    ).toMatchObject(told)
    expect(
      (await owner.query("select * from fitter.drop_photos_before('2020-04-01', false, 'North')")).rows[0]
    ).toMatchObject({ contents: '0' })
    expect(
      (
        await owner.query('select sha256 from fitter.content where sha256 = any($1) order by sha256', [
          [own, shared, theirs]
        ])
      ).rows.map(({ sha256 }) => sha256 as string)
    ).toEqual([shared, theirs].sort())
    expect(await count('fitter.piece where sha256 = $1', [own])).toBe(0)
    expect(await count('fitter.entry where job_id = $1', [old])).toBe(3)
    expect((await one.query('select fitter.missing($1) as missing', [[own, '0'.repeat(64)]])).rows).toEqual([
      { missing: '0'.repeat(64) }
    ])
    expect((await reader.query('select sha256 from fitter.dropped_photo')).rows).toEqual([{ sha256: own }])
    const asked = await readTeamPicture(reader, own).catch((error: unknown) => error)
    expect(asked).toMatchObject({ code: 'NOT_FOUND', sentence: { id: 'team.photoDropped' } })
    expect(await refusal(one.query("select * from fitter.drop_photos_before('2020-04-01')"))).toBe('42501')
    await owner.query('select fitter.set_hold($1, $2, false, $3)', ['North', held, 'The court is done'])
    await owner.query("select * from fitter.drop_before('2020-04-01')")
    for (const table of ['retention', 'dropped']) await owner.query(`delete from fitter.${table}`)
  })

  it('drops whole months but for what the law holds and what went on since, with the pictures that nothing else names', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const
    const [old, held, goesOn] = ids
    const [own, shared, theirs] = [
      await keepPicture(one, 'own'),
      await keepPicture(one, 'shared'),
      await keepPicture(one, 'of the one that is held')
    ]
    const logs = new Map<string, JournalEntry[]>()
    for (const [id, pictures] of [
      [old, [own, shared]],
      [held, [theirs, shared]],
      [goesOn, []]
    ] as const) {
      const entries = stepChain(id, [note('a'), ended('gnss', 1, 'fail'), ...pictures.map(attached)])
      logs.set(id, entries)
      await append(one, id, entries, { words: ` customer${id.slice(0, 4)} ` })
      await begunIn(id, '2021-03-01')
    }
    await append(one, old, stepChain(old, [note('other')]))
    await owner.query('select fitter.set_hold($1, $2, true, $3)', ['North', held, 'A court has asked for it'])
    const last = logs.get(goesOn)?.at(-1) as JournalEntry
    // Begun in another month, it goes on where it is.
    expect(await append(one, goesOn, stepChain(goesOn, [note('b')], last))).toEqual([`${String(last.seq + 1)} added`])
    expect(await count("fitter.entry where job_id = $1 and month = '2021-03-01'", [goesOn])).toBe(last.seq + 1)

    const told = { jobs: '1', entries: '4', contents: '1', held_by_law: '1', still_used: '1' }
    expect((await owner.query("select * from fitter.drop_before('2021-04-01', true)")).rows[0]).toMatchObject(told)
    // Of another team nothing goes.
    expect((await owner.query("select * from fitter.drop_before('2021-04-01', false, 'South')")).rows[0]).toMatchObject(
      { jobs: '0', contents: '0', held_by_law: '0' }
    )
    expect(await count('fitter.job where id = any($1)', [ids])).toBe(3)
    expect((await owner.query("select * from fitter.drop_before('2021-04-01')")).rows[0]).toMatchObject(told)
    expect((await owner.query("select * from fitter.drop_before('2021-04-01')")).rows[0]).toMatchObject({
      jobs: '0',
      contents: '0'
    })
    for (const table of ['job', 'entry', 'fork', 'step', 'failure', 'job_content'])
      expect([table, await count(`fitter.${table} where ${table === 'job' ? 'id' : 'job_id'} = $1`, [old])]).toEqual([
        table,
        0
      ])
    for (const id of [held, goesOn])
      expect(
        (
          await owner.query(
            'select count(*)::int as n, max(e.seq)::int as last from fitter.entry e where job_id = $1',
            [id]
          )
        ).rows[0].n
      ).toBeGreaterThan(2)
    expect(
      (
        await owner.query('select sha256 from fitter.content where sha256 = any($1) order by sha256', [
          [own, shared, theirs]
        ])
      ).rows.map(({ sha256 }) => sha256 as string)
    ).toEqual([shared, theirs].sort())
    expect(await count('fitter.piece where sha256 = $1', [own])).toBe(0)

    // Its laptop is told that it is there, and that nothing more of it is kept.
    const log = logs.get(old) as JournalEntry[]
    expect((await append(one, old, log)).at(-1)).toBe('4 known')
    expect(await refusal(append(one, old, stepChain(old, [note('b')], log.at(-1))))).toBe('FT011')
    expect((await reader.query('select id from fitter.dropped')).rows).toEqual([{ id: old }])

    await owner.query('select fitter.set_hold($1, $2, false, $3)', ['North', held, 'The court is done'])
    await owner.query("update fitter.job set changed_at = '2021-03-20' where id = any($1)", [[held, goesOn]])
    expect((await owner.query("select * from fitter.drop_before('2021-04-01')")).rows[0]).toMatchObject({ jobs: '2' })
    // Nothing stays of that month: it went whole.
    expect((await owner.query("select to_regclass('fitter.entry_202103') as there")).rows).toEqual([{ there: null }])
    const { rows } = await owner.query(
      "select what, by_role, job_id, reason, jobs::int from fitter.retention where what <> 'dropped' or jobs > 0 order by number"
    )
    expect(rows).toEqual([
      { what: 'heldByLaw', by_role: 'owner', job_id: held, reason: 'A court has asked for it', jobs: null },
      { what: 'dropped', by_role: 'owner', job_id: null, reason: '', jobs: 1 },
      { what: 'noLongerHeld', by_role: 'owner', job_id: held, reason: 'The court is done', jobs: null },
      { what: 'dropped', by_role: 'owner', job_id: null, reason: '', jobs: 2 }
    ])
  })

  it('keeps who handed over and who took over, for ever', async () => {
    const id = randomUUID()
    await append(one, id, chainOf(id, [note('a')]))
    const second = await laptopOf(server, owner, { team: 'North', name: 'Laptop 2' })
    open.push(second)
    await second.query('select * from fitter.take_over($1, $2)', [id, 'It fell into the water'])
    await begunIn(id, '2020-01-01')
    await owner.query("select * from fitter.drop_before('2020-02-01')")
    expect(await count('fitter.job where id = $1', [id])).toBe(0)
    expect(
      await count("fitter.handover where jobs -> 0 ->> 'id' = $1 and reason = 'It fell into the water'", [id])
    ).toBe(1)
  })

  it('is for the owner alone, for months that are over, and with a reason', async () => {
    for (const client of [one, reader, foreign]) {
      expect(await refusal(client.query("select * from fitter.drop_before('2021-04-01')"))).toBe('42501')
      expect(await refusal(client.query("select fitter.set_hold('North', 'x', true, 'because')"))).toBe('42501')
      expect(await refusal(client.query('select * from fitter.retention'))).toBe('42501')
    }
    expect(await refusal(owner.query("select * from fitter.drop_before('2021-04-02')"))).toBe('FT006')
    expect(await refusal(owner.query("select * from fitter.drop_before('2999-01-01')"))).toBe('FT006')
    expect(await refusal(owner.query("select fitter.set_hold('North', 'x', true, 'because')"))).toBe('FT009')
    expect(await refusal(owner.query("select fitter.set_hold('North', 'x', true, ' ')"))).toBe('FT006')
  })
})
