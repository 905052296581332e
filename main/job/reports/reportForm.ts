import { z } from 'zod'
import type { Json } from '../../../preload/contract/define.ts'
import { job as jobSchema, type Job } from '../../../preload/contract/job/jobs.ts'
import { readJob, shownOf } from '../jobs/record/journal.ts'
import { canonicalJson, type JournalEntry } from '../../data/store/jobs/seal.ts'
import { hashOnlyAlgorithm, signedAlgorithm } from '../../data/store/jobs/signature.ts'

/*
 * Form of the file: UTF-8 JSON, two spaces of indentation, LF, and always the same three last lines' form:
 *
 *   ...everything else...,
 *     "documentHash": "<64 lower-case hex digits>"
 *   }
 *
 * `documentHash` is the SHA-256 of every byte before the line that contains it. That line and the closing brace are
 * checked letter by letter, so no byte of the file, not even a space, can change without being noticed.
 *
 * What it proves (docs/evidence.md explains it to whoever receives one):
 *
 * - The file is JSON exactly as this version writes it, so what a reader sees is what was hashed: no key occurs twice,
 * no
 *   number has another spelling.
 * - Entry 1 creates the job, each entry is chained to the one before it, and each seal covers all entries before it.
 * - The job is what the log in the file says, field by field.
 * - A value that was blacked out is replaced by its salted hash, which the seal covers
 * (main/data/store/jobs/sealedFields.ts). The
 *   fields that decide are never blacked out: a report in which one is proves nothing.
 * - One key counts, that of the last seal. It also signs `documentSignature`, which covers everything but itself and
 * the
 *   document hash. A report of a computer without that key has no document signature and leaves out what only such a
 *   signature covers: the sentences in `texts`, the gateway work, and where the job went after its seal. Its log ends with the
 *   seal, which is exactly what was signed.
 *
 * Whoever writes a whole new file can compute new hashes, but not the signatures of that key. Files of version 3 black
 * out texts inside of entries, and those entries are confirmed by the document signature alone; versions 1 and 2 prove
 * no more than that nothing was changed by accident.
 */
export const tailStart = '  "documentHash": "'
export const tailEnd = '"\n}\n'

export const jsonReportFormat = 'fitter-job-report'
/** 1 had neither language, training mark nor texts; 2 had no signature and no pictures; 3 had no salted hashes. */
export const jsonReportVersion = 4

const hash = z.string().regex(/^[0-9a-f]{64}$/)
// Not parsed further: a schema would drop keys such as `__proto__`, which the hash covers.
const anyJson = z.custom<Json>((value) => value !== undefined)
const hashes = z.custom<Record<string, string>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => hash.safeParse(one).success)
)
export const reportSchema = z.strictObject({
  format: z.literal(jsonReportFormat),
  version: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(jsonReportVersion)]),
  generatedAt: z.string(),
  appVersion: z.string(),
  /** The language of `texts`, and the time zone of its times. */
  language: z.string().optional(),
  timeZone: z.string().optional(),
  isTraining: z.boolean().optional(),
  /** The job in words, for readers without Fitter; everything else is data. */
  texts: anyJson.optional(),
  job: jobSchema,
  log: z.array(
    z.strictObject({
      seq: z.number(),
      at: z.string(),
      type: z.string(),
      stepId: z.string().nullable(),
      data: anyJson,
      hash
    })
  ),
  /** `seq` of log entries with blacked-out values: their hashes are those of the original. */
  redactedEntries: z.array(z.number()),
  /** The proof of the rest of those entries. */
  redactions: z.array(z.strictObject({ seq: z.number(), hidden: hashes, salts: hashes })).optional(),
  seal: hash,
  pictures: z.array(z.strictObject({ sha256: hash, mediaType: z.string(), base64: z.string() })).optional(),
  documentSignature: z
    .discriminatedUnion('algorithm', [
      z.strictObject({ algorithm: z.literal(signedAlgorithm), publicKey: z.string(), signature: z.string() }),
      z.strictObject({ algorithm: z.literal(hashOnlyAlgorithm), publicKey: z.null(), signature: z.null() })
    ])
    .optional(),
  documentHash: hash
})
export type JsonReport = z.infer<typeof reportSchema>
export type ReportPicture = NonNullable<JsonReport['pictures']>[number]

/** The job in a log; undefined when it does not start with the creation of one, or is unreadable. */
export function jobOfLog(id: string, log: readonly JournalEntry[]): Omit<Job, 'operations'> | undefined {
  if (log[0]?.type !== 'jobCreated') return undefined
  try {
    return shownOf(readJob(id, log))
  } catch {
    return undefined
  }
}

/** The signed content of a document: everything except the signature and the document hash. */
export function documentText(document: object): string {
  const { documentHash: _hash, documentSignature: _signature, ...rest } = document as Record<string, unknown>
  return canonicalJson(rest)
}

/**
 * Escapes characters that programs drop or change, and those that a page would read as its own; only strings have them.
 */
export function escapeFragile(text: string): string {
  return text.replace(
    /[<\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}
