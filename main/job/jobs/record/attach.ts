import type { Attachment } from '../../../../preload/contract/job/attachments.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { PhotoPosition } from '../../photos/preparePhoto.ts'
import type { AttachOutcome, AddedPhoto } from '../photos/addedPhoto.ts'
import type { LoggedJob } from './journal.ts'
import type { JobLogs } from './jobLogs.ts'
import type { AttachmentPort, PhotoPort } from '../engine/ports.ts'
import { assertUnsigned } from '../finish/signed.ts'

export interface AttachParts {
  logs: Pick<JobLogs, 'load' | 'write'>
  attachments: AttachmentPort
  photos: PhotoPort
  now(): Date
  /** The current address of the job's device; null if it is unknown. */
  devicePlace(jobId: string): Promise<PhotoPosition | null>
}

/** More pictures would make a job's report unusably long. */
const mostInJob = 200

/** Adds a picture to a job: first the bytes, then the log entry that names them. A signed log accepts no pictures. */
export async function attachPhoto(
  parts: AttachParts,
  jobId: string,
  stepId: string | null,
  given: AddedPhoto
): Promise<AttachOutcome> {
  const { logs, attachments, photos } = parts
  const job = (): LoggedJob => {
    const loaded = logs.load(jobId)
    assertUnsigned(loaded)
    if (stepId !== null && !loaded.steps.some(({ id }) => id === stepId))
      throw new AppError('NOT_FOUND', message('jobs.noSuchStep', { step: stepId }))
    return loaded
  }
  if (job().attachments.length >= mostInJob)
    return { outcome: 'refused', reason: message('photos.tooManyInJob', { n: mostInJob }) }
  const { latitude = null, longitude = null } = given
  const answer = await photos.prepare({
    bytes: given.bytes,
    devicePlace: await parts.devicePlace(jobId),
    samePlaceM: job().thresholds.samePlace.passM,
    keptAt: parts.now().toISOString(),
    takenAt: given.takenAt ?? null,
    place: latitude === null || longitude === null ? null : { latitude, longitude }
  })
  if (answer.outcome === 'refused') return answer
  const { bytes, report, brightness, place, placeSource, mediaType, width, height, takenAt } = answer.photo
  // The picture must be on the disk before the log names it.
  const [file, reportFile] = [await attachments.write(bytes), await attachments.write(report)]
  const keptAt = parts.now().toISOString()
  const attempt = job().steps.find(({ id }) => id === stepId)?.attempts ?? 0
  const sha256 = attachments.keep({ jobId, file, mediaType, at: keptAt })
  const reportSha256 = attachments.keep({ jobId, file: reportFile, mediaType: 'image/jpeg', at: keptAt })
  const isThisOne = (one: Attachment) => one.stepId === stepId && one.attempt === attempt && one.sha256 === sha256
  // The same picture is stored only once.
  if (!job().attachments.some(isThisOne)) {
    logs.write(jobId, 'attached', stepId, {
      attempt,
      sha256,
      mediaType,
      bytes: bytes.length,
      width,
      height,
      purpose: given.purpose,
      takenAt,
      keptAt,
      source: given.source,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      placeSource: placeSource === 'given' ? (given.placeSource ?? null) : placeSource,
      reportSha256
    })
  }
  const attachment = job().attachments.find(isThisOne)
  if (!attachment) throw new Error(`The picture ${sha256} is not in the log of job ${jobId} although it was written`)
  return { outcome: 'kept', attachment, brightness }
}
