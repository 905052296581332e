import { isPlace } from '../../../preload/base/maps/position.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { Evidence, Job } from '../../../preload/contract/job/jobs.ts'
import { distanceM } from '../../../preload/base/maps/distance.ts'

export interface TimedPosition {
  latitude: number
  longitude: number
  at: string
}

export interface Places {
  device: TimedPosition | null
  gateway: TimedPosition | null
  apartM: number | null
  /** The accepted distance; null if it was not checked. */
  limitM: number | null
}

/** The newest positions in the evidence of a job. 0/0 is the position of a receiver without a fix: not a position. */
export function placesOf(job: Job): Places {
  const seen = job.steps
    .flatMap((step) => (step.kind === 'samePlace' || step.kind === 'position' ? step.evidence : []))
    .toSorted((one, other) => one.seq - other.seq)
  const compared = seen.findLast(({ raw }) => isRecord(raw) && isRecord(raw['device']) && isRecord(raw['gatewayPlace']))
  const raw = compared?.raw as { device: Json; gatewayPlace: Json } | undefined
  if (compared && raw) {
    const [device, gateway] = [placeOf(raw.device, compared), placeOf(raw.gatewayPlace, compared)]
    const passM = compared.thresholds?.['passM']
    return {
      device,
      gateway,
      apartM: device && gateway ? Math.round(distanceM(device, gateway)) : null,
      limitM: typeof passM === 'number' ? passM : null
    }
  }
  const own = seen
    .flatMap((one) => (one.witness === 'device' ? [placeOf(one.raw, one)] : []))
    .findLast((place) => place !== null)
  return { device: own ?? null, gateway: null, apartM: null, limitM: null }
}

function placeOf(raw: Json, { at }: Evidence): TimedPosition | null {
  const found = isRecord(raw) && isRecord(raw['coords']) ? raw['coords'] : raw
  if (!isRecord(found)) return null
  const { latitude, longitude } = found
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
  if (!isPlace(latitude, longitude)) return null
  return { latitude, longitude, at }
}

function isRecord(value: Json | undefined): value is { [name: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
