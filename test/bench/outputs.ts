import { createDeviceClient } from '../../main/device/client.ts'
import { createInterlock } from '../../main/outputs/interlock.ts'
import { createOutputs } from '../../main/outputs/outputs.ts'
import { startLineRecorder } from '../../main/device/lineRecorder.ts'
import { openStore } from '../../main/store/index.ts'
import { startSimulation } from '../../simulator/simulation.ts'
import { openExchange } from '../support/exchange.ts'
import { shippedLimits } from '../support/outputs.ts'
import { makeTruckJob } from '../support/sampleJob.ts'
import { makePdfReport } from '../../main/reports/pdfThread.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * From the decision to switch off to the "off" on the wire, while a console command of 30 s runs on the same device and a
 * report is made: `npm run bench -- outputs [rounds]`. Goal: p95 at most 50 ms.
 */
const rounds = Number(process.argv[2] ?? 40)
const goalMs = 50

const sim = await startSimulation()
const [device] = sim.devices
if (!device) throw new Error('The bench needs a device')
const exchange = await openExchange(device)
const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-outputs-'))
const store = openStore(folder)
const client = createDeviceClient({ address: exchange.address, imei: device.imei, credentials: () => Promise.resolve({ user: device.user, password: device.password }) })
const outputs = createOutputs({
  ledger: store.outputLedger,
  shipped: shippedLimits,
  chosen: () => ({}),
  reach: () => client,
  technician: () => 'bench',
  record: () => undefined,
  changed: () => undefined,
  reportFault: (error) => {
    throw error
  }
})
const controller = outputs.of(device.imei)
const monotonicMs = () => performance.now()
const signal = new AbortController().signal
const recorder = startLineRecorder({ device: client, monotonicMs, changed: () => undefined, reportFault: () => undefined })
const { standstillKmh, fixAgeS, linesFreshS, silenceS } = shippedLimits

const tookMs: number[] = []
for (let round = 0; round < rounds; round++) {
  const interlock = createInterlock({ device: client, lines: recorder, signal, monotonicMs, now: () => new Date() }, { standstillKmh, fixAgeS, linesFreshS, silenceS, engineOff: true, output: 'OUT1' })
  do await Promise.all([recorder.next(signal), interlock.read()])
  while (interlock.missing().length > 0)
  const claim = controller.claim('OUT1', {
    device: client,
    address: exchange.address,
    interlock,
    limits: shippedLimits,
    by: 'bench',
    jobId: null,
    signal,
    isShort: () => recorder.latest()?.value.SO1,
    record: () => undefined
  })
  const on = await claim.switchOn()
  if (on.kind !== 'on') throw new Error(`It did not go on: ${on.kind}`)
  // The console holds the queue of the device; the report works on the same thread or beside it.
  device.setFault('hang', true, 'exec.run')
  const stop = new AbortController()
  const command = client.exec.run({ command: 'sleep 30' }, { signal: stop.signal }).catch(() => undefined)
  const report = makePdfReport({ job: makeTruckJob().job, generatedAt: new Date().toISOString(), appVersion: '0.0.0', reader: { language: 'en', units: 'metric', timeZone: 'UTC' }, isTraining: false, redact: (text) => text })
  const before = exchange.passed.length
  while (!exchange.passed.slice(before).some(({ path }) => path === '/exec')) await new Promise((resolve) => setTimeout(resolve, 5))
  const decidedMs = performance.now()
  const off = await claim.switchOff()
  if (off.kind !== 'off') throw new Error(`It was not proved off: ${off.kind}`)
  const sent = exchange.passed.slice(before).find(({ path }) => path === '/IO/OUT1/false')
  tookMs.push((sent?.atMs ?? Infinity) - decidedMs)
  stop.abort()
  device.setFault('hang', false, 'exec.run')
  await Promise.all([command, report])
  claim.release()
}

tookMs.sort((a, b) => a - b)
const at = (share: number) => tookMs[Math.min(tookMs.length - 1, Math.ceil(tookMs.length * share) - 1)] ?? NaN
process.stdout.write(`${JSON.stringify({ rounds, p50Ms: round1(at(0.5)), p95Ms: round1(at(0.95)), mostMs: round1(at(1)), goalMs, ok: at(0.95) <= goalMs })}\n`)
recorder.stop()
await outputs.stop()
store.close()
await exchange.stop()
await sim.stop()
rmSync(folder, { recursive: true, force: true })
process.exitCode = at(0.95) <= goalMs ? 0 : 1

function round1(value: number): number {
  return Math.round(value * 10) / 10
}
