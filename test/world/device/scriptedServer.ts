import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface ReceivedRequest {
  method: string
  /** As it came over the wire, still percent-encoded. */
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** What the server does with one request. */
export type Script = (request: ReceivedRequest, response: ServerResponse, socket: Socket) => void

export interface ScriptedServer {
  port: number
  /** `127.0.0.1:<port>`. */
  address: string
  received: ReceivedRequest[]
  /** Connections that are open now. */
  openConnections(): number
  stop(): Promise<void>
}

/** A real HTTP server on a random loopback port that answers as `script` says: well, badly, or not at all. */
export async function startScriptedServer(script: Script, host = '127.0.0.1'): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') }
      received.push(one)
      script(one, response, request.socket)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A client that gives up in the middle of a script is part of the story.
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    address: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    received,
    openConnections: () => sockets.size,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}

/** Sends JSON with a status. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(value))
}
