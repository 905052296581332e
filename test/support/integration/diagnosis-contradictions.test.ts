// @module-tag long
import { describe, expect, it } from 'vitest'
import type { FaultName } from '../../../simulator/faults.ts'
import type { Asked, FaultStory } from '../../../simulator/faultStories.ts'
import type { StoryName } from '../../../simulator/stories.ts'
import { diagnoseStory } from '../../world/window/stories/storyDiagnosis.ts'

const longMs = 120_000

/** Half an hour of a device that contradicts itself, as a simulated gateway shows it. */
describe('A device that contradicts itself is found', () => {
  it.each<[FaultName, Asked, StoryName, string]>([
    ['weekRollover', 'gateway', 'parked', 'eventsRolled'],
    ['weekRollover', 'device', 'parked', 'clockRolled'],
    ['frozenPosition', 'gateway', 'drive', 'fix: contradictions.frozen'],
    ['speedStaysZero', 'gateway', 'drive', 'noSpeed'],
    ['fixWithoutSatellites', 'device', 'parked', 'fix: chain.fix.contradicted'],
    ['scaledCoordinates', 'both', 'parked', 'fix: contradictions.scaled'],
    ['exchangedCoordinates', 'gateway', 'parked', 'coordinates'],
    ['secondDevice', 'gateway', 'parked', 'twoPlaces'],
    ['repeatedEvent', 'gateway', 'parked', 'eventRepeated'],
    ['onlyKeepAlives', 'gateway', 'drive', 'fix: chain.fix.noPositions']
  ])(
    '%s, asking %s',
    async (fault, asked, plays, expected) => {
      const story: FaultStory = {
        area: 'radio',
        name: fault,
        device: [fault],
        verdicts: {},
        cause: { step: 'position', says: '' }
      }
      const { last, looks, faults } = await diagnoseStory(story, { asked, plays })
      const broken = last.chain.find(({ state }) => state === 'broken')
      expect([
        ...(broken ? [`${broken.link}: ${broken.sentence.id}`] : []),
        ...last.findings.map(({ id }) => id)
      ]).toContain(expected)
      expect(last.tone).not.toBe('pass')
      // Headline, links and rows of one look say one thing.
      expect(looks.flatMap(({ contradictions }) => contradictions)).toEqual([])
      expect(faults).toEqual([])
    },
    longMs
  )
})
