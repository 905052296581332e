import { createServer, type AddressInfo, type Socket } from 'node:net'

/** Ten kinds of bad HTTP peers, as devices, gateways and team servers meet them. */
export const badPeerKinds = ['away', 'silent', 'slow', '401', '403', '404', '429', '503', 'html', 'reset'] as const
export type BadPeerKind = (typeof badPeerKinds)[number]

export interface BadPeer {
  /** `127.0.0.1:<port>`. */
  address: string
  port: number
  stop(): Promise<void>
}

const page = '<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>Welcome to the hotel</h1></body></html>'

function answer(status: string, body: string, headers: string[] = ['Content-Type: application/json']): string {
  return [
    `HTTP/1.1 ${status}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body
  ].join('\r\n')
}

const answers: Partial<Record<BadPeerKind, () => string>> = {
  401: () => answer('401 Unauthorized', '{"error":"unauthorized"}'),
  403: () => answer('403 Forbidden', '{"error":"forbidden"}'),
  404: () => answer('404 Not Found', '{"error":"not found"}'),
  429: () =>
    answer('429 Too Many Requests', '{"error":"too many requests"}', [
      'Content-Type: application/json',
      'Retry-After: 3600',
      'X-RateLimit-Limit: 100',
      'X-RateLimit-Remaining: 0',
      `X-RateLimit-Reset: ${Math.ceil(Date.now() / 1000) + 3600}`
    ]),
  503: () => answer('503 Service Unavailable', '{"error":"maintenance"}'),
  html: () => answer('200 OK', page, ['Content-Type: text/html'])
}

/**
 * A peer on loopback that is of no use, at a given port or a free one. One that is away leaves its port without anybody
 * who listens.
 */
export async function startBadPeer(kind: BadPeerKind, atPort = 0): Promise<BadPeer> {
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if (kind === 'reset') return void socket.resetAndDestroy()
    socket.on('data', () => {
      const text = answers[kind]?.()
      if (text !== undefined) socket.end(text)
      else if (kind === 'slow' && socket.listenerCount('drip') === 0) drip(socket)
    })
  })

  /** An answer that never ends, a byte a second. */
  function drip(socket: Socket): void {
    socket.on('drip', () => undefined)
    const text = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"hostname":"${'x'.repeat(10_000)}`
    let at = 0
    const timer = setInterval(() => void socket.write(text[at++ % text.length] ?? ' '), 1_000)
    timers.add(timer)
    socket.on('close', () => clearInterval(timer))
  }

  await new Promise<void>((resolve) => server.listen(atPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = (): Promise<void> => {
    for (const timer of timers) clearInterval(timer)
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  if (kind === 'away') await stop()
  return { address: `127.0.0.1:${port}`, port, stop }
}
