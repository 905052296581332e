import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

/** What the proxy does with the next CONNECT. */
export type ProxyManner = 'through' | 'refuses' | 'dies' | 'diesAfterOpening' | 'silent'

export interface ProxyServer {
  /** `127.0.0.1:<port>`. */
  label: string
  url: string
  /** Targets of the tunnels that were asked for, with their headers. */
  asked: { target: string; authorization: string; headers: string }[]
  /** Requests that were no CONNECT: none may come. */
  plain: string[]
  manner: ProxyManner
  stop(): void
}

/** A real HTTP proxy that lets tunnels through, wants a password, refuses, or dies. */
export async function startProxyServer(credentials?: { user: string; password: string }): Promise<ProxyServer> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    proxy.plain.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"auth": "from the proxy"}')
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  server.on('connect', (request, socket) => {
    const authorization = request.headers['proxy-authorization'] ?? ''
    proxy.asked.push({ target: request.url ?? '', authorization, headers: JSON.stringify(request.headers) })
    if (proxy.manner === 'dies') return void socket.destroy()
    if (proxy.manner === 'silent') return
    if (proxy.manner === 'refuses')
      return void socket.end(
        'HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n<html>Blocked by the company</html>'
      )
    if (
      credentials &&
      authorization !== `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`
    ) {
      return void socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="company"\r\n\r\n<html>Sign in</html>'
      )
    }
    const colon = (request.url ?? '').lastIndexOf(':')
    const onward = connect(Number((request.url ?? '').slice(colon + 1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket)
      socket.pipe(onward)
    })
    if (proxy.manner === 'diesAfterOpening') {
      // The handshake goes through; what the gateway would answer does not.
      let bytes = 0
      onward.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > 3000) socket.destroy()
      })
    }
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    socket.on('close', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const label = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy: ProxyServer = {
    label,
    url: `http://${label}`,
    asked: [],
    plain: [],
    manner: 'through',
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
  return proxy
}
