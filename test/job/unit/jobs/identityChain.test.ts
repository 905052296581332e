import { afterEach, describe, expect, it } from 'vitest'
import { createJobHandlers, type JobHandlerParts } from '../../../../main/job/jobs/handlers.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

describe('What the next job may take over', () => {
  const remembered = () =>
    createJobHandlers({ jobs: job.jobs } as JobHandlerParts)['jobs.remembered']({}, new AbortController().signal)

  it('is that there was no trailer or driver, where the latest job had none', async () => {
    job = openVirtualJob([standardStep('link'), standardStep('sign-off')])
    await job.connect()
    expect(await remembered()).not.toHaveProperty('withoutTrailer')
    job.answers = { choose: { choose: '' } }
    expect(await job.run('link')).toMatchObject({ state: 'notApplicable' })
    expect(await remembered()).toMatchObject({ withoutTrailer: job.jobs.show(job.id).template.id })
  })
})

describe('The identity of a device', () => {
  const impostor = '356938035643809'

  async function identify(make: (bench: VirtualJob) => void, label = virtualImei) {
    job = openVirtualJob([standardStep('identity'), standardStep('position'), standardStep('sign-off')])
    job.answers = { imei: { value: label }, signOff: { value: 'T' } }
    make(job)
    await job.connect()
    return job.run('identity')
  }

  it('passes when label, host name, modem, gateway and SIM agree, and then lets the checks begin that watch', async () => {
    expect(await identify(() => undefined)).toMatchObject({ state: 'pass', witness: ['device', 'gateway', 'person'] })
    await job.pass(500)
    expect(job.step('position').state).toBe('pass')
  })

  it.each<[string, (bench: VirtualJob) => void, string]>([
    ['the label', () => undefined, impostor],
    [
      'the host name',
      (bench) => bench.spoil('system.info', (raw) => ({ ...raw, hostname: `ft4-${impostor}` })),
      virtualImei
    ],
    ['the modem', (bench) => bench.spoil('modem.information', (raw) => ({ ...raw, IMEI: impostor })), virtualImei]
  ])('fails, begins nothing and blocks the sign-off when %s says otherwise', async (who, make, label) => {
    expect(await identify(make, label)).toMatchObject({
      state: 'fail',
      summary: expect.stringMatching(new RegExp(`^${who} says`)) as string
    })
    await job.pass(500)
    expect(job.step('position').state).toBe('waiting')
    expect(await job.run('sign-off')).toMatchObject({ state: 'fail' })
    expect(job.jobs.show(job.id).state).toBe('failed')
  })

  it('asks again for a label whose check digit does not fit', async () => {
    job = openVirtualJob([standardStep('identity')])
    await job.connect()
    job.begin('identity')
    await job.pass(100)
    job.jobs.answer(job.id, 'identity', { value: '490154203237519' })
    await job.pass(100)
    expect(job.live('identity')).toMatchObject({
      hint: expect.stringContaining('not a valid IMEI') as string,
      prompt: { kind: 'imei' }
    })
  })

  it.each<[string, (bench: VirtualJob) => void, string]>([
    [
      'another SIM that is known',
      (bench) => (bench.gateway.device = { imei: virtualImei, simIds: ['8900110000000000025'], raw: null }),
      'the SIM differs but is known'
    ],
    [
      'another SIM',
      (bench) =>
        Object.assign(bench.gateway, {
          device: { imei: virtualImei, simIds: ['8900110000000000025'], raw: null },
          sims: []
        }),
      'another SIM'
    ],
    ['no such device', (bench) => (bench.gateway.device = null), 'does not show this device']
  ])('warns when the gateway has %s', async (_what, make, summary) => {
    expect(await identify(make)).toMatchObject({ state: 'warn', summary: expect.stringContaining(summary) as string })
  })

  it('is finished later when the gateway is out of reach, and holds nothing up', async () => {
    expect(
      await identify((bench) => (bench.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))))
    ).toMatchObject({ state: 'deferred', witness: ['device', 'person'] })
    await job.pass(500)
    expect(job.step('position').state).toBe('pass')
    expect((await job.run('sign-off')).state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')

    job.gateway.isAway = null
    const finishing = [
      job.jobs.finishDeferred(new AbortController().signal),
      job.jobs.finishDeferred(new AbortController().signal)
    ]
    await job.pass(1_000)
    await Promise.all(finishing)
    expect(job.step('identity')).toMatchObject({
      state: 'pass',
      attempts: 2,
      summary: 'label = host name = modem = gateway, same SIM'
    })
    expect(job.jobs.show(job.id).state).toBe('done')
  })
})

describe('The chain of identity', () => {
  it.each([
    ['of another device', '356938035643809', 'fail', 'the gateway says 356938035643809'],
    ['that names no device', null, 'unreadable', 'does not say which device']
  ])('is broken by a record of the gateway %s, and the job cannot be signed', async (_what, imei, state, summary) => {
    job = openVirtualJob([standardStep('identity'), standardStep('sign-off')])
    job.answers = { imei: { value: virtualImei }, signOff: { value: 'T' } }
    job.gateway.device = { imei, simIds: [], raw: null }
    await job.connect()
    expect(await job.run('identity')).toMatchObject({ state, summary: expect.stringContaining(summary) as string })
    expect((await job.run('sign-off')).state).toBe('fail')
  })

  it('is never mended by a waiver, also not after the step was begun again and stopped', async () => {
    job = openVirtualJob([standardStep('identity'), standardStep('sign-off')])
    job.answers = { imei: { value: '356938035643809' } }
    await job.connect()
    await job.run('identity')
    await expect(job.jobs.waive(job.id, 'identity', 'it will be fine', 'T')).rejects.toThrow(
      'jobs.otherDeviceNotWaived'
    )
    job.answers = {}
    job.begin('identity')
    await job.pass(100)
    await job.jobs.stopStep(job.id, 'identity')
    expect(job.step('identity').state).toBe('waiting')
    await expect(job.jobs.waive(job.id, 'identity', 'it will be fine', 'T')).rejects.toThrow(
      'jobs.otherDeviceNotWaived'
    )
  })

  it('begins with the label that was scanned when the job was made, and asks again when that one is of another device', async () => {
    job = openVirtualJob([standardStep('identity')])
    const device = { imei: virtualImei, model: 'ft4', address: 'ft4.local:8080' }
    const make = (scannedImei: string) =>
      job.jobs.create({ templateId: 'some-steps', device, vehicleText: '', customer: '', scannedImei })
    const run = async (id: string) => {
      const started = job.jobs.start(id, new AbortController().signal).then(() => job.jobs.runStep(id, 'identity'))
      await job.pass(3_000)
      await started
      const [step] = job.jobs.show(id).steps
      await job.jobs.pause(id)
      return step
    }
    expect(await run(make(virtualImei))).toMatchObject({ state: 'pass' })
    const wrong = make('356938035643809')
    expect(await run(wrong)).toMatchObject({ state: 'fail' })
    const again = job.jobs
      .start(wrong, new AbortController().signal)
      .then(() => job.jobs.runStep(wrong, 'identity'))
      .catch(() => undefined)
    await job.pass(1_000)
    expect(job.jobs.live(wrong).steps[0]?.prompt).toMatchObject({ kind: 'imei' })
    await job.jobs.pause(wrong)
    await again
  })
})
