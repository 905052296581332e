import { z } from 'zod'
import { isoTime } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { toleranceId } from './tolerances.ts'

/** The facts that are compared between device and gateway, in the order of the table. */
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
 * stale: one value is too old to contradict. onlyDevice, onlyGateway: the other could report it. notExposed: the other
 * has no field.
 */
export const verdict = z.enum(['agree', 'stale', 'differ', 'onlyDevice', 'onlyGateway', 'notExposed'])
export type Verdict = z.infer<typeof verdict>

const place = z.object({ latitude: z.number(), longitude: z.number() })
export const factValue = z.union([z.number(), z.boolean(), z.string(), place])
export type FactValue = z.infer<typeof factValue>

/** The units of values: both witnesses of a fact use the same one. */
export const factUnit = z.enum(['s', 'm', 'km/h', '°', 'dBm', 'dB'])
export type FactUnit = z.infer<typeof factUnit>

export const saidFact = z.object({
  value: factValue,
  unit: factUnit.nullable(),
  /** The age of the value at the comparison; null when unknown. */
  ageS: z.number().nullable(),
  /** The time of the value on the clock of this computer; null when unknown. */
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
  /** The largest accepted difference; `id` names it if a person can change it. Null: the values must be equal. */
  tolerance: amount.extend({ id: toleranceId }).nullable(),
  apart: amount.nullable(),
  /** Why there is no value; null when there is one or the reason is unknown. */
  why: z.object({ device: messageSchema.nullable(), gateway: messageSchema.nullable() }),
  message: messageSchema
})
export type Fact = z.infer<typeof fact>
