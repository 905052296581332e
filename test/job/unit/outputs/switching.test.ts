import { describe, expect, test, vi } from 'vitest'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { benchImei, commandsOf, ledgerRow, openOutputBench, pass, timesOf } from '../../../world/device/outputBench.ts'

describe('What leaves, what is written down and when', () => {
  test('from "on" to the proof of "off"', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    await vi.advanceTimersByTimeAsync(4_400)
    expect(bench.story()).toEqual([
      '0 who (3000 ms, stoppable)',
      '0 shown: nothing',
      '5 ledger: OUT1 may be on, by Technician One (job)',
      '5 log of claim: intent io.setOutput OUT1 true: OUT1 on',
      '5 OUT1 on (5000 ms)',
      '5 shown: OUT1 goingOn',
      '10 log of claim: answered io.setOutput OUT1 true: The device answered 200. {}',
      '10 read (3000 ms, first)',
      '10 shown: OUT1 goingOn',
      '15 who (3000 ms, first)',
      '20 ledger: 1 cannot come on late',
      '20 shown: OUT1 on',
      '2005 who (3000 ms, first)',
      '4005 who (3000 ms, first)'
    ])
    expect(bench.conditionsRead).toBe(18)
    const { raw } = (await pass(claim.switchOff())) as { raw: unknown }
    expect(raw).toMatchObject({ OUT1: false, SO1: false })
    expect(bench.story()).toEqual([
      '4420 log of claim: intent io.setOutput OUT1 false: OUT1 off',
      '4420 OUT1 off (3000 ms, first)',
      '4420 shown: OUT1 goingOff',
      '4425 log of claim: answered io.setOutput OUT1 false: The device answered 200. {}',
      '4425 read (3000 ms, first)',
      '4430 who (3000 ms, first)',
      '4435 shown: OUT1 watched',
      '4435 ledger: 1 ended, proved',
      '4435 log of claim: readBack io.setOutput OUT1 false: OUT1 is off. {"OUT1":false}',
      '4435 shown: nothing'
    ])
    claim.release()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.story()).toEqual([])
    expect(bench.conditionsRead).toBe(18)
  })

  test('when "off" is asked for and nothing is known', async () => {
    const bench = openOutputBench()
    await pass(bench.controller.switchOff('OUT1', bench.way()))
    expect(bench.story()).toEqual([
      '0 log of caller: intent io.setOutput OUT1 false: OUT1 off',
      '0 OUT1 off (3000 ms, first)',
      '5 log of caller: answered io.setOutput OUT1 false: The device answered 200. {}',
      '5 read (3000 ms, first)',
      '10 who (3000 ms, first)',
      '15 shown: nothing',
      '15 log of caller: readBack io.setOutput OUT1 false: OUT1 is off. {"OUT1":false}'
    ])
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('when the device refuses "on": it is read before it would get "off"', async () => {
    const bench = openOutputBench()
    bench.device.fails.on = 'NOT_PERMITTED'
    expect(await pass(bench.claim().switchOn())).toMatchObject({
      kind: 'refused',
      error: { code: 'NOT_PERMITTED' },
      raw: null
    })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(bench.story().slice(6)).toEqual([
      '10 ledger: 1 cannot come on late',
      '10 log of claim: unknown io.setOutput OUT1 true: Gone.',
      '10 log of claim: intent io.setOutput OUT1 false: OUT1 off',
      '10 read (3000 ms, first)',
      '10 shown: OUT1 goingOff',
      '15 who (3000 ms, first)',
      '20 read (3000 ms, first)',
      '25 who (3000 ms, first)',
      '30 shown: OUT1 watched',
      '30 ledger: 1 ended, proved',
      '30 log of claim: readBack io.setOutput OUT1 false: OUT1 is off. {"OUT1":false}',
      '30 shown: nothing'
    ])
  })

  test('when the answer to "on" is lost: read off, watched, and "off" as soon as it comes on late', async () => {
    const bench = openOutputBench()
    bench.device.fails.on = 'TIMEOUT'
    const claim = bench.claim()
    const on = await pass(claim.switchOn())
    expect(on).toMatchObject({ kind: 'lost', error: { code: 'TIMEOUT' }, raw: { OUT1: false } })
    const story = bench.story()
    expect(commandsOf(story).slice(0, 5)).toEqual([
      '5 ledger: OUT1 may be on, by Technician One (job)',
      '5 log of claim: intent io.setOutput OUT1 true: OUT1 on',
      '5 OUT1 on (5000 ms)',
      '10 log of claim: unknown io.setOutput OUT1 true: Gone.',
      '10 read (3000 ms, first)'
    ])
    // For 5 s it may still show itself; the reading that is under way then is the last one.
    expect(timesOf(story, 'read').slice(0, 3)).toEqual([10, 170, 330])
    expect(commandsOf(story).slice(-3)).toEqual([
      '5130 read (3000 ms, first)',
      '5140 log of claim: intent io.setOutput OUT1 false: OUT1 off',
      '5140 read (3000 ms, first)'
    ])
    // What reads off is not switched; it is asked often at first, and less after 15 s.
    await vi.advanceTimersByTimeAsync(16_000)
    const watched = bench.story()
    expect(timesOf(watched, 'OUT1 off')).toEqual([])
    expect(timesOf(watched, 'read').slice(0, 2)).toEqual([5_300, 5_460])
    expect(timesOf(watched, 'read').slice(-3)).toEqual([20_020, 20_180, 20_690])
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'watched', trouble: null }])
    bench.device.relays.OUT1 = true
    await vi.advanceTimersByTimeAsync(1_000)
    expect(bench.story()).toEqual([
      '21200 read (3000 ms, first)',
      '21205 who (3000 ms, first)',
      // Told as soon as a reading says something new, and once more with what Fitter makes of it.
      '21210 shown: OUT1 goingOff',
      '21210 log of claim: readBack io.setOutput OUT1 true: OUT1 switched on late. {"OUT1":true}',
      '21210 shown: OUT1 goingOff',
      '21360 OUT1 off (3000 ms, first)',
      '21365 log of claim: answered io.setOutput OUT1 false: The device answered 200. {}',
      '21365 read (3000 ms, first)',
      '21370 who (3000 ms, first)',
      '21375 shown: OUT1 watched',
      '21375 shown: OUT1 watched',
      '21875 read (3000 ms, first)',
      '21880 who (3000 ms, first)'
    ])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(bench.story().filter((line) => !/ (who|read) /.test(line))).toEqual([
      '45335 ledger: 1 cannot come on late',
      '45335 shown: OUT1 watched',
      '45345 ledger: 1 ended, proved',
      '45345 log of claim: readBack io.setOutput OUT1 false: OUT1 is off. {"OUT1":false}',
      '45345 shown: nothing'
    ])
  })
})

describe('A device that gives no proof of "off"', () => {
  test('and is silent gets "off" often for 15 s, more rarely after that, and at once when it is seen', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.story()
    bench.device.fails = { off: 'UNREACHABLE', read: 'UNREACHABLE' }
    claim.release()
    await vi.advanceTimersByTimeAsync(22_000)
    const story = bench.story()
    expect(story.slice(0, 7)).toEqual([
      '20 log of claim: intent io.setOutput OUT1 false: OUT1 off',
      '20 OUT1 off (3000 ms, first)',
      '20 shown: OUT1 goingOff',
      '25 log of claim: unknown io.setOutput OUT1 false: Gone.',
      '25 read (3000 ms, first)',
      '30 shown: OUT1 mayBeOn',
      '530 OUT1 off (3000 ms, first)'
    ])
    expect(timesOf(story, 'OUT1 off').slice(-4)).toEqual([14_810, 15_320, 18_330, 21_340])
    expect(story.filter((line) => line.includes('log'))).toHaveLength(2)
    bench.device.fails = {}
    bench.outputs.seen(benchImei)
    await vi.advanceTimersByTimeAsync(100)
    expect(commandsOf(bench.story())).toEqual([
      '22020 OUT1 off (3000 ms, first)',
      '22025 log of claim: answered io.setOutput OUT1 false: The device answered 200. {}',
      '22025 read (3000 ms, first)',
      '22035 ledger: 1 ended, proved',
      '22035 log of claim: readBack io.setOutput OUT1 false: OUT1 is off. {"OUT1":false}'
    ])
  })

  test('and is another one is not read: its word would prove nothing', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.story()
    bench.device.isOther = true
    claim.release()
    await vi.advanceTimersByTimeAsync(600)
    expect(bench.story()).toEqual([
      '20 log of claim: intent io.setOutput OUT1 false: OUT1 off',
      '20 OUT1 off (3000 ms, first)',
      '20 shown: OUT1 goingOff',
      '25 log of claim: unknown io.setOutput OUT1 false: Gone.',
      '25 shown: OUT1 mayBeOn',
      '525 OUT1 off (3000 ms, first)',
      '530 shown: OUT1 mayBeOn'
    ])
    expect(bench.outputs.ledger()).toMatchObject([{ trouble: plainMessage('Gone.') }])
  })

  test('and is another one that can be read only: what it reads is not believed', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })])
    bench.isReached = true
    bench.device.relays.OUT1 = true
    bench.device.isOther = true
    await vi.advanceTimersByTimeAsync(20_000)
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'mayBeOn' }])
    expect(bench.ledger.ended).toEqual([])
    expect(timesOf(bench.story(), 'OUT1 off')).toEqual([])
  })

  test('and refuses "off" is read once for each command, and asked again soon', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.story()
    bench.device.fails.off = 'NOT_PERMITTED'
    claim.release()
    await vi.advanceTimersByTimeAsync(500)
    const story = bench.story()
    expect(timesOf(story, 'OUT1 off')).toEqual([20, 185, 350, 515])
    expect(timesOf(story, 'read')).toEqual([25, 190, 355, 520])
    // It was never off: nothing came on late.
    expect(story.filter((line) => line.includes('log'))).toEqual([
      '20 log of claim: intent io.setOutput OUT1 false: OUT1 off',
      '25 log of claim: unknown io.setOutput OUT1 false: Gone.'
    ])
  })

  test('and answers although its relay sticks is read for 1.5 s before the next command', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.story()
    bench.device.isStuck = true
    claim.release()
    await vi.advanceTimersByTimeAsync(2_000)
    const story = bench.story()
    expect(timesOf(story, 'OUT1 off')).toEqual([20, 1_775])
    expect(timesOf(story, 'read')).toEqual([25, 185, 345, 505, 665, 825, 985, 1_145, 1_305, 1_465, 1_780, 1_940])
  })

  test('is asked again although the ledger could not be written, and that is told when somebody waits for it', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.story()
    bench.ledger.isFull = true
    claim.release()
    await vi.advanceTimersByTimeAsync(400)
    expect(timesOf(bench.story(), 'read')).toEqual([25, 185, 345])
    expect(bench.journal.at(-1)).toBe('answered: The device answered 200.')
    bench.ledger.isFull = false
    await expect(pass(claim.switchOff())).rejects.toMatchObject({ code: 'DATA_UNUSABLE' })
    expect(await pass(bench.controller.awaitOff('OUT1', 100))).toMatchObject({ kind: 'off' })
  })

  test('because Fitter itself has a fault is tried again after a while, not in the same moment, and ends with Fitter', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.story()
    bench.device.breaks.off = new Error('Not of the device')
    claim.release()
    await vi.advanceTimersByTimeAsync(1_200)
    expect(timesOf(bench.story(), 'OUT1 off')).toEqual([20, 520, 1_020])
    expect(bench.faults.map(String)).toEqual(Array.from({ length: 3 }, () => 'Error: Not of the device'))
    bench.device.breaks = { read: new Error('Nor this') }
    await vi.advanceTimersByTimeAsync(500)
    expect(bench.faults.map(String).at(-1)).toBe('Error: Nor this')
    bench.device.breaks = {}
    await vi.advanceTimersByTimeAsync(600)
    expect(bench.outputs.ledger()).toEqual([])
  })
})

describe('"On" that does not show', () => {
  test('is read for 5 s, and then read off', async () => {
    const bench = openOutputBench()
    bench.device.isDeaf = true
    expect(await pass(bench.claim().switchOn())).toMatchObject({ kind: 'notSeen', raw: { OUT1: false } })
    expect(commandsOf(bench.story()).slice(-2)).toEqual([
      '5140 log of claim: intent io.setOutput OUT1 false: OUT1 off',
      '5140 read (3000 ms, first)'
    ])
  })

  test('because nobody can read it gets "off" first, and says why', async () => {
    const bench = openOutputBench()
    bench.device.fails.read = 'UNREADABLE'
    expect(await pass(bench.claim().switchOn())).toEqual({
      kind: 'notSeen',
      raw: { error: expect.stringContaining('Gone.') as string }
    })
    expect(commandsOf(bench.story()).slice(-2)[1]).toMatch(/OUT1 off \(3000 ms, first\)$/)
  })

  test('because it is short is switched off by what is read then', async () => {
    const bench = openOutputBench()
    bench.device.shorts.OUT1 = true
    expect(await pass(bench.claim().switchOn())).toMatchObject({
      kind: 'fallen',
      fall: { kind: 'short' },
      raw: { OUT1: true, SO1: true }
    })
    expect(commandsOf(bench.story()).slice(-2)).toEqual([
      '20 log of claim: intent io.setOutput OUT1 false: OUT1 off',
      '20 OUT1 off (3000 ms, first)'
    ])
  })

  test('because it was switched off meanwhile is neither sent nor called on', async () => {
    const bench = openOutputBench()
    bench.device.fails.on = 'hangs'
    const claim = bench.claim()
    const on = claim.switchOn()
    await vi.advanceTimersByTimeAsync(100)
    bench.story()
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()), 10_000).catch(() => undefined)).toBeDefined()
    expect(timesOf(bench.story(), 'OUT1 off').filter((ms) => ms < 200)).toEqual([100])
    expect(await pass(on)).toMatchObject({ kind: 'fallen', fall: { kind: 'asked' } })
  })

  test('because the answer could not be written down is an error, and goes off', async () => {
    const bench = openOutputBench()
    const claim = bench.claim()
    const on = claim.switchOn()
    await vi.advanceTimersByTimeAsync(6)
    bench.unwritable.add('OUT1')
    await expect(pass(on)).rejects.toMatchObject({ code: 'DATA_UNUSABLE' })
    bench.unwritable.clear()
    claim.release()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(bench.device.relays.OUT1).toBe(false)
  })

  test('because of a fault of Fitter is that fault, wherever it comes from', async () => {
    for (const where of ['who', 'on', 'read'] as const) {
      const bench = openOutputBench()
      bench.device.breaks[where] = new Error(`Fault at ${where}`)
      await expect(pass(bench.claim().switchOn())).rejects.toThrow(`Fault at ${where}`)
      bench.device.breaks = {}
    }
    const bench = openOutputBench()
    bench.device.fails.who = 'CANCELLED'
    await expect(pass(bench.claim().switchOn())).rejects.toMatchObject({ code: 'CANCELLED' })
    bench.device.fails.who = 'TIMEOUT'
    expect(await pass(bench.claim('OUT2').switchOn())).toMatchObject({ kind: 'notProved', error: { code: 'TIMEOUT' } })
  })

  test('because nothing could be written before it left gets "off", and is proved off', async () => {
    const bench = openOutputBench()
    bench.unwritable.add('OUT1')
    const claim = bench.claim()
    await expect(pass(claim.switchOn())).rejects.toMatchObject({ code: 'DATA_UNUSABLE' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(commandsOf(bench.story())).toEqual([
      '5 ledger: OUT1 may be on, by Technician One (job)',
      '5 ledger: 1 cannot come on late',
      '5 OUT1 off (3000 ms, first)',
      '10 read (3000 ms, first)',
      '20 ledger: 1 ended, proved'
    ])
    expect(bench.ledger.ended).toEqual([{ id: 1, how: 'proved' }])
  })
})

describe('"On" that waits for its turn', () => {
  test('is taken back by whatever means "off": it never leaves, and is proved off', async () => {
    const bench = openOutputBench()
    bench.device.isBusy = true
    const claim = bench.claim()
    const on = claim.switchOn()
    await vi.advanceTimersByTimeAsync(100)
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'goingOn' }])
    expect(await pass(claim.switchOff())).toMatchObject({ kind: 'off', by: 'device' })
    expect(await pass(on)).toEqual({ kind: 'fallen', fall: { kind: 'asked' }, raw: null })
    expect(bench.journal).toContain('unknown: “On” for OUT1 was cancelled before it was sent.')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bench.device.relays.OUT1).toBe(false)
    expect(bench.outputs.ledger()).toEqual([])
  })

  test.each<[string, (bench: ReturnType<typeof openOutputBench>) => void, unknown]>([
    ['a condition that breaks', (bench) => (bench.isShort = true), { kind: 'short' }],
    ['All off', (bench) => bench.controller.allOff(), { kind: 'asked' }],
    ['the end of the work', (bench) => bench.stop.abort(), { kind: 'asked' }]
  ])('is taken back by %s', async (_what, off, fall) => {
    const bench = openOutputBench()
    bench.device.isBusy = true
    const claim = bench.claim()
    const on = claim.switchOn()
    await vi.advanceTimersByTimeAsync(100)
    off(bench)
    expect(await pass(on, 1_000)).toEqual({ kind: 'fallen', fall, raw: null })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('is not given to the device when a condition breaks in the moment in which it is written down', async () => {
    const bench = openOutputBench()
    bench.isShort = true
    expect(await pass(bench.claim().switchOn())).toEqual({ kind: 'fallen', fall: { kind: 'short' }, raw: null })
    expect(bench.device.seen).not.toContain('OUT1 on')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('is not even written down when nobody wants it any more once the device proved its identity', async () => {
    const bench = openOutputBench()
    expect(await pass(bench.claim('OUT1', { over: () => ({ kind: 'unwatched' }) }).switchOn())).toEqual({
      kind: 'fallen',
      fall: { kind: 'unwatched' },
      raw: null
    })
    expect(bench.device.seen).toEqual(['who'])
    expect(bench.story().filter((line) => line.includes('ledger'))).toEqual([])
  })

  test('says nothing about whoever claims the output after it was taken back', async () => {
    const bench = openOutputBench()
    bench.device.isBusy = true
    const first = bench.claim()
    const on = first.switchOn()
    await vi.advanceTimersByTimeAsync(100)
    expect(await pass(first.switchOff())).toMatchObject({ kind: 'off' })
    await pass(on)
    first.release()
    bench.device.isBusy = false
    const second = await bench.on()
    expect(second.fallen()).toBeUndefined()
    expect(first.fallen()).toEqual({ kind: 'asked' })
  })
})

describe('An output that went off without Fitter', () => {
  test('is said to be off, with no reason of Fitter’s own', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    expect(claim.fallen()).toBeUndefined()
    bench.device.relays.OUT1 = false
    bench.outputs.of(benchImei)
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'off' })
    expect(claim.fallen()).toEqual({ kind: 'asked' })
    claim.release()
    // The reason of one claim is not that of the next.
    expect(bench.claim().fallen()).toBeUndefined()
    expect(claim.fallen()).toEqual({ kind: 'asked' })
  })
})

describe('The watch over an output that is on', () => {
  test.each<[string, number, boolean]>([
    ['stands still', 5_001, true],
    ['is set by a little', 5_000 - 250, false],
    ['is set back', -60_000, false]
  ])('while the computer’s clock %s', async (_what, byMs, isAsleep) => {
    const bench = openOutputBench()
    const claim = await bench.on()
    await vi.advanceTimersByTimeAsync(1_000)
    vi.setSystemTime(Date.now() + byMs)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(claim.fallen()).toEqual(isAsleep ? { kind: 'asleep' } : undefined)
    expect(bench.device.relays.OUT1).toBe(!isAsleep)
    // Each look counts from the last one.
    await vi.advanceTimersByTimeAsync(10_000)
    expect(claim.fallen()).toEqual(isAsleep ? { kind: 'asleep' } : undefined)
    if (!isAsleep) await pass(claim.switchOff())
  })

  test('ends it in the moment in which another device is found', async () => {
    const bench = openOutputBench()
    await bench.on()
    bench.story()
    bench.device.isOther = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(commandsOf(bench.story())[0]).toBe('2010 log of claim: intent io.setOutput OUT1 false: OUT1 off')
  })

  test('does not mind that nobody answers who it is, and tells a fault of Fitter', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    bench.device.fails.who = 'UNREACHABLE'
    await vi.advanceTimersByTimeAsync(5_000)
    expect(claim.fallen()).toBeUndefined()
    bench.device.fails = {}
    bench.device.breaks.who = new Error('Not of the device')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(bench.faults.map(String)).toEqual(['Error: Not of the device'])
    expect(claim.fallen()).toBeUndefined()
    bench.device.breaks = {}
  })

  test('that fails itself switches off', async () => {
    const bench = openOutputBench()
    let isBroken = false
    const claim = bench.claim('OUT1', {
      over() {
        if (isBroken) throw new Error('No more watch')
        return undefined
      }
    })
    await pass(claim.switchOn())
    isBroken = true
    await vi.advanceTimersByTimeAsync(300)
    await vi.advanceTimersByTimeAsync(100)
    expect(claim.fallen()).toEqual({ kind: 'conditions', what: [] })
    expect(bench.faults.map(String)).toEqual(['Error: No more watch'])
    expect(bench.device.relays.OUT1).toBe(false)
  })

  test('ends with Fitter, which waits for what is under way', async () => {
    const bench = openOutputBench()
    const claim = await bench.on()
    const reads = bench.conditionsRead
    bench.device.fails = { off: 'hangs', read: 'hangs' }
    claim.release()
    await vi.advanceTimersByTimeAsync(100)
    let isStopped = false
    const stop = bench.controller.stop().then(() => (isStopped = true))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isStopped).toBe(false)
    await pass(stop)
    bench.story()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.story()).toEqual([])
    expect(bench.conditionsRead).toBe(reads)
  })
})
