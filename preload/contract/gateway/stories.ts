import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'
import { jobState } from '../jobs/jobs.ts'
import { operationLine, syncResult } from './operations.ts'

/**
 * What gateway work waits for. person: a decision. office: somebody at the gateway. need: other work that it depends on.
 * older: its turn among the work on the same thing. decision: an older one of the same thing needs a person. readBack: the
 * reply was lost, and it is looked for. effect: the gateway took it, and it is to show. limit: the gateway takes no more
 * requests for a while. turn: nothing but its turn.
 */
export const waitCause = z.enum(['person', 'office', 'need', 'older', 'decision', 'pause', 'underWay', 'noGateway', 'signIn', 'gateway', 'limit', 'readBack', 'effect', 'turn'])
export type WaitCause = z.infer<typeof waitCause>

export const nextMove = z.object({
  cause: waitCause,
  /** In so many ms it is tried or looked for again; null where nobody can say when. */
  inMs: z.number().nullable()
})
export type NextMove = z.infer<typeof nextMove>

/** Since when and by whom; null: not paused. */
export const paused = z.object({ at: isoTime, by: z.string() }).nullable()
export type Paused = z.infer<typeof paused>

export const storyOperation = operationLine.extend({
  next: nextMove,
  /** Paused by itself; the pause of all stands apart. */
  paused,
  /** What has to be done first. */
  needs: z.array(z.object({ id: z.string(), title: messageSchema }))
})
export type StoryOperation = z.infer<typeof storyOperation>

export const storyJob = z.object({
  id: z.string(),
  name: messageSchema,
  state: jobState,
  /** Its steps that wait for the gateway, with what each waits for. */
  steps: z.array(z.object({ id: z.string(), title: messageSchema, waitsFor: messageSchema })),
  next: nextMove,
  /** Why its log cannot be read; null when it can. */
  damage: messageSchema.nullable()
})
export type StoryJob = z.infer<typeof storyJob>

/** Where a story stands among all: a page goes on after it. */
export const storyPlace = z.strictObject({ rank: z.number().int(), sequence: z.number(), id: z.string().max(400) })
export type StoryPlace = z.infer<typeof storyPlace>

/** All that waits for the gateway about one vehicle, or about one thing where there is no vehicle. */
export const story = z.object({
  id: z.string(),
  place: storyPlace,
  /** named: typed while the gateway was away; which vehicle it is, is not yet known. other: what its first work is about. */
  about: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('vehicle'), id: z.number(), name: z.string(), plate: z.string().nullable() }),
    z.object({ kind: z.literal('named'), name: z.string() }),
    z.object({ kind: z.literal('other'), title: messageSchema })
  ]),
  /** What goes on and what comes next, in one sentence without the time. */
  sentence: messageSchema,
  next: nextMove,
  /** How many need a person, and how much else waits: operations, and steps of jobs. */
  needPerson: z.number(),
  waiting: z.number(),
  /** Every one of its operations that could still be sent is paused. */
  isPaused: z.boolean(),
  jobs: z.array(storyJob),
  operations: z.array(storyOperation),
  /** How many operations and jobs more there are than stand here. */
  moreOperations: z.number(),
  moreJobs: z.number()
})
export type Story = z.infer<typeof story>

/** What was not tried although a person wanted it: the rule that holds it back, and for how long. */
export const heldBack = z.object({ id: z.string(), title: messageSchema, cause: z.enum(['limit', 'readBack', 'pause', 'signIn', 'noGateway']), inMs: z.number().nullable() })
export type HeldBack = z.infer<typeof heldBack>

/** The id of a story or of an operation; null: everything. */
const target = z.strictObject({ id: z.string().min(1).max(400).nullable() })

export const storiesCalls = defineCalls({
  /** What needs a person first, then by what moves next, the oldest first. `id`: this story alone, with all of its work. */
  'operations.stories': {
    input: z.strictObject({
      after: storyPlace.nullable().default(null),
      limit: z.number().int().min(1).max(100).default(30),
      id: z.string().max(400).nullable().default(null),
      /** Those of a job alone. */
      jobId: z.string().max(40).nullable().default(null)
    }),
    output: z.object({ stories: z.array(story), more: z.boolean(), total: z.number(), counts: syncResult, paused })
  },
  /** Whether all is paused. */
  'operations.paused': { input: nothing, output: z.object({ paused, counts: syncResult }) },
  /** Nothing new is sent; what is under way is read back to its end. */
  'operations.pause': { input: target, output: nothing },
  'operations.resume': { input: target, output: nothing },
  /** Tries at once what only waits for its next try. The grace time and the limits of the gateway stand. */
  'operations.tryNow': { input: target, output: z.object({ counts: syncResult, held: z.array(heldBack), moreHeld: z.number() }) }
})

/** What changed of the stories. `isMany`: more than is told one by one; the list is to be read again. */
export const storyNews = z.object({ stories: z.array(story), ended: z.array(z.string()), isMany: z.boolean(), total: z.number() })
export type StoryNews = z.infer<typeof storyNews>
