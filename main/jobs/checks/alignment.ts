import type { Reading } from '../../../preload/contract/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { fail, pass, type CheckContext, type Outcome } from '../check.ts'
import { createInterlock } from '../../outputs/interlock.ts'
import { plainJson } from '../journal.ts'
import { meter } from '../meters.ts'
import { deviceLost } from '../silence.ts'

/**
 * Auto-alignment has no documented status: what can be proved are its conditions (parked, fix, standstill, level by the
 * person's word) and that the device took the command.
 */
export async function checkAlignment(context: CheckContext): Promise<Outcome> {
  const { standstillKmh, fixAgeS, conditionsWithinS } = context.profile.alignment
  const { linesFreshS, silenceS } = context.outputs.limits
  const interlock = createInterlock(context, { standstillKmh, fixAgeS, linesFreshS, silenceS, engineOff: false })
  const thresholds = { standstillKmh, fixAgeS }
  const asked = context.ask({ kind: 'yesNo', text: 'Is the vehicle parked on level ground and the device fixed in its final place?' })

  for (;;) {
    await interlock.read()
    const missing = interlock.missing()
    if (asked.given?.answer === false) return fail('Not parked on level ground', 'Park on level ground, fix the device, and run the step again.', ['person'])
    if (missing.length === 0 && asked.given?.answer) break
    const lost = deviceLost(context)
    if (lost) return lost
    const leftMs = conditionsWithinS * 1000 - context.elapsedMs()
    // Waiting for the person has no limit; waiting for conditions has.
    if (leftMs <= 0 && asked.given) return fail(`Not sent: ${missing.join(', ')} missing`, 'Park in the open and run the step again.', ['device'])
    context.show({
      say: 'Park on level ground and do not touch the vehicle.',
      hint: missing.length > 0 ? `Still missing: ${missing.join(', ')}.` : '',
      meters: [
        meter('Conditions', missing.length === 0 ? 'all hold' : `${missing.length} missing`, { tone: missing.length === 0 ? 'pass' : 'warn' })
      ],
      leftMs: asked.given ? leftMs : null
    })
    await Promise.race([context.pause(500), ...(asked.given ? [] : [asked.answered])])
  }
  context.saw({ witness: 'person', what: 'Parked on level ground, device fixed in its place', raw: asked.given, thresholds })
  context.saw({ witness: 'device', what: 'Standing still with a fresh fix', raw: interlock.state(), thresholds })

  const input = { state: true }
  const write = { operation: 'accel.autoAlignment', input }
  context.recordWrite({ ...write, phase: 'intent', what: 'Auto-alignment', raw: null })
  let reply: Reading<unknown>
  try {
    reply = await context.device.accel.autoAlignment(input, { signal: context.signal, timeoutMs: 15_000 })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.recordWrite({ ...write, phase: 'unknown', what: error.message, raw: null })
    if (error.code === 'CANCELLED') throw error
    return fail(`Auto-alignment was not confirmed: ${error.message}`, 'Run the step again while the device answers.', ['device'])
  }
  context.recordWrite({ ...write, phase: 'answered', what: `The device answered ${reply.status}.`, raw: plainJson(reply.raw) })
  context.saw({ witness: 'device', what: `Auto-alignment sent, answer ${reply.status}`, raw: reply.raw, thresholds })
  return pass('sent while parked level; the device has no status to read back', ['person'])
}
