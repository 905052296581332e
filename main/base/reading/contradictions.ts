import { distanceM, type Position } from '../../../preload/base/maps/distance.ts'
import { isInGlobe } from '../../../preload/base/maps/position.ts'

/**
 * One field is never believed against two others: what dates, places, speeds and lines say of the same moments is held
 * against each other here. Pure functions on evidence, for the diagnosis, the checks of a job and the interlock of
 * outputs.
 */

/** A place that was reported at a moment; null where the report does not name it. */
export interface PlaceReport extends Position {
  atMs: number
  speedKmh: number | null
  accuracyM?: number | null
}

/** A parked receiver wanders by some metres: that is no movement. */
export const wanderM = 15

/** An accuracy beyond this is no place at which anything stands still. */
const mostAccuracyM = 100
const mostDop = 20
/** A position in two dimensions needs three. */
const leastSatellites = 3

interface ReportedFix {
  coords?: { accuracy?: number | undefined } | undefined
  extras?: { satsActive?: number | undefined; hdop?: number | undefined } | undefined
}

export type FixDoubt = 'satellites' | 'hdop' | 'accuracy'

/**
 * What contradicts a reported fix: too few satellites, no geometry, kilometres of accuracy. Such a fix repeats an old
 * place.
 */
export function fixDoubts(position: ReportedFix | null | undefined): FixDoubt[] {
  const { coords, extras } = position ?? {}
  const doubts: FixDoubt[] = []
  if (extras?.satsActive !== undefined && extras.satsActive < leastSatellites) doubts.push('satellites')
  if (extras?.hdop !== undefined && extras.hdop > mostDop) doubts.push('hdop')
  if (coords?.accuracy !== undefined && coords.accuracy > mostAccuracyM) doubts.push('accuracy')
  return doubts
}

/**
 * The distance that the newest place is from an earlier one, if it is more than the receiver wanders; null while it
 * stands still. Oldest first.
 */
export function movedM(reports: readonly PlaceReport[]): number | null {
  const newest = reports.at(-1)
  if (!newest) return null
  const apart = reports.slice(0, -1).flatMap((one) => {
    const apartM = distanceM(one, newest)
    return apartM > noiseM(one, newest) ? [apartM] : []
  })
  return apart.length === 0 ? null : Math.max(...apart)
}

function noiseM(...reports: PlaceReport[]): number {
  return Math.max(
    wanderM,
    reports.reduce((sumM, { accuracyM }) => sumM + Math.min(accuracyM ?? 0, mostAccuracyM), 0)
  )
}

export type CoordinateFault = 'exchanged' | 'scaled' | 'outside'

/**
 * Why two numbers are no place on earth: exchanged, whole numbers of a smaller unit, or anything else; null for numbers
 * in range.
 */
export function coordinateFault(latitude: number, longitude: number): CoordinateFault | null {
  if (isInGlobe(latitude, longitude)) return null
  if (isInGlobe(longitude, latitude)) return 'exchanged'
  const isWhole = Number.isInteger(latitude) && Number.isInteger(longitude)
  return isWhole && [1e5, 1e6, 1e7].some((factor) => isInGlobe(latitude / factor, longitude / factor))
    ? 'scaled'
    : 'outside'
}

/** What reports of one device say together that cannot be true of one receiver in one vehicle. */
export type TrackFault =
  /** It reports a speed, and its place stays the same. */
  | { kind: 'frozen'; sinceMs: number; forS: number; saidM: number }
  /** Its place moves, and it reports no speed. */
  | { kind: 'noSpeed'; sinceMs: number; coveredM: number }
  /** It goes back and forth between two places faster than any vehicle. */
  | { kind: 'twoPlaces'; sinceMs: number; apartM: number; passedS: number }
  /** The same, where one place is the other with latitude and longitude exchanged. */
  | { kind: 'exchanged'; sinceMs: number; apartM: number }

/** Over a longer pause nobody knows how fast it was. */
const pauseMs = 600_000
const frozen = { leastS: 120, leastReports: 3, leastM: 1_000 }
/**
 * A vehicle in traffic may stand still at some reports in a row; one that reports only where it stands does so seldom.
 */
const noSpeed = { leastSteps: 5, leastM: 200, mostKmh: 1, stepMs: 120_000 }
/** No vehicle on a road or rail is faster, and a place that is off by less may be a poor fix. */
const jump = { kmh: 400, leastM: 5_000, nearM: 3_000, exchangedDeg: 0.5 }

/** The contradictions of places and speeds; `reports` in any order. */
export function trackFaults(reports: readonly PlaceReport[]): TrackFault[] {
  const track = [...reports].sort((a, b) => a.atMs - b.atMs)
  return [jumpsOf(track), frozenOf(track), noSpeedOf(track)].filter((fault) => fault !== null)
}

/** The latest reports from one place, while their speeds say a way that cannot end where it began. */
function frozenOf(track: readonly PlaceReport[]): TrackFault | null {
  const newest = track.at(-1)
  if (!newest || (newest.speedKmh ?? 0) <= noSpeed.mostKmh) return null
  let first = track.length - 1
  let saidM = 0
  for (; first > 0; first--) {
    const [before, after] = [track[first - 1], track[first]]
    if (!before || !after || after.atMs - before.atMs > pauseMs || distanceM(before, newest) > noiseM(before, newest))
      break
    if ((before.speedKmh ?? 0) <= noSpeed.mostKmh) break
    saidM += (((before.speedKmh ?? 0) + (after.speedKmh ?? 0)) / 7.2) * ((after.atMs - before.atMs) / 1000)
  }
  const since = track[first]
  const forS = since ? (newest.atMs - since.atMs) / 1000 : 0
  if (!since || forS < frozen.leastS || track.length - first < frozen.leastReports || saidM < frozen.leastM) return null
  return { kind: 'frozen', sinceMs: since.atMs, forS, saidM }
}

/** The latest reports without a speed, while their places move on. */
function noSpeedOf(track: readonly PlaceReport[]): TrackFault | null {
  let coveredM = 0
  let steps = 0
  let first = track.length - 1
  for (; first > 0; first--) {
    const [before, after] = [track[first - 1], track[first]]
    if (!before || !after || after.atMs - before.atMs > noSpeed.stepMs) break
    if (
      before.speedKmh === null ||
      after.speedKmh === null ||
      Math.max(before.speedKmh, after.speedKmh) > noSpeed.mostKmh
    )
      break
    const stepM = distanceM(before, after)
    if (stepM > jump.leastM) break
    if (stepM <= noiseM(before, after)) continue
    coveredM += stepM
    steps += 1
  }
  return steps < noSpeed.leastSteps || coveredM < noSpeed.leastM
    ? null
    : { kind: 'noSpeed', sinceMs: track[first]?.atMs ?? 0, coveredM }
}

/** One jump may be a poor fix or a transport without power; a way there and back is none. */
function jumpsOf(track: readonly PlaceReport[]): TrackFault | null {
  const jumps = track.slice(1).flatMap((to, index) => {
    const from = track[index]
    return from && isJump(from, to) ? [{ from, to, apartM: distanceM(from, to) }] : []
  })
  const [first] = jumps
  if (!first) return null
  const turned = jumps.find(({ from, to }) => isExchanged(from, to))
  if (turned) return { kind: 'exchanged', sinceMs: turned.to.atMs, apartM: turned.apartM }
  const isBack = jumps.slice(1).some(({ to }) => distanceM(to, first.from) <= jump.nearM)
  // A single place far away is a poor fix.
  const isTwice = track.filter((report) => distanceM(report, first.to) <= jump.nearM).length > 1
  return isBack && isTwice
    ? {
        kind: 'twoPlaces',
        sinceMs: first.to.atMs,
        apartM: first.apartM,
        passedS: Math.max(1, (first.to.atMs - first.from.atMs) / 1000)
      }
    : null
}

function isJump(from: PlaceReport, to: PlaceReport): boolean {
  const apartM = distanceM(from, to)
  // Times are in whole seconds.
  const passedS = (to.atMs - from.atMs) / 1000 + 1
  return apartM > jump.leastM && (apartM / passedS) * 3.6 > jump.kmh
}

function isExchanged(from: Position, to: Position): boolean {
  return (
    Math.abs(from.latitude - to.longitude) < jump.exchangedDeg &&
    Math.abs(from.longitude - to.latitude) < jump.exchangedDeg
  )
}

/**
 * 1980-01-06 in Unix seconds, less the leap seconds since then (18 since 2017, none is announced): a time that counts
 * from the GPS epoch is behind by this.
 */
export const gpsEpochLateS = 315_964_800 - 18

const daySeconds = 86_400
/**
 * The week number of GPS begins again after so many weeks; software that does not know it is off by this, or by twice
 * as much.
 */
const rolloverWeeks = 1_024
/** No device keeps events for longer than this: an older date is wrong. */
const longestBufferS = 366 * daySeconds
/**
 * What waited in a buffer gets less late from event to event: a delay that stays the same is a clock that is behind.
 */
const constantDelay = { leastS: daySeconds, leastSpanS: 60, mostShare: 0.1, events: 10, leastEvents: 3 }

/**
 * The weeks of a rollover by which a time is behind (negative: ahead), by its difference in seconds; null for any other
 * difference.
 */
export function rolledWeeksOf(behindS: number): number | null {
  const rolls = [1, 2, -1, -2].find((n) => Math.abs(behindS - n * rolloverWeeks * 7 * daySeconds) < daySeconds)
  return rolls === undefined ? null : rolls * rolloverWeeks
}

/** How a date contradicts the arrival of its event. */
export type DateFault = { kind: 'gpsEpoch' } | { kind: 'rollover'; weeks: number } | { kind: 'wrong'; behindS: number }

export interface DatedArrival {
  eventAtMs: number
  arrivedAtMs: number
}

/**
 * What is wrong with the date of the newest event, the newest arrival first. Null: it may be right, or the event is
 * late.
 */
export function dateFault(arrivals: readonly DatedArrival[]): DateFault | null {
  const delays = arrivals
    .slice(0, constantDelay.events)
    .map(({ eventAtMs, arrivedAtMs }) => (arrivedAtMs - eventAtMs) / 1000)
  const [newestS] = delays
  if (newestS === undefined) return null
  if (Math.abs(newestS - gpsEpochLateS) < daySeconds) return { kind: 'gpsEpoch' }
  const weeks = rolledWeeksOf(newestS)
  if (weeks !== null) return { kind: 'rollover', weeks }
  const spanS = ((arrivals[0]?.arrivedAtMs ?? 0) - (arrivals[delays.length - 1]?.arrivedAtMs ?? 0)) / 1000
  const isConstant =
    delays.length >= constantDelay.leastEvents &&
    spanS >= constantDelay.leastSpanS &&
    Math.max(...delays) - Math.min(...delays) <= spanS * constantDelay.mostShare
  const isWrong = newestS > longestBufferS || newestS < -daySeconds || (newestS > constantDelay.leastS && isConstant)
  return isWrong ? { kind: 'wrong', behindS: newestS } : null
}

/** No device of this kind is older: any date before is wrong. */
export const firstDeviceMs = Date.UTC(2015, 0, 1)
/** Beyond the last number of seconds in 32 bits. */
const lastDateMs = Date.UTC(2107, 0, 1)

/**
 * The times at which no device can have made an event: before the first one, and after `aheadMs`. Few events are there,
 * so they are quick to search.
 */
export function impossibleTimes(aheadMs: number): { fromMs: number; toMs: number }[] {
  return [
    { fromMs: 0, toMs: firstDeviceMs },
    { fromMs: aheadMs, toMs: lastDateMs }
  ]
}

/** An arrival of an event: the time that it is dated by, and what else makes it the same event. */
export interface Arrival {
  eventAtMs: number | null
  arrivedAtMs: number | null
  name: string
}

const leastRepeats = 3
const leastRepeatedMs = 60_000

/** How often an event has arrived, and when it did so first. */
export interface Repeats {
  times: number
  sinceMs: number
}

/**
 * How often the newest event has arrived: a device repeats what nobody has confirmed. Null: once, or at once. The
 * newest arrival first.
 */
export function repeatsOf(arrivals: readonly Arrival[]): Repeats | null {
  const [newest] = arrivals
  if (!newest || newest.eventAtMs === null) return null
  const same = arrivals
    .filter(({ eventAtMs, name }) => eventAtMs === newest.eventAtMs && name === newest.name)
    .flatMap(({ arrivedAtMs }) => arrivedAtMs ?? [])
  const times = new Set(same).size
  const sinceMs = Math.min(...same)
  return times >= leastRepeats && Math.max(...same) - sinceMs >= leastRepeatedMs ? { times, sinceMs } : null
}

/**
 * Why no position arrives from a connected device; with the age of its last one. `parked`: it may report its position
 * rarely.
 */
export type PositionGap =
  | { kind: 'noPositions' }
  | { kind: 'positionsStopped' | 'onlyKeepAlives'; ageS: number }
  | { kind: 'parked'; ageS: number }

const leastConnections = 3
/** A parked device still sends its position once a day. */
const longestParkedS = 86_400

/**
 * What the last position of a connected device says, by its age: null for none, Infinity for an unknown time. A parked
 * vehicle rarely sends its position, one with the key on does.
 */
export function positionGapOf({
  connections,
  positionAgeS,
  isKeyOn
}: {
  connections: number
  positionAgeS: number | null
  isKeyOn: boolean | null
}): PositionGap | null {
  // A position of an unknown time may be the latest report.
  if (connections < leastConnections || positionAgeS === Infinity) return null
  if (positionAgeS === null) return { kind: 'noPositions' }
  if (isKeyOn === true) return { kind: 'positionsStopped', ageS: positionAgeS }
  return { kind: positionAgeS < longestParkedS ? 'parked' : 'onlyKeepAlives', ageS: positionAgeS }
}
