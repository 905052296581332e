import { message } from '../../../preload/contract/messages.ts'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SimulatedDevice } from '../../../simulator/simulation.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../../world/device/workspaceBench.ts'

let bench: WorkspaceBench
let key: string
let device: SimulatedDevice

beforeAll(async () => {
  bench = await openWorkspaceBench({ devices: 3 })
  key = bench.keys[0] as string
  device = bench.simulation.devices[0] as SimulatedDevice
})
afterEach(() => {
  expect(bench.faults).toEqual([])
})
afterAll(() => bench.stop())

async function change(input: Parameters<typeof bench.call<'workspace.change'>>[1]) {
  const done = await bench.call('workspace.change', input)
  if (done.kind !== 'changed') throw new Error(`Held back: ${done.detail}`)
  return done.result
}

describe('Live reading', () => {
  it('gives values, the raw answer and when to ask again', async () => {
    const { readings, nextInMs } = await bench.call('workspace.read', {
      key,
      view: 'a',
      operations: ['gps.position', 'io.all'],
      everyMs: 1_000
    })
    expect(readings['gps.position']).toMatchObject({
      failure: null,
      problems: [],
      value: { extras: { fix: 3 } },
      raw: { extras: { fix: 3 } }
    })
    expect(readings['io.all']?.value).toMatchObject({ PWR: true })
    expect(nextInMs).toBeGreaterThan(0)
  })

  it('asks a slow device less often, and a silent one less and less', async () => {
    device.setFault('slow', true)
    const slow = await bench.call('workspace.read', { key, view: 'a', operations: ['io.all'] })
    device.setFault('slow', false)
    expect(slow.isSlow).toBe(true)
    expect(slow.nextInMs).toBeGreaterThan(1_500)
    device.setFault('reset', true)
    const pauses: number[] = []
    for (let round = 0; round < 3; round++)
      pauses.push((await bench.call('workspace.read', { key, view: 'a', operations: ['io.all'] })).nextInMs)
    device.setFault('reset', false)
    expect(pauses).toEqual([2_000, 4_000, 8_000])
    // Once it answers, it is silent anew: the pauses begin at the shortest again.
    await bench.call('workspace.read', { key, view: 'a', operations: ['io.all'] })
    device.setFault('reset', true)
    expect((await bench.call('workspace.read', { key, view: 'a', operations: ['io.all'] })).nextInMs).toBe(2_000)
    device.setFault('reset', false)
  })

  it('says of one operation what went wrong and hides nothing of the others', async () => {
    device.setFault('html', true, 'eth.state')
    const { readings } = await bench.call('workspace.read', {
      key,
      view: 'a',
      operations: ['eth.state', 'system.info']
    })
    device.setFault('html', false, 'eth.state')
    expect(readings['eth.state']).toMatchObject({ value: null, failure: { code: 'UNREADABLE' } })
    expect(readings['system.info']?.failure).toBeNull()
  })

  it('calls a position that is never answered what it is while the rest answers: often no fix yet', async () => {
    device.setFault('hang', true, 'gps.position')
    const { readings } = await bench.call('workspace.read', {
      key,
      view: 'a',
      operations: ['gps.position', 'io.all', 'system.info']
    })
    device.setFault('hang', false, 'gps.position')
    expect(readings['gps.position']?.failure).toMatchObject({
      code: 'TIMEOUT',
      message: message('device.positionUnanswered')
    })
    expect(readings['io.all']?.failure).toBeNull()
  })

  it('drops what a closed view has under way', async () => {
    device.setFault('hang', true, 'io.all')
    const reading = bench.call('workspace.read', { key, view: 'closing', operations: ['io.all'] })
    const outcome = expect(reading).rejects.toMatchObject({ code: 'CANCELLED' })
    await vi.waitFor(() => expect(device.requests.at(-1)?.path).toContain('IO'), 15_000)
    await bench.call('workspace.closeView', { view: 'closing' })
    await outcome
    device.setFault('hang', false, 'io.all')
  })
})

describe('A setting', () => {
  it('is proved by reading it back: APN, Wi-Fi network, hotspot', async () => {
    const apn = await change({
      key,
      change: { operation: 'modem.editApn', apn: 'fleet.example', user: 'u-canary-1', pass: 'p-canary-2', pin: '8642' }
    })
    expect(apn).toMatchObject({ kind: 'readBack', readBack: { APN: 'fleet.example' } })
    expect(device.kept().apn).toEqual({ apn: 'fleet.example', user: 'u-canary-1', pass: 'p-canary-2', pin: '8642' })
    const ssid = 'Yard / 5 %20 🚚'
    expect(
      (await change({ key, change: { operation: 'wifi.add', ssid, password: 'w-canary/3 %' }, confirmCut: true })).kind
    ).toBe('readBack')
    expect((await change({ key, change: { operation: 'wifi.remove', ssid }, confirmCut: true })).kind).toBe('readBack')
    expect(
      (
        await change({
          key,
          change: { operation: 'hotspot.edit', name: 'Unit 4', password: 'h-canary-4' },
          confirmCut: true
        })
      ).kind
    ).toBe('readBack')
  })

  it('that the device does not show afterwards is not called done', async () => {
    device.setFault('wrongTypes', true, 'modem.configuration')
    const result = await change({
      key,
      change: { operation: 'modem.editApn', apn: 'other.example', user: '', pass: '', pin: '' }
    })
    device.setFault('wrongTypes', false, 'modem.configuration')
    expect(result.kind).toBe('different')
  })

  it('whose answer is lost is decided by reading it back', async () => {
    device.setFault('dropsReply', true, 'hotspot.stop')
    const result = await change({ key, change: { operation: 'hotspot.stop' }, confirmCut: true })
    device.setFault('dropsReply', false, 'hotspot.stop')
    expect(result.kind).toBe('readBack')
    await change({ key, change: { operation: 'hotspot.start' }, confirmCut: true })
  })

  it('that cannot be read back is only "sent"', async () => {
    const result = await change({ key, change: { operation: 'accel.autoAlignment', state: true } })
    expect(result).toMatchObject({ kind: 'sent', readBack: null })
    expect(result.detail).toEqual(message('workspace.taken'))
  })

  it('of the alignment is not sent while the engine runs, nor while a job is open on the device, also when that job is paused', async () => {
    const sent = () => device.requests.filter(({ path: sentTo }) => sentTo.includes('AutoAlignment')).length
    const before = sent()
    const align = () =>
      bench.call('workspace.change', { key, change: { operation: 'accel.autoAlignment', state: true } })
    device.vehicle.turnKey('crank')
    await vi.waitFor(
      async () =>
        expect(
          (await bench.call('workspace.read', { key, view: 'align', operations: ['io.all'] })).readings['io.all']?.value
        ).toMatchObject({ TIG: true }),
      20_000
    )
    await expect(align()).rejects.toMatchObject({
      code: 'INTERLOCK',
      message: {
        id: 'common.notSentMissing',
        values: { missing: expect.arrayContaining([message('outputs.missing.engineOff')]) as unknown }
      }
    })
    device.vehicle.turnKey('off')
    await vi.waitFor(
      async () =>
        expect(
          (await bench.call('workspace.read', { key, view: 'align', operations: ['io.all'] })).readings['io.all']?.value
        ).toMatchObject({ TIG: false }),
      20_000
    )
    const made = await bench.call('jobs.create', { templateId: 'standard-installation', deviceKey: key })
    const id = made.outcome === 'created' ? made.id : ''
    await expect(align()).rejects.toMatchObject({ code: 'CONFLICT', message: { id: 'workspace.alignInJob' } })
    expect(sent()).toBe(before)
    await bench.call('jobs.cancel', { id, reason: 'only for this test' })
    await expect(align()).resolves.toMatchObject({ kind: 'changed', result: { kind: 'sent' } })
  })

  it('that cuts our own link is held back with a way to come back', async () => {
    const link = await bench.call('workspace.link', { key })
    expect(link.over).toBe('ethernet')
    const wifi = await bench.call('workspace.change', { key, change: { operation: 'wifi.stop' } })
    expect(wifi.kind).toBe('changed')
    await change({ key, change: { operation: 'wifi.start' } })
    device.setFault('wrongTypes', true, 'eth.state')
    const stopsBefore = device.requests.filter(({ path: sent }) => sent.includes('/hotspot/stop')).length
    const held = await bench.call('workspace.change', { key, change: { operation: 'hotspot.stop' } })
    device.setFault('wrongTypes', false, 'eth.state')
    expect(held).toMatchObject({ kind: 'cutsLink' })
    expect(held.kind === 'cutsLink' && held.wayBack).toEqual(message('workspace.backHotspot'))
    expect(device.requests.filter(({ path: sent }) => sent.includes('/hotspot/stop'))).toHaveLength(stopsBefore)
  })
})

describe('An engine-bus list', () => {
  it('is read from CSV, checked row by row, sent with a result for each row, and kept', async () => {
    const csv = [
      'param_name;pgn;transmission_rate;priority;dlc;length;start_position;multiplier;group;offset',
      'ENGINE_SPEED;0xF004;100 ms;3;8;2 bytes;4-5;0.125;number value;0',
      'DISTANCE;FEE0;on request;6;8;4_BYTES;5-8;0.125;NUMBER_VALUE;',
      'BROKEN;XYZ;100MS;9;8;2_BYTES;4;0.125;SIGNALS;zero'
    ].join('\r\n')
    const { rows, problem } = await bench.call('workspace.checkEcuList', { key, csv })
    expect(problem).toBeNull()
    expect(rows.map(({ entry }) => entry?.PGN)).toEqual(['F004', 'FEE0', undefined])
    expect(rows[2]?.problems.map(({ field }) => field)).toEqual(['PGN', 'PRIORITY', 'GROUP', 'OFFSET'])
    const entries = rows.flatMap(({ entry }) => (entry ? [entry] : []))
    const { id } = await bench.call('workspace.startRun', {
      keys: [key],
      change: { operation: 'ecu.addParameter', rows: entries }
    })
    const run = await ended(id)
    expect(run).toMatchObject({ state: 'ended', done: 2, total: 2 })
    expect(run.devices[0]).toMatchObject({ state: 'done', rows: [{ state: 'done' }, { state: 'done' }] })
    expect(device.kept().ecuParameters.map(({ PARAM_NAME }) => PARAM_NAME)).toEqual(['ENGINE_SPEED', 'DISTANCE'])
    const { writes } = await bench.call('workspace.history', { key, operations: ['ecu.addParameter'] })
    expect(writes.map(({ outcome, input }) => [outcome, (input as { PARAM_NAME: string }).PARAM_NAME])).toEqual([
      ['done', 'DISTANCE'],
      ['done', 'ENGINE_SPEED']
    ])
    const again = await bench.call('workspace.checkEcuList', { key, csv })
    expect(again.rows[0]?.sentAt).not.toBeNull()
  })

  it('repeats only rows that failed, and one without an answer only when a person says so', async () => {
    const other = bench.simulation.devices[1] as SimulatedDevice
    const rows = ['A1', 'A2', 'A3'].map((PARAM_NAME) => ({
      PARAM_NAME,
      PGN: 'FEF1',
      TRANSMISSION_RATE: '100',
      PRIORITY: '6',
      DLC: '8',
      LENGTH: '2',
      START_POSITION: '2',
      MULTIPLIER: '1',
      GROUP: 'SIGNAL',
      OFFSET: 0
    }))
    other.setFault('dropsReply', true, 'ecu.addParameter')
    const started = await bench.call('workspace.startRun', {
      keys: [bench.keys[1] as string],
      change: { operation: 'ecu.addParameter', rows }
    })
    let run = await ended(started.id)
    other.setFault('dropsReply', false, 'ecu.addParameter')
    expect(run.devices[0]?.rows.map(({ state }) => state)).toContain('unknown')
    await bench.call('workspace.continueRun', { id: run.id })
    run = await ended(run.id)
    const unknown = run.devices[0]?.rows.filter(({ state }) => state === 'unknown').length ?? 0
    expect(unknown).toBeGreaterThan(0)
    expect(other.kept().ecuParameters).toHaveLength(3)
    expect(other.violations.filter(({ kind }) => kind === 'doubled')).toEqual([])
  })
})

describe('One setting for several devices', () => {
  it('has a result for each and repeats only what failed', async () => {
    const bad = bench.simulation.devices[2] as SimulatedDevice
    bad.setFault('unauthorized', true)
    const started = await bench.call('workspace.startRun', {
      keys: bench.keys,
      change: { operation: 'modem.editApn', apn: 'all.example', user: '', pass: '', pin: '' }
    })
    let run = await ended(started.id)
    bad.setFault('unauthorized', false)
    expect(run.devices.map(({ state }) => state)).toEqual(['done', 'done', 'failed'])
    const sentBefore = device.requests.filter(({ path: sent }) => sent.includes('/storage/edit')).length
    await bench.call('workspace.continueRun', { id: run.id })
    run = await ended(run.id)
    expect(run.devices.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    expect(device.requests.filter(({ path: sent }) => sent.includes('/storage/edit'))).toHaveLength(sentBefore)
  })

  it('stops between two requests and goes on later', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => ({
      PARAM_NAME: `S${index}`,
      PGN: 'FEF1',
      TRANSMISSION_RATE: '100',
      PRIORITY: '6',
      DLC: '8',
      LENGTH: '2',
      START_POSITION: '2',
      MULTIPLIER: '1',
      GROUP: 'SIGNAL',
      OFFSET: 0
    }))
    const started = await bench.call('workspace.startRun', {
      keys: [bench.keys[2] as string],
      change: { operation: 'ecu.addParameter', rows }
    })
    const stopped = await bench.call('workspace.stopRun', { id: started.id })
    expect(stopped.state).toBe('stopped')
    expect(stopped.done).toBeLessThan(40)
    expect(stopped.devices[0]?.rows.some(({ state }) => state === 'unknown')).toBe(false)
    await bench.call('workspace.continueRun', { id: started.id })
    expect(await ended(started.id)).toMatchObject({ state: 'ended', done: 40 })
    expect(
      (bench.simulation.devices[2] as SimulatedDevice).violations.filter(({ kind }) => kind === 'doubled')
    ).toEqual([])
  })
})

describe('The console', () => {
  it('runs a command, keeps it, and holds destruction back before the device is asked', async () => {
    await bench.call('settings.change', { technician: 'Anna' })
    const ran = await bench.call('workspace.exec', { key, command: 'uptime' })
    expect(ran.kind === 'ran' && ran.output).toContain('load average')
    const sent = device.requests.length
    expect(await bench.call('workspace.exec', { key, command: 'ls /data; rm -rf /data' })).toMatchObject({
      kind: 'refused',
      by: 'fitter'
    })
    expect(device.requests.length).toBe(sent)
    const { writes } = await bench.call('workspace.history', { key, operations: ['exec.run'] })
    expect(writes.map(({ outcome, input }) => [outcome, (input as { command: string }).command])).toEqual([
      ['refused', 'ls /data; rm -rf /data'],
      ['done', 'uptime']
    ])
    expect(writes.map(({ at, by }) => [Number.isNaN(Date.parse(at)), by])).toEqual([
      [false, 'Anna'],
      [false, 'Anna']
    ])
  })

  it('sends what is not among the commands that only read after a person repeated it, and not before', async () => {
    const sent = device.requests.filter(({ path }) => path === '/exec').length
    const command = 'tracker-selftest --all'
    expect(await bench.call('workspace.exec', { key, command })).toEqual({ kind: 'unconfirmed' })
    expect(await bench.call('workspace.exec', { key, command, repeated: 'tracker-selftest' })).toEqual({
      kind: 'unconfirmed'
    })
    expect(device.requests.filter(({ path }) => path === '/exec')).toHaveLength(sent)
    expect(await bench.call('workspace.exec', { key, command, repeated: command })).toMatchObject({ kind: 'ran' })
    expect(
      await bench.call('workspace.exec', {
        key,
        command: 'sudo -u root rm -rf /data',
        repeated: 'sudo -u root rm -rf /data'
      })
    ).toMatchObject({ kind: 'refused', by: 'fitter' })
    expect(device.requests.filter(({ path }) => path === '/exec')).toHaveLength(sent + 1)
  })
})

describe('Updates', () => {
  it('are followed through the four messages and the error', async () => {
    const states: string[] = []
    const check = async () => states.push((await bench.call('workspace.checkUpdate', { key, view: 'u' })).state)
    await check()
    device.setFault('updateAvailable', true)
    for (let round = 0; round < 4; round++) await check()
    device.setFault('updateCheckFails', true)
    await check()
    device.setFault('updateCheckFails', false)
    device.setFault('updateAvailable', false)
    expect(states).toEqual(['upToDate', 'available', 'inProgress', 'updated', 'upToDate', 'failed'])
  })
})

describe('Outputs', () => {
  it('go on only after a hold with every condition met, are read back, and go off when nobody looks any more', async () => {
    const watch = () => bench.call('workspace.watchOutput', { key, out: 'OUT2' })
    await vi.waitFor(async () => expect((await watch()).missing).toEqual([]), { timeout: 45_000, interval: 200 })
    await bench.call('workspace.armOutput', { key, out: 'OUT2' })
    expect((await watch()).phase).toBe('countdown')
    await vi.waitFor(async () => expect((await watch()).phase).toBe('on'), { timeout: 45_000, interval: 300 })
    expect(device.vehicle.state().outputs.OUT2).toBe(true)
    // Nobody asks any more: the screen is gone.
    await vi.waitFor(() => expect(device.vehicle.state().outputs.OUT2).toBe(false), { timeout: 45_000, interval: 200 })
    await vi.waitFor(async () => expect((await watch()).phase).toBe('off'), { timeout: 45_000, interval: 200 })
  })

  it('stay off while the engine runs', async () => {
    device.vehicle.turnKey('on')
    device.vehicle.turnKey('crank')
    await vi.waitFor(
      async () =>
        expect((await bench.call('workspace.watchOutput', { key, out: 'OUT1' })).missing).toContainEqual({
          id: 'outputs.missing.engineOff',
          values: {}
        }),
      { timeout: 45_000, interval: 200 }
    )
    await expect(bench.call('workspace.armOutput', { key, out: 'OUT1' })).rejects.toMatchObject({ code: 'INTERLOCK' })
    device.vehicle.turnKey('off')
  })

  it('can always be switched off, and the story of the lines is told', async () => {
    device.vehicle.setOutput('OUT3', true)
    expect(await bench.call('workspace.switchOff', { key, out: 'OUT3' })).toMatchObject({ phase: 'off', on: false })
    await vi.waitFor(
      async () =>
        expect(
          (await bench.call('workspace.lines', { key })).lines
            .map(({ changes }) => changes.length)
            .every((count) => count > 0)
        ).toBe(true),
      15_000
    )
    await vi.waitFor(
      async () => expect((await bench.call('workspace.lines', { key })).value).toMatchObject({ OUT3: false }),
      { timeout: 45_000, interval: 100 }
    )
    expect((await bench.call('workspace.lines', { key })).lines).toHaveLength(19)
  })
})

describe('While a job works on the device', () => {
  it('a command goes into its log, an update is not asked for, and outputs are left to its checklist', async () => {
    const other = bench.keys[1] as string
    const made = await bench.call('jobs.create', { templateId: 'diagnosis', deviceKey: other })
    const id = made.outcome === 'created' ? made.id : ''
    await bench.call('jobs.start', { id })
    await bench.call('workspace.exec', { key: other, command: 'df -h' })
    const logged = bench.core.jobs.journal(id).filter(({ type }) => type === 'deviceWrite')
    expect(logged.map(({ data }) => data)).toMatchObject([
      { phase: 'intent', operation: 'exec.run', input: { command: 'df -h' } },
      { phase: 'answered', operation: 'exec.run' }
    ])
    const { writes } = await bench.call('workspace.history', { key: other, operations: ['exec.run'] })
    expect(writes[0]?.jobId).toBe(id)
    await expect(bench.call('workspace.checkUpdate', { key: other, view: 'u' })).rejects.toMatchObject({
      code: 'CONFLICT'
    })
    await expect(bench.call('workspace.armOutput', { key: other, out: 'OUT1' })).rejects.toMatchObject({
      code: 'INTERLOCK'
    })
    await bench.call('jobs.pause', { id })
  })
})

describe('Sign-in', () => {
  it('tries the default credentials only when asked, and says when they are still in use', async () => {
    expect(await bench.call('workspace.signInState', { key })).toMatchObject({
      defaultsKnown: false,
      usesDefaults: null
    })
    await bench.call('workspace.keepDefaults', { user: device.user, password: device.password })
    expect(await bench.call('workspace.tryDefaults', { key })).toMatchObject({ kind: 'signedIn' })
    expect(await bench.call('workspace.signInState', { key })).toMatchObject({
      signedIn: true,
      defaultsKnown: true,
      usesDefaults: true
    })
    await bench.call('workspace.forgetDefaults', {})
  })
})

describe('Secrets', () => {
  it('are neither in the data folder nor in what is told', async () => {
    const told =
      JSON.stringify(bench.events) + JSON.stringify(await bench.call('workspace.history', { key, limit: 500 }))
    const kept = fs
      .readdirSync(bench.dataFolder)
      .map((name) => fs.readFileSync(path.join(bench.dataFolder, name), 'latin1'))
      .join()
    for (const canary of ['u-canary-1', 'p-canary-2', 'w-canary', 'h-canary-4', '8642']) {
      expect(told).not.toContain(canary)
      if (canary !== '8642') expect(kept).not.toContain(canary)
    }
  })
})

async function ended(id: string) {
  return vi.waitFor(
    async () => {
      const run = (await bench.call('workspace.runs', {})).runs.find((one) => one.id === id)
      if (!run || run.state === 'running') throw new Error('still running')
      return run
    },
    { timeout: 45_000, interval: 50 }
  )
}
