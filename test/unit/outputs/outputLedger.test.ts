import { describe, expect, it, vi } from 'vitest'
import { createOutputs } from '../../../main/outputs/outputs.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import {
  benchImei,
  ledgerRow,
  memoryLedger,
  openOutputBench,
  pass,
  type OutputBench
} from '../../support/outputBench.ts'
import { shippedLimits } from '../../support/outputs.ts'

const imei = '356938035643809'
const name = { imei, output: 'e 1', vehicleId: 7 }
const atGateway = ledgerRow({ imei, output: 'e 1', path: 'gateway', vehicleId: 7, address: '' })
const shown = ({ outputs }: OutputBench) => outputs.ledger().map(({ id, output, state }) => `${id} ${output} ${state}`)

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
        isReachable: false
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
    const bench = openOutputBench([], {
      changed: (all) => told.push(all.map(({ output, state }) => `${output} ${state}`).join(', ') || 'none')
    })
    bench.outputs.gateway.begin(name)
    bench.outputs.gateway.note(name, 'on')
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(['e 1 on'])
    bench.outputs.gateway.note(name, 'mayBeOn')
    await vi.advanceTimersByTimeAsync(0)
    bench.outputs.gateway.end(name, 'proved')
    await vi.advanceTimersByTimeAsync(0)
    bench.outputs.gateway.begin(name)
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(['e 1 on', 'e 1 mayBeOn', 'none', 'e 1 goingOn'])
  })

  it('is told of an output that was proved off', async () => {
    const told: number[] = []
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })], { changed: (all) => told.push(all.length) })
    bench.isReached = true
    await vi.advanceTimersByTimeAsync(5_000)
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

  it('is another output than one of the same name at the gateway', () => {
    const bench = openOutputBench([ledgerRow({ path: 'gateway' })])
    bench.outputs.adopt(found)
    expect(shown(bench)).toEqual(['1 OUT1 mayBeOn', '2 OUT1 goingOff'])
  })
})

describe('An output at the gateway', () => {
  it('is written down once, and follows its command', () => {
    const bench = openOutputBench()
    const begin = vi.spyOn(bench.ledger, 'begin')
    expect(bench.outputs.gateway.has(name)).toBe(false)
    bench.outputs.gateway.begin(name)
    expect(begin.mock.calls).toEqual([
      [{ ...name, path: 'gateway', address: '', since: '2026-11-20T09:00:00.000Z', by: 'Technician One', jobId: null }]
    ])
    expect(bench.outputs.gateway.has(name)).toBe(true)
    bench.outputs.gateway.begin(name)
    expect(shown(bench)).toEqual(['1 e 1 goingOn'])
    for (const state of ['on', 'goingOff', 'mayBeOn'] as const) {
      bench.outputs.gateway.note(name, state)
      expect(shown(bench)).toEqual([`1 e 1 ${state}`])
    }
    expect(bench.ledger.rows).toMatchObject([{ isOnSettled: false }])
  })

  it('is told apart by its device, its name and how it was switched', () => {
    const bench = openOutputBench([
      ledgerRow({ id: 1, imei, output: 'e 1' }),
      ledgerRow({ id: 2, output: 'e 1', path: 'gateway' }),
      ledgerRow({ id: 3, imei, output: 'e 2', path: 'gateway' })
    ])
    expect(bench.outputs.gateway.has(name)).toBe(false)
    bench.outputs.gateway.begin(name)
    expect(shown(bench).at(-1)).toBe('4 e 1 goingOn')
  })

  it('that is sent off and was not known to be on comes into the ledger by its result only', () => {
    const bench = openOutputBench()
    bench.outputs.gateway.note(name, 'goingOff')
    expect(shown(bench)).toEqual([])
    bench.outputs.gateway.note(name, 'mayBeOn')
    expect(shown(bench)).toEqual(['1 e 1 mayBeOn'])
    expect(bench.outputs.gateway.lateOnLeftMs(name)).toBe(0)
  })

  it('knows how long an “on” can still take effect', async () => {
    const bench = openOutputBench([atGateway])
    const left = () => bench.outputs.gateway.lateOnLeftMs(name)
    expect(left()).toBe(60_000)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(left()).toBe(40_000)
    await vi.advanceTimersByTimeAsync(50_000)
    expect(left()).toBe(0)
    bench.outputs.gateway.begin(name)
    expect(left()).toBe(Infinity)
    bench.outputs.gateway.note(name, 'on')
    expect(left()).toBe(Infinity)
    bench.outputs.gateway.setLateOn(name, 5_000)
    expect(left()).toBe(5_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(left()).toBe(4_000)
    expect(bench.outputs.gateway.lateOnLeftMs({ ...name, output: 'e 2' })).toBe(0)
    bench.outputs.gateway.setLateOn({ ...name, output: 'e 2' }, 5_000)
    expect(shown(bench)).toHaveLength(1)
  })

  it('that ended leaves no time to the next one', () => {
    const bench = openOutputBench()
    const end = vi.spyOn(bench.ledger, 'end')
    bench.outputs.gateway.begin(name)
    bench.outputs.gateway.end(name, 'proved')
    bench.outputs.gateway.end(name, 'proved')
    expect(end.mock.calls).toEqual([[1, { how: 'proved', by: '', reason: '', at: '2026-11-20T09:00:00.000Z' }]])
    expect(bench.outputs.ledger()).toEqual([])
  })

  it('ends when a person saw it off', () => {
    const bench = openOutputBench([atGateway])
    const end = vi.spyOn(bench.ledger, 'end')
    expect(bench.outputs.confirmOff(1, 'fuse pulled')).toEqual([])
    expect(end.mock.calls).toEqual([
      [1, { how: 'person', by: 'Technician One', reason: 'fuse pulled', at: '2026-11-20T09:00:00.000Z' }]
    ])
  })

  it('can be reached while somebody serves the gateway', () => {
    const bench = openOutputBench([atGateway])
    bench.isReached = true
    expect(bench.outputs.ledger()).toMatchObject([{ isReachable: false }])
    bench.isReached = false
    bench.outputs.gateway.serve(() => Promise.resolve())
    expect(bench.outputs.ledger()).toMatchObject([{ isReachable: true }])
  })

  it('is switched off there by its row, and its command is not waited for longer than Fitter’s end', async () => {
    const bench = openOutputBench([atGateway, ledgerRow({ id: 2, imei, output: '', path: 'gateway' })])
    expect(await pass(bench.outputs.switchOff(1))).toHaveLength(2)
    const asked: unknown[] = []
    const signals: AbortSignal[] = []
    bench.outputs.gateway.serve((output, signal) => {
      asked.push(output)
      signals.push(signal)
      return new Promise((resolve) => setTimeout(resolve, asked.length === 1 ? 1_000 : 100_000))
    })
    const first = bench.outputs.switchOff(1)
    expect(vi.getTimerCount()).toBe(2)
    await vi.advanceTimersByTimeAsync(1_000)
    await first
    expect(vi.getTimerCount()).toBe(0)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    let isOver = false
    const second = bench.outputs.switchOff(2).then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(shippedLimits.quitWithinS * 1000 - 1)
    expect([isOver, signals[1]?.aborted]).toEqual([false, false])
    await vi.advanceTimersByTimeAsync(1)
    await second
    expect(signals[1]?.aborted).toBe(true)
    expect(asked).toEqual([
      { vehicleId: 7, otype: 'e', out: 1 },
      { vehicleId: 0, otype: '', out: 0 }
    ])
  })

  it('says why “off” could not be sent', async () => {
    const bench = openOutputBench([atGateway])
    bench.outputs.gateway.serve(() => Promise.reject(new AppError('UNREACHABLE', plainMessage('Gone.'))))
    await expect(bench.outputs.switchOff(1)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('The end of Fitter', () => {
  it('switches off at the gateway what this run switched on, and leaves what earlier ones did', async () => {
    const bench = openOutputBench([atGateway])
    const asked: unknown[] = []
    bench.outputs.gateway.serve((output) => {
      asked.push(output.out)
      if (output.out === 2) return Promise.reject(new AppError('UNREACHABLE', plainMessage('Gone.')))
      return output.out === 3 ? Promise.reject(new Error('broken')) : Promise.resolve()
    })
    for (const out of [2, 3, 4]) bench.outputs.gateway.begin({ ...name, output: `e ${out}` })
    expect(await pass(bench.outputs.allOff())).toHaveLength(4)
    expect(asked).toEqual([2, 3, 4])
    expect(bench.faults.map(String)).toEqual(['Error: broken'])
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

  it('asks no device for an output of the gateway', async () => {
    const bench = openOutputBench([atGateway])
    bench.outputs.gateway.serve(() => Promise.resolve())
    expect(await pass(bench.outputs.settle(imei, 1_000))).toEqual([])
    expect(await pass(bench.outputs.allOff())).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(5_000)
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
  expect(bench.story().some((line) => line.includes('log of job: readBack io.setOutput OUT1 false'))).toBe(true)
  expect(bench.device.seen).toContain('OUT1 off')
})

it('without clocks of its own it goes by those of the computer', () => {
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
  outputs.gateway.begin(name)
  outputs.gateway.setLateOn(name, 1_000)
  expect(begin.mock.calls[0]?.[0].since).toBe('2026-11-20T09:00:00.000Z')
  expect(outputs.gateway.lateOnLeftMs(name)).toBe(1_000)
  vi.useRealTimers()
})
