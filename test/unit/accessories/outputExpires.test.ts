import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AccessoryGateway } from '../../../main/accessories/ports.ts'
import { setRemoteOutput } from '../../../main/accessories/remoteOutput.ts'
import { createWaits } from '../../../main/accessories/waits.ts'
import { AppError } from '../../../preload/contract/errors.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const signal = new AbortController().signal

function open(send: () => Promise<{ message: string; deviceIsOnline: boolean | null; raw: null }>) {
  const seen = { sent: 0, log: [] as string[] }
  const gateway = {
    nowMs: () => Promise.resolve(Date.now()),
    deviceOf: () => Promise.resolve('356938035643809'),
    readLines: () => Promise.resolve({ lines: [], isExpanderConnected: true, at: null }),
    commands: {
      setOutput: () => {
        seen.sent += 1
        return send()
      },
      outputLog: () => Promise.resolve([]),
      userName: () => Promise.resolve('fitter')
    }
  } as unknown as AccessoryGateway
  const log = { begin: () => (seen.log.push('intent'), 1), end: (_id: number, outcome: string) => void seen.log.push(outcome) }
  const waits = createWaits({ changed: () => undefined, reportFault: (error) => expect(error).toBeUndefined() })
  return { seen, parts: { gateway, waits, log } }
}

test('a command that the gateway never shows expires after 60 s and is not sent again', async () => {
  const { seen, parts } = open(() => Promise.resolve({ message: 'Command sent', deviceIsOnline: true, raw: null }))
  const { id } = await setRemoteOutput(parts, { vehicleId: 1, otype: 'e', out: 1, on: false }, signal)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(parts.waits.list()[0]?.state).toBe('waiting')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(parts.waits.list()[0]).toMatchObject({ id, state: 'notFound', witness: null, note: expect.stringContaining('Expired') })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(seen).toEqual({ sent: 1, log: ['intent', 'done'] })
})

test('a command whose answer was lost is followed, never sent again, and never called done', async () => {
  const { seen, parts } = open(() => Promise.reject(new AppError('TIMEOUT', 'It answered too late.', { retryable: true })))
  await setRemoteOutput(parts, { vehicleId: 1, otype: 'e', out: 1, on: false }, signal)
  await vi.advanceTimersByTimeAsync(61_000)
  expect(parts.waits.list()[0]?.state).toBe('notFound')
  expect(seen).toEqual({ sent: 1, log: ['intent', 'unknown'] })
})

test('a device that is offline is said, since the gateway may hold the command', async () => {
  const { parts } = open(() => Promise.resolve({ message: 'Command queued', deviceIsOnline: false, raw: null }))
  await setRemoteOutput(parts, { vehicleId: 1, otype: 'e', out: 1, on: false }, signal)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(parts.waits.list()[0]?.note).toContain('offline')
  await parts.waits.close()
})
