import { isIPv4 } from 'node:net'
import { decode, type DecodedPacket, type Question } from 'dns-packet'
import { placeholderIn, readAnnouncedName } from '../../../preload/contract/base/imei.ts'

/** A record that discovery can use. Names are lower case without a trailing dot. */
export type HeardRecord =
  | { type: 'PTR'; name: string; data: string; ttlMs: number; flush: boolean }
  | { type: 'SRV'; name: string; data: string; port: number; ttlMs: number; flush: boolean }
  | { type: 'A' | 'AAAA'; name: string; data: string; ttlMs: number; flush: boolean }

// A day: no record is trusted longer without asking again.
const longestTtlS = 86_400

/** A device, also one that was renamed or does not know its IMEI yet. */
export function isDeviceHost(name: string): boolean {
  return readAnnouncedName(name) !== undefined || placeholderIn(name) !== undefined
}

export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

/** Labels of at most 63 bytes and a name of at most 255: the limits of a packet. */
export function isSendableName(name: string): boolean {
  return (
    name.length > 0 &&
    Buffer.byteLength(name) <= 250 &&
    name.split('.').every((label) => label !== '' && Buffer.byteLength(label) <= 63)
  )
}

function isUsableAddress(type: 'A' | 'AAAA', data: string): boolean {
  // The decoder wrote it from 16 bytes, so this is enough; the first call of `isIPv6` would take 4 ms while a person
  // waits.
  if (type === 'AAAA') return /^[0-9a-f:.]{2,45}$/i.test(data) && !/^(::$|::1$|ff)/i.test(data)
  const first = Number(data.split('.')[0])
  return isIPv4(data) && first !== 0 && first < 224
}

/** Port 5353 may receive anything: undefined when the bytes are not a DNS packet. */
export function readPacket(bytes: Buffer): DecodedPacket | undefined {
  try {
    return decode(bytes)
  } catch {
    // The decoder throws for broken packets; the caller counts them for the self-check.
    return undefined
  }
}

/** The usable PTR, SRV, A and AAAA records of a response. Everything else and broken records are ignored. */
export function readRecords(packet: DecodedPacket): HeardRecord[] {
  const { opcode, rcode } = packet as { opcode?: string; rcode?: string }
  // RFC 6762 section 18.3 and 18.11: silently ignore other codes.
  if (opcode !== 'QUERY' || rcode !== 'NOERROR') return []
  const records: HeardRecord[] = []
  for (const answer of [...(packet.answers ?? []), ...(packet.additionals ?? [])]) {
    if (!('ttl' in answer) || answer.class !== 'IN') continue
    const name = plainName(answer.name)
    const shared = { name, ttlMs: Math.min(answer.ttl ?? 0, longestTtlS) * 1000, flush: answer.flush ?? false }
    if (!isSendableName(name)) continue
    if (answer.type === 'PTR' && typeof answer.data === 'string') {
      const data = plainName(answer.data)
      if (isSendableName(data)) records.push({ type: 'PTR', data, ...shared })
    } else if (answer.type === 'SRV') {
      const target = plainName(answer.data.target)
      if (isSendableName(target) && answer.data.port > 0)
        records.push({ type: 'SRV', data: target, port: answer.data.port, ...shared })
    } else if ((answer.type === 'A' || answer.type === 'AAAA') && typeof answer.data === 'string') {
      if (isUsableAddress(answer.type, answer.data)) records.push({ type: answer.type, data: answer.data, ...shared })
    }
  }
  return records
}

export function questionKey(question: Pick<Question, 'name' | 'type'>): string {
  return `${question.type} ${plainName(question.name)}`
}
