import type {
  Fact,
  FactName,
  FactUnit,
  FactValue,
  SaidFact,
  Verdict
} from '../../../../preload/contract/support/facts.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { toleranceLimits, type ToleranceId, type Tolerances } from '../../../../preload/contract/support/tolerances.ts'
import { hasReading, roundTo, type WitnessReading } from './witnessReading.ts'

export interface Question<T> {
  fact: FactName
  unit: FactUnit | null
  /** notKept: the device has no such value. */
  device: WitnessReading<T> | 'notKept'
  /** notExposed: no documented field of the gateway contains it. */
  gateway: WitnessReading<T> | 'notExposed'
  say(value: T, who: 'device' | 'gateway'): Message
  /** The shown form; needed if the value is compared in another form. */
  tell?: (value: T, who: 'device' | 'gateway') => FactValue
  /** The difference, in the unit of the tolerance. Without it the values must be equal. */
  apart?: { most: ToleranceId; of(device: T, gateway: T): number }
  isSame?: (device: T, gateway: T) => boolean
  /** The age up to which a value is current; null if the value never changes automatically. */
  oldAfterS: number | null
  /** Only a newer gateway value contradicts, because the value changes fast. */
  contradictsForS?: number
  /** True when both can be right for their own times. */
  isOfAnotherTime?: (both: { device: DatedReading<T>; gateway: DatedReading<T>; apart: number | null }) => boolean
  /** The text when the gateway does not expose it. */
  notExposed?: Message
}
export type DatedReading<T> = { value: T; atMs: number | null; ageS: number | null }

/** Null when neither has a value. */
export function judgeFact<T>(question: Question<T>, tolerances: Tolerances): Fact | null {
  const device = question.device !== 'notKept' && hasReading(question.device) ? question.device : null
  const gateway = question.gateway !== 'notExposed' && hasReading(question.gateway) ? question.gateway : null
  if (device === null && gateway === null) return null
  const { apart: measure } = question
  const tolerance = measure
    ? { id: measure.most, value: tolerances[measure.most], unit: toleranceLimits[measure.most].unit }
    : null
  const apart = measure && device && gateway ? roundTo(measure.of(device.value, gateway.value), 2) : null
  const verdict =
    device && gateway
      ? weigh(question, { device, gateway, apart, most: tolerance?.value ?? null })
      : alone(question, device !== null)
  return {
    fact: question.fact,
    device: device && said(question, device, 'device'),
    gateway: gateway && said(question, gateway, 'gateway'),
    verdict,
    tolerance,
    apart: apart === null ? null : { value: apart, unit: tolerance?.unit ?? null },
    why: { device: whyOf(question.device), gateway: whyOf(question.gateway) },
    message: wordsOf(question, { verdict, device, gateway, apart, tolerance })
  }
}

interface Both<T> {
  device: DatedReading<T>
  gateway: DatedReading<T>
  apart: number | null
  most: number | null
}

function weigh<T>(question: Question<T>, both: Both<T>): Verdict {
  const { device, gateway, apart, most } = both
  const { oldAfterS, contradictsForS, isSame = Object.is, isOfAnotherTime } = question
  if (isOlder(gateway, oldAfterS) || isOlder(device, oldAfterS)) return 'stale'
  if (apart !== null && most !== null ? apart <= most : isSame(device.value, gateway.value)) return 'agree'
  // The time of the gateway's value is unknown: it may be from before.
  if (oldAfterS !== null && gateway.ageS === null) return 'stale'
  if (isOlder(gateway, contradictsForS ?? null)) return 'stale'
  return isOfAnotherTime?.(both) ? 'stale' : 'differ'
}

function isOlder({ ageS }: { ageS: number | null }, limitS: number | null): boolean {
  return limitS !== null && ageS !== null && ageS > limitS
}

function alone<T>({ gateway }: Question<T>, isDevice: boolean): Verdict {
  if (!isDevice) return 'onlyGateway'
  return gateway === 'notExposed' ? 'notExposed' : 'onlyDevice'
}

function said<T>(
  { unit, say, tell }: Question<T>,
  { value, atMs, ageS }: DatedReading<T>,
  who: 'device' | 'gateway'
): SaidFact {
  const readAt = atMs === null ? null : new Date(atMs).toISOString()
  return { value: tell ? tell(value, who) : (value as FactValue), unit, ageS, readAt, message: say(value, who) }
}

function whyOf<T>(heard: WitnessReading<T> | string): Message | null {
  return typeof heard === 'string' || hasReading(heard) ? null : heard.why
}

/** From two minutes on in whole minutes: nobody reads a number that grows every second. */
export function wholeAge(ageS: number): number {
  return ageS < 120 ? Math.round(ageS) : Math.round(ageS / 60) * 60
}

function wordsOf<T>(
  question: Question<T>,
  {
    verdict,
    device,
    gateway,
    apart,
    tolerance
  }: {
    verdict: Verdict
    device: DatedReading<T> | null
    gateway: DatedReading<T> | null
    apart: number | null
    tolerance: Fact['tolerance']
  }
): Message {
  switch (verdict) {
    case 'agree':
      return apart === null || tolerance === null
        ? message('facts.same')
        : message('facts.within', {
            apart: amountText(apart, tolerance.unit),
            most: amountText(tolerance.value, tolerance.unit)
          })
    case 'differ':
      return apart === null || tolerance === null
        ? message('facts.differ')
        : message('facts.beyond', {
            apart: amountText(apart, tolerance.unit),
            most: amountText(tolerance.value, tolerance.unit)
          })
    case 'stale': {
      const isDeviceOld = device !== null && gateway !== null && (device.ageS ?? 0) > (gateway.ageS ?? 0)
      const { ageS } = (isDeviceOld ? device : gateway) ?? { ageS: null }
      if (ageS === null) return message('facts.undated')
      return message(isDeviceOld ? 'facts.deviceOld' : 'facts.gatewayOld', { ageS: wholeAge(ageS) })
    }
    case 'notExposed':
      return question.notExposed ?? message('facts.notExposed')
    case 'onlyDevice':
      return message('facts.onlyDevice')
    case 'onlyGateway':
      return question.device === 'notKept' ? message('facts.notKept') : message('facts.onlyGateway')
  }
}

/** A number with the unit of its tolerance, printed in the reader's units. */
export function amountText(value: number, unit: FactUnit | null): Message {
  switch (unit) {
    case 's':
      return message('facts.amount.seconds', { forS: value })
    case 'm':
      return message('facts.amount.metres', { distanceM: value })
    case 'km/h':
      return message('facts.amount.speed', { speedKmh: value })
    case '°':
      return message('facts.amount.degrees', { n: value })
    case 'dB':
      return message('facts.amount.decibels', { n: value })
    case 'dBm':
      return message('facts.amount.signal', { signalDbm: value })
    case null:
      return message('facts.amount.number', { n: value })
  }
}
