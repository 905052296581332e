import { afterEach, expect, it } from 'vitest'
import { createRateLimiter } from '../../../../main/gateway/client/transport/rateLimit.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob | undefined
afterEach(() => job?.close())

const withinS = 50

/** A job whose gateway allows nothing more for 50 s, and whose device reports 10 s after that. */
async function openLimited(...ids: string[]): Promise<VirtualJob> {
  const bench = (job = openVirtualJob(ids.map((id) => standardStep(id))))
  await bench.connect()
  const limiter = createRateLimiter()
  const allowed = (remaining: number, resetInS: number) => ({
    status: 200,
    headers: new Map([
      ['x-ratelimit-limit', '30'],
      ['x-ratelimit-remaining', String(remaining)],
      ['x-ratelimit-reset', String(Math.floor(Date.now() / 1000) + resetInS)],
      ['date', new Date().toUTCString()]
    ]),
    endedAtMs: Date.now()
  })
  const before = await limiter.enter('rawdata', { priority: 'person', waitMs: 1_000 })
  before.leave(allowed(0, withinS))
  bench.gateway.admit = async () => {
    const permit = await limiter.enter('rawdata', { priority: 'person', waitMs: 3_900_000 })
    permit.leave(allowed(29, 60))
  }
  const events = bench.gateway.events
  const reportsAtMs = Date.now() + (withinS + 10) * 1000
  bench.gateway.events = () => (Date.now() < reportsAtMs ? [] : events())
  return bench
}

it('a step that waits for the limit of the gateway says for how long, and its clock stands', async () => {
  const bench = await openLimited('delivered')
  bench.begin('delivered')
  await bench.pass(1_000)
  expect(bench.live('delivered')).toMatchObject({
    hint: 'The gateway allows no more calls for 50 s. The step continues after that.',
    leftMs: null
  })
  const elapsedMs = bench.live('delivered')?.elapsedMs
  await bench.pass(40_000)
  expect(bench.live('delivered')).toMatchObject({
    hint: 'The gateway allows no more calls for 10 s. The step continues after that.',
    elapsedMs
  })
  await bench.pass(11_000)
  expect(bench.live('delivered')?.hint).toBe('')
})

it('a limit is no verdict: the step has its whole time once the gateway may be asked', async () => {
  // The quick profile gives it 15 s.
  const bench = await openLimited('delivered')
  bench.begin('delivered')
  await bench.pass(55_000)
  expect(bench.step('delivered').state).toBe('running')
  await bench.pass(10_000)
  expect(bench.step('delivered').state).toBe('pass')
})

it('a step that shares the call of another says so as well, and one that does not ask the gateway goes on', async () => {
  const bench = await openLimited('delivered', 'same-place', 'network')
  for (const id of ['delivered', 'same-place', 'network']) bench.begin(id)
  await bench.pass(5_000)
  expect(bench.live('delivered')?.hint).toMatch(/no more calls/)
  expect(bench.live('same-place')?.hint).toMatch(/no more calls/)
  expect(bench.step('network').state).not.toBe('running')
})
