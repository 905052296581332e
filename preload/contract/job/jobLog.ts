import { z } from 'zod'
import { languageForm } from '../messages.ts'
import { count, defineCalls, filePiece, isoTime } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { jobState, listedJob } from './jobs.ts'

/** The state of a job in the log: a finished job with a skipped step has a state of its own. */
export const jobStanding = z.enum([...jobState.options, 'doneSkipped'])
export type JobStanding = z.infer<typeof jobStanding>

const some = z.array(z.string().max(200)).min(1).max(100)

export const jobFilter = z.strictObject({
  search: z.string().max(200).optional(),
  /** Created at this time or later, and before `to`. */
  from: isoTime.optional(),
  to: isoTime.optional(),
  standings: z.array(jobStanding).min(1).optional(),
  customers: some.optional(),
  technicians: some.optional(),
  templates: some.optional()
})
export type JobFilter = z.infer<typeof jobFilter>

const counted = z.object({ value: z.string(), jobs: count })

/** The number of jobs of a filter by each value. A facet narrows all others, but not itself. */
export const jobFacets = z.object({
  total: count,
  standings: z.partialRecord(jobStanding, count),
  /** The most frequent values first; `more` are not listed. */
  customers: z.object({ values: z.array(counted), more: count }),
  technicians: z.object({ values: z.array(counted), more: count }),
  templates: z.object({ values: z.array(counted.extend({ name: messageSchema })), more: count }),
  /** Months (UTC, as `2026-03`) in which jobs were made, newest first. */
  months: z.array(z.object({ month: z.string(), jobs: count }))
})
export type JobFacets = z.infer<typeof jobFacets>

export const exportFormat = z.enum(['csv', 'json', 'pdf'])
export type ExportFormat = z.infer<typeof exportFormat>

export const jobExport = z.object({
  id: z.string(),
  format: exportFormat,
  state: z.enum(['running', 'ready', 'failed']),
  done: count,
  total: count,
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
  /** A page of the log, newest first: from the start, after a job, or from a time on. */
  'jobLog.page': {
    input: z.strictObject({
      filter: jobFilter,
      /** The `next` of the page before. */
      after: z.string().min(1).max(40).optional(),
      /** From the newest job created before this time, without the first `skip`. */
      before: isoTime.optional(),
      skip: z.number().int().min(0).max(20_000).optional(),
      limit: z.number().int().min(1).max(200)
    }),
    output: z.object({
      jobs: z.array(listedJob),
      next: z.string().nullable(),
      total: count,
      isMore: z.boolean(),
      isSimilar: z.boolean()
    })
  },
  /** The exact number of jobs in a filter; counted in a separate thread. */
  'jobLog.facets': { input: z.strictObject({ filter: jobFilter }), output: jobFacets },
  /** Starts writing a file with all jobs of a filter, or with these. `jobLog.export` events report the progress. */
  'jobLog.export': {
    input: z.strictObject({
      format: exportFormat,
      language: z.string().regex(languageForm).optional(),
      chosen: z.discriminatedUnion('by', [
        z.strictObject({ by: z.literal('filter'), filter: jobFilter }),
        z.strictObject({ by: z.literal('ids'), ids: z.array(z.string().min(1).max(40)).min(1).max(2_000) })
      ])
    }),
    output: jobExport
  },
  'jobLog.exportState': { input: z.strictObject({ id: exportId }), output: jobExport },
  /** A piece of the finished file from this byte; `next` is null at its end. */
  'jobLog.exportPart': {
    input: z.strictObject({ id: exportId, from: count }),
    output: filePiece
  },
  'jobLog.endExport': { input: z.strictObject({ id: exportId }), output: z.object({}) }
})
