import { getHeapSpaceStatistics } from 'node:v8'
import { expect, test, vi } from 'vitest'
import { openVirtualJob, virtualImei } from '../../world/device/virtualJob.ts'
import { standardStep } from '../../world/device/quickProfile.ts'

const hours = Number(process.env['FITTER_BENCH_HOURS'])
const jobEveryMs = 3 * 60_000
/** The core keeps the 50 latest jobs in memory: what fills up once is not growth. */
const settlingJobs = 60
/**
 * Less than this share of the value in an hour is no growth: the samples and what V8 keeps of its own work are in it.
 */
const flatShare = 0.001
const device = { imei: virtualImei, model: 'ft4', address: 'ft4.local:8080' }

interface Sample {
  atHours: number
  heapKb: number
  timers: number
  handles: number
  listeners: number
}

/** The line through the samples: its slope in an hour, and twice the error of that slope. */
function slopeOf(samples: readonly Sample[], of: (sample: Sample) => number): { perHour: number; noise: number } {
  const count = samples.length
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / count
  const [meanX, meanY] = [mean(samples.map(({ atHours }) => atHours)), mean(samples.map(of))]
  const spread = samples.reduce((sum, { atHours }) => sum + (atHours - meanX) ** 2, 0)
  const perHour = samples.reduce((sum, one) => sum + (one.atHours - meanX) * (of(one) - meanY), 0) / spread
  const left = samples.reduce((sum, one) => sum + (of(one) - meanY - perHour * (one.atHours - meanX)) ** 2, 0)
  return { perHour, noise: 2 * Math.sqrt(left / (count - 2) / spread) }
}

/**
 * What objects use. What the engine compiles, and compiles again after hours of the same work, is in spaces of its own.
 */
function objectsKb(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => /^(new|old|large_object|new_large_object)(_space)?$/.test(name))
    .reduce((sum, { space_used_size: bytes }) => sum + bytes / 1_000, 0)
}

test('a day of jobs', async () => {
  const bench = openVirtualJob([
    standardStep('identity'),
    standardStep('position'),
    standardStep('network'),
    standardStep('sign-off')
  ])
  bench.answers = { imei: { value: virtualImei }, signOff: { value: 'T' } }
  const samples: Sample[] = []
  const beganMs = Date.now()
  for (let number = 0; Date.now() - beganMs < hours * 3_600_000; number++) {
    const startedMs = Date.now()
    Object.assign(bench, {
      id: bench.jobs.create({ templateId: 'some-steps', device, vehicleText: 'Truck 1', customer: '' })
    })
    await bench.connect()
    for (const step of ['identity', 'position', 'network']) await bench.run(step)
    // The person works at the vehicle meanwhile, and the lines are read.
    await bench.pass(jobEveryMs - 30_000 - (Date.now() - startedMs))
    await bench.run('sign-off')
    await bench.pass(Math.max(0, jobEveryMs - (Date.now() - startedMs)))
    await bench.jobs.pause(bench.id)
    expect(bench.jobs.show(bench.id).state).toBe('done')
    bench.told.length = bench.commands.length = bench.worked.length = 0
    globalThis.gc?.()
    if (number >= settlingJobs) {
      samples.push({
        atHours: (Date.now() - beganMs) / 3_600_000,
        heapKb: objectsKb(),
        timers: vi.getTimerCount(),
        handles: process.getActiveResourcesInfo().length,
        listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
      })
    }
  }
  expect(bench.faults).toEqual([])
  process.stdout.write(`\n${samples.length} jobs measured in ${hours} hours of a virtual clock\n`)
  for (const name of ['heapKb', 'timers', 'handles', 'listeners'] as const) {
    const { perHour, noise } = slopeOf(samples, (sample) => sample[name])
    const [first, last] = [samples[0]?.[name] ?? 0, samples.at(-1)?.[name] ?? 0]
    const isFlat = perHour <= Math.max(noise, flatShare * first)
    process.stdout.write(
      `${name.padEnd(10)} ${first.toFixed(0)} to ${last.toFixed(0)}: ${perHour.toFixed(2)} an hour, noise ${noise.toFixed(2)}${isFlat ? '' : '  MISSED'}\n`
    )
    expect.soft(isFlat, `${name} is flat`).toBe(true)
  }
  await bench.close()
})
