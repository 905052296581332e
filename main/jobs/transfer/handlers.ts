import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { TransferFiles } from './transferFiles.ts'
import type { Transfers } from './transfers.ts'

/** The calls of work that goes to another laptop, or comes from one. */
export function createTransferHandlers({ transfers, files }: { transfers: Transfers; files: TransferFiles }): HandlersOf<'transfers'> {
  return {
    'transfers.plan': ({ jobIds }) => transfers.plan(jobIds),
    'transfers.give': (input, signal) => files.give(input, signal),
    'transfers.part': ({ id, from }) => files.part(id, from),
    'transfers.end': async ({ id }) => {
      await files.end(id)
      return {}
    },
    'transfers.add': (input) => files.add(input),
    'transfers.take': ({ upload }) => files.take(upload),
    'transfers.takeBack': ({ jobId, reason }) => transfers.takeBack(jobId, reason)
  }
}
