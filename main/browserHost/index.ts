import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../../preload/contract/errors.ts'
import type { Host } from '../app/frontEnd.ts'
import { listPage } from '../page/manifest.ts'
import { Access } from './access.ts'
import { openBridgeSocket } from './bridgeSocket.ts'
import { answerPages } from './pages.ts'

export interface BrowserHostOptions {
  host: Host
  /** The built page (`out/renderer`). */
  rendererFolder: string
  /** 0 (the default) takes a free one. */
  port?: number
}

export interface BrowserHost {
  /** The address to open, with its one-time key. */
  url: string
  port: number
  /** Another address with a key of its own, for a second browser. */
  issueKey(): string
  /** Closes every connection. The core behind it goes on; whoever opened it stops it. */
  stop(): Promise<void>
}

const loopback = '127.0.0.1'

/**
 * Shows the UI to a browser on this machine, and to nobody else.
 * @throws AppError REFUSED when the port is taken; Error when the page was not built
 */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const manifest = listPage(options.rendererFolder)
  // A page request has no body and no reason to last.
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 })
  const port = await listen(server, options.port ?? 0)
  const origin = `http://${loopback}:${port}`
  const access = new Access(port)
  server.on('request', answerPages(manifest, origin, access))
  const bridge = openBridgeSocket(options.host, origin, access)
  server.on('upgrade', (request, socket, head) => {
    // A peer that is gone before we answer is no fault of ours.
    socket.on('error', () => socket.destroy())
    bridge.accept(request, socket, head)
  })
  const issueKey = (): string => `${origin}/?key=${access.issueKey()}`

  return {
    url: issueKey(),
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

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      const message = isTaken
        ? `Port ${port} is in use by another program: choose another, or 0 for any free one.`
        : `Port ${port} can not be used (${error.code ?? error.message}): choose another, or 0 for any free one.`
      reject(new AppError('REFUSED', message, { cause: error }))
    })
    server.listen({ host: loopback, port, exclusive: true }, () => resolve((server.address() as AddressInfo).port))
  })
}
