import { describe, expect, it } from 'vitest'
import { faultStories, type FaultStory } from '../../simulator/faultStories.ts'
import { runStory } from '../support/stories/storyJob.ts'
import { storySteps } from '../support/stories/steps.ts'

/** One of each cause that looks like another; `npm run proof -- stories` runs all of them. */
const chosen = [
  'ignitionOnPermanentFeed',
  'badGround',
  'wrongApn',
  'vehicleWrong',
  'relayShorted',
  'driving',
  'deviceSwapped',
  'booleansAsText'
]
const stories =
  process.env['FITTER_STORIES'] === 'all' ? faultStories : faultStories.filter(({ name }) => chosen.includes(name))
/** Minutes of a job take seconds; more of them on a busy computer. */
const longMs = 120_000
const blocking = new Set(['fail', 'unreadable', 'waiting'])

/** What every step of the job must come to. */
function expectedOf(story: FaultStory | null): Record<string, string> {
  const verdicts: FaultStory['verdicts'] = story?.verdicts ?? {}
  const steps = storySteps(story)
    .map(({ kind }): string => kind)
    .map((kind): [string, string] => [kind, verdicts[kind] ?? 'pass'])
  const isBlocked = steps.some(([, verdict]) => blocking.has(verdict))
  return { ...Object.fromEntries(steps), signOff: verdicts['signOff'] ?? (isBlocked ? 'fail' : 'pass') }
}

describe('A whole job', () => {
  it(
    'on a vehicle without a fault has no false alarm',
    async () => {
      const run = await runStory(null)
      expect(run.verdicts).toEqual(expectedOf(null))
      expect(run.job.state).toBe('done')
      expect([run.faults, run.violations]).toEqual([[], []])
    },
    longMs
  )

  it.each(stories.filter((story) => storySteps(story).some(({ kind }) => kind === story.cause.step)))(
    'with $name comes to its verdicts and names the cause',
    { timeout: longMs, tags: ['long'] },
    async (story) => {
      const run = await runStory(story)
      expect(run.verdicts).toEqual(expectedOf(story))
      expect(run.says[story.cause.step]).toContain(story.cause.says)
      expect([run.faults, run.violations]).toEqual([[], []])
    }
  )
})
