import { z } from 'zod'

/** The documented request bodies, exactly: no field may be missing, added or of another type. */
export const bodies = {
  'auth.login': z.strictObject({ username: z.string(), password: z.string() }),
  'exec.run': z.strictObject({ command: z.string().min(1) }),
  'modem.editApn': z.strictObject({ apn: z.string(), user: z.string(), pass: z.string(), pin: z.string() }),
  'accel.autoAlignment': z.strictObject({ state: z.boolean() }),
  'ecu.addParameter': z.strictObject({
    PARAM_NAME: z.string().min(1),
    PGN: z.string().regex(/^[0-9a-f]+$/i, 'must be hexadecimal'),
    TRANSMISSION_RATE: z.string(),
    PRIORITY: z.string(),
    DLC: z.string(),
    LENGTH: z.string(),
    START_POSITION: z.string(),
    MULTIPLIER: z.string(),
    GROUP: z.enum(['SIGNAL', 'PERCENT', 'EXTENDED_SIGNAL', 'NUMBER_VALUE']),
    OFFSET: z.number()
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
