import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCore, sourceResourcesFolder } from '../../../main/app/core.ts'
import { writeProfileFile } from '../../../main/support/deviceSession/deviceProfiles/fileForm.ts'
import { readPolicy } from '../../../main/app/policy/policy.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { memoryFolder } from '../../world/memoryFolder.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(memoryFolder, 'fitter-policy-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function writePolicy(content: object): string {
  const file = join(folder, 'policy.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

describe('a gateway that the company does not allow', () => {
  it('gets no request, not even a password, whether the window or the terminal names it', async () => {
    let requests = 0
    const other = createServer((_request, response) => {
      requests++
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api`
    const file = writePolicy({ gateway: { address: 'https://gateway.invalid/api', others: false } })
    const core = createCore({
      dataFolder: join(folder, 'data'),
      resourcesFolder: sourceResourcesFolder,
      policy: readPolicy(file),
      inMemorySecrets: true,
      interfaces: () => ({}),
      reportFault: (error) => expect(error).toBeUndefined()
    })
    const signal = AbortSignal.timeout(30_000)
    await expect(
      core.accounts.signIn({ url, user: 'u', password: 'p', scheme: { kind: 'normal' } }, signal)
    ).rejects.toMatchObject({ code: 'REFUSED', sentence: { id: 'policy.onlyGateway' } })
    await expect(core.accounts.chooseSite({ url, user: 'u' }, signal)).rejects.toMatchObject({ code: 'REFUSED' })
    expect(core.store.settings.get().gatewayUrl).toBe('https://gateway.invalid/api')
    // An account from before the policy can be forgotten here; its session stays open there.
    await core.connections.secrets.set(
      `gateway/${url}|u/token`,
      `1 ${createHash('sha256').update(url).digest('hex').slice(0, 24)} user token-from-before`
    )
    await expect(core.connections.gateway.clientOf({ url, user: 'u' }).tz.list({}, { signal })).rejects.toMatchObject({
      code: 'REFUSED'
    })
    await core.accounts.forgetSite({ url, user: 'u' }, signal)
    expect(await core.connections.secrets.get(`gateway/${url}|u/token`)).toBeUndefined()
    await core.stop()
    const terminal = await fitter(['gateway', 'status', '--gateway', url, '--data', join(folder, 'terminal')], {
      env: { FITTER_POLICY_FILE: file }
    })
    expect([terminal.code, terminal.stderr]).toEqual([
      2,
      expect.stringContaining('allows only the gateway https://gateway.invalid/api')
    ])
    const served = await fitter(['serve', '--gateway', url, '--data', join(folder, 'served')], {
      env: { FITTER_POLICY_FILE: file }
    })
    expect([served.code, served.stderr]).toEqual([
      2,
      expect.stringContaining('allows only the gateway https://gateway.invalid/api')
    ])
    other.close()
    expect(requests).toBe(0)
  })
})

describe('what a company offers', () => {
  const shippedFile = join(sourceResourcesFolder, 'checklists', 'standard-installation.json')
  const profileText = writeProfileFile({
    id: 'x',
    name: 'Buses',
    savedAt: '2026-11-20T08:00:00.000Z',
    savedBy: 'IT',
    from: { model: 'ft4', digits: '', vehicle: null, osVersion: null },
    settings: [{ kind: 'apn', value: 'internet.example' }]
  })

  function openCore(content: object, name: string) {
    const core = createCore({
      dataFolder: join(folder, name),
      resourcesFolder: sourceResourcesFolder,
      policy: readPolicy(writePolicy(content)),
      inMemorySecrets: true,
      interfaces: () => ({}),
      reportFault: (error) => expect(error).toBeUndefined()
    })
    return core
  }

  it('checklists and device profiles are there for everybody and cannot be changed, own checklists are not', async () => {
    const checklist = JSON.parse(readFileSync(shippedFile, 'utf8')) as { id: string }
    mkdirSync(join(folder, 'checklists'), { recursive: true })
    writeFileSync(join(folder, 'checklists', 'buses.json'), JSON.stringify({ ...checklist, id: 'buses' }))
    writeFileSync(join(folder, 'profile.json'), profileText)
    const core = openCore(
      { checklists: { files: ['checklists'], own: false }, deviceProfiles: { files: ['profile.json'] } },
      'offered'
    )
    expect(core.policy.problems).toEqual([])
    expect(core.templates.list().map(({ id, origin }) => [id, origin])).toContainEqual(['buses', 'shipped'])
    expect(core.jobs.templates().map(({ id }) => id)).toContain('buses')
    expect(() => core.templates.importText(JSON.stringify({ ...checklist, id: 'mine' }))).toThrow(
      expect.objectContaining({ code: 'REFUSED' })
    )
    const [offered] = core.store.deviceProfiles.list()
    expect(offered).toMatchObject({ name: 'Buses', byCompany: true })
    expect(core.store.deviceProfiles.find(offered?.id ?? '')?.settings).toHaveLength(1)
    expect(() => core.store.deviceProfiles.remove(offered?.id ?? '')).toThrow(
      expect.objectContaining({ code: 'REFUSED' })
    )
    await core.stop()
  })

  it('a file, a profile or a language that this computer does not have is a problem with its line, and everything else works', async () => {
    writeFileSync(join(folder, 'broken.json'), '{')
    const content = {
      checklists: { files: ['missing-folder', 'broken.json'] },
      deviceProfiles: { files: ['broken.json'] },
      work: { profile: 'of-tomorrow' },
      reading: { language: 'qq' }
    }
    const core = openCore(content, 'broken')
    expect(core.policy.problems.map(({ key }) => key).sort()).toEqual([
      'checklists.files',
      'checklists.files',
      'deviceProfiles.files',
      'reading.language',
      'work.profile'
    ])
    expect([core.profile().id, core.store.settings.get().language]).toEqual(['standard', 'en'])
    await core.stop()
    const checked = await fitter(['policy', 'check', join(folder, 'policy.json')], {})
    expect([checked.code, checked.stdout.match(/Line 1: /g)?.length]).toEqual([1, 5])
  })

  it('a check profile of the company is not replaced by one of the command line', () => {
    const parts = {
      dataFolder: join(folder, 'profile'),
      resourcesFolder: sourceResourcesFolder,
      policy: readPolicy(writePolicy({ work: { profile: 'standard' } })),
      inMemorySecrets: true,
      interfaces: () => ({}),
      reportFault: (error: unknown) => expect(error).toBeUndefined()
    }
    expect(() => createCore({ ...parts, profileId: 'short-holds' })).toThrow(
      expect.objectContaining({ code: 'REFUSED' })
    )
  })

  it('a gateway that the start names opens the door to no other one, and training keeps its own', async () => {
    const url = 'https://north.invalid/api'
    const content = { gateway: { address: url, others: false } }
    const parts = {
      resourcesFolder: sourceResourcesFolder,
      policy: readPolicy(writePolicy(content)),
      inMemorySecrets: true,
      interfaces: () => ({}),
      reportFault: (error: unknown) => expect(error).toBeUndefined()
    }
    const core = createCore({ ...parts, dataFolder: join(folder, 'named'), gatewayUrl: url })
    expect(() => core.connections.gateway.demandAllowed('https://other.invalid/api')).toThrow(
      expect.objectContaining({ code: 'REFUSED' })
    )
    expect(() => core.connections.gateway.demandAllowed(url)).not.toThrow()
    await expect(
      core.accounts.signIn(
        { url: 'https://other.invalid/api', user: 'u', password: 'p', scheme: { kind: 'normal' } },
        AbortSignal.timeout(30_000)
      )
    ).rejects.toMatchObject({ code: 'REFUSED' })
    await core.stop()
    const training = createCore({
      ...parts,
      dataFolder: join(folder, 'trained'),
      gatewayUrl: 'http://127.0.0.1:9/api',
      isTraining: true
    })
    expect(() => training.connections.gateway.demandAllowed('http://127.0.0.1:9/api')).not.toThrow()
    expect(() => training.connections.gateway.demandAllowed(url)).toThrow(
      expect.objectContaining({ code: 'REFUSED', sentence: { id: 'training.onlySimulation', values: {} } })
    )
    await training.stop()
  })

  it('the team log of another host gets no request, neither of a member nor of its owner', async () => {
    const core = openCore({ team: { server: 'team.invalid' } }, 'team-log')
    core.store.teamPush.setMembership({
      team: 'T',
      name: 'L',
      mayWrite: true,
      channel: 'c',
      host: '127.0.0.1',
      port: 9,
      database: 'd',
      login: `fitter_${'0'.repeat(16)}`,
      authority: null,
      joinedAt: '2026-11-20T08:00:00.000Z'
    })
    const refused = { code: 'REFUSED', sentence: { id: 'policy.onlyTeamServer' } }
    await expect(
      core.teamLog.office.openOwner(
        { address: 'postgres://owner@127.0.0.1:9/d', password: 'p' },
        AbortSignal.timeout(30_000)
      )
    ).rejects.toMatchObject(refused)
    await expect(core.teamLog.team.ask(() => Promise.resolve(), AbortSignal.timeout(30_000))).rejects.toMatchObject(
      refused
    )
    await core.stop()
  })

  it('only the named gateways may be used, from window and terminal', async () => {
    const content = {
      gateway: {
        sites: [
          { name: 'North', address: 'https://north.invalid/api' },
          { name: 'South', address: 'https://south.invalid/api' }
        ]
      }
    }
    const core = openCore(content, 'sites')
    const signal = AbortSignal.timeout(30_000)
    await expect(
      core.accounts.signIn(
        { url: 'https://other.invalid/api', user: 'u', password: 'p', scheme: { kind: 'normal' } },
        signal
      )
    ).rejects.toMatchObject({ code: 'REFUSED' })
    expect(core.store.settings.get().gatewayUrl).toBe('https://north.invalid/api')
    await core.stop()
    const terminal = await fitter(
      ['gateway', 'status', '--gateway', 'https://other.invalid/api', '--data', join(folder, 'terminal-sites')],
      { env: { FITTER_POLICY_FILE: writePolicy(content) } }
    )
    expect([terminal.code, terminal.stderr]).toEqual([
      2,
      expect.stringContaining('https://north.invalid/api and https://south.invalid/api')
    ])
  })
})

describe('fitter policy', () => {
  it('says that a file of 50,000 levels cannot be read, and every other command works beside it', async () => {
    const file = join(folder, 'deep.json')
    writeFileSync(file, `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
    const env = { FITTER_POLICY_FILE: file }
    for (const words of [
      ['policy', 'show'],
      ['policy', 'check', file]
    ]) {
      const said = await fitter(words, { env })
      expect([said.code, said.stdout, said.stderr]).toEqual([
        1,
        expect.stringContaining('Line 1: The policy file has too many levels of brackets.'),
        ''
      ])
    }
    const list = await fitter(['job', 'list', '--data', join(folder, 'beside-deep')], { env })
    expect([list.code, list.stderr]).toEqual([0, ''])
  })

  it('checks a file, names each value that cannot be read, and ends with 1', async () => {
    const file = writePolicy({ reading: { units: 'furlongs', language: 'es' } })
    const checked = await fitter(['policy', 'check', file, '--json'], {})
    expect(checked.code).toBe(1)
    expect(JSON.parse(checked.stdout)).toMatchObject({
      ok: false,
      values: [{ key: 'reading.language', value: 'es', line: 1 }],
      problems: [{ line: 1, key: 'reading.units', sentence: expect.stringContaining('furlongs') }]
    })
    expect((await fitter(['policy', 'check', join(folder, 'missing.json')], {})).code).toBe(2)
  })

  it('shows what applies on this computer, with nothing there too', async () => {
    const shown = await fitter(['policy', 'show'], { env: { FITTER_POLICY_FILE: join(folder, 'none.json') } })
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('No company policy on this computer')])
  })
})
