import { z } from 'zod'
import { messageSchema } from '../base/messageSchema.ts'

/** `ibm850` is the code page of DOS programs in Western Europe and Latin America. */
export const tableEncoding = z.enum([
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'ibm850',
  'macintosh'
])
export type TableEncoding = z.infer<typeof tableEncoding>

/** How a table from a person was read, with its first rows: shown before anything is done with it. */
export const tableReading = z.object({
  /** Null for a workbook. */
  encoding: tableEncoding.nullable(),
  /**
   * A text of the file in this encoding and in another one that reads as well: the person compares them. Null if it is
   * clear.
   */
  unclear: z.object({ one: z.string(), other: z.string(), otherEncoding: tableEncoding }).nullable(),
  separator: z.enum([',', ';', '\t']).nullable(),
  /** Lines above the names of the columns. */
  skipped: z.array(z.string()),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  n: z.number(),
  notes: z.array(messageSchema)
})
export type TableReading = z.infer<typeof tableReading>
