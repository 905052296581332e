import { expect, test } from 'vitest'
import { cacheModes, makeWorld, outcomes, runUntilRest, type CacheMode, type Rule, type WriteOutcome } from '../../support/operationWorld.ts'

interface Tally {
  runs: number
  losses: number
  doubles: number
  falseDone: number
  needsAttention: number
  what: string[]
}

/** Refusals that only a person can put right; everything else is the network's doing. */
const refusals: WriteOutcome[] = ['400', '401', '403', '404', '409 of another']

/** One operation whose first write meets `outcome`, with the process dying at every instant of its life, one run each. */
async function runEveryCrash(outcome: WriteOutcome, cache: CacheMode, without: Rule | undefined, tally: Tally): Promise<void> {
  for (let instant = 1; ; instant++) {
    const world = makeWorld({ outcomes: [outcome], cache, ...(without ? { without } : {}) })
    const first = world.start()
    const id = world.add(first, 'link')
    let isArmed = false
    const restarts = await runUntilRest(world, () => [id], {
      // Without the second read, the harm shows only to those who look often.
      stepMs: without === 'reread' ? 4_000 : 15_000,
      eachStep() {
        if (!isArmed) world.crashAt(instant)
        isArmed = true
      }
    })
    judge(world, id, outcome, `${outcome}, cache ${cache}, crash at instant ${instant}`, tally)
    if (restarts === 0) return
  }
}

function judge(world: ReturnType<typeof makeWorld>, id: string, outcome: WriteOutcome, what: string, tally: Tally): void {
  const state = world.state(id)
  const effects = world.effects.length - world.doubledByProxy
  const isRefused = refusals.includes(outcome)
  tally.runs += 1
  const count = (kind: 'losses' | 'doubles' | 'falseDone' | 'needsAttention') => {
    tally[kind] += 1
    tally.what.push(`${kind}: ${what}, ends ${state} with ${effects} effects`)
  }
  if (effects > 1) count('doubles')
  if (state === 'done' && effects === 0) count('falseDone')
  if (!isRefused && effects === 0) count('losses')
  if (!isRefused && state !== 'done') count('needsAttention')
  if (isRefused && effects === 0 && state !== 'failed' && state !== 'needsAttention') count('losses')
}

async function runAll(without?: Rule, isEnough: (tally: Tally) => boolean = () => false): Promise<Tally> {
  const tally: Tally = { runs: 0, losses: 0, doubles: 0, falseDone: 0, needsAttention: 0, what: [] }
  for (const cache of cacheModes) {
    for (const outcome of outcomes) {
      if (!isEnough(tally)) await runEveryCrash(outcome, cache, without, tally)
    }
  }
  return tally
}

test('whatever the network does and whenever the process dies: nothing lost, nothing doubled, nothing claimed that is not there', { timeout: 60_000 }, async () => {
  const tally = await runAll()
  console.log(`${tally.runs} runs: losses ${tally.losses}, doubles ${tally.doubles}, false done ${tally.falseDone}, needsAttention ${tally.needsAttention}`)
  expect(tally.what).toEqual([])
  expect(tally.runs).toBeGreaterThan(500)
})

test.for([
  ['intent', 'doubles'],
  ['unknown', 'doubles'],
  ['grace', 'doubles'],
  ['reread', 'doubles'],
  ['evidence', 'falseDone']
] as const)('without the rule "%s" there are %s', { timeout: 60_000 }, async ([rule, harm]) => {
  const tally = await runAll(rule, (found) => found[harm] > 0)
  expect(tally[harm]).toBeGreaterThan(0)
})
