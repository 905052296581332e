import { booleanIn, numberIn, textIn, type Fields } from './fields.ts'

/**
 * A trip record in the default units ("Trip record"): meters, seconds, m/s. `moving`: a trip, otherwise a stop. The
 * mean speed is null without a duration.
 */
export function readTrip(record: Fields) {
  const moving = booleanIn(record, 'moving')
  const durationS = numberIn(record, 'duration', 0)
  const distanceM = numberIn(record, 'distance', 0)
  const derived = distanceM !== null && durationS !== null && durationS > 0 ? distanceM / durationS : null
  return {
    kind: moving === null ? ('unknown' as const) : moving ? ('trip' as const) : ('stop' as const),
    startedAt: textIn(record, 'start_time'),
    durationS,
    distanceM,
    meanSpeedMs: numberIn(record, 'mean_speed', 0) ?? derived
  }
}
