import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import type { DecodedPacket, Packet } from 'dns-packet'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Card } from './cards.ts'
import { encodeQuery } from './queryPacket.ts'
import { readPacket } from './records.ts'

export const mdnsGroup = '224.0.0.251'
export const mdnsPort = 5353

/** Packet counts of a card's sockets since they were opened, for the self-check. */
export interface CardTraffic {
  listening: boolean
  problem: Message | null
  packetsSent: number
  /** From others. */
  packetsHeard: number
  /** The same in the last minutes (`recentMs`). */
  heardLately: number
  /** Our own packets that came back. */
  echoes: number
  malformed: number
  lastError: string | null
}

export type CardSocket = ReturnType<typeof openCardSocket>

export interface CardSocketOptions {
  card: Card
  onPacket: (packet: DecodedPacket, from: RemoteInfo, isOneShot: boolean) => void
  onTraffic: () => void
}

/** How long a packet counts as heard lately. */
export const recentMs = 5 * 60_000
const sliceMs = 15_000

/** Counts what happened in the last `recentMs`, in slices of time: a yard announces thousands of times a minute. */
export function createRecentCount(nowMs: () => number) {
  const slices = new Map<number, number>()
  const forget = (): void => {
    for (const slice of slices.keys()) if ((slice + 1) * sliceMs <= nowMs() - recentMs) slices.delete(slice)
  }
  return {
    add(): void {
      forget()
      const slice = Math.floor(nowMs() / sliceMs)
      slices.set(slice, (slices.get(slice) ?? 0) + 1)
    },
    count(): number {
      forget()
      return [...slices.values()].reduce((sum, n) => sum + n, 0)
    }
  }
}

const bindRetryMs = 5000
const sendRetryMs = [50, 150, 400]

function sentenceFor(error: NodeJS.ErrnoException): Message {
  if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return message('discovery.portHeld', { port: mdnsPort })
  return message('discovery.noMulticast', { why: error.code ?? error.message })
}

/**
 * The two sockets of one card address. The shared one (port 5353) receives announcements and multicast answers; the
 * one-shot one gets unicast answers (RFC 6762 section 6.7), which no other program on port 5353 can intercept and which
 * are not delayed like multicast answers. Neither ever throws: `traffic()` reports every failure.
 */
export function openCardSocket({ card, onPacket, onTraffic }: CardSocketOptions) {
  const state: CardTraffic = {
    listening: false,
    problem: null,
    packetsSent: 0,
    packetsHeard: 0,
    heardLately: 0,
    echoes: 0,
    malformed: 0,
    lastError: null
  }
  const lately = createRecentCount(() => performance.now())
  const ready: Record<'shared' | 'oneShot', boolean> = { shared: false, oneShot: false }
  const waiting: { packet: Packet; from: 'shared' | 'oneShot'; to: string }[] = []
  let isClosed = false
  const retries = new Set<NodeJS.Timeout>()

  const noteError = (error: NodeJS.ErrnoException): void => {
    state.lastError = error.code ? `${error.code}: ${error.message}` : error.message
    onTraffic()
  }

  const hear = (bytes: Buffer, from: RemoteInfo, isOneShot: boolean): void => {
    const packet = readPacket(bytes)
    if (!packet) {
      state.malformed += 1
      return
    }
    // Our own questions come back too, if the system allows multicast in and out.
    if (from.address === card.address && !card.isLoopback) state.echoes += 1
    else {
      state.packetsHeard += 1
      lately.add()
    }
    onPacket(packet, from, isOneShot)
  }

  const configure = (socket: Socket): void => {
    socket.setMulticastTTL(255)
    socket.setMulticastInterface(card.address)
    socket.setMulticastLoopback(true)
    // A yard of 200 devices answers within a tenth of a second; the default buffer holds only about as many packets.
    socket.setRecvBufferSize(1024 * 1024)
  }

  const flush = (): void => {
    for (const item of waiting.splice(0)) send(item.packet, item.from, item.to)
  }

  const open = (which: 'shared' | 'oneShot'): Socket => {
    const socket = createSocket({ type: 'udp4', reuseAddr: which === 'shared' })
    socket.on('message', (bytes, from) => hear(bytes, from, which === 'oneShot'))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!ready[which]) fail(which, error)
      else noteError(error)
    })
    socket.bind(
      which === 'shared' ? { port: mdnsPort, address: '0.0.0.0' } : { port: 0, address: card.address },
      () => {
        try {
          configure(socket)
          if (which === 'shared') {
            socket.addMembership(mdnsGroup, card.address)
            state.listening = true
            state.problem = null
          }
          ready[which] = true
        } catch (error) {
          fail(which, error as NodeJS.ErrnoException)
          return
        }
        onTraffic()
        flush()
      }
    )
    return socket
  }

  const closeSocket = (socket: Socket | undefined): void => {
    try {
      socket?.close()
    } catch (error) {
      // A socket that could not be bound counts as not running; there is nothing to close.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SOCKET_DGRAM_NOT_RUNNING') throw error
    }
  }

  const fail = (which: 'shared' | 'oneShot', error: NodeJS.ErrnoException): void => {
    if (which === 'shared') state.problem = sentenceFor(error)
    noteError(error)
    const again = setTimeout(() => {
      retries.delete(again)
      closeSocket(sockets[which])
      sockets[which] = open(which)
    }, bindRetryMs)
    retries.add(again)
  }

  const send = (packet: Packet, from: 'shared' | 'oneShot', to = mdnsGroup): void => {
    if (isClosed) return
    if (!ready[from]) {
      // Only questions from while the socket was opening; a port that stays closed must not collect questions.
      if (waiting.length < 20 && !state.problem) waiting.push({ packet, from, to })
      return
    }
    transmit({ bytes: encodeQuery(packet), from, to, attempt: 0 })
  }

  /** A packet that the system rejected (no route yet, full buffer, firewall) was never sent: send it again. */
  const transmit = (sending: { bytes: Buffer; from: 'shared' | 'oneShot'; to: string; attempt: number }): void => {
    if (isClosed) return
    const { bytes, from, to, attempt } = sending
    sockets[from]?.send(bytes, mdnsPort, to, (error) => {
      if (isClosed) return
      if (!error) {
        state.packetsSent += 1
        return
      }
      noteError(error)
      const delayMs = sendRetryMs[attempt]
      if (delayMs === undefined) return
      const again = setTimeout(() => {
        retries.delete(again)
        transmit({ ...sending, attempt: attempt + 1 })
      }, delayMs)
      retries.add(again)
    })
  }

  // Urgent questions are sent one-shot: that socket is ready before the other one is opened.
  const sockets: { oneShot: Socket; shared?: Socket } = { oneShot: open('oneShot') }
  const opening = setImmediate(() => {
    sockets.shared = open('shared')
  })

  return {
    /**
     * `shared` sends from port 5353, `oneShot` from a port of our own, which receives the answers directly. To the
     * group unless `to` names a host.
     */
    send,
    traffic: (): CardTraffic => ({ ...state, heardLately: lately.count() }),
    close: (): void => {
      isClosed = true
      clearImmediate(opening)
      for (const again of retries) clearTimeout(again)
      closeSocket(sockets.shared)
      closeSocket(sockets.oneShot)
    }
  }
}
