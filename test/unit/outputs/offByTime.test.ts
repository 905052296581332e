import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { createOutputs } from '../../../main/outputs/outputs.ts'
import { shippedLimits } from '../../support/outputs.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const name = { imei: '356938035643809', output: 'e 1', vehicleId: 7 }

function open() {
  let id = 0
  const outputs = createOutputs({
    ledger: { open: () => [], begin: () => ++id, settleOn: () => undefined, end: () => undefined } as never,
    shipped: shippedLimits,
    chosen: () => ({}),
    reach: () => undefined,
    technician: () => 'Technician One',
    record: () => undefined,
    changed: () => undefined,
    reportFault: (error) => expect(error).toBeUndefined(),
    monotonicMs: () => Date.now()
  })
  outputs.gateway.begin(name)
  return outputs
}

test('an output that the gateway shows on is switched off after the limit of the profile, and its entry says when', async () => {
  const outputs = open()
  const sent: unknown[] = []
  outputs.gateway.serve((output) => {
    sent.push(output)
    outputs.gateway.end(name, 'proved')
    return Promise.resolve()
  })
  expect(outputs.ledger()[0]?.offAt).toBeUndefined()
  outputs.gateway.note(name, 'on')
  expect(outputs.ledger()[0]?.offAt).toBe(new Date(Date.now() + 60_000).toISOString())
  await vi.advanceTimersByTimeAsync(59_000)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(sent).toEqual([{ vehicleId: 7, otype: 'e', out: 1 }])
  expect(outputs.ledger()).toEqual([])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(sent).toHaveLength(1)
})

test('a gateway that cannot be asked is asked again until it accepts "off"; a person who switches off takes the place of the limit', async () => {
  const outputs = open()
  let isAway = true
  let sent = 0
  outputs.gateway.serve(() => {
    sent += 1
    if (isAway)
      return Promise.reject(
        new AppError('UNREACHABLE', plainMessage('The gateway does not answer.'), { retryable: true })
      )
    outputs.gateway.end(name, 'proved')
    return Promise.resolve()
  })
  outputs.gateway.note(name, 'on')
  await vi.advanceTimersByTimeAsync(85_000)
  expect(sent).toBe(3)
  isAway = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect([sent, outputs.ledger()]).toEqual([4, []])

  outputs.gateway.begin(name)
  outputs.gateway.note(name, 'on')
  outputs.gateway.note(name, 'goingOff')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(sent).toBe(4)
})
