import { describe, expect, it } from 'vitest'
import { faultStories, type FaultStory } from '../../../simulator/faultStories.ts'
import { simulatedForms, type SimulatedForm } from '../../../simulator/forms.ts'
import { runStory } from '../../world/window/stories/storyJob.ts'
import { storySteps } from '../../world/window/stories/steps.ts'

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
const isAll = process.env['FITTER_STORIES'] === 'all'
const stories = isAll ? faultStories : faultStories.filter(({ name }) => chosen.includes(name))
/** In every form; daily, each story in one of them. */
const played = stories
  .filter((story) => storySteps(story).some(({ kind }) => kind === story.cause.step))
  .flatMap((story, index) =>
    simulatedForms.filter((_, n) => isAll || index % simulatedForms.length === n).map((form) => ({ story, form }))
  )
/** Minutes of a job take seconds; more of them on a busy computer. */
const longMs = 120_000
const blocking = new Set(['fail', 'unreadable', 'waiting'])

/** What every step of the job must come to. */
function expectedOf(story: FaultStory | null, form: SimulatedForm): Record<string, string> {
  // A battery told in millivolts cannot be compared with a percentage.
  // No key is ordered: any registered one is received.
  const verdicts: FaultStory['verdicts'] = {
    iButton: 'received',
    ...(form === 'mixed' ? { btTag: 'warn' } : {}),
    ...story?.verdicts
  }
  const steps = storySteps(story)
    .map(({ kind }): string => kind)
    .map((kind): [string, string] => [kind, verdicts[kind] ?? 'pass'])
  const isBlocked = steps.some(([, verdict]) => blocking.has(verdict))
  return { ...Object.fromEntries(steps), signOff: verdicts['signOff'] ?? (isBlocked ? 'fail' : 'pass') }
}

describe('A whole job', () => {
  it.each(isAll ? simulatedForms : (['maker'] as const))(
    'on a vehicle without a fault that answers in the form %s has no false alarm',
    async (form) => {
      const run = await runStory(null, form)
      expect(run.verdicts).toEqual(expectedOf(null, form))
      expect(run.job.state).toBe('done')
      expect([run.faults, run.violations]).toEqual([[], []])
    },
    longMs
  )

  it.each(played)(
    'with $story.name in the form $form comes to its verdicts and names the cause',
    { timeout: longMs, tags: ['long'] },
    async ({ story, form }) => {
      const run = await runStory(story, form)
      expect(run.verdicts).toEqual(expectedOf(story, form))
      expect(run.says[story.cause.step]).toContain(story.cause.says)
      expect([run.faults, run.violations]).toEqual([[], []])
    }
  )
})
