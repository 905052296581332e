import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBrowserHost } from '../../../main/app/browserHost/index.ts'
import { createDeviceClient } from '../../../main/device/client/client.ts'
import { startLineRecorder } from '../../../main/device/client/lineRecorder.ts'
import { createInterlock } from '../../../main/job/outputs/interlock.ts'
import { createOutputs } from '../../../main/job/outputs/outputs.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { openExchange } from '../data/exchange.ts'
import { shippedLimits } from '../device/outputs.ts'
import { makePageFolder } from './pageFolder.ts'
import { makeTestHost } from '../gateway/testHost.ts'

/**
 * A process with a browser host before the outputs of a simulated device. Its page calls `test.on`, which switches OUT1
 * on, and `outputs.allOff`, whose answer contains when "off" left for the device (epoch milliseconds). Prints its
 * address, and ends with its standard input.
 */
const sim = await startSimulation()
const [device] = sim.devices
if (!device) throw new Error('No device')
const exchange = await openExchange(device)
const store = openStore(mkdtempSync(join(tmpdir(), 'fitter-off-over-browser-')))
const reportFault = (error: unknown): never => {
  throw error
}
const client = createDeviceClient({
  address: exchange.address,
  imei: device.imei,
  credentials: () => Promise.resolve({ user: device.user, password: device.password })
})
const outputs = createOutputs({
  ledger: store.outputLedger,
  shipped: shippedLimits,
  chosen: () => ({}),
  reach: () => client,
  technician: () => 'test',
  record: () => undefined,
  changed: () => undefined,
  reportFault
})
const controller = outputs.of(device.imei)
const monotonicMs = () => performance.now()
const { signal } = new AbortController()
const recorder = startLineRecorder({
  device: client,
  monotonicMs,
  changed: () => undefined,
  reportFault: () => undefined
})
const { standstillKmh, fixAgeS, linesFreshS, stillS, silenceS } = shippedLimits
let claim: ReturnType<typeof controller.claim> | undefined

async function switchOn(): Promise<void> {
  const interlock = createInterlock(
    { device: client, lines: recorder, signal, monotonicMs, now: () => new Date() },
    { standstillKmh, fixAgeS, linesFreshS, stillS, silenceS, engineOff: true, output: 'OUT1' }
  )
  do await Promise.all([recorder.next(signal), interlock.read()])
  while (interlock.missing().length > 0)
  claim = controller.claim('OUT1', {
    device: client,
    address: exchange.address,
    by: 'test',
    jobId: null,
    record: () => undefined,
    interlock,
    limits: shippedLimits,
    signal,
    isShort: () => recorder.latest()?.value.SO1
  })
  const on = await claim.switchOn()
  if (on.kind !== 'on') throw new Error(`It did not switch on: ${on.kind}`)
}

async function allOff(): Promise<{ sentAt: number; left: number }> {
  const begun = exchange.passed.length
  await outputs.allOff()
  claim?.release()
  claim = undefined
  const sent = exchange.passed.slice(begun).find(({ path }) => path === '/IO/OUT1/false')
  return { sentAt: sent ? performance.timeOrigin + sent.atMs : Infinity, left: outputs.ledger().length }
}

const page = makePageFolder()
const browserHost = await startBrowserHost({
  host: {
    ...makeTestHost(),
    async call(name) {
      if (name === 'test.on') return { ok: true, value: await switchOn() }
      return name === 'outputs.allOff' ? { ok: true, value: await allOff() } : { ok: true, value: {} }
    }
  },
  rendererFolder: page.folder
})
process.stdout.write(
  `${JSON.stringify({ url: browserHost.url, origin: browserHost.origin, port: browserHost.port })}\n`
)
for await (const _ of process.stdin);
recorder.stop()
await browserHost.stop()
await outputs.allOff()
await outputs.stop()
store.close()
await exchange.stop()
await sim.stop()
page.remove()
process.exit(0)
