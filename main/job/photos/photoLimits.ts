/** The largest accepted file: the largest sensors of phones write about 40 MB. */
export const largestFileBytes = 48_000_000
/** The largest stored picture. */
export const largestPhotoBytes = 16_000_000
/** As many pixels as the largest sensors of phones have. */
export const largestPhotoPixels = 200_000_000
/** The longer side of a picture that is too large to be stored as it is. */
export const storedSide = 8192
/** The longer side of the copy for reports. */
export const reportPixels = 2560
