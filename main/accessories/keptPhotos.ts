import type { CallOutput, CallParsed } from '../../preload/contract/index.ts'
import { message } from '../../preload/contract/messages.ts'
import { readPicture } from '../gateway/photoReader.ts'
import type { JobLog } from './ports.ts'

/** Larger pictures stay at the gateway; the job keeps their hash. */
const largestKeptBytes = 60_000

/** Puts the hash, time and place of a photo, and the picture where it is small, into the log of a job. */
export function keepPhoto(jobs: JobLog, { jobId, vehicleId, photo, latitude, longitude }: CallParsed<'photos.keep'>): CallOutput<'photos.keep'> {
  const { bytes, sha256 } = readPicture(photo.base64)
  const isPictureKept = bytes.length <= largestKeptBytes
  const facts = { sha256, sizeBytes: bytes.length, photoId: photo.photoId, source: photo.source, takenAt: photo.takenAt, latitude, longitude }
  const about = { photo: String(photo.photoId ?? ''), hash: sha256.slice(0, 16) }
  jobs.recordWrite(jobId, {
    phase: 'readBack',
    operation: 'photocam.photo',
    input: { vehicleId },
    what: photo.takenAt === null ? message('photos.keptUndated', about) : message('photos.kept', { ...about, at: photo.takenAt }),
    raw: { ...facts, ...(isPictureKept ? { base64: photo.base64 } : {}) }
  })
  return { sha256, isPictureKept }
}
