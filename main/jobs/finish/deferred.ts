import { z } from 'zod'
import { AppError } from '../../../preload/contract/errors.ts'
import { asMessage, message, type Message } from '../../../preload/contract/messages.ts'
import type { Step } from '../../../preload/contract/jobs/jobs.ts'
import { distanceM } from '../../device/facts.ts'
import { differenceOf } from '../../operations/kinds/fromCopy.ts'
import { copiedVehicle } from '../engine/recall.ts'
import type { EntityChoice } from '../../../preload/contract/gateway/gateway.ts'
import { finishByEvents, isOfEvents } from './accessoryFinish.ts'
import { askGateway, type GatewayAnswer } from '../engine/askGateway.ts'
import { deferred, fail, mismatch, notApplicable, pass, unreadable, warn } from '../engine/check.ts'
import { isEventOfDevice } from '../../reading/eventOfDevice.ts'
import { judgeArrival } from '../checks/delivered.ts'
import { setGlobalKind } from '../../operations/kinds/counters.ts'
import { judgeOperations } from '../checks/counters.ts'
import { judgeRecord, judgeSim } from '../checks/identity.ts'
import { givenUp } from '../checks/link.ts'
import { ended, type DeferredOptions, type Finish, type Finished } from './finish.ts'
import { finishClock, finishEngineBus } from './finishOrdered.ts'
import { finishRemoved, finishSwapped, finishTestTrip } from './finishRoad.ts'
import { newEntry, plainJson } from '../record/journal.ts'
import type { GatewayEvent } from '../engine/ports.ts'

/** Does the gateway's part of a job that ran without it. The device may be gone: its readings come from the stored evidence. */
export async function finishDeferredSteps(options: DeferredOptions): Promise<void> {
  for (const { id } of options.job().steps.filter((step) => step.state === 'deferred')) {
    const step = options.job().steps.find((candidate) => candidate.id === id)
    if (!step) continue
    const finished = await finish(step, options)
    // Still open: nothing is written, it stays deferred.
    if (finished.kind === 'ended') keep(step, finished, options)
  }
}

/** Looks at the gateway for one step now, as a person wants it. Throws what keeps the gateway from answering. */
export async function finishStepNow(step: Step, options: DeferredOptions): Promise<void> {
  const finished = await finish(step, options)
  if (finished.kind === 'away') throw new AppError('UNREACHABLE', asMessage(finished.why), { retryable: true })
  keep(step, finished.kind === 'ended' ? finished : { kind: 'ended', seen: [], result: deferred(finished.why) }, options)
}

function keep(before: Step, finished: Finished, options: DeferredOptions): void {
  const step = options.job().steps.find((candidate) => candidate.id === before.id)
  // Meanwhile the person may have begun it anew, waived it, or cancelled the job.
  if (!step || step.state !== before.state || step.attempts !== before.attempts || options.job().state === 'cancelled' || options.job().handedOver) return
  const attempt = step.attempts + 1
  const { result } = finished
  // In one piece: a step that was only begun would never be taken up again.
  options.write([
    newEntry('stepStarted', step.id, { attempt }),
    ...finished.seen.map((seen) =>
      newEntry('evidence', step.id, { attempt, witness: 'gateway', what: seen.what, raw: plainJson(seen.raw), thresholds: null })
    ),
    ...(finished.vehicle ? [newEntry('vehicleChosen', step.id, finished.vehicle)] : []),
    newEntry('stepEnded', step.id, { attempt, ...result, durationMs: 0 })
  ])
}

function finish(step: Step, options: DeferredOptions): Promise<Finish> {
  switch (step.kind) {
    case 'identity':
      return finishIdentity(step, options)
    case 'delivered':
      return finishDelivered(step, options)
    case 'samePlace':
      return finishSamePlace(step, options)
    case 'clock':
      return finishClock(step, options)
    case 'engineBus':
      return finishEngineBus(step, options)
    case 'vehicle':
      return finishVehicle(step, options)
    case 'link':
      return Promise.resolve(finishLink(options))
    case 'testTrip':
      return finishTestTrip(step, options)
    case 'removed':
      return finishRemoved(step, options)
    case 'swapped':
      return finishSwapped(step, options)
    case 'counters':
      return Promise.resolve(finishCounters(options))
    default:
      if (isOfEvents(step.kind)) return finishByEvents({ ...step, kind: step.kind }, options)
      return Promise.resolve({ kind: 'open', why: step.summary ?? step.title })
  }
}

/** The answer when it is none to go on with: the gateway is away, or refuses for good. */
function withoutAnswer(reply: Exclude<GatewayAnswer<unknown>, { kind: 'answer' }>, remedy: Message): Finish {
  return reply.kind === 'away' ? { kind: 'away', why: reply.why } : ended(fail(reply.why, remedy, ['gateway']))
}

const simOfEvidence = z.object({ SIM_ID: z.string() })

/** Label, host name and modem were compared on the day; what is left is the gateway. */
async function finishIdentity(step: Step, { job, gateway, signal }: DeferredOptions): Promise<Finish> {
  const { imei } = job().device
  const found = await askGateway(() => gateway.findDevice(imei, signal))
  if (found.kind === 'away') return { kind: 'away', why: found.why }
  if (found.kind === 'no' || found.value === null) {
    return ended(warn(message('identity.notShown'), message('jobs.askWhetherRegistered'), ['device', 'person']))
  }
  const { value } = found
  const seen = [{ what: message('identity.recordNames', { imei: value.imei ?? message('identity.noDevice') }), raw: value.raw }]
  const wrong = judgeRecord(value, imei)
  if (wrong) return ended(wrong, seen)
  const simId = step.evidence.toReversed().map((one) => simOfEvidence.safeParse(one.raw)).find((one) => one.success)?.data?.SIM_ID
  const sim = simId ? await askGateway(() => gateway.findSim(simId, signal)) : undefined
  if (sim?.kind === 'away') return { kind: 'away', why: sim.why }
  const isKnown = sim?.kind === 'answer' && sim.value !== null
  return ended(judgeSim({ simId, atGateway: value.simIds, isKnown }), seen)
}

/** Those of the job's device alone: a vehicle's events may come from the device that it had before. */
async function eventsOfTheDay({ job, gateway, signal }: DeferredOptions, range: { sinceMs: number; untilMs?: number }): Promise<GatewayAnswer<GatewayEvent[]>> {
  const { device, vehicle } = job()
  const reply = await askGateway(() => gateway.readEvents({ imei: device.imei, vehicleId: vehicle?.id ?? null, ...range }, signal))
  return reply.kind === 'answer' ? { ...reply, value: reply.value.filter((event) => isEventOfDevice(event, device.imei)) } : reply
}

const askOffice = message('jobs.askWhetherShown')

async function finishDelivered(step: Step, options: DeferredOptions): Promise<Finish> {
  const limits = options.job().thresholds.delivered
  const startedMs = Date.parse(step.startedAt ?? options.job().createdAt)
  const reply = await eventsOfTheDay(options, { sinceMs: startedMs - limits.eventAgePassS * 1000 })
  if (reply.kind !== 'answer') return withoutAnswer(reply, askOffice)
  const judged = reply.value.map((event) => ({ event, ...judgeArrival(event, limits, options.now()) }))
  const best = judged.find(({ verdict }) => verdict === 'pass') ?? judged.find(({ verdict }) => verdict === 'warn')
  if (!best) {
    if (!isOver(options, startedMs)) return { kind: 'open', why: message('delivered.noneYet') }
    const undated = judged.find(({ verdict }) => verdict === 'unreadable')
    if (undated?.why) return ended(unreadable(undated.why, message('delivered.setClock')), [{ what: message('delivered.newestOfDevice'), raw: undated.event.raw }])
    return ended(
      fail(judged[0]?.why ? message('delivered.newestNoProof', { why: judged[0].why }) : message('delivered.noneCame'), message('delivered.checkApn'), ['gateway']),
      judged.slice(0, 1).map(({ event }) => ({ what: message('delivered.newestOfDevice'), raw: event.raw }))
    )
  }
  const eventAt = new Date(best.event.eventAtMs).toISOString()
  const seen = [{ what: message('delivered.isAtGateway', { eventAt }), raw: best.event.raw }]
  const { delayS } = best.event
  const text = delayS === null ? message('delivered.arrivedUndelayed', { eventAt }) : message('delivered.arrived', { eventAt, delayS })
  return best.verdict === 'pass'
    ? ended(pass(text, ['gateway']), seen)
    : ended(warn(text, message('delivered.slow'), ['gateway']), seen)
}

/** As long as a live check would have waited for an event, counted from when it began. */
function isOver({ job, now }: DeferredOptions, sinceMs: number): boolean {
  return now().getTime() - sinceMs > job().thresholds.delivered.giveUpS * 1000
}

const placeOfEvidence = z.object({ coords: z.object({ latitude: z.number(), longitude: z.number() }) })
/** An event further from the reading than this says where the vehicle was at another time. */
const samePlaceWithinMs = 30 * 60_000

async function finishSamePlace(step: Step, options: DeferredOptions): Promise<Finish> {
  const { steps, thresholds, createdAt } = options.job()
  const positions = steps.filter((candidate) => candidate.kind === 'position').flatMap((candidate) => candidate.evidence)
  const here = positions
    .toReversed()
    .map((seen) => ({ atMs: Date.parse(seen.at), place: placeOfEvidence.safeParse(seen.raw).data?.coords }))
    .find(({ place }) => place !== undefined && (place.latitude !== 0 || place.longitude !== 0))
  if (!here?.place) {
    return ended(warn(message('samePlace.noPlaceThatDay'), message('samePlace.lookAtGateway'), ['device']))
  }
  const { place, atMs } = here
  const reply = await eventsOfTheDay(options, { sinceMs: Date.parse(createdAt), untilMs: atMs + samePlaceWithinMs })
  if (reply.kind !== 'answer') return withoutAnswer(reply, askOffice)
  const [nearest] = reply.value
    .filter((event) => event.latitude !== null && event.longitude !== null && event.isPositionValid === true)
    .filter((event) => Math.abs(event.eventAtMs - atMs) <= samePlaceWithinMs)
    .sort((a, b) => Math.abs(a.eventAtMs - atMs) - Math.abs(b.eventAtMs - atMs))
  if (!nearest) {
    if (!isOver(options, Math.max(atMs + samePlaceWithinMs, Date.parse(step.startedAt ?? createdAt)))) {
      return { kind: 'open', why: message('samePlace.noPlaceThenYet') }
    }
    return ended(unreadable(message('samePlace.notCompared', { why: message('samePlace.noPlaceThen') }), message('samePlace.lookThenWaive')))
  }
  const apart = Math.round(distanceM(place, { latitude: nearest.latitude ?? 0, longitude: nearest.longitude ?? 0 }))
  const { passM, warnM } = thresholds.samePlace
  const seen = [{ what: message('samePlace.apartThatDay', { distanceM: apart }), raw: { device: place, gateway: nearest.raw } }]
  const text = message('samePlace.apart', { distanceM: apart })
  if (apart <= passM) return ended(pass(text, ['device', 'gateway']), seen)
  if (apart <= warnM) return ended(warn(text, message('samePlace.compareParked'), ['device', 'gateway']), seen)
  return ended(fail(text, message('samePlace.otherDevice'), ['device', 'gateway']), seen)
}

async function finishVehicle(step: Step, { job, gateway, signal }: DeferredOptions): Promise<Finish> {
  const { vehicle, answers, vehicleText, device } = job()
  const was = copiedVehicle(job())
  if (was) {
    const now = await askGateway(() => gateway.readRecord('vehicle', was.id, signal))
    if (now.kind !== 'answer') return withoutAnswer(now, message('vehicle.askWhetherShown'))
    const difference = differenceOf(was, now.value)
    if (difference) return ended(mismatch(difference, message('vehicle.askWhich'), ['gateway']), [{ what: difference, raw: { copy: was, gateway: now.value } }])
  }
  const text = vehicle ? String(vehicle.id) : answers.get(step.id)?.choose?.trim() || vehicleText.trim()
  const reply = await askGateway(() => gateway.findExact('vehicle', text, signal))
  if (reply.kind !== 'answer') return withoutAnswer(reply, message('vehicle.askWhetherShown'))
  const only = reply.value.kind === 'one' ? reply.value.entity : undefined
  if (!only) {
    const { similar } = reply.value as { similar: EntityChoice[] }
    const names = similar.slice(0, 3).map(({ name }) => name)
    const why = names.length > 0 ? message('vehicle.similar', { text, names }) : message('vehicle.notSingle', { text })
    return ended(fail(why, message('vehicle.askWhich'), ['gateway']), [{ what: why, raw: { wanted: text, similar } }])
  }
  if (only.imei === null) return { kind: 'open', why: message('vehicle.noDeviceYet', { vehicle: only.name }) }
  const seen = [{ what: message('vehicle.carries', { vehicle: only.name, imei: only.imei }), raw: only }]
  return only.imei === device.imei
    ? ended(pass(message('vehicle.carriesThis', { vehicle: only.name }), ['gateway']), seen, { id: only.id, name: only.name })
    : ended(mismatch(message('vehicle.carriesOther', { vehicle: only.name, digits: only.imei.slice(-6) }), message('vehicle.officeAssigns'), ['gateway']), seen)
}

function finishLink({ job, operations }: DeferredOptions): Finish {
  const links = operations.ofJob(job().id).filter((operation) => operation.kind === 'entities.link')
  const link = links.findLast(({ state }) => !givenUp.has(state)) ?? links.at(-1)
  if (!link) return { kind: 'open', why: message('link.notAmongWork') }
  const seen = [{ what: link.reason, raw: { operation: link.id, state: link.state } }]
  if (link.state === 'done') return ended(pass(link.reason, ['gateway']), seen)
  if (givenUp.has(link.state)) return ended(notApplicable(link.reason), seen)
  if (link.state === 'failed') return ended(fail(link.reason, message('link.chooseAnother'), ['gateway']), seen)
  return { kind: 'open', why: link.reason }
}

function finishCounters({ job, operations }: DeferredOptions): Finish {
  const all = operations.ofJob(job().id).filter(({ kind }) => kind === setGlobalKind)
  // Earlier versions left the step for later before there was any work: nothing would ever end it.
  if (all.length === 0) return ended(unreadable(message('accessoryChecks.countersNotAmongWork'), message('jobs.runAgain')))
  const current = all.filter(({ state }) => !givenUp.has(state))
  const work = current.length > 0 ? current : all
  const outcome = judgeOperations(work)
  if (outcome.state === 'deferred') return { kind: 'open', why: outcome.summary }
  return ended(outcome, work.map(({ id, state, reason }) => ({ what: reason, raw: { operation: id, state } })))
}
