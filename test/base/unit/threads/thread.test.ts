import { afterEach, expect, test } from 'vitest'
import { openThread } from '../../../../main/base/threads/thread.ts'
import type { Asked } from '../../../world/threadStandIn.ts'

const opened = new Set<{ close(): Promise<void> }>()
afterEach(async () => {
  for (const thread of opened) await thread.close()
  opened.clear()
})

function open(options: Parameters<typeof openThread>[2] = {}, name = '../../../world/threadStandIn') {
  const thread = openThread<Asked, number, { news: string }>(name, import.meta.url, options)
  opened.add(thread)
  return thread
}

test('one thread answers all questions in their order, and tells how far it is', async () => {
  const thread = open()
  const heard: string[] = []
  const answers = [
    thread.ask('id'),
    thread.ask('news', { onNews: ({ news }) => heard.push(news) }),
    thread.ask('id').finally(() => heard.push('answered'))
  ]
  expect(new Set(await Promise.all(answers)).size).toBe(1)
  expect(heard).toEqual(['one', 'two', 'answered'])
})

test('no thread is started before the first question', async () => {
  await expect(open({}, './noSuchFile').ask('id')).rejects.toThrow('noSuchFile')
})

test.each<[Asked, object]>([
  ['refuse', { code: 'UNREADABLE', sentence: { id: 'plain.text', values: { text: 'No font' } }, retryable: true }],
  ['throw', { name: 'RangeError', message: 'A fault' }],
  ['exit', { message: 'The thread ../../../world/threadStandIn ended without an answer' }],
  ['all memory', { code: 'ERR_WORKER_OUT_OF_MEMORY' }]
])('a thread that fails (%s) is ended, and the next question gets another one', async (asked, failure) => {
  const thread = open({ resourceLimits: { maxOldGenerationSizeMb: 32 } })
  const before = await thread.ask('id')
  const failing = thread.ask(asked)
  const after = thread.ask('id')
  await expect(failing).rejects.toMatchObject(failure)
  expect(await after).not.toBe(before)
})

test('a thread that does not answer is ended by its limit or by the person, and the next question gets another one', async () => {
  const thread = open()
  await expect(thread.ask('never', { limitMs: 200 })).rejects.toMatchObject({ name: 'TimeoutError' })
  const stop = new AbortController()
  const stopped = thread.ask('never', { signal: stop.signal })
  stop.abort(new RangeError('Stopped'))
  await expect(stopped).rejects.toThrow('Stopped')
  await expect(thread.ask('id', { signal: stop.signal })).rejects.toThrow('Stopped')
  expect(await thread.ask('id')).toBeGreaterThan(0)
})

test.each([
  ['that ends by itself', {}, 'exit after the answer' as const],
  ['that was idle for long', { idleMs: 0 }, 'id' as const]
])('a thread %s between two questions is replaced', async (_what, options, asked) => {
  const thread = open(options)
  const before = await thread.ask(asked)
  await expect.poll(async () => thread.ask('id').catch(() => before)).not.toBe(before)
})
