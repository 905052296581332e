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

export const count = z.number().int().nonnegative()

/** The key of a device in the table of devices; main keeps its address. */
export const deviceKey = z.string().min(1).max(255)

export const imeiDigits = z.string().regex(/^\d{15}$/)

export const jobId = z.string().min(1).max(40)

/** An open panel, row or dialog on the screen; closing it ends what only it needs. */
export const view = z.string().min(1).max(60)

/** A small file. */
export const wholeFile = z.object({ fileName: z.string(), mediaType: z.string(), base64: z.string() })

/** A piece of a file from a byte on; `next` is null at its end. */
export const filePiece = z.object({ base64: z.string(), next: count.nullable() })

/** A refresh by a screen, not a person: it leaves the last requests of the gateway's limit to persons and jobs. */
export const isRefresh = z.boolean().optional()

/** Any JSON value: used for raw answers that are shown and stored, never relied on. */
export const json = z.json()
export type Json = z.infer<typeof json>
