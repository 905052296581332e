import { describe, expect, test, vi } from 'vitest'
import { english } from '../../../world/window/english.ts'
import type { AppError } from '../../../../preload/contract/errors.ts'
import { commandsOf, ledgerRow, openOutputBench, pass, timesOf } from '../../../world/device/outputBench.ts'

const onMs = 20

function errorOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('What may be on', () => {
  test('is read before it gets "off" when an earlier run left it, and its job gets the log', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true, jobId: 'job 7' })])
    bench.isReached = true
    bench.device.relays.OUT1 = true
    await vi.advanceTimersByTimeAsync(1_000)
    expect(commandsOf(bench.story())).toEqual([
      '0 log of job 7: intent io.setOutput OUT1 false: OUT1 off',
      '0 ledger: 1 cannot come on late',
      '0 read (3000 ms, first)',
      '10 OUT1 off (3000 ms, first)',
      '15 log of job 7: answered io.setOutput OUT1 false: The device answered 200. {}',
      '15 read (3000 ms, first)',
      '25 ledger: 1 ended, proved',
      '25 log of job 7: readBack io.setOutput OUT1 false: OUT1 is off. {"OUT1":false}'
    ])
  })

  test('and reads off when it is found gets no "off"', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })])
    bench.isReached = true
    await vi.advanceTimersByTimeAsync(1_000)
    expect(commandsOf(bench.story())).toEqual([
      '0 log of nobody: intent io.setOutput OUT1 false: OUT1 off',
      '0 ledger: 1 cannot come on late',
      '0 read (3000 ms, first)',
      '10 read (3000 ms, first)',
      '20 ledger: 1 ended, proved',
      '20 log of nobody: readBack io.setOutput OUT1 false: OUT1 is off. {"OUT1":false}'
    ])
  })

  test('goes off by a device that only the one who asks can reach', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })])
    bench.device.relays.OUT1 = true
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'off' })
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('is known only from "on" to the proof, and is tried at once by whoever asks', async () => {
    const bench = openOutputBench()
    bench.claim().release()
    expect(bench.controller.known()).toEqual([])
    const claim = await bench.on()
    bench.device.fails = { off: 'UNREACHABLE', read: 'UNREACHABLE' }
    claim.release()
    await vi.advanceTimersByTimeAsync(20_000)
    bench.story()
    bench.device.fails = {}
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'off' })
    expect(timesOf(bench.story(), 'OUT1 off')[0]).toBe(20_000 + onMs)
    // The proof that takes it out of the ledger is not left to the next attempt, seconds later.
    expect(Date.now() - Date.parse('2026-11-20T09:00:00Z')).toBeLessThan(20_000 + onMs + 200)
  })

  test('is not believed of an output that nobody here switched on and nobody can read', async () => {
    const bench = openOutputBench()
    bench.device.fails.read = 'UNREACHABLE'
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({
      kind: 'unproved',
      error: { code: 'UNREACHABLE' },
      raw: null
    })
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('that somebody else keeps on is in the ledger of the one who asked', async () => {
    const bench = openOutputBench()
    bench.device.relays.OUT1 = true
    bench.device.fails.off = 'NOT_PERMITTED'
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({
      kind: 'unproved',
      raw: { OUT1: true }
    })
    expect(commandsOf(bench.story()).slice(-5)).toEqual([
      '15455 read (3000 ms, first)',
      '15465 ledger: OUT1 may be on, by Technician Two (no job)',
      '15465 log of caller: intent io.setOutput OUT1 false: OUT1 off',
      '15465 ledger: 1 cannot come on late',
      '15465 read (3000 ms, first)'
    ])
  })

  test('is over by the word of a person, once, with who it was', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })])
    bench.controller.personSawOff('OUT1', '', 'fuse')
    expect(bench.journal.at(-1)).toMatch(/^readBack: .*fuse/)
    expect(bench.story().find((line) => line.includes('readBack'))).toMatch(
      /OUT1 false: .* \{"by":"","reason":"fuse"\}$/
    )
    expect(errorOf(() => bench.controller.personSawOff('OUT1', 'Ana', 'again'))).toMatchObject({
      code: 'NOT_FOUND',
      sentence: { id: 'outputs.notAmong', values: { output: 'OUT1' } }
    })
    const named = openOutputBench([ledgerRow({ isOnSettled: true })])
    named.controller.personSawOff('OUT1', 'Ana', 'fuse')
    expect(named.journal.at(-1)).toContain('Ana')
    expect(bench.journal.at(-1)).not.toContain('Ana')
    expect(named.controller.known()).toEqual([])
    expect(() => named.claim()).not.toThrow()
  })

  test('names the output where it cannot be claimed', async () => {
    const bench = openOutputBench()
    bench.claim('OUT3')
    expect(errorOf(() => bench.claim('OUT3'))).toMatchObject({
      code: 'CONFLICT',
      sentence: { id: 'outputs.inUse', values: { output: 'OUT3' } }
    })
  })

  test('is left to whoever claims it next: an earlier claim releases nothing of theirs', async () => {
    const bench = openOutputBench()
    const first = bench.claim()
    first.release()
    const second = await bench.on()
    first.release()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(second.fallen()).toBeUndefined()
    expect(bench.device.relays.OUT1).toBe(true)
    bench.controller.allOff()
    expect(second.fallen()).toEqual({ kind: 'asked' })
    const free = bench.claim('OUT2')
    bench.controller.allOff()
    expect(free.fallen()).toEqual({ kind: 'asked' })
    expect(await pass(free.switchOn())).toEqual({ kind: 'fallen', fall: { kind: 'asked' }, raw: null })
  })
})

describe('The word of a person that an output is off', () => {
  const refusalOf = (bench: ReturnType<typeof openOutputBench>) =>
    errorOf(() => bench.controller.personSawOff('OUT1', 'Ana', 'fuse')) as AppError

  test('is refused while Fitter has it on, or is switching it on', async () => {
    const bench = openOutputBench()
    bench.device.fails.on = 'late'
    const claim = bench.claim()
    const on = claim.switchOn()
    await vi.advanceTimersByTimeAsync(100)
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'goingOn', mayConfirmOff: false }])
    expect(refusalOf(bench)).toMatchObject({ code: 'CONFLICT', retryable: false })
    expect(english(refusalOf(bench).sentence)).toBe('Fitter is switching OUT1 on or has it on. Switch it off first.')
    bench.device.relays.OUT1 = true
    expect(await pass(on)).toMatchObject({ kind: 'on' })
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'on', mayConfirmOff: false }])
    expect(refusalOf(bench)).toMatchObject({ sentence: { id: 'outputs.wordWhileOn', values: { output: 'OUT1' } } })
    expect(claim.fallen()).toBeUndefined()
    expect(bench.device.relays.OUT1).toBe(true)
  })

  test('is refused while the device reads it on', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })])
    bench.isReached = true
    bench.device.relays.OUT1 = true
    bench.device.isStuck = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(bench.outputs.ledger()).toMatchObject([{ mayConfirmOff: false }])
    expect(refusalOf(bench)).toMatchObject({ code: 'CONFLICT', retryable: false })
    expect(english(refusalOf(bench).sentence)).toBe(
      'The device reads OUT1 as on. Switch it off, or disconnect the device, before you confirm.'
    )
    // A device that says nothing any more contradicts nobody.
    bench.device.fails.read = 'UNREACHABLE'
    await vi.advanceTimersByTimeAsync(2_000)
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'mayBeOn', mayConfirmOff: true }])
    bench.controller.personSawOff('OUT1', 'Ana', 'fuse')
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('is refused while a late "on" is possible, and says for how long', async () => {
    const bench = openOutputBench([ledgerRow()])
    await vi.advanceTimersByTimeAsync(20_500)
    expect(refusalOf(bench)).toMatchObject({ code: 'CONFLICT', retryable: true })
    expect(english(refusalOf(bench).sentence)).toBe('A delayed “on” may still arrive for 25 s. Confirm after that.')
    await vi.advanceTimersByTimeAsync(24_490)
    expect(refusalOf(bench).sentence).toMatchObject({ id: 'outputs.wordTooEarly', values: { forS: 1 } })
    expect(bench.outputs.ledger()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(10)
    bench.controller.personSawOff('OUT1', 'Ana', 'fuse')
    expect(bench.ledger.ended).toEqual([{ id: 1, how: 'person' }])
  })

  test('is what "off" was ended by, for whoever waits for it', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.device.fails = { off: 'UNREACHABLE', read: 'UNREACHABLE' }
    const off = claim.switchOff()
    await vi.advanceTimersByTimeAsync(1_000)
    bench.controller.personSawOff('OUT1', 'Ana', 'fuse')
    expect(await pass(off)).toMatchObject({ kind: 'off', by: 'person' })
    bench.device.fails = {}
    claim.release()
    const again = await bench.on()
    expect(await pass(again.switchOff())).toMatchObject({ kind: 'off', by: 'device' })
  })
})

describe('One "off" is enough', () => {
  test('where it is on its way because a condition broke in the same moment', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.isShort = true
    while (!bench.device.seen.includes('OUT1 off')) await vi.advanceTimersByTimeAsync(1)
    expect(await pass(claim.switchOff())).toMatchObject({ kind: 'off' })
    expect(bench.device.seen.filter((what) => what === 'OUT1 off')).toHaveLength(1)
    expect(claim.fallen()).toEqual({ kind: 'short' })
  })

  test('but one is sent to what only reads off and may still come on', async () => {
    const bench = openOutputBench()
    bench.device.fails.on = 'TIMEOUT'
    const claim = bench.claim()
    expect(await pass(claim.switchOn())).toMatchObject({ kind: 'lost' })
    expect(await pass(claim.switchOff())).toMatchObject({ kind: 'watched' })
    expect(bench.device.seen).toContain('OUT1 off')
  })

  test('none is sent any more once a person saw it off', async () => {
    const silent = openOutputBench([ledgerRow({ isOnSettled: true })])
    silent.isReached = true
    silent.device.fails.read = 'UNREACHABLE'
    await vi.advanceTimersByTimeAsync(1_000)
    silent.controller.personSawOff('OUT1', 'Ana', 'fuse')
    silent.story()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(silent.story()).toEqual(['1000 shown: nothing'])
  })

  test('a claim that was released switches nothing on', async () => {
    const bench = openOutputBench()
    const claim = bench.claim()
    claim.release()
    expect(await pass(claim.switchOn())).toEqual({ kind: 'fallen', fall: { kind: 'asked' }, raw: null })
    expect(bench.device.seen).toEqual(['who'])
  })
})

describe('How long is waited', () => {
  test('at the end of Fitter not for the next attempt', async () => {
    const bench = openOutputBench([ledgerRow()])
    await vi.advanceTimersByTimeAsync(20_000)
    const beganMs = Date.now()
    await pass(bench.controller.stop())
    expect(Date.now() - beganMs).toBeLessThanOrEqual(5)
  })

  test.each<[number, number]>([
    [50, 50],
    [250, 250],
    [0, 0]
  ])('%d ms for a proof that does not come', async (withinMs, tookMs) => {
    const bench = openOutputBench([ledgerRow()])
    const beganMs = Date.now()
    expect(await pass(bench.controller.awaitOff('OUT1', withinMs))).toEqual({
      kind: 'unproved',
      error: undefined,
      raw: null
    })
    expect(Date.now() - beganMs).toBeLessThanOrEqual(tookMs + 5)
    expect(Date.now() - beganMs).toBeGreaterThanOrEqual(tookMs)
  })

  test('5 s of readings of "off" are enough to say that it is watched, and for how long', async () => {
    const bench = openOutputBench([ledgerRow()])
    bench.isReached = true
    const beganMs = Date.now()
    const watched = await pass(bench.controller.awaitOff('OUT1', 30_000))
    expect(watched).toMatchObject({ kind: 'watched', forMs: expect.any(Number) as number, raw: { OUT1: false } })
    const tookMs = Date.now() - beganMs
    expect(tookMs).toBeGreaterThanOrEqual(5_010)
    expect(tookMs).toBeLessThan(5_130)
    expect((watched as { forMs: number }).forMs).toBeGreaterThan(45_000 - tookMs - 10)
    expect((watched as { forMs: number }).forMs).toBeLessThanOrEqual(45_000 - tookMs + 10)
  })

  test('what reads off for a shorter time is watched at the end of the wait', async () => {
    const bench = openOutputBench([ledgerRow()])
    bench.isReached = true
    const beganMs = Date.now()
    expect(await pass(bench.controller.awaitOff('OUT1', 1_000))).toMatchObject({ kind: 'watched' })
    expect(Date.now() - beganMs).toBeLessThan(1_010)
  })
})
