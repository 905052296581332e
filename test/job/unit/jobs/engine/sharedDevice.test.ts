import { describe, expect, it } from 'vitest'
import type { DevicePort } from '../../../../../main/job/jobs/engine/ports.ts'
import { shareDevice } from '../../../../../main/job/jobs/engine/sharedDevice.ts'

function open() {
  const asked: { take(value: unknown): void; refuse(error: Error): void; options: { signal?: AbortSignal } }[] = []
  const device = {
    gps: {
      position: (options: { signal?: AbortSignal }) =>
        new Promise((take, refuse) => asked.push({ take, refuse, options }))
    },
    modem: {}
  }
  let nowMs = 0
  const sharing = shareDevice(device as unknown as DevicePort, () => nowMs)
  return {
    asked,
    read: (signal?: AbortSignal, beganMs = -1) =>
      sharing.since(beganMs).gps.position(signal ? { signal } : undefined) as Promise<unknown>,
    later: (ms: number) => (nowMs += ms)
  }
}

describe('A device that checks share', () => {
  it('is asked once for what two of them read at the same time', async () => {
    const { asked, read, later } = open()
    const both = [read(), read()]
    later(500)
    both.push(read())
    asked[0]?.take('here')
    expect(await Promise.all(both)).toEqual(['here', 'here', 'here'])
    expect(asked).toHaveLength(1)
  })

  it('is asked again for what is no longer fresh, and after a failure', async () => {
    const { asked, read, later } = open()
    const first = read()
    asked[0]?.refuse(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    void read()
    later(901)
    void read()
    expect(asked).toHaveLength(3)
  })

  it('is asked again for a check that began after the last answer', () => {
    const { asked, read, later } = open()
    void read()
    later(100)
    void read(undefined, 100)
    expect(asked).toHaveLength(2)
  })

  it('goes on answering the others when one of them is stopped', async () => {
    const { asked, read } = open()
    const stop = new AbortController()
    const [stopped, other] = [read(stop.signal), read()]
    stop.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    asked[0]?.take('here')
    expect(await other).toBe('here')
    expect(asked[0]?.options.signal).toBeUndefined()
  })
})
