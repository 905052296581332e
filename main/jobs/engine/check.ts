import type { OutputCondition } from '../../../preload/contract/device/conditions.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { problemOf } from '../../reading/fields.ts'
import type { Answer, Evidence, Meter, Prompt, Step, Witness } from '../../../preload/contract/jobs/jobs.ts'
import type { Drive } from '../../../preload/contract/jobs/drive.ts'
import type { InputProof, OtherNumber, OutputTest, SeenRow } from '../../../preload/contract/jobs/jobSeen.ts'
import { asMessage, message, type Message } from '../../../preload/contract/messages.ts'
import type { ReaderSettings } from '../../../preload/messages/settings.ts'
import type { AttachOutcome, AddedPhoto } from '../photos/addedPhoto.ts'
import type { EntryInput, LoggedJob } from '../record/journal.ts'
import type { LineRecorder } from '../../device/lineRecorder.ts'
import type { OutputController } from '../../outputs/controller.ts'
import type { OutputLimits } from '../../outputs/limits.ts'
import type { DevicePort, GatewayPort, OperationsPort } from './ports.ts'
import type { Profile } from './profile.ts'
import type { StepKind, StepOf } from '../../../preload/contract/jobs/steps/index.ts'

/** What Fitter says; words that are not ours (typed by a person, said by the other side) are plain. */
export type MessageOrText = Message | string

/** What a check found out. Sentences are for the person; the numbers behind them are in the evidence. */
export interface Outcome {
  state: 'pass' | 'warn' | 'fail' | 'unreadable' | 'deferred' | 'notApplicable'
  summary: Message
  remedy: Message | null
  /** The remedy one thing after the other, where it has parts. */
  remedySteps?: Message[]
  /** The figure that proves it, for the list of steps. */
  figure?: Message
  /** Of inputs: what each line has proved. */
  inputs?: InputProof[]
  /** What was wanted against what was seen, where that is a list. */
  rows?: SeenRow[]
  /** Of a trip: where both witnesses saw it. */
  drive?: Drive
  witness: Witness[]
  /** A pass of which all that is known is that it was sent: there is nothing to read back. */
  isSent?: boolean
  /** A break in the chain of identity: another device, or another vehicle's. No reason makes it whole. */
  isMismatch?: boolean
  other?: OtherNumber
}

export interface Shown {
  say: MessageOrText
  hint: MessageOrText | null
  /** What the person does now so that it continues; null while it continues alone. */
  act: Message | null
  meters: Meter[]
  inputs: InputProof[]
  rows: SeenRow[]
  drive: Drive
  conditions: OutputCondition[]
  output: OutputTest
  leftMs: number | null
}

/** A question of a check, in the form of the contract but for its words. */
export type Question = Prompt extends infer One ? (One extends Prompt ? Omit<One, 'text'> & { text: MessageOrText } : never) : never

/** A question to the person that is open until it is answered. */
export interface Asked {
  readonly given: Answer | undefined
  /** Rejects when the step is stopped. */
  readonly answered: Promise<Answer>
}

/** Everything a check may use. It sees the device, the gateway and the person only through this. */
export interface CheckContext<Kind extends StepKind = StepKind> {
  readonly job: LoggedJob
  readonly step: Step
  /** How the step stood before this attempt. */
  readonly previous: Step['state']
  /** What the checklist and the order tell this step. */
  readonly plan: StepOf<Kind>
  /** The units that the person reads. */
  readonly units: ReaderSettings['units']
  readonly profile: Profile
  readonly device: DevicePort
  readonly gateway: GatewayPort
  readonly operations: OperationsPort
  /** The outputs of the job's device, the limits that hold for them in this job, and which of them may be on, whoever switched them. */
  readonly outputs: { controller: OutputController; limits: OutputLimits; mayBeOn(): string[] }
  readonly lines: LineRecorder
  readonly signal: AbortSignal
  monotonicMs(): number
  now(): Date
  /** Since this attempt began. */
  elapsedMs(): number
  show(shown: Partial<Shown>): void
  /** Writes what was seen into the log; on the disk when it returns. */
  saw(seen: { witness: Evidence['witness']; what: MessageOrText; raw: unknown; thresholds?: Record<string, Json> }): void
  ask(question: Question): Asked
  /** Takes the open question away. */
  unask(): void
  pause(ms: number): Promise<void>
  recordWrite(entry: EntryInput<'deviceWrite'>): void
  /** Keeps a picture with this attempt. */
  attach(photo: AddedPhoto): Promise<AttachOutcome>
  chooseVehicle(vehicle: NonNullable<LoggedJob['vehicle']>): void
  giveNames(names: { technician: string; customer: string }): void
}

export type Check<Kind extends StepKind = StepKind> = (context: CheckContext<Kind>) => Promise<Outcome>

export function pass(summary: MessageOrText, witness: Witness[]): Outcome {
  return { state: 'pass', summary: asMessage(summary), remedy: null, witness }
}
/** The command was taken, and the device has nothing by which its effect could be seen. */
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
/** The same outcome with the figure that proves it. */
export function withFigure(figure: MessageOrText, outcome: Outcome): Outcome {
  return { ...outcome, figure: asMessage(figure) }
}
/** The same outcome with what was wanted against what was seen. */
export function withRows(rows: SeenRow[], outcome: Outcome): Outcome {
  return { ...outcome, rows }
}
/** The same failure with what to do, one thing after the other. */
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

/**
 * The first of these fields (`coords.speed`) that a reading does not have, in the words of the reading; a field that is
 * missing never counts as one that is fine.
 */
export function missingField(reading: { value: unknown; problems: readonly Message[] }, paths: string[]): MessageOrText | undefined {
  const path = paths.find((candidate) => pick(reading.value, candidate) === undefined)
  return path && (problemOf(reading.problems, path) ?? message('jobs.missingInAnswer', { path }))
}

function pick(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
}
