/** Pseudo-random numbers, the same for the same seed, so that a run can be repeated. */

/** Returns a source of numbers in 0..1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Noise in -1..1 of a seed, a name and a moment: readings of one moment agree, however many were made. */
export function noiseAt(seed: number, name: string, moment: number): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0
  hash = Math.imul(hash ^ (moment & 0xffff), 0x01000193) >>> 0
  hash = Math.imul(hash ^ Math.floor(moment / 0x10000), 0x01000193) >>> 0
  return createRandom(hash)() * 2 - 1
}
