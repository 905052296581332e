import { message, type Message } from '../../../../preload/contract/messages.ts'
import { fail, inSteps, pass, unreadable, warn, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import type { LineChange } from '../../../device/client/lineRecorder.ts'
import { makeMeter, onOrOff, shareOf, timeLeft } from '../engine/meters.ts'
import { deviceLost } from '../engine/silence.ts'
import { steadyOf, type LineDrop } from '../../../device/client/steadyLine.ts'
import {
  ignitionFault,
  isOnAt,
  looseIgnition,
  powerDrops,
  powerFault,
  wiringCauses,
  type LineHistory
} from '../engine/wiring.ts'
import { chatterOf } from './inputLines.ts'
import { compareGatewayLine } from './gatewayLine.ts'

const missingWire = message('ignition.wireMissing')
const stillOn = message('ignition.stillOn')
/** Long enough to turn a key off: after this time, the person sees the state of IGN. */
const stillOnMs = 5_000
/** So many short drops are a loose contact. */
const mostDrops = 2
/** TIG is derived from the supply voltage and follows the key with about this delay. */
const rippleLagMs = 2_000
/** An engine that ran for this long, in total, without the key proves that the wire is missing: no further waiting. */
const engineProvedS = 4

/** IGN follows the key off-on-off the required number of times; then TIG must rise when the engine starts. */
export async function checkIgnition(context: CheckContext): Promise<Outcome> {
  const { lines, profile, signal } = context
  const { cycles, engineWithinS, gatewayWithinS, giveUpS } = profile.ignition
  const thresholds = { cycles, engineWithinS }
  const provedS = Math.min(engineWithinS, engineProvedS)
  let noted = 0
  let notedEngine = 0
  /** By the step's clock, which stops while nobody can turn the key. */
  let cyclesDoneMs: number | undefined
  let keyOnSinceMs: number | undefined
  let engineSeen: boolean
  const supply = watchSupply()

  for (;;) {
    const problem = lines.unreadable('IGN') ?? lines.unreadable('TIG')
    if (problem) return unreadable(message('ignition.unreadable', { why: problem }), message('jobs.lookAtRawAnswer'))
    const changes = lines.changes('IGN')
    noted = note('IGN', changes, noted)
    notedEngine = note('TIG', lines.changes('TIG'), notedEngine)
    const done = countTurns(lines, context.monotonicMs())
    supply.see(lines.latest())
    engineSeen = lines.story('TIG').some((change) => change.on && wasOn(lines.story('IGN'), change.atMs))

    const wire = wireFault(context, supply.isCharged)
    if (wire) return wire
    if (done >= cycles) {
      cyclesDoneMs ??= context.elapsedMs()
      if (engineSeen) break
      keyOnSinceMs = lines.story('IGN').at(-1)?.on ? (keyOnSinceMs ?? context.elapsedMs()) : undefined
      if (keyOnSinceMs !== undefined && context.elapsedMs() - keyOnSinceMs > engineWithinS * 1000) break
      if (context.elapsedMs() - cyclesDoneMs > 4 * engineWithinS * 1000) break
    }
    const isOver = context.elapsedMs() > giveUpS * 1000
    const lost = deviceLost(context, isOver)
    if (lost) return lost
    const value = lines.latest()?.value
    if (engineWithoutKeyMs(lines, context.monotonicMs()) > provedS * 1000) {
      context.saw({
        witness: 'device',
        what: message('ignition.engineWithoutKey', { forS: provedS }),
        raw: value,
        thresholds
      })
      return wireIsMissing(message('ignition.neverWhileRunning'), cycles)
    }
    const isNeverOff = ignitionFault(lines) === 'ignitionOnPermanentFeed'
    const stops = isNeverOff ? engineStops(lines) : 0
    if (stops >= cycles) {
      context.saw({ witness: 'device', what: message('ignition.stopsWithKey', { n: stops }), raw: value, thresholds })
      return onPermanentFeed()
    }
    if (isOver && dropsOf(lines).length >= mostDrops) return looseWire(context)
    if (isOver) return neverFollowed(context, { changes: changes.length, done, cycles })
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    context.show({
      say: done < cycles ? message('ignition.turnKey', { n: cycles }) : message('ignition.startEngine'),
      act: done < cycles ? message(value?.IGN ? 'ignition.keyOff' : 'ignition.keyOn') : message('ignition.startEngine'),
      hint:
        value?.TIG && value.IGN === false
          ? missingWire
          : isNeverOff && (stops > 0 || (!value?.TIG && context.elapsedMs() >= stillOnMs))
            ? stillOn
            : dropsOf(lines).length > 0
              ? message('inputs.holdEach')
              : null,
      meters: [
        makeMeter(message('ignition.now'), onOrOff(value?.IGN)),
        done < cycles
          ? makeMeter(message('ignition.timesSeen'), message('meters.of', { n: done, total: cycles }), {
              progress: shareOf(done, cycles)
            })
          : makeMeter(
              message('ignition.engine'),
              value?.TIG ? message('ignition.running') : message('ignition.notSeen'),
              { target: message('ignition.within', { withinS: engineWithinS }) }
            ),
        timeLeft(leftMs, { progress: shareOf(leftMs, giveUpS * 1000) })
      ],
      leftMs
    })
    await lines.next(signal)
  }

  const gateway = await compareGatewayLine(context, {
    field: 'io_ign',
    line: 'IGN',
    label: message('ignition.ignition'),
    withinS: gatewayWithinS,
    showing: (leftMs) =>
      context.show({
        act: null,
        say: message('gatewayLine.waiting', { label: message('ignition.ignition') }),
        hint: null,
        meters: [timeLeft(leftMs)],
        leftMs
      })
  })
  const timesSeen = message('meters.of', { n: cycles, total: cycles })
  if (dropsOf(lines).length > 0) return withFigure(timesSeen, looseWire(context))
  const dropped = powerDropped(context)
  if (dropped) return withFigure(timesSeen, dropped)
  if (!engineSeen) {
    // TIG depends on the supply voltage: without it, TIG says nothing about the engine.
    if (lines.latest()?.value.PWR === false)
      return unreadable(message('ignition.noPower', { n: cycles }), message('power.checkFeed'))
    const consequences = {
      works: [message('ignition.ignition'), message('ignition.trips'), message('ignition.drivingTime')],
      notAvailable: [message('ignition.engineHours'), message('ignition.idling')]
    }
    return withFigure(timesSeen, {
      ...warn(message('ignition.followedNoEngine', { n: cycles }), message('ignition.normalForElectric'), ['device']),
      consequences
    })
  }
  if (gateway.kind === 'agrees')
    return withFigure(timesSeen, pass(message('ignition.followed', { n: cycles }), ['device', 'gateway']))
  const followed = message('ignition.followedBut', { n: cycles, gateway: gateway.what })
  if (gateway.kind === 'differs')
    return withFigure(timesSeen, warn(followed, message('jobs.waitForNextReport'), ['device']))
  if (gateway.kind === 'notShown')
    return withFigure(timesSeen, warn(followed, message('jobs.askWhetherRegistered'), ['device']))
  return withFigure(timesSeen, pass(followed, ['device']))

  function note(line: 'IGN' | 'TIG', all: LineChange[], from: number): number {
    for (const change of all.slice(from)) {
      context.saw({
        witness: 'device',
        what: change.on ? message('jobs.lineWentOn', { line }) : message('jobs.lineWentOff', { line }),
        raw: { line, on: change.on, readAt: change.readAt },
        thresholds
      })
    }
    return all.length
  }
}

/** Too short for a hand that turns a key. */
function dropsOf(lines: LineHistory): LineDrop[] {
  return steadyOf(lines.story('IGN')).drops
}

/** How often the key was turned on and off again: both levels last, and an engine that ran stops with the key. */
function countTurns(lines: LineHistory, nowMs: number): number {
  const { levels } = steadyOf(lines.story('IGN'))
  return levels.filter(({ on }, index) => !on && index > 1 && !engineRanOn(lines, levels, index, nowMs)).length
}

/** The engine ran when IGN went off and did not stop: that was no key. TIG follows with a delay. */
function engineRanOn(lines: LineHistory, levels: readonly LineChange[], index: number, nowMs: number): boolean {
  const { atMs = nowMs } = levels[index] ?? {}
  const engine = lines.story('TIG')
  const untilMs = (levels[index + 1]?.atMs ?? nowMs) + rippleLagMs
  return (
    isOnAt(engine, atMs - 1) && !engine.some((change) => !change.on && change.atMs >= atMs && change.atMs <= untilMs)
  )
}

/** An alternator or a DC converter holds the supply above these voltages, of 12 V and 24 V. */
const chargedMv: readonly (readonly [leastMv: number, mostMv: number])[] = [
  [13_200, 16_000],
  [26_400, 32_000]
]

/**
 * Whether the supply shows a running engine where TIG does not: at an electric vehicle, or while TIG is not there yet.
 */
function watchSupply() {
  const seen: { atMs: number; isCharged: boolean }[] = []
  return {
    see(sample: ReturnType<CheckContext['lines']['latest']>): void {
      const { AN1 } = sample?.value ?? {}
      if (!sample || AN1 === undefined) return
      const isCharged = chargedMv.some(([leastMv, mostMv]) => AN1 >= leastMv && AN1 <= mostMv)
      if (seen.at(-1)?.isCharged !== isCharged) seen.push({ atMs: sample.atMs, isCharged })
    },
    isCharged: (atMs: number): boolean => seen.findLast((one) => one.atMs <= atMs)?.isCharged ?? false
  }
}

/**
 * A wire that acts by itself, named as soon as it is seen: it drops out while the engine runs, or changes faster than a
 * key.
 */
function wireFault(context: CheckContext, isCharged: (atMs: number) => boolean): Outcome | undefined {
  const { lines } = context
  const drops = looseIgnition(lines, (atMs) => isOnAt(lines.story('TIG'), atMs) || isCharged(atMs))
  if (drops)
    return looseAfter(
      context,
      message('ignition.dropsWhileRunning', {
        n: drops.length,
        longestMs: Math.max(...drops.map(({ forMs }) => forMs))
      })
    )
  const chatter = chatterOf(lines.changes('IGN'))
  if (!chatter) return undefined
  const what = message('ignition.flutters', { n: chatter.changes, withinMs: chatter.forMs })
  context.saw({ witness: 'device', what, raw: chatter })
  return inSteps(
    fail(what, wiringCauses.ignitionFloats, ['device']),
    message('ignition.stepFind'),
    message('ignition.stepConnect'),
    message('jobs.stepRunAgain')
  )
}

/** Short drops beside real turns, or instead of them. A single one may be a hand. */
function looseWire(context: CheckContext): Outcome {
  const drops = dropsOf(context.lines)
  const loose = looseAfter(
    context,
    message('ignition.drops', { n: drops.length, longestMs: Math.max(...drops.map(({ forMs }) => forMs)) })
  )
  return drops.length < mostDrops ? { ...loose, state: 'warn' } : loose
}

function looseAfter(context: CheckContext, what: Message): Outcome {
  context.saw({ witness: 'device', what, raw: dropsOf(context.lines) })
  return inSteps(
    fail(what, wiringCauses.ignitionLoose, ['device']),
    message('ignition.stepFind'),
    message('ignition.stepCrimp'),
    message('jobs.stepRunAgain')
  )
}

/** True if the line was on at `atMs` or had been on just before. */
function wasOn(story: LineChange[], atMs: number): boolean {
  const index = story.findLastIndex((change) => change.atMs <= atMs)
  const last = story[index]
  // Off at the first reading is not a change: it is unknown whether the line was on before.
  return last !== undefined && (last.on || (index > 0 && atMs - last.atMs <= rippleLagMs))
}

/**
 * The total time that the engine ran without the key since IGN is off; a start with the key, or just after, does not
 * count.
 */
function engineWithoutKeyMs(lines: LineHistory, nowMs: number): number {
  const ignition = lines.story('IGN')
  const latest = ignition.at(-1)
  if (!latest || latest.on) return 0
  return lines
    .story('TIG')
    .reduce(
      (sumMs, { on, atMs }, n, engine) =>
        on && atMs >= latest.atMs && !wasOn(ignition, atMs) ? sumMs + (engine[n + 1]?.atMs ?? nowMs) - atMs : sumMs,
      0
    )
}

/** How often the engine stopped. TIG depends on the supply voltage and says nothing about the engine if that drops. */
function engineStops(lines: LineHistory): number {
  return lines.changes('PWR').length > 0 ? 0 : lines.changes('TIG').filter(({ on }) => !on).length
}

/** The engine runs and the line does not change: one cause, and the steps to fix it. */
function wireIsMissing(summary: Message, cycles: number): Outcome {
  return inSteps(
    fail(summary, wiringCauses.ignitionWireMissing, ['device']),
    message('ignition.stepFind'),
    message('ignition.stepConnect'),
    message('ignition.stepAgain', { n: cycles })
  )
}

function onPermanentFeed(): Outcome {
  return inSteps(
    fail(message('ignition.neverOff'), wiringCauses.ignitionOnPermanentFeed, ['device']),
    message('ignition.stepKeyOff'),
    message('ignition.stepFind'),
    message('ignition.stepConnect')
  )
}

/**
 * External power that dropped with the key or while cranking: the power check may have passed before anyone cranked.
 */
function powerDropped(context: CheckContext): Outcome | undefined {
  const { shortDropS } = context.profile.externalPower
  const drops = powerDrops(context.lines, context.monotonicMs())
  const fault = powerFault(drops)
  if (fault !== 'dropsWhileCranking' && fault !== 'switchedFeed') return undefined
  const what = message('ignition.powerDropped', {
    n: drops.length,
    isCranking: fault === 'dropsWhileCranking' ? 'yes' : 'no'
  })
  context.saw({ witness: 'device', what, raw: { drops }, thresholds: { shortDropS } })
  const isLong = drops.some(({ forMs }) => forMs >= shortDropS * 1000)
  return isLong ? fail(what, wiringCauses[fault], ['device']) : warn(what, wiringCauses[fault], ['device'])
}

function neverFollowed(
  { lines, monotonicMs }: CheckContext,
  { changes, done, cycles }: { changes: number; done: number; cycles: number }
): Outcome {
  const { levels } = steadyOf(lines.story('IGN'))
  const nowMs = monotonicMs()
  const ranOn = levels.filter(({ on }, index) => !on && index > 0 && engineRanOn(lines, levels, index, nowMs)).length
  if (ranOn > 0)
    return fail(message('ignition.offWhileRunning', { n: ranOn }), message('ignition.looseOrCharged'), ['device'])
  if (changes > 0) {
    return fail(message('ignition.followedOnly', { n: done }), message('ignition.turnSlowly'), ['device'])
  }
  const fault = ignitionFault(lines)
  if (fault === 'ignitionWireMissing') return wireIsMissing(message('ignition.neverChanged'), cycles)
  if (fault === 'ignitionOnPermanentFeed') return onPermanentFeed()
  return inSteps(
    fail(message('ignition.neverChanged'), message('ignition.turnOrWire'), ['device']),
    message('ignition.stepTurn'),
    message('ignition.stepFind'),
    message('ignition.stepConnect')
  )
}
