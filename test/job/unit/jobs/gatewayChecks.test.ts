import { afterEach, describe, expect, it } from 'vitest'
import { AppError, type ErrorCode } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { ended, openStep, runWhile } from '../../../world/device/stepBench.ts'
import { event, openVirtualJob, virtualImei, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

describe('Delivered', () => {
  it.each([
    ['quick and new', {}, 'pass'],
    ['old', { ageS: 900, eventAtMs: Date.now() - 900_000 }, 'fail'],
    ['of another device', { raw: { device_id: 356938035643809 } }, 'unreadable'],
    ['from the future', { eventAtMs: Date.parse('2026-11-21T09:00:00Z'), ageS: 0, delayS: -86_400 }, 'fail'],
    ['from the future without a delay', { eventAtMs: Date.parse('2026-11-21T09:00:00Z'), ageS: 0, delayS: 0 }, 'fail'],
    ['delivered slowly', { delayS: 200 }, 'warn'],
    ['not told how slowly it came', { delayS: null }, 'warn']
  ])('judges an event that is %s', async (_what, more, state) => {
    job = await openStep('delivered')
    job.gateway.events = () => [event(job.vehicle, more)]
    expect((await job.run('delivered')).state).toBe(state)
  })

  it('believes no clock of the gateway that is as old as its events', async () => {
    job = await openStep('delivered')
    const frozen = event(job.vehicle, { eventAtMs: Date.now() - 86_400_000 })
    job.gateway.events = () => [frozen]
    expect(await job.run('delivered')).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining('clocks') as string
    })
    job.gateway.events = () => [event(job.vehicle, {})]
    expect((await job.run('delivered')).state).toBe('pass')
  })

  it('fails when none comes, and when the gateway does not show the device', async () => {
    job = await openStep('delivered')
    job.gateway.events = () => []
    expect(await job.run('delivered')).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('Check the APN') as string
    })
    job.gateway.isAway = new AppError('NOT_FOUND', plainMessage('Not found or not permitted.'), { status: 404 })
    expect(await job.run('delivered')).toMatchObject({ state: 'fail', summary: 'Not found or not permitted.' })
  })

  it('waits for the end of a rate limit instead of leaving the step for later', async () => {
    job = await openStep('delivered')
    job.gateway.isAway = new AppError('RATE_LIMITED', plainMessage('Too many requests.'), { status: 429 })
    job.begin('delivered')
    await job.pass(10_000)
    expect(job.step('delivered').state).toBe('running')
    job.gateway.isAway = null
    expect((await ended(job, 'delivered')).state).toBe('pass')
  })
})

describe('The gateway out of reach', () => {
  it.each<[string, string, ErrorCode]>([
    ['delivered', 'deferred', 'UNREACHABLE'],
    ['delivered', 'deferred', 'NOT_AUTHENTICATED'],
    ['delivered', 'deferred', 'SERVER_ERROR'],
    ['same-place', 'deferred', 'TIMEOUT'],
    ['same-place', 'deferred', 'UNREADABLE'],
    ['vehicle', 'deferred', 'UNREACHABLE'],
    ['vehicle', 'deferred', 'NOT_AUTHENTICATED'],
    ['link', 'deferred', 'UNREACHABLE']
  ])('leaves %s for later (%s, %s)', async (stepId, state, code) => {
    job = await openStep(stepId)
    job.answers = { choose: { choose: 'Trailer 12' } }
    job.gateway.isAway = new AppError(code, plainMessage('The gateway does not answer.'))
    expect((await job.run(stepId)).state).toBe(state)
  })

  it('leaves ignition to the device alone, and says so', async () => {
    job = await openStep('ignition')
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('The gateway does not answer.'))
    const turn = (to: 'on' | 'off' | 'crank') => () => job.vehicle.turnKey(to)
    const step = await runWhile(job, 'ignition', turn('on'), turn('off'), turn('on'), turn('off'), turn('crank'))
    expect(step).toMatchObject({
      state: 'pass',
      witness: ['device'],
      summary: expect.stringContaining('could not be checked') as string
    })
  })
})

describe('Same place', () => {
  it.each([
    ['the same', 0, 'pass'],
    ['a street away', 0.001, 'warn'],
    ['in another town', 1, 'fail']
  ])('is %s', async (_what, degrees, state) => {
    job = await openStep('same-place')
    const { latitude } = job.vehicle.state().fix
    job.gateway.events = () => [event(job.vehicle, { latitude: latitude + degrees })]
    expect((await job.run('same-place')).state).toBe(state)
  })

  it('is not judged while the vehicle moves, on an old place, or by an invalid event', async () => {
    job = await openStep('same-place')
    job.spoil('gps.position', (raw) => ({ ...raw, coords: { ...(raw.coords as object), speed: 30 } }))
    expect(await job.run('same-place')).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining('not parked') as string
    })
    job.spoil('gps.position', (raw) => ({ ...raw, timestamp: 1_700_000_000 }))
    expect(await job.run('same-place')).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining('no fresh position') as string
    })
    job.spoil('gps.position', (raw) => raw)
    job.gateway.events = () => [event(job.vehicle, { isPositionValid: false })]
    expect((await job.run('same-place')).state).toBe('unreadable')
  })
})

describe('Vehicle', () => {
  const truck = { id: 7, name: 'Truck 1', plate: null, imei: virtualImei, kind: 'vehicle' as const, assetType: null }

  it('passes when it carries this device', async () => {
    job = await openStep('vehicle')
    expect((await job.run('vehicle')).state).toBe('pass')
    // The memory of known devices knows the vehicle from now on, whether the job is ever signed off or not.
    expect(job.worked).toEqual([null, 'Truck 1'])
    expect(job.jobs.show(job.id).vehicle).toEqual({ id: 7, name: 'Truck 1' })
  })

  it('has no device at the gateway in a new installation: it is kept, and ends by itself when the gateway shows it', async () => {
    job = await openStep('vehicle')
    job.gateway.entities = [{ ...truck, imei: null }]
    expect(await job.run('vehicle')).toMatchObject({
      state: 'deferred',
      summary: expect.stringContaining('has no device') as string
    })
    expect(job.jobs.show(job.id).vehicle).toEqual({ id: 7, name: 'Truck 1' })
    const finish = async () => {
      const finishing = job.jobs.finishDeferred(new AbortController().signal)
      await job.pass(2_000)
      await finishing
    }
    await finish()
    expect(job.step('vehicle').state).toBe('deferred')
    job.gateway.entities = [truck]
    await finish()
    expect(job.step('vehicle').state).toBe('pass')
  })

  it('is suggested where the gateway has this device already, and never taken without the person', async () => {
    job = openVirtualJob([standardStep('vehicle')], '')
    job.gateway.vehicle = truck
    await job.connect()
    job.begin('vehicle')
    await job.pass(1_000)
    expect(job.live('vehicle')?.prompt).toMatchObject({ kind: 'choose', suggested: { id: 7, name: 'Truck 1' } })
    expect(job.step('vehicle').state).toBe('running')
    job.jobs.answer(job.id, 'vehicle', { choose: '7' })
    expect((await ended(job, 'vehicle')).state).toBe('pass')
  })

  it('is not suggested when the record that came is of another device', async () => {
    job = openVirtualJob([standardStep('vehicle')], '')
    job.gateway.vehicle = { ...truck, imei: '356938035643809' }
    await job.connect()
    job.begin('vehicle')
    await job.pass(1_000)
    expect(job.live('vehicle')?.prompt).toMatchObject({ kind: 'choose', suggested: null })
  })

  it('fails when it carries another device, and can be chosen anew', async () => {
    job = await openStep('vehicle')
    job.gateway.entities = [{ ...truck, imei: '356938035643809' }]
    expect(await job.run('vehicle')).toMatchObject({
      state: 'fail',
      summary: expect.stringContaining('has another device') as string
    })
    await expect(job.jobs.waive(job.id, 'vehicle', 'it will be fine', 'T')).rejects.toThrow('jobs.otherDeviceNotWaived')
    job.begin('vehicle')
    await job.pass(1_000)
    expect(job.live('vehicle')?.prompt).toMatchObject({ kind: 'choose' })
  })

  it('asks again when several fit, or none', async () => {
    job = await openStep('vehicle')
    job.gateway.entities = [truck, { ...truck, id: 8, name: 'Truck 10' }]
    job.begin('vehicle')
    await job.pass(1_000)
    expect(job.live('vehicle')).toMatchObject({
      hint: expect.stringContaining('No single vehicle is called') as string,
      prompt: { kind: 'choose' }
    })
    job.gateway.entities = []
    job.jobs.answer(job.id, 'vehicle', { choose: 'Truck 2' })
    await job.pass(1_000)
    expect(job.live('vehicle')?.hint).toContain('shows you no vehicle “Truck 2”')
  })
})

describe('Link', () => {
  it('is not applicable when nothing is chosen', async () => {
    job = await openStep('link')
    job.answers = { choose: { choose: '' } }
    expect((await job.run('link')).state).toBe('notApplicable')
  })

  it('does not ask for a trailer that the person ruled out when the job was created', async () => {
    job = await openStep('link')
    job.jobs.chooseBefore(job.id, 'link', '')
    job.begin('link')
    await job.pass(1_000)
    expect(job.step('link').state).toBe('notApplicable')
  })

  it('fails when its gateway work needs attention', async () => {
    job = await openStep('link')
    job.operations = {
      ...job.operations,
      ofJob: () => [{ id: 'x', kind: 'entities.link', state: 'needsAttention', reason: 'Unclear.' }],
      settled: () => Promise.resolve({ state: 'needsAttention', reason: 'Unclear.', evidence: [] })
    }
    expect(await job.run('link')).toMatchObject({ state: 'fail', summary: 'Unclear.' })
  })
})
