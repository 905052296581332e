import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../main/data/store/index.ts'
import { startSimulation, type SimulatedDevice } from '../../../simulator/simulation.ts'
import { fitter, startFitter, type Running } from '../../world/window/fitterProcess.ts'
import { until } from '../../world/device/jobBench.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const limit = { timeout: 540_000, tags: ['long'] }

async function openYard(gateway = false) {
  const simulation = await startSimulation({ gateway })
  onTestFinished(() => simulation.stop())
  const device = simulation.devices[0]!
  const folder = tempFolder()
  const at = simulation.gateway
  const env = {
    FITTER_DEVICE_USER: device.user,
    FITTER_DEVICE_PASSWORD: device.password,
    ...(at ? { FITTER_GATEWAY_USER: at.user, FITTER_GATEWAY_PASSWORD: at.password } : {}),
    HOME: folder
  }
  const address = `${device.host}:${device.port}`
  return {
    simulation,
    device,
    folder,
    env,
    address,
    run: (...words: string[]) => fitter([...words, '--data', folder, '--json'], { env }),
    /** OUT1 is on, held by a command. */
    async putOn(): Promise<Running> {
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
          '--json',
          '--data',
          folder
        ],
        { env }
      )
      await until('OUT1 is on', () => isOn(device), limit.timeout)
      await on.saw('"io.setOutput"')
      return on
    }
  }
}

const isOn = (device: SimulatedDevice) => device.vehicle.state().outputs.OUT1

describe('A command that cuts the connection', limit, () => {
  it('is refused while an output may be on: by the Fitter that holds it, and by the ledger of one that died', async () => {
    const { run, putOn, address, device } = await openYard()
    const on = await putOn()
    const stop = () => run('device', address, 'call', 'wifi.stop', '--yes')
    const reboot = () =>
      run('device', address, 'call', 'exec.run', '--body', '{"command":"reboot"}', '--confirm', 'reboot')
    for (const refused of [await stop(), await reboot()])
      expect(refused.json()).toMatchObject({
        error: { code: 'CONFLICT', message: expect.stringContaining('another Fitter uses this data folder') as string }
      })
    expect((await run('device', address, 'call', 'exec.run', '--body', '{"command":"uptime"}', '--yes')).code).toBe(0)
    on.kill('SIGKILL')
    await on.ended
    for (const refused of [await stop(), await reboot()])
      expect(refused.json()).toMatchObject({ error: { code: 'CONFLICT' } })
    expect(isOn(device)).toBe(true)
    expect(device.requests.filter(({ path }) => path === '/wifi/stop')).toEqual([])
    await run('device', address, 'call', 'io.setOutput', '--param', 'out=OUT1', '--param', 'state=false', '--yes')
    expect(isOn(device)).toBe(false)
    expect((await stop()).code).toBe(0)
  })
})

describe('A backup that is restored by a command', limit, () => {
  it('does not make Fitter forget an output that may be on: the command says so, and the next ones, and it can be switched off', async () => {
    const { run, putOn, address, device, folder } = await openYard()
    const backup = join(tempFolder(), 'before.db')
    expect((await run('data', 'backup', '--out', backup)).code).toBe(0)
    const on = await putOn()
    on.kill('SIGKILL')
    await on.ended
    const named = `OUT1 of the device ${device.imei}`
    const restored = await run('data', 'restore', backup)
    expect([restored.json(), restored.stderr]).toMatchObject([
      { restored: true },
      expect.stringContaining(named) as string
    ])
    const list = await run('job', 'list')
    expect([list.json(), list.stderr]).toMatchObject([[], expect.stringContaining(named) as string])
    await run('device', address, 'call', 'io.setOutput', '--param', 'out=OUT1', '--param', 'state=false', '--yes')
    expect(isOn(device)).toBe(false)
    expect((await run('job', 'list')).stderr).toBe('')
    expect(openStore(folder).outputLedger.open()).toEqual([])
  })
})

describe('The account at the gateway', limit, () => {
  it('is not given up by a command while an output may be on through it', async () => {
    const { run, folder, simulation } = await openYard(true)
    const { gateway } = simulation
    expect((await run('gateway', 'login', '--gateway', gateway!.url)).code).toBe(0)
    const store = openStore(folder)
    store.outputLedger.begin({
      imei: simulation.devices[0]!.imei,
      output: 'e 2',
      path: 'gateway',
      vehicleId: 101,
      address: '',
      since: '2026-11-20T09:00:00.000Z',
      by: '',
      jobId: null
    })
    store.close()
    const logins = gateway!.requests.length
    const refused = await run('gateway', 'logout', '--gateway', gateway!.url)
    expect([refused.code, refused.json()]).toMatchObject([expect.any(Number), { error: { code: 'CONFLICT' } }])
    expect(gateway!.requests.slice(logins).filter(({ operation }) => operation === 'session.logout')).toEqual([])
    const held = openStore(folder)
    onTestFinished(() => held.close())
    expect((await run('gateway', 'logout', '--gateway', gateway!.url)).json()).toMatchObject({
      error: { code: 'CONFLICT' }
    })
  })

  it('switches nothing on by a plain call', async () => {
    const { run, simulation } = await openYard(true)
    const { gateway } = simulation
    const call = (state: unknown) =>
      run(
        'gateway',
        'call',
        'remote.output',
        '--param',
        `vid=${gateway!.state.vehicles[0]!.id}`,
        '--body',
        JSON.stringify({ otype: 'e', out: 2, state }),
        '--yes',
        '--gateway',
        gateway!.url
      )
    for (const state of [true, 'true'])
      expect((await call(state)).json()).toMatchObject({ error: { code: 'INTERLOCK' } })
    expect(gateway!.state.effects.filter(({ operation }) => operation === 'remote.output')).toEqual([])
    expect((await call(false)).code).toBe(0)
  })
})
