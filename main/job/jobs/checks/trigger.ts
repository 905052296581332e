import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { message, plainMessage } from '../../../../preload/contract/messages.ts'
import { askGateway } from '../engine/askGateway.ts'
import { fail, pass, unreadable, warn, withRows, type CheckContext, type Outcome } from '../engine/check.ts'
import { finishByEvents, followEvents, type EventView, type Judgement } from './accessoryEvents.ts'

/**
 * An event with the trigger's label arrives from this device after the person provoked it; the log of triggers has no
 * documented address.
 */
export async function checkTrigger(context: CheckContext<'trigger'>): Promise<Outcome> {
  const { plan, profile, signal } = context
  const { label } = plan
  if (label === undefined) return unreadable(message('accessoryChecks.noLabel'), message('accessoryChecks.writeLabel'))
  const outcome = await followEvents(context, {
    giveUpS: profile.trigger.giveUpS,
    say: plan.instruction,
    judge: judgeTrigger
  })
  if (outcome.state !== 'pass') return outcome
  const request = { imei: context.job.device.imei, vehicleId: context.job.vehicle?.id ?? null }
  const reply = await askGateway(() => context.gateway.accessories.readTriggers(request, signal))
  const known = reply.kind === 'answer' ? reply.value : null
  const mine = known?.triggers.filter(({ labels }) => labels.includes(label)) ?? []
  const hit = mine.find(({ isForVehicle }) => isForVehicle === true)
  const row = {
    label: message('accessoryChecks.triggerAtGateway'),
    wanted: message('accessoryChecks.namesVehicle'),
    device: null
  }
  const rows = outcome.rows ?? []
  if (hit) return withRows([...rows, { ...row, gateway: plainMessage(hit.name), verdict: 'agrees' }], outcome)
  if (!known?.isComplete || mine.some(({ isForVehicle }) => isForVehicle === null)) {
    return withRows([...rows, { ...row, gateway: message('accessoryChecks.unknown'), verdict: 'notExposed' }], outcome)
  }
  const what =
    mine.length > 0
      ? message('accessoryChecks.triggerForOthers', { names: mine.map(({ name }) => name), label })
      : message('accessoryChecks.noTrigger', { label })
  context.saw({ witness: 'gateway', what, raw: mine })
  return withRows(
    [...rows, { ...row, gateway: null, verdict: 'missing', note: what }],
    warn(
      message('accessoryChecks.withRemark', { what: outcome.summary, remark: what }),
      message('accessoryChecks.makeTrigger'),
      ['gateway']
    )
  )
}

export const finishTrigger = finishByEvents<'trigger'>(() => judgeTrigger)

export function judgeTrigger({ events, startMs, plan, isOver }: EventView<'trigger'>): Judgement {
  const label = plan.label ?? ''
  const hit = events.find((event) => event.label === label)
  const afterS = hit ? Math.max(0, Math.round((hit.eventAtMs - startMs) / 1000)) : 0
  const others = [
    ...new Set(events.flatMap((event) => (event.label === null || event.label === label ? [] : [event.label])))
  ]
  const rows: SeenRow[] = [
    {
      label: message('accessoryChecks.event'),
      wanted: plainMessage(label),
      device: null,
      gateway: hit ? message('accessoryChecks.cameAfter', { afterS }) : null,
      verdict: hit ? 'agrees' : isOver ? 'missing' : 'waiting'
    }
  ]
  const seen = hit ? [{ what: message('accessoryChecks.eventCame', { label, afterS }), event: hit }] : []
  if (hit)
    return {
      outcome: pass(message('accessoryChecks.eventCame', { label, afterS }), ['gateway']),
      rows,
      hint: null,
      seen
    }
  const hint = others.length > 0 ? message('accessoryChecks.otherEvents', { labels: others.slice(-5) }) : null
  const what = message('accessoryChecks.eventMissing', { label })
  const outcome = isOver
    ? fail(
        hint ? message('accessoryChecks.withRemark', { what, remark: hint }) : what,
        message('accessoryChecks.checkEventSource'),
        ['gateway']
      )
    : null
  return { outcome, rows, hint, seen }
}
