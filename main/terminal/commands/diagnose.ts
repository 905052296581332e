import { AppError } from '../../../preload/contract/errors.ts'
import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import { isValidImei } from '../../../preload/contract/base/imei.ts'
import { removeHiddenMarks } from '../../../preload/base/messages/hiddenMarks.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Connections } from '../../gateway/accounts/connections.ts'
import { diagnose, type Measures } from '../../support/diagnosis/diagnosis.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { readMeasures, standardMeasures } from '../diagnosisMeasures.ts'
import { tellDiagnosis } from '../output/diagnosisOutput.ts'
import { gatherEvidence, reachedThrough, type MissedDevice, type ReachedDevice } from '../gatherEvidence.ts'
import { requireInput } from '../input/inputs.ts'
import { imeiIn, openDevice } from '../openDevice.ts'
import { usageError } from '../output/usage.ts'

export const runDiagnose: Command = async (context, [host, ...words], values) => {
  if (words.length > 0) throw usageError(message('terminalDiagnose.words', { words: words.join(' ') }))
  const vehicleText = values.vehicle?.trim() ?? ''
  if (values.bundle !== undefined) {
    if (host !== undefined || vehicleText !== '') throw usageError(message('terminalDiagnose.onlyBundle'))
    return diagnoseBundle(context, requireInput(values.bundle, '--bundle FILE'))
  }
  if (host === undefined && vehicleText === '') throw usageError(message('terminalDiagnose.nothingNamed'))
  const measures = readMeasures(context)
  const evidence = await gather(context, host, vehicleText, measures)
  demandSomeAnswer(evidence)
  return tellDiagnosis(context.terminal, evidence, diagnose(evidence, measures))
}

/** The same diagnosis of the evidence in a bundle, with its writer's limits. */
async function diagnoseBundle({ terminal, signal }: CommandContext, file: string): Promise<number> {
  const [{ openBundle }, { seenIn }] = await Promise.all([
    import('../../support/diagnosis/bundles/openBundle.ts'),
    import('../../support/diagnosis/bundles/evidenceIn.ts')
  ])
  const bundle = await openBundle(file, { signal })
  try {
    const seen = await seenIn(bundle, standardMeasures())
    if (!seen) throw new AppError('INVALID_REQUEST', message('bundles.nothingSeen'))
    return tellDiagnosis(terminal, seen.evidence, diagnose(seen.evidence, seen.measures))
  } finally {
    await bundle.close()
  }
}

async function gather(
  context: CommandContext,
  host: string | undefined,
  vehicleText: string,
  { limits }: Measures
): Promise<Evidence> {
  const connections = await context.connections()
  const hasGateway = (await connections.gateway.status()).state !== 'notSet'
  if (vehicleText !== '' && !hasGateway) throw usageError(message('terminal.noGateway'))
  const reached = host === undefined ? null : await reach(context, host, hasGateway)
  try {
    const vehicle =
      vehicleText === ''
        ? null
        : await lookForVehicle(connections, vehicleText, {
            signal: context.signal,
            isDeviceThere: reached !== null && 'door' in reached
          })
    context.terminal.say(message('terminalDiagnose.asking'))
    const evidence = await gatherEvidence(context, {
      connections,
      hasGateway,
      reached,
      vehicleId: vehicle?.id ?? null,
      limits,
      isBrief: true
    })
    if (vehicle === null || vehicle.id !== null) return evidence
    return vehicle.failure
      ? withUnknownVehicle(evidence, vehicleText, vehicle.failure)
      : withoutVehicle(evidence, vehicleText)
  } finally {
    // Its lines are watched until then, even if the gateway could not be asked.
    if (reached !== null && 'close' in reached) reached.close()
  }
}

interface LookedForVehicle {
  /** Null: none is shown, or unknown. */
  id: number | null
  failure: AppError | null
}

/** A failing gateway does not prevent a diagnosis of the connected device. */
async function lookForVehicle(
  connections: Connections,
  text: string,
  { signal, isDeviceThere }: { signal: AbortSignal; isDeviceThere: boolean }
): Promise<LookedForVehicle> {
  try {
    return { ...(await findVehicle(connections, text, signal)), failure: null }
  } catch (error) {
    const isOfGateway = error instanceof AppError && error.code !== 'INVALID_REQUEST' && error.code !== 'CANCELLED'
    if (!isDeviceThere || !isOfGateway || signal.aborted) throw error
    return { id: null, failure: error }
  }
}

/** The meant vehicle is unknown: the one with the device may be a different one. */
function withUnknownVehicle(evidence: Evidence, vehicleText: string, { status, sentence: why }: AppError): Evidence {
  const { gateway } = evidence
  return {
    ...evidence,
    vehicleText,
    gateway: gateway && {
      ...gateway,
      vehicle: null,
      refused: { ...gateway.refused, vehicle: { status: status ?? null, why } }
    }
  }
}

/** A device that cannot be found does not end the command if a gateway can be asked. */
async function reach(
  context: CommandContext,
  host: string,
  hasGateway: boolean
): Promise<ReachedDevice | MissedDevice> {
  const named = imeiIn(host)
  try {
    const { client, address, imei } = await openDevice(context, host)
    return reachedThrough(context, { client, address, imei })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNREACHABLE' || !hasGateway) throw error
    return { imei: named, failure: error }
  }
}

/** The vehicle for the words: without a single match the person is asked; `id` null: none is shown. */
export async function findVehicle(
  connections: Connections,
  given: string,
  signal: AbortSignal
): Promise<{ id: number | null }> {
  const text = removeHiddenMarks(given).trim()
  const carrier = isValidImei(text) ? await connections.installation.findVehicleOfDevice(text, signal) : null
  if (carrier) return { id: carrier.id }
  const found = await connections.installation.findExact('vehicle', text, signal)
  if (found.kind === 'one') return { id: found.entity.id }
  const names = found.similar
    .slice(0, 5)
    .map(({ id, name, plate }) => `${name}${plate === null ? '' : `, ${plate}`} (${id})`)
  if (found.kind === 'several') throw usageError(message('terminalDiagnose.several', { text, names }))
  if (found.kind === 'notAllSeen') throw usageError(message('vehicle.notAllSeen', { text }))
  if (names.length > 0) throw usageError(message('vehicle.similar', { text, names }))
  return { id: null }
}

/** The person asked for a hidden vehicle, whichever other one has the device. */
function withoutVehicle(evidence: Evidence, vehicleText: string): Evidence {
  const { gateway } = evidence
  if (gateway === null) return { ...evidence, vehicleText }
  const carrier = gateway.vehicle?.value
  const readAt = gateway.vehicle?.readAt ?? evidence.at
  return {
    ...evidence,
    vehicleText,
    gateway: {
      ...gateway,
      vehicle: { value: null, readAt },
      elsewhere: carrier
        ? { value: { id: carrier.id, name: carrier.name, plate: carrier.plate }, readAt }
        : gateway.elsewhere
    }
  }
}

/** Without any answer there is nothing to diagnose. */
function demandSomeAnswer({ device, gateway }: Evidence): void {
  if (device?.state === 'another') throw new AppError('WRONG_DEVICE', device.why ?? message('device.hidesName'))
  const isGatewayThere = gateway !== null && (gateway.state === 'answers' || gateway.state === 'notShown')
  if (device?.state === 'answers' || isGatewayThere) return
  if (device !== null)
    throw new AppError(
      device.state === 'locked' ? 'NOT_AUTHENTICATED' : 'UNREACHABLE',
      device.why ?? message('chain.notAsked'),
      { retryable: device.state !== 'locked' }
    )
  throw new AppError(
    gateway?.state === 'signedOut' ? 'NOT_AUTHENTICATED' : 'UNREACHABLE',
    gateway?.why ?? message('gateway.away'),
    { retryable: gateway?.state !== 'signedOut' }
  )
}
