import { describe, expect, it, vi } from 'vitest'
import { followCommand, type SentCommand } from '../../../../main/job/outputs/gatewayCommand.ts'
import type { LineState } from '../../../../preload/contract/gateway/accessories.ts'
import type { OutputLogEntry } from '../../../../preload/contract/gateway/remoteOutputs.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import {
  at,
  expander,
  failureOf,
  fails,
  imei,
  logged,
  openGateway,
  startMs,
  wired,
  type GatewayBench
} from '../../../world/gateway/gatewayOutputBench.ts'

/** A command that left at the start, followed by hand. */
function follow(more: Partial<SentCommand> = {}): GatewayBench {
  const bench = openGateway({ isByHand: true })
  followCommand(bench.port, bench.waits, {
    ...{ vehicleId: 7, otype: 'e', out: 2, on: false, user: 'fitter', startMs, expiresMs: 60_000, lost: undefined },
    answer: { deviceIsOnline: true, raw: { ok: 1 } },
    device: () => Promise.resolve(imei),
    lateOnLeftMs: () => 0,
    read: () => undefined,
    ended: () => undefined,
    ...more
  })
  return bench
}

describe('Following it', () => {
  it.each<[string, Partial<OutputLogEntry>, boolean]>([
    ['its log entry', {}, true],
    ['an entry of the second in which it was sent', { at: '2026-11-20T08:59:58.000Z' }, true],
    ['an entry of before', { at: '2026-11-20T08:59:57.999Z' }, false],
    ['an entry without a time', { at: null }, false],
    ['an entry of another output', { out: 3 }, false],
    ['an entry of another type', { otype: 'o' }, false],
    ['an entry of the opposite command', { on: true }, false],
    ['an entry of somebody else', { user: 'other' }, false],
    ['an entry of the user in other letters', { user: 'FITTER' }, true],
    ['an entry without a user', { user: null }, true]
  ])('%s counts, or not', async (_, more, counts) => {
    const bench = follow()
    Object.assign(bench.gateway, { log: [logged(more)], lines: [expander(false)] })
    expect(await bench.look()).toBe(
      counts
        ? 'found: Confirmed: the gateway logged the command and shows Expander output 2 off.'
        : 'waiting: The gateway has not logged the command yet.'
    )
  })

  it('takes any entry for its own where the user is not known', async () => {
    const bench = follow({ user: null })
    Object.assign(bench.gateway, { log: [logged({ user: 'someone' })], lines: [expander(false)] })
    expect(await bench.look()).toContain('found')
  })

  it.each<[string, string, LineState[], string | null, string]>([
    [
      'the line as it should be',
      'e',
      [expander(true)],
      '2026-11-20T08:59:58.000Z',
      'found: Confirmed: the gateway logged the command and shows Expander output 2 on.'
    ],
    [
      'a reading of before',
      'e',
      [expander(true)],
      '2026-11-20T08:59:57.999Z',
      'waiting: The gateway logged the command, but the line has not changed yet.'
    ],
    [
      'a reading without a time',
      'e',
      [expander(true)],
      null,
      'waiting: The gateway logged the command, but the line has not changed yet.'
    ],
    [
      'a line that is still off',
      'e',
      [expander(false)],
      '2026-11-20T09:00:01.000Z',
      'waiting: The gateway logged the command, but the line has not changed yet.'
    ],
    [
      'no line',
      'e',
      [],
      '2026-11-20T09:00:01.000Z',
      'waiting: The gateway logged the command, but does not show this line.'
    ],
    [
      'a line without a value',
      'o',
      [wired(null)],
      '2026-11-20T09:00:01.000Z',
      'waiting: The gateway logged the command, but does not show this line.'
    ],
    [
      'the line of another number',
      'e',
      [expander(true, { number: 3 })],
      '2026-11-20T09:00:01.000Z',
      'waiting: The gateway logged the command, but does not show this line.'
    ],
    [
      'a wired line for the expander',
      'e',
      [wired(true)],
      '2026-11-20T09:00:01.000Z',
      'waiting: The gateway logged the command, but does not show this line.'
    ],
    [
      'the wired line of a wired output',
      'o',
      [expander(false), wired(true)],
      '2026-11-20T09:00:01.000Z',
      'found: Confirmed: the gateway logged the command and shows Output (o) 2 on.'
    ],
    [
      'a short',
      'e',
      [expander(true, { isShorted: true })],
      '2026-11-20T09:00:01.000Z',
      'problem: Expander output 2 is shorted. Check its wire for a short to ground. Send “off” now and stay with the vehicle until the gateway shows the output off.'
    ]
  ])('shows %s', async (_, otype, lines, linesAt, words) => {
    const bench = follow({ on: true, otype })
    Object.assign(bench.gateway, { log: [logged({ otype, on: true })], lines, linesAt })
    expect(await bench.look()).toBe(words)
  })

  it('keeps what it saw as evidence, also what was not there', async () => {
    const on = follow({ on: true })
    Object.assign(on.gateway, { lines: [expander(true, { isShorted: true })], linesAt: at(0) })
    expect(await on.follow().look(new AbortController().signal)).toMatchObject({
      evidence: { entry: null, line: { name: 'E2' }, linesAt: at(0), answer: { ok: 1 } }
    })
    const lost = follow({ answer: null, lost: plainMessage('Too late.') })
    Object.assign(lost.gateway, { log: [logged()], lines: [expander(false)] })
    expect(await lost.follow().look(new AbortController().signal)).toMatchObject({
      kind: 'found',
      evidence: { entry: { out: 2 }, line: { name: 'E2' }, answer: null }
    })
  })

  it('tells what each reading of after the command says of the output', async () => {
    const told: (boolean | undefined)[] = []
    const bench = follow({ read: (isOn) => told.push(isOn) })
    for (const [lines, linesAt] of [
      [[expander(true)], at(0)],
      [[expander(false)], at(0)],
      [[expander(true)], at(3)],
      [[expander(true)], null],
      [[], at(0)],
      [[wired(true)], at(0)]
    ] as const) {
      Object.assign(bench.gateway, { lines, linesAt })
      await bench.look()
    }
    expect(told).toEqual([true, false, undefined, undefined, undefined, undefined])
  })

  it('reads the lines of the device that it is told, each time anew, and fails with it', async () => {
    const asked: string[] = []
    const devices = [imei, '867698040023056']
    const bench = follow({
      device: () => (devices.length > 0 ? Promise.resolve(devices.shift() ?? '') : fails('WRONG_DEVICE')())
    })
    const { readLines } = bench.gateway
    bench.gateway.readLines = (device) => (asked.push(device), readLines(device))
    await bench.look()
    await bench.look()
    expect(asked).toEqual([imei, '867698040023056'])
    expect(await failureOf(bench.look())).toMatchObject({ code: 'WRONG_DEVICE' })
  })

  it('confirms “off” by a reading of after the last moment at which an “on” could arrive', async () => {
    let leftMs = 5_000
    const bench = follow({ lateOnLeftMs: () => leftMs })
    Object.assign(bench.gateway, { log: [logged()], lines: [expander(false)], linesAt: at(0) })
    const waiting =
      'waiting: The gateway shows Expander output 2 off. An earlier “on” may still arrive; “off” is confirmed when that is no longer possible.'
    expect(await bench.look()).toBe(waiting)
    vi.setSystemTime(startMs + 6_000)
    leftMs = 0
    bench.gateway.linesAt = '2026-11-20T09:00:05.999Z'
    expect(await bench.look()).toBe(waiting)
    vi.setSystemTime(startMs + 60_000)
    expect(await bench.look()).toBe(waiting)
    // A new "on" begins the time anew.
    leftMs = 1_000
    bench.gateway.linesAt = at(0)
    expect(await bench.look()).toBe(waiting)
    leftMs = 0
    bench.gateway.linesAt = '2026-11-20T09:00:06.000Z'
    expect(await bench.look()).toBe(waiting)
    bench.gateway.linesAt = '2026-11-20T09:01:00.000Z'
    expect(await bench.look()).toContain('found')
  })

  it('waits for the log whatever the line shows, and says so', async () => {
    const bench = follow({ lateOnLeftMs: () => 5_000 })
    bench.gateway.lines = [expander(false)]
    expect(await bench.look()).toBe('waiting: The gateway has not logged the command yet.')
    Object.assign(bench.gateway, { log: [logged()], lines: [expander(true)] })
    expect(await bench.look()).toBe('waiting: The gateway logged the command, but the line has not changed yet.')
  })

  it('confirms “off” by a reading of the same second when no “on” was under way', async () => {
    const bench = follow()
    vi.setSystemTime(startMs + 30_000)
    Object.assign(bench.gateway, {
      log: [logged({ at: at(29) })],
      lines: [expander(false)],
      linesAt: '2026-11-20T09:00:00.000Z'
    })
    expect(await bench.look()).toContain('found')
    bench.gateway.linesAt = '2026-11-20T08:59:59.999Z'
    expect(await bench.look()).toContain('may still arrive')
  })

  it('“on” is confirmed whatever may arrive', async () => {
    const bench = follow({ on: true, lateOnLeftMs: () => 60_000 })
    expect(bench.follow().limitMs).toBe(60_000)
    Object.assign(bench.gateway, { log: [logged({ on: true })], lines: [expander(true)] })
    expect(await bench.look()).toContain('found')
  })

  it('“off” has the time of a late “on” besides its own, at most three times its own in all', () => {
    expect(
      [0, 20_000, 120_000, Infinity].map((leftMs) => follow({ lateOnLeftMs: () => leftMs }).follow().limitMs)
    ).toEqual([60_000, 80_000, 180_000, 180_000])
  })
})
