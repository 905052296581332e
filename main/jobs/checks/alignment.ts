import type { Reading } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { fail, sent, type CheckContext, type Outcome } from '../engine/check.ts'
import { createInterlock } from '../../outputs/interlock.ts'
import { plainJson } from '../record/journal.ts'
import { conditionsMeter } from '../engine/meters.ts'
import { deviceLost } from '../engine/silence.ts'

/** Auto-alignment has no documented status: Fitter confirms its conditions, and that the device accepted the command. */
export async function checkAlignment(context: CheckContext): Promise<Outcome> {
  const { standstillKmh, fixAgeS, conditionsWithinS } = context.profile.alignment
  const { linesFreshS, silenceS } = context.outputs.limits
  const interlock = createInterlock(context, { standstillKmh, fixAgeS, linesFreshS, silenceS, engineOff: false })
  const thresholds = { standstillKmh, fixAgeS }
  const asked = context.ask({ kind: 'yesNo', text: message('alignment.isParked') })

  for (;;) {
    await interlock.read()
    const missing = interlock.missing()
    if (asked.given?.answer === false) return fail(message('alignment.notParked'), message('alignment.parkLevel'), ['person'])
    if (missing.length === 0 && asked.given?.answer) break
    const lost = deviceLost(context)
    if (lost) return lost
    const leftMs = conditionsWithinS * 1000 - context.elapsedMs()
    // Waiting for the person has no limit; waiting for conditions has a limit.
    if (leftMs <= 0 && asked.given) return fail(message('common.notSentMissing', { missing }), message('alignment.parkInOpen'), ['device'])
    context.show({
      say: message('alignment.doNotTouch'),
      hint: missing.length > 0 ? message('alignment.stillMissing', { missing }) : null,
      meters: [conditionsMeter(missing.length)],
      leftMs: asked.given ? leftMs : null
    })
    await Promise.race([context.pause(500), ...(asked.given ? [] : [asked.answered])])
  }
  context.saw({ witness: 'person', what: message('alignment.parked'), raw: asked.given, thresholds })
  context.saw({ witness: 'device', what: message('alignment.standing'), raw: interlock.state(), thresholds })

  const input = { state: true }
  const write = { operation: 'accel.autoAlignment', input }
  context.recordWrite({ ...write, phase: 'intent', what: message('alignment.command'), raw: null })
  let reply: Reading<unknown>
  try {
    reply = await context.device.accel.autoAlignment(input, { signal: context.signal, timeoutMs: 15_000 })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.recordWrite({ ...write, phase: 'unknown', what: error.sentence, raw: null })
    if (error.code === 'CANCELLED') throw error
    return fail(message('alignment.notConfirmed', { why: error.sentence }), message('jobs.runAgainWhileAnswering'), ['device'])
  }
  context.recordWrite({ ...write, phase: 'answered', what: message('alignment.answered', { status: reply.status }), raw: plainJson(reply.raw) })
  context.saw({ witness: 'device', what: message('alignment.sentSeen', { status: reply.status }), raw: reply.raw, thresholds })
  return sent(message('alignment.sent'), ['person'])
}
