import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client } from 'pg'

export interface Pooler {
  port: number
  /** How many connections to the server there were at most. */
  readonly most: number
  /** How many transactions went through. */
  readonly transactions: number
  /** What a pooler in transaction mode does not allow, as it was asked. */
  readonly violations: string[]
  /** As the list of users of a pooler. */
  knows(user: string, password: string): void
  close(): Promise<void>
}

export interface PoolerOptions {
  serverPort: number
  connections: number
  database?: string
  /** Names of start-up parameters that it does not take. */
  refuses?: readonly string[]
}

interface Backend {
  user: string
  client: Client
  socket: Duplex
}

interface Guest {
  user: string
  socket: Socket
  waiting: Buffer
  backend: Backend | null
  isGone: boolean
}

/**
 * A pooler in transaction mode, as strict as possible: each transaction gets a connection without any earlier session
 * state, and statement names, session settings and LISTEN are refused. It accepts every known user name; it signs in to
 * the server with that user's password.
 */
export async function startPooler({
  serverPort,
  connections,
  database = 'postgres',
  refuses = []
}: PoolerOptions): Promise<Pooler> {
  const passwords = new Map<string, string>()
  const idle: Backend[] = []
  const queue: Guest[] = []
  const guests = new Set<Socket>()
  const violations: string[] = []
  let [open, most, transactions] = [0, 0, 0]

  const listener = createServer((socket) => {
    guests.add(socket)
    socket.setNoDelay(true)
    const guest: Guest = { user: '', socket, waiting: Buffer.alloc(0), backend: null, isGone: false }
    socket.on('error', () => undefined)
    socket.on('close', () => {
      guests.delete(socket)
      guest.isGone = true
      if (queue.includes(guest)) queue.splice(queue.indexOf(guest), 1)
      // In the middle of a transaction: the connection to the server is in no state to be used again.
      if (guest.backend) end(guest.backend)
      guest.backend = null
      serve()
    })
    socket.on('data', (part) => {
      guest.waiting = Buffer.concat([guest.waiting, part])
      if (guest.user === '' && !admit(guest)) return
      if (guest.backend) forward(guest)
      else if (guest.waiting.length > 0) ask(guest)
    })
  })

  /** The first message has no letter. @returns whether it is let in. */
  function admit(guest: Guest): boolean {
    if (guest.waiting.length < 8 || guest.waiting.length < guest.waiting.readInt32BE(0)) return false
    const length = guest.waiting.readInt32BE(0)
    const words = guest.waiting.subarray(8, length).toString('utf8').split('\0')
    guest.waiting = guest.waiting.subarray(length)
    const parameters = new Map<string, string>()
    for (let at = 0; at + 1 < words.length && words[at] !== ''; at += 2)
      parameters.set(words[at] ?? '', words[at + 1] ?? '')
    const refused = [...parameters.keys()].find((name) => refuses.includes(name))
    const user = parameters.get('user') ?? ''
    if (refused !== undefined) guest.socket.end(failure('08P01', `unsupported startup parameter: ${refused}`))
    else if (!passwords.has(user)) guest.socket.end(failure('28P01', 'no such user'))
    else {
      guest.user = user
      guest.socket.write(
        Buffer.concat([
          framed('R', int32(0)),
          framed('S', text('server_version', '18.4')),
          framed('S', text('client_encoding', 'UTF8')),
          framed('K', Buffer.concat([int32(1), int32(1)])),
          ready
        ])
      )
      return true
    }
    return false
  }

  function ask(guest: Guest): void {
    if (guest.waiting[0] === 0x58) return void guest.socket.end()
    if (!queue.includes(guest)) queue.push(guest)
    serve()
  }

  function serve(): void {
    for (const guest of [...queue]) {
      const at = idle.findIndex(({ user }) => user === guest.user)
      const [backend] = at === -1 ? [] : idle.splice(at, 1)
      if (!backend && open >= connections) {
        // Another user's makes room.
        const other = idle.shift()
        if (!other) return
        end(other)
      }
      queue.splice(queue.indexOf(guest), 1)
      if (backend) give(backend, guest)
      else void connect(guest)
    }
  }

  async function connect(guest: Guest): Promise<void> {
    open += 1
    most = Math.max(most, open)
    const client = new Client({
      host: '127.0.0.1',
      port: serverPort,
      database,
      user: guest.user,
      password: passwords.get(guest.user) ?? ''
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { stream: socket } = client.connection
      socket.removeAllListeners('data')
      give({ user: guest.user, client, socket }, guest)
    } catch (error) {
      open -= 1
      guest.socket.end(failure('08006', error instanceof Error ? error.message : 'no connection'))
      serve()
    }
  }

  function give(backend: Backend, guest: Guest): void {
    if (guest.isGone) return void release(backend)
    guest.backend = backend
    transactions += 1
    backend.socket.removeAllListeners('data')
    let pending = Buffer.alloc(0)
    backend.socket.on('data', (part: Buffer) => {
      guest.socket.write(part)
      pending = Buffer.concat([pending, part])
      for (let length = wholeLength(pending); length > 0; length = wholeLength(pending)) {
        const isOver = pending[0] === 0x5a && pending[5] === 0x49
        pending = pending.subarray(length)
        if (!isOver) continue
        guest.backend = null
        void release(backend)
        if (guest.waiting.length > 0) ask(guest)
      }
    })
    backend.socket.once('close', () => guest.backend === backend && guest.socket.destroy())
    forward(guest)
  }

  /** Whole messages alone go on, each after a look. */
  function forward(guest: Guest): void {
    for (let length = wholeLength(guest.waiting); length > 0 && guest.backend; length = wholeLength(guest.waiting)) {
      const message = guest.waiting.subarray(0, length)
      guest.waiting = guest.waiting.subarray(length)
      if (message[0] === 0x58) return void guest.socket.end()
      look(message)
      guest.backend.socket.write(message)
    }
  }

  function look(message: Buffer): void {
    const kind = String.fromCharCode(message[0] ?? 0)
    const [first = '', second = ''] = message.subarray(5).toString('utf8').split('\0')
    if (kind === 'P' && first !== '') violations.push(`statement named ${first}`)
    const sql = kind === 'Q' ? first : kind === 'P' ? second : ''
    if (/^\s*(set\s+(?!local|transaction|constraints)|listen|unlisten|prepare|declare|discard|load)\b/i.test(sql))
      violations.push(sql.slice(0, 60))
  }

  /** No session state remains for the next client. */
  async function release(backend: Backend): Promise<void> {
    const { socket } = backend
    socket.removeAllListeners('data')
    socket.write(framed('Q', text('discard all')))
    for (let answer = Buffer.alloc(0); !answer.subarray(-6).equals(ready);) {
      const [part] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [null])])) as [
        Buffer | null
      ]
      if (part === null) return end(backend)
      answer = Buffer.concat([answer, part])
    }
    idle.push(backend)
    serve()
  }

  function end(backend: Backend): void {
    open -= 1
    backend.socket.destroy()
  }

  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as { port: number }).port,
    get most() {
      return most
    },
    get transactions() {
      return transactions
    },
    violations,
    knows: (user, password) => void passwords.set(user, password),
    async close() {
      for (const socket of guests) socket.destroy()
      for (const { socket } of idle) socket.destroy()
      listener.close()
      await once(listener, 'close')
    }
  }
}

const ready = framed('Z', Buffer.from('I'))

function framed(kind: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(...words: string[]): Buffer {
  return Buffer.from(words.map((word) => `${word}\0`).join(''))
}

function failure(state: string, sentence: string): Buffer {
  return framed('E', Buffer.concat([text('SFATAL', 'VFATAL', `C${state}`, `M${sentence}`), Buffer.from([0])]))
}

/** Of the message at the beginning; 0 while it is not all there. */
function wholeLength(bytes: Buffer): number {
  const length = bytes.length < 5 ? Infinity : 1 + bytes.readInt32BE(1)
  return length <= bytes.length ? length : 0
}
