import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { jobState } from '../job/jobs.ts'
import { operationLine, syncResult } from './operations.ts'

/**
 * What gateway work waits for. person: a decision. office: someone at the gateway. need: other work that it depends on.
 * older: its turn among the work on the same item. decision: an earlier one on the same item needs a person. readBack:
 * the reply was lost, and Fitter looks for the effect. effect: accepted, and the effect must appear. limit: the gateway
 * accepts no requests for a while. turn: only its turn.
 */
export const waitCause = z.enum([
  'person',
  'office',
  'need',
  'older',
  'decision',
  'pause',
  'underWay',
  'noGateway',
  'signIn',
  'gateway',
  'limit',
  'readBack',
  'effect',
  'turn'
])
export type WaitCause = z.infer<typeof waitCause>

export const nextMove = z.object({
  cause: waitCause,
  /** Milliseconds until the next attempt or check; null when unknown. */
  inMs: z.number().nullable()
})
export type NextMove = z.infer<typeof nextMove>

/** Since when and by whom; null: not paused. */
export const paused = z.object({ at: isoTime, by: z.string() }).nullable()
export type Paused = z.infer<typeof paused>

export const storyOperation = operationLine.extend({
  next: nextMove,
  /** Paused individually; the pause of all work is separate. */
  paused,
  /** The work that must be done first. */
  needs: z.array(z.object({ id: z.string(), title: messageSchema }))
})
export type StoryOperation = z.infer<typeof storyOperation>

export const storyJob = z.object({
  id: z.string(),
  name: messageSchema,
  state: jobState,
  steps: z.array(z.object({ id: z.string(), title: messageSchema, waitsFor: messageSchema })),
  next: nextMove,
  /** Why its log cannot be read; null when it can. */
  damage: messageSchema.nullable()
})
export type StoryJob = z.infer<typeof storyJob>

/** The position of a story in the list: the next page continues after it. */
export const storyPlace = z.strictObject({ rank: z.number().int(), sequence: z.number(), id: z.string().max(400) })
export type StoryPlace = z.infer<typeof storyPlace>

/** All waiting gateway work for one vehicle, or for one item without a vehicle. */
export const story = z.object({
  id: z.string(),
  place: storyPlace,
  /**
   * named: typed while the gateway was offline; the vehicle is not identified yet. other: named after its first
   * operation.
   */
  about: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('vehicle'), id: z.number(), name: z.string(), plate: z.string().nullable() }),
    z.object({ kind: z.literal('named'), name: z.string() }),
    z.object({ kind: z.literal('other'), title: messageSchema })
  ]),
  /** The present and the next action, in one sentence without the time. */
  sentence: messageSchema,
  next: nextMove,
  /** The number that need a person, and of everything else that waits: operations, and steps of jobs. */
  needPerson: z.number(),
  waiting: z.number(),
  isPaused: z.boolean(),
  jobs: z.array(storyJob),
  operations: z.array(storyOperation),
  moreOperations: z.number(),
  moreJobs: z.number()
})
export type Story = z.infer<typeof story>

/** What was not tried although a person asked: the rule that delays it, and the remaining time. */
export const heldBack = z.object({
  id: z.string(),
  title: messageSchema,
  cause: z.enum(['limit', 'readBack', 'pause', 'signIn', 'noGateway']),
  inMs: z.number().nullable()
})
export type HeldBack = z.infer<typeof heldBack>

/** The id of a story or of an operation; null: everything. */
const target = z.strictObject({ id: z.string().min(1).max(400).nullable() })

export const storiesCalls = defineCalls({
  /** Those that need a person first, then by the next move, oldest first. `id`: only this story, with all its work. */
  'operations.stories': {
    input: z.strictObject({
      after: storyPlace.nullable().default(null),
      limit: z.number().int().min(1).max(100).default(30),
      id: z.string().max(400).nullable().default(null),
      jobId: z.string().max(40).nullable().default(null)
    }),
    output: z.object({ stories: z.array(story), more: z.boolean(), total: z.number(), counts: syncResult, paused })
  },
  'operations.paused': { input: nothing, output: z.object({ paused, counts: syncResult }) },
  /** Sends nothing new; work already sent is read back to its end. */
  'operations.pause': { input: target, output: nothing },
  'operations.resume': { input: target, output: nothing },
  /** Ends the wait for the next attempt. The grace time and the limits of the gateway still apply. */
  'operations.tryNow': {
    input: target,
    output: z.object({ counts: syncResult, held: z.array(heldBack), moreHeld: z.number() })
  }
})

/** The changed stories. `isMany`: too many to send; read the list again. */
export const storyNews = z.object({
  stories: z.array(story),
  ended: z.array(z.string()),
  isMany: z.boolean(),
  total: z.number()
})
export type StoryNews = z.infer<typeof storyNews>
