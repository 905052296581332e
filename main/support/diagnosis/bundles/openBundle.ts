import { z } from 'zod'
import { finding } from '../../../../preload/contract/app/app.ts'
import type { BundlePartKind } from '../../../../preload/contract/support/bundles.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import { evidence as evidenceSchema } from '../../../../preload/contract/support/evidence.ts'
import { job as jobSchema, type Job } from '../../../../preload/contract/job/jobs.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { deviceWrite } from '../../../../preload/contract/device/workspace.ts'
import { handedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'
import { largestPhotoPixels } from '../../../job/photos/photoLimits.ts'
import { PictureRefusal, takeApart } from '../../../job/photos/pictureParts.ts'
import { sealOf, verifyChain, type JournalEntry } from '../../../data/store/jobs/seal.ts'
import {
  bundleLimits,
  manifestName,
  partKinds,
  versions as versionsSchema,
  type Manifest,
  type ManifestPart
} from './format.ts'
import { bundleDevice, type Bundle, type BundlePhoto } from './opened.ts'
import { linesOf, readJson } from './readJson.ts'
import { checkParts, readManifest } from './readManifest.ts'
import { timelineLine } from './timeline.ts'
import { openZip, refusal, type ZipReader } from './zipReader.ts'

/** The size of a part that is shown at once. */
const textBytes = 128 * 1024

/**
 * Opens a support bundle. Nothing is trusted before all parts match. Throws INVALID_REQUEST for anything but a complete
 * bundle.
 */
export async function openBundle(file: string, { signal }: { signal: AbortSignal }): Promise<Bundle> {
  const zip = await openZip(file, signal)
  try {
    const read = partReader(zip, signal)
    return await readBundle(zip, read)
  } catch (error) {
    await zip.close()
    throw error
  }
}

type PartReader = ReturnType<typeof partReader>

/** Reads the parts of an archive; `signal` cancels the opening. */
function partReader(zip: ZipReader, signal: AbortSignal) {
  async function whole(
    name: string,
    sha256: string | null,
    most: number = bundleLimits.unpackedBytes
  ): Promise<Uint8Array> {
    if ((zip.sizes.get(name) ?? 0) > most) throw refusal(message('bundles.tooLarge'))
    const pieces: Uint8Array[] = []
    for await (const piece of zip.pieces(name, { sha256, signal })) pieces.push(piece)
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
  }

  return {
    whole,
    async json<T>({ name, sha256 }: ManifestPart, schema: z.ZodType<T>): Promise<T> {
      const parsed = schema.safeParse(readJson(await whole(name, sha256), name))
      if (!parsed.success) throw refusal(message('bundles.damaged', { part: name }), parsed.error)
      return parsed.data
    },
    async lines<T>({ name, sha256 }: ManifestPart, schema: z.ZodType<T>): Promise<T[]> {
      const read: T[] = []
      for await (const line of linesOf(zip.pieces(name, { sha256, signal }), name)) {
        const parsed = schema.safeParse(readJson(line, name))
        if (!parsed.success) throw refusal(message('bundles.damaged', { part: name }), parsed.error)
        read.push(parsed.data)
      }
      return read
    },
    /** Checks a part against its hash and its form without keeping it. */
    async pass({ name, kind, sha256 }: ManifestPart): Promise<void> {
      const { form } = partKinds[kind]
      if (form === 'json') return void readJson(await whole(name, sha256), name)
      const pieces = zip.pieces(name, { sha256, signal })
      if (form === 'lines') for await (const line of linesOf(pieces, name)) readJson(line, name)
      else while (!(await pieces.next()).done);
    }
  }
}

// The module that owns a format reads it; here it is only JSON of acceptable size and depth.
const anyJson = z.custom<Json>((value) => value !== undefined)
const journalEntry: z.ZodType<JournalEntry> = z.strictObject({
  seq: z.number().int(),
  at: z.string().max(40),
  type: z.string().min(1).max(60),
  stepId: z.string().max(200).nullable(),
  data: anyJson,
  hash: z.string().regex(/^[0-9a-f]{64}$/)
})

async function readBundle(zip: ZipReader, read: PartReader): Promise<Bundle> {
  if (!zip.sizes.has(manifestName)) throw refusal(message('bundles.notABundle'))
  const manifest = readManifest(
    readJson(await read.whole(manifestName, null, bundleLimits.manifestBytes), manifestName)
  )
  const parts = checkParts(manifest, zip.sizes)
  const only = (kind: BundlePartKind): ManifestPart | undefined => manifest.parts.find((part) => part.kind === kind)
  const value = async <T>(kind: BundlePartKind, schema: z.ZodType<T>): Promise<T | null> => {
    const part = only(kind)
    return part ? read.json(part, schema) : null
  }
  const later = new AbortController()
  const reader = partReader(zip, later.signal)
  const list = async <T>(kind: BundlePartKind, schema: z.ZodType<T>, from = reader): Promise<T[]> => {
    const part = only(kind)
    return part ? from.lines(part, schema) : []
  }

  const versions = await value('versions', versionsSchema)
  if (!versions) throw refusal(message('bundles.partMissing'))
  const job = await value('job', jobSchema)
  const entries = await list('journal', journalEntry, read)
  checkLog(manifest, job, entries)
  const evidence = await value('evidence', evidenceSchema)
  const limits = await value('limits', anyJson)
  const device = await value('device', bundleDevice)
  const vehicle = await value('vehicle', anyJson)
  const selfTest = (await value('selfTest', z.array(finding).max(200))) ?? []
  await passOthers(manifest, read)
  const photos = manifest.parts.filter(({ kind }) => kind === 'photo').map(asPhoto)

  return {
    manifest,
    versions,
    job,
    evidence,
    limits,
    device,
    vehicle,
    selfTest,
    photos,
    entries: () => Promise.resolve(entries),
    operations: () => list('operations', handedOverOperation),
    deviceWrites: () => list('writes', deviceWrite),
    timeline: () => list('timeline', timelineLine),
    async snapshots() {
      const all: Json[] = []
      for (const part of manifest.parts) if (part.kind === 'snapshot') all.push(await reader.json(part, anyJson))
      return all
    },
    recording: async () => (only('recording') ? reader.json(only('recording') as ManifestPart, anyJson) : null),
    answers: () => list('answers', anyJson),
    faults: () => list('faults', anyJson),
    async photo(sha256) {
      const photo =
        photos.find((one) => one.sha256 === sha256) ?? photos.find((one) => one.sha256 === otherForm(job, sha256))
      const part = photo && manifest.parts.find((one) => one.kind === 'photo' && one.name.includes(photo.sha256))
      if (!part) throw refusal(message('bundles.noSuchPhoto'))
      return { mediaType: photo.mediaType, bytes: await reader.whole(part.name, part.sha256) }
    },
    async text(name, from) {
      const part = parts.get(name)
      if (!part || partKinds[part.kind].form === 'picture') throw refusal(message('bundles.partMissing'))
      return textOf(zip, part, { from, signal: later.signal })
    },
    async close() {
      later.abort()
      await zip.close()
    }
  }
}

/** A part that is read later is checked against its hash again, and pictures must be pictures. */
async function passOthers({ parts }: Manifest, read: PartReader): Promise<void> {
  const done = new Set<BundlePartKind>([
    'versions',
    'job',
    'journal',
    'evidence',
    'limits',
    'device',
    'vehicle',
    'selfTest'
  ])
  for (const part of parts) {
    if (done.has(part.kind)) continue
    if (part.kind === 'photo') checkPicture(await read.whole(part.name, part.sha256), part.name)
    else await read.pass(part)
  }
}

function checkPicture(bytes: Uint8Array, name: string): void {
  try {
    const { kind, width, height } = takeApart(bytes)
    if (width * height <= largestPhotoPixels && name.endsWith(kind === 'jpeg' ? '.jpg' : '.png')) return
  } catch (error) {
    if (!(error instanceof PictureRefusal)) throw error
  }
  throw refusal(message('bundles.notAPicture'))
}

/**
 * The log is complete from its first entry to the seal that the job names; one that was damaged for its writer is shown
 * as it is.
 */
function checkLog({ subject, changedEntries }: Manifest, job: Job | null, entries: readonly JournalEntry[]): void {
  if (job === null) {
    if (subject.jobId !== null || entries.length > 0) throw refusal(message('bundles.partMissing'))
    return
  }
  if (job.id !== subject.jobId) throw refusal(message('bundles.logChanged'))
  if (job.damage) return
  const isWhole = verifyChain(job.id, entries, new Set(changedEntries)).ok && sealOf(job.id, entries) === job.seal
  if (!isWhole) throw refusal(message('bundles.logChanged'))
}

function asPhoto({ name, bytes }: ManifestPart): BundlePhoto {
  const [sha256 = '', kind] = name.slice('photos/'.length).split('.')
  return { sha256, mediaType: kind === 'jpg' ? 'image/jpeg' : 'image/png', bytes }
}

/** A bundle contains a picture once: the original, or the copy for reports. */
function otherForm(job: Job | null, sha256: string): string | undefined {
  const found = job?.attachments?.find((one) => one.sha256 === sha256 || one.reportSha256 === sha256)
  return found && (found.sha256 === sha256 ? found.reportSha256 : found.sha256)
}

async function textOf(
  zip: ZipReader,
  { name, bytes }: ManifestPart,
  { from, signal }: { from: number; signal: AbortSignal }
): Promise<{ text: string; next: number | null }> {
  const wanted: Uint8Array[] = []
  const end = Math.min(bytes, from + textBytes)
  let at = 0
  for await (const piece of zip.pieces(name, { sha256: null, signal })) {
    if (at + piece.length > from) wanted.push(piece.subarray(Math.max(0, from - at), Math.max(0, end - at)))
    at += piece.length
    if (at >= end) break
  }
  const whole = Buffer.concat(wanted)
  // Never splits a character: the next piece begins with it.
  let length = whole.length
  if (end < bytes) while (length > 1 && ((whole[length - 1] as number) & 0xc0) === 0x80) length -= 1
  if (end < bytes && length > 1 && (whole[length - 1] as number) >= 0xc0) length -= 1
  return {
    text: new TextDecoder().decode(whole.subarray(0, length)),
    next: from + length < bytes && length > 0 ? from + length : null
  }
}
