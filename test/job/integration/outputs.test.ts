import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCore, sourceResourcesFolder } from '../../../main/app/core.ts'
import { createDeviceClient } from '../../../main/device/client/client.ts'
import { openExchange } from '../../world/data/exchange.ts'
import { fitter, startFitter } from '../../world/window/fitterProcess.ts'
import { openJobBench, until } from '../../world/device/jobBench.ts'
import { quickShipped, standardStep } from '../../world/device/quickProfile.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { openWorkspaceBench } from '../../world/device/workspaceBench.ts'
import { startSimulation } from '../../../simulator/simulation.ts'

const limit = { timeout: 360_000 }

/** A job whose device can be exchanged for another one at the same address, at any moment. */
async function openExchangedJob() {
  const bench = await openJobBench({
    simulation: { devices: 2 },
    shipped: quickShipped([standardStep('external-power'), standardStep('output-1'), standardStep('alignment')]),
    device: () => client
  })
  const [own, other] = bench.sim.devices
  const exchange = await openExchange(own!)
  const client = createDeviceClient({
    address: exchange.address,
    imei: own!.imei,
    credentials: () => Promise.resolve({ user: own!.user, password: own!.password })
  })
  // Both know the same password, as devices of one company do.
  Object.assign(other!, { user: own!.user })
  onTestFinished(async () => {
    await bench.close()
    await exchange.stop()
  })
  const id = bench.create()
  await bench.jobs.start(id, AbortSignal.timeout(60_000))
  const writesToOther = () =>
    exchange.passed.filter(({ method, to }) => method === 'POST' && to === other!.port).map(({ path }) => path)
  return { bench, id, own: own!, other: other!, exchange, writesToOther }
}

describe('Another device at the same address', limit, () => {
  it('while a step only watches: it ends, says who answers, and credits nothing', async () => {
    const { bench, id, own, other, exchange } = await openExchangedJob()
    exchange.putIn(other)
    const step = bench.jobs.runStep(id, 'external-power').then(() => bench.step(id, 'external-power'))
    expect((await step).state).not.toBe('pass')
    await until('the job lets go of the device', () => !bench.jobs.live(id).active)
    exchange.putIn(own)
  })

  it('before an output is armed: nothing is switched', async () => {
    const { bench, id, other, exchange, writesToOther } = await openExchangedJob()
    exchange.putIn(other)
    bench.answerWith({ arm: { armed: true }, effect: { effect: true } })
    await bench.jobs.runStep(id, 'output-1')
    expect(bench.step(id, 'output-1').state).not.toBe('pass')
    expect(writesToOther()).toEqual([])
    expect(other.vehicle.state().outputs.OUT1).toBe(false)
  })

  it('in the last moment before "on": nothing is switched', async () => {
    const { bench, id, own, other, exchange, writesToOther } = await openExchangedJob()
    // The first look at who answers after the person armed it is the one right before "on".
    let isArmed = false
    exchange.before((_method, path) => {
      if (isArmed && path === '/system-info') exchange.putIn(other)
    })
    bench.answerWith({ arm: { armed: true } })
    const run = bench.jobs.runStep(id, 'output-1')
    await until('it was armed', () =>
      bench.jobs.journal(id).some(({ type, data }) => type === 'answered' && JSON.stringify(data).includes('armed'))
    )
    isArmed = true
    await run
    expect(bench.step(id, 'output-1').state).not.toBe('pass')
    expect(writesToOther()).toEqual([])
    expect(own.vehicle.state().outputs.OUT1).toBe(false)
    expect(bench.outputs.ledger()).toEqual([])
  })

  it(
    'while the output is on: the ledger keeps it, no proof is believed, and it goes off when its device is back',
    { tags: ['long'] },
    async () => {
      const { bench, id, own, other, exchange, writesToOther } = await openExchangedJob()
      bench.answerWith({ arm: { armed: true } })
      const run = bench.jobs.runStep(id, 'output-1')
      await until('OUT1 reads back on', () => bench.lives.some(({ prompt }) => prompt?.kind === 'effect'))
      exchange.putIn(other)
      await run
      expect(bench.step(id, 'output-1').state).toBe('fail')
      expect(own.vehicle.state().outputs.OUT1).toBe(true)
      expect(bench.outputs.ledger()).toMatchObject([{ imei: own.imei, output: 'OUT1', state: 'mayBeOn', jobId: id }])
      expect(writesToOther()).toEqual([])
      exchange.putIn(own)
      await until('OUT1 is off', () => !own.vehicle.state().outputs.OUT1)
      await until('the ledger is empty', () => bench.outputs.ledger().length === 0)
    }
  )

  it('before auto-alignment: it is not sent', async () => {
    const { bench, id, other, exchange, writesToOther } = await openExchangedJob()
    exchange.putIn(other)
    bench.answerWith({ yesNo: { answer: true } })
    await bench.jobs.runStep(id, 'alignment')
    expect(bench.step(id, 'alignment').state).not.toBe('pass')
    expect(writesToOther()).toEqual([])
  })
})

describe('The ledger', { ...limit, tags: ['long'] }, () => {
  it('is there after the process was killed with an output on: said at once, and switched off when asked', async () => {
    const sim = await startSimulation()
    onTestFinished(() => sim.stop())
    const [device] = sim.devices
    const folder = tempFolder()
    const env = { FITTER_DEVICE_USER: device!.user, FITTER_DEVICE_PASSWORD: device!.password }
    const address = `${device!.host}:${device!.port}`
    const on = startFitter(
      [
        'device',
        address,
        'call',
        'io.setOutput',
        '--param',
        'out=OUT1',
        '--param',
        'state=true',
        '--yes',
        '--data',
        folder
      ],
      { env }
    )
    await until('OUT1 is on', () => device!.vehicle.state().outputs.OUT1, limit.timeout)
    on.kill('SIGKILL')
    await on.ended
    expect(device!.vehicle.state().outputs.OUT1).toBe(true)
    const cut = tempFolder()
    cpSync(folder, cut, { recursive: true })
    rmSync(join(cut, 'fitter.db-wal'))
    for (const command of [
      ['job', 'list'],
      ['job', 'show', 'none']
    ]) {
      expect((await fitter([...command, '--data', folder], { env })).stderr).toContain(
        `OUT1 of the device ${device!.imei}`
      )
    }
    for (const command of [
      ['job', 'list'],
      ['job', 'list', '--json']
    ]) {
      expect((await fitter([...command, '--data', cut], { env })).stderr).toContain(
        'lost its record of an output that may still be on'
      )
    }
    const off = await fitter(
      [
        'device',
        address,
        'call',
        'io.setOutput',
        '--param',
        'out=OUT1',
        '--param',
        'state=false',
        '--yes',
        '--data',
        folder,
        '--json'
      ],
      { env }
    )
    expect(off.json()).toMatchObject({ operation: 'io.setOutput', status: 200 })
    expect(device!.vehicle.state().outputs.OUT1).toBe(false)
  })

  it('"on" from the terminal is held under its interlock and goes off when the command is stopped', async () => {
    const sim = await startSimulation()
    onTestFinished(() => sim.stop())
    const [device] = sim.devices
    const folder = tempFolder()
    const env = { FITTER_DEVICE_USER: device!.user, FITTER_DEVICE_PASSWORD: device!.password }
    const on = startFitter(
      [
        'device',
        `${device!.host}:${device!.port}`,
        'call',
        'io.setOutput',
        '--param',
        'out=OUT2',
        '--param',
        'state=true',
        '--yes',
        '--json',
        '--data',
        folder
      ],
      { env }
    )
    await until('OUT2 is on', () => device!.vehicle.state().outputs.OUT2, limit.timeout)
    await on.saw('"io.setOutput"')
    on.kill('SIGINT')
    const { stdout } = await on.ended
    expect(JSON.parse(stdout)).toMatchObject({ operation: 'io.setOutput', status: 200 })
    expect(device!.vehicle.state().outputs.OUT2).toBe(false)
  })

  it('is told at the terminal when the device is silent at the end, by the exit code, and at the next start', async () => {
    const sim = await startSimulation()
    onTestFinished(() => sim.stop())
    const [device] = sim.devices
    const folder = tempFolder()
    const env = { FITTER_DEVICE_USER: device!.user, FITTER_DEVICE_PASSWORD: device!.password }
    const on = startFitter(
      [
        'device',
        `${device!.host}:${device!.port}`,
        'call',
        'io.setOutput',
        '--param',
        'out=OUT1',
        '--param',
        'state=true',
        '--yes',
        '--json',
        '--data',
        folder
      ],
      { env }
    )
    await on.saw('"io.setOutput"')
    device!.setFault('reset', true)
    on.kill('SIGINT')
    const { code, stderr } = await on.ended
    const named = `OUT1 of the device ${device!.imei}`
    expect(code).toBe(1)
    expect(stderr).toContain(named)
    expect(device!.vehicle.state().outputs.OUT1).toBe(true)
    expect((await fitter(['job', 'list', '--data', folder])).stderr).toContain(named)
    const doctor = await fitter(['doctor', '--json', '--data', folder])
    expect(doctor.code).toBe(1)
    expect(
      doctor.json<{ name: string; ok: boolean; detail: string }[]>().find(({ name }) => name === 'Outputs')
    ).toMatchObject({ ok: false, detail: expect.stringContaining(named) as string })
  })

  it('survives the end of Fitter with a silent device, and the next start shows it first and switches it off', async () => {
    const bench = await openWorkspaceBench()
    onTestFinished(() => bench.stop())
    const [key] = bench.keys
    const [device] = bench.simulation.devices
    const watch = () => bench.call('workspace.watchOutput', { key: key!, out: 'OUT1' })
    await expect.poll(async () => (await watch()).missing).toEqual([])
    await bench.call('workspace.armOutput', { key: key!, out: 'OUT1' })
    await expect.poll(async () => (await watch()).phase).toBe('on')
    device!.setFault('reset', true)
    const left = await bench.core.outputs.allOff()
    expect(left).toMatchObject([{ imei: device!.imei, output: 'OUT1', state: 'mayBeOn' }])
    await bench.core.stop()

    const again = createCore({
      dataFolder: bench.dataFolder,
      resourcesFolder: sourceResourcesFolder,
      inMemorySecrets: true,
      reportFault: (error) => bench.faults.push(error)
    })
    expect(again.outputs.ledger()).toMatchObject([{ imei: device!.imei, output: 'OUT1', isReachable: false }])
    device!.setFault('reset', false)
    await again.connections.devices.keep(device!.imei, { user: device!.user, password: device!.password }, false)
    const address = `${device!.host}:${device!.port}`
    again.connections.devices.pick(address, device!.imei)
    again.outputs.seen(device!.imei, again.connections.devices.open(address, device!.imei))
    await until('OUT1 is off', () => !device!.vehicle.state().outputs.OUT1)
    await again.stop()
  })
})

describe('The end of Fitter', limit, () => {
  it('closes jobs, data and the folder although the outputs, or one of the parts, cannot be ended', async () => {
    const dataFolder = tempFolder()
    const faults: unknown[] = []
    const open = () =>
      createCore({
        dataFolder,
        resourcesFolder: sourceResourcesFolder,
        inMemorySecrets: true,
        reportFault: (error) => faults.push(error)
      })
    const core = open()
    Object.assign(core.outputs, {
      allOff: () => Promise.reject(new Error('outputs')),
      stop: () => Promise.reject(new Error('controllers'))
    })
    Object.assign(core.jobs, { stop: () => Promise.reject(new Error('jobs')) })
    await core.stop()
    expect(faults.map(String)).toEqual(['Error: outputs', 'Error: jobs', 'Error: controllers'])
    await open().stop()
    expect(faults).toHaveLength(3)
  })
})

describe('Off by hand', limit, () => {
  it('does not wait for a console command that runs, nor for another output that is being proved', async () => {
    const bench = await openWorkspaceBench()
    onTestFinished(() => bench.stop())
    const [key] = bench.keys
    const [device] = bench.simulation.devices
    device!.setFault('hang', true, 'exec.run')
    const running = bench.core.workspaceDevices.workspace
      .exec({ key: key!, command: 'uptime', repeated: '' }, AbortSignal.timeout(8_000))
      .catch((error: unknown) => error)
    await until('the command runs', () => device!.requests.some(({ operation }) => operation === 'exec.run'))
    device!.vehicle.setOutput('OUT1', true)
    device!.vehicle.setOutput('OUT2', true)
    const [first, second] = await Promise.all(
      (['OUT1', 'OUT2'] as const).map((out) => bench.call('workspace.switchOff', { key: key!, out }))
    )
    expect([first!.phase, second!.phase]).toEqual(['off', 'off'])
    device!.setFault('hang', false, 'exec.run')
    await running
  })
})
