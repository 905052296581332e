import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Host } from '../frontEnd.ts'
import { createConnectionRoom } from './connectionRoom.ts'
import { listPage } from '../../base/page/manifest.ts'
import { Access } from './access.ts'
import { openBridgeSocket } from './bridgeSocket.ts'
import { storeHostAddress, readHostAddress } from './hostAddress.ts'
import { answerPages } from './pages.ts'
import { message } from '../../../preload/contract/messages.ts'

export interface BrowserHostOptions {
  host: Host
  /** The built page (`out/renderer`). */
  rendererFolder: string
  /** 0 (the default): the last port if it is free, otherwise any free one. */
  port?: number
  /** Stores the address of this host and its known browsers, so that an open page reconnects after a restart. */
  keptIn?: string | undefined
}

export interface BrowserHost {
  /** The address to open, with its one-time key. It redirects to `origin`. */
  url: string
  /** The origin of the page: a random name of this computer. */
  origin: string
  port: number
  /** Another address with its own key, for a second browser; `used` is called when it was opened. */
  issueKey(used?: () => void): string
  /** Closes every connection. The core behind it continues; its owner stops it. */
  stop(): Promise<void>
}

const loopback = '127.0.0.1'
/** Any user of this computer can connect; only the page's own connections may stay. A browser asks at once. */
const strangers = { most: 32, mostOfOne: 32, withinMs: 3_000 }

/**
 * Shows the UI to a browser on this computer, and to nobody else. @throws AppError REFUSED when the port is used; Error
 * when the page was not built
 */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const manifest = listPage(options.rendererFolder)
  // Who may not stay leaves by the room below. Node's own limits stay long: they would count the time in which a busy
  // computer read nothing.
  const server = createServer()
  const place = readHostAddress(options.keptIn)
  const port = await listenAgain(server, options.port ?? 0, place.port)
  const entry = `http://${loopback}:${port}`
  const origin = `http://${place.name}.localhost:${port}`
  const keep = (sessions: readonly string[]): boolean =>
    storeHostAddress(options.keptIn, { name: place.name, port, sessions: [...sessions] })
  const access = new Access({ port, sessions: place.sessions, sessionsChanged: keep })
  keep(place.sessions)
  const room = createConnectionRoom(strangers)
  server.on('connection', (socket) => room.enter(socket))
  const answer = answerPages(manifest, { entry, page: origin }, { access, host: options.host })
  server.on('request', (request, response) => {
    if (access.hasSession(request)) room.admit(request.socket)
    else response.setHeader('Connection', 'close')
    answer(request, response)
  })
  const bridge = openBridgeSocket(options.host, origin, access)
  server.on('upgrade', (request, socket, head) => {
    // A client that disconnects early is not an error.
    socket.on('error', () => socket.destroy())
    if (bridge.accept(request, socket, head)) room.admit(request.socket)
  })
  const issueKey = (used?: () => void): string => `${entry}/?key=${access.issueKey(used)}`

  return {
    url: issueKey(),
    origin,
    port,
    issueKey,
    async stop() {
      bridge.stop()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    }
  }
}

/** The last port is only a preference: if it is used now, any free one will do. */
async function listenAgain(server: ReturnType<typeof createServer>, port: number, lastPort: number): Promise<number> {
  if (port !== 0 || lastPort === 0) return listen(server, port)
  try {
    return await listen(server, lastPort)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return listen(server, 0)
  }
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      const sentence = isTaken
        ? message('app.portTaken', { port })
        : message('app.portUnusable', { port, reason: error.code ?? error.message })
      reject(new AppError('REFUSED', sentence, { cause: error }))
    })
    server.listen({ host: loopback, port, exclusive: true }, () => {
      server.removeAllListeners('error')
      resolve((server.address() as AddressInfo).port)
    })
  })
}
