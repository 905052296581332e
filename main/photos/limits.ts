/** The largest accepted file: a phone's picture has 3 to 10 MB. */
export const largestPhotoBytes = 16_000_000
/** More pixels than any camera in the trade has. A JPEG of this size is read in 300 MB of memory. */
export const largestPhotoPixels = 50_000_000
/** A PNG is in memory as a whole while it is read. A camera's PNG with more pixels exceeds the file limit anyway. */
export const largestPngPixels = 12_000_000
/** The longer side of the copy for reports. */
export const reportPixels = 2560
