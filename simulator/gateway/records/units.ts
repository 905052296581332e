import { misuseCall, type Call } from '../call.ts'

export const unitQuery = ['distance', 'volume', 'time', 'speed', 'temperature'] as const

export type Dimension = 'distance' | 'volume' | 'time' | 'speed' | 'temperature'

export type Units = ReturnType<typeof readUnits>

const metresPer: Record<string, number> = { meter: 1, km: 1000, mile: 1609.344 }
const litresPer: Record<string, number> = { liter: 1, gallon: 3.785411784 }
const secondsPer: Record<string, number> = { second: 1, minute: 60, hour: 3600 }

/** The unit parameters of a request (conventions 6 and 7). */
export function readUnits(call: Call) {
  const preferred = (key: string): string => String(call.user.prefs[key])
  const pick = (name: string, allowed: string[], byDefault: string): string => {
    const text = call.query.get(name)
    if (text === null) return byDefault
    if (!allowed.includes(text)) throw misuseCall(call, `${name} is not one of ${allowed.join(', ')}`)
    return text
  }
  const resolve = (value: string, preference: string): string => (value === 'user' ? preferred(preference) : value)
  const distance = resolve(pick('distance', ['meter', 'km', 'mile', 'user'], 'meter'), 'distance')
  const volume = resolve(pick('volume', ['liter', 'gallon', 'user'], 'liter'), 'volume')
  const time = pick('time', ['second', 'minute', 'hour'], 'second')
  const temperature = pick('temperature', ['C', 'F'], 'C')
  const named = pick('speed', ['kph', 'mph', 'user'], '')
  const speed = named === 'user' ? (preferred('distance') === 'mile' ? 'mph' : 'kph') : named
  const metresPerSecond =
    speed === 'kph' ? 1 / 3.6 : speed === 'mph' ? 0.44704 : (metresPer[distance] ?? 1) / (secondsPer[time] ?? 1)
  return {
    /** As stated in the answer. */
    shown: { volume, distance, speed: speed === '' ? `${distance}/${time}` : speed, time },
    convert: (value: number, dimension: Dimension): number => {
      if (dimension === 'distance') return trim(value / (metresPer[distance] ?? 1))
      if (dimension === 'volume') return trim(value / (litresPer[volume] ?? 1))
      if (dimension === 'time') return trim(value / (secondsPer[time] ?? 1))
      if (dimension === 'speed') return trim(value / metresPerSecond)
      return temperature === 'F' ? trim(value * 1.8 + 32) : value
    }
  }
}

function trim(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
