import { faults, type Fault } from './faults.ts'
import { judge, type Verdict } from './judge.ts'
import { openWorld, type World } from './world.ts'

export interface TeamProof {
  /** Kinds that cannot be made on this system. */
  leftOut: string[]
  /** Per kind: how many rounds, and what went wrong. */
  kinds: Map<string, { rounds: number; verdict: Verdict; wrong: string[] }>
  entries: number
  forks: number
}

/** How often each laptop tries until everything is there, before that is called lost. */
const mostTries = 20

/**
 * A company whose laptops work while one thing after the other breaks. After each of them everybody pushes, and what is
 * at the server is held against what the laptops have kept. The same seed breaks the same things in the same order. It
 * ends with the first round in which something is wrong.
 */
export async function proveTeam({
  rounds,
  seed,
  tell = () => undefined
}: {
  rounds: number
  seed: number
  tell?(text: string): void
}): Promise<TeamProof> {
  const world = await openWorld({ laptops: 3, seed, rounds })
  try {
    const possible = faults.filter((fault) => fault.isPossible?.(world) ?? true)
    const proof: TeamProof = {
      leftOut: faults.filter((fault) => !possible.includes(fault)).map(({ name }) => name),
      kinds: new Map(),
      entries: 0,
      forks: 0
    }
    for (const { name } of possible)
      proof.kinds.set(name, { rounds: 0, verdict: { lost: [], doubled: [], broken: [], forks: [] }, wrong: [] })
    let order: Fault[] = []
    for (let round = 1; round <= rounds; round++) {
      if (order.length === 0) order = shuffled(possible, world.random)
      const fault = order.pop() as Fault
      const kind = proof.kinds.get(fault.name)
      if (!kind) continue
      const where = (line: string): string => `round ${String(round)} (seed ${String(seed)}), ${fault.name}: ${line}`
      kind.rounds += 1
      const wrong = [...(await fault.strike(world)), ...(await settle(world))]
      const found = await judge(world, { isWhole: round === rounds })
      kind.wrong.push(...wrong.map(where))
      for (const name of ['lost', 'doubled', 'broken', 'forks'] as const)
        kind.verdict[name].push(...found[name].map(where))
      // What follows would only repeat it.
      if (wrong.length + Object.values(found).flat().length > 0) break
      if (round % 20 === 0) tell(`${String(round)} of ${String(rounds)} rounds`)
    }
    proof.entries = [...world.ledger.logs.values()].reduce((sum, log) => sum + log.length, 0)
    proof.forks = world.ledger.forks.size
    return proof
  } finally {
    await world.end()
  }
}

/**
 * Everybody pushes until nothing waits, also whoever has nothing that waits: only then is it known what a server lacks.
 */
async function settle({ members }: World): Promise<string[]> {
  let left: string[] = []
  // What one gives, another waits for.
  for (let tries = 1; tries <= mostTries; tries++) {
    left = []
    for (const { at, laptop } of members) {
      const why = await laptop.settle()
      if (why !== null) left.push(`${at.name} does not get on: ${why}`)
    }
    if (left.length === 0 && tries > 1) return []
  }
  return left
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

export function sayTeamProof({ kinds, leftOut, entries, forks }: TeamProof): string {
  const line = (
    name: string,
    { rounds: count, verdict, wrong }: { rounds: number; verdict: Verdict; wrong: string[] }
  ) =>
    `${name.padEnd(52)} ${String(count).padStart(4)} rounds: lost ${String(verdict.lost.length)}, doubled ${String(verdict.doubled.length)}, gaps and broken hashes ${String(verdict.broken.length)}, forks not found ${String(verdict.forks.length)}, else wrong ${String(wrong.length)}`
  return [
    ...[...kinds].map(([name, kind]) => line(name, kind)),
    ...leftOut.map(
      (name) =>
        `${name}: left out, no disk of a small size can be mounted here (Linux, as root or where users may make namespaces)`
    ),
    `${String([...kinds.values()].reduce((sum, { rounds }) => sum + rounds, 0))} rounds, ${String(entries)} entries in all logs, ${String(forks)} entries of forks`
  ].join('\n')
}

/** Every line of what went wrong. */
export function wrongOf({ kinds }: TeamProof): string[] {
  return [...kinds.values()].flatMap(({ verdict, wrong }) => [
    ...Object.values(verdict as unknown as Record<string, string[]>).flat(),
    ...wrong
  ])
}

/** `npm run proof -- team` */
export async function runTeamProof(rounds: number, seed: number): Promise<number> {
  const startedMs = performance.now()
  const proof = await proveTeam({ rounds, seed, tell: (text) => console.log(text) })
  const wrong = wrongOf(proof)
  for (const line of wrong) console.log(line)
  console.log(sayTeamProof(proof))
  console.log(`${String(Math.round((performance.now() - startedMs) / 1000))} s (seed ${String(seed)})`)
  return wrong.length === 0 ? 0 : 1
}
