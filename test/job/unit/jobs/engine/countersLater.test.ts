import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import type { OperationsPort } from '../../../../../main/job/jobs/engine/ports.ts'
import { stepOfWords } from '../../../../world/window/english.ts'
import { openVirtualJob, type VirtualJob } from '../../../../world/device/virtualJob.ts'

const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { retryable: true, fate: 'away' })
let bench: VirtualJob
let work: ReturnType<OperationsPort['ofJob']>
let added: object[]

beforeEach(async () => {
  bench = openVirtualJob([
    stepOfWords({ id: 'counters', kind: 'counters', title: 'Counters', instruction: 'Read the odometer.' })
  ])
  work = []
  added = []
  bench.operations.ofJob = () => work
  bench.operations.settled = () =>
    Promise.resolve({ state: work[0]?.state ?? 'draft', reason: 'It waits.', evidence: [] })
  bench.operations.addCounter = (counter) => {
    added.push(counter)
    work.push({ id: 'counter', kind: 'counters.setGlobal', state: 'draft', reason: 'It waits.' })
    return { id: 'counter' }
  }
  bench.answers = { value: { value: 5_000 }, yesNo: { answer: true } }
  await bench.connect()
})
afterEach(() => bench.close())

async function finish(): Promise<string> {
  const finishing = bench.jobs.finishDeferred(new AbortController().signal)
  await bench.pass(1_000)
  await finishing
  return bench.step('counters').state
}

describe('Counters that are typed while the gateway is away', () => {
  beforeEach(async () => {
    bench.gateway.isAway = gone
    expect(await bench.run('counters')).toMatchObject({ state: 'deferred' })
  })

  it('wait as gateway work for the vehicle that was typed, and the step ends with it', async () => {
    expect(added).toMatchObject([{ vid: null, vehicle: 'Truck 1', counter: 'dev_dist', value: 5_000_000 }])
    expect(await finish()).toBe('deferred')
    work[0] = { id: 'counter', kind: 'counters.setGlobal', state: 'done', reason: 'Shown.' }
    expect(await finish()).toBe('pass')
  })

  it('do not keep the step open when the work was discarded', async () => {
    work[0] = { id: 'counter', kind: 'counters.setGlobal', state: 'cancelled', reason: 'Discarded.' }
    expect(await finish()).toBe('notApplicable')
  })

  it('do not keep the step open when no work is there', async () => {
    work = []
    expect(await finish()).toBe('unreadable')
    expect(bench.step('counters').summary).toBe(
      'The counters were entered, but not saved for the gateway. Nothing was sent.'
    )
  })
})
