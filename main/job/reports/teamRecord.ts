import { message, type Message } from '../../../preload/contract/messages.ts'

/** The record of a colleague that a report is made from, and how many of its seals are faulty. */
export interface TeamRecord {
  /** Empty for nobody. */
  holder: string
  faults: number
}

/** When it was written, from whose record, and what was checked. */
export function sayRecord(
  { holder, faults }: TeamRecord,
  { version, when }: { version: string; when: string }
): Message {
  return message('report.writtenOfTeam', { version, when, named: holder === '' ? 'no' : 'yes', holder, faults })
}
