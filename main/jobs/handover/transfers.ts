import type { TransferPlan, TakeOverResult } from '../../../preload/contract/jobs/transfers.ts'
import { createArriving, type FoundJob } from './arriving.ts'
import type { Content } from './content.ts'
import { keptText } from './storedHandover.ts'
import { createLeaving, type HandoverFile } from './leaving.ts'
import type { TransferOptions } from './transferParts.ts'

/** Work that goes from one laptop to another in a file. */
export interface Transfers {
  /** What would go along; throws what keeps it from leaving. */
  plan(jobIds: readonly string[]): TransferPlan
  /**
   * Hands jobs over in a file, with all their gateway work that has not left: in the instant in which they may be taken over
   * from it, they are inert here. Of jobs that left already, or of the id of a handover, the same file is made again.
   */
  give(input: { jobIds: readonly string[]; to: string; file: string }, signal: AbortSignal): Promise<HandoverFile>
  /** What a file holds, and what taking it over would do; nothing is written. */
  look(file: string): Promise<TakeOverResult>
  /** Takes over what a file holds. The second time it does nothing. */
  take(file: string): Promise<TakeOverResult>
  /** Takes back what was handed over, without its file: nobody may have taken it over meanwhile. */
  takeBack(jobId: string, reason: string): Promise<TakeOverResult>
  /** The handover with which all of these left; undefined when one of them is here. */
  leftIn(jobIds: readonly string[]): string | undefined
  /** Makes jobs and their work inert here, in one transaction with `kept`, to be offered through the team log afterwards. */
  leave(leaving: { jobIds: readonly string[]; to: string }, kept: (content: Content) => void): Promise<string>
  /** What a handover holds beside logs and pictures, as the text that was hashed. */
  content(id: string): { content: Content; text: string; sha256: string }
  /** Takes back what surely nobody has of a handover, in one transaction with `kept`: all of it but the jobs in `except`. */
  comeBack(id: string, kept: () => void, except?: readonly string[]): TakeOverResult
  /** Takes over the log of a job whose holder is lost, in one transaction with `kept`. */
  takeOver(job: FoundJob, kept: () => void): TakeOverResult
}

export function createTransfers(options: TransferOptions): Transfers {
  return { ...createLeaving(options), ...createArriving(options), content: (id) => keptText(options, id) }
}
