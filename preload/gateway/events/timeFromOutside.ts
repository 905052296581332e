const form =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ](\d\d?):(\d\d?)(?::(\d\d?)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

/**
 * Epoch ms of a time in an answer: seconds, milliseconds, or a text with T or a space, with or without leading zeros; a
 * leap second is the first second after it. A text without a zone is UTC ("Conventions"
 * 4), whatever the zone of this computer is. Undefined for anything else. Forms: resources/forms.json, "time".
 */
export function timeFromOutside(value: unknown): number | undefined {
  if (typeof value === 'number') return ofNumber(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return /^\d{9,13}(\.\d+)?$/.test(text) ? ofNumber(Number(text)) : ofText(text)
}

function ofNumber(value: number): number | undefined {
  if (value > 1e8 && value < 1e11) return Math.round(value * 1000)
  return value >= 1e11 && value < 1e14 ? value : undefined
}

function ofText(text: string): number | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0))
  const ms = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const start = new Date(Date.UTC(year, month - 1, day))
  // A day or an hour that does not exist would become the next one.
  const isReal =
    start.getUTCMonth() === month - 1 && start.getUTCDate() === day && hour < 24 && minute < 60 && second < 61
  return isReal ? Date.UTC(year, month - 1, day, hour, minute, second, ms) - zoneMs(match[8] ?? 'Z') : undefined
}

function zoneMs(zone: string): number {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)) * 60_000
}
