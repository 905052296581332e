import { describe, expect, it } from 'vitest'
import { judgeOutput } from '../../../main/outputs/gatewayOutputs.ts'
import type { LineState } from '../../../preload/contract/gateway/accessories.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { english } from '../../support/english.ts'
import { shippedLimits } from '../../support/outputs.ts'
import { expander, imei, openGateway, startMs, useGatewayClock, type View } from '../../support/gatewayOutputBench.ts'

useGatewayClock()

describe('A command through the gateway', () => {
  it('is logged and in the ledger before it is sent, and its answer is logged', async () => {
    const bench = openGateway()
    await bench.set(true)
    expect(bench.seen()).toEqual([
      ['ledger', 'on its way', `${imei} e 2 of 7`],
      ['intent', { imei, operation: 'remote.output', input: { vehicleId: 7, otype: 'e', out: 2, state: true } }],
      ['sent', 7, { otype: 'e', out: 2, state: true }],
      ['result', 5, 'done', 'Command sent', { ok: 1 }],
      ['late on', 60_000]
    ])
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

  it('that switches a wired output off is named by its type, and is tried again by hand', async () => {
    const bench = openGateway()
    await bench.set(false, 'o')
    expect(bench.seen()).toEqual([
      ['ledger', 'goingOff', `${imei} o 2 of 7`],
      ['intent', { imei, operation: 'remote.output', input: { vehicleId: 7, otype: 'o', out: 2, state: false } }],
      ['sent', 7, { otype: 'o', out: 2, state: false }],
      ['result', 5, 'done', 'Command sent', { ok: 1 }]
    ])
    expect([bench.follow().title, bench.follow().whenOver.remedy].map(english)).toEqual([
      'Output (o) 2 off',
      'Send “off” again and check the output itself.'
    ])
  })

  it('is not sent for a vehicle without a device', async () => {
    const bench = openGateway()
    bench.gateway.imei = null
    await expect(bench.set(false)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      sentence: { id: 'gatewayOutputs.noDevice' }
    })
    expect(bench.seen()).toEqual([])
  })

  it('that is refused was never sent: the log says why, and the ledger forgets it', async () => {
    const bench = openGateway()
    bench.gateway.answer = () =>
      Promise.reject(new AppError('NOT_PERMITTED', plainMessage('No right.'), { fate: 'refused' } as never))
    await expect(bench.set(true)).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    expect(bench.seen().slice(3)).toEqual([
      ['result', 5, 'refused', 'No right.', null],
      ['ledger', 'notSent', `${imei} e 2 of 7`]
    ])
  })

  it('that is refused while an earlier “on” may still arrive leaves that one as it was', async () => {
    const bench = openGateway()
    Object.assign(bench.gateway, {
      isInLedger: true,
      lateOnLeftMs: 12_000,
      answer: () => Promise.reject(new AppError('NOT_PERMITTED', plainMessage('No right.')))
    })
    await expect(bench.set(true)).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    expect(bench.seen().slice(4)).toEqual([
      ['late on', 12_000],
      ['ledger', 'mayBeOn', `${imei} e 2 of 7`]
    ])
  })

  it('“off” that is refused leaves an output that may be on in the ledger, and adds none', async () => {
    const bench = openGateway()
    bench.gateway.answer = () => Promise.reject(new AppError('NOT_PERMITTED', plainMessage('No right.')))
    await expect(bench.set(false)).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    expect(bench.seen().slice(3)).toEqual([['result', 5, 'refused', 'No right.', null]])
    bench.gateway.isInLedger = true
    await expect(bench.set(false)).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    expect(bench.seen().slice(4)).toEqual([['ledger', 'mayBeOn', `${imei} e 2 of 7`]])
  })

  it.each<[string, Error, string]>([
    ['a fault of Fitter', new Error('broken'), 'broken'],
    ['something that is no error', 'broken' as never, 'failed']
  ])('that ends with %s is not followed', async (_, fault, detail) => {
    const bench = openGateway()
    bench.gateway.answer = () => Promise.reject(fault)
    await expect(bench.set(true)).rejects.toBe(fault)
    expect(bench.seen()[3]).toEqual(['result', 5, 'refused', detail, null])
    expect(() => bench.follow()).toThrow('nothing is followed')
  })

  it.each<[string, AppError]>([
    ['is lost', new AppError('TIMEOUT', plainMessage('Too late.'), { retryable: true })],
    ['says that it exists already', new AppError('CONFLICT', plainMessage('Too late.'))]
  ])('whose answer %s is followed, because it may have arrived', async (_, error) => {
    const bench = openGateway()
    bench.gateway.answer = () => Promise.reject(error)
    await bench.set(true)
    expect(bench.seen().slice(3)).toEqual([
      ['result', 5, 'unknown', error.message, null],
      ['late on', 60_000]
    ])
    expect(english(bench.follow().note)).toBe(
      'We can’t tell whether the command arrived (Too late.). Waiting for the gateway’s log and line state.'
    )
    expect(await bench.look()).toBe(
      'waiting: We can’t tell whether the command arrived (Too late.). The gateway has not logged the command yet.'
    )
  })

  it('to a device that is offline says that it may arrive later', async () => {
    const bench = openGateway()
    bench.gateway.answer = () => Promise.resolve({ message: 'Queued', deviceIsOnline: false, raw: null })
    await bench.set(true)
    expect(english(bench.follow().note)).toBe(
      'The device is offline. The gateway may store this command and send it later.'
    )
    expect(await bench.look()).toBe('waiting: The device is offline. The gateway has not logged the command yet.')
  })

  it('is followed longer while an earlier “on” can still arrive, at most for two times its limit', async () => {
    const bench = openGateway()
    bench.gateway.lateOnLeftMs = 20_000
    await bench.set(false)
    expect(bench.follow().limitMs).toBe(80_000)
    bench.gateway.lateOnLeftMs = Infinity
    await bench.set(false)
    expect(bench.follow().limitMs).toBe(180_000)
    bench.gateway.lateOnLeftMs = 20_000
    await bench.set(true)
    expect(bench.follow().limitMs).toBe(60_000)
  })

  it('“on” names all conditions that are not met, and sends nothing', async () => {
    const bench = openGateway()
    bench.gateway.event = null
    const failure = await bench.set(true).catch((error: unknown) => error as AppError)
    expect(failure).toMatchObject({ code: 'INTERLOCK' })
    expect(english((failure as AppError).sentence)).toBe(
      'Not switched on. The vehicle sent no event in the last 6 hours. The gateway shows no speed. The gateway shows no ignition state from the last 60 s.'
    )
    expect(bench.seen()).toEqual([])
  })

  it('“on” waits for another one of the same vehicle that is followed, and for no other', async () => {
    const bench = openGateway()
    const other = { kind: 'output', vehicleId: 7, state: 'waiting' } as const
    for (const test of [
      { ...other, kind: 'photo' as const },
      { ...other, vehicleId: 8 },
      { ...other, state: 'found' as const }
    ]) {
      bench.follows([test])
      await bench.set(true)
    }
    bench.follows([{ ...other, vehicleId: 8 }, other])
    const failure = await bench.set(true).catch((error: unknown) => error as AppError)
    expect(english((failure as AppError).sentence)).toBe(
      'Not switched on. Another output of this vehicle is being watched.'
    )
    const idle = () =>
      bench.outputs
        .conditions({ event: null, engineBus: null, lines: [], linesAt: null }, 7, Date.now())
        .find(({ id }) => id === 'idle')?.holds
    expect(idle()).toBe(false)
    bench.follows([])
    expect(idle()).toBe(true)
    const sending = bench.set(false)
    expect(idle()).toBe(false)
    await sending
    expect(idle()).toBe(true)
  })

  it('that switches on while another is being sent is refused, whichever it is', async () => {
    const bench = openGateway()
    const first = bench.set(true)
    const again = await bench.set(true).catch((error: unknown) => error as AppError)
    const other = await bench.set(true, 'o').catch((error: unknown) => error as AppError)
    for (const failure of [again, other]) {
      expect(failure).toMatchObject({ code: 'INTERLOCK' })
      expect(english((failure as AppError).sentence)).toBe(
        'Not switched on. Another output of this vehicle is being watched.'
      )
    }
    await first
  })

  it('that is over lets the one that overtook it finish', async () => {
    const bench = openGateway()
    const late = Promise.withResolvers<{ message: string; deviceIsOnline: boolean; raw: null }>()
    // "Off" overtakes "on", which reads the conditions first.
    const answers = [() => late.promise, bench.gateway.answer]
    bench.gateway.answer = () => answers.shift()?.() ?? Promise.reject(new Error('sent too often'))
    const on = bench.set(true)
    const off = bench.set(false)
    await on
    const same = bench.set(false)
    late.resolve({ message: 'Command sent', deviceIsOnline: true, raw: null })
    expect(await same).toBe(await off)
  })
})

describe('The conditions of “on”, in words', () => {
  const event = {
    at: '2026-11-20T08:59:30.400Z',
    ageS: 30,
    type: 10,
    label: 'prdtst',
    speedKmh: 0 as number | null,
    validPosition: true as boolean | null,
    speedAt: '2026-11-20T08:59:30.400Z' as string | null,
    ignition: null,
    ignitionAt: null
  }
  const bus = (isEngineOn: boolean, isDetected = true) => ({
    protocol: '',
    firmware: '',
    isDetected,
    isEngineOn,
    isUpgrading: false,
    updatedAt: null,
    raw: null
  })
  const ignition = (on: boolean | null): LineState[] => [
    expander(true),
    { name: 'IGN', kind: 'ignition', number: 0, on, isShorted: null }
  ]
  const parked: View = { event, engineBus: null, lines: ignition(false), linesAt: event.at }
  const judge = (view: View, isBusy = false) => judgeOutput(view, { isBusy, nowMs: startMs, limits: shippedLimits })

  it('say what holds of a parked vehicle', () => {
    expect(judge(parked).map(({ id, holds, what }) => [id, holds, english(what)])).toEqual([
      ['fresh', true, 'The latest event is 30 s old (limit 60 s). An offline device would run the command later.'],
      ['standing', true, 'Speed 0 km/h; it must be 0.'],
      ['engineOff', true, 'The ignition is off.'],
      ['idle', true, 'No other output of this vehicle is being watched.']
    ])
  })

  it.each<[string, string, boolean, View]>([
    ['fresh', 'The vehicle sent no event in the last 6 hours.', false, { ...parked, event: null }],
    [
      'fresh',
      'The latest event is 6 s in the future: the device’s or the gateway’s clock is wrong.',
      false,
      { ...parked, event: { ...event, at: '2026-11-20T09:00:06.400Z' } }
    ],
    [
      'fresh',
      'The latest event is −5 s old (limit 60 s). An offline device would run the command later.',
      true,
      { ...parked, event: { ...event, at: '2026-11-20T09:00:05.400Z' } }
    ],
    ['standing', 'The gateway shows no speed.', false, { ...parked, event: null }],
    ['standing', 'The gateway shows no speed.', false, { ...parked, event: { ...event, speedKmh: null } }],
    ['standing', 'The gateway shows no speed.', false, { ...parked, event: { ...event, speedAt: null } }],
    [
      'standing',
      'The latest speed is 61 s old (limit 60 s).',
      false,
      { ...parked, event: { ...event, speedAt: '2026-11-20T08:58:59.400Z' } }
    ],
    [
      'standing',
      'The latest event is 6 s in the future: the device’s or the gateway’s clock is wrong.',
      false,
      { ...parked, event: { ...event, speedAt: '2026-11-20T09:00:06.400Z' } }
    ],
    [
      'standing',
      'The position is not valid, so the speed cannot be trusted.',
      false,
      { ...parked, event: { ...event, validPosition: null } }
    ],
    ['standing', 'Speed 3 km/h; it must be 0.', false, { ...parked, event: { ...event, speedKmh: 3 } }],
    ['engineOff', 'The gateway shows no ignition state from the last 60 s.', false, { ...parked, lines: [] }],
    [
      'engineOff',
      'The gateway shows no ignition state from the last 60 s.',
      false,
      { ...parked, lines: ignition(null) }
    ],
    [
      'engineOff',
      'The ignition is on. Turn it off.',
      false,
      { ...parked, lines: ignition(true), engineBus: bus(true) }
    ],
    ['engineOff', 'The engine bus reports that the engine is running.', false, { ...parked, engineBus: bus(true) }],
    ['engineOff', 'The ignition is off.', true, { ...parked, engineBus: bus(false) }],
    ['engineOff', 'The ignition is off.', true, { ...parked, engineBus: bus(true, false) }]
  ])('%s: %s', (id, words, holds, view) => {
    const found = judge(view).find((condition) => condition.id === id)
    expect(found && [english(found.what), found.holds]).toEqual([words, holds])
  })

  it('say that another output is being watched', () => {
    expect(
      judge(parked, true)
        .map(({ what }) => english(what))
        .at(-1)
    ).toBe('Another output of this vehicle is being watched.')
  })
})
