/** What is known of a vehicle at a moment. Undefined: it cannot be read. Ages grow while nothing comes. */
export interface SeenVehicle {
  linesAgeMs: number
  isMoving: boolean | undefined
  isEngineOn: boolean | undefined
  isOutputOn: boolean | undefined
  isShort: boolean | undefined
  hasFix: boolean
  /** Since a position was last read. */
  positionAgeMs: number
  /** Of the fix itself. */
  fixAgeMs: number
  speedKmh: number | undefined
}

export interface ConditionLimits {
  standstillKmh: number
  fixAgeS: number
  linesFreshS: number
  silenceS: number
  /** The relay acts on the starter, or may do so. */
  engineOff: boolean
  /** An output is to be switched on: it must read off, and without a short. */
  output: string | null
}

/**
 * Conditions that do not hold now, each in a few words; none when an output may be switched on. Each has a freshness of
 * its own: neither an old position nor an old line counts, however fresh the other one is.
 */
export function missingConditions(seen: SeenVehicle, limits: ConditionLimits): string[] {
  const missing: string[] = []
  if (seen.linesAgeMs > limits.linesFreshS * 1000) missing.push('the device answers')
  if (!isFixFresh(seen, limits)) missing.push('a fresh position')
  else if (seen.speedKmh === undefined) missing.push('a readable speed')
  else if (seen.speedKmh > limits.standstillKmh) missing.push(`standstill (${seen.speedKmh.toFixed(1)} km/h now)`)
  if (seen.isMoving !== false) missing.push('no motion')
  if (limits.engineOff && seen.isEngineOn !== false) missing.push('the engine off')
  if (limits.output !== null && seen.isOutputOn !== false) missing.push(`${limits.output} off`)
  if (limits.output !== null && seen.isShort !== false) missing.push(`no short on ${limits.output}`)
  return missing
}

/** Why an output that is on must go off at once; none while it may stay on. The key may be turned meanwhile. */
export function brokenConditions(seen: SeenVehicle, limits: ConditionLimits): string[] {
  const broken: string[] = []
  if (seen.isMoving === undefined || seen.speedKmh === undefined) broken.push('standstill can no longer be read')
  else if (seen.isMoving || seen.speedKmh > limits.standstillKmh) broken.push('the vehicle moved')
  if (!isFixFresh(seen, limits)) broken.push('there is no fresh position any more')
  if (seen.linesAgeMs > limits.silenceS * 1000) broken.push('the device stopped answering')
  return broken
}

function isFixFresh(seen: SeenVehicle, limits: ConditionLimits): boolean {
  return seen.hasFix && Math.max(seen.fixAgeMs, seen.positionAgeMs) <= limits.fixAgeS * 1000
}
