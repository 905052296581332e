import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import fs from 'node:fs'
import path from 'node:path'
import type { CallInput } from '../../../preload/contract/index.ts'
import type { AppliedRow, ProfileRun } from '../../../preload/contract/device/deviceProfiles.ts'
import type { EcuEntry } from '../../../preload/contract/device/workspace.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { SimulatedDevice } from '../../../simulator/simulation.ts'
import { leaveOnAtGateway } from '../../world/device/outputs.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../../world/device/workspaceBench.ts'

let bench: WorkspaceBench
let profileId: string
const source = () => bench.simulation.devices[0] as SimulatedDevice
const target = () => bench.simulation.devices[1] as SimulatedDevice
const third = () => bench.simulation.devices[2] as SimulatedDevice
const keyOf = (n: number) => bench.keys[n] as string

const speed: EcuEntry = {
  PARAM_NAME: 'ENGINE_SPEED',
  PGN: 'F004',
  TRANSMISSION_RATE: '100',
  PRIORITY: '3',
  DLC: '8',
  LENGTH: '2',
  START_POSITION: '4',
  MULTIPLIER: '0.125',
  GROUP: 'SIGNAL',
  OFFSET: 0
}
const login = { user: 'u-canary-21', pass: 'p-canary-22', pin: '' }
const bus = 'busParameter:ENGINE_SPEED'

/** A device as its maker delivers it, but for its engine bus, whose list nothing takes entries out of. */
async function reset(n: number): Promise<void> {
  await bench.call('workspace.change', {
    key: keyOf(n),
    change: { operation: 'modem.editApn', apn: 'claro.test', user: '', pass: '', pin: '' },
    confirmCut: true
  })
  await bench.call('workspace.change', { key: keyOf(n), change: { operation: 'hotspot.start' }, confirmCut: true })
  // The hotspot took the place of its Wi-Fi.
  await bench.call('workspace.change', { key: keyOf(n), change: { operation: 'wifi.start' }, confirmCut: true })
}

beforeAll(async () => {
  bench = await openWorkspaceBench({ devices: 3, seed: 9_731 }, { background: true })
  await bench.call('settings.change', { technician: 'Technician One' })
  await bench.call('workspace.change', {
    key: keyOf(0),
    change: { operation: 'modem.editApn', apn: 'internet.rionorte', user: '', pass: '', pin: '' },
    confirmCut: true
  })
  await bench.call('workspace.change', { key: keyOf(0), change: { operation: 'hotspot.stop' }, confirmCut: true })
  const { id } = await bench.call('workspace.startRun', {
    keys: [keyOf(0)],
    change: { operation: 'ecu.addParameter', rows: [speed] }
  })
  await vi.waitFor(
    async () => expect((await bench.call('workspace.runs', {})).runs.find((one) => one.id === id)?.state).toBe('ended'),
    { timeout: 45_000, interval: 20 }
  )
})
afterEach(() => {
  expect(bench.faults).toEqual([])
})
afterAll(() => bench.stop())

async function apply(input: Partial<CallInput<'deviceProfiles.apply'>> & { key: string }): Promise<ProfileRun> {
  const started = await bench.call('deviceProfiles.apply', {
    id: profileId,
    settings: ['apn', 'hotspotOn', 'wifiOn', bus],
    apnLogin: login,
    ...input
  })
  if (started.kind !== 'started') throw new Error(`Not started: ${started.kind}`)
  return bench.core.workspaceDevices.deviceProfiles.ended(started.run.id)
}
const states = (rows: readonly { id: string; state: string }[]) =>
  Object.fromEntries(rows.map(({ id, state }) => [id, state]))
const rowOf = (run: ProfileRun, id: string) => run.rows.find((row) => row.id === id) as AppliedRow
const preview = (n: number) => bench.call('deviceProfiles.preview', { key: keyOf(n), id: profileId })

describe('Saving', () => {
  it('reads what the API can write, and saves what a person chose under a name', async () => {
    const draft = await bench.call('deviceProfiles.read', { key: keyOf(0) })
    expect(draft).toMatchObject({
      from: { model: 'ft4', digits: source().imei.slice(-6), osVersion: '4.2.1' },
      unread: []
    })
    expect(draft.settings).toMatchObject([
      { id: 'apn', setting: { value: 'internet.rionorte' } },
      { id: 'hotspotOn', setting: { value: false } },
      { id: 'wifiOn', setting: { value: true } },
      { id: bus, setting: { value: { PARAM_NAME: 'ENGINE_SPEED' } } }
    ])
    const { profile } = await bench.call('deviceProfiles.save', {
      draft: draft.id,
      name: 'Río Norte 2026',
      settings: ['apn', 'hotspotOn', 'wifiOn', bus]
    })
    profileId = profile.id
    expect(profile).toMatchObject({
      name: 'Río Norte 2026',
      savedBy: 'Technician One',
      savedAt: draft.readAt,
      settings: 4
    })
    // Nothing of it names the device or its card.
    const saved = JSON.stringify(await bench.call('deviceProfiles.show', { id: profileId }))
    for (const secret of [source().imei, source().iccid, source().password]) expect(saved).not.toContain(secret)
  })

  it('saves only what was read, and a name only once', async () => {
    await expect(
      bench.call('deviceProfiles.save', { draft: 'made-up', name: 'Other', settings: ['apn'] })
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const draft = await bench.call('deviceProfiles.read', { key: keyOf(0) })
    await expect(
      bench.call('deviceProfiles.save', { draft: draft.id, name: 'río norte 2026', settings: ['apn'] })
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(
      bench.call('deviceProfiles.save', { draft: draft.id, name: 'Other', settings: ['busConfiguration'] })
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('says of a setting that cannot be read why it is missing', async () => {
    source().setFault('html', true, 'modem.configuration')
    const draft = await bench.call('deviceProfiles.read', { key: keyOf(0) })
    source().setFault('html', false, 'modem.configuration')
    expect(draft.unread.map(({ kind }) => kind)).toEqual(['apn'])
    expect(draft.settings.some(({ id }) => id === 'apn')).toBe(false)
  })
})

describe('A file', () => {
  it('brings a profile to another computer under a free name', async () => {
    const { fileName, text } = await bench.call('deviceProfiles.export', { id: profileId })
    expect(fileName).toBe('device-profile-rio-norte-2026.json')
    const imported = await bench.call('deviceProfiles.import', { text })
    if (imported.outcome !== 'imported') throw new Error(imported.why.id)
    expect(imported.profile).toMatchObject({ name: 'Río Norte 2026 (2)', settings: 4, from: { vehicle: null } })
    const renamed = await bench.call('deviceProfiles.rename', { id: imported.profile.id, name: 'Imported' })
    expect(renamed.profile.name).toBe('Imported')
    expect((await bench.call('deviceProfiles.list', {})).profiles.map(({ name }) => name)).toEqual([
      'Imported',
      'Río Norte 2026'
    ])
    await bench.call('deviceProfiles.remove', { id: imported.profile.id })
    expect((await bench.call('deviceProfiles.list', {})).profiles).toHaveLength(1)
    expect(await bench.call('deviceProfiles.import', { text: '{}' })).toMatchObject({
      outcome: 'refused',
      why: { id: 'deviceProfiles.notOurs' }
    })
  })
})

describe('A preview', () => {
  it('sends nothing', async () => {
    await reset(1)
    const before = target().requests.length
    const shown = await preview(1)
    expect(shown).toMatchObject({ isSameModel: true, isSameSystem: true, refusal: null, link: { over: 'ethernet' } })
    expect(states(shown.rows)).toEqual({ apn: 'changes', hotspotOn: 'changes', wifiOn: 'same', [bus]: 'cannotRead' })
    const sent = target()
      .requests.slice(before)
      .map(({ path: sentTo }) => sentTo)
    expect(sent.filter((sentTo) => /edit|start|stop|ecu/.test(sentTo))).toEqual([])
  })
})

describe('Applying', () => {
  it('sends one setting after the other, reads each back, and says what cannot be confirmed', async () => {
    const run = await apply({ key: keyOf(1) })
    expect(run).toMatchObject({ state: 'ended', why: null, profile: { name: 'Río Norte 2026' } })
    expect(states(run.rows)).toEqual({ [bus]: 'sent', apn: 'confirmed', hotspotOn: 'confirmed' })
    expect(rowOf(run, 'apn')).toMatchObject({
      before: 'claro.test',
      detail: message('workspace.readBack', { wanted: message('workspace.wantedApn', { apn: 'internet.rionorte' }) })
    })
    expect(target().kept()).toMatchObject({
      apn: { apn: 'internet.rionorte', ...login },
      ecuParameters: [{ PARAM_NAME: 'ENGINE_SPEED' }]
    })
    const { writes } = await bench.call('workspace.history', { key: keyOf(1), limit: 3 })
    expect(writes.map(({ operation, outcome, by }) => [operation, outcome, by])).toEqual([
      ['hotspot.stop', 'done', 'Technician One'],
      ['modem.editApn', 'done', 'Technician One'],
      ['ecu.addParameter', 'done', 'Technician One']
    ])
    // How it was before can be looked up.
    const { snapshots } = await bench.call('snapshots.list', { imei: target().imei })
    const { content } = await bench.call('snapshots.read', { id: snapshots[0]?.id ?? '' })
    expect(JSON.stringify(content)).toContain('claro.test')
  })

  it('a second time sends only what still differs, and never doubles an entry unasked', async () => {
    expect(states((await preview(1)).rows)).toEqual({
      apn: 'same',
      hotspotOn: 'same',
      wifiOn: 'same',
      [bus]: 'sentBefore'
    })
    const before = target().requests.length
    expect(
      await bench.call('deviceProfiles.apply', {
        key: keyOf(1),
        id: profileId,
        settings: ['apn', 'hotspotOn', 'wifiOn']
      })
    ).toEqual({ kind: 'nothingToSend' })
    expect(
      target()
        .requests.slice(before)
        .filter(({ method }) => method === 'POST')
    ).toEqual([])
    expect(target().violations).toEqual([])
  })

  it('sends nothing of what a person took out', async () => {
    await reset(1)
    const run = await apply({ key: keyOf(1), settings: ['hotspotOn'], apnLogin: null })
    expect(states(run.rows)).toEqual({ hotspotOn: 'confirmed' })
    expect(target().kept().apn.apn).toBe('claro.test')
    await expect(apply({ key: keyOf(1), settings: ['apn'], apnLogin: null })).rejects.toMatchObject({
      code: 'INVALID_REQUEST'
    })
  })

  it('continues after a refusal, and says with which words', async () => {
    await reset(1)
    target().setFault('notFound', true, 'modem.editApn')
    const run = await apply({ key: keyOf(1), settings: ['apn', 'hotspotOn'] })
    target().setFault('notFound', false, 'modem.editApn')
    expect(states(run.rows)).toEqual({ apn: 'refused', hotspotOn: 'confirmed' })
    expect(rowOf(run, 'apn').detail?.id).toMatch(/^device\./)
    expect(run.state).toBe('ended')
  })

  it('says when the device shows another value afterwards', async () => {
    await reset(1)
    // It answers with success, and reports the hotspot as before.
    target().setFault('wrongTypes', true, 'hotspot.stop')
    const told = bench.core.events.onEvent((name) => {
      if (name === 'deviceProfiles.run') target().setFault('wrongTypes', true, 'modem.configuration')
    })
    const run = await apply({ key: keyOf(1), settings: ['apn'] })
    told()
    target().setFault('wrongTypes', false, 'modem.configuration')
    target().setFault('wrongTypes', false, 'hotspot.stop')
    expect(states(run.rows)).toEqual({ apn: 'differs' })
  })

  it('stops when the device is lost in the middle, and a repetition sends only the rest', async () => {
    await reset(1)
    const told = bench.core.events.onEvent((name, payload) => {
      if (
        name === 'deviceProfiles.run' &&
        (payload as ProfileRun).rows.some(({ id, state }) => id === 'apn' && state === 'confirmed')
      )
        target().setFault('reset', true)
    })
    const run = await apply({ key: keyOf(1), settings: ['apn', 'hotspotOn'] })
    told()
    expect(run.state).toBe('lost')
    expect(run.why).not.toBeNull()
    expect(states(run.rows)).toEqual({ apn: 'confirmed', hotspotOn: 'notSent' })
    await expect(preview(1)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    target().setFault('reset', false)
    expect(states((await preview(1)).rows)).toMatchObject({ apn: 'same', hotspotOn: 'changes' })
    const before = target().requests.length
    expect(states((await apply({ key: keyOf(1), settings: ['apn', 'hotspotOn'] })).rows)).toEqual({
      hotspotOn: 'confirmed'
    })
    expect(
      target()
        .requests.slice(before)
        .filter(({ path: sentTo }) => sentTo === '/storage/edit')
    ).toEqual([])
  })

  it('keeps what can cut our own connection until it is confirmed, and sends it last', async () => {
    await reset(1)
    target().setFault('wrongTypes', true, 'eth.state')
    const before = target().requests.length
    const input = { key: keyOf(1), id: profileId, settings: ['apn', 'hotspotOn'], apnLogin: login }
    const held = await bench.call('deviceProfiles.apply', input)
    expect(held).toMatchObject({
      kind: 'cutsLink',
      cuts: [
        { id: 'apn', wayBack: message('deviceProfiles.apnBack') },
        { id: 'hotspotOn', wayBack: message('workspace.backHotspot') }
      ]
    })
    expect(
      target()
        .requests.slice(before)
        .filter(({ path: sentTo }) => /edit|hotspot\/stop/.test(sentTo))
    ).toEqual([])
    const run = await apply({ ...input, confirmCut: true })
    target().setFault('wrongTypes', false, 'eth.state')
    expect(run.rows.map(({ id, state }) => [id, state])).toEqual([
      ['apn', 'confirmed'],
      ['hotspotOn', 'confirmed']
    ])
  })

  it('is one at a time on a device, and ends after the setting that is being sent', async () => {
    await reset(1)
    target().setFault('hang', true, 'modem.editApn')
    const started = await bench.call('deviceProfiles.apply', {
      key: keyOf(1),
      id: profileId,
      settings: ['apn', 'hotspotOn'],
      apnLogin: login
    })
    if (started.kind !== 'started') throw new Error(started.kind)
    expect((await preview(1)).refusal).toEqual(message('deviceProfiles.running'))
    await expect(apply({ key: keyOf(1) })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: message('deviceProfiles.running')
    })
    await vi.waitFor(
      async () => expect((await bench.call('deviceProfiles.runs', {})).runs[0]?.rows[0]?.state).toBe('sending'),
      { timeout: 45_000, interval: 20 }
    )
    const stopped = await bench.call('deviceProfiles.stop', { id: started.run.id })
    target().setFault('hang', false, 'modem.editApn')
    expect(stopped.state).toBe('stopped')
    expect(rowOf(stopped, 'hotspotOn').state).toBe('notSent')
  }, 30_000)
})

describe('Beside other work', () => {
  it('nothing is sent while an output may be on', async () => {
    await leaveOnAtGateway(bench.core.outputs, third().imei)
    expect((await preview(2)).refusal?.id).toBe('outputs.linkStays')
    const before = third().requests.length
    await expect(apply({ key: keyOf(2) })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: { id: 'outputs.linkStays' }
    })
    expect(third().requests.length).toBe(before)
    await bench.core.outputs.confirmOff(bench.core.outputs.ledger()[0]!.id, 'fuse pulled')
    expect((await preview(2)).refusal).toBeNull()
  })

  it('it goes into the log of the open job, and never into that of someone else', async () => {
    const made = await bench.call('jobs.create', { templateId: 'diagnosis', deviceKey: keyOf(2) })
    const id = made.outcome === 'created' ? made.id : ''
    await bench.call('jobs.start', { id })
    const run = await apply({ key: keyOf(2), settings: ['apn'] })
    expect(states(run.rows)).toEqual({ apn: 'confirmed' })
    const logged = bench.core.jobs.journal(id).filter(({ type }) => type === 'deviceWrite')
    expect(logged.map(({ data }) => data)).toMatchObject([
      { phase: 'intent', operation: 'modem.editApn', input: { apn: 'internet.rionorte' } },
      { phase: 'answered', operation: 'modem.editApn' }
    ])
    await bench.call('settings.change', { technician: 'Technician Two' })
    const before = third().requests.length
    await expect(apply({ key: keyOf(2), settings: ['hotspotOn'] })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: message('deviceProfiles.jobOfOther', { technician: 'Technician One' })
    })
    expect(
      third()
        .requests.slice(before)
        .filter(({ path: sentTo }) => sentTo.includes('hotspot/'))
    ).toEqual([])
    await bench.call('settings.change', { technician: 'Technician One' })
    await bench.call('jobs.pause', { id })
  })

  it('the password of the APN is neither stored nor told', async () => {
    const told =
      JSON.stringify(bench.events) +
      JSON.stringify(await bench.call('deviceProfiles.runs', {})) +
      JSON.stringify(await bench.call('workspace.history', { key: keyOf(1), limit: 500 }))
    const stored = fs
      .readdirSync(bench.dataFolder)
      .filter((name) => fs.statSync(path.join(bench.dataFolder, name)).isFile())
      .map((name) => fs.readFileSync(path.join(bench.dataFolder, name), 'latin1'))
      .join()
    for (const canary of [login.user, login.pass]) {
      expect(told).not.toContain(canary)
      expect(stored).not.toContain(canary)
    }
  })
})

describe('After the job', () => {
  const open = async (n: number) => {
    const made = await bench.call('jobs.create', { templateId: 'diagnosis', deviceKey: keyOf(n), besideOpenJob: true })
    return made.outcome === 'created' ? made.id : ''
  }
  const plans = async () => (await bench.call('deviceProfiles.plans', {})).plans
  const apnOf = async (n: number) => (await preview(n)).rows.find(({ id }) => id === 'apn')?.now

  it('waits until the job on that device has ended, and then sends what still differs', async () => {
    await reset(1)
    const id = await open(1)
    const before = target().requests.length
    const answer = await bench.call('deviceProfiles.apply', {
      key: keyOf(1),
      id: profileId,
      settings: ['apn', 'hotspotOn'],
      apnLogin: login,
      afterJob: true
    })
    expect(answer).toMatchObject({
      kind: 'planned',
      plan: { imei: target().imei, jobId: id, plannedBy: 'Technician One', hasLogin: true, why: null }
    })
    expect(await plans()).toHaveLength(1)
    expect(JSON.stringify(await plans())).not.toContain(login.pass)
    expect(
      target()
        .requests.slice(before)
        .filter(({ method }) => method !== 'GET')
    ).toEqual([])
    await bench.call('jobs.cancel', { id, reason: 'Another day' })
    await vi.waitFor(async () => expect(await plans()).toEqual([]), { timeout: 45_000, interval: 20 })
    const [run] = (await bench.call('deviceProfiles.runs', {})).runs
    const ended = await bench.core.workspaceDevices.deviceProfiles.ended(run?.id ?? '')
    expect(states(ended.rows)).toEqual({ apn: 'confirmed', hotspotOn: 'confirmed' })
    expect(await apnOf(1)).toBe('internet.rionorte')
  })

  it('is applied at once when no job is open', async () => {
    await reset(1)
    expect(
      await bench.call('deviceProfiles.apply', {
        key: keyOf(1),
        id: profileId,
        settings: ['hotspotOn'],
        afterJob: true
      })
    ).toMatchObject({ kind: 'started' })
    await vi.waitFor(async () => expect((await bench.call('deviceProfiles.runs', {})).runs[0]?.state).toBe('ended'), {
      timeout: 45_000,
      interval: 20
    })
  })
})
