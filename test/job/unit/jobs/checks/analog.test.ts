import { describe, expect, it } from 'vitest'
import { checkAnalog } from '../../../../../main/job/jobs/checks/analog.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { rowsInWords, runCheck } from '../../../../world/device/checkBench.ts'

// The quick profile: 2 s steady, 5 s in all; within 50 mV of its top a channel measures no more.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'))
const supply = { channel: 'AN1', name: plainMessage('Supply'), minMv: 11_000, maxMv: 15_000 }
const run = (io: (ms: number) => object | AppError, channels: object[] | undefined = [supply]) =>
  runCheck(checkAnalog, { io, plan: channels ? { channels } : {} })

describe('An ordered analog channel', () => {
  it('that stays within its range passes, by its name', async () => {
    const { rows, ...result } = await run(() => ({ AN1: 12_600, AN2: 20, DAN: 0 }))
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'Supply (AN1): within range for 2 s',
      witness: ['device'],
      tookMs: 2_000
    })
    expect(rowsInWords(rows)).toEqual([
      { label: 'Supply (AN1)', wanted: '11.00 V to 15.00 V', device: '12.60 V', gateway: null, verdict: 'agrees' }
    ])
  })

  it('is given its time anew after every moment outside', async () => {
    expect(await run((ms) => ({ AN1: ms === 1_000 ? 9_000 : 12_600 }))).toMatchObject({ state: 'pass', tookMs: 3_250 })
    expect(await run((ms) => ({ AN1: Math.floor(ms / 1_000) % 2 ? 9_000 : 12_600 }))).toMatchObject({
      state: 'fail',
      witness: ['device']
    })
  })

  it('that came into its range in time is measured to its end, and the time left says so', async () => {
    const { shown, ...result } = await run((ms) => ({ AN1: ms < 4_000 ? 9_000 : 12_600 }))
    expect(result).toMatchObject({ state: 'pass', tookMs: 6_000 })
    expect(shown.find(({ atMs }) => atMs === 4_500)).toMatchObject({ leftMs: 1_500 })
    expect(await run((ms) => ({ AN1: ms < 5_500 ? 9_000 : 12_600 }))).toMatchObject({ state: 'fail' })
  })

  it.each([
    [0, 'No voltage: the wire is not connected, or its source is switched off.'],
    [24_000, 'The voltage differs from the order. Check where the wire is connected, with the key on.']
  ])('at %d mV fails with the cause', async (AN1, remedy) => {
    expect(await run(() => ({ AN1 }))).toMatchObject({
      state: 'fail',
      summary: 'Supply (AN1): out of range',
      remedy,
      witness: ['device']
    })
  })

  it.each([
    [{ ...supply, minMv: 22_000, maxMv: 28_000 }, { AN1: 28_000 }],
    [{ ...supply, minMv: 22_000, maxMv: 28_000 }, { AN1: 27_950 }],
    [{ ...supply, maxMv: 15_000 }, { AN1: 28_000 }],
    [{ channel: 'DAN', minMv: 0, maxMv: 10_000 }, { DAN: 10_000 }]
  ])('at the top of its range is neither good nor bad: %o', async (channel, io) => {
    const { rows, ...result } = await run(() => io, [channel])
    expect(result).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining('at the top of its range, not measurable') as string,
      witness: []
    })
    expect(rowsInWords(rows)[0]).toMatchObject({
      verdict: 'unreadable',
      note: 'At the top of its range the channel no longer measures.'
    })
  })

  it.each([undefined, null, '12600', true, -5])('that reads %o is unreadable', async (AN1) => {
    expect(await run(() => ({ AN1 }))).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(/^Supply \(AN1\) cannot be read/) as string,
      witness: []
    })
  })

  it('of a device that falls silent is unreadable', async () => {
    expect(await run((ms) => (ms > 1_000 ? gone : { AN1: 12_600 }))).toMatchObject({ state: 'unreadable' })
  })

  it('stands beside one that nobody ordered and that carries a voltage', async () => {
    const { rows } = await run(() => ({ AN1: 12_600, AN2: 5_000, DAN: 100 }))
    expect(rowsInWords(rows).slice(1)).toEqual([
      { label: 'AN2', wanted: null, device: '5.00 V', gateway: null, verdict: 'notOrdered' }
    ])
  })
})

it('Without an order the voltage of an analog channel is received, and a channel without one does not apply', async () => {
  const { rows, ...result } = await run(() => ({ AN1: 12_600 }), [])
  expect(result).toMatchObject({ state: 'received', summary: 'No analog channel was ordered' })
  expect(rowsInWords(rows)).toMatchObject([{ device: '12.60 V', verdict: 'received' }])
  expect(await run(() => ({ AN1: 0 }), [])).toMatchObject({ state: 'notApplicable' })
})
