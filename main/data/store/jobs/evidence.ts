import { evidence, type Evidence } from '../../../../preload/contract/job/jobs.ts'
import type { JournalEntry } from './seal.ts'

export const evidenceEntryType = 'evidence'

export function evidenceOf(entry: JournalEntry | undefined): Evidence | undefined {
  if (entry?.type !== evidenceEntryType) return undefined
  const { data, seq, at, hash } = entry
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return undefined
  const parsed = evidence.safeParse({ ...data, seq, at, hash })
  return parsed.success ? parsed.data : undefined
}
