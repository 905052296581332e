import type { Evidence, Job } from '../../preload/contract/jobs.ts'
import { asMessage, message, type Message } from '../../preload/contract/messages.ts'
import { readJob } from '../jobs/journal.ts'
import { evidenceEntryType, evidenceOf } from '../store/evidence.ts'
import { canonicalJson, sealOf, sha256Hex, verifyChain, type JournalEntry } from '../store/seal.ts'
import { checkSeals, fingerprintOf, isSignedBy, signedAlgorithm, type SealState } from '../store/signature.ts'
import { documentText, jsonReportVersion, reportSchema, tailEnd, tailStart, type JsonReport } from './json.ts'
import { openSealPage } from './sealPage.ts'

const tailLength = tailStart.length + 64 + tailEnd.length

export interface ReportCheck {
  ok: boolean
  /** One sentence each. With `ok` they are remarks, without it the first one says what is wrong. */
  findings: Message[]
  /** What stands under the log; null for a file that is no report. */
  seal: ReportSeal | null
}

export interface ReportSeal {
  /** `none`: not signed off yet, or written by a version that had no seals. */
  kind: SealState['kind']
  /** The last hash of the log, as it is printed on the report. */
  hash: string
  at: string | null
  /** Of the key; null where nothing was signed. */
  fingerprint: string | null
  /** Whether the key was ever used here; null where that cannot be said. */
  isKnown: boolean | null
}

export interface VerifyOptions {
  /** Public keys that seal work on this computer; left out where they cannot be read. */
  knownKeys?: readonly string[] | undefined
}

/**
 * Checks a JSON report, or the page that carries one: every byte against the document hash, the log's hash chain from the
 * job's id to the seal, the signatures, the job against its log, the evidence of the steps against the log, both ways, and
 * the pictures. Give the file's bytes where you have them.
 */
export function verifyJsonReport(file: string | Uint8Array, options: VerifyOptions = {}): ReportCheck {
  const whole = typeof file === 'string' ? file : decodeUtf8(file)
  if (whole === undefined) return { ok: false, findings: [message('report.check.notText')], seal: null }
  const page = openSealPage(whole)
  const text = page?.report ?? whole
  const findings: Message[] = []
  const hash = checkDocumentHash(text)
  if (hash !== undefined) findings.push(hash)

  const read = readReport(text)
  if ('problem' in read) return { ok: false, findings: [...findings, read.problem], seal: null }
  const { report, raw } = read
  const seals = checkSeals(report.job.id, report.log)
  findings.push(...checkLog(report), ...checkSealFaults(seals), ...checkDocumentSignature(report, raw, seals, options), ...checkJob(report), ...checkEvidence(report), ...checkPictures(report))
  const seal = sealSeen(report, seals, options)
  if (findings.length > 0) return { ok: false, findings, seal }
  return { ok: true, findings: [...remarks(report), ...sealRemarks(seals, seal), ...(page?.isOurs === false ? [message('report.check.otherPage')] : [])], seal }
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

/** `raw` is the file as it stands: the schema turns sentences of earlier versions into messages. */
function readReport(text: string): { report: JsonReport; raw: object } | { problem: Message } {
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
  return { problem: message('report.check.notReport', { version: jsonReportVersion, field: issue?.path.join('.') || message('report.check.document') }) }
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

/** A job that says otherwise than its own log: what a person reads was changed, and not what was sealed. */
function checkJob({ job, log, redactedEntries }: JsonReport): Message[] {
  if (log[0]?.type !== 'jobCreated') return []
  let told: Job | undefined
  try {
    told = { ...readJob(job.id, log), operations: [] }
  } catch {
    // What was blacked out may have been needed to read it.
    return redactedEntries.length > 0 ? [] : [message('report.check.logUnreadable')]
  }
  const findings: Message[] = []
  const of = ({ kind, state, template, device, vehicle, vehicleText, customer, technician, createdAt }: Job) =>
    ({ kind, state, template, device, vehicle: vehicle && { id: vehicle.id, name: vehicle.name }, vehicleText, customer, technician, createdAt }) as const
  const [shown, logged] = [of(job), of(told)]
  for (const field of Object.keys(shown) as (keyof typeof shown)[]) {
    if (canonicalJson(shown[field]) !== canonicalJson(logged[field])) findings.push(message('report.check.jobDiffers', { field }))
  }
  const steps = new Map(told.steps.map((step) => [step.id, step]))
  for (const step of job.steps) {
    const before = steps.get(step.id)
    if (!before || canonicalJson(stepFacts(step)) !== canonicalJson(stepFacts(before))) findings.push(message('report.check.stepDiffers', { step: asMessage(step.title) }))
  }
  if (job.steps.length < told.steps.length) findings.push(message('report.check.stepMissing', { n: told.steps.length - job.steps.length }))
  return findings
}

function stepFacts({ id, kind, title, state, witness, attempts, summary, remedy, waiver, isSent, startedAt, durationMs }: Job['steps'][number]) {
  return { id, kind, title, state, witness, attempts, summary, remedy, waiver, isSent: isSent ?? false, startedAt, durationMs }
}

function checkSealFaults({ faults }: SealState): Message[] {
  return faults.map((one) => {
    if (one.fault === 'addedAfterSeal') return message('report.check.addedAfterSeal', { n: one.n })
    if (one.fault === 'noSeal') return message('report.check.noSeal')
    return message(`report.check.${one.fault}`, { entry: one.entry })
  })
}

/** The words of the file stand under its own signature; its key has to be that of the seal, or one of this computer. */
function checkDocumentSignature(report: JsonReport, raw: object, seals: SealState, { knownKeys = [] }: VerifyOptions): Message[] {
  const { documentSignature: signed, version } = report
  // A version that signed no document wrote no seal either.
  if (version < 3 && seals.kind === 'none') return []
  if (!signed) return [message('report.check.noDocumentSignature')]
  if (signed.algorithm !== signedAlgorithm) return seals.kind === 'signed' ? [message('report.check.noDocumentSignature')] : []
  if (!isSignedBy(documentText(raw), signed.publicKey, signed.signature)) return [message('report.check.wrongDocumentSignature')]
  const isSealKey = seals.fingerprints.length === 0 || seals.fingerprints.includes(fingerprintOf(signed.publicKey))
  return isSealKey || knownKeys.includes(signed.publicKey) ? [] : [message('report.check.otherKey', { fingerprint: shortFingerprint(fingerprintOf(signed.publicKey)) })]
}

/** Each picture against its own hash, and against the log: one that nobody kept is not shown, one that was kept is there. */
function checkPictures({ pictures = [], log }: JsonReport): Message[] {
  const findings: Message[] = []
  const kept = new Map(log.filter(({ type }) => type === 'attached').map(({ seq, data }) => [String((data as { reportSha256?: unknown } | null)?.reportSha256), seq]))
  for (const { sha256, base64 } of pictures) {
    if (sha256Hex(Buffer.from(base64, 'base64')) !== sha256 || !kept.has(sha256)) findings.push(message('report.check.otherPicture', { hash: sha256.slice(0, 16) }))
  }
  return findings
}

function sealSeen({ seal, documentSignature }: JsonReport, { kind, at, fingerprints }: SealState, { knownKeys }: VerifyOptions): ReportSeal {
  const fingerprint = fingerprints[0] ?? (documentSignature?.publicKey ? fingerprintOf(documentSignature.publicKey) : null)
  const isKnown = fingerprint === null || knownKeys === undefined ? null : knownKeys.some((key) => fingerprintOf(key) === fingerprint)
  return { kind, hash: seal, at, fingerprint, isKnown }
}

/** The first half of a fingerprint in groups, as it is printed. */
export function shortFingerprint(fingerprint: string): string {
  return (fingerprint.slice(0, 32).match(/.{4}/g) ?? []).join(' ')
}

function sealRemarks({ kind, open }: SealState, { fingerprint, isKnown }: ReportSeal): Message[] {
  const key = fingerprint === null ? '' : shortFingerprint(fingerprint)
  if (kind === 'none') return [message('report.check.unsealed')]
  if (kind === 'hashOnly') return [message('report.check.hashOnly')]
  return [
    message(isKnown === true ? 'report.check.keyKnown' : isKnown === false ? 'report.check.keyUnknown' : 'report.check.keyNotLookedUp', { fingerprint: key }),
    ...(open > 0 ? [message('report.check.openAfterSeal', { n: open })] : [])
  ]
}

function isSame(one: Evidence, other: Evidence | undefined): boolean {
  return other !== undefined && canonicalJson(one) === canonicalJson(other)
}

function remarks({ redactedEntries }: JsonReport): Message[] {
  if (redactedEntries.length === 0) return []
  return [message('report.check.blackedOut', { n: redactedEntries.length, entries: redactedEntries.map(String) })]
}
