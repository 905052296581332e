import { unreadable, type CheckContext, type Outcome } from './check.ts'

/** After this long without an answer a check stops waiting for the device. */
const lostAfterMs = 20_000

export const deviceLostRemedy =
  'Check its power and that this computer is still on its network, then run the step again. What was seen so far is kept.'

/**
 * The outcome of a check whose device fell silent; undefined as long as it answers or may just be slow. A check that is
 * at its end (`isOver`) does not wait any longer, and blames no wiring that it could not see.
 */
export function deviceLost(context: Pick<CheckContext, 'lines'>, isOver = false): Outcome | undefined {
  const silence = context.lines.silence()
  if (!silence) return undefined
  if (silence.error.code === 'NOT_AUTHENTICATED') {
    return unreadable(silence.error.message, 'Sign in to the device again, then run the step again.')
  }
  if (silence.forMs < lostAfterMs && !isOver) return undefined
  return unreadable(
    `The device has not answered for ${Math.round(silence.forMs / 1000)} s: ${silence.error.message}`,
    deviceLostRemedy
  )
}
