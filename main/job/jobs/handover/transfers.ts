import { createArriving } from './arriving.ts'
import { keptText } from './storedHandover.ts'
import { createLeaving } from './leaving.ts'
import type { TransferOptions } from './transferParts.ts'

/** Handovers between laptops in a file. */
export type Transfers = ReturnType<typeof createTransfers>

export function createTransfers(options: TransferOptions) {
  /** `content`: of a handover, without logs and pictures, as the text that was hashed. */
  return { ...createLeaving(options), ...createArriving(options), content: (id: string) => keptText(options, id) }
}
