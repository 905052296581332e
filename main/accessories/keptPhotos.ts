import type { CallOutput, CallParsed } from '../../preload/contract/index.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { readPicture } from '../gateway/photoReader.ts'
import type { JobLog } from './ports.ts'

/** Keeps a picture of the vehicle's camera with a job: the picture itself, when and where it was taken. */
export async function keepPhoto(jobs: JobLog, { jobId, photo, latitude, longitude }: CallParsed<'photos.keep'>): Promise<CallOutput<'photos.keep'>> {
  const { bytes } = readPicture(photo.base64)
  const kept = await jobs.attach(jobId, null, { bytes, purpose: 'cameraView', source: 'vehicleCamera', takenAt: photo.takenAt, latitude, longitude, placeSource: 'gateway' })
  if (kept.outcome === 'refused') throw new AppError('INVALID_REQUEST', kept.reason)
  return { sha256: kept.attachment.sha256 }
}
