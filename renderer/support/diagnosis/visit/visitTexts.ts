import type { Diagnosis } from '../../../../preload/contract/support/diagnosis.ts'
import type { ServiceVisit } from '../../../../preload/contract/support/visits.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import { dateOf, startOfDay, wallMs, wallText } from '../../../../preload/base/messages/zone.ts'
import { formatWhen } from '../../../base/format.ts'
import { reader, say } from '../../../base/say.ts'

/** A visit with what the diagnosis knows already. */
export function visitFrom(look: Diagnosis): ServiceVisit {
  const place = look.facts.find(({ fact }) => fact === 'position')?.gateway
  return { checklistId: 'service-visit', place: place ? say(place.message) : '', technician: '', dueAt: null, note: '' }
}

/** What is to be done at the vehicle: the remedy of the broken link first, then those of the findings. */
export function todoOf(look: Diagnosis): Message[] {
  const broken = look.chain.find(({ state }) => state === 'broken')
  return [broken?.remedy, broken?.detail, ...look.findings.map(({ remedy }) => remedy)].filter(
    (one): one is Message => one !== null && one !== undefined
  )
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
      isSilent: isSilent ? 'yes' : heard === null && look.brokenAt === 'gatewayEvent' ? 'never' : 'no',
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
  const lines = [
    heading,
    [name, plate, imei].filter(Boolean).join(', '),
    visit.dueAt ? formatWhen(visit.dueAt) : '',
    visit.place,
    ...todoOf(look).map((one) => `- ${say(one)}`),
    visit.note
  ]
  return `${lines.filter(Boolean).join('\n')}\n`
}

const [daysAhead, firstMinute, lastMinute, stepMinutes] = [28, 6 * 60, 20 * 60, 30] as const

/** A moment as the day and the minute of that day, in the person's time zone. */
export interface DayAndMinute {
  /** `2026-11-24` */
  day: string
  minute: number
}

export function splitTime(iso: string): DayAndMinute {
  const [day = '', time = ''] = wallText(Date.parse(iso), reader.value.timeZone).split('T')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return { day, minute: hours * 60 + minutes }
}

export function joinTime({ day, minute }: DayAndMinute): string {
  const time = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return new Date(wallMs(`${day}T${time}`, reader.value.timeZone)).toISOString()
}

/** The days that can be chosen, from today on, and the chosen one if it is another. */
export function daysFrom(nowMs: number, chosen: string | null): string[] {
  const { timeZone } = reader.value
  const days = Array.from({ length: daysAhead }, (_, n) => dateOf(startOfDay(nowMs, timeZone, n), timeZone))
  return chosen === null || days.includes(chosen) ? days : [chosen, ...days]
}

/** The times of a day that can be chosen, and the chosen one if it is another. */
export function minutesOfDay(chosen: number | null): number[] {
  const all = Array.from(
    { length: (lastMinute - firstMinute) / stepMinutes + 1 },
    (_, n) => firstMinute + n * stepMinutes
  )
  return chosen === null || all.includes(chosen) ? all : [...all, chosen].sort((a, b) => a - b)
}
