import { message, type Message } from '../../preload/contract/messages.ts'

/** Whose record a report is made from, where the job is of a colleague, and how much of its seals does not fit. */
export interface TeamRecord {
  /** Empty for nobody. */
  holder: string
  faults: number
}

/** When it was written, from whose record, and what was checked. */
export function sayRecord({ holder, faults }: TeamRecord, { version, when }: { version: string; when: string }): Message {
  return message('report.writtenOfTeam', { version, when, named: holder === '' ? 'no' : 'yes', holder, faults })
}
