import type { JournalEntry } from '../../../data/store/jobs/seal.ts'
import { fieldsOfLog } from '../../../data/store/jobs/sealedFields.ts'
import { sealText, type Signature } from '../../../data/store/jobs/signature.ts'
import type { JobLogs } from './jobLogs.ts'
import { stateWhenSigned } from '../finish/signed.ts'

export interface SealingOptions {
  logs: Pick<JobLogs, 'load' | 'write'>
  journal(id: string): JournalEntry[]
  sign(text: string): Promise<Signature>
  now(): Date
  reportFault(error: unknown): void
}

/** Seals the log of a signed job: from then on every change, addition or removal is detected. */
export function createSealing({ logs, journal, sign, now, reportFault }: SealingOptions) {
  const present = new Map<string, Promise<void>>()

  function isDue(id: string): boolean {
    const job = logs.load(id)
    return (
      !job.handedOver &&
      job.sealing.isWanted &&
      !job.sealing.isSealed &&
      job.state !== 'cancelled' &&
      stateWhenSigned(job) !== undefined
    )
  }

  async function make(id: string): Promise<void> {
    while (isDue(id)) {
      const { seal: head, sealing } = logs.load(id)
      const claim = { head, entries: sealing.entries, at: now().toISOString(), fields: fieldsOfLog(id, journal(id)) }
      const signature = await sign(sealText({ job: id, ...claim }))
      // The time of the entry is the signed one: nothing else covers the entry of the last seal. The keychain may be
      // slow. Entries written in the meantime must be sealed as well.
      if (logs.load(id).seal === head) logs.write(id, 'sealed', null, { ...claim, ...signature }, claim.at)
    }
  }

  return {
    /** Does nothing for a log that is not signed, is still being written, or is sealed already. */
    seal(id: string): Promise<void> {
      const running = present.get(id)
      if (running) return running
      if (!isDue(id)) return Promise.resolve()
      const made = make(id)
        .catch(reportFault)
        .finally(() => present.delete(id))
      present.set(id, made)
      return made
    },
    /** Resolves when no seal is being made. */
    async idle(): Promise<void> {
      await Promise.all(present.values())
    }
  }
}
