import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { askGateway, createPatience } from '../engine/askGateway.ts'
import { deferred, fail, pass, unreadable, withRows, type CheckContext, type Outcome } from '../engine/check.ts'
import type { LoggedJob } from '../record/journal.ts'
import { timeLeft } from '../engine/meters.ts'
import type { Fitting, RoadEvent } from '../engine/ports.ts'
import { eventsAfter, isSettled, removalOf, type Removal } from '../road/fittings.ts'
import { readGatewayTimes, type GatewayTimes } from '../road/gatewayTimes.ts'
import { findVehicleLater, vehicleOfStep } from '../road/vehicleOfStep.ts'
import { ended, withoutAnswer, type Finisher } from '../finish/finish.ts'

/** The gateway shows the device outside its vehicle, and the device sends no more events for that vehicle. */
export async function checkRemoved(context: CheckContext<'removed'>): Promise<Outcome> {
  const { askEveryS, settleS, giveUpS } = context.profile.removed
  const { imei } = context.job.device
  const vehicle = await vehicleOfStep(context)
  if ('state' in vehicle) return vehicle
  const isAgain = context.step.lastResult?.summary?.id === 'removed.stillReports'
  const patience = createPatience()
  let wasThere = wasSeenThere(context.job)
  let times: GatewayTimes | undefined
  let goneSinceMs: number | undefined
  let noted: Removal['kind'] | undefined
  const beganMs = context.monotonicMs()

  for (;;) {
    const reply = await askGateway(async () => ({
      times: (times ??= await readGatewayTimes(context)),
      fitting: await context.gateway.road.readFitting(vehicle.id, context.signal)
    }))
    if (reply.kind === 'no') return fail(reply.why, message('jobs.askWhetherShown'), ['gateway'])
    if (reply.kind === 'away' && patience.isOver(reply))
      return deferred(message('jobs.waitsForGateway', { why: reply.why }))
    if (reply.kind === 'answer' && reply.value.fitting === null)
      return fail(message('vehicle.notShown', { text: vehicle.name }), message('jobs.askWhetherShown'), ['gateway'])
    const leftMs = giveUpS * 1000 - (context.monotonicMs() - beganMs)
    let hint: Message | null = reply.kind === 'away' ? reply.why : null
    let rows: SeenRow[] | undefined
    if (reply.kind === 'answer' && reply.value.fitting) {
      const { fitting, times } = reply.value
      const removal = removalOf(fitting, imei, { wasSeenThere: wasThere, jobBeganMs: times.jobBeganMs })
      wasThere ||= removal.kind === 'there'
      rows = [rowOf(fitting, removal, imei)]
      if (removal.kind !== noted)
        context.saw({ witness: 'gateway', what: sayRemoval(removal, vehicle.name), raw: fitting.raw })
      noted = removal.kind
      if (removal.kind === 'gone') {
        // A device that was still reporting may have been unplugged before this attempt: the waiting time starts again.
        goneSinceMs ??= Math.max(removal.atMs ?? times.nowMs(), isAgain ? times.askedMs : -Infinity)
        const sinceMs = goneSinceMs
        const events = await askGateway(() =>
          context.gateway.road.readEvents(
            { vehicleId: vehicle.id, imei, fromMs: sinceMs, untilMs: times.nowMs() + 60_000 },
            context.signal
          )
        )
        if (events.kind === 'no') return fail(events.why, message('jobs.askWhetherShown'), ['gateway'])
        if (events.kind === 'away' && patience.isOver(events))
          return deferred(message('jobs.waitsForGateway', { why: events.why }))
        const late = events.kind === 'answer' ? eventsAfter(events.value.events, imei, sinceMs + settleS * 1000) : []
        const outcome = judgeRemoval(removal, vehicle.name, late)
        if (late.length > 0)
          context.saw({
            witness: 'gateway',
            what: message('removed.stillReports', { n: late.length }),
            raw: late.slice(0, 20).map(({ raw }) => raw)
          })
        if (events.kind === 'answer' && (outcome.state !== 'pass' || isSettled(sinceMs, times, settleS * 1000)))
          return withRows(rows, outcome)
        hint = events.kind === 'away' ? events.why : message('removed.listening')
      } else {
        goneSinceMs = undefined
        // Waiting does not improve an unclear answer, or the answer that the device was never in this vehicle.
        if (removal.kind !== 'there') return withRows(rows, judgeRemoval(removal, vehicle.name, []))
      }
    }
    if (leftMs <= 0) {
      if (rows === undefined) return unreadable(message('removed.notRead'), message('jobs.runAgain'))
      return withRows(
        rows,
        noted === 'gone' ? deferred(message('removed.listening')) : judgeRemoval({ kind: 'there' }, vehicle.name, [])
      )
    }
    context.show({
      say: message('removed.waiting', { vehicle: vehicle.name }),
      hint,
      meters: [timeLeft(leftMs)],
      ...(rows && { rows }),
      leftMs
    })
    await context.pause(askEveryS * 1000)
  }
}

/** The outcome from the gateway's answers. */
export function judgeRemoval(removal: Removal, vehicle: string, late: readonly RoadEvent[]): Outcome {
  switch (removal.kind) {
    case 'there':
      return deferred(message('removed.stillThere', { vehicle }), message('removed.askOffice'))
    case 'neverThere':
      return fail(message('removed.neverThere', { vehicle }), message('removed.checkVehicle'), ['gateway'])
    case 'longAgo':
      return fail(sayRemoval(removal, vehicle), message('removed.checkVehicle'), ['gateway'])
    case 'undated':
    case 'unreadable':
      return unreadable(sayRemoval(removal, vehicle), message('removed.lookAtVehicle'))
    case 'gone':
      return late.length > 0
        ? fail(message('removed.stillReports', { n: late.length }), message('removed.unplug'), ['gateway'])
        : pass(sayRemoval(removal, vehicle), ['gateway'])
  }
}

/**
 * This job has seen the device in its vehicle: the vehicle step passed, or an earlier attempt of this step shows it.
 */
export function wasSeenThere({ steps }: Pick<LoggedJob, 'steps'>): boolean {
  return steps.some(
    (step) =>
      (step.kind === 'vehicle' && step.lastResult?.state === 'pass') ||
      (step.kind === 'removed' && step.evidence.some(({ what }) => what.id === 'removed.stillThere'))
  )
}

export function sayRemoval(removal: Removal, vehicle: string): Message {
  if (removal.kind === 'there') return message('removed.stillThere', { vehicle })
  if (removal.kind === 'neverThere') return message('removed.neverThere', { vehicle })
  if (removal.kind === 'unreadable') return message('removed.notSaid', { vehicle })
  if (removal.kind === 'undated') return message('removed.undated', { vehicle })
  if (removal.kind === 'longAgo')
    return message('removed.longAgo', { vehicle, goneAt: new Date(removal.atMs).toISOString() })
  return removal.atMs === null
    ? message('removed.gone', { vehicle })
    : message('removed.goneSince', { vehicle, goneAt: new Date(removal.atMs).toISOString() })
}

function rowOf({ now }: Fitting, removal: Removal, imei: string): SeenRow {
  return {
    label: message('removed.deviceOfVehicle'),
    wanted: message('removed.notThisOne', { digits: imei.slice(-6) }),
    device: null,
    gateway:
      now.kind === 'device'
        ? message('identity.lastDigits', { digits: now.imei.slice(-6) })
        : now.kind === 'none'
          ? message('meters.none')
          : null,
    verdict:
      removal.kind === 'gone'
        ? 'agrees'
        : removal.kind === 'unreadable' || removal.kind === 'undated'
          ? 'unreadable'
          : 'differs'
  }
}

/** The device was removed from the vehicle and has been silent since. */
export const finishRemoved: Finisher<'removed'> = async (step, options) => {
  const {
    job,
    gateway,
    signal,
    now,
    limits: { settleS, giveUpS }
  } = options
  const { device } = job()
  const vehicle = await findVehicleLater(step, options)
  if ('kind' in vehicle) return vehicle
  const reply = await askGateway(async () => ({
    times: await readGatewayTimes({ job: job(), gateway, signal, now }),
    fitting: await gateway.road.readFitting(vehicle.id, signal)
  }))
  if (reply.kind !== 'answer') return withoutAnswer(reply, message('jobs.askWhetherShown'))
  const { fitting, times } = reply.value
  if (fitting === null)
    return ended(
      fail(message('vehicle.notShown', { text: vehicle.name }), message('jobs.askWhetherShown'), ['gateway'])
    )
  const removal = removalOf(fitting, device.imei, { wasSeenThere: wasSeenThere(job()), jobBeganMs: times.jobBeganMs })
  const seen = [{ what: sayRemoval(removal, vehicle.name), raw: fitting.raw }]
  if (removal.kind === 'there') return { kind: 'open', why: message('removed.stillThere', { vehicle: vehicle.name }) }
  if (removal.kind !== 'gone') return ended(judgeRemoval(removal, vehicle.name, []), seen)
  if (removal.atMs !== null && !isSettled(removal.atMs, times, settleS * 1000))
    return { kind: 'open', why: message('removed.listening') }
  // If the history contains no time, the device must have been silent for as long as a live check waits.
  const sinceMs = removal.atMs === null ? times.nowMs() - giveUpS * 1000 : removal.atMs + settleS * 1000
  const events = await askGateway(() =>
    gateway.road.readEvents(
      { vehicleId: vehicle.id, imei: device.imei, fromMs: sinceMs, untilMs: times.nowMs() + 60_000 },
      signal
    )
  )
  if (events.kind !== 'answer') return withoutAnswer(events, message('jobs.askWhetherShown'))
  const late = eventsAfter(events.value.events, device.imei, sinceMs)
  const heard =
    late.length > 0
      ? [{ what: message('removed.stillReports', { n: late.length }), raw: late.slice(0, 20).map(({ raw }) => raw) }]
      : []
  // These events may be from before the removal.
  if (removal.atMs === null && late.length > 0) return { kind: 'open', why: message('removed.listening') }
  return ended(judgeRemoval(removal, vehicle.name, late), [...seen, ...heard], vehicle)
}
