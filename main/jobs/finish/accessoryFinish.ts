import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Step } from '../../../preload/contract/jobs/jobs.ts'
import type { StepKind, StepOf } from '../../../preload/contract/jobs/steps/index.ts'
import { askGateway } from '../engine/askGateway.ts'
import { fail, withRows, type Outcome } from '../engine/check.ts'
import { judgeEvents, type EventJudge } from '../checks/accessoryEvents.ts'
import { judgeTags } from '../checks/btTag.ts'
import { expanderJudge } from '../checks/expander.ts'
import { keyJudge } from '../checks/iButton.ts'
import { judgeProbes } from '../checks/temperature.ts'
import { judgeTrigger } from '../checks/trigger.ts'
import { judgeTyres } from '../checks/tyres.ts'
import type { DeferredOptions } from './finish.ts'
import { completeProfile, type Profile } from '../engine/profile.ts'

type Judged = { kind: 'ended'; result: Outcome; seen: { what: Message; raw: unknown }[] } | { kind: 'away' | 'open'; why: Message }

/** The accessories that are judged by the vehicle's events alone: also later, by those of that time. */
const judges: { [Kind in keyof Pick<Profile, 'iButton' | 'btTag' | 'tyres' | 'temperature' | 'expander' | 'trigger'>]: (options: DeferredOptions) => EventJudge<Kind> | Promise<EventJudge<Kind>> } = {
  btTag: () => judgeTags,
  tyres: () => judgeTyres,
  temperature: () => judgeProbes,
  expander: () => expanderJudge([]),
  trigger: () => judgeTrigger,
  async iButton({ job, gateway, signal }) {
    const keys = await gateway.accessories.readKeys(signal)
    if (keys === null) throw new AppError('NOT_PERMITTED', message('accessoryChecks.keysHidden'), { fate: 'refused' })
    return keyJudge({ port: gateway.accessories, keys, imei: job().device.imei, vehicleId: () => job().vehicle?.id ?? null, signal })
  }
}
export const eventKinds = Object.keys(judges) as (keyof typeof judges)[]

export function isOfEvents(kind: StepKind): kind is keyof typeof judges {
  return Object.hasOwn(judges, kind)
}

/** Judges a step by the events from when it began, for as long as it would have waited on the day. */
export async function finishByEvents(step: Step & { kind: keyof typeof judges }, options: DeferredOptions): Promise<Judged> {
  const { job, gateway, standardProfile, now, signal } = options
  const { device, vehicle, thresholds, templateSteps, createdAt } = job()
  const profile = completeProfile(thresholds, standardProfile)
  const waitedMs = profile[step.kind].giveUpS * 1000
  const startMs = Date.parse(step.startedAt ?? createdAt)
  const untilMs = startMs + waitedMs
  const plan = templateSteps.get(step.id) as StepOf<StepKind>
  // What happened in that time may still be under way to the gateway.
  const isOver = now().getTime() > untilMs + waitedMs
  const reply = await askGateway(async () => {
    const judge = (await judges[step.kind](options)) as EventJudge<StepKind>
    const answer = await gateway.accessories.readEvents({ imei: device.imei, vehicleId: vehicle?.id ?? null, sinceMs: startMs - 15 * 60_000, untilMs }, signal)
    return judgeEvents(judge, answer, { startMs, plan, profile, isSettled: isOver, isOver })
  })
  if (reply.kind === 'away') return { kind: 'away', why: reply.why }
  if (reply.kind === 'no') return { kind: 'ended', result: fail(reply.why, message('jobs.askWhetherShown'), ['gateway']), seen: [] }
  const judged = reply.value
  if (!judged.outcome) return { kind: 'open', why: judged.hint ?? message('accessoryChecks.noneThenYet') }
  return { kind: 'ended', result: withRows(judged.rows, judged.outcome), seen: judged.seen.map(({ what, event }) => ({ what, raw: event.raw })) }
}
