import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cacheModes, makeWorld, outcomes, runUntilRest, type WriteOutcome } from '../../support/operationWorld.ts'

const networkOnly = outcomes.filter((outcome) => !/^(4|applied twice)/.test(outcome)) as WriteOutcome[]

const schedule = (allowed: readonly WriteOutcome[]) =>
  fc.record({
    outcomes: fc.array(fc.constantFrom(...allowed), { maxLength: 6 }),
    cache: fc.constantFrom(...cacheModes),
    lateMs: fc.integer({ min: 0, max: 119_999 }),
    works: fc.array(fc.constantFrom('vehicle:1', 'vehicle:2'), { minLength: 1, maxLength: 4 }),
    /** Every so many instants the process dies. */
    crashes: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
    /** Steps at which the network goes away, or comes back. */
    switches: fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 6 }),
    stepMs: fc.integer({ min: 500, max: 30_000 }),
    dropAt: fc.option(fc.integer({ min: 0, max: 20 }))
  })
type Schedule = typeof schedule extends (...args: never[]) => fc.Arbitrary<infer Value> ? Value : never

async function run({ outcomes: scripted, cache, lateMs, works, crashes, switches, stepMs, dropAt }: Schedule) {
  const world = makeWorld({ outcomes: scripted, cache, lateMs })
  const first = world.start()
  const ids = works.map((key, index) => world.add(first, `work ${index}`, key))
  const left = [...crashes]
  let dropped: { id: string; sends: number } | undefined
  await runUntilRest(world, () => ids, {
    stepMs,
    eachStep(step, operations) {
      const next = left.shift()
      if (next !== undefined) world.crashAt(next)
      world.isOnline = switches.filter((at) => at <= step).length % 2 === 0 || step > 100
      const [id] = ids
      if (step !== dropAt || id === undefined || dropped || !['pending', 'unknown', 'needsAttention', 'failed'].includes(world.state(id))) return
      // Noted first: the process may die right after the decision is on the disk.
      dropped = { id, sends: world.sends.filter((name) => name === 'work 0').length }
      operations.drop(id, 'not wanted any more')
    }
  })
  return { world, ids, dropped }
}

test('no random schedule of network, crashes and decisions loses, doubles or invents an effect', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(schedule(outcomes), async (given) => {
      runs += 1
      const { world, ids, dropped } = await run(given)
      const byProxy = world.doubledByProxy
      ids.forEach((id, index) => {
        const effects = world.effects.filter(({ operation }) => operation === `work ${index}`).length
        if (world.state(id) === 'done') expect(effects, 'done without an effect').toBeGreaterThan(0)
        expect(effects - byProxy, 'applied twice').toBeLessThanOrEqual(1)
        if (world.state(id) === 'cancelled') expect(dropped?.id, 'cancelled by nobody').toBe(id)
      })
      expect(world.mostPerKey).toBeLessThanOrEqual(1)
      if (dropped && world.state(dropped.id) === 'cancelled') expect(world.sends.filter((name) => name === 'work 0')).toHaveLength(dropped.sends)
    }),
    { numRuns: 400, verbose: true }
  )
  expect(runs).toBeGreaterThanOrEqual(400)
})

test('when only the network is at fault, hardly anything asks for a person', async () => {
  let works = 0
  let attention = 0
  await fc.assert(
    fc.asyncProperty(schedule(networkOnly), async (given) => {
      const { world, ids } = await run({ ...given, dropAt: null, outcomes: given.outcomes.slice(0, 2) })
      works += ids.length
      attention += ids.filter((id) => ['needsAttention', 'failed'].includes(world.state(id))).length
    }),
    { numRuns: 200 }
  )
  console.log(`${works} works, ${attention} ask for a person`)
  expect(attention / works).toBeLessThanOrEqual(0.01)
})
