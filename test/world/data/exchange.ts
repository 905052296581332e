import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * One address behind which a device can be exchanged for another one, as when a plug is pulled and put into the next.
 */
export interface Exchange {
  readonly host: string
  readonly port: number
  readonly address: string
  /** Every request that came, with the place that it was passed on to. */
  readonly passed: { method: string; path: string; to: number; atMs: number }[]
  /** From the next request on, this one answers; null: nobody does. */
  putIn(device: { port: number } | null): void
  /** Looks at each request first; what it gives is done before the request is passed on. */
  before(look: (method: string, path: string) => void | Promise<void>): void
  stop(): Promise<void>
}

export async function openExchange(device: { port: number }): Promise<Exchange> {
  let present: { port: number } | null = device
  let look: (method: string, path: string) => void | Promise<void> = () => undefined
  const passed: Exchange['passed'] = []

  async function pass(
    incoming: Parameters<Parameters<typeof createServer>[1] & {}>[0],
    answer: Parameters<Parameters<typeof createServer>[1] & {}>[1]
  ): Promise<void> {
    const method = incoming.method ?? 'GET'
    const path = incoming.url ?? '/'
    await look(method, path)
    if (present === null) return void incoming.socket.destroy()
    passed.push({ method, path, to: present.port, atMs: performance.now() })
    const onward = request(
      { host: '127.0.0.1', port: present.port, method, path, headers: incoming.headers },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(answer)
      }
    )
    onward.on('error', () => incoming.socket.destroy())
    incoming.pipe(onward)
  }

  const server = createServer((incoming, answer) => void pass(incoming, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    address: `127.0.0.1:${port}`,
    passed,
    putIn: (next) => (present = next),
    before: (next) => (look = next),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
