import { TRUNCATED_RESPONSE, type Answer, type Packet, type Question } from 'dns-packet'

const longestPacket = 1400
const typeNumbers: Record<string, number> = { A: 1, PTR: 12, AAAA: 28, SRV: 33 }
const internetClass = 1

/**
 * Bytes of a query with PTR known answers. Names are compressed (RFC 1035 section 4.1.4), which the packet library does
 * not do: twice as many known answers fit, and a yard of devices needs one packet instead of two.
 */
export function encodeQuery(packet: Packet): Buffer {
  const bytes: number[] = []
  const offsets = new Map<string, number>()
  const put16 = (value: number): void => void bytes.push((value >> 8) & 255, value & 255)
  const putName = (name: string): void => {
    for (let rest = name; rest !== '';) {
      const known = offsets.get(rest)
      if (known !== undefined) {
        put16(0xc000 | known)
        return
      }
      if (bytes.length < 0x4000) offsets.set(rest, bytes.length)
      const end = rest.indexOf('.')
      const label = Buffer.from(end === -1 ? rest : rest.slice(0, end))
      bytes.push(label.length, ...label)
      rest = end === -1 ? '' : rest.slice(end + 1)
    }
    bytes.push(0)
  }
  const { questions = [], answers = [] } = packet
  for (const field of [0, packet.flags ?? 0, questions.length, answers.length, 0, 0]) put16(field)
  for (const question of questions) {
    putName(question.name)
    put16(typeNumbers[question.type] ?? 255)
    put16(internetClass)
  }
  for (const answer of answers) {
    if (answer.type !== 'PTR') continue
    putName(answer.name)
    put16(12)
    put16(internetClass)
    put16(((answer.ttl ?? 0) >>> 16) & 0xffff)
    put16((answer.ttl ?? 0) & 0xffff)
    const start = bytes.length
    put16(0)
    putName(answer.data)
    const length = bytes.length - start - 2
    bytes[start] = length >> 8
    bytes[start + 1] = length & 255
  }
  return Buffer.from(bytes)
}

/**
 * Splits questions and known answers into packets. If the known answers do not fit into the first, the truncated bit
 * says that more follow (RFC 6762 section 7.2).
 */
export function packPackets(questions: Question[], knownAnswers: (name: string) => Answer[]): Packet[] {
  const packets: Packet[] = []
  for (let from = 0; from < questions.length;) {
    const chunk: Question[] = []
    let size = 12
    for (; from < questions.length; from += 1) {
      const question = questions[from]
      if (!question) continue
      size += Buffer.byteLength(question.name) + 6
      if (size > longestPacket && chunk.length > 0) break
      chunk.push(question)
    }
    const answers = chunk
      .filter((question) => question.type === 'PTR')
      .flatMap((question) => knownAnswers(question.name))
    let packet: Packet & { answers: Answer[] } = { type: 'query', id: 0, flags: 0, questions: chunk, answers: [] }
    packets.push(packet)
    if (answers.length > 0) size = encodeQuery(packet).length
    for (const answer of answers) {
      let more = encodeQuery({ questions: chunk, answers: [answer] }).length - encodeQuery({ questions: chunk }).length
      if (size + more > longestPacket && packet.answers.length > 0) {
        packet.flags = TRUNCATED_RESPONSE
        packet = { type: 'query', id: 0, flags: 0, questions: [], answers: [] }
        packets.push(packet)
        more = encodeQuery({ answers: [answer] }).length - 12
        size = 12
      }
      packet.answers.push(answer)
      size += more
    }
  }
  return packets
}
