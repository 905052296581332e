import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { paceGateway } from '../../../../../main/job/jobs/engine/pacedGateway.ts'
import type { GatewayPort } from '../../../../../main/job/jobs/engine/ports.ts'

const signal = new AbortController().signal
const ending = new AbortController()
let readings: number[]
let paced: GatewayPort

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  readings = []
  const gateway = {
    readLines: async () => {
      readings.push(Math.round(performance.now() - startMs))
      return { values: new Map(), atMs: null, ageS: null, raw: readings.length }
    }
  } as unknown as GatewayPort
  const startMs = performance.now()
  paced = paceGateway(gateway, { everyMs: 6_000, monotonicMs: () => performance.now(), signal: ending.signal })
})
afterEach(() => vi.useRealTimers())

describe('Checks that ask the gateway side by side', () => {
  it('share one question each time, and keep to ten a minute however many they are', async () => {
    const check = async () => {
      for (;;) {
        await paced.readLines('imei', signal)
        await new Promise((resolve) => setTimeout(resolve, 700))
      }
    }
    for (let number = 0; number < 5; number++) void check()
    await vi.advanceTimersByTimeAsync(59_999)
    expect(readings).toEqual([0, 6_000, 12_000, 18_000, 24_000, 30_000, 36_000, 42_000, 48_000, 54_000])
  })

  it('never get an answer from before their question', async () => {
    const first = paced.readLines('imei', signal)
    await vi.advanceTimersByTimeAsync(10)
    expect(await first).toMatchObject({ raw: 1 })
    const second = paced.readLines('imei', signal)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await second).toMatchObject({ raw: 2 })
  })

  it('leave the line when they are stopped, and do not stop the others', async () => {
    const own = new AbortController()
    await paced.readLines('imei', signal)
    const stopped = paced.readLines('imei', own.signal)
    const other = paced.readLines('imei', signal)
    own.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await other).toMatchObject({ raw: 2 })
  })
})
