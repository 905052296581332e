import type { OutputLine } from '../../../preload/contract/deviceAreas.ts'
import { fail, pass, unreadable, type Asked, type CheckContext, type Outcome } from '../check.ts'
import { createInterlock, shortLine, type Interlock } from '../../outputs/interlock.ts'
import { isSettled } from '../journal.ts'
import { clockText, meter, share } from '../meters.ts'
import { switchOff, switchOn, type SwitchContext } from '../../outputs/switching.ts'
import { deviceLost } from '../silence.ts'

const watchEveryMs = 250
const offWithinMs = 15_000

/**
 * One output with the full interlock: standstill, no motion, engine off where the relay may act on the starter;
 * hold-to-arm; countdown; on; read back; the person confirms the effect; off; off proved.
 */
export async function checkOutput(context: CheckContext): Promise<Outcome> {
  const { plan, profile } = context
  const out: OutputLine = plan.output ?? 'OUT1'
  const limits = { standstillKmh: profile.output.standstillKmh, fixAgeS: profile.output.fixAgeS, engineOff: plan.engineOff !== false }
  const interlock = createInterlock(context, { ...limits, output: out })
  const thresholds = { ...limits, readBackS: profile.output.readBackS }
  const hands: SwitchContext = {
    device: context.device,
    record: (entry) => context.recordWrite(entry),
    monotonicMs: () => context.monotonicMs(),
    // The way out leads through "off", whatever happens: it must not be cancelled with the step.
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  }

  const unfit = await whyUnfit(context, hands, out)
  if (unfit) return unfit
  const refused = await holdAndCount(context, out, interlock)
  if (refused) return refused
  context.saw({ witness: 'device', what: `Interlock held; ${out} goes on`, raw: interlock.state(), thresholds })
  context.signal.throwIfAborted()

  const lamp = { isKnownOn: false, mayComeOnLate: true }
  let result: Outcome | undefined
  let fault: unknown
  try {
    result = await testWhileOn(context, hands, out, interlock, lamp, thresholds)
  } catch (error) {
    fault = error
  }
  const off = await switchOff(hands, out, { withinMs: offWithinMs, ...lamp })
  context.saw({ witness: 'device', what: off.on === false ? `${out} is off again` : `${out} could not be proved off`, raw: off.raw, thresholds })
  if (off.on !== false) return notProvedOff(out)
  if (!result) throw fault
  return result
}

export function notProvedOff(out: string): Outcome {
  return fail(
    `${out} could not be proved off`,
    `${out} may still be on. Bring the device back within reach and run this step again, or take the relay's fuse out.`,
    ['device']
  )
}

/** Reasons not to touch this output at all, and to put right what an earlier test left. */
async function whyUnfit(context: CheckContext, hands: SwitchContext, out: OutputLine): Promise<Outcome | undefined> {
  const { job, lines } = context
  const identity = job.steps.find((step) => step.kind === 'identity')
  if (identity && !isSettled(identity.state)) {
    return fail('The device is not identified yet', 'Run the step Identity first: an output of the wrong device may act on another vehicle.', ['person'])
  }
  if (job.outputsLeftOn.has(out)) {
    const off = await switchOff(hands, out, { withinMs: offWithinMs, isKnownOn: false, mayComeOnLate: false })
    if (off.on !== false) return notProvedOff(out)
    await lines.next(context.signal)
  }
  while (!lines.latest()) {
    const lost = deviceLost(context)
    if (lost) return lost
    await lines.next(context.signal)
  }
  const short = shortLine(out)
  const blind = lines.unreadable(out) ?? lines.unreadable(short)
  if (blind) return unreadable(`${out} cannot be tested: ${blind}`, 'An output is not switched when it or its short-circuit sign cannot be read back.')
  if (lines.latest()?.value[out]) return fail(`${out} is on already`, `Find out who switched ${out} on, switch it off, and run the step again.`, ['device'])
  if (lines.latest()?.value[short]) return shorted(out)
  return undefined
}

/** Waits for the conditions and for the person, then counts down; begins anew when a condition breaks meanwhile. */
async function holdAndCount(context: CheckContext, out: OutputLine, interlock: Interlock): Promise<Outcome | undefined> {
  for (let stopped = ''; ; ) {
    const refused = await waitForArm(context, out, interlock, stopped)
    if (refused) return refused
    const missing = await countDown(context, out, interlock)
    if (missing.length === 0) return undefined
    context.saw({ witness: 'device', what: `Countdown stopped, ${out} stayed off: ${missing.join(', ')} missing`, raw: interlock.state() })
    stopped = `The countdown was stopped: ${missing.join(', ')} missing.`
  }
}

async function waitForArm(context: CheckContext, out: OutputLine, interlock: Interlock, stopped: string): Promise<Outcome | undefined> {
  const { conditionsWithinS, holdToArmMs } = context.profile.output
  const noTimer = 'If the link drops while the output is on, nothing switches it off by itself.'
  let asked: Asked | undefined
  for (;;) {
    await interlock.read()
    const missing = interlock.missing()
    const leftMs = conditionsWithinS * 1000 - context.elapsedMs()
    if (missing.length > 0 && asked) {
      context.unask()
      asked = undefined
    }
    if (missing.length === 0) {
      asked ??= context.ask({ kind: 'arm', text: `Hold to switch ${out} on. ${noTimer}`, holdMs: holdToArmMs })
      if (asked.given?.armed === true) return undefined
      if (asked.given) return fail(`${out} was not armed`, 'Run the step again when the relay may be tested.', ['person'])
    }
    const lost = deviceLost(context)
    if (lost) return lost
    if (leftMs <= 0) {
      return missing.length > 0
        ? fail(`${out} stayed off: ${missing.join(', ')} missing`, 'Park in the open, engine off, and run the step again.', ['device'])
        : fail(`${out} was not armed in time`, 'Run the step again when the relay may be tested.', ['person'])
    }
    context.show({
      say: missing.length > 0 ? `Before ${out} may go on: ${missing.join(', ')}.` : `Ready. Arm ${out} when nobody is in danger.`,
      hint: stopped || (missing.length > 0 ? '' : noTimer),
      meters: interlockMeters(interlock, missing, leftMs),
      leftMs
    })
    await (asked ? Promise.race([context.pause(watchEveryMs), asked.answered]) : context.pause(watchEveryMs))
  }
}

/** The conditions that broke while it counted; none when it came to its end. */
async function countDown(context: CheckContext, out: OutputLine, interlock: Interlock): Promise<string[]> {
  const untilMs = context.monotonicMs() + context.profile.output.countdownS * 1000
  for (;;) {
    await interlock.read()
    const missing = interlock.missing()
    const leftMs = untilMs - context.monotonicMs()
    if (missing.length > 0 || leftMs <= 0) return missing
    context.show({ say: `${out} goes on in ${Math.ceil(leftMs / 1000)} s.`, hint: '', meters: interlockMeters(interlock, missing, leftMs), leftMs })
    await context.pause(Math.min(watchEveryMs, leftMs))
  }
}

async function testWhileOn(
  context: CheckContext,
  hands: SwitchContext,
  out: OutputLine,
  interlock: Interlock,
  lamp: { isKnownOn: boolean; mayComeOnLate: boolean },
  thresholds: Record<string, number | boolean>
): Promise<Outcome> {
  const { readBackS, effectWithinS } = context.profile.output
  const onSinceMs = context.monotonicMs()
  const on = await switchOn(hands, out, readBackS * 1000)
  lamp.isKnownOn = on.on === true
  lamp.mayComeOnLate = !on.isAnswered && on.on !== true
  context.saw({ witness: 'device', what: on.on === true ? `${out} reads back on` : `${out} does not read back on`, raw: on.raw, thresholds })
  if (on.isShort) return shorted(out)
  if (on.on !== true) return fail(`${out} did not go on`, 'The device did not switch it. Look at its answer in the evidence.', ['device'])
  if (on.isShort === undefined) return unreadable(`The short-circuit sign of ${out} cannot be read`, 'Without it the output is not proved.')

  const question = context.plan.effectQuestion ?? 'Does the relay do what it should?'
  const asked = context.ask({ kind: 'effect', text: question })
  for (;;) {
    interlock.beginRead()
    const broken = interlock.broken()
    if (broken.length > 0) {
      context.saw({ witness: 'device', what: `${out} goes off at once: ${broken.join(', ')}`, raw: interlock.state(), thresholds })
      return fail(`${out} was switched off: ${broken.join(', ')}`, 'Park the vehicle safely, within reach, before the test is run again.', ['device'])
    }
    const sample = context.lines.latest()
    const isShort = sample?.value[shortLine(out)]
    if (isShort) return shorted(out)
    if (isShort === undefined) return unreadable(`The short-circuit sign of ${out} can no longer be read`, 'Without it the output is not proved.')
    if (asked.given) {
      const key = { IGN: changesSince(context, 'IGN', onSinceMs), TIG: changesSince(context, 'TIG', onSinceMs) }
      context.saw({ witness: 'person', what: `${question} ${asked.given.effect ? 'Yes' : 'No'}`, raw: { answer: asked.given, ...key }, thresholds })
      return asked.given.effect
        ? pass(`${out} on, effect confirmed, off again`, ['device', 'person'])
        : fail(`${out} switches, but the effect is missing`, 'Check the relay contacts and which wire they interrupt.', ['device', 'person'])
    }
    const leftMs = effectWithinS * 1000 - (context.monotonicMs() - onSinceMs)
    if (leftMs <= 0) return fail(`Nobody confirmed the effect of ${out}`, 'Run the step again and answer while the output is on.', ['device'])
    context.show({
      say: question,
      hint: `${out} is on. It is switched off when you answer, or after the time.`,
      meters: [
        meter(out, 'on', { tone: 'warn' }),
        meter('Ignition', sample?.value.IGN === undefined ? undefined : sample.value.IGN ? 'on' : 'off'),
        meter('Time left', clockText(leftMs), { tone: 'wait', progress: share(leftMs, effectWithinS * 1000) })
      ],
      leftMs
    })
    await Promise.race([context.lines.next(context.signal), context.pause(watchEveryMs), asked.answered])
  }
}

function shorted(out: OutputLine): Outcome {
  return fail(`${out} is shorted`, 'Check the wire to the relay coil for a short to ground or supply.', ['device'])
}

function changesSince(context: CheckContext, line: 'IGN' | 'TIG', sinceMs: number) {
  return context.lines
    .changes(line)
    .filter((change) => change.atMs >= sinceMs)
    .map(({ on, readAt }) => ({ on, readAt }))
}

function interlockMeters(interlock: Interlock, missing: string[], leftMs: number) {
  const state = interlock.state()
  return [
    meter('Conditions', missing.length === 0 ? 'all hold' : `${missing.length} missing`, { tone: missing.length === 0 ? 'pass' : 'warn' }),
    meter('Speed', state.speedKmh === null ? undefined : Number(state.speedKmh).toFixed(1), { unit: 'km/h', target: '0 km/h' }),
    meter('Time left', clockText(leftMs), { tone: 'wait' })
  ]
}
