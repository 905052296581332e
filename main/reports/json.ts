import { z } from 'zod'
import type { Json } from '../../preload/contract/define.ts'
import { job as jobSchema, type Evidence, type Job } from '../../preload/contract/jobs.ts'
import { asMessage, message, type Message } from '../../preload/contract/messages.ts'
import type { Texts } from '../messages/texts.ts'
import { evidenceEntryType, evidenceOf } from '../store/evidence.ts'
import { canonicalJson, sealOf, sha256Hex, verifyChain, type JournalEntry } from '../store/seal.ts'
import { keepText, redactEntry, redactJob, type Redact } from './redact.ts'
import { formatLimits, formatStamp } from './values.ts'
import { judgeJob, sayStored, stepWord } from './words.ts'

/*
 * Form of the file: UTF-8 JSON, two spaces of indentation, LF, and always the same three last lines' form:
 *
 *   ...everything else...,
 *     "documentHash": "<64 lower-case hex digits>"
 *   }
 *
 * `documentHash` is the SHA-256 of every byte before the line that holds it. That line and the closing brace are
 * checked letter by letter, so no byte of the file, not even a space, can change without being noticed.
 *
 * What it proves: the file is as Fitter wrote it, and the log in it is unbroken from the job's start to its seal.
 * It is not a signature: whoever writes a whole new file can compute new hashes. The seal printed in the PDF report
 * and kept in the job log is what a doubtful file is held against.
 */
const tailStart = '  "documentHash": "'
const tailEnd = '"\n}\n'
const hashLength = 64
const tailLength = tailStart.length + hashLength + tailEnd.length

export const jsonReportFormat = 'fitter-job-report'
/** 1 had neither language, training mark nor texts. */
export const jsonReportVersion = 2

export interface JsonReportInput {
  job: Job
  /** The job's whole log, oldest first. */
  entries: readonly JournalEntry[]
  /** ISO 8601 UTC. */
  generatedAt: string
  appVersion: string
  texts: Texts
  isTraining: boolean
  redact?: Redact
}

export interface ReportCheck {
  ok: boolean
  /** One sentence each. With `ok` they are remarks, without it the first one says what is wrong. */
  findings: Message[]
}

const hash = z.string().regex(/^[0-9a-f]{64}$/)
// Not parsed further: a schema would drop keys such as `__proto__`, and the hash covers them.
const anyJson = z.custom<Json>((value) => value !== undefined)
const reportSchema = z.strictObject({
  format: z.literal(jsonReportFormat),
  version: z.union([z.literal(1), z.literal(jsonReportVersion)]),
  generatedAt: z.string(),
  appVersion: z.string(),
  /** The language of `texts`, and the time zone of the times in them. */
  language: z.string().optional(),
  timeZone: z.string().optional(),
  /** Practice with a simulated vehicle. */
  isTraining: z.boolean().optional(),
  /** What the job says, for whoever reads the file without Fitter; everything else in it is data. */
  texts: anyJson.optional(),
  job: jobSchema,
  log: z.array(
    z.strictObject({ seq: z.number(), at: z.string(), type: z.string(), stepId: z.string().nullable(), data: anyJson, hash })
  ),
  /** `seq` of log entries in which a secret was blacked out: their hashes are those of the original text. */
  redactedEntries: z.array(z.number()),
  seal: hash,
  documentHash: hash
})
type Report = z.infer<typeof reportSchema>

/**
 * The whole job with its log as one JSON file that can be checked without Fitter's data (`fitter job verify FILE`).
 * Throws TypeError when the job holds something that JSON cannot carry.
 */
export function makeJsonReport({ job, entries, generatedAt, appVersion, texts, isTraining, redact = keepText }: JsonReportInput): string {
  const clean = redactJob(job, redact)
  const log = entries.map((entry) => redactEntry(entry, redact))
  const document: Omit<Report, 'documentHash'> = {
    format: jsonReportFormat,
    version: jsonReportVersion,
    generatedAt,
    appVersion,
    language: texts.settings.language,
    timeZone: texts.settings.timeZone,
    isTraining,
    texts: textsOf(clean, texts, isTraining),
    job: clean,
    log,
    redactedEntries: log.filter((entry, index) => canonicalJson(entry) !== canonicalJson(entries[index])).map(({ seq }) => seq),
    seal: sealOf(job.id, entries)
  }
  const body = `${escapeFragile(JSON.stringify(document, null, 2)).replace(/\n\}$/, '')},\n`
  return `${body}${tailStart}${sha256Hex(body)}${tailEnd}`
}

/** The job in words, as the printed report has them. */
function textsOf(job: Job, texts: Texts, isTraining: boolean): Json {
  const verdict = judgeJob(job)
  return {
    title: texts.say(message('report.title', { kind: job.kind })),
    training: isTraining ? texts.say(message('report.trainingNote')) : null,
    headline: verdict.counts.map((count) => texts.say(count)).join(', '),
    verdict: verdict.sentences.map((sentence) => texts.say(sentence)).join(' '),
    started: formatStamp(job.createdAt, texts),
    lastChange: formatStamp(job.updatedAt, texts),
    steps: job.steps.map((step) => ({
      id: step.id,
      title: sayStored(step.title, texts),
      state: texts.say(stepWord(step).word),
      summary: sayStored(step.summary, texts),
      remedy: sayStored(step.remedy, texts),
      evidence: step.evidence.map((one) => ({ seq: one.seq, at: formatStamp(one.at, texts), what: sayStored(one.what, texts), limits: formatLimits(one.thresholds ?? {}, texts) }))
    }))
  }
}

/**
 * Writes characters that programs drop or swap without a word (byte order marks, replacement characters, direction
 * marks, line separators) as escapes. Only inside strings can they occur, so the value stays the same.
 */
function escapeFragile(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

/**
 * Checks a JSON report: every byte against the document hash, the log's hash chain from the job's id to the seal, and
 * the evidence of the steps against the log, both ways. Give the file's bytes where you have them.
 */
export function verifyJsonReport(file: string | Uint8Array): ReportCheck {
  const text = typeof file === 'string' ? file : decodeUtf8(file)
  if (text === undefined) return { ok: false, findings: [message('report.check.notText')] }
  const findings: Message[] = []
  const seal = checkDocumentHash(text)
  if (seal !== undefined) findings.push(seal)

  const report = readReport(text)
  if ('problem' in report) return { ok: false, findings: [...findings, report.problem] }
  findings.push(...checkLog(report), ...checkEvidence(report))
  if (findings.length > 0) return { ok: false, findings }
  return { ok: true, findings: remarks(report) }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function checkDocumentHash(text: string): Message | undefined {
  const body = text.slice(0, -tailLength)
  const tail = text.slice(-tailLength)
  const stated = tail.slice(tailStart.length, -tailEnd.length)
  if (tail !== `${tailStart}${stated}${tailEnd}` || !/^[0-9a-f]{64}$/.test(stated)) {
    return message('report.check.noHash')
  }
  // A lone surrogate has no UTF-8 form, and hashing would swap it silently.
  if (!body.isWellFormed() || sha256Hex(body) !== stated) return message('report.check.changed')
  return undefined
}

function readReport(text: string): Report | { problem: Message } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: message('report.check.notJson') }
    throw error
  }
  const parsed = reportSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  return { problem: message('report.check.notReport', { version: jsonReportVersion, field: issue?.path.join('.') || message('report.check.document') }) }
}

function checkLog({ job, log, redactedEntries, seal }: Report): Message[] {
  const findings: Message[] = []
  const chain = verifyChain(job.id, log, new Set(redactedEntries))
  if (!chain.ok) findings.push(message('report.check.broken', { entry: chain.at, why: asMessage(chain.why) }))
  if (seal !== sealOf(job.id, log)) findings.push(message('report.check.cutLog'))
  if (job.seal !== seal) findings.push(message('report.check.otherMoment'))
  return findings
}

function checkEvidence({ job, log }: Report): Message[] {
  const findings: Message[] = []
  const logged = new Map<string, JournalEntry>(log.filter((entry) => entry.type === evidenceEntryType).map((entry) => [entry.hash, entry]))
  for (const step of job.steps) {
    for (const one of step.evidence) {
      const entry = logged.get(one.hash)
      if (!entry) findings.push(message('report.check.notInLog', { step: asMessage(step.title), entry: one.seq }))
      else if (entry.stepId !== step.id || !isSame(one, evidenceOf(entry))) {
        findings.push(message('report.check.differs', { step: asMessage(step.title), entry: one.seq }))
      }
      logged.delete(one.hash)
    }
  }
  for (const entry of logged.values()) findings.push(message('report.check.notShown', { entry: entry.seq }))
  return findings
}

function isSame(one: Evidence, other: Evidence | undefined): boolean {
  return other !== undefined && canonicalJson(one) === canonicalJson(other)
}

function remarks({ redactedEntries }: Report): Message[] {
  if (redactedEntries.length === 0) return []
  return [message('report.check.blackedOut', { n: redactedEntries.length, entries: redactedEntries.map(String) })]
}
