import { describe, expect, it, onTestFinished } from 'vitest'
import { openWorkplace } from '../../../main/app/workplace.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { trainingFolderIn } from '../../../main/app/dataFolder.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { hurriedResources } from '../../world/time/hurriedResources.ts'
import { until } from '../../world/device/jobBench.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const limit = { timeout: 360_000 }

/** A workplace with a device of this test that is signed in. */
async function openTestWorkplace({ countdownS = 0.3 } = {}) {
  const dataFolder = tempFolder()
  // Not in this test: the keychain of whoever runs it.
  process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/fitter-test'
  const simulation = await startSimulation()
  onTestFinished(() => simulation.stop())
  const device = simulation.devices[0]!
  const host = openWorkplace({
    frontEnd: 'browser',
    dataFolder,
    resourcesFolder: hurriedResources({ quitWithinS: 3, countdownS }),
    openPage: () => Promise.resolve()
  })
  onTestFinished(() => host.stop())
  async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    const answer = await host.call(name, input)
    if (!answer.ok) throw Object.assign(new Error(`${name}: ${JSON.stringify(answer.error)}`), answer.error)
    return answer.value as CallOutput<Name>
  }
  async function keyOf(port: number): Promise<string> {
    const find = async () => (await call('discovery.watch', {})).devices.find((one) => one.port === port)?.key
    await expect.poll(find).toBeDefined()
    return (await find())!
  }
  await call('settings.change', { technician: 'Technician One', firstRun: 'done' })
  await call('discovery.addAddress', { address: `${device.host}:${device.port}` })
  const key = await keyOf(device.port)
  await call('device.signIn', { key, user: device.user, password: device.password, shared: false })
  const isOn = () => device.vehicle.state().outputs.OUT1
  return {
    host,
    call,
    device,
    dataFolder,
    key,
    isOn,
    keyOf,
    ledger: async () => (await call('outputs.ledger', {})).outputs,
    async putOn(of = key) {
      const watch = () => call('workspace.watchOutput', { key: of, out: 'OUT1' })
      await expect.poll(async () => (await watch()).missing).toEqual([])
      await call('workspace.armOutput', { key: of, out: 'OUT1' })
      await expect.poll(async () => (await watch()).phase).toBe('on')
    }
  }
}

describe('Entering the training', limit, () => {
  it('switches off first what is on', async () => {
    const { call, isOn, putOn, ledger } = await openTestWorkplace()
    await putOn()
    await call('app.enter', { workplace: 'training' })
    expect([isOn(), (await call('app.info', {})).workplace]).toEqual([false, 'training'])
    await call('app.enter', { workplace: 'real' })
    expect(await ledger()).toEqual([])
  })

  it('is refused while something may still be on, which is named, and switched off when the device answers', async () => {
    const { call, device, isOn, putOn, ledger } = await openTestWorkplace()
    await putOn()
    device.setFault('reset', true)
    await expect(call('app.enter', { workplace: 'training' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: { id: 'outputs.staysForOutputs' }
    })
    expect([(await call('app.info', {})).workplace, await ledger()]).toMatchObject([
      'real',
      [{ imei: device.imei, state: 'mayBeOn' }]
    ])
    device.setFault('reset', false)
    await until('OUT1 is off', () => !isOn())
    await expect.poll(ledger).toEqual([])
    await call('app.enter', { workplace: 'training' })
  })

  it('never leaves behind what was switched on while it was being opened', async () => {
    const { call, device, isOn, key } = await openTestWorkplace({ countdownS: 0.01 })
    const watch = () => call('workspace.watchOutput', { key, out: 'OUT1' })
    await expect.poll(async () => (await watch()).missing).toEqual([])
    const entering = call('app.enter', { workplace: 'training' }).then(
      () => 'training',
      () => 'real'
    )
    await call('workspace.armOutput', { key, out: 'OUT1' })
    const timer = setInterval(() => void watch().catch(() => undefined), 100)
    await Promise.race([until('OUT1 is on', isOn), entering])
    device.setFault('reset', isOn())
    // Both ends are right: too late for the output, or too early for the training.
    const workplace = await entering
    clearInterval(timer)
    expect([workplace, isOn()]).toEqual(isOn() ? ['real', true] : [expect.any(String), false])
  })
})

describe('Restoring a backup', limit, () => {
  it('keeps in the ledger what may be on, and switches it off when the device answers', async () => {
    const { call, device, isOn, putOn, ledger, host } = await openTestWorkplace()
    await call('data.backUp', {})
    await expect.poll(async () => (await call('data.status', {})).work).toBeNull()
    const [backup] = (await call('data.status', {})).backups
    await putOn()
    device.setFault('reset', true)
    const entered = new Promise((resolve) => host.onEvent((name) => void (name === 'app.entered' && resolve(name))))
    await call('data.restore', { from: { kind: 'backup', id: backup!.id, place: 'here' } })
    await entered
    expect((await call('app.info', {})).notices.map(({ id }) => id)).toContain('restored')
    expect(await ledger()).toMatchObject([{ imei: device.imei, output: 'OUT1' }])
    expect(isOn()).toBe(true)
    device.setFault('reset', false)
    await call('discovery.addAddress', { address: `${device.host}:${device.port}` })
    await until('OUT1 is off', () => !isOn())
    await expect.poll(ledger).toEqual([])
  })
})

describe('Leaving the training', limit, () => {
  it('ends what was switched on in it', async () => {
    const { call, dataFolder, putOn, ledger, host } = await openTestWorkplace()
    await call('app.enter', { workplace: 'training' })
    const seen = async () =>
      (await call('discovery.watch', {})).devices.find(({ signedIn, standing }) => signedIn && standing !== 'lost')
    await expect.poll(seen).toBeDefined()
    await putOn((await seen())!.key)
    expect(await ledger()).toHaveLength(1)
    await call('app.enter', { workplace: 'real' })
    expect(await ledger()).toEqual([])
    await host.stop()
    const training = openStore(trainingFolderIn(dataFolder))
    expect(training.outputLedger.open()).toEqual([])
    training.close()
  })
})
