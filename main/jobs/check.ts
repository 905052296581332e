import type { Json } from '../../preload/contract/define.ts'
import type { Answer, Evidence, Meter, Prompt, Step, Witness } from '../../preload/contract/jobs.ts'
import type { EntryData, LoggedJob } from './journal.ts'
import type { LineRecorder } from '../device/lineRecorder.ts'
import type { OutputController } from '../outputs/controller.ts'
import type { OutputLimits } from '../outputs/limits.ts'
import type { DevicePort, GatewayPort, OperationsPort } from './ports.ts'
import type { Profile } from './profile.ts'
import type { TemplateStep } from './template.ts'

/** What a check found out. Sentences are for the person; the numbers behind them are in the evidence. */
export interface Outcome {
  state: 'pass' | 'warn' | 'fail' | 'unreadable' | 'deferred' | 'notApplicable'
  summary: string
  remedy: string
  witness: Witness[]
  /** A pass of which all that is known is that it was sent: there is nothing to read back. */
  isSent?: boolean
}

export interface Shown {
  say: string
  hint: string
  meters: Meter[]
  leftMs: number | null
}

/** A question to the person that is open until it is answered. */
export interface Asked {
  readonly given: Answer | undefined
  /** Rejects when the step is stopped. */
  readonly answered: Promise<Answer>
}

/** Everything a check may use. It sees the device, the gateway and the person only through this. */
export interface CheckContext {
  readonly job: LoggedJob
  readonly step: Step
  /** How the step stood before this attempt. */
  readonly previous: Step['state']
  readonly plan: TemplateStep
  readonly profile: Profile
  readonly device: DevicePort
  readonly gateway: GatewayPort
  readonly operations: OperationsPort
  /** The outputs of the job's device, and the limits that hold for them in this job. */
  readonly outputs: { controller: OutputController; limits: OutputLimits }
  readonly lines: LineRecorder
  readonly signal: AbortSignal
  monotonicMs(): number
  now(): Date
  /** Since this attempt began. */
  elapsedMs(): number
  show(shown: Partial<Shown>): void
  /** Writes what was seen into the log; on the disk when it returns. */
  saw(seen: Pick<Evidence, 'witness' | 'what'> & { raw: unknown; thresholds?: Record<string, Json> }): void
  ask(prompt: Prompt): Asked
  /** Takes the open question away. */
  unask(): void
  pause(ms: number): Promise<void>
  recordWrite(entry: EntryData<'deviceWrite'>): void
  chooseVehicle(vehicle: { id: number; name: string }): void
  giveNames(names: { technician: string; customer: string }): void
}

export type Check = (context: CheckContext) => Promise<Outcome>

export function pass(summary: string, witness: Witness[]): Outcome {
  return { state: 'pass', summary, remedy: '', witness }
}
/** The command was taken, and the device has nothing by which its effect could be seen. */
export function sent(summary: string, witness: Witness[]): Outcome {
  return { state: 'pass', summary, remedy: '', witness, isSent: true }
}
export function warn(summary: string, remedy: string, witness: Witness[]): Outcome {
  return { state: 'warn', summary, remedy, witness }
}
export function fail(summary: string, remedy: string, witness: Witness[]): Outcome {
  return { state: 'fail', summary, remedy, witness }
}
export function unreadable(summary: string, remedy: string): Outcome {
  return { state: 'unreadable', summary, remedy, witness: [] }
}
export function deferred(summary: string, remedy = 'It is done by itself as soon as the gateway can be reached.'): Outcome {
  return { state: 'deferred', summary, remedy, witness: [] }
}

/**
 * The first of these fields (`coords.speed`) that a reading does not have, in the words of the reading; a field that is
 * missing never counts as one that is fine.
 */
export function missingField(reading: { value: unknown; problems: string[] }, paths: string[]): string | undefined {
  const path = paths.find((candidate) => pick(reading.value, candidate) === undefined)
  return path && (reading.problems.find((problem) => problem.startsWith(`${path}:`)) ?? `${path}: missing in the answer`)
}

function pick(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
}
