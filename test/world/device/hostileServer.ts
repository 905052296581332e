import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { TLSSocket, type SecureContextOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

/** A message of the protocol of PostgreSQL, as a server sends it. */
export function framed(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body])
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export const signedIn = framed('R', int32(0))
export const readyForQuery = framed('Z', Buffer.from('I'))
export const askForScram = (...mechanisms: string[]) =>
  framed('R', Buffer.concat([int32(10), Buffer.from(`${mechanisms.join('\0')}\0\0`)]))
export const refuse = (state: string, sentence: string) =>
  framed('E', Buffer.from(`SFATAL\0VFATAL\0C${state}\0M${sentence}\0\0`))

export interface HostileServer {
  port: number
  /** All that came over the connections, after the encryption was taken off. */
  heard(): string
}

/** Versions and ciphers of a server. */
export type TlsLimits = Pick<SecureContextOptions, 'minVersion' | 'maxVersion' | 'ciphers'>

export interface Hostility {
  certificate?: { cert: string; key: string } & TlsLimits
  /** Called with each part that arrives. */
  answers(socket: NodeJS.WritableStream, part: Buffer, count: number): void
}

/** A server on loopback that does what no PostgreSQL does; it ends with the test. */
export async function startHostileServer({ certificate, answers }: Hostility): Promise<HostileServer> {
  const heard: Buffer[] = []
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (!certificate) return hear(socket)
    // The client asks whether there is encryption, in eight bytes.
    socket.once('data', () => {
      socket.write('S')
      const tls = new TLSSocket(socket, { isServer: true, ...certificate })
      tls.on('error', () => undefined)
      hear(tls)
    })
  })
  function hear(socket: Socket): void {
    let count = 0
    socket.on('data', (part) => {
      heard.push(part)
      answers(socket, part, (count += 1))
    })
  }
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  return { port: (listener.address() as { port: number }).port, heard: () => Buffer.concat(heard).toString('latin1') }
}
