import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema, storedMessage } from '../messageSchema.ts'
import { order } from '../jobs/orders.ts'
import { teamJob } from './team.ts'

const assignedId = z.string().regex(/^[0-9A-Za-z-]{1,40}$/)
const who = z.object({ by: z.string(), at: isoTime })

/** What the office prepares for a technician. It is data: nothing of it runs before a person begins it. */
export const prepared = z.object({
  template: z.object({
    id: z.string().min(1).max(60),
    version: z.number().int(),
    name: storedMessage,
    /** Of its text, which the team log keeps under it. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
  }),
  /** Name or plate, as a person would type it. */
  vehicle: z.string().max(200),
  customer: z.string().max(120),
  /** Of the device, where it is known already; empty where it is not. */
  imei: z.string().regex(/^(\d{15})?$/),
  order: order.nullable(),
  notes: z.string().max(2_000)
})
export type Prepared = z.infer<typeof prepared>

/** A job that is prepared for a laptop, or for whoever begins it. */
export const assigned = prepared.extend({
  id: assignedId,
  /** Who prepared it. */
  by: z.string(),
  madeAt: isoTime,
  /** Name of the laptop; empty: whoever begins it. */
  to: z.string(),
  dueAt: isoTime.nullable(),
  /** Who began it first, as far as the team log knows. */
  begun: who.extend({ jobId: z.string() }).nullable(),
  withdrawn: who.nullable(),
  /** The job that was begun from it here. */
  jobId: z.string().nullable(),
  /** What became of it and a person here has to know: withdrawn, or begun by somebody else as well. */
  told: messageSchema.nullable(),
  /** Why it cannot be begun here. */
  whyNot: messageSchema.nullable(),
  /** What is good to know before it is begun: another version of the checklist is here. */
  hint: messageSchema.nullable()
})
export type Assigned = z.infer<typeof assigned>

export const teamAssignedCalls = defineCalls({
  /** Prepares a job. Throws NOT_FOUND for a laptop or a checklist that is not there. */
  'team.prepare': {
    input: z.strictObject({
      templateId: z.string().min(1).max(60),
      vehicle: z.string().trim().min(1).max(200),
      customer: z.string().trim().max(120).default(''),
      imei: z.string().regex(/^(\d{15})?$/).default(''),
      order: order.nullable().default(null),
      to: z.string().max(200).default(''),
      dueAt: isoTime.nullable().default(null),
      notes: z.string().trim().max(2_000).default('')
    }),
    output: z.object({ id: z.string() })
  },
  /** Prepared jobs, soonest first. `here`: for this laptop and for whoever begins them. `all`: of the whole team. */
  'team.assigned': {
    input: z.strictObject({
      whose: z.enum(['here', 'all']).default('here'),
      /** `copy` asks nobody; `server` asks, and answers from the copy where it is not reached. */
      from: z.enum(['copy', 'server']).default('server'),
      after: assignedId.optional(),
      limit: z.number().int().min(1).max(500).default(200)
    }),
    output: z.object({
      assigned: z.array(assigned),
      /** How old the copy is that this comes from; null where it comes from the server. */
      keptAt: isoTime.nullable(),
      /** Why it comes from the copy; null where it does not, or nobody was asked. */
      why: messageSchema.nullable(),
      next: z.string().nullable()
    })
  },
  /** Laptops that a job can be prepared for. */
  'team.receivers': { input: nothing, output: z.object({ names: z.array(z.string()) }) },
  /** Takes a prepared job back. What was begun already stays. */
  'team.withdrawAssigned': { input: z.strictObject({ id: assignedId }), output: z.object({ outcome: z.enum(['withdrawn', 'begun']), by: z.string() }) },
  /** Takes the checklist of a prepared job from the team log, where this laptop does not have it. */
  'team.takeChecklist': { input: z.strictObject({ id: assignedId }), output: nothing },
  /** A person has read what became of it: it is shown no more. */
  'team.putAway': { input: z.strictObject({ id: assignedId }), output: nothing },
  /** Every job of a device or a vehicle, newest first: those of this laptop and those of the team, each once. */
  'team.earlier': {
    input: z.strictObject({
      imei: z.string().max(40).optional(),
      vehicleId: z.number().int().optional(),
      plate: z.string().max(100).optional(),
      /** Under which jobs of the vehicle are looked for here. */
      name: z.string().max(200).optional(),
      from: z.enum(['copy', 'server']).default('server')
    }),
    output: z.object({
      /** Where no team log was joined there is nothing to show. */
      isJoined: z.boolean(),
      jobs: z.array(teamJob.extend({ isHere: z.boolean() })),
      /** There are more than these. */
      isMore: z.boolean(),
      /** How old is what the team log said, where it comes from the copy here. */
      keptAt: isoTime.nullable(),
      why: messageSchema.nullable()
    })
  }
})
