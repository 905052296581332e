import { randomBytes } from 'node:crypto'
import { lstat, mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type {
  BundleAbout,
  BundleHolds,
  BundleWait,
  PreparedBundle
} from '../../../../preload/contract/support/bundles.ts'
import type { Finding } from '../../../../preload/contract/app/app.ts'
import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import type { Teller } from '../../../../preload/contract/events.ts'
import type { CallOutput, CallParsed } from '../../../../preload/contract/index.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { readFilePart } from '../../../base/reading/filePart.ts'
import { putInPlace } from '../../../data/store/file/syncToDisk.ts'
import type { Manifest } from './format.ts'
import { openBundle } from './openBundle.ts'
import type { Bundle } from './opened.ts'
import { bundlePartsOf, type Asked } from './parts.ts'
import { namesIn } from './people.ts'
import { createRedaction, type Redaction } from './redaction.ts'
import type { BundleSources, BundleSubject } from './sources.ts'
import { writeBundle } from './writeBundle.ts'

export interface BundlesOptions {
  /** Where bundles are stored while a person reviews them; the folder contains nothing else. */
  folder: string
  sources: BundleSources
  /** The subject of a bundle, with its known device, vehicle and job. Throws NOT_FOUND. */
  subjectOf(about: BundleAbout): Promise<BundleSubject>
  events: Teller
  reportFault(error: unknown): void
}

/** Creates support bundles: for a window, which reviews them first, and for the terminal. */
export type Bundles = ReturnType<typeof createBundles>

export interface WriteWish {
  about: BundleAbout
  holds: BundleHolds
  file: string
  /** Set if the caller has already asked device and gateway. */
  evidence?: () => Promise<Evidence | null>
}

interface Prepared {
  abort: AbortController
  file: string
  done: Promise<unknown>
  bundle?: Bundle
}

type Told = (done: number, total: number, waitsFor: BundleWait, call?: { n: number; of: number }) => void

export function createBundles(options: BundlesOptions) {
  const { folder, sources } = options
  const views = new Map<string, Prepared>()
  let n = 0

  async function make(
    file: string,
    { about, holds, evidence }: Omit<WriteWish, 'file'>,
    { signal, told, isCounted = false }: { signal: AbortSignal; told: Told; isCounted?: boolean }
  ): Promise<{ manifest: Manifest; removable: PreparedBundle['removable'] }> {
    const { subject, asked } = await ask(await options.subjectOf(about), { evidence, signal, told })
    if (subject.jobId !== null) await sources.seal(subject.jobId)
    const people = holds.names && !isCounted ? [] : peopleIn(sources, subject, asked)
    const redaction = createRedaction({ redactor: sources.redactor, holds, people: holds.names ? [] : people })
    // Only by leaving everything out can be counted what that would remove.
    const without = isCounted
      ? createRedaction({ redactor: sources.redactor, holds: { positions: false, names: false }, people })
      : null
    told(asks, asks, 'writing')
    const changedEntries: number[] = []
    const writtenAt = new Date().toISOString()
    const manifest = await writeBundle(file, {
      head: () => ({
        writtenAt,
        fitter: sources.versions().fitter,
        subject: {
          jobId: subject.jobId,
          imei: subject.imei,
          model: subject.model,
          vehicleId: subject.vehicleId,
          vehicleName: subject.vehicleName === null ? null : redaction.text(subject.vehicleName),
          ...(subject.isAboutDevice ? { isAboutDevice: true } : {})
        },
        by: holds.names ? redaction.text(sources.technician()) : '',
        isTraining: sources.isTraining,
        holds,
        masked: redaction.masked(),
        changedEntries
      }),
      parts: bundlePartsOf({
        subject,
        holds,
        sources,
        redaction: without ? both(redaction, without) : redaction,
        asked,
        writtenAt,
        changed: (seq) => changedEntries.push(seq)
      }),
      signal
    })
    const { positions, names } = without?.masked() ?? manifest.masked
    return { manifest, removable: { positions, names } }
  }

  /** Missing parts are left out. The evidence comes first, because it may name the vehicle of a device. */
  async function ask(
    given: BundleSubject,
    { evidence: gathered, signal, told }: Pick<WriteWish, 'evidence'> & { signal: AbortSignal; told: Told }
  ): Promise<{ subject: BundleSubject; asked: Asked }> {
    let done = 0
    async function one<T>(waitsFor: BundleWait, work: () => Promise<T>, otherwise: T): Promise<T> {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) throw new AppError('CANCELLED', message('bundles.stopped'))
        if (!(error instanceof AppError)) options.reportFault(error)
        return otherwise
      } finally {
        done += 1
        told(done, asks, waitsFor)
      }
    }
    told(done, asks, 'evidence')
    const evidence = await one('evidence', gathered ?? (() => sources.evidence(given, signal)), null)
    const vehicleSeen = evidence?.gateway?.vehicle?.value
    const subject: BundleSubject = {
      ...given,
      imei: given.imei ?? evidence?.imei ?? null,
      vehicleId: given.vehicleId ?? vehicleSeen?.id ?? null,
      vehicleName: given.vehicleName ?? vehicleSeen?.name ?? null
    }
    const [answers, selfTest, vehicle] = await Promise.all([
      one(
        'computer',
        () => sources.answers(subject, signal, (waitsFor, n, of) => told(done, asks, waitsFor, { n, of })),
        []
      ),
      one<Finding[]>('computer', () => sources.selfTest(signal), []),
      one('vehicle', async () => (subject.vehicleId === null ? null : sources.vehicle(subject.vehicleId, signal)), null)
    ])
    return { subject, asked: { evidence, answers, selfTest, vehicle } }
  }

  function demand(view: string): Required<Prepared> {
    const found = views.get(view)
    if (!found?.bundle) throw new AppError('NOT_FOUND', message('bundles.notPrepared'))
    return found as Required<Prepared>
  }

  async function end(view: string): Promise<void> {
    const found = views.get(view)
    if (!found) return
    views.delete(view)
    found.abort.abort()
    await found.done.catch(() => undefined)
    await found.bundle?.close()
    await rm(found.file, { force: true })
  }

  async function prepare(
    { view, about, holds }: CallParsed<'bundles.prepare'>,
    outer: AbortSignal
  ): Promise<CallOutput<'bundles.prepare'>> {
    // One at a time: an earlier one is discarded.
    for (const other of views.keys()) await end(other)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    n += 1
    const abort = new AbortController()
    const prepared: Prepared = { abort, file: path.join(folder, `${process.pid}-${n}`), done: Promise.resolve() }
    views.set(view, prepared)
    const signal = AbortSignal.any([outer, abort.signal])
    const told: Told = (done, total, waitsFor, call) =>
      options.events.tell('bundles.progress', { view, done, total, waitsFor, call: call ?? null })
    const making = (async () => {
      const { removable } = await make(prepared.file, { about, holds }, { signal, told, isCounted: true })
      // A person reviews what a reader gets; a bundle that no Fitter can open is never handed out.
      prepared.bundle = await openBundle(prepared.file, { signal })
      return { ...prepared.bundle.manifest, removable }
    })()
    prepared.done = making
    const { writtenAt, subject, masked, removable, parts } = await making
    const { size } = await stat(prepared.file)
    return {
      fileName: fileNameOf(subject, writtenAt),
      bytes: size,
      writtenAt,
      holds,
      masked,
      removable,
      about: subject.vehicleName ?? subject.imei ?? subject.jobId ?? '',
      parts: parts.map(({ name, kind, bytes, items, from, to }) => ({ name, kind, bytes, items, from, to }))
    }
  }

  return {
    prepare,
    look: async ({ view, part, from }: CallParsed<'bundles.look'>): Promise<CallOutput<'bundles.look'>> =>
      demand(view).bundle.text(part, from),
    part: async ({ view, from }: CallParsed<'bundles.part'>): Promise<CallOutput<'bundles.part'>> =>
      readFilePart(demand(view).file, from),
    end,
    /** Writes one under a given name: complete, or not at all. */
    async write({ file, ...wish }: WriteWish, signal: AbortSignal): Promise<Manifest> {
      const full = path.resolve(file)
      const partial = `${full}.${randomBytes(6).toString('hex')}.part`
      const notWritten = (cause?: unknown) =>
        new AppError('INVALID_REQUEST', message('bundles.notWritten', { file }), { cause })
      try {
        const present = await lstat(full).catch((error: unknown) =>
          isMissing(error) ? undefined : Promise.reject(error as Error)
        )
        if (present && !present.isFile()) throw notWritten()
        await mkdir(path.dirname(full), { recursive: true })
        await make(partial, wish, { signal, told: () => undefined })
        const bundle = await openBundle(partial, { signal })
        await bundle.close()
        putInPlace(partial, full)
        return bundle.manifest
      } catch (error) {
        // A path below something other than a folder has nothing to remove.
        await rm(partial, { force: true }).catch(() => undefined)
        throw error instanceof Error && 'syscall' in error ? notWritten(error) : error
      }
    },
    async stop(): Promise<void> {
      for (const view of views.keys()) await end(view)
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** The requests of a bundle: evidence, answers, self-test, vehicle. */
const asks = 4

/** Both see the same content; the file gets that of the first. */
function both(first: Redaction, second: Redaction): Redaction {
  return {
    json: (value) => (second.json(value), first.json(value)),
    text: (text) => (second.text(text), first.text(text)),
    masked: first.masked
  }
}

/** The names in any part, and texts that people typed: each part may repeat a field of another. */
function peopleIn(sources: BundleSources, subject: BundleSubject, asked: Asked): string[] {
  const { jobId, imei } = subject
  const ofJob = jobId === null ? [] : [sources.job(jobId), sources.operations(jobId)]
  const snapshots = sources.snapshots(subject).map(({ text }) => JSON.parse(text) as unknown)
  const writes = imei === null ? [] : sources.deviceWrites(imei)
  return [
    ...sources.people(),
    sources.technician(),
    ...namesIn([...ofJob, ...snapshots, writes, asked, sources.device(subject), sources.recording(subject)])
  ]
}

/** A file name with the subject and the time, without characters that are special for a shell or a folder. */
function fileNameOf({ imei, vehicleId, jobId }: Manifest['subject'], writtenAt: string): string {
  const about = imei ?? (vehicleId === null ? (jobId ?? '') : `vehicle-${vehicleId}`)
  return `fitter-bundle-${about.replace(/[^0-9A-Za-z-]/g, '')}-${writtenAt.slice(0, 16).replace(/[:T]/g, '-')}.zip`
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
