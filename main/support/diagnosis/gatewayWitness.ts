import { AppError } from '../../../preload/contract/errors.ts'
import type {
  GatewayEvidence,
  GatewayPart,
  GatewayTrouble,
  SeenEvent
} from '../../../preload/contract/support/evidence.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { allEnded, atMost } from '../../base/time/pause.ts'
import { keepLatest } from './keepLatest.ts'
import { isPlaced } from '../../base/reading/reportedEvents.ts'
import { firstDeviceMs, impossibleTimes } from '../../base/reading/contradictions.ts'
import { restingKmh } from '../../base/reading/rhythmOfEvents.ts'
import type { DiagnosisGateway } from '../../gateway/client/diagnosisGateway.ts'

export interface GatewaySubject {
  vehicleId: number | null
  imei: string | null
  simId: string | undefined
}

/** Both change with every report: with the vehicle, 13 of the 30 requests a minute of the strictest gateway. */
const liveEveryMs = 15_000
/** A person who moves a device to another vehicle sees it here within 15 s plus the time of an answer. */
const vehicleEveryMs = 12_000
const minuteEveryMs = 60_000
const seldomEveryMs = 10 * 60_000
/** For a silent device the past is searched as well. */
const pastEveryMs = 60_000
/** The pause after a failure. */
const againAfterMs = 30_000
const againAfterLimitMs = 1_000
const everyMs: Readonly<Record<GatewayPart, number>> = {
  user: minuteEveryMs,
  vehicle: vehicleEveryMs,
  record: minuteEveryMs,
  sim: minuteEveryMs,
  lines: liveEveryMs,
  engineBus: pastEveryMs,
  distance: seldomEveryMs,
  restingOn: seldomEveryMs,
  events: liveEveryMs
}
const dayMs = 86_400_000
const minuteMs = 60_000
const lately = { withVehicleMs: dayMs, withoutVehicleMs: 30 * minuteMs, aheadMs: 26 * 3_600_000, tail: 100 }
/** If an event arrived within this time, nothing else is searched. */
const reportsMs = 5 * minuteMs
const mostEvents = 200
/** Three days of a device that reports every 2 min. */
const earlierTail = 2_000
/** The comparison of the clocks gets more exact with each answer: less than this is no change of a clock. */
const steadyAheadS = 1
/** The number of subjects with kept answers; the least recently used one is dropped. */
export const mostSubjects = 32

export interface GatewayLook {
  evidence: GatewayEvidence
  /** No request is open. */
  isWhole: boolean
  /** Requests that failed in a row; null while it answers. */
  retry: GatewayRetry | null
}
export type GatewayRetry = { failedSince: string; attempts: number; nextAt: string }

/** Evidence of a gateway that has not answered yet. */
export const unanswered: GatewayEvidence = {
  state: 'asking',
  why: null,
  aheadS: null,
  user: null,
  vehicle: null,
  elsewhere: null,
  stays: [],
  record: null,
  sim: null,
  lines: null,
  engineBus: null,
  distanceM: null,
  events: null,
  eventsSinceAt: null,
  refused: {}
}

interface Known {
  evidence: GatewayEvidence
  askedMs: Map<string, number>
  /** Events from before the day, and those with wrong dates. */
  past: SeenEvent[]
  /** Older events, for the start of a condition that all of the latest have. */
  earlier: SeenEvent[]
  /** Events that arrived in the last day, dated by any of the last years. */
  years: SeenEvent[]
  simId: string | undefined
  running: Promise<void> | undefined
  notBeforeMs: number
  failed: { sinceMs: number; attempts: number } | null
}

/** Asks the gateway about vehicles only as often as useful, and keeps its answers. One request serves every screen. */
export function createGatewayWitness(
  gateway: DiagnosisGateway,
  reportFault: (error: unknown) => void,
  now: () => number = () => Date.now()
) {
  const known = new Map<string, Known>()
  const ending = new AbortController()
  /** The account was refused: nothing is asked until a person signs in again. */
  let refusedAs: { why: Message; username: string | null } | null = null
  const { signal } = ending

  function knownOf({ vehicleId, imei }: GatewaySubject): Known {
    const name = `${vehicleId ?? ''} ${imei ?? ''}`
    const one = known.get(name) ?? {
      evidence: { ...unanswered },
      askedMs: new Map(),
      past: [],
      earlier: [],
      years: [],
      simId: undefined,
      running: undefined,
      notBeforeMs: 0,
      failed: null
    }
    return keepLatest(known, name, one, mostSubjects)
  }

  const iso = (ms: number) => new Date(ms).toISOString()
  const at = () => iso(now())

  /** Requests a part when it is due; a refusal is an answer too. AppErrors of an unreachable gateway are passed on. */
  async function part<T>(
    one: Known,
    name: GatewayPart,
    ask: () => Promise<T>,
    keep: (kept: { value: T; readAt: string }) => void
  ): Promise<void> {
    if (!isDue(one, name, name === 'vehicle' && isNowhere(one.evidence) ? minuteEveryMs : everyMs[name])) return
    try {
      const value = await ask()
      keep({ value, readAt: at() })
      const { [name]: _gone, ...refused } = one.evidence.refused
      one.evidence.refused = refused
    } catch (error) {
      if (!(error instanceof AppError) || error.fate !== 'refused' || error.code === 'NOT_AUTHENTICATED') throw error
      one.evidence.refused = { ...one.evidence.refused, [name]: { status: error.status ?? null, why: error.sentence } }
    }
    one.askedMs.set(name, now())
  }

  function isDue(one: Known, name: string, everyMs: number): boolean {
    return now() - (one.askedMs.get(name) ?? -Infinity) >= everyMs
  }

  async function askVehicle(one: Known, { vehicleId, imei }: GatewaySubject): Promise<void> {
    const { evidence } = one
    if (vehicleId === null) {
      if (imei === null) return
      return part(
        one,
        'vehicle',
        () => gateway.findCarrier(imei, signal),
        ({ value, readAt }) => {
          evidence.vehicle = value.vehicle !== null || value.isSure ? { value: value.vehicle, readAt } : null
          if (evidence.vehicle === null)
            evidence.refused = {
              ...evidence.refused,
              vehicle: { status: null, why: message('chain.vehicle.notAllSeen') }
            }
        }
      )
    }
    await part(
      one,
      'vehicle',
      async () => {
        const shown = await gateway.readVehicle(vehicleId, signal)
        const isOther = imei !== null && shown !== null && shown.vehicle.imei !== imei
        return { shown, carrier: isOther ? await gateway.findCarrier(imei, signal) : null }
      },
      ({ value: { shown, carrier }, readAt }) => {
        evidence.vehicle = { value: shown?.vehicle ?? null, readAt }
        evidence.stays = shown?.stays.slice(0, 20) ?? []
        evidence.elsewhere =
          carrier && (carrier.vehicle || carrier.isSure)
            ? {
                value: carrier.vehicle && {
                  id: carrier.vehicle.id,
                  name: carrier.vehicle.name,
                  plate: carrier.vehicle.plate
                },
                readAt
              }
            : null
      }
    )
  }

  async function askEvents(one: Known, imei: string | null): Promise<void> {
    const { evidence } = one
    const vehicle = evidence.vehicle?.value
    const vehicleId =
      vehicle && (imei === null || vehicle.imei === imei) ? vehicle.id : (evidence.elsewhere?.value?.id ?? null)
    if (vehicleId === null && imei === null) return
    const nowMs = now() + (evidence.aheadS ?? 0) * 1000
    const ask = (fromMs: number, toMs: number, tail: number) =>
      gateway.readEvents({ vehicleId, imei, fromMs, toMs, tail }, signal)
    const backMs = vehicleId === null ? lately.withoutVehicleMs : lately.withVehicleMs
    await part(
      one,
      'events',
      async () => {
        const recent = await ask(nowMs - backMs, nowMs + (vehicleId === null ? minuteMs : lately.aheadMs), lately.tail)
        const isSilent = !isOneNow(recent, nowMs)
        // A device whose events are there is not silent.
        const pastDueMs = isOneNow(one.past, nowMs) ? liveEveryMs : pastEveryMs
        if (isSilent && vehicleId !== null && isDue(one, 'past', pastDueMs)) {
          const [month, ...misdated] = await Promise.all([
            ask(nowMs - 30 * dayMs, nowMs - backMs, 20),
            // A wrong date is any date: of a time without such devices, of the years since, or of the future.
            ...impossibleTimes(nowMs + lately.aheadMs).map(({ fromMs, toMs }) => ask(fromMs, toMs, 20)),
            askYears(one, () => ask(firstDeviceMs, nowMs - 30 * dayMs, 20))
          ])
          one.past = [
            ...month,
            ...misdated.flat().filter(({ arrivedAtMs }) => arrivedAtMs !== null && nowMs - arrivedAtMs < dayMs)
          ]
          one.askedMs.set('past', now())
        }
        await askRestingOn(one, vehicleId, recent)
        if (vehicleId !== null) await askEarlier(one, recent, () => ask(nowMs - 30 * dayMs, nowMs, earlierTail))
        return merge([...recent, ...one.past])
      },
      (kept) => {
        evidence.events = kept
        evidence.earlier = one.earlier
        evidence.eventsSinceAt = new Date(one.askedMs.has('past') ? nowMs - 30 * dayMs : nowMs - backMs).toISOString()
      }
    )
  }

  /** Years of events are much to search: seldom, and without them the rest still counts. */
  async function askYears(one: Known, ask: () => Promise<SeenEvent[]>): Promise<SeenEvent[]> {
    if (!isDue(one, 'years', seldomEveryMs)) return one.years
    one.askedMs.set('years', now())
    one.years = await askWithout(ask)
    return one.years
  }

  async function askWithout(ask: () => Promise<SeenEvent[]>): Promise<SeenEvent[]> {
    return ask().catch((error: unknown) => {
      if (error instanceof AppError && error.code !== 'CANCELLED' && error.code !== 'NOT_AUTHENTICATED') return []
      throw error
    })
  }

  /** Only where a condition is older than the latest events, many are read to find its start: seldom. */
  async function askEarlier(one: Known, recent: readonly SeenEvent[], ask: () => Promise<SeenEvent[]>): Promise<void> {
    const hasNoPower = one.evidence.lines?.value?.values['io_pwr'] === false
    const isOlder =
      recent.length >= lately.tail &&
      ((hasNoPower && !recent.some(({ hasPower }) => hasPower === true)) || !recent.some(isPlaced))
    if (!isOlder) {
      one.earlier = []
      one.askedMs.delete('earlier')
      return
    }
    if (!isDue(one, 'earlier', seldomEveryMs)) return
    one.askedMs.set('earlier', now())
    const oldest = recent.at(-1)
    const oldestMs = oldest?.arrivedAtMs ?? oldest?.eventAtMs ?? 0
    one.earlier = (await askWithout(ask)).filter(
      ({ arrivedAtMs, eventAtMs }) => (arrivedAtMs ?? eventAtMs ?? Infinity) < oldestMs
    )
  }

  /** Only where the latest events show a resting vehicle with its ignition on, the whole day is read. */
  async function askRestingOn(one: Known, vehicleId: number | null, recent: readonly SeenEvent[]): Promise<void> {
    const isOn = one.evidence.lines?.value?.values['io_ign'] === true
    if (
      vehicleId === null ||
      !isOn ||
      recent.length === 0 ||
      recent.some(({ speedKmh }) => (speedKmh ?? 0) > restingKmh)
    ) {
      one.evidence.restingOn = null
      return
    }
    await part(
      one,
      'restingOn',
      () => gateway.readRestingOn(vehicleId, signal),
      (kept) => (one.evidence.restingOn = kept)
    )
  }

  async function askAll(one: Known, subject: GatewaySubject): Promise<void> {
    const { evidence } = one
    if (subject.imei === null) await askVehicle(one, subject)
    const imei = subject.imei ?? evidence.vehicle?.value?.imei ?? null
    await allEnded([
      part(
        one,
        'user',
        () => gateway.readUser(signal),
        (kept) => (evidence.user = kept)
      ),
      subject.imei === null ? undefined : askVehicle(one, subject),
      imei === null
        ? undefined
        : part(
            one,
            'record',
            () => gateway.readRecord(imei, signal),
            (kept) => (evidence.record = kept)
          ),
      imei === null
        ? undefined
        : part(
            one,
            'lines',
            () => gateway.readLines(imei, signal),
            (kept) => (evidence.lines = kept)
          )
    ])
    evidence.aheadS = steady(evidence.aheadS, await gateway.aheadS())
    const simId = subject.simId ?? evidence.record?.value?.simIds[0]
    if (one.simId !== simId) one.askedMs.delete('sim')
    one.simId = simId
    const vehicleId = evidence.vehicle?.value?.imei === imei ? evidence.vehicle?.value?.id : undefined
    await allEnded([
      askEvents(one, imei),
      simId === undefined
        ? undefined
        : part(
            one,
            'sim',
            () => gateway.readSim(simId, signal),
            (kept) => (evidence.sim = kept)
          ),
      vehicleId === undefined
        ? undefined
        : part(
            one,
            'engineBus',
            () => gateway.readEngineBus(vehicleId, signal),
            (kept) => (evidence.engineBus = kept)
          ),
      vehicleId === undefined
        ? undefined
        : part(
            one,
            'distance',
            () => gateway.readDistance(vehicleId, signal),
            (kept) => (evidence.distanceM = kept)
          )
    ])
    evidence.aheadS = steady(evidence.aheadS, await gateway.aheadS())
    const isShown = [evidence.record, evidence.vehicle].some((kept) => kept !== null && kept.value !== null)
    one.failed = null
    const username = evidence.user?.value.name || (await gateway.username())
    Object.assign(evidence, {
      state: isShown || evidence.vehicle === null ? 'answers' : 'notShown',
      why: null,
      trouble: null,
      username
    })
  }

  function begin(one: Known, subject: GatewaySubject): void {
    if (refusedAs !== null) Object.assign(one.evidence, { state: 'signedOut', trouble: 'account', ...refusedAs })
    if (refusedAs !== null || one.running !== undefined || now() < one.notBeforeMs) return
    const work: Promise<void> = askAll(one, subject)
      .catch(async (error: unknown) => {
        if (ending.signal.aborted) return
        one.notBeforeMs = now() + againAfterMs
        // A limit says nothing about the vehicle: earlier answers stay, and it is asked again when the gateway allows
        // it.
        if (error instanceof AppError && error.code === 'RATE_LIMITED') {
          one.notBeforeMs = Math.max(now() + againAfterLimitMs, error.retryAtMs ?? 0)
          Object.assign(one.evidence, { why: error.sentence, trouble: 'limit' })
        } else if (error instanceof AppError) {
          one.failed = { sinceMs: one.failed?.sinceMs ?? now(), attempts: (one.failed?.attempts ?? 0) + 1 }
          const trouble = troubleOf(error)
          const username = await gateway.username().catch(() => null)
          if (trouble === 'account') refusedAs = { why: error.sentence, username }
          Object.assign(one.evidence, {
            state: error.code === 'NOT_AUTHENTICATED' ? 'signedOut' : 'away',
            why: error.sentence,
            trouble,
            username
          })
        } else reportFault(error)
      })
      .finally(() => {
        if (one.running === work) one.running = undefined
      })
    one.running = work
  }

  return {
    /** Requests what is due, and waits at most this long. */
    async look(subject: GatewaySubject, mostMs: number): Promise<GatewayLook> {
      const one = knownOf(subject)
      begin(one, subject)
      if (one.running && mostMs > 0) await atMost(mostMs, one.running)
      const retry = one.failed && {
        failedSince: iso(one.failed.sinceMs),
        attempts: one.failed.attempts,
        nextAt: iso(Math.max(one.notBeforeMs, now()))
      }
      return { evidence: structuredClone(one.evidence), isWhole: one.running === undefined, retry }
    },
    /** The next request for these is sent in spite of kept answers. */
    askAgain(subject: GatewaySubject, parts: readonly GatewayPart[]): void {
      const one = knownOf(subject)
      for (const name of parts) one.askedMs.delete(name)
      if (parts.includes('events')) one.askedMs.delete('past')
      one.notBeforeMs = 0
    },
    /** A different gateway or user: earlier answers do not belong to it. */
    forget(): void {
      refusedAs = null
      known.clear()
    },
    /** A person has signed in again, with the same account: what it read stays. */
    signedIn(): void {
      refusedAs = null
      for (const one of known.values()) one.notBeforeMs = 0
    },
    stop(): void {
      ending.abort()
    }
  }
}
export type GatewayWitness = ReturnType<typeof createGatewayWitness>

/** Whose fault it is that the gateway could not be asked; null where nobody is signed in. */
function troubleOf({ code, sentence }: AppError): GatewayTrouble | null {
  switch (code) {
    case 'NOT_AUTHENTICATED':
      return sentence.id === 'gateway.nobodySignedIn' ? null : 'account'
    case 'NOT_FOUND':
      return 'notFound'
    case 'SERVER_ERROR':
      return 'failing'
    case 'UNREADABLE':
      return 'page'
    default:
      return 'silent'
  }
}

/** A time that is told by this difference stands still while the clocks do. */
function steady(before: number | null, now: number | null): number | null {
  return before !== null && now !== null && Math.abs(now - before) < steadyAheadS ? before : now
}

/** The device is in no visible vehicle: finding that out requires reading all of them. */
function isNowhere({ vehicle, elsewhere }: GatewayEvidence): boolean {
  return elsewhere === null ? vehicle?.value === null : elsewhere.value === null
}

function isOneNow(events: readonly SeenEvent[], nowMs: number): boolean {
  return events.some(({ arrivedAtMs, eventAtMs }) => nowMs - (arrivedAtMs ?? eventAtMs ?? 0) < reportsMs)
}

/** Newest arrival first, each once. */
function merge(events: readonly SeenEvent[]): SeenEvent[] {
  const names = new Set<string>()
  const once = events.filter(({ raw, eventAtMs, arrivedAtMs, label }) => {
    const { id } = (raw ?? {}) as { id?: unknown }
    const name =
      typeof id === 'number' || typeof id === 'string'
        ? String(id)
        : `${String(eventAtMs)} ${String(arrivedAtMs)} ${String(label)}`
    return !names.has(name) && names.add(name)
  })
  return once
    .sort((a, b) => (b.arrivedAtMs ?? b.eventAtMs ?? 0) - (a.arrivedAtMs ?? a.eventAtMs ?? 0))
    .slice(0, mostEvents)
}
