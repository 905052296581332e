import { z } from 'zod'
import { attachment } from './attachments.ts'
import { defineCalls, isoTime, json, nothing } from '../define.ts'
import { drive } from './drive.ts'
import { entityChoice } from '../gateway/gateway.ts'
import { linesNews } from '../device/lines.ts'
import { outputCondition } from '../device/conditions.ts'
import { inputProof, otherNumber, outputTest, plug, seenRow } from './jobSeen.ts'
import { messageSchema, storedMessage, storedMessageOrNothing } from '../messageSchema.ts'
import { order } from './orders.ts'
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

/** The same moment by the other clocks, where they were known; `at` is that of this computer. */
export const clocks = z.object({ device: isoTime.nullable(), gateway: isoTime.nullable() })
export type Clocks = z.infer<typeof clocks>

/** One thing that was seen, in the words of its witness. Never changed once written. */
export const evidence = z.object({
  seq: z.number(),
  at: isoTime,
  attempt: z.number(),
  witness,
  /** What was seen, in a short sentence. */
  what: storedMessage,
  /** The raw reading behind it. */
  raw: json,
  /** The thresholds of the profile that it was held against, with units in their names. */
  thresholds: z.record(z.string(), json).nullable(),
  /** Absent in what earlier versions wrote. */
  clocks: clocks.optional(),
  hash: z.string()
})
export type Evidence = z.infer<typeof evidence>

/** How an attempt at a step ended. */
export const stepResult = z.object({
  state: stepState,
  summary: storedMessageOrNothing,
  remedy: storedMessageOrNothing,
  witness: z.array(witness),
  at: isoTime,
  /** A break in the chain of identity: it cannot be waived. */
  isMismatch: z.boolean().optional(),
  /** Which numbers differ, where that is known. */
  other: otherNumber.optional()
})
export type StepResult = z.infer<typeof stepResult>

export const step = z.object({
  id: z.string(),
  kind: stepKind,
  title: storedMessage,
  /** The title in one word, for where there is little room. */
  short: storedMessage.optional(),
  /** One sentence that says what to do, in the person's words. */
  instruction: storedMessage,
  state: stepState,
  /** Who vouches for the result; empty until there is one. */
  witness: z.array(witness),
  attempts: z.number(),
  /** One sentence on the result: what was seen. */
  summary: storedMessageOrNothing,
  /** What to do about a failure, in words of wiring where it is about wiring. */
  remedy: storedMessageOrNothing,
  /** The remedy one thing after the other, where it has parts. */
  remedySteps: z.array(storedMessage).optional(),
  /** The figure that proves it: "60 s", "11 sat.". */
  figure: storedMessage.optional(),
  /** Of a step about inputs: what each line has proved. */
  inputs: z.array(inputProof).optional(),
  /** What was wanted against what was seen, where that is a list. */
  rows: z.array(seenRow).optional(),
  /** Of a trip: where both witnesses saw it. */
  drive: drive.optional(),
  waiver: z.object({ reason: z.string(), by: z.string(), at: isoTime }).nullable(),
  /** How its last attempt ended: it stays beside a waiver. Absent in reports of earlier versions. */
  lastResult: stepResult.nullable().optional(),
  /** It passed, but all that is known is that it was sent: the device has nothing to read back. */
  isSent: z.boolean().optional(),
  startedAt: isoTime.nullable(),
  durationMs: z.number().nullable(),
  evidence: z.array(evidence)
})
export type Step = z.infer<typeof step>

/** A step without what was seen: its evidence comes entry by entry. */
export const stepHead = step.omit({ evidence: true })
export type StepHead = z.infer<typeof stepHead>

const count = z.number().int().nonnegative()
/** How many steps of a job stand how. `sent` are counted apart from `pass`. */
export const stepCounts = z.object({
  waiting: count,
  running: count,
  pass: count,
  sent: count,
  warn: count,
  fail: count,
  unreadable: count,
  waived: count,
  deferred: count,
  notApplicable: count
})
export type StepCounts = z.infer<typeof stepCounts>

/** How a step stands, in a row of beads: `sent` is a pass of which only the sending is known. */
export const bead = z.enum([...stepState.options, 'sent'])
export type Bead = z.infer<typeof bead>

export const vehicleRef = z.object({
  id: z.number(),
  name: z.string(),
  plate: z.string().optional(),
  /** Taken from the copy on this computer, as it was then; the gateway has not said yet that it is still so. */
  copied: z.object({ at: isoTime.nullable(), imei: z.string().nullable() }).optional()
})

export const jobSummary = z.object({
  id: z.string(),
  kind: jobKind,
  state: jobState,
  template: z.object({ id: z.string(), version: z.number(), name: storedMessage }),
  device: z.object({ imei: z.string(), model: z.string(), address: z.string() }),
  vehicle: vehicleRef.nullable(),
  customer: z.string(),
  technician: z.string(),
  createdAt: isoTime,
  updatedAt: isoTime,
  stepsDone: z.number(),
  stepsTotal: z.number(),
  /** Absent in what earlier versions wrote. */
  counts: stepCounts.optional(),
  /** Each step in the order of the checklist. Absent in what earlier versions wrote. */
  beads: z.array(bead).optional(),
  /** The steps that a list calls by name: skipped, failed, not readable, under way, and the next one that waits. */
  named: z.array(z.object({ title: storedMessage, state: bead })).optional(),
  /** To whom it was handed over, in which file: here it is only read. Absent for a job that is worked on here. */
  handedOver: z
    .object({
      id: z.string(),
      to: z.string(),
      at: isoTime,
      /** It went through the team log, and not as a file. */
      through: z.literal('team').optional(),
      /** Nobody gave it away: somebody else took it over, for this reason. `isSettled`: it went on in two ways, and here with the team's log. */
      takenOver: z.object({ by: z.string(), reason: z.string(), isSettled: z.boolean().optional() }).optional()
    })
    .optional()
})
export type JobSummary = z.infer<typeof jobSummary>

/** A job in a list. */
export const listedJob = jobSummary.extend({
  /** Connected to its device now; a running job that is not is paused. */
  isActive: z.boolean(),
  /** Why its log cannot be read; null when it can. */
  damage: messageSchema.nullable()
})
export type ListedJob = z.infer<typeof listedJob>

/** How a device stood when its job began or was signed off. */
export const jobSnapshot = z.object({
  cause: z.enum(['jobStart', 'signOff']),
  takenAt: isoTime,
  /** Of its file; null where none could be made. */
  sha256: z.string().nullable(),
  sizeBytes: z.number(),
  /** Operations that were asked, and those of them that gave nothing. */
  asked: z.number(),
  silent: z.number(),
  /** Why none could be made. */
  why: messageSchema.nullable()
})
export type JobSnapshot = z.infer<typeof jobSnapshot>

/** What a job was begun from, where somebody had prepared it. */
export const preparedRef = z.object({ id: z.string(), by: z.string(), dueAt: isoTime.nullable(), notes: z.string() })

export const job = jobSummary.extend({
  profile: z.object({ id: z.string(), version: z.number(), name: storedMessage }),
  /** What was typed to find the vehicle, before the gateway confirmed one. */
  vehicleText: z.string(),
  steps: z.array(step),
  /** Why it was cancelled. Absent for a job that was not. */
  cancelled: z.object({ reason: storedMessage, at: isoTime }).optional(),
  /** What was ordered; null where the checklist alone says what is wanted. Absent in what earlier versions wrote. */
  order: order.nullable().optional(),
  /** Who prepared it, for when, and what was noted with it. Absent where nobody did. */
  prepared: preparedRef.optional(),
  /** Of its checklist, where that has one. */
  plug: plug.optional(),
  operations: z.array(z.object({ id: z.string(), kind: z.string(), state: z.string() })),
  /** Pictures that it holds, as they came. Absent in what earlier versions wrote. */
  attachments: z.array(attachment).optional(),
  /** Absent in what earlier versions wrote. */
  snapshots: z.array(jobSnapshot).optional(),
  /** Hash of the last entry of the job's log: the seal of everything before it. */
  seal: z.string(),
  /** What of its log cannot be read or was changed: nothing is added to it any more. Absent when it is whole. */
  damage: z
    .object({
      /** From this entry on its seal is broken; null when only its end is missing. */
      entry: z.number().nullable(),
      /** How many entries can be read. */
      readable: z.number(),
      /** Entries that are there and make no sense. */
      unreadable: z.array(z.number()),
      why: messageSchema
    })
    .optional(),
  /** When its log was sealed last, and with which key; without one its hashes alone hold it together. Absent before. */
  sealed: z.object({ at: isoTime, fingerprint: z.string().nullable() }).optional()
})
export type Job = z.infer<typeof job>

/** A live value of a running check: what it is now, what is wanted, and how far it is. */
export const meter = z.object({
  label: messageSchema,
  /** With its unit; null while it is not known. */
  value: messageSchema.nullable(),
  target: messageSchema.nullable(),
  /** 0..1 towards the target; null where there is no such thing. */
  progress: z.number().nullable(),
  tone: z.enum(['live', 'pass', 'warn', 'fail', 'wait'])
})
export type Meter = z.infer<typeof meter>

/** What a running step wants from the person. */
export const prompt = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('imei'), text: messageSchema }),
  z.object({ kind: z.literal('yesNo'), text: messageSchema }),
  z.object({ kind: z.literal('value'), text: messageSchema, unit: z.string(), min: z.number().optional(), max: z.number().optional() }),
  z.object({ kind: z.literal('text'), text: messageSchema, maxLength: z.number() }),
  z.object({ kind: z.literal('choice'), text: messageSchema, choices: z.array(z.object({ id: z.string(), text: messageSchema })) }),
  /** One button: the person is ready, or has done what was asked. */
  z.object({ kind: z.literal('ready'), text: messageSchema, button: messageSchema }),
  /** Pictures of the person's: each is kept with `photos.attach`; `answer: true` says that these are all. */
  z.object({ kind: z.literal('photo'), text: messageSchema, purpose: photoPurpose, minPhotos: z.number(), attached: z.array(z.string()) }),
  /** A picture that was kept, to be accepted or refused. */
  z.object({ kind: z.literal('picture'), text: messageSchema, sha256: z.string() }),
  z.object({
    kind: z.literal('choose'),
    text: messageSchema,
    entity: z.enum(['vehicle', 'asset']),
    optional: z.boolean(),
    /** What the gateway has already: to be confirmed instead of searched. */
    suggested: entityChoice.nullable().optional()
  }),
  z.object({ kind: z.literal('lines'), text: messageSchema, lines: z.array(z.string()) }),
  /** Hold-to-arm: the window sends `arm` while the button is held; the terminal asks for a typed word. */
  z.object({ kind: z.literal('arm'), text: messageSchema, holdMs: z.number() }),
  /** Did the relay do what it should? */
  z.object({ kind: z.literal('effect'), text: messageSchema }),
  z.object({ kind: z.literal('signOff'), text: messageSchema, blockers: z.array(messageSchema), signatures: z.enum(['technician', 'both']).optional() })
])
export type Prompt = z.infer<typeof prompt>

/** What a running step shows right now. Not stored: what matters of it is in the evidence. */
export const liveStep = z.object({
  jobId: z.string(),
  stepId: z.string(),
  say: messageSchema,
  hint: messageSchema.nullable(),
  meters: z.array(meter),
  /** Of a step about inputs: what each line has proved so far. */
  inputs: z.array(inputProof).optional(),
  /** What is wanted against what is seen so far, where that is a list. */
  rows: z.array(seenRow).optional(),
  /** Of a trip: where both witnesses have seen it so far. */
  drive: drive.optional(),
  /** Of a step about an output: what has to hold before it goes on, with what was read. */
  conditions: z.array(outputCondition).optional(),
  /** Of a step about an output: where its test is. */
  output: outputTest.optional(),
  elapsedMs: z.number(),
  /** What the person does now so that it continues: "Turn the key to ON". Its clock runs only while it is on the stage. */
  act: messageSchema.nullable().optional(),
  /** Its clock stands: the device does not answer, and the step continues when it is back. */
  isWaiting: z.literal(true).optional(),
  /** Until the check gives up; null while it waits for the person. */
  leftMs: z.number().nullable(),
  prompt: prompt.nullable()
})
export type LiveStep = z.infer<typeof liveStep>

/** What changed in the log of a job. */
export const jobEntry = z.object({ jobId: z.string(), stepId: z.string(), evidence })
export const jobStep = z.object({ jobId: z.string(), step: stepHead })

/** What the lines of the device of a job did since it was told last. */
export const jobLines = linesNews.extend({
  jobId: z.string(),
  /** Why there is nothing new, when the device does not answer. */
  problem: messageSchema.nullable(),
  /** How long the device has not answered: the whole job waits for it. Null while it answers. */
  lostForMs: z.number().nullable()
})
export type JobLines = z.infer<typeof jobLines>

/** Drawn: strokes, each x and y in turn, in a field of 1000 by 1000. Or typed, by who cannot draw. */
export const signature = z.union([
  z.array(z.array(z.number().int().min(0).max(1000)).min(2).max(2_000)).min(1).max(100),
  z.strictObject({ typed: z.string().trim().min(1).max(120) })
])
export type Signature = z.infer<typeof signature>

/** What a person gives a step. One shape for the window, the terminal and the file of answers. */
export const answer = z.strictObject({
  answer: z.boolean().optional(),
  value: z.union([z.number(), z.string().max(2_000)]).optional(),
  choose: z.string().max(200).optional(),
  armed: z.boolean().optional(),
  effect: z.boolean().optional(),
  /** Inputs that are left out, with the reason; null takes that back. */
  notWired: z.strictObject({ lines: z.array(z.string().regex(/^IN[1-7]$/)).min(1), reason: z.string().trim().min(3).max(500).nullable() }).optional(),
  /** Drawn or typed signatures. */
  signatures: z.strictObject({ technician: signature.optional(), customer: signature.optional() }).optional(),
  /** Path of a picture, or of several, for a step that asks for them; only the file of answers may name one. */
  photo: z.union([z.string().max(1000), z.array(z.string().max(1000)).min(1).max(12)]).optional(),
  waive: z.string().min(1).max(500).optional()
})
export type Answer = z.infer<typeof answer>

/** File of answers of `fitter job run --answers`. */
export const answersFile = z.strictObject({
  steps: z.record(z.string(), answer).default({}),
  technician: z.string().max(120).optional(),
  customer: z.string().max(120).optional()
})
export type AnswersFile = z.infer<typeof answersFile>

const jobId = z.string().min(1).max(40)
const stepId = z.string().min(1).max(60)

export const jobsCalls = defineCalls({
  /** `steps`: how many a job without an order has. */
  'jobs.templates': {
    input: nothing,
    output: z.object({
      templates: z.array(
        z.object({ id: z.string(), version: z.number(), name: messageSchema, kind: jobKind, description: messageSchema, steps: z.number() })
      )
    })
  },
  'jobs.create': {
    input: z.strictObject({
      templateId: z.string().max(60),
      deviceKey: z.string().min(1).max(255),
      vehicleText: z.string().max(200).default(''),
      customer: z.string().max(120).default(''),
      order: order.nullable().default(null),
      /** The IMEI on the label, when it was scanned already: the identity step does not ask for it again. */
      scannedImei: z.string().max(40).optional(),
      /** The person knows that another job on this device is open. */
      besideOpenJob: z.boolean().default(false),
      /** The prepared job that is begun with it. */
      assignedId: z.string().max(40).optional()
    }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('created'), id: z.string() }),
      /** Nothing was made: this job on the device is open. Go on with it, or ask again with `besideOpenJob`. */
      z.object({ outcome: z.literal('openJob'), job: listedJob })
    ])
  },
  /** What a new job may begin with: the customer of the last one. */
  'jobs.remembered': { input: nothing, output: z.object({ customer: z.string() }) },
  'jobs.list': {
    input: z.strictObject({
      state: jobState.optional(),
      /** Only those that still want something: not begun, under way, or waiting for the gateway. */
      isOpen: z.literal(true).optional(),
      search: z.string().max(200).optional(),
      /** Made at this time or later, and before `to`. */
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
      /** How many there are in all; with `isMore`, at least so many. */
      total: z.number(),
      isMore: z.boolean(),
      /** Jobs of the whole log, by state. */
      counts: z.partialRecord(jobState, z.number()),
      /** Nothing has exactly these words; these have nearly the same. */
      isSimilar: z.boolean()
    })
  },
  'jobs.show': { input: z.strictObject({ id: jobId }), output: job },
  /** Connects to the device and starts every check that only watches. */
  'jobs.start': { input: z.strictObject({ id: jobId }), output: nothing },
  /** Lets go of the device; running steps go back to waiting, outputs are switched off first. */
  'jobs.pause': { input: z.strictObject({ id: jobId }), output: nothing },
  'jobs.runStep': { input: z.strictObject({ id: jobId, stepId }), output: nothing },
  'jobs.stopStep': { input: z.strictObject({ id: jobId, stepId }), output: nothing },
  /** Which step the person looks at; null when none of them: the clocks of the others that need the person stand. */
  'jobs.onStage': { input: z.strictObject({ id: jobId, stepId: stepId.nullable() }), output: nothing },
  'jobs.answer': { input: z.strictObject({ id: jobId, stepId, answer }), output: nothing },
  'jobs.waive': { input: z.strictObject({ id: jobId, stepId, reason: z.string().trim().min(3).max(500) }), output: nothing },
  'jobs.cancel': { input: z.strictObject({ id: jobId, reason: z.string().trim().min(3).max(500) }), output: nothing },
  /** What the session shows now, for a screen that opens in the middle. */
  'jobs.live': {
    input: z.strictObject({ id: jobId }),
    output: z.object({ active: z.boolean(), steps: z.array(liveStep), lines: jobLines.nullable() })
  },
  'jobs.report': {
    input: z.strictObject({ id: jobId, format: z.enum(['pdf', 'csv', 'json', 'html']), language: z.enum(['en', 'es']).optional() }),
    output: z.object({ fileName: z.string(), mediaType: z.string(), base64: z.string() })
  }
})
