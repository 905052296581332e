import { z } from 'zod'

/** Unix time in ms on the clock of the history, which never runs backwards. */
const atMs = z.number()
/** A line's value from a moment on; null: unreadable. The first one is not a change but the initial value. */
export const lineChange = z.tuple([atMs, z.boolean().nullable()])
export type LineChange = z.infer<typeof lineChange>

/** A voltage at a moment, or the minimum and maximum of a period that starts there; null: unreadable. */
export const voltagePoint = z.tuple([atMs, z.number().nullable(), z.number().nullable()])
export type VoltagePoint = z.infer<typeof voltagePoint>

/** The new part of the history of a device's lines; between two readings a line may have switched unnoticed. */
export const linesNews = z.object({
  /** A different id means that the history is unrelated to an earlier one. */
  story: z.string(),
  /** Follows this mark; null: this is the complete history. */
  since: z.number().nullable(),
  /** Pass this with the next call. */
  mark: z.number(),
  nowMs: atMs,
  /** The start of the history; null before the first reading. */
  fromMs: atMs.nullable(),
  readMs: atMs.nullable(),
  lines: z.array(z.object({ name: z.string(), changes: z.array(lineChange) })),
  /** From the last reading before the gap to the first one after it. */
  gaps: z.array(z.tuple([atMs, atMs])),
  voltages: z.array(z.object({ name: z.string(), points: z.array(voltagePoint) })),
  /** Measured: the usual interval between readings, and the longest recent one. */
  pace: z.object({ everyMs: z.number(), longestMs: z.number() }).nullable()
})
export type LinesNews = z.infer<typeof linesNews>
export const linesMark = z.strictObject({ story: z.string().max(40), mark: z.number() })
export type LinesMark = z.infer<typeof linesMark>
