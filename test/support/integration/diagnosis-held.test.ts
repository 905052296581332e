// @module-tag long
import { describe, expect, it } from 'vitest'
import type { FaultName } from '../../../simulator/faults.ts'
import type { FaultStory } from '../../../simulator/faultStories.ts'
import { diagnoseStory } from '../../world/window/stories/storyDiagnosis.ts'

const longMs = 120_000
const signsInAfterMs = 20_000

describe('Signing in to the device beside the laptop', () => {
  it.each<[FaultName, string]>([
    ['noPower', 'power'],
    ['noFix', 'fix']
  ])(
    'takes no known red back (%s)',
    async (fault, link) => {
      const story: FaultStory = {
        area: 'radio',
        name: fault,
        device: [fault],
        verdicts: {},
        cause: { step: 'position', says: '' }
      }
      const { looks, last, faults } = await diagnoseStory(story, { asked: 'gateway', plays: 'parked', signsInAfterMs })
      const known = looks.findIndex(({ brokenAt }) => brokenAt === link)
      expect(looks[known]?.atMs).toBeLessThan(signsInAfterMs)
      expect(new Set(looks.slice(known).map(({ tone, brokenAt }) => `${tone} ${String(brokenAt)}`))).toEqual(
        new Set([`fail ${link}`])
      )
      // In the end the device has said it itself.
      expect([last.device?.state, last.chain.find((step) => step.link === link)?.witness]).toEqual([
        'answers',
        'device'
      ])
      expect(last.chain.some(({ isHeld }) => isHeld)).toBe(false)
      expect(faults).toEqual([])
    },
    longMs
  )
})
