import { describe, expect, it, vi } from 'vitest'
import type { LineState } from '../../../preload/contract/gateway/accessories.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { OutputLogEntry } from '../../../preload/contract/gateway/remoteOutputs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import {
  at,
  expander,
  imei,
  logged,
  openGateway,
  startMs,
  useGatewayClock,
  wired
} from '../../support/gatewayOutputBench.ts'

useGatewayClock()

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
    const bench = openGateway()
    bench.gateway.log = [logged(more)]
    bench.gateway.lines = [expander(false)]
    bench.gateway.linesAt = at(0)
    await bench.set(false)
    expect(await bench.look()).toBe(
      counts
        ? 'found: Confirmed: the gateway logged the command and shows Expander output 2 off.'
        : 'waiting: The gateway has not logged the command yet.'
    )
  })

  it('takes any entry for its own where the user is not known', async () => {
    const bench = openGateway()
    Object.assign(bench.gateway, {
      user: null,
      log: [logged({ user: 'someone' })],
      lines: [expander(false)],
      linesAt: at(0)
    })
    await bench.set(false)
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
    const bench = openGateway()
    Object.assign(bench.gateway, { log: [logged({ otype, on: true })], lines, linesAt })
    await bench.set(true, otype)
    expect(await bench.look()).toBe(words)
  })

  it('keeps what it saw as evidence, also what was not there', async () => {
    const bench = openGateway()
    await bench.set(true)
    Object.assign(bench.gateway, { lines: [expander(true, { isShorted: true })], linesAt: at(0) })
    expect(await bench.follow().look(new AbortController().signal)).toMatchObject({
      evidence: { entry: null, line: { name: 'E2' }, linesAt: at(0), answer: { ok: 1 } }
    })
    bench.gateway.answer = () => Promise.reject(new AppError('TIMEOUT', plainMessage('Too late.')))
    await bench.set(false)
    Object.assign(bench.gateway, { log: [logged()], lines: [expander(false)], linesAt: at(0) })
    expect(await bench.follow().look(new AbortController().signal)).toMatchObject({
      kind: 'found',
      evidence: { entry: { out: 2 }, line: { name: 'E2' }, answer: null }
    })
  })

  it('confirms “off” by a reading of after the last moment at which an “on” could arrive', async () => {
    const bench = openGateway()
    bench.gateway.lateOnLeftMs = 5_000
    await bench.set(false)
    Object.assign(bench.gateway, { log: [logged()], lines: [expander(false)], linesAt: at(0) })
    const waiting =
      'waiting: The gateway shows Expander output 2 off. An earlier “on” may still arrive; “off” is confirmed when that is no longer possible.'
    expect(await bench.look()).toBe(waiting)
    vi.setSystemTime(startMs + 6_000)
    bench.gateway.lateOnLeftMs = 0
    bench.gateway.linesAt = '2026-11-20T09:00:05.999Z'
    expect(await bench.look()).toBe(waiting)
    vi.setSystemTime(startMs + 60_000)
    expect(await bench.look()).toBe(waiting)
    // A new "on" begins the time anew.
    bench.gateway.lateOnLeftMs = 1_000
    bench.gateway.linesAt = at(0)
    expect(await bench.look()).toBe(waiting)
    bench.gateway.lateOnLeftMs = 0
    bench.gateway.linesAt = '2026-11-20T09:00:06.000Z'
    expect(await bench.look()).toBe(waiting)
    bench.gateway.linesAt = '2026-11-20T09:01:00.000Z'
    expect(await bench.look()).toContain('found')
  })

  it('waits for the log whatever the line shows, and says so', async () => {
    const bench = openGateway()
    bench.gateway.lateOnLeftMs = 5_000
    await bench.set(false)
    Object.assign(bench.gateway, { lines: [expander(false)], linesAt: at(0) })
    expect(await bench.look()).toBe('waiting: The gateway has not logged the command yet.')
    Object.assign(bench.gateway, { log: [logged()], lines: [expander(true)] })
    expect(await bench.look()).toBe('waiting: The gateway logged the command, but the line has not changed yet.')
  })

  it('confirms “off” by a reading of the same second when no “on” was under way', async () => {
    const bench = openGateway()
    await bench.set(false)
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
    const bench = openGateway()
    bench.gateway.lateOnLeftMs = 60_000
    await bench.set(true)
    Object.assign(bench.gateway, { log: [logged({ on: true })], lines: [expander(true)], linesAt: at(0) })
    expect(await bench.look()).toContain('found')
  })

  it('ends with what the ledger has to know', async () => {
    const bench = openGateway()
    const name = `${imei} e 2 of 7`
    await bench.set(true)
    bench.seen()
    expect(bench.end('found')).toEqual([
      ['late on', 0],
      ['ledger', 'on', name]
    ])
    expect(bench.end('notFound')).toEqual([['ledger', 'mayBeOn', name]])
    bench.gateway.isInLedger = false
    expect(bench.end('stopped')).toEqual([])
    await bench.set(false)
    bench.seen()
    expect(bench.end('notFound')).toEqual([['ledger', 'mayBeOn', name]])
    expect(bench.end('found')).toEqual([['ledger', 'proved', name]])
  })
})
