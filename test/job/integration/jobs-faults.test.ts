import { afterEach, describe, expect, it } from 'vitest'
import type { TemplateStep } from '../../../preload/contract/job/steps/index.ts'
import type { FaultName } from '../../../simulator/faults.ts'
import { openJobBench, until, type JobBench } from '../../world/device/jobBench.ts'
import { quickProfile, quickShipped, standardStep } from '../../world/device/quickProfile.ts'

let bench: JobBench
afterEach(() => bench.close())

async function open(steps: TemplateStep[], faults: FaultName[] = []): Promise<string> {
  const shipped = quickShipped(steps)
  shipped.profiles.set('quick', { ...quickProfile, position: { ...quickProfile.position, giveUpS: 1 } })
  bench = await openJobBench({ shipped, simulation: { faults } })
  const id = bench.create()
  await bench.jobs.start(id, AbortSignal.timeout(60_000))
  return id
}

const device = () => {
  const [first] = bench.sim.devices
  if (!first) throw new Error('No device')
  return first
}
const outputRequests = () =>
  device()
    .requests.filter((request) => request.operation === 'io.setOutput')
    .map((request) => request.path)

describe('An output of a real device over HTTP', () => {
  it('gets exactly one "on", and one "off", although the answer to "on" is lost', async () => {
    const id = await open([standardStep('output-1')])
    device().setFault('dropsReply', true, 'io.setOutput')
    bench.answerWith({ arm: { armed: true }, effect: { effect: true } })
    await bench.jobs.runStep(id, 'output-1')
    expect(bench.step(id, 'output-1').state).toBe('pass')
    expect(outputRequests()).toEqual(['/IO/OUT1/true', '/IO/OUT1/false'])
    expect(bench.sim.violations()).toEqual([])
  })

  it('gets nothing but "off" after a request for "on" that never got through', async () => {
    const id = await open([standardStep('output-1')])
    device().setFault('reset', true, 'io.setOutput')
    bench.answerWith({ arm: { armed: true } })
    await bench.jobs.runStep(id, 'output-1')
    expect(bench.step(id, 'output-1')).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining('The connection was lost while OUT1 was switched on') as string
    })
    const [on, ...offs] = outputRequests()
    expect(on).toBe('/IO/OUT1/true')
    expect(new Set(offs)).toEqual(new Set(['/IO/OUT1/false']))
    expect(device().vehicle.state().outputs.OUT1).toBe(false)
  })

  it('is switched off by the next session when the link was lost while it was on', { tags: ['long'] }, async () => {
    const id = await open([standardStep('output-1')])
    bench.answerWith({ arm: { armed: true } })
    const run = bench.jobs.runStep(id, 'output-1')
    await until('OUT1 is on', () => device().vehicle.state().outputs.OUT1)
    device().setFault('reset', true)
    await run
    expect(bench.step(id, 'output-1')).toMatchObject({
      state: 'fail',
      summary: 'We could not confirm that OUT1 is off'
    })
    expect(device().vehicle.state().outputs.OUT1).toBe(true)

    await bench.jobs.pause(id)
    const before = device().requests.length
    await bench.restart()
    device().setFault('reset', false)
    await bench.jobs.start(id, AbortSignal.timeout(60_000))
    expect(device().vehicle.state().outputs.OUT1).toBe(false)
    const first = device()
      .requests.slice(before)
      .find((request) => !['io.all', 'system.info'].includes(request.operation ?? ''))
    expect(first?.path).toBe('/IO/OUT1/false')
    expect(bench.sim.violations()).toEqual([])
  })
})

describe('A device that fails on the wire', { tags: ['long'] }, () => {
  it.each<[FaultName, string]>([
    ['wrongTypes', 'gps.position'],
    ['html', 'gps.position'],
    ['truncated', 'gps.position'],
    ['hang', 'gps.position'],
    ['reset', 'gps.position'],
    ['serverError', 'gps.position'],
    ['unauthorized', 'gps.position']
  ])('with %s on %s never lets the position pass, and says why', async (fault, operation) => {
    const id = await open([standardStep('identity'), standardStep('position')])
    device().setFault(fault, true, operation)
    await bench.jobs.runStep(id, 'position')
    const step = bench.step(id, 'position')
    // A position that alone is never answered is most often no fix yet.
    expect(step.state).toBe(fault === 'hang' ? 'fail' : 'unreadable')
    expect(step.remedy).not.toBe('')
    expect(step.summary.length).toBeGreaterThan(30)
  })

  it('ends a check in the middle when it stops answering, and keeps what was seen', async () => {
    const id = await open([standardStep('external-power')])
    await until('PWR was seen', () => bench.step(id, 'external-power').evidence.length > 0)
    device().setFault('stopsAnswering', true)
    await bench.jobs.idle(id)
    expect(bench.step(id, 'external-power')).toMatchObject({ state: 'unreadable', evidence: [{ what: 'PWR present' }] })
    expect(bench.faults).toEqual([])
  })

  it('is another one when an impostor answers at its address', async () => {
    const id = await open([standardStep('identity')], ['impostor'])
    bench.answerWith({ imei: { value: device().imei } })
    await bench.jobs.runStep(id, 'identity')
    expect(bench.step(id, 'identity')).toMatchObject({
      state: 'fail',
      summary: expect.stringMatching(/^the host name says/) as string
    })
  })
})

describe('A gateway that fails on the wire', { tags: ['long'] }, () => {
  it.each([
    ['is offline', 'deferred'],
    ['does not show the device', 'fail']
  ])('and %s: delivered ends as %s', async (how, state) => {
    bench = await openJobBench({ shipped: quickShipped([standardStep('identity'), standardStep('delivered')]) })
    if (how === 'is offline') bench.sim.gateway?.setOnline(false)
    else bench.sim.gateway?.setFault({ operation: 'rawdata.query', status: 404 })
    const id = bench.create()
    await bench.jobs.start(id, AbortSignal.timeout(60_000))
    await bench.jobs.runStep(id, 'delivered')
    expect(bench.step(id, 'delivered').state).toBe(state)
  })
})
