import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { LineChange, LineName } from '../../../device/client/lineRecorder.ts'
import { steadyOf, type LineDrop } from '../../../device/client/steadyLine.ts'

/** Wiring faults, recognised by how the lines changed together. */
export type WiringFault =
  | 'ignitionWireMissing'
  | 'ignitionOnPermanentFeed'
  | 'ignitionLoose'
  | 'ignitionFloats'
  | 'switchedFeed'
  | 'dropsWhileCranking'
  | 'powerFlickers'
  | 'shortedOutput'
  | 'looseContact'
  | 'inputNotConnected'

/** The message for each fault, the same in every check. */
export const wiringCauses: Readonly<Record<WiringFault, Message>> = {
  ignitionWireMissing: message('ignition.wireMissingOrWrong'),
  ignitionOnPermanentFeed: message('wiring.ignitionOnPermanentFeed'),
  ignitionLoose: message('wiring.ignitionLoose'),
  ignitionFloats: message('wiring.ignitionFloats'),
  switchedFeed: message('power.switchedFeed'),
  dropsWhileCranking: message('wiring.dropsWhileCranking'),
  powerFlickers: message('power.looseContact'),
  shortedOutput: message('output.checkCoil'),
  looseContact: message('inputs.looseContact'),
  inputNotConnected: message('inputs.takeSwitchSide')
}

export interface LineHistory {
  /** The first entry is the value at the first reading, not a change. */
  story(line: LineName): LineChange[]
  changes(line: LineName): LineChange[]
}

export interface PowerDrop {
  atMs: number
  /** Until now if power is still off. */
  forMs: number
  /** What else happened in the vehicle when external power dropped. */
  with: 'cranking' | 'key' | 'nothing'
}

/** TIG is derived from the supply voltage: it shows a running engine some seconds after the start. */
export const engineTellsWithinMs = 10_000
/** Key and feed on one switch may change in two readings. */
const togetherMs = 400

/** Each drop of external power, and what happened at that time. */
export function powerDrops(lines: LineHistory, nowMs: number): PowerDrop[] {
  const power = lines.story('PWR')
  const ignition = steadyOf(lines.story('IGN')).levels
  const engine = lines.story('TIG')
  return power.flatMap((change, index): PowerDrop[] => {
    if (index === 0 || change.on) return []
    const { atMs } = change
    const backMs = power[index + 1]?.atMs ?? nowMs
    const wasKeyOn = isOnAt(ignition, atMs - 1)
    const isKeyOn = isOnAt(ignition, atMs)
    const isKeyTurned = ignition.some((one, n) => n > 0 && one.atMs > atMs - togetherMs && one.atMs <= atMs)
    const startsAfter = engine.some(
      (one, n) => n > 0 && one.on && one.atMs > atMs && one.atMs <= backMs + engineTellsWithinMs
    )
    const isCranking = isKeyOn && !isOnAt(engine, atMs) && startsAfter
    return [
      {
        atMs,
        forMs: backMs - atMs,
        with: isCranking ? 'cranking' : wasKeyOn || isKeyOn || isKeyTurned ? 'key' : 'nothing'
      }
    ]
  })
}

/** Why external power drops; undefined if it does not. */
export function powerFault(drops: readonly PowerDrop[]): WiringFault | undefined {
  if (drops.length === 0) return undefined
  if (drops.every((drop) => drop.with === 'cranking')) return 'dropsWhileCranking'
  return drops.every((drop) => drop.with !== 'nothing') ? 'switchedFeed' : 'powerFlickers'
}

/**
 * TIG on and IGN never: a missing wire. IGN never off: a permanent feed. IGN on and TIG silent may be an electric
 * vehicle.
 */
export function ignitionFault(lines: LineHistory): WiringFault | undefined {
  const ignition = lines.story('IGN')
  if (ignition.length === 0 || lines.changes('IGN').length > 0) return undefined
  if (ignition[0]?.on) return 'ignitionOnPermanentFeed'
  return lines.story('TIG').some(({ on }) => on) ? 'ignitionWireMissing' : undefined
}

/** So many are no accident. */
const looseDrops = 3

/** IGN drops out for a moment while the engine runs on, which no key does; undefined while that is too rare. */
export function looseIgnition(
  lines: LineHistory,
  isRunning = (atMs: number) => isOnAt(lines.story('TIG'), atMs)
): LineDrop[] | undefined {
  const drops = steadyOf(lines.story('IGN')).drops.filter(
    ({ from, atMs, forMs }) => from && isRunning(atMs) && isRunning(atMs + forMs)
  )
  return drops.length >= looseDrops ? drops : undefined
}

export function isOnAt(story: readonly LineChange[], atMs: number): boolean {
  return story.findLast((change) => change.atMs <= atMs)?.on ?? false
}
