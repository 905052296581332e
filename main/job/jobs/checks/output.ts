import type { OutputLine } from '../../../../preload/contract/device/deviceAreas.ts'
import type { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import {
  fail,
  inSteps,
  pass,
  unreadable,
  type Asked,
  type CheckContext,
  type Outcome,
  type Shown
} from '../engine/check.ts'
import type { OutputTest } from '../../../../preload/contract/job/jobSeen.ts'
import type { OutputClaim } from '../../outputs/controller.ts'
import { createInterlock, shortLine, type Interlock } from '../../outputs/interlock.ts'
import type { OutputLimits } from '../../outputs/limits.ts'
import type { Fall, OffResult, OnResult, SwitchEntry } from '../../outputs/outputTypes.ts'
import { isSettled } from '../record/journal.ts'
import {
  conditionsMeter,
  makeMeter,
  minutesAndSeconds,
  onOrOff,
  shareOf,
  timeLeft,
  wholeSeconds
} from '../engine/meters.ts'
import { otherDevice } from '../engine/sameDevice.ts'
import { deviceLost } from '../engine/silence.ts'
import { wiringCauses } from '../engine/wiring.ts'

const watchEveryMs = 250

interface Test {
  out: OutputLine
  limits: OutputLimits
  interlock: Interlock
  claim: OutputClaim
  thresholds: Record<string, number | boolean>
}

/**
 * Tests one output with the full interlock. main/job/outputs switches, watches and confirms; this step asks the person.
 */
export async function checkOutput(context: CheckContext<'output'>): Promise<Outcome> {
  const { plan, outputs, job } = context
  const { limits, controller } = outputs
  const out: OutputLine = plan.output ?? 'OUT1'
  const { standstillKmh, fixAgeS, readBackS } = limits
  const engineOff = plan.engineOff !== false
  const unfit = await whyUnfit(context, out)
  if (unfit) return unfit
  const interlock = createInterlock(context, { ...limits, engineOff, output: out })
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
    return await testOutput(context, {
      out,
      limits,
      interlock,
      claim,
      thresholds: { standstillKmh, fixAgeS, engineOff, readBackS }
    })
  } finally {
    claim.release()
  }
}

async function testOutput(context: CheckContext<'output'>, test: Test): Promise<Outcome> {
  const { out, claim, thresholds } = test
  for (let stopped: Message | null = null; ;) {
    const refused = await holdAndCount(context, test, stopped)
    if (refused) return refused
    context.saw({ witness: 'device', what: message('output.held', { out }), raw: test.interlock.state(), thresholds })
    let result: Outcome | undefined
    let fault: unknown
    try {
      context.signal.throwIfAborted()
      const onSinceMs = context.monotonicMs()
      showPhase(context, test, 'on')
      const on = await claim.switchOn()
      if (on.kind === 'held') {
        stopped = message('output.stayedOffMissing', { missing: on.missing })
        continue
      }
      if (on.kind === 'notProved') return notProved(out, on.error)
      result = await testWhileOn(context, test, on, onSinceMs)
    } catch (error) {
      fault = error
    }
    showPhase(context, test, 'off')
    const off = await claim.switchOff()
    if (off.kind === 'off' && off.by === 'person')
      context.saw({ witness: 'person', what: message('output.personSawOff', { out }), raw: off.raw, thresholds })
    else context.saw({ witness: 'device', what: offWords[off.kind](out), raw: off.raw, thresholds })
    if (off.kind === 'unproved') return notProvedOff(out)
    if (!result) throw fault
    return result
  }
}

const offWords: Record<OffResult['kind'], (out: OutputLine) => Message> = {
  off: (out) => message('output.offAgain', { out }),
  watched: (out) => message('output.watchedOff', { out }),
  unproved: (out) => message('output.notProvedOff', { out })
}

export function notProvedOff(out: string): Outcome {
  return fail(message('output.notProvedOff', { out }), message('output.mayBeOn', { out }), ['device'])
}

function notProved(out: OutputLine, error: AppError): Outcome {
  return error.code === 'WRONG_DEVICE'
    ? otherDevice(error)
    : unreadable(message('output.stayedOffWhy', { out, why: error.sentence }), message('jobs.runAgainWhileAnswering'))
}

/** Reasons not to switch this output at all; also resolves what an earlier test left open. */
async function whyUnfit(context: CheckContext, out: OutputLine): Promise<Outcome | undefined> {
  const { job, lines } = context
  const identity = job.steps.find((step) => step.kind === 'identity')
  if (identity && !isSettled(identity.state)) {
    return fail(message('output.notIdentified'), message('output.identityFirst'), ['person'])
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
  if (blind)
    return unreadable(message('output.cannotBeTested', { out, why: blind }), message('output.notSwitchedBlind'))
  if (lines.latest()?.value[out])
    return fail(message('output.onAlready', { out }), message('output.findOutWho', { out }), ['device'])
  if (lines.latest()?.value[short]) return shorted(out)
  return undefined
}

async function switchOffEarlier(context: CheckContext, out: OutputLine): Promise<Outcome | undefined> {
  const { job, device, outputs, lines } = context
  const isInLedger = () => outputs.controller.known().some((known) => known.out === out)
  if (!job.outputsLeftOn.has(out) && !isInLedger()) return undefined
  const request = {
    device,
    address: job.device.address,
    by: job.technician,
    jobId: job.id,
    record: (entry: SwitchEntry) => context.recordWrite(entry)
  }
  let off = await outputs.controller.switchOff(out, request)
  // It reads off, but an earlier "on" may still take effect: until then the two could not be distinguished.
  while (off.kind === 'watched') {
    context.show({ say: message('output.earlierCommand', { out }), hint: null, leftMs: off.forMs })
    await context.pause(watchEveryMs)
    off = await outputs.controller.awaitOff(out, watchEveryMs)
  }
  if (off.kind !== 'off') return notProvedOff(out)
  await lines.next(context.signal)
  return undefined
}

/**
 * Waits for the conditions and for the person, then counts down; starts again when a condition breaks in the meantime.
 */
async function holdAndCount(
  context: CheckContext,
  { out, limits, interlock, claim }: Test,
  before: Message | null
): Promise<Outcome | undefined> {
  for (let stopped = before; ;) {
    const refused = await waitForArm(context, { out, limits, interlock, claim }, stopped)
    if (refused) return refused
    const missing = await countDown(context, { out, limits, interlock, claim })
    if (missing.length === 0) return undefined
    context.saw({
      witness: 'device',
      what: message('output.countdownStoppedSeen', { out, missing }),
      raw: interlock.state()
    })
    stopped = message('output.countdownStopped', { missing })
  }
}

type Waiting = Pick<Test, 'out' | 'limits' | 'interlock' | 'claim'>

async function waitForArm(
  context: CheckContext,
  { out, limits, interlock, claim }: Waiting,
  stopped: Message | null
): Promise<Outcome | undefined> {
  const { conditionsWithinS, holdToArmMs } = limits
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
      asked ??= context.ask({ kind: 'arm', text: message('output.holdToArm', { out }), holdMs: holdToArmMs })
      if (asked.given?.armed === true) return undefined
      if (asked.given) return fail(message('output.notArmed', { out }), message('output.whenItMayBeTested'), ['person'])
    }
    const lost = deviceLost(context)
    if (lost) return lost
    if (claim.fallen()) return fail(message('output.notArmed', { out }), message('output.offForDevice'), ['person'])
    if (leftMs <= 0) {
      return missing.length > 0
        ? fail(message('output.stayedOff', { out, missing }), message('output.parkInOpen'), ['device'])
        : fail(message('output.notArmedInTime', { out }), message('output.whenItMayBeTested'), ['person'])
    }
    const todo = interlock.conditions().find(({ holds }) => !holds)?.todo
    const before = todo ? message('output.before', { out, todo }) : null
    context.show({
      say: before ?? message('output.ready', { out }),
      hint: stopped,
      act: before,
      meters: interlockMeters(interlock, missing, leftMs),
      ...testNow({ out, limits, interlock }, 'hold'),
      leftMs
    })
    await (asked ? Promise.race([context.pause(watchEveryMs), asked.answered]) : context.pause(watchEveryMs))
  }
}

/** The conditions that broke during the countdown; none when it completed. */
async function countDown(context: CheckContext, { out, limits, interlock, claim }: Waiting): Promise<Message[]> {
  const untilMs = context.monotonicMs() + limits.countdownS * 1000
  for (;;) {
    await interlock.read()
    const missing = interlock.missing()
    const leftMs = untilMs - context.monotonicMs()
    if (missing.length > 0 || leftMs <= 0 || claim.fallen()) return missing
    context.show({
      say: message('output.goesOnIn', { out, leftS: wholeSeconds(leftMs) }),
      hint: null,
      meters: interlockMeters(interlock, missing, leftMs),
      ...testNow({ out, limits, interlock }, 'countdown'),
      leftMs
    })
    await context.pause(Math.min(watchEveryMs, leftMs))
  }
}

function testNow(
  { out, limits, interlock }: Pick<Test, 'out' | 'limits' | 'interlock'>,
  phase: OutputTest['phase'],
  on: Pick<OutputTest, 'onSince' | 'offAt'> = {}
): Pick<Shown, 'output' | 'conditions'> {
  const isOn = phase === 'on' || phase === 'effect'
  const conditions = interlock
    .conditions()
    .map((one) =>
      isOn && one.id === 'outputOff'
        ? { ...one, holds: true, what: message('output.onForTest'), value: null, todo: null }
        : one
    )
  return { output: { out, phase, countdownMs: limits.countdownS * 1000, ...on }, conditions }
}

/** The open question belongs to the earlier phase. */
function showPhase(context: CheckContext, test: Test, phase: 'on' | 'off'): void {
  const { out } = test
  context.unask()
  context.show({
    say: message(phase === 'on' ? 'output.switchingOn' : 'output.switchingOff', { out }),
    hint: null,
    meters: [],
    ...testNow(test, phase),
    leftMs: null
  })
}

async function testWhileOn(
  context: CheckContext<'output'>,
  { out, limits, interlock, claim, thresholds }: Test,
  on: OnResult,
  onSinceMs: number
): Promise<Outcome> {
  const wholeMs = limits.effectWithinS * 1000
  const isOn = on.kind === 'on'
  context.saw({
    witness: 'device',
    what: isOn ? message('output.readsOn', { out }) : message('output.readsNotOn', { out }),
    raw: 'raw' in on ? on.raw : null,
    thresholds
  })
  if (!isOn) return whyNotOn(context, out, on)

  // On a whole second of the clock: what is left and when that is agree wherever they are shown.
  const nowMs = context.now().getTime()
  const offAtMs = Math.floor((nowMs + wholeMs - (context.monotonicMs() - onSinceMs)) / 1000) * 1000
  const untilMs = context.monotonicMs() + offAtMs - nowMs
  const onFor = {
    onSince: new Date(nowMs - (context.monotonicMs() - onSinceMs)).toISOString(),
    offAt: new Date(offAtMs).toISOString()
  }
  const question = context.plan.effectQuestion ?? message('output.effect')
  const asked = context.ask({ kind: 'effect', text: question })
  for (;;) {
    const fallen = claim.fallen()
    if (fallen) {
      if (fallen.kind === 'conditions')
        context.saw({
          witness: 'device',
          what: message('output.goesOffAtOnce', { out, why: fallen.what }),
          raw: interlock.state(),
          thresholds
        })
      return fellOff(context, out, fallen)
    }
    const sample = context.lines.latest()
    if (asked.given) {
      const key = { IGN: changesSince(context, 'IGN', onSinceMs), TIG: changesSince(context, 'TIG', onSinceMs) }
      context.saw({
        witness: 'person',
        what: message(asked.given.effect ? 'person.answeredYes' : 'person.answeredNo', { question }),
        raw: { answer: asked.given, ...key },
        thresholds
      })
      return asked.given.effect
        ? pass(message('output.confirmed', { out }), ['device', 'person'])
        : inSteps(
            fail(message('output.effectMissing', { out }), message('output.checkContacts'), ['device', 'person']),
            message('output.stepCoil', { out }),
            message('output.stepContacts'),
            message('output.stepAgain')
          )
    }
    const leftMs = untilMs - context.monotonicMs()
    if (leftMs <= 0)
      return fail(message('output.nobodyConfirmed', { out }), message('output.answerWhileOn'), ['device'])
    context.show({
      say: question,
      hint: message('output.isOn', { out, left: minutesAndSeconds(leftMs) }),
      meters: [
        makeMeter(out, message('meters.on'), { tone: 'warn' }),
        makeMeter(message('ignition.now'), onOrOff(sample?.value.IGN)),
        timeLeft(leftMs, { progress: shareOf(leftMs, wholeMs) })
      ],
      ...testNow({ out, limits, interlock }, 'effect', onFor),
      leftMs
    })
    await Promise.race([context.lines.next(context.signal), context.pause(watchEveryMs), asked.answered])
  }
}

/** "On" was sent, and the result is not the wanted one. */
function whyNotOn(context: CheckContext, out: OutputLine, on: Exclude<OnResult, { kind: 'on' }>): Outcome {
  switch (on.kind) {
    case 'fallen':
      return fellOff(context, out, on.fall)
    case 'lost':
      return unreadable(
        message('output.linkLost', { out, why: on.error.sentence }),
        message('output.nobodyKnows', { out })
      )
    case 'refused':
      return fail(message('output.stayedOffWhy', { out, why: on.error.sentence }), message('output.putRight'), [
        'device'
      ])
    default:
      return fail(message('output.didNotGoOn', { out }), message('output.lookAtAnswer'), ['device'])
  }
}

/** It was switched off before the person answered. */
function fellOff(context: CheckContext, out: OutputLine, fallen: Fall): Outcome {
  context.signal.throwIfAborted()
  switch (fallen.kind) {
    case 'conditions':
      return fail(message('output.switchedOff', { out, why: fallen.what }), message('output.parkSafely'), ['device'])
    case 'short':
      return shorted(out)
    case 'shortUnreadable':
      return unreadable(message('output.shortUnreadable', { out }), message('output.notProvedWithout'))
    case 'otherDevice':
      return otherDevice(fallen.error)
    case 'asleep':
      return unreadable(message('output.asleep', { out }), message('jobs.runAgainWhileAnswering'))
    default:
      return fail(message('output.byHand', { out }), message('output.whenItMayBeTested'), ['person'])
  }
}

function shorted(out: OutputLine): Outcome {
  return inSteps(
    fail(message('output.shorted', { out }), wiringCauses.shortedOutput, ['device']),
    message('output.stepPull', { out }),
    message('output.stepMeasure'),
    message('jobs.stepRunAgain')
  )
}

function changesSince(context: CheckContext, line: 'IGN' | 'TIG', sinceMs: number) {
  return context.lines
    .changes(line)
    .filter((change) => change.atMs >= sinceMs)
    .map(({ on, readAt }) => ({ on, readAt }))
}

function interlockMeters(interlock: Interlock, missing: Message[], leftMs: number) {
  const state = interlock.state()
  return [
    conditionsMeter(missing.length),
    makeMeter(
      message('samePlace.speed'),
      state.speedKmh === null ? undefined : message('meters.speed', { speedKmh: Number(state.speedKmh) }),
      {
        target: message('meters.speed', { speedKmh: 0 })
      }
    ),
    timeLeft(leftMs)
  ]
}
