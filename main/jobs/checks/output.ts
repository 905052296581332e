import type { OutputLine } from '../../../preload/contract/deviceAreas.ts'
import type { AppError } from '../../../preload/contract/errors.ts'
import { fail, pass, unreadable, type Asked, type CheckContext, type Outcome } from '../check.ts'
import type { OutputClaim } from '../../outputs/controller.ts'
import { createInterlock, shortLine, type Interlock } from '../../outputs/interlock.ts'
import type { OutputLimits } from '../../outputs/limits.ts'
import type { Fall, OffResult, OnResult, SwitchEntry } from '../../outputs/words.ts'
import { isSettled } from '../journal.ts'
import { meter, share, timeLeft } from '../meters.ts'
import { otherDevice } from '../sameDevice.ts'
import { deviceLost } from '../silence.ts'

const watchEveryMs = 250

/** An output in the hands of this step. */
interface Test {
  out: OutputLine
  limits: OutputLimits
  interlock: Interlock
  claim: OutputClaim
  thresholds: Record<string, number | boolean>
}

/**
 * One output with the full interlock: standstill, no motion, engine off where the relay may act on the starter;
 * hold-to-arm; countdown; on; read back; the person confirms the effect; off; off proved. What is switched, watched and
 * proved is the business of main/outputs; this step asks the person.
 */
export async function checkOutput(context: CheckContext): Promise<Outcome> {
  const { plan, outputs, job } = context
  const { limits, controller } = outputs
  const out: OutputLine = plan.output ?? 'OUT1'
  const { standstillKmh, fixAgeS, linesFreshS, silenceS, readBackS } = limits
  const engineOff = plan.engineOff !== false
  const unfit = await whyUnfit(context, out)
  if (unfit) return unfit
  const interlock = createInterlock(context, { standstillKmh, fixAgeS, linesFreshS, silenceS, engineOff, output: out })
  const claim = controller.claim(out, {
    device: context.device,
    address: job.device.address,
    interlock,
    limits,
    by: job.technician,
    jobId: job.id,
    signal: context.signal,
    isShort: () => context.lines.latest()?.value[shortLine(out)],
    record: (entry) => context.recordWrite(entry)
  })
  try {
    return await testOutput(context, { out, limits, interlock, claim, thresholds: { standstillKmh, fixAgeS, engineOff, readBackS } })
  } finally {
    claim.release()
  }
}

async function testOutput(context: CheckContext, test: Test): Promise<Outcome> {
  const { out, claim, thresholds } = test
  for (let stopped = ''; ; ) {
    const refused = await holdAndCount(context, test, stopped)
    if (refused) return refused
    context.saw({ witness: 'device', what: `Interlock held; ${out} goes on`, raw: test.interlock.state(), thresholds })
    let result: Outcome | undefined
    let fault: unknown
    try {
      context.signal.throwIfAborted()
      const onSinceMs = context.monotonicMs()
      const on = await claim.switchOn()
      if (on.kind === 'held') {
        stopped = `It stayed off: ${on.missing.join(', ')} missing.`
        continue
      }
      if (on.kind === 'notProved') return notProved(out, on.error)
      result = await testWhileOn(context, test, on, onSinceMs)
    } catch (error) {
      fault = error
    }
    const off = await claim.switchOff()
    context.saw({ witness: 'device', what: offWords[off.kind](out), raw: off.raw, thresholds })
    if (off.kind === 'unproved') return notProvedOff(out)
    if (!result) throw fault
    return result
  }
}

const offWords: Record<OffResult['kind'], (out: OutputLine) => string> = {
  off: (out) => `${out} is off again`,
  watched: (out) => `${out} reads off and is watched, because the answer to "on" was lost`,
  unproved: (out) => `${out} could not be proved off`
}

export function notProvedOff(out: string): Outcome {
  return fail(
    `${out} could not be proved off`,
    `${out} may still be on. It is switched off as soon as the device answers again; until then take the relay's fuse out.`,
    ['device']
  )
}

function notProved(out: OutputLine, error: AppError): Outcome {
  return error.code === 'WRONG_DEVICE' ? otherDevice(error) : unreadable(`${out} stayed off: ${error.message}`, 'Run the step again while the device answers.')
}

/** Reasons not to touch this output at all, and to put right what an earlier test left. */
async function whyUnfit(context: CheckContext, out: OutputLine): Promise<Outcome | undefined> {
  const { job, lines } = context
  const identity = job.steps.find((step) => step.kind === 'identity')
  if (identity && !isSettled(identity.state)) {
    return fail('The device is not identified yet', 'Run the step Identity first: an output of the wrong device may act on another vehicle.', ['person'])
  }
  const left = await switchOffEarlier(context, out)
  if (left) return left
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

async function switchOffEarlier(context: CheckContext, out: OutputLine): Promise<Outcome | undefined> {
  const { job, device, outputs, lines } = context
  const isInLedger = () => outputs.controller.known().some((known) => known.out === out)
  if (!job.outputsLeftOn.has(out) && !isInLedger()) return undefined
  const way = { device, address: job.device.address, by: job.technician, jobId: job.id, record: (entry: SwitchEntry) => context.recordWrite(entry) }
  let off = await outputs.controller.switchOff(out, way)
  // It reads off, but an "on" of before may still take effect: until then nobody could tell the two apart.
  while (off.kind === 'watched') {
    context.show({ say: `${out} is watched: an earlier command may still switch it on.`, hint: '', leftMs: off.forMs })
    await context.pause(watchEveryMs)
    off = await outputs.controller.awaitOff(out, watchEveryMs)
  }
  if (off.kind !== 'off') return notProvedOff(out)
  await lines.next(context.signal)
  return undefined
}

/** Waits for the conditions and for the person, then counts down; begins anew when a condition breaks meanwhile. */
async function holdAndCount(context: CheckContext, { out, limits, interlock, claim }: Test, before: string): Promise<Outcome | undefined> {
  for (let stopped = before; ; ) {
    const refused = await waitForArm(context, { out, limits, interlock, claim }, stopped)
    if (refused) return refused
    const missing = await countDown(context, { out, limits, interlock, claim })
    if (missing.length === 0) return undefined
    context.saw({ witness: 'device', what: `Countdown stopped, ${out} stayed off: ${missing.join(', ')} missing`, raw: interlock.state() })
    stopped = `The countdown was stopped: ${missing.join(', ')} missing.`
  }
}

type Waiting = Pick<Test, 'out' | 'limits' | 'interlock' | 'claim'>

async function waitForArm(context: CheckContext, { out, limits, interlock, claim }: Waiting, stopped: string): Promise<Outcome | undefined> {
  const { conditionsWithinS, holdToArmMs } = limits
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
    if (claim.fallen()) return fail(`${out} was not armed`, 'It was switched off for the whole device. Run the step again when the relay may be tested.', ['person'])
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
async function countDown(context: CheckContext, { out, limits, interlock, claim }: Waiting): Promise<string[]> {
  const untilMs = context.monotonicMs() + limits.countdownS * 1000
  for (;;) {
    await interlock.read()
    const missing = interlock.missing()
    const leftMs = untilMs - context.monotonicMs()
    if (missing.length > 0 || leftMs <= 0 || claim.fallen()) return missing
    context.show({ say: `${out} goes on in ${Math.ceil(leftMs / 1000)} s.`, hint: '', meters: interlockMeters(interlock, missing, leftMs), leftMs })
    await context.pause(Math.min(watchEveryMs, leftMs))
  }
}

async function testWhileOn(context: CheckContext, { out, limits, interlock, claim, thresholds }: Test, on: OnResult, onSinceMs: number): Promise<Outcome> {
  const { effectWithinS } = limits
  const isOn = on.kind === 'on'
  context.saw({ witness: 'device', what: isOn ? `${out} reads back on` : `${out} does not read back on`, raw: 'raw' in on ? on.raw : null, thresholds })
  if (!isOn) return whyNotOn(context, out, on)

  const question = context.plan.effectQuestion ?? 'Does the relay do what it should?'
  const asked = context.ask({ kind: 'effect', text: question })
  for (;;) {
    const fallen = claim.fallen()
    if (fallen) {
      if (fallen.kind === 'conditions') context.saw({ witness: 'device', what: `${out} goes off at once: ${fallen.what.join(', ')}`, raw: interlock.state(), thresholds })
      return fellOff(context, out, fallen)
    }
    const sample = context.lines.latest()
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
        timeLeft(leftMs, { progress: share(leftMs, effectWithinS * 1000) })
      ],
      leftMs
    })
    await Promise.race([context.lines.next(context.signal), context.pause(watchEveryMs), asked.answered])
  }
}

/** "On" was sent, and what came of it is not what was wanted. */
function whyNotOn(context: CheckContext, out: OutputLine, on: Exclude<OnResult, { kind: 'on' }>): Outcome {
  switch (on.kind) {
    case 'fallen':
      return fellOff(context, out, on.fall)
    case 'lost':
      return unreadable(
        `The link was lost while ${out} was switched on: ${on.error.message}`,
        `Nobody knows whether ${out} went on. It is switched off and watched; bring the device back within reach and run the step again.`
      )
    case 'refused':
      return fail(`${out} stayed off: ${on.error.message}`, 'Put that right, then run the step again.', ['device'])
    default:
      return fail(`${out} did not go on`, 'The device did not switch it. Look at its answer in the evidence.', ['device'])
  }
}

/** It was switched off before the person said anything. */
function fellOff(context: CheckContext, out: OutputLine, fallen: Fall): Outcome {
  context.signal.throwIfAborted()
  switch (fallen.kind) {
    case 'conditions':
      return fail(`${out} was switched off: ${fallen.what.join(', ')}`, 'Park the vehicle safely, within reach, before the test is run again.', ['device'])
    case 'short':
      return shorted(out)
    case 'shortUnreadable':
      return unreadable(`The short-circuit sign of ${out} can no longer be read`, 'Without it the output is not proved.')
    case 'otherDevice':
      return otherDevice(fallen.error)
    default:
      return fail(`${out} was switched off by hand`, 'Run the step again when the relay may be tested.', ['person'])
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
    meter('Speed', state.speedKmh === null ? undefined : `${Number(state.speedKmh).toFixed(1)} km/h`, { target: '0 km/h' }),
    timeLeft(leftMs)
  ]
}
