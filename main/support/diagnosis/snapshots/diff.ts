import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../../../preload/contract/define.ts'
import type { GpsPosition, Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import type { Snapshot, SnapshotArea, SnapshotDifference } from '../../../../preload/contract/support/snapshots.ts'
import { readSignal } from '../../../device/client/facts.ts'
import { distanceM } from '../../../../preload/base/maps/distance.ts'
import { hasPosition } from '../../../../preload/base/maps/position.ts'
import { fieldsOf, type AreaFields } from './fields.ts'
import { numberOf, rulesFor, type NoiseRuleForm } from './noiseRules.ts'

export interface SnapshotDiff {
  differences: SnapshotDifference[]
  /** Parts that one of the two snapshots could not read: whether they changed is unknown. */
  unknown: { area: SnapshotArea; part: string | null }[]
}

/** Below this speed a vehicle is parked: its heading is not meaningful. */
const standingKmh = 5

/**
 * The differences, field by field, in areas that both could read. `without`: rules that hide no difference as noise.
 */
export function diffSnapshots(before: Snapshot, after: Snapshot, without: readonly string[] = []): SnapshotDiff {
  const then = fieldsOf(before)
  const now = new Map(fieldsOf(after).map((fields) => [keyOf(fields), fields]))
  const context = { before: positionOf(before), after: positionOf(after) }
  const differences: SnapshotDifference[] = []
  const unknown: SnapshotDiff['unknown'] = []
  for (const one of then) {
    const other = now.get(keyOf(one))
    if (!other) continue
    const { area, part } = one
    if (!one.fields || !other.fields) {
      // Nobody misses gateway data that both snapshots lack.
      if (area !== 'gateway' || one.fields || other.fields) unknown.push({ area, part })
      continue
    }
    for (const field of new Set([...one.fields.keys(), ...other.fields.keys()])) {
      const [was, is] = [one.fields.get(field) ?? null, other.fields.get(field) ?? null]
      if (isSame(was, is)) continue
      const rule = rulesFor(area, field).find(
        (candidate) => !without.includes(candidate.id) && isNoise(candidate, was, is, context)
      )
      differences.push({ area, field, before: was, after: is, noise: rule !== undefined, rule: rule?.id ?? null })
    }
  }
  return { differences, unknown }
}

function keyOf({ area, part }: AreaFields): string {
  return `${area} ${part ?? ''}`
}

/** The order of a list of names has no meaning. */
function isSame(a: Json, b: Json): boolean {
  if (isDeepStrictEqual(a, b)) return true
  if (!isNames(a) || !isNames(b)) return false
  return isDeepStrictEqual([...a].sort(), [...b].sort())
}

function isNames(value: Json): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

interface Positions {
  before: Sparse<GpsPosition>
  after: Sparse<GpsPosition>
}

function positionOf({ readings }: Snapshot): Sparse<GpsPosition> {
  const value = readings['gps.position']?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Sparse<GpsPosition>) : {}
}

function isNoise({ test }: NoiseRuleForm, was: Json, is: Json, { before, after }: Positions): boolean {
  switch (test.kind) {
    case 'always':
      return true
    case 'otherValue':
      return typeof was === 'string' && typeof is === 'string' && was.trim() !== '' && is.trim() !== ''
    case 'grows': {
      const [a, b] = [numberOf(was), numberOf(is)]
      return a !== undefined && b !== undefined && b >= a
    }
    case 'within': {
      const [a, b] = [numberOf(was), numberOf(is)]
      return a !== undefined && b !== undefined && Math.abs(a - b) <= test.most
    }
    case 'signalWithin': {
      const [a, b] = [signalOf(was), signalOf(is)]
      return a !== undefined && b !== undefined && Math.abs(a - b) <= test.most
    }
    case 'withoutFix':
      return !hasPosition(before) || !hasPosition(after)
    case 'placeWithin': {
      const apartM = apart(before, after)
      return apartM !== undefined && apartM <= test.most
    }
    case 'standing':
      return [before, after].every(({ coords }) => typeof coords?.speed === 'number' && coords.speed < standingKmh)
  }
}

function signalOf(value: Json): number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? readSignal(value)?.dBm : undefined
}

/** The distance in metres between two positions with a fix. */
function apart(a: Sparse<GpsPosition>, b: Sparse<GpsPosition>): number | undefined {
  const [one, other] = [placeOf(a), placeOf(b)]
  return one && other && distanceM(one, other)
}

function placeOf({ coords }: Sparse<GpsPosition>): { latitude: number; longitude: number } | undefined {
  const { latitude, longitude } = coords ?? {}
  return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined
}

export function apartM(before: Snapshot, after: Snapshot): number | undefined {
  const [a, b] = [positionOf(before), positionOf(after)]
  return hasPosition(a) && hasPosition(b) ? apart(a, b) : undefined
}
