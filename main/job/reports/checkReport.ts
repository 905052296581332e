import type { Evidence, Job } from '../../../preload/contract/job/jobs.ts'
import { asMessage, message, type Message } from '../../../preload/contract/messages.ts'
import { plainJson } from '../jobs/record/journal.ts'
import { checkForm } from '../../base/reading/checkJson.ts'
import { evidenceEntryType, evidenceOf } from '../../data/store/jobs/evidence.ts'
import { canonicalJson, sealOf, sha256Hex, verifyChain, type JournalEntry } from '../../data/store/jobs/seal.ts'
import { fillersOf } from '../../data/store/jobs/sealedFields.ts'
import {
  checkSeals,
  fingerprintOf,
  isSignedBy,
  sealedEntryType,
  signedAlgorithm,
  type SealState
} from '../../data/store/jobs/signature.ts'
import { readBase64 } from '../../data/store/jobs/strictBase64.ts'
import {
  documentText,
  escapeFragile,
  jobOfLog,
  jsonReportVersion,
  reportSchema,
  tailEnd,
  tailStart,
  type JsonReport
} from './reportForm.ts'

/*
 * The one check of a report: `fitter job verify` runs it, and so does the page beside a report
 * (main/job/reports/pageScript/page.ts).
 * It needs neither Node nor a browser, except for main/data/store/jobs/hashing.ts.
 */

const tailLength = tailStart.length + 64 + tailEnd.length

/** What a report is, from what proves most to what proves nothing. */
export type ReportVerdict = 'knownKey' | 'unknownKey' | 'hashesOnly' | 'notSealed' | 'changed'

export interface ReportCheck {
  /** Nothing in it was changed, as far as its kind of seal can show; `verdict` says how far that is. */
  ok: boolean
  verdict: ReportVerdict
  /** One sentence each. With `ok` they are remarks, without it the first one says what is wrong. */
  findings: Message[]
  /** The seal of the log; null for a file that is no report. */
  seal: ReportSeal | null
}

export interface ReportSeal {
  /** `none`: not signed off yet, or written by a version that had no seals. */
  kind: SealState['kind']
  hash: string
  at: string | null
  /** Of the key; null without a signature. */
  fingerprint: string | null
  /** Whether the key was ever used here; null if that is unknown. */
  isKnown: boolean | null
}

export interface VerifyOptions {
  /** Public keys that seal work on this computer; omitted if they cannot be read. */
  knownKeys?: readonly string[] | undefined
}

/** What the file is, in one sentence. */
export function sayVerdict({ verdict, seal }: ReportCheck): Message {
  if (verdict !== 'knownKey' && verdict !== 'unknownKey') return message(`report.verdict.${verdict}`)
  return message(`report.verdict.${verdict}`, { fingerprint: shortFingerprint(seal?.fingerprint ?? '') })
}

/**
 * Checks the text of a JSON report: every letter against the document hash and against the only way in which Fitter
 * writes such a file, the log's hash chain from the job's creation to the seal, the signatures, the job against its
 * log, the evidence of the steps against the log, both ways, and the pictures.
 */
export function checkReport(text: string, options: VerifyOptions = {}): ReportCheck {
  const hash = checkDocumentHash(text)
  const findings = hash === undefined ? [] : [hash]
  const read = readReport(text)
  if ('problem' in read) return changed([...findings, read.problem])
  const { report, raw } = read
  // Nothing else can be said about values that a reader may see otherwise than they are hashed.
  if (!isWrittenOnlySo(text, raw))
    return changed(hash === undefined ? [message('report.check.otherSpelling')] : findings)
  const redactions = new Map((report.redactions ?? []).map((one) => [one.seq, one]))
  const seals = checkSeals(report.job.id, report.log, redactions)
  const all = [
    findings,
    checkLog(report),
    checkSealFaults(seals),
    checkCreation(report, seals),
    checkRedactions(report, seals),
    checkDocumentSignature(report, raw, seals)
  ]
  all.push(
    isOnlySealed(report, seals) ? checkOnlySealed(report, seals) : [],
    checkJob(report, raw, seals),
    checkPractice(report),
    checkEvidence(report),
    checkPictures(report)
  )
  const seal = sealSeen(report, seals, options)
  const found = all.flat()
  if (found.length > 0) return changed(found, seal)
  return {
    ok: true,
    verdict: verdictOf(seal),
    findings: [...remarks(report, seals), ...sealRemarks(seals, seal)],
    seal
  }
}

/** Whether a file is whole, letter by letter, whoever wrote it. */
export function isUnbroken(text: string): boolean {
  return checkDocumentHash(text) === undefined
}

/** A file that is not as it was written. */
export function changed(findings: Message[], seal: ReportSeal | null = null): ReportCheck {
  return { ok: false, verdict: 'changed', findings, seal }
}

function verdictOf({ kind, isKnown }: ReportSeal): ReportVerdict {
  if (kind === 'none') return 'notSealed'
  if (kind === 'hashOnly') return 'hashesOnly'
  return isKnown === true ? 'knownKey' : 'unknownKey'
}

/**
 * A key that occurs twice, a number such as 11.0 or a text with other escapes would show something that was never
 * hashed.
 */
function isWrittenOnlySo(text: string, raw: object): boolean {
  return escapeFragile(text) === `${escapeFragile(JSON.stringify(raw, null, 2))}\n`
}

/** Fitter writes no file that is nested deeper, and no program follows every depth. */
const deepest = 300

function checkDocumentHash(text: string): Message | undefined {
  const body = text.slice(0, -tailLength)
  const tail = text.slice(-tailLength)
  const stated = tail.slice(tailStart.length, -tailEnd.length)
  if (tail !== `${tailStart}${stated}${tailEnd}` || /[^0-9a-f]/.test(stated)) {
    return message('report.check.noHash')
  }
  // A lone surrogate has no UTF-8 form, and hashing would swap it silently.
  if (!body.isWellFormed() || sha256Hex(body) !== stated) return message('report.check.changed')
  return undefined
}

/** `raw` is the file as it was written: the schema turns sentences of earlier versions into messages. */
function readReport(text: string): { report: JsonReport; raw: object } | { problem: Message } {
  if (checkForm(text, { depth: deepest, containers: Infinity }) !== 'bearable')
    return { problem: message('report.check.tooDeep') }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: message('report.check.notJson') }
    throw error
  }
  const parsed = reportSchema.safeParse(value)
  if (parsed.success) return { report: parsed.data, raw: value as object }
  const issue = parsed.error.issues[0]
  return {
    problem: message('report.check.notReport', {
      version: jsonReportVersion,
      field: issue?.path.join('.') || message('report.check.document')
    })
  }
}

function checkLog({ job, log, redactedEntries, seal }: JsonReport): Message[] {
  const findings: Message[] = []
  const chain = verifyChain(job.id, log, new Set(redactedEntries))
  if (!chain.ok) findings.push(message('report.check.broken', { entry: chain.at, why: asMessage(chain.why) }))
  if (seal !== sealOf(job.id, log)) findings.push(message('report.check.cutLog'))
  if (job.seal !== seal) findings.push(message('report.check.otherMoment'))
  return findings
}

function checkEvidence({ job, log }: JsonReport): Message[] {
  const findings: Message[] = []
  const logged = new Map<string, JournalEntry>(
    log.filter((entry) => entry.type === evidenceEntryType).map((entry) => [entry.hash, entry])
  )
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

/** The first entry of a sealed log creates the job, and no other one does. */
function checkCreation({ log }: JsonReport, { kind }: SealState): Message[] {
  const created = log.flatMap(({ type }, index) => (type === 'jobCreated' ? [index] : []))
  const isFine = kind === 'none' ? created.every((index) => index === 0) : created.length === 1 && created[0] === 0
  return isFine ? [] : [message('report.check.notCreated')]
}

/** What decides is never blacked out, and whatever is blacked out is confirmed by its salted hash under the seal. */
function checkRedactions(
  { version, log, redactedEntries, redactions = [], documentSignature }: JsonReport,
  seals: SealState
): Message[] {
  const hidden = new Set(redactedEntries)
  const proved = new Set(redactions.map(({ seq }) => seq))
  const findings: Message[] = []
  const isListed =
    redactions.every(({ seq }) => hidden.has(seq)) &&
    proved.size === redactions.length &&
    hidden.size === redactedEntries.length
  const written = new Set(log.map(({ seq }) => seq))
  if (!isListed || redactedEntries.some((seq) => !written.has(seq)))
    findings.push(message('report.check.otherRedactions'))
  // Earlier versions blacked out any text; what they wrote is covered by the signature of the document, or by nothing.
  if (version < jsonReportVersion && (seals.kind !== 'signed' || documentSignature?.publicKey === seals.publicKey)) {
    return seals.proved > 0 && hidden.size > 0 ? [...findings, message('report.check.otherRedactions')] : findings
  }
  for (const [index, { seq, type }] of log.entries()) {
    if (!hidden.has(seq)) continue
    if (!proved.has(seq) || !fillersOf(type)) findings.push(message('report.check.decisionBlackedOut', { entry: seq }))
    else if (seals.kind === 'signed' && index >= seals.proved && documentSignature?.publicKey !== seals.publicKey)
      findings.push(message('report.check.blackedOutUnproved', { entry: seq }))
  }
  return findings
}

/** Differences between the job and its own log: somebody changed what a person reads, not what was sealed. */
function checkJob(
  { version, job, log, redactedEntries, documentSignature }: JsonReport,
  raw: { job?: unknown },
  seals: SealState
): Message[] {
  if (log[0]?.type !== 'jobCreated') return []
  const fromLog = jobOfLog(job.id, log)
  // An earlier version may have blacked out what is needed to read it.
  if (!fromLog)
    return version < jsonReportVersion && redactedEntries.length > 0 ? [] : [message('report.check.logUnreadable')]
  if (version < jsonReportVersion) return checkEarlierJob(job, fromLog)
  const logged = plainJson({ ...fromLog, operations: [] }) as Record<string, unknown>
  const { steps: loggedSteps, ...loggedFields } = logged as Record<string, unknown> & { steps: unknown[] }
  const { steps, ...shown } = raw.job as Record<string, unknown> & { steps: unknown[] }
  // Gateway work, who has the job now and damage are not in the log: the signature of the document covers them.
  const beside = new Set(isOnlySealed({ documentSignature }, seals) ? [] : ['operations', 'handedOver', 'damage'])
  const fields = new Set([...Object.keys(shown), ...Object.keys(loggedFields)])
  const findings = [...fields]
    .filter((field) => !beside.has(field) && !isShown(shown, loggedFields, field))
    .map((field) => message('report.check.jobDiffers', { field }))
  for (const [index, step] of steps.entries()) {
    if (index >= loggedSteps.length || canonicalJson(step) !== canonicalJson(loggedSteps[index]))
      findings.push(message('report.check.stepDiffers', { step: asMessage(job.steps[index]?.title ?? '') }))
  }
  if (steps.length < loggedSteps.length)
    findings.push(message('report.check.stepMissing', { n: loggedSteps.length - steps.length }))
  return findings
}

/** A version of Fitter that reads more from a log must write another version of report. */
function isShown(shown: Record<string, unknown>, logged: Record<string, unknown>, field: string): boolean {
  if (!Object.hasOwn(logged, field)) return false
  return canonicalJson(Object.hasOwn(shown, field) ? shown[field] : null) === canonicalJson(logged[field])
}

/** Versions up to 3 wrote redacted texts of their own into the job; the facts were the same. */
function checkEarlierJob(job: Job, fromLog: Omit<Job, 'operations'>): Message[] {
  const findings: Message[] = []
  const of = ({
    kind,
    state,
    template,
    device,
    vehicle,
    vehicleText,
    customer,
    technician,
    createdAt
  }: Omit<Job, 'operations'>) =>
    ({
      kind,
      state,
      template,
      device,
      vehicle: vehicle && { id: vehicle.id, name: vehicle.name },
      vehicleText,
      customer,
      technician,
      createdAt
    }) as const
  const [shown, logged] = [of(job), of(fromLog)]
  for (const field of Object.keys(shown) as (keyof typeof shown)[]) {
    if (canonicalJson(shown[field]) !== canonicalJson(logged[field]))
      findings.push(message('report.check.jobDiffers', { field }))
  }
  const steps = new Map(fromLog.steps.map((step) => [step.id, step]))
  for (const step of job.steps) {
    const before = steps.get(step.id)
    if (!before || canonicalJson(stepFacts(step)) !== canonicalJson(stepFacts(before)))
      findings.push(message('report.check.stepDiffers', { step: asMessage(step.title) }))
  }
  if (job.steps.length < fromLog.steps.length)
    findings.push(message('report.check.stepMissing', { n: fromLog.steps.length - job.steps.length }))
  return findings
}

function stepFacts({
  id,
  kind,
  title,
  state,
  witness,
  attempts,
  summary,
  remedy,
  waiver,
  isSent,
  startedAt,
  durationMs
}: Job['steps'][number]) {
  return {
    id,
    kind,
    title,
    state,
    witness,
    attempts,
    summary,
    remedy,
    waiver,
    isSent: isSent ?? false,
    startedAt,
    durationMs
  }
}

function checkSealFaults({ faults }: SealState): Message[] {
  return faults.map((one) => {
    if (one.fault === 'addedAfterSeal') return message('report.check.addedAfterSeal', { n: one.n })
    if (one.fault === 'noSeal') return message('report.check.noSeal')
    return message(`report.check.${one.fault}`, { entry: one.entry })
  })
}

/** One key counts, that of the last seal. Without its signature a report may show only what the seal covers. */
function checkDocumentSignature(
  { version, documentSignature: signed, texts, job }: JsonReport,
  raw: object,
  seals: SealState
): Message[] {
  // A version that signed no document wrote no seal either.
  if (version < 3 && seals.kind === 'none') return []
  if (!signed) return [message('report.check.noDocumentSignature')]
  if (signed.algorithm !== signedAlgorithm) {
    const isCovered =
      version >= jsonReportVersion && texts === undefined && job.operations.length === 0 && seals.open === 0
    return seals.kind === 'signed' && !isCovered ? [message('report.check.noDocumentSignature')] : []
  }
  if (!isSignedBy(documentText(raw), signed.publicKey, signed.signature))
    return [message('report.check.wrongDocumentSignature')]
  return seals.kind !== 'signed' || seals.publicKey === signed.publicKey
    ? []
    : [message('report.check.otherKey', { fingerprint: shortFingerprint(fingerprintOf(signed.publicKey)) })]
}

/** A report whose seal is signed, and which the key of its seal did not sign as a whole. */
function isOnlySealed({ documentSignature }: Pick<JsonReport, 'documentSignature'>, { kind }: SealState): boolean {
  return kind === 'signed' && documentSignature?.algorithm !== signedAlgorithm
}

/** The form of what no seal covers: it has no room for words. */
const uncovered: Record<'generatedAt' | 'appVersion' | 'language' | 'timeZone', (value: string) => boolean> = {
  generatedAt: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  appVersion: (value) => /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[a-z]{1,5}\.?\d{1,6})?$/.test(value),
  language: (value) => /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2}|-\d{3})?$/.test(value),
  timeZone: isTimeZone
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

/** Nothing covers the entry of the last seal but what it signed itself, and nothing at all what follows it. */
function checkOnlySealed(report: JsonReport, seals: SealState): Message[] {
  const { log } = report
  const last = log.findLastIndex(({ type }) => type === sealedEntryType)
  const entry = log[last]
  const after = log.length - 1 - last
  return [
    ...(after > 0 ? [message('report.check.addedAfterSeal', { n: after })] : []),
    ...(entry && entry.at !== seals.at ? [message('report.check.sealChanged', { entry: entry.seq })] : []),
    ...Object.entries(uncovered).flatMap(([field, isOfForm]) => {
      const value = report[field as keyof typeof uncovered]
      return value === undefined || isOfForm(value)
        ? []
        : [message('report.check.notReport', { version: jsonReportVersion, field })]
    })
  ]
}

/** Whether it was practice is in the first entry of the log; earlier versions wrote it beside the log alone. */
function checkPractice({ log, isTraining = false }: JsonReport): Message[] {
  const logged = loggedPractice(log)
  return logged === undefined || logged === isTraining
    ? []
    : [message('report.check.jobDiffers', { field: 'isTraining' })]
}

function loggedPractice([created]: JsonReport['log']): boolean | undefined {
  const data = created?.type === 'jobCreated' ? (created.data as { isTraining?: unknown } | null) : null
  return typeof data?.isTraining === 'boolean' ? data.isTraining : undefined
}

/** Each picture against its own hash, and against the log, which must name it, in this order. */
function checkPictures({ pictures = [], log }: JsonReport): Message[] {
  const attached = attachedIn(log)
  let from = 0
  return pictures.flatMap(({ sha256, base64, mediaType }) => {
    const at = attached.indexOf(sha256, from)
    const bytes = readBase64(base64)
    if (at >= 0) from = at + 1
    // In a report every picture is a JPEG, whatever it was before.
    return at >= 0 && mediaType === 'image/jpeg' && bytes && sha256Hex(bytes) === sha256
      ? []
      : [message('report.check.otherPicture', { hash: sha256.slice(0, 16) })]
  })
}

/** The hashes of the pictures that a report can show, in the order of the log. */
function attachedIn(log: JsonReport['log']): unknown[] {
  return log
    .filter(({ type }) => type === 'attached')
    .map(({ data }) => (data as { reportSha256?: unknown } | null)?.reportSha256)
}

function sealSeen({ seal }: JsonReport, { kind, at, publicKey }: SealState, { knownKeys }: VerifyOptions): ReportSeal {
  const isKnown = publicKey === null || knownKeys === undefined ? null : knownKeys.includes(publicKey)
  return { kind, hash: seal, at, fingerprint: publicKey === null ? null : fingerprintOf(publicKey), isKnown }
}

/** The first half of a fingerprint in groups, as it is printed. */
export function shortFingerprint(fingerprint: string): string {
  return (fingerprint.slice(0, 32).match(/.{4}/g) ?? []).join(' ')
}

function sealRemarks({ kind, open }: SealState, { isKnown }: ReportSeal): Message[] {
  if (kind === 'none') return [message('report.check.unsealed')]
  return [
    ...(kind === 'signed' && isKnown === null ? [message('report.check.keyNotLookedUp')] : []),
    ...(open > 0 ? [message('report.check.openAfterSeal', { n: open })] : [])
  ]
}

function isSame(one: Evidence, other: Evidence | undefined): boolean {
  return other !== undefined && canonicalJson(one) === canonicalJson(other)
}

/** What a reader must know of a report that holds. */
function remarks(
  { version, redactedEntries, documentSignature, isTraining = false, pictures = [], log }: JsonReport,
  seals: SealState
): Message[] {
  const { kind, proved } = seals
  const n = redactedEntries.length
  const isByAnother = isOnlySealed({ documentSignature }, seals)
  const by = kind !== 'signed' ? 'anyone' : isByAnother ? 'other' : 'sealer'
  const leftOut = attachedIn(log).length - pictures.length
  return [
    ...(isTraining ? [message('report.check.training')] : []),
    ...(isByAnother ? [message('report.check.otherWriter')] : []),
    ...(isByAnother && loggedPractice(log) === undefined ? [message('report.check.practiceUnproved')] : []),
    ...(n === 0
      ? []
      : [
          message(proved > 0 ? 'report.check.blackedOut' : 'report.check.blackedOutEarlier', {
            n,
            entries: redactedEntries.map(String),
            by
          })
        ]),
    ...(leftOut > 0 ? [message('report.check.picturesLeftOut', { n: leftOut })] : []),
    ...((version < jsonReportVersion || proved === 0) && kind !== 'none' ? [message('report.check.earlierSeal')] : [])
  ]
}
