import { afterEach, describe, expect, it } from 'vitest'
import { createGatewayFinish } from '../../../../main/job/jobs/finish/gatewayFinish.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { stepOfWords } from '../../../world/window/english.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { event, openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const question = stepOfWords({
  id: 'mounted',
  kind: 'question',
  title: 'Mounted',
  instruction: 'Is the device screwed down?'
})

describe('Work that was left for the gateway', () => {
  async function signOffWithoutGateway() {
    job = openVirtualJob([
      standardStep('position'),
      standardStep('delivered'),
      standardStep('same-place'),
      standardStep('vehicle'),
      standardStep('sign-off')
    ])
    job.answers = { signOff: { value: 'T' } }
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))
    await job.connect()
    await job.run('vehicle')
    await job.pass(15_000)
    expect((await job.run('sign-off')).state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')
    job.gateway.isAway = null
  }

  async function finish() {
    const finishing = job.jobs.finishDeferred(new AbortController().signal)
    await job.pass(2_000)
    await finishing
  }

  it('is done from the evidence of the day when the gateway is back, also after a restart', async () => {
    await signOffWithoutGateway()
    job.restart()
    await finish()
    expect(job.jobs.show(job.id)).toMatchObject({ state: 'done', vehicle: { id: 7 } })
  })

  it('fails the job when the gateway says otherwise', async () => {
    await signOffWithoutGateway()
    job.gateway.entities = job.gateway.entities.map((vehicle) => ({ ...vehicle, imei: '356938035643809' }))
    await finish()
    expect(job.jobs.show(job.id).state).toBe('failed')
    expect(job.step('vehicle').state).toBe('fail')
  })

  it('does not hold the place of the day against an event of another time', async () => {
    await signOffWithoutGateway()
    const events = job.gateway.events
    job.gateway.events = () =>
      events().map((seen) => ({
        ...seen,
        eventAtMs: seen.eventAtMs - 86_400_000,
        ageS: seen.ageS + 86_400,
        latitude: 10
      }))
    await finish()
    expect(job.step('same-place').state).toBe('deferred')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')
  })

  it('is done as soon as the gateway is back while the job is still being worked on', async () => {
    job = openVirtualJob([
      standardStep('position'),
      standardStep('delivered'),
      standardStep('vehicle'),
      standardStep('sign-off')
    ])
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))
    await job.connect()
    await job.run('vehicle')
    await job.pass(15_000)
    expect(job.jobs.hasDeferred()).toBe(true)
    job.gateway.isAway = null
    await finish()
    expect([job.step('vehicle').state, job.step('delivered').state]).toEqual(['pass', 'pass'])
    expect(job.jobs.hasDeferred()).toBe(false)
    expect(job.jobs.show(job.id).state).toBe('running')
  })

  it('is noticed at the first job that waits for it: the thousands behind it are not read', () => {
    job = openVirtualJob([question])
    const read: string[] = []
    const log = {
      *inState() {
        for (const id of ['first', 'second']) {
          read.push(id)
          yield { id }
        }
      },
      runningWith: () => expect.fail('read')
    }
    expect(createGatewayFinish({ log, logs: {} } as never).hasAny()).toBe(true)
    expect(read).toEqual(['first'])
  })

  it('leaves no half step behind when the log fails in the middle', async () => {
    await signOffWithoutGateway()
    job.logFails = true
    const finishing = job.jobs.finishDeferred(new AbortController().signal).catch((error: unknown) => error)
    await job.pass(2_000)
    expect(await finishing).toMatchObject({ code: 'DATA_UNUSABLE' })
    job.logFails = false
    expect(job.step('vehicle').state).toBe('deferred')
    await finish()
    expect(job.jobs.show(job.id).state).toBe('done')
  })
})

describe('A signed job that waits for the gateway', () => {
  async function sign(...steps: string[]) {
    job = openVirtualJob([...steps.map((id) => standardStep(id)), standardStep('sign-off')])
    job.answers = { signOff: { value: 'T' }, choose: { choose: 'Trailer 12' } }
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))
    await job.connect()
    for (const id of steps) job.begin(id)
    await job.pass(8_000)
    await job.run('sign-off')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')
    job.gateway.isAway = null
  }
  async function finish(forMs = 2_000) {
    const finishing = job.jobs.finishDeferred(new AbortController().signal)
    await job.pass(forMs)
    await finishing
  }
  async function runAlone(stepId: string) {
    const run = job.jobs.runStep(job.id, stepId)
    await job.pass(1_000)
    await run
  }

  it.each<[string, (bench: VirtualJob) => void]>([
    [
      'names another device',
      (bench) => (bench.gateway.events = () => [event(bench.vehicle, { raw: { device_id: 356938035643809 } })])
    ],
    ['names no device', (bench) => (bench.gateway.events = () => [event(bench.vehicle, { raw: {} })])],
    ['took an hour to arrive', (bench) => (bench.gateway.events = () => [event(bench.vehicle, { delayS: 3_600 })])],
    [
      'lies in the future',
      (bench) =>
        (bench.gateway.events = () => [
          event(bench.vehicle, { eventAtMs: Date.now() + 3_600_000, ageS: -3_600, delayS: -3_600 })
        ])
    ]
  ])('does not take for delivered an event that %s', async (_what, make) => {
    await sign('delivered')
    make(job)
    await finish()
    expect(job.step('delivered').state).toBe('deferred')
  })

  it('warns of an event that was delivered slowly', async () => {
    await sign('delivered')
    job.gateway.events = () => [event(job.vehicle, { delayS: 200 })]
    await finish()
    expect(job.step('delivered').state).toBe('warn')
    expect(job.jobs.show(job.id).state).toBe('done')
  })

  it('fails when no event comes in the time of a live check, and can be run again without the device', async () => {
    await sign('delivered')
    const { events } = job.gateway
    job.gateway.events = () => []
    await job.pass(20_000)
    await finish()
    expect(job.step('delivered').state).toBe('fail')
    expect(job.jobs.show(job.id).state).toBe('failed')
    job.gateway.events = events
    await runAlone('delivered')
    expect(job.step('delivered').state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('done')
  })

  it.each(['delivered', 'same-place', 'vehicle'])(
    'fails when the gateway refuses to show %s, and may be waived',
    async (stepId) => {
      await sign(...(stepId === 'same-place' ? ['position', stepId] : [stepId]))
      job.gateway.isAway = new AppError('NOT_PERMITTED', plainMessage('Not permitted.'), { status: 403 })
      await finish()
      expect(job.step(stepId)).toMatchObject({ state: 'fail', summary: 'Not permitted.' })
      await job.jobs.waive(job.id, stepId, 'The office looked at it', 'T')
      expect(job.step(stepId)).toMatchObject({
        state: 'waived',
        lastResult: { state: 'fail', summary: 'Not permitted.' }
      })
      expect(job.jobs.show(job.id).state).toBe('done')
    }
  )

  it('may be waived while it waits, or cancelled, and takes nothing after that', async () => {
    await sign('vehicle', 'delivered')
    await job.jobs.waive(job.id, 'vehicle', 'The office looked at it', 'T')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')
    await job.jobs.cancel(job.id, 'taken out again')
    expect(job.jobs.show(job.id)).toMatchObject({
      state: 'cancelled',
      cancelled: { reason: { values: { text: 'taken out again' } } }
    })
    await finish()
    expect(job.step('delivered').state).toBe('deferred')
    await expect(job.jobs.runStep(job.id, 'delivered')).rejects.toThrow('closed')
  })

  it('says to the person who looks again that the gateway is still away', async () => {
    await sign('vehicle')
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))
    const run = job.jobs
      .beginStep({ id: job.id, stepId: 'vehicle' }, new AbortController().signal)
      .catch((error: unknown) => error)
    await job.pass(1_000)
    expect(await run).toMatchObject({ code: 'UNREACHABLE' })
  })

  it('takes nothing more into its log, so that its seal stays', async () => {
    await sign('vehicle')
    const { seal } = job.jobs.show(job.id)
    const photo = { phase: 'readBack', operation: 'photocam.photo', input: {}, what: 'A photo', raw: null } as const
    expect(() => job.jobs.recordWrite(job.id, photo)).toThrow('signed')
    await finish()
    expect(job.jobs.show(job.id).state).toBe('done')
    expect(() => job.jobs.recordWrite(job.id, photo)).toThrow('closed')
    expect(job.jobs.show(job.id).seal).not.toBe(seal)
  })

  it('takes the link that is still meant, not one that was given up', async () => {
    await sign('link')
    job.operations = {
      ...job.operations,
      ofJob: () => [
        { id: 'a', kind: 'entities.link', state: 'cancelled', reason: 'Dropped.' },
        { id: 'b', kind: 'entities.link', state: 'pending', reason: 'Waiting.' }
      ]
    }
    await finish()
    expect(job.step('link').state).toBe('deferred')
    job.operations = {
      ...job.operations,
      ofJob: () => [
        { id: 'a', kind: 'entities.link', state: 'cancelled', reason: 'Dropped.' },
        { id: 'b', kind: 'entities.link', state: 'done', reason: 'Linked.' }
      ]
    }
    await finish()
    expect(job.step('link')).toMatchObject({ state: 'pass', summary: 'Linked.' })
  })
})
