import type { Json } from '../../../preload/contract/define.ts'
import type { Evidence, Job, Step, StepResult } from '../../../preload/contract/job/jobs.ts'
import type { InputProof, SeenRow } from '../../../preload/contract/job/jobSeen.ts'
import { canonicalJson, type JournalEntry } from '../../data/store/jobs/seal.ts'
import { fillersOf, leaveOut, type Redaction } from '../../data/store/jobs/sealedFields.ts'
import { sealedEntryType } from '../../data/store/jobs/signature.ts'

/** Blacks out secrets in a text; returns the same text without any. */
export type Redact = (text: string) => string

/** The function that leaves every text as it is. */
export const keepText: Redact = (text) => text

export function shortenText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)} […]` : text
}

/**
 * Applies `redact` to every string and every key of a JSON value. Keys that become equal are numbered, none is lost.
 */
export function redactJson(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact))
  if (value === null || typeof value !== 'object') return value
  const members = new Map<string, Json>()
  for (const [key, member] of Object.entries(value)) {
    const clean = redact(key)
    let name = clean
    for (let count = 2; members.has(name); count++) name = `${clean} (${count})`
    members.set(name, redactJson(member, redact))
  }
  return Object.fromEntries(members)
}

/** A sentence, the values of a message (its id is ours), or a list of them. */
function redactValue(value: Json, redact: Redact): Json {
  if (Array.isArray(value)) return value.map((one) => redactValue(one, redact))
  if (value === null) return value
  if (typeof value === 'string') return redact(value)
  const { id, values } = value as { id: string; values: Json }
  return { id, values: redactJson(values, redact) }
}

/**
 * A copy of the job with every free text redacted; the job's id, hashes and closed lists stay, so that it can be
 * verified.
 */
export function redactJob(job: Job, redact: Redact): Job {
  return {
    ...redactFields(job, ['vehicleText', 'customer', 'technician'], redact),
    template: redactFields(job.template, ['id', 'name'], redact),
    profile: redactFields(job.profile, ['id', 'name'], redact),
    device: redactFields(job.device, ['imei', 'model', 'address'], redact),
    vehicle: job.vehicle && redactFields(job.vehicle, ['name', 'plate'], redact),
    steps: job.steps.map((step) => redactStep(step, redact)),
    operations: job.operations.map((operation) => redactFields(operation, ['id', 'kind', 'state'], redact))
  }
}

/** The same object with these of its texts redacted: each a sentence, a message or a list of them. */
function redactFields<Fields extends object>(fields: Fields, names: readonly (keyof Fields)[], redact: Redact): Fields {
  const present = names.filter((name) => fields[name] !== undefined)
  return {
    ...fields,
    ...Object.fromEntries(present.map((name) => [name, redactValue(fields[name] as unknown as Json, redact)]))
  }
}

function redactStep(step: Step, redact: Redact): Step {
  return {
    ...redactFields(
      step,
      ['id', 'title', 'instruction', 'summary', 'remedy', 'short', 'figure', 'remedySteps'],
      redact
    ),
    ...(step.consequences ? { consequences: redactFields(step.consequences, ['works', 'notAvailable'], redact) } : {}),
    ...(step.inputs ? { inputs: step.inputs.map((input) => redactInput(input, redact)) } : {}),
    ...(step.rows ? { rows: step.rows.map((row) => redactRow(row, redact)) } : {}),
    ...(step.lastResult ? { lastResult: redactResult(step.lastResult, redact) } : {}),
    waiver: step.waiver && redactFields(step.waiver, ['reason', 'by'], redact),
    evidence: step.evidence.map((one) => redactEvidence(one, redact))
  }
}

function redactRow(row: SeenRow, redact: Redact): SeenRow {
  return redactFields(row, ['label', 'wanted', 'device', 'gateway', 'note'], redact)
}

function redactInput(input: InputProof, redact: Redact): InputProof {
  return redactFields(input, ['name', 'wire', 'instruction', 'notWired'], redact)
}

function redactResult(result: StepResult, redact: Redact): StepResult {
  return {
    ...redactFields(result, ['summary', 'remedy'], redact),
    ...(result.other ? { other: redactJson(result.other, redact) as StepResult['other'] } : {})
  }
}

function redactEvidence(one: Evidence, redact: Redact): Evidence {
  return {
    ...redactFields(one, ['what'], redact),
    raw: redactJson(one.raw, redact),
    thresholds: one.thresholds && (redactJson(one.thresholds, redact) as Record<string, Json>)
  }
}

/** Texts by people or devices in entries that decide something: a report can never black out these entries. */
const textsThatDecide: Record<string, Record<string, (value: Json, redact: Redact) => Json>> = {
  waived: { reason: redactValue },
  stateChanged: { reason: redactValue },
  stepEnded: {
    summary: redactValue,
    remedy: redactValue,
    figure: redactValue,
    remedySteps: redactValue,
    rows: (rows, redact) => (rows as unknown as SeenRow[]).map((row) => redactRow(row, redact)) as unknown as Json,
    inputs: (inputs, redact) =>
      (inputs as unknown as InputProof[]).map((input) => redactInput(input, redact)) as unknown as Json
  }
}

/** A new entry without secrets in its deciding texts, so that a report of it can be verified. */
export function withoutSecrets<Entry extends { type: string; data: Json }>(entry: Entry, redact: Redact): Entry {
  const texts = Object.hasOwn(textsThatDecide, entry.type) ? textsThatDecide[entry.type] : undefined
  const { data } = entry
  if (!texts || data === null || typeof data !== 'object' || Array.isArray(data)) return entry
  const clean = Object.entries(data).map(([name, value]): [string, Json] => [
    name,
    Object.hasOwn(texts, name) && value !== null ? (texts[name]?.(value, redact) ?? value) : value
  ])
  return { ...entry, data: Object.fromEntries(clean) }
}

/** Words from closed lists, and texts of a checklist: a secret that looks like one of them is not one here. */
const neverRedacted: ReadonlySet<string> = new Set([
  'template',
  'profile',
  'device',
  'state',
  'witness',
  'attempt',
  'phase',
  'operation'
])

/** A log without its secrets, and the proof of the rest. */
export interface RedactedLog {
  entries: JournalEntry[]
  redactions: Redaction[]
  /** `seq` of deciding entries with a secret: they are shown without it, and no longer prove anything. */
  unproved: number[]
}

/** Leaves out each field with a secret, if the field may be left out. Hashes stay those of the original. */
export function redactLog(log: readonly JournalEntry[], redact: Redact): RedactedLog {
  const redactions: Redaction[] = []
  const unproved: number[] = []
  const entries = log.map((entry) => {
    const { seq, type, data } = entry
    if (type === sealedEntryType || data === null || typeof data !== 'object' || Array.isArray(data)) return entry
    const secret = Object.keys(data).filter(
      (name) => name !== 'salt' && !neverRedacted.has(name) && hasSecret(data[name] ?? null, redact)
    )
    if (secret.length === 0) return entry
    const fillers = fillersOf(type) ?? {}
    if (secret.every((name) => Object.hasOwn(fillers, name))) {
      const left = leaveOut(entry, secret)
      redactions.push(left.redaction)
      return left.entry
    }
    unproved.push(seq)
    const { salt: _salt, ...shown } = data
    return {
      ...entry,
      data: { ...shown, ...Object.fromEntries(secret.map((name) => [name, redactJson(data[name] ?? null, redact)])) }
    }
  })
  return { entries, redactions, unproved }
}

function hasSecret(value: Json, redact: Redact): boolean {
  return canonicalJson(redactJson(value, redact)) !== canonicalJson(value)
}
