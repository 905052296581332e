import { version } from '../../app/version.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { GatewayEvidence } from '../../../preload/contract/support/evidence.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Snapshot } from '../../../preload/contract/support/snapshots.ts'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import type { Connections } from '../../gateway/accounts/connections.ts'
import { createGatewayWitness } from '../../support/diagnosis/gatewayWitness.ts'
import { areasOf } from '../../support/diagnosis/snapshots/areas.ts'
import { mostSnapshotBytes, readSnapshot, writeSnapshot } from '../../support/diagnosis/snapshots/fileForm.ts'
import { gatherSnapshot } from '../../support/diagnosis/snapshots/gather.ts'
import { makeSnapshot } from '../../support/diagnosis/snapshots/make.ts'
import { invokeDevice } from '../../device/client/operations.ts'
import { createDiagnosisGateway } from '../../gateway/client/diagnosisGateway.ts'
import { sha256Hex } from '../../data/store/jobs/seal.ts'
import type { Command, CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { deviceTimeoutMs, openDevice, type OpenedDevice } from '../openDevice.ts'
import { readBounded } from '../input/readBounded.ts'
import { usageError } from '../output/usage.ts'
import { assertIsNew, writeNew } from '../output/writeNew.ts'
import { tellComparison } from '../output/snapshotOutput.ts'

const gatewayWaitMs = 6_000

/** `snapshot HOST --out FILE`, `snapshot diff A B`. */
export const runSnapshot: Command = async (context, [first, ...rest], values) => {
  if (first === 'diff') return compare(context, rest, values)
  if (rest.length > 0) throw usageError(message('terminalSnapshot.words', { words: rest.join(' ') }))
  return take(context, requireInput(first, message('terminal.theDevice')), requireInput(values.out, '--out FILE'))
}

async function take(context: CommandContext, host: string, file: string): Promise<number> {
  const { terminal, common, signal } = context
  assertIsNew(file)
  const connections = await context.connections()
  const opened = await openDevice(context, host)
  const name = await whoAnswers(context, opened)
  const imei = opened.imei ?? name?.imei ?? null
  const gathered = await gatherSnapshot(
    {
      imei,
      ask: (operation, options) => invokeDevice(opened.client, operation, {}, options),
      heard: () => undefined,
      askGateway: () => askGateway(connections, imei, (error) => void context.faulted(error)),
      redact: <T>(value: T) => connections.redactor.json(value) as T,
      freshMs: 0,
      atOnce: 4,
      timeoutMs: common.timeoutMs ?? deviceTimeoutMs,
      wholeMs: 20_000,
      progress: (done, total) => terminal.say(message('terminalSnapshot.reading', { done, total })),
      now: () => Date.now()
    },
    signal
  )
  const device = { imei, model: name?.model ?? null, host: opened.address }
  const snapshot = makeSnapshot({
    gathered,
    cause: 'person',
    jobId: null,
    by: '',
    device,
    vehicle: null,
    fitterVersion: version
  })
  const bytes = Buffer.from(writeSnapshot(snapshot), 'utf8')
  writeNew(file, bytes)
  return tellTaken(context, snapshot, { file, sha256: sha256Hex(bytes), sizeBytes: bytes.length })
}

/** The device of the future snapshot; null when it does not report its identity. */
async function whoAnswers(
  { signal, common }: CommandContext,
  { client }: OpenedDevice
): Promise<{ imei: string; model: string } | null> {
  try {
    const { value } = await client.system.info({ signal, timeoutMs: common.timeoutMs ?? deviceTimeoutMs })
    return parseDeviceName(value.hostname ?? '') ?? null
  } catch (error) {
    const isAboutThisAnswer =
      error instanceof AppError && ['UNREADABLE', 'NOT_FOUND', 'SERVER_ERROR', 'TIMEOUT'].includes(error.code)
    if (isAboutThisAnswer) return null
    throw error
  }
}

async function askGateway(
  connections: Connections,
  imei: string | null,
  fault: (error: unknown) => void
): Promise<GatewayEvidence | null> {
  const { state } = await connections.gateway.status()
  if (imei === null || state === 'notSet') return null
  const witness = createGatewayWitness(
    createDiagnosisGateway(() => connections.gateway.client()),
    fault
  )
  try {
    const { evidence } = await witness.look({ imei, vehicleId: null, simId: undefined }, gatewayWaitMs)
    return evidence.state === 'asking' ? null : evidence
  } finally {
    witness.stop()
  }
}

function tellTaken(
  { terminal }: CommandContext,
  { takenAt, device, vehicle, readings, gateway }: Snapshot,
  written: { file: string; sha256: string; sizeBytes: number }
): number {
  const areas = areasOf(readings)
  const silent = Object.values(readings).filter(({ value }) => value === null)
  terminal.result(
    { ...written, takenAt, device, vehicle, areas, gateway: gateway && { state: gateway.state, why: gateway.why } },
    message('terminalSnapshot.written', {
      file: written.file,
      imei: device.imei ?? device.host,
      asked: Object.keys(readings).length,
      silent: silent.length,
      sha256: written.sha256
    })
  )
  for (const [area, { problems }] of Object.entries(areas))
    for (const problem of problems) terminal.say(message('terminalSnapshot.problem', { area, problem }))
  return silent.length > 0 ? exitCodes.attention : exitCodes.done
}

function compare(context: CommandContext, [a, b, ...more]: string[], values: CommandValues): Promise<number> {
  if (more.length > 0) throw usageError(message('terminalSnapshot.twoFiles'))
  const [before, after] = [a, b].map((name) => readFile(requireInput(name, message('terminalSnapshot.twoFiles'))))
  if (before && after) tellComparison(context.terminal, { before, after, all: values.all ?? false })
  return Promise.resolve(exitCodes.done)
}

function readFile(name: string): Snapshot {
  const read = readSnapshot(readBounded(name, mostSnapshotBytes).toString('utf8'))
  if (read.outcome !== 'read')
    throw new AppError('INVALID_REQUEST', message('terminalSnapshot.refused', { file: name, why: read.why }))
  return read.snapshot
}
