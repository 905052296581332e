import type { Finding } from '../../../../preload/contract/app/app.ts'
import type { BundleHolds } from '../../../../preload/contract/support/bundles.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import type { Job } from '../../../../preload/contract/job/jobs.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { plainExif, readExif } from '../../../job/photos/exif.ts'
import { putTogether, takeApart } from '../../../job/photos/pictureParts.ts'
import { canonicalJson, type JournalEntry } from '../../../data/store/jobs/seal.ts'
import { isPlaceName, type Redaction } from './redaction.ts'
import type { BundleSources, BundleSubject } from './sources.ts'
import { timelineOf } from './timeline.ts'
import type { NewPart } from './writeBundle.ts'

/** Data that must be requested, which may take time. */
export interface Asked {
  evidence: Evidence | null
  answers: Json[]
  selfTest: Finding[]
  vehicle: Json | null
}

export interface PartsWish {
  subject: BundleSubject
  holds: BundleHolds
  sources: BundleSources
  redaction: Redaction
  asked: Asked
  writtenAt: string
  /** Called with the `seq` of log entries with redacted values. */
  changed(seq: number): void
}

/** The parts of a bundle one after the other, each redacted when it is created. */
export function* bundlePartsOf({
  subject,
  holds,
  sources,
  redaction,
  asked,
  writtenAt,
  changed
}: PartsWish): Generator<NewPart> {
  const { jobId, imei } = subject
  const json = (value: unknown): Json => redaction.json(value as Json)
  const found = jobId === null ? null : sources.job(jobId)
  const entries = (found?.entries ?? []).map((entry) => cleanEntry(entry, redaction))
  const operations =
    jobId === null
      ? []
      : sources.operations(jobId).map((one) => ({ ...(json(one) as unknown as typeof one), id: one.id }))
  const writes = imei === null ? [] : sources.deviceWrites(imei).map((one) => json(one) as unknown as typeof one)

  yield { kind: 'about', name: 'README.txt', pieces: [redaction.text(aboutText({ subject, sources, writtenAt }))] }
  yield jsonPart('versions', 'versions.json', sources.versions())
  if (found) {
    found.entries.forEach((entry, index) => {
      if (canonicalJson(entry.data) !== canonicalJson((entries[index] as JournalEntry).data)) changed(entry.seq)
    })
    yield jsonPart('job', 'job.json', cleanJob(found.job, redaction))
    yield linesPart('journal', 'journal.jsonl', entries, ({ at }) => at)
    yield linesPart('operations', 'operations.jsonl', operations, ({ createdAt }) => createdAt)
  }
  yield linesPart('writes', 'device-writes.jsonl', writes, ({ at }) => at)
  yield linesPart('timeline', 'timeline.jsonl', timelineOf({ entries, writes, operations }), ({ at }) => at)
  for (const { id, takenAt, text } of sources.snapshots(subject)) {
    const name = `snapshots/${id.replace(/[^0-9A-Za-z-]/g, '-').slice(0, 60)}.json`
    yield {
      kind: 'snapshot',
      name,
      pieces: [`${JSON.stringify(json(JSON.parse(text)), null, 1)}\n`],
      facts: () => ({ items: null, from: takenAt, to: takenAt })
    }
  }
  if (asked.evidence) {
    const { at } = asked.evidence
    yield {
      ...jsonPart('evidence', 'evidence.json', json(asked.evidence)),
      facts: () => ({ items: null, from: at, to: at })
    }
    yield jsonPart('limits', 'limits.json', json(sources.limits()))
  }
  yield* recordedParts(sources, subject, holds.positions ? json : (value) => json(withoutPlaces(value as Json)))
  if (asked.answers.length > 0) yield linesPart('answers', 'answers.jsonl', asked.answers.map(json), () => null)
  const device = sources.device(subject)
  if (device) yield jsonPart('device', 'device.json', json(device))
  if (asked.vehicle !== null) yield jsonPart('vehicle', 'vehicle.json', json(asked.vehicle))
  if (found && holds.photos) yield* photoParts(found.job, sources, holds.positions)
  const faults = sources.faults()
  if (faults.length > 0) yield linesPart('faults', 'faults.jsonl', faults.map(json), () => null)
  if (asked.selfTest.length > 0) yield jsonPart('selfTest', 'self-test.json', json(asked.selfTest))
}

function* recordedParts(
  sources: BundleSources,
  subject: BundleSubject,
  json: (value: unknown) => Json
): Generator<NewPart> {
  const recording = sources.recording(subject)
  if (recording !== null)
    yield {
      ...jsonPart('recording', 'recording.json', json(recording)),
      facts: () => ({ items: null, ...spanOf(recording) })
    }
}

function spanOf(value: Json): { from: string | null; to: string | null } {
  const { fromMs, toMs } = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as {
    fromMs?: unknown
    toMs?: unknown
  }
  const asTime = (ms: unknown): string | null => (typeof ms === 'number' ? new Date(ms).toISOString() : null)
  return { from: asTime(fromMs), to: asTime(toMs) }
}

/** Changes in a recording name their value by a path: the end of the path shows a position. */
function withoutPlaces(value: Json): Json {
  if (Array.isArray(value)) return value.filter((one) => !isPlaceChange(one)).map(withoutPlaces)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutPlaces(member)]))
}

function isPlaceChange(one: Json): boolean {
  if (one === null || typeof one !== 'object' || Array.isArray(one)) return false
  const { path } = one
  return Array.isArray(path) && isPlaceName(String(path.at(-1)))
}

/** Its hash stays that of the original. */
function cleanEntry(entry: JournalEntry, redaction: Redaction): JournalEntry {
  return { ...entry, data: redaction.json(entry.data) }
}

function cleanJob(job: Job, redaction: Redaction): Json {
  const clean = redaction.json(job as unknown as Json) as Record<string, Json>
  return { ...clean, id: job.id, seal: job.seal }
}

/** Each once: with time and position at the bottom, or the original without its location. */
function* photoParts(job: Job, sources: BundleSources, withPositions: boolean): Generator<NewPart> {
  for (const { sha256, reportSha256, mediaType, takenAt, keptAt } of job.attachments ?? []) {
    const hash = withPositions ? reportSha256 : sha256
    const bytes = sources.picture(hash)
    if (!bytes) continue
    const ending = withPositions || mediaType === 'image/jpeg' ? 'jpg' : 'png'
    const at = takenAt ?? keptAt
    yield {
      kind: 'photo',
      name: `photos/${hash}.${ending}`,
      pieces: [withPositions ? bytes : withoutPlace(bytes)],
      facts: () => ({ items: 1, from: at, to: at })
    }
  }
}

function withoutPlace(bytes: Uint8Array): Uint8Array {
  const picture = takeApart(bytes)
  const exif = picture.exif === null ? undefined : readExif(picture.exif)
  return putTogether(picture, exif ? plainExif(exif, null) : null)
}

function jsonPart(kind: NewPart['kind'], name: string, value: unknown): NewPart {
  return {
    kind,
    name,
    pieces: [`${JSON.stringify(value, null, 1)}\n`],
    facts: () => ({ items: Array.isArray(value) ? value.length : null, from: null, to: null })
  }
}

function linesPart<T>(
  kind: NewPart['kind'],
  name: string,
  items: readonly T[],
  timeOf: (item: T) => string | null
): NewPart {
  function* pieces(): Generator<string> {
    for (const item of items) yield `${JSON.stringify(item)}\n`
  }
  const times = items.map(timeOf).filter((at) => at !== null)
  const bound = (isLater: (a: string, b: string) => boolean) =>
    times.reduce<string | null>((best, at) => (best === null || isLater(at, best) ? at : best), null)
  return {
    kind,
    name,
    pieces: pieces(),
    facts: () => ({ items: items.length, from: bound((a, b) => a < b), to: bound((a, b) => a > b) })
  }
}

/** For people who open the archive without Fitter. */
function aboutText({
  subject,
  sources,
  writtenAt
}: {
  subject: BundleSubject
  sources: BundleSources
  writtenAt: string
}): string {
  const about = [subject.vehicleName, subject.imei, subject.jobId].filter((name) => name !== null).join(', ')
  return `${sources.say(message('bundles.readme', { about, writtenAt, version: sources.versions().fitter }))}\n`
}
