import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { beatMs } from '../../../preload/channels.ts'
import type { CallResult } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { largestPhotoLength } from '../../../preload/contract/gateway/photoLength.ts'
import type { EventName } from '../../../preload/contract/events.ts'
import type { Host } from '../frontEnd.ts'
import type { Access } from './access.ts'

/** The longest accepted call: the contract's largest input is a picture, all others are a few kilobytes. */
export const maxMessageBytes = largestPhotoLength + 64 * 1024
/** A page that reads this slowly is disconnected; it reconnects and reloads everything. */
const maxUnsentBytes = 32 * 1024 * 1024
const heartbeatMs = 20_000

const protocolError = 1002
const unreadableData = 1007

interface CallMessage {
  id: number
  name: string
  input: unknown
}

function readCall(text: string): CallMessage | undefined {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof message !== 'object' || message === null) return undefined
  const { id, name, input } = message as Record<string, unknown>
  return Number.isSafeInteger(id) && typeof name === 'string' ? { id: id as number, name, input } : undefined
}

/** Events that describe a state. A connecting page gets the newest of each, so that it misses none. */
const stateEvents: ReadonlySet<EventName> = new Set<EventName>([
  'app.notices',
  'discovery.changed',
  'gateway.changed',
  'operations.changed',
  'training.changed'
])

/** Transports calls and events over WebSockets of our own page. Any other message closes the connection. */
export function openBridgeSocket(host: Host, origin: string, access: Access) {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false })
  const newest = new Map<EventName, unknown>()

  const stopEvents = host.onEvent((name, payload) => {
    // The last events of one workplace do not apply to the other.
    if (name === 'app.entered') newest.clear()
    if (stateEvents.has(name)) newest.set(name, payload)
    for (const client of server.clients) send(client, { event: name, payload })
  })

  const answering = new WeakSet<WebSocket>()
  const heartbeat = setInterval(() => {
    for (const client of server.clients) {
      if (!answering.has(client)) client.terminate()
      answering.delete(client)
      client.ping()
    }
  }, heartbeatMs)
  heartbeat.unref()
  /** Identifies this run of the core: a page that reconnects to another one reloads. */
  const run = randomUUID()
  const beat = setInterval(() => {
    for (const client of server.clients) send(client, { beat: run })
  }, beatMs)
  beat.unref()

  server.on('connection', (client) => {
    answering.add(client)
    client.on('pong', () => answering.add(client))
    // ws closes the connection after an error (message too long, broken frame); without a listener the error would end
    // the process.
    client.on('error', () => client.terminate())
    client.on('message', (data, isBinary) => {
      const call = isBinary ? undefined : readCall(data.toString())
      if (call === undefined) {
        client.close(isBinary ? protocolError : unreadableData, 'not a call')
        return
      }
      void host.call(call.name, call.input).then(
        (result) => send(client, { id: call.id, result }),
        () => send(client, { id: call.id, result: internalError })
      )
    })
    send(client, { beat: run })
    for (const [event, payload] of newest) send(client, { event, payload })
  })

  return {
    /** False for a connection that is not our page's: it was refused. */
    accept(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
      const isOurs =
        `http://${request.headers.host}` === origin &&
        request.headers.origin === origin &&
        request.url === '/bridge' &&
        access.hasSession(request)
      if (!isOurs) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
        return false
      }
      server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client, request))
      return true
    },
    stop(): void {
      clearInterval(heartbeat)
      clearInterval(beat)
      stopEvents()
      for (const client of server.clients) client.terminate()
      server.close()
    }
  }
}

const internalError: CallResult<never> = {
  ok: false,
  error: { code: 'INTERNAL', message: message('app.fault'), retryable: false }
}

function send(client: WebSocket, data: unknown): void {
  if (client.readyState !== client.OPEN) return
  if (client.bufferedAmount > maxUnsentBytes) client.terminate()
  else client.send(JSON.stringify(data))
}
