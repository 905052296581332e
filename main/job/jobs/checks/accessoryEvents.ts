import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { StepKind, StepOf } from '../../../../preload/contract/job/steps/index.ts'
import type { AccessoryEvent, AccessoryEvents } from '../engine/accessoryPort.ts'
import { askGateway, createPatience } from '../engine/askGateway.ts'
import { deferred, fail, unreadable, withRows, type CheckContext, type Outcome } from '../engine/check.ts'
import { timeLeft } from '../engine/meters.ts'
import type { Profile } from '../engine/profile.ts'
import { ended, withoutAnswer, type DeferredOptions, type Finish } from '../finish/finish.ts'
import type { Step } from '../../../../preload/contract/job/jobs.ts'

/** Event times are whole seconds, and the clocks of device and gateway differ. */
const clockMarginMs = 2_000
const aheadMs = 60_000
const settleMs = 60_000
const pauseMs = 1_000

/** The events that count for a step: those that happened and arrived after it began. */
export interface EventView<Kind extends StepKind> {
  /** Oldest first. */
  events: AccessoryEvent[]
  /** Events from before the step began. */
  before: AccessoryEvent[]
  fields: ReadonlySet<string>
  /** When the step began, by the gateway's clock, epoch ms. */
  startMs: number
  /** The gateway's time, epoch ms. */
  nowMs: number
  plan: StepOf<Kind>
  profile: Profile
  /** The problem has lasted for a while: the person was not just about to fix it. */
  isSettled: boolean
  /** The waiting time is over: missing events will not come. */
  isOver: boolean
}

export interface Judgement {
  /** Null while more events may come; never null when `isOver` is true. */
  outcome: Outcome | null
  rows: SeenRow[]
  hint: Message | null
  seen: { what: Message; event: AccessoryEvent; thresholds?: Record<string, number> }[]
}

/**
 * Judges the events. The same function serves a running step and a step that is finished when the gateway answers
 * again.
 */
export type EventJudge<Kind extends StepKind> = (view: EventView<Kind>) => Judgement | Promise<Judgement>

/** Follows the vehicle's events at the gateway until they give a result, or the time is over. */
export async function followEvents<Kind extends StepKind>(
  context: CheckContext<Kind>,
  request: { giveUpS: number; say: Message; isAct?: true; judge: EventJudge<Kind> }
): Promise<Outcome> {
  const { giveUpS, say, judge, isAct } = request
  const { plan, profile } = context
  const patience = createPatience()
  let startMs: number | undefined
  let rows: SeenRow[] = []
  let hint: Message | null = null
  for (;;) {
    const vehicleId = context.job.vehicle?.id ?? null
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    const reply = await askGateway(async () => {
      const answer = await context.gateway.accessories.readEvents(
        { imei: context.job.device.imei, vehicleId },
        context.signal
      )
      startMs ??= answer.nowMs - context.elapsedMs()
      const isSettled = context.elapsedMs() >= Math.min(settleMs, giveUpS * 500)
      return judgeEvents(judge, answer, { startMs, plan, profile, isSettled, isOver: leftMs <= 0 })
    })
    if (reply.kind === 'no') return fail(reply.why, message('jobs.askWhetherShown'), ['gateway'])
    if (reply.kind === 'away' && (patience.isOver(reply) || leftMs <= 0)) return waitsForGateway(reply.why, giveUpS)
    if (reply.kind === 'answer') {
      patience.isOver(reply)
      const judged = reply.value
      rows = judged.rows
      hint = judged.hint
      if (judged.outcome) {
        for (const { what, event, thresholds } of judged.seen)
          context.saw({ witness: 'gateway', what, raw: event.raw, ...(thresholds ? { thresholds } : {}) })
        return withRows(rows, judged.outcome)
      }
    }
    context.show({
      say,
      act: isAct ? say : null,
      hint: reply.kind === 'away' ? reply.why : hint,
      meters: [timeLeft(leftMs)],
      rows,
      leftMs
    })
    await context.pause(pauseMs)
  }
}

/** Asks the person to act; events from that time are judged when the gateway answers. */
export function waitsForGateway(why: Message, giveUpS: number): Outcome {
  return deferred(message('jobs.waitsForGateway', { why }), message('accessoryChecks.doItNow', { withinS: giveUpS }))
}

/** Judges an answer of the gateway by the events that count. */
export async function judgeEvents<Kind extends StepKind>(
  judge: EventJudge<Kind>,
  answer: AccessoryEvents,
  view: Pick<EventView<Kind>, 'startMs' | 'plan' | 'profile' | 'isSettled' | 'isOver'>
): Promise<Judgement> {
  const { startMs, isOver } = view
  const isAfter = (event: AccessoryEvent): boolean =>
    event.eventAtMs >= startMs - clockMarginMs && (event.arrivedAtMs ?? event.eventAtMs) >= startMs - clockMarginMs
  // A device with a fast clock would make old events look new.
  const isDated = (event: AccessoryEvent): boolean => event.eventAtMs <= (event.arrivedAtMs ?? answer.nowMs) + aheadMs
  const events = answer.events.filter((event) => isAfter(event) && isDated(event))
  const judged = await judge({
    ...view,
    events,
    before: answer.events.filter((event) => !isAfter(event)),
    fields: answer.fields,
    nowMs: answer.nowMs
  })
  if (!isOver || events.length > 0) return judged
  // Without any event the state of an accessory is unknown, so the accessory must not fail.
  const isAhead = answer.events.some((event) => isAfter(event))
  const why = isAhead
    ? message('accessoryChecks.clockAhead')
    : answer.ofOthers > 0
      ? message('delivered.unnamed')
      : message('accessoryChecks.noEvent')
  return {
    ...judged,
    outcome: unreadable(
      why,
      answer.ofOthers > 0 && !isAhead ? message('delivered.checkWhichDevice') : message('accessoryChecks.runDelivered')
    )
  }
}

/** This gateway's events do not contain the field for an accessory, so nothing can confirm it. */
export function notExposed(field: string): Outcome {
  return unreadable(message('accessoryChecks.notExposed', { field }), message('accessoryChecks.lookByHand'))
}

/** The row of something that nobody ordered: its value is shown, and there is nothing to compare it with. */
export function asReceived(row: SeenRow): SeenRow {
  return { ...row, wanted: null, verdict: row.verdict === 'agrees' ? 'received' : row.verdict }
}

/** The first of these fields whose latest value does not have the documented form. */
export function unreadableField(events: readonly AccessoryEvent[], fields: readonly string[]): string | undefined {
  return fields.find((field) =>
    events.findLast(({ raw }) => raw !== null && Object.hasOwn(raw as object, field))?.unreadable.includes(field)
  )
}

/** Finishes a step later from the events since it began, for the period that a live check would have waited. */
export function finishByEvents<Kind extends StepKind>(
  judgeFor: (options: DeferredOptions) => EventJudge<Kind> | Promise<EventJudge<Kind>>
) {
  return async (step: Step, options: DeferredOptions & { limits: { giveUpS: number } }): Promise<Finish> => {
    const { job, gateway, limits, now, signal } = options
    const { device, vehicle, thresholds, templateSteps, createdAt } = job()
    const waitedMs = limits.giveUpS * 1000
    const startMs = Date.parse(step.startedAt ?? createdAt)
    const untilMs = startMs + waitedMs
    // Events from that period may still be on the way to the gateway.
    const isOver = now().getTime() > untilMs + waitedMs
    const reply = await askGateway(async () => {
      const judge = await judgeFor(options)
      const answer = await gateway.accessories.readEvents(
        { imei: device.imei, vehicleId: vehicle?.id ?? null, sinceMs: startMs - 15 * 60_000, untilMs },
        signal
      )
      const plan = templateSteps.get(step.id) as StepOf<Kind>
      return judgeEvents(judge, answer, {
        startMs,
        plan,
        profile: thresholds,
        isSettled: isOver,
        isOver
      })
    })
    if (reply.kind !== 'answer') return withoutAnswer(reply, message('jobs.askWhetherShown'))
    const judged = reply.value
    if (!judged.outcome) return { kind: 'open', why: judged.hint ?? message('accessoryChecks.noneThenYet') }
    return ended(
      withRows(judged.rows, judged.outcome),
      judged.seen.map(({ what, event }) => ({ what, raw: event.raw }))
    )
  }
}
