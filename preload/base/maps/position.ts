import type { Position } from './distance.ts'

/** The position that a receiver without a fix reports. */
export function isZeroPlace(latitude: number, longitude: number): boolean {
  return Math.abs(latitude) < 0.0001 && Math.abs(longitude) < 0.0001
}

/** Whether two numbers are in the range of latitude and longitude. */
export function isInGlobe(latitude: number, longitude: number): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
}

/** Whether two numbers are a place on earth: in range, and not 0, 0. Scaled coordinates of old forms are none. */
export function isPlace(latitude: unknown, longitude: unknown): boolean {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return false
  return isInGlobe(latitude, longitude) && !isZeroPlace(latitude, longitude)
}

/**
 * The mode of a receiver (resources/forms.json, "fix.mode"): 0 and 1 are no fix, and so is a number that is no mode.
 */
export function isFix(fix: unknown): boolean {
  return fix === 2 || fix === 3
}

/** A position as a device reports it, of which any field may be missing. */
interface ReportedPosition {
  coords?: { latitude?: unknown; longitude?: unknown } | undefined
  extras?: { fix?: unknown } | undefined
}

/** Whether a device has a position now. Without a fix many receivers repeat the last coordinates. */
export function hasPosition(position: ReportedPosition | null | undefined): boolean {
  return isFix(position?.extras?.fix) && isPlace(position?.coords?.latitude, position?.coords?.longitude)
}

/** Degrees as people compare them: the fifth decimal is about a metre. A zero has no sign. */
export function degreesText(degrees: number): string {
  const text = degrees.toFixed(5)
  return Number(text) === 0 ? text.replace('-', '') : text
}

export function placeText({ latitude, longitude }: Position): string {
  return `${degreesText(latitude)}, ${degreesText(longitude)}`
}
