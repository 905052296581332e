import { z } from 'zod'
import { defineCalls, isoTime } from '../define.ts'

/** A service visit as it is planned on this computer; a person changes every field. */
export const serviceVisit = z.strictObject({
  checklistId: z.string().max(60),
  place: z.string().max(200),
  technician: z.string().max(120),
  dueAt: isoTime.nullable(),
  note: z.string().max(2_000)
})
export type ServiceVisit = z.infer<typeof serviceVisit>

/** open: nothing decided. planned: somebody goes there. solved: it reports again, or it was no fault. */
export const diagnosisOutcome = z.enum(['open', 'planned', 'solved'])
export type DiagnosisOutcome = z.infer<typeof diagnosisOutcome>

/** What people wrote about the diagnosis of a vehicle. It never leaves this computer. */
export const diagnosisCase = z.object({
  visit: serviceVisit.nullable(),
  outcome: diagnosisOutcome,
  /** Newest first. */
  notes: z.array(z.object({ at: isoTime, by: z.string(), text: z.string() }))
})
export type DiagnosisCase = z.infer<typeof diagnosisCase>

const about = { vehicleId: z.number().int().nonnegative().nullable(), imei: z.string().regex(/^\d{15}$/).nullable() }
const isAboutSomething = ({ vehicleId, imei }: { vehicleId: number | null; imei: string | null }): boolean => vehicleId !== null || imei !== null
const output = z.object({ case: diagnosisCase })

export const visitsCalls = defineCalls({
  'visits.read': { input: z.strictObject(about).refine(isAboutSomething), output },
  /** Replaces the planned visit and the outcome. */
  'visits.save': { input: z.strictObject({ ...about, visit: serviceVisit.nullable(), outcome: diagnosisOutcome }).refine(isAboutSomething), output },
  'visits.addNote': { input: z.strictObject({ ...about, text: z.string().trim().min(1).max(2_000) }).refine(isAboutSomething), output }
})
