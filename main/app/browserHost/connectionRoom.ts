import type { Socket } from 'node:net'

export interface ConnectionRoomOptions {
  /** Connections of strangers at the same time. */
  most: number
  /** Of them, from one address. */
  mostOfOne: number
  /**
   * How long one may stay. A busy computer first reads what came meanwhile; who was heard then may stay as long once
   * more.
   */
  withinMs: number
}

/**
 * The connections of a server that have not shown yet that they may use it. They are few, and leave after a moment:
 * whoever only opens connections keeps nobody else out, as the newest one takes the place of the oldest, of the address
 * that has most.
 */
export function createConnectionRoom({ most, mostOfOne, withinMs }: ConnectionRoomOptions) {
  /** Oldest first. */
  const strangers = new Map<Socket, { from: string; timer: NodeJS.Timeout }>()

  function leave(socket: Socket): void {
    clearTimeout(strangers.get(socket)?.timer)
    strangers.delete(socket)
  }

  function end(socket: Socket): void {
    leave(socket)
    socket.destroy()
  }

  function wait(socket: Socket): NodeJS.Timeout {
    return setTimeout(() => {
      const heardBytes = socket.bytesRead
      // After a long pause of this process its timers come first, and what was sent in time lies unread until the next
      // turn.
      setImmediate(() => {
        const one = strangers.get(socket)
        if (!one) return
        if (socket.bytesRead === heardBytes) end(socket)
        else one.timer = setTimeout(() => end(socket), withinMs).unref()
      })
    }, withinMs).unref()
  }

  function oldestOf(from: string): Socket | undefined {
    for (const [socket, one] of strangers) if (one.from === from) return socket
    return undefined
  }

  return {
    /** A new connection; an older one ends for it if there are too many. */
    enter(socket: Socket): void {
      const from = socket.remoteAddress ?? ''
      strangers.set(socket, { from, timer: wait(socket) })
      socket.once('close', () => leave(socket))
      const counts = countAddresses(strangers.values())
      const tooMany =
        (counts.get(from) ?? 0) > mostOfOne ? from : strangers.size > most ? greediestOf(counts)[0] : undefined
      const oldest = tooMany === undefined ? undefined : oldestOf(tooMany)
      if (oldest) end(oldest)
    },
    /** This one may use the server: it stays as long as the server lets it. */
    admit: leave,
    size: (): number => strangers.size
  }
}

/** How many of these each address has. */
export function countAddresses(of: Iterable<{ from: string }>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { from } of of) counts.set(from, (counts.get(from) ?? 0) + 1)
  return counts
}

/** The address with most, and how many it has. */
export function greediestOf(counts: ReadonlyMap<string, number>): [from: string, most: number] {
  return [...counts].reduce((first, one) => (one[1] > first[1] ? one : first), ['', 0])
}
