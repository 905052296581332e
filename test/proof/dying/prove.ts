import { judge, noVerdict, type Verdict } from './judge.ts'
import { openRing, type Blow, type Point } from './strike.ts'
import { transactions } from './transactions.ts'

export interface Blows {
  name: string
  blow: Blow
  hits(point: Point): boolean
}

const ofDisk = ({ thread, call }: Point): boolean =>
  thread === 'files' || !['write', 'writev', 'sendto', 'sendmsg'].includes(call)
const isRead = ({ call }: Point): boolean => call === 'pread64'

/** A process that is killed right before a call. */
export const kills: Blows = { name: 'killed', blow: { what: 'signal=SIGKILL' }, hits: (point) => !isRead(point) }
/** A disk that is full at one call, and one that fails at one call or from it on. */
export const diskTroubles: readonly Blows[] = [
  {
    name: 'full at one call',
    blow: { what: 'error=ENOSPC' },
    hits: (point) => ofDisk(point) && !isRead(point) && !['fsync', 'unlink'].includes(point.call)
  },
  { name: 'failing at one call', blow: { what: 'error=EIO' }, hits: ofDisk },
  {
    name: 'failing from a call on',
    blow: { what: 'error=EIO', andAfter: true },
    hits: (point) => point.call === 'fsync' || point.call === 'pwrite64'
  }
]

export interface Proof {
  points: number
  verdict: Verdict
}

/**
 * Hits processes that do every core transaction against the gateway over real HTTP, each at another call, and judges
 * what they leave. `sample`: only so many points of each kind, chosen by `seed`.
 */
export async function proveDying(
  kinds: readonly Blows[],
  options: { rounds: number; sample?: number; seed: number; sideBySide: number; tell?(text: string): void }
): Promise<Map<string, Proof>> {
  const ring = await openRing(options.rounds)
  try {
    const all = await ring.count()
    const proofs = new Map<string, Proof>()
    for (const { name, blow, hits } of kinds) {
      const points = choose(all.filter(hits), options.sample ?? Infinity, options.seed)
      const verdict = noVerdict()
      const waiting = points.entries()
      let done = 0
      await Promise.all(
        Array.from({ length: options.sideBySide }, async () => {
          for (const [, point] of waiting) {
            const where = `${name}, ${point.thread} ${point.call} ${point.n}`
            await judge(ring, await ring.strike(point, blow), where, verdict)
            done += 1
            if (done % 100 === 0) options.tell?.(`${name}: ${done} of ${points.length}: ${sayVerdict(verdict)}`)
          }
        })
      )
      proofs.set(name, { points: points.length, verdict })
    }
    return proofs
  } finally {
    await ring.close()
  }
}

/** Spread over all of them, and other ones with another seed. */
function choose(points: Point[], sample: number, seed: number): Point[] {
  if (points.length <= sample) return points
  const each = points.length / sample
  return Array.from(
    { length: sample },
    (_, index) => points[Math.floor(index * each + (((seed * 7_919 + index * 104_729) % 1_000) / 1_000) * each)]
  ).filter((point) => point !== undefined)
}

export function sayVerdict({ lost, halfApplied, doubled, falselyDenied, faults }: Verdict): string {
  return `lost ${lost.length}, half-applied ${halfApplied.length}, doubled ${doubled.length}, told "not kept" and kept ${falselyDenied.length}, faults ${faults.length}`
}

/** `npm run proof -- kills` and `-- disk`: every point. */
export async function runDying(
  kinds: readonly Blows[],
  options: { rounds: number; sample?: number; seed: number }
): Promise<number> {
  const startedMs = performance.now()
  console.log(`Core transactions:\n${transactions.map(({ name }, index) => `  ${index + 1}. ${name}`).join('\n')}`)
  const proofs = await proveDying(kinds, { ...options, sideBySide: 4, tell: (text) => console.log(text) })
  let wrong = 0
  for (const [name, { points, verdict }] of proofs) {
    const all = [
      ...verdict.lost,
      ...verdict.halfApplied,
      ...verdict.doubled,
      ...verdict.falselyDenied,
      ...verdict.faults
    ]
    for (const line of all) console.log(line)
    wrong += all.length
    console.log(`${name}: ${points} points, ${sayVerdict(verdict)}`)
  }
  console.log(`${Math.round((performance.now() - startedMs) / 1000)} s (seed ${options.seed})`)
  return wrong === 0 ? 0 : 1
}
