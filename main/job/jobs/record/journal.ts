import { z } from 'zod'
import { attachment, type Attachment } from '../../../../preload/contract/job/attachments.ts'
import { json, type Json } from '../../../../preload/contract/define.ts'
import { drive } from '../../../../preload/contract/job/drive.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { inputProof, otherNumber, seenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { storedMessage, storedMessageOrNothing } from '../../../../preload/contract/base/messageSchema.ts'
import type { OutputLine } from '../../../../preload/contract/device/deviceAreas.ts'
import {
  answer,
  clocks,
  consequences,
  jobSnapshot,
  jobState,
  preparedRef,
  stepState,
  vehicleRef,
  witness,
  type Bead,
  type Evidence,
  type Job,
  type JobSummary,
  type Step,
  type StepCounts
} from '../../../../preload/contract/job/jobs.ts'
import { order } from '../../../../preload/contract/job/orders.ts'
import type { TemplateStep } from '../../../../preload/contract/job/steps/index.ts'
import { outputLine } from '../../../../preload/contract/job/steps/texts.ts'
import { template } from '../../../../preload/contract/job/templates.ts'
import { evidenceOf } from '../../../data/store/jobs/evidence.ts'
import type { JournalEntry } from '../../../data/store/jobs/seal.ts'
import { withSalt } from '../../../data/store/jobs/sealedFields.ts'
import { fingerprintOf, hashOnlyAlgorithm, isMoveType, signedAlgorithm } from '../../../data/store/jobs/signature.ts'
import { planSteps } from '../engine/plan.ts'
import { profile } from '../engine/profile.ts'

/** The data folder in which an entry was written, if the folder belongs to a team. */
export const ofFolder = (mark: string | null): { folder?: string } => (mark === null ? {} : { folder: mark })

/**
 * The entries of a job's log. Front ends see a job exactly as its log describes it, so everything shown is also stored.
 */
export const entryData = {
  jobCreated: z.object({
    template,
    profile,
    device: z.object({ imei: z.string(), model: z.string(), address: z.string() }),
    vehicleText: z.string(),
    customer: z.string(),
    technician: z.string(),
    order: order.nullable().default(null),
    prepared: preparedRef.optional(),
    /** The data folder in which the job was created, on a laptop of a team. */
    folder: z.string().optional(),
    /**
     * Whether the job is practice: it is under the seal, so no report can call one the other. Logs of earlier versions
     * do not say.
     */
    isTraining: z.boolean().optional(),
    /** Random: the id is made of this entry (main/data/store/jobs/jobId.ts). */
    nonce: z.string().optional(),
    /** The log is sealed when the job is signed; logs of earlier versions are not sealed. */
    isSealed: z.literal(true).optional()
  }),
  /** The order was changed after the job began: the steps change with it. */
  orderChanged: z.object({ order: order.nullable() }),
  deviceAddress: z.object({ address: z.string() }),
  stepStarted: z.object({ attempt: z.number() }),
  /** The evidence without what the entry itself contains (main/data/store/jobs/evidence.ts). */
  evidence: z.object({
    attempt: z.number(),
    witness,
    what: storedMessage,
    raw: json,
    thresholds: z.record(z.string(), json).nullable(),
    clocks: clocks.optional()
  }),
  answered: z.object({ attempt: z.number(), answer }),
  /** The bytes are in the store, under their hash. */
  attached: attachment.omit({ seq: true, stepId: true }),
  /** The attempt journal of work on the device: the intent before the first byte, then the answer. */
  deviceWrite: z.object({
    phase: z.enum(['intent', 'answered', 'unknown', 'readBack']),
    operation: z.string(),
    input: json,
    what: storedMessage,
    raw: json
  }),
  stepEnded: z.object({
    attempt: z.number(),
    state: stepState,
    summary: storedMessageOrNothing,
    remedy: storedMessageOrNothing,
    witness: z.array(witness),
    durationMs: z.number(),
    /** It passed, but only the sending is confirmed. */
    isSent: z.boolean().optional(),
    /** A break in the chain of identity. */
    isMismatch: z.boolean().optional(),
    other: otherNumber.optional(),
    remedySteps: z.array(storedMessage).optional(),
    figure: storedMessage.optional(),
    consequences: consequences.optional(),
    inputs: z.array(inputProof).optional(),
    rows: z.array(seenRow).optional(),
    drive: drive.optional()
  }),
  /** A snapshot of the device: the file is in the store, under its hash; null if no snapshot could be made. */
  snapshot: jobSnapshot.extend({ why: storedMessage.nullable() }),
  waived: z.object({ reason: z.string(), by: z.string() }),
  vehicleChosen: vehicleRef,
  namesGiven: z.object({ technician: z.string(), customer: z.string() }),
  stateChanged: z.object({ state: jobState, reason: storedMessage }),
  /**
   * From here on the job belongs to whoever takes it over from the file or the team log; only a takeover can follow.
   */
  movedAway: z.object({
    id: z.string(),
    to: z.string(),
    at: z.string(),
    through: z.literal('team').optional(),
    /** The ids of its open gateway work that was never sent. */ unsent: z.array(z.string()).optional()
  }),
  /**
   * The job was taken over from a file or from the team log, taken back by its sender, or taken over from a lost
   * laptop.
   */
  movedHere: z.object({
    id: z.string(),
    from: z.string(),
    at: z.string(),
    by: z.string(),
    reason: z.string().nullable(),
    folder: z.string().optional(),
    isTakenOver: z.literal(true).optional()
  }),
  /** Seals every entry before it (main/data/store/jobs/signature.ts). */
  sealed: z.object({
    head: z.string(),
    entries: z.number(),
    at: z.string(),
    /** Absent in logs that earlier versions sealed. */
    fields: z.string().optional(),
    algorithm: z.enum([signedAlgorithm, hashOnlyAlgorithm]),
    publicKey: z.string().nullable(),
    signature: z.string().nullable()
  })
}
export type EntryType = keyof typeof entryData
export type EntryData<Type extends EntryType> = z.infer<(typeof entryData)[Type]>
/** An entry for writing: texts from outside Fitter stay as they are. */
export type EntryInput<Type extends EntryType> = z.input<(typeof entryData)[Type]>

/** A job as its log describes it, without the operations (they have their own rows). */
export type LoggedJob = Omit<Job, 'operations' | 'attachments'> & {
  checklist: z.infer<typeof template>
  templateSteps: Map<string, TemplateStep>
  thresholds: z.infer<typeof profile>
  answers: Map<string, z.infer<typeof answer>>
  attachments: Attachment[]
  /** Outputs that were switched on and not confirmed off since. */
  outputsLeftOn: Set<OutputLine>
  /** Whether the log will be sealed or ends with a seal, and its length. */
  sealing: { isWanted: boolean; isSealed: boolean; entries: number }
}

/** Reads a job from its log. Throws without its creation; entries that depend on missing ones are left out. */
export function readJob(id: string, entries: readonly JournalEntry[], state: 'whole' | 'damaged' = 'whole'): LoggedJob {
  const [first, ...rest] = entries
  if (!first || first.type !== 'jobCreated') throw new Error(`The log of job ${id} does not begin with its creation`)
  const job = begin(id, first)
  for (const entry of rest) {
    if (state === 'whole') applyEntry(job, entry)
    else applyIfPossible(job, entry)
  }
  return job
}

/** The form of a job for front ends, without its operations. */
export function shownOf({
  checklist: _checklist,
  templateSteps: _steps,
  thresholds: _thresholds,
  answers: _answers,
  outputsLeftOn: _left,
  sealing: _sealing,
  ...job
}: LoggedJob): Omit<Job, 'operations'> {
  return job
}

function applyIfPossible(job: LoggedJob, entry: JournalEntry): void {
  try {
    applyEntry(job, entry)
  } catch (error) {
    // A changed field, or a step that no entry describes any more.
    if (!(error instanceof Error)) throw error
  }
}

function begin(id: string, entry: JournalEntry): LoggedJob {
  const created = entryData.jobCreated.parse(entry.data)
  const planned = planSteps(created.template, created.order)
  const steps = planned.map(newStep)
  return {
    id,
    kind: created.template.kind,
    state: 'draft',
    template: { id: created.template.id, version: created.template.version, name: created.template.name },
    profile: { id: created.profile.id, version: created.profile.version, name: created.profile.name },
    device: created.device,
    vehicle: null,
    vehicleText: created.vehicleText,
    customer: created.customer,
    technician: created.technician,
    createdAt: entry.at,
    updatedAt: entry.at,
    stepsDone: 0,
    stepsTotal: steps.length,
    order: created.order,
    ...(created.prepared ? { prepared: created.prepared } : {}),
    seal: entry.hash,
    counts: countSteps(steps),
    steps,
    ...(created.template.plug ? { plug: created.template.plug } : {}),
    ...guidesOf(created.template),
    checklist: created.template,
    templateSteps: new Map(planned.map((step) => [step.id, step])),
    thresholds: created.profile,
    answers: new Map(),
    attachments: [],
    snapshots: [],
    outputsLeftOn: new Set(),
    sealing: { isWanted: created.isSealed === true, isSealed: false, entries: 1 }
  }
}

function guidesOf({ steps }: { steps: readonly TemplateStep[] }): Pick<Job, 'guides'> {
  const guides = steps.flatMap(({ id, guide }) => (guide ? [[id, guide] as const] : []))
  return guides.length > 0 ? { guides: Object.fromEntries(guides) } : {}
}

function newStep(step: TemplateStep): Step {
  return {
    id: step.id,
    kind: step.kind,
    title: step.title,
    ...(step.short === undefined ? {} : { short: step.short }),
    instruction: step.instruction,
    state: 'waiting',
    witness: [],
    attempts: 0,
    summary: null,
    remedy: null,
    waiver: null,
    lastResult: null,
    isSent: false,
    startedAt: null,
    durationMs: null,
    evidence: []
  }
}

/** A step that a changed order no longer requires stays if it was started: evidence is never removed. */
function followOrder(job: LoggedJob): void {
  const planned = planSteps(job.checklist, job.order ?? null)
  const begun = new Map(
    job.steps.filter((step) => step.attempts > 0 || step.evidence.length > 0).map((step) => [step.id, step])
  )
  const wanted = new Set(planned.map(({ id }) => id))
  const kept = job.steps.filter((step) => begun.has(step.id) && !wanted.has(step.id))
  const [signOff, others] = [
    planned.filter(({ kind }) => kind === 'signOff'),
    planned.filter(({ kind }) => kind !== 'signOff')
  ]
  const present = (step: TemplateStep) => begun.get(step.id) ?? newStep(step)
  job.steps = [...others.map(present), ...kept, ...signOff.map(present)]
  job.templateSteps = new Map([...job.templateSteps, ...planned.map((step) => [step.id, step] as const)])
  job.counts = countSteps(job.steps)
  job.stepsTotal = job.steps.length
  job.stepsDone = job.steps.filter((step) => isSettled(step.state)).length
}

/** What a result may have besides its words; the next attempt begins without it. */
const resultDetails = [
  'remedySteps',
  'figure',
  'consequences',
  'inputs',
  'rows',
  'drive'
] as const satisfies readonly (keyof Step)[]

const stepEffects: {
  [Type in EntryType]?: (step: Step, data: EntryData<Type>, entry: JournalEntry, job: LoggedJob) => void
} = {
  stepStarted(step, data, entry) {
    for (const name of resultDetails) delete step[name]
    Object.assign(step, {
      state: 'running',
      attempts: data.attempt,
      startedAt: entry.at,
      durationMs: null,
      witness: [],
      summary: null,
      remedy: null,
      waiver: null,
      isSent: false
    })
  },
  answered(step, data, _entry, job) {
    job.answers.set(step.id, { ...job.answers.get(step.id), ...data.answer })
  },
  stepEnded(step, data, entry) {
    const { attempt: _attempt, state, summary, remedy, witness, isSent = false, isMismatch, other, ...more } = data
    Object.assign(step, { state, summary, remedy, witness, isSent, ...more })
    // "Waiting" is not a result: the step was stopped.
    if (state !== 'waiting')
      step.lastResult = {
        state,
        summary,
        remedy,
        witness,
        at: entry.at,
        ...(isMismatch ? { isMismatch } : {}),
        ...(other ? { other } : {})
      }
  },
  waived(step, data, entry) {
    step.state = 'waived'
    step.waiver = { reason: data.reason, by: data.by, at: entry.at }
    step.witness = ['person']
    step.summary = message('jobs.waivedBecause', { reason: data.reason })
  }
}

const jobEffects: { [Type in EntryType]?: (job: LoggedJob, data: EntryData<Type>, entry: JournalEntry) => void } = {
  deviceAddress(job, data) {
    job.device = { ...job.device, address: data.address }
  },
  orderChanged(job, data) {
    job.order = data.order
    followOrder(job)
  },
  vehicleChosen(job, data) {
    job.vehicle = data
  },
  namesGiven(job, data) {
    job.technician = data.technician
    job.customer = data.customer
  },
  stateChanged(job, data, entry) {
    job.state = data.state
    if (data.state === 'cancelled') job.cancelled = { reason: data.reason, at: entry.at }
    else delete job.cancelled
  },
  snapshot(job, data) {
    job.snapshots = [...(job.snapshots ?? []), data]
  },
  movedAway(job, data) {
    job.handedOver = data
  },
  movedHere(job) {
    delete job.handedOver
  },
  sealed(job, { at, publicKey }) {
    job.sealed = { at, fingerprint: publicKey === null ? null : fingerprintOf(publicKey) }
  },
  deviceWrite(job, data) {
    const output = z.object({ out: outputLine, state: z.boolean() }).safeParse(data.input)
    if (data.operation !== 'io.setOutput' || !output.success) return
    if (output.data.state && data.phase === 'intent') job.outputsLeftOn.add(output.data.out)
    if (!output.data.state && data.phase === 'readBack') job.outputsLeftOn.delete(output.data.out)
  }
}

export interface EntryChange {
  stepId: string | null
  seen: Evidence | undefined
  attached: Attachment | undefined
  step: Step | undefined
  isJobChanged: boolean
}

/** Adds one entry to a job that was read up to the entry before it; the cost does not grow with the log. */
export function applyEntry(job: LoggedJob, entry: JournalEntry): EntryChange {
  const type = entry.type as EntryType
  const seen = evidenceOf(entry)
  const data = seen ?? ownOf(entryData, type)?.parse(entry.data)
  const step = job.steps.find((candidate) => candidate.id === entry.stepId)
  const stepEffect = ownOf(stepEffects, type) as ((...args: unknown[]) => void) | undefined
  if (step && seen) step.evidence.push(seen)
  const attached =
    type === 'attached' ? { ...(data as EntryData<'attached'>), seq: entry.seq, stepId: entry.stepId } : undefined
  if (attached) job.attachments.push(attached)
  if (step) stepEffect?.(step, data, entry, job)
  ;(ownOf(jobEffects, type) as ((...args: unknown[]) => void) | undefined)?.(job, data, entry)
  job.updatedAt = entry.at
  job.seal = entry.hash
  job.sealing = {
    ...job.sealing,
    isSealed: isMoveType(type) ? job.sealing.isSealed : type === 'sealed',
    entries: job.sealing.entries + 1
  }
  if (stepEffect) {
    job.counts = countSteps(job.steps)
    job.stepsDone = job.steps.filter((candidate) => isSettled(candidate.state)).length
  }
  return {
    stepId: entry.stepId,
    seen: step && seen,
    attached,
    step: stepEffect && type !== 'answered' ? step : undefined,
    isJobChanged: Object.hasOwn(jobEffects, type) && type !== 'deviceWrite'
  }
}

/** An entry may have any type: a later version’s, or the name of something that every object has. */
function ownOf<Table extends object, Type extends keyof Table>(table: Table, type: Type): Table[Type] | undefined {
  return Object.hasOwn(table, type) ? table[type] : undefined
}

function countSteps(steps: readonly Step[]): StepCounts {
  const counts: Required<StepCounts> = {
    waiting: 0,
    running: 0,
    pass: 0,
    sent: 0,
    received: 0,
    warn: 0,
    fail: 0,
    unreadable: 0,
    waived: 0,
    deferred: 0,
    notApplicable: 0
  }
  for (const step of steps) counts[beadOf(step)] += 1
  return counts
}

const settledStates: ReadonlySet<Step['state']> = new Set([
  'pass',
  'received',
  'warn',
  'waived',
  'notApplicable',
  'deferred'
])

/** States in which a step needs no more attention. */
export function isSettled(state: Step['state']): boolean {
  return settledStates.has(state)
}

export function summariseJob(job: LoggedJob): JobSummary {
  const {
    id,
    kind,
    state,
    template,
    device,
    vehicle,
    vehicleText,
    customer,
    technician,
    createdAt,
    updatedAt,
    stepsDone,
    stepsTotal,
    counts,
    steps
  } = job
  const next = steps.find((step) => step.state === 'waiting')
  const isNamed = (step: Step) => step === next || namedStates.has(step.state)
  const named = steps.filter(isNamed).map((step) => ({ title: step.title, state: beadOf(step) }))
  return {
    id,
    kind,
    state,
    template,
    device,
    vehicle,
    ...(vehicle === null && vehicleText !== '' && { vehicleText }),
    customer,
    technician,
    createdAt,
    updatedAt,
    stepsDone,
    stepsTotal,
    ...(counts ? { counts } : {}),
    beads: steps.map(beadOf),
    named,
    ...(job.handedOver ? { handedOver: job.handedOver } : {})
  }
}

const namedStates: ReadonlySet<Step['state']> = new Set(['waived', 'fail', 'unreadable', 'running'])

function beadOf({ state, isSent }: Step): Bead {
  return isSent && state === 'pass' ? 'sent' : state
}

export interface NewEntry {
  type: EntryType
  stepId: string | null
  data: Json
}

export function newEntry<Type extends EntryType>(type: Type, stepId: string | null, data: EntryInput<Type>): NewEntry {
  return { type, stepId, data: withSalt(type, plainJson(data)) }
}

/** JSON without undefined fields, as it is stored in the log. */
export function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null)) as Json
}
