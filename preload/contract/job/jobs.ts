import { z } from 'zod'
import { languageForm } from '../messages.ts'
import { attachment } from './attachments.ts'
import { count, defineCalls, deviceKey, isoTime, jobId, json, nothing, wholeFile } from '../define.ts'
import { drive } from './drive.ts'
import { entityChoice } from '../gateway/gateway.ts'
import { linesNews } from '../device/lines.ts'
import { outputCondition } from '../device/conditions.ts'
import { inputProof, otherNumber, outputTest, plug, seenRow } from './jobSeen.ts'
import { messageSchema, storedMessage, storedMessageOrNothing } from '../base/messageSchema.ts'
import { order } from './orders.ts'
import { stepGuide } from './steps/guide.ts'
import { stepKind } from './steps/index.ts'
import { photoPurpose } from './steps/person.ts'

export const jobKind = z.enum(['installation', 'service', 'removal', 'diagnosis'])
export const jobState = z.enum(['draft', 'running', 'installedAwaitingGateway', 'done', 'failed', 'cancelled'])
export type JobState = z.infer<typeof jobState>

export { stepKind, type StepKind } from './steps/index.ts'

export const stepState = z.enum([
  'waiting',
  'running',
  'pass',
  /** A value came, and the order contains nothing to compare it with: never a pass. */
  'received',
  'warn',
  'fail',
  'unreadable',
  'waived',
  'deferred',
  'notApplicable'
])
export type StepState = z.infer<typeof stepState>

export const witness = z.enum(['device', 'gateway', 'person'])
export type Witness = z.infer<typeof witness>

/** The same moment by other clocks, if known; `at` is by this computer's clock. */
export const clocks = z.object({ device: isoTime.nullable(), gateway: isoTime.nullable() })
export type Clocks = z.infer<typeof clocks>

/** A piece of evidence in the words of its witness. Never changed once written. */
export const evidence = z.object({
  seq: z.number(),
  at: isoTime,
  attempt: z.number(),
  witness,
  what: storedMessage,
  raw: json,
  thresholds: z.record(z.string(), json).nullable(),
  /** Absent in data of earlier versions. */
  clocks: clocks.optional(),
  hash: z.string()
})
export type Evidence = z.infer<typeof evidence>

/** What still works after a warning, and what is not available because of it. */
export const consequences = z.object({ works: z.array(storedMessage), notAvailable: z.array(storedMessage) })

export const stepResult = z.object({
  state: stepState,
  summary: storedMessageOrNothing,
  remedy: storedMessageOrNothing,
  witness: z.array(witness),
  at: isoTime,
  /** A break in the chain of identity: it cannot be skipped. */
  isMismatch: z.boolean().optional(),
  other: otherNumber.optional()
})
export type StepResult = z.infer<typeof stepResult>

export const step = z.object({
  id: z.string(),
  kind: stepKind,
  title: storedMessage,
  short: storedMessage.optional(),
  instruction: storedMessage,
  state: stepState,
  /** The witness of the result; empty before there is one. */
  witness: z.array(witness),
  attempts: z.number(),
  summary: storedMessageOrNothing,
  /** The remedy for a failure, about the wiring where possible. */
  remedy: storedMessageOrNothing,
  remedySteps: z.array(storedMessage).optional(),
  /** The value that proves it: "60 s", "11 sat.". */
  figure: storedMessage.optional(),
  consequences: consequences.optional(),
  /** For a step about inputs: what each line has confirmed. */
  inputs: z.array(inputProof).optional(),
  /** Wanted and found values, for steps with a list of them. */
  rows: z.array(seenRow).optional(),
  /** For a trip: the track of both witnesses. */
  drive: drive.optional(),
  waiver: z.object({ reason: z.string(), by: z.string(), at: isoTime }).nullable(),
  /** The result of its last attempt, shown beside a waiver. Absent in reports of earlier versions. */
  lastResult: stepResult.nullable().optional(),
  /** Passed but only sent: the device has nothing to read back. */
  isSent: z.boolean().optional(),
  startedAt: isoTime.nullable(),
  durationMs: z.number().nullable(),
  evidence: z.array(evidence)
})
export type Step = z.infer<typeof step>

/** A step without its observations: the evidence follows entry by entry. */
export const stepHead = step.omit({ evidence: true })
export type StepHead = z.infer<typeof stepHead>

/** The number of steps of a job in each state. `sent` is counted separately from `pass`. */
export const stepCounts = z.object({
  waiting: count,
  running: count,
  pass: count,
  sent: count,
  /** Absent in data of earlier versions. */
  received: count.optional(),
  warn: count,
  fail: count,
  unreadable: count,
  waived: count,
  deferred: count,
  notApplicable: count
})
export type StepCounts = z.infer<typeof stepCounts>

/** The state of a step in a row of beads: `sent` is a pass that was not confirmed. */
export const bead = z.enum([...stepState.options, 'sent'])
export type Bead = z.infer<typeof bead>

export const vehicleRef = z.object({
  id: z.number(),
  name: z.string(),
  plate: z.string().optional(),
  /** From the local copy at that time; not yet confirmed by the gateway. */
  copied: z.object({ at: isoTime.nullable(), imei: z.string().nullable() }).optional()
})

export const jobSummary = z.object({
  id: z.string(),
  kind: jobKind,
  state: jobState,
  template: z.object({ id: z.string(), version: z.number(), name: storedMessage }),
  device: z.object({ imei: z.string(), model: z.string(), address: z.string() }),
  vehicle: vehicleRef.nullable(),
  /** The words that name the vehicle until the gateway confirms one. Absent without any. */
  vehicleText: z.string().optional(),
  customer: z.string(),
  technician: z.string(),
  createdAt: isoTime,
  updatedAt: isoTime,
  stepsDone: z.number(),
  stepsTotal: z.number(),
  /** Absent in data of earlier versions. */
  counts: stepCounts.optional(),
  /** Each step in the order of the checklist. Absent in data of earlier versions. */
  beads: z.array(bead).optional(),
  /** The steps that a list names: skipped, failed, unreadable, running, and the next waiting one. */
  named: z.array(z.object({ title: storedMessage, state: bead })).optional(),
  /** The receiver and the file of a hand-over: the job is read-only here. Absent for a job that is worked on here. */
  handedOver: z
    .object({
      id: z.string(),
      to: z.string(),
      at: isoTime,
      /** Handed over through the team log instead of a file. */
      through: z.literal('team').optional(),
      /**
       * Someone else took it over, for this reason. `isSettled`: the logs diverged, and the team's version was adopted
       * here.
       */
      takenOver: z.object({ by: z.string(), reason: z.string(), isSettled: z.boolean().optional() }).optional()
    })
    .optional()
})
export type JobSummary = z.infer<typeof jobSummary>

export const listedJob = jobSummary.extend({
  /** Connected to its device now; a running job that is not is paused. */
  isActive: z.boolean(),
  /** Why its log cannot be read; null when it can. */
  damage: messageSchema.nullable()
})
export type ListedJob = z.infer<typeof listedJob>

export const jobSnapshot = z.object({
  cause: z.enum(['jobStart', 'signOff']),
  takenAt: isoTime,
  /** Hash of its file; null when there is none. */
  sha256: z.string().nullable(),
  sizeBytes: z.number(),
  /** The number of operations, and of those without a result. */
  asked: z.number(),
  silent: z.number(),
  /** Why there is no snapshot. */
  why: messageSchema.nullable()
})
export type JobSnapshot = z.infer<typeof jobSnapshot>

export const preparedRef = z.object({ id: z.string(), by: z.string(), dueAt: isoTime.nullable(), notes: z.string() })

export const job = jobSummary.extend({
  profile: z.object({ id: z.string(), version: z.number(), name: storedMessage }),
  /** The words that identified the vehicle before the gateway confirmed one. */
  vehicleText: z.string(),
  steps: z.array(step),
  /** Why it was cancelled. Absent for a job that was not. */
  cancelled: z.object({ reason: storedMessage, at: isoTime }).optional(),
  /** The order; null when only the checklist decides. Absent in data of earlier versions. */
  order: order.nullable().optional(),
  /** Who prepared it, the due date, and the notes. Absent if nobody did. */
  prepared: preparedRef.optional(),
  plug: plug.optional(),
  guides: z.record(z.string(), stepGuide).optional(),
  operations: z.array(z.object({ id: z.string(), kind: z.string(), state: z.string() })),
  /** Its pictures, in the order of arrival. Absent in data of earlier versions. */
  attachments: z.array(attachment).optional(),
  /** Absent in data of earlier versions. */
  snapshots: z.array(jobSnapshot).optional(),
  /** Hash of the last entry of the job's log: the seal of everything before it. */
  seal: z.string(),
  /** The damaged part of its log, which accepts no more entries. Absent when it is intact. */
  damage: z
    .object({
      /** The seal is broken from this entry on; null when only the end is missing. */
      entry: z.number().nullable(),
      readable: z.number(),
      /** Entries without a valid meaning. */
      unreadable: z.array(z.number()),
      why: messageSchema
    })
    .optional(),
  /** The last seal and its key; without a key only the hashes protect the log. Absent before the first seal. */
  sealed: z.object({ at: isoTime, fingerprint: z.string().nullable() }).optional()
})
export type Job = z.infer<typeof job>

/** A live value of a running check: the value, the target, and the progress. */
export const meter = z.object({
  label: messageSchema,
  /** With its unit; null while unknown. */
  value: messageSchema.nullable(),
  target: messageSchema.nullable(),
  /** 0..1 towards the target; null when there is no target. */
  progress: z.number().nullable(),
  tone: z.enum(['live', 'pass', 'warn', 'fail', 'wait']),
  best: z.object({ value: messageSchema, agoS: z.number() }).optional()
})
export type Meter = z.infer<typeof meter>

export const prompt = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('imei'), text: messageSchema }),
  z.object({ kind: z.literal('yesNo'), text: messageSchema }),
  z.object({
    kind: z.literal('value'),
    text: messageSchema,
    unit: z.string(),
    min: z.number().optional(),
    max: z.number().optional()
  }),
  z.object({ kind: z.literal('text'), text: messageSchema, maxLength: z.number() }),
  z.object({
    kind: z.literal('choice'),
    text: messageSchema,
    choices: z.array(z.object({ id: z.string(), text: messageSchema }))
  }),
  /** One button: the person is ready, or has done the task. */
  z.object({ kind: z.literal('ready'), text: messageSchema, button: messageSchema }),
  /** Pictures from the person: each is added with `photos.attach`; `answer: true` says that these are all. */
  z.object({
    kind: z.literal('photo'),
    text: messageSchema,
    purpose: photoPurpose,
    minPhotos: z.number(),
    attached: z.array(z.string())
  }),
  z.object({ kind: z.literal('picture'), text: messageSchema, sha256: z.string() }),
  z.object({
    kind: z.literal('choose'),
    text: messageSchema,
    entity: z.enum(['vehicle', 'asset']),
    optional: z.boolean(),
    /** What the gateway already has: confirm it instead of searching. */
    suggested: entityChoice.nullable().optional()
  }),
  z.object({ kind: z.literal('lines'), text: messageSchema, lines: z.array(z.string()) }),
  /** Hold-to-arm: the window sends `arm` while the button is held; the terminal asks for a typed word. */
  z.object({ kind: z.literal('arm'), text: messageSchema, holdMs: z.number() }),
  /** Did the relay have its effect? */
  z.object({ kind: z.literal('effect'), text: messageSchema }),
  z.object({
    kind: z.literal('signOff'),
    text: messageSchema,
    blockers: z.array(messageSchema),
    signatures: z.enum(['technician', 'both']).optional()
  })
])
export type Prompt = z.infer<typeof prompt>

/** What a running step shows now. Not stored: the evidence contains the essential values. */
export const liveStep = z.object({
  jobId: z.string(),
  stepId: z.string(),
  say: messageSchema,
  hint: messageSchema.nullable(),
  meters: z.array(meter),
  /** For a step about inputs: what each line has confirmed so far. */
  inputs: z.array(inputProof).optional(),
  rows: z.array(seenRow).optional(),
  /** For a trip: the track of both witnesses so far. */
  drive: drive.optional(),
  /** For an output test: the conditions for switching on, with the readings. */
  conditions: z.array(outputCondition).optional(),
  output: outputTest.optional(),
  elapsedMs: z.number(),
  /** What the person must do now: "Turn the key to ON". The clock of the step runs only while it is on the stage. */
  act: messageSchema.nullable().optional(),
  /** Its clock is paused: the device does not answer, and the step continues when it does. */
  isWaiting: z.literal(true).optional(),
  /** It waits for the gateway's limit, for this long. */
  turnMs: z.number().optional(),
  /** Time until the check gives up; null while it waits for the person. */
  leftMs: z.number().nullable(),
  prompt: prompt.nullable()
})
export type LiveStep = z.infer<typeof liveStep>

export const jobEntry = z.object({ jobId: z.string(), stepId: z.string(), evidence })
export const jobStep = z.object({ jobId: z.string(), step: stepHead })

export const jobLines = linesNews.extend({
  jobId: z.string(),
  /** Why there is nothing new while the device does not answer. */
  problem: messageSchema.nullable(),
  /** How long the device has not answered: the whole job waits for it. Null while it answers. */
  lostForMs: z.number().nullable()
})
export type JobLines = z.infer<typeof jobLines>

/**
 * A drawn signature: strokes, with x and y alternating, in a field of 1000 by 1000. Or typed, for people who cannot
 * draw.
 */
export const signature = z.union([
  z
    .array(z.array(z.number().int().min(0).max(1000)).min(2).max(2_000))
    .min(1)
    .max(100),
  z.strictObject({ typed: z.string().trim().min(1).max(120) })
])
export type Signature = z.infer<typeof signature>

/** A person's answer to a step. One shape for the window, the terminal and the answers file. */
export const answer = z.strictObject({
  answer: z.boolean().optional(),
  value: z.union([z.number(), z.string().max(2_000)]).optional(),
  choose: z.string().max(200).optional(),
  armed: z.boolean().optional(),
  effect: z.boolean().optional(),
  /** Inputs to leave out, with the reason; null undoes it. */
  notWired: z
    .strictObject({
      lines: z.array(z.string().regex(/^IN[1-7]$/)).min(1),
      reason: z.string().trim().min(3).max(500).nullable()
    })
    .optional(),
  signatures: z.strictObject({ technician: signature.optional(), customer: signature.optional() }).optional(),
  /** Path of a picture, or of several, for a step that asks for them; only the answers file may name one. */
  photo: z.union([z.string().max(1000), z.array(z.string().max(1000)).min(1).max(12)]).optional(),
  waive: z.string().min(1).max(500).optional()
})
export type Answer = z.infer<typeof answer>

/** The answers file of `fitter job run --answers`. */
export const answersFile = z.strictObject({
  steps: z.record(z.string(), answer).default({}),
  technician: z.string().max(120).optional(),
  customer: z.string().max(120).optional()
})
export type AnswersFile = z.infer<typeof answersFile>

const stepId = z.string().min(1).max(60)

export const jobsCalls = defineCalls({
  /** `steps`: the number of steps in a job without an order. */
  'jobs.templates': {
    input: nothing,
    output: z.object({
      templates: z.array(
        z.object({
          id: z.string(),
          version: z.number(),
          name: messageSchema,
          kind: jobKind,
          description: messageSchema,
          steps: z.number()
        })
      )
    })
  },
  'jobs.create': {
    input: z.strictObject({
      templateId: z.string().max(60),
      deviceKey,
      vehicleText: z.string().max(200).default(''),
      customer: z.string().max(120).default(''),
      order: order.nullable().default(null),
      /** The IMEI on the label, if it was already scanned: the identity step does not ask for it again. */
      scannedImei: z.string().max(40).optional(),
      besideOpenJob: z.boolean().default(false),
      assignedId: z.string().max(40).optional(),
      /** The person knows that there is no trailer or driver: that step does not ask for it. */
      withoutTrailer: z.boolean().optional()
    }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('created'), id: z.string() }),
      /** No job was created: this job on the device is open. Continue with it, or ask again with `besideOpenJob`. */
      z.object({ outcome: z.literal('openJob'), job: listedJob })
    ])
  },
  /** Suggestions for a new job: the customer of the last one. */
  'jobs.remembered': {
    input: nothing,
    output: z.object({
      customer: z.string(),
      /** The checklist of the latest job, if its person said that there is no trailer or driver. */
      withoutTrailer: z.string().optional()
    })
  },
  'jobs.list': {
    input: z.strictObject({
      state: jobState.optional(),
      /** Only unfinished ones: not started, running, or waiting for the gateway. */
      isOpen: z.literal(true).optional(),
      search: z.string().max(200).optional(),
      /** Created at this time or later, and before `to`. */
      from: isoTime.optional(),
      to: isoTime.optional(),
      /** The `next` of the page before. */
      after: jobId.optional(),
      limit: z.number().int().min(1).max(200).default(50)
    }),
    output: z.object({
      /** Newest first. */
      jobs: z.array(listedJob),
      next: z.string().nullable(),
      /** The total number; with `isMore`, at least that many. */
      total: z.number(),
      isMore: z.boolean(),
      counts: z.partialRecord(jobState, z.number()),
      /** Nothing matches exactly; these matches are similar. */
      isSimilar: z.boolean()
    })
  },
  'jobs.show': { input: z.strictObject({ id: jobId }), output: job },
  /** Connects to the device and starts what can start; a step that waits starts when nothing is in its way any more. */
  'jobs.start': { input: z.strictObject({ id: jobId }), output: nothing },
  /** Disconnects from the device; outputs are switched off first, and running steps become waiting. */
  'jobs.pause': { input: z.strictObject({ id: jobId }), output: nothing },
  'jobs.runStep': { input: z.strictObject({ id: jobId, stepId }), output: nothing },
  'jobs.stopStep': { input: z.strictObject({ id: jobId, stepId }), output: nothing },
  /** The step on the person's screen; null: none. The clocks of other steps that need the person are paused. */
  'jobs.onStage': { input: z.strictObject({ id: jobId, stepId: stepId.nullable() }), output: nothing },
  'jobs.answer': { input: z.strictObject({ id: jobId, stepId, answer }), output: nothing },
  'jobs.waive': {
    input: z.strictObject({ id: jobId, stepId, reason: z.string().trim().min(3).max(500) }),
    output: nothing
  },
  /** A person accepts the warning of a step: it stays a warning, with the name. */
  'jobs.accept': { input: z.strictObject({ id: jobId, stepId }), output: nothing },
  /** A person's words about a step, as evidence: in the log, under the seal and in the report. */
  'jobs.note': {
    input: z.strictObject({ id: jobId, stepId, note: z.string().trim().min(3).max(500) }),
    output: nothing
  },
  'jobs.cancel': { input: z.strictObject({ id: jobId, reason: z.string().trim().min(3).max(500) }), output: nothing },
  'jobs.live': {
    input: z.strictObject({ id: jobId }),
    output: z.object({
      active: z.boolean(),
      steps: z.array(liveStep),
      lines: jobLines.nullable(),
      /** For each step those that have to end before it starts. */
      after: z.record(z.string(), z.array(z.string()))
    })
  },
  'jobs.report': {
    input: z.strictObject({
      id: jobId,
      format: z.enum(['pdf', 'evidence', 'csv', 'json', 'html']),
      language: z.string().regex(languageForm).optional()
    }),
    /** `unprintable`: characters that no font of a PDF contains; question marks stand for them. */
    output: wholeFile.extend({ unprintable: z.string().optional() })
  }
})
