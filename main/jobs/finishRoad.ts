import type { Step } from '../../preload/contract/jobs.ts'
import { message } from '../../preload/contract/messages.ts'
import { askGateway } from './askGateway.ts'
import { fail, unreadable } from './check.ts'
import { judgeRemoval, sayRemoval, wasSeenThere } from './checks/removed.ts'
import { leftBefore, lookAtSwap } from './checks/swapped.ts'
import { ended, type DeferredOptions, type Finish } from './finish.ts'
import { askTrip, driveOf, evidenceOf, sayAnswers } from './road/askTrip.ts'
import { eventsAfter, removalOf } from './road/fittings.ts'
import { judgeTrip } from './road/judgeTrip.ts'
import { scoreTrip } from './road/scoreTrip.ts'
import { keptTrip } from './road/tripPieces.ts'

/** The way is in the log: what the gateway has of those minutes is held against it, whenever that is. */
export async function finishTestTrip(step: Step, { job, gateway, signal, now }: DeferredOptions): Promise<Finish> {
  const { device, vehicle, thresholds } = job()
  const trip = keptTrip(step.evidence)
  const limits = thresholds.testTrip
  const [first, last] = [trip?.points[0], trip?.points.at(-1)]
  if (!trip || !first || !last || !limits) return ended(unreadable(message('testTrip.notInLog'), message('testTrip.driveThenRun')))
  const found = vehicle ? undefined : await askGateway(() => gateway.findVehicleOfDevice(device.imei, signal))
  if (found?.kind === 'away') return { kind: 'away', why: found.why }
  const vehicleId = vehicle?.id ?? (found?.kind === 'answer' ? (found.value?.id ?? null) : null)
  const reply = await askTrip(gateway, { imei: device.imei, vehicleId, fromMs: first[0], untilMs: last[0] }, signal)
  if (reply.kind === 'away') return { kind: 'away', why: reply.why }
  if (reply.kind === 'no') return ended(fail(reply.why, message('jobs.askWhetherShown'), ['gateway']))
  const scores = scoreTrip(trip.points, reply.answers)
  const outcome = reply.isWhole ? judgeTrip(scores, limits, trip.clockOffS) : unreadable(message('testTrip.tooManyEvents'), message('jobs.runAgain'))
  if (outcome.state !== 'pass' && now().getTime() - trip.writtenMs < limits.deliverS * 1000) return { kind: 'open', why: message('testTrip.waitingForLate') }
  return ended({ ...outcome, drive: driveOf(trip.points, reply.answers.events) }, [{ what: sayAnswers(reply.answers), raw: { ...evidenceOf(reply.answers), scores } }])
}

export async function finishRemoved({ job, gateway, signal, now }: DeferredOptions): Promise<Finish> {
  const { device, vehicle, thresholds } = job()
  if (!vehicle) return { kind: 'open', why: message('vehicle.choose') }
  const reply = await askGateway(() => gateway.road.readFitting(vehicle.id, signal))
  if (reply.kind === 'away') return { kind: 'away', why: reply.why }
  if (reply.kind === 'no') return ended(fail(reply.why, message('jobs.askWhetherShown'), ['gateway']))
  if (reply.value === null) return ended(fail(message('vehicle.notShown', { text: vehicle.name }), message('jobs.askWhetherShown'), ['gateway']))
  const removal = removalOf(reply.value, device.imei, wasSeenThere(job()))
  const seen = [{ what: sayRemoval(removal, vehicle.name), raw: reply.value.raw }]
  if (removal.kind === 'there') return { kind: 'open', why: message('removed.stillThere', { vehicle: vehicle.name }) }
  if (removal.kind !== 'gone') return ended(judgeRemoval(removal, vehicle.name, []), seen)
  // Without a time in the history it is listened to from now on, until the next look.
  const nowMs = now().getTime()
  const sinceMs = removal.atMs ?? nowMs - (thresholds.removed?.settleS ?? 300) * 1000
  if (nowMs - sinceMs < (thresholds.removed?.settleS ?? 300) * 1000) return { kind: 'open', why: message('removed.listening') }
  const events = await askGateway(() => gateway.road.readEvents({ vehicleId: vehicle.id, imei: device.imei, fromMs: sinceMs, untilMs: nowMs + 60_000 }, signal))
  if (events.kind === 'away') return { kind: 'away', why: events.why }
  if (events.kind === 'no') return ended(fail(events.why, message('jobs.askWhetherShown'), ['gateway']))
  const late = eventsAfter(events.value.events, device.imei, sinceMs)
  return ended(judgeRemoval(removal, vehicle.name, late), [...seen, ...(late.length > 0 ? [{ what: message('removed.stillReports', { n: late.length }), raw: late.slice(0, 20).map(({ raw }) => raw) }] : [])])
}

export async function finishSwapped(step: Step, { job, gateway, signal, now }: DeferredOptions): Promise<Finish> {
  const { device, vehicle, thresholds } = job()
  if (!vehicle || !thresholds.swapped) return { kind: 'open', why: message('vehicle.choose') }
  const swap = await lookAtSwap({ gateway, vehicle, imei: device.imei, limits: thresholds.swapped, seen: leftBefore(step), nowMs: now().getTime(), signal })
  if (swap.kind === 'away') return { kind: 'away', why: swap.why }
  if (swap.kind === 'open') return { kind: 'open', why: swap.outcome.summary }
  return ended(swap.outcome, [{ what: swap.outcome.summary, raw: swap.raw }])
}
