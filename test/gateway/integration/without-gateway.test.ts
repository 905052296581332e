import { afterEach, expect, test } from 'vitest'
import type { Answer, Job, Prompt } from '../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { createCore, sourceResourcesFolder } from '../../../main/app/core.ts'
import { startSimulation, type Simulation } from '../../../simulator/simulation.ts'
import { english } from '../../world/window/english.ts'
import { jpegPicture } from '../../world/data/pictures.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const words = (text: string) => ({ title: { en: text, es: text }, instruction: { en: text, es: text } })
const checklist = {
  id: 'with-trailer',
  version: 1,
  name: { en: 'With trailer', es: 'Con remolque' },
  kind: 'installation',
  description: { en: 'Vehicle and trailer', es: 'Vehículo y remolque' },
  steps: [
    { id: 'identity', kind: 'identity', ...words('Identity') },
    { id: 'vehicle', kind: 'vehicle', ...words('Vehicle') },
    { id: 'link', kind: 'link', ...words('Trailer') },
    { id: 'photo', kind: 'photo', ...words('Photo'), purpose: 'mounting' },
    { id: 'sign-off', kind: 'signOff', ...words('Sign-off') }
  ]
}
const signal = () => AbortSignal.timeout(60_000)
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function openYard() {
  const sim: Simulation = await startSimulation({ devices: 1, gateway: true, story: 'installation-fast', seed: 5 })
  ends.push(() => sim.stop())
  const { gateway } = sim
  const [device] = sim.devices
  if (!gateway || !device) throw new Error('no device or no gateway')
  const faults: unknown[] = []
  const core = createCore({
    dataFolder: tempFolder(),
    resourcesFolder: sourceResourcesFolder,
    gatewayUrl: gateway.url,
    inMemorySecrets: true,
    given: {
      device: { user: device.user, password: device.password },
      gateway: { user: gateway.user, password: gateway.password }
    },
    reportFault: (error) => faults.push(error)
  })
  ends.push(async () => {
    await core.stop()
    expect(faults).toEqual([])
  })
  expect(core.templates.importText(JSON.stringify(checklist))).toMatchObject({ outcome: 'kept' })
  const vehicle = gateway.state.vehicles.find((one) => String(one.device) === device.imei)
  const trailer = gateway.state.assets.find(({ name }) => name === 'Trailer 12')
  if (!vehicle || !trailer) throw new Error('no vehicle or no trailer')
  return { sim, gateway, device, core, vehicle, trailer }
}
type Yard = Awaited<ReturnType<typeof openYard>>

async function copied({ core }: Yard): Promise<void> {
  await core.copies.refresh()
  await core.copies.ended()
  expect(await core.copies.status()).toMatchObject({ problem: null, running: null })
}

/** A job from its making to the signature, as a person does it; the gateway may be there or not. */
async function runJob(
  { core, device }: Yard,
  { vehicle, trailer }: { vehicle: string; trailer: string }
): Promise<Job> {
  const id = core.jobs.create({
    templateId: 'with-trailer',
    device: { imei: device.imei, model: 'ft4', address: `${device.host}:${device.port}` },
    vehicleText: vehicle,
    customer: 'Customer One'
  })
  const answers: Partial<Record<Prompt['kind'], Answer>> = {
    imei: { value: device.imei },
    photo: { answer: true },
    signOff: { value: 'Technician One', choose: 'Customer One' }
  }
  let photo: Promise<unknown> | undefined
  const stop = core.events.onEvent((name, payload) => {
    if (name !== 'jobs.live') return
    const { stepId, prompt } = payload as { stepId: string; prompt: Prompt | null }
    const answer =
      prompt && (prompt.kind === 'choose' ? { choose: stepId === 'link' ? trailer : vehicle } : answers[prompt.kind])
    if (!answer) return
    if (prompt.kind === 'photo')
      photo ??= core.jobs.attach(id, stepId, { bytes: jpegPicture(), purpose: 'mounting', source: 'file' })
    void Promise.resolve(prompt.kind === 'photo' ? photo : undefined).then(() => {
      if (core.jobs.live(id).steps.some((live) => live.stepId === stepId && live.prompt?.kind === prompt.kind))
        core.jobs.answer(id, stepId, answer)
    })
  })
  await core.jobs.start(id, signal())
  for (const step of core.jobs.show(id).steps)
    if (core.jobs.show(id).steps.find((one) => one.id === step.id)?.state !== 'pass')
      await core.jobs.runStep(id, step.id)
  stop()
  return core.jobs.show(id)
}

const states = (job: Job) => Object.fromEntries(job.steps.map(({ id, state }) => [id, state]))
const summary = (job: Job, id: string) => english(job.steps.find((step) => step.id === id)?.summary ?? plainMessage(''))

test(
  'a job is prepared, run and signed with no gateway at all, and everything arrives once when it is back',
  { timeout: 270_000 },
  async () => {
    const yard = await openYard()
    const { core, gateway, vehicle, trailer, sim } = yard
    await copied(yard)
    gateway.setOnline(false)
    expect(
      (await core.vehicles.findEntities({ kind: 'asset', text: 'trailer 12' }, signal())).entities[0]
    ).toMatchObject({ id: trailer.id, copiedAt: expect.any(String) as string })

    const signed = await runJob(yard, { vehicle: vehicle.name, trailer: 'Trailer 12' })
    expect([signed.state, states(signed)]).toEqual([
      'installedAwaitingGateway',
      { identity: 'deferred', vehicle: 'deferred', link: 'deferred', photo: 'pass', 'sign-off': 'pass' }
    ])
    expect(summary(signed, 'vehicle')).toContain('from the local copy of')
    expect(signed.vehicle).toMatchObject({ id: vehicle.id, name: vehicle.name, copied: { imei: yard.device.imei } })
    const report = await core.report({ jobId: signed.id, format: 'json' })
    expect(report.content.length).toBeGreaterThan(500)
    expect(core.operations.list()).toMatchObject([{ kind: 'entities.link', state: 'draft', attempts: 0 }])
    await core.sync(signal())
    expect(gateway.state.links).toHaveLength(0)

    gateway.setOnline(true)
    await core.sync(signal(), 'settle')
    const done = core.jobs.show(signed.id)
    expect([done.state, states(done)]).toEqual([
      'done',
      { identity: 'pass', vehicle: 'pass', link: 'pass', photo: 'pass', 'sign-off': 'pass' }
    ])
    expect(gateway.state.links).toHaveLength(1)
    expect(core.operations.list()).toMatchObject([{ kind: 'entities.link', state: 'done', attempts: 1 }])
    expect(done.vehicle).toEqual({ id: vehicle.id, name: vehicle.name })
    expect(sim.violations()).toEqual([])
  }
)

test(
  'what the copy calls otherwise than the gateway does now is a question with both shown, and nothing is sent before it is answered',
  { timeout: 270_000 },
  async () => {
    const yard = await openYard()
    const { core, gateway, trailer, vehicle } = yard
    await copied(yard)
    gateway.setOnline(false)
    const signed = await runJob(yard, { vehicle: vehicle.name, trailer: 'Trailer 12' })
    const before = vehicle.name
    vehicle.name = 'Another truck'
    trailer.name = 'Trailer 99'
    gateway.setOnline(true)
    await core.sync(signal(), 'settle')
    const job = core.jobs.show(signed.id)
    expect(states(job)).toMatchObject({ vehicle: 'fail', link: 'deferred' })
    expect(summary(job, 'vehicle')).toMatch(new RegExp(`${before}.*Another truck`))

    const asked = async (of: RegExp, choose: { id: number; name: string }) => {
      const [work] = core.operations.list()
      expect(work).toMatchObject({ state: 'needsAttention', attempts: 0 })
      expect(english(work?.reason ?? plainMessage(''))).toMatch(of)
      expect(core.operations.show(work?.id ?? '').choices).toContainEqual(
        expect.objectContaining({ id: choose.id, name: choose.name })
      )
      expect(gateway.state.links).toHaveLength(0)
      core.operations.choose(work?.id ?? '', choose.id)
      await core.sync(signal(), 'settle')
    }
    await asked(new RegExp(`${before}.*Another truck`), vehicle)
    await asked(/Trailer 12.*now Trailer 99/, trailer)
    expect(gateway.state.links).toHaveLength(1)
    expect(core.operations.list()).toMatchObject([{ state: 'done', attempts: 1 }])
  }
)

test(
  'a vehicle that is not in the copy stays as it was typed: exactly one at the gateway goes on by itself',
  { timeout: 270_000 },
  async () => {
    const yard = await openYard()
    const { core, gateway, vehicle } = yard
    const name = vehicle.name
    vehicle.name = 'Somebody else'
    await copied(yard)
    vehicle.name = name
    gateway.setOnline(false)
    const signed = await runJob(yard, { vehicle: name, trailer: 'Trailer 12' })
    expect(states(signed)).toMatchObject({ vehicle: 'deferred', link: 'deferred' })
    expect(summary(signed, 'vehicle')).toContain('is saved as entered')
    expect(signed.vehicle).toBeNull()
    gateway.setOnline(true)
    await core.sync(signal(), 'settle')
    const done = core.jobs.show(signed.id)
    expect([done.state, done.vehicle?.id]).toEqual(['done', vehicle.id])
    expect(gateway.state.links).toHaveLength(1)
  }
)
