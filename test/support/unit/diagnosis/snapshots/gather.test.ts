import { expect, test } from 'vitest'
import { exitCodeFor, exitCodes } from '../../../../../main/terminal/output/exitCodes.ts'
import { gatherSnapshot } from '../../../../../main/support/diagnosis/snapshots/gather.ts'
import { orAborted } from '../../../../../main/base/time/pause.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'

test('a device that leaves four areas unanswered is silent: what is still asked is given up at once', async () => {
  const asked: string[] = []
  const gathering = gatherSnapshot(
    {
      imei: null,
      async ask(operation, { signal }) {
        asked.push(operation)
        if (asked.length <= 4) throw new AppError('TIMEOUT', plainMessage('Silent.'))
        // Nobody ever answers this one.
        await orAborted(new Promise<never>(() => undefined), signal).catch(() => undefined)
        throw new AppError('CANCELLED', plainMessage('Given up.'))
      },
      heard: () => undefined,
      askGateway: () => Promise.resolve(null),
      redact: (value) => value,
      freshMs: 0,
      atOnce: 4,
      timeoutMs: 1_000,
      wholeMs: 3_600_000,
      now: () => Date.now()
    },
    new AbortController().signal
  )
  await expect(gathering).rejects.toMatchObject({ code: 'TIMEOUT' })
})

test('an address that answers nothing but "not found" is no wrong name on the command line: something was asked, and refused', async () => {
  const gathering = gatherSnapshot(
    {
      imei: null,
      ask: () => Promise.reject(new AppError('NOT_FOUND', plainMessage('Not known here.'), { status: 404 })),
      heard: () => undefined,
      askGateway: () => Promise.resolve(null),
      redact: (value) => value,
      freshMs: 0,
      atOnce: 4,
      timeoutMs: 1_000,
      wholeMs: 20_000,
      now: () => Date.now()
    },
    new AbortController().signal
  )
  const error: unknown = await gathering.catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(AppError)
  expect(exitCodeFor(error as AppError)).toBe(exitCodes.notPermitted)
})
