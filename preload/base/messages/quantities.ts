import { localeOf, type Language, type ReaderSettings } from './settings.ts'

const formats = new Map<string, Intl.NumberFormat>()

/**
 * A number in the language's digits, without grouping: many numbers are ids, ports or counts that a person compares.
 */
export function formatNumber(value: number, language: Language, mostDigits = 3, leastDigits = 0): string {
  const key = `${language} ${mostDigits} ${leastDigits}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(localeOf(language), {
      useGrouping: false,
      maximumFractionDigits: mostDigits,
      minimumFractionDigits: leastDigits,
      // A value that is printed as 0 has no sign.
      signDisplay: 'negative'
    })
    formats.set(key, format)
  }
  // ICU of English writes a hyphen.
  return format.format(value).replace('-', '\u2212')
}

type Print = (value: number, settings: ReaderSettings) => string

export const metresPerFoot = 0.3048
export const kmPerMile = 1.609344
const barPerPsi = 0.0689475729

/** The units at the end of value names, and how such values are printed. */
const units = {
  Ms: signedOnce((ms, settings) => (ms < 1000 ? amount(ms, 0, 'ms', settings) : printSeconds(ms / 1000, settings))),
  S: signedOnce(printSeconds),
  Min: signedOnce((minutes, settings) => printSeconds(minutes * 60, settings)),
  M: (metres, settings) => {
    if (settings.units === 'imperial') {
      const feet = metres / metresPerFoot
      return Math.abs(feet) < 2640 ? amount(feet, 0, 'ft', settings) : printKm(metres / 1000, settings)
    }
    return Math.abs(metres) < 1000
      ? amount(metres, Math.abs(metres) < 10 ? 1 : 0, 'm', settings)
      : printKm(metres / 1000, settings)
  },
  Km: printKm,
  Kmh: printKmh,
  Mps: (mps, settings) => printKmh(mps * 3.6, settings),
  Mv: (mv, settings) => `${formatNumber(mv / 1000, settings.language, 2, 2)} V`,
  V: (volts, settings) => amount(volts, 2, 'V', settings),
  Dbm: (dbm, settings) => amount(dbm, 1, 'dBm', settings),
  Percent: (percent, settings) => amount(percent, 1, '%', settings),
  Bytes: printBytes,
  DegC: (degC, settings) =>
    settings.units === 'imperial' ? amount(degC * 1.8 + 32, 1, '°F', settings) : amount(degC, 1, '°C', settings),
  Psi: (psi, settings) =>
    settings.units === 'imperial' ? amount(psi, 0, 'psi', settings) : amount(psi * barPerPsi, 1, 'bar', settings),
  MilliG: (milliG, settings) => amount(milliG / 1000, 3, 'g', settings),
  Hz: (hz, settings) => (Math.abs(hz) < 1000 ? amount(hz, 1, 'Hz', settings) : amount(hz / 1000, 1, 'kHz', settings))
} satisfies Record<string, Print>

export type Unit = keyof typeof units
/** No unit may be the end of another one. */
const unitNames = Object.keys(units) as Unit[]

export function formatQuantity(unit: Unit, value: number, settings: ReaderSettings): string {
  return units[unit](value, settings)
}

/** The unit at the end of a value's name: `forS` has `S`, `speedKmh` has `Kmh`, `lines` has none. */
export function unitOf(name: string): Unit | undefined {
  // The log of earlier jobs has this name.
  if (name === 'psi') return 'Psi'
  return unitNames.find((unit) => name.endsWith(unit) && /[a-z0-9]$/.test(name.slice(0, -unit.length)))
}

function amount(value: number, mostDigits: number, unit: string, { language }: ReaderSettings): string {
  return `${formatNumber(value, language, mostDigits)} ${unit}`
}

function printKm(km: number, settings: ReaderSettings): string {
  return settings.units === 'imperial' ? amount(km / kmPerMile, 1, 'mi', settings) : amount(km, 1, 'km', settings)
}

function printKmh(kmh: number, settings: ReaderSettings): string {
  return settings.units === 'imperial' ? amount(kmh / kmPerMile, 1, 'mph', settings) : amount(kmh, 1, 'km/h', settings)
}

/** A quantity of several parts has one sign, before all of them; a value that is printed as 0 has none. */
function signedOnce(print: Print): Print {
  return (value, settings) => {
    const text = print(Math.abs(value), settings)
    return value < 0 && /[1-9]/.test(text) ? `\u2212${text}` : text
  }
}

function printSeconds(seconds: number, settings: ReaderSettings): string {
  const whole = Math.round(seconds)
  if (seconds < 10) return amount(seconds, 1, 's', settings)
  if (whole < 120) return amount(whole, 0, 's', settings)
  if (whole < 3600) return twoParts(Math.floor(whole / 60), 'min', whole % 60, 's')
  const minutes = Math.round(whole / 60)
  if (minutes < 48 * 60) return twoParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  return new Intl.NumberFormat(localeOf(settings.language), { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(
    Math.round(minutes / 60 / 24)
  )
}

function twoParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

function printBytes(bytes: number, settings: ReaderSettings): string {
  if (bytes < 1000) return amount(bytes, 0, 'B', settings)
  if (bytes < 1e6) return amount(bytes / 1e3, 1, 'kB', settings)
  return bytes < 1e9 ? amount(bytes / 1e6, 1, 'MB', settings) : amount(bytes / 1e9, 1, 'GB', settings)
}
