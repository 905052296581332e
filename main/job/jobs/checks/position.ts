import { message, nameMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { GpsPosition, Reading, Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { degreesText, isFix } from '../../../../preload/base/maps/position.ts'
import { correctGpsEpoch } from '../../../device/client/facts.ts'
import { isPositionUnanswered } from '../../../device/client/failures.ts'
import { whyNoPlace } from '../../../base/reading/sayContradictions.ts'
import {
  fail,
  inSteps,
  missingField,
  pass,
  unreadable,
  warn,
  withFigure,
  type CheckContext,
  type Outcome,
  type MessageOrText
} from '../engine/check.ts'
import { createFixWatch, type FixWatch } from '../../../device/client/fixWatch.ts'
import { createPeakHold, makeMeter, oneDecimal, shareOf } from '../engine/meters.ts'
import { deviceLost } from '../engine/silence.ts'

/** After being unreadable for this long, the position will not become readable within another minute. */
const unreadableAfterMs = 20_000
/**
 * The number of satellites changes every second; a position that was usable for a shorter time does not count as
 * usable.
 */
const usableForMs = 3_000

/** A fix with enough satellites, good geometry and a changing time stamp. */
export async function checkPosition(context: CheckContext): Promise<Outcome> {
  const { satellitesPass, hdopPass, satellitesWarn, hdopWarn, ageS, giveUpS } = context.profile.position
  const thresholds = { satellitesPass, hdopPass, satellitesWarn, hdopWarn, ageS }
  const watch = createFixWatch(context)
  const peak = createPeakHold(context.monotonicMs)
  let usable: { reading: Reading<GpsPosition>; satellites: number; hdop: number; atMs: number } | undefined
  let noted = ''
  let problem: MessageOrText | undefined
  let problemSinceMs: number | undefined

  for (;;) {
    const reading = await watch.read()
    if (reading) {
      const { coords, extras } = reading.value
      problem = whatIsMissing(reading)
      if (problem) problemSinceMs ??= context.elapsedMs()
      else problemSinceMs = undefined
      const satellites = extras?.satsActive
      peak.see(satellites)
      // No geometry is perfect: receivers report 0 if they have no value.
      const hdop = extras?.hdop === 0 ? undefined : extras?.hdop
      const isFresh = watch.ageMs() <= ageS * 1000
      const isOld = watch.hasFix() && !isFresh
      const what = message('position.seen', {
        fix: extras?.fix ?? '?',
        satellites: satellites ?? '?',
        hdop: hdop ?? '?',
        isOld: isOld ? 'yes' : 'no'
      })
      if (nameMessage(what) !== noted) {
        context.saw({ witness: 'device', what, raw: reading.raw, thresholds })
        noted = nameMessage(what)
      }
      const hasFix = !problem && watch.hasFix()
      if (hasFix && isFresh && satellites !== undefined && hdop !== undefined) {
        if (satellites >= satellitesPass && hdop <= hdopPass) {
          context.saw({ witness: 'device', what: placeOf(reading.value), raw: reading.raw, thresholds })
          return withFigure(
            message('figures.satellites', { n: satellites }),
            pass(goodPosition(context, reading.value, { satellites, hdop }), ['device'])
          )
        }
        if (satellites >= satellitesWarn && hdop <= hdopWarn)
          usable = { reading, satellites, hdop, atMs: context.monotonicMs() }
      }
      context.show({
        say: message('position.seeSky'),
        hint: problem ?? (hasFix && !isFresh ? message('position.oldPlace') : null),
        meters: [
          makeMeter(
            message('position.fix'),
            extras?.fix === undefined ? undefined : watch.hasFix() ? message('meters.yes') : message('meters.none'),
            {
              target: message('meters.yes'),
              tone: hasFix ? 'pass' : 'live'
            }
          ),
          makeMeter(
            message('position.satellites'),
            satellites === undefined ? undefined : message('meters.count', { n: satellites }),
            {
              target: message('meters.atLeastCount', { n: satellitesPass }),
              progress: shareOf(satellites ?? 0, satellitesPass),
              ...peak.best((n) => message('meters.count', { n }))
            }
          ),
          makeMeter(
            message('position.hdop'),
            hdop === undefined ? undefined : message('meters.number', { value: oneDecimal(hdop) }),
            {
              target: message('meters.atMostNumber', { value: hdopPass })
            }
          ),
          makeMeter(
            message('position.accuracy'),
            coords?.accuracy === undefined
              ? undefined
              : message('meters.distance', { distanceM: Math.round(coords.accuracy) })
          )
        ],
        leftMs: giveUpS * 1000 - context.elapsedMs()
      })
    }
    const unanswered = watch.failure()
    if (unanswered && isPositionUnanswered(unanswered))
      context.show({
        say: message('position.seeSky'),
        hint: unanswered.sentence,
        meters: [],
        leftMs: giveUpS * 1000 - context.elapsedMs()
      })
    const lost = deviceLost(context)
    if (lost) return lost
    const isHopeless = problemSinceMs !== undefined && context.elapsedMs() - problemSinceMs >= unreadableAfterMs
    if (isHopeless || context.elapsedMs() > giveUpS * 1000) break
    await context.pause(1_000)
  }
  const failure = watch.failure()
  if (isPositionUnanswered(failure))
    return withSkySteps(
      fail(message('position.unanswered', { forS: giveUpS }), message('position.goOutdoors'), ['device'])
    )
  if (failure)
    return unreadable(message('position.notTold', { why: failure.sentence }), message('jobs.runAgainWhenAnswering'))
  if (problem) return unreadable(message('position.unreadable', { why: problem }), message('jobs.lookAtRawAnswer'))
  if (usable && context.monotonicMs() - usable.atMs <= usableForMs) {
    context.saw({ witness: 'device', what: placeOf(usable.reading.value), raw: usable.reading.raw, thresholds })
    const usableText = message('position.usable', { satellites: usable.satellites, hdop: oneDecimal(usable.hdop) })
    return withFigure(
      message('figures.satellites', { n: usable.satellites }),
      warn(usableText, message('position.moveAntenna'), ['device'])
    )
  }
  return noFix(watch, giveUpS, ageS)
}

/** Without a fix a receiver may omit the coordinates: that is a missing fix, not an unreadable answer. */
function whatIsMissing(reading: Reading<GpsPosition>): MessageOrText | undefined {
  const isNoFix = reading.value.extras?.fix !== undefined && !isFix(reading.value.extras.fix)
  return missingField(reading, [
    'extras.fix',
    ...(isNoFix ? [] : ['coords.latitude', 'coords.longitude', 'extras.satsActive', 'extras.hdop', 'timestamp'])
  ])
}

function noFix(watch: FixWatch, giveUpS: number, ageS: number): Outcome {
  const sky = message('position.goOutdoors')
  const forS = giveUpS
  if (watch.hasFix() && watch.ageMs() > ageS * 1000)
    return fail(message('position.notFresh', { forS }), sky, ['device'])
  const { coords, extras } = watch.latest()?.value ?? {}
  const noPlace = isFix(extras?.fix) ? whyNoPlace(coords?.latitude, coords?.longitude) : null
  if (noPlace) return fail(noPlace.sentence, noPlace.remedy, ['device'])
  const { satsActive, hdop } = extras ?? {}
  if (watch.hasFix())
    return fail(message('position.notUsable', { forS, satellites: satsActive ?? '?', hdop: hdop ?? '?' }), sky, [
      'device'
    ])
  return withSkySteps(fail(message('position.none', { forS }), sky, ['device']))
}

function withSkySteps(outcome: Outcome): Outcome {
  return inSteps(outcome, message('position.stepSky'), message('position.stepMetal'), message('position.stepWait'))
}

function placeOf({ coords }: Sparse<GpsPosition>): Message {
  return message('position.place', {
    latitude: degreesOr(coords?.latitude),
    longitude: degreesOr(coords?.longitude)
  })
}

function degreesOr(degrees: number | undefined): string {
  return degrees === undefined ? '?' : degreesText(degrees)
}

/** The time stamp is called "GPS epoch": its clock is detected, and shown only if it is off. */
function goodPosition(
  context: CheckContext,
  { timestamp }: Sparse<GpsPosition>,
  seen: { satellites: number; hdop: number }
): Message {
  const good = { satellites: seen.satellites, hdop: oneDecimal(seen.hdop) }
  const nowMs = context.now().getTime()
  const stamp = timestamp === undefined ? undefined : correctGpsEpoch(timestamp, nowMs)
  if (stamp?.isUnsure ?? stamp?.rolledWeeks !== undefined) return message('position.goodButOldDates', good)
  const differenceS = stamp === undefined ? 0 : Math.round((stamp.unixMs - nowMs) / 1000)
  if (Math.abs(differenceS) <= 60) return message('position.good', good)
  return message('position.goodButClock', {
    ...good,
    apartS: Math.abs(differenceS),
    way: differenceS > 0 ? 'ahead' : 'behind'
  })
}
