import { connect, createServer, type Socket } from 'node:net'

/** `NotificationResponse` of the server. */
const notification = 0x41

export interface DeafWay {
  port: number
  close(): Promise<void>
}

/**
 * A way to a PostgreSQL server on which no notification arrives, as behind a pooler that gives each transaction another
 * connection.
 */
export async function openDeafWay(toPort: number): Promise<DeafWay> {
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const server = connect(toPort, '127.0.0.1')
    for (const [socket, other] of [
      [client, server],
      [server, client]
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(server)
    let rest = Buffer.alloc(0)
    server.on('data', (part: Buffer) => {
      rest = Buffer.concat([rest, part])
      for (let length = lengthOf(rest); length > 0 && rest.length >= length; length = lengthOf(rest)) {
        if (rest[0] !== notification) client.write(rest.subarray(0, length))
        rest = rest.subarray(length)
      }
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as { port: number }).port,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => listener.close(() => resolve()))
    }
  }
}

function lengthOf(bytes: Buffer): number {
  return bytes.length < 5 ? 0 : bytes.readUInt32BE(1) + 1
}
