import { z } from 'zod'

/* The records of the gateway API document ("Resources and their fields"), one file for each family. Loose: other fields
   are kept, but nothing relies on them. Every field is optional, except those that identify a record. */

export const record = z.record(z.string(), z.unknown())
export const numberOrNull = z.number().nullable()
export const textOrNull = z.string().nullable()
