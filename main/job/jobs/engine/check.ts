import type { OutputCondition } from '../../../../preload/contract/device/conditions.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import { problemOf } from '../../../base/reading/fields.ts'
import type { Answer, Evidence, Meter, Prompt, Step, Witness } from '../../../../preload/contract/job/jobs.ts'
import type { Drive } from '../../../../preload/contract/job/drive.ts'
import type { InputProof, OtherNumber, OutputTest, SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { asMessage, message, type Message } from '../../../../preload/contract/messages.ts'
import type { ReaderSettings } from '../../../../preload/base/messages/settings.ts'
import type { AttachOutcome, AddedPhoto } from '../photos/addedPhoto.ts'
import type { EntryInput, LoggedJob } from '../record/journal.ts'
import type { LineRecorder } from '../../../device/client/lineRecorder.ts'
import type { OutputController } from '../../outputs/controller.ts'
import type { OutputLimits } from '../../outputs/limits.ts'
import type { DevicePort, GatewayPort, OperationsPort } from './ports.ts'
import type { Profile } from './profile.ts'
import type { StepKind, StepOf } from '../../../../preload/contract/job/steps/index.ts'

/** A text of Fitter; foreign words (typed by a person, sent by the other side) are plain text. */
export type MessageOrText = Message | string

/** The result of a check. Sentences are for the person; the numbers behind them are in the evidence. */
export interface Outcome {
  state: 'pass' | 'received' | 'warn' | 'fail' | 'unreadable' | 'deferred' | 'notApplicable'
  summary: Message
  remedy: Message | null
  remedySteps?: Message[]
  /** The value that proves it, for the list of steps. */
  figure?: Message
  consequences?: { works: Message[]; notAvailable: Message[] }
  /** For inputs: what each line has confirmed. */
  inputs?: InputProof[]
  rows?: SeenRow[]
  /** For a trip: the track of both witnesses. */
  drive?: Drive
  witness: Witness[]
  /** A pass that was only sent: there is nothing to read back. */
  isSent?: boolean
  /** A break in the chain of identity: a different device, or another vehicle's. It cannot be skipped. */
  isMismatch?: boolean
  other?: OtherNumber
}

export interface Shown {
  say: MessageOrText
  hint: MessageOrText | null
  /** What the person must do now; null while it continues alone. */
  act: Message | null
  meters: Meter[]
  inputs: InputProof[]
  rows: SeenRow[]
  drive: Drive
  conditions: OutputCondition[]
  output: OutputTest
  leftMs: number | null
}

/** A question of a check, in the form of the contract except for its texts. */
export type Question = Prompt extends infer One
  ? One extends Prompt
    ? Omit<One, 'text'> & { text: MessageOrText }
    : never
  : never

/** A question to the person, open until it is answered. */
export interface Asked {
  readonly given: Answer | undefined
  /** Rejects when the step is stopped. */
  readonly answered: Promise<Answer>
}

/** Everything that a check may use: its only access to the device, the gateway and the person. */
export interface CheckContext<Kind extends StepKind = StepKind> {
  readonly job: LoggedJob
  readonly step: Step
  /** The state of the step before this attempt. */
  readonly previous: Step['state']
  readonly plan: StepOf<Kind>
  readonly units: ReaderSettings['units']
  readonly profile: Profile
  readonly device: DevicePort
  readonly gateway: GatewayPort
  readonly operations: OperationsPort
  /** The outputs of the job's device, their limits in this job, and which of them may be on, whoever switched them. */
  readonly outputs: { controller: OutputController; limits: OutputLimits; mayBeOn(): string[] }
  readonly lines: LineRecorder
  readonly signal: AbortSignal
  monotonicMs(): number
  now(): Date
  /** Since the start of this attempt. */
  elapsedMs(): number
  show(shown: Partial<Shown>): void
  /** Writes evidence into the log; on the disk when it returns. */
  saw(seen: {
    witness: Evidence['witness']
    what: MessageOrText
    raw: unknown
    thresholds?: Record<string, Json>
  }): void
  ask(question: Question): Asked
  unask(): void
  pause(ms: number): Promise<void>
  recordWrite(entry: EntryInput<'deviceWrite'>): void
  attach(photo: AddedPhoto): Promise<AttachOutcome>
  chooseVehicle(vehicle: NonNullable<LoggedJob['vehicle']>): void
  giveNames(names: { technician: string; customer: string }): void
}

export type Check<Kind extends StepKind = StepKind> = (context: CheckContext<Kind>) => Promise<Outcome>

export function pass(summary: MessageOrText, witness: Witness[]): Outcome {
  return { state: 'pass', summary: asMessage(summary), remedy: null, witness }
}
/** A value came, and neither order nor checklist contains anything to compare it with: never a pass. */
export function received(summary: MessageOrText, witness: Witness[], remedy: Message | null = null): Outcome {
  return { ...pass(summary, witness), state: 'received', remedy }
}
/** The command was accepted, and the device has no reading that shows its effect. */
export function sent(summary: MessageOrText, witness: Witness[]): Outcome {
  return { ...pass(summary, witness), isSent: true }
}
export function warn(summary: MessageOrText, remedy: MessageOrText, witness: Witness[]): Outcome {
  return { state: 'warn', summary: asMessage(summary), remedy: asMessage(remedy), witness }
}
export function fail(summary: MessageOrText, remedy: MessageOrText, witness: Witness[]): Outcome {
  return { state: 'fail', summary: asMessage(summary), remedy: asMessage(remedy), witness }
}
export function mismatch(summary: MessageOrText, remedy: MessageOrText, witness: Witness[]): Outcome {
  return { ...fail(summary, remedy, witness), isMismatch: true }
}
/** The same outcome with the value that proves it. */
export function withFigure(figure: MessageOrText, outcome: Outcome): Outcome {
  return { ...outcome, figure: asMessage(figure) }
}
/** The same outcome with wanted and found values. Without a compared value there is no pass. */
export function withRows(rows: SeenRow[], outcome: Outcome): Outcome {
  const isCompared = rows.length === 0 || rows.some(({ verdict }) => verdict === 'agrees')
  return { ...outcome, rows, ...(outcome.state === 'pass' && !isCompared ? { state: 'received' } : {}) }
}
/** The same failure with its remedy in steps. */
export function inSteps(outcome: Outcome, ...steps: Message[]): Outcome {
  return { ...outcome, remedySteps: steps }
}
export function unreadable(summary: MessageOrText, remedy: MessageOrText): Outcome {
  return { state: 'unreadable', summary: asMessage(summary), remedy: asMessage(remedy), witness: [] }
}
export function deferred(summary: MessageOrText, remedy: MessageOrText = message('jobs.doneByItself')): Outcome {
  return { state: 'deferred', summary: asMessage(summary), remedy: asMessage(remedy), witness: [] }
}
export function notApplicable(summary: MessageOrText): Outcome {
  return { state: 'notApplicable', summary: asMessage(summary), remedy: null, witness: ['person'] }
}

/** The first of these fields that is missing in a reading, with its reason: it never counts as a good one. */
export function missingField(
  reading: { value: unknown; problems: readonly Message[] },
  paths: string[]
): MessageOrText | undefined {
  const path = paths.find((candidate) => pick(reading.value, candidate) === undefined)
  return path && (problemOf(reading.problems, path) ?? message('jobs.missingInAnswer', { path }))
}

function pick(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
}
