import type { Client, ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { hardeningScript } from '../../../main/team/server/hardening.ts'
import { teamError } from '../../../main/team/server/failures.ts'
import { inviteAgain, inviteLaptop, laptopsWithoutLogin, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { appendEntry, openTestStore } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { refusal } from '../../world/team/teamServer.ts'

const signal = new AbortController().signal
let server: PostgresServer
let superuser: Client
let company: Client
let as: ClientConfig

beforeAll(async () => {
  server = await startPostgres()
  const first = await server.connect()
  await first.query("create role company login createrole password 'company-password'")
  await first.query('create database fleet owner company')
  await first.end()
  superuser = await server.connect({ ...server.owner, database: 'fleet' })
  as = { ...server.owner, user: 'company', password: 'company-password', database: 'fleet' }
  company = await server.connect(as)
  await raiseSchema(company)
  await makeTeam(company, 'North')
}, 180_000)
afterAll(async () => {
  await superuser?.end()
  await company?.end()
  await server?.remove()
})

const invitation = (login: string, password: string) => ({
  team: 'North',
  name: '',
  password,
  server: { host: '127.0.0.1', port: server.port, database: 'fleet', user: login, authority: null }
})

it('a dump without roles is complete after init, and a laptop that is listed goes on with a login that is given again', async () => {
  const store = openTestStore(tempFolder())
  appendEntry(store, 'before', 'first')
  const team = createTeam({ store, secrets: createSecrets({ inMemory: true }) })
  const { login, password } = await inviteLaptop(company, { team: 'North', name: 'Laptop 1', mayWrite: true })
  await team.join(invitation(login, password))
  await team.push(signal)
  // As another server has it on which the dump was restored.
  await superuser.query(
    `drop owned by fitter_reads, fitter_writes, ${login}; drop role ${login}, fitter_reads, fitter_writes`
  )
  appendEntry(store, 'before', 'second')
  await expect(team.push(signal)).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })

  const notices: string[] = []
  company.on('notice', ({ message }) => notices.push(message ?? ''))
  expect(await raiseSchema(company)).toBe(0)
  expect(notices).toEqual([])
  expect(await laptopsWithoutLogin(company, 'North')).toEqual(['Laptop 1'])
  const again = await inviteAgain(company, { team: 'North', name: 'Laptop 1' })
  expect(await laptopsWithoutLogin(company, 'North')).toEqual([])
  await team.join(invitation(again.login, again.password))
  expect(await team.push(signal)).toMatchObject({ stopped: 0 })
  expect(team.status()).toMatchObject({ waiting: 0, held: [] })
  expect((await team.jobs({ limit: 10 })).jobs).toMatchObject([{ id: 'before', holder: 'Laptop 1', entries: 2 }])
  await expect(inviteAgain(company, { team: 'North', name: 'Laptop 9' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('of two data folders with one login only the one that the server knows goes on', async () => {
  const stores = [openTestStore(tempFolder()), openTestStore(tempFolder())]
  const [first, second] = stores.map((store) => createTeam({ store, secrets: createSecrets({ inMemory: true }) }))
  if (!first || !second || !stores[0]) throw new Error('Two were opened.')
  const { login, password } = await inviteLaptop(company, { team: 'North', name: 'Two folders', mayWrite: true })
  await first.join(invitation(login, password))
  await expect(second.join(invitation(login, password))).rejects.toMatchObject({
    sentence: { id: 'team.joinedElsewhere' }
  })
  // A backup from before it joined: the invitation is new again.
  await company.query('update fitter.laptop set data_folder = null where login = $1', [login])
  await second.join(invitation(login, password))
  appendEntry(stores[0], 'two-folders', 'first')
  const refused = { code: 'CONFLICT', sentence: { id: 'team.joinedElsewhere', values: { name: 'Two folders' } } }
  await expect(first.push(signal)).rejects.toMatchObject(refused)
  await expect(first.jobs({ limit: 10 })).rejects.toMatchObject(refused)
  // Nor does it close the login of the other one.
  expect(await first.leave()).toEqual({ toldServer: false })
  expect(await second.push(signal)).toMatchObject({ stopped: 0 })
})

it('a login can use up the locks of the whole server until a superuser has run the script; laptops and their owner go on with it', async () => {
  const { login, password } = await inviteLaptop(company, { team: 'North', name: 'Reports', mayWrite: false })
  const reads = await server.connect({ ...as, user: login, password })
  const many = 'select pg_advisory_lock(n) from generate_series(1, 100000) n'
  const full = await reads.query(many).then(
    () => undefined,
    (error: unknown) => error
  )
  expect(full).toMatchObject({ code: '53200' })
  expect(teamError(full, 'host.example')).toMatchObject({
    code: 'UNREACHABLE',
    retryable: true,
    sentence: { id: 'teamServer.busy' }
  })
  await reads.query('select pg_advisory_unlock_all()').catch(() => undefined)
  await reads.end()

  await superuser.query(hardeningScript({ database: 'fleet', owner: 'company' }))
  const after = await server.connect({ ...as, user: login, password })
  expect(await refusal(after.query(many))).toBe('42501')
  expect(await refusal(after.query('create temporary table own (n int)'))).toBe('42501')
  expect(await refusal(after.query("select lo_from_bytea(0, 'x')"))).toBe('42501')
  expect((await after.query('select id from fitter.list_jobs($1, 10)', ['{}'])).rows).toHaveLength(1)
  await after.end()
  expect(await raiseSchema(company)).toBe(0)
  const store = openTestStore(tempFolder())
  appendEntry(store, 'hardened', 'first')
  const team = createTeam({ store, secrets: createSecrets({ inMemory: true }) })
  const other = await inviteLaptop(company, { team: 'North', name: 'Laptop 2', mayWrite: true })
  await team.join(invitation(other.login, other.password))
  expect(await team.push(signal)).toMatchObject({ jobs: 1, stopped: 0 })
})
