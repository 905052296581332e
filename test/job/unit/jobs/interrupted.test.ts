import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { stepOfWords } from '../../../world/window/english.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { retryable: true, fate: 'away' })
const steps = (
  [
    'externalPower',
    'position',
    'network',
    'delivered',
    'samePlace',
    'question',
    'testTrip',
    'removed',
    'swapped'
  ] as const
).map((kind) => stepOfWords({ id: kind.toLowerCase(), kind, title: kind, instruction: 'Go.' }))
let bench: VirtualJob
afterEach(() => bench.close())

// Whatever happens in the middle of a step: it waits again, nothing that was seen is lost, and it runs again from
// there.
describe.each(steps.map(({ id }) => id))('A job that is interrupted at the step %s', (id) => {
  async function openAt(): Promise<number> {
    bench = openVirtualJob(steps)
    await bench.connect()
    bench.begin(id)
    await bench.pass(60)
    return bench.store.jobs.journal(bench.id).length
  }

  async function goesOn(atLeast: number): Promise<void> {
    expect(bench.store.jobs.journal(bench.id).length).toBeGreaterThanOrEqual(atLeast)
    const { state, attempts } = bench.step(id)
    if (state !== 'waiting') return
    bench.begin(id)
    await bench.pass(60)
    expect(bench.step(id).attempts).toBe(attempts + 1)
  }

  it('by the end of the program goes on there', async () => {
    const entries = await openAt()
    bench.restart()
    expect(bench.step(id).state).not.toBe('running')
    await bench.connect()
    await goesOn(entries)
  })

  it('by a closed lid goes on there', async () => {
    const entries = await openAt()
    const paused = bench.jobs.pause(bench.id)
    await bench.pass(2_000)
    await paused
    expect(bench.step(id).state).not.toBe('running')
    await bench.connect()
    await goesOn(entries)
  })

  it('by a device or a network that is gone never passes on what it did not see', async () => {
    const entries = await openAt()
    const before = bench.step(id).state
    bench.breakDevice('all', gone)
    bench.gateway.isAway = gone
    await bench.pass(45_000)
    if (before === 'running') expect(['running', 'unreadable', 'deferred', 'fail']).toContain(bench.step(id).state)
    bench.breakDevice('all', null)
    bench.gateway.isAway = null
    await bench.pass(1_000)
    await goesOn(entries)
  })
})
