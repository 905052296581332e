import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { OperationKind } from '../../../main/gateway/waitingWork/kind.ts'
import { restoreData } from '../../../main/data/store/backups/copies.ts'
import { verifyChain } from '../../../main/data/store/jobs/seal.ts'
import { makeReport, sourceOfCopy, type CopiedJob } from '../../../main/job/reports/jobReport.ts'
import { createTeamReport } from '../../../main/team/reading/report.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { invitation, joinedLaptop, openTeamLaptop, type TeamLaptop } from '../../world/team/teamLaptop.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { holdersAreLost } from '../../world/team/teamServer.ts'

let server: PostgresServer
const signal = new AbortController().signal
let teams = 0

beforeAll(async () => {
  server = await startPostgres()
  const owner = await server.connect()
  await raiseSchema(owner)
  await holdersAreLost(owner)
  await owner.end()
}, 180_000)
afterAll(() => server?.remove())

const silent: OperationKind = {
  kind: 'scripted',
  payload: z.object({ name: z.string() }),
  title: (payload) => plainMessage(String((payload as { name?: string }).name)),
  resendWhenAbsent: true,
  maxAttempts: 3,
  send: () => Promise.reject(new Error('Nothing may be sent')),
  look: () => Promise.resolve({ seen: 'absent', what: plainMessage('It is not there.'), raw: null })
}
const addWork = ({ operations }: TeamLaptop, jobId: string, name: string) =>
  operations.add({
    kind: 'scripted',
    key: `vehicle:${name}`,
    title: plainMessage(name),
    payload: { name },
    jobId,
    draft: false
  }).id
const stateOf = ({ operations }: TeamLaptop, id: string) => operations.get(id)?.state
const hashes = ({ store }: TeamLaptop, job: string) => store.jobs.journal(job).map(({ hash }) => hash)
const sentence = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as { sentence?: { id: string } }).sentence?.id ?? error
  )
function write({ store, jobs }: TeamLaptop, job: string, customers: readonly string[]): void {
  store.jobs.append(
    job,
    customers.map((customer) => ({
      type: 'namesGiven',
      stepId: null,
      data: { technician: 'Technician One', customer },
      at: '2026-03-01T10:00:00.000Z'
    })),
    () => store.teamPush.summary(job) as never
  )
  jobs.reread(job)
}
async function asked(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const owner = await server.connect()
  const { rows } = await owner.query<Record<string, unknown>>(sql, values)
  await owner.end()
  return rows
}

/** A job on two laptops from one backup; Laptop 1 has it in the team log. */
async function twins(): Promise<{
  one: TeamLaptop
  two: TeamLaptop & { folder: string; joining: Awaited<ReturnType<typeof invitation>> }
  job: string
  common: string
}> {
  const team = `Team ${String((teams += 1))}`
  const one = await joinedLaptop(server, team, 'Laptop 1', { kinds: [silent] })
  const job = one.makeJob()
  const common = addWork(one, job, 'common')
  const copy = join(tempFolder(), 'copy.db')
  await one.store.backup(copy)
  const folder = tempFolder()
  await restoreData(folder, copy, new Date(), {})
  const joining = await invitation(server, team, 'Laptop 2')
  const two = await openTeamLaptop({ folder, joining, name: 'Laptop 2', kinds: [silent] })
  let isOver = false
  const end = (): void => {
    if (!isOver) two.end()
    isOver = true
  }
  onTestFinished(end)
  await two.team.join(joining)
  await one.team.push(signal)
  return { one, two: { ...two, end, folder, joining }, job, common }
}

describe('A log that went on in two ways', { timeout: 720_000 }, () => {
  it("is settled by going on with the team's: the other one stays whole here and there, its work is not sent, and the job can be taken again", async () => {
    const { one, two, job, common } = await twins()
    write(one, job, ['Customer Two'])
    await one.team.push(signal)
    // Longer than one push carries.
    write(
      two,
      job,
      Array.from({ length: 620 }, (_, n) => `Customer ${String(n)}`)
    )
    const own = hashes(two, job)
    const [unsent, sent] = [addWork(two, job, 'unsent'), addWork(two, job, 'sent')]
    two.store.operations.change(sent, {
      state: 'unknown',
      reason: plainMessage('No answer came.'),
      at: '2026-03-01T10:00:00.000Z'
    })
    expect(await two.team.push(signal)).toMatchObject({ stopped: 1 })
    expect((await asked('select count(*)::int as n from fitter.fork where job_id = $1', [job]))[0]).toEqual({ n: 620 })
    expect(await sentence(two.holding.takeOver({ jobId: job, reason: 'It is needed here' }, signal))).toBe(
      'teamForks.settleFirst'
    )
    const { seq, at, type } = one.store.jobs.journal(job).at(-2) ?? { seq: 0, at: '', type: '' }
    expect((await two.holding.forks(signal))[0]?.before).toMatchObject({ seq, at, type })
    expect(await two.holding.forks(signal)).toMatchObject([
      {
        jobId: job,
        name: 'Vehicle One',
        holder: 'Laptop 1',
        here: 'stopped',
        isSettled: false,
        settled: [],
        log: { by: 'Laptop 1', more: 0 },
        other: { by: 'Laptop 2', more: 570 }
      }
    ])
    const whole = await two.holding.forkEntries({ jobId: job, lastHash: own.at(-1) ?? '' }, signal)
    expect(whole.before.map((entry) => entry.seq)).toEqual(Array.from({ length: seq }, (_, n) => n + 1))
    expect([whole.log.length, whole.other.length, whole.more]).toEqual([1, 620, 0])
    expect(await sentence(two.holding.forkEntries({ jobId: job, lastHash: 'ab' }, signal))).toBe('teamForks.noFork')
    expect(await one.holding.forks(signal)).toMatchObject([{ jobId: job, here: null }])
    expect(await sentence(one.holding.settle({ jobId: job, reason: 'It is the right one' }, signal))).toBe(
      'teamForks.noFork'
    )

    const from = hashes(one, job).length
    const settled = await two.holding.settle({ jobId: job, reason: ' The other laptop finished it ' }, signal)
    expect(settled).toMatchObject({
      jobId: job,
      seq: from,
      entries: 620,
      holder: 'Laptop 1',
      reason: 'The other laptop finished it',
      operations: [
        { id: unsent, state: 'needsAttention' },
        { id: sent, state: 'unknown' }
      ]
    })
    expect(two.operations.get(sent)).toMatchObject({
      claim: { whenAbsent: 'ask', isReadBack: false },
      reason: { id: 'teamForks.workMayHaveLeft' }
    })
    expect(stateOf(two, common)).toBe('moved')
    expect(hashes(two, job)).toEqual(hashes(one, job))
    expect(two.jobs.show(job)).toMatchObject({
      customer: 'Customer Two',
      handedOver: {
        to: 'Laptop 1',
        takenOver: { by: 'Laptop 1', reason: 'The other laptop finished it', isSettled: true }
      }
    })
    expect(() => two.jobs.changeOrder(job, null)).toThrow(
      expect.objectContaining({ sentence: expect.objectContaining({ id: 'teamForks.onlyRead' }) as unknown }) as Error
    )
    // Both stay: here set aside, and in the team log beside.
    const [aside] = two.store.teamForks.asides(job)
    const kept = two.store.teamForks.entries(job, aside?.number ?? 0)
    expect(kept.map(({ hash }) => hash)).toEqual(own)
    expect(verifyChain(job, kept)).toEqual({ ok: true })
    expect((await two.store.check()).findings).toEqual([])
    expect(two.holding.asides(job)).toMatchObject([
      {
        seq: from,
        reason: 'The other laptop finished it',
        holder: 'Laptop 1',
        entries: { length: 500 },
        more: 120,
        sealFaults: []
      }
    ])
    expect(
      await asked(
        'select l.name, s.reason, s.hash from fitter.settlement s join fitter.laptop l on l.id = s.settled_by where s.job_id = $1',
        [job]
      )
    ).toEqual([{ name: 'Laptop 2', reason: 'The other laptop finished it', hash: own.at(-1) }])
    for (const [laptop, here] of [
      [one, null],
      [two, 'setAside']
    ] as const)
      expect(await laptop.holding.forks(signal)).toMatchObject([
        { here, isSettled: true, settled: [{ by: 'Laptop 2', reason: 'The other laptop finished it' }] }
      ])

    // Nothing goes up or waits any more, and once more it is the same.
    expect(await two.team.push(signal)).toMatchObject({ jobs: 0, stopped: 0 })
    expect(two.team.status()).toMatchObject({ forks: 0, stopped: [], held: [], waiting: 0 })
    expect((await two.holding.pull(signal)).lost).toEqual([])
    expect(await two.holding.settle({ jobId: job, reason: 'Another reason' }, signal)).toMatchObject({
      reason: 'The other laptop finished it',
      entries: 620
    })
    expect(two.store.teamForks.asides(job)).toHaveLength(1)

    expect(await two.holding.takeOver({ jobId: job, reason: 'It is needed here' }, signal)).toMatchObject({
      outcome: 'taken',
      from: 'Laptop 1'
    })
    expect(two.jobs.show(job).handedOver).toBeUndefined()
    expect([stateOf(two, common), stateOf(two, unsent), stateOf(two, sent)]).toEqual([
      'unknown',
      'needsAttention',
      'unknown'
    ])
    write(two, job, ['Customer Three'])
    expect(await two.team.push(signal)).toMatchObject({ stopped: 0 })
    expect((await one.holding.pull(signal)).lost).toMatchObject([{ jobId: job, by: 'Laptop 2' }])
  })

  const every = Number(process.env['FITTER_TEAM_EVERY'] ?? 7)

  it(
    'stays as it is when the process dies before it is settled, and is told to a team log that was set back',
    { tags: ['long'] },
    async () => {
      const { one, two, job } = await twins()
      write(one, job, ['Customer Two'])
      await one.team.push(signal)
      write(two, job, ['Customer Three'])
      await two.team.push(signal)
      two.end()
      for (let n = 0; ; n += every) {
        let left = Infinity
        const dying = await openTeamLaptop({
          folder: two.folder,
          joining: two.joining,
          name: 'Laptop 2',
          kinds: [silent],
          instant: () => {
            left -= 1
            if (left < 0) throw new Error('It dies')
          }
        })
        left = n
        const hasDied = await dying.holding.settle({ jobId: job, reason: 'It is the right one' }, signal).then(
          () => false,
          () => left < 0
        )
        expect(hasDied).toBe(left < 0)
        dying.end()
        const again = await openTeamLaptop({
          folder: two.folder,
          joining: two.joining,
          name: 'Laptop 2',
          kinds: [silent]
        })
        const isSettled = again.store.teamForks.asides(job).length > 0
        expect(hashes(again, job).length).toBe(hashes(one, job).length)
        expect(again.store.losses()).toEqual([])
        expect([isSettled, again.store.jobs.lostOf(job)?.isSettled === true]).toEqual([isSettled, isSettled])
        expect(hashes(again, job).at(-1) === hashes(one, job).at(-1)).toBe(isSettled)
        // What the server says of it is never ahead of what is so here.
        await again.team.push(signal)
        expect(await asked('select count(*)::int as n from fitter.settlement where job_id = $1', [job])).toEqual([
          { n: isSettled ? 1 : 0 }
        ])
        again.end()
        if (!hasDied) break
      }
      const owner = await server.connect()
      await owner.query('delete from fitter.fork where job_id = $1', [job])
      await owner.end()
      const after = await openTeamLaptop({
        folder: two.folder,
        joining: two.joining,
        name: 'Laptop 2',
        kinds: [silent]
      })
      onTestFinished(() => after.end())
      await after.team.push(signal)
      expect(await after.holding.forks(signal)).toMatchObject([
        { here: 'setAside', isSettled: true, settled: [{ reason: 'It is the right one' }] }
      ])
    }
  )

  it('nothing of the log here is lost by it: what was not set aside cannot be taken out of it', async () => {
    const { two, job } = await twins()
    write(two, job, ['Customer Two'])
    const first = two.store.jobs.journal(job)[0]
    expect(() =>
      two.store.jobs.goOnWith(
        job,
        { entries: first ? [first] : [], from: 2, lastHash: hashes(two, job).at(-1) ?? '' },
        two.store.teamPush.summary(job) as never
      )
    ).toThrow()
    expect(verifyChain(job, two.store.jobs.journal(job))).toEqual({ ok: true })
  })
})

it(
  'a job of a colleague is opened with the gateway work that was told, and its report is made from the record of the team',
  { timeout: 720_000 },
  async () => {
    const team = `Team ${String((teams += 1))}`
    const [one, two] = [
      await joinedLaptop(server, team, 'Laptop 1', { kinds: [silent] }),
      await joinedLaptop(server, team, 'Laptop 2')
    ]
    const job = one.makeJob()
    const work = addWork(one, job, 'told')
    await one.team.push(signal)
    expect(await two.team.open(job)).toMatchObject({
      holder: 'Laptop 1',
      work: [{ id: work, kind: 'scripted', state: 'pending', title: plainMessage('told') }],
      job: { operations: [] }
    })
    const make = (copy: CopiedJob, wish: { format: 'pdf' | 'html' }) =>
      makeReport(sourceOfCopy({ reader: {}, appVersion: '1.0.0', isTraining: false, redact: (text) => text }, copy), {
        jobId: copy.job.id,
        ...wish
      })
    const report = createTeamReport({ team: two.team, make })
    const page = await report({ id: job, format: 'html' })
    expect(page).toMatchObject({
      mediaType: 'text/html',
      fileName: expect.stringContaining('490154203237518') as unknown
    })
    expect(Buffer.from(page.content).toString('utf8')).toContain(one.store.jobs.journal(job).at(-1)?.hash)
    const pdf = await report({ id: job, format: 'pdf' })
    expect(Buffer.from(pdf.content.subarray(0, 4)).toString()).toBe('%PDF')
    await expect(report({ id: 'NOSUCHJOB', format: 'pdf' })).rejects.toMatchObject({ sentence: { id: 'team.noJob' } })
  }
)
