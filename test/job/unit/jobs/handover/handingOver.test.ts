import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { OperationKind } from '../../../../../main/gateway/waitingWork/kind.ts'
import { verifyChain } from '../../../../../main/data/store/jobs/seal.ts'
import { z } from 'zod'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { openLaptop, type Laptop, type LaptopOptions } from '../../../../world/team/laptop.ts'
import { nameSnapshot } from '../../../../world/data/bundles/namedSnapshot.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

const signal = new AbortController().signal

function laptop(options: Partial<LaptopOptions> = {}): Laptop {
  const opened = openLaptop({ folder: tempFolder(), kinds: [silentKind()], ...options })
  onTestFinished(() => opened.end())
  return opened
}

/** A kind that is never sent here: these tests look at what goes and comes. */
function silentKind(more: Partial<OperationKind> = {}): OperationKind {
  return {
    kind: 'scripted',
    payload: z.object({ name: z.string() }),
    title: (payload) => plainMessage(String((payload as { name?: string }).name)),
    resendWhenAbsent: true,
    maxAttempts: 3,
    send: () => Promise.reject(new Error('Nothing may be sent')),
    look: () => Promise.resolve({ seen: 'absent', what: plainMessage('It is not there.'), raw: null }),
    ...more
  }
}

function addWork(
  { operations }: Laptop,
  jobId: string | null,
  name: string,
  needs?: { id: string; part: string }[]
): string {
  return operations.add({
    kind: 'scripted',
    key: `vehicle:${name}`,
    title: plainMessage(name),
    payload: { name },
    jobId,
    draft: false,
    ...(needs ? { needs } : {})
  }).id
}

function fileName(): string {
  return path.join(tempFolder(), 'work.handover')
}

function seenAt({ operations }: Laptop, id: string) {
  const { state, claim, jobId, attempts } = operations.get(id) ?? {}
  return { state, claim, jobId, attempts }
}

describe('Handing jobs over', () => {
  it('moves a job with its log, its pictures and its gateway work, and leaves nothing that could run behind', async () => {
    const [from, to] = [laptop({ name: 'Technician One' }), laptop({ name: 'Technician Two' })]
    const job = from.makeJob()
    const picture = new Uint8Array(700_000).map((_byte, at) => at % 251)
    const kept = await from.store.attachments.write(picture)
    from.store.attachments.keep({ jobId: job, file: kept, mediaType: 'image/jpeg', at: '2026-03-01T10:00:00.000Z' })
    namePicture(from, job, kept.sha256)
    const first = addWork(from, job, 'first')
    const second = addWork(from, job, 'second', [{ id: first, part: '' }])
    const file = fileName()

    const given = await from.transfers.give({ jobIds: [job], to: 'Technician Two', file }, signal)
    expect(given).toMatchObject({
      jobs: [job],
      operations: 2,
      attachments: 1,
      leftOut: 0,
      isAgain: false,
      bytes: fs.statSync(file).size
    })
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(from.jobs.show(job)).toMatchObject({ state: 'draft', handedOver: { id: given.id, to: 'Technician Two' } })
    expect(from.jobs.list({ limit: 1 }).jobs[0]).toMatchObject({ id: job, handedOver: { to: 'Technician Two' } })
    expect([seenAt(from, first).state, seenAt(from, second).state]).toEqual(['moved', 'moved'])
    expect(() => from.jobs.start(job, signal)).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
    await expect(from.jobs.cancel(job, 'not any more')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(() =>
      from.store.jobs.append(
        job,
        [{ type: 'namesGiven', stepId: null, data: { technician: '', customer: '' }, at: '' }],
        () => ({}) as never
      )
    ).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
    expect(from.jobs.openOfDevice('490154203237518')).toBeUndefined()

    expect(await to.transfers.look(file)).toMatchObject({
      outcome: 'taken',
      from: 'Technician One',
      operations: [
        { id: first, state: 'pending' },
        { id: second, state: 'blocked' }
      ]
    })
    expect(to.jobs.list({ limit: 10 }).jobs).toEqual([])
    expect(await to.transfers.take(file)).toMatchObject({
      outcome: 'taken',
      jobs: [{ id: job, isTaken: true }],
      operations: [
        { id: first, state: 'unknown' },
        { id: second, state: 'blocked' }
      ]
    })
    expect(to.jobs.show(job).handedOver).toBeUndefined()
    expect(seenAt(to, first)).toMatchObject({
      state: 'unknown',
      jobId: job,
      claim: { whenAbsent: 'send', isReadBack: false, arrivedAtMs: expect.any(Number) }
    })
    expect(seenAt(to, second)).toMatchObject({ state: 'blocked', claim: { isReadBack: false } })
    expect(Buffer.from(to.store.attachments.read(kept.sha256))).toEqual(Buffer.from(picture))
    const [given_, taken] = [from, to].map(({ store }) => store.jobs.journal(job))
    expect(taken?.slice(0, given_?.length)).toEqual(given_)
    expect(taken?.map(({ type }) => type).slice(-2)).toEqual(['movedAway', 'movedHere'])
    expect(verifyChain(job, taken ?? [])).toEqual({ ok: true })
    expect((await to.store.check()).findings).toEqual([])
    expect((await from.store.check()).findings).toEqual([])
  })

  it('takes the snapshots along that the log names, once, and holds them against it', async () => {
    const [from, to] = [laptop(), laptop()]
    const job = from.makeJob()
    const texts = [nameSnapshot(from, job, 'jobStart'), nameSnapshot(from, job, 'signOff')]
    nameSnapshot(from, job, 'signOff', { isKept: false, takenAt: '2026-04-12T10:00:00.000Z' })
    const [file, again] = [fileName(), fileName()]
    await from.transfers.give({ jobIds: [job], to: '', file }, signal)
    expect(JSON.parse(fs.readFileSync(file, 'utf8').split('\n')[0] ?? '')).toMatchObject({ version: 1, snapshots: 2 })
    await from.transfers.give({ jobIds: [job], to: '', file: again }, signal)
    expect(fs.readFileSync(again)).toEqual(fs.readFileSync(file))
    await to.transfers.take(file)
    expect(keptTexts(to, job)).toEqual(texts)
    const back = fileName()
    await to.transfers.give({ jobIds: [job], to: '', file: back }, signal)
    await from.transfers.take(back)
    expect(keptTexts(from, job)).toEqual(texts)
    expect((await to.store.check()).findings).toEqual([])
  })

  it('looks at the gateway again for what its giver says is done, while something rests on it, and never sends that by itself', async () => {
    const said = plainMessage('It is there.')
    let nowMs = Date.parse('2026-03-02T10:00:00.000Z')
    const [from, to] = [laptop(), laptop({ nowMs: () => (nowMs += 200_000), chooseWaitMs: () => 0 })]
    const [waiting, settled] = [from.makeJob(), from.makeJob('Vehicle Two')]
    const [needed, ofStep, over] = [
      addWork(from, null, 'needed'),
      addWork(from, waiting, 'of the step'),
      addWork(from, settled, 'over')
    ]
    addWork(from, settled, 'after', [{ id: needed, part: '' }])
    for (const id of [needed, ofStep, over])
      from.store.operations.change(id, {
        state: 'done',
        reason: said,
        at: from.operations.get(id)!.createdAt,
        evidence: { what: said, raw: null }
      })
    leaveForLater(from, waiting)
    const file = fileName()
    await from.transfers.give({ jobIds: [waiting, settled], to: '', file }, signal)
    await to.transfers.take(file)
    expect([needed, ofStep, over].map((id) => [seenAt(to, id).state, seenAt(to, id).claim?.whenAbsent])).toEqual([
      ['unknown', 'ask'],
      ['unknown', 'ask'],
      ['done', undefined]
    ])
    for (let pass = 0; pass < 4; pass += 1) await to.operations.pass(signal)
    expect([needed, ofStep].map((id) => seenAt(to, id).state)).toEqual(['needsAttention', 'needsAttention'])
  })

  it('takes a file over once: the second time it says that everything is here', async () => {
    const [from, to] = [laptop(), laptop()]
    const job = from.makeJob()
    addWork(from, job, 'first')
    const file = fileName()
    await from.transfers.give({ jobIds: [job], to: '', file }, signal)
    await to.transfers.take(file)
    const before = { log: to.store.jobs.journal(job), work: to.operations.list() }
    expect(await to.transfers.take(file)).toMatchObject({ outcome: 'alreadyHere', jobs: [{ isTaken: false }] })
    expect({ log: to.store.jobs.journal(job), work: to.operations.list() }).toEqual(before)
  })

  it('makes the identical file again, as often as it is wanted', async () => {
    const from = laptop()
    const jobs = [from.makeJob(), from.makeJob('Vehicle Two')]
    jobs.forEach((job) => addWork(from, job, job))
    const [file, again, byId] = [fileName(), fileName(), fileName()]
    const given = await from.transfers.give({ jobIds: jobs, to: 'Technician Two', file }, signal)
    expect(await from.transfers.give({ jobIds: jobs, to: 'somebody else', file: again }, signal)).toMatchObject({
      id: given.id,
      isAgain: true,
      jobs
    })
    await from.transfers.give({ jobIds: [given.id], to: '', file: byId }, signal)
    expect(fs.readFileSync(again)).toEqual(fs.readFileSync(file))
    expect(fs.readFileSync(byId)).toEqual(fs.readFileSync(file))
  })

  it('takes back what was given away, with its file or with a reason, and reads it back before it is sent', async () => {
    const from = laptop()
    const [one, two] = [from.makeJob(), from.makeJob('Vehicle Two')]
    const work = addWork(from, one, 'first')
    const file = fileName()
    await from.transfers.give({ jobIds: [one], to: '', file }, signal)
    expect(await from.transfers.take(file)).toMatchObject({ outcome: 'takenBack', jobs: [{ id: one, isTaken: true }] })
    expect(from.jobs.show(one).handedOver).toBeUndefined()
    expect(seenAt(from, work)).toMatchObject({ state: 'unknown', claim: { isReadBack: false } })
    expect(await from.transfers.take(file)).toMatchObject({ outcome: 'alreadyHere' })

    await from.transfers.give({ jobIds: [two], to: '', file: fileName() }, signal)
    await expect(from.transfers.takeBack(two, ' ')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await from.transfers.takeBack(two, 'nobody came for it')).toMatchObject({ outcome: 'takenBack' })
    expect(from.store.jobs.journal(two).at(-1)).toMatchObject({
      type: 'movedHere',
      data: { reason: 'nobody came for it' }
    })
    await expect(from.transfers.takeBack(two, 'once more')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect((await from.store.check()).findings).toEqual([])
  })

  it('comes home with all that was done elsewhere', async () => {
    const [from, to] = [laptop({ name: 'Technician One' }), laptop({ name: 'Technician Two' })]
    const job = from.makeJob()
    const work = addWork(from, job, 'first')
    const [there, back] = [fileName(), fileName()]
    await from.transfers.give({ jobIds: [job], to: '', file: there }, signal)
    await to.transfers.take(there)
    to.operations.drop(work, 'not wanted any more')
    await to.transfers.give({ jobIds: [job], to: '', file: back }, signal)
    expect(await from.transfers.take(back)).toMatchObject({ outcome: 'taken', from: 'Technician Two' })
    expect(seenAt(from, work).state).toBe('cancelled')
    expect(from.store.jobs.journal(job).map(({ type }) => type)).toEqual([
      'jobCreated',
      'movedAway',
      'movedHere',
      'movedAway',
      'movedHere'
    ])
    expect(await from.transfers.take(there)).toMatchObject({ outcome: 'alreadyHere' })
    expect((await from.store.check()).findings).toEqual([])
  })

  it('refuses a log that went on in two ways, and changes nothing', async () => {
    const [from, one, two] = [laptop(), laptop(), laptop()]
    const job = from.makeJob()
    const [file, ofOne, ofTwo] = [fileName(), fileName(), fileName()]
    await from.transfers.give({ jobIds: [job], to: '', file }, signal)
    await one.transfers.take(file)
    await two.transfers.take(file)
    await one.transfers.give({ jobIds: [job], to: '', file: ofOne }, signal)
    await two.transfers.give({ jobIds: [job], to: '', file: ofTwo }, signal)
    await from.transfers.take(ofOne)
    const before = from.store.jobs.journal(job)
    await expect(from.transfers.take(ofTwo)).rejects.toMatchObject({
      code: 'CONFLICT',
      sentence: { id: 'transfer.fork' }
    })
    expect(from.store.jobs.journal(job)).toEqual(before)
  })

  it('does not tear work apart that hangs together, and takes along what belongs to no job', async () => {
    const from = laptop()
    const [one, two] = [from.makeJob(), from.makeJob('Vehicle Two')]
    const asset = addWork(from, null, 'asset')
    const key = addWork(from, one, 'key', [{ id: asset, part: '' }])
    const link = addWork(from, two, 'link', [{ id: key, part: '' }])
    await expect(from.transfers.give({ jobIds: [one], to: '', file: fileName() }, signal)).rejects.toMatchObject({
      code: 'CONFLICT',
      sentence: { id: 'transfer.otherJobToo' }
    })
    expect(from.jobs.show(one).handedOver).toBeUndefined()
    const file = fileName()
    await from.transfers.give({ jobIds: [one, two], to: '', file }, signal)
    expect([asset, key, link].map((id) => seenAt(from, id).state)).toEqual(['moved', 'moved', 'moved'])
    const to = laptop()
    await to.transfers.take(file)
    expect([asset, key, link].map((id) => seenAt(to, id).state)).toEqual(['unknown', 'blocked', 'blocked'])
    expect(to.operations.needsOf(link)).toEqual([{ id: key, part: '' }])
  })

  it('keeps a job here whose log was changed', async () => {
    const folder = tempFolder()
    const before = openLaptop({ folder })
    const job = before.makeJob()
    before.store.jobs.append(
      job,
      [
        {
          type: 'namesGiven',
          stepId: null,
          data: { technician: 'Technician One', customer: '' },
          at: '2026-03-01T10:00:00.000Z'
        }
      ],
      () => [...before.store.jobs.inState('draft')][0] as never
    )
    before.end()
    const sql = new Database(path.join(folder, 'fitter.db'))
    sql.exec(
      "drop trigger journal_is_never_changed; update journal set data = replace(data, 'Technician One', 'Technician Two') where type = 'namesGiven'"
    )
    sql.close()
    const from = laptop({ folder })
    await expect(from.transfers.give({ jobIds: [job], to: '', file: fileName() }, signal)).rejects.toMatchObject({
      code: 'DATA_UNUSABLE'
    })
    expect(from.store.jobs.journal(job).at(-1)?.type).toBe('namesGiven')
  })

  it('keeps a job here whose output may be on', async () => {
    const folder = tempFolder()
    const before = openLaptop({ folder })
    const job = before.makeJob()
    before.store.outputLedger.begin({
      imei: '490154203237518',
      output: 'OUT1',
      path: 'local',
      vehicleId: null,
      address: '127.0.0.1:1',
      since: '2026-03-01T10:00:00.000Z',
      by: 'Technician One',
      jobId: job
    })
    before.end()
    const from = laptop({ folder })
    await expect(from.transfers.give({ jobIds: [job], to: '', file: fileName() }, signal)).rejects.toMatchObject({
      code: 'CONFLICT',
      sentence: { id: 'transfer.outputMayBeOn' }
    })
    expect(from.jobs.show(job).handedOver).toBeUndefined()
  })
})

function namePicture({ store }: Laptop, job: string, sha256: string): void {
  const at = '2026-03-01T10:00:00.000Z'
  const data = {
    attempt: 0,
    sha256,
    mediaType: 'image/jpeg',
    bytes: 700_000,
    width: 1,
    height: 1,
    purpose: 'other',
    takenAt: null,
    keptAt: at,
    source: 'file',
    latitude: null,
    longitude: null,
    placeSource: null,
    reportSha256: sha256
  }
  const [summary] = [...store.jobs.inState('draft')].filter(({ id }) => id === job)
  if (!summary) throw new Error('The job is not there')
  store.jobs.append(job, [{ type: 'attached', stepId: null, data, at }], () => summary)
}

/** A step of the job waits for the gateway. */
function leaveForLater({ store, jobs }: Laptop, job: string): void {
  const at = '2026-03-01T10:00:00.000Z'
  const stepId = jobs.show(job).steps[0]?.id ?? ''
  const [summary] = [...store.jobs.inState('draft')].filter(({ id }) => id === job)
  if (!summary) throw new Error('The job is not there')
  const ended = { attempt: 1, state: 'deferred', summary: null, remedy: null, witness: [], durationMs: 0 }
  store.jobs.append(
    job,
    [
      { type: 'stepStarted', stepId, data: { attempt: 1 }, at },
      { type: 'stepEnded', stepId, data: ended, at }
    ],
    () => summary
  )
  jobs.reread(job)
}

function keptTexts({ store }: Laptop, job: string): string[] {
  return store.snapshots
    .page({ jobId: job, after: null, limit: 10 })
    .snapshots.reverse()
    .map(({ id }) => store.snapshots.text(id))
}
