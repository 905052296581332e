import type { DiagnosisCase, LatestDiagnosis } from '../../../preload/contract/support/visits.ts'
import type { DataFile } from './file/database.ts'
import { readJson } from './file/errors.ts'
import { createStoredValues } from './storedValues.ts'

export type DiagnosisCaseStore = ReturnType<typeof createDiagnosisCaseStore>

interface Row {
  visit: string | null
  outcome: DiagnosisCase['outcome']
  notes: string
}

const latestName = 'latestDiagnoses'
const mostLatest = 12

/** Visits and notes by subject, and the subjects that were diagnosed last. */
export function createDiagnosisCaseStore(data: DataFile) {
  const values = createStoredValues(data, 'preference')
  const one = data.prepare<[string], Row>('select visit, outcome, notes from diagnosis_case where subject = ?')
  const put =
    data.prepare(`insert into diagnosis_case (subject, visit, outcome, notes, updated_at) values (@subject, @visit, @outcome, @notes, @updatedAt)
    on conflict (subject) do update set visit = excluded.visit, outcome = excluded.outcome, notes = excluded.notes, updated_at = excluded.updated_at`)

  function latest(): LatestDiagnosis[] {
    const kept = values.read(latestName)
    return Array.isArray(kept) ? (kept as LatestDiagnosis[]) : []
  }

  return {
    latest,
    /** Puts a diagnosis first; an earlier one of the same subject is replaced. */
    rememberLatest(diagnosis: LatestDiagnosis): void {
      const subject = JSON.stringify(diagnosis.subject)
      const others = latest().filter((one) => JSON.stringify(one.subject) !== subject)
      values.put(latestName, [diagnosis, ...others].slice(0, mostLatest))
    },
    /** An unknown subject has an open case without notes. */
    read(subject: string): DiagnosisCase {
      const row = one.get(subject)
      if (!row) return { visit: null, outcome: 'open', notes: [] }
      return {
        visit: row.visit === null ? null : (readJson(row.visit) as DiagnosisCase['visit']),
        outcome: row.outcome,
        notes: readJson(row.notes) as DiagnosisCase['notes']
      }
    },
    write(subject: string, { visit, outcome, notes }: DiagnosisCase, updatedAt: string): void {
      data.write(() =>
        put.run({ subject, visit: visit && JSON.stringify(visit), outcome, notes: JSON.stringify(notes), updatedAt })
      )
    }
  }
}
