import { z } from 'zod'

/** One call of the contract: what goes in and what comes out, as run-time schemas. */
export interface CallDefinition {
  input: z.ZodType
  output: z.ZodType
}

/** Keeps the exact schema types of a topic's calls. */
export function defineCalls<const T extends Record<string, CallDefinition>>(calls: T): T {
  return calls
}

/** The input of a call that takes nothing. */
export const nothing = z.strictObject({})

/** ISO 8601 UTC time. */
export const isoTime = z.string()

/** A screen that reads again without a person: it leaves the last calls of the gateway's allowance to persons and jobs. */
export const isRefresh = z.boolean().optional()

/** Any JSON value: used for raw answers that are shown and stored, never relied on. */
export const json = z.json()
export type Json = z.infer<typeof json>
