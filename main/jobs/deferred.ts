import { z } from 'zod'
import type { Step } from '../../preload/contract/jobs.ts'
import { distanceM } from '../deviceFacts.ts'
import { askGateway } from './askGateway.ts'
import { fail, pass, warn, type Outcome } from './check.ts'
import { plainJson, type EntryData, type EntryType, type LoggedJob } from './journal.ts'
import type { GatewayEvent, GatewayPort, OperationsPort } from './ports.ts'

export interface DeferredOptions {
  job(): LoggedJob
  write<Type extends EntryType>(type: Type, stepId: string, data: EntryData<Type>): void
  gateway: GatewayPort
  operations: OperationsPort
  now(): Date
  signal: AbortSignal
}

/**
 * Does for a job that was signed off without the gateway what only the gateway can vouch for. The device is no longer
 * there: where it was is taken from the evidence of the day.
 */
export async function finishDeferredSteps(options: DeferredOptions): Promise<void> {
  for (const { id } of options.job().steps.filter((step) => step.state === 'deferred')) {
    const step = options.job().steps.find((candidate) => candidate.id === id)
    if (!step) continue
    const outcome = await finish(step, options)
    // Still out of reach: nothing is written, it stays deferred.
    if (!outcome) continue
    const attempt = step.attempts + 1
    options.write('stepStarted', step.id, { attempt })
    for (const seen of outcome.seen) {
      options.write('evidence', step.id, { attempt, witness: 'gateway', what: seen.what, raw: plainJson(seen.raw), thresholds: null })
    }
    if (outcome.vehicle) options.write('vehicleChosen', step.id, outcome.vehicle)
    const { state, summary, remedy, witness } = outcome.result
    options.write('stepEnded', step.id, { attempt, state, summary, remedy, witness, durationMs: 0 })
  }
}

interface Finished {
  result: Outcome
  seen: { what: string; raw: unknown }[]
  vehicle?: { id: number; name: string }
}

function finish(step: Step, options: DeferredOptions): Promise<Finished | undefined> {
  switch (step.kind) {
    case 'delivered':
      return finishDelivered(options)
    case 'samePlace':
      return finishSamePlace(options)
    case 'vehicle':
      return finishVehicle(step, options)
    case 'link':
      return Promise.resolve(finishLink(options))
    default:
      return Promise.resolve(undefined)
  }
}

async function eventsOfTheDay({ job, gateway, signal }: DeferredOptions): Promise<GatewayEvent[] | undefined> {
  const { device, vehicle, createdAt } = job()
  const reply = await askGateway(() =>
    gateway.readEvents({ imei: device.imei, vehicleId: vehicle?.id ?? null, sinceMs: Date.parse(createdAt) }, signal)
  )
  return reply.kind === 'answer' ? reply.value : undefined
}

async function finishDelivered(options: DeferredOptions): Promise<Finished | undefined> {
  const events = await eventsOfTheDay(options)
  const [newest] = events ?? []
  if (!newest) return undefined
  const at = new Date(newest.eventAtMs).toISOString()
  return {
    seen: [{ what: `Event of ${at} is at the gateway`, raw: newest.raw }],
    result: pass(`an event of ${at} arrived${newest.delayS === null ? '' : `, delivered in ${newest.delayS} s`}`, ['gateway'])
  }
}

const placeOfEvidence = z.object({ coords: z.object({ latitude: z.number(), longitude: z.number() }) })

async function finishSamePlace(options: DeferredOptions): Promise<Finished | undefined> {
  const { steps, thresholds } = options.job()
  const positions = steps.filter((step) => step.kind === 'position').flatMap((step) => step.evidence)
  const here = positions
    .toReversed()
    .map((seen) => ({ at: Date.parse(seen.at), place: placeOfEvidence.safeParse(seen.raw) }))
    .find((seen) => seen.place.success)
  const events = await eventsOfTheDay(options)
  if (!events || !here?.place.data) return undefined
  const { coords } = here.place.data
  const [nearest] = events
    .filter((event) => event.latitude !== null && event.longitude !== null && event.isPositionValid !== false)
    .sort((a, b) => Math.abs(a.eventAtMs - here.at) - Math.abs(b.eventAtMs - here.at))
  if (!nearest) return undefined
  const apart = Math.round(distanceM(coords, { latitude: nearest.latitude ?? 0, longitude: nearest.longitude ?? 0 }))
  const { passM, warnM } = thresholds.samePlace
  const seen = [{ what: `${apart} m between the device's place of the day and the gateway's event`, raw: { device: coords, gateway: nearest.raw } }]
  if (apart <= passM) return { seen, result: pass(`${apart} m apart`, ['device', 'gateway']) }
  if (apart <= warnM) return { seen, result: warn(`${apart} m apart`, 'Compare again when the vehicle is parked.', ['device', 'gateway']) }
  return { seen, result: fail(`${apart} m apart`, 'The gateway shows another place: another device may report as this one.', ['device', 'gateway']) }
}

async function finishVehicle(step: Step, { job, gateway, signal }: DeferredOptions): Promise<Finished | undefined> {
  const text = job().answers.get(step.id)?.choose?.trim() || job().vehicleText.trim()
  const reply = await askGateway(() => gateway.findEntities('vehicle', text, signal))
  if (reply.kind === 'away') return undefined
  const [only] = reply.kind === 'answer' ? reply.value : []
  if (reply.kind === 'no' || reply.value.length !== 1 || !only) {
    return { seen: [], result: fail(`The gateway shows no single vehicle "${text}"`, 'Ask the back office which vehicle is meant.', ['gateway']) }
  }
  const seen = [{ what: `${only.name} carries ${only.imei ?? 'no device'}`, raw: only }]
  return only.imei === job().device.imei
    ? { seen, vehicle: { id: only.id, name: only.name }, result: pass(`${only.name} carries this device`, ['gateway']) }
    : { seen, result: fail(`${only.name} carries ${only.imei ? `another device (…${only.imei.slice(-6)})` : 'no device'}`, 'Ask the back office to assign this device to the vehicle.', ['gateway']) }
}

function finishLink({ job, operations }: DeferredOptions): Finished | undefined {
  const link = operations.ofJob(job().id).find((operation) => operation.kind === 'entities.link')
  if (!link) return undefined
  const seen = [{ what: link.reason, raw: { operation: link.id, state: link.state } }]
  if (link.state === 'done') return { seen, result: pass(link.reason, ['gateway']) }
  if (link.state === 'cancelled') return { seen, result: { state: 'notApplicable', summary: link.reason, remedy: '', witness: ['person'] } }
  return undefined
}
