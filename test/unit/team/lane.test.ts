import type { ClientBase } from 'pg'
import { expect, it } from 'vitest'
import { createLane } from '../../../main/team/push/lane.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

it('whoever waits is told when there is no way to open the connection again, also where that is found out at once', async () => {
  let opened = 0
  const lane = createLane({
    open(work) {
      opened += 1
      if (opened > 1) throw new AppError('NOT_FOUND', message('team.notJoined'))
      return work({} as ClientBase)
    },
    sayError: (error) => error as AppError,
    idleMs: 0
  })
  const first = lane.use(() => Promise.resolve('answered'))
  const second = lane.use(() => Promise.reject(new Error('The connection broke')))
  expect(await first).toBe('answered')
  await expect(second).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await lane.close()
})

it('once it is closed nothing is asked any more, and what ran has ended', async () => {
  const order: string[] = []
  const answer = Promise.withResolvers<undefined>()
  const lane = createLane({
    open: (work, signal) => Promise.race([work({} as ClientBase), new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('closed'))))]),
    sayError: (error) => error as AppError,
    idleMs: 0
  })
  const running = lane.use(async () => {
    await answer.promise
    order.push('ran to its end')
  })
  const waiting = lane.use(() => Promise.resolve('never asked'))
  const closed = lane.close().then(() => order.push('closed'))
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
  await expect(lane.use(() => Promise.resolve('never asked'))).rejects.toMatchObject({ code: 'CANCELLED' })
  answer.resolve(undefined)
  await closed
  await running
  expect(order).toEqual(['ran to its end', 'closed'])
})
