import type { LinesMark } from '../../../preload/contract/device/lines.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import type { OutputCondition } from '../../../preload/contract/device/conditions.ts'
import type { LineStory, OutputState } from '../../../preload/contract/device/workspace.ts'
import { startLineRecorder, type LineRecorder } from '../../device/client/lineRecorder.ts'
import { createLineStory, type LineStory as KeptStory } from '../../device/client/lineStory.ts'
import type { OutputClaim, OutputController } from '../../job/outputs/controller.ts'
import { createInterlock, shortLine, type Interlock } from '../../job/outputs/interlock.ts'
import type { OutputLimits } from '../../job/outputs/limits.ts'
import type { Outputs } from '../../job/outputs/outputs.ts'
import type { Fall, OffResult, OnResult, OutputDevice, SwitchEntry } from '../../job/outputs/outputTypes.ts'
import { plainJson } from '../../job/jobs/record/journal.ts'

type Out = OutputState['out']

export interface DeviceLinesOptions {
  open(key: string): { device: OutputDevice; imei: string | null; address: string }
  outputs: Pick<Outputs, 'of' | 'limits'>
  technician(): string
  record(imei: string, entry: SwitchEntry): void
  isInJob(imei: string): boolean
  wiringOf(imei: string): LineStory['wiring']
  reportFault(error: unknown): void
}

interface Open {
  device: OutputDevice
  imei: string | null
  address: string
  recorder: LineRecorder
  abort: AbortController
  /** Monotonic time of the last poll by a screen. */
  askedMs: number
  outputs: Map<Out, OpenOutput>
}

interface OpenOutput {
  state: OutputState
  limits: OutputLimits
  interlock: Interlock
  askedMs: number
  /** The controller's claim, while the controller is running here. */
  claim: OutputClaim | undefined
  busy: Promise<void> | undefined
}

const leftAloneMs = 15_000
const tickMs = 250
/** For this many devices the history continues when their screen is opened again. */
const mostStories = 8

/**
 * The lines of devices outside a checklist, and outputs with the same interlock. When no screen polls any more, outputs
 * go off.
 */
export function createDeviceLines(options: DeviceLinesOptions) {
  const opened = new Map<string, Open>()
  const stories = new Map<string, KeptStory>()
  const monotonicMs = () => performance.now()
  const timer = setInterval(leaveAlone, 1_000)
  timer.unref()

  function leaveAlone(): void {
    for (const [key, one] of opened) {
      const isBusy = [...one.outputs.values()].some(({ busy }) => busy !== undefined)
      if (!isBusy && monotonicMs() - one.askedMs > leftAloneMs) close(key, one)
    }
  }

  function close(key: string, one: Open): void {
    one.abort.abort()
    one.recorder.stop()
    opened.delete(key)
  }

  /** Moves the device to the end: the least recently used history is removed first. */
  function storyOf(key: string): KeptStory {
    const story = stories.get(key) ?? createLineStory()
    stories.delete(key)
    stories.set(key, story)
    for (const old of stories.keys())
      if (stories.size > mostStories && !opened.has(old) && old !== key) stories.delete(old)
    return story
  }

  function find(key: string): Open {
    const present = opened.get(key)
    if (present) {
      present.askedMs = monotonicMs()
      return present
    }
    const { device, imei, address } = options.open(key)
    const abort = new AbortController()
    const recorder = startLineRecorder({
      device,
      monotonicMs,
      kept: storyOf(key),
      mostChanges: 1,
      changed: () => undefined,
      reportFault: options.reportFault
    })
    const one: Open = { device, imei, address, recorder, abort, askedMs: monotonicMs(), outputs: new Map() }
    opened.set(key, one)
    return one
  }

  function findOutput(one: Open, out: Out): OpenOutput {
    const present = one.outputs.get(out)
    if (present) return present
    const limits = options.outputs.limits()
    const state: OutputState = {
      out,
      phase: 'watching',
      missing: [],
      leftMs: null,
      holdMs: limits.holdToArmMs,
      on: null,
      isShort: null,
      detail: null,
      conditions: []
    }
    const { device, recorder: lines, abort } = one
    const context = { device, lines, signal: abort.signal, monotonicMs, now: () => new Date() }
    const interlock = createInterlock(context, { ...limits, engineOff: true, output: out })
    const output: OpenOutput = { state, limits, interlock, askedMs: 0, claim: undefined, busy: undefined }
    one.outputs.set(out, output)
    return output
  }

  /** Each poll of an output also requests the next position, which is one of its conditions. */
  function refresh(one: Open, output: OpenOutput): void {
    const { state, interlock } = output
    const value = one.recorder.latest()?.value
    interlock.beginRead()
    state.conditions = conditionsOf(one, output)
    state.missing = missingOf(one, output)
    state.on = value?.[state.out] ?? null
    state.isShort = value?.[shortLine(state.out)] ?? null
  }

  const isLeftToJob = ({ imei }: Open) => imei !== null && options.isInJob(imei)

  function conditionsOf(one: Open, { interlock }: OpenOutput): OutputCondition[] {
    const conditions = interlock.conditions()
    const noJob = {
      id: 'noJob' as const,
      holds: false,
      what: message('outputs.condition.noJob'),
      value: null,
      todo: message('outputs.todo.noJob')
    }
    return isLeftToJob(one) ? [...conditions, noJob] : conditions
  }

  function missingOf(one: Open, { interlock }: OpenOutput): Message[] {
    const missing = interlock.missing()
    if (isLeftToJob(one)) missing.push(message('outputs.missing.noJob'))
    return missing
  }

  async function controllerOf(one: Open): Promise<OutputController> {
    if (one.imei === null) {
      const { value } = await one.device.system.info({ overtakes: true })
      one.imei = parseDeviceName(value.hostname ?? '')?.imei ?? null
    }
    if (one.imei === null) throw new AppError('UNREADABLE', message('outputs.unnamedDevice'))
    return options.outputs.of(one.imei)
  }

  /**
   * Countdown, on, and off again after the time: the controller always switches the output off, whatever happens in
   * between.
   */
  async function switchForAWhile(one: Open, output: OpenOutput, claim: OutputClaim): Promise<void> {
    const { state, limits } = output
    const { out } = state
    const stopped = await countDown(one, output, claim)
    if (stopped !== undefined) return void Object.assign(state, { phase: 'failed', detail: stopped, leftMs: null })
    const untilMs = monotonicMs() + limits.mostOnS * 1000
    let detail: Message | undefined
    let isSent = true
    let on: OnResult | undefined
    try {
      on = await claim.switchOn()
      if (on.kind === 'on') detail = await stayOn(output, claim, untilMs)
      else {
        detail = whyNotOn(out, on)
        isSent = on.kind !== 'held' && on.kind !== 'notProved'
      }
    } finally {
      Object.assign(state, { phase: 'switchingOff', leftMs: null })
      const off = isSent ? await claim.switchOff() : undefined
      const isGood = on?.kind === 'on' && off?.kind === 'off'
      Object.assign(state, {
        phase: isGood ? 'off' : 'failed',
        detail: bothOf(detail, off && offWords(out, off)),
        on: off?.kind === 'unproved' ? null : false
      })
    }
  }

  async function countDown(one: Open, output: OpenOutput, claim: OutputClaim): Promise<Message | undefined> {
    const { state, limits } = output
    const untilMs = monotonicMs() + limits.countdownS * 1000
    for (;;) {
      const missing = missingOf(one, output)
      output.interlock.beginRead()
      if (missing.length > 0) return message('outputs.countdownMissing', { missing })
      if (claim.fallen()) return message('outputs.countdownStopped')
      if (isUnwatched(output)) return message('outputs.countdownUnwatched')
      const leftMs = untilMs - monotonicMs()
      if (leftMs <= 0) return undefined
      Object.assign(state, { phase: 'countdown', leftMs: Math.round(leftMs), detail: null })
      await sleep(Math.min(tickMs, leftMs))
    }
  }

  async function stayOn(output: OpenOutput, claim: OutputClaim, untilMs: number): Promise<Message> {
    for (;;) {
      const fallen = claim.fallen()
      if (fallen) return fallWords(fallen, output.limits)
      if (monotonicMs() > untilMs) return fallWords({ kind: 'time' }, output.limits)
      Object.assign(output.state, {
        phase: 'on',
        leftMs: Math.max(0, Math.round(untilMs - monotonicMs())),
        detail: null
      })
      await sleep(tickMs)
    }
  }

  const isUnwatched = (output: OpenOutput) => monotonicMs() - output.askedMs > output.limits.watchedWithinS * 1000

  return {
    /** Everything new since an earlier mark; without a mark, everything that is known. */
    story(key: string, since: LinesMark | null): LineStory {
      const one = find(key)
      const { value, problems, readAt } = one.recorder.latest() ?? { value: {}, problems: [], readAt: null }
      const news = one.recorder.news(since)
      return {
        ...news,
        value: plainJson(value),
        problems,
        readAt,
        wiring: news.since === null && one.imei !== null ? options.wiringOf(one.imei) : []
      }
    },
    watch(key: string, out: Out): OutputState {
      const one = find(key)
      const output = findOutput(one, out)
      output.askedMs = monotonicMs()
      refresh(one, output)
      return structuredClone(output.state)
    },
    /** Called when the button was held. Throws INTERLOCK while a condition is missing. */
    arm(key: string, out: Out): OutputState {
      const one = find(key)
      const output = findOutput(one, out)
      output.askedMs = monotonicMs()
      if (output.busy) return structuredClone(output.state)
      if (one.imei === null) throw new AppError('INTERLOCK', message('outputs.staysOffUnnamed', { output: out }))
      const missing = missingOf(one, output)
      if (missing.length > 0)
        throw new AppError('INTERLOCK', message('outputs.staysOffMissing', { output: out, missing }))
      const { imei, device, address, recorder, abort } = one
      const onFromMs = monotonicMs() + output.limits.countdownS * 1000
      const claim = options.outputs.of(imei).claim(out, {
        device,
        address,
        interlock: output.interlock,
        limits: output.limits,
        by: options.technician(),
        jobId: null,
        signal: abort.signal,
        isShort: () => recorder.latest()?.value[shortLine(out)],
        record: (entry) => options.record(imei, entry),
        over() {
          if (isUnwatched(output)) return { kind: 'unwatched' }
          return monotonicMs() - onFromMs > output.limits.mostOnS * 1000 ? { kind: 'time' } : undefined
        }
      })
      output.claim = claim
      output.busy = switchForAWhile(one, output, claim)
        .catch(options.reportFault)
        .finally(() => {
          claim.release()
          output.claim = undefined
          output.busy = undefined
        })
      return structuredClone(output.state)
    },
    /** Always allowed; resolves when the output is confirmed off, or when that could not be confirmed. */
    async switchOff(key: string, out: Out): Promise<OutputState> {
      const one = find(key)
      const output = findOutput(one, out)
      output.askedMs = monotonicMs()
      const controller = await controllerOf(one)
      const imei = one.imei ?? ''
      const off = await controller.switchOff(out, {
        device: one.device,
        address: one.address,
        by: options.technician(),
        jobId: null,
        record: (entry) => options.record(imei, entry)
      })
      const isStopped = output.busy !== undefined
      await output.busy
      // The earlier controller reports why it was stopped, but that does not cover an output that could not be read.
      if (!isStopped || off.kind === 'unproved')
        Object.assign(output.state, {
          phase: off.kind === 'off' ? 'off' : 'failed',
          detail: offWords(out, off),
          on: off.kind === 'unproved' ? null : false
        })
      return structuredClone(output.state)
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      for (const { outputs } of opened.values()) for (const { claim } of outputs.values()) claim?.release()
      await Promise.all([...opened.values()].flatMap(({ outputs }) => [...outputs.values()].map(({ busy }) => busy)))
      for (const [key, one] of [...opened]) close(key, one)
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function bothOf(what: Message | undefined, off: Message | undefined): Message | null {
  return what && off ? message('outputs.thenOff', { what, off }) : (what ?? off ?? null)
}

function whyNotOn(out: Out, on: Exclude<OnResult, { kind: 'on' }>): Message {
  switch (on.kind) {
    case 'held':
      return message('outputs.stayedOffMissing', { missing: on.missing })
    case 'notProved':
      return message('outputs.stayedOff', { why: on.error.sentence })
    case 'refused':
      return message('outputs.didNotGoOn', { output: out, why: on.error.sentence })
    case 'lost':
      return message('outputs.linkLost', { output: out, why: on.error.sentence })
    case 'notSeen':
      return message('outputs.notSeen', { output: out })
    case 'fallen':
      return on.fall.kind === 'short'
        ? message('outputs.shorted', { output: out })
        : message('outputs.fellWhileGoingOn')
  }
}

function fallWords(fallen: Fall, { mostOnS }: OutputLimits): Message {
  switch (fallen.kind) {
    case 'conditions':
      return message('outputs.fell.conditions', { why: fallen.what })
    case 'short':
      return message('outputs.fell.short')
    case 'shortUnreadable':
      return message('outputs.fell.shortUnreadable')
    case 'otherDevice':
      return message('outputs.fell.otherDevice', { why: fallen.error.sentence })
    case 'unwatched':
      return message('outputs.fell.unwatched')
    case 'time':
      return message('outputs.fell.time', { afterS: mostOnS })
    case 'asked':
      return message('outputs.fell.asked')
    case 'asleep':
      return message('outputs.fell.asleep')
  }
}

function offWords(out: Out, off: OffResult): Message {
  if (off.kind === 'off')
    return message(off.by === 'person' ? 'outputs.confirmedByPerson' : 'outputs.provedOff', { output: out })
  if (off.kind === 'watched') return message('outputs.readsOff', { output: out })
  return message('outputs.unproved', { output: out })
}
