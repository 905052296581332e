import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'

/** IEEE 802.11: a network name has up to 32 bytes. */
const longestName = 32
/**
 * The device puts names and passwords in double quotes on a command line: these marks end the quotes, or change the
 * text.
 */
const quoteMarks = /["$`\\]/
/** Of a name that the device itself shows; a backslash before any other mark stays as it is. */
const endsQuotes = /["$`]|\\(?=\\|$)/
const controlMarks = /\p{Cc}/u

/** Why a network of this name cannot be joined or made. Null when it can. */
function whyNotName(name: string): Message | null {
  if (name === '') return message('wifiText.nameEmpty')
  if (controlMarks.test(name)) return message('wifiText.nameControl')
  const bytes = Buffer.byteLength(name, 'utf8')
  if (bytes > longestName) return message('wifiText.nameLong', { bytes, most: longestName })
  return quoteMarks.test(name) ? message('wifiText.nameMarks') : null
}

/** WPA: 8 to 63 characters, or a key of 64 hexadecimal digits. */
function whyNotPassword(password: string): Message | null {
  if (controlMarks.test(password) || quoteMarks.test(password)) return message('wifiText.passwordMarks')
  const n = Buffer.byteLength(password, 'utf8')
  return (n >= 8 && n <= 63) || /^[0-9a-f]{64}$/i.test(password) ? null : message('wifiText.passwordLength', { n })
}

function refuseWith(why: Message | null): void {
  if (why) throw new AppError('INVALID_REQUEST', why, { fate: 'notSent' })
}

/** Throws INVALID_REQUEST for a network that cannot be. An empty password, or none, is an open network. */
export function assertNetwork({ ssid, password = '' }: { ssid: string; password?: string | undefined }): void {
  refuseWith(whyNotName(ssid))
  if (password !== '') refuseWith(whyNotPassword(password))
}

/** The same for the device's own hotspot, which always has a password. */
export function assertHotspot({ name, password }: { name: string; password: string }): void {
  refuseWith(whyNotName(name))
  refuseWith(whyNotPassword(password))
}

/** A saved network is removed under the name that the device shows, whatever that is. */
export function assertRemovable({ ssid }: { ssid: string }): void {
  refuseWith(endsQuotes.test(ssid) || controlMarks.test(ssid) ? message('wifiText.nameMarks') : null)
}
