import type { GpsPosition, Reading, Sparse } from '../../../preload/contract/deviceAreas.ts'
import { correctGpsEpoch } from '../../deviceFacts.ts'
import { fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import { createFixWatch } from '../fix.ts'
import { clockText, meter, oneDecimal, share } from '../meters.ts'
import { deviceLost } from '../silence.ts'

/** A fix with enough satellites, good geometry and a moving time stamp. */
export async function checkPosition(context: CheckContext): Promise<Outcome> {
  const { satellitesPass, hdopPass, satellitesWarn, hdopWarn, ageS, giveUpS } = context.profile.position
  const thresholds = { satellitesPass, hdopPass, satellitesWarn, hdopWarn, ageS }
  const watch = createFixWatch(context)
  let good: { reading: Reading<GpsPosition>; text: string } | undefined
  let noted = ''
  let problem = ''

  for (;;) {
    const reading = await watch.read()
    if (reading) {
      const { coords, extras } = reading.value
      const missing = ['coords.latitude', 'coords.longitude', 'extras.fix', 'extras.satsActive', 'extras.hdop', 'timestamp'].find(
        (path) => pick(reading.value, path) === undefined
      )
      problem = missing ? (reading.problems.find((line) => line.startsWith(missing)) ?? `${missing}: missing in the answer`) : ''
      const satellites = extras?.satsActive
      const hdop = extras?.hdop
      const text = `fix ${extras?.fix ?? 'unknown'}, ${satellites ?? '?'} satellites, HDOP ${hdop ?? '?'}`
      if (text !== noted) {
        context.saw({ witness: 'device', what: text, raw: reading.raw, thresholds })
        noted = text
      }
      const isFresh = watch.ageMs() <= ageS * 1000
      const hasFix = !problem && watch.hasFix()
      if (hasFix && isFresh && satellites !== undefined && hdop !== undefined) {
        if (satellites >= satellitesPass && hdop <= hdopPass) {
          context.saw({ witness: 'device', what: `Position ${coordinates(reading.value)}`, raw: reading.raw, thresholds })
          return pass(`${satellites} satellites, HDOP ${oneDecimal(hdop)}${clockNote(context, reading.value)}`, ['device'])
        }
        if (satellites >= satellitesWarn && hdop <= hdopWarn) good = { reading, text: `${satellites} satellites, HDOP ${oneDecimal(hdop)}` }
      }
      context.show({
        say: 'Let the device see the sky.',
        hint: problem,
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
    if (context.elapsedMs() > giveUpS * 1000) break
    await context.pause(1_000)
  }
  if (problem) return unreadable(`The position cannot be read: ${problem}`, 'Look at the raw answer; the device may run an older system.')
  if (good) {
    context.saw({ witness: 'device', what: `Position ${coordinates(good.reading.value)}`, raw: good.reading.raw, thresholds })
    return warn(`${good.text}: usable, not good`, 'Move the antenna away from metal, or the vehicle into the open.', ['device'])
  }
  return fail(
    `No usable position in ${clockText(giveUpS * 1000)} min`,
    'Take the vehicle outdoors and check that the antenna is plugged in and sees the sky.',
    ['device']
  )
}

function pick(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
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
