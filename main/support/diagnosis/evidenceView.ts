import type {
  GpsPosition,
  IoState,
  ModemConfiguration,
  ModemInformation,
  Sparse,
  SystemInfo
} from '../../../preload/contract/device/deviceAreas.ts'
import type { Evidence, GatewayEvidence, SeenEvent } from '../../../preload/contract/support/evidence.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { LiveOperation } from '../../../preload/contract/device/workspace.ts'
import { lastReportOf, rhythmOfEvents } from '../../base/reading/rhythmOfEvents.ts'
import { mergeRhythms, reportingAt, type Reporting } from '../../../preload/gateway/reporting.ts'
import { withoutQuote } from '../../../preload/base/messages/withoutQuote.ts'
import { lastReportMs } from '../../gateway/client/vehicles/deviceState.ts'
import { problemOf } from '../../base/reading/fields.ts'
import { ownEvents } from './events.ts'
import type { DiagnosisLimits } from './limits.ts'

/** A value from one of the device's readings; `why` is the reason when there is none. */
export type ReadingOfDevice<T> =
  | { value: Sparse<T>; readAt: string; problems: readonly Message[]; why: null }
  | { value: null; readAt: string | null; why: Message | null }

/** A clock further ahead than this is wrong: its dates do not show how fresh anything is. */
const aheadS = 60
/** The record is read a moment after the events: a difference this small means the same report. */
const recordAheadS = 30

export interface EvidenceView {
  evidence: Evidence
  limits: DiagnosisLimits
  nowMs: number
  gatewayNowMs: number
  io: ReadingOfDevice<IoState>
  modem: ReadingOfDevice<ModemInformation>
  configuration: ReadingOfDevice<ModemConfiguration>
  position: ReadingOfDevice<GpsPosition>
  system: ReadingOfDevice<SystemInfo>
  /** The uptime of the device in seconds; null when not reported. */
  upS: number | null
  gateway: GatewayEvidence | null
  /** Events of this device, newest arrival first. */
  events: SeenEvent[]
  heard: LastReport | null
  /** By the rule of the lists, and by the gateway alone. */
  reporting: Reporting
  /** An event of this device has just arrived: everything before the gateway works. */
  isHeardNow: boolean
}

export interface LastReport {
  ageS: number
  /** By our clock. */
  atMs: number
  event: SeenEvent | null
  readAt: string
}

export function viewEvidence(evidence: Evidence, limits: DiagnosisLimits): EvidenceView {
  const nowMs = Date.parse(evidence.at)
  const gateway = evidence.gateway && { ...evidence.gateway, refused: inOwnWords(evidence.gateway.refused) }
  const gatewayNowMs = nowMs + (gateway?.aheadS ?? 0) * 1000
  const system = told<SystemInfo>(evidence, 'system.info')
  const sight: EvidenceView = {
    evidence,
    limits,
    nowMs,
    gatewayNowMs,
    io: told(evidence, 'io.all'),
    modem: told(evidence, 'modem.information'),
    configuration: told(evidence, 'modem.configuration'),
    position: told(evidence, 'gps.position'),
    system,
    upS: system.value?.uptime ?? null,
    gateway,
    events: ownEvents(evidence),
    heard: null,
    reporting: reportingAt(nothingKnown, 0),
    isHeardNow: false
  }
  const heard = findLastReport(sight)
  return {
    ...sight,
    heard,
    reporting: findReporting({ ...sight, heard }),
    isHeardNow: heard !== null && heard.ageS <= limits.reportsS
  }
}

const nothingKnown = { hasDevice: true, isRead: false, lastReportedAt: null, isDriving: null, rhythm: null }

/** The rhythm by the events, or by what the local copy knows of it. */
function findReporting({ evidence, gateway, events, heard, nowMs }: EvidenceView): Reporting {
  const vehicle = gateway?.vehicle?.value
  return reportingAt(
    {
      hasDevice: evidence.imei !== null || vehicle?.imei !== null,
      isRead: heard !== null || Boolean(gateway?.record ?? gateway?.events),
      lastReportedAt: heard && new Date(heard.atMs).toISOString(),
      isDriving: gateway?.lines?.value?.values['io_ign'] ?? lastReportOf(events)?.isDriving ?? null,
      rhythm: mergeRhythms(rhythmOfEvents(events), evidence.rhythm ?? null)
    },
    // A vehicle is not silent because nobody asks any more.
    heard === null ? nowMs : Math.min(nowMs, Date.parse(heard.readAt))
  )
}

/** A refusal in Fitter's words; the gateway's own are in the raw answers. */
function inOwnWords(refused: GatewayEvidence['refused']): GatewayEvidence['refused'] {
  return Object.fromEntries(
    Object.entries(refused).map(([part, { status, why }]) => [part, { status, why: withoutQuote(why) ?? why }])
  )
}

function told<T>({ device }: Evidence, operation: LiveOperation): ReadingOfDevice<T> {
  if (device === null) return { value: null, readAt: null, why: null }
  if (device.state === 'another') return { value: null, readAt: null, why: device.why }
  const reading = device.readings[operation]
  if (!reading) return { value: null, readAt: null, why: device.why }
  if (reading.failure !== null) return { value: null, readAt: reading.readAt, why: reading.failure.message }
  return { value: (reading.value ?? {}) as Sparse<T>, readAt: reading.readAt, problems: reading.problems, why: null }
}

/** Seconds since the device started, while it may still be searching for a network; null after that. */
export function startedSOf({ upS, limits }: Pick<EvidenceView, 'upS' | 'limits'>): number | null {
  return upS !== null && upS < limits.networkWithinS ? Math.round(upS) : null
}

export function whyMissing(told: ReadingOfDevice<unknown>, field: string): Message {
  if (told.value === null) return told.why ?? message('chain.notAsked')
  return problemOf(told.problems, field) ?? message('jobs.missingInAnswer', { path: field })
}

/** Seconds since an event arrived, by the gateway's clock; null when unknown, or when a clock is ahead. */
export function ageOf(
  { arrivedAtMs, eventAtMs }: SeenEvent,
  { gatewayNowMs }: Pick<EvidenceView, 'gatewayNowMs'>
): number | null {
  const atMs = arrivedAtMs ?? eventAtMs
  if (atMs === null) return null
  const ageS = (gatewayNowMs - atMs) / 1000
  return ageS < -aheadS ? null : Math.max(0, ageS)
}

/** The gateway's last data from this device, from any source: an event, the device record, or its lines. */
export function findLastReport(
  sight: Pick<EvidenceView, 'evidence' | 'gateway' | 'nowMs' | 'gatewayNowMs' | 'events'>
): LastReport | null {
  const { gateway, nowMs, gatewayNowMs } = sight
  const seen = sight.events.flatMap((event) => {
    const ageS = ageOf(event, sight)
    return ageS === null
      ? []
      : [{ ageS, atMs: nowMs - ageS * 1000, event, readAt: gateway?.events?.readAt ?? sight.evidence.at }]
  })
  const [newest] = seen.sort((a, b) => a.ageS - b.ageS)
  // Record and lines exist even while the device is in no vehicle and its events are not stored.
  const others = [
    { atMs: lastReportMs(gateway?.record?.value?.raw), readAt: gateway?.record?.readAt },
    { atMs: gateway?.lines?.value?.atMs ?? null, readAt: gateway?.lines?.readAt }
  ].flatMap(({ atMs, readAt }) => {
    const ageS = atMs === null ? null : (gatewayNowMs - atMs) / 1000
    return ageS === null || ageS < -aheadS
      ? []
      : [
          {
            ageS: Math.max(0, ageS),
            atMs: nowMs - Math.max(0, ageS) * 1000,
            event: null,
            readAt: readAt ?? sight.evidence.at
          }
        ]
  })
  const [other] = others.sort((a, b) => a.ageS - b.ageS)
  return other === undefined || (newest && newest.ageS <= other.ageS + recordAheadS) ? (newest ?? null) : other
}

/** Why the gateway reports nothing; undefined while it answers. */
export function whyNoGateway(gateway: GatewayEvidence | null): Message | undefined {
  if (gateway === null) return message('chain.gatewayNotAsked')
  if (gateway.state === 'asking') return gateway.why ?? message('chain.gatewayAsking')
  if (gateway.state === 'away') return message('chain.gatewayAway', { why: gateway.why ?? message('gateway.away') })
  if (gateway.state === 'signedOut') return message('chain.gatewaySignedOut')
  return undefined
}
