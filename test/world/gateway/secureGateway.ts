import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TestCertificate } from './testCertificates.ts'

export interface SecureGateway {
  port: number
  received: { method: string; path: string; authenticate: string | undefined; body: string; from: string }[]
  /** Instead of an answer: the connection is cut when the request is there. */
  cuts: boolean
  /** Addresses from which nobody gets through: a network without internet. */
  deafTo: Set<string>
  /** From which addresses connections came. */
  callers: string[]
  stop(): void
}

/** A gateway behind TLS that signs everybody in and answers every request with a small record. */
export async function startSecureGateway(certificate: TestCertificate): Promise<SecureGateway> {
  const server = createServer(certificate, (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      gateway.received.push({
        method: request.method ?? '',
        path: request.url ?? '',
        authenticate: request.headers['authenticate'] as string | undefined,
        body,
        from: request.socket.remoteAddress ?? ''
      })
      if (gateway.cuts && request.url !== '/api/login') return void request.socket.destroy()
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(
          JSON.stringify(
            request.url === '/api/login'
              ? { auth: 'a-token' }
              : { username: 'someone@example.com', name: '1.2.3', id: 1 }
          )
        )
    })
  })
  server.on('connection', (socket: Socket) => {
    const from = socket.remoteAddress ?? ''
    gateway.callers.push(from)
    if (gateway.deafTo.has(from)) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const gateway: SecureGateway = {
    port: (server.address() as AddressInfo).port,
    received: [],
    cuts: false,
    deafTo: new Set(),
    callers: [],
    stop() {
      server.closeAllConnections()
      server.close()
    }
  }
  return gateway
}
