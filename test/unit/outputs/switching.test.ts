import { describe, expect, test, vi } from 'vitest'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { benchImei, ledgerRow, openOutputBench, pass } from '../../support/outputBench.ts'

/** Without the proofs of who answers and the words for the screen. */
const commands = (story: string[]) => story.filter((line) => !/ (who|shown)/.test(line))
/** The times of what was asked of the device. */
const timesOf = (story: string[], what: string) => story.filter((line) => line.split(' ').slice(1).join(' ').startsWith(what)).map((line) => Number(line.split(' ')[0]))
const onMs = 20

function errorOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

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
      '15 log of caller: readBack io.setOutput OUT1 false: OUT1 is off. {"OUT1":false}'
    ])
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('when the device refuses "on": it is read before it would get "off"', async () => {
    const bench = openOutputBench()
    bench.device.fails.on = 'NOT_PERMITTED'
    expect(await pass(bench.claim().switchOn())).toMatchObject({ kind: 'refused', error: { code: 'NOT_PERMITTED' }, raw: null })
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
    expect(commands(story).slice(0, 5)).toEqual([
      '5 ledger: OUT1 may be on, by Technician One (job)',
      '5 log of claim: intent io.setOutput OUT1 true: OUT1 on',
      '5 OUT1 on (5000 ms)',
      '10 log of claim: unknown io.setOutput OUT1 true: Gone.',
      '10 read (3000 ms, first)'
    ])
    // For 5 s it may still show itself; the reading that is under way then is the last one.
    expect(timesOf(story, 'read').slice(0, 3)).toEqual([10, 170, 330])
    expect(commands(story).slice(-3)).toEqual(['5130 read (3000 ms, first)', '5140 log of claim: intent io.setOutput OUT1 false: OUT1 off', '5140 read (3000 ms, first)'])
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
      '21210 log of claim: readBack io.setOutput OUT1 true: OUT1 switched on late. {"OUT1":true}',
      '21210 shown: OUT1 goingOff',
      '21360 OUT1 off (3000 ms, first)',
      '21365 log of claim: answered io.setOutput OUT1 false: The device answered 200. {}',
      '21365 read (3000 ms, first)',
      '21370 who (3000 ms, first)',
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
    expect(commands(bench.story())).toEqual([
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
    expect(story.filter((line) => line.includes('log'))).toEqual(['20 log of claim: intent io.setOutput OUT1 false: OUT1 off', '25 log of claim: unknown io.setOutput OUT1 false: Gone.'])
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
    expect(commands(bench.story()).slice(-2)).toEqual(['5140 log of claim: intent io.setOutput OUT1 false: OUT1 off', '5140 read (3000 ms, first)'])
  })

  test('because nobody can read it gets "off" first, and says why', async () => {
    const bench = openOutputBench()
    bench.device.fails.read = 'UNREADABLE'
    expect(await pass(bench.claim().switchOn())).toEqual({ kind: 'notSeen', raw: { error: expect.stringContaining('Gone.') as string } })
    expect(commands(bench.story()).slice(-2)[1]).toMatch(/OUT1 off \(3000 ms, first\)$/)
  })

  test('because it is short is switched off by what is read then', async () => {
    const bench = openOutputBench()
    bench.device.shorts.OUT1 = true
    expect(await pass(bench.claim().switchOn())).toMatchObject({ kind: 'fallen', fall: { kind: 'short' }, raw: { OUT1: true, SO1: true } })
    expect(commands(bench.story()).slice(-2)).toEqual(['20 log of claim: intent io.setOutput OUT1 false: OUT1 off', '20 OUT1 off (3000 ms, first)'])
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
    expect(commands(bench.story())).toEqual([
      '5 ledger: OUT1 may be on, by Technician One (job)',
      '5 ledger: 1 cannot come on late',
      '5 OUT1 off (3000 ms, first)',
      '10 read (3000 ms, first)',
      '20 ledger: 1 ended, proved'
    ])
    expect(bench.ledger.ended).toEqual([{ id: 1, how: 'proved' }])
  })
})

describe('The watch over an output that is on', () => {
  test('ends it in the moment in which another device is found', async () => {
    const bench = openOutputBench()
    await bench.on()
    bench.story()
    bench.device.isOther = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(commands(bench.story())[0]).toBe('2010 log of claim: intent io.setOutput OUT1 false: OUT1 off')
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
    const claim = bench.claim('OUT1', { over: () => { throw new Error('No more watch') } })
    await pass(claim.switchOn())
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

describe('What may be on', () => {
  test('is read before it gets "off" when an earlier run left it, and its job gets the log', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true, jobId: 'job 7' })])
    bench.isReached = true
    bench.device.relays.OUT1 = true
    await vi.advanceTimersByTimeAsync(1_000)
    expect(commands(bench.story())).toEqual([
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
    expect(commands(bench.story())).toEqual([
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
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'unproved', error: { code: 'UNREACHABLE' }, raw: null })
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('that somebody else keeps on is in the ledger of the one who asked', async () => {
    const bench = openOutputBench()
    bench.device.relays.OUT1 = true
    bench.device.fails.off = 'NOT_PERMITTED'
    expect(await pass(bench.controller.switchOff('OUT1', bench.way()))).toMatchObject({ kind: 'unproved', raw: { OUT1: true } })
    expect(commands(bench.story()).slice(-5)).toEqual([
      '15455 read (3000 ms, first)',
      '15465 ledger: OUT1 may be on, by Technician Two (no job)',
      '15465 log of caller: intent io.setOutput OUT1 false: OUT1 off',
      '15465 ledger: 1 cannot come on late',
      '15465 read (3000 ms, first)'
    ])
  })

  test('is over by the word of a person, once, with who it was', async () => {
    const bench = openOutputBench([ledgerRow()])
    bench.controller.personSawOff('OUT1', '', 'fuse')
    expect(bench.journal.at(-1)).toMatch(/^readBack: .*fuse/)
    expect(bench.story().find((line) => line.includes('readBack'))).toMatch(/OUT1 false: .* \{"by":"","reason":"fuse"\}$/)
    expect(errorOf(() => bench.controller.personSawOff('OUT1', 'Ana', 'again'))).toMatchObject({ code: 'NOT_FOUND', sentence: { id: 'outputs.notAmong', values: { output: 'OUT1' } } })
    const named = openOutputBench([ledgerRow()])
    named.controller.personSawOff('OUT1', 'Ana', 'fuse')
    expect(named.journal.at(-1)).toContain('Ana')
    expect(bench.journal.at(-1)).not.toContain('Ana')
    expect(named.controller.known()).toEqual([])
    expect(() => named.claim()).not.toThrow()
  })

  test('names the output where it cannot be claimed', async () => {
    const bench = openOutputBench()
    bench.claim('OUT3')
    expect(errorOf(() => bench.claim('OUT3'))).toMatchObject({ code: 'CONFLICT', sentence: { id: 'outputs.inUse', values: { output: 'OUT3' } } })
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

  test('none is sent any more once a person saw it off, and an answer to "on" that comes then says nothing', async () => {
    const bench = openOutputBench()
    bench.device.fails.on = 'late'
    const on = bench.claim().switchOn()
    await vi.advanceTimersByTimeAsync(100)
    bench.controller.personSawOff('OUT1', 'Ana', 'fuse')
    expect(await pass(on)).toEqual({ kind: 'notSeen', raw: null })
    const silent = openOutputBench([ledgerRow()])
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


  test.each<[number, number]>([[50, 50], [250, 250], [0, 0]])('%d ms for a proof that does not come', async (withinMs, tookMs) => {
    const bench = openOutputBench([ledgerRow()])
    const beganMs = Date.now()
    expect(await pass(bench.controller.awaitOff('OUT1', withinMs))).toEqual({ kind: 'unproved', error: undefined, raw: null })
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
