import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hashedText, partOf, sendParts, type SendOutcome } from '../../../main/team/push/sendParts.ts'
import { hashEntry, startHash } from '../../../main/data/store/jobs/seal.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { fakeTeamLog } from '../../world/team/fakeTeamLog.ts'
import { openLaptop } from '../../world/team/laptop.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const large = { entries: 500, bytes: 4_000_000 }

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-20T09:00:00.000Z'), toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

function open() {
  const laptop = openLaptop({ folder: tempFolder() })
  onTestFinished(() => laptop.end())
  const { store, operations } = laptop
  const log = fakeTeamLog()
  return {
    ...laptop,
    log,
    add: (jobId: string, name: string) =>
      operations.add({
        kind: 'scripted',
        key: `vehicle:${name}`,
        title: plainMessage(name),
        payload: { name },
        jobId,
        draft: false
      }).id,
    part(jobId: string, limit = large) {
      const part = partOf(store, jobId, limit)
      if (!part) throw new Error(`Nothing of ${jobId} waits`)
      return part
    },
    async send(jobId: string, limit = large): Promise<SendOutcome | undefined> {
      const [outcome] = await sendParts(log.client, store, [this.part(jobId, limit)])
      return outcome
    },
    /** The names of the work in the last summary that the server has. */
    told: (jobId: string) =>
      (log.summaries.get(jobId)?.['work'] as string[]).map(
        (text) => (JSON.parse(text) as { payload: { name: string } }).payload.name
      ),
    stoppedBy: (jobId: string) => store.teamPush.stopped().find((one) => one.jobId === jobId)?.why.id
  }
}

describe('A part of a job', () => {
  it('is what the server lacks, as it was hashed', () => {
    const bench = open()
    const jobId = bench.makeJob()
    const { from, entries, texts, bytes, last, isNew, summary, told } = bench.part(jobId)
    const log = bench.store.jobs.journal(jobId)
    expect(from).toEqual({ seq: 0, hash: startHash(jobId) })
    expect(entries).toEqual(log)
    expect(last).toEqual(log.at(-1))
    expect([isNew, told]).toEqual([true, undefined])
    expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(
      log.map(({ seq, at, type, stepId, data }) => ({ seq, at, type, stepId, data }))
    )
    expect(hashEntry(startHash(jobId), log[0]!)).toBe(log[0]?.hash)
    expect(hashedText(log[0]!)).toBe(texts[0])
    expect(bytes).toBe(texts.join('').length + summary.length)
    expect(JSON.parse(summary)).toMatchObject({ id: jobId, customer: 'Customer One', work: [] })
  })

  it('is nothing where nothing waits, and names the job alone where no list has it', async () => {
    const bench = open()
    const jobId = bench.makeJob()
    expect(partOf(bench.store, 'unknown', large)).toBeUndefined()
    vi.spyOn(bench.store.teamPush, 'summary').mockReturnValueOnce(undefined)
    expect(JSON.parse(bench.part(jobId).summary)).toEqual({ id: jobId, work: [] })
    await bench.send(jobId)
    expect(partOf(bench.store, jobId, large)).toBeUndefined()
  })

  it('carries gateway work with the last entry of the log, and again when the work alone changed', async () => {
    const bench = open()
    const jobId = bench.makeJob()
    const first = bench.add(jobId, 'first')
    expect(bench.part(jobId).told).toEqual({ moved: bench.store.teamPush.workMoved(jobId), operations: [first] })
    expect(await bench.send(jobId)).toBe('given')
    expect(bench.told(jobId)).toEqual(['first'])
    expect(bench.store.teamPush.toldOperations(jobId)).toEqual([first])
    expect(partOf(bench.store, jobId, large)).toBeUndefined()

    const second = bench.add(jobId, 'second')
    const again = bench.part(jobId)
    const entries = bench.store.jobs.journal(jobId)
    expect([again.isNew, again.entries]).toEqual([false, entries.slice(-1)])
    expect(again.told?.operations).toEqual([first, second])
    const keep = vi.spyOn(bench.store.teamPush, 'acknowledge')
    bench.log.on.length = 0
    expect(await bench.send(jobId)).toBe('given')
    expect(keep).toHaveBeenCalledWith(jobId, { seq: entries.length, hash: entries.at(-1)?.hash }, again.told)
    expect(bench.store.teamPush.isWorkTold(jobId)).toBe(true)
  })

  it('says that there is no gateway work any more', async () => {
    const bench = open()
    const jobId = bench.makeJob()
    const work = bench.add(jobId, 'first')
    await bench.send(jobId)
    bench.operations.drop(work, 'not needed')
    expect(bench.part(jobId)).toMatchObject({ isNew: false, told: { operations: [] } })
    await bench.send(jobId)
    expect(bench.store.teamPush.toldOperations(jobId)).toEqual([])
    expect(partOf(bench.store, jobId, large)).toBeUndefined()
  })

  it('is sent of a job whose log is not there, only with an entry', () => {
    const bench = open()
    vi.spyOn(bench.store.teamPush, 'isWorkTold').mockReturnValue(false)
    const after = vi.spyOn(bench.store.teamPush, 'entriesAfter')
    expect(partOf(bench.store, 'unknown', large)).toBeUndefined()
    expect(after.mock.calls).toEqual([['unknown', 0, large]])
  })

  it('has not told its work before its last entry', async () => {
    const bench = open()
    const jobId = bench.makeJob()
    for (let n = 0; n < 3; n++)
      appendEntry(bench.store, jobId, `entry ${String(n)}`, bench.store.teamPush.summary(jobId))
    const first = bench.add(jobId, 'first')
    expect(await bench.send(jobId, { entries: 2, bytes: 4_000_000 })).toBe('given')
    expect(bench.store.teamPush.toldOperations(jobId)).toEqual([])
    expect(await bench.send(jobId)).toBe('given')
    expect(bench.store.teamPush.toldOperations(jobId)).toEqual([first])
  })
})

describe('The answer for a part', () => {
  it('is kept for each job, all in one write, with the time of the push if there is one', async () => {
    const bench = open()
    const jobs = [bench.makeJob('One'), bench.makeJob('Two'), bench.makeJob('Three')]
    bench.log.instead.set(jobs[1]!, [{ outcome: 'fork' }])
    const together = vi.spyOn(bench.store, 'together')
    const parts = jobs.map((jobId) => bench.part(jobId))
    expect(await sendParts(bench.log.client, bench.store, parts)).toEqual(['given', 'stopped', 'given'])
    expect(together).toHaveBeenCalledTimes(1)
    expect(jobs.map((jobId) => bench.log.logs.get(jobId)?.length)).toEqual([
      parts[0]?.entries.length,
      undefined,
      parts[2]?.entries.length
    ])
    expect(jobs.map((jobId) => bench.store.teamPush.pushed(jobId)?.seq)).toEqual([
      parts[0]?.last.seq,
      0,
      parts[2]?.last.seq
    ])
    expect(bench.store.teamPush.pushedAt()).toBeNull()
    await sendParts(bench.log.client, bench.store, [parts[0]!], '2026-11-20T09:00:00.000Z')
    expect(bench.store.teamPush.pushedAt()).toBe('2026-11-20T09:00:00.000Z')
  })

  it.each<
    [string, Parameters<ReturnType<typeof open>['log']['instead']['set']>[1][number], SendOutcome, string | undefined]
  >([
    ['another log', { outcome: 'fork' }, 'stopped', 'team.fork'],
    ['another last entry', { outcome: 'added', hash: 'other' }, 'stopped', 'team.fork'],
    ['no last entry', { outcome: 'added', hash: null }, 'stopped', 'team.fork'],
    ['a dropped job', { outcome: 'refused', code: 'FT011' }, 'stopped', 'teamServer.dropped'],
    ['too many diverging logs', { outcome: 'refused', code: 'FT012' }, 'stopped', 'teamForks.tooMuch'],
    ['too much', { outcome: 'refused', code: 'FT005' }, 'stopped', 'teamPush.tooMuch'],
    ['a wrong hash', { outcome: 'refused', code: 'FT003' }, 'stopped', 'team.logDamaged'],
    ['anything else', { outcome: 'refused', code: 'XX000' }, 'stopped', 'team.logDamaged'],
    ['somebody else who holds it', { outcome: 'refused', code: 'FT002' }, 'heldByOther', undefined],
    ['a gap before everything', { outcome: 'refused', code: 'FT004', detail: null }, 'stopped', 'team.fork']
  ])('%s: nothing is acknowledged', async (_, answer, outcome, why) => {
    const bench = open()
    const jobId = bench.makeJob()
    bench.log.instead.set(jobId, [answer])
    expect(await bench.send(jobId)).toBe(outcome)
    expect(bench.stoppedBy(jobId)).toBe(why)
    expect(bench.store.teamPush.pushed(jobId)?.seq ?? 0).toBe(0)
  })

  it('that is missing acknowledges nothing', async () => {
    const bench = open()
    const jobId = bench.makeJob()
    const part = bench.part(jobId)
    const client = { query: () => Promise.resolve({ rows: [] }) } as never
    expect(await sendParts(client, bench.store, [part])).toEqual(['stopped'])
    expect(bench.stoppedBy(jobId)).toBe('team.fork')
  })

  async function pushedTo(entries: number) {
    const bench = open()
    const jobId = bench.makeJob()
    for (let n = 0; n < 3; n++)
      appendEntry(bench.store, jobId, `entry ${String(n)}`, bench.store.teamPush.summary(jobId))
    await bench.send(jobId, { entries, bytes: 4_000_000 })
    return { bench, jobId, log: bench.store.jobs.journal(jobId) }
  }

  it.each([
    [1, '1'],
    [0, '0'],
    [0, undefined]
  ])('that the server has %i entries is believed where those are ours', async (known, detail) => {
    const { bench, jobId, log } = await pushedTo(2)
    bench.log.instead.set(jobId, [{ outcome: 'refused', code: 'FT004', detail: detail ?? null }])
    expect(await bench.send(jobId)).toBe('again')
    expect(bench.store.teamPush.pushed(jobId)).toEqual({
      seq: known,
      hash: known === 0 ? startHash(jobId) : log[known - 1]?.hash
    })
    expect(bench.stoppedBy(jobId)).toBeUndefined()
  })

  it.each(['2', '3', '9'])(
    'that the server lacks what is before entry %s, which it acknowledged, is no position',
    async (detail) => {
      const { bench, jobId } = await pushedTo(2)
      bench.log.instead.set(jobId, [{ outcome: 'refused', code: 'FT004', detail }])
      expect(await bench.send(jobId)).toBe('stopped')
      expect(bench.stoppedBy(jobId)).toBe('team.fork')
    }
  )

  it('that names an entry which is not here is no position', async () => {
    const { bench, jobId } = await pushedTo(2)
    bench.log.instead.set(jobId, [{ outcome: 'refused', code: 'FT004', detail: '1' }])
    vi.spyOn(bench.store.teamPush, 'hashAt').mockReturnValue(undefined)
    expect(await bench.send(jobId)).toBe('stopped')
  })

  it('that somebody else has the job holds work that is sent alone, and leaves it untold', async () => {
    const bench = open()
    const jobId = bench.makeJob()
    await bench.send(jobId)
    bench.add(jobId, 'first')
    bench.log.instead.set(jobId, [{ outcome: 'known', is_of_other: true }])
    expect(await bench.send(jobId)).toBe('held')
    expect(bench.store.teamPush.held()).toEqual([{ jobId, why: message('team.heldByOther') }])
    expect(bench.store.teamPush.isWorkTold(jobId)).toBe(false)
    expect(bench.store.teamPush.toldOperations(jobId)).toEqual([])
  })

  it('that somebody else has the job does not hold new entries, which were stored', async () => {
    const bench = open()
    const jobId = bench.makeJob()
    const first = bench.add(jobId, 'first')
    bench.log.instead.set(jobId, [{ outcome: 'added', is_of_other: true }])
    expect(await bench.send(jobId)).toBe('given')
    expect(bench.store.teamPush.held()).toEqual([])
    expect(bench.store.teamPush.toldOperations(jobId)).toEqual([first])
  })
})
