import { z } from 'zod'
import { accessoryTest, recordId } from './accessories.ts'
import { defineCalls, isoTime, json, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

export const triggerOperators = [
  '>=',
  '==',
  '<=',
  '!=',
  '<',
  '>',
  'within',
  'inside_fence',
  'outside_fence',
  'entered_fence',
  'exited_fence',
  'delta',
  'delta+',
  'delta-'
] as const
export const triggerOperator = z.enum(triggerOperators)
export type TriggerOperator = z.infer<typeof triggerOperator>

export const triggerRule = z.strictObject({
  /** Its name in the postfix expression. */
  id: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/),
  key: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,59}$/),
  operator: triggerOperator,
  value: json
})
export type TriggerRule = z.infer<typeof triggerRule>

const conditions = { rules: z.array(triggerRule).min(1).max(20), postfix: z.array(z.string().max(40)).min(1).max(80) }

/** Set when the gateway was offline: the time of the local copy. */
const copiedAt = isoTime.nullable().optional()

export const knownTrigger = z.object({
  id: z.number().nullable(),
  name: z.string(),
  description: z.string(),
  category: z.string(),
  vehicles: z.array(z.number()),
  isForVehicle: z.boolean(),
  /** When it fires; null without rules. */
  text: messageSchema.nullable(),
  problems: z.array(messageSchema),
  rules: json,
  postfix: z.array(z.string())
})
export type KnownTrigger = z.infer<typeof knownTrigger>

export const fenceChoice = z.object({ id: z.number(), name: z.string().nullable(), what: messageSchema })

export const triggersCalls = defineCalls({
  'triggers.structure': {
    input: nothing,
    output: z.object({
      categories: z.array(z.object({ category: z.string(), type: z.string(), keys: z.array(z.string()) })),
      fields: z.array(z.object({ key: z.string(), words: messageSchema })),
      copiedAt
    })
  },
  'triggers.list': {
    input: z.strictObject({ vehicleId: recordId }),
    output: z.object({ triggers: z.array(knownTrigger), complete: z.boolean(), readAt: isoTime })
  },
  /** Checks rules and postfix locally, and describes in words when the trigger fires. */
  'triggers.describe': {
    input: z.strictObject(conditions),
    output: z.object({ text: messageSchema, problems: z.array(messageSchema) })
  },
  'triggers.create': {
    input: z.strictObject({
      name: z.string().trim().min(1).max(80),
      vehicleId: recordId,
      timezone: z.string().max(60).default('UTC'),
      ...conditions,
      /** E-mail recipients; none: only the gateway's own log. */
      emails: z.array(z.email()).max(20).default([])
    }),
    output: z.object({ operationId: z.string() })
  },
  /** The labels of this gateway's events, in words; an unknown label is shown unchanged. */
  'triggers.labels': {
    input: nothing,
    output: z.object({ labels: z.array(z.object({ label: z.string(), words: messageSchema })), copiedAt })
  },
  /** The vehicle's events of the last hours that match the rules by Fitter's own evaluation, newest first. */
  'triggers.past': {
    input: z.strictObject({ vehicleId: recordId, ...conditions, hours: z.number().int().min(1).max(168).default(24) }),
    output: z.object({
      hits: z.array(z.object({ at: isoTime, what: messageSchema, detail: messageSchema.nullable() })),
      tested: z.number(),
      /** The tested time begins here: later than asked for when there were more events than can be tested. */
      sinceAt: isoTime,
      /** Events without a field that decides. */
      lacking: z.number()
    })
  },
  /** Waits for an event of the vehicle that matches the rules by Fitter's own evaluation. */
  'triggers.provoke': {
    input: z.strictObject({
      vehicleId: recordId,
      name: z.string().max(80),
      ...conditions,
      waitS: z.number().int().min(10).max(1_800).default(300)
    }),
    output: accessoryTest
  },
  'triggers.fences': {
    input: nothing,
    output: z.object({ fences: z.array(fenceChoice), complete: z.boolean(), copiedAt })
  },
  /** A circle around a place, for a test; at least 50 m. */
  'triggers.createFence': {
    input: z.strictObject({
      name: z.string().trim().min(1).max(80),
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      radiusM: z.number().min(50, 'The radius of a circle must be at least 50 meters.').max(100_000)
    }),
    output: z.object({ operationId: z.string() })
  }
})
