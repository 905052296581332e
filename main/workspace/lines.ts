import { AppError } from '../../preload/contract/errors.ts'
import type { LineStory, OutputState } from '../../preload/contract/workspace.ts'
import { createInterlock, shortLine, type Interlock } from '../outputs/interlock.ts'
import { plainJson } from '../jobs/journal.ts'
import { startLineRecorder, type LineRecorder } from '../device/lineRecorder.ts'
import { switchOff, switchOn, type SwitchContext } from '../outputs/switching.ts'
import type { DevicePort } from '../jobs/ports.ts'

type Out = OutputState['out']

export interface DeviceLinesOptions {
  open(key: string): { device: DevicePort; imei: string | null }
  /** Keeps what was sent to an output. */
  record(imei: string | null, entry: Parameters<SwitchContext['record']>[0]): void
  /** A checklist that works on this device switches its outputs by itself. */
  isInJob(imei: string): boolean
  reportFault(error: unknown): void
}

/**
 * The lines of devices outside of a checklist: their story of the last minutes, and outputs under the same interlock as in
 * a job. Who looks asks again and again; when nobody asks any more, outputs go off and the device is left alone.
 */
export interface DeviceLines {
  story(key: string): LineStory
  watch(key: string, out: Out): OutputState
  /** The button was held. Throws INTERLOCK while a condition is missing. */
  arm(key: string, out: Out): OutputState
  /** Always allowed; resolves when it is proved off or could not be. */
  switchOff(key: string, out: Out): Promise<OutputState>
  stop(): Promise<void>
}

interface Open {
  device: DevicePort
  imei: string | null
  recorder: LineRecorder
  abort: AbortController
  /** Monotonic time of the last question of a screen. */
  askedMs: number
  outputs: Map<Out, OpenOutput>
}

interface OpenOutput {
  state: OutputState
  interlock: Interlock
  askedMs: number
  wantsOff: boolean
  busy: Promise<void> | undefined
}

const limits = { standstillKmh: 0.5, fixAgeS: 10, engineOff: true }
const holdMs = 1_500
const countdownMs = 3_000
const mostOnMs = 30_000
const readBackMs = 5_000
/** An output is on only under somebody's eyes. */
const watchedWithinMs = 3_500
const leftAloneMs = 15_000
const tickMs = 250
const storyMs = 10 * 60_000

export function createDeviceLines(options: DeviceLinesOptions): DeviceLines {
  const opened = new Map<string, Open>()
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

  function find(key: string): Open {
    const present = opened.get(key)
    if (present) {
      present.askedMs = monotonicMs()
      return present
    }
    const { device, imei } = options.open(key)
    const abort = new AbortController()
    const recorder = startLineRecorder({ device, monotonicMs, changed: () => undefined, reportFault: options.reportFault })
    const one: Open = { device, imei, recorder, abort, askedMs: monotonicMs(), outputs: new Map() }
    opened.set(key, one)
    return one
  }

  function findOutput(one: Open, out: Out): OpenOutput {
    let output = one.outputs.get(out)
    if (!output) {
      const state: OutputState = { out, phase: 'watching', missing: [], leftMs: null, holdMs, on: null, isShort: null, detail: '', conditions: {} }
      const { device, recorder: lines, abort } = one
      const interlock = createInterlock({ device, lines, signal: abort.signal, monotonicMs, now: () => new Date() }, { ...limits, output: out })
      output = { state, interlock, askedMs: 0, wantsOff: false, busy: undefined }
      one.outputs.set(out, output)
    }
    return output
  }

  /** Each look at an output also asks for the next position, one of its conditions. */
  function refresh(one: Open, output: OpenOutput): void {
    const { state, interlock } = output
    const value = one.recorder.latest()?.value
    interlock.beginRead()
    state.missing = missingOf(one, output)
    state.on = value?.[state.out] ?? null
    state.isShort = value?.[shortLine(state.out)] ?? null
    state.conditions = plainJson(interlock.state())
  }

  function missingOf(one: Open, { interlock }: OpenOutput): string[] {
    const missing = interlock.missing()
    if (one.imei !== null && options.isInJob(one.imei)) missing.push('no job that works on this device')
    return missing
  }

  function hands(one: Open): SwitchContext {
    return { device: one.device, monotonicMs, pause: sleep, record: (entry) => options.record(one.imei, entry) }
  }

  /** Countdown, on, watched, and off again: whatever happens in between, the way out leads through "off". */
  async function switchForAWhile(one: Open, output: OpenOutput): Promise<void> {
    const { state } = output
    const { out } = state
    const stopped = await countDown(one, output)
    if (stopped !== undefined) {
      Object.assign(state, { phase: 'failed', detail: stopped, leftMs: null })
      return
    }
    let detail = ''
    let failed = false
    let mayComeOnLate = true
    try {
      const result = await switchOn(hands(one), out, readBackMs)
      mayComeOnLate = !result.isAnswered
      if (result.isShort) detail = `${out} is shorted. Check its wire for a short to ground or supply.`
      else if (result.on !== true) detail = `${out} did not go on: the device does not show it.`
      failed = detail !== ''
      if (!failed) detail = await stayOn(one, output)
    } finally {
      Object.assign(state, { phase: 'switchingOff', leftMs: null })
      const off = await switchOff(hands(one), out, { withinMs: 15_000, isKnownOn: true, mayComeOnLate })
      const isProved = off.on === false
      Object.assign(state, {
        phase: isProved && !failed ? 'off' : 'failed',
        detail: isProved ? `${detail} ${out} is proved off.`.trim() : `${out} could not be proved off: it may still be on. Bring the device back within reach and switch it off, or take the relay's fuse out.`,
        on: off.on ?? null
      })
    }
  }

  async function countDown(one: Open, output: OpenOutput): Promise<string | undefined> {
    const { state } = output
    const untilMs = monotonicMs() + countdownMs
    for (;;) {
      const missing = missingOf(one, output)
      output.interlock.beginRead()
      if (missing.length > 0) return `It stayed off: ${missing.join(', ')} missing during the countdown.`
      if (output.wantsOff) return 'It stayed off: stopped during the countdown.'
      if (isUnwatched(output)) return 'It stayed off: nobody was looking any more.'
      const leftMs = untilMs - monotonicMs()
      if (leftMs <= 0) return undefined
      Object.assign(state, { phase: 'countdown', leftMs: Math.round(leftMs), detail: '' })
      await sleep(Math.min(tickMs, leftMs))
    }
  }

  async function stayOn(one: Open, output: OpenOutput): Promise<string> {
    const { state } = output
    const untilMs = monotonicMs() + mostOnMs
    for (;;) {
      const leftMs = untilMs - monotonicMs()
      Object.assign(state, { phase: 'on', leftMs: Math.max(0, Math.round(leftMs)), detail: '' })
      output.interlock.beginRead()
      const broken = output.interlock.broken()
      if (broken.length > 0) return `It was switched off: ${broken.join(', ')}.`
      if (one.recorder.latest()?.value[shortLine(state.out)]) return 'It was switched off: the output is shorted.'
      if (output.wantsOff) return 'It was switched off by hand.'
      if (isUnwatched(output)) return 'It was switched off: nobody was looking any more.'
      if (leftMs <= 0) return `It was switched off after ${mostOnMs / 1000} s.`
      await sleep(tickMs)
    }
  }

  const isUnwatched = (output: OpenOutput) => monotonicMs() - output.askedMs > watchedWithinMs

  return {
    story(key) {
      const one = find(key)
      const { lines, nowMs, problem } = one.recorder.trace('')
      const latest = one.recorder.latest()
      return {
        nowMs,
        lines: lines.map(({ name, changes }) => ({ name, changes: lastMinutes(changes, nowMs) })),
        value: plainJson(latest?.value ?? {}),
        problems: latest?.problems ?? [],
        readAt: latest?.readAt ?? null,
        problem
      }
    },
    watch(key, out) {
      const one = find(key)
      const output = findOutput(one, out)
      output.askedMs = monotonicMs()
      refresh(one, output)
      return structuredClone(output.state)
    },
    arm(key, out) {
      const one = find(key)
      const output = findOutput(one, out)
      output.askedMs = monotonicMs()
      if (output.busy) return structuredClone(output.state)
      const missing = missingOf(one, output)
      if (missing.length > 0) throw new AppError('INTERLOCK', `${out} stays off. Missing: ${missing.join(', ')}.`)
      output.wantsOff = false
      output.busy = switchForAWhile(one, output)
        .catch(options.reportFault)
        .finally(() => {
          output.busy = undefined
        })
      return structuredClone(output.state)
    },
    async switchOff(key, out) {
      const one = find(key)
      const output = findOutput(one, out)
      output.askedMs = monotonicMs()
      output.wantsOff = true
      if (output.busy) await output.busy
      else {
        const off = await switchOff(hands(one), out, { withinMs: 10_000, isKnownOn: true, mayComeOnLate: false })
        const isProved = off.on === false
        Object.assign(output.state, {
          phase: isProved ? 'off' : 'failed',
          detail: isProved ? `${out} is proved off.` : `${out} could not be proved off: it may still be on.`,
          on: off.on ?? null
        })
      }
      return structuredClone(output.state)
    },
    async stop() {
      clearInterval(timer)
      for (const { outputs } of opened.values()) for (const output of outputs.values()) output.wantsOff = true
      await Promise.all([...opened.values()].flatMap(({ outputs }) => [...outputs.values()].map(({ busy }) => busy)))
      for (const [key, one] of [...opened]) close(key, one)
    }
  }
}

/** The value that a line had when the window begins stays as its first entry. */
function lastMinutes<Change extends { atMs: number }>(changes: Change[], nowMs: number): Change[] {
  const from = changes.findLastIndex(({ atMs }) => atMs <= nowMs - storyMs)
  return changes.slice(Math.max(0, from)).slice(-2_000)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
