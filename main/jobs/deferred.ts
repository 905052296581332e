import { z } from 'zod'
import type { Step } from '../../preload/contract/jobs.ts'
import { distanceM } from '../device/facts.ts'
import { askGateway } from './askGateway.ts'
import { fail, pass, warn, type Outcome } from './check.ts'
import { judgeSim } from './checks/identity.ts'
import { newEntry, plainJson, type LoggedJob, type NewEntry } from './journal.ts'
import type { GatewayEvent, GatewayPort, OperationsPort } from './ports.ts'

export interface DeferredOptions {
  job(): LoggedJob
  /** All or none. */
  write(entries: NewEntry[]): void
  gateway: GatewayPort
  operations: OperationsPort
  signal: AbortSignal
}

/**
 * Does for a job that ran without the gateway what only the gateway can vouch for. The device may no longer be there:
 * what it said is taken from the evidence of the day.
 */
export async function finishDeferredSteps(options: DeferredOptions): Promise<void> {
  for (const { id } of options.job().steps.filter((step) => step.state === 'deferred')) {
    const step = options.job().steps.find((candidate) => candidate.id === id)
    if (!step) continue
    const outcome = await finish(step, options)
    // Still out of reach: nothing is written, it stays deferred. Meanwhile the person may have begun it anew.
    if (!outcome || options.job().steps.find((candidate) => candidate.id === id)?.state !== 'deferred') continue
    const attempt = step.attempts + 1
    const { state, summary, remedy, witness } = outcome.result
    // In one piece: a step that was only begun would never be taken up again.
    options.write([
      newEntry('stepStarted', step.id, { attempt }),
      ...outcome.seen.map((seen) =>
        newEntry('evidence', step.id, { attempt, witness: 'gateway', what: seen.what, raw: plainJson(seen.raw), thresholds: null })
      ),
      ...(outcome.vehicle ? [newEntry('vehicleChosen', step.id, outcome.vehicle)] : []),
      newEntry('stepEnded', step.id, { attempt, state, summary, remedy, witness, durationMs: 0 })
    ])
  }
}

interface Finished {
  result: Outcome
  seen: { what: string; raw: unknown }[]
  vehicle?: { id: number; name: string }
}

function finish(step: Step, options: DeferredOptions): Promise<Finished | undefined> {
  switch (step.kind) {
    case 'identity':
      return finishIdentity(step, options)
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

const simOfEvidence = z.object({ SIM_ID: z.string() })

/** Label, host name and modem were compared on the day; what is left is the gateway. */
async function finishIdentity(step: Step, { job, gateway, signal }: DeferredOptions): Promise<Finished | undefined> {
  const { imei } = job().device
  const found = await askGateway(() => gateway.findDevice(imei, signal))
  if (found.kind === 'away') return undefined
  if (found.kind === 'no' || found.value === null) {
    return {
      seen: [],
      result: warn('label = host name = modem; the gateway does not show this device (not found or not permitted)', 'Ask the back office whether the device is registered and its group is yours.', ['device', 'person'])
    }
  }
  const { value } = found
  const simId = step.evidence.toReversed().map((seen) => simOfEvidence.safeParse(seen.raw)).find((seen) => seen.success)?.data?.SIM_ID
  const sim = simId ? await askGateway(() => gateway.findSim(simId, signal)) : undefined
  if (sim?.kind === 'away') return undefined
  const isKnown = sim?.kind === 'answer' && sim.value !== null
  return {
    seen: [{ what: `The gateway knows device ${imei}`, raw: value.raw }],
    result: judgeSim({ simId, atGateway: value.simIds, isKnown })
  }
}

async function eventsOfTheDay({ job, gateway, signal }: DeferredOptions, untilMs?: number): Promise<GatewayEvent[] | undefined> {
  const { device, vehicle, createdAt } = job()
  const range = { sinceMs: Date.parse(createdAt), ...(untilMs === undefined ? {} : { untilMs }) }
  const reply = await askGateway(() => gateway.readEvents({ imei: device.imei, vehicleId: vehicle?.id ?? null, ...range }, signal))
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
/** An event further from the reading than this says where the vehicle was at another time. */
const samePlaceWithinMs = 30 * 60_000

async function finishSamePlace(options: DeferredOptions): Promise<Finished | undefined> {
  const { steps, thresholds } = options.job()
  const positions = steps.filter((step) => step.kind === 'position').flatMap((step) => step.evidence)
  const here = positions
    .toReversed()
    .map((seen) => ({ atMs: Date.parse(seen.at), place: placeOfEvidence.safeParse(seen.raw).data?.coords }))
    .find(({ place }) => place !== undefined && (place.latitude !== 0 || place.longitude !== 0))
  if (!here?.place) {
    const result = warn('The device gave no place on the day: there is nothing to compare', 'Look at the place of the vehicle at the gateway.', ['device'])
    return { seen: [], result }
  }
  const { place, atMs } = here
  const events = await eventsOfTheDay(options, atMs + samePlaceWithinMs)
  const [nearest] = (events ?? [])
    .filter((event) => event.latitude !== null && event.longitude !== null && event.isPositionValid === true)
    .filter((event) => Math.abs(event.eventAtMs - atMs) <= samePlaceWithinMs)
    .sort((a, b) => Math.abs(a.eventAtMs - atMs) - Math.abs(b.eventAtMs - atMs))
  if (!nearest) return undefined
  const apart = Math.round(distanceM(place, { latitude: nearest.latitude ?? 0, longitude: nearest.longitude ?? 0 }))
  const { passM, warnM } = thresholds.samePlace
  const seen = [{ what: `${apart} m between the device's place of the day and the gateway's event`, raw: { device: place, gateway: nearest.raw } }]
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
