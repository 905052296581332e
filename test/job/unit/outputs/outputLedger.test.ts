import { describe, expect, it, vi } from 'vitest'
import { createOutputs } from '../../../../main/job/outputs/outputs.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { earlierRow, failureOf, isAway, openGateway } from '../../../world/gateway/gatewayOutputBench.ts'
import {
  benchImei,
  ledgerRow,
  memoryLedger,
  openOutputBench,
  pass,
  type OutputBench
} from '../../../world/device/outputBench.ts'
import { shippedLimits } from '../../../world/device/outputs.ts'

const imei = '356938035643809'
const shown = ({ outputs }: Pick<OutputBench, 'outputs'>) =>
  outputs.ledger().map(({ id, output, state }) => `${id} ${output} ${state}`)

describe('The list of outputs that may be on', () => {
  it('says of an earlier run what its ledger says', () => {
    const bench = openOutputBench([ledgerRow({ jobId: 'job', by: 'Technician Two' })])
    expect(bench.outputs.ledger()).toEqual([
      {
        id: 1,
        imei: benchImei,
        output: 'OUT1',
        path: 'local',
        vehicle: null,
        since: '2026-11-20T09:00:00.000Z',
        by: 'Technician Two',
        jobId: 'job',
        state: 'goingOff',
        trouble: null,
        isReachable: false,
        mayConfirmOff: false
      }
    ])
    bench.isReached = true
    expect(bench.outputs.ledger()).toMatchObject([{ isReachable: true }])
  })

  it('follows an output from on to off, and says why it may still be on', async () => {
    const bench = openOutputBench()
    const claim = bench.claim()
    bench.device.fails.on = 'late'
    const on = claim.switchOn()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(shown(bench)).toEqual(['1 OUT1 goingOn'])
    bench.device.fails = {}
    bench.device.relays.OUT1 = true
    await pass(on)
    expect(shown(bench)).toEqual(['1 OUT1 on'])
    bench.device.fails = { off: 'UNREACHABLE', read: 'UNREACHABLE' }
    await pass(claim.switchOff())
    expect(bench.outputs.ledger()).toMatchObject([
      { state: 'mayBeOn', trouble: plainMessage('Gone.'), isReachable: true }
    ])
    bench.device.fails = {}
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.outputs.ledger()).toEqual([])
  })

  it('says of each output of a device what is known of that one', async () => {
    const bench = openOutputBench([ledgerRow()])
    await bench.on('OUT2')
    expect(shown(bench)).toEqual(['1 OUT1 goingOff', '2 OUT2 on'])
  })

  it('says nothing of an earlier “off” about an output that is on again', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    await pass(claim.switchOff())
    claim.release()
    await bench.on()
    expect(shown(bench)).toEqual(['2 OUT1 on'])
  })

  it('writes who switched it, and when it was proved off', async () => {
    const bench = openOutputBench()
    const written = {
      begin: vi.spyOn(bench.ledger, 'begin'),
      settleOn: vi.spyOn(bench.ledger, 'settleOn'),
      end: vi.spyOn(bench.ledger, 'end')
    }
    const claim = await bench.on()
    expect(written.begin).toHaveBeenCalledWith(
      expect.objectContaining({ imei: benchImei, output: 'OUT1', path: 'local', by: 'Technician One', jobId: 'job' })
    )
    expect(written.settleOn.mock.calls).toEqual([[1]])
    await pass(claim.switchOff())
    expect(written.end).toHaveBeenCalledWith(1, {
      how: 'proved',
      by: '',
      reason: '',
      at: expect.stringMatching(/^2026-11-20T09:00:0\d/)
    })
  })

  it('is told once for changes of one moment, and again for later ones', async () => {
    const told: string[] = []
    const bench = openGateway({
      changed: (all) => told.push(all.map(({ output, state }) => `${output} ${state}`).join(', ') || 'none')
    })
    const set = (on: boolean) =>
      bench.outputs.gateway.set({ vehicleId: 7, otype: 'e', out: 2, on }, new AbortController().signal)
    bench.gateway.takesEffect = false
    await set(true)
    const began = told.length
    expect(told.at(-1)).toBe('e 2 goingOn')
    bench.carryOut(true)
    expect(told).toHaveLength(began)
    await bench.passes(3_000)
    expect(told.slice(began)).toEqual(['e 2 on'])
    bench.gateway.takesEffect = true
    await set(false)
    await bench.passes(4_000)
    // When it is wanted, when it is sent and when it is proved.
    expect(told.slice(began + 1)).toEqual(['e 2 goingOff', 'e 2 goingOff', 'none'])
  })

  it('is told when “off” is tried again, and when that could not be sent', async () => {
    const told: string[] = []
    const bench = openGateway({
      changed: (all) => told.push(all.map(({ state, trouble }) => `${state} ${trouble?.id ?? ''}`).join(', '))
    })
    bench.gateway.takesEffect = false
    await bench.set(true)
    await bench.passes(61_000)
    expect(told.splice(0).at(-1)).toBe('mayBeOn gatewayOutputs.expired')
    await bench.set(false)
    expect(told.splice(0)).toEqual(['goingOff '])
    await bench.passes(61_000)
    expect(told.splice(0)).toEqual(['mayBeOn gatewayOutputs.expired'])
    bench.gateway.answer = isAway
    expect(await failureOf(bench.outputs.switchOff(1))).toMatchObject({ code: 'UNREACHABLE' })
    expect(told).toEqual(['goingOff ', expect.stringMatching(/^mayBeOn /)])
  })

  it('is told of an output that was proved off', async () => {
    const told: number[] = []
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })], { changed: (all) => told.push(all.length) })
    bench.isReached = true
    await vi.advanceTimersByTimeAsync(5_000)
    expect(told.at(-1)).toBe(0)
  })

  it('is told of an output that a person confirmed off, also when that cannot be logged', async () => {
    const told: number[] = []
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })], { changed: (all) => told.push(all.length) })
    await vi.advanceTimersByTimeAsync(1)
    bench.unwritable.add('OUT1')
    await expect(bench.outputs.confirmOff(1, 'fuse pulled')).rejects.toMatchObject({ code: 'DATA_UNUSABLE' })
    expect(told.at(-1)).toBe(0)
  })

  it('has one controller for each device, with the limits of the profile and the delivered ones for what it lacks', () => {
    const bench = openOutputBench([], { chosen: () => ({ mostOnS: 7 }) })
    expect(bench.outputs.of(benchImei)).toBe(bench.controller)
    expect(bench.outputs.of(imei)).not.toBe(bench.controller)
    expect(bench.outputs.limits()).toEqual({ ...shippedLimits, mostOnS: 7 })
    expect(bench.outputs.limits({ mostOnS: 8 })).toEqual({ ...shippedLimits, mostOnS: 8 })
  })
})

describe('An entry of an earlier log', () => {
  const found = { imei: benchImei, output: 'OUT1' as const, address: 'ft4.local', by: 'Technician Two', jobId: 'job' }

  it('comes into the ledger, and its output is switched off when the device is seen', async () => {
    const bench = openOutputBench()
    const begin = vi.spyOn(bench.ledger, 'begin')
    bench.outputs.adopt(found)
    expect(begin.mock.calls).toEqual([
      [{ ...found, path: 'local', vehicleId: null, since: '2026-11-20T09:00:00.000Z' }]
    ])
    expect(bench.outputs.ledger()).toMatchObject([{ id: 1, jobId: 'job', state: 'goingOff' }])
    bench.device.relays.OUT1 = true
    bench.outputs.seen(benchImei, bench.device)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.device.relays.OUT1).toBe(false)
    expect(bench.outputs.ledger()).toEqual([])
    bench.outputs.seen('861234500000001')
  })

  it('is not added to an output that is in the ledger already', () => {
    const bench = openOutputBench([ledgerRow()])
    bench.outputs.adopt(found)
    expect(shown(bench)).toEqual(['1 OUT1 goingOff'])
    bench.outputs.adopt({ ...found, output: 'OUT2' })
    bench.outputs.adopt({ ...found, imei })
    expect(shown(bench)).toEqual(['1 OUT1 goingOff', '2 OUT2 goingOff', '3 OUT1 goingOff'])
  })

  it('may be confirmed off by a person once its “on” can no longer take effect', async () => {
    const bench = openOutputBench([ledgerRow()], { chosen: () => ({ lateOnS: 44 }) })
    expect(bench.outputs.ledger()).toMatchObject([{ mayConfirmOff: false }])
    await vi.advanceTimersByTimeAsync(43_900)
    expect(bench.outputs.ledger()).toMatchObject([{ mayConfirmOff: false }])
    await vi.advanceTimersByTimeAsync(100)
    expect(bench.outputs.ledger()).toMatchObject([{ mayConfirmOff: true }])
  })

  it('is another output than one of the same name at the gateway', () => {
    const bench = openOutputBench([ledgerRow({ path: 'gateway' })])
    bench.outputs.adopt(found)
    expect(shown(bench)).toEqual(['1 OUT1 mayBeOn', '2 OUT1 goingOff'])
  })
})

describe('An output at the gateway', () => {
  it('is written down once, and follows its command', async () => {
    const bench = openGateway()
    const begin = vi.spyOn(bench.ledger, 'begin')
    await bench.set(true)
    expect(begin.mock.calls).toEqual([
      [
        {
          imei,
          output: 'e 2',
          vehicleId: 7,
          path: 'gateway',
          address: '',
          since: '2026-11-20T09:00:00.400Z',
          by: 'Technician One',
          jobId: null
        }
      ]
    ])
    expect(shown(bench)).toEqual(['1 e 2 goingOn'])
    expect(bench.ledger.rows).toMatchObject([{ isOnSettled: false }])
    await bench.passes(3_000)
    expect(shown(bench)).toEqual(['1 e 2 on'])
    expect(bench.ledger.rows).toMatchObject([{ isOnSettled: true }])
    bench.gateway.takesEffect = false
    await bench.set(false)
    expect(shown(bench)).toEqual(['1 e 2 goingOff'])
    await bench.passes(61_000)
    expect(shown(bench)).toEqual(['1 e 2 mayBeOn'])
    expect(begin).toHaveBeenCalledTimes(1)
  })

  it('is told apart by its name and how it was switched', async () => {
    const bench = openGateway({
      earlier: [
        ledgerRow({ id: 1, imei, output: 'e 2' }),
        earlierRow({ id: 2, vehicleId: 8 }),
        earlierRow({ id: 3, output: 'e 3' })
      ]
    })
    await bench.set(true)
    expect(shown(bench)).toEqual(['1 e 2 goingOff', '2 e 2 mayBeOn', '3 e 3 mayBeOn', '4 e 2 goingOn'])
    expect(bench.outputs.of(imei).known()).toHaveLength(1)
  })

  it('of a vehicle that is not named has a number only', () => {
    const bench = openGateway({ earlier: [earlierRow(), earlierRow({ id: 2, vehicleId: null, output: '' })] })
    bench.outputs.gateway.nameVehicle(7, 'Unit 7')
    expect(bench.outputs.ledger().map(({ vehicle }) => vehicle)).toEqual([{ id: 7, name: 'Unit 7' }, null])
  })

  it('that ended leaves no time to the next one', async () => {
    const bench = openGateway()
    const end = vi.spyOn(bench.ledger, 'end')
    await bench.on()
    await bench.set(false)
    await bench.passes(1_000)
    expect(end.mock.calls).toEqual([
      [1, { how: 'proved', by: '', reason: '', at: expect.stringMatching(/^2026-11-20T09:00:03/) }]
    ])
    expect(bench.outputs.ledger()).toEqual([])
    await bench.on()
    await bench.set(false)
    await bench.passes(1_000)
    expect(bench.outputs.ledger()).toEqual([])
  })

  it('can be reached while somebody serves the gateway', () => {
    const bench = openGateway({ earlier: [earlierRow()], isUnserved: true, reach: () => ({}) as never })
    expect(bench.outputs.ledger()).toMatchObject([{ isReachable: false }])
    bench.serve()
    expect(bench.outputs.ledger()).toMatchObject([{ isReachable: true }])
  })

  it('says why “off” could not be sent', async () => {
    const bench = openGateway({ earlier: [earlierRow()] })
    bench.gateway.answer = isAway
    expect(await failureOf(bench.outputs.switchOff(1))).toMatchObject({ code: 'UNREACHABLE' })
    expect(await failureOf(bench.outputs.switchOff(2))).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('The end of Fitter', () => {
  it('switches off at the gateway what this run switched on, and leaves what earlier ones did', async () => {
    const bench = openGateway({ earlier: [earlierRow()] })
    for (const out of [3, 4, 5]) {
      await bench.set(true, { out })
      await bench.passes(3_000)
    }
    bench.gateway.sent = []
    const { answer } = bench.gateway
    const answers = [isAway, () => Promise.reject(new Error('broken')), answer]
    bench.gateway.answer = (on, signal) => (answers.shift() ?? answer)(on, signal)
    expect(await pass(bench.outputs.allOff())).toMatchObject([{ output: 'e 2' }, { output: 'e 3' }, { output: 'e 4' }])
    expect(bench.gateway.sent).toEqual(['e 3 off', 'e 4 off', 'e 5 off'])
    expect(new Set(bench.faults.map(String))).toEqual(new Set(['Error: broken']))
  })

  it('waits for “off” of what can be reached', async () => {
    const bench = openOutputBench(
      [ledgerRow({ isOnSettled: true }), ledgerRow({ id: 2, imei, output: 'OUT1', isOnSettled: true })],
      { reach: (asked) => (asked === benchImei ? bench.device : undefined) }
    )
    bench.device.relays.OUT1 = true
    const beforeMs = Date.now()
    expect(await pass(bench.outputs.allOff())).toMatchObject([{ id: 2, imei, isReachable: false }])
    expect(Date.now() - beforeMs).toBeLessThan(2_000)
    expect(bench.device.relays.OUT1).toBe(false)
  })

  it('leaves to the gateway what a way out from a device is not about', async () => {
    const bench = openGateway()
    await bench.on()
    await bench.outputs.leave({ path: 'local' })
    expect([bench.gateway.sent, shown(bench)]).toEqual([['e 2 on'], ['1 e 2 on']])
  })

  it('asks no device for an output of the gateway', async () => {
    const bench = openGateway({ earlier: [earlierRow()] })
    expect(await pass(bench.outputs.settle(imei, 1_000))).toEqual([])
    expect(await pass(bench.outputs.allOff())).toHaveLength(1)
    await bench.passes(5_000)
    expect(bench.outputs.of(imei).known()).toEqual([])
    expect(bench.faults).toEqual([])
  })

  it('stops what switches off in the background', async () => {
    const bench = openOutputBench([ledgerRow()])
    await vi.advanceTimersByTimeAsync(1_000)
    const stopped = bench.outputs.stop()
    await vi.advanceTimersByTimeAsync(1)
    await stopped
    bench.isReached = true
    bench.device.seen = []
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bench.device.seen).toEqual([])
  })
})

it('a person switches an output of an earlier run off by the way of the ledger', async () => {
  const bench = openOutputBench([ledgerRow({ isOnSettled: true, jobId: 'job' })])
  bench.isReached = true
  bench.device.relays.OUT1 = true
  bench.story()
  await pass(bench.outputs.switchOff(1))
  // What the person asked for is logged, and what its entry in the ledger asks for.
  const logged = bench.story().filter((line) => line.includes(' log of '))
  expect(logged.map((line) => line.replace(/^\d+ (.*) io\.setOutput OUT1 false.*/, '$1'))).toEqual([
    'log of job: intent',
    'log of job: intent',
    'log of job: answered',
    'log of job: answered',
    'log of job: readBack',
    'log of job: readBack'
  ])
  expect(bench.device.seen).toContain('OUT1 off')
})

it('without clocks of its own it goes by those of the computer', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T09:00:00Z') })
  const ledger = memoryLedger()
  const begin = vi.spyOn(ledger, 'begin')
  const outputs = createOutputs({
    ledger,
    shipped: shippedLimits,
    chosen: () => ({}),
    reach: () => undefined,
    technician: () => '',
    record: () => undefined,
    changed: () => undefined,
    reportFault: () => undefined
  })
  outputs.adopt({ imei, output: 'OUT1', address: '', by: '', jobId: 'job' })
  expect(begin.mock.calls[0]?.[0].since).toBe('2026-11-20T09:00:00.000Z')
  const beganMs = performance.now()
  const settled = outputs.of(imei).awaitOff('OUT1', 1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  await settled
  expect(performance.now() - beganMs).toBe(1_000)
  await outputs.stop()
  vi.useRealTimers()
})
