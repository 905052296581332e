import { z } from 'zod'
import { defineCalls, isoTime } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'
import { jobState, listedJob } from './jobs.ts'

/** How a job stands in the log: one that is done with a skipped step is not like one that is done. */
export const jobStanding = z.enum([...jobState.options, 'doneSkipped'])
export type JobStanding = z.infer<typeof jobStanding>

const some = z.array(z.string().max(200)).min(1).max(100)

/** Which jobs of the log are meant; all of them when it is empty. */
export const jobFilter = z.strictObject({
  search: z.string().max(200).optional(),
  /** Made at this time or later, and before `to`. */
  from: isoTime.optional(),
  to: isoTime.optional(),
  standings: z.array(jobStanding).min(1).optional(),
  customers: some.optional(),
  technicians: some.optional(),
  /** Ids of checklists. */
  templates: some.optional()
})
export type JobFilter = z.infer<typeof jobFilter>

const count = z.number().int().nonnegative()
const counted = z.object({ value: z.string(), jobs: count })

/** How many jobs of a filter there are of each kind. A fact narrows all others, and never itself. */
export const jobFacets = z.object({
  total: count,
  standings: z.partialRecord(jobStanding, count),
  /** The most frequent first; `more` are not listed. */
  customers: z.object({ values: z.array(counted), more: count }),
  technicians: z.object({ values: z.array(counted), more: count }),
  templates: z.object({ values: z.array(counted.extend({ name: messageSchema })), more: count }),
  /** Months (UTC, as `2026-03`) in which jobs were made, newest first. */
  months: z.array(z.object({ month: z.string(), jobs: count }))
})
export type JobFacets = z.infer<typeof jobFacets>

export const exportFormat = z.enum(['csv', 'json', 'pdf'])
export type ExportFormat = z.infer<typeof exportFormat>

/** Several jobs that are written into one file: how far it is. */
export const jobExport = z.object({
  id: z.string(),
  format: exportFormat,
  state: z.enum(['running', 'ready', 'failed']),
  done: count,
  total: count,
  /** Jobs whose log cannot be read: they are left out. */
  leftOut: count,
  /** Of the file, once it is ready. */
  fileName: z.string(),
  mediaType: z.string(),
  bytes: count,
  problem: messageSchema.nullable()
})
export type JobExport = z.infer<typeof jobExport>

const exportId = z.string().min(1).max(40)

export const jobLogCalls = defineCalls({
  /** A part of the log, newest made first: from its beginning, after a job, or from a time on. */
  'jobLog.page': {
    input: z.strictObject({
      filter: jobFilter,
      /** The `next` of the page before. */
      after: z.string().min(1).max(40).optional(),
      /** From the newest job on that was made before this time, `skip` of them left out. */
      before: isoTime.optional(),
      skip: z.number().int().min(0).max(20_000).optional(),
      limit: z.number().int().min(1).max(200)
    }),
    output: z.object({ jobs: z.array(listedJob), next: z.string().nullable(), total: count, isMore: z.boolean(), isSimilar: z.boolean() })
  },
  /** What a filter holds, exactly; counted in a thread of its own. */
  'jobLog.facets': { input: z.strictObject({ filter: jobFilter }), output: jobFacets },
  /** Begins to write a file with all jobs of a filter, or with these. `jobLog.export` events tell how far it is. */
  'jobLog.export': {
    input: z.strictObject({
      format: exportFormat,
      language: z.enum(['en', 'es']).optional(),
      chosen: z.discriminatedUnion('by', [
        z.strictObject({ by: z.literal('filter'), filter: jobFilter }),
        z.strictObject({ by: z.literal('ids'), ids: z.array(z.string().min(1).max(40)).min(1).max(2_000) })
      ])
    }),
    output: jobExport
  },
  'jobLog.exportState': { input: z.strictObject({ id: exportId }), output: jobExport },
  /** A piece of the finished file, from this byte on; `next` is null at its end. */
  'jobLog.exportPart': {
    input: z.strictObject({ id: exportId, from: count }),
    output: z.object({ base64: z.string(), next: count.nullable() })
  },
  /** Stops the writing, and takes a file away that was fetched. */
  'jobLog.endExport': { input: z.strictObject({ id: exportId }), output: z.object({}) }
})
