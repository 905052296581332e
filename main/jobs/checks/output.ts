import type { OutputLine } from '../../../preload/contract/deviceAreas.ts'
import { fail, pass, unreadable, type CheckContext, type Outcome } from '../check.ts'
import { createInterlock, type Interlock } from '../interlock.ts'
import { meter } from '../meters.ts'
import { switchOff, switchOn, type SwitchContext } from '../outputSwitch.ts'
import { deviceLost } from '../silence.ts'

const watchEveryMs = 250

/**
 * One output with the full interlock: standstill, no motion, engine off where the relay may act on the starter;
 * hold-to-arm; countdown; on; read back; the person confirms the effect; off; off proved.
 */
export async function checkOutput(context: CheckContext): Promise<Outcome> {
  const { plan, profile } = context
  const out: OutputLine = plan.output ?? 'OUT1'
  const limits = { standstillKmh: profile.output.standstillKmh, fixAgeS: profile.output.fixAgeS, engineOff: plan.engineOff !== false }
  const interlock = createInterlock(context, limits)
  const thresholds = { ...limits, readBackS: profile.output.readBackS }

  const before = context.lines.latest()?.value[out]
  if (context.lines.unreadable(out)) return unreadable(`${out} cannot be read: ${context.lines.unreadable(out)}`, 'Without reading it back, an output is not switched.')
  if (before === true) return fail(`${out} is on already`, `Switch ${out} off first and find out who switched it on.`, ['device'])

  const refused = await waitForArm(context, out, interlock)
  if (refused) return refused
  const stopped = await countDown(context, out, interlock)
  if (stopped) return stopped
  context.saw({ witness: 'device', what: `Interlock held; ${out} goes on`, raw: interlock.state(), thresholds })

  // From here on the way out leads through "off", whatever happens: the cleanup must not be cancelled with the step.
  const hands: SwitchContext = {
    device: context.device,
    record: (entry) => context.recordWrite(entry),
    monotonicMs: () => context.monotonicMs(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  }
  let result: Outcome
  try {
    result = await testWhileOn(context, hands, out, interlock, thresholds)
  } finally {
    const off = await switchOff(hands, out, 15_000)
    context.saw({ witness: 'device', what: off.on === false ? `${out} is off again` : `${out} could not be proved off`, raw: off.raw, thresholds })
    if (off.on !== false) {
      result = fail(
        `${out} could not be proved off`,
        `${out} may still be on. Bring the device back within reach and run this step again, or take the relay's fuse out.`,
        ['device']
      )
    }
  }
  return result
}

async function waitForArm(context: CheckContext, out: OutputLine, interlock: Interlock): Promise<Outcome | undefined> {
  const { conditionsWithinS, holdToArmMs } = context.profile.output
  let asked: ReturnType<CheckContext['ask']> | undefined
  for (;;) {
    await interlock.read()
    const missing = interlock.missing()
    const leftMs = conditionsWithinS * 1000 - context.elapsedMs()
    if (missing.length > 0 && asked) {
      context.unask()
      asked = undefined
    }
    if (missing.length === 0) {
      asked ??= context.ask({
        kind: 'arm',
        text: `Hold to switch ${out} on. If the link drops while it is on, nothing switches it off by itself.`,
        holdMs: holdToArmMs
      })
      if (asked.given?.armed === true) return undefined
      if (asked.given?.armed === false) return fail(`${out} was not armed`, 'Run the step again when the relay may be tested.', ['person'])
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
      hint: missing.length > 0 ? '' : 'If the link drops while the output is on, nothing switches it off by itself.',
      meters: interlockMeters(interlock, missing),
      leftMs
    })
    await (asked && !asked.given ? Promise.race([context.pause(watchEveryMs), asked.answered]) : context.pause(watchEveryMs))
  }
}

async function countDown(context: CheckContext, out: OutputLine, interlock: Interlock): Promise<Outcome | undefined> {
  const untilMs = context.monotonicMs() + context.profile.output.countdownS * 1000
  for (;;) {
    await interlock.read()
    const missing = interlock.missing()
    if (missing.length > 0) return fail(`${out} stayed off: ${missing.join(', ')} missing during the countdown`, 'Park, engine off, and run the step again.', ['device'])
    const leftMs = untilMs - context.monotonicMs()
    if (leftMs <= 0) return undefined
    context.show({ say: `${out} goes on in ${Math.ceil(leftMs / 1000)} s.`, hint: '', meters: interlockMeters(interlock, missing), leftMs })
    await context.pause(Math.min(watchEveryMs, leftMs))
  }
}

async function testWhileOn(
  context: CheckContext,
  hands: SwitchContext,
  out: OutputLine,
  interlock: Interlock,
  thresholds: Record<string, number | boolean>
): Promise<Outcome> {
  const { readBackS, effectWithinS } = context.profile.output
  const on = await switchOn(hands, out, readBackS * 1000)
  context.saw({ witness: 'device', what: on.on === true ? `${out} reads back on` : `${out} does not read back on`, raw: on.raw, thresholds })
  if (on.isShort) return fail(`${out} is shorted`, 'Check the wire to the relay coil for a short to ground or supply.', ['device'])
  if (on.on !== true) return fail(`${out} did not go on`, 'The device did not switch it. Look at its answer in the evidence.', ['device'])
  if (on.isShort === undefined) return unreadable(`The short-circuit sign of ${out} cannot be read`, 'Without it the output is not proved.')

  const question = context.plan.effectQuestion ?? 'Does the relay do what it should?'
  const asked = context.ask({ kind: 'effect', text: question })
  const onSinceMs = context.monotonicMs()
  const sinceMs = context.lines.latest()?.atMs ?? onSinceMs
  for (;;) {
    await interlock.read()
    // The key may be turned to try the starter; moving off may not happen.
    const moving = interlock.missing().filter((condition) => condition.startsWith('standstill') || condition === 'no motion')
    if (moving.length > 0) return fail(`${out} was switched off: the vehicle moved`, 'Park the vehicle safely before the test is run again.', ['device'])
    const lines = context.lines.latest()?.value
    const short = lines?.[`SO${out.slice(3) as '1' | '2' | '3' | '4'}`]
    if (short) return fail(`${out} is shorted`, 'Check the wire to the relay coil for a short to ground or supply.', ['device'])
    if (asked.given) {
      const key = { IGN: changesSince(context, 'IGN', sinceMs), TIG: changesSince(context, 'TIG', sinceMs) }
      context.saw({ witness: 'person', what: `${question} ${asked.given.effect ? 'Yes' : 'No'}`, raw: { answer: asked.given, ...key }, thresholds })
      return asked.given.effect
        ? pass(`${out} on, effect confirmed, off again`, ['device', 'person'])
        : fail(`${out} switches, but the effect is missing`, 'Check the relay contacts and which wire they interrupt.', ['device', 'person'])
    }
    const lost = deviceLost(context)
    if (lost) return lost
    const leftMs = effectWithinS * 1000 - (context.monotonicMs() - onSinceMs)
    if (leftMs <= 0) return fail(`Nobody confirmed the effect of ${out}`, 'Run the step again and answer while the output is on.', ['device'])
    context.show({
      say: question,
      hint: `${out} is on. It is switched off when you answer, or after the time.`,
      meters: [
        meter(out, 'on', { tone: 'warn' }),
        meter('Ignition', lines?.IGN === undefined ? undefined : lines.IGN ? 'on' : 'off')
      ],
      leftMs
    })
    await Promise.race([context.pause(watchEveryMs), asked.answered])
  }
}

function changesSince(context: CheckContext, line: 'IGN' | 'TIG', sinceMs: number) {
  return context.lines
    .changes(line)
    .filter((change) => change.atMs >= sinceMs)
    .map(({ on, readAt }) => ({ on, readAt }))
}

function interlockMeters(interlock: Interlock, missing: string[]) {
  const state = interlock.state()
  return [
    meter('Conditions', missing.length === 0 ? 'all hold' : `${missing.length} missing`, { tone: missing.length === 0 ? 'pass' : 'warn' }),
    meter('Speed', state.speedKmh === null ? undefined : Number(state.speedKmh).toFixed(1), { unit: 'km/h', target: '0 km/h' })
  ]
}
