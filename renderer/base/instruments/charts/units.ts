import { formatNumber, kmPerMile, metresPerFoot, type Unit } from '../../../../preload/base/messages/quantities.ts'
import type { ReaderSettings } from '../../../../preload/base/messages/settings.ts'

/** The unit of a chart: one that a value's name may end in, a count, or a number without a unit. */
export type ChartUnit =
  Extract<Unit, 'Dbm' | 'Mv' | 'Kmh' | 'Percent' | 'Bytes' | 'S' | 'Ms' | 'M'> | 'count' | 'number'

export interface ShownUnit {
  symbol: string
  /** Converts the unit of the reading to the displayed one. */
  factor: number
  digits: number
}

/** The person's display of a unit, used by the axis, the readout and the files. */
export function shownUnit(unit: ChartUnit, { units }: ReaderSettings): ShownUnit {
  const isImperial = units === 'imperial'
  switch (unit) {
    case 'Mv':
      return { symbol: 'V', factor: 1 / 1000, digits: 2 }
    case 'Kmh':
      return isImperial ? { symbol: 'mph', factor: 1 / kmPerMile, digits: 1 } : { symbol: 'km/h', factor: 1, digits: 1 }
    case 'M':
      return isImperial ? { symbol: 'ft', factor: 1 / metresPerFoot, digits: 0 } : { symbol: 'm', factor: 1, digits: 1 }
    case 'Bytes':
      return { symbol: 'MB', factor: 1e-6, digits: 1 }
    case 'Percent':
      return { symbol: '%', factor: 1, digits: 1 }
    case 'Dbm':
      return { symbol: 'dBm', factor: 1, digits: 1 }
    case 'S':
      return { symbol: 's', factor: 1, digits: 1 }
    case 'Ms':
      return { symbol: 'ms', factor: 1, digits: 0 }
    case 'count':
      return { symbol: '', factor: 1, digits: 0 }
    case 'number':
      return { symbol: '', factor: 1, digits: 2 }
  }
}

/** A displayed number with its unit. */
export function formatShown(value: number, { symbol, digits }: ShownUnit, { language }: ReaderSettings): string {
  return `${formatNumber(value, language, digits)} ${symbol}`.trimEnd()
}
