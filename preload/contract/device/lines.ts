import { z } from 'zod'

/** Unix time in ms on the clock of the story, which never goes back. */
const atMs = z.number()
/** A line's value from a moment on; null: it could not be read. The first one is no change: it is how the story begins. */
export const lineChange = z.tuple([atMs, z.boolean().nullable()])
export type LineChange = z.infer<typeof lineChange>

/** A voltage at a moment, or the least and the most of a while from that moment on; null: it could not be read. */
export const voltagePoint = z.tuple([atMs, z.number().nullable(), z.number().nullable()])
export type VoltagePoint = z.infer<typeof voltagePoint>

/**
 * What is new in the story of a device's lines since a mark. Only changes are told, and where nothing was read: between two
 * readings a line may have been on and off again unseen.
 */
export const linesNews = z.object({
  /** Another one has nothing to do with what is known of an earlier one. */
  story: z.string(),
  /** Comes after this mark; null: this is all there is. */
  since: z.number().nullable(),
  /** To be given back with the next question. */
  mark: z.number(),
  nowMs: atMs,
  /** Nothing is known from before; null before the first reading. */
  fromMs: atMs.nullable(),
  readMs: atMs.nullable(),
  lines: z.array(z.object({ name: z.string(), changes: z.array(lineChange) })),
  /** From the last reading before to the first one after. */
  gaps: z.array(z.tuple([atMs, atMs])),
  voltages: z.array(z.object({ name: z.string(), points: z.array(voltagePoint) })),
  /** As measured: how far apart readings usually are, and how far apart two neighbours were at most lately. */
  pace: z.object({ everyMs: z.number(), longestMs: z.number() }).nullable()
})
export type LinesNews = z.infer<typeof linesNews>
export const linesMark = z.strictObject({ story: z.string().max(40), mark: z.number() })
export type LinesMark = z.infer<typeof linesMark>
