import { z } from 'zod'
import { isoTime } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'
import { toleranceId } from './tolerances.ts'

/** What device and gateway are held against each other for, in the order of the table. */
export const factNames = [
  'lastContact',
  'position',
  'validFix',
  'satellites',
  'hdop',
  'speed',
  'heading',
  'ignition',
  'engine',
  'power',
  'in1',
  'in2',
  'in3',
  'in4',
  'in5',
  'in6',
  'in7',
  'out1',
  'out2',
  'out3',
  'out4',
  'so1',
  'so2',
  'so3',
  'so4',
  'signal',
  'operator',
  'sim',
  'address',
  'apn',
  'clock',
  'imei',
  'hostName',
  'vehicleDevice',
  'ecu',
  'distance',
  'os',
  'accelerometer'
] as const
export type FactName = (typeof factNames)[number]

/**
 * agree, differ: both say it now. stale: what one of them says is of another time, so it contradicts nothing. onlyDevice,
 * onlyGateway: the other could say it, and does not. notExposed: the other has no field for it; that is no failure.
 */
export const verdict = z.enum(['agree', 'stale', 'differ', 'onlyDevice', 'onlyGateway', 'notExposed'])
export type Verdict = z.infer<typeof verdict>

const place = z.object({ latitude: z.number(), longitude: z.number() })
export const factValue = z.union([z.number(), z.boolean(), z.string(), place])
export type FactValue = z.infer<typeof factValue>

/** The units of values: both witnesses of a fact are told in the same one, whatever they came in. */
export const factUnit = z.enum(['s', 'm', 'km/h', '°', 'dBm', 'dB'])
export type FactUnit = z.infer<typeof factUnit>

/** What one witness says. */
export const saidFact = z.object({
  value: factValue,
  unit: factUnit.nullable(),
  /** How old its word was when both were held against each other; null where it does not say. */
  ageS: z.number().nullable(),
  /** Of when its word is, on the clock of this computer; null where it does not say. */
  readAt: isoTime.nullable(),
  message: messageSchema
})
export type SaidFact = z.infer<typeof saidFact>

const amount = z.object({ value: z.number(), unit: factUnit.nullable() })

export const fact = z.object({
  fact: z.enum(factNames),
  device: saidFact.nullable(),
  gateway: saidFact.nullable(),
  verdict,
  /** How far apart both may be; `id` names it where a person changes it. Null where only the same is the same. */
  tolerance: amount.extend({ id: toleranceId }).nullable(),
  /** How far apart they are, in the unit of the tolerance. */
  apart: amount.nullable(),
  /** Why a value is not there; null where it is, or where nobody says why. */
  why: z.object({ device: messageSchema.nullable(), gateway: messageSchema.nullable() }),
  /** The verdict in words. */
  message: messageSchema
})
export type Fact = z.infer<typeof fact>
