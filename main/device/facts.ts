import { isIP } from 'node:net'
import { parseDeviceName } from '../../preload/contract/imei.ts'

/** 1980-01-06 as Unix seconds. */
const gpsEpochStartS = 315_964_800
/** GPS time runs ahead of UTC by the leap seconds since 1980; 18 since 2017, and none is announced. */
const leapSeconds = 18
/** The difference between Unix time and a time that counts from the GPS epoch. */
export const gpsEpochLateS = gpsEpochStartS - leapSeconds

export interface EpochReading {
  unixMs: number
  /** The epoch that the number is assumed to count from: the one that is closer to now. */
  assumed: 'unix' | 'gps'
}

/** The `timestamp` of `/gps/position` ("GPS epoch") as Unix milliseconds: of its two meanings the one closer to `nowMs`. */
export function correctGpsEpoch(timestampS: number, nowMs: number): EpochReading {
  const asUnixMs = timestampS * 1000
  const asGpsMs = (timestampS + gpsEpochLateS) * 1000
  const isGps = Math.abs(asGpsMs - nowMs) < Math.abs(asUnixMs - nowMs)
  return isGps ? { unixMs: asGpsMs, assumed: 'gps' } : { unixMs: asUnixMs, assumed: 'unix' }
}

export interface SignalReading {
  dBm: number
  /** The assumed unit of the number: the document does not state it. */
  assumed: 'dBm' | 'csq'
}

/** The modem's RSSI or a network's `signal`: negative down to -150 is dBm, 0..31 is CSQ (-113 + 2n dBm). Undefined for anything else. */
export function readSignal(text: string | number | undefined): SignalReading | undefined {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*(?:,\s*\d+\s*)?(?:dbm)?\s*$/i.exec(String(text ?? ''))
  if (!match?.[1]) return undefined
  const value = Number(match[1])
  if (value < 0) return value >= -150 ? { dBm: value, assumed: 'dBm' } : undefined
  if (Number.isInteger(value) && value <= 31) return { dBm: -113 + 2 * value, assumed: 'csq' }
  return undefined
}

export type Registration = 'registered' | 'roaming' | 'searching' | 'denied' | 'notRegistered' | 'unknown'

/**
 * GSM_REG and GPRS_REG of the modem information as one result. Their values are not documented: the numbers of 3GPP TS
 * 27.007 (`1`, also `0,1`) and the usual words are understood, everything else is `unknown`, never a pass. One registration
 * is enough (on LTE the older one may stay idle), unless packet data is denied.
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

function isOnNetwork(state: Registration): boolean {
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
  const bare = (text ?? '').trim().replace(/^"|"$/g, '').split('/')[0] ?? ''
  return isIP(bare) !== 0 && !/^(0\.|127\.|169\.254\.|fe[89ab][0-9a-f]:|::1?$|[0:]+1?$)/i.test(bare)
}

/** Whether a host name (`<model>-<IMEI>`, also with `.local`) has this IMEI and model, in any case. A wrong check digit never matches. */
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
