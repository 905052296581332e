/** The largest file that is taken: a phone's picture has 3 to 10 MB. */
export const largestPhotoBytes = 16_000_000
/** More points than any camera of the trade has. A JPEG of so many is read in 300 MB of memory. */
export const largestPhotoPixels = 50_000_000
/** A PNG is held whole while it is read. One of a camera that has more points is larger than a file may be. */
export const largestPngPixels = 12_000_000
/** Longer side of the copy that reports show. */
export const reportPixels = 2560
