/** The largest accepted file: a phone's picture has 3 to 10 MB. */
export const largestPhotoBytes = 16_000_000
/** More pixels than any camera in the trade has. A picture of this size is read in 300 MB of memory. */
export const largestPhotoPixels = 50_000_000
/** Of the frequencies of a JPEG, which are in memory until its last row is written. */
export const largestStoredBytes = 100_000_000
/** An interlaced PNG is in memory with all colours of each pixel. */
export const largestInterlacedPixels = 12_000_000
/** The longer side of the copy for reports. */
export const reportPixels = 2560
