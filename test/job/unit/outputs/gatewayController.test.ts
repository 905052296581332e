import { describe, expect, test, vi } from 'vitest'
import { english } from '../../../world/window/english.ts'
import {
  at,
  earlierRow,
  expander,
  failureOf,
  fails,
  isAway,
  isLost,
  imei,
  openGateway,
  otherImei,
  refuses,
  untilTakenBack,
  type GatewayBench
} from '../../../world/gateway/gatewayOutputBench.ts'
import { shippedLimits } from '../../../world/device/outputs.ts'

const quitMs = shippedLimits.quitWithinS * 1000

/** Moves the clock until the work is done, or has failed. */
async function passed<T>(bench: GatewayBench, work: Promise<T>, mostMs = 60_000): Promise<T> {
  let isOver = false
  const over = (): void => void (isOver = true)
  work.then(over, over)
  for (let ms = 0; !isOver && ms < mostMs; ms += 50) await bench.passes(50)
  expect(isOver).toBe(true)
  return work
}

describe('A command that is followed', () => {
  test('and that the gateway never shows expires after 60 s, is not sent again, and its output may be on', async () => {
    const bench = openGateway()
    bench.gateway.takesEffect = false
    const { id } = await bench.set(false)
    await bench.passes(59_000)
    expect(bench.trials.list()[0]?.state).toBe('waiting')
    expect(bench.shown()).toEqual([])
    await bench.passes(2_000)
    expect(bench.trials.list()[0]).toMatchObject({ id, state: 'notFound', witness: null })
    expect(bench.note()).toContain('Expired')
    expect(bench.outputs.ledger()).toMatchObject([
      { imei, output: 'e 2', path: 'gateway', state: 'mayBeOn', by: 'Technician One', vehicle: { id: 7, name: '' } }
    ])
    expect(bench.trouble()).toEqual([bench.note()])
    await bench.passes(600_000)
    expect(bench.gateway.sent).toEqual(['e 2 off'])
    expect(bench.seen().slice(-1)).toEqual(['ledger: 1 cannot come on late'])
  })

  test('and whose answer was lost is never sent again, and never called done', async () => {
    const bench = openGateway()
    Object.assign(bench.gateway, { answer: isLost, takesEffect: false })
    await bench.set(false)
    await bench.passes(61_000)
    expect(bench.trials.list()[0]?.state).toBe('notFound')
    expect(bench.gateway.sent).toEqual(['e 2 off'])
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
  })

  test('expires when the profile says so', async () => {
    const bench = openGateway({ chosen: () => ({ gatewayExpiresS: 10 }) })
    bench.gateway.takesEffect = false
    await bench.set(false)
    await bench.passes(11_000)
    expect(bench.trials.list()[0]?.state).toBe('notFound')
    expect(bench.note()).toContain('within 10 s')
  })

  test('to a device that is offline says so, since the gateway may hold it', async () => {
    const bench = openGateway()
    Object.assign(bench.gateway, {
      takesEffect: false,
      answer: () => Promise.resolve({ message: 'Command queued', deviceIsOnline: false, raw: null })
    })
    await bench.set(false)
    await bench.passes(3_000)
    expect(bench.note()).toContain('offline')
  })

  test('of five at once is one', async () => {
    const bench = openGateway()
    const all = await Promise.allSettled([1, 1, 2, 3, 1].map((out) => bench.set(true, { out })))
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected'])
    expect(await failureOf(bench.set(true))).toMatchObject({ code: 'INTERLOCK' })
    expect(bench.gateway.sent).toEqual(['e 1 on'])
  })

  test('“off” of an output that nobody knew on, and that is shown off, is in no ledger', async () => {
    const bench = openGateway()
    await bench.set(false)
    await bench.passes(4_000)
    expect(bench.trials.list()[0]?.state).toBe('found')
    expect([bench.shown(), bench.seen().filter((what) => typeof what === 'string')]).toEqual([[], []])
  })

  test('“off” of an output that nobody knew on fails with the fault of Fitter that stopped it', async () => {
    const bench = openGateway()
    const fault = new Error('broken')
    bench.gateway.answer = () => Promise.reject(fault)
    await expect(bench.set(false)).rejects.toBe(fault)
    expect([bench.shown(), bench.trials.list()]).toEqual([[], []])
  })

  test('“off” that is not shown, and cannot be written down, is reported', async () => {
    const bench = openGateway()
    bench.gateway.takesEffect = false
    await bench.set(false)
    bench.ledger.isFull = true
    await bench.passes(61_000)
    expect(bench.faults).toMatchObject([{ code: 'DATA_UNUSABLE' }])
    expect(bench.shown()).toEqual([])
  })
})

describe('“On” through the gateway', () => {
  test('is shown on when the gateway shows it, with the time at which it goes off', async () => {
    const bench = openGateway()
    bench.outputs.gateway.nameVehicle(7, 'Unit 7')
    await bench.set(true)
    expect(bench.outputs.ledger()).toMatchObject([
      {
        id: 1,
        state: 'goingOn',
        trouble: null,
        isReachable: true,
        mayConfirmOff: false,
        vehicle: { id: 7, name: 'Unit 7' }
      }
    ])
    expect(bench.outputs.ledger()[0]).not.toHaveProperty('offAt')
    await bench.passes(3_000)
    expect(bench.outputs.ledger()).toMatchObject([
      { state: 'on', offAt: '2026-11-20T09:01:00.400Z', mayConfirmOff: false }
    ])
    expect(bench.ledger.rows).toMatchObject([
      { isOnSettled: true, imei, address: '', vehicleId: 7, jobId: null, since: '2026-11-20T09:00:00.400Z' }
    ])
  })

  test('of one vehicle does not wait for another one whose conditions are being read', async () => {
    const bench = openGateway()
    const { readView } = bench.gateway
    bench.gateway.readView = () => new Promise(() => undefined)
    const stop = new AbortController()
    void bench.set(true, { vehicleId: 8, stop: stop.signal }).catch(() => undefined)
    await bench.passes(1)
    bench.gateway.readView = readView
    await bench.set(true)
    expect([bench.shown(), bench.gateway.sent]).toEqual([['e 2 goingOn'], ['e 2 on']])
  })

  test('for an output that may be on is refused: it must go off first', async () => {
    const bench = openGateway({ earlier: [earlierRow()] })
    const failure = await failureOf(bench.set(true))
    expect(failure).toMatchObject({ code: 'INTERLOCK', sentence: { id: 'gatewayOutputs.notSwitchedOn' } })
    expect(english(failure.sentence)).toBe('Not switched on. This output may still be on. Switch it off first.')
    expect(bench.gateway.sent).toEqual([])
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    for (const name of [{ out: 3 }, { otype: 'o' }, { vehicleId: 8 }]) {
      await bench.set(true, name)
      await bench.passes(4_000)
    }
    expect(bench.gateway.sent).toEqual(['e 3 on', 'o 2 on', 'e 2 on'])
  })

  test('for an output that is on is refused, and so is one whose “off” is not confirmed, or that another device left', async () => {
    const bench = openGateway()
    await bench.on()
    expect((await failureOf(bench.set(true))).sentence).toMatchObject({
      values: { why: { id: 'gatewayOutputs.mayBeOn' } }
    })
    bench.gateway.takesEffect = false
    await bench.set(false)
    await bench.passes(61_000)
    bench.gateway.imei = otherImei
    expect((await failureOf(bench.set(true))).sentence).toMatchObject({
      values: { why: { id: 'gatewayOutputs.mayBeOn' } }
    })
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  })

  test('that is not confirmed in time stays in the ledger as one that may be on, and nothing is sent by itself', async () => {
    const bench = openGateway()
    bench.gateway.takesEffect = false
    await bench.set(true)
    await bench.passes(61_000)
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    expect(bench.trouble()).toEqual([
      'Expired: not confirmed by the gateway within 60 s. The command is not sent again, but may still take effect.'
    ])
    bench.outputs.gateway.seen()
    await bench.passes(600_000)
    expect(bench.gateway.sent).toEqual(['e 2 on'])
    bench.gateway.takesEffect = true
    await bench.set(false)
    expect(bench.trouble()).toEqual([null])
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    await bench.passes(4_000)
    expect(bench.shown()).toEqual([])
  })

  test('that ends in a short is not confirmed, and a person decides', async () => {
    const bench = openGateway()
    bench.gateway.takesEffect = false
    await bench.set(true)
    bench.gateway.lines = [expander(true, { isShorted: true })]
    await bench.passes(3_000)
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    expect(bench.trouble()).toEqual(['Expander output 2 is shorted.'])
    await bench.passes(60_000)
    expect(bench.gateway.sent).toEqual(['e 2 on'])
  })

  test('that is confirmed after it had to go off stays on its way off', async () => {
    const bench = openGateway()
    const { answer } = bench.gateway
    await bench.set(true)
    bench.gateway.answer = (on, signal) => (on ? answer(on, signal) : isLost())
    bench.gateway.takesEffect = false
    await bench.set(false)
    await bench.passes(3_500)
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    expect(bench.outputs.ledger()[0]).not.toHaveProperty('offAt')
    bench.gateway.answer = answer
    bench.gateway.lines = [expander(true)]
    await bench.passes(30_000)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  })

  test('of an output that was confirmed off meanwhile says nothing about it any more', async () => {
    const bench = openGateway()
    await bench.set(true)
    await bench.passes(1_000)
    bench.gateway.log = []
    await bench.set(false)
    await bench.passes(4_000)
    expect(bench.shown()).toEqual([])
    await bench.passes(70_000)
    expect([bench.shown(), bench.faults]).toEqual([[], []])
  })
})

describe('An “on” that the gateway shows', () => {
  test('has arrived even if its answer was lost, and cannot come on late any more', async () => {
    const bench = openGateway()
    bench.gateway.answer = isLost
    await bench.on()
    expect(bench.ledger.rows).toMatchObject([{ isOnSettled: true }])
  })

  test.each([
    ['answered', undefined, true],
    ['lost', isLost, false]
  ])('after “off” is its own effect only if it was answered: %s', async (_, onAnswer, isSettled) => {
    const bench = openGateway()
    const { answer } = bench.gateway
    bench.gateway.takesEffect = false
    bench.gateway.answer = onAnswer ?? answer
    await bench.set(true)
    bench.gateway.answer = answer
    await bench.set(false)
    bench.gateway.lines = [expander(true)]
    await bench.passes(4_000)
    expect(bench.ledger.rows).toMatchObject([{ isOnSettled: isSettled }])
    // Nobody reads it on any more: the word of a person counts once nothing can come on late.
    bench.gateway.linesAt = at(60)
    await bench.passes(4_000)
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'goingOff', mayConfirmOff: isSettled }])
  })

  test('after it had to go off gets no time at which it goes off', async () => {
    const bench = openGateway()
    bench.gateway.takesEffect = false
    await bench.set(true)
    await bench.passes(1_000)
    await bench.set(false)
    bench.carryOut(true)
    await bench.passes(2_500)
    expect(bench.trials.list().map(({ state }) => state)).toEqual(['waiting', 'found'])
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'goingOff' }])
    expect(bench.outputs.ledger()[0]).not.toHaveProperty('offAt')
  })
})

describe('What means “off” takes back an “on” that has not left', () => {
  const offs: [string, (bench: GatewayBench) => Promise<unknown>, string[]][] = [
    ['“off” for it', (bench) => bench.set(false), ['e 2 off']],
    ['All off', (bench) => bench.outputs.allOff({ isAsked: true }), []],
    ['the end of Fitter', (bench) => bench.outputs.allOff(), []],
    ['a sign-out', (bench) => bench.outputs.leave({ path: 'gateway' }), []]
  ]

  test.each(offs)('%s, while it reads its conditions', async (_, off, sent) => {
    const bench = openGateway()
    const view = Promise.withResolvers<unknown>()
    const { readView } = bench.gateway
    bench.gateway.readView = () => view.promise
    const on = failureOf(bench.set(true))
    await bench.passes(1)
    const done = off(bench)
    view.resolve(readView(new AbortController().signal))
    const failure = await on
    expect(failure).toMatchObject({ code: 'CANCELLED', fate: 'notSent' })
    expect(english(failure.sentence)).toBe(
      'Not switched on, because the output was switched off in the meantime. Nothing was sent.'
    )
    await passed(bench, done)
    expect(bench.gateway.sent).toEqual(sent)
    await bench.passes(4_000)
    expect(bench.shown()).toEqual([])
    await bench.set(true)
    expect(bench.gateway.sent).toEqual([...sent, 'e 2 on'])
  })

  test('which ends its reading at once', async () => {
    const bench = openGateway()
    bench.gateway.readView = untilTakenBack
    const on = failureOf(bench.set(true))
    await bench.passes(1)
    await bench.set(false)
    expect(await on).toMatchObject({ sentence: { id: 'gatewayOutputs.switchedOffMeanwhile' } })
    bench.gateway.deviceOf = untilTakenBack
    bench.gateway.imei = imei
    await bench.passes(4_000)
    const again = failureOf(bench.set(true))
    await bench.passes(1)
    void bench.outputs.allOff()
    expect(await again).toMatchObject({ sentence: { id: 'gatewayOutputs.switchedOffMeanwhile' } })
  })

  test('which is the reason also if a reading that was under way fails in its own way', async () => {
    const bench = openGateway()
    const view = Promise.withResolvers<unknown>()
    bench.gateway.readView = () => view.promise
    const on = failureOf(bench.set(true))
    await bench.passes(1)
    await bench.outputs.allOff()
    isLost().catch(view.reject)
    expect(await on).toMatchObject({ code: 'CANCELLED', sentence: { id: 'gatewayOutputs.switchedOffMeanwhile' } })
  })

  test('while its command is being written down, right before the first byte', async () => {
    const bench = openGateway()
    const { begin } = bench.log
    bench.log.begin = (write) => {
      bench.log.begin = begin
      void bench.outputs.allOff()
      return begin(write)
    }
    expect(await failureOf(bench.set(true))).toMatchObject({ code: 'CANCELLED', fate: 'notSent' })
    await bench.passes(4_000)
    expect([bench.gateway.sent, bench.shown()]).toEqual([['e 2 off'], []])
  })

  test('while it asks who is signed in, after its conditions', async () => {
    const bench = openGateway()
    const user = Promise.withResolvers<string>()
    bench.gateway.userName = () => user.promise
    const on = failureOf(bench.set(true))
    await bench.passes(1)
    await bench.outputs.allOff()
    user.resolve('fitter')
    expect(await on).toMatchObject({ sentence: { id: 'gatewayOutputs.switchedOffMeanwhile' } })
    expect([bench.gateway.sent, bench.shown(), bench.seen()]).toEqual([[], [], []])
  })

  test.each(offs)('%s, while it waits for its turn to leave', async (_, off) => {
    const bench = openGateway()
    const { answer } = bench.gateway
    bench.gateway.answer = (on, signal) => (on ? untilTakenBack(signal) : answer(on, signal))
    bench.gateway.takesEffect = false
    const on = failureOf(bench.set(true))
    await bench.passes(1)
    expect(bench.shown()).toEqual(['e 2 goingOn'])
    const done = off(bench)
    expect(await on).toMatchObject({ code: 'CANCELLED', sentence: { id: 'gatewayOutputs.switchedOffMeanwhile' } })
    expect(bench.shown()).toEqual([])
    await passed(bench, done)
    // "Off" is sent for what may have left, and it never adds an entry that nobody confirmed.
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
    await bench.passes(70_000)
    expect([bench.shown(), bench.seen().filter((what) => String(what).includes('ended'))]).toEqual([
      [],
      ['ledger: 1 ended, notSent']
    ])
  })

  test('but the one who called it off is told so', async () => {
    const bench = openGateway()
    const stop = new AbortController()
    bench.gateway.answer = (_on, signal) => untilTakenBack(signal)
    const on = failureOf(bench.set(true, { stop: stop.signal }))
    await bench.passes(1)
    stop.abort()
    expect(english((await on).sentence)).toBe('Not now.')
    expect(bench.shown()).toEqual([])
  })

  test('and of several at once “off” is sent once', async () => {
    const bench = openGateway()
    const all = await Promise.allSettled([bench.set(true), bench.set(false), bench.set(false)])
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(bench.gateway.sent).toEqual(['e 2 off'])
  })

  test('and not one that left: its answer is waited for, and its time begins then', async () => {
    const bench = openGateway()
    const late = Promise.withResolvers<{ message: string; deviceIsOnline: boolean; raw: null }>()
    const { answer } = bench.gateway
    bench.gateway.answer = (on, signal) => (on ? late.promise : answer(on, signal))
    const on = bench.set(true)
    await bench.passes(1)
    await bench.set(false)
    await bench.passes(10_000)
    expect(bench.note()).toContain('may still arrive')
    bench.gateway.takesEffect = false
    late.resolve({ message: '', deviceIsOnline: true, raw: null })
    expect(await on).toMatchObject({ state: 'waiting' })
    await bench.passes(55_000)
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    await bench.passes(10_000)
    expect(bench.shown()).toEqual([])
  })
})

describe('“Off” through the gateway', () => {
  test('is not confirmed while an “on” without an answer can still arrive', async () => {
    const bench = openGateway()
    const { answer } = bench.gateway
    Object.assign(bench.gateway, { answer: isLost, takesEffect: false })
    await bench.set(true)
    Object.assign(bench.gateway, { answer, takesEffect: true })
    await bench.passes(20_000)
    await bench.set(false)
    await bench.passes(30_000)
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    bench.carryOut(true)
    await bench.passes(50_000)
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    await bench.set(false)
    await bench.passes(4_000)
    expect(bench.shown()).toEqual([])
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off', 'e 2 off'])
  })

  test('is confirmed once that time is over, by a reading of after it', async () => {
    const bench = openGateway()
    const { answer } = bench.gateway
    Object.assign(bench.gateway, { answer: isLost, takesEffect: false })
    await bench.set(true)
    Object.assign(bench.gateway, { answer, takesEffect: true })
    await bench.set(false)
    bench.gateway.linesAt = at(-1)
    await bench.passes(55_000)
    expect(bench.note()).toContain('may still arrive')
    await bench.passes(10_000)
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    bench.gateway.linesAt = undefined
    await bench.passes(6_000)
    expect(bench.shown()).toEqual([])
    expect(bench.ledger.ended).toEqual([{ id: 1, how: 'proved' }])
  })

  test('is confirmed at once when the gateway showed that “on” took effect', async () => {
    const bench = openGateway()
    await bench.on()
    await bench.set(false)
    await bench.passes(1_000)
    expect(bench.shown()).toEqual([])
  })

  test('of what an earlier run left is not confirmed before its “on” can no longer arrive', async () => {
    const bench = openGateway({ earlier: [earlierRow()] })
    await bench.set(false)
    await bench.passes(55_000)
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    await bench.passes(10_000)
    expect(bench.shown()).toEqual([])
    const settled = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    await settled.set(false)
    await settled.passes(1_000)
    expect(settled.shown()).toEqual([])
  })

  test('that could not be sent is tried every 10 s until it was sent, and what was sent is not repeated', async () => {
    const bench = openGateway()
    await bench.on()
    const { answer } = bench.gateway
    Object.assign(bench.gateway, { answer: isAway, takesEffect: false })
    expect(await failureOf(bench.set(false))).toMatchObject({ code: 'UNREACHABLE' })
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    expect(bench.trouble()).toEqual(['Not now.'])
    await bench.passes(9_990)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
    await bench.passes(20_000)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off', 'e 2 off', 'e 2 off'])
    bench.gateway.answer = answer
    await bench.passes(600_000)
    expect(bench.gateway.sent).toHaveLength(5)
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    expect(bench.trouble()[0]).toContain('Expired')
  })

  test('of what may be on, pressed by a person and not sent, is tried every 10 s too', async () => {
    const bench = openGateway()
    bench.gateway.takesEffect = false
    await bench.set(true)
    await bench.passes(61_000)
    const { answer } = bench.gateway
    bench.gateway.answer = isAway
    expect(await failureOf(bench.set(false))).toMatchObject({ code: 'UNREACHABLE' })
    await bench.passes(10_100)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off', 'e 2 off'])
    Object.assign(bench.gateway, { answer, takesEffect: true })
    await bench.passes(15_000)
    expect([bench.shown(), bench.gateway.sent]).toEqual([[], ['e 2 on', 'e 2 off', 'e 2 off', 'e 2 off']])
    const earlier = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    earlier.gateway.answer = isAway
    expect(await failureOf(earlier.outputs.switchOff(1))).toMatchObject({ code: 'UNREACHABLE' })
    await earlier.passes(10_100)
    expect(earlier.gateway.sent).toEqual(['e 2 off', 'e 2 off'])
  })

  test('waits as long as the gateway says before it is tried again', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.answer = () => fails('RATE_LIMITED', { retryAtMs: Date.now() + 45_000 })()
    expect(await failureOf(bench.set(false))).toMatchObject({ code: 'RATE_LIMITED' })
    await bench.passes(44_900)
    expect(bench.gateway.sent).toHaveLength(2)
    await bench.passes(200)
    expect(bench.gateway.sent).toHaveLength(3)
    // A time that is over is no reason to ask without a pause.
    bench.gateway.answer = () => fails('RATE_LIMITED', { retryAtMs: Date.now() - 45_000 })()
    await bench.passes(48_000)
    expect(bench.gateway.sent.length).toBeGreaterThan(5)
    expect(bench.gateway.sent.length).toBeLessThan(9)
  })

  test('is asked again after a fault of Fitter only by a person, and the fault is reported', async () => {
    const bench = openGateway()
    await bench.on()
    const fault = new Error('broken')
    bench.gateway.answer = () => Promise.reject(fault)
    await expect(bench.set(false)).rejects.toBe(fault)
    const { lateOnMs } = bench.outputs.gateway.of(1) ?? {}
    expect(lateOnMs).toBe(0)
    await bench.passes(30_000)
    expect(bench.faults).toEqual([fault])
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  })

  test('by itself looks first whether the vehicle still has that device, and stops when it has another', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.answer = isAway
    expect(await failureOf(bench.set(false))).toMatchObject({ code: 'UNREACHABLE' })
    bench.gateway.imei = otherImei
    const { deviceOf } = bench.gateway
    let asked = 0
    bench.gateway.deviceOf = (signal) => ((asked += 1), deviceOf(signal))
    await bench.passes(60_000)
    expect([bench.gateway.sent, asked]).toEqual([['e 2 on', 'e 2 off'], 1])
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    expect(bench.trouble()).toEqual([
      `The vehicle now has the device ${otherImei}. Output e 2 of the device ${imei} may still be on: check it and confirm that it is off.`
    ])
    bench.gateway.imei = imei
    bench.outputs.gateway.seen()
    await bench.passes(1)
    expect(bench.gateway.sent).toHaveLength(3)
  })

  test('by a person who presses it while the vehicle’s device is looked up is sent at once, and once', async () => {
    const bench = openGateway()
    await bench.on()
    const device = Promise.withResolvers<string>()
    const { deviceOf } = bench.gateway
    bench.gateway.deviceOf = () => device.promise
    await bench.passes(60_000)
    bench.gateway.deviceOf = deviceOf
    const off = bench.set(false)
    await bench.passes(1)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
    device.resolve(otherImei)
    await off
    await bench.passes(60_000)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  })

  test('by itself stops when the vehicle has no device any more', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.imei = null
    let asked = 0
    const { deviceOf } = bench.gateway
    bench.gateway.deviceOf = (signal) => ((asked += 1), deviceOf(signal))
    await bench.passes(120_000)
    expect([bench.gateway.sent, asked]).toEqual([['e 2 on'], 1])
    expect(bench.trouble()).toEqual(['At the gateway this vehicle has no device.'])
  })

  test('by a person is sent at once, and compared afterwards', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.imei = otherImei
    const askedAfter: string[] = []
    const { deviceOf } = bench.gateway
    bench.gateway.deviceOf = (signal) => (askedAfter.push(...bench.gateway.sent), deviceOf(signal))
    await bench.set(false)
    await bench.passes(1)
    expect(askedAfter).toEqual(['e 2 on', 'e 2 off'])
    expect(bench.trials.list()[0]).toMatchObject({ state: 'problem', note: { id: 'gatewayOutputs.otherDevice' } })
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    expect(bench.trouble()[0]).toContain(`The vehicle now has the device ${otherImei}.`)
    await bench.passes(60_000)
    expect(bench.gateway.sent).toHaveLength(2)
  })

  test('by a person is about the output that may be on, also when the gateway named another device before', async () => {
    const bench = openGateway()
    await bench.on()
    const view = { event: null, engineBus: null, lines: [], linesAt: null, imei: otherImei }
    bench.outputs.gateway.conditions(view, 7, Date.now())
    bench.gateway.imei = otherImei
    await bench.set(false)
    await bench.passes(1)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
    expect(bench.trials.list()[0]).toMatchObject({ state: 'problem', note: { id: 'gatewayOutputs.otherDevice' } })
    expect(bench.outputs.ledger()).toMatchObject([{ imei, state: 'mayBeOn' }])
  })

  test('asks before it is sent who has the output only where nobody knows, and afterwards once', async () => {
    const bench = openGateway()
    let asked = 0
    const { deviceOf, readLines } = bench.gateway
    bench.gateway.deviceOf = (signal) => ((asked += 1), deviceOf(signal))
    const read: string[] = []
    bench.gateway.readLines = (device) => (read.push(device), readLines(device))
    bench.gateway.takesEffect = false
    await bench.set(false)
    expect(asked).toBe(2)
    await bench.passes(10_000)
    expect([asked, new Set(read)]).toEqual([2, new Set([imei])])
    bench.outputs.gateway.conditions(
      { event: null, engineBus: null, lines: [], linesAt: null, imei: null },
      8,
      Date.now()
    )
    bench.outputs.gateway.conditions(
      { event: null, engineBus: null, lines: [], linesAt: null, imei: otherImei },
      9,
      Date.now()
    )
    const off = bench.set(false, { vehicleId: 9 })
    expect(asked).toBe(2)
    await off
    expect(asked).toBe(3)
    expect(bench.seen().filter((what) => Array.isArray(what) && what[0] === 'intent')).toMatchObject([
      ['intent', { imei }],
      ['intent', { imei: otherImei }]
    ])
    await bench.set(false, { vehicleId: 8 })
    expect(asked).toBe(5)
  })

  test('of an output that two devices of the vehicle may have on is that of the one it has now', async () => {
    const bench = openGateway({
      earlier: [earlierRow({ imei: otherImei, isOnSettled: true }), earlierRow({ id: 2, isOnSettled: true })]
    })
    bench.outputs.gateway.conditions({ event: null, engineBus: null, lines: [], linesAt: null, imei }, 7, Date.now())
    await bench.set(false)
    await bench.passes(1_000)
    expect(bench.outputs.ledger().map(({ id }) => id)).toEqual([1])
  })

  test('that is not confirmed leaves one entry for its output, however often it is pressed', async () => {
    const bench = openGateway()
    bench.gateway.takesEffect = false
    await bench.set(false)
    await bench.passes(1_000)
    await bench.set(false)
    await bench.passes(70_000)
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    bench.gateway.takesEffect = true
    await bench.set(false)
    await bench.passes(4_000)
    expect(bench.shown()).toEqual([])
  })

  test('that is not confirmed leaves one entry for each device that the vehicle had meanwhile', async () => {
    const bench = openGateway()
    bench.gateway.takesEffect = false
    await bench.set(false)
    await bench.passes(2_000)
    await bench.set(false)
    await bench.passes(58_500)
    expect(bench.outputs.ledger().map((entry) => entry.imei)).toEqual([imei])
    const view = { event: null, engineBus: null, lines: [], linesAt: null, imei: otherImei }
    bench.outputs.gateway.conditions(view, 7, Date.now())
    await bench.passes(2_000)
    expect(bench.outputs.ledger().map((entry) => entry.imei)).toEqual([imei, otherImei])
  })

  test('that is confirmed leaves the ledger once it can be written, without another command', async () => {
    const bench = openGateway()
    await bench.on()
    bench.ledger.isFull = true
    await bench.set(false)
    await bench.passes(25_000)
    // At once, after 10 s and after 20 s.
    expect([bench.shown(), bench.faults.length]).toEqual([['e 2 goingOff'], 3])
    bench.ledger.isFull = false
    await bench.passes(10_000)
    expect([bench.shown(), bench.ledger.ended]).toEqual([[], [{ id: 1, how: 'proved' }]])
    await bench.passes(60_000)
    expect([bench.gateway.sent, bench.faults.length]).toEqual([['e 2 on', 'e 2 off'], 3])
  })

  test('that is confirmed and cannot be written into the ledger stays there, and is reported', async () => {
    const bench = openGateway()
    await bench.on()
    bench.ledger.isFull = true
    await bench.set(false)
    await bench.passes(4_000)
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    expect(bench.faults).toMatchObject([{ code: 'DATA_UNUSABLE' }])
    bench.ledger.isFull = false
    await bench.set(false)
    await bench.passes(4_000)
    expect(bench.shown()).toEqual([])
    await bench.passes(60_000)
    expect([bench.ledger.ended, bench.faults.length]).toEqual([[{ id: 1, how: 'proved' }], 1])
  })
})

describe('What an earlier run left at the gateway', () => {
  test('is said to be so, and gets no “off” by itself, also not at the end of Fitter', async () => {
    const bench = openGateway({ earlier: [earlierRow()] })
    expect(bench.trouble()).toEqual(['Fitter was closed before this output was confirmed off.'])
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    await bench.passes(600_000)
    expect(await passed(bench, bench.outputs.allOff())).toHaveLength(1)
    expect(bench.gateway.sent).toEqual([])
  })

  test.each<[string, (bench: GatewayBench) => Promise<unknown>]>([
    ['All off, asked for by a person', (bench) => bench.outputs.allOff({ isAsked: true })],
    ['a sign-out', (bench) => bench.outputs.leave({ path: 'gateway' })],
    ['its row in the list', (bench) => bench.outputs.switchOff(1)],
    ['“off” for it', (bench) => bench.set(false)],
    ['a gateway that answers again', (bench) => Promise.resolve(bench.outputs.gateway.seen())]
  ])('is switched off by %s', async (_, off) => {
    const bench = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    await passed(bench, off(bench))
    await bench.passes(4_000)
    expect([bench.gateway.sent, bench.shown()]).toEqual([['e 2 off'], []])
  })

  test('gets no “off” by the word of a person that is refused', async () => {
    const bench = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    bench.gateway.lines = [expander(true)]
    await expect(bench.outputs.confirmOff(1, 'seen')).rejects.toMatchObject({
      sentence: { id: 'outputs.wordWhileReadOn' }
    })
    await bench.passes(60_000)
    expect(bench.gateway.sent).toEqual([])
  })

  test('is this run’s once somebody pressed Off, also if that could not be sent', async () => {
    const bench = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    const { answer } = bench.gateway
    bench.gateway.answer = isAway
    expect(await failureOf(bench.set(false))).toMatchObject({ code: 'UNREACHABLE' })
    bench.gateway.answer = answer
    expect(await passed(bench, bench.outputs.allOff())).toEqual([])
    expect(bench.gateway.sent).toEqual(['e 2 off', 'e 2 off'])
  })

  test('at a device is nothing that the gateway could switch', async () => {
    const bench = openGateway({ earlier: [earlierRow({ output: 'OUT1', path: 'local', vehicleId: null })] })
    expect(await passed(bench, bench.outputs.allOff({ isAsked: true }))).toHaveLength(1)
    expect([bench.gateway.sent, bench.outputs.gateway.of(1)]).toEqual([[], undefined])
  })

  test('is this run’s once it sent “off”', async () => {
    const bench = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    bench.gateway.takesEffect = false
    await bench.set(false)
    await bench.passes(70_000)
    expect(bench.gateway.sent).toHaveLength(1)
    await passed(bench, bench.outputs.allOff())
    expect(bench.gateway.sent).toHaveLength(2)
  })

  test('goes off only when somebody can be asked', async () => {
    const bench = openGateway({ earlier: [earlierRow({ isOnSettled: true })], isUnserved: true })
    expect(bench.outputs.ledger()).toMatchObject([{ isReachable: false }])
    const view = { event: null, engineBus: null, lines: [], linesAt: null }
    expect(bench.outputs.gateway.conditions(view, 7, Date.now())).toMatchObject([
      {},
      {},
      {},
      { id: 'idle', holds: true }
    ])
    bench.outputs.gateway.seen()
    await bench.passes(1)
    // Nothing is tried again and again before somebody can be asked.
    expect(vi.getTimerCount()).toBe(0)
    await bench.passes(60_000)
    expect(await failureOf(bench.outputs.switchOff(1))).toMatchObject({
      code: 'UNREACHABLE',
      sentence: { id: 'gatewayOutputs.nobodyAsked' }
    })
    expect(await passed(bench, bench.outputs.allOff({ isAsked: true }))).toHaveLength(1)
    bench.serve()
    expect(bench.outputs.ledger()).toMatchObject([{ isReachable: true }])
    bench.outputs.gateway.seen()
    await bench.passes(4_000)
    expect([bench.gateway.sent, bench.shown()]).toEqual([['e 2 off'], []])
  })
})

describe('The word of a person about an output at the gateway', () => {
  const refusal = (bench: GatewayBench, id = 1) => failureOf(bench.outputs.confirmOff(id, 'fuse pulled'))

  test('ends its entry, with who it was', async () => {
    const bench = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    const end = vi.spyOn(bench.ledger, 'end')
    expect(bench.outputs.ledger()).toMatchObject([{ mayConfirmOff: true }])
    expect(await bench.outputs.confirmOff(1, 'fuse pulled')).toEqual([])
    expect(end.mock.calls).toEqual([
      [1, { how: 'person', by: 'Technician One', reason: 'fuse pulled', at: '2026-11-20T09:00:00.400Z' }]
    ])
    const notListed = { code: 'NOT_FOUND', sentence: { id: 'outputs.notListed' } }
    expect(await refusal(bench)).toMatchObject(notListed)
    expect(await failureOf(bench.outputs.gateway.personSawOff(1, '', ''))).toMatchObject(notListed)
    expect(await failureOf(bench.outputs.gateway.switchOff(1, 0))).toMatchObject(notListed)
    await bench.passes(60_000)
    expect(bench.gateway.sent).toEqual([])
    await bench.set(true)
    expect(bench.gateway.sent).toEqual(['e 2 on'])
  })

  test('is refused while Fitter has it on, or is switching it on', async () => {
    const bench = openGateway()
    await bench.set(true)
    for (const state of ['goingOn', 'on']) {
      expect(bench.outputs.ledger()).toMatchObject([{ state, mayConfirmOff: false }])
      const reads = vi.spyOn(bench.gateway, 'readLines')
      const failure = await refusal(bench)
      // What the lines show would not change that.
      expect(reads).not.toHaveBeenCalled()
      reads.mockRestore()
      expect(failure).toMatchObject({ code: 'CONFLICT', retryable: false })
      expect(english(failure.sentence)).toBe('Fitter is switching e 2 on or has it on. Switch it off first.')
      await bench.passes(3_000)
    }
    expect(bench.shown()).toEqual(['e 2 on'])
    // It still goes off by time.
    await bench.passes(60_000)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  })

  test('is refused while its “on” is being sent, also when it had to go off meanwhile', async () => {
    const bench = openGateway()
    const { answer } = bench.gateway
    bench.gateway.answer = (on, signal) => (on ? new Promise<never>(() => undefined) : answer(on, signal))
    void bench.set(true)
    await bench.passes(1)
    await bench.set(false)
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    expect(await refusal(bench)).toMatchObject({ code: 'CONFLICT', sentence: { id: 'outputs.wordWhileOn' } })
  })

  test('is refused while a late “on” is possible, and says for how long', async () => {
    const bench = openGateway({ earlier: [earlierRow()] })
    expect(bench.outputs.ledger()).toMatchObject([{ mayConfirmOff: false }])
    await bench.passes(20_300)
    const failure = await refusal(bench)
    expect(failure).toMatchObject({ code: 'CONFLICT', retryable: true })
    expect(english(failure.sentence)).toBe('A delayed “on” may still arrive for 40 s. Confirm after that.')
    await bench.passes(39_600)
    expect(english((await refusal(bench)).sentence)).toBe(
      'A delayed “on” may still arrive for 1 s. Confirm after that.'
    )
    await bench.passes(100)
    expect(bench.outputs.ledger()).toMatchObject([{ mayConfirmOff: true }])
    expect(await bench.outputs.confirmOff(1, 'fuse pulled')).toEqual([])
  })

  test.each<[string, boolean, number | null, boolean]>([
    ['now', true, 0, false],
    ['15 min ago', true, 900, false],
    ['longer ago', true, 901, true],
    ['at a time that nobody knows', true, null, true],
    ['off', false, 0, true]
  ])('is refused while the gateway shows it on: shown %s', async (_, isOn, agoS, counts) => {
    const bench = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    Object.assign(bench.gateway, { lines: [expander(isOn)], linesAt: agoS === null ? null : at(agoS) })
    if (counts) return expect(await bench.outputs.confirmOff(1, 'fuse pulled')).toEqual([])
    const failure = await refusal(bench)
    expect(failure).toMatchObject({ code: 'CONFLICT' })
    expect(english(failure.sentence)).toBe(
      'The device reads e 2 as on. Switch it off, or disconnect the device, before you confirm.'
    )
    expect(bench.outputs.ledger()).toMatchObject([{ mayConfirmOff: false }])
    bench.gateway.lines = [expander(false)]
    expect(await bench.outputs.confirmOff(1, 'fuse pulled')).toEqual([])
  })

  test('is heard against what was followed earlier: the lines are read anew', async () => {
    const bench = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    bench.gateway.takesEffect = false
    bench.gateway.lines = [expander(true)]
    await bench.set(false)
    await bench.passes(4_000)
    expect(bench.outputs.ledger()).toMatchObject([{ state: 'goingOff', mayConfirmOff: false }])
    bench.gateway.lines = [expander(false)]
    expect(await bench.outputs.confirmOff(1, 'fuse pulled')).toEqual([])
    await bench.passes(70_000)
    // What was followed says nothing about an output that a person ended.
    expect(bench.shown()).toEqual([])
  })

  test('is heard against what was followed earlier, also when the gateway cannot be asked any more', async () => {
    const bench = openGateway({ earlier: [earlierRow({ isOnSettled: true })] })
    bench.gateway.takesEffect = false
    bench.gateway.lines = [expander(true)]
    await bench.set(false)
    await bench.passes(4_000)
    bench.gateway.readLines = isAway
    expect(await bench.outputs.confirmOff(1, 'fuse pulled')).toEqual([])
  })

  test('is heard for an output whose proof could not be written, and nothing is written twice', async () => {
    const bench = openGateway()
    await bench.on()
    bench.ledger.isFull = true
    await bench.set(false)
    await bench.passes(1_000)
    expect(await refusal(bench)).toMatchObject({ code: 'DATA_UNUSABLE' })
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    bench.ledger.isFull = false
    expect(await bench.outputs.confirmOff(1, 'fuse pulled')).toEqual([])
    await bench.passes(60_000)
    expect([bench.ledger.ended, bench.faults.length]).toEqual([[{ id: 1, how: 'person' }], 1])
  })

  test('is heard when the gateway does not answer, or not in time, and a fault of Fitter is one', async () => {
    const bench = openGateway({
      earlier: [
        earlierRow({ isOnSettled: true }),
        earlierRow({ id: 2, output: 'e 3', isOnSettled: true }),
        earlierRow({ id: 3, output: 'e 4', isOnSettled: true })
      ],
      isUnserved: true
    })
    expect(await bench.outputs.confirmOff(1, 'fuse pulled')).toHaveLength(2)
    bench.serve()
    bench.gateway.readLines = isAway
    expect(await bench.outputs.confirmOff(2, 'fuse pulled')).toHaveLength(1)
    bench.gateway.readLines = () => Promise.reject(new Error('broken'))
    await expect(bench.outputs.confirmOff(3, 'fuse pulled')).rejects.toThrow('broken')
  })

  test('is not needed any more when it was confirmed off while the lines were read', async () => {
    const bench = openGateway()
    await bench.on()
    await bench.set(false)
    const lines = Promise.withResolvers<{ lines: []; at: null }>()
    const { readLines } = bench.gateway
    bench.gateway.readLines = () => lines.promise
    const word = bench.outputs.confirmOff(1, 'fuse pulled')
    bench.gateway.readLines = readLines
    await bench.passes(4_000)
    expect(bench.shown()).toEqual([])
    lines.resolve({ lines: [], at: null })
    expect(await word).toEqual([])
    expect(bench.ledger.ended).toEqual([{ id: 1, how: 'proved' }])
  })
})

describe('The list waits for “off”', () => {
  test('only as long as the end of Fitter would', async () => {
    const bench = openGateway({ earlier: [earlierRow()] })
    const beganMs = Date.now()
    expect(await passed(bench, bench.outputs.switchOff(1))).toMatchObject([{ state: 'goingOff' }])
    expect(Date.now() - beganMs).toBeGreaterThanOrEqual(quitMs)
    expect(Date.now() - beganMs).toBeLessThan(quitMs + 100)
    const again = Date.now()
    expect(await passed(bench, bench.outputs.allOff())).toHaveLength(1)
    expect(Date.now() - again).toBeLessThan(quitMs + 100)
    // What is on its way is not sent once more.
    expect(bench.gateway.sent).toEqual(['e 2 off'])
  })

  test('since it was sent, whoever sent it', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.takesEffect = false
    await bench.set(false)
    await bench.passes(5_000)
    const beganMs = Date.now()
    expect(await passed(bench, bench.outputs.switchOff(1))).toMatchObject([{ state: 'goingOff' }])
    expect(Date.now() - beganMs).toBeGreaterThanOrEqual(quitMs - 5_000)
    expect(Date.now() - beganMs).toBeLessThan(quitMs - 5_000 + 100)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  })

  test('until the moment at which it is confirmed, and leaves nothing that would wait longer', async () => {
    const bench = openGateway()
    await bench.on()
    const { readLines } = bench.gateway
    bench.gateway.readLines = async (device) => {
      await new Promise((resolve) => setTimeout(resolve, 130))
      return readLines(device)
    }
    const ended: number[] = []
    const off = bench.outputs.switchOff(1).then(() => ended.push(Date.now()))
    const { end } = bench.ledger
    bench.ledger.end = (...row) => {
      ended.push(Date.now())
      end(...row)
    }
    await bench.passes(129)
    expect(ended).toEqual([])
    await bench.passes(1)
    await off
    expect(ended).toEqual([Date.now(), Date.now()])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('no longer than it takes to be confirmed, or refused', async () => {
    const bench = openGateway()
    await bench.on()
    const beganMs = Date.now()
    expect(await passed(bench, bench.outputs.switchOff(1))).toEqual([])
    expect(Date.now() - beganMs).toBeLessThan(1_000)
    await bench.set(true)
    await bench.passes(3_000)
    bench.gateway.imei = otherImei
    const againMs = Date.now()
    expect(await passed(bench, bench.outputs.switchOff(2))).toMatchObject([{ state: 'mayBeOn' }])
    expect(Date.now() - againMs).toBeLessThan(1_000)
  })

  test('and ends a command that nobody answers', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.answer = (_on, signal) => untilTakenBack(signal)
    const beganMs = Date.now()
    expect(await failureOf(passed(bench, bench.outputs.switchOff(1)))).toMatchObject({ code: 'CANCELLED' })
    expect(Date.now() - beganMs).toBeLessThan(quitMs + 100)
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
  })

  test('and sends it again to what was tried and may still be on', async () => {
    const bench = openGateway()
    bench.gateway.takesEffect = false
    await bench.set(true)
    await bench.passes(61_000)
    expect(bench.gateway.sent).toEqual(['e 2 on'])
    bench.gateway.takesEffect = true
    expect(await passed(bench, bench.outputs.switchOff(1))).toEqual([])
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  })

  test('says why nothing could be sent, and a sign-out is refused then', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.answer = refuses
    expect(await failureOf(bench.outputs.switchOff(1))).toMatchObject({ code: 'NOT_PERMITTED' })
    expect(await failureOf(passed(bench, bench.outputs.leave({ path: 'gateway' })))).toMatchObject({
      code: 'CONFLICT',
      sentence: { id: 'outputs.staysForOutputs' }
    })
    await bench.outputs.leave({ path: 'local' })
  })

  test('and reports what is a fault of Fitter', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.answer = () => Promise.reject(new Error('broken'))
    expect(await passed(bench, bench.outputs.allOff())).toMatchObject([{ output: 'e 2' }])
    expect(bench.faults.map(String)).toEqual(['Error: broken'])
  })
})

describe('The end of Fitter', () => {
  test('ends what is tried by itself, and waits for what is being sent', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.answer = isAway
    expect(await failureOf(bench.set(false))).toMatchObject({ code: 'UNREACHABLE' })
    await bench.passes(1_000)
    await bench.outputs.stop()
    await bench.passes(60_000)
    bench.outputs.gateway.seen()
    await bench.passes(60_000)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
  })

  test('waits for the answer of an “off” that left, so that it is logged', async () => {
    const bench = openGateway()
    await bench.on()
    const answer = Promise.withResolvers<{ message: string; deviceIsOnline: boolean; raw: null }>()
    bench.gateway.answer = () => answer.promise
    await bench.passes(60_000)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
    let isOver = false
    const stopped = bench.outputs.stop().then(() => (isOver = true))
    await bench.passes(5_000)
    expect(isOver).toBe(false)
    bench.seen()
    answer.resolve({ message: 'Command sent', deviceIsOnline: true, raw: null })
    await stopped
    expect(bench.seen()).toContainEqual(['result', 5, 'done', 'Command sent', null])
  })

  test('does not wait for another attempt when it ends one', async () => {
    const bench = openGateway()
    await bench.on()
    bench.gateway.answer = (_on, signal) => untilTakenBack(signal)
    await bench.passes(60_000)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
    const beganMs = Date.now()
    await passed(bench, bench.outputs.stop())
    expect(Date.now() - beganMs).toBeLessThan(100)
  })

  test('switches nothing off by time any more', async () => {
    const bench = openGateway()
    await bench.on()
    await bench.outputs.stop()
    expect(vi.getTimerCount()).toBe(0)
    await bench.passes(600_000)
    expect(bench.gateway.sent).toEqual(['e 2 on'])
  })
})
