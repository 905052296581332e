import { expect, onTestFinished, test } from 'vitest'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { fileFolder } from '../../world/window/installation.ts'

test(
  'training leaves the real job, its sign-ins, the settings and the devices as they were',
  { timeout: 360_000 },
  async () => {
    // Not in this test: the keychain of whoever runs it.
    process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/fitter-test'
    const yard = await startSimulation({ devices: 2, gateway: true, story: 'parked', reportEveryMs: 1_000, seed: 17 })
    onTestFinished(() => yard.stop())
    const [device, typedOnly] = yard.devices
    const { gateway } = yard
    if (!device || !typedOnly || !gateway) throw new Error('no device or no gateway')
    const host = openWorkplace({
      frontEnd: 'browser',
      dataFolder: fileFolder(),
      resourcesFolder: sourceResourcesFolder,
      openPage: () => Promise.resolve()
    })
    onTestFinished(() => host.stop())
    async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
      const answer = await host.call(name, input)
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer)}`)
      return answer.value as CallOutput<Name>
    }

    await call('settings.change', {
      technician: 'Technician One',
      language: 'es',
      units: 'imperial',
      profile: 'short-holds',
      firstRun: 'done'
    })
    // A password that is not stored, and one in the memory of this run: no file has either.
    await call('gateway.signIn', { url: gateway.url, user: gateway.user, password: gateway.password, keep: false })
    await call('discovery.addAddress', { address: `${device.host}:${device.port}` })
    await call('discovery.addAddress', { address: `${typedOnly.host}:${typedOnly.port}` })
    const seenDevice = async () => (await call('discovery.watch', {})).devices.find(({ port }) => port === device.port)
    await expect.poll(seenDevice, { timeout: 45_000 }).toBeDefined()
    await call('device.signIn', {
      key: (await seenDevice())?.key ?? '',
      user: device.user,
      password: device.password,
      shared: false
    })
    const made = await call('jobs.create', {
      templateId: 'standard-installation',
      deviceKey: (await seenDevice())?.key ?? '',
      vehicleText: '',
      customer: 'Customer One',
      scannedImei: device.imei
    })
    if (made.outcome !== 'created') throw new Error('no job')
    await call('jobs.start', { id: made.id })
    await expect
      .poll(
        async () => (await call('jobs.show', { id: made.id })).steps.find(({ kind }) => kind === 'identity')?.state,
        { timeout: 45_000 }
      )
      .toMatch(/pass|warn/)

    const settings = await call('settings.get', {})
    const { user } = await call('gateway.status', {})
    expect(user).toBe(gateway.user)

    await call('app.enter', { workplace: 'training' })
    // The same person, who reads in the same way, but nothing else of the real work.
    const inside = await call('settings.get', {})
    expect(inside).toMatchObject({ technician: 'Technician One', language: 'es', units: 'imperial', gatewaySites: [] })
    expect((await call('jobs.list', { search: '', limit: 5 })).jobs).toEqual([])
    await call('settings.change', { technician: 'Trainee', theme: 'dark' })
    await call('training.startExercise', { id: 'w2' })
    await call('training.nameCause', { cause: null })
    await call('training.openYard', { imei: (await call('training.vehicles', {})).vehicles[0]?.imei ?? '', faults: 2 })
    const journal = (await call('jobs.list', { search: '', limit: 5 })).jobs
    expect(journal).toEqual([])

    await call('app.enter', { workplace: 'real' })
    expect(await call('settings.get', {})).toEqual(settings)
    expect(await call('gateway.status', {})).toMatchObject({ url: gateway.url, user: gateway.user })
    // The gateway accepts it still: nobody has to sign in again.
    expect((await call('internet.try', {})).steps.find(({ name }) => name === 'signIn')).toMatchObject({
      outcome: 'ok'
    })
    await expect.poll(async () => (await seenDevice())?.signedIn, { timeout: 45_000 }).toBe(true)
    await expect
      .poll(async () => (await call('discovery.watch', {})).devices.map(({ port }) => port), { timeout: 45_000 })
      .toEqual(expect.arrayContaining([device.port, typedOnly.port]))
    const job = await call('jobs.show', { id: made.id })
    expect(job).toMatchObject({ state: 'running', customer: 'Customer One' })
    expect(job.steps.find(({ kind }) => kind === 'identity')?.state).toMatch(/pass|warn/)
    expect(job.steps.filter(({ state }) => state === 'fail')).toEqual([])
    await call('jobs.start', { id: made.id })
    await expect
      .poll(async () => (await call('jobs.list', { search: '', limit: 1 })).jobs[0]?.isActive, { timeout: 45_000 })
      .toBe(true)
  }
)
