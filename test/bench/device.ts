import { spawn } from 'node:child_process'
import { get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createDeviceClient } from '../../main/device/client/client.ts'
import { createDeviceQueue } from '../../main/device/client/queue.ts'
import { diagnosisLimits } from '../../main/support/diagnosis/limits.ts'
import { loadShipped } from '../../main/job/jobs/checklists/shipped.ts'
import { sourceResourcesFolder } from '../../main/app/core.ts'
import { createLiveReader } from '../../main/support/deviceSession/liveReading.ts'
import type { OpenedDevice } from '../../main/support/deviceSession/ports.ts'
import { liveOperation } from '../../preload/contract/device/workspace.ts'

/**
 * Live reading of simulated devices (in a process of their own): every area of every device once a second. Tells the
 * CPU time that this process needed for it, how its memory grew, and what a request costs over the same one with raw
 * `http`.
 *
 *   npm run bench -- device [--devices 20] [--seconds 120] [--requests 400]
 */
const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '120' },
    requests: { type: 'string', default: '400' }
  }
})
interface Simulated {
  host: string
  port: number
  imei: string
  user: string
  password: string
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
const quantile = (numbers: number[], part: number): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
}
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const child = spawn(
  process.execPath,
  [join(import.meta.dirname, '..', 'world', 'device', 'simulatedDevicesChild.ts'), values.devices],
  { stdio: ['pipe', 'pipe', 'inherit'] }
)
const [first] = await new Promise<string[]>((resolve) =>
  createInterface({ input: child.stdout }).once('line', (line) => resolve([line]))
)
const simulated = JSON.parse(first ?? '[]') as Simulated[]
const opened: OpenedDevice[] = simulated.map(({ host, port, imei, user, password }) => ({
  key: imei,
  imei,
  model: null,
  address: `${host}:${port}`,
  device: createDeviceClient({
    address: `${host}:${port}`,
    queue: createDeviceQueue(),
    credentials: () => Promise.resolve({ user, password })
  })
}))

try {
  const [device] = opened
  const [target] = simulated
  if (!device || !target) throw new Error('No device was started.')
  await measureOverhead(device, target, Number(values.requests))
  await measureReading(opened, Number(values.seconds))
} finally {
  child.stdin.end()
}

/** Both ways in turn, so that the load of the machine meets both alike. */
async function measureOverhead({ device }: OpenedDevice, target: Simulated, count: number): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${target.user}:${target.password}`).toString('base64')}`
  const raw = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(
        { host: target.host, port: target.port, path: '/IO/all', agent: false, headers: { authorization } },
        (answer) => {
          const parts: Buffer[] = []
          answer
            .on('data', (part: Buffer) => parts.push(part))
            .on('end', () => {
              JSON.parse(Buffer.concat(parts).toString())
              resolve()
            })
        }
      ).on('error', reject)
    })
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const fromMs = performance.now()
    await work()
    return performance.now() - fromMs
  }
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < count + 50; round++) {
    const pair =
      round % 2 === 0
        ? [await timed(raw), await timed(() => device.io.all())]
        : [await timed(() => device.io.all()), await timed(raw)].reverse()
    if (round < 50) continue
    plain.push(pair[0] ?? NaN)
    ours.push(pair[1] ?? NaN)
  }
  const difference = ours.map((ms, index) => ms - (plain[index] ?? NaN))
  say(
    `Overhead per request over raw http, ${count} pairs: median ${quantile(difference, 0.5).toFixed(2)} ms, p95 of the difference ${quantile(difference, 0.95).toFixed(2)} ms`
  )
  say(
    `  raw http: median ${quantile(plain, 0.5).toFixed(2)} ms, p95 ${quantile(plain, 0.95).toFixed(2)} ms; ours: median ${quantile(ours, 0.5).toFixed(2)} ms, p95 ${quantile(ours, 0.95).toFixed(2)} ms`
  )
  say(
    `  p95 of ours less p95 of raw: ${(quantile(ours, 0.95) - quantile(plain, 0.95)).toFixed(2)} ms (wanted: under 3)`
  )
}

async function measureReading(devices: OpenedDevice[], seconds: number): Promise<void> {
  const reader = createLiveReader(() => diagnosisLimits(loadShipped(sourceResourcesFolder).standardProfile))
  const operations = liveOperation.options
  const everyMs = 1_000
  const ending = new AbortController()
  let rounds = 0
  let failed = 0
  let slow = 0
  const loops = devices.map(async (one, index) => {
    // Spread over the second, as screens that were opened one after the other are.
    await pause((index * everyMs) / devices.length)
    while (!ending.signal.aborted) {
      const { readings, nextInMs, isSlow } = await reader.read(
        one,
        { view: one.key, operations, everyMs },
        ending.signal
      )
      rounds += 1
      slow += Number(isSlow)
      failed += Object.values(readings).filter((reading) => reading.failure !== null).length
      await pause(nextInMs)
    }
  })
  // The first seconds compile the code and fill caches.
  await pause(15_000)
  const startRounds = rounds
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  const memory: number[] = []
  while (performance.now() - startMs < seconds * 1_000) {
    await pause(5_000)
    globalThis.gc?.()
    memory.push(process.memoryUsage().heapUsed)
  }
  const cpu = process.cpuUsage(startCpu)
  const tookMs = performance.now() - startMs
  const done = rounds - startRounds
  ending.abort()
  await Promise.allSettled(loops)
  reader.stop()
  const third = Math.max(1, Math.floor(memory.length / 3))
  const mean = (part: number[]) => part.reduce((sum, bytes) => sum + bytes, 0) / part.length
  const before = mean(memory.slice(0, third))
  const after = mean(memory.slice(-third))
  const requests = done * operations.length
  say(
    `Reading ${devices.length} devices, ${operations.length} operations each, ${(tookMs / 1000).toFixed(0)} s: ${(done / devices.length / (tookMs / 1000)).toFixed(2)} rounds a second and device, ${requests} requests, ${failed} failed, ${slow} slow rounds`
  )
  say(
    `  CPU of this process: ${((cpu.user + cpu.system) / 10 / tookMs).toFixed(1)} % of one core (wanted: under 25), ${((cpu.user + cpu.system) / requests).toFixed(0)} µs a request`
  )
  say(
    `  heap, first third to last third${globalThis.gc ? '' : ' (without forced collection: start with node --expose-gc for a clean figure)'}: ${(before / 1e6).toFixed(1)} to ${(after / 1e6).toFixed(1)} MB, ${((after / before - 1) * 100).toFixed(1)} % (wanted: under 5)`
  )
}
