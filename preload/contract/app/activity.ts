import { z } from 'zod'
import { defineCalls, isoTime, nothing, view } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

/** From the worst to the least; a level contains those before it. */
export const logLevels = ['error', 'warning', 'info', 'debug'] as const
export const logLevel = z.enum(logLevels)
export type LogLevel = z.infer<typeof logLevel>

export const logTopics = ['job', 'device', 'gateway', 'team', 'data', 'updates', 'app'] as const
export const logTopic = z.enum(logTopics)
export type LogTopic = z.infer<typeof logTopic>

/** What can happen while nobody looks. */
export const activityKinds = [
  'checkEnded',
  'deviceLost',
  'itemsSent',
  'needsYou',
  'backupMade',
  'jobsSynced',
  'updateReady'
] as const
export const activityKind = z.enum(activityKinds)
export type ActivityKind = z.infer<typeof activityKind>

export const entryPlace = z.object({
  screen: z.enum(['job', 'waiting', 'settings', 'device', 'activity']),
  id: z.string().max(255)
})

/** One line of the log. `kind` marks what the activity list shows; `place` is where a window can open it. */
export const logEntry = z.object({
  /** Counts up; never used twice. */
  n: z.number(),
  at: isoTime,
  level: logLevel,
  topic: logTopic,
  text: messageSchema,
  detail: messageSchema.nullable(),
  kind: activityKind.nullable(),
  /** A person looked at a window when it happened: it is no news. */
  isSeen: z.literal(true).optional(),
  place: entryPlace.nullable()
})
export type LogEntry = z.infer<typeof logEntry>

const levelChoice = z.record(logTopic, logLevel)

export const activityCalls = defineCalls({
  /** Newest first; `before` is the `n` of the last entry so far. */
  'activity.log': {
    input: z.strictObject({
      /** This level and worse. */
      level: logLevel.default('debug'),
      topic: logTopic.nullable().default(null),
      search: z.string().max(200).default(''),
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(500).default(200)
    }),
    output: z.object({
      entries: z.array(logEntry),
      more: z.boolean(),
      /** With these level and words: of the topic, and of each topic. */
      total: z.number(),
      counts: z.record(logTopic, z.number()),
      /** Why the log is not written to the disk; null while it is. */
      problem: messageSchema.nullable()
    })
  },
  /** What happened, newest first, and up to which entry it was read. */
  'activity.list': {
    input: z.strictObject({ limit: z.number().int().min(1).max(200).default(50) }),
    output: z.object({
      entries: z.array(logEntry),
      readUpTo: z.number(),
      /** The last time that no window was looked at; null: none in this run. */
      away: z.object({ from: isoTime, to: isoTime }).nullable()
    })
  },
  'activity.markRead': { input: z.strictObject({ upTo: z.number().int().nonnegative() }), output: nothing },
  /** A window says whether it is looked at: a notification of the system is for nobody who sees it happen. */
  'activity.looking': { input: z.strictObject({ view, isLooking: z.boolean() }), output: nothing },
  /** The level of each topic; `given` was set in the environment of this process and cannot be changed. */
  'activity.levels': { input: nothing, output: z.object({ levels: levelChoice, given: z.array(logTopic) }) },
  /** A notification was pressed: windows go to its place. */
  'activity.open': { input: z.strictObject({ place: entryPlace.strict() }), output: nothing },
  /** The log of this computer as one file, the newest lines first if it would be too large. */
  'activity.export': {
    input: nothing,
    output: z.object({ fileName: z.string(), text: z.string(), entries: z.number() })
  }
})
