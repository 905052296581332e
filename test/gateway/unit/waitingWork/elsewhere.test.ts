import { expect, test } from 'vitest'
import { z } from 'zod'
import { createOperations } from '../../../../main/gateway/waitingWork/engine.ts'
import type { LookRequest, OperationKind } from '../../../../main/gateway/waitingWork/kind.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

/** Work that was never sent from here, on a laptop that may have lost its job and has not heard of it. */
async function passOnce({ mayBeElsewhere = true, ...more }: Partial<OperationKind> & { mayBeElsewhere?: boolean }) {
  const sent: string[] = []
  const looks: LookRequest[] = []
  const kind: OperationKind = {
    kind: 'asset',
    payload: z.object({}),
    title: (payload) => plainMessage(String((payload as { name?: string }).name)),
    resendWhenAbsent: true,
    maxAttempts: 3,
    send() {
      sent.push('asset')
      return Promise.resolve({ what: plainMessage('It was accepted.'), raw: null })
    },
    look: () => Promise.resolve({ seen: 'absent', what: plainMessage('It is not there.'), raw: null }),
    ...more
  }
  const look = kind.look.bind(kind)
  kind.look = (payload, request) => {
    looks.push(request)
    return look(payload, request)
  }
  const operations = createOperations({
    rows: openTestStore(tempFolder()).operations,
    kinds: [kind],
    clockDifferenceMs: () => 2_000,
    now: () => new Date(50_000),
    mayBeElsewhere: () => mayBeElsewhere,
    changed: () => undefined
  })
  const { id } = operations.add({
    kind: 'asset',
    key: 'asset:1',
    title: plainMessage('An asset'),
    payload: {},
    jobId: null,
    draft: false
  })
  await operations.pass(new AbortController().signal)
  return { state: operations.get(id)?.state, sent: sent.length, looks }
}

test('what the new holder of a lost job sent is found right before it would be sent again, and nothing leaves', async () => {
  const { looks, ...rest } = await passOnce({
    look: () => Promise.resolve({ seen: 'found', what: plainMessage('It is there.'), raw: null })
  })
  expect(rest).toEqual({ state: 'done', sent: 0 })
  // What appeared since a person wanted it, by the gateway's clock.
  expect(looks.map(({ sinceMs }) => sinceMs)).toEqual([52_000])
})

test.for(['absent', 'conflict', 'unreadable', 'waiting'] as const)(
  'what is %s leaves at once: only what is there says that somebody else sent it',
  async (seen) => {
    expect(await passOnce({ look: () => Promise.resolve({ seen, what: plainMessage(''), raw: null }) })).toMatchObject({
      state: 'done',
      sent: 1,
      looks: [{}]
    })
  }
)

test('whoever may not read may still write', async () => {
  expect(
    await passOnce({ look: () => Promise.reject(new AppError('NOT_PERMITTED', plainMessage('no'))) })
  ).toMatchObject({ state: 'done', sent: 1 })
})

test('what cannot be looked for now waits, and is sent later', async () => {
  expect(
    await passOnce({ look: () => Promise.reject(new AppError('UNREACHABLE', plainMessage('away'))) })
  ).toMatchObject({ state: 'pending', sent: 0 })
})

test('a laptop that never joined a team, and work that a look cannot tell, cost no question more', async () => {
  expect(await passOnce({ mayBeElsewhere: false })).toMatchObject({ state: 'done', sent: 1, looks: [] })
  expect(await passOnce({ tellsOwnAlone: true })).toMatchObject({ state: 'done', sent: 1, looks: [] })
})
