import { ulid } from 'ulid'
import type { Json } from '../../preload/contract/define.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { Message } from '../../preload/contract/messages.ts'
import type { CallOutput, CallParsed } from '../../preload/contract/index.ts'
import { provokeTrigger } from './triggerTest.ts'
import { startTagTest, startTapTest } from './identityTests.ts'
import { sendOnce, setNavMode } from './navUnit.ts'
import { capturePhoto } from './photoCapture.ts'
import type { AccessoryGateway, CommandLog } from './ports.ts'
import { createWaits } from './waits.ts'
import type { Teller } from '../../preload/contract/events.ts'
import { createAccessoryViews, bareMac } from '../gateway/accessoryView.ts'
import { createAccessoryWork, type AccessoryWork } from '../gateway/accessoryWork.ts'
import { checkTrigger, evaluateTrigger, type TriggerConditions } from '../gateway/decoders/trigger.ts'
import { describeTrigger } from '../gateway/decoders/triggerText.ts'
import { createEventReader, eventMs } from '../gateway/eventReader.ts'
import { readJourneys } from '../gateway/journeys.ts'
import { createPhotoReader, readPicture } from '../gateway/photoReader.ts'
import { createRawdataTables, writeEventCsv } from '../gateway/rawdataTable.ts'
import { createRemoteCommands } from '../gateway/remoteCommands.ts'
import { createTriggerReader } from '../gateway/triggerReader.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { createGatewayOutputs } from '../outputs/gatewayOutputs.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { Operations } from '../operations/engine.ts'
import type { OperationKind } from '../operations/kind.ts'
import { assetsCreate, assetsCreateKind, assetTitle } from '../operations/kinds/assetsCreate.ts'
import { btTagKey, btTagsAssign, btTagsAssignKind, btTagTitle } from '../operations/kinds/btTagsAssign.ts'
import { geofencesCreate, geofencesCreateKind, geofenceTitle } from '../operations/kinds/geofencesCreate.ts'
import { ibuttonKey, ibuttonsCreate, ibuttonsCreateKind, ibuttonTitle } from '../operations/kinds/ibuttonsCreate.ts'
import { simKey, simsUpdate, simsUpdateKind, simTitle } from '../operations/kinds/simsUpdate.ts'
import { triggersCreate, triggersCreateKind, triggerTitle } from '../operations/kinds/triggersCreate.ts'
import type { Connections } from '../connections/connections.ts'
import type { Store } from '../store/index.ts'

/** Kinds of gateway work that accessories need. */
export function accessoryKinds(connections: Connections): OperationKind[] {
  const work: AccessoryWork = createAccessoryWork(() => connections.gateway.client())
  return [
    ibuttonsCreate({ ...work, findExact: connections.installation.findExact }),
    btTagsAssign(work),
    simsUpdate(work),
    assetsCreate(work.assets),
    triggersCreate(work.triggers),
    geofencesCreate(work.fences)
  ] as OperationKind[]
}

export interface AccessoryDeskParts {
  store: Store
  connections: Connections
  operations: Operations
  jobs: Jobs
  outputs: Outputs
  events: Teller
  /** Sends what was just added, without anybody waiting for it. */
  sendSoon(): void
  reportFault(error: unknown): void
}

/** Larger pictures stay at the gateway; the job keeps their hash. */
const largestKeptBytes = 60_000

/** The accessory work of an installation, at the gateway. */
export function createAccessoryDesk({ store, connections, operations, jobs, outputs, events, sendSoon, reportFault }: AccessoryDeskParts) {
  const client = () => connections.gateway.client()
  const reader = createEventReader(client)
  const views = createAccessoryViews(client, reader)
  const photos = createPhotoReader(client)
  const commands = createRemoteCommands(client)
  const triggers = createTriggerReader(client)
  const tables = createRawdataTables(client, reader)
  const waits = createWaits({ changed: (test) => events.tell('accessories.test', test), reportFault })
  const gateway: AccessoryGateway = {
    nowMs: reader.nowMs,
    readEvents: reader.read,
    eventMs,
    readTags: views.readTags,
    readView: views.read,
    deviceOf: views.deviceOf,
    readLines: views.readLines,
    findLink: (vehicleId, assetId, request) => connections.installation.findLink(vehicleId, assetId, request),
    photos,
    commands,
  }
  const log: CommandLog = {
    begin: ({ imei, operation, input }) =>
      store.deviceWrites.begin({ imei, at: new Date().toISOString(), operation, input, by: store.settings.get().technician, jobId: jobs.jobOf(imei) }),
    end: (id, outcome, detail, answer) => store.deviceWrites.end(id, { outcome, detail, answer, at: new Date().toISOString() })
  }
  const parts = { gateway, waits, log }
  const gatewayOutputs = createGatewayOutputs({ ...parts, ledger: outputs.gateway })
  outputs.gateway.serve(async ({ vehicleId, otype, out }, signal) => {
    const test = await gatewayOutputs.set({ vehicleId, otype, out, on: false }, signal)
    await waits.ended(test.id)
  })

  function add(work: { kind: string; key: string; title: Message; payload: Json; jobId: string | null; draft?: boolean }): { operationId: string } {
    const { id } = operations.add({ draft: false, ...work })
    sendSoon()
    return { operationId: id }
  }

  async function keys(signal: AbortSignal): Promise<CallOutput<'accessories.keys'>> {
    const site = await client()
    const { value, problems, readAt } = await site.ibuttons.list({}, { signal, priority: 'person' })
    const names = new Map<number, string>()
    try {
      const assets = await site.assets.list({ select: ['id', 'name'], set: 1_000 }, { signal, priority: 'person' })
      for (const { id, name } of assets.value.data ?? []) if (id !== undefined && name !== undefined) names.set(id, name)
    } catch (error) {
      // The list of assets is only implied by the document: the keys then show the asset's number.
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    }
    const list = (value.data ?? []).flatMap((key) => {
      const assetId = key.entity ?? null
      return key.id === undefined ? [] : [{ id: key.id, assetId, assetName: assetId === null ? null : (names.get(assetId) ?? null) }]
    })
    return { keys: list, readAt, problems }
  }

  async function outputStory(vehicleId: number, signal: AbortSignal): Promise<CallOutput<'remoteOutputs.story'>> {
    const [view, entries] = await Promise.all([views.read(vehicleId, signal), commands.outputLog(vehicleId, signal)])
    return {
      conditions: gatewayOutputs.conditions(view, vehicleId, await reader.nowMs()),
      lines: view.lines.filter(({ kind }) => kind !== 'input' && kind !== 'expanderInput'),
      linesAt: view.linesAt,
      log: entries.slice(0, 50),
      knownTypes: [...new Set(['e', ...entries.map(({ otype }) => otype).filter((otype) => otype !== null)])],
      readAt: view.readAt
    }
  }

  async function provoke(input: CallParsed<'triggers.provoke'>, signal: AbortSignal) {
    const conditions: TriggerConditions = { rules: input.rules, postfix: input.postfix }
    refuseBroken(conditions)
    const needsFences = input.rules.some(({ operator }) => operator.endsWith('_fence'))
    const fences = needsFences ? (await triggers.fences(signal)).fences : []
    const keys = [...new Set(input.rules.flatMap(({ key, operator }) => (operator.endsWith('_fence') ? ['lat', 'lon'] : [key])))]
    return provokeTrigger(parts, input, { keys, evaluate: (event, before) => evaluateTrigger(conditions, event, before, fences) })
  }

  async function describeConditions(conditions: TriggerConditions, signal: AbortSignal) {
    const needsFences = conditions.rules.some(({ operator }) => operator.endsWith('_fence'))
    const names = needsFences ? new Map((await triggers.fences(signal)).fences.map(({ id, name }) => [id, name])) : new Map<number, string>()
    return { textEn: describeTrigger(conditions, 'en', names), textEs: describeTrigger(conditions, 'es', names), problems: checkTrigger(conditions) }
  }

  function createTrigger({ emails, vehicleId, name, timezone, rules, postfix }: CallParsed<'triggers.create'>) {
    refuseBroken({ rules, postfix })
    const ref = `ref:${ulid()}`
    const payload = { name, timezone, vehicleId, rules, postfix, emails, ref }
    return add({ kind: triggersCreateKind, key: `trigger:${ref}`, title: triggerTitle({ name }), payload, jobId: null })
  }

  async function sendMessage({ vehicleId, type, text }: CallParsed<'navUnit.sendMessage'>, signal: AbortSignal) {
    await refuseWhenOff(vehicleId, signal)
    const [startMs, user] = await Promise.all([reader.nowMs(), commands.userName()])
    const isThere = async (): Promise<boolean> => {
      const { messages } = await commands.navMessages(vehicleId, new Date(startMs - 86_400_000).toISOString().slice(0, 10), signal)
      return messages.some((one) => one.text === text && (user === null || one.user === user) && one.at !== null && Date.parse(one.at) >= startMs - 2_000)
    }
    return sendOnce(() => commands.sendNavMessage(vehicleId, { mtype: type, message: text }, signal), isThere)
  }

  async function sendJob({ vehicleId, text, latitude, longitude }: CallParsed<'navUnit.sendJob'>, signal: AbortSignal) {
    await refuseWhenOff(vehicleId, signal)
    return sendOnce(() => commands.sendNavJob(vehicleId, { message: text, flat: latitude, flon: longitude }, signal), null)
  }

  async function refuseWhenOff(vehicleId: number, signal: AbortSignal): Promise<void> {
    const { isOnline } = await commands.navState(vehicleId, signal)
    if (isOnline === false) throw new AppError('REFUSED', 'The mode of the navigation unit is off. Switch it on first, then send.')
  }

  function keepPhoto({ jobId, vehicleId, photo, latitude, longitude }: CallParsed<'photos.keep'>): CallOutput<'photos.keep'> {
    const { bytes, sha256 } = readPicture(photo.base64)
    const isPictureKept = bytes.length <= largestKeptBytes
    const facts = { sha256, sizeBytes: bytes.length, photoId: photo.photoId, source: photo.source, takenAt: photo.takenAt, latitude, longitude }
    jobs.recordWrite(jobId, {
      phase: 'readBack',
      operation: 'photocam.photo',
      input: { vehicleId },
      what: `Photo ${photo.photoId ?? ''} of the camera, taken ${photo.takenAt ?? 'at an unknown time'}, SHA-256 ${sha256.slice(0, 16)}…`,
      raw: { ...facts, ...(isPictureKept ? { base64: photo.base64 } : {}) }
    })
    return { sha256, isPictureKept }
  }

  return {
    waits,
    keys,
    outputStory,
    provoke,
    describeConditions,
    createTrigger,
    sendMessage,
    sendJob,
    keepPhoto,
    read: views.read,
    photos,
    tables,
    triggers,
    readTags: async (vehicleId: number, hours: number, signal: AbortSignal) =>
      views.readTags(vehicleId, (await reader.nowMs()) - hours * 3_600_000, signal),
    fields: (signal: AbortSignal) => reader.catalogue(signal),
    registerKey({ id, assetId, assetName, jobId }: CallParsed<'accessories.registerKey'>) {
      const payload = { id, assetId, assetName }
      return add({ kind: ibuttonsCreateKind, key: ibuttonKey(id), title: ibuttonTitle(payload), payload, jobId })
    },
    createAsset({ name, type, groups, jobId }: CallParsed<'accessories.createAsset'>) {
      const ref = `ref:${ulid()}`
      return add({ kind: assetsCreateKind, key: `asset:${ref}`, title: assetTitle({ name, type }), payload: { name, type, groups, ref }, jobId })
    },
    assignTag({ mac, assetId, assetName, jobId }: CallParsed<'accessories.assignTag'>) {
      const payload = { mac: bareMac(mac), assetId, assetName }
      return { ...add({ kind: btTagsAssignKind, key: btTagKey(payload.mac), title: btTagTitle(payload), payload, jobId }), mac: payload.mac }
    },
    setSimNumber({ iccid, lineNumber, jobId }: CallParsed<'accessories.setSimNumber'>) {
      const payload = { iccid, resourceId: null, lineNumber }
      return add({ kind: simsUpdateKind, key: simKey(iccid), title: simTitle(payload), payload, jobId, draft: true })
    },
    createFence({ name, latitude, longitude, radiusM }: CallParsed<'triggers.createFence'>) {
      const ref = `ref:${ulid()}`
      return add({ kind: geofencesCreateKind, key: `fence:${ref}`, title: geofenceTitle({ name, radiusM }), payload: { name, latitude, longitude, radiusM, ref }, jobId: null })
    },
    startTapTest: (input: CallParsed<'accessories.startTapTest'>, signal: AbortSignal) => startTapTest(parts, input, signal),
    startTagTest: (input: CallParsed<'accessories.startTagTest'>) => startTagTest(parts, { ...input, mac: bareMac(input.mac) }),
    capture: (input: CallParsed<'photos.capture'>, signal: AbortSignal) => capturePhoto(parts, input, signal),
    setOutput: (input: CallParsed<'remoteOutputs.set'>, signal: AbortSignal) => gatewayOutputs.set(input, signal),
    navState: (vehicleId: number, signal: AbortSignal) => commands.navState(vehicleId, signal),
    setNavMode: (vehicleId: number, on: boolean, signal: AbortSignal) => setNavMode(gateway, vehicleId, on, signal),
    async navMessages(vehicleId: number, days: number, signal: AbortSignal) {
      const from = new Date((await reader.nowMs()) - days * 86_400_000).toISOString().slice(0, 10)
      return { ...(await commands.navMessages(vehicleId, from, signal)), readAt: new Date().toISOString() }
    },
    journeys: async (vehicleId: number, sinceDays: number, signal: AbortSignal) =>
      readJourneys(client, { vehicleId, sinceDays, nowMs: await reader.nowMs() }, signal),
    async exportEvents(question: CallParsed<'rawdata.export'>, signal: AbortSignal): Promise<CallOutput<'rawdata.export'>> {
      const table = await tables.query(question, signal)
      const fileName = `events-${question.vehicleId}-${question.from.slice(0, 10)}-${question.to.slice(0, 10)}.csv`
      return { fileName, mediaType: 'text/csv', base64: Buffer.from(`\uFEFF${writeEventCsv(table)}`).toString('base64'), rows: table.rows.length }
    },
    stop: () => waits.close()
  }
}

export type AccessoryDesk = ReturnType<typeof createAccessoryDesk>

function refuseBroken(conditions: TriggerConditions): void {
  const problems = checkTrigger(conditions)
  if (problems.length > 0) throw new AppError('INVALID_REQUEST', problems.join(' '))
}
