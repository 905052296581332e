import { booleanIn, numberIn, textIn, type Fields } from './fields.ts'

export interface Trip {
  kind: 'trip' | 'stop' | 'unknown'
  startedAt: string | null
  durationS: number | null
  distanceM: number | null
  /** distance / duration, in m/s; null without a duration. */
  meanSpeedMs: number | null
}

/** A trip record in the default units ("Trip record"): meters, seconds, m/s. `moving`: a trip, otherwise a stop. */
export function readTrip(record: Fields): Trip {
  const moving = booleanIn(record, 'moving')
  const durationS = numberIn(record, 'duration', 0)
  const distanceM = numberIn(record, 'distance', 0)
  const derived = distanceM !== null && durationS !== null && durationS > 0 ? distanceM / durationS : null
  return {
    kind: moving === null ? 'unknown' : moving ? 'trip' : 'stop',
    startedAt: textIn(record, 'start_time'),
    durationS,
    distanceM,
    meanSpeedMs: numberIn(record, 'mean_speed', 0) ?? derived
  }
}
