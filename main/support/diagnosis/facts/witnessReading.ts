import { isPlace } from '../../../../preload/base/maps/position.ts'
import type { Message } from '../../../../preload/contract/messages.ts'

export type WitnessReading<T> = { value: T; atMs: number | null; ageS: number | null } | { why: Message | null }

export function hasReading<T>(heard: WitnessReading<T>): heard is Extract<WitnessReading<T>, { value: T }> {
  return 'value' in heard
}

/** The same reading with another value; undefined without a value. */
export function mapReading<T, U>(
  heard: WitnessReading<T>,
  to: (value: T) => U | undefined,
  why: Message | null = null
): WitnessReading<U> {
  if (!hasReading(heard)) return heard
  const value = to(heard.value)
  return value === undefined ? { why } : { ...heard, value }
}

export function roundTo(value: number, digits: number): number {
  const times = 10 ** digits
  return Math.round(value * times) / times
}

/** A number within its possible range; undefined for everything else. */
export function numberWithin(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && value >= least && value <= most ? value : undefined
}

/** The same, rounded. */
export function roundWithin(value: unknown, [least, most]: [number, number], digits: number): number | undefined {
  const number = numberWithin(value, least, most)
  return number === undefined ? undefined : roundTo(number, digits)
}

/** 0, 0 is the position of a receiver that has never seen the sky. */
export function placeWithin(
  latitude: unknown,
  longitude: unknown
): { latitude: number; longitude: number } | undefined {
  const [north, east] = [numberWithin(latitude, -90, 90), numberWithin(longitude, -180, 180)]
  return north === undefined || east === undefined || !isPlace(north, east)
    ? undefined
    : { latitude: north, longitude: east }
}
