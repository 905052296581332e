import { chainLinks, type ChainLink, type DiagnosisSubject } from '../../../preload/contract/support/diagnosis.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import {
  gatewayParts,
  type DeviceEvidence,
  type Evidence,
  type GatewayEvidence,
  type GatewayPart
} from '../../../preload/contract/support/evidence.ts'
import type { LiveOperation, LiveReading } from '../../../preload/contract/device/workspace.ts'
import { brokenAt, walkChain } from './chain.ts'
import { createDeviceWitness, deviceOperations, type DeviceDoor, type DeviceWitness } from './deviceWitness.ts'
import { unanswered, type GatewayLook, type GatewaySubject, type GatewayWitness } from './gatewayWitness.ts'
import type { DiagnosisLimits } from './limits.ts'
import { keepLatest } from './keepLatest.ts'
import { cardOf } from '../../device/client/radio/mobileNetwork.ts'
import { deviceNeedsTo, needs } from './needs.ts'

export interface GatheringParts {
  /** A device of the table, by its key; throws an AppError with the reason if it cannot be reached. */
  door(key: string): DeviceDoor
  /** The identity of that device, even while it cannot be reached; null when unknown. */
  imeiOf(key: string): string | null
  /** The key of this device if it is connected and someone is signed in to it. */
  nearby(imei: string): string | null
  gateway: GatewayWitness
  /** The account at the gateway: when it changes, earlier answers do not belong to it. Null: none. */
  gatewayName(): Promise<string | null>
  /** How often a person has signed in to the gateway. */
  signIns?(): number
  expected(imei: string): Evidence['expected']
  /** What the local copy knows of the rhythm of a device; null: nothing. */
  rhythm?(imei: string): Promise<Evidence['rhythm']>
  limits(): DiagnosisLimits
  reportFault(error: unknown): void
  now?: (() => number) | undefined
}

/** The subject: unknown parts of it are found out. */
export interface Sought {
  key: string | null
  vehicleId: number | null
  imei: string | null
}

export interface Gathered {
  evidence: Evidence
  deviceKey: string | null
  model: string | null
  isWhole: boolean
  retry?: GatewayLook['retry']
}

/** A slow witness does not delay the caller: its answer comes with the next look. */
const mostWaitMs = { device: 2_500, gateway: 1_500 }
/** For collecting everything: a device has its own limit of 5 s for each request, a gateway of 10 s. */
const wholeWaitMs = 25_000
/** The number of devices with kept readings; the least recently used one is dropped. */
const mostWitnesses = 16
/** Nobody waits for what only the table shows. */
const chainOperations = deviceNeedsTo('visible')
const noExpectation: Evidence['expected'] = { apn: null, simId: null, from: null }

/** Collects what device and gateway report about one vehicle now, each asked only as often as useful. */
export function createGathering(parts: GatheringParts) {
  const now = parts.now ?? (() => Date.now())
  const witnesses = new Map<string, DeviceWitness>()
  let site: string | null = null
  let signInsBefore = parts.signIns?.() ?? 0

  function witnessOf(key: string): DeviceWitness {
    return keepLatest(
      witnesses,
      key,
      witnesses.get(key) ?? createDeviceWitness(parts.reportFault, now),
      mostWitnesses,
      (dropped) => dropped.stop()
    )
  }

  /** If a device cannot even be asked, the reason is its reading. */
  function openDoor(key: string): DeviceDoor | DeviceEvidence {
    try {
      return parts.door(key)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return {
        state: error.code === 'WRONG_DEVICE' ? 'another' : 'away',
        why: error.sentence,
        host: '',
        readings: {},
        lately: null
      }
    }
  }

  async function hasGateway(): Promise<boolean> {
    const name = await parts.gatewayName()
    if (name !== site) parts.gateway.forget()
    site = name
    const signIns = parts.signIns?.() ?? 0
    if (signIns !== signInsBefore) parts.gateway.signedIn()
    signInsBefore = signIns
    return name !== null
  }

  async function collect(sought: Sought, patience: 'quick' | 'usual' | 'patient'): Promise<Gathered> {
    const isPatient = patience === 'patient'
    const waitMs = {
      quick: { device: 0, gateway: 0 },
      usual: mostWaitMs,
      patient: { device: wholeWaitMs, gateway: wholeWaitMs }
    }[patience]
    const isAsked = await hasGateway()
    let gateway: GatewayLook | null = null
    // Only the gateway knows the device of a vehicle; without a device and a vehicle there is nothing to ask.
    if (sought.key === null && sought.imei === null && isAsked)
      gateway = await parts.gateway.look({ vehicleId: sought.vehicleId, imei: null, simId: undefined }, waitMs.gateway)
    const known =
      sought.imei ??
      (sought.key === null ? null : parts.imeiOf(sought.key)) ??
      gateway?.evidence.vehicle?.value?.imei ??
      null
    const key = sought.key ?? (known === null ? null : parts.nearby(known))
    const opened = key === null ? null : openDoor(key)
    const door = opened !== null && 'read' in opened ? opened : null
    const witness = key !== null && door ? witnessOf(key) : null
    if (door) witness?.ask(door)

    const imeiNow = () => known ?? witness?.imei() ?? null
    const deviceNow = (): DeviceEvidence | null => witness?.evidence() ?? (opened as DeviceEvidence | null)
    const gatewaySubject = (): GatewaySubject => ({
      vehicleId: sought.vehicleId,
      imei: sought.key === null && sought.imei === null ? null : imeiNow(),
      simId: simOf(deviceNow())
    })
    const canAsk = () => isAsked && (sought.vehicleId !== null || imeiNow() !== null)
    const knownRhythm = known === null ? null : ((await parts.rhythm?.(known)) ?? null)
    const assemble = (): Evidence => ({
      at: new Date(now()).toISOString(),
      imei: imeiNow(),
      vehicleText: null,
      device: deviceNow(),
      gateway: gateway?.evidence ?? (isAsked ? unanswered : null),
      expected: imeiNow() === null ? noExpectation : parts.expected(imeiNow() ?? ''),
      ...(knownRhythm ? { rhythm: knownRhythm } : {})
    })
    // The request runs in the meantime; nobody waits for it yet.
    if (canAsk()) gateway = await parts.gateway.look(gatewaySubject(), 0)
    const untilMs = now() + waitMs.device
    const awaited = isPatient ? deviceOperations : chainOperations
    // Judging takes time as well: the remaining requests are checked at once, so that no wait becomes negative.
    for (let leftMs = waitMs.device; witness?.isWaitingFor(awaited) && leftMs > 0; leftMs = untilMs - now()) {
      if (!isPatient && isDecided(assemble(), witness))
        return {
          evidence: assemble(),
          deviceKey: key,
          model: door?.model ?? null,
          isWhole: false,
          retry: gateway?.retry ?? null
        }
      await witness.next(leftMs)
    }
    if (canAsk())
      gateway = await parts.gateway.look(
        gatewaySubject(),
        !isPatient && isDecided(assemble(), witness) ? 0 : waitMs.gateway
      )
    const isWhole = !(witness?.isWaitingFor(deviceOperations) ?? false) && (gateway?.isWhole ?? true)
    return { evidence: assemble(), deviceKey: key, model: door?.model ?? null, isWhole, retry: gateway?.retry ?? null }
  }

  /** The first broken link is before the gateway, and no open request can change it. */
  function isDecided(evidence: Evidence, witness: DeviceWitness | null): boolean {
    const link = brokenAt(walkChain(evidence, parts.limits()))
    if (link === null || chainLinks.indexOf(link) >= chainLinks.indexOf('gatewayEvent')) return false
    return !(witness?.isWaitingFor(deviceNeedsTo(link)) ?? false)
  }

  function askGatewayAgain(
    { vehicleId, imei, key }: Sought,
    known: string | null,
    again: readonly GatewayPart[]
  ): void {
    parts.gateway.askAgain({ vehicleId, imei: key === null && imei === null ? null : known, simId: undefined }, again)
  }

  return {
    /** The evidence so far, after a short wait. */
    look: (sought: Sought): Promise<Gathered> => collect(sought, 'usual'),
    /** What is known already: requests are sent, but nobody waits for them. */
    quick: (sought: Sought): Promise<Gathered> => collect(sought, 'quick'),
    whole: (sought: Sought): Promise<Gathered> => collect(sought, 'patient'),
    /** The data of this link, read afresh; null: everything. */
    async again(sought: Sought, link: ChainLink | null): Promise<Gathered> {
      const before = await collect(sought, 'usual')
      if (before.deviceKey !== null)
        witnesses.get(before.deviceKey)?.forget(link === null ? deviceOperations : needs[link].device)
      askGatewayAgain(sought, before.evidence.imei, link === null ? gatewayParts : needs[link].gateway)
      return collect(sought, 'patient')
    },
    /** Someone opens it: the gateway is asked afresh. */
    async open(sought: Sought): Promise<Gathered> {
      const { key } = sought
      askGatewayAgain(
        sought,
        sought.imei ?? (key === null ? null : (parts.imeiOf(key) ?? witnesses.get(key)?.imei() ?? null)),
        gatewayParts
      )
      return collect(sought, 'usual')
    },
    /** What the gateway alone reports; null without one. Waits at most this long. */
    async gateway(subject: GatewaySubject, mostMs: number): Promise<GatewayEvidence | null> {
      return (await hasGateway()) ? (await parts.gateway.look(subject, mostMs)).evidence : null
    },
    /** A reading that a screen has just made counts here as well. */
    addReadings(key: string, readings: Partial<Record<LiveOperation, LiveReading>>): void {
      witnesses.get(key)?.addReadings(readings)
    },
    stop(): void {
      for (const witness of witnesses.values()) witness.stop()
      parts.gateway.stop()
    }
  }
}

export function soughtOf(subject: DiagnosisSubject): Sought {
  return {
    key: 'key' in subject ? subject.key : null,
    vehicleId: 'vehicleId' in subject ? (subject.vehicleId ?? null) : null,
    imei: 'imei' in subject ? subject.imei : null
  }
}

function simOf(device: DeviceEvidence | null): string | undefined {
  const reading = device?.readings['modem.information']
  if (!reading || reading.failure !== null || reading.value === null) return undefined
  const { id } = cardOf(reading.value as Parameters<typeof cardOf>[0])
  return id !== undefined && /^\d{18,22}$/.test(id) ? id : undefined
}
