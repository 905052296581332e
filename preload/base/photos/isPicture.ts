/** The first bytes of each accepted form; the last one is the container of HEIC and AVIF. */
const beginnings = [
  /^\xff\xd8\xff/,
  /^\x89PNG\r\n\x1a\n/,
  /^RIFF[^]{4}WEBP/,
  /^[^]{4}ftyp(heic|heix|heim|heis|hevc|hevx|hevm|hevs|mif1|msf1|avif|avis)/
]

/** True if the first bytes of a file are those of a JPEG, PNG, WebP, HEIC or AVIF. */
export function isPicture(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, 12))
  return beginnings.some((one) => one.test(text))
}
