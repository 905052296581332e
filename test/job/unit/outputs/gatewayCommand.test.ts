import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { english } from '../../../world/window/english.ts'
import {
  earlierRow,
  failureOf,
  fails,
  imei,
  isAway,
  isLost,
  openGateway,
  refuses
} from '../../../world/gateway/gatewayOutputBench.ts'

const intent = (state: boolean, otype = 'e', device = imei) => [
  'intent',
  { imei: device, operation: 'remote.output', input: { vehicleId: 7, otype, out: 2, state } }
]
const sent = (state: boolean, otype = 'e') => ['sent', 7, { otype, out: 2, state }]
const done = ['result', 5, 'done', 'Command sent', { ok: 1 }]
const begun = 'ledger: e 2 may be on, by Technician One (no job)'

describe('A command through the gateway', () => {
  it('is logged and in the ledger before it is sent, and its answer is logged', async () => {
    const bench = openGateway({ isByHand: true })
    await bench.set(true)
    expect(bench.seen()).toEqual([begun, intent(true), sent(true), done])
    expect(bench.shown()).toEqual(['e 2 goingOn'])
    const { title, note, limitMs, everyMs, kind, vehicleId, whenOver } = bench.follow()
    expect({ kind, vehicleId, limitMs, everyMs }).toEqual({
      kind: 'output',
      vehicleId: 7,
      limitMs: 60_000,
      everyMs: 3_000
    })
    expect([title, note, whenOver.note, whenOver.remedy].map(english)).toEqual([
      'Expander output 2 on',
      'Waiting for the gateway’s log and line state.',
      'Expired: not confirmed by the gateway within 60 s. The command is not sent again, but may still take effect.',
      'Send “off” now and stay with the vehicle until the gateway shows the output off.'
    ])
  })

  it('that switches a wired output off is named by its type, is in no ledger, and is tried again by hand', async () => {
    const bench = openGateway({ isByHand: true })
    await bench.set(false, { otype: 'o' })
    expect(bench.seen()).toEqual([intent(false, 'o'), sent(false, 'o'), done])
    expect(bench.shown()).toEqual([])
    expect([bench.follow().title, bench.follow().whenOver.remedy].map(english)).toEqual([
      'Output (o) 2 off',
      'Send “off” again and check the output itself.'
    ])
  })

  it('is not sent for a vehicle without a device', async () => {
    const bench = openGateway()
    bench.gateway.imei = null
    for (const on of [true, false])
      expect(await failureOf(bench.set(on))).toMatchObject({
        code: 'NOT_FOUND',
        sentence: { id: 'gatewayOutputs.noDevice' }
      })
    expect(bench.seen()).toEqual([])
  })

  it('is not sent while nobody is signed in to the gateway, and says so', async () => {
    const bench = openGateway({ isUnserved: true })
    for (const on of [true, false])
      expect(await failureOf(bench.set(on))).toMatchObject({
        code: 'UNREACHABLE',
        fate: 'notSent',
        retryable: true,
        sentence: { id: 'gatewayOutputs.nobodyAsked' }
      })
    bench.serve()
    await bench.set(true)
    expect(bench.gateway.sent).toEqual(['e 2 on'])
  })

  it('“on” that is refused was never sent: the log says why, and the ledger forgets it', async () => {
    const bench = openGateway()
    bench.gateway.answer = refuses
    expect(await failureOf(bench.set(true))).toMatchObject({ code: 'NOT_PERMITTED' })
    expect(bench.seen().slice(3)).toEqual([
      ['result', 5, 'refused', 'Not now.', null],
      'ledger: 1 cannot come on late',
      'ledger: 1 ended, notSent'
    ])
    expect(bench.shown()).toEqual([])
    bench.gateway.answer = () => Promise.resolve({ message: '', deviceIsOnline: true, raw: null })
    await bench.set(true)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 on'])
  })

  it('“on” that certainly did not leave is out of the ledger too', async () => {
    const bench = openGateway()
    bench.gateway.answer = isAway
    expect(await failureOf(bench.set(true))).toMatchObject({ code: 'UNREACHABLE' })
    expect(bench.shown()).toEqual([])
  })

  it('“off” that is refused leaves an output that may be on in the ledger, says why, and adds none', async () => {
    const none = openGateway()
    none.gateway.answer = refuses
    expect(await failureOf(none.set(false))).toMatchObject({ code: 'NOT_PERMITTED' })
    expect(none.seen().slice(2)).toEqual([['result', 5, 'refused', 'Not now.', null]])
    expect(none.shown()).toEqual([])
    const bench = openGateway({ earlier: [earlierRow()] })
    bench.gateway.answer = refuses
    expect(await failureOf(bench.set(false))).toMatchObject({ code: 'NOT_PERMITTED' })
    expect(bench.shown()).toEqual(['e 2 mayBeOn'])
    expect(bench.trouble()).toEqual(['Not now.'])
  })

  it.each<[string, unknown, string]>([
    ['a fault of Fitter', new Error('broken'), 'broken'],
    ['something that is no error', 'broken', 'failed']
  ])('that ends with %s is not followed, may have left, and gets “off”', async (_, fault, detail) => {
    const bench = openGateway({ isByHand: true })
    const faults = [fault]
    const { answer } = bench.gateway
    bench.gateway.answer = (on, signal) =>
      faults.length > 0 ? Promise.reject(faults.pop() as Error) : answer(on, signal)
    await expect(bench.set(true)).rejects.toBe(fault)
    expect(bench.seen()[3]).toEqual(['result', 5, 'unknown', detail, null])
    expect(bench.shown()).toEqual(['e 2 goingOff'])
    await bench.passes(1)
    expect(bench.gateway.sent).toEqual(['e 2 on', 'e 2 off'])
    expect(bench.follow().limitMs).toBeGreaterThan(119_000)
  })

  it.each<[string, () => Promise<never>]>([
    ['is lost', isLost],
    ['says that it exists already', fails('CONFLICT')]
  ])('whose answer %s is followed, because it may have arrived', async (_, answer) => {
    const bench = openGateway({ isByHand: true })
    bench.gateway.answer = answer
    await bench.set(true)
    expect(bench.seen().slice(3)).toEqual([['result', 5, 'unknown', 'Not now.', null]])
    expect(bench.shown()).toEqual(['e 2 goingOn'])
    expect(english(bench.follow().note)).toBe(
      'We can’t tell whether the command arrived (Not now.). Waiting for the gateway’s log and line state.'
    )
    bench.gateway.log = []
    expect(await bench.look()).toBe(
      'waiting: We can’t tell whether the command arrived (Not now.). The gateway has not logged the command yet.'
    )
  })

  it('to a device that is offline says that it may arrive later', async () => {
    const bench = openGateway({ isByHand: true })
    Object.assign(bench.gateway, {
      takesEffect: false,
      answer: () => Promise.resolve({ message: 'Queued', deviceIsOnline: false, raw: null })
    })
    await bench.set(true)
    expect(english(bench.follow().note)).toBe(
      'The device is offline. The gateway may store this command and send it later.'
    )
    expect(await bench.look()).toBe('waiting: The device is offline. The gateway has not logged the command yet.')
  })

  it('“off” is followed longer while an earlier “on” can still arrive, at most for two times its limit', async () => {
    const bench = openGateway({ isByHand: true, earlier: [earlierRow()] })
    await bench.passes(40_000)
    await bench.set(false)
    expect(bench.follow().limitMs).toBe(80_000)
    const sending = openGateway({ isByHand: true })
    const late = Promise.withResolvers<{ message: string; deviceIsOnline: boolean; raw: null }>()
    const { answer } = sending.gateway
    sending.gateway.answer = (on, signal) => (on ? late.promise : answer(on, signal))
    const on = sending.set(true)
    await sending.passes(1)
    await sending.set(false)
    expect(sending.follow().limitMs).toBe(180_000)
    late.resolve({ message: '', deviceIsOnline: true, raw: null })
    await on
    expect(sending.follow().limitMs).toBe(60_000)
  })

  it('“on” names all conditions that are not met, and sends nothing', async () => {
    const bench = openGateway()
    bench.gateway.event = null
    const failure = await failureOf(bench.set(true))
    expect(failure).toMatchObject({ code: 'INTERLOCK' })
    expect(english(failure.sentence)).toBe(
      'Not switched on. The vehicle sent no event in the last 6 hours. The gateway shows no speed. The gateway shows no ignition state from the last 60 s.'
    )
    expect(bench.seen()).toEqual([])
    expect(bench.shown()).toEqual([])
  })

  it('“on” waits for another one of the same vehicle that is followed, and for no other', async () => {
    const bench = openGateway({ isByHand: true })
    const other = { kind: 'output', vehicleId: 7, state: 'waiting' } as const
    for (const [index, test] of [
      { ...other, kind: 'photo' as const },
      { ...other, vehicleId: 8 },
      { ...other, state: 'found' as const }
    ].entries()) {
      bench.follows([test])
      await bench.set(true, { out: index + 1 })
    }
    bench.follows([{ ...other, vehicleId: 8 }, other])
    const failure = await failureOf(bench.set(true, { out: 4 }))
    expect(english(failure.sentence)).toBe('Not switched on. Another output of this vehicle is being watched.')
    const idle = (vehicleId = 7) =>
      bench.outputs.gateway
        .conditions({ event: null, engineBus: null, lines: [], linesAt: null }, vehicleId, Date.now())
        .find(({ id }) => id === 'idle')?.holds
    expect(idle()).toBe(false)
    bench.follows([])
    expect(idle()).toBe(true)
    const sending = bench.set(false)
    expect([idle(), idle(70)]).toEqual([false, true])
    await sending
    expect(idle()).toBe(true)
    const on = bench.set(true, { out: 4 })
    expect([idle(), idle(70)]).toEqual([false, true])
    await on
    expect(idle()).toBe(true)
  })

  it('“on” is held back by one that another one began to follow while it read its conditions', async () => {
    const bench = openGateway({ isByHand: true })
    const on = bench.set(true)
    bench.follows([{ kind: 'output', vehicleId: 7, state: 'waiting' }])
    expect(english((await failureOf(on)).sentence)).toBe(
      'Not switched on. Another output of this vehicle is being watched.'
    )
    expect(bench.gateway.sent).toEqual([])
  })

  it('that switches on while another is being sent is refused, whichever it is', async () => {
    const bench = openGateway()
    const first = bench.set(true)
    for (const failure of [await failureOf(bench.set(true)), await failureOf(bench.set(true, { otype: 'o' }))]) {
      expect(failure).toMatchObject({ code: 'INTERLOCK' })
      expect(english(failure.sentence)).toBe('Not switched on. Another output of this vehicle is being watched.')
    }
    await first
    const off = bench.set(false, { vehicleId: 8 })
    await bench.set(true, { vehicleId: 80 })
    await off
    expect(bench.gateway.sent).toHaveLength(3)
  })

  it('that switches off while the same one is being sent is that one', async () => {
    const bench = openGateway({ isByHand: true })
    const off = bench.set(false)
    const same = bench.set(false)
    expect(await same).toBe(await off)
    expect(bench.gateway.sent).toEqual(['e 2 off'])
    await bench.set(false)
    expect(bench.gateway.sent).toEqual(['e 2 off', 'e 2 off'])
  })

  it('“on” is not sent when nobody can write that down, in the ledger or in the log', async () => {
    const bench = openGateway()
    bench.ledger.isFull = true
    await expect(bench.set(true)).rejects.toMatchObject({ code: 'DATA_UNUSABLE' })
    bench.ledger.isFull = false
    bench.log.isFull = true
    await expect(bench.set(true)).rejects.toThrow('The disk is full.')
    bench.log.isFull = false
    expect([bench.gateway.sent, bench.shown()]).toEqual([[], []])
    expect(bench.seen()).toEqual([begun, 'ledger: 1 cannot come on late', 'ledger: 1 ended, notSent'])
    await bench.set(true)
    expect(bench.gateway.sent).toEqual(['e 2 on'])
  })

  it('“off” is sent although nobody can write that down, and that is reported', async () => {
    const bench = openGateway({ isByHand: true })
    bench.log.isFull = true
    await bench.set(false)
    expect(bench.gateway.sent).toEqual(['e 2 off'])
    expect(bench.seen()).toEqual([sent(false)])
    bench.log.isFull = false
    bench.log.isEndFull = true
    await bench.set(true)
    expect(bench.gateway.sent).toEqual(['e 2 off', 'e 2 on'])
    expect(bench.faults.map(String)).toEqual(Array.from({ length: 2 }, () => 'Error: The disk is full.'))
    expect(bench.shown()).toEqual(['e 2 goingOn'])
  })

  it('“on” that the gateway refused is called refused, also when it was switched off while it was sent', async () => {
    const bench = openGateway({ isByHand: true })
    const late = Promise.withResolvers<never>()
    const { answer } = bench.gateway
    bench.gateway.answer = (on, signal) => (on ? late.promise : answer(on, signal))
    const on = failureOf(bench.set(true))
    await bench.passes(1)
    await bench.set(false)
    void refuses().catch(late.reject)
    expect(await on).toMatchObject({ code: 'NOT_PERMITTED' })
    expect(bench.shown()).toEqual([])
  })

  it('is given up by whoever asked for it, and that is no word about the output', async () => {
    const bench = openGateway()
    const stop = new AbortController()
    bench.gateway.readView = () =>
      new Promise((_resolve, reject) =>
        stop.signal.addEventListener('abort', () => reject(new AppError('CANCELLED', plainMessage('Given up.'))))
      )
    const on = bench.set(true, { stop: stop.signal })
    await bench.passes(1)
    stop.abort()
    expect(await failureOf(on)).toMatchObject({ code: 'CANCELLED', sentence: plainMessage('Given up.') })
    expect([bench.gateway.sent, bench.shown()]).toEqual([[], []])
  })
})
