import type { OutputCondition } from '../../../preload/contract/device/conditions.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'

/** What is known about a vehicle at a moment. Undefined: unreadable. Ages grow without new readings. */
export interface SeenVehicle {
  linesAgeMs: number
  isMoving: boolean | undefined
  isEngineOn: boolean | undefined
  isOutputOn: boolean | undefined
  isShort: boolean | undefined
  hasFix: boolean
  /** Satellites, geometry or accuracy contradict the fix. */
  isFixDoubted: boolean
  /** How far the latest fixes are apart, whatever the speed says; null without movement. */
  movedM: number | null
  /** For how long fixes have shown one place. */
  stillMs: number
  /** Since a position was last read. */
  positionAgeMs: number
  fixAgeMs: number
  speedKmh: number | undefined
}

export interface ConditionLimits {
  standstillKmh: number
  fixAgeS: number
  linesFreshS: number
  stillS: number
  silenceS: number
  /** The relay acts, or may act, on the starter. */
  engineOff: boolean
  /** An output is to be switched on: it must read off, without a short circuit. */
  output: string | null
}

/** One condition: `missing` names it in the sentence of a refusal. */
export interface Condition extends Omit<OutputCondition, 'holds'> {
  missing: Message | null
}

/** The conditions for switching on. Each has its own age limit: neither an old position nor an old line counts. */
export function conditionsOf(seen: SeenVehicle, limits: ConditionLimits): Condition[] {
  const { output } = limits
  const all = [deviceCondition(seen, limits), standstillCondition(seen, limits)]
  all.push(
    lineCondition(seen.isMoving, seen.linesAgeMs, {
      id: 'motion',
      line: 'MOT',
      what: message('outputs.condition.motion'),
      missing: message('outputs.missing.motion'),
      todo: message('outputs.todo.motion')
    })
  )
  if (limits.engineOff)
    all.push(
      lineCondition(seen.isEngineOn, seen.linesAgeMs, {
        id: 'engineOff',
        line: 'TIG',
        what: message('outputs.condition.engineOff'),
        missing: message('outputs.missing.engineOff'),
        todo: message('outputs.todo.engineOff')
      })
    )
  if (output !== null) {
    all.push(
      lineCondition(seen.isOutputOn, seen.linesAgeMs, {
        id: 'outputOff',
        line: output,
        what: message('outputs.condition.outputOff', { output }),
        missing: message('outputs.missing.outputOff', { output }),
        todo: message('outputs.todo.outputOff')
      })
    )
    all.push(
      lineCondition(seen.isShort, seen.linesAgeMs, {
        id: 'noShort',
        line: output.replace('OUT', 'SO'),
        what: message('outputs.condition.noShort', { output }),
        missing: message('outputs.missing.noShort', { output }),
        todo: message('outputs.todo.noShort')
      })
    )
  }
  return all
}

/** Conditions that are not met now, each in a few words; none when an output may be switched on. */
export function missingConditions(seen: SeenVehicle, limits: ConditionLimits): Message[] {
  return conditionsOf(seen, limits).flatMap(({ missing }) => missing ?? [])
}

function deviceCondition({ linesAgeMs }: SeenVehicle, { linesFreshS }: ConditionLimits): Condition {
  const missing = linesAgeMs > linesFreshS * 1000 ? message('outputs.missing.device') : null
  const value = Number.isFinite(linesAgeMs)
    ? message('outputs.value.readAgo', { ageS: Math.round(linesAgeMs / 100) / 10 })
    : null
  return {
    id: 'device',
    what: message('outputs.condition.device'),
    value,
    ageMs: ageOf(linesAgeMs),
    missing,
    todo: missing && message('outputs.todo.device')
  }
}

function standstillCondition(seen: SeenVehicle, limits: ConditionLimits): Condition {
  const what = message('outputs.condition.standstill')
  const ageMs = ageOf(Math.max(seen.fixAgeMs, seen.positionAgeMs))
  const waiting = (missing: Message, value: Message): Condition => ({
    id: 'standstill',
    what,
    value,
    ageMs,
    missing,
    todo: message('outputs.todo.fix')
  })
  const moving = (missing: Message, value: Message): Condition => ({
    id: 'standstill',
    what,
    value,
    ageMs,
    missing,
    todo: message('outputs.todo.standstill')
  })
  const { speedKmh, movedM } = seen
  if (!isFixFresh(seen, limits)) return waiting(message('outputs.missing.fix'), message('outputs.value.noFix'))
  if (seen.isFixDoubted) return waiting(message('outputs.missing.sureFix'), message('outputs.value.doubtedFix'))
  if (speedKmh === undefined) return waiting(message('outputs.missing.speed'), message('outputs.value.unread'))
  const value = message('outputs.value.speed', { speedKmh })
  if (speedKmh > limits.standstillKmh) return moving(message('outputs.missing.standstill', { speedKmh }), value)
  if (movedM !== null)
    return moving(
      message('outputs.missing.samePlace', { distanceM: Math.round(movedM) }),
      message('outputs.value.moved', { distanceM: Math.round(movedM) })
    )
  if (seen.stillMs < limits.stillS * 1000) return waiting(message('outputs.missing.secondFix'), value)
  return { id: 'standstill', what, value, ageMs, missing: null, todo: null }
}

/** A line that must be off; an unreadable one is not. */
function lineCondition(
  isOn: boolean | undefined,
  linesAgeMs: number,
  { line, ...words }: Pick<Condition, 'id' | 'what'> & { line: string; missing: Message; todo: Message }
): Condition {
  const value =
    isOn === undefined
      ? message('outputs.value.unread')
      : message(isOn ? 'outputs.value.lineOn' : 'outputs.value.lineOff', { line })
  const reading = { value, ageMs: ageOf(linesAgeMs) }
  return isOn === false ? { ...words, ...reading, missing: null, todo: null } : { ...words, ...reading }
}

function ageOf(ageMs: number): number | null {
  return Number.isFinite(ageMs) ? Math.round(ageMs) : null
}

/** Why an output that is on must go off at once; none while it may stay on. The key may be turned in the meantime. */
export function brokenConditions(seen: SeenVehicle, limits: ConditionLimits): Message[] {
  const broken: Message[] = []
  if (seen.isMoving === undefined || seen.speedKmh === undefined) broken.push(message('outputs.broken.unread'))
  else if (seen.isMoving || seen.speedKmh > limits.standstillKmh || seen.movedM !== null)
    broken.push(message('outputs.broken.moved'))
  if (!isFixFresh(seen, limits)) broken.push(message('outputs.broken.fix'))
  else if (seen.isFixDoubted) broken.push(message('outputs.broken.doubtedFix'))
  if (seen.linesAgeMs > limits.silenceS * 1000) broken.push(message('outputs.broken.silent'))
  return broken
}

function isFixFresh(seen: SeenVehicle, limits: ConditionLimits): boolean {
  return seen.hasFix && Math.max(seen.fixAgeMs, seen.positionAgeMs) <= limits.fixAgeS * 1000
}
