import { z } from 'zod'
import { isoTime } from './define.ts'
import { messageSchema } from './messageSchema.ts'

/** What device and gateway are held against each other for, in the order of the table. */
export const compareIds = [
  'identity',
  'sim',
  'position',
  'satellites',
  'speed',
  'power',
  'ignition',
  'engine',
  'in1',
  'in2',
  'in3',
  'out1',
  'out2',
  'signal',
  'clock',
  'distance'
] as const
export type CompareId = (typeof compareIds)[number]

/**
 * agree, differ: both say it. old: what the gateway says is of another time. deviceOnly, gatewayOnly: the other does not
 * show it, which is no failure. neither: nobody can say now.
 */
export const compareRelation = z.enum(['agree', 'differ', 'old', 'deviceOnly', 'gatewayOnly', 'neither'])
export type CompareRelation = z.infer<typeof compareRelation>

export const compareRow = z.object({
  id: z.enum(compareIds),
  relation: compareRelation,
  device: messageSchema.nullable(),
  gateway: messageSchema.nullable(),
  /** When the gateway heard it, by its clock; null where it does not say. */
  gatewayAt: isoTime.nullable()
})
export type CompareRow = z.infer<typeof compareRow>

export const deviceCompare = z.object({
  /**
   * asking: no answer yet. notShown: it does not show this device (not found or not permitted). signedOut, away: it could
   * not be asked; what it said before stays, with its age.
   */
  gateway: z.object({ state: z.enum(['asking', 'answers', 'notShown', 'signedOut', 'away']), why: messageSchema.nullable() }),
  /** The vehicle that the gateway shows with this device. */
  vehicle: z.object({ id: z.number(), name: z.string(), plate: z.string().nullable() }).nullable(),
  rows: z.array(compareRow),
  /** Where the gateway has it, and how far that is from where the device says it is; null where it cannot be told. */
  places: z.object({
    gateway: z.object({ latitude: z.number(), longitude: z.number(), ageS: z.number() }).nullable(),
    apartM: z.number().nullable(),
    isParked: z.boolean().nullable()
  }),
  /** The newest event of this device at the gateway. */
  newest: z.object({ at: isoTime, ageS: z.number(), delayS: z.number().nullable() }).nullable(),
  /** From the device to the gateway, event by event, oldest first. */
  delays: z.array(z.object({ at: isoTime, delayS: z.number() }))
})
export type DeviceCompare = z.infer<typeof deviceCompare>
