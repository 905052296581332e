import { message } from '../../../../preload/contract/messages.ts'
import { unreadable, type CheckContext, type Outcome } from './check.ts'

/** After this long without an answer a check stops waiting for the device. */
const lostAfterMs = 20_000

export const deviceLostRemedy = message('jobs.checkPowerAndNetwork')

/**
 * The outcome of a check whose device stopped answering; undefined while it may only be slow. Without readings no
 * wiring fault is reported.
 */
export function deviceLost(context: Pick<CheckContext, 'lines'>, isOver = false): Outcome | undefined {
  const silence = context.lines.silence()
  if (!silence) return undefined
  if (silence.error.code === 'NOT_AUTHENTICATED') {
    return unreadable(silence.error.sentence, message('jobs.signInAgain'))
  }
  if (silence.forMs < lostAfterMs && !isOver) return undefined
  return unreadable(
    message('jobs.deviceSilent', { forS: Math.round(silence.forMs / 1000), why: silence.error.sentence }),
    deviceLostRemedy
  )
}
