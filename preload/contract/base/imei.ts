/**
 * `placeholder`: digits that devices use until their modem has told its number. Many devices share them, and they can
 * pass the check digit.
 */
export type ImeiFault = 'length' | 'checkDigit' | 'placeholder'

const countedUp = '12345678901234567890123'
const countedDown = '98765432109876543210987'

/** Why a text is not the IMEI of one device; undefined for 15 digits whose last one is the Luhn check digit. */
export function imeiFault(text: string): ImeiFault | undefined {
  if (!/^\d{15}$/.test(text)) return 'length'
  const body = text.slice(0, 14)
  // No manufacturer has the type code of zeros.
  if (
    /^(\d)\1{13}$/.test(body) ||
    body.startsWith('00000000') ||
    countedUp.includes(body) ||
    countedDown.includes(body)
  )
    return 'placeholder'
  let sum = 0
  for (let i = 0; i < 15; i++) {
    const digit = Number(text[i])
    const weighted = i % 2 === 1 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0 ? undefined : 'checkDigit'
}

/** True for an IMEI that can be of one device alone. */
export function isValidImei(text: string): boolean {
  return imeiFault(text) === undefined
}

export interface DeviceName {
  model: string
  imei: string
}

/**
 * Splits `<model>-<IMEI>`, in any case, with or without `.local`. Undefined for any other name or an IMEI with a fault.
 */
export function parseDeviceName(hostName: string): DeviceName | undefined {
  const name = splitName(hostName)
  return name && isValidImei(name.imei) ? name : undefined
}

/**
 * The same where the name has a number at its end (`ft4-<IMEI>-2`): a responder that found its name in use added it
 * (RFC 6762 section 9), because of a second host or of its own earlier announcement.
 */
export function readAnnouncedName(hostName: string): (DeviceName & { isRenamed: boolean }) | undefined {
  const device = parseDeviceName(hostName)
  if (device) return { ...device, isRenamed: false }
  const first = firstName(hostName)
  const original = first === bareName(hostName) ? undefined : parseDeviceName(first)
  return original && { ...original, isRenamed: true }
}

/** The digits of a device name that are a placeholder, also with a number at the end; undefined for any other name. */
export function placeholderIn(hostName: string): string | undefined {
  const digits = (splitName(hostName) ?? splitName(firstName(hostName)))?.imei
  return digits !== undefined && imeiFault(digits) === 'placeholder' ? digits : undefined
}

/** The 15 digits by which a text names a device, right or wrong: alone, or in its host name, also with a port. */
export function namedDigits(text: string): string | undefined {
  const name = firstName(text.trim().replace(/:\d+$/, ''))
  return splitName(name)?.imei ?? (/^\d{15}$/.test(name) ? name : undefined)
}

function splitName(hostName: string): DeviceName | undefined {
  const match = /^([a-z0-9][a-z0-9-]*)-(\d{15})$/i.exec(bareName(hostName))
  return match?.[1] && match[2] ? { model: match[1], imei: match[2] } : undefined
}

function firstName(hostName: string): string {
  return bareName(hostName).replace(/(-\d{15})-\d{1,3}$/, '$1')
}

function bareName(hostName: string): string {
  return hostName.replace(/\.$/, '').replace(/\.local$/i, '')
}
