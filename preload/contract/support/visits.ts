import { z } from 'zod'
import { defineCalls, imeiDigits, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { chainLink, diagnosisSubject, linkState } from './diagnosis.ts'

/** A service visit as it is planned on this computer; a person changes every field. */
export const serviceVisit = z.strictObject({
  checklistId: z.string().max(60),
  place: z.string().max(200),
  technician: z.string().max(120),
  dueAt: isoTime.nullable(),
  note: z.string().max(2_000)
})
export type ServiceVisit = z.infer<typeof serviceVisit>

/** open: nothing decided. planned: someone goes there. solved: it reports again, or it was no fault. */
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

/** A diagnosis that a person looked at, as it was then. */
export const latestDiagnosis = z.object({
  subject: diagnosisSubject,
  name: z.string().nullable(),
  plate: z.string().nullable(),
  imei: z.string().nullable(),
  at: isoTime,
  tone: z.enum(['fail', 'warn', 'unknown', 'pass']),
  brokenAt: chainLink.nullable(),
  sinceAt: isoTime.nullable(),
  /** The worst problem in words; null when none was found. */
  what: messageSchema.nullable(),
  /** The nine links, in their order. */
  links: z.array(linkState)
})
export type LatestDiagnosis = z.infer<typeof latestDiagnosis>

const about = { vehicleId: z.number().int().nonnegative().nullable(), imei: imeiDigits.nullable() }
const isAboutSomething = ({ vehicleId, imei }: { vehicleId: number | null; imei: string | null }): boolean =>
  vehicleId !== null || imei !== null
const output = z.object({ case: diagnosisCase })

export const visitsCalls = defineCalls({
  /** The last subjects that a person diagnosed on this computer, newest first. */
  'visits.latest': { input: nothing, output: z.object({ latest: z.array(latestDiagnosis) }) },
  'visits.read': { input: z.strictObject(about).refine(isAboutSomething), output },
  /** Replaces the planned visit and the outcome. */
  'visits.save': {
    input: z
      .strictObject({ ...about, visit: serviceVisit.nullable(), outcome: diagnosisOutcome })
      .refine(isAboutSomething),
    output
  },
  'visits.addNote': {
    input: z.strictObject({ ...about, text: z.string().trim().min(1).max(2_000) }).refine(isAboutSomething),
    output
  }
})
