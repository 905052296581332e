/**
 * The largest picture in a call, as base64; front ends must accept messages of this size, and load no schemas for it.
 */
export const largestPhotoLength = 4_000_000
