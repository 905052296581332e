import { MessageChannel, Worker } from 'node:worker_threads'
import { once } from 'node:events'
import { routeCall } from '../../main/app/router.ts'
import type { CallName, Handlers } from '../../preload/contract/index.ts'
import { alternate, summariseMs } from '../world/time/measure.ts'
import { openWorkspaceBench } from '../world/device/workspaceBench.ts'

/**
 * `npm run bench -- router [rounds]`: a call through the contract's router, with its input and output checked, against
 * a raw echo of the same value over a message port of the same two threads. What a handler does is not counted: it has
 * its answer ready.
 */
const rounds = Number(process.argv[2] ?? 300)
const callsOfRound = 50
const goal = 1.3
const measured: readonly [CallName, unknown][] = [
  ['settings.get', {}],
  ['discovery.watch', {}],
  ['workspace.limits', {}],
  ['jobs.templates', {}],
  ['knowledge.explain', { code: 'PWR', language: 'en' }]
]
/** The other side of the port: one call after the other, each sent when the answer to the last is there. */
const page = new Worker(
  `const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ port, name, input, times }) => {
    let left = times
    port.on('message', () => {
      left -= 1
      if (left > 0) return port.postMessage({ name, input })
      port.close()
      parentPort.postMessage(null)
    })
    port.postMessage({ name, input })
  })`,
  { eval: true }
)

/** So many calls, each answered by `answer`. */
async function callFromPage(
  name: CallName,
  input: unknown,
  answer: (name: string, input: unknown) => unknown
): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  port1.on('message', async (call: { name: string; input: unknown }) =>
    port1.postMessage(await answer(call.name, call.input))
  )
  page.postMessage({ port: port2, name, input, times: callsOfRound }, [port2])
  await once(page, 'message')
}

const bench = await openWorkspaceBench({ devices: 20 })
try {
  const ratios: number[] = []
  for (const [name, input] of measured) {
    const value = await bench.call(name, input as never)
    const handlers = { [name]: () => value } as unknown as Handlers
    const route = (called: string, given: unknown) =>
      routeCall(handlers, called, given, (fault) => bench.faults.push(fault))
    const echoed = { ok: true, value }
    const ours = () => callFromPage(name, input, route)
    const other = () => callFromPage(name, input, () => echoed)
    await alternate(20, ours, other)
    const times = await alternate(rounds, ours, other)
    const [a, b] = [summariseMs(times.ours).medianMs / callsOfRound, summariseMs(times.other).medianMs / callsOfRound]
    ratios.push(a / b)
    process.stdout.write(
      `${name.padEnd(20)} ${(a * 1_000).toFixed(1)} µs against ${(b * 1_000).toFixed(1)} µs: ${(a / b).toFixed(2)} (${JSON.stringify(value).length} characters)\n`
    )
  }
  const middle = summariseMs(ratios).medianMs
  process.stdout.write(
    `middle of the calls: ${middle.toFixed(2)}, goal ${goal}${middle <= goal ? '' : '  MISSED'}; the most: ${Math.max(...ratios).toFixed(2)}\n`
  )
  if (bench.faults.length > 0) throw new Error(String(bench.faults[0]))
} finally {
  await bench.stop()
  await page.terminate()
}
