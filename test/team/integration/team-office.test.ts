import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { createOffice } from '../../../main/team/admin/office.ts'
import { checkOrders, faultsTable } from '../../../main/team/admin/officeOrders.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { createAssignments } from '../../../main/team/reading/assignments.ts'
import { readJoinFile, writeJoinFile } from '../../../main/team/server/joinFile.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import { calls, type CallInput } from '../../../preload/contract/index.ts'
import { openLaptop } from '../../world/team/laptop.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { quickShipped, templatesOf } from '../../world/device/quickProfile.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { sentenceOf } from '../../world/team/teamsOfTest.ts'

/** The office tasks of the window, with a real server whose owner is no superuser. */
let server: PostgresServer
const signal = new AbortController().signal
const limits = { connectMs: 5_000, queryMs: 10_000 }
const imei = '867698040023098'
let teams = 0

beforeAll(async () => {
  server = await startPostgres()
  const root = await server.connect()
  await root.query("create role company login createrole password 'company-password'")
  await root.query('grant create on database postgres to company')
  await root.end()
  await asCompany((owner) => raiseSchema(owner))
}, 180_000)
afterAll(() => server?.remove())

const address = (user = 'company') => `postgres://${user}@127.0.0.1:${String(server.port)}/postgres`

async function asCompany<T>(work: (client: Awaited<ReturnType<PostgresServer['connect']>>) => Promise<T>): Promise<T> {
  const client = await server.connect({ ...server.owner, user: 'company', password: 'company-password' })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function newTeam(): Promise<string> {
  const name = `Team ${String((teams += 1))}`
  await asCompany((owner) => makeTeam(owner, name))
  return name
}

async function laptopOf(teamName: string, name: string, text?: string) {
  const invitation =
    text ??
    (await asCompany(async (owner) => {
      const { login, password } = await inviteLaptop(owner, { team: teamName, name, mayWrite: true })
      return writeJoinFile({
        team: teamName,
        name,
        server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
        password
      })
    }))
  const laptop = openLaptop({ folder: tempFolder(), name })
  onTestFinished(() => laptop.end())
  const { store, jobs } = laptop
  const secrets: string[] = []
  const team = createTeam({
    store,
    secrets: createSecrets({ inMemory: true }),
    limits,
    onSecret: (one) => secrets.push(one)
  })
  await team.join(readJoinFile(invitation))
  const office = createOffice({ team, store, limits })
  const assignments = createAssignments({ team, store, templates: templatesOf(quickShipped(), store) })
  const prepare = (wanted: CallInput<'team.prepare'>) =>
    assignments.prepare(calls['team.prepare'].input.parse(wanted), signal)
  const check = (table: string) => checkOrders(Buffer.from(table), { team, signal })
  const work = (vehicle: string) =>
    jobs.create({
      templateId: templateId(),
      device: { imei, model: 'Device', address: '' },
      vehicleText: vehicle,
      customer: ''
    })
  return { store, team, office, assignments, prepare, check, work }
}
const templateId = () => quickShipped().templates.keys().next().value ?? ''
const openAs = (
  office: Awaited<ReturnType<typeof laptopOf>>['office'],
  own: Partial<CallInput<'team.openOwner'>> = {}
) => office.openOwner({ address: address(), password: 'company-password', ...own }, signal)

it('anyone sees who is in the team and what they hold; the owner’s tasks are refused until the owner signs in', async () => {
  const team = await newTeam()
  const [one, two] = [await laptopOf(team, 'Desk 1'), await laptopOf(team, 'Laptop 2')]
  two.work('Unit 1')
  await two.team.push(signal)
  const office = await one.office.office(signal)
  expect(office).toMatchObject({
    team,
    owner: null,
    invitations: [],
    address: `postgres://@127.0.0.1:${String(server.port)}/postgres`
  })
  expect(office.members).toMatchObject([
    { name: 'Desk 1', isMe: true, role: 'writer', jobs: 0, pushedAt: null },
    { name: 'Laptop 2', isMe: false, jobs: 1, pushedAt: expect.any(String) as string }
  ])
  for (const refused of [
    one.office.invite({ name: 'Laptop 3', role: 'writer' }, signal),
    one.office.removeLaptop({ name: 'Laptop 2' }, signal),
    one.office.kept(signal),
    one.office.dropBefore({ month: '2024-01', isTrial: true, photosOnly: false }, signal)
  ])
    expect(await sentenceOf(refused)).toBe('teamOffice.noOwner')
})

it('the owner is in memory only, and another login, a wrong password and another team log are refused', async () => {
  const team = await newTeam()
  const one = await laptopOf(team, 'Desk 1')
  const own = one.store.teamPush.membership()
  expect(await sentenceOf(openAs(one.office, { password: 'wrong' }))).toBe('team.wrongPassword')
  const root = await server.connect()
  await root.query("create role visitor login password 'visitor-password'")
  expect(await sentenceOf(openAs(one.office, { address: address('visitor'), password: 'visitor-password' }))).toMatch(
    /onlyOwner|noSchema/
  )
  await root.query('grant usage on schema fitter to visitor')
  await root.query('grant select on fitter.migration to visitor')
  expect(await sentenceOf(openAs(one.office, { address: address('visitor'), password: 'visitor-password' }))).toBe(
    'teamWay.onlyOwner'
  )
  await root.end()
  expect((await one.office.office(signal)).owner).toBeNull()
  // As a person copies it from a password manager.
  expect(await openAs(one.office, { address: address('company:company-password'), password: '' })).toEqual({
    host: '127.0.0.1',
    user: 'company'
  })
  expect((await one.office.office(signal)).owner).toEqual({ host: '127.0.0.1', user: 'company' })
  expect(
    JSON.stringify([one.store.settings.get(), one.store.teamPush.owned(), one.store.teamPush.membership()])
  ).not.toContain('company-password')
  one.office.closeOwner()
  expect(await sentenceOf(one.office.kept(signal))).toBe('teamOffice.noOwner')
  await openAs(one.office)
  one.store.teamPush.setMembership({ ...(own as NonNullable<typeof own>), channel: 'fitter_other' })
  expect((await one.office.office(signal)).owner).toBeNull()
  expect(await sentenceOf(openAs(one.office))).toBe('teamOffice.otherTeam')
})

it('an invitation works once, is listed until then, and can be withdrawn only before', async () => {
  const team = await newTeam()
  const { office } = await laptopOf(team, 'Desk 1')
  await openAs(office)
  const made = await office.invite({ name: 'Laptop 7 ñ', role: 'lead' }, signal)
  expect(made).toMatchObject({ name: 'Laptop 7 ñ', fileName: 'fitter-team-Laptop-7-ñ.json', onlyHere: '127.0.0.1' })
  const hours = (Date.parse(made.expiresAt) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThan(24.1)
  expect((await office.office(signal)).invitations).toMatchObject([
    { name: 'Laptop 7 ñ', role: 'lead', expiresAt: made.expiresAt }
  ])
  const seven = await laptopOf(team, 'Laptop 7 ñ', made.text)
  expect(await sentenceOf(laptopOf(team, 'Laptop 7 ñ', made.text))).toBe('team.joinedElsewhere')
  expect(await office.office(signal)).toMatchObject({
    invitations: [],
    members: [{}, { name: 'Laptop 7 ñ', role: 'lead' }]
  })
  expect(await sentenceOf(office.withdrawInvitation({ name: 'Laptop 7 ñ' }, signal))).toBe('teamOffice.used')
  await seven.team.push(signal)

  const other = await office.invite({ name: 'Laptop 8', role: 'writer' }, signal)
  await office.withdrawInvitation({ name: 'Laptop 8' }, signal)
  expect((await office.office(signal)).invitations).toEqual([])
  expect(await sentenceOf(laptopOf(team, 'Laptop 8', other.text))).toBe('teamWay.notAdmitted')
})

it('an invitation that has expired admits nobody, not even to read; a laptop that joined in time stays', async () => {
  const team = await newTeam()
  const { office } = await laptopOf(team, 'Desk 1')
  await openAs(office)
  const [late, inTime] = [
    await office.invite({ name: 'Late', role: 'writer' }, signal),
    await office.invite({ name: 'In time', role: 'writer' }, signal)
  ]
  const joined = await laptopOf(team, 'In time', inTime.text)
  await asCompany((owner) =>
    owner.query("update fitter.laptop set expires_at = now() - interval '1 minute' where name = 'Late'")
  )
  expect(await sentenceOf(laptopOf(team, 'Late', late.text))).toBe('teamOffice.expired')
  const { server: way, password } = readJoinFile(late.text)
  const plain = await server.connect({ ...server.owner, user: way.user, password })
  expect((await plain.query('select * from fitter.team')).rows).toEqual([])
  expect(
    (await plain.query('select * from fitter.laptop').catch((error: { code: string }) => ({ rows: error.code }))).rows
  ).toBe('42501')
  await expect(plain.query("select fitter.assign('{}')")).rejects.toMatchObject({ code: 'FT001' })
  await plain.end()
  const { rows } = await asCompany((owner) =>
    owner.query<{ expires_at: Date | null }>("select expires_at from fitter.laptop where name = 'In time'")
  )
  expect(rows).toEqual([{ expires_at: null }])
  await joined.team.push(signal)
})

it('a removed laptop is out at once, and its jobs stay to be taken over', async () => {
  const team = await newTeam()
  const [one, two] = [await laptopOf(team, 'Desk 1'), await laptopOf(team, 'Laptop 2')]
  two.work('Unit 1')
  await two.team.push(signal)
  await openAs(one.office)
  expect(await one.office.removeLaptop({ name: 'Laptop 2' }, signal)).toEqual({ jobs: 1 })
  expect((await one.office.office(signal)).members.map(({ name }) => name)).toEqual(['Desk 1'])
  expect(await sentenceOf(two.team.push(signal))).toBeDefined()
  expect((await one.team.jobs({ search: '', limit: 10 })).jobs).toHaveLength(1)
  expect(await sentenceOf(one.office.removeLaptop({ name: 'Laptop 2' }, signal))).toBe('teamWay.noSuchLaptop')
})

it('what is kept is shown and dropped by month, of this team only, after a trial that changes nothing', async () => {
  const [team, otherTeam] = [await newTeam(), await newTeam()]
  const [one, other] = [await laptopOf(team, 'Desk 1'), await laptopOf(otherTeam, 'Desk 1')]
  for (const laptop of [one, other]) {
    laptop.work('Unit 1')
    await laptop.team.push(signal)
  }
  await asCompany(async (owner) => {
    await owner.query("select fitter.keep_month('2024-03-01')")
    await owner.query("update fitter.entry set month = '2024-03-01'")
    await owner.query("update fitter.job set month = '2024-03-01', changed_at = '2024-03-05'")
  })
  await openAs(one.office)
  expect(await one.office.kept(signal)).toEqual({
    jobs: 1,
    since: '2024-03',
    photos: 0,
    photoBytes: 0,
    last: null,
    photosSince: null,
    lastPhotos: null
  })
  expect(await one.office.dropBefore({ month: '2024-04', isTrial: true, photosOnly: false }, signal)).toMatchObject({
    jobs: 1,
    heldByLaw: 0,
    stillUsed: 0
  })
  expect((await one.office.kept(signal)).jobs).toBe(1)
  expect(await one.office.dropBefore({ month: '2024-04', isTrial: false, photosOnly: false }, signal)).toMatchObject({
    jobs: 1
  })
  expect(await one.office.kept(signal)).toMatchObject({
    jobs: 0,
    since: null,
    last: { month: '2024-04', by: 'company' }
  })
  await openAs(other.office)
  expect((await other.office.kept(signal)).jobs).toBe(1)
})

const table =
  'vehicle,device,template,for,when,customer\nUnit 1,,standard-installation,Laptop 2,2026-11-24 08:00,Customer One\nUnit 2,,Standart,,24/11/2026,\nUnit 1,,standard-installation,Laptop 2,2026-11-24 08:00,Customer One\n'

it('a table is checked before anything is made: who has an open job, what is wrong in which column, and what exists already', async () => {
  const team = await newTeam()
  const [one, two] = [await laptopOf(team, 'Desk 1'), await laptopOf(team, 'Laptop 2')]
  two.work('unit 2')
  await two.team.push(signal)
  await asCompany((owner) =>
    owner.query(
      "update fitter.job set vehicle = 'unit', plate = '2' where team_id = (select id from fitter.team where name = $1)",
      [team]
    )
  )
  await one.prepare({ templateId: templateId(), vehicle: 'UNIT 1', to: 'Laptop 2' })
  const { orders, findings } = await one.check(table)
  expect(findings).toEqual([])
  expect(
    orders.map(({ lines, vehicle, template, to, due, errors, open, sent }) => [
      lines,
      vehicle,
      template,
      to,
      due,
      errors.map(({ id }) => id),
      open,
      sent
    ])
  ).toEqual([
    [
      [2],
      'Unit 1',
      'standard-installation',
      'Laptop 2',
      '2026-11-24T08:00',
      [],
      { isStarted: false, by: 'Laptop 2' },
      null
    ],
    [[3], 'Unit 2', 'Standart', '', '', ['teamOffice.when'], { isStarted: true, by: 'Laptop 2' }, null],
    [
      [4],
      'Unit 1',
      'standard-installation',
      'Laptop 2',
      '2026-11-24T08:00',
      [],
      { isStarted: false, by: 'Laptop 2' },
      null
    ]
  ])
  expect(new Set(orders.map(({ id }) => id)).size).toBe(3)
  expect(
    (await one.assignments.list(calls['team.assigned'].input.parse({ whose: 'all' }), signal)).assigned
  ).toHaveLength(1)
})

it('an order that is sent again, from the same file, a longer one or another office, is made once; a withdrawn one may be sent again', async () => {
  const team = await newTeam()
  const [one, two] = [await laptopOf(team, 'Desk 1'), await laptopOf(team, 'Desk 2')]
  const [first] = (await one.check(table)).orders
  const send = (laptop: typeof one, id: string) => laptop.prepare({ id, templateId: templateId(), vehicle: 'Unit 1' })
  await send(one, first?.id ?? '')
  await send(one, first?.id ?? '')
  expect(await sentenceOf(send(two, first?.id ?? ''))).toBe('assigned.byOther')
  const all = async () =>
    (await one.assignments.list(calls['team.assigned'].input.parse({ whose: 'all' }), signal)).assigned.map(
      ({ id }) => id
    )
  expect(await all()).toEqual([first?.id])
  const again = (await two.check(`${table}Unit 9,,standard-installation,,,\n`)).orders
  expect(again.map(({ id, sent }) => [id === first?.id, sent?.by])).toEqual([
    [true, 'Desk 1'],
    [false, undefined],
    [false, undefined],
    [false, undefined]
  ])
  await one.assignments.withdraw(first?.id ?? '', signal)
  const after = (await one.check(table)).orders[0]
  expect(after).toMatchObject({ id: `${first?.id ?? ''}-2`, sent: null })
  await send(one, after?.id ?? '')
  expect((await one.check(table)).orders[0]).toMatchObject({ id: after?.id, sent: { by: 'Desk 1' } })
})

it('a table of 300 orders is read in one go, and what was not sent is a table that can be read again', async () => {
  const one = await laptopOf(await newTeam(), 'Desk 1')
  const many = `vehicle;template;notes\n${Array.from({ length: 300 }, (_, n) => `Unit ${String(n)};standard-installation;"=a, ""b"""`).join('\n')}\n`
  const { orders } = await one.check(many)
  expect(orders).toHaveLength(300)
  const faults = await faultsTable(Buffer.from(many), [{ lines: orders[7]?.lines ?? [], problem: 'no such checklist' }])
  expect(faults).toBe(
    '\ufeffvehicle,template,notes,problem\r\nUnit 7,standard-installation,"\'=a, ""b""",no such checklist\r\n'
  )
  const reread = await one.check(faults)
  expect(reread.findings).toEqual([])
  expect(reread.orders.map(({ id, notes }) => [id, notes])).toEqual([[orders[7]?.id, '=a, "b"']])
  expect(await faultsTable(Buffer.from(faults), [{ lines: [2], problem: 'again' }])).toContain(
    '"\'=a, ""b""",again\r\n'
  )
  expect(await sentenceOf(one.check('[{"items": []}]'))).toBe('teamOffice.noTable')
})
