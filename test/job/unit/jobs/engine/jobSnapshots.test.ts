import { expect, it } from 'vitest'
import { createJobSnapshots } from '../../../../../main/job/jobs/record/jobSnapshots.ts'
import type { SnapshotPort } from '../../../../../main/job/jobs/engine/ports.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'

const silent = new AppError('UNREACHABLE', plainMessage('no answer'), { retryable: true })

/** Snapshots of one job, with what its log was told; `make` stands for its device. */
function open(
  make: (signal: AbortSignal) => Promise<Awaited<ReturnType<SnapshotPort['makeForJob']>>>,
  job: object = {},
  beforeWrite: () => void = () => undefined,
  diskUsable: () => Promise<void> | undefined = () => undefined
) {
  const entries: unknown[] = []
  const kept: string[] = []
  const faults: unknown[] = []
  const begun: string[] = []
  const snapshots = createJobSnapshots({
    port: {
      makeForJob: (_wish, signal) => make(signal),
      begin: ({ cause }) => (beforeWrite(), void begun.push(cause)),
      end: (_id, cause) => void begun.splice(begun.indexOf(cause), 1),
      begun: () => [],
      kept: () => []
    },
    logs: {
      load: () =>
        ({
          device: { imei: '1', model: 'm', address: 'a' },
          vehicle: null,
          state: 'running',
          snapshots: [],
          ...job
        }) as never,
      write: (_id, type, _step, data) => (beforeWrite(), void entries.push({ type, ...(data as object) }))
    },
    written: () => Promise.resolve(),
    now: () => new Date(0),
    diskUsable,
    reportFault: (fault) => faults.push(fault)
  })
  const made = (sha256: string) => ({
    sha256,
    sizeBytes: 1,
    takenAt: '2026-01-01T00:00:00.000Z',
    asked: 13,
    silent: 1,
    keep: () => void kept.push(sha256)
  })
  return { snapshots, entries, kept, faults, begun, made }
}

it('names what it kept in the log, after it was kept', async () => {
  const bench = open(() => Promise.resolve(bench.made('abc')))
  bench.snapshots.begin('job', 'signOff')
  await bench.snapshots.idle()
  expect(bench.kept).toEqual(['abc'])
  expect(bench.entries).toEqual([
    {
      type: 'snapshot',
      cause: 'signOff',
      takenAt: '2026-01-01T00:00:00.000Z',
      sha256: 'abc',
      sizeBytes: 1,
      asked: 13,
      silent: 1,
      why: null
    }
  ])
})

it('a device that does not answer is a word in the log and no failure of anything', async () => {
  const bench = open(() => Promise.reject(silent))
  bench.snapshots.begin('job', 'jobStart')
  await bench.snapshots.idle()
  expect(bench.entries).toEqual([expect.objectContaining({ cause: 'jobStart', sha256: null, why: silent.sentence })])
  expect([bench.kept, bench.faults]).toEqual([[], []])
})

it('makes one for the beginning of a job and no second', async () => {
  const bench = open(() => Promise.resolve(bench.made('abc')), { snapshots: [{ cause: 'jobStart', sha256: 'before' }] })
  bench.snapshots.begin('job', 'jobStart')
  await bench.snapshots.idle()
  expect(bench.entries).toEqual([])
})

it('writes nothing into a log that was handed over or cancelled meanwhile', async () => {
  for (const job of [{ handedOver: { id: 'x', to: '', at: '' } }, { state: 'cancelled' }]) {
    const bench = open(() => Promise.resolve(bench.made('abc')), job)
    bench.snapshots.begin('job', 'signOff')
    await bench.snapshots.idle()
    expect([bench.entries, bench.kept, bench.begun]).toEqual([[], [], []])
  }
})

it('waits for the one under way when Fitter ends, and says so where it had to be ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const bench = open(async () => {
    await promise
    return bench.made('late')
  })
  bench.snapshots.begin('job', 'signOff')
  const stopping = bench.snapshots.stop()
  resolve()
  await stopping
  expect(bench.kept).toEqual(['late'])
  bench.snapshots.begin('job', 'signOff')
  await bench.snapshots.idle()
  expect(bench.kept).toEqual(['late'])
})

it('what was read while another program held the data file is written when the file is free, and nothing is a fault', async () => {
  const held = new AppError('DATA_LOCKED', plainMessage('held'), { retryable: true })
  let n = 0
  const bench = open(
    () => Promise.resolve(bench.made('abc')),
    {},
    // Held twice at the begin, and twice when the log is written.
    () => {
      n += 1
      if (n % 3 !== 0) throw held
    },
    () => Promise.resolve()
  )
  bench.snapshots.begin('job', 'jobStart')
  await bench.snapshots.idle()
  expect(bench.entries).toEqual([expect.objectContaining({ sha256: 'abc', why: null })])
  expect([bench.faults, bench.begun, n]).toEqual([[], [], 6])
})
