import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'

/** The accepted differences, and the ages up to which values count as current. Each name ends with the unit. */
export const toleranceIds = [
  'lastContactS',
  'positionM',
  'satellites',
  'hdop',
  'speedKmh',
  'headingDeg',
  'signalDb',
  'clockS',
  'gatewayAgeS',
  'lineAgeS',
  'momentS'
] as const
export const toleranceId = z.enum(toleranceIds)
export type ToleranceId = z.infer<typeof toleranceId>

/** Those of the profile in use, with what a person changed. */
export type Tolerances = Readonly<Record<ToleranceId, number>>

/** A person changes them within these limits: beyond them the table would be meaningless. */
export const toleranceLimits: Readonly<
  Record<ToleranceId, { least: number; most: number; unit: 's' | 'm' | 'km/h' | '°' | 'dB' | null }>
> = {
  lastContactS: { least: 10, most: 86_400, unit: 's' },
  positionM: { least: 5, most: 10_000, unit: 'm' },
  satellites: { least: 0, most: 30, unit: null },
  hdop: { least: 0, most: 20, unit: null },
  speedKmh: { least: 0, most: 100, unit: 'km/h' },
  headingDeg: { least: 0, most: 180, unit: '°' },
  signalDb: { least: 0, most: 60, unit: 'dB' },
  clockS: { least: 1, most: 3_600, unit: 's' },
  gatewayAgeS: { least: 10, most: 86_400, unit: 's' },
  lineAgeS: { least: 5, most: 86_400, unit: 's' },
  momentS: { least: 1, most: 3_600, unit: 's' }
}

const tolerance = z.object({
  id: toleranceId,
  value: z.number(),
  unit: z.enum(['s', 'm', 'km/h', '°', 'dB']).nullable(),
  standard: z.number(),
  least: z.number(),
  most: z.number()
})
const all = z.object({ tolerances: z.array(tolerance) })

export const tolerancesCalls = defineCalls({
  'diagnosis.tolerances': { input: nothing, output: all },
  /** INVALID_REQUEST beyond `least` and `most`. Null: back to the profile's. */
  'diagnosis.setTolerance': { input: z.strictObject({ id: toleranceId, value: z.number().nullable() }), output: all },
  'diagnosis.resetTolerances': { input: nothing, output: all }
})
