import type { Diagnosis } from '../../../../preload/contract/diagnosis/diagnosis.ts'
import type { ServiceVisit } from '../../../../preload/contract/diagnosis/visits.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import { formatWhen } from '../../../format.ts'
import { say } from '../../../say.ts'

/** A visit with what the diagnosis knows already. */
export function visitFrom(look: Diagnosis): ServiceVisit {
  const place = look.facts.find(({ fact }) => fact === 'position')?.gateway
  return { checklistId: 'service-visit', place: place ? say(place.message) : '', technician: '', dueAt: null, note: '' }
}

/** What is to be done at the vehicle: the remedy of the broken link first, then those of the findings. */
export function todoOf(look: Diagnosis): Message[] {
  const broken = look.chain.find(({ state }) => state === 'broken')
  return [broken?.remedy, broken?.detail, ...look.findings.map(({ remedy }) => remedy)].filter((one): one is Message => one !== null && one !== undefined)
}

/** What the customer is told, in words that need no knowledge of devices. */
export function customerMessage(look: Diagnosis, visit: ServiceVisit, nowMs: number): Message {
  const { name, plate } = look.subject
  const heard = look.lastReport
  const place = visit.place.trim()
  const isSilent = heard !== null && (nowMs - Date.parse(heard.at)) / 1000 > heard.reportsWithinS
  return {
    id: 'windowVisit.customer',
    values: {
      name: plate ?? name ?? '',
      isSilent: isSilent ? 'yes' : 'no',
      sinceAt: heard?.at ?? '',
      cause: look.brokenAt ?? 'none',
      visit: visit.dueAt === null ? 'open' : 'dated',
      dueAt: visit.dueAt ?? '',
      // A customer reads no coordinates.
      hasPlace: place === '' || /^-?\d+([.,]\d+)?, -?\d/.test(place) ? 'no' : 'yes',
      place
    }
  }
}

/** Everything about the visit as text, for a message to the technician. */
export function technicianText(look: Diagnosis, visit: ServiceVisit, heading: string): string {
  const { name, plate, imei } = look.subject
  const lines = [heading, [name, plate, imei].filter(Boolean).join(', '), visit.dueAt ? formatWhen(visit.dueAt) : '', visit.place, ...todoOf(look).map((one) => `- ${say(one)}`), visit.note]
  return `${lines.filter(Boolean).join('\n')}\n`
}

/** The value of a field for day and time, in the person's time. */
export function toLocal(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export function fromLocal(text: string): string | null {
  const ms = Date.parse(text)
  return text === '' || Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
