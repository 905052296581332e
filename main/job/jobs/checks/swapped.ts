import { z } from 'zod'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import type { Step } from '../../../../preload/contract/job/jobs.ts'
import { askGateway, createPatience, type GatewayAnswer } from '../engine/askGateway.ts'
import { deferred, fail, pass, unreadable, warn, withRows, type CheckContext, type Outcome } from '../engine/check.ts'
import { timeLeft } from '../engine/meters.ts'
import type { Fitting, GatewayPort } from '../engine/ports.ts'
import type { Profile } from '../engine/profile.ts'
import { compareCounters } from '../road/carriedOver.ts'
import { arrivalOf, deviceBefore, eventsAfter, exchangedAtMs, isLongAgo, isSettled } from '../road/fittings.ts'
import { readGatewayTimes, type GatewayTimes } from '../road/gatewayTimes.ts'
import { findVehicleLater, vehicleOfStep } from '../road/vehicleOfStep.ts'
import { ended, type Finisher } from '../finish/finish.ts'

/** The earlier device, and its last counters; logged while that device is still in the vehicle. */
const left = z.object({ oldImei: z.string(), counters: z.record(z.string(), z.number()).nullable(), atMs: z.number() })
type Left = z.infer<typeof left>

export interface SwapQuestion {
  gateway: Pick<GatewayPort, 'road'>
  vehicle: { id: number; name: string }
  imei: string
  limits: Profile['swapped']
  /** The earlier device, as seen in a previous attempt. */
  seen: Left | undefined
  times(): Promise<GatewayTimes>
  /** In a previous attempt the old device was still reporting; it may have been unplugged since. */
  isAgain: boolean
  signal: AbortSignal
}

export type Swap =
  | { kind: 'away'; why: Message; reply: GatewayAnswer<unknown> }
  /** The other device is still in the vehicle, or none is, or this one has not settled yet. */
  | { kind: 'open'; outcome: Outcome; rows: SeenRow[]; left: Left | undefined; raw: unknown }
  | { kind: 'ended'; outcome: Outcome; raw: unknown }

/** This device has replaced another one, also at the gateway, and the counters continue. */
export async function checkSwapped(context: CheckContext<'swapped'>): Promise<Outcome> {
  const { askEveryS, giveUpS } = context.profile.swapped
  const vehicle = await vehicleOfStep(context)
  if ('state' in vehicle) return vehicle
  const patience = createPatience()
  const beganMs = context.monotonicMs()
  let seen = leftBefore(context.step)
  let times: GatewayTimes | undefined

  for (;;) {
    const swap = await lookAtSwap({
      gateway: context.gateway,
      vehicle,
      imei: context.job.device.imei,
      limits: context.profile.swapped,
      seen,
      times: async () => (times ??= await readGatewayTimes(context)),
      isAgain: context.step.lastResult?.summary?.id === 'swapped.oldReports',
      signal: context.signal
    })
    const leftMs = giveUpS * 1000 - (context.monotonicMs() - beganMs)
    if (swap.kind === 'away' && patience.isOver(swap.reply))
      return deferred(message('jobs.waitsForGateway', { why: swap.why }))
    if (swap.kind === 'ended') {
      // A counter that was set appears after the next report.
      const mayBetter =
        swap.outcome.state === 'fail' && swap.outcome.summary.id === 'swapped.countersLost' && leftMs > 0
      if (!mayBetter) {
        context.saw({
          witness: 'gateway',
          what: swap.outcome.summary,
          raw: swap.raw,
          thresholds: context.profile.swapped
        })
        return swap.outcome
      }
    }
    if (swap.kind === 'open' && swap.left && swap.left.oldImei !== seen?.oldImei) {
      seen = swap.left
      context.saw({
        witness: 'gateway',
        what: message('swapped.before', { digits: seen.oldImei.slice(-6) }),
        raw: seen
      })
    }
    if (leftMs <= 0)
      return swap.kind === 'away' ? deferred(message('jobs.waitsForGateway', { why: swap.why })) : swap.outcome
    const rows = swap.kind === 'open' ? swap.rows : swap.kind === 'ended' ? (swap.outcome.rows ?? []) : undefined
    const hint = swap.kind === 'away' ? swap.why : swap.kind === 'ended' ? swap.outcome.remedy : null
    context.show({
      say: message('swapped.waiting', { vehicle: vehicle.name }),
      hint,
      meters: [timeLeft(leftMs)],
      ...(rows && { rows }),
      leftMs
    })
    await context.pause(askEveryS * 1000)
  }
}

export function leftBefore({ evidence }: Pick<Step, 'evidence'>): Left | undefined {
  return evidence
    .toReversed()
    .map(({ raw }) => left.safeParse(raw))
    .find((one) => one.success)?.data
}

/** Reads all gateway data about an exchange once. */
export async function lookAtSwap(question: SwapQuestion): Promise<Swap> {
  const { gateway, vehicle, imei, seen, signal, limits } = question
  const settleMs = limits.settleS * 1000
  const reply = await askGateway(async () => ({
    times: await question.times(),
    fitting: await gateway.road.readFitting(vehicle.id, signal)
  }))
  if (reply.kind === 'away') return { kind: 'away', why: reply.why, reply }
  if (reply.kind === 'no') return endedWith(fail(reply.why, message('jobs.askWhetherShown'), ['gateway']), null)
  const { fitting, times } = reply.value
  if (fitting === null)
    return endedWith(
      fail(message('vehicle.notShown', { text: vehicle.name }), message('jobs.askWhetherShown'), ['gateway']),
      null
    )
  if (fitting.now.kind === 'unreadable')
    return endedWith(
      unreadable(message('removed.notSaid', { vehicle: vehicle.name }), message('removed.lookAtVehicle')),
      fitting.raw
    )
  const before = seen ? { imei: seen.oldImei, untilMs: null } : deviceBefore(fitting, imei)
  const rows = [rowOfDevice(fitting, imei)]

  if (fitting.now.kind === 'none' || fitting.now.imei !== imei) {
    const oldImei = fitting.now.kind === 'device' ? fitting.now.imei : undefined
    const counters =
      oldImei === undefined ? null : await askGateway(() => gateway.road.readCounters(vehicle.id, signal))
    const values = counters?.kind === 'answer' ? (counters.value?.values ?? null) : null
    return {
      kind: 'open',
      outcome: withRows(
        rows,
        deferred(message('swapped.notYet', { vehicle: vehicle.name }), message('vehicle.assign'))
      ),
      rows,
      left: oldImei === undefined ? undefined : { oldImei, counters: values, atMs: times.nowMs() },
      raw: fitting.raw
    }
  }
  if (!before) {
    const outcome = fitting.isHistoryKnown
      ? fail(message('swapped.noOther', { vehicle: vehicle.name }), message('removed.checkVehicle'), ['gateway'])
      : unreadable(message('swapped.historyNotShown', { vehicle: vehicle.name }), message('removed.lookAtVehicle'))
    return endedWith(withRows(rows, outcome), fitting.raw)
  }

  const changedMs = exchangedAtMs(fitting, imei, before, seen?.atMs)
  if (changedMs !== null && isLongAgo(changedMs, times.jobBeganMs)) {
    return endedWith(
      withRows(
        rows,
        fail(
          message('swapped.longAgo', { vehicle: vehicle.name, sinceAt: new Date(changedMs).toISOString() }),
          message('removed.checkVehicle'),
          ['gateway']
        )
      ),
      fitting.raw
    )
  }
  const fromMs = Math.max(changedMs ?? times.jobBeganMs, question.isAgain ? times.askedMs : -Infinity)
  const events = await askGateway(() =>
    gateway.road.readEvents(
      { vehicleId: vehicle.id, imei: before.imei, fromMs, untilMs: times.nowMs() + 60_000 },
      signal
    )
  )
  if (events.kind === 'away') return { kind: 'away', why: events.why, reply: events }
  if (events.kind === 'no')
    return endedWith(withRows(rows, fail(events.why, message('jobs.askWhetherShown'), ['gateway'])), fitting.raw)
  const [first] = eventsAfter(events.value.events, imei, fromMs)
  // If the history contains no time, this device has certainly been in the vehicle since its first event for it.
  const sinceMs = changedMs === null ? first && arrivalOf(first) : fromMs
  const late = sinceMs === undefined ? [] : eventsAfter(events.value.events, before.imei, sinceMs + settleMs)
  if (late.length > 0) {
    rows.push(rowOfOld(before.imei, late.length))
    return endedWith(
      withRows(
        rows,
        fail(
          message('swapped.oldReports', { n: late.length, digits: before.imei.slice(-6) }),
          message('removed.unplug'),
          ['gateway']
        )
      ),
      late.slice(0, 20).map(({ raw }) => raw)
    )
  }
  if (sinceMs === undefined || !first || !isSettled(sinceMs, times, settleMs)) {
    const why = first ? message('swapped.listening') : message('swapped.notReporting', { vehicle: vehicle.name })
    return { kind: 'open', outcome: withRows(rows, deferred(why)), rows, left: undefined, raw: fitting.raw }
  }
  rows.push(rowOfOld(before.imei, 0))
  const was = seen?.counters ?? (await countersOf(question, before.imei, sinceMs))
  const after = await askGateway(() => gateway.road.readCounters(vehicle.id, signal))
  if (after.kind === 'away') return { kind: 'away', why: after.why, reply: after }
  const is = after.kind === 'answer' ? (after.value?.values ?? null) : null
  const carried = compareCounters(was, is, {
    limits,
    sinceS: (times.nowMs() - Math.min(sinceMs, seen?.atMs ?? sinceMs)) / 1000
  })
  const raw = { record: fitting.raw, before: was, after: is }
  return endedWith(withRows([...rows, ...carried.rows], judgeCounters(carried.verdict, vehicle.name)), raw)
}

function judgeCounters(verdict: ReturnType<typeof compareCounters>['verdict'], vehicle: string): Outcome {
  if (verdict === 'carried') return pass(message('swapped.carried', { vehicle }), ['gateway'])
  if (verdict === 'unknown')
    return warn(message('swapped.countersUnknown'), message('swapped.compareOdometer'), ['gateway'])
  return fail(
    message(verdict === 'lost' ? 'swapped.countersLost' : 'swapped.countersAhead'),
    message('swapped.setCounters'),
    ['gateway']
  )
}

async function countersOf(
  { gateway, vehicle, signal }: SwapQuestion,
  oldImei: string,
  untilMs: number
): Promise<Record<string, number> | null> {
  const reply = await askGateway(() =>
    gateway.road.readCountersOf({ vehicleId: vehicle.id, imei: oldImei, untilMs }, signal)
  )
  return reply.kind === 'answer' ? (reply.value?.values ?? null) : null
}

function endedWith(outcome: Outcome, raw: unknown): Swap {
  return { kind: 'ended', outcome, raw }
}

function rowOfDevice({ now }: Fitting, imei: string): SeenRow {
  return {
    label: message('removed.deviceOfVehicle'),
    wanted: message('identity.lastDigits', { digits: imei.slice(-6) }),
    device: null,
    gateway:
      now.kind === 'device'
        ? message('identity.lastDigits', { digits: now.imei.slice(-6) })
        : now.kind === 'none'
          ? message('meters.none')
          : null,
    verdict: now.kind === 'device' && now.imei === imei ? 'agrees' : 'differs'
  }
}

function rowOfOld(oldImei: string, late: number): SeenRow {
  return {
    label: message('swapped.oldDevice', { digits: oldImei.slice(-6) }),
    wanted: message('swapped.noMoreEvents'),
    device: null,
    gateway: late === 0 ? message('swapped.noMoreEvents') : message('swapped.eventsSince', { n: late }),
    verdict: late === 0 ? 'agrees' : 'differs'
  }
}

export const finishSwapped: Finisher<'swapped'> = async (step, options) => {
  const { job, limits, gateway, signal, now } = options
  const vehicle = await findVehicleLater(step, options)
  if ('kind' in vehicle) return vehicle
  const swap = await lookAtSwap({
    gateway,
    vehicle,
    imei: job().device.imei,
    limits,
    seen: leftBefore(step),
    times: () => readGatewayTimes({ job: job(), gateway, signal, now }),
    isAgain: false,
    signal
  })
  if (swap.kind === 'away') return { kind: 'away', why: swap.why }
  if (swap.kind === 'open') return { kind: 'open', why: swap.outcome.summary }
  return ended(swap.outcome, [{ what: swap.outcome.summary, raw: swap.raw }], vehicle)
}
