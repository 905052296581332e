import { message, type Message } from '../../../../preload/contract/messages.ts'
import { fail, inSteps, pass, unreadable, warn, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import { makeMeter, shareOf, timeLeft } from '../engine/meters.ts'
import { deviceLost } from '../engine/silence.ts'
import { powerDrops, powerFault, wiringCauses } from '../engine/wiring.ts'

/**
 * PWR is true for the whole hold time. One short drop warns; a longer or second one fails; a gap in our readings
 * restarts the time.
 */
export async function checkExternalPower(context: CheckContext): Promise<Outcome> {
  const { lines, profile, signal } = context
  const { holdS, shortDropS, giveUpS } = profile.externalPower
  const holdMs = holdS * 1000
  const shortDropMs = shortDropS * 1000
  const thresholds = { holdS, shortDropS }
  let heldFromMs: number | undefined
  let lastAtMs: number | undefined
  let dropSinceMs: number | undefined
  let drops = 0
  let wasSeen = false
  let isHeldInTime = false
  let noted: boolean | undefined

  for (;;) {
    const sample = lines.latest()
    if (sample && sample.atMs !== lastAtMs) {
      const on = sample.value.PWR
      if (on === undefined) {
        return unreadable(
          message('power.unreadable', { why: lines.unreadable('PWR') ?? 'PWR' }),
          message('jobs.lookAtRawAnswer')
        )
      }
      const isGap = lastAtMs !== undefined && sample.atMs - lastAtMs > shortDropMs
      if (on !== noted) {
        context.saw({
          witness: 'device',
          what: on ? message('power.present') : message('power.absent'),
          raw: sample.value,
          thresholds
        })
        noted = on
      }
      if (on) {
        if (dropSinceMs !== undefined) drops += 1
        dropSinceMs = undefined
        wasSeen = true
        // The time during a gap is unknown, so the hold time begins after it.
        if (isGap || heldFromMs === undefined) {
          isHeldInTime = heldFromMs === undefined || context.elapsedMs() <= giveUpS * 1000
          heldFromMs = sample.atMs
        }
      } else if (wasSeen) dropSinceMs ??= sample.atMs
      lastAtMs = sample.atMs
    }
    const droppedMs = dropSinceMs === undefined || lastAtMs === undefined ? 0 : lastAtMs - dropSinceMs
    if (droppedMs >= shortDropMs || drops > 1) {
      const what =
        droppedMs >= shortDropMs
          ? message('power.awayTooLong', { forS: shortDropS })
          : message('power.droppedTimes', { n: drops })
      context.saw({
        witness: 'device',
        what,
        raw: { PWR: lines.changes('PWR').map(({ on, readAt }) => ({ on, readAt })) },
        thresholds
      })
      return fail(what, dropRemedy(context), ['device'])
    }
    const heldMs =
      dropSinceMs === undefined && heldFromMs !== undefined && lastAtMs !== undefined ? lastAtMs - heldFromMs : 0
    if (heldMs >= holdMs) {
      context.saw({
        witness: 'device',
        what: message('power.held', { forS: Math.round(heldMs / 1000) }),
        raw: lines.latest()?.value,
        thresholds
      })
      const steady = drops === 0
      return withFigure(
        message('meters.duration', { forS: holdS }),
        steady
          ? pass(message('power.steady', { forS: holdS }), ['device'])
          : warn(message('power.oneDrop', { forS: holdS, shortS: shortDropS }), dropRemedy(context), ['device'])
      )
    }
    const isOver = !isHeldInTime && context.elapsedMs() > giveUpS * 1000
    const lost = deviceLost(context, isOver)
    if (lost) return lost
    if (isOver) {
      if (!wasSeen) {
        return inSteps(
          fail(message('power.none'), message('power.checkFeed'), ['device']),
          message('power.stepFuse'),
          message('power.stepFeed'),
          message('power.stepGround')
        )
      }
      return unreadable(message('power.notWatched', { forS: holdS }), message('power.goNearer'))
    }
    context.show({
      say: message('power.leaveConnected'),
      hint: noted === false ? message('power.noneNow') : null,
      meters: [
        makeMeter(message('power.externalPower'), presence(noted), {
          tone: noted === false ? 'fail' : 'pass',
          target: message('meters.present')
        }),
        makeMeter(message('power.heldMeter'), message('meters.duration', { forS: Math.floor(heldMs / 1000) }), {
          target: message('meters.duration', { forS: holdS }),
          progress: shareOf(heldMs, holdMs)
        }),
        timeLeft(holdMs - heldMs)
      ],
      leftMs: Math.max(0, holdMs - heldMs)
    })
    await lines.next(signal)
  }
}

/** A feed that is switched by the key, one that breaks down while cranking, or a loose contact. */
function dropRemedy(context: CheckContext): Message {
  return wiringCauses[powerFault(powerDrops(context.lines, context.monotonicMs())) ?? 'powerFlickers']
}

function presence(isOn: boolean | undefined): Message | undefined {
  return isOn === undefined ? undefined : isOn ? message('meters.present') : message('meters.absent')
}
