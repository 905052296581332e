import { z } from 'zod'
import type { Json } from '../../../preload/contract/define.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'

const target = { vid: z.number(), vehicle: z.string(), counter: z.string(), unit: z.string().nullable() }
export const setGlobalPayload = z.object({ ...target, value: z.number() })
export type SetGlobalPayload = z.infer<typeof setGlobalPayload>
export const createCounterPayload = z.object({ ...target, initialValue: z.number(), description: z.string(), ref: z.string() })
export type CreateCounterPayload = z.infer<typeof createCounterPayload>

export interface CounterReading {
  value: number | null
  /** When the gateway last had a report of the vehicle, by its own clock (epoch ms); null when none is known. */
  lastReportMs: number | null
  nowMs: number
  raw: Json
}

export interface CounterGateway {
  readCounter(vid: number, counter: string, signal: AbortSignal): Promise<CounterReading>
  setCounter(vid: number, counter: string, value: number, signal: AbortSignal): Promise<Json>
  createCounter(payload: { vid: number; counter: string; initialValue: number; description: string }, signal: AbortSignal): Promise<Json>
  /** Descriptions of the user counters of the vehicle; null when the answer does not list them. */
  readUserCounters(vid: number, signal: AbortSignal): Promise<{ descriptions: string[] | null; raw: Json }>
}

export const setGlobalKind = 'counters.setGlobal'
export const createCounterKind = 'counters.create'

/** What a counter can have grown by in a second, at the very most: a fast vehicle, the clock, a thirsty engine. */
const growthPerS: Record<string, number> = { m: 70, s: 1, L: 0.05 }
const clockMarginS = 5

export function counterKey(vid: number, counter: string): string {
  return `counter:${vid}:${counter}`
}

/**
 * Sets a global counter (odometer). The gateway applies it with the device's next report: until then it is accepted and
 * no more. It is never sent again by itself, since the vehicle may have driven meanwhile.
 */
export function countersSetGlobal(gateway: CounterGateway): OperationKind<SetGlobalPayload> {
  return {
    kind: setGlobalKind,
    payload: setGlobalPayload,
    resendWhenAbsent: false,
    maxAttempts: 3,
    newerReplaces: true,
    tellsOwnAlone: true,
    async baseline({ vid, counter }, signal) {
      const { value, lastReportMs, nowMs } = await gateway.readCounter(vid, counter, signal)
      return { value, lastReportMs, nowMs }
    },
    async send({ vid, counter, value, unit }, signal) {
      const raw = await gateway.setCounter(vid, counter, value, signal)
      return { what: message('operations.counterAccepted', { amount: amount(value, unit) }), raw, isAccepted: true }
    },
    async look({ vid, counter, value, unit }, { sinceMs, signal }) {
      const now = await gateway.readCounter(vid, counter, signal)
      if (now.value === null) return { seen: 'unreadable', what: message('operations.counterNotShown', { counter: counterName(counter) }), raw: now.raw }
      const elapsedS = sinceMs === undefined ? 0 : Math.max(0, (now.nowMs - sinceMs) / 1000)
      const growth = (growthPerS[unit ?? ''] ?? 0) * (elapsedS + clockMarginS)
      const shown = amount(now.value, unit)
      const wanted = amount(value, unit)
      if (now.value >= value - 0.5 && now.value <= value + growth + 0.5) return { seen: 'found', what: message('operations.counterShown', { shown }), raw: now.raw }
      const hasReported = sinceMs !== undefined && now.lastReportMs !== null && now.lastReportMs > sinceMs
      if (!hasReported) return { seen: 'waiting', what: message('operations.counterShowsLater', { shown, wanted }), raw: now.raw }
      return { seen: 'absent', what: message('operations.counterDifferent', { shown, wanted }), raw: now.raw }
    }
  }
}

/** Creates a counter of its own for users; recognised by the reference in its description. */
export function countersCreate(gateway: CounterGateway): OperationKind<CreateCounterPayload> {
  return {
    kind: createCounterKind,
    payload: createCounterPayload,
    resendWhenAbsent: true,
    maxAttempts: 3,
    async send({ vid, counter, initialValue, description, ref }, signal) {
      const raw = await gateway.createCounter({ vid, counter, initialValue, description: `${description} ${ref}` }, signal)
      return { what: message('operations.ownCounterAccepted'), raw }
    },
    async look({ vid, ref }, { signal }) {
      const { descriptions, raw } = await gateway.readUserCounters(vid, signal)
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

export function createCounterTitle({ vehicle, description }: Pick<CreateCounterPayload, 'vehicle' | 'description'>): Message {
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

/** What people call a counter; one of a line keeps the gateway's name. */
function counterName(counter: string): string | Message {
  return Object.hasOwn(counterNames, counter) ? message(counterNames[counter as keyof typeof counterNames]) : counter
}

function amount(value: number, unit: string | null): Message {
  if (unit === 'm') return message('operations.amountDistance', { valueM: value })
  if (unit === 's') return message('operations.amountTime', { valueS: value })
  return unit === 'L' ? message('operations.amountLiters', { liters: value }) : message('operations.amount', { value })
}
