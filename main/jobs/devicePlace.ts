import { AppError } from '../../preload/contract/errors.ts'
import { createFixWatch, type FixWatchContext } from '../device/fixWatch.ts'
import type { Place } from '../photos/preparePhoto.ts'

/** A vehicle that is worked on stands: where it was a minute ago is where it is. */
const freshFixMs = 60_000

/** Where the device says that it is, while its fix is fresh; null when it does not say. */
export async function readDevicePlace(context: FixWatchContext): Promise<Place | null> {
  const watch = createFixWatch(context)
  try {
    const coords = (await watch.read())?.value.coords
    const isFresh = watch.hasFix() && watch.ageMs() <= freshFixMs
    return isFresh && coords?.latitude !== undefined && coords.longitude !== undefined ? { latitude: coords.latitude, longitude: coords.longitude } : null
  } catch (error) {
    // The device was let go of meanwhile: its place is not known then.
    if (error instanceof AppError && error.code === 'CANCELLED') return null
    throw error
  }
}
