/** Pseudo random numbers in [0, 1) that repeat for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A stable choice 0..count-1 for a name and a seed. */
export function chooseShape(seed: number, name: string, count: number): number {
  let hash = 2166136261 ^ seed
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619)
  return (hash >>> 8) % count
}
