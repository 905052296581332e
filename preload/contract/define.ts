import { z } from 'zod'

/** One call of the contract: its input and output as run-time schemas. */
export interface CallDefinition {
  input: z.ZodType
  output: z.ZodType
}

/** Preserves the exact schema types of a topic's calls. */
export function defineCalls<const T extends Record<string, CallDefinition>>(calls: T): T {
  return calls
}

/** The input of a call without parameters. */
export const nothing = z.strictObject({})

/** ISO 8601 UTC time. */
export const isoTime = z.string()

/** A refresh by a screen, not a person: it leaves the last requests of the gateway's limit to persons and jobs. */
export const isRefresh = z.boolean().optional()

/** Any JSON value: used for raw answers that are shown and stored, never relied on. */
export const json = z.json()
export type Json = z.infer<typeof json>
