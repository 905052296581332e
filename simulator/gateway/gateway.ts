import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RemoteOutputCommand } from '../report.ts'
import { endpoints } from './endpoints.ts'
import { createFaults } from './faults.ts'
import { createIngest } from './past/ingest.ts'
import { createRateLimits } from './rateLimits.ts'
import { createRouter } from './router.ts'
import { seedState } from './seed.ts'
import { createRequestHandler, type ServerParts } from './server.ts'
import { createState } from './state.ts'
import type { CameraLook, Fault, GatewayOptions } from './types.ts'

const defaultTiers = { data: [{ requests: 30, perSeconds: 60 }], other: [{ requests: 100, perSeconds: 60 }] }

export type SimulatedGateway = Awaited<ReturnType<typeof startGateway>>

/** Starts a gateway on a free port: seeded records, real HTTP, the rules of the gateway document. */
export async function startGateway(options: GatewayOptions) {
  const now = options.now ?? Date.now
  const delayMs = options.delayMs ?? 800
  const state = createState(options.seed ?? 1, options.form)
  const accounts = seedState(state, options, now())
  const installer = accounts[0]
  if (!installer) throw new Error('no account was made')

  const listeners = new Set<(command: RemoteOutputCommand) => void>()
  const timers = new Set<NodeJS.Timeout>()
  let isOnline = true
  let cameras: CameraLook = () => []
  const tellDevice = (command: RemoteOutputCommand): boolean => {
    for (const listener of listeners) listener(command)
    return listeners.size > 0
  }
  const ingest = createIngest({ state, delayMs, now, tellDevice })
  const faults = createFaults()
  const parts: ServerParts = {
    state,
    route: createRouter(endpoints),
    faults,
    limits: createRateLimits({ ...defaultTiers, ...options.rateTiers }),
    now,
    settle: ingest.settle,
    isOnline: () => isOnline,
    later: (ms, act) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        act()
      }, ms)
      timers.add(timer)
    },
    requests: [],
    violations: [],
    readCacheMs: options.readCacheMs ?? 0,
    settings: {
      delayMs,
      photoMs: options.photoMs ?? 2500,
      tokenIdleMs: options.tokenIdleMs ?? 3_600_000,
      tellDevice,
      lookThrough: (imei) => cameras(imei),
      impliedLists: options.impliedLists ?? true
    }
  }
  const handle = createRequestHandler(parts)
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A bug in the simulator: reported loudly, so that no test confuses it with a 500 of the gateway.
      parts.violations.push({
        at: new Date(now()).toISOString(),
        method: request.method ?? '',
        path: '',
        why: `simulator failed: ${String(error)}`
      })
      if (!response.headersSent) response.writeHead(500).end()
    })
  })
  server.on('connection', (socket) => {
    if (!isOnline) socket.resetAndDestroy()
  })
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as AddressInfo

  return {
    /** Base address, ends in `/api`. */
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/api`,
    user: installer.user,
    password: installer.password,
    /** The installer above; a viewer (read only); an outsider who shares no group with the devices; support (staff). */
    accounts,
    /** A device reports; visible after `delayMs`. */
    receive: ingest.receive,
    /** Requests of clients that the document does not allow, oldest first. */
    violations: parts.violations,
    /** The last requests, oldest first, at most 2000. */
    requests: parts.requests,
    /** False: every connection is reset. Device reports still arrive. */
    setOnline(on: boolean): void {
      isOnline = on
      if (!on) server.closeAllConnections()
    },
    /** Replaces the active faults; null ends them. */
    setFault: (fault: Fault | Fault[] | null): void => faults.setFaults(fault === null ? [] : [fault].flat()),
    /** The source of pictures, asked at the time of the photo. Without cameras, a vehicle shows one of its own. */
    connectCameras(look: CameraLook): void {
      cameras = look
    },
    /** Called when the gateway commands a device to switch an output; returns the stop function. */
    onRemoteOutput(listener: (command: RemoteOutputCommand) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get state() {
      ingest.settle()
      return state
    },
    async stop(): Promise<void> {
      for (const timer of timers) clearTimeout(timer)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    }
  }
}
