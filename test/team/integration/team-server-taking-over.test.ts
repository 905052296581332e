import { createHash, randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { append, appendJobs, arrives, chainOf, note, refusal, textOf } from '../../world/team/teamServer.ts'
import {
  holder,
  jobOf,
  laptop,
  leaving,
  lost,
  offer,
  one,
  owner,
  reader,
  stranger,
  take,
  takeOver,
  three,
  two,
  useHoldingServer,
  withdraw
} from '../../world/team/holdingServer.ts'

useHoldingServer()

describe('A job on which its holder works', () => {
  let first: Client
  let second: Client
  beforeAll(async () => {
    first = await laptop('Busy', 'Laptop 1')
    second = await laptop('Busy', 'Laptop 2')
    await owner.query("update fitter.team set take_over_after = '10 minutes' where name = 'Busy'")
  })
  const worked = (id: string, agoS: number) =>
    owner.query("update fitter.job set changed_at = now() - $2 * interval '1 second' where id = $1", [id, agoS])

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
    await owner.query(
      "update fitter.laptop set is_lead = true where name = 'Laptop 2' and team_id = (select id from fitter.team where name = 'Busy')"
    )
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
    const moved = (data: object) =>
      textOf(
        chainOf(
          id,
          [
            {
              type: 'movedHere',
              data: {
                id: 'x',
                from: 'Laptop 1',
                at: '2026-11-22T10:00:00.000Z',
                by: '',
                reason: 'It was lost',
                ...data
              }
            }
          ],
          entries[0]
        )[0] as JournalEntry
      )
    const again = (text: string) =>
      second.query('select * from fitter.take_over($1, $2, $3)', [id, 'It was lost', text])
    for (const text of [moved({}), moved({ isTakenOver: true }).replace('"seq":2', '"seq":3'), '{}', 'x'])
      expect(await refusal(again(text)), text).toBe('FT013')
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
      const given =
        give === 'one' ? await refusal(append(second, id, entries)) : (await appendJobs(second, [{ id, entries }]))[0]
      expect(given).toBe(give === 'one' ? 'FT002' : '1 refused FT002')
      expect(await there(id)).toBe(0)
      expect((await appendJobs(first, [{ id, entries }]))[0]).toBe('1 added 2')
      expect(await holder(id)).toBe('Laptop 1')
    }
  })

  it('comes to whoever had taken it over, with a record of that, and the one before is told', async () => {
    const id = randomUUID()
    const moved = {
      type: 'movedHere',
      data: {
        id: 'x',
        from: 'Laptop 1',
        at: '2026-11-22T10:00:00.000Z',
        by: '',
        reason: 'It was lost',
        folder: markOf(folders.mine),
        isTakenOver: true
      }
    }
    const entries = chainOf(id, [created, note('a'), moved, note('b')])
    expect((await appendJobs(second, [{ id, entries }]))[0]).toBe('1 added 4')
    expect(await holder(id)).toBe('Laptop 2')
    expect(await lost(first)).toEqual([{ job_id: id, holder_name: 'Laptop 2', reason: 'It was lost', head_seq: 2 }])
  })

  it("is nobody's when it is given by whoever knows that it was taken over, until the other one comes", async () => {
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
    expect((await lost(one)).find(({ job_id }) => job_id === id)).toEqual({
      job_id: id,
      holder_name: 'Laptop 2',
      reason: 'It fell into the water',
      head_seq: 2
    })
    expect((await lost(two)).find(({ job_id }) => job_id === id)).toBeUndefined()
    expect(await refusal(append(one, id, chainOf(id, [note('c')], entries[1])))).toBe('FT002')
    expect(await append(two, id, chainOf(id, [arrives('x')], entries[1]))).toEqual(['3 added'])
    const { rows } = await owner.query(
      "select count(*)::int as n from fitter.handover where kind = 'takenOver' and jobs -> 0 ->> 'id' = $1",
      [id]
    )
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
    await expect
      .poll(
        async () => (await owner.query('select count(*)::int as n from pg_locks where not granted')).rows[0].n as number
      )
      .toBeGreaterThan(0)
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
    expect(await refusal(append(two, jobOf(file), chainOf(jobOf(file), [arrives(file.id)], file.last[0])))).toBe(
      'FT002'
    )
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
