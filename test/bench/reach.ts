import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCore, sourceResourcesFolder } from '../../main/app/core.ts'
import { ibuttonKey, ibuttonsCreateKind, ibuttonTitle } from '../../main/gateway/waitingWork/kinds/ibuttonsCreate.ts'
import { startGateway } from '../../simulator/gateway/gateway.ts'

/**
 * From the moment at which the gateway can be reached again to "reachable" in every window, and to the end of a write
 * that waited for it: `npm run bench -- reach [rounds]`. Goal: at most 5 s. The way there is closed in two manners, in
 * turn: the port refuses, or it takes connections and never says a word.
 */
const rounds = Number(process.argv[2] ?? 6)
const goalS = 5

const imei = '356938035643809'
const gateway = await startGateway({
  devices: [{ imei, model: 'ft4', iccid: '8934071100276980483', lat: 40.4, lon: -3.7 }],
  rateTiers: { other: [{ requests: 5_000, perSeconds: 60 }] }
})
const asset = gateway.state.assets[0]
if (!asset) throw new Error('The bench needs an asset')

let manner: 'refuses' | 'silent' | 'through' = 'through'
let server: Server | undefined
const sockets = new Set<Socket>()

function listen(port: number): Promise<number> {
  return new Promise((resolve) => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
      if (manner === 'silent') return
      const onward = connect(Number(new URL(gateway.url).port), '127.0.0.1')
      onward.on('error', () => socket.destroy())
      socket.on('close', () => onward.destroy())
      socket.pipe(onward).pipe(socket)
    })
    server.listen(port, '127.0.0.1', () => resolve((server?.address() as AddressInfo).port))
  })
}

async function be(next: typeof manner, port: number): Promise<void> {
  manner = next
  for (const socket of sockets) socket.destroy()
  if (next === 'refuses') await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  else if (!server?.listening) await listen(port)
}

const port = await listen(0)
const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-reach-'))
const core = createCore({
  dataFolder: folder,
  resourcesFolder: sourceResourcesFolder,
  gatewayUrl: `http://127.0.0.1:${port}/api`,
  given: { gateway: { user: gateway.user, password: gateway.password } },
  inMemorySecrets: true,
  interfaces: () => ({}),
  background: true,
  reportFault: (error) => {
    throw error
  }
})
const heard: { atMs: number; state: string }[] = []
core.events.onEvent((name, payload) => {
  if (name === 'gateway.changed') heard.push({ atMs: performance.now(), state: (payload as { state: string }).state })
})

async function until(is: () => boolean, limitMs = 60_000): Promise<number> {
  const startedMs = performance.now()
  while (!is()) {
    if (performance.now() - startedMs > limitMs) throw new Error('It did not happen within a minute')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return performance.now()
}

const seconds: { shownS: number; doneS: number | null }[] = []
for (let round = 0; round < rounds; round++) {
  const kind = round % 2 === 0 ? 'refuses' : 'silent'
  await be(kind, port)
  const id = `${round}`.padStart(16, '0')
  const payload = { id, assetId: asset.id, assetName: asset.name }
  // What left for a silent gateway may have been applied: it rightly waits out its grace time, so only reads are tried
  // there.
  const waiting =
    kind === 'refuses'
      ? core.operations.add({
          kind: ibuttonsCreateKind,
          key: ibuttonKey(id),
          title: ibuttonTitle(payload),
          payload,
          jobId: null,
          draft: false
        })
      : null
  if (waiting) core.sendSoon()
  else void core.connections.gateway.client().then((client) => client.user.own().catch(() => undefined))
  await until(() => heard.at(-1)?.state === 'unreachable')
  await new Promise((resolve) => setTimeout(resolve, 9_000 + ((round * 1_370) % 4_000)))
  const openedMs = performance.now()
  await be('through', port)
  const isShown = (): boolean => heard.at(-1)?.state === 'reachable' && (heard.at(-1)?.atMs ?? 0) > openedMs
  const isDone = (): boolean => waiting === null || core.operations.get(waiting.id)?.state === 'done'
  const [shownMs, doneMs] = await Promise.all([until(isShown), until(isDone)])
  const shownS = (shownMs - openedMs) / 1000
  const doneS = waiting ? (doneMs - openedMs) / 1000 : null
  seconds.push({ shownS, doneS })
  process.stdout.write(
    `${kind}: reachable after ${shownS.toFixed(2)} s${doneS === null ? '' : `, the waiting write done after ${doneS.toFixed(2)} s`}\n`
  )
}
await core.stop()
await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
await gateway.stop()
rmSync(folder, { recursive: true, force: true })
const worstS = Math.max(...seconds.map(({ shownS }) => shownS))
const worstDoneS = Math.max(...seconds.map(({ doneS }) => doneS ?? 0))
process.stdout.write(
  `Worst of ${rounds}: reachable ${worstS.toFixed(2)} s, the waiting write done ${worstDoneS.toFixed(2)} s (goal ${goalS} s)\n`
)
process.exitCode = worstS <= goalS ? 0 : 1
