// @module-tag long
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrations } from '../../../main/team/server/migrations/index.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
}, 180_000)
afterAll(() => server?.remove())

it(
  'a company sets its team log up in the terminal, two laptops join, and each sees the work of both',
  { timeout: 900_000 },
  async () => {
    const home = tempFolder()
    // A company's database and its owner: no superuser.
    const owner = await server.connect()
    await owner.query("create role company login createrole password 'company-password'")
    await owner.query('create database fleet owner company')
    await owner.end()
    const url = `postgres://company@127.0.0.1:${String(server.port)}/fleet`
    let said = ''
    const run = async (parameters: string[], env: Record<string, string> = {}) => {
      const { code, stdout, stderr } = await fitter(['team', ...parameters, '--json'], {
        env: { HOME: home, ...env },
        cwd: home
      })
      said = stderr
      return { code, value: JSON.parse(stdout) as Record<string, unknown> }
    }
    const asOwner = { FITTER_TEAM_PASSWORD: 'company-password' }
    expect(await run(['init', '--url', url], { FITTER_TEAM_PASSWORD: 'wrong' })).toMatchObject({
      code: 4,
      value: { error: { code: 'NOT_AUTHENTICATED' } }
    })
    expect(await run(['init', '--url', url])).toMatchObject({
      code: 2,
      value: { error: { data: { id: 'teamWay.passwordWanted' } } }
    })
    expect(await run(['init', '--url', url.replace('@', ':company-password@')])).toMatchObject({
      code: 2,
      value: { error: { data: { id: 'team.passwordInAddress' } } }
    })
    expect(await run(['invite', 'Laptop 1'], asOwner)).toMatchObject({
      code: 2,
      value: { error: { data: { id: 'teamWay.noAddress' } } }
    })
    expect(await run(['init', '--url', url], asOwner)).toMatchObject({
      code: 0,
      value: { team: 'Team', host: '127.0.0.1', database: 'fleet', applied: migrations.length }
    })
    writeFileSync(
      join(home, '.pgpass'),
      `# of this company\n*:${String(server.port)}:fleet:company:company-password\n`,
      { mode: 0o600 }
    )
    // Again, and without the address, which the data folder remembers.
    expect(await run(['init'])).toMatchObject({ code: 0, value: { applied: 0 } })

    const beside = join(home, 'fitter-team-Laptop-1.json')
    const laptops = ['Laptop 1', 'Laptop 2'].map((name, index) => ({
      name,
      data: join(home, `data${String(index)}`),
      file: index === 0 ? beside : join(home, `join${String(index)}.json`),
      job: `job-${String(index)}`
    }))
    for (const { name, data, file, job } of laptops) {
      expect(
        await run(['invite', name, ...(file === beside ? [] : ['--url', url, '--out', file])], asOwner)
      ).toMatchObject({ code: 0, value: { name, file, mayWrite: true } })
      expect(said).toContain('This invitation names 127.0.0.1, which is the computer that reads it.')
      mkdirSync(data)
      const store = openStore(data)
      appendEntry(store, job, 'first', { customer: 'Customer One' })
      store.close()
      // Without a keychain the secret is read out of the file of the invitation each time.
      const own = {}
      expect(await run(['status', '--data', data])).toMatchObject({ code: 0, value: { joined: null, waiting: 0 } })
      expect(await run(['push', '--data', data], own)).toMatchObject({ value: { error: { code: 'NOT_FOUND' } } })
      expect(await run(['join', file, '--data', data], own)).toMatchObject({
        code: 0,
        value: { joined: { name }, waiting: 1, forks: 0, pushedAt: null }
      })
      expect(await run(['push', '--data', data], own)).toMatchObject({ code: 0, value: { entries: 1, waiting: 0 } })
    }
    const [first] = laptops as [(typeof laptops)[number]]
    const { password } = JSON.parse(readFileSync(first.file, 'utf8')) as { password: string }
    const own = {}
    const listed = await run(['jobs', '--data', first.data], own)
    expect(listed).toMatchObject({
      code: 0,
      value: [
        { id: 'job-1', holder: 'Laptop 2', customer: 'Customer One' },
        { id: 'job-0', holder: 'Laptop 1' }
      ]
    })
    expect(await run(['jobs', '--data', first.data, '--limit', '1', '--after', 'job-1'], own)).toMatchObject({
      value: [{ id: 'job-0' }]
    })
    expect(await run(['jobs', '--data', first.data, '--search', 'custmoer'], own)).toMatchObject({
      value: [{ customer: 'Customer One' }, {}]
    })
    expect((await run(['jobs', '--data', first.data, '--mine', '--open'], own)).value).toMatchObject([{ id: 'job-0' }])
    expect(
      (await fitter(['team', 'jobs', '--data', first.data, '--search', 'zzzz'], { env: { HOME: home }, cwd: home }))
        .stdout
    ).toContain('No matches: no job contains “zzzz” or anything similar.')
    expect(await run(['jobs', '--data', first.data, '--search', "x' or true --"], own)).toMatchObject({
      code: 0,
      value: []
    })
    expect(await run(['jobs', '--data', first.data, '--after', 'job-9'], own)).toMatchObject({
      code: 2,
      value: { error: { data: { id: 'store.noJobToGoOnAfter' } } }
    })
    expect(await run(['jobs', '--data', first.data, 'customer'], own)).toMatchObject({
      code: 2,
      value: { error: { data: { values: { problem: { id: 'terminalTeamOwner.words' } } } } }
    })
    const lead = join(home, 'lead.json')
    expect(await run(['invite', 'Lead', '--lead', '--reader', '--out', lead])).toMatchObject({
      code: 2,
      value: { error: { data: { values: { problem: { id: 'terminalTeamOwner.leadOrReader' } } } } }
    })
    expect(await run(['invite', 'Lead', '--lead', '--out', lead])).toMatchObject({
      code: 0,
      value: { name: 'Lead', mayWrite: true, isLead: true }
    })
    expect(await run(['logins'])).toMatchObject({
      code: 0,
      value: {
        logins: [
          { name: 'Laptop 1', role: 'writer' },
          { name: 'Laptop 2', role: 'writer' },
          { name: 'Lead', role: 'lead' }
        ]
      }
    })
    expect(await run(['invite', 'Lap\ntop'])).toMatchObject({
      code: 2,
      value: { error: { data: { values: { problem: { id: 'terminalTeamOwner.name' } } } } }
    })
    expect(await run(['jobs', '--data', first.data, '--since', '2999-01-01'], own)).toMatchObject({
      code: 0,
      value: []
    })
    expect(statSync(first.file).mode & 0o077).toBe(0)
    // A file that is there stays as it is, and no login is made for it.
    expect(await run(['invite', 'Laptop 1'])).toMatchObject({
      code: 2,
      value: { error: { data: { id: 'terminal.fileIsThere' } } }
    })
    // The owner's password, left in the environment, does not keep this laptop's own from its turn.
    expect(await run(['push', '--data', first.data], asOwner)).toMatchObject({ code: 0 })
    chmodSync(first.file, 0o644)
    expect(await run(['retention', '--before', '2020-01', '--photos-only', '--dry-run'])).toMatchObject({
      code: 0,
      value: { before: '2020-01', dryRun: true, photosOnly: true, jobs: 0, contents: 0 }
    })
    expect(await run(['push', '--data', first.data])).toMatchObject({
      code: 4,
      value: { error: { data: { id: 'teamWay.fileOpen' } } }
    })
    chmodSync(first.file, 0o600)
    // Without the server: what is kept here, with its age; nothing kept is no empty list.
    await server.stop()
    expect(await run(['jobs', '--data', first.data], own)).toMatchObject({ value: { error: { code: 'UNREACHABLE' } } })
    const [kept] = listed.value as unknown as [TeamJob]
    const store = openStore(first.data)
    store.teamCopies.keepJob({
      listed: { ...kept, template: { id: 'x', version: 1, name: plainMessage('x') } },
      opened: null,
      keptAt: '2026-03-03T08:00:00.000Z',
      isReadOnly: true
    })
    store.close()
    expect(await run(['jobs', '--data', first.data], own)).toMatchObject({
      code: 0,
      value: [{ id: 'job-1', keptAt: '2026-03-03T08:00:00.000Z' }]
    })
    await server.start()
    writeFileSync(first.file, '{"fitter":"team","version":2}')
    expect(await run(['join', first.file, '--data', first.data])).toMatchObject({
      code: 2,
      value: { error: { code: 'INVALID_REQUEST' } }
    })
    expect(await run(['hold', 'job-0', '--on', '--reason', 'A court has asked for it'])).toMatchObject({
      code: 0,
      value: { id: 'job-0', heldByLaw: true }
    })
    expect(await run(['hold', 'job-9', '--on', '--reason', 'A court has asked for it'])).toMatchObject({
      code: 2,
      value: { error: { code: 'NOT_FOUND' } }
    })
    expect(await run(['retention', '--before', '2020-01', '--team', 'Another'])).toMatchObject({
      code: 2,
      value: { error: { data: { id: 'team.noSuchTeam' } } }
    })
    expect(await run(['retention', '--before', '2999-01', '--dry-run'])).toMatchObject({
      code: 2,
      value: { error: { data: { id: 'teamServer.monthNotOver' } } }
    })
    expect(await run(['push', '--data', first.data])).toMatchObject({
      code: 4,
      value: { error: { data: { id: 'team.noPassword' } } }
    })
    expect(await run(['leave', '--data', first.data], { FITTER_TEAM_PASSWORD: password })).toMatchObject({
      code: 0,
      value: { toldServer: true }
    })
    // One that was stolen is shut out; what it pushed stays.
    expect(await run(['remove', 'Laptop 2'])).toMatchObject({ code: 0, value: { name: 'Laptop 2', jobs: 1 } })
    expect(await run(['remove', 'Laptop 2'])).toMatchObject({
      code: 2,
      value: { error: { data: { id: 'teamWay.noSuchLaptop' } } }
    })
    const [, second] = laptops as [unknown, (typeof laptops)[number]]
    expect(await run(['push', '--data', second.data])).toMatchObject({
      code: 4,
      value: { error: { data: { id: 'teamWay.notAdmitted' } } }
    })
    expect(await run(['jobs', '--data', first.data], own)).toMatchObject({ value: { error: { code: 'NOT_FOUND' } } })
  }
)
