import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { createAssignments } from '../../../main/team/reading/assignments.ts'
import { createEarlier } from '../../../main/team/reading/earlier.ts'
import { readJoinFile, writeJoinFile } from '../../../main/team/server/joinFile.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import { calls, type CallInput } from '../../../preload/contract/index.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { openLaptop } from '../../world/team/laptop.ts'
import { ownChecklist } from '../../world/data/ownChecklist.ts'
import { quickShipped, templatesOf } from '../../world/device/quickProfile.ts'
import { canonicalJson } from '../../../main/data/store/jobs/seal.ts'
import { fingerprintOf } from '../../../main/data/store/jobs/signature.ts'
import { summaryOf } from '../../world/data/jobSummary.ts'
import { makeSealedJob, makeSigner } from '../../world/data/sealedJob.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { joinedLaptop } from '../../world/team/teamLaptop.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { holdersAreLost } from '../../world/team/teamServer.ts'

let server: PostgresServer
const signal = new AbortController().signal
const limits = { connectMs: 5_000, queryMs: 5_000 }
const device = { imei: '867698040023098', model: 'Device', address: '' }

beforeAll(async () => {
  server = await startPostgres()
  const owner = await server.connect()
  await raiseSchema(owner)
  await holdersAreLost(owner)
  await owner.end()
}, 180_000)
afterAll(() => server?.remove())

async function asOwner<T>(work: (client: Awaited<ReturnType<PostgresServer['connect']>>) => Promise<T>): Promise<T> {
  const owner = await server.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

/** A team of laptops that have joined, the first of them the office's. */
async function laptops(...names: string[]) {
  const team = `Team ${randomUUID()}`
  await asOwner((owner) => makeTeam(owner, team))
  return Promise.all(names.map((name) => joined(team, name)))
}

async function joined(teamName: string, name: string) {
  const { login, password } = await asOwner((owner) => inviteLaptop(owner, { team: teamName, name, mayWrite: true }))
  const laptop = openLaptop({ folder: tempFolder(), name })
  onTestFinished(() => laptop.end())
  const { store, jobs } = laptop
  const team = createTeam({ store, secrets: createSecrets({ inMemory: true }), limits })
  await team.join(
    readJoinFile(
      writeJoinFile({
        team: teamName,
        name,
        server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
        password
      })
    )
  )
  const templates = templatesOf(quickShipped(), store)
  const assignments = createAssignments({ team, store, templates })
  const earlier = createEarlier({
    team,
    store,
    own: (search, limit) => jobs.list({ search, limit, isCounted: false }).jobs
  })
  const list = (wanted: CallInput<'team.assigned'> = {}) =>
    assignments.list(calls['team.assigned'].input.parse(wanted), signal)
  return {
    store,
    jobs,
    team,
    templates,
    assignments,
    earlier: (wanted: CallInput<'team.earlier'>) => earlier.of(calls['team.earlier'].input.parse(wanted), signal),
    list,
    password,
    login,
    names: async (wanted: CallInput<'team.assigned'> = {}) =>
      (await list(wanted)).assigned.map(({ vehicle }) => vehicle),
    prepare: async (vehicle: string, more: Partial<CallInput<'team.prepare'>> = {}) =>
      (
        await assignments.prepare(
          calls['team.prepare'].input.parse({ templateId: templates.list()[0]?.id, vehicle, ...more }),
          signal
        )
      ).id,
    /** As the window does it. */
    begin(id: string) {
      const prepared = assignments.take(id)
      const found = store.teamAssigned.find(id)?.content as {
        template: { id: string }
        vehicle: string
        customer: string
      }
      const jobId = jobs.create({
        templateId: found.template.id,
        device,
        vehicleText: found.vehicle,
        customer: found.customer,
        prepared
      })
      assignments.begun(id, jobId)
      return jobId
    }
  }
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) =>
      (error as { sentence?: { id: string }; code?: string }).sentence?.id ?? (error as { code: string }).code
  )

it('what the office prepares is on the laptop that it is for, soonest first, with its date, its order and its notes', async () => {
  const [office, one, two] = (await laptops('Office', 'Laptop 1', 'Laptop 2')) as [Laptop, Laptop, Laptop]
  await office.prepare('Unit 3', { to: 'Laptop 1' })
  await office.prepare('Unit 2', { to: '', dueAt: '2026-03-02T14:00:00.000Z' })
  await office.prepare('Unit 1', {
    to: 'Laptop 1',
    dueAt: '2026-03-02T13:30:00.000Z',
    customer: 'Customer One',
    imei: device.imei,
    notes: 'The key is at the gate.',
    order: { reference: '77', items: [], vehicle: '', customer: '', notes: '' }
  })
  await office.prepare('Unit 4', { to: 'Laptop 2', dueAt: '2026-03-01T08:00:00.000Z' })
  expect(await one.names()).toEqual(['Unit 1', 'Unit 2', 'Unit 3'])
  expect(await two.names()).toEqual(['Unit 4', 'Unit 2'])
  expect(await office.names()).toEqual(['Unit 2'])
  expect(await office.names({ whose: 'all' })).toEqual(['Unit 4', 'Unit 1', 'Unit 2', 'Unit 3'])
  const page = await office.list({ whose: 'all', limit: 3 })
  expect(page.next).toBe(page.assigned[2]?.id)
  expect(await office.list({ whose: 'all', limit: 3, after: page.next ?? '' })).toMatchObject({
    assigned: [{ vehicle: 'Unit 3', dueAt: null }],
    next: null
  })
  expect((await one.list()).assigned[0]).toMatchObject({
    by: 'Office',
    to: 'Laptop 1',
    dueAt: '2026-03-02T13:30:00.000Z',
    customer: 'Customer One',
    imei: device.imei,
    notes: 'The key is at the gate.',
    order: { reference: '77' },
    jobId: null,
    told: null,
    whyNot: null
  })
})

it('notes with half a character or a zero, which no server stores, arrive without it', async () => {
  const [office, one] = (await laptops('Office', 'Laptop 1')) as [Laptop, Laptop]
  await office.prepare('Unit 1', { to: 'Laptop 1', notes: 'cut \ud83d, zero \u0000.' })
  expect((await one.list()).assigned).toMatchObject([{ vehicle: 'Unit 1', notes: 'cut \ufffd, zero .' }])
})

it('it lies there as data: until a person begins it nothing runs and nothing waits for the gateway', async () => {
  const [office, one] = (await laptops('Office', 'Laptop 1')) as [Laptop, Laptop]
  await office.prepare('Unit 1', {
    to: 'Laptop 1',
    imei: device.imei,
    order: {
      reference: '',
      items: [{ kind: 'output', output: 'OUT1' } as never],
      vehicle: 'Unit 1',
      customer: '',
      notes: ''
    }
  })
  await one.list()
  await one.team.push(signal)
  expect(one.store.jobs.page({ limit: 10 }).total).toBe(0)
  expect(one.store.operations.list()).toEqual([])
})

it('it is begun in a yard without the server, which learns it with the next push; the job has all that was prepared', async () => {
  const [office, one] = (await laptops('Office', 'Laptop 1')) as [Laptop, Laptop]
  const id = await office.prepare('Unit 1', {
    to: 'Laptop 1',
    customer: 'Customer One',
    notes: 'The key is at the gate.'
  })
  await one.list()
  await server.stop('immediate')
  const away = await one.list()
  expect(away).toMatchObject({ assigned: [{ id, vehicle: 'Unit 1' }], why: { id: 'team.away' } })
  expect(away.keptAt).not.toBeNull()
  const jobId = one.begin(id)
  expect(one.jobs.show(jobId)).toMatchObject({
    vehicleText: 'Unit 1',
    customer: 'Customer One',
    prepared: { id, by: 'Office', notes: 'The key is at the gate.' }
  })
  expect(await one.names()).toEqual([])
  expect(() => one.begin(id)).toThrow(
    expect.objectContaining({
      code: 'CONFLICT',
      sentence: { id: 'assigned.begunHere', values: { job: jobId } }
    }) as Error
  )
  expect(await failure(one.team.push(signal))).toBe('team.away')
  await server.start()
  expect(await office.names({ whose: 'all' })).toEqual(['Unit 1'])
  await one.team.push(signal)
  expect(await office.names({ whose: 'all' })).toEqual([])
  expect(
    await asOwner(
      async (owner) => (await owner.query('select begun_job from fitter.assignment where id = $1', [id])).rows
    )
  ).toEqual([{ begun_job: jobId }])
  expect(one.store.teamAssigned.untold()).toEqual([])
})

it('one of which the job was made by a process that died right after is begun, and never begun twice', async () => {
  const [office, one] = (await laptops('Office', 'Laptop 1')) as [Laptop, Laptop]
  const [id, other] = [await office.prepare('Unit 1'), await office.prepare('Unit 2')]
  await one.list()
  const made = (prepared: string) =>
    one.jobs.create({
      templateId: one.templates.list()[0]?.id ?? '',
      device,
      vehicleText: 'Unit',
      customer: '',
      prepared: one.assignments.take(prepared)
    })
  const jobId = made(id)
  expect(() => one.assignments.take(id)).toThrow(
    expect.objectContaining({
      code: 'CONFLICT',
      sentence: { id: 'assigned.begunHere', values: { job: jobId } }
    }) as Error
  )
  made(other)
  expect(await one.names()).toEqual([])
  await one.team.push(signal)
  expect(await office.names({ whose: 'all' })).toEqual([])
})

it('two who begin the same one without the server have two jobs; the second is told whose the other is', async () => {
  const [office, one, two] = (await laptops('Office', 'Laptop 1', 'Laptop 2')) as [Laptop, Laptop, Laptop]
  const id = await office.prepare('Unit 1')
  for (const laptop of [one, two]) await laptop.list()
  const [first, second] = [one.begin(id), two.begin(id)]
  await one.team.push(signal)
  await two.team.push(signal)
  // A lost acknowledgement is told again, and changes nothing.
  await asOwner((owner) =>
    owner.query("update fitter.assignment set begun_at = begun_at - interval '1 minute' where id = $1", [id])
  )
  one.store.teamAssigned.setTold(id, '', null)
  expect(await one.list()).toMatchObject({ assigned: [] })
  expect(await two.list()).toMatchObject({
    assigned: [{ id, jobId: second, told: { id: 'assigned.begunBefore', values: { by: 'Laptop 1' } } }]
  })
  const there = await office.team.jobs({ limit: 10 })
  expect(there.jobs.map((job) => job.id).sort()).toEqual([first, second].sort())
  two.assignments.putAway(id)
  expect(await two.names()).toEqual([])
  expect(two.jobs.show(second).state).not.toBe('cancelled')
})

it('what is withdrawn meanwhile is told, stays for who has begun it, and goes only when somebody has read it', async () => {
  const [office, one] = (await laptops('Office', 'Laptop 1')) as [Laptop, Laptop]
  const [begun, lying] = [
    await office.prepare('Unit 1', { to: 'Laptop 1' }),
    await office.prepare('Unit 2', { to: 'Laptop 1' })
  ]
  await one.list()
  const jobId = one.begin(begun)
  for (const id of [begun, lying])
    expect(await office.assignments.withdraw(id, signal)).toEqual({ outcome: 'withdrawn', by: 'Office' })
  await one.team.push(signal)
  expect((await one.list()).assigned).toMatchObject([
    { id: begun, jobId, told: { id: 'assigned.withdrawnBefore', values: { by: 'Office' } } },
    { id: lying, jobId: null, told: { id: 'assigned.withdrawn', values: { by: 'Office' } } }
  ])
  expect(one.jobs.show(jobId).vehicleText).toBe('Unit 1')
  expect(() => one.begin(lying)).toThrow(expect.objectContaining({ code: 'CONFLICT' }) as Error)
  one.assignments.putAway(lying)
  expect(await one.names()).toEqual(['Unit 1'])
  expect(await office.assignments.withdraw(begun, signal)).toEqual({ outcome: 'begun', by: 'Laptop 1' })
  expect(await failure(office.assignments.withdraw('none', signal))).toBe('assigned.none')
})

it('one that was begun is reported once the log of its job is there, not before', async () => {
  const [office, one] = (await laptops('Office', 'Laptop 1')) as [Laptop, Laptop]
  const id = await office.prepare('Unit 1')
  await one.list()
  one.begin(id)
  expect(await one.list()).toMatchObject({ assigned: [], why: null })
  expect(one.store.teamAssigned.untold()).toHaveLength(1)
  expect(await office.names({ whose: 'all' })).toEqual(['Unit 1'])
  await one.team.push(signal)
  expect(one.store.teamAssigned.untold()).toEqual([])
  expect(await office.names({ whose: 'all' })).toEqual([])
})

it('a colleague does not withdraw it, and is told whose it is; a laptop with too many of its own is told so', async () => {
  const [office, one] = (await laptops('Office', 'Laptop 1')) as [Laptop, Laptop]
  const id = await office.prepare('Unit 1', { to: 'Laptop 1' })
  await expect(one.assignments.withdraw(id, signal)).rejects.toMatchObject({
    code: 'NOT_PERMITTED',
    sentence: { id: 'assigned.notYours', values: { by: 'Office' } }
  })
  await asOwner((owner) =>
    owner.query(
      "insert into fitter.assignment (team_id, id, made_by, vehicle, customer, imei, what) select team_id, id || '-' || n, made_by, '', '', '', '{}' from fitter.assignment, generate_series(1, 19999) n where id = $1",
      [id]
    )
  )
  await expect(office.prepare('Unit 2')).rejects.toMatchObject({
    code: 'CONFLICT',
    sentence: { id: 'assigned.full', values: { most: 20000 } }
  })
  await one.prepare('Unit 2')
  expect(await one.names()).toContain('Unit 2')
})

it('a checklist that is not on this laptop, or in another version, is one sentence', async () => {
  const [office, one] = (await laptops('Office', 'Laptop 1')) as [Laptop, Laptop]
  office.templates.save(ownChecklist(), null)
  const id = await office.prepare('Unit 1', { templateId: 'our-vans' })
  expect((await one.list()).assigned).toMatchObject([
    { whyNot: { id: 'assigned.noChecklist', values: { id: 'our-vans' } } }
  ])
  expect(() => one.begin(id)).toThrow(
    expect.objectContaining({ sentence: expect.objectContaining({ id: 'assigned.noChecklist' }) as unknown }) as Error
  )
  await one.assignments.takeChecklist(id, signal)
  expect((await one.list()).assigned).toMatchObject([{ whyNot: null, hint: null }])
  expect(one.templates.open('our-vans')).toEqual(office.templates.open('our-vans'))
  one.templates.importText(JSON.stringify(ownChecklist({ version: 4, name: { en: 'Vans', es: 'Furgonetas' } })))
  expect((await one.list()).assigned).toMatchObject([
    { whyNot: null, hint: { id: 'assigned.otherVersion', values: { version: 1, present: 4 } } }
  ])
  expect(await failure(office.prepare('Unit 1', { templateId: 'nowhere' }))).toBe('templates.noSuch')
  expect(await failure(office.prepare('Unit 1', { to: 'Laptop 9' }))).toBe('assigned.noLaptop')
})

it.each([
  ['35693803564380', 'label.length'],
  ['356938035643800', 'label.checkDigit'],
  ['111111111111119', 'label.placeholder'],
  ['E7', 'label.length']
])('a job is not prepared for the IMEI %s, and the reason is that of a label', async (imei, reason) => {
  const [office] = (await laptops('Office')) as [Laptop]
  await expect(office.prepare('Unit 1', { imei })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    sentence: { id: reason }
  })
  expect((await office.list({ whose: 'all' })).assigned).toEqual([])
})

it('leaving the team takes what was prepared along', async () => {
  const [office, one] = (await laptops('Office', 'Laptop 1')) as [Laptop, Laptop]
  await office.prepare('Unit 1')
  expect(await one.names()).toEqual(['Unit 1'])
  await one.team.leave()
  expect(await one.list()).toEqual({ assigned: [], keptAt: null, why: null, next: null })
})

it('the server keeps what is prepared to its team and its form', async () => {
  const [office, strange] = [(await laptops('Office'))[0] as Laptop, (await laptops('Strange'))[0] as Laptop]
  const id = await office.prepare('Unit 1')
  expect(await strange.names({ whose: 'all' })).toEqual([])
  expect(await failure(strange.assignments.withdraw(id, signal))).toBe('assigned.none')
  const client = await server.connect({
    host: '127.0.0.1',
    port: server.port,
    database: 'postgres',
    user: strange.login,
    password: strange.password
  })
  const state = (sql: string, values: unknown[] = []) => failure(client.query(sql, values))
  expect((await client.query('select from fitter.assignment')).rowCount).toBe(0)
  expect((await client.query('select outcome from fitter.begin_assignment($1, $2)', [id, 'job'])).rows).toEqual([
    { outcome: 'none' }
  ])
  expect(await state("update fitter.assignment set vehicle = ''")).toBe('42501')
  expect(await state("insert into fitter.assignment (id) values ('x')")).toBe('42501')
  expect(await state('delete from fitter.assignment')).toBe('42501')
  for (const form of ['null', '[]', '{}', '{"id":"x"}', `{"id":"x' or true","what":{}}`, '{"id":"x","what":[]}'])
    expect(await state('select fitter.assign($1)', [form])).toBe('FT006')
  expect(
    await state('select fitter.assign($1)', [JSON.stringify({ id: 'x', what: { notes: 'x'.repeat(300_000) } })])
  ).toBe('FT005')
  expect(await state('select fitter.assign($1)', [JSON.stringify({ id: 'x', to: 'Office', what: {} })])).toBe('FT007')
  // What makes no sense is shown to nobody, and keeps nothing else away.
  expect(
    await state('select fitter.assign($1)', [JSON.stringify({ id: 'x', dueAt: 'infinity', what: { template: 1 } })])
  ).toBeUndefined()
  await strange.prepare('Unit 2')
  await client.end()
  expect(await strange.names()).toEqual(['Unit 2'])
})

it('a device shows the jobs of all laptops, each once and newest first; without the server what was kept of them', async () => {
  const [one, two] = (await laptops('Laptop 1', 'Laptop 2')) as [Laptop, Laptop]
  const template = { templateId: one.templates.list()[0]?.id ?? '', vehicleText: '', customer: '' }
  const [first, second] = [one.jobs.create({ ...template, device }), two.jobs.create({ ...template, device })]
  two.jobs.create({ ...template, device: { ...device, imei: '867698040023056' } })
  for (const laptop of [one, two]) await laptop.team.push(signal)
  const third = one.jobs.create({ ...template, device })
  const told = await one.earlier({ imei: device.imei })
  expect(told.jobs.map(({ id, holder, isHere }) => [id, holder, isHere])).toEqual([
    [third, 'Laptop 1', true],
    [second, 'Laptop 2', false],
    [first, 'Laptop 1', true]
  ])
  expect(told).toMatchObject({ isJoined: true, isMore: false, keptAt: null, why: null })
  await server.stop('immediate')
  const away = await one.earlier({ imei: device.imei })
  expect(away.jobs.map(({ id }) => id)).toEqual([third, second, first])
  expect(away).toMatchObject({ keptAt: expect.any(String) as string, why: { id: 'team.away' } })
  expect(await two.earlier({ imei: device.imei, from: 'copy' })).toMatchObject({
    jobs: [{ id: second }],
    keptAt: null,
    why: null
  })
  await server.start()
  await one.team.leave()
  expect(await one.earlier({ imei: device.imei })).toEqual({
    isJoined: false,
    jobs: [],
    isMore: false,
    keptAt: null,
    why: null
  })
})

it('a vehicle shows the jobs that were done on it, by its number at the gateway or by its plate', async () => {
  const [one, two] = (await laptops('Laptop 1', 'Laptop 2')) as [Laptop, Laptop]
  for (const [id, vehicle] of [
    ['byId', { id: 7, name: 'Unit 7' }],
    ['byPlate', { id: 0, name: 'Unit 7', plate: 'KRT428' }],
    ['another', { id: 8, name: 'Unit 8', plate: 'KRT429' }]
  ] as const)
    appendEntry(one.store, id, 'first', { vehicle, createdAt: `2026-03-01T10:00:0${String(id.length)}.000Z` })
  await one.team.push(signal)
  expect((await two.earlier({ vehicleId: 7, plate: 'KRT428' })).jobs.map(({ id }) => id)).toEqual(['byPlate', 'byId'])
  expect(
    (await one.earlier({ vehicleId: 7, plate: 'KRT428', name: 'Unit 7', from: 'copy' })).jobs.map(({ id }) => id)
  ).toEqual(['byPlate', 'byId'])
})

it('a checklist that only its maker has goes along in the log: whoever opens the job sees all of its steps', async () => {
  const [one, two] = (await laptops('Laptop 1', 'Laptop 2')) as [Laptop, Laptop]
  one.templates.save(ownChecklist(), null)
  const id = one.jobs.create({ templateId: 'our-vans', device, vehicleText: 'Unit 1', customer: '' })
  await one.team.push(signal)
  expect(two.templates.find('our-vans')).toBeUndefined()
  const { job } = await two.team.open(id)
  expect(job.steps.map((step) => step.id)).toEqual(one.jobs.show(id).steps.map((step) => step.id))
  expect(job.steps.map((step) => step.id)).toContain('damage')
  expect(job.template).toEqual(one.jobs.show(id).template)
  // It is found by its hash as well, once for all of its jobs.
  one.jobs.create({ templateId: 'our-vans', device, vehicleText: 'Unit 2', customer: '' })
  await one.team.push(signal)
  const { template, profile } = one.store.jobs.journal(id)[0]?.data as Record<string, unknown>
  const hashes = [template, profile].map((written) => createHash('sha256').update(canonicalJson(written)).digest('hex'))
  const there = await asOwner(
    async (owner) =>
      (
        await owner.query<{ sha256: string }>(
          "select distinct sha256 from fitter.content where media_type = 'application/json' and whole_at is not null and sha256 = any ($1)",
          [hashes]
        )
      ).rows
  )
  expect(there.map(({ sha256 }) => sha256).sort()).toEqual(hashes.sort())
})

it('whoever takes a job over goes on with a checklist that only its maker has', async () => {
  const teamName = `Team ${randomUUID()}`
  const [one, two] = [
    await joinedLaptop(server, teamName, 'Laptop 1'),
    await joinedLaptop(server, teamName, 'Laptop 2')
  ]
  templatesOf(quickShipped(), one.store).save(ownChecklist(), null)
  const id = one.jobs.create({ templateId: 'our-vans', device, vehicleText: 'Unit 1', customer: '' })
  await one.team.push(signal)
  await two.holding.takeOver({ jobId: id, reason: 'The laptop was stolen' }, signal)
  expect(templatesOf(quickShipped(), two.store).find('our-vans')).toBeUndefined()
  expect(two.jobs.loaded(id).checklist).toEqual(one.jobs.loaded(id).checklist)
  await two.jobs.waive(id, 'damage', 'Looked at by somebody else', 'Technician Two')
  expect(two.jobs.show(id).steps.find((step) => step.id === 'damage')?.state).toBe('waived')
})

it('a sealed job of a colleague is opened with its key; a signature that another key made is told', async () => {
  const [one, two] = (await laptops('Laptop 1', 'Laptop 2')) as [Laptop, Laptop]
  const [right, wrong] = [makeSigner(), makeSigner()]
  const put = async (id: string, sign: Parameters<typeof makeSealedJob>[0]) => {
    const { job, entries } = await makeSealedJob(sign, id)
    one.store.jobs.append(
      id,
      entries.map(({ type, stepId, data, at }) => ({ type, stepId, data, at })),
      () => summaryOf(id, { state: job.state })
    )
  }
  await put('sealed', right.sign)
  await put('forged', async (text) => {
    const signed = await right.sign(text)
    return signed.publicKey === null ? signed : { ...signed, publicKey: wrong.publicKey }
  })
  await one.team.push(signal)
  expect(await two.team.open('sealed')).toMatchObject({
    sealFaults: [],
    job: { sealed: { fingerprint: fingerprintOf(right.publicKey) } }
  })
  expect((await two.team.open('forged')).sealFaults).toMatchObject([{ id: 'report.check.wrongSignature' }])
})

it('at a terminal a job is prepared, listed and taken back', { tags: ['long'], timeout: 360_000 }, async () => {
  const [office] = (await laptops('Office')) as [Laptop]
  const folder = tempFolder()
  const store = openStore(folder)
  // The same laptop, closed and opened in the terminal.
  store.teamPush.folderId(() => office.store.teamPush.folderId(() => ''))
  store.teamPush.setMembership(office.store.teamPush.membership())
  store.close()
  const run = async (...parameters: string[]) => {
    const { code, stdout } = await fitter(['team', ...parameters, '--data', folder, '--json'], {
      env: { FITTER_TEAM_PASSWORD: office.password }
    })
    return { code, value: JSON.parse(stdout) as Record<string, unknown> }
  }
  const wish = ['prepare', '--template', 'standard-installation', '--vehicle', 'Unit 1']
  expect(await run(...wish, '--due', 'tomorrow')).toMatchObject({
    code: 2,
    value: { error: { code: 'INVALID_REQUEST' } }
  })
  expect(await run(...wish, '--to', 'Laptop 9')).toMatchObject({ code: 2, value: { error: { code: 'NOT_FOUND' } } })
  const prepared = await run(
    ...wish,
    '--to',
    'Office',
    '--due',
    '2026-11-23T13:30',
    '--imei',
    device.imei,
    '--customer',
    'Customer One'
  )
  const id = String(prepared.value['id'])
  expect(await run('assigned')).toMatchObject({
    code: 0,
    value: [
      {
        id,
        by: 'Office',
        to: 'Office',
        template: 'standard-installation',
        vehicle: 'Unit 1',
        customer: 'Customer One',
        imei: device.imei,
        dueAt: new Date('2026-11-23T13:30').toISOString(),
        told: null
      }
    ]
  })
  expect(await run('withdraw', id)).toMatchObject({ code: 0, value: { outcome: 'withdrawn' } })
  expect(await run('assigned')).toMatchObject({ code: 0, value: [{ id, message: { id: 'assigned.withdrawn' } }] })
})

type Laptop = Awaited<ReturnType<typeof joined>>
