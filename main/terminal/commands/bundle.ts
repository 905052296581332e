import type { BundleAbout, BundleHolds } from '../../../preload/contract/support/bundles.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Core } from '../../app/core.ts'
import { createFaultLog } from '../../app/faultLog.ts'
import { createTerminalHandlers } from '../../app/router.ts'
import type { Manifest } from '../../support/diagnosis/bundles/format.ts'
import { unanswered } from '../../support/diagnosis/gatewayWitness.ts'
import type { Command, CommandValues } from '../command.ts'
import type { Connections } from '../../gateway/accounts/connections.ts'
import type { CommandContext } from '../context.ts'
import { gatherEvidence, reachedThrough, type MissedDevice, type ReachedDevice } from '../gatherEvidence.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { deviceTimeoutMs, imeiIn, openDevice } from '../openDevice.ts'
import { usageError } from '../output/usage.ts'
import { findVehicle } from './diagnose.ts'

const gatewayTimeoutMs = 8_000
const mayBeLeftOut = ['photos', 'positions', 'names'] as const

/**
 * `bundle JOB --out FILE [--without photos,positions,names]`, or without any job: `bundle HOST`, `bundle --vehicle
 * TEXT`.
 */
export const runBundle: Command = async (context, rest, values) => {
  const wish = wishOf(rest, values)
  const file = requireInput(values.out, '--out FILE')
  const holds = holdsOf(values.without)
  const core = await context.core()
  const { about, host } = await findAbout(context, core, wish)
  const { dataFolder } = context.common
  createTerminalHandlers(core, {
    dataFolder,
    reportFault: createFaultLog(dataFolder, (text) => core.connections.redactor.text(text))
  })
  context.terminal.say(message('terminalBundle.asks'))
  const { subject, parts, masked, writtenAt } = await core.bundles.write(
    { about, holds, file, evidence: () => evidenceOf(context, core, { about, host }) },
    context.signal
  )
  const photos = parts.filter(({ kind }) => kind === 'photo').length
  context.terminal.result(
    { file, writtenAt, subject, holds, masked, parts: parts.map(asShown) },
    message('terminalBundle.written', {
      file,
      parts: parts.length,
      photos,
      secrets: masked.secrets,
      positions: masked.positions,
      names: masked.names
    })
  )
  return exitCodes.done
}

type Wish = { jobId: string } | { host: string } | { vehicleText: string }

interface Sought {
  about: BundleAbout
  host: string | null
}

/** Names become numbers: a bundle is about one job, one device or one vehicle. */
async function findAbout(context: CommandContext, core: Core, wish: Wish): Promise<Sought> {
  if ('jobId' in wish) return { about: wish, host: core.jobs.show(wish.jobId).device.address }
  if ('vehicleText' in wish)
    return { about: { vehicleId: await vehicleIdOf(context, core, wish.vehicleText) }, host: null }
  const named = imeiIn(wish.host)
  try {
    const { client, address } = await openDevice(context, wish.host)
    const { value } = await client.system.info({
      signal: context.signal,
      timeoutMs: context.common.timeoutMs ?? deviceTimeoutMs
    })
    const imei = parseDeviceName(value.hostname ?? '')?.imei ?? named
    if (imei === null) throw new AppError('UNREADABLE', message('outputs.hostUnnamed', { host: wish.host }))
    return { about: { imei }, host: address }
  } catch (error) {
    // For a device with a known IMEI, this computer may have enough data for a bundle.
    if (!(error instanceof AppError) || context.signal.aborted || named === null) throw error
    return { about: { imei: named }, host: null }
  }
}

async function vehicleIdOf(context: CommandContext, { connections }: Core, text: string): Promise<number> {
  if (/^\d{1,14}$/.test(text)) return Number(text)
  if ((await connections.gateway.status()).state === 'notSet') throw usageError(message('terminal.noGateway'))
  const { id } = await findVehicle(connections, text, context.signal)
  if (id === null) throw new AppError('NOT_FOUND', message('terminalBundle.noVehicle', { text }))
  return id
}

/** From the device, if it is found, and from the gateway. A silent one is not asked again. */
async function evidenceOf(
  context: CommandContext,
  { connections, jobs, measures }: Core,
  { about, host }: Sought
): Promise<Evidence> {
  const { limits } = measures()
  const job = 'jobId' in about ? jobs.show(about.jobId) : null
  const imei = job?.device.imei ?? ('imei' in about ? about.imei : null)
  const isGatewaySet = (await connections.gateway.status()).state !== 'notSet'
  const [why, reached] = await Promise.all([
    isGatewaySet ? whyNoGateway(context, connections) : null,
    imei === null ? null : reach(context, connections, { imei, address: host })
  ])
  const evidence = await gatherEvidence(context, {
    connections,
    hasGateway: isGatewaySet && why === null,
    reached,
    vehicleId: 'vehicleId' in about ? about.vehicleId : (job?.vehicle?.id ?? null),
    limits
  })
  return why === null ? evidence : { ...evidence, gateway: { ...unanswered, state: 'away', why } }
}

/** Why the gateway does not answer; null when it does, or when its own answer has the reason. */
async function whyNoGateway({ common, signal }: CommandContext, { gateway }: Connections): Promise<Message | null> {
  try {
    await (await gateway.client()).user.own({}, { signal, timeoutMs: common.timeoutMs ?? gatewayTimeoutMs })
    return null
  } catch (error) {
    if (!(error instanceof AppError) || signal.aborted) throw error
    return error.code === 'TIMEOUT' || error.code === 'UNREACHABLE' ? error.sentence : null
  }
}

async function reach(
  context: CommandContext,
  { devices }: Connections,
  { imei, address }: { imei: string; address: string | null }
): Promise<ReachedDevice | MissedDevice> {
  if (address === null)
    return {
      imei,
      failure: new AppError('UNREACHABLE', message('device.noAnswer', { label: imei, operation: 'system.info' }))
    }
  try {
    devices.pick(address, imei)
    return reachedThrough(context, { client: await devices.openVerified(address, imei, context.signal), address, imei })
  } catch (error) {
    if (!(error instanceof AppError) || context.signal.aborted) throw error
    return { imei, failure: error }
  }
}

function wishOf([named, ...more]: string[], { vehicle }: CommandValues): Wish {
  if (more.length > 0 || (named !== undefined && vehicle !== undefined))
    throw usageError(message('terminalBundle.onlyOne'))
  if (vehicle !== undefined) return { vehicleText: requireInput(vehicle, '--vehicle TEXT').trim() }
  const word = requireInput(named, message('terminal.theJob'))
  // A job's id contains neither points nor colons, and is not an IMEI; a host contains one of them, or ends in an IMEI.
  return /[.:]|\d{15}$|^localhost$/.test(word) ? { host: word } : { jobId: word }
}

function holdsOf(without: string | undefined): BundleHolds {
  const names = without === undefined ? [] : without.split(',').map((name) => name.trim())
  const isKnown = names.every((name) => (mayBeLeftOut as readonly string[]).includes(name))
  if (!isKnown) throw usageError(message('terminalBundle.withoutForm', { names: mayBeLeftOut.join(',') }))
  return { photos: !names.includes('photos'), positions: !names.includes('positions'), names: !names.includes('names') }
}

function asShown({ name, kind, bytes, items, from, to }: Manifest['parts'][number]) {
  return { name, kind, bytes, items, from, to }
}
