import fc, { type AsyncCommand } from 'fast-check'

/** How many sequences, and which: the daily tests play a part of those of the proof (`npm run proof -- outputs`). */
export const sequenceRuns = Number(process.env['FITTER_OUTPUT_RUNS'] ?? 2_000)
export const sequenceSeed = Number(process.env['FITTER_OUTPUT_SEED'] ?? 7)

interface World {
  wrong(): string[]
  story: string[]
  heal(): Promise<void>
  end(): Promise<void>
  clock: { advance(ms: number): Promise<void> }
}

type Step<W> = AsyncCommand<object, W>

/** One thing that happens: its name is the sentence of the story. */
export function happens<W extends World>(name: string, work: (world: W) => unknown): Step<W> {
  return {
    check: () => true,
    async run(_model, world) {
      world.story.push(`        ${name}`)
      await work(world)
      if (world.wrong().length > 0) throw new Error('wrong')
    },
    toString: () => name
  }
}

/** Time passes: so little that something is just on its way, or so much that limits are reached. */
export function passes<W extends World>(): fc.Arbitrary<Step<W>> {
  return fc
    .constantFrom(1, 3, 6, 10, 15, 20, 40, 40, 240, 600, 1_500, 3_000, 9_000, 21_000, 47_000, 70_000)
    .map((ms) => happens(`${ms} ms pass`, (world) => world.clock.advance(ms)))
}

/** How long a trouble lasts. */
export const lasting = fc.constantFrom(5, 300, 4_000, 25_000, 60_000)
export const forS = (ms: number): string => ` for ${ms / 1000} s`
export const often = <T>(times: number, step: T): T[] => Array.from({ length: times }, () => step)

/** Plays random sequences in worlds of their own; the smallest one that goes wrong is printed as a story. */
export async function playSequences<W extends World>(
  steps: fc.Arbitrary<Step<W>>[],
  openWorld: () => W,
  { runs = sequenceRuns, seed = sequenceSeed } = {}
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 32, size: 'max' }), async (commands) => {
      const world = openWorld()
      let thrown: unknown
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands)
        await world.heal()
      } catch (error) {
        thrown = error
      } finally {
        await world.end()
      }
      const wrong = world.wrong()
      if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\nThe story:\n${world.story.join('\n')}`)
      if (thrown) throw thrown
    }),
    {
      numRuns: runs,
      seed,
      endOnFailure: process.env['FITTER_OUTPUT_SHRINK'] === 'no',
      verbose: 0,
      interruptAfterTimeLimit: 3_400_000,
      markInterruptAsFailure: false
    }
  )
}
