import { isIP } from 'node:net'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import { gpsEpochLateS, rolledWeeksOf } from '../../base/reading/contradictions.ts'

export interface EpochReading {
  unixMs: number
  /** The epoch that the number is assumed to count from: the one that is closer to now. */
  assumed: 'unix' | 'gps'
  /** So far from now that it may count from either epoch: no difference is known. */
  isUnsure?: true
  /** It is off by a rollover of the GPS week number (negative: ahead): the receiver needs new software. */
  rolledWeeks?: number
}

const dayMs = 86_400_000
/** The two epochs are ten years apart: a clock that is further off than this may count from either. */
const sureWithinMs = 3 * 365 * dayMs
/** From this number on a time stamp counts milliseconds: seconds would be in the year 5138. */
const leastMilliseconds = 1e11

/**
 * The `timestamp` of `/gps/position` ("GPS epoch") as Unix milliseconds. It counts seconds or milliseconds, from the
 * epoch that brings it closest to `nowMs` or to a rollover of the week number before it. Forms: resources/forms.json,
 * "timestamp".
 */
export function correctGpsEpoch(timestamp: number, nowMs: number): EpochReading {
  const ms = timestamp >= leastMilliseconds ? timestamp : timestamp * 1000
  const read: EpochReading[] = [
    { unixMs: ms, assumed: 'unix' },
    { unixMs: ms + gpsEpochLateS * 1000, assumed: 'gps' }
  ]
  const apartMs = ({ unixMs }: EpochReading): number => Math.abs(unixMs - nowMs)
  for (const one of read.some((present) => apartMs(present) < dayMs) ? [] : read) {
    const rolledWeeks = rolledWeeksOf((nowMs - one.unixMs) / 1000)
    if (rolledWeeks !== null) return { ...one, rolledWeeks }
  }
  const nearest = read.reduce((best, one) => (apartMs(one) < apartMs(best) ? one : best))
  return apartMs(nearest) > sureWithinMs ? { ...nearest, isUnsure: true } : nearest
}

export interface SignalReading {
  dBm: number
  /** The assumed unit of the number: the document does not state it. */
  assumed: 'dBm' | 'csq'
}

/**
 * The modem's RSSI or a network's `signal`: negative down to -150 is dBm, 0..31 is CSQ (-113 + 2n dBm). Undefined for
 * anything else.
 */
export function readSignal(text: string | number | undefined): SignalReading | undefined {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*(?:,\s*\d+\s*)?(?:dbm)?\s*$/i.exec(String(text ?? ''))
  if (!match?.[1]) return undefined
  const value = Number(match[1])
  if (value < 0) return value >= -150 ? { dBm: value, assumed: 'dBm' } : undefined
  if (Number.isInteger(value) && value <= 31) return { dBm: -113 + 2 * value, assumed: 'csq' }
  return undefined
}

/**
 * 99 (GSM, LTE) and 199 (TD-SCDMA) of AT+CSQ: the modem does not know its signal, which is usual on LTE. Forms:
 * resources/forms.json, "RSSI".
 */
export function isSignalNotKnown(text: string | number | undefined): boolean {
  return /^\s*1?99\s*(?:,\s*\d+\s*)?$/.test(String(text ?? ''))
}

export type Registration = 'registered' | 'roaming' | 'searching' | 'denied' | 'notRegistered' | 'unknown'

/**
 * GSM_REG and GPRS_REG of the modem information as one result. Their values are not documented: the numbers of 3GPP TS
 * 27.007 (`1`, also `0,1`) and the usual words are understood, everything else is `unknown`, never a pass. One
 * registration is enough (on LTE the older one may stay idle), unless packet data is denied.
 */
export function readRegistration(gsmReg: string | undefined, gprsReg: string | undefined): Registration {
  const gsm = readOneRegistration(gsmReg)
  const gprs = readOneRegistration(gprsReg)
  if (isOnNetwork(gprs) || gprs === 'denied') return gprs
  if (isOnNetwork(gsm)) return gsm
  for (const weaker of ['searching', 'denied', 'notRegistered'] as const) {
    if (gsm === weaker || gprs === weaker) return weaker
  }
  return 'unknown'
}

/** In the home network or in another one. */
export function isOnNetwork(state: Registration): boolean {
  return state === 'registered' || state === 'roaming'
}

/** 3GPP TS 27.007, `+CREG`: 6 and 7 (only short messages), 4 and the rest prove nothing. */
const registrationNumbers: Readonly<Record<string, Registration>> = {
  '0': 'notRegistered',
  '1': 'registered',
  '2': 'searching',
  '3': 'denied',
  '5': 'roaming',
  '8': 'notRegistered'
}

function readOneRegistration(text: string | undefined): Registration {
  const bare = (text ?? '').trim().replace(/^\+C\w*REG:\s*/i, '')
  // `n,stat` or `stat` alone; a quoted second field is the location area after the state.
  const number = /^\d,\s*(\d{1,2})\b/.exec(bare)?.[1] ?? /^(\d{1,2})(?:$|,\s*")/.exec(bare)?.[1]
  if (number !== undefined) return registrationNumbers[number] ?? 'unknown'
  const words = ` ${bare
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()} `
  const isSearching = /( searching | search )/.test(words) && !/ not (currently )?search/.test(words)
  if (/ (denied|rejected|forbidden) /.test(words)) return 'denied'
  if (isSearching) return 'searching'
  if (/ (not registered|notregistered|unregistered|not attached|detached) /.test(words)) return 'notRegistered'
  if (/ (unknown|emergency|sms) /.test(words)) return 'unknown'
  if (/ not roaming /.test(words)) return 'registered'
  if (/ roaming /.test(words)) return 'roaming'
  return / registered /.test(words) ? 'registered' : 'unknown'
}

/** True for an IP address that a network can assign: not empty, not 0.0.0.0 or ::, not loopback or self-assigned. */
export function hasIp(text: string | undefined): boolean {
  return addressOf(text) !== undefined
}

/** The first address in a text that a network can assign. */
export function addressOf(text: string | undefined): string | undefined {
  return (text ?? '').split(/[,;\s]+/).find((part) => {
    const bare = part.replace(/^"|"$/g, '').split('/')[0] ?? ''
    return isIP(bare) !== 0 && !/^(0\.|127\.|169\.254\.|fe[89ab][0-9a-f]:|::1?$|[0:]+1?$)/i.test(bare)
  })
}

/**
 * Whether a host name (`<model>-<IMEI>`, also with `.local`) has this IMEI and model, in any case. A wrong check digit
 * never matches.
 */
export function sameHost(hostname: string | undefined, imei: string, model?: string): boolean {
  const name = parseDeviceName(hostname ?? '')
  return (
    name !== undefined &&
    name.imei === imei &&
    (model === undefined || name.model.toLowerCase() === model.toLowerCase())
  )
}

/** APNs are host names: letter case does not matter. */
export function sameApn(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
