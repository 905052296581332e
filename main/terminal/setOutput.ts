import type { OutputLine, Reading } from '../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { parseDeviceName } from '../../preload/contract/base/imei.ts'
import { whyPlaceholder } from '../base/reading/imeiSentence.ts'
import { message } from '../../preload/contract/messages.ts'
import type { DeviceClient } from '../device/client/client.ts'
import { startLineRecorder } from '../device/client/lineRecorder.ts'
import { invokeDevice, readOutputInput, type InvokeInput } from '../device/client/operations.ts'
import type { OutputController } from '../job/outputs/controller.ts'
import { createInterlock, shortLine } from '../job/outputs/interlock.ts'
import type { OutputLimits } from '../job/outputs/limits.ts'
import type { SwitchEntry } from '../job/outputs/outputTypes.ts'
import type { Core } from '../app/core.ts'
import type { CommandContext } from './context.ts'
import { exitCodes } from './output/exitCodes.ts'
import { openDevice, type OpenedDevice } from './openDevice.ts'

/** Conditions are known at once, or after the time stamp of the fix has changed. */
const conditionsWithinMs = 6_000
const tickMs = 100

/**
 * `io.setOutput` by hand: on with its interlock and only while this command runs; off always, even beside another
 * Fitter.
 */
export async function setOutput(context: CommandContext, host: string, input: InvokeInput): Promise<number> {
  const { out, state } = readOutputInput(input)
  return state ? switchOn(context, host, out) : switchOff(context, host, input, out)
}

interface AtHand extends OpenedDevice {
  imei: string
  core: Core
  controller: OutputController
  limits: OutputLimits
  record(entry: SwitchEntry): void
}

async function takeInHand(context: CommandContext, host: string): Promise<AtHand> {
  const core = await context.core()
  const opened = await openDevice(context, host)
  const { value } = await opened.client.system.info({ signal: context.signal, timeoutMs: context.common.timeoutMs })
  const imei = opened.imei ?? parseDeviceName(value.hostname ?? '')?.imei
  if (imei === undefined)
    throw new AppError('UNREADABLE', whyPlaceholder(value.hostname) ?? message('outputs.hostUnnamed', { host }))
  const client = core.connections.devices.open(opened.address, imei)
  const record = (entry: SwitchEntry) => core.recordWrite(imei, null, entry)
  return { ...opened, client, imei, core, controller: core.outputs.of(imei), limits: core.outputs.limits(), record }
}

async function switchOn(context: CommandContext, host: string, out: OutputLine): Promise<number> {
  const { client, address, imei: _imei, core, controller, limits, record } = await takeInHand(context, host)
  const monotonicMs = () => performance.now()
  const { signal } = context
  const recorder = startLineRecorder({
    device: client,
    monotonicMs,
    changed: () => undefined,
    reportFault: (error) => void context.faulted(error)
  })
  try {
    const watched = { device: client, lines: recorder, signal, monotonicMs, now: () => new Date() }
    const interlock = createInterlock(watched, { ...limits, engineOff: true, output: out })
    let answer: Reading<unknown> | undefined
    const onUntilMs = { value: Infinity }
    const claim = controller.claim(out, {
      device: keepingAnswer(client, (reading) => (answer ??= reading)),
      address,
      interlock,
      limits,
      by: core.store.settings.get().technician,
      jobId: null,
      signal,
      isShort: () => recorder.latest()?.value[shortLine(out)],
      record,
      over: () => (monotonicMs() > onUntilMs.value ? { kind: 'time' } : undefined)
    })
    try {
      const untilMs = monotonicMs() + conditionsWithinMs
      do await Promise.all([recorder.next(signal), interlock.read()])
      while (interlock.missing().length > 0 && monotonicMs() < untilMs)
      const on = await claim.switchOn()
      if (on.kind === 'held')
        throw new AppError('INTERLOCK', message('outputs.staysOffMissing', { output: out, missing: on.missing }))
      if (on.kind === 'notProved' || on.kind === 'refused') throw on.error
      const forS = Math.min(limits.mostOnS, (context.common.timeoutMs ?? Infinity) / 1000)
      onUntilMs.value = monotonicMs() + forS * 1000
      if (on.kind === 'on') {
        tell(context, answer)
        context.terminal.say(message('outputs.isOnFor', { output: out, forS }))
        while (!claim.fallen()) await new Promise((resolve) => setTimeout(resolve, tickMs))
      }
      const off = await claim.switchOff()
      const fallen = claim.fallen()
      if (on.kind === 'lost') throw on.error
      if (fallen?.kind === 'short') throw new AppError('INTERLOCK', message('outputs.shortedOff', { output: out }))
      if (fallen?.kind === 'conditions')
        throw new AppError('INTERLOCK', message('outputs.switchedOff', { output: out, why: fallen.what }))
      if (fallen?.kind === 'otherDevice') throw fallen.error
      if (on.kind === 'notSeen') throw new AppError('INTERLOCK', message('outputs.notSeen', { output: out }))
      return off.kind === 'off' ? exitCodes.done : exitCodes.attention
    } finally {
      claim.release()
    }
  } finally {
    recorder.stop()
  }
}

async function switchOff(context: CommandContext, host: string, input: InvokeInput, out: OutputLine): Promise<number> {
  const inHand = await takeInHand(context, host).catch((error: unknown) => {
    // Off needs no data folder: another Fitter must not keep an output on by using it.
    if (error instanceof AppError && (error.code === 'DATA_LOCKED' || error.code === 'DATA_UNUSABLE')) return undefined
    throw error
  })
  const { client } = inHand ?? (await openDevice(context, host))
  const answer = await invokeDevice(client, 'io.setOutput', input, {
    signal: context.signal,
    timeoutMs: context.common.timeoutMs,
    overtakes: true
  })
  if (!inHand) {
    const { value } = await client.io.all({ signal: context.signal, overtakes: true })
    tell(context, answer)
    return value[out] === false ? exitCodes.done : exitCodes.attention
  }
  const { address, controller, core, record } = inHand
  const off = await controller.switchOff(out, {
    device: client,
    address,
    by: core.store.settings.get().technician,
    jobId: null,
    record
  })
  tell(context, answer)
  return off.kind === 'unproved' ? exitCodes.attention : exitCodes.done
}

function keepingAnswer(client: DeviceClient, keep: (reading: Reading<unknown>) => void): DeviceClient {
  const setOutput: DeviceClient['io']['setOutput'] = async (input, options) => {
    const reading = await client.io.setOutput(input, options)
    keep(reading)
    return reading
  }
  return { ...client, io: { ...client.io, setOutput } }
}

function tell({ terminal }: CommandContext, answer: Reading<unknown> | undefined): void {
  if (!answer) return
  const { operation, status, value, raw, problems } = answer
  terminal.result(
    { operation, status, value: value ?? null, raw: raw ?? null, problems },
    JSON.stringify(raw ?? null, null, 2)
  )
}
