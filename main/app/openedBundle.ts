import fs from 'node:fs'
import type { Evidence } from '../../preload/contract/support/evidence.ts'
import { snapshotFile } from '../../preload/contract/support/snapshots.ts'
import type { ShownBundle } from '../../preload/contract/support/openedBundle.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { calls, type CallName, type CallOutput, type CallParsed, type Handlers } from '../../preload/contract/index.ts'
import { recordedEvents } from '../support/bundleViewer/record.ts'
import { createAnswers, type Answers } from '../support/bundleViewer/bundleAnswers.ts'
import type { CabBundle } from '../support/bundleViewer/bundle.ts'
import type { BundleViewerCalls } from '../support/bundleViewer/handlers.ts'
import { makeBundleFolder, openBundleFolder } from '../support/bundleViewer/folder.ts'
import { notInBundle, onlyLookedAt } from '../support/bundleViewer/refusals.ts'
import { createFileAnswers, type FileAnswers } from '../support/bundleViewer/fileAnswers.ts'
import { callSources } from '../support/bundleViewer/callSources.ts'
import { measuresIn } from '../support/diagnosis/bundles/evidenceIn.ts'
import { evidenceOf } from '../support/diagnosis/snapshots/evidence.ts'
import { isDamage } from '../data/store/file/errors.ts'
import { createBundleEvents } from '../gateway/events/bundleSource.ts'
import type { EventSource } from '../gateway/events/source.ts'
import { createCore } from './core.ts'
import { createHandlers, type HandlerParts } from './router.ts'

export interface OpenedBundleOptions {
  bundle: CabBundle
  /** The folder below which it creates its own, until it is closed. */
  dataFolder: string
  resourcesFolder: string
  reader(): Handlers
  frontEnd: Pick<HandlerParts, 'frontEnd' | 'version'>
  door: BundleViewerCalls
  reportFault(error: unknown): void
}

/**
 * Opens a support bundle for every screen. It answers every call of the contract, sends no requests, and accepts no
 * changes: its job is in a separate read-only data folder, and its core cannot reach anything.
 */
export async function showBundle({
  bundle,
  dataFolder,
  resourcesFolder,
  reader,
  frontEnd,
  door,
  reportFault
}: OpenedBundleOptions) {
  const folder = makeBundleFolder(dataFolder)
  let stop: (() => unknown) | undefined
  async function close(): Promise<void> {
    await stop?.()
    await bundle.close()
    fs.rmSync(folder, { recursive: true, force: true })
  }

  try {
    const store = await openBundleFolder(folder, bundle)
    stop = () => store.close()
    const { manifest } = bundle
    const answers = createAnswers(await bundle.answers())
    const core = createCore({
      dataFolder: folder,
      store,
      resourcesFolder,
      gatewayUrl: '',
      inMemorySecrets: true,
      interfaces: () => ({}),
      eventSource: eventsIn(bundle, answers),
      reportFault
    })
    stop = () => core.stop()
    const { subject } = manifest
    const measures = measuresIn(bundle.limits, core.measures())
    const session = await bundle.recording()
    const isRecorded = session !== null && core.diagnosis.recording.take(session)
    const cab: FileAnswers = createFileAnswers({
      bundle,
      answers,
      writes: await bundle.deviceWrites(),
      seen: await seenIn(bundle),
      recordedAt: (atMs) => (isRecorded ? core.diagnosis.recording.at(subject, atMs) : null),
      limits: measures.limits,
      diagnose: (evidence) =>
        core.diagnosis.tell(evidence, { deviceKey: cab.deviceKey, model: subject.model }, measures),
      compare: (evidence) => core.diagnosis.tellDevice(evidence, measures)
    })
    const shown: ShownBundle = {
      ...manifest.subject,
      writtenAt: manifest.writtenAt,
      fitter: manifest.fitter,
      by: manifest.by,
      isTraining: manifest.isTraining,
      deviceKey: cab.deviceKey,
      holds: manifest.holds,
      photos: bundle.photos.length
    }
    const inFile = createHandlers({
      ...frontEnd,
      core,
      training: null,
      bundle: shown,
      workplace: 'real',
      dataFolder: folder,
      enter: () => door.leave(),
      openPage: refuse,
      takePlace: refuse,
      cab: door,
      reportFault
    })
    const handlers: Handlers = {
      ...answerEach({ inFile, reader, tell: (call, input) => cab.tell(call, input) }),
      'attachments.read': (input) => readPicture(bundle, input)
    }
    return {
      handlers,
      redact: (text: string): string => core.connections.redactor.text(text),
      close
    }
  } catch (error) {
    await close()
    throw ofBundle(error)
  }
}

export type OpenedBundle = Awaited<ReturnType<typeof showBundle>>

/** Damage in the folder of a bundle belongs to the bundle: the reader's own data needs no repair. */
function ofBundle(error: unknown): unknown {
  return isDamage(error) ? new AppError('INVALID_REQUEST', message('cab.doesNotFit'), { cause: error }) : error
}

function fromFile(handler: Handler): Handler {
  return async (input, signal) => {
    try {
      return await handler(input, signal)
    } catch (error) {
      throw ofBundle(error)
    }
  }
}

/** The evidence about the device and its vehicle, oldest first. */
async function seenIn(bundle: CabBundle): Promise<Evidence[]> {
  const snapshots = (await bundle.snapshots()).flatMap((file) => {
    const read = snapshotFile.safeParse(file)
    return read.success ? [evidenceOf(read.data)] : []
  })
  return [...snapshots, ...(bundle.evidence ? [bundle.evidence] : [])].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at)
  )
}

/** The events of its vehicle, as the writer's screens had them. */
function eventsIn({ manifest }: CabBundle, answers: Answers): EventSource {
  const vehicleId = manifest.subject.vehicleId ?? -1
  const answer = answers.find('vehicles.events', { id: vehicleId })
  const told = answer?.events ?? []
  const labels = told.flatMap(({ label, what }) =>
    label !== null && what.id === 'events.labelWords'
      ? [[label, { en: what.values['english'], es: what.values['spanish'] }] as const]
      : []
  )
  const events = told.flatMap(({ raw }) =>
    raw !== null && typeof raw === 'object' && !Array.isArray(raw) ? [raw] : []
  )
  return createBundleEvents({
    vehicleId,
    events,
    labels: Object.fromEntries(labels),
    knownFromMs: knownFrom(answer, Date.parse(manifest.writtenAt)),
    atMs: Date.parse(manifest.writtenAt)
  })
}

/**
 * A bundle has only the newest events: the time before the oldest of a full page, and beyond the request, is unknown.
 */
function knownFrom(answer: CallOutput<'vehicles.events'> | undefined, writtenMs: number): number {
  if (!answer) return writtenMs
  const times = answer.events.map(({ at }) => Date.parse(at)).filter((ms) => !Number.isNaN(ms))
  const askedFromMs = Date.parse(answer.readAt) - recordedEvents.hours * 3_600_000
  return answer.events.length < recordedEvents.limit ? askedFromMs : Math.max(askedFromMs, Math.min(...times))
}

const pictureBytes = 256 * 1024

async function readPicture(
  bundle: CabBundle,
  { sha256, piece }: CallParsed<'attachments.read'>
): Promise<CallOutput<'attachments.read'>> {
  const photo = await bundle.photo(sha256).catch((error: unknown) => {
    throw error instanceof AppError ? notInBundle() : error
  })
  const { bytes, mediaType } = photo
  const from = piece * pictureBytes
  return {
    mediaType,
    sizeBytes: bytes.length,
    base64: Buffer.from(bytes.subarray(from, from + pictureBytes)).toString('base64'),
    isLast: from + pictureBytes >= bytes.length
  }
}

function refuse(): Promise<never> {
  return Promise.reject(onlyLookedAt())
}

interface Sources {
  inFile: Handlers
  reader(): Handlers
  tell(call: CallName, input: unknown): unknown
}

type Handler = (input: unknown, signal: AbortSignal) => unknown

function answerEach({ inFile, reader, tell }: Sources): Handlers {
  const handlers = Object.fromEntries(
    (Object.keys(calls) as CallName[]).map((call): [CallName, Handler] => {
      switch (callSources[call]) {
        case 'file':
          return [call, fromFile(inFile[call] as Handler)]
        case 'reader':
          return [call, (input, signal) => (reader()[call] as Handler)(input, signal)]
        case 'recorded':
          return [
            call,
            (input) => {
              const told = tell(call, input)
              if (told === undefined) throw notInBundle()
              return told
            }
          ]
        case 'nothing':
          return [call, () => ({})]
        default:
          return [call, () => Promise.reject(onlyLookedAt())]
      }
    })
  )
  // The list of the contract, so every name is included.
  return handlers as unknown as Handlers
}
