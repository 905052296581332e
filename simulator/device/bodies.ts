import { z } from 'zod'

/** Rate and length as a bare number (the document gives no form) or as in the maker's lists. */
const rate = z.string().regex(/^(\d+|\d+(\.\d+)?(MS|S)|CONTINUOUS|ON_REQUEST)$/, 'must be a rate')
const length = z.string().regex(/^(\d+|1_(BIT|BYTE)|\d+_(BITS|BYTES))$/, 'must be a length')
const hexadecimal = z.string().regex(/^[0-9a-f]+$/i, 'must be hexadecimal')

/**
 * The documented request bodies, exactly: no field may be missing, added or of another type; an engine-bus entry as the
 * maker's lists have it.
 */
export const bodies = {
  'auth.login': z.strictObject({ username: z.string(), password: z.string() }),
  'exec.run': z.strictObject({ command: z.string().min(1) }),
  'modem.editApn': z.strictObject({ apn: z.string(), user: z.string(), pass: z.string(), pin: z.string() }),
  'accel.autoAlignment': z.strictObject({ state: z.boolean() }),
  'ecu.addParameter': z
    .strictObject({
      PARAM_NAME: z.string().min(1),
      PGN: hexadecimal.optional(),
      TRANSMISSION_RATE: rate,
      PRIORITY: z.string().optional(),
      DLC: z.string().regex(/^(\d+|VARIABLE)$/, 'must be a number of bytes'),
      LENGTH: length,
      START_POSITION: z.string().regex(/^\d+(\.\d)?(-\d+(\.\d)?)?$/, 'must be a position'),
      MULTIPLIER: z.string(),
      GROUP: z.enum(['SIGNAL', 'PERCENT', 'EXTENDED_SIGNAL', 'NUMBER_VALUE', 'LOCATION_COMPONENT_1', 'TIRE_COMPONENT']),
      OFFSET: z.number().optional(),
      CAN_ID: hexadecimal.optional(),
      SOURCE_INTERFACE: z.enum(['PRIMARY', 'SECONDARY']).optional(),
      ACCESSORY_TYPE: z.string().optional(),
      REVERSED: z.string().optional()
    })
    .refine(({ PGN, PRIORITY, CAN_ID }) => CAN_ID !== undefined || (PGN !== undefined && PRIORITY !== undefined), {
      path: ['PGN'],
      error: 'PGN and PRIORITY, or a CAN_ID'
    }),
  'ecu.configure': z.strictObject({
    PRIMARY_CAN: z.string(),
    SECONDARY_CAN: z.string(),
    J1708: z.string(),
    LISTEN_ONLY_MODE: z.string()
  })
}

export type BodyOf<Id extends keyof typeof bodies> = z.infer<(typeof bodies)[Id]>

/** The problem with a body, in one sentence without its values; undefined when it is as documented. */
export function whyBodyIsWrong(operation: string, body: unknown): string | undefined {
  if (!(operation in bodies)) return undefined
  const parsed = bodies[operation as keyof typeof bodies].safeParse(body)
  if (parsed.success) return undefined
  const issue = parsed.error.issues[0]
  if (!issue) return 'the body is not as documented'
  if (issue.code === 'unrecognized_keys') return `the body has fields that are not documented: ${issue.keys.join(', ')}`
  return `body field ${issue.path.join('.') || '(whole)'}: ${issue.message}`
}
