import { decode, encode, type Answer, type Packet } from 'dns-packet'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createQuerier, type HeardHost, type Querier } from '../../../../main/device/discovery/querier.ts'
import { encodeQuery, packPackets } from '../../../../main/device/discovery/queryPacket.ts'
import { readPacket } from '../../../../main/device/discovery/records.ts'

const name = 'ft4-861234000000011.local'
const instance = 'ft4-861234000000011._http._tcp.local'
const device = { address: '10.9.1.1', port: 5353 }

const ptr = (ttl = 4500): Answer => ({ type: 'PTR', name: '_http._tcp.local', ttl, data: instance })
const srv = (ttl = 120): Answer => ({
  type: 'SRV',
  name: instance,
  ttl,
  flush: true,
  data: { port: 8080, target: name }
})
const a = (data = '10.9.1.1', ttl = 120): Answer => ({ type: 'A', name, ttl, flush: true, data })

// Taken before the clock is faked.
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000)

interface Sent {
  atMs: number
  from: 'shared' | 'oneShot'
  packet: Packet
  to?: string | undefined
}

let sent: Sent[]
let heard: HeardHost[]
let gone: [string, string, number][]
let isListening: boolean
let querier: Querier

const startedMs = (): number => Math.round(performance.now())
const hear = (answers: Answer[], isOneShot = false): void =>
  querier.hear(decode(encode({ type: 'response', flags: 1024, answers })), device, isOneShot)
const asked = (from: 'shared' | 'oneShot', question: string, type = 'PTR'): number[] =>
  sent
    .filter((item) => item.from === from && item.packet.questions?.some((q) => q.name === question && q.type === type))
    .map((item) => item.atMs)

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  const zero = startedMs()
  sent = []
  heard = []
  gone = []
  isListening = true
  querier = createQuerier({
    send: (packet, from, to) => sent.push({ atMs: startedMs() - zero, from, packet, to }),
    isListening: () => isListening,
    onHost: (host) => heard.push(host),
    onGone: (host, reason) => gone.push([host, reason, startedMs() - zero])
  })
})
afterEach(() => {
  querier.stop()
  vi.useRealTimers()
})

describe('When questions are asked', () => {
  test('at 0, 1, 3, 7, 15 s and so on, an hour apart at most', () => {
    querier.start()
    vi.advanceTimersByTime(4 * 3_600_000)
    expect(asked('shared', '_http._tcp.local').map((ms) => ms / 1000)).toEqual([
      0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 7695, 11_295
    ])
    expect(asked('oneShot', '_http._tcp.local').map((ms) => ms / 1000)).toEqual([0, 1, 3, 7, 15])
    expect(sent.filter((item) => item.from === 'oneShot').every((item) => item.packet.answers?.length === 0)).toBe(true)
  })

  test('asking again begins the rounds again', () => {
    querier.start()
    vi.advanceTimersByTime(20_000)
    sent = []
    querier.ask()
    vi.advanceTimersByTime(3000)
    expect(asked('shared', '_workstation._tcp.local').map((ms) => ms / 1000)).toEqual([20, 21, 23])
  })

  test('every round goes out as one-shot while port 5353 is held by another program', () => {
    isListening = false
    querier.start()
    vi.advanceTimersByTime(32_000)
    expect(asked('oneShot', '_http._tcp.local').map((ms) => ms / 1000)).toEqual([0, 1, 3, 7, 15, 31])
    expect(sent.some((item) => item.from === 'shared')).toBe(false)
  })

  test('a known answer goes along with the question until half of its time is over', () => {
    querier.start()
    hear([ptr(50), srv(), a()])
    vi.advanceTimersByTime(29_000)
    const rounds = (from: string): Sent[] =>
      sent.filter((item) => item.from === from && item.packet.questions?.some((q) => q.name === '_http._tcp.local'))
    expect(
      rounds('shared').map((item) => item.packet.answers?.map((answer) => [answer.name, 'ttl' in answer && answer.ttl]))
    ).toEqual([
      [],
      [['_http._tcp.local', 49]],
      [['_http._tcp.local', 47]],
      [['_http._tcp.local', 43]],
      [['_http._tcp.local', 35]]
    ])
    // Responders refuse one-shot questions with answers in them.
    expect(rounds('oneShot').map((item) => item.packet.answers)).toEqual([[], [], [], [], []])
    sent = []
    vi.advanceTimersByTime(3000)
    expect(rounds('shared').map((item) => item.packet.answers)).toEqual([[]])
  })

  test('a question that another host just asked without known answers is not repeated', () => {
    querier.start()
    const other = (): void =>
      querier.hear(
        decode(encode({ type: 'query', questions: [{ type: 'PTR', name: '_http._tcp.local' }] })),
        device,
        false
      )
    vi.advanceTimersByTime(14_500)
    // The first five rounds are in a hurry: what the other's question brings may be lost on the way to us.
    other()
    vi.advanceTimersByTime(16_000)
    other()
    vi.advanceTimersByTime(1000)
    expect(asked('shared', '_http._tcp.local').map((ms) => ms / 1000)).toEqual([0, 1, 3, 7, 15])
    expect(asked('shared', '_workstation._tcp.local').map((ms) => ms / 1000)).toEqual([0, 1, 3, 7, 15, 31])
  })

  test('what is missing of an answer is asked for at once and again until it comes', () => {
    querier.start()
    hear([ptr()])
    vi.advanceTimersByTime(1200)
    expect(asked('oneShot', instance, 'SRV')).toEqual([25, 1000])
    hear([srv()])
    vi.advanceTimersByTime(30)
    expect(asked('oneShot', name, 'A')).toHaveLength(1)
    hear([a()])
    const before = sent.length
    vi.advanceTimersByTime(1700)
    expect(sent).toHaveLength(before)
    expect(heard.at(-1)).toMatchObject({
      name,
      addresses: [{ address: '10.9.1.1' }],
      services: [{ type: '_http._tcp', port: 8080 }]
    })
  })

  test('a host whose address is missing is never told that its answer is known', () => {
    querier.start()
    hear([ptr(), srv()])
    vi.advanceTimersByTime(64_000)
    const lists = sent.filter((item) => item.from === 'shared').map((item) => item.packet.answers)
    expect(lists.length).toBeGreaterThan(6)
    expect(lists.every((answers) => answers?.length === 0)).toBe(true)
    hear([srv(), a()])
    sent = []
    vi.advanceTimersByTime(64_000)
    expect(
      sent.find((item) => item.packet.questions?.some((question) => question.name === '_http._tcp.local'))?.packet
        .answers
    ).toMatchObject([{ data: instance }])
  })

  test('what is no device counts as known although its address is never asked for', () => {
    querier.start()
    hear([
      { type: 'PTR', name: '_http._tcp.local', ttl: 4500, data: 'printer._http._tcp.local' },
      {
        type: 'SRV',
        name: 'printer._http._tcp.local',
        ttl: 120,
        flush: true,
        data: { port: 80, target: 'printer.local' }
      }
    ])
    sent = []
    vi.advanceTimersByTime(1100)
    expect(
      sent
        .filter((item) => item.from === 'shared')
        .map((item) => item.packet.answers?.map((answer) => 'data' in answer && answer.data))
    ).toEqual([['printer._http._tcp.local']])
    expect(asked('oneShot', 'printer.local', 'A')).toEqual([])
  })

  test('a responder that names a service type but whose own names were lost is asked directly until they arrive', () => {
    querier.start()
    const meta: Answer = { type: 'PTR', name: '_services._dns-sd._udp.local', ttl: 4500, data: '_http._tcp.local' }
    hear([meta], true)
    vi.advanceTimersByTime(5000)
    const direct = (): number[] => sent.filter((item) => item.to === device.address).map((item) => item.atMs)
    expect(direct()).toEqual([250, 1250, 3250])
    expect(sent.find((item) => item.to)?.packet.questions?.map((question) => [question.name, question.type])).toEqual([
      ['_http._tcp.local', 'PTR'],
      ['_workstation._tcp.local', 'PTR']
    ])
    hear([ptr(), srv(), a()], true)
    hear([meta], true)
    vi.advanceTimersByTime(60_000)
    expect(direct()).toHaveLength(3)
  })

  test('the question for all types leaves in a packet of its own, so that one lost packet loses one answer', () => {
    querier.start()
    expect(
      sent
        .filter((item) => item.from === 'oneShot')
        .map((item) => item.packet.questions?.map((question) => question.name))
    ).toEqual([['_services._dns-sd._udp.local'], ['_http._tcp.local', '_workstation._tcp.local']])
  })

  test('a look-up that starts the search leaves at once and alone, also to the last address; the rounds follow within 120 ms', () => {
    querier.start({ names: [name], lastAddress: '10.9.1.1' })
    const asks = (item: Sent): (string | undefined)[] => [
      item.to,
      ...(item.packet.questions?.map((question) => `${question.type} ${question.name}`) ?? [])
    ]
    expect(sent.map(asks)).toEqual([
      ['10.9.1.1', `A ${name}`, `AAAA ${name}`],
      [undefined, `A ${name}`, `AAAA ${name}`]
    ])
    expect(sent.every((item) => item.from === 'oneShot')).toBe(true)
    vi.advanceTimersByTime(19)
    expect(asked('shared', '_http._tcp.local')).toEqual([])
    vi.advanceTimersByTime(102)
    expect(asked('shared', '_http._tcp.local')).toHaveLength(1)
  })

  test('a service type that some host names is asked for too', () => {
    querier.start()
    hear([{ type: 'PTR', name: '_services._dns-sd._udp.local', ttl: 4500, data: '_tracker._tcp.local' }])
    vi.advanceTimersByTime(1000)
    expect(asked('oneShot', '_tracker._tcp.local')).toEqual([25, 1000])
  })

  test('an address is asked for again at 80, 85, 90 and 95 % of its time, and is gone at its end', () => {
    querier.start()
    hear([ptr(), srv(), a()])
    vi.advanceTimersByTime(121_000)
    const seconds = asked('shared', name, 'A').map((ms) => ms / 1000)
    expect(seconds).toHaveLength(4)
    for (const [index, share] of [0.8, 0.85, 0.9, 0.95].entries()) {
      expect(seconds[index]).toBeGreaterThanOrEqual(120 * share)
      expect(seconds[index]).toBeLessThan(120 * (share + 0.025))
    }
    expect(gone).toEqual([[name, 'expired', 120_000]])
  })

  test('a host that showed itself over HTTP needs no refresh', () => {
    querier.start()
    hear([ptr(), srv(), a()])
    for (let second = 0; second < 300; second += 5) {
      vi.advanceTimersByTime(5000)
      querier.confirm(name)
    }
    expect(asked('shared', name, 'A')).toEqual([])
    expect(gone).toEqual([])
  })

  test('but after half an hour mDNS must name the host again', () => {
    querier.start()
    hear([a()])
    for (let second = 0; second < 2100; second += 5) {
      vi.advanceTimersByTime(5000)
      querier.confirm(name)
    }
    expect(asked('shared', name, 'A').length).toBeGreaterThan(0)
    expect(gone).toHaveLength(1)
  })

  test('a look-up is repeated until the host is heard', () => {
    querier.start()
    querier.lookUp({ names: [name] })
    vi.advanceTimersByTime(3500)
    expect(asked('oneShot', name, 'A')).toEqual([0, 1000, 3000])
    hear([a()], true)
    vi.advanceTimersByTime(20_000)
    expect(asked('oneShot', name, 'A')).toHaveLength(3)
  })
})

describe('What is believed', () => {
  beforeEach(() => querier.start())

  test('a goodbye takes a second, and is taken back by a new announcement', () => {
    hear([ptr(), srv(), a()])
    hear([a('10.9.1.1', 0)])
    vi.advanceTimersByTime(990)
    expect(gone).toEqual([])
    hear([a()])
    vi.advanceTimersByTime(5000)
    expect(gone).toEqual([])
    hear([a('10.9.1.1', 0)])
    vi.advanceTimersByTime(1000)
    expect(gone.map(([host, reason]) => [host, reason])).toEqual([[name, 'goodbye']])
  })

  test('a new address with the cache-flush bit replaces the old one after a second', () => {
    hear([a('10.9.1.1')])
    vi.advanceTimersByTime(5000)
    hear([a('10.9.1.2')])
    expect(heard.at(-1)?.addresses.map((item) => [item.address, item.isLeaving])).toEqual([
      ['10.9.1.1', true],
      ['10.9.1.2', false]
    ])
    vi.advanceTimersByTime(1000)
    expect(heard.at(-1)?.addresses.map((item) => item.address)).toEqual(['10.9.1.2'])
  })

  test('a new address replaces the old one also right after the old one answered over HTTP', () => {
    hear([a('10.9.1.1')])
    vi.advanceTimersByTime(5000)
    querier.confirm(name)
    vi.advanceTimersByTime(400)
    hear([a('10.9.1.2')])
    vi.advanceTimersByTime(1000)
    expect(heard.at(-1)?.addresses.map((item) => item.address)).toEqual(['10.9.1.2'])
  })

  test('two addresses of one announcement both stay', () => {
    hear([a('10.9.1.1')])
    vi.advanceTimersByTime(200)
    hear([a('10.9.1.2')])
    vi.advanceTimersByTime(3000)
    expect(heard.at(-1)?.addresses).toHaveLength(2)
  })

  describe('of two computers with one name', () => {
    const other = { address: '10.9.1.2', port: 5353 }
    /** As real responders: each answers a question for the name with its own address, at most 20 ms later. */
    const answerFrom = (addresses: () => string[], flush: boolean): (() => void) => {
      let read = sent.length
      return () => {
        for (; read < sent.length; read += 1) {
          const isAsked = sent[read]?.packet.questions?.some(
            (question) => question.name === name || question.name === '_http._tcp.local'
          )
          if (isAsked)
            for (const data of addresses())
              querier.hear(
                decode(encode({ type: 'response', flags: 1024, answers: [{ ...a(data), flush } as Answer] })),
                data === '10.9.1.2' ? other : device,
                false
              )
        }
      }
    }
    const run = (ms: number, answer: () => void): void => {
      for (let spent = 0; spent < ms; spent += 20) {
        answer()
        vi.advanceTimersByTime(20)
      }
    }

    test.each([true, false])(
      'both are named within 9 s (cache flush: %s), and only one after the other was switched off',
      (flush) => {
        let alive = ['10.9.1.1', '10.9.1.2']
        const answer = answerFrom(() => alive, flush)
        run(9000, answer)
        expect(heard.at(-1)?.competing).toEqual(['10.9.1.1', '10.9.1.2'])
        run(125_000, answer)
        expect(heard.at(-1)?.competing).toEqual(['10.9.1.1', '10.9.1.2'])
        alive = ['10.9.1.2']
        run(25_000, answer)
        expect(heard.at(-1)).toMatchObject({ competing: [], addresses: [{ address: '10.9.1.2' }] })
      }
    )

    test('the second one is noticed within 9 s also minutes later, when it announces itself', () => {
      let alive = ['10.9.1.1']
      const answer = answerFrom(() => alive, true)
      run(200_000, answer)
      alive = ['10.9.1.1', '10.9.1.2']
      querier.hear(decode(encode({ type: 'response', flags: 1024, answers: [a('10.9.1.2')] })), other, false)
      run(1000, answer)
      querier.hear(decode(encode({ type: 'response', flags: 1024, answers: [a('10.9.1.2')] })), other, false)
      run(8000, answer)
      expect(heard.at(-1)?.competing).toEqual(['10.9.1.1', '10.9.1.2'])
    })

    test('one HTTP answer does not keep both', () => {
      const answer = answerFrom(() => ['10.9.1.1', '10.9.1.2'], true)
      run(9000, answer)
      for (let spent = 0; spent < 130; spent += 1) {
        vi.advanceTimersByTime(1000)
        querier.confirm(name)
      }
      expect(gone.map(([host]) => host)).toEqual([name])
    })
  })

  test.each([true, false])(
    'a device that changed its address, or has two, is one computer (cache flush: %s)',
    (flush) => {
      const say = (...addresses: string[]): void =>
        hear(addresses.map((data): Answer => ({ ...a(data), flush }) as Answer))
      say('10.9.1.1')
      vi.advanceTimersByTime(500)
      for (let spent = 0; spent < 10; spent += 1) {
        say('10.9.1.2')
        vi.advanceTimersByTime(1000)
      }
      for (let spent = 0; spent < 10; spent += 1) {
        say('10.9.1.2', '10.9.1.3')
        vi.advanceTimersByTime(1000)
      }
      expect(heard.flatMap((host) => host.competing)).toEqual([])
      // Without cache flush the old address may stay until its time is over, but is not asked for all the time.
      expect(asked('oneShot', name, 'A').length).toBeLessThan(12)
    }
  )

  test('the short time of a one-shot answer is not taken for the time to live', () => {
    hear([{ type: 'A', name, ttl: 10, data: '10.9.1.1' }], true)
    vi.advanceTimersByTime(60_000)
    expect(gone).toEqual([])
    expect(asked('shared', name, 'A')).toEqual([])
  })

  test('answers that do not come from port 5353, carry an error code or an unusable address count for nothing', () => {
    querier.hear(decode(encode({ type: 'response', answers: [a()] })), { address: '10.9.1.1', port: 4000 }, false)
    querier.hear(decode(encode({ type: 'response', flags: 3, answers: [a()] })), device, false)
    hear([a('224.0.0.251'), a('0.0.0.0')])
    expect(heard).toEqual([])
  })

  test('hosts whose name is no device name are not told of', () => {
    for (const host of [
      'printer.local',
      'ft4-861234000000012.local',
      'ft4-86123400000001.local',
      '861234000000011.local',
      'ft4_861234000000011.local'
    ])
      hear([{ type: 'A', name: host, ttl: 120, data: '10.9.1.9' }])
    expect(heard).toEqual([])
  })
})

describe('Packets', () => {
  test('questions and known answers are read back as they were written, names compressed', () => {
    const questions = [
      { name: '_http._tcp.local', type: 'PTR' as const },
      { name, type: 'AAAA' as const }
    ]
    const answers = Array.from({ length: 30 }, (_, number): Answer => ({
      type: 'PTR',
      name: '_http._tcp.local',
      ttl: 70_000 + number,
      data: `ft4-8612340000${10000 + number}._http._tcp.local`
    }))
    const bytes = encodeQuery({ questions, answers })
    const packet = decode(bytes)
    expect(packet.questions?.map((question) => [question.name, question.type, question.class])).toEqual(
      questions.map((question) => [question.name, question.type, 'IN'])
    )
    expect(
      packet.answers?.map((answer) => [
        answer.type,
        answer.name,
        'ttl' in answer && answer.ttl,
        'data' in answer && answer.data
      ])
    ).toEqual(
      answers.map((answer) => [
        answer.type,
        answer.name,
        'ttl' in answer && answer.ttl,
        'data' in answer && answer.data
      ])
    )
    expect(bytes.length).toBeLessThan(encode({ type: 'query', questions, answers }).length * 0.6)
  })

  test('known answers that do not fit follow in further packets, with the truncated bit set', () => {
    const answers = Array.from({ length: 200 }, (_, number): Answer => ({
      type: 'PTR',
      name: '_http._tcp.local',
      ttl: 4000,
      data: `ft4-861234000000${number}._http._tcp.local`
    }))
    const packets = packPackets([{ name: '_http._tcp.local', type: 'PTR' }], () => answers)
    expect(packets.flatMap((packet) => packet.answers ?? [])).toHaveLength(200)
    expect(packets.map((packet) => encodeQuery(packet).length).every((size) => size <= 1400)).toBe(true)
    expect(packets.map((packet) => packet.flags)).toEqual([...Array.from({ length: packets.length - 1 }, () => 512), 0])
  })

  test('4,000 broken packets neither crash it nor bring a device in', () => {
    querier.start()
    process.stdout.write(`Fuzzed mDNS packets: FUZZ_SEED=${seed}\n`)
    const whole = encode({
      type: 'response',
      flags: 1024,
      answers: [{ type: 'PTR', name: '_http._tcp.local', ttl: 4500, data: 'printer._http._tcp.local' }],
      additionals: [
        { type: 'SRV', name: 'printer._http._tcp.local', ttl: 120, data: { port: 631, target: 'printer.local' } },
        { type: 'TXT', name: 'printer._http._tcp.local', ttl: 4500, data: 'path=/' },
        { type: 'A', name: 'printer.local', ttl: 120, data: '10.9.1.9' }
      ]
    })
    const cut = encode({ type: 'response', flags: 1024, answers: [a()] })
    const broken = fc.oneof(
      fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes)),
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }).map((changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        return bytes
      }),
      // A device's answer that was cut off, or whose header promises more than it holds.
      fc.nat(cut.length - 1).map((length) => cut.subarray(0, length)),
      fc.tuple(fc.integer({ min: 2, max: 65535 }), fc.nat(3)).map(([count, field]) => {
        const bytes = Buffer.from(cut)
        bytes.writeUInt16BE(count, 4 + field * 2)
        return bytes
      })
    )
    fc.assert(
      fc.property(broken, fc.boolean(), (bytes, isOneShot) => {
        const packet = readPacket(bytes)
        if (packet) querier.hear(packet, device, isOneShot)
        vi.advanceTimersByTime(7)
      }),
      { numRuns: 4000, seed }
    )
    expect(heard).toEqual([])
    hear([a()])
    expect(heard).toHaveLength(1)
  })
})
