import { describe, expect, it } from 'vitest'
import { createDeviceQueue } from '../../../../main/device/client/queue.ts'

/** Work that begins when the queue lets it, and ends when the test says so. */
function makeWork(log: string[], name: string) {
  let finish: (value: string) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const done = new Promise<string>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  return { name, finish: () => finish(name), fail: () => fail(new Error(name)), run: () => (log.push(name), done) }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('The queue in front of a device', () => {
  it('lets four requests go at a time, in order', async () => {
    const log: string[] = []
    const queue = createDeviceQueue()
    const works = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => makeWork(log, name))
    const results = works.map(({ run }) => queue.run(run, { alone: false }))
    expect(log.join('')).toBe('abcd')
    works[2]?.finish()
    await settle()
    expect(log.join('')).toBe('abcde')
    for (const work of works) work.finish()
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('runs one that changes something alone, and lets none overtake it', async () => {
    const log: string[] = []
    const queue = createDeviceQueue()
    const [a, b, change, c] = ['a', 'b', 'X', 'c'].map((name) => makeWork(log, name)) as [
      ReturnType<typeof makeWork>,
      ReturnType<typeof makeWork>,
      ReturnType<typeof makeWork>,
      ReturnType<typeof makeWork>
    ]
    const all = [a, b, change, c].map((work) => queue.run(work.run, { alone: work === change }))
    expect(log.join('')).toBe('ab')
    a.finish()
    await settle()
    expect(log.join('')).toBe('ab')
    b.finish()
    await settle()
    expect(log.join('')).toBe('abX')
    change.finish()
    await settle()
    expect(log.join('')).toBe('abXc')
    c.finish()
    await Promise.all(all)
  })

  it('goes on after work that failed', async () => {
    const log: string[] = []
    const queue = createDeviceQueue()
    const change = makeWork(log, 'X')
    const failed = queue.run(change.run, { alone: true })
    const next = queue.run(() => Promise.resolve('next'), { alone: false })
    change.fail()
    await expect(failed).rejects.toThrow('X')
    expect(await next).toBe('next')
  })

  it('takes waiting work out when it is cancelled, and lets those behind it move up', async () => {
    const log: string[] = []
    const queue = createDeviceQueue()
    const controller = new AbortController()
    const first = makeWork(log, 'a')
    const running = queue.run(first.run, { alone: false })
    const change = makeWork(log, 'X')
    const waiting = queue.run(change.run, { alone: true, signal: controller.signal })
    const behind = makeWork(log, 'b')
    const moved = queue.run(behind.run, { alone: false })
    expect(log.join('')).toBe('a')
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(log.join('')).toBe('ab')
    first.finish()
    behind.finish()
    await Promise.all([running, moved])
    const late = queue.run(change.run, { alone: true, signal: controller.signal })
    await expect(late).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(log).not.toContain('X')
  })
})
