import type { Json } from '../../../preload/contract/define.ts'
import type { Evidence, Job } from '../../../preload/contract/job/jobs.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Texts } from '../../base/messages/texts.ts'
import { evidenceOf } from '../../data/store/jobs/evidence.ts'
import { sealOf, sha256Hex, type JournalEntry } from '../../data/store/jobs/seal.ts'
import { isMoveType, sealedEntryType, unsigned, type Signature } from '../../data/store/jobs/signature.ts'
import { keepText, redactJob, redactLog, type Redact } from './redact.ts'
import {
  documentText,
  escapeFragile,
  jobOfLog,
  jsonReportFormat,
  jsonReportVersion,
  tailEnd,
  tailStart,
  type ReportPicture
} from './reportForm.ts'
import { formatLimits, formatStamp } from './values.ts'
import { judgeJob, sayStored, stepWord } from './stateTexts.ts'

export interface JsonReportInput {
  job: Job
  /** The job's whole log, oldest first. */
  entries: readonly JournalEntry[]
  /** ISO 8601 UTC. */
  generatedAt: string
  appVersion: string
  texts: Texts
  isTraining: boolean
  /** The pictures of the printed report. */
  pictures?: readonly ReportPicture[]
  /** Signs a text; without it only hashes protect the file. */
  sign?(text: string): Promise<Signature>
  redact?: Redact
}

/** The complete job with its log as JSON that `fitter job verify` checks. TypeError for what JSON cannot represent. */
export async function makeJsonReport({
  job,
  entries,
  generatedAt,
  appVersion,
  texts,
  isTraining,
  pictures = [],
  sign,
  redact = keepText
}: JsonReportInput): Promise<string> {
  const { entries: log, redactions, unproved } = redactLog(entries, redact)
  const clean = { ...jobShown(job, log, redact), operations: redactJob(job, redact).operations }
  const key = sealKeyOf(entries)
  const document = {
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
    redactedEntries: [...redactions.map(({ seq }) => seq), ...unproved].sort((a, b) => a - b),
    redactions,
    seal: sealOf(job.id, entries),
    pictures: [...pictures]
  }
  const signature = (await sign?.(documentText(document))) ?? unsigned
  const isOfSeal = key === undefined || signature.publicKey === key
  const shown = isOfSeal ? document : onlySealed(document)
  const documentSignature = isOfSeal ? signature : unsigned
  const body = `${escapeFragile(JSON.stringify({ ...shown, documentSignature }, null, 2)).replace(/\n\}$/, '')},\n`
  return `${body}${tailStart}${sha256Hex(body)}${tailEnd}`
}

/**
 * What the seal covers: no sentences, no gateway work, and the log without the moves of the job after its last seal.
 */
function onlySealed<Document extends { texts: Json; job: Job; log: JournalEntry[]; seal: string }>({
  texts: _texts,
  ...document
}: Document): object {
  const { job, log } = document
  const end = log.findLastIndex(({ type }) => type === sealedEntryType) + 1
  const sealed = log.slice(end).every(({ type }) => isMoveType(type)) ? log.slice(0, end) : log
  return {
    ...document,
    log: sealed,
    seal: sealOf(job.id, sealed),
    job: { ...(jobOfLog(job.id, sealed) ?? job), operations: [] }
  }
}

/** The job from the shown log; a job with another kind of log unchanged, with the shown evidence. */
function jobShown(job: Job, log: readonly JournalEntry[], redact: Redact): Job {
  const fromLog = jobOfLog(job.id, log)
  if (fromLog)
    return {
      ...fromLog,
      operations: [],
      ...(job.handedOver ? { handedOver: job.handedOver } : {}),
      ...(job.damage ? { damage: job.damage } : {})
    }
  const seen = new Map(log.map((entry) => [entry.hash, entry]))
  const shown = (one: Evidence): Evidence => evidenceOf(seen.get(one.hash)) ?? one
  const clean = redactJob(job, redact)
  return {
    ...clean,
    steps: clean.steps.map((step, index) => ({ ...step, evidence: (job.steps[index]?.evidence ?? []).map(shown) }))
  }
}

/** The key of the last seal; undefined without a signed one. */
function sealKeyOf(log: readonly JournalEntry[]): string | undefined {
  const seal = log.findLast(({ type }) => type === sealedEntryType)?.data as { publicKey?: string | null } | undefined
  return seal?.publicKey ?? undefined
}

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
      evidence: step.evidence.map((one) => ({
        seq: one.seq,
        at: formatStamp(one.at, texts),
        what: sayStored(one.what, texts),
        limits: formatLimits(one.thresholds ?? {}, texts)
      }))
    }))
  }
}
