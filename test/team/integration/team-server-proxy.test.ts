import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { readServerAddress, withServer, type TeamServer } from '../../../main/team/server/server.ts'
import { createTeam } from '../../../main/team/team.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { openServerProxy } from '../../world/team/postgres/serverProxy.ts'
import {
  askForScram,
  framed,
  int32,
  readyForQuery,
  refuse,
  signedIn,
  startHostileServer,
  type Hostility,
  type TlsLimits
} from '../../world/device/hostileServer.ts'
import { appendEntry, openTestStore } from '../../world/data/storedJobs.ts'
import { invited } from '../../world/team/teamServer.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { issue, makeAuthority } from '../../world/gateway/testCertificates.ts'
import { startPooler } from '../../world/team/testPooler.ts'

const password = 'never-to-be-heard'
/** For a server that is to be given up; one that answers is never hurried. */
const short = { connectMs: 400, queryMs: 400 }
const patient = { connectMs: 15_000, queryMs: 15_000 }
const company = makeAuthority()
const wish = { name: 'database', for: ['127.0.0.1'] }

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ listen_addresses: '127.0.0.1,::1' })
  const owner = await server.connect()
  await raiseSchema(owner)
  await owner.end()
}, 180_000)
afterAll(() => server?.remove())

const at = (port: number, more: Partial<TeamServer> = {}): TeamServer => ({
  host: '127.0.0.1',
  port,
  database: 'postgres',
  user: 'owner',
  authority: null,
  ...more
})
const said = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { sentence: { id: string } }).sentence.id
  )
const ask = (port: number, more: Partial<TeamServer> = {}, limits = patient) =>
  said(withServer(at(port, more), password, (client) => client.query('select 1'), { limits }))

/** What a client answered the question for a proof, taken on by somebody who knows no password. */
function proofFor(part: Buffer, rounds = 4_096): Buffer {
  const nonce = /r=([^\0]+)$/.exec(part.toString('latin1'))?.[1] ?? ''
  return framed(
    'R',
    Buffer.concat([
      int32(11),
      Buffer.from(`r=${nonce}made-up,s=${Buffer.from('salt').toString('base64')},i=${String(rounds)}`)
    ])
  )
}

it.each<[string, Hostility['answers'], string]>([
  ['asks for the password itself', (socket) => socket.write(framed('R', int32(3))), 'teamWay.wantsPassword'],
  [
    'asks for the password under MD5',
    (socket) => socket.write(framed('R', Buffer.concat([int32(5), Buffer.from('salt')]))),
    'teamWay.wantsPassword'
  ],
  ['asks for it in a way of its own', (socket) => socket.write(askForScram('PLAIN')), 'teamWay.wantsPassword'],
  [
    'takes a proof and gives none itself',
    (socket, part, count) =>
      socket.write(
        count === 1
          ? askForScram('SCRAM-SHA-256')
          : count === 2
            ? proofFor(part)
            : Buffer.concat([signedIn, readyForQuery])
      ),
    'teamWay.noProof'
  ],
  [
    'gives a proof that is none',
    (socket, part, count) =>
      socket.write(
        count === 1
          ? askForScram('SCRAM-SHA-256')
          : count === 2
            ? proofFor(part)
            : framed('R', Buffer.concat([int32(12), Buffer.from(`v=${Buffer.alloc(32).toString('base64')}`)]))
      ),
    'teamWay.noProof'
  ],
  [
    'wants a proof that takes for ever to make',
    (socket, part, count) => socket.write(count === 1 ? askForScram('SCRAM-SHA-256') : proofFor(part, 2_000_000_000)),
    'teamWay.noProof'
  ],
  ['never answers', () => undefined, 'team.late'],
  [
    'answers a little at a time and is never ready',
    (socket) => void setInterval(() => socket.write(framed('S', Buffer.from('a\0b\0'))), 20).unref(),
    'team.late'
  ],
  ['hangs up', (socket) => socket.end(), 'team.away'],
  [
    'is a pooler that refuses how connections begin',
    (socket) => socket.end(refuse('08P01', 'unsupported startup parameter: application_name')),
    'teamWay.poolerRefuses'
  ],
  [
    'is a pooler that gives each statement away',
    (socket) => socket.end(refuse('08P01', 'transaction blocks not allowed in statement pooling mode')),
    'teamWay.poolerMode'
  ],
  ['takes no more connections', (socket) => socket.end(refuse('53300', 'too many clients')), 'team.tooMany'],
  ['shuts this computer out', (socket) => socket.end(refuse('28000', 'no pg_hba.conf entry')), 'teamWay.notAdmitted']
])('a server that %s is told in one sentence, and does not hear the password', async (_, answers, sentence) => {
  const hostile = await startHostileServer({ answers })
  expect(await ask(hostile.port, {}, sentence === 'team.late' ? short : patient)).toBe(sentence)
  expect(hostile.heard()).not.toContain(password)
})

it.each<[string, { cert: string; key: string }, string]>([
  ['that vouches for itself', issue(wish), 'team.certificate'],
  ['of an authority that nobody knows', issue(wish, makeAuthority('Another Root')), 'team.certificate'],
  ['of another host', issue({ name: 'database', for: ['192.0.2.1'] }, company), 'team.certificate'],
  ['that has expired', issue({ ...wish, until: new Date('2021-01-01T00:00:00Z') }, company), 'teamWay.certificateTime'],
  [
    'that is not valid yet, as where the clock is years behind',
    issue({ ...wish, from: new Date('2048-01-01T00:00:00Z') }, company),
    'teamWay.certificateTime'
  ]
])('a server with a certificate %s hears nothing at all', async (_, certificate, sentence) => {
  const hostile = await startHostileServer({
    certificate,
    answers: (socket) => socket.write(Buffer.concat([signedIn, readyForQuery]))
  })
  expect(await ask(hostile.port, { authority: company.cert })).toBe(sentence)
  expect(hostile.heard()).toBe('')
})

it.each<[string, TlsLimits, string]>([
  ['only TLS 1.0', { minVersion: 'TLSv1', maxVersion: 'TLSv1' }, 'internet.oldTls'],
  ['only TLS 1.1, PostgresApp/PostgresApp#569', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }, 'internet.oldTls'],
  ['no cipher of today', { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA256:@SECLEVEL=0' }, 'internet.noCommonCipher']
])('a server that speaks %s is told so, is not called another service, and hears nothing', async (_, old, sentence) => {
  const hostile = await startHostileServer({
    certificate: { ...issue(wish, company), ciphers: 'DEFAULT:@SECLEVEL=0', ...old },
    answers: (socket) => socket.write(Buffer.concat([signedIn, readyForQuery]))
  })
  expect(await ask(hostile.port, { authority: company.cert })).toBe(sentence)
  expect(hostile.heard()).toBe('')
})

it('where the way is encrypted the proof is bound to the certificate, so that nobody in between can pass it on', async () => {
  const hostile = await startHostileServer({
    certificate: issue(wish, company),
    answers: (socket, _part, count) =>
      socket.write(count === 1 ? askForScram('SCRAM-SHA-256-PLUS', 'SCRAM-SHA-256') : refuse('28P01', 'wrong'))
  })
  expect(await ask(hostile.port, { authority: company.cert })).toBe('team.wrongPassword')
  expect(hostile.heard()).toContain('SCRAM-SHA-256-PLUS\0')
  expect(hostile.heard()).toContain('p=tls-server-end-point')
})

it('what answers and is no PostgreSQL is told so', async () => {
  const hostile = await startHostileServer({ answers: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') })
  expect(await ask(hostile.port, { authority: company.cert })).toBe('teamWay.noPostgres')
  const plain = await startHostileServer({ answers: (socket) => socket.end('N') })
  expect(await ask(plain.port, { authority: company.cert })).toBe('team.noTls')
})

it('whoever stops does not wait for a server that is silent', async () => {
  const stopping = new AbortController()
  const hostile = await startHostileServer({ answers: () => stopping.abort() })
  expect(await said(withServer(at(hostile.port), password, () => Promise.resolve(), { signal: stopping.signal }))).toBe(
    'team.stopped'
  )
})

it('a server that falls silent in the middle ends with its time, and the connection with it', async () => {
  const way = await openServerProxy(server.port)
  const { password: own } = server.owner
  const asked = withServer(
    at(way.port),
    own,
    async (client) => {
      await client.query('select 1')
      way.silence()
      await client.query('select 2')
    },
    { limits: { connectMs: 5_000, queryMs: 300 } }
  )
  expect(await said(asked)).toBe('team.late')
  await way.close()
})

it('an address of the sixth version of the internet protocol leads there as well', async () => {
  const address = readServerAddress(`postgres://owner@[::1]:${String(server.port)}/postgres?sslmode=require`)
  const { rows } = await withServer({ ...address, authority: null }, server.owner.password, (client) =>
    client.query<{ one: number }>('select 1 as one')
  )
  expect(rows).toEqual([{ one: 1 }])
  expect(() => readServerAddress('postgres://owner@[::1]/postgres?host=elsewhere')).toThrow(
    expect.objectContaining({ sentence: expect.objectContaining({ id: 'teamWay.addressMore' }) as unknown }) as Error
  )
  expect(() => readServerAddress('postgres://ow%ner@host/postgres')).toThrow(
    expect.objectContaining({ sentence: expect.objectContaining({ id: 'team.address' }) as unknown }) as Error
  )
})

it('a login opens only so many connections', async () => {
  const owner = await server.connect()
  const own = await invited(server, owner, { team: 'Crowded', name: 'Laptop 1' })
  const open = await Promise.all([1, 2, 3, 4].map(() => server.connect(own)))
  expect(
    await said(withServer(at(server.port, { user: String(own.user) }), String(own.password), () => Promise.resolve()))
  ).toBe('team.tooMany')
  for (const client of [...open, owner]) await client.end()
})

it('many laptops push, list and open jobs over a pooler that gives each transaction another connection', async () => {
  const pooler = await startPooler({ serverPort: server.port, connections: 3 })
  const owner = await server.connect()
  const laptops = []
  for (let n = 0; n < 12; n++) {
    const own = await invited(server, owner, { team: 'Pooled', name: `Laptop ${String(n)}` })
    pooler.knows(String(own.user), String(own.password))
    laptops.push({ own, id: `pooled-${String(n)}` })
  }
  await Promise.all(
    laptops.map(async ({ own, id }) => {
      const store = openTestStore(tempFolder())
      for (const text of ['first', 'second', 'third']) appendEntry(store, id, text, { customer: 'Customer One' })
      const team = createTeam({
        store,
        secrets: createSecrets({ inMemory: true }),
        limits: { connectMs: 20_000, queryMs: 20_000 }
      })
      await team.join({
        team: 'Pooled',
        name: '',
        server: at(pooler.port, { user: String(own.user) }),
        password: String(own.password)
      })
      expect(await team.push(new AbortController().signal)).toMatchObject({ jobs: 1, entries: 3, stopped: 0 })
      const { jobs } = await team.jobs({ search: 'custmoer', limit: 100 })
      expect(jobs.map((job) => job.id)).toContain(id)
      await expect(team.open('pooled-none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })
  )
  expect(
    (await owner.query<{ n: string }>("select count(*) as n from fitter.entry where job_id like 'pooled-%'")).rows
  ).toEqual([{ n: '36' }])
  expect(pooler.violations).toEqual([])
  expect(pooler.most).toBeLessThanOrEqual(3)
  await owner.end()
  await pooler.close()
})
