import type { BundleAbout, BundleHolds } from '../../../preload/contract/bundles.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Evidence } from '../../../preload/contract/evidence.ts'
import type { Job } from '../../../preload/contract/jobs.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Core } from '../../app/core.ts'
import { createFaultLog } from '../../app/faultLog.ts'
import { createTerminalHandlers } from '../../app/router.ts'
import type { Manifest } from '../../diagnosis/bundles/format.ts'
import type { Command, CommandValues } from '../command.ts'
import type { Connections } from '../../connections/connections.ts'
import type { CommandContext } from '../context.ts'
import { gatherEvidence, reachedThrough, type MissedDevice, type ReachedDevice } from '../gatherEvidence.ts'
import { exitCodes } from '../exitCodes.ts'
import { required } from '../inputs.ts'
import { usageError } from '../usage.ts'

const mayBeLeftOut = ['photos', 'positions', 'names'] as const

/** `bundle JOB --out FILE [--without photos,positions,names]`, or of a vehicle without any job: `bundle --vehicle ID --out FILE`. */
export const runBundle: Command = async (context, rest, values) => {
  const about = aboutOf(rest, values)
  const file = required(values.out, '--out FILE')
  const holds = holdsOf(values.without)
  const core = await context.core()
  const { dataFolder } = context.common
  createTerminalHandlers(core, { dataFolder, reportFault: createFaultLog(dataFolder, (text) => core.connections.redactor.text(text)) })
  context.terminal.say(message('terminalBundle.asks'))
  const { subject, parts, masked, writtenAt } = await core.bundles.write({ about, holds, file, evidence: () => evidenceOf(context, core, about) }, context.signal)
  const photos = parts.filter(({ kind }) => kind === 'photo').length
  context.terminal.result(
    { file, writtenAt, subject, holds, masked, parts: parts.map(asShown) },
    message('terminalBundle.written', { file, parts: parts.length, photos, secrets: masked.secrets, positions: masked.positions, names: masked.names })
  )
  return exitCodes.done
}

/** Of the job's device where it is found at the place where it was last, and of the gateway. */
async function evidenceOf(context: CommandContext, core: Core, about: BundleAbout): Promise<Evidence> {
  const { connections } = core
  const hasGateway = (await connections.gateway.status()).state !== 'notSet'
  const { limits } = core.measures()
  if (!('jobId' in about)) return gatherEvidence(context, { connections, hasGateway, reached: null, vehicleId: 'vehicleId' in about ? about.vehicleId : null, limits })
  const { device, vehicle } = core.jobs.show(about.jobId)
  return gatherEvidence(context, { connections, hasGateway, reached: await reach(context, connections, device), vehicleId: vehicle?.id ?? null, limits })
}

async function reach(context: CommandContext, { devices }: Connections, { imei, address }: Job['device']): Promise<ReachedDevice | MissedDevice> {
  try {
    devices.pick(address, imei)
    return reachedThrough(context, { client: await devices.openVerified(address, imei, context.signal), address, imei })
  } catch (error) {
    if (!(error instanceof AppError) || context.signal.aborted) throw error
    return { imei, failure: error }
  }
}

function aboutOf([jobId, ...more]: string[], { vehicle }: CommandValues): BundleAbout {
  if (more.length > 0) throw usageError(message('terminalBundle.oneJob'))
  if (vehicle === undefined) return { jobId: required(jobId, message('terminal.theJob')) }
  if (jobId !== undefined || !/^\d{1,15}$/.test(vehicle)) throw usageError(message('terminalBundle.vehicleById'))
  return { vehicleId: Number(vehicle) }
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
