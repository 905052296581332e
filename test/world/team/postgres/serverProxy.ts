import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'

/** A way over TCP to a server, on which everything may happen that happens on the way to one. */
export interface ServerProxy {
  port: number
  /** Whoever comes from now on is led there. */
  leadTo(port: number): void
  /** What is open breaks, and nobody comes through. */
  cut(): void
  /** Nothing passes in either direction, and nobody is notified. */
  silence(): void
  mend(): void
  /** Each part arrives so much later. */
  delay(byMs: number): void
  /** Breaks after this many more bytes to the server. */
  cutAfter(bytes: number): void
  /**
   * The next question with this text in it reaches the server, which does what is asked and answers; the answer is lost
   * and the connection breaks. Resolves then. For connections that are not encrypted.
   */
  loseAnswerTo(text: string): Promise<void>
  close(): Promise<void>
}

interface Pair {
  client: Socket
  server: Socket
  /** Its answer is being lost. */
  isLosing: boolean
}

/** `ReadyForQuery` outside of a transaction: all that was asked is done. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

export async function openServerProxy(toPort: number): Promise<ServerProxy> {
  let target = toPort
  let standing: 'open' | 'cut' | 'silent' = 'open'
  let delayMs = 0
  let bytesLeft = Infinity
  let losing: { text: string; lost(): void } | undefined
  const pairs = new Set<Pair>()

  function end(pair: Pair): void {
    pairs.delete(pair)
    pair.client.destroy()
    pair.server.destroy()
  }

  function pass(part: Buffer, to: Socket): void {
    if (standing === 'silent') return
    if (delayMs === 0) return void to.write(part)
    setTimeout(() => !to.destroyed && standing === 'open' && to.write(part), delayMs)
  }

  const listener = createServer((client) => {
    if (standing === 'cut') return void client.destroy()
    const pair: Pair = { client, server: connect(target, '127.0.0.1'), isLosing: false }
    pairs.add(pair)
    for (const socket of [pair.client, pair.server]) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => end(pair))
    }
    client.on('data', (part: Buffer) => {
      if (losing && part.includes(losing.text)) pair.isLosing = true
      const given = part.subarray(0, bytesLeft)
      bytesLeft -= given.length
      pass(given, pair.server)
      if (bytesLeft > 0) return
      bytesLeft = Infinity
      // What was given is on its way, and the answer has nobody to go to.
      pair.client.destroy()
      pair.server.end()
    })
    pair.server.on('data', (part: Buffer) => {
      if (!pair.isLosing) return pass(part, client)
      if (!part.subarray(-ready.length).equals(ready)) return
      losing?.lost()
      losing = undefined
      end(pair)
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  return {
    port,
    leadTo: (wanted) => void (target = wanted),
    cut() {
      standing = 'cut'
      for (const pair of pairs) end(pair)
    },
    silence: () => void (standing = 'silent'),
    mend() {
      losing = undefined
      // Dropped parts are missing in the middle: such a connection cannot continue.
      if (standing === 'silent') for (const pair of pairs) end(pair)
      standing = 'open'
      bytesLeft = Infinity
    },
    delay: (byMs) => void (delayMs = byMs),
    cutAfter: (bytes) => void (bytesLeft = bytes),
    loseAnswerTo: (text) => new Promise((resolve) => (losing = { text, lost: resolve })),
    async close() {
      for (const pair of pairs) end(pair)
      listener.close()
      await once(listener, 'close')
    }
  }
}
