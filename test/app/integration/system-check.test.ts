import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createCore, sourceResourcesFolder, type Core } from '../../../main/app/core.ts'
import { runDoctor, type DoctorOptions } from '../../../main/app/doctor.ts'
import type { FindingPart } from '../../../preload/contract/app/app.ts'
import { stateOf } from '../../../preload/support/activity/findingState.ts'
import type { TeamWork } from '../../../preload/contract/team/team.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { judge } from '../../../main/app/policy/policy.ts'
import { startGateway } from '../../../simulator/gateway/gateway.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function openCore(more: Partial<Parameters<typeof createCore>[0]> = {}): {
  core: Core
  look(part: FindingPart, more?: Partial<DoctorOptions>): ReturnType<typeof runDoctor>
} {
  const dataFolder = tempFolder()
  const core = createCore({
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    inMemorySecrets: true,
    interfaces: () => ({}),
    reportFault: (error) => void expect.unreachable(String(error)),
    ...more
  })
  ends.push(() => core.stop())
  const options: DoctorOptions = {
    dataFolder,
    checkData: () => Promise.resolve({ ok: true, findings: [], jobs: 3 }),
    mayBeOn: () => undefined,
    team: () => undefined
  }
  return { core, look: (part, own = {}) => runDoctor(core.connections, { ...options, parts: [part], ...own }) }
}

async function gatewayAhead(aheadMs: number) {
  const gateway = await startGateway({
    devices: [{ imei: '356938035643809', model: 'ft4', iccid: '8934071100276980483', lat: 40.4, lon: -3.7 }],
    now: () => Date.now() + aheadMs
  })
  ends.push(() => gateway.stop())
  return { gatewayUrl: gateway.url, given: { gateway: { user: gateway.user, password: gateway.password } } }
}

test('a clock that is apart from the gateway’s is found, with one fix, and only where the system has a page for it', async () => {
  const { look } = openCore(await gatewayAhead(192_000))
  const [time, ...others] = await look('time')
  expect(others).toEqual([])
  expect(time).toMatchObject({
    ok: false,
    part: 'time',
    detail: {
      id: 'selfTest.timeWrong',
      values: {
        parts: [{ id: 'selfTest.timeGateway', values: { apartS: expect.closeTo(192, -1) as number, way: 'behind' } }]
      }
    },
    remedy: { id: 'selfTest.setTime' }
  })
  expect(time).not.toHaveProperty('fix')
  expect(await look('time', { canOpenSystem: true })).toMatchObject([{ fix: 'time' }])
})

test('a clock that nothing was compared with is not called good', async () => {
  const { look } = openCore()
  const [time] = await look('time')
  expect(time && stateOf(time)).toBe('notTested')
  const right = openCore(await gatewayAhead(0))
  const [compared] = await right.look('time')
  expect(compared && stateOf(compared)).toBe('works')
  const [trained] = await right.look('time', { isTraining: true })
  expect(trained && stateOf(trained)).toBe('notTested')
})

test('the disk says what is free, and a full one what to do', async () => {
  const { look } = openCore()
  expect(await look('disk')).toMatchObject([
    { part: 'disk', detail: { id: 'selfTest.diskFree', values: { freeBytes: expect.any(Number) as number } } }
  ])
  expect(await look('disk', { disk: { standing: () => 'full', hasFailed: () => true } })).toMatchObject([
    { ok: false, state: 'blocked', detail: { id: 'store.noticeFull' }, remedy: { id: 'store.noticeFullRemedy' } }
  ])
  expect(await look('disk', { dataFolder: '/nowhere/at/all' })).toMatchObject([{ notTested: true }])
})

test('the team log waits when it cannot be reached, and is untested as long as nobody asked it', async () => {
  const { look } = openCore()
  const work: TeamWork = {
    joined: { team: 'North', name: 'Laptop 1', mayWrite: true, at: '2026-11-27T08:00:00.000Z' },
    server: { host: 'db.example', port: 5432, database: 'fitter', isEncrypted: true },
    pushedAt: '2026-11-27T08:01:00.000Z',
    waiting: 6,
    forks: 0,
    stopped: [],
    leaving: 0,
    held: [],
    isPushing: false,
    problem: null,
    nextAt: null
  }
  const stateFor = async (team: TeamWork | undefined, isTerminal = false) => {
    const [finding] = await look('teamLog', { team: () => team, isTerminal })
    return finding && [stateOf(finding), finding.remedy?.id, finding.fix]
  }
  expect(await stateFor(undefined)).toEqual(['notTested', undefined, undefined])
  expect(await stateFor(work)).toEqual(['works', undefined, undefined])
  expect(await stateFor(work, true)).toEqual(['notTested', undefined, undefined])
  expect(await stateFor({ ...work, pushedAt: null })).toEqual(['notTested', undefined, undefined])
  expect(await stateFor({ ...work, problem: plainMessage('No answer.') })).toEqual([
    'waiting',
    'selfTest.teamAwayRemedy',
    'pushTeamLog'
  ])
})

test('each setting says who set it: the company with its line, the start, the person, the system, or nobody', () => {
  const policy = {
    file: '/etc/fitter/policy.json',
    isThere: true,
    changedAt: null,
    ...judge('{\n  "reading": {\n    "language": "es"\n  }\n}')
  }
  vi.stubEnv('FITTER_LOG', 'device=debug')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { core } = openCore({ gatewayUrl: 'https://gateway.example/api', policy })
  core.store.settings.change({ units: 'imperial' })
  const from = Object.fromEntries(
    core
      .settingOrigins()
      .settings.map((setting) => [
        setting.name.id,
        setting.line === null ? setting.from : `${setting.from} ${setting.line}`
      ])
  )
  expect(from).toMatchObject({
    'common.language': 'company 3',
    'common.gateway': 'environment',
    'selfTest.logLevel': 'environment',
    'common.teamLog': 'default',
    'windowSettings.units': 'person',
    'windowSettings.timeZone': 'system',
    'windowSettings.profile': 'default'
  })
})

test('each setting has the person’s own value, the one of the command line and Fitter’s default; in training nothing is from the command line', () => {
  const { core } = openCore({ gatewayUrl: 'https://gateway.example/api' })
  core.store.settings.change({ units: 'imperial', gatewayUrl: 'https://own.example/api' })
  expect(core.settingOrigins().layers).toMatchObject({
    gatewayUrl: { own: 'https://own.example/api', commandLine: 'https://gateway.example/api', byDefault: '' },
    units: { own: 'imperial', commandLine: null, byDefault: 'metric' },
    theme: { own: null, commandLine: null, byDefault: 'system' }
  })
  const training = openCore({ gatewayUrl: 'http://127.0.0.1:9/api', isTraining: true })
  expect(training.core.settingOrigins().layers['gatewayUrl']).toMatchObject({ commandLine: null })
})
