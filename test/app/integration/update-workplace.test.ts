import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import type { Host } from '../../../main/app/frontEnd.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import { judge, type Policy } from '../../../main/app/policy/policy.ts'
import { openStore, type Store } from '../../../main/data/store/index.ts'
import type { UpdatesState } from '../../../preload/contract/app/updates.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { memoryFolder } from '../../world/memoryFolder.ts'
import { feedContent, ownPackage, startFeedServer, type FeedServer } from '../../world/gateway/updateFeed.ts'

let folder: string
let server: FeedServer
let installed: string[]
let host: Host | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(memoryFolder, 'fitter-update-'))
  server = await startFeedServer({ isSecure: false })
  installed = []
})
afterEach(async () => {
  await host?.stop()
  host = undefined
  await server.stop()
  rmSync(folder, { recursive: true })
})

function policyOf(text: object): Policy {
  return {
    file: '/etc/fitter/policy.json',
    isThere: true,
    changedAt: null,
    ...judge(JSON.stringify(text, undefined, 2))
  }
}

async function open(policy: object = {}): Promise<Host> {
  let prepared = ''
  host = openWorkplace({
    frontEnd: 'browser',
    dataFolder: join(folder, 'data'),
    resourcesFolder: sourceResourcesFolder,
    openPage: () => Promise.resolve(),
    updates: {
      installed: '2.4.0',
      source: server.source,
      notByItself: null,
      policy: policyOf(policy),
      installer: {
        prepare: ({ path }) => Promise.resolve(void (prepared = path)),
        installNow: () => Promise.resolve(void installed.push(prepared))
      }
    }
  })
  return host
}

async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
  const result = await host?.call(name, input)
  if (!result?.ok) throw Object.assign(new Error(name), result?.error)
  return result.value as CallOutput<Name>
}

/** The first state after this act that fits. */
async function stateAfter(act: () => unknown, isRight: (state: UpdatesState) => boolean): Promise<UpdatesState> {
  const right = new Promise<UpdatesState>((resolve) => {
    const stop = host?.onEvent((name, payload) => {
      if (name !== 'updates.changed' || !isRight(payload as UpdatesState)) return
      stop?.()
      resolve(payload as UpdatesState)
    })
  })
  await act()
  return right
}

async function download(): Promise<void> {
  await call('updates.check', {})
  await stateAfter(
    () => call('updates.download', {}),
    ({ phase }) => phase === 'ready'
  )
  const { entries } = await call('activity.list', {})
  expect(entries.filter(({ kind }) => kind === 'updateReady')).toHaveLength(1)
}

const readNotices = async () =>
  (await call('app.info', {})).notices.filter(({ opens }) => opens === 'update').map(({ text }) => text.id)

function prepareFolder(fill: (store: Store) => void): void {
  const store = openStore(join(folder, 'data'))
  fill(store)
  store.close()
}

function addWork({ operations }: Store): void {
  operations.add({
    id: 'work',
    kind: 'entities.link',
    key: 'vehicle:1',
    state: 'pending',
    jobId: null,
    title: plainMessage('Link'),
    payload: {},
    reason: plainMessage('A reason.'),
    createdAt: '2026-11-20T09:00:00.000Z',
    isLive: false,
    needs: []
  })
}

describe('a new version', () => {
  it('is announced at each step, and installed last, when Fitter has ended', async () => {
    const open_ = await open()
    await call('updates.check', {})
    expect(await readNotices()).toEqual(['updates.noticeAvailable'])
    await download()
    expect(await readNotices()).toEqual(['updates.noticeReady'])
    await call('updates.later', {})
    expect(await readNotices()).toEqual([])
    expect((await call('updates.install', {})).phase).toBe('installing')
    expect(installed).toEqual([])
    await open_.installUpdate()
    expect(installed).toEqual([])
    await open_.stop()
    await open_.installUpdate()
    expect(installed).toEqual([join(folder, 'data', 'fitter.updates', '2.5.0', ownPackage)])
  })

  it('that nobody wanted is not installed', async () => {
    const open_ = await open()
    await download()
    await open_.stop()
    await open_.installUpdate()
    expect(installed).toEqual([])
  })

  it.each([
    [
      'an output that may be on',
      'output',
      (store: Store) =>
        store.outputLedger.begin({
          imei: '490154203237518',
          output: 'OUT1',
          path: 'local',
          vehicleId: null,
          address: '127.0.0.1:1',
          since: '2026-11-20T09:00:00.000Z',
          by: 'T',
          jobId: null
        })
    ],
    ['waiting work', 'waiting', addWork],
    [
      'a hand-over that is open',
      'handOver',
      (store: Store) => store.teamHolding.beginOffer({ id: '01', at: '2026-11-20T09:00:00.000Z', to: 'Laptop 2' })
    ]
  ])('waits for %s', async (_name, kind, fill) => {
    prepareFolder(fill)
    await open()
    await download()
    expect((await call('updates.get', {})).reasons.map((reason) => reason.kind)).toEqual([kind])
    await expect(call('updates.install', {})).rejects.toMatchObject({ code: 'CONFLICT' })
    await host?.stop()
    await host?.installUpdate()
    expect(installed).toEqual([])
  })

  it('waits for training to end, asks again then, and is not installed from training', async () => {
    const open_ = await open()
    await download()
    await call('updates.install', {})
    await stateAfter(
      () => call('app.enter', { workplace: 'training' }),
      ({ reasons }) => reasons[0]?.kind === 'training'
    )
    await call('updates.later', {})
    expect(await readNotices()).toEqual([])
    await stateAfter(
      () => call('app.enter', { workplace: 'real' }),
      ({ reasons }) => reasons.length === 0
    )
    expect(await readNotices()).toEqual(['updates.noticeReady'])
    await call('updates.install', {})
    await stateAfter(
      () => call('app.enter', { workplace: 'training' }),
      ({ reasons }) => reasons[0]?.kind === 'training'
    )
    await open_.stop()
    await open_.installUpdate()
    expect(installed).toEqual([])
  })
})

describe('training', () => {
  it('ends a download that is under way and asks no feed; afterwards both can be asked for again', async () => {
    await open()
    await call('updates.check', {})
    const packagePath = `/feed/${ownPackage}`
    const whole = server.answers.get(packagePath)
    const closed = new Promise<void>((resolve) => {
      server.answers.set(packagePath, (response) => {
        response.on('close', resolve).writeHead(200).write('the first bytes')
      })
    })
    await stateAfter(
      () => call('updates.download', {}),
      ({ receivedBytes }) => receivedBytes > 0
    )
    await stateAfter(
      () => call('app.enter', { workplace: 'training' }),
      ({ phase, problem }) => phase === 'available' && problem?.id === 'updates.stopped'
    )
    await closed
    const before = server.requests.length
    expect(await call('updates.check', {})).toMatchObject({
      phase: 'available',
      problem: { id: 'training.onlySimulation' }
    })
    await stateAfter(
      () => call('updates.download', {}),
      ({ phase, problem }) => phase === 'available' && problem !== null
    )
    expect(server.requests).toHaveLength(before)
    await call('app.enter', { workplace: 'real' })
    if (whole) server.answers.set(packagePath, whole)
    await download()
  })
})

describe('the company', () => {
  it('switches updates off: no request leaves this computer', async () => {
    await open({ contact: { name: 'IT' }, updates: { mode: 'off' } })
    await expect(call('updates.check', {})).rejects.toMatchObject({
      code: 'REFUSED',
      message: { id: 'updates.offByCompany' }
    })
    expect(await call('updates.get', {})).toMatchObject({
      notByItself: { id: 'updates.offByCompany' },
      policy: { isOff: true, contact: { name: 'IT' }, lines: { from: 6, to: 6 } }
    })
    expect(server.requests).toEqual([])
  })

  it.each([
    ['2.4.x', 'current'],
    ['2.4.0', 'current'],
    ['2.x', 'available'],
    ['2.5.x', 'available'],
    ['2.5.0', 'available']
  ])('allows only %s', async (version, phase) => {
    await open({ updates: { version } })
    expect(await call('updates.check', {})).toMatchObject({ phase, latest: '2.5.0', policy: { version } })
  })

  it('chooses the channel', async () => {
    server.publish(feedContent({ channel: 'beta', version: '2.6.0-beta.1' }))
    const stable = [...server.answers.keys()].find((path) => path.includes('latest')) ?? ''
    const beta = server.answers.get(stable)
    server.answers.clear()
    if (beta) server.answers.set(stable.replace('latest', 'beta'), beta)
    await open({ updates: { channel: 'beta' } })
    expect(await call('updates.check', {})).toMatchObject({
      channel: 'beta',
      phase: 'available',
      offer: { version: '2.6.0-beta.1' }
    })
  })
})

describe('a roll-out', () => {
  it('reaches a computer once, by a number that it keeps', async () => {
    const phases: string[] = []
    for (const stagingPercentage of [0, 100]) {
      server.publish(feedContent({ stagingPercentage }))
      await open()
      phases.push((await call('updates.check', {})).phase)
      await host?.stop()
    }
    expect(phases).toEqual(['current', 'available'])
  })
})

describe('fitter updates', () => {
  it('says what is known and what an update would wait for, without a request', async () => {
    prepareFolder(addWork)
    const shown = await fitter(['updates', '--json', '--data', join(folder, 'data')])
    expect(shown.code).toBe(0)
    expect(shown.json()).toMatchObject({
      channel: 'stable',
      latest: null,
      reasons: [{ kind: 'waiting' }],
      reasonsUnknown: null
    })
    const text = await fitter(['updates', '--data', join(folder, 'data')])
    expect(text.stdout).toContain('runs from its sources and does not update itself')
    expect(text.stdout).toContain('An update would wait: 1 item waits to be sent')
    expect(server.requests).toEqual([])
  })
})
