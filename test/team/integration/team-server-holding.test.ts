import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { append, arrives, chainOf, invited, leaves, note, refusal } from '../../world/team/teamServer.ts'
import {
  content,
  holder,
  jobOf,
  laptop,
  leaving,
  offer,
  offers,
  one,
  oneMore,
  owner,
  reader,
  server,
  stranger,
  take,
  takeOver,
  three,
  threeMore,
  two,
  twoMore,
  useHoldingServer,
  withdraw
} from '../../world/team/holdingServer.ts'

useHoldingServer()

describe('A job that is offered', () => {
  it('belongs to nobody until one takes it, and then to that one', async () => {
    const given = await leaving(one, 2)
    await offer(one, given, 'Laptop 2')
    expect(await offers(two)).toContainEqual({
      id: given.id,
      from_name: 'Laptop 1',
      to_name: 'Laptop 2',
      state: 'open',
      taken_by_name: ''
    })
    expect((await offers(one)).find(({ id }) => id === given.id)).toMatchObject({ state: 'mine' })
    expect((await offers(three)).find(({ id }) => id === given.id)).toBeUndefined()
    expect((await offers(reader)).find(({ id }) => id === given.id)).toBeUndefined()
    expect(await holder(jobOf(given))).toBeNull()
    expect(await take(two, given)).toMatchObject({ state: 'taken', taken_by_name: 'Laptop 2', is_taken_by_me: true })
    // A lost answer is asked for again.
    expect(await take(two, given)).toMatchObject({ state: 'taken', is_taken_by_me: true })
    expect(
      await append(two, jobOf(given), chainOf(jobOf(given), [arrives(given.id), note('b')], given.last[0]), {
        customer: 'Customer One'
      })
    ).toEqual(['3 added', '4 added'])
    expect((await offers(one)).find(({ id }) => id === given.id)).toMatchObject({
      state: 'taken',
      taken_by_name: 'Laptop 2'
    })
  })

  it('is offered once, however often it is asked', async () => {
    const given = await leaving(one)
    await Promise.all([offer(one, given), offer(oneMore, given)])
    await offer(one, given)
    expect(
      (await owner.query('select count(*)::int as n from fitter.handover where id = $1', [given.id])).rows
    ).toEqual([{ n: 1 }])
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
    expect(await refusal(append(one, jobOf(given), chainOf(jobOf(given), [arrives(given.id)], given.last[0])))).toBe(
      'FT002'
    )
    expect(await withdraw(one, given)).toBe(true)
    expect(await withdraw(one, given)).toBe(true)
    expect(await append(one, jobOf(given), given.last)).toEqual(['2 known'])
    expect(await holder(jobOf(given))).toBe('Laptop 1')
    expect(await refusal(offer(one, given))).toBe('FT008')
    expect(await append(one, jobOf(given), chainOf(jobOf(given), [arrives(given.id)], given.last[0]))).toEqual([
      '3 added'
    ])
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
    expect(
      await refusal(offer(one, { ...given, jobs: given.jobs.map((job) => ({ ...job, hash: 'a'.repeat(64) })) }))
    ).toBe('FT002')
    expect(await refusal(offer(two, { ...given, work: await content(two) }))).toBe('FT002')
    expect(await refusal(offer(one, { ...given, jobs: [...given.jobs, ...given.jobs] }))).toBe('FT006')
    expect(
      (await owner.query('select count(*)::int as n from fitter.job where offered_in = $1', [given.id])).rows
    ).toEqual([{ n: 0 }])
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
      const outcomes = await Promise.all(
        [two, three].map((client, n) =>
          append(client, jobOf(given), chainOf(jobOf(given), [arrives(given.id), note(n)], given.last[0]))
        )
      )
      expect(outcomes.map((all) => all.at(-1)).sort()).toEqual(['4 added', '4 fork'])
    }
  })

  it('goes on with nothing but its arrival', async () => {
    const given = await leaving(one)
    expect(await refusal(append(two, jobOf(given), chainOf(jobOf(given), [note('b')], given.last[0])))).toBe('FT002')
    expect(
      await refusal(append(two, jobOf(given), chainOf(jobOf(given), [arrives(randomUUID())], given.last[0])))
    ).toBe('FT002')
    expect(
      await refusal(append(two, jobOf(given), chainOf(jobOf(given), [{ type: 'movedHere', data: 'x' }], given.last[0])))
    ).toBe('FT002')
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
        ...given.jobs.map(({ id }, n) =>
          refusal(append(takers[(n + 1) % 3] as Client, id, chainOf(id, [arrives(given.id), note(n)], given.last[n])))
        )
      ])
      expect(outcomes.filter((state) => state !== undefined && !/^FT00[2489]$/.test(state))).toEqual([])
      for (const { id } of given.jobs) {
        const { rows } = await owner.query(
          'select count(*)::int as n, max(e.seq)::int as last, (select head_seq::int from fitter.job where id = $1) as head from fitter.entry e where job_id = $1',
          [id]
        )
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
    expect((await found.query('select job_id, reason from fitter.lost()')).rows).toEqual([
      { job_id: id, reason: 'It was stolen' }
    ])
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
        const login = await invited({ ...server, owner: fresh }, freshOwner, {
          team: 'North',
          name: `Laptop ${String(n)}`
        })
        return server.connect(login)
      })
    )
    await clients[0]?.query('begin; select * from fitter.entry')
    const outcomes = await Promise.all(
      clients.slice(1).map((client) => {
        const id = randomUUID()
        return append(client, id, chainOf(id, [note('a'), note('b')]))
      })
    )
    expect(outcomes).toEqual(outcomes.map(() => ['1 added', '2 added']))
    for (const client of [...clients, freshOwner]) await client.end()
  })
})
