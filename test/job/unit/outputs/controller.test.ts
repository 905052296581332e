import { describe, expect, test, vi } from 'vitest'
import { message } from '../../../../preload/contract/messages.ts'
import { openOutputBench, pass } from '../../../world/device/outputBench.ts'

const moved = message('outputs.broken.moved')

describe('"Off" is sent and read back', () => {
  test('when Fitter believes it is off', async () => {
    const { controller, device, way, journal } = openOutputBench()
    expect(await pass(controller.switchOff('OUT1', way()))).toMatchObject({ kind: 'off' })
    expect(device.seen).toEqual(['OUT1 off', 'read', 'who'])
    expect(journal).toEqual(['intent: OUT1 off', 'answered: The device answered 200.', 'readBack: OUT1 is off.'])
  })

  test('while somebody else has claimed it, who then switches nothing on any more', async () => {
    const bench = openOutputBench()
    const claim = bench.claim()
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'off' })
    expect(bench.device.seen).toEqual(['OUT1 off', 'read', 'who'])
    expect(claim.fallen()).toEqual({ kind: 'asked' })
    expect(await pass(claim.switchOn())).toMatchObject({ kind: 'fallen' })
    expect(bench.device.seen).not.toContain('OUT1 on')
  })

  test('of an output that somebody else switched on while it is claimed', async () => {
    const bench = openOutputBench()
    bench.claim()
    bench.device.relays.OUT1 = true
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'off' })
    expect(bench.device.relays.OUT1).toBe(false)
  })

  test('by a claim that ends before "on"', async () => {
    const bench = openOutputBench()
    expect(await pass(bench.claim().switchOff())).toMatchObject({ kind: 'off' })
    expect(bench.device.seen).toEqual(['OUT1 off', 'read', 'who'])
    expect(bench.journal.at(-1)).toBe('readBack: OUT1 is off.')
  })

  test('and is not called off when the device does not answer, also while it is claimed', async () => {
    const bench = openOutputBench()
    bench.claim()
    bench.device.fails.read = 'UNREACHABLE'
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({
      kind: 'unproved',
      error: { code: 'UNREACHABLE' }
    })
    expect(bench.device.seen.filter((one) => one === 'OUT1 off').length).toBeGreaterThan(3)
  })

  test('after the device refused "on"', async () => {
    const bench = openOutputBench()
    bench.device.fails.on = 'NOT_PERMITTED'
    const claim = bench.claim()
    expect(await pass(claim.switchOn())).toMatchObject({ kind: 'refused' })
    expect(await pass(claim.switchOff())).toMatchObject({ kind: 'off' })
    expect(bench.device.seen.filter((one) => one.startsWith('OUT1'))).toEqual(['OUT1 on', 'OUT1 off'])
  })

  test('while it is only watched, because an "on" whose answer was lost may still take effect', async () => {
    const bench = openOutputBench()
    bench.device.fails.on = 'TIMEOUT'
    const claim = bench.claim()
    expect(await pass(claim.switchOn())).toMatchObject({ kind: 'lost' })
    expect(await pass(claim.switchOff())).toMatchObject({ kind: 'watched' })
    claim.release()
    bench.device.seen.length = 0
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'watched' })
    expect(bench.device.seen[0]).toBe('OUT1 off')
  })

  test('at once, beside an attempt that hangs', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.device.fails = { off: 'hangs', read: 'hangs' }
    claim.release()
    await vi.advanceTimersByTimeAsync(100)
    bench.device.seen.length = 0
    const off = bench.controller.switchOff('OUT1', bench.way())
    await vi.advanceTimersByTimeAsync(0)
    expect(bench.device.seen).toEqual(['OUT1 off'])
    bench.device.fails = {}
    expect(await pass(off)).toMatchObject({ kind: 'off' })
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('once for an output that is on by us', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'off' })
    expect(await pass(claim.switchOff())).toMatchObject({ kind: 'off' })
    expect(bench.device.seen.filter((one) => one.startsWith('OUT1'))).toEqual(['OUT1 on', 'OUT1 off'])
    expect(bench.ledger.ended).toEqual([{ id: 1, how: 'proved' }])
  })

  test('although the log cannot be written, and that is said', async () => {
    const bench = openOutputBench()
    bench.device.relays.OUT1 = true
    bench.unwritable.add('OUT1')
    await expect(pass(bench.controller.switchOff('OUT1', bench.way()))).rejects.toMatchObject({ code: 'DATA_UNUSABLE' })
    expect(bench.device.relays.OUT1).toBe(false)
  })

  test('at the place where the device is now, when nobody answers at the one before', async () => {
    const bench = openOutputBench()
    bench.isReached = true
    const gone = { ...bench.way(), device: undefined }
    expect(await pass(bench.controller.switchOff('OUT1', gone))).toMatchObject({ kind: 'off' })
  })

  test('and goes into the ledger when it stays on by somebody else', async () => {
    const bench = openOutputBench()
    bench.device.relays.OUT1 = true
    bench.device.fails.off = 'NOT_PERMITTED'
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'unproved' })
    expect(bench.outputs.ledger()).toMatchObject([{ output: 'OUT1', by: 'Technician Two' }])
    bench.device.fails = {}
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.device.relays.OUT1).toBe(false)
    expect(bench.outputs.ledger()).toEqual([])
  })
})

describe('"On"', () => {
  test('is in the ledger before it leaves, and out of it when it is proved off', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    expect(bench.outputs.ledger()).toMatchObject([{ output: 'OUT1', state: 'on', jobId: 'job' }])
    expect(bench.device.relays.OUT1).toBe(true)
    expect(await pass(claim.switchOff())).toMatchObject({ kind: 'off' })
    expect(bench.outputs.ledger()).toEqual([])
    expect(claim.fallen()).toEqual({ kind: 'asked' })
  })

  test('is not sent when the ledger cannot be written', async () => {
    const bench = openOutputBench()
    bench.ledger.isFull = true
    await expect(pass(bench.claim().switchOn())).rejects.toMatchObject({ code: 'DATA_UNUSABLE' })
    expect(bench.device.seen).not.toContain('OUT1 on')
  })

  test('is not sent when the log cannot be written', async () => {
    const bench = openOutputBench()
    bench.unwritable.add('OUT1')
    await expect(pass(bench.claim().switchOn())).rejects.toMatchObject({ code: 'DATA_UNUSABLE' })
    expect(bench.device.seen).not.toContain('OUT1 on')
  })

  test('is not sent while a condition is missing, to another device, or when it was stopped', async () => {
    const bench = openOutputBench()
    bench.missing = [moved]
    expect(await pass(bench.claim().switchOn())).toEqual({ kind: 'held', missing: [moved] })
    bench.missing = []
    bench.device.isOther = true
    expect(await pass(bench.claim('OUT2').switchOn())).toMatchObject({
      kind: 'notProved',
      error: { code: 'WRONG_DEVICE' }
    })
    bench.device.isOther = false
    bench.stop.abort()
    await expect(pass(bench.claim('OUT3').switchOn())).rejects.toThrow()
    expect(bench.device.seen.filter((one) => one.endsWith(' on'))).toEqual([])
    expect(bench.ledger.rows).toEqual([])
  })

  test('that the device answers and does not show is watched, and switched off', async () => {
    const bench = openOutputBench()
    bench.device.isDeaf = true
    const claim = bench.claim()
    expect(await pass(claim.switchOn())).toMatchObject({ kind: 'notSeen' })
    expect(bench.outputs.ledger()).toHaveLength(1)
    bench.device.isDeaf = false
    bench.device.relays.OUT1 = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(bench.device.relays.OUT1).toBe(false)
  })

  test('is refused while another one has the output, and while it may still be on', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    expect(() => bench.claim()).toThrow('outputs.inUse')
    bench.device.fails.read = 'UNREACHABLE'
    claim.release()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(() => bench.claim()).toThrow('outputs.notProvedOff')
    bench.device.fails = {}
    await vi.advanceTimersByTimeAsync(5_000)
    expect(() => bench.claim()).not.toThrow()
  })
})

describe('While it is on', () => {
  test.each<[string, (bench: ReturnType<typeof openOutputBench>) => void, unknown]>([
    ['a short circuit', (bench) => (bench.isShort = true), { kind: 'short' }],
    ['a short-circuit sign that cannot be read', (bench) => (bench.isShort = undefined), { kind: 'shortUnreadable' }],
    ['a broken condition', (bench) => (bench.broken = [moved]), { kind: 'conditions', what: [moved] }],
    ['the end of the work', (bench) => bench.stop.abort(), { kind: 'asked' }]
  ])('%s switches it off', async (_what, make, fall) => {
    const bench = openOutputBench()
    const claim = await bench.on()
    make(bench)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(bench.device.relays.OUT1).toBe(false)
    expect(claim.fallen()).toEqual(fall)
  })

  test('its own end switches it off', async () => {
    const bench = openOutputBench()
    const claim = bench.claim('OUT1', { over: () => ({ kind: 'time' }) })
    await pass(claim.switchOn())
    await vi.advanceTimersByTimeAsync(1_000)
    expect(bench.device.relays.OUT1).toBe(false)
    expect(claim.fallen()).toEqual({ kind: 'time' })
  })

  test('another device at its address is found, and its word proves nothing', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.device.isOther = true
    await vi.advanceTimersByTimeAsync(10_000)
    expect(claim.fallen()).toMatchObject({ kind: 'otherDevice' })
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'mayBeOn' }])
    expect(bench.device.relays.OUT1).toBe(true)
    bench.device.isOther = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.device.relays.OUT1).toBe(false)
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('nothing is switched as long as nothing is wrong', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(claim.fallen()).toBeUndefined()
    expect(bench.device.relays.OUT1).toBe(true)
    await pass(claim.switchOff())
  })
})
