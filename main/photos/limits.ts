/** The largest file that is taken: a phone's picture has 3 to 10 MB. */
export const largestPhotoBytes = 16_000_000
/** More points than any camera of the trade has; each takes some 10 bytes of memory while it is read. */
export const largestPhotoPixels = 50_000_000
/** Longer side of the copy that reports show. */
export const reportPixels = 2560
