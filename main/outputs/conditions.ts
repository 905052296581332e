import { message, type Message } from '../../preload/contract/messages.ts'

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
export function missingConditions(seen: SeenVehicle, limits: ConditionLimits): Message[] {
  const missing: Message[] = []
  if (seen.linesAgeMs > limits.linesFreshS * 1000) missing.push(message('outputs.missing.device'))
  if (!isFixFresh(seen, limits)) missing.push(message('outputs.missing.fix'))
  else if (seen.speedKmh === undefined) missing.push(message('outputs.missing.speed'))
  else if (seen.speedKmh > limits.standstillKmh) missing.push(message('outputs.missing.standstill', { speedKmh: seen.speedKmh }))
  if (seen.isMoving !== false) missing.push(message('outputs.missing.motion'))
  if (limits.engineOff && seen.isEngineOn !== false) missing.push(message('outputs.missing.engineOff'))
  if (limits.output !== null && seen.isOutputOn !== false) missing.push(message('outputs.missing.outputOff', { output: limits.output }))
  if (limits.output !== null && seen.isShort !== false) missing.push(message('outputs.missing.noShort', { output: limits.output }))
  return missing
}

/** Why an output that is on must go off at once; none while it may stay on. The key may be turned meanwhile. */
export function brokenConditions(seen: SeenVehicle, limits: ConditionLimits): Message[] {
  const broken: Message[] = []
  if (seen.isMoving === undefined || seen.speedKmh === undefined) broken.push(message('outputs.broken.unread'))
  else if (seen.isMoving || seen.speedKmh > limits.standstillKmh) broken.push(message('outputs.broken.moved'))
  if (!isFixFresh(seen, limits)) broken.push(message('outputs.broken.fix'))
  if (seen.linesAgeMs > limits.silenceS * 1000) broken.push(message('outputs.broken.silent'))
  return broken
}

function isFixFresh(seen: SeenVehicle, limits: ConditionLimits): boolean {
  return seen.hasFix && Math.max(seen.fixAgeMs, seen.positionAgeMs) <= limits.fixAgeS * 1000
}
