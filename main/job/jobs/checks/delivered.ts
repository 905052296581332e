import { message, type Message } from '../../../../preload/contract/messages.ts'
import { isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import { askGateway, createPatience, type GatewayAnswer } from '../engine/askGateway.ts'
import { deferred, fail, pass, unreadable, warn, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import { makeMeter, timeLeft } from '../engine/meters.ts'
import type { GatewayEvent } from '../engine/ports.ts'
import type { Profile } from '../engine/profile.ts'
import { contradictionOf, findArrivals, sayRepetition } from './arrivals.ts'
import { ended, withoutAnswer, type DeferredOptions, type Finisher } from '../finish/finish.ts'

const pauseMs = 1_000
/** An event further in the future than this says nothing about its age: a clock is wrong. */
const clockAheadS = 60
/** If the gateway's clock differs from ours by more than this, its answer may be an old one. */
const clocksApartS = 60

/** The latest event of this device has arrived at the gateway, and quickly. */
export async function checkDelivered(context: CheckContext): Promise<Outcome> {
  const { eventAgePassS, delayPassS, eventAgeWarnS, giveUpS } = context.profile.delivered
  const thresholds = { eventAgePassS, delayPassS, eventAgeWarnS }
  const { imei } = context.job.device
  const patience = createPatience()
  let newest: GatewayEvent | undefined
  let own: GatewayEvent[] = []
  let isUnnamed = false
  let notedAtMs: number | undefined

  for (;;) {
    const reply = await askGateway(() =>
      context.gateway.readEvents({ imei, vehicleId: context.job.vehicle?.id ?? null }, context.signal)
    )
    if (patience.isOver(reply) && reply.kind === 'away')
      return deferred(message('jobs.waitsForGateway', { why: reply.why }))
    if (reply.kind === 'no') return fail(reply.why, message('jobs.askWhetherShown'), ['gateway'])
    if (reply.kind === 'answer') {
      own = reply.value.filter((event) => isEventOfDevice(event, imei))
      newest = own[0]
      isUnnamed = reply.value.length > 0 && !newest
      if (newest && newest.eventAtMs !== notedAtMs) {
        notedAtMs = newest.eventAtMs
        context.saw({ witness: 'gateway', what: describeNewest(newest), raw: newest.raw, thresholds })
      }
    }
    const clock = newest && judgeClocks(newest, context.now())
    // With clocks that differ, ages are meaningless: a gateway whose time is as old as its events may present them as
    // new.
    if (newest && clock?.kind === 'agree' && reply.kind === 'answer') {
      const isQuick = newest.delayS !== null && newest.delayS <= delayPassS
      if (newest.ageS <= eventAgePassS && isQuick) return arrived(newest, pass(describe(newest), ['gateway']))
      // A second reporting interval may bring a faster event; after that, the slow one is the result.
      if (newest.ageS <= eventAgeWarnS && context.elapsedMs() > Math.min(2 * eventAgePassS, giveUpS) * 1000) {
        const repetition = sayRepetition(own, context.now())
        if (repetition) return fail(repetition.sentence, repetition.remedy, ['gateway'])
        return arrived(newest, warn(describe(newest), message('delivered.slow'), ['gateway']))
      }
    }
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    if (leftMs < 0) {
      if (clock?.kind === 'ahead') {
        return fail(message('delivered.ahead', { aheadS: clock.aheadS }), message('delivered.letSeeSky'), ['gateway'])
      }
      if (clock?.kind === 'differ' && newest && newest.ageS <= eventAgeWarnS) {
        return unreadable(message('delivered.clocksDiffer', { apartS: clock.apartS }), message('delivered.setClock'))
      }
      const now = context.now()
      const sinceMs = now.getTime() - eventAgeWarnS * 1000
      const vehicleId = context.job.vehicle?.id ?? null
      const arrivals = await findArrivals({ imei, vehicleId, sinceMs, nowMs: now.getTime() }, context)
      const contradiction = contradictionOf(arrivals, { delayPassS, now })
      if (contradiction) {
        const { event, sentence, remedy } = contradiction
        context.saw({ witness: 'gateway', what: describeNewest(event), raw: event.raw, thresholds })
        return fail(sentence, remedy, ['gateway'])
      }
      if (isUnnamed) return unreadable(message('delivered.unnamed'), message('delivered.checkWhichDevice'))
      return tooOld(newest, giveUpS)
    }
    context.show({
      say: message('delivered.waiting'),
      hint: reply.kind === 'away' ? reply.why : null,
      meters: [
        makeMeter(
          message('delivered.newestEvent'),
          newest && message('delivered.old', { ageS: Math.round(newest.ageS) }),
          {
            target: message('meters.atMost', { mostS: eventAgePassS })
          }
        ),
        makeMeter(
          message('delivered.deliveredIn'),
          newest && newest.delayS !== null ? message('meters.duration', { forS: newest.delayS }) : undefined,
          {
            target: message('meters.atMost', { mostS: delayPassS })
          }
        ),
        timeLeft(leftMs)
      ],
      leftMs
    })
    await context.pause(pauseMs)
  }
}

/** Judges the delivery of an earlier event of this device, by the limits of a live check. */
export function judgeArrival(
  event: GatewayEvent,
  limits: Profile['delivered'],
  now: Date
): { verdict: 'pass' | 'warn' | 'none' | 'unreadable'; why: Message | null } {
  const clock = judgeClocks(event, now)
  if (clock.kind === 'ahead')
    return { verdict: 'none', why: message('delivered.arrivedFromFuture', { aheadS: clock.aheadS }) }
  if (clock.kind === 'differ')
    return { verdict: 'unreadable', why: message('delivered.clocksDiffer', { apartS: clock.apartS }) }
  // On arrival, the event was as old as its delivery delay; without a delay, its present age counts.
  const oldS = event.delayS ?? event.ageS
  if (event.delayS !== null && oldS <= limits.delayPassS && oldS <= limits.eventAgePassS)
    return { verdict: 'pass', why: null }
  return oldS <= limits.eventAgeWarnS
    ? { verdict: 'warn', why: null }
    : { verdict: 'none', why: message('delivered.arrivedOld', { ageS: Math.round(oldS) }) }
}

type ClockView = { kind: 'agree' } | { kind: 'ahead'; aheadS: number } | { kind: 'differ'; apartS: number }

/** Adds the time of delivery, if the gateway provides it. */
function arrived({ delayS }: GatewayEvent, outcome: Outcome): Outcome {
  return delayS === null ? outcome : withFigure(message('meters.duration', { forS: delayS }), outcome)
}

/**
 * Whether an event's time is plausible: not in the future, and by clocks close enough that an old answer cannot look
 * new.
 */
function judgeClocks(event: GatewayEvent, now: Date): ClockView {
  const byOursS = (now.getTime() - event.eventAtMs) / 1000
  const aheadS = Math.round(
    Math.max(event.delayS === null ? 0 : -event.delayS, event.ageS > 0 ? -event.ageS : -byOursS)
  )
  if (aheadS > clockAheadS) return { kind: 'ahead', aheadS }
  const apartS = Math.round(Math.abs(byOursS - event.ageS))
  return apartS > clocksApartS ? { kind: 'differ', apartS } : { kind: 'agree' }
}

function describe({ ageS, delayS }: GatewayEvent): Message {
  const age = { ageS: Math.round(ageS) }
  return delayS === null ? message('delivered.eventUndelayed', age) : message('delivered.event', { ...age, delayS })
}

function describeNewest({ ageS, delayS }: GatewayEvent): Message {
  const age = { ageS: Math.round(ageS) }
  return delayS === null ? message('delivered.newestUndelayed', age) : message('delivered.newest', { ...age, delayS })
}

function tooOld(newest: GatewayEvent | undefined, giveUpS: number): Outcome {
  const what = newest
    ? message('delivered.tooOld', { ageS: Math.round(newest.ageS) })
    : message('delivered.none', { forS: giveUpS })
  return fail(what, message('delivered.checkApn'), ['gateway'])
}

/** Only events of the job's device: a vehicle's events may come from its earlier device. */
export async function eventsOfTheDay(
  { job, gateway, signal }: DeferredOptions,
  range: { sinceMs: number; untilMs?: number }
): Promise<GatewayAnswer<GatewayEvent[]>> {
  const { device, vehicle } = job()
  const reply = await askGateway(() =>
    gateway.readEvents({ imei: device.imei, vehicleId: vehicle?.id ?? null, ...range }, signal)
  )
  return reply.kind === 'answer'
    ? { ...reply, value: reply.value.filter((event) => isEventOfDevice(event, device.imei)) }
    : reply
}

/** An event from the period of the step that reached the gateway in time, otherwise the reason why there is none. */
export const finishDelivered: Finisher<'delivered'> = async (step, options) => {
  const { limits } = options
  const startedMs = Date.parse(step.startedAt ?? options.job().createdAt)
  const reply = await eventsOfTheDay(options, { sinceMs: startedMs - limits.eventAgePassS * 1000 })
  if (reply.kind !== 'answer') return withoutAnswer(reply, message('jobs.askWhetherShown'))
  const judged = reply.value.map((event) => ({ event, ...judgeArrival(event, limits, options.now()) }))
  const best = judged.find(({ verdict }) => verdict === 'pass') ?? judged.find(({ verdict }) => verdict === 'warn')
  if (!best) {
    if (!isOver(options, startedMs)) return { kind: 'open', why: message('delivered.noneYet') }
    const { device, vehicle } = options.job()
    const arrivals = await findArrivals(
      { imei: device.imei, vehicleId: vehicle?.id ?? null, sinceMs: startedMs, nowMs: options.now().getTime() },
      options
    )
    const contradiction = contradictionOf(arrivals, { delayPassS: limits.delayPassS, now: options.now() })
    if (contradiction) {
      const { event, sentence, remedy } = contradiction
      return ended(fail(sentence, remedy, ['gateway']), [{ what: describeNewest(event), raw: event.raw }])
    }
    const undated = judged.find(({ verdict }) => verdict === 'unreadable')
    if (undated?.why)
      return ended(unreadable(undated.why, message('delivered.setClock')), [
        { what: message('delivered.newestOfDevice'), raw: undated.event.raw }
      ])
    return ended(
      fail(
        judged[0]?.why ? message('delivered.newestNoProof', { why: judged[0].why }) : message('delivered.noneCame'),
        message('delivered.checkApn'),
        ['gateway']
      ),
      judged.slice(0, 1).map(({ event }) => ({ what: message('delivered.newestOfDevice'), raw: event.raw }))
    )
  }
  const eventAt = new Date(best.event.eventAtMs).toISOString()
  const seen = [{ what: message('delivered.isAtGateway', { eventAt }), raw: best.event.raw }]
  const { delayS } = best.event
  const text =
    delayS === null
      ? message('delivered.arrivedUndelayed', { eventAt })
      : message('delivered.arrived', { eventAt, delayS })
  return best.verdict === 'pass'
    ? ended(pass(text, ['gateway']), seen)
    : ended(warn(text, message('delivered.slow'), ['gateway']), seen)
}

/** The time that a live check would have waited for an event, from the start of the step. */
export function isOver({ job, now }: DeferredOptions, sinceMs: number): boolean {
  return now().getTime() - sinceMs > job().thresholds.delivered.giveUpS * 1000
}
