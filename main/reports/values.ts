import type { Json } from '../../preload/contract/define.ts'

export type UnitSystem = 'metric' | 'imperial'

const formats = new Map<string, Intl.DateTimeFormat>()

/** "19 Nov 2026, 08:12:04 UTC"; a text that is no time stays as it is. */
export function formatTime(iso: string, timeZone = 'UTC'): string {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return iso
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone, timeZoneName: 'short', hourCycle: 'h23',
      day: '2-digit', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit'
    })
    formats.set(timeZone, format)
  }
  return format.format(ms)
}

/** "0.4 s", "42 s", "1 min 34 s", "2 h 5 min"; a dash where it was not measured. */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return '–'
  if (durationMs < 10_000) return `${Math.round(durationMs / 100) / 10} s`
  const seconds = Math.round(durationMs / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return withRest(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  return withRest(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

function withRest(count: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${restUnit}`
}

/** Units by the last word of a threshold's name; with a factor where imperial readers expect another unit. */
const units = new Map<string, { unit: string; imperial?: { unit: string; factor: number } }>([
  ['Ms', { unit: 'ms' }],
  ['S', { unit: 's' }],
  ['Seconds', { unit: 's' }],
  ['Minutes', { unit: 'min' }],
  ['M', { unit: 'm', imperial: { unit: 'ft', factor: 3.28084 } }],
  ['Metres', { unit: 'm', imperial: { unit: 'ft', factor: 3.28084 } }],
  ['Meters', { unit: 'm', imperial: { unit: 'ft', factor: 3.28084 } }],
  ['Km', { unit: 'km', imperial: { unit: 'mi', factor: 0.621371 } }],
  ['Kmh', { unit: 'km/h', imperial: { unit: 'mph', factor: 0.621371 } }],
  ['Dbm', { unit: 'dBm' }],
  ['Mv', { unit: 'mV' }],
  ['V', { unit: 'V' }],
  ['Percent', { unit: '%' }]
])

/** Thresholds as a person reads them: `{distanceMaxM: 50}` is "distance max 50 m", or 164 ft in imperial units. */
export function formatThresholds(thresholds: Record<string, Json>, system: UnitSystem): string {
  return Object.entries(thresholds)
    .map(([name, value]) => formatThreshold(name, value, system))
    .join('; ')
}

function formatThreshold(name: string, value: Json, system: UnitSystem): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(' ')
  const known = typeof value === 'number' && words.length > 1 ? units.get(words.at(-1)!) : undefined
  const label = (known ? words.slice(0, -1) : words).join(' ').replace(/ [A-Z][a-z]/g, (start) => start.toLowerCase())
  if (!known) return `${label} ${typeof value === 'string' ? value : JSON.stringify(value)}`
  if (system === 'imperial' && known.imperial) {
    return `${label} ${toShort((value as number) * known.imperial.factor)} ${known.imperial.unit}`
  }
  return `${label} ${value as number} ${known.unit}`
}

/** Three significant digits, so that a converted limit does not look more exact than it is. */
function toShort(value: number): string {
  return String(Number(value.toPrecision(3)))
}
