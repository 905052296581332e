import { message } from '../../../../preload/contract/messages.ts'
import { fail, sent, type CheckContext, type Outcome } from '../engine/check.ts'
import { createInterlock } from '../../outputs/interlock.ts'
import { sendChange } from '../engine/deviceWrite.ts'
import { conditionsMeter } from '../engine/meters.ts'
import { deviceLost } from '../engine/silence.ts'

/**
 * Auto-alignment has no documented status: Fitter confirms its conditions, and that the device accepted the command.
 */
export async function checkAlignment(context: CheckContext): Promise<Outcome> {
  const { standstillKmh, fixAgeS, conditionsWithinS } = context.profile.alignment
  const interlock = createInterlock(context, { ...context.outputs.limits, standstillKmh, fixAgeS, engineOff: false })
  const thresholds = { standstillKmh, fixAgeS }
  const asked = context.ask({ kind: 'yesNo', text: message('alignment.isParked') })

  for (;;) {
    await interlock.read()
    const missing = interlock.missing()
    if (asked.given?.answer === false)
      return fail(message('alignment.notParked'), message('alignment.parkLevel'), ['person'])
    if (missing.length === 0 && asked.given?.answer) break
    const lost = deviceLost(context)
    if (lost) return lost
    const leftMs = conditionsWithinS * 1000 - context.elapsedMs()
    // Waiting for the person has no limit; waiting for conditions has a limit.
    if (leftMs <= 0 && asked.given)
      return fail(message('common.notSentMissing', { missing }), message('alignment.parkInOpen'), ['device'])
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
  const sending = await sendChange(
    context,
    {
      operation: 'accel.autoAlignment',
      input,
      what: message('alignment.command'),
      answered: (status) => message('alignment.answered', { status })
    },
    () => context.device.accel.autoAlignment(input, { signal: context.signal, timeoutMs: 15_000 })
  )
  if ('failure' in sending)
    return fail(
      message('alignment.notConfirmed', { why: sending.failure.sentence }),
      message('jobs.runAgainWhileAnswering'),
      ['device']
    )
  const { reply } = sending
  context.saw({
    witness: 'device',
    what: message('alignment.sentSeen', { status: reply.status }),
    raw: reply.raw,
    thresholds
  })
  return sent(message('alignment.sent'), ['person'])
}
