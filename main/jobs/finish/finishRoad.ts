import type { Step } from '../../../preload/contract/jobs/jobs.ts'
import { message } from '../../../preload/contract/messages.ts'
import { askGateway } from '../engine/askGateway.ts'
import { fail, unreadable } from '../engine/check.ts'
import { judgeRemoval, sayRemoval, wasSeenThere } from '../checks/removed.ts'
import { leftBefore, lookAtSwap } from '../checks/swapped.ts'
import { ended, type DeferredOptions, type Finish } from './finish.ts'
import { completeProfile } from '../engine/profile.ts'
import { askTrip, driveOf, evidenceOf, sayAnswers } from '../road/askTrip.ts'
import { eventsAfter, isSettled, removalOf } from '../road/fittings.ts'
import { readGatewayTimes } from '../road/gatewayTimes.ts'
import { judgeTrip } from '../road/judgeTrip.ts'
import { scoreTrip } from '../road/scoreTrip.ts'
import { keptTrip } from '../road/tripPieces.ts'

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

/** The job's vehicle, else the one that the person typed while the gateway was away. */
async function typedVehicle(step: Step, { job, gateway, signal }: DeferredOptions): Promise<{ id: number; name: string } | Finish> {
  const { vehicle, answers, vehicleText } = job()
  if (vehicle) return vehicle
  const text = answers.get(step.id)?.choose?.trim() || vehicleText.trim()
  if (text === '') return { kind: 'open', why: message('vehicle.choose') }
  const reply = await askGateway(() => gateway.findExact('vehicle', text, signal))
  if (reply.kind === 'away') return { kind: 'away', why: reply.why }
  if (reply.kind === 'no') return ended(fail(reply.why, message('vehicle.askWhetherShown'), ['gateway']))
  if (reply.value.kind === 'one') return { id: reply.value.entity.id, name: reply.value.entity.name }
  const names = reply.value.similar.slice(0, 3).map(({ name }) => name)
  return ended(fail(names.length > 0 ? message('vehicle.similar', { text, names }) : message('vehicle.notSingle', { text }), message('vehicle.askWhich'), ['gateway']))
}

export async function finishRemoved(step: Step, options: DeferredOptions): Promise<Finish> {
  const { job, gateway, signal, now, standardProfile } = options
  const { device, thresholds } = job()
  const { settleS, giveUpS } = completeProfile(thresholds, standardProfile).removed
  const vehicle = await typedVehicle(step, options)
  if ('kind' in vehicle) return vehicle
  const reply = await askGateway(async () => ({ times: await readGatewayTimes({ job: job(), gateway, signal, now }), fitting: await gateway.road.readFitting(vehicle.id, signal) }))
  if (reply.kind === 'away') return { kind: 'away', why: reply.why }
  if (reply.kind === 'no') return ended(fail(reply.why, message('jobs.askWhetherShown'), ['gateway']))
  const { fitting, times } = reply.value
  if (fitting === null) return ended(fail(message('vehicle.notShown', { text: vehicle.name }), message('jobs.askWhetherShown'), ['gateway']))
  const removal = removalOf(fitting, device.imei, { wasSeenThere: wasSeenThere(job()), jobBeganMs: times.jobBeganMs })
  const seen = [{ what: sayRemoval(removal, vehicle.name), raw: fitting.raw }]
  if (removal.kind === 'there') return { kind: 'open', why: message('removed.stillThere', { vehicle: vehicle.name }) }
  if (removal.kind !== 'gone') return ended(judgeRemoval(removal, vehicle.name, []), seen)
  if (removal.atMs !== null && !isSettled(removal.atMs, times, settleS * 1000)) return { kind: 'open', why: message('removed.listening') }
  // Without a time in the history it must have been silent for as long as a live check listens.
  const sinceMs = removal.atMs === null ? times.nowMs() - giveUpS * 1000 : removal.atMs + settleS * 1000
  const events = await askGateway(() => gateway.road.readEvents({ vehicleId: vehicle.id, imei: device.imei, fromMs: sinceMs, untilMs: times.nowMs() + 60_000 }, signal))
  if (events.kind === 'away') return { kind: 'away', why: events.why }
  if (events.kind === 'no') return ended(fail(events.why, message('jobs.askWhetherShown'), ['gateway']))
  const late = eventsAfter(events.value.events, device.imei, sinceMs)
  const heard = late.length > 0 ? [{ what: message('removed.stillReports', { n: late.length }), raw: late.slice(0, 20).map(({ raw }) => raw) }] : []
  // They may be from before it went.
  if (removal.atMs === null && late.length > 0) return { kind: 'open', why: message('removed.listening') }
  return ended(judgeRemoval(removal, vehicle.name, late), [...seen, ...heard], vehicle)
}

export async function finishSwapped(step: Step, options: DeferredOptions): Promise<Finish> {
  const { job, gateway, signal, now, standardProfile } = options
  const { device, thresholds } = job()
  const vehicle = await typedVehicle(step, options)
  if ('kind' in vehicle) return vehicle
  const limits = completeProfile(thresholds, standardProfile).swapped
  const swap = await lookAtSwap({ gateway, vehicle, imei: device.imei, limits, seen: leftBefore(step), times: () => readGatewayTimes({ job: job(), gateway, signal, now }), isAgain: false, signal })
  if (swap.kind === 'away') return { kind: 'away', why: swap.why }
  if (swap.kind === 'open') return { kind: 'open', why: swap.outcome.summary }
  return ended(swap.outcome, [{ what: swap.outcome.summary, raw: swap.raw }], vehicle)
}
