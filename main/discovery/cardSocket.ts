import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { encode, type DecodedPacket, type Packet } from 'dns-packet'
import type { Card } from './cards.ts'
import { readPacket } from './records.ts'

export const mdnsGroup = '224.0.0.251'
export const mdnsPort = 5353

/** What a card's sockets did since they were opened; for the self-test. */
export interface CardTraffic {
  listening: boolean
  problem: string | null
  packetsSent: number
  packetsHeard: number
  malformed: number
  lastError: string | null
}

export interface CardSocket {
  /** `shared` leaves from port 5353, `oneShot` from a port of our own: its answers come straight back to us. */
  send(packet: Packet, from: 'shared' | 'oneShot'): void
  traffic(): CardTraffic
  close(): void
}

export interface CardSocketOptions {
  card: Card
  onPacket: (packet: DecodedPacket, from: RemoteInfo, isOneShot: boolean) => void
  onTraffic: () => void
}

const bindRetryMs = 5000

function sentenceFor(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE' || error.code === 'EACCES') {
    return `Port ${mdnsPort} is held by another program that does not share it. Devices are still asked directly, but announcements are not heard.`
  }
  return `The card does not take part in multicast (${error.code ?? error.message}).`
}

/**
 * The two sockets of one card address. The shared one (port 5353) hears announcements and multicast answers; the one-shot
 * one gets unicast answers (RFC 6762 section 6.7), which no other program on port 5353 can take from us and which come
 * without the delay of multicast answers. Neither ever throws: every failure ends in `traffic()`.
 */
export function openCardSocket({ card, onPacket, onTraffic }: CardSocketOptions): CardSocket {
  const state: CardTraffic = { listening: false, problem: null, packetsSent: 0, packetsHeard: 0, malformed: 0, lastError: null }
  const ready: Record<'shared' | 'oneShot', boolean> = { shared: false, oneShot: false }
  const waiting: { packet: Packet; from: 'shared' | 'oneShot' }[] = []
  let isClosed = false
  let retry: NodeJS.Timeout | undefined

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
    state.packetsHeard += 1
    onPacket(packet, from, isOneShot)
  }

  const configure = (socket: Socket): void => {
    socket.setMulticastTTL(255)
    socket.setMulticastInterface(card.address)
    socket.setMulticastLoopback(true)
    // A yard of 200 devices answers within a tenth of a second; the usual buffer holds about as many packets.
    socket.setRecvBufferSize(1024 * 1024)
  }

  const flush = (): void => {
    for (const item of waiting.splice(0)) send(item.packet, item.from)
  }

  const open = (which: 'shared' | 'oneShot'): Socket => {
    const socket = createSocket({ type: 'udp4', reuseAddr: which === 'shared' })
    socket.on('message', (bytes, from) => hear(bytes, from, which === 'oneShot'))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (which === 'shared' && !ready.shared) {
        state.problem = sentenceFor(error)
        retry = setTimeout(() => reopenShared(), bindRetryMs)
      }
      noteError(error)
    })
    socket.bind(which === 'shared' ? { port: mdnsPort, address: '0.0.0.0' } : { port: 0, address: card.address }, () => {
      try {
        configure(socket)
        if (which === 'shared') {
          socket.addMembership(mdnsGroup, card.address)
          state.listening = true
          state.problem = null
        }
        ready[which] = true
      } catch (error) {
        if (which === 'shared') state.problem = sentenceFor(error as NodeJS.ErrnoException)
        noteError(error as NodeJS.ErrnoException)
      }
      onTraffic()
      flush()
    })
    return socket
  }

  const closeSocket = (socket: Socket): void => {
    try {
      socket.close()
    } catch (error) {
      // A socket whose bind failed counts as not running; there is nothing left to close.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SOCKET_DGRAM_NOT_RUNNING') throw error
    }
  }

  const reopenShared = (): void => {
    if (isClosed) return
    closeSocket(sockets.shared)
    sockets.shared = open('shared')
  }

  const send = (packet: Packet, from: 'shared' | 'oneShot'): void => {
    if (isClosed) return
    if (!ready[from]) {
      // Only what was asked while the socket was being opened; a port that stays closed must not pile questions up.
      if (waiting.length < 20 && !state.problem) waiting.push({ packet, from })
      return
    }
    sockets[from].send(encode(packet), mdnsPort, mdnsGroup, (error) => {
      if (isClosed) return
      if (error) noteError(error)
      else state.packetsSent += 1
    })
  }

  const sockets = { shared: open('shared'), oneShot: open('oneShot') }

  return {
    send,
    traffic: () => ({ ...state }),
    close: () => {
      isClosed = true
      clearTimeout(retry)
      closeSocket(sockets.shared)
      closeSocket(sockets.oneShot)
    }
  }
}
