import type { CallParsed, CallOutput } from '../../../preload/contract/index.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import { createAccessoryViews } from '../../gateway/client/accessories/accessoryView.ts'
import { createAccessoryWork } from '../../gateway/client/accessories/accessoryWork.ts'
import { eventMs } from '../../gateway/client/decoders/eventTimes.ts'
import { createEventReader, type EventReader } from '../../gateway/client/events/eventReader.ts'
import { csvFile } from '../../../preload/base/messages/csvFile.ts'
import { bareMac } from '../../../preload/base/messages/hiddenMarks.ts'
import { createRawdataTables } from '../../gateway/client/events/rawdataTable.ts'
import { nullIfUnreadable } from '../../gateway/client/transport/orNull.ts'
import { readJourneys } from '../../gateway/client/vehicles/journeys.ts'
import type { GatewayClient } from '../../gateway/client/client.ts'
import type { TagReading } from '../../../preload/contract/gateway/accessories.ts'
import { createPhotoReader, readPicture } from '../../gateway/client/accessories/photoReader.ts'
import { createRemoteCommands } from '../../gateway/client/accessories/remoteCommands.ts'
import type { Connections } from '../../gateway/accounts/connections.ts'
import type { Copies } from '../../gateway/localCopy/copies.ts'
import type { Operations } from '../../gateway/waitingWork/engine.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { Store } from '../../data/store/index.ts'
import { createAccessoryOperations } from './accessoryOperations.ts'
import { startTagTrial, startTapTrial } from './identityTrials.ts'
import { sendNavJob, sendNavMessage, setNavMode } from './navUnit.ts'
import { capturePhoto } from './photoCapture.ts'
import type { AccessoryGateway, CommandLog, JobLog } from './ports.ts'
import { createAccessoryTrials } from './trials.ts'
import { createTriggerWork } from './triggers.ts'
import { AppError } from '../../../preload/contract/errors.ts'

export interface AccessoryParts {
  store: Pick<Store, 'deviceWrites' | 'settings'>
  connections: Connections
  copies: Copies
  operations: Operations
  jobs: JobLog
  outputs: Outputs
  events: Teller
  /** Starts sending new operations; nobody waits for it. */
  sendSoon(): void
  reportFault(error: unknown): void
}

const dayMs = 86_400_000
const hourMs = 3_600_000

export function createAccessories({
  store,
  connections,
  copies,
  operations,
  jobs,
  outputs,
  events,
  sendSoon,
  reportFault
}: AccessoryParts) {
  const client = () => connections.gateway.client()
  const reader = createEventReader(client)
  const work = createAccessoryWork(client)
  const views = createAccessoryViews(client, reader)
  const photos = createPhotoReader(client)
  const commands = createRemoteCommands(client)
  const tests = createAccessoryTrials({ changed: (test) => events.tell('accessories.test', test), reportFault })
  const gateway: AccessoryGateway = {
    nowMs: reader.nowMs,
    readEvents: reader.read,
    eventMs,
    readTags: views.readTags,
    readView: (vehicleId, signal) => views.read(vehicleId, signal, 'person'),
    deviceOf: views.deviceOf,
    readLines: views.readLines,
    findLink: (vehicleId, assetId, request) => connections.installation.findLink(vehicleId, assetId, request),
    photos,
    commands
  }
  const log: CommandLog = {
    begin: ({ imei, operation, input }) =>
      store.deviceWrites.begin({
        imei,
        at: new Date().toISOString(),
        operation,
        input,
        by: store.settings.get().technician,
        jobId: jobs.jobOf(imei)
      }),
    end: (id, outcome, detail, answer) =>
      store.deviceWrites.end(id, { outcome, detail, answer, at: new Date().toISOString() })
  }
  const parts = { gateway, tests, live: operations }
  outputs.gateway.serve({ gateway, waits: tests, log })
  const tables = createEventTables(client, reader)

  return {
    tests,
    ...createAccessoryOperations(operations, copies, sendSoon),
    ...createTriggerWork({ client, copies, gateway, reader, tests, operations, sendSoon }),
    keys: (signal: AbortSignal) => listKeys(client, signal),
    read: (vehicleId: number, signal: AbortSignal) => views.read(vehicleId, signal),
    photos,
    tables,
    async readTags(vehicleId: number, hours: number, signal: AbortSignal) {
      const tags = await views.readTags(vehicleId, (await reader.nowMs()) - hours * hourMs, signal)
      return nameAssets(tags, (assetId) => work.nameOfAsset(assetId, signal))
    },
    startTapTest: (input: CallParsed<'accessories.startTapTest'>, signal: AbortSignal) =>
      startTapTrial(parts, input, signal),
    startTagTest: (input: CallParsed<'accessories.startTagTest'>) =>
      startTagTrial(parts, { ...input, mac: bareMac(input.mac) }),
    capture: (input: CallParsed<'photos.capture'>, signal: AbortSignal) => capturePhoto(parts, input, signal),
    keepPhoto: (input: CallParsed<'photos.keep'>) => keepPhoto(jobs, input),
    async setOutput(input: CallParsed<'remoteOutputs.set'>, signal: AbortSignal) {
      // "Off" waits for nothing, not even for the name.
      const test = input.on ? undefined : outputs.gateway.set(input, signal)
      const known = await copies.get('vehicles', input.vehicleId)
      if (known) outputs.gateway.nameVehicle(input.vehicleId, known.record.name)
      return test ?? outputs.gateway.set(input, signal)
    },
    async outputStory(vehicleId: number, signal: AbortSignal) {
      const [view, entries] = await Promise.all([views.read(vehicleId, signal), commands.outputLog(vehicleId, signal)])
      const { gatewayHoldMs, gatewayExpiresS, gatewayMostOnS } = outputs.limits()
      return {
        conditions: outputs.gateway.conditions(view, vehicleId, await reader.nowMs()),
        lines: view.lines.filter(({ kind }) => kind !== 'input' && kind !== 'expanderInput'),
        linesAt: view.linesAt,
        log: entries.slice(0, 50),
        knownTypes: [...new Set(['e', ...entries.map(({ otype }) => otype).filter((otype) => otype !== null)])],
        holdMs: gatewayHoldMs,
        expiresS: gatewayExpiresS,
        mostOnS: gatewayMostOnS,
        readAt: view.readAt
      }
    },
    navState: (vehicleId: number, signal: AbortSignal) => commands.navState(vehicleId, signal),
    setNavMode: (input: CallParsed<'navUnit.setMode'>, signal: AbortSignal) => setNavMode(parts, input, signal),
    sendNavMessage: (input: CallParsed<'navUnit.sendMessage'>, signal: AbortSignal) =>
      sendNavMessage(parts, input, signal),
    sendNavJob: (input: CallParsed<'navUnit.sendJob'>, signal: AbortSignal) => sendNavJob(parts, input, signal),
    async navMessages(vehicleId: number, days: number, signal: AbortSignal) {
      const from = new Date((await reader.nowMs()) - days * dayMs).toISOString().slice(0, 10)
      return { ...(await commands.navMessages(vehicleId, from, signal)), readAt: new Date().toISOString() }
    },
    stop: () => tests.close()
  }
}

export type Accessories = ReturnType<typeof createAccessories>

/** Stores a picture of the vehicle's camera with a job: the picture, its time and its position. */
async function keepPhoto(
  jobs: JobLog,
  { jobId, photo, latitude, longitude }: CallParsed<'photos.keep'>
): Promise<CallOutput<'photos.keep'>> {
  const { bytes } = readPicture(photo.base64)
  const kept = await jobs.attach(jobId, null, {
    bytes,
    purpose: 'cameraView',
    source: 'vehicleCamera',
    takenAt: photo.takenAt,
    latitude,
    longitude,
    placeSource: 'gateway'
  })
  if (kept.outcome === 'refused') throw new AppError('INVALID_REQUEST', kept.reason)
  return { sha256: kept.attachment.sha256 }
}

/** Keys with the names of their owners; null when the gateway does not show them. */
async function listKeys(
  client: () => Promise<GatewayClient>,
  signal: AbortSignal
): Promise<CallOutput<'accessories.keys'>> {
  const site = await client()
  const { value, problems, readAt } = await site.ibuttons.list({}, { signal, priority: 'person' })
  // The document only implies the list of assets: without it the keys show the asset's number.
  const assets = await site.assets
    .list({ select: ['id', 'name'], set: 1_000 }, { signal, priority: 'person' })
    .catch(nullIfUnreadable)
  const names = new Map(
    assets?.value.data?.flatMap(({ id, name }) => (id !== undefined && name !== undefined ? [[id, name]] : []))
  )
  const keys = (value.data ?? []).flatMap((key) => {
    const assetId = key.entity ?? null
    return key.id === undefined
      ? []
      : [{ id: key.id, assetId, assetName: assetId === null ? null : (names.get(assetId) ?? null) }]
  })
  return { keys, readAt, problems }
}

/** Tags with the names of their assets. Each asset is requested once; null when the gateway does not show it. */
async function nameAssets(
  tags: readonly TagReading[],
  nameOf: (assetId: number) => Promise<string | null>
): Promise<(TagReading & { assetName: string | null })[]> {
  const ids = new Set(tags.flatMap(({ assetId }) => assetId ?? []))
  const names = new Map(
    await Promise.all([...ids].map(async (id) => [id, await nameOf(id).catch(nullIfUnreadable)] as const))
  )
  return tags.map((tag) => ({ ...tag, assetName: tag.assetId === null ? null : (names.get(tag.assetId) ?? null) }))
}

function createEventTables(client: () => Promise<GatewayClient>, reader: EventReader) {
  const tables = createRawdataTables(client, reader)
  return {
    ...tables,
    async fields(signal: AbortSignal): Promise<CallOutput<'rawdata.fields'>> {
      const fields = await reader.catalogue(signal)
      const groups = new Set(fields.map(({ group }) => group).filter((group) => group !== ''))
      return { fields, sets: [...groups].map((group) => `$${group}`), readAt: new Date().toISOString() }
    },
    journeys: async (vehicleId: number, sinceDays: number, signal: AbortSignal) =>
      readJourneys(client, { vehicleId, sinceDays, nowMs: await reader.nowMs() }, signal),
    async exportEvents(
      question: CallParsed<'rawdata.export'>,
      signal: AbortSignal
    ): Promise<CallOutput<'rawdata.export'>> {
      const table = await tables.query(question, signal)
      const fileName = `events-${question.vehicleId}-${question.from.slice(0, 10)}-${question.to.slice(0, 10)}.csv`
      return {
        fileName,
        mediaType: 'text/csv',
        base64: Buffer.from(csvFile([table.columns, ...table.rows])).toString('base64'),
        rows: table.rows.length
      }
    }
  }
}
