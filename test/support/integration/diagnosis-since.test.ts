// @module-tag long
import { describe, expect, it } from 'vitest'
import type { FaultName } from '../../../simulator/faults.ts'
import type { Asked, FaultStory } from '../../../simulator/faultStories.ts'
import type { StoryName } from '../../../simulator/stories.ts'
import { diagnoseStory } from '../../world/window/stories/storyDiagnosis.ts'

const longMs = 120_000
/** The first event that shows it comes with the next report. */
const reportMs = 21_000

/** Half an hour of one fault, of which the latest 100 events show nothing else. */
describe('Since when is the event that began it, and it stands still', () => {
  it.each<[FaultName, Asked, StoryName, string]>([
    ['noPower', 'gateway', 'parked', 'power'],
    ['noPower', 'both', 'parked', 'power'],
    ['noFix', 'gateway', 'parked', 'fix'],
    ['noFix', 'both', 'parked', 'fix']
  ])(
    '%s, asking %s',
    async (fault, asked, plays, link) => {
      const story: FaultStory = {
        area: 'radio',
        name: fault,
        device: [fault],
        verdicts: {},
        cause: { step: 'position', says: '' }
      }
      const { looks, last, beganMs, faults } = await diagnoseStory(story, { asked, plays })
      expect(last.brokenAt).toBe(link)
      const named = looks.filter(({ brokenAt }) => brokenAt === link)
      expect(named.length).toBeGreaterThan(20)
      const since = new Set(named.slice(1).map((look) => look.since))
      expect(since.size).toBe(1)
      const sinceMs = Date.parse([...since][0] ?? '')
      expect(sinceMs).toBeGreaterThanOrEqual((beganMs ?? 0) - 1_000)
      expect(sinceMs).toBeLessThanOrEqual((beganMs ?? 0) + reportMs)
      expect(faults).toEqual([])
    },
    longMs
  )
})
