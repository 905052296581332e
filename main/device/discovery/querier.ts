import type { RemoteInfo } from 'node:dgram'
import type { Answer, DecodedPacket, Packet, Question } from 'dns-packet'
import { mdnsPort } from './cardSocket.ts'
import { FollowUps } from './followUps.ts'
import { packPackets } from './queryPacket.ts'
import { RecordCache, planNextRefresh } from './recordCache.ts'
import { isDeviceHost, isSendableName, plainName, questionKey, readRecords, type HeardRecord } from './records.ts'

/** A host with a device's name, as received on one card. */
export interface HeardHost {
  /** Host name, lower case, with `.local`. */
  name: string
  addresses: { address: string; heardAtMs: number; isLeaving: boolean }[]
  services: { type: string; port: number }[]
  /** IPv4 addresses of different computers that use this name at the same time. */
  competing: string[]
  heardAtMs: number
}

export interface LookUp {
  names: string[]
  /** The host's last address; it is asked there directly too. */
  lastAddress?: string | undefined
}

export interface QuerierOptions {
  /** To the group, or to one responder (RFC 6762 section 5.5). */
  send: (packet: Packet, from: 'shared' | 'oneShot', to?: string) => void
  /** False while another program uses port 5353: then every round is sent one-shot. */
  isListening: () => boolean
  onHost: (host: HeardHost) => void
  onGone: (name: string, reason: 'goodbye' | 'expired') => void
  nowMs?: () => number
}

const metaQuery = '_services._dns-sd._udp.local'
const firstTypes = ['_http._tcp.local', '_workstation._tcp.local']
const mostTypes = 64
const mostTargets = 2000

// RFC 6762 section 5.2: at least 1 s between the first two, then at least twice as long each time, an hour at most.
const firstGapMs = 1000
const longestGapMs = 3_600_000
// 0, 1, 3, 7 and 15 s: these are sent both ways, even if another host asked the same.
const earlyRounds = 5
// RFC 6762 section 5.2 delays the first question of a search this long; a person's look-up goes first.
const shortestStartMs = 20
const longestStartMs = 120
// Answers to one question come in a burst; missing details are then asked in one packet.
const followUpDelayMs = 25
// One packet for questions that are due shortly after each other.
const togetherMs = 1000
const duplicateMs = 1000
// The answers to the questions in the same packet arrive within 120 ms (RFC 6762 section 6).
const directDelayMs = 250
// RFC 6762 section 10: unicast answers to a one-shot query contain at most 10 s; these are the real times.
const hostTtlMs = 120_000
const otherTtlMs = 4_500_000
// The earlier address is asked for again this long after a second one appeared: by then a mere change of address is
// over.
const compareDelayMs = 1100
// While two computers use one name, a person may be about to switch one of them off.
const competingDelayMs = 5000
// Anyone on the network can send anything from any address: no more hosts than this are asked directly.
const mostDirect = 256

interface Wanted {
  name: string
  types: ('SRV' | 'A' | 'AAAA')[]
}

export type Querier = ReturnType<typeof createQuerier>

/** Asks on one card, caches the answers, and reports which device hosts exist (RFC 6762 and 6763). */
export function createQuerier(options: QuerierOptions) {
  const nowMs = options.nowMs ?? (() => performance.now())
  let cache = new RecordCache()
  const types = new Set(firstTypes)
  const wanted = new FollowUps<Wanted>(mostTargets)
  /** Responders that named a service type but whose instance names did not arrive. */
  const unheard = new FollowUps<string>(mostDirect)
  const named = new Set<string>()
  /** Instances of hosts that are not devices. */
  const foreign = new Set<string>()
  /** Host names of which one address is being replaced, and its owner was asked. */
  const objectable = new Set<string>()
  const targets = new Map<string, Map<string, number>>()
  const heardQuestions = new Map<string, number>()
  const published = new Set<string>()
  let round = 0
  let browseAtMs = Infinity
  let newTypesAtMs = Infinity
  const newTypes = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let timerAtMs = Infinity
  let isRunning = false

  const want = (name: string, kinds: Wanted['types'], delayMs = followUpDelayMs): void => {
    if (isSendableName(name)) wanted.add(name, { name, types: kinds }, nowMs() + delayMs)
  }

  const hasAddress = (name: string): boolean => cache.set('A', name).length > 0 || cache.set('AAAA', name).length > 0

  const hostOf = (name: string): HeardHost => {
    const held = [...cache.set('A', name), ...cache.set('AAAA', name)]
    const services = [...(targets.get(name) ?? [])].map(([instance, port]) => ({
      type: typeOfInstance(instance),
      port
    }))
    return {
      name,
      addresses: held.map((item) => ({
        address: item.record.data,
        heardAtMs: item.heardAtMs,
        isLeaving: item.saidGoodbye || item.wasReplaced
      })),
      services,
      competing: cache.compareAddresses(name, nowMs()).competing,
      heardAtMs: Math.max(...held.map((item) => item.heardAtMs))
    }
  }

  const publish = (name: string): void => {
    if (!hasAddress(name)) return
    published.add(name)
    options.onHost(hostOf(name))
  }

  const learnType = (type: string): void => {
    if (types.has(type) || types.size >= mostTypes || !/^_[a-z0-9-]+\._(tcp|udp)\.local$/.test(type)) return
    types.add(type)
    newTypes.add(type)
    newTypesAtMs = Math.min(newTypesAtMs, nowMs() + followUpDelayMs)
  }

  /** Stores a record; returns the device host that it is about. */
  const keepRecord = (record: HeardRecord, now: number): string | undefined => {
    if (record.type === 'PTR') {
      if (record.name === metaQuery) {
        learnType(record.data)
        cache.put(record, now)
      } else if (types.has(record.name)) {
        cache.put(record, now)
        if (record.ttlMs > 0 && cache.set('SRV', record.data).length === 0 && !foreign.has(record.data))
          want(record.data, ['SRV'])
      }
      return undefined
    }
    if (record.type === 'SRV') {
      const isDevice = isDeviceHost(record.data)
      if (!isDevice && foreign.size < mostTargets) foreign.add(record.name)
      if (!isDevice && !wanted.has(record.name)) return undefined
      cache.put(record, now, isDevice)
      wanted.delete(record.name)
      if (!isDevice || record.ttlMs === 0) return undefined
      const services = targets.get(record.data) ?? new Map<string, number>()
      if (targets.size < mostTargets || targets.has(record.data))
        targets.set(record.data, services.set(record.name, record.port))
      if (!hasAddress(record.data)) want(record.data, ['A', 'AAAA'])
      return record.data
    }
    if (!isDeviceHost(record.name)) return undefined
    cache.put(record, now)
    if (record.ttlMs > 0) wanted.delete(record.name)
    return record.name
  }

  /**
   * A responder that names a service type has instances; if their packet was lost, it is asked directly. Of several
   * answers, often only the one to the question for all types arrives.
   */
  const noteResponder = (records: HeardRecord[], address: string, now: number): void => {
    if (records.some((record) => record.name !== metaQuery)) {
      unheard.delete(address)
      if (named.size < mostTargets) named.add(address)
    } else if (records.some((record) => types.has(record.data) && record.ttlMs > 0) && !named.has(address)) {
      unheard.add(address, address, now + directDelayMs)
    }
  }

  /** This instance needs nothing more: its host's address is known, or it is not a device. */
  const isWhole = (instance: string): boolean =>
    foreign.has(instance) || cache.set('SRV', instance).some((held) => hasAddress(held.record.data))

  const hear = (packet: DecodedPacket, from: Pick<RemoteInfo, 'address' | 'port'>, isOneShot: boolean): void => {
    if (!isRunning) return
    const now = nowMs()
    if (packet.type === 'query') {
      for (const question of packet.questions ?? []) {
        // A question without known answers gets every answer that ours would (section 7.3).
        if ((packet.answers ?? []).length === 0 && from.port === mdnsPort && heardQuestions.size < 500)
          heardQuestions.set(questionKey(question), now)
      }
      return
    }
    // Section 6: answers come from port 5353; other senders are not mDNS responders.
    if (from.port !== mdnsPort) return
    const touched = new Set<string>()
    const records = readRecords(packet)
    noteResponder(records, from.address, now)
    for (const record of records) {
      const stretched = isOneShot && record.ttlMs > 0 && record.ttlMs <= 10_000 && options.isListening()
      const ttlMs = stretched ? (record.type === 'PTR' ? otherTtlMs : hostTtlMs) : record.ttlMs
      const name = keepRecord({ ...record, ttlMs }, now)
      if (name) touched.add(name)
    }
    for (const name of touched) {
      cache.nameTogether(
        name,
        new Set(
          records
            .filter((record) => record.type === 'A' && record.name === name && record.ttlMs > 0)
            .map(({ data }) => data)
        )
      )
      askAgain(name, now)
      publish(name)
    }
    plan()
  }

  /** Two addresses that were never named together: asks whether both are still in use. */
  const askAgain = (name: string, now: number): void => {
    const { competing, isUndecided } = cache.compareAddresses(name, now)
    if (competing.length > 0) cache.dropSilent(name, now)
    const isReplaced = cache.set('A', name).some((held) => held.wasReplaced)
    // An announcement of one computer marks the other one's address as replaced; its owner can object.
    if (isReplaced && !objectable.has(name)) want(name, ['A'])
    if (isReplaced) objectable.add(name)
    else objectable.delete(name)
    if (isUndecided) want(name, ['A'], compareDelayMs)
    else if (competing.length > 0) want(name, ['A'], competingDelayMs)
  }

  const send = (questions: Question[], from: 'shared' | 'oneShot'): void => {
    const now = nowMs()
    const way = from === 'shared' && !options.isListening() ? 'oneShot' : from
    // Responders refuse one-shot queries with known answers (Avahi: "Invalid legacy unicast query packet"). A host
    // stays silent about a known answer, so only completely known answers are listed.
    const knownAnswers = (name: string): Answer[] =>
      way === 'shared'
        ? cache
            .knownAnswers(name, now)
            .filter((answer) => name === metaQuery || ('data' in answer && isWhole(String(answer.data))))
        : []
    for (const packet of packPackets(questions, knownAnswers)) options.send(packet, way)
  }

  const browse = (now: number): Question[] => {
    const questions = [metaQuery, ...types]
      .map((name): Question => ({ name, type: 'PTR' }))
      .filter(
        (question) =>
          round < earlyRounds || now - (heardQuestions.get(questionKey(question)) ?? -Infinity) > duplicateMs
      )
    heardQuestions.clear()
    browseAtMs = now + Math.min(firstGapMs * 2 ** round, longestGapMs)
    round += 1
    return questions
  }

  const expire = (now: number): void => {
    for (const { record, saidGoodbye } of cache.expire(now)) {
      if (record.type === 'SRV') targets.get(record.data)?.delete(record.name)
      if (record.type !== 'A' && record.type !== 'AAAA') continue
      if (hasAddress(record.name)) publish(record.name)
      else if (published.delete(record.name)) options.onGone(record.name, saidGoodbye ? 'goodbye' : 'expired')
    }
  }

  const dueFollowUps = (now: number): { questions: Question[]; isRetry: boolean } => {
    const due = wanted.takeDue(now, now + followUpDelayMs)
    return {
      questions: due.flatMap(({ item }) => item.types.map((type) => ({ name: item.name, type }))),
      isRetry: due.some(({ isRetry }) => isRetry)
    }
  }

  const askDirectly = (questions: Question[], address: string): void => {
    for (const packet of packPackets(questions, () => [])) options.send(packet, 'oneShot', address)
  }

  const dueRefreshes = (now: number): Question[] => {
    const questions = new Map<string, Question>()
    let isAnyDue = false
    for (const held of cache.all()) isAnyDue ||= held.refreshAtMs <= now
    if (!isAnyDue) return []
    for (const held of cache.all()) {
      if (held.refreshAtMs > now + Math.max(togetherMs, held.ttlMs * 0.05) || held.saidGoodbye || held.wasReplaced)
        continue
      questions.set(questionKey(held.record), { name: held.record.name, type: held.record.type })
      planNextRefresh(held)
    }
    return [...questions.values()]
  }

  const tick = (): void => {
    timerAtMs = Infinity
    const now = nowMs()
    expire(now)
    const followUps = dueFollowUps(now)
    const rounds = browseAtMs <= now ? browse(now) : []
    const isEarly = rounds.length > 0 && round <= earlyRounds
    const fresh = newTypesAtMs <= now ? [...newTypes].map((name): Question => ({ name, type: 'PTR' })) : []
    if (newTypesAtMs <= now || rounds.length > 0) {
      newTypes.clear()
      newTypesAtMs = Infinity
    }
    const first = [
      ...(isEarly ? rounds.filter(({ name }) => name !== metaQuery) : []),
      ...fresh,
      ...followUps.questions
    ]
    // Separate packets: if one is lost, the answer to the other may arrive.
    if (isEarly) send([{ name: metaQuery, type: 'PTR' }], 'oneShot')
    if (first.length > 0) send(first, 'oneShot')
    for (const { item } of unheard.takeDue(now, now))
      askDirectly(
        [...types].map((name) => ({ name, type: 'PTR' })),
        item
      )
    const repeated = [...rounds, ...(followUps.isRetry ? followUps.questions : []), ...dueRefreshes(now)]
    // Without port 5353 both ways are the same.
    if (repeated.length > 0 && (options.isListening() || !isEarly)) send(repeated, 'shared')
    plan()
  }

  const plan = (): void => {
    if (!isRunning) return
    let nextMs = Math.min(browseAtMs, newTypesAtMs, wanted.nextAtMs(), unheard.nextAtMs())
    for (const held of cache.all())
      nextMs = Math.min(nextMs, held.expiresAtMs, held.saidGoodbye || held.wasReplaced ? Infinity : held.refreshAtMs)
    if (timerAtMs === nextMs) return
    clearTimeout(timer)
    timerAtMs = nextMs
    // Timers of more than 24.8 days fire at once; an hour is the longest pause anyway.
    timer = setTimeout(tick, Math.min(Math.max(0, Math.ceil(nextMs - nowMs())), longestGapMs))
  }

  /** Asks for the addresses of host names, now and after 1, 3, 7 s and so on, until one is heard. */
  const lookUp = ({ names, lastAddress }: LookUp): void => {
    const questions = names.map(plainName).flatMap((name): Question[] =>
      isSendableName(name)
        ? [
            { name, type: 'A' },
            { name, type: 'AAAA' }
          ]
        : []
    )
    if (lastAddress !== undefined && questions.length > 0) askDirectly(questions, lastAddress)
    for (const name of names) want(plainName(name), ['A', 'AAAA'], 0)
    tick()
  }

  return {
    /** With host names, these are asked first and alone: a person waits for them. */
    start: (urgent?: LookUp): void => {
      isRunning = true
      round = 0
      browseAtMs = nowMs()
      if (urgent) {
        browseAtMs += shortestStartMs + Math.random() * (longestStartMs - shortestStartMs)
        lookUp(urgent)
      } else tick()
    },
    stop: (): void => {
      isRunning = false
      clearTimeout(timer)
      cache = new RecordCache()
      wanted.clear()
      unheard.clear()
      named.clear()
      foreign.clear()
      targets.clear()
      objectable.clear()
      published.clear()
    },
    /** Restarts the rounds: everything is asked at once. */
    ask: (): void => {
      if (!isRunning) return
      round = 0
      browseAtMs = nowMs()
      tick()
    },
    hear,
    lookUp,
    /** Asks again for the addresses of a host that may be gone. */
    verify: (name: string): void => {
      const questions: Question[] = [
        { name, type: 'A' },
        { name, type: 'AAAA' }
      ]
      send(questions, 'oneShot')
      if (options.isListening()) send(questions, 'shared')
    },
    /** The host answered in another way; its records need no refresh for now. */
    confirm: (name: string): void => {
      const now = nowMs()
      // One of two computers answered; the other one may be gone.
      if (cache.compareAddresses(name, now).competing.length > 0) return
      cache.confirm('A', name, now)
      cache.confirm('AAAA', name, now)
      for (const instance of targets.get(name)?.keys() ?? []) cache.confirm('SRV', instance, now)
      plan()
    },
    hosts: () => [...published].map(hostOf)
  }
}

/** `unit-7._http._tcp.local` -> `_http._tcp`. */
function typeOfInstance(instance: string): string {
  return /\.(_[a-z0-9-]+\._(?:tcp|udp))\.local$/.exec(instance)?.[1] ?? ''
}
