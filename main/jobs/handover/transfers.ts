import type { TransferPlan, TakeOverResult } from '../../../preload/contract/jobs/transfers.ts'
import { createArriving, type FoundJob } from './arriving.ts'
import type { Content } from './content.ts'
import { keptText } from './storedHandover.ts'
import { createLeaving, type HandoverFile } from './leaving.ts'
import type { TransferOptions } from './transferParts.ts'

/** Handovers between laptops in a file. */
export interface Transfers {
  /** The work that would be handed over; throws the reason if the handover is impossible. */
  plan(jobIds: readonly string[]): TransferPlan
  /**
   * Hands over jobs in a file, with all their gateway work that was not handed over before. The jobs become inactive here in the
   * same instant in which they can be taken over from the file. For jobs that were handed over before, or for the id of a
   * handover, the same file is created again.
   */
  give(input: { jobIds: readonly string[]; to: string; file: string }, signal: AbortSignal): Promise<HandoverFile>
  /** The content of a file, and what a takeover would do; nothing is written. */
  look(file: string): Promise<TakeOverResult>
  /** Takes over the content of a file. A second time changes nothing. */
  take(file: string): Promise<TakeOverResult>
  /** Takes back a handover without its file: allowed only if nobody has taken it over. */
  takeBack(jobId: string, reason: string): Promise<TakeOverResult>
  /** The handover that contains all of these jobs; undefined if one of them is still here. */
  leftIn(jobIds: readonly string[]): string | undefined
  /** Makes jobs and their work inactive here, in one transaction with `kept`, for an offer through the team log afterwards. */
  leave(leaving: { jobIds: readonly string[]; to: string }, kept: (content: Content) => void): Promise<string>
  /** The content of a handover without logs and pictures, as the text that was hashed. */
  content(id: string): { content: Content; text: string; sha256: string }
  /** Takes back what certainly nobody has taken over, except `except`, in one transaction with `kept`. */
  comeBack(id: string, kept: () => void, except?: readonly string[]): TakeOverResult
  /** Takes over the log of a job from a lost laptop, in one transaction with `kept`. */
  takeOver(job: FoundJob, kept: () => void): TakeOverResult
}

export function createTransfers(options: TransferOptions): Transfers {
  return { ...createLeaving(options), ...createArriving(options), content: (id) => keptText(options, id) }
}
