import type { Json } from '../../../preload/contract/define.ts'

const units: Record<string, string> = {
  Ms: 'ms',
  S: 's',
  M: 'm',
  Dbm: 'dBm',
  Kmh: 'km/h',
  Mv: 'mV',
  V: 'V',
  Percent: '%'
}

/** `giveUpS: 90` as "give up" and "90 s": the unit at the end of a name is shown with its number. */
export function thresholdText(name: string, value: Json): { name: string; value: string } {
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const [, stem = name, suffix = ''] = /^(.*[a-z0-9])(Ms|Dbm|Kmh|Mv|Percent|S|M|V)$/.exec(name) ?? []
  const words = stem.replace(
    /([a-z0-9])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`
  )
  return {
    name: words,
    value: typeof value === 'number' && suffix ? `${shown.replace('-', '\u2212')} ${units[suffix] ?? ''}` : shown
  }
}
