import type { Message } from '../../../preload/contract/messages.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { evidence, type Evidence } from '../../../preload/contract/jobs/jobs.ts'
import type { JournalEntry } from './seal.ts'

export const evidenceEntryType = 'evidence'

/** The `data` of an evidence entry: the evidence without what the entry itself contains. */
export function evidenceData(seen: Pick<Evidence, 'attempt' | 'witness' | 'raw' | 'thresholds' | 'clocks'> & { what: Message | string }): Json {
  const { attempt, witness, what, raw, thresholds, clocks } = seen
  return { attempt, witness, what: what as Json, raw, thresholds, ...(clocks ? { clocks } : {}) }
}

export function evidenceOf(entry: JournalEntry | undefined): Evidence | undefined {
  if (entry?.type !== evidenceEntryType) return undefined
  const { data, seq, at, hash } = entry
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return undefined
  const parsed = evidence.safeParse({ ...data, seq, at, hash })
  return parsed.success ? parsed.data : undefined
}
