import type { GpsPosition, Reading, Sparse } from '../../../preload/contract/deviceAreas.ts'
import { correctGpsEpoch } from '../../device/facts.ts'
import { fail, missingField, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import { createFixWatch, type FixWatch } from '../../device/fixWatch.ts'
import { clockText, meter, oneDecimal, share } from '../meters.ts'
import { deviceLost } from '../silence.ts'

/** What cannot be read for so long will not be readable a minute later. */
const unreadableAfterMs = 20_000
/** Satellites come and go from second to second; what was usable before that is not usable. */
const usableForMs = 3_000

/** A fix with enough satellites, good geometry and a moving time stamp. */
export async function checkPosition(context: CheckContext): Promise<Outcome> {
  const { satellitesPass, hdopPass, satellitesWarn, hdopWarn, ageS, giveUpS } = context.profile.position
  const thresholds = { satellitesPass, hdopPass, satellitesWarn, hdopWarn, ageS }
  const watch = createFixWatch(context)
  let usable: { reading: Reading<GpsPosition>; text: string; atMs: number } | undefined
  let noted = ''
  let problem: string | undefined
  let problemSinceMs: number | undefined

  for (;;) {
    const reading = await watch.read()
    if (reading) {
      const { coords, extras } = reading.value
      problem = whatIsMissing(reading)
      if (problem) problemSinceMs ??= context.monotonicMs()
      else problemSinceMs = undefined
      const satellites = extras?.satsActive
      // No geometry is perfect: 0 is how receivers say that they have none.
      const hdop = extras?.hdop === 0 ? undefined : extras?.hdop
      const isFresh = watch.ageMs() <= ageS * 1000
      const text = `fix ${extras?.fix ?? 'unknown'}, ${satellites ?? '?'} satellites, HDOP ${hdop ?? '?'}${watch.hasFix() && !isFresh ? `, over ${ageS} s old` : ''}`
      if (text !== noted) {
        context.saw({ witness: 'device', what: text, raw: reading.raw, thresholds })
        noted = text
      }
      const hasFix = !problem && watch.hasFix()
      if (hasFix && isFresh && satellites !== undefined && hdop !== undefined) {
        const good = `${satellites} satellites, HDOP ${oneDecimal(hdop)}`
        if (satellites >= satellitesPass && hdop <= hdopPass) {
          context.saw({ witness: 'device', what: `Position ${coordinates(reading.value)}`, raw: reading.raw, thresholds })
          return pass(`${good}${clockNote(context, reading.value)}`, ['device'])
        }
        if (satellites >= satellitesWarn && hdop <= hdopWarn) usable = { reading, text: good, atMs: context.monotonicMs() }
      }
      context.show({
        say: 'Let the device see the sky.',
        hint: problem ?? (hasFix && !isFresh ? 'The device shows an old place: its receiver has lost the sky.' : ''),
        meters: [
          meter('Fix', extras?.fix === undefined ? undefined : watch.hasFix() ? 'yes' : 'none', { target: 'yes', tone: hasFix ? 'pass' : 'live' }),
          meter('Satellites', satellites, { target: `≥ ${satellitesPass}`, progress: share(satellites ?? 0, satellitesPass) }),
          meter('HDOP', hdop === undefined ? undefined : oneDecimal(hdop), { target: `≤ ${hdopPass}` }),
          meter('Accuracy', coords?.accuracy === undefined ? undefined : Math.round(coords.accuracy), { unit: 'm' })
        ],
        leftMs: giveUpS * 1000 - context.elapsedMs()
      })
    }
    const lost = deviceLost(context)
    if (lost) return lost
    const isHopeless = problemSinceMs !== undefined && context.monotonicMs() - problemSinceMs >= unreadableAfterMs
    if (isHopeless || context.elapsedMs() > giveUpS * 1000) break
    await context.pause(1_000)
  }
  if (watch.failure()) return unreadable(`The device does not tell its position: ${watch.failure()?.message}`, 'Run the step again when it answers.')
  if (problem) return unreadable(`The position cannot be read: ${problem}`, 'Look at the raw answer; the device may run an older system.')
  if (usable && context.monotonicMs() - usable.atMs <= usableForMs) {
    context.saw({ witness: 'device', what: `Position ${coordinates(usable.reading.value)}`, raw: usable.reading.raw, thresholds })
    return warn(`${usable.text}: usable, not good`, 'Move the antenna away from metal, or the vehicle into the open.', ['device'])
  }
  return noFix(watch, giveUpS, ageS)
}

/** Without a fix a receiver may leave the place out: that is no fix, not an unreadable one. */
function whatIsMissing(reading: Reading<GpsPosition>): string | undefined {
  const isNoFix = reading.value.extras?.fix === 0
  return missingField(reading, ['extras.fix', ...(isNoFix ? [] : ['coords.latitude', 'coords.longitude', 'extras.satsActive', 'extras.hdop', 'timestamp'])])
}

function noFix(watch: FixWatch, giveUpS: number, ageS: number): Outcome {
  const sky = 'Take the vehicle outdoors and check that the antenna is plugged in and sees the sky.'
  const time = `${clockText(giveUpS * 1000)} min`
  if (watch.hasFix() && watch.ageMs() > ageS * 1000) return fail(`No fresh position in ${time}: its time stamp stands still`, sky, ['device'])
  const { satsActive, hdop } = watch.latest()?.value.extras ?? {}
  if (watch.hasFix()) return fail(`No usable position in ${time}: ${satsActive ?? '?'} satellites, HDOP ${hdop ?? '?'}`, sky, ['device'])
  return fail(`No position in ${time}`, sky, ['device'])
}

function coordinates(value: Sparse<GpsPosition>): string {
  return `${value.coords?.latitude?.toFixed(5)}, ${value.coords?.longitude?.toFixed(5)}`
}

/** The time stamp is called "GPS epoch": which clock it follows is detected, and said only when it is off. */
function clockNote(context: CheckContext, value: Sparse<GpsPosition>): string {
  if (value.timestamp === undefined) return ''
  const differenceS = Math.round((correctGpsEpoch(value.timestamp, context.now().getTime()).unixMs - context.now().getTime()) / 1000)
  return Math.abs(differenceS) > 60 ? `; its clock is ${Math.abs(differenceS)} s ${differenceS > 0 ? 'ahead of' : 'behind'} this computer's` : ''
}
