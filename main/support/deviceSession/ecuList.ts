import type { CheckedEcuRow, EcuEntry, EcuRow } from '../../../preload/contract/device/workspace.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { numberInFile } from '../../../preload/base/messages/numberInFile.ts'
import { readTypedNumber, writeTypedNumber } from '../../../preload/base/messages/typedNumber.ts'
import { ecuFields } from './ecuFile.ts'

/** A value that is right, or what is wrong with it, with the forms that it could mean. */
type Read = { value: string } | { problem: Message; choices?: string[] }

/** GROUP of the API document, then those that only the maker's lists contain. */
const groups = ['SIGNAL', 'PERCENT', 'EXTENDED_SIGNAL', 'NUMBER_VALUE', 'LOCATION_COMPONENT_1', 'TIRE_COMPONENT']
const largestPgn = 0x3ffff
const pgnDigits = 4

/**
 * The forms of each field. The API document names the fields and four groups, and says that trailing zeros of a PGN are
 * trimmed; the lists that the maker publishes for the device (github.com/dctdevelop/syrus4-ecu-parameters) give every
 * other form here, and keep the zeros. Where a form of other lists could mean two of these, a person is asked.
 */
const forms: Readonly<Record<keyof EcuRow, (text: string, row: EcuRow) => Read>> = {
  PARAM_NAME: (text) =>
    text === ''
      ? { problem: message('ecuList.nameMissing') }
      : /^[\x20-\x7e]+$/.test(text)
        ? { value: text }
        : { problem: message('ecuList.nameSigns') },
  PGN: (text, { CAN_ID }) => (text === '' && CAN_ID ? { value: '' } : readPgn(text)),
  TRANSMISSION_RATE: readRate,
  PRIORITY: (text, { CAN_ID }) =>
    /^[0-7]$/.test(text) || (text === '' && CAN_ID) ? { value: text } : { problem: message('ecuList.priorityForm') },
  DLC: (text) =>
    text.toUpperCase() === 'VARIABLE'
      ? { value: 'VARIABLE' }
      : isWhole(text, 0, 1_785)
        ? { value: text }
        : { problem: message('ecuList.dlcForm') },
  LENGTH: readLength,
  START_POSITION: (text) =>
    /^\d+(\.[1-8])?(-\d+(\.[1-8])?)?$/.test(text) ? { value: text } : { problem: message('ecuList.positionForm') },
  MULTIPLIER: (text) => readFactor(text, message('ecuList.numberForm')),
  GROUP: (text) => {
    const group = text.toUpperCase().replace(/[\s-]+/g, '_')
    return groups.includes(group)
      ? { value: group }
      : { problem: message('ecuList.groupForm', { names: groups.join(', ') }) }
  },
  OFFSET: (text) => (text === '' ? { value: '' } : readNumber(text, message('ecuList.offsetForm'))),
  CAN_ID: (text) =>
    text === '' || /^(?:0x)?[0-9a-f]{1,8}$/i.test(text)
      ? { value: text.replace(/^0x/i, '').toUpperCase() }
      : { problem: message('ecuList.canIdForm') },
  SOURCE_INTERFACE: (text) =>
    /^(PRIMARY|SECONDARY|)$/i.test(text) ? { value: text.toUpperCase() } : { problem: message('ecuList.sourceForm') },
  ACCESSORY_TYPE: (text) =>
    /^[A-Z0-9_-]*$/i.test(text) ? { value: text.toUpperCase() } : { problem: message('ecuList.accessoryForm') },
  REVERSED: (text) => (/^[01]?$/.test(text) ? { value: text } : { problem: message('ecuList.reversedForm') })
}
const undocumented = ['CAN_ID', 'SOURCE_INTERFACE', 'ACCESSORY_TYPE', 'REVERSED'] as const

/** Checks one row; `entry` is what may be sent, null while there is a problem. */
export function checkEcuRow(row: EcuRow): Pick<CheckedEcuRow, 'entry' | 'problems' | 'notes'> {
  const problems: CheckedEcuRow['problems'] = []
  const sent: Partial<Record<keyof EcuRow, string>> = {}
  for (const field of ecuFields) {
    const read = forms[field]((row[field] ?? '').trim().replace(/\s+/g, ' '), row)
    if ('problem' in read)
      problems.push({ field, text: read.problem, ...(read.choices ? { choices: read.choices } : {}) })
    else if (read.value !== '') sent[field] = read.value
  }
  const named = undocumented.filter((field) => sent[field] !== undefined)
  const notes = named.length > 0 ? [message('ecuList.notDocumented', { fields: named.join(', ') })] : []
  const { OFFSET, ...texts } = sent
  const entry =
    problems.length > 0 ? null : ({ ...texts, ...(OFFSET === undefined ? {} : { OFFSET: Number(OFFSET) }) } as EcuEntry)
  return { entry, problems, notes }
}

/**
 * Checks all rows. The same row twice is a problem of the second; the same name for another signal is not. `sentAt`:
 * when a name was sent before.
 */
export function checkEcuList(rows: readonly EcuRow[], sentAt: (name: string) => string | null): CheckedEcuRow[] {
  const seen = new Map<string, number>()
  return rows.map((row, index) => {
    const { entry, problems, notes } = checkEcuRow(row)
    const name = row.PARAM_NAME.trim()
    const all = JSON.stringify(entry)
    const before = entry === null ? undefined : seen.get(all)
    if (before !== undefined)
      problems.push({ field: 'PARAM_NAME', text: message('ecuList.sameRow', { row: before + 1 }) })
    else seen.set(all, index)
    const sent = name === '' ? null : sentAt(name)
    if (sent !== null) notes.push(message('ecuList.sentBefore'))
    return { row, entry: problems.length > 0 ? null : entry, problems, notes, sentAt: sent }
  })
}

/**
 * Four digits, as the maker writes them. With fewer, zeros were trimmed behind (as the API document says) or before.
 */
function readPgn(text: string): Read {
  const digits = /^(?:0x)?([0-9a-f]{1,5})$/i.exec(text)?.[1]?.toUpperCase()
  if (digits === undefined) return { problem: message('ecuList.pgnForm') }
  if (Number.parseInt(digits, 16) > largestPgn) return { problem: message('ecuList.pgnTooLarge') }
  if (digits.length >= pgnDigits) return { value: digits.replace(/^0(?=.{4}$)/, '') }
  const choices = [...new Set([digits.padEnd(pgnDigits, '0'), digits.padStart(pgnDigits, '0')])]
  const [one = '', other] = choices
  return other === undefined
    ? { value: one }
    : { problem: message('ecuList.pgnTrimmed', { pgn: digits, one, other }), choices }
}

function readRate(text: string): Read {
  if (/^on[\s_-]request$/i.test(text)) return { value: 'ON_REQUEST' }
  const rate = text.toUpperCase().replace(/\s+/g, '')
  if (rate === 'CONTINUOUS') return { value: rate }
  const [, amount = '', unit] = /^(\d+(?:\.\d+)?)(MS|S)?$/.exec(rate) ?? []
  if (amount === '' || Number(amount) <= 0) return { problem: message('ecuList.rateForm') }
  if (unit !== undefined) return { value: rate }
  return { problem: message('ecuList.rateUnit', { text }), choices: [`${amount}MS`, `${amount}S`] }
}

function readLength(text: string): Read {
  const [, digits = '', unit] = /^(\d+)[ _-]?(BITS?|BYTES?)?$/i.exec(text) ?? []
  if (!isWhole(digits, 1, 1_785 * 8)) return { problem: message('ecuList.lengthForm') }
  const written = (word: 'BIT' | 'BYTE'): string => `${digits}_${word}${digits === '1' ? '' : 'S'}`
  if (unit !== undefined) return { value: written(/^bit/i.test(unit) ? 'BIT' : 'BYTE') }
  return { problem: message('ecuList.lengthUnit', { text }), choices: [written('BYTE'), written('BIT')] }
}

function readFactor(text: string, problem: Message): Read {
  const read = readNumber(text, problem)
  return 'value' in read && Number(read.value) === 0 ? { problem: message('ecuList.zeroMultiplier') } : read
}

function readNumber(text: string, problem: Message): Read {
  // The maker's lists have a decimal point and at least one digit before it.
  if (/^-?0\.\d+$/.test(text)) return { value: text }
  const values = readTypedNumber(text)
  const [one, other] = values
  if (one === undefined) return { problem }
  return other === undefined
    ? { value: /^-?\d+(\.\d+)?$/.test(text) ? text : numberInFile(one) }
    : {
        problem: message('orders.twoNumbers', { text, one: numberInFile(one), other: numberInFile(other) }),
        choices: values.map(writeTypedNumber)
      }
}

function isWhole(text: string, least: number, most: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most
}
