import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema, storedMessage } from '../base/messageSchema.ts'
import { order } from '../job/orders.ts'
import { teamJob } from './team.ts'

const assignedId = z.string().regex(/^[0-9A-Za-z-]{1,40}$/)
const who = z.object({ by: z.string(), at: isoTime })

/** A job that the office prepares for a technician. It is data: nothing runs before a person starts it. */
export const prepared = z.object({
  template: z.object({
    id: z.string().min(1).max(60),
    version: z.number().int(),
    name: storedMessage,
    /** Hash of its text, by which the team log stores it. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
  }),
  /** Name or plate, as a person would type it. */
  vehicle: z.string().max(200),
  customer: z.string().max(120),
  /** Of the device, if known; otherwise empty. */
  imei: z.string().regex(/^(\d{15})?$/),
  order: order.nullable(),
  notes: z.string().max(2_000)
})
export type Prepared = z.infer<typeof prepared>

export const assigned = prepared.extend({
  id: assignedId,
  by: z.string(),
  madeAt: isoTime,
  /** Name of the laptop; empty: whoever starts it. */
  to: z.string(),
  dueAt: isoTime.nullable(),
  /** Who started it first, as far as the team log knows. */
  begun: who.extend({ jobId: z.string() }).nullable(),
  withdrawn: who.nullable(),
  jobId: z.string().nullable(),
  /** A change that a person here must know: withdrawn, or also started by someone else. */
  told: messageSchema.nullable(),
  whyNot: messageSchema.nullable(),
  /** A note before it is started: this laptop has another version of the checklist. */
  hint: messageSchema.nullable()
})
export type Assigned = z.infer<typeof assigned>

export const teamAssignedCalls = defineCalls({
  /**
   * Prepares a job. Throws NOT_FOUND for an unknown laptop or checklist, INVALID_REQUEST with the reason for a wrong
   * IMEI.
   */
  'team.prepare': {
    input: z.strictObject({
      /** With an id, preparing the same job again creates nothing. */
      id: assignedId.optional(),
      templateId: z.string().min(1).max(60),
      vehicle: z.string().trim().min(1).max(200),
      customer: z.string().trim().max(120).default(''),
      /** Of the device, if known; otherwise empty. */
      imei: z.string().trim().max(40).default(''),
      order: order.nullable().default(null),
      to: z.string().max(200).default(''),
      dueAt: isoTime.nullable().default(null),
      notes: z.string().trim().max(2_000).default('')
    }),
    output: z.object({ id: z.string() })
  },
  /** Prepared jobs, soonest first. `here`: for this laptop and for whoever starts them. `all`: of the whole team. */
  'team.assigned': {
    input: z.strictObject({
      whose: z.enum(['here', 'all']).default('here'),
      /** `copy` makes no request; `server` asks the server, and uses the local copy if it cannot be reached. */
      from: z.enum(['copy', 'server']).default('server'),
      after: assignedId.optional(),
      limit: z.number().int().min(1).max(500).default(200)
    }),
    output: z.object({
      assigned: z.array(assigned),
      /** The age of the local copy if it is used; null when the data is from the server. */
      keptAt: isoTime.nullable(),
      /** Why the local copy is used; null when it is not, or when no request was wanted. */
      why: messageSchema.nullable(),
      next: z.string().nullable()
    })
  },
  'team.receivers': { input: nothing, output: z.object({ names: z.array(z.string()) }) },
  /** Withdraws a prepared job. Started jobs stay. */
  'team.withdrawAssigned': {
    input: z.strictObject({ id: assignedId }),
    output: z.object({ outcome: z.enum(['withdrawn', 'begun']), by: z.string() })
  },
  'team.takeChecklist': { input: z.strictObject({ id: assignedId }), output: nothing },
  /** A person has read the change: it is hidden. */
  'team.putAway': { input: z.strictObject({ id: assignedId }), output: nothing },
  /** Every job of a device or a vehicle, newest first: those of this laptop and those of the team, each once. */
  'team.earlier': {
    input: z.strictObject({
      imei: z.string().max(40).optional(),
      vehicleId: z.number().int().optional(),
      plate: z.string().max(100).optional(),
      /** The id by which jobs of the vehicle are searched here. */
      name: z.string().max(200).optional(),
      from: z.enum(['copy', 'server']).default('server')
    }),
    output: z.object({
      /** Without a team log there is nothing to show. */
      isJoined: z.boolean(),
      jobs: z.array(teamJob.extend({ isHere: z.boolean() })),
      isMore: z.boolean(),
      /** The age of the team log's data if it is from the local copy. */
      keptAt: isoTime.nullable(),
      why: messageSchema.nullable()
    })
  }
})
