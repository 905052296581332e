import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { DiagnosisCaseStore } from '../../data/store/diagnosisCases.ts'

interface VisitsParts {
  cases: DiagnosisCaseStore
  /** Vehicles of different gateways may have the same number. */
  gatewayUrl(): string
  technician(): string
  now?: () => Date
}

const mostNotes = 200

export function createVisitHandlers({
  cases,
  gatewayUrl,
  technician,
  now = () => new Date()
}: VisitsParts): HandlersOf<'visits'> {
  function subjectOf({ vehicleId, imei }: { vehicleId: number | null; imei: string | null }): string {
    if (vehicleId !== null) return `vehicle ${vehicleId} at ${gatewayUrl()}`
    return `device ${imei ?? ''}`
  }
  return {
    'visits.latest': () => ({ latest: cases.latest() }),
    'visits.read': (about) => ({ case: cases.read(subjectOf(about)) }),
    'visits.save': ({ visit, outcome, ...about }) => {
      const subject = subjectOf(about)
      cases.write(subject, { ...cases.read(subject), visit, outcome }, now().toISOString())
      return { case: cases.read(subject) }
    },
    'visits.addNote': ({ text, ...about }) => {
      const subject = subjectOf(about)
      const before = cases.read(subject)
      const at = now().toISOString()
      cases.write(
        subject,
        { ...before, notes: [{ at, by: technician(), text }, ...before.notes].slice(0, mostNotes) },
        at
      )
      return { case: cases.read(subject) }
    }
  }
}
