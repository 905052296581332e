import { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'
import { resolveName, type NameSearch } from './exactName.ts'
import { fromCopy } from './fromCopy.ts'

const target = { vid: z.number(), vehicle: z.string(), counter: z.string(), unit: z.string().nullable(), ...fromCopy }
/** A vehicle may be named by text only while the gateway cannot be reached. */
export const setGlobalPayload = z.object({ ...target, vid: z.number().nullable(), value: z.number() })
export type SetGlobalPayload = z.infer<typeof setGlobalPayload>
export const createCounterPayload = z.object({
  ...target,
  initialValue: z.number(),
  description: z.string(),
  ref: z.string()
})
export type CreateCounterPayload = z.infer<typeof createCounterPayload>

export interface CounterReading {
  value: number | null
  /** The gateway's clock (epoch ms). */
  nowMs: number
  raw: Json
}

export interface CounterReports {
  /** When the gateway last received a report of the vehicle, by its own clock (epoch ms); null when unknown. */
  lastReportMs: number | null
  /** What the device counted since then, whatever the counter was set to; null when the events do not contain it. */
  counted: number | null
  /** The counter in that report, including any set value; null when the events do not contain it. */
  shown: number | null
  raw: Json
}

export interface CounterGateway {
  readCounter(vid: number, counter: string, request: { wording: 1 | 2; signal: AbortSignal }): Promise<CounterReading>
  readReports(vid: number, counter: string, request: { sinceMs: number; signal: AbortSignal }): Promise<CounterReports>
  setCounter(vid: number, counter: string, value: number, signal: AbortSignal): Promise<Json>
  createCounter(
    payload: { vid: number; counter: string; initialValue: number; description: string },
    signal: AbortSignal
  ): Promise<Json>
  /** Descriptions of the user counters of the vehicle; null when the answer does not list them. */
  readUserCounters(
    vid: number,
    request: { wording: 1 | 2; signal: AbortSignal }
  ): Promise<{ descriptions: string[] | null; raw: Json }>
}

export const setGlobalKind = 'counters.setGlobal'
export const createCounterKind = 'counters.create'

/** The highest possible increase of a counter per second: a fast vehicle, the clock, a thirsty engine. */
const growthPerS: Record<string, number> = { m: 70, s: 1, L: 0.05 }
/** The vehicle keeps moving between two requests. */
const betweenQuestionsS = 5
const rounding = 0.5
/** A later reading is not the state that the person saw. */
const sameReadingMs = 60_000
/** The counter when the person read the vehicle, and what it has counted since, if the events contain it. */
const baselineForm = z.object({ value: z.number().nullable(), atMs: z.number(), counted: z.number() })

export function counterKey({ vid, vehicle, counter }: Pick<SetGlobalPayload, 'vid' | 'vehicle' | 'counter'>): string {
  return `counter:${vid ?? vehicle}:${counter}`
}

/**
 * Sets the odometer with the device's next report, plus the distance since; sent again only while provably unchanged.
 */
export function countersSetGlobal(gateway: CounterGateway & NameSearch): OperationKind<SetGlobalPayload> {
  return {
    kind: setGlobalKind,
    payload: setGlobalPayload,
    title: setGlobalTitle,
    resendWhenAbsent: true,
    maxAttempts: 3,
    newerReplaces: true,
    tellsOwnAlone: true,
    keepsBaseline: true,
    choose: (payload, { id, name }) => ({ ...payload, vid: id, vehicle: name }),
    async finalise(payload, signal) {
      const vehicle = await resolveName(gateway, 'vehicle', { id: payload.vid, text: payload.vehicle }, signal)
      if ('reason' in vehicle) return { kind: 'stuck', ...vehicle }
      const named = { ...payload, vid: vehicle.id, vehicle: vehicle.text }
      return { kind: 'ready', payload: named, key: counterKey(named), title: setGlobalTitle(named) }
    },
    async baseline(payload, signal, addedMs) {
      const { vid, counter } = complete(payload)
      const { value, nowMs } = await gateway.readCounter(vid, counter, { wording: 1, signal })
      if (value === null || nowMs - addedMs <= sameReadingMs) return { value, atMs: nowMs, counted: 0 }
      const { counted } = await gateway.readReports(vid, counter, { sinceMs: addedMs, signal })
      return { value: value - (counted ?? 0), atMs: addedMs, counted: counted ?? 0 }
    },
    async send(payload, signal, { baseline, isAgain }) {
      const { vid, counter, value, unit } = complete(payload)
      const before = baselineForm.safeParse(baseline).data
      const since = isAgain ? await countedSince(before, { vid, counter, unit, signal }) : (before?.counted ?? 0)
      const raw = await gateway.setCounter(vid, counter, value + since, signal)
      return {
        what: message('operations.counterAccepted', { amount: amount(value + since, unit) }),
        raw,
        isAccepted: true
      }
    },
    async look(payload, { baseline, sinceMs, wording, isAnswered, signal }) {
      const { vid, counter, value, unit } = complete(payload)
      const before = baselineForm.safeParse(baseline).data
      const fromMs = before?.atMs ?? sinceMs
      const readReports = async () =>
        fromMs === undefined ? undefined : gateway.readReports(vid, counter, { sinceMs: fromMs, signal })
      // The effect appears in the next event, and events are requested for many vehicles at once.
      let reports = isAnswered ? await readReports() : undefined
      if (
        fromMs !== undefined &&
        sinceMs !== undefined &&
        reports &&
        reports.shown !== null &&
        (reports.lastReportMs ?? 0) > sinceMs
      ) {
        const { shown, counted, lastReportMs, raw } = reports
        const { isOurs } = placeOf(shown, {
          value,
          before: before?.value ?? null,
          counted,
          unit,
          elapsedMs: (lastReportMs ?? 0) - fromMs
        })
        if (isOurs)
          return { seen: 'found', what: message('operations.counterShown', { shown: amount(shown, unit) }), raw }
      }
      const now = await gateway.readCounter(vid, counter, { wording, signal })
      if (now.value === null)
        return {
          seen: 'unreadable',
          what: message('operations.counterNotShown', { counter: counterName(counter) }),
          raw: now.raw
        }
      const shown = amount(now.value, unit)
      const wanted = amount(value, unit)
      if (Math.abs(now.value - value) <= rounding)
        return { seen: 'found', what: message('operations.counterShown', { shown }), raw: now.raw }
      reports ??= await readReports()
      if (
        sinceMs === undefined ||
        fromMs === undefined ||
        !reports ||
        reports.lastReportMs === null ||
        reports.lastReportMs <= sinceMs
      ) {
        return { seen: 'waiting', what: message('operations.counterShowsLater', { shown, wanted }), raw: now.raw }
      }
      const { isOurs, isAsBefore } = placeOf(now.value, {
        value,
        before: before?.value ?? null,
        counted: reports.counted,
        unit,
        elapsedMs: now.nowMs - fromMs
      })
      if (isOurs && (isAnswered || !isAsBefore))
        return { seen: 'found', what: message('operations.counterShown', { shown }), raw: now.raw }
      if (isOurs)
        return { seen: 'unreadable', what: message('operations.counterEitherWay', { shown, wanted }), raw: now.raw }
      return {
        seen: isAsBefore ? 'absent' : 'conflict',
        what: message('operations.counterDifferent', { shown, wanted }),
        raw: now.raw
      }
    }
  }

  /**
   * The increase of the counter since the vehicle was read. A different value there now is not overwritten: a person
   * decides.
   */
  async function countedSince(
    before: z.infer<typeof baselineForm> | undefined,
    { vid, counter, unit, signal }: { vid: number; counter: string; unit: string | null; signal: AbortSignal }
  ): Promise<number> {
    if (!before || before.value === null) return 0
    const { counted, shown, lastReportMs } = await gateway.readReports(vid, counter, { sinceMs: before.atMs, signal })
    if (shown !== null && lastReportMs !== null && lastReportMs > before.atMs) {
      const { isAsBefore } = placeOf(shown, {
        value: shown,
        before: before.value,
        counted,
        unit,
        elapsedMs: lastReportMs - before.atMs
      })
      if (isAsBefore) return Math.max(0, shown - before.value)
    }
    const { value, nowMs } = await gateway.readCounter(vid, counter, { wording: 1, signal })
    if (value === null) return 0
    const { isAsBefore } = placeOf(value, {
      value,
      before: before.value,
      counted,
      unit,
      elapsedMs: nowMs - before.atMs
    })
    if (!isAsBefore)
      throw new AppError(
        'CONFLICT',
        message('operations.counterDifferent', { shown: amount(value, unit), wanted: amount(before.value, unit) })
      )
    return Math.max(0, value - before.value)
  }
}

function complete(payload: SetGlobalPayload): SetGlobalPayload & { vid: number } {
  const { vid } = payload
  if (vid === null) throw new Error('A counter was sent before its vehicle was known')
  return { ...payload, vid }
}

/** The position of a counter between the wanted and the earlier value. */
function placeOf(
  now: number,
  {
    value,
    before,
    counted,
    unit,
    elapsedMs
  }: { value: number; before: number | null; counted: number | null; unit: string | null; elapsedMs: number }
): { isOurs: boolean; isAsBefore: boolean } {
  const perS = growthPerS[unit ?? ''] ?? 0
  const slack = perS * betweenQuestionsS + rounding
  const most = counted ?? perS * Math.max(0, elapsedMs / 1000)
  // If the device reported what it counted, an unchanged counter has exactly one possible value.
  const least = counted === null ? -rounding : counted - slack
  return {
    isOurs: now >= value - rounding && now <= value + most + slack,
    isAsBefore: before !== null && now >= before + least && now <= before + most + slack
  }
}

/** Creates a custom counter; recognised by the reference in its description, and sent again once. */
export function countersCreate(gateway: CounterGateway): OperationKind<CreateCounterPayload> {
  return {
    kind: createCounterKind,
    payload: createCounterPayload,
    title: createCounterTitle,
    resendWhenAbsent: true,
    maxAttempts: 2,
    async send({ vid, counter, initialValue, description, ref }, signal) {
      const raw = await gateway.createCounter(
        { vid, counter, initialValue, description: `${description} ${ref}` },
        signal
      )
      return { what: message('operations.ownCounterAccepted'), raw }
    },
    async look({ vid, ref }, { wording, signal }) {
      const { descriptions, raw } = await gateway.readUserCounters(vid, { wording, signal })
      if (descriptions === null) return { seen: 'unreadable', what: message('operations.ownCountersNotListed'), raw }
      return descriptions.some((text) => text.includes(ref))
        ? { seen: 'found', what: message('operations.ownCounterShown'), raw }
        : { seen: 'absent', what: message('operations.ownCounterNotShown'), raw }
    }
  }
}

export function setGlobalTitle({ vehicle, counter, value, unit }: SetGlobalPayload): Message {
  return message('operations.setCounter', { counter: counterName(counter), vehicle, amount: amount(value, unit) })
}

export function createCounterTitle({
  vehicle,
  description
}: Pick<CreateCounterPayload, 'vehicle' | 'description'>): Message {
  return message('operations.createCounter', { description, vehicle })
}

const counterNames = {
  dev_dist: 'operations.counterDistance',
  ecu_dist: 'operations.counterEcuDistance',
  dev_ign: 'operations.counterIgnition',
  dev_idle: 'operations.counterIdle',
  dev_ospeed: 'operations.counterOverspeed',
  ecu_eusage: 'operations.counterEngine',
  ecu_eidle: 'operations.counterEngineIdle',
  ecu_ifuel: 'operations.counterIdleFuel',
  ecu_tfuel: 'operations.counterFuel',
  counter_tamper: 'operations.counterTamper'
} as const

/** The display name of a counter; a line's counter keeps the gateway's name. */
function counterName(counter: string): string | Message {
  return Object.hasOwn(counterNames, counter) ? message(counterNames[counter as keyof typeof counterNames]) : counter
}

function amount(value: number, unit: string | null): Message {
  if (unit === 'm') return message('operations.amountDistance', { valueM: value })
  if (unit === 's') return message('operations.amountTime', { valueS: value })
  return unit === 'L' ? message('operations.amountLiters', { liters: value }) : message('operations.amount', { value })
}
