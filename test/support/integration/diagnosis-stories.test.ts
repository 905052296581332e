// @module-tag long
import { describe, expect, it } from 'vitest'
import { faultStories, type Asked, type FaultStory } from '../../../simulator/faultStories.ts'
import type { StoryName } from '../../../simulator/stories.ts'
import type { Diagnosis } from '../../../preload/contract/support/diagnosis.ts'
import { diagnosedInBundle } from '../../world/data/bundles/bundleFile.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { diagnoseStory, type Look } from '../../world/window/stories/storyDiagnosis.ts'

const isAll = process.env['FITTER_STORIES'] === 'all'
const witnesses: readonly Asked[] = ['both', 'device', 'gateway']
/** One of each kind of answer; `npm run proof -- diagnosis` runs all of them. */
const chosen = new Set(['powerFlickers device', 'wrongApn both', 'noFix gateway'])
const clean: readonly [StoryName, Asked][] = isAll
  ? (['parked', 'drive', 'installation-fast'] as const).flatMap((plays) =>
      witnesses.map((asked): [StoryName, Asked] => [plays, asked])
    )
  : [['drive', 'both']]
const told = faultStories
  .flatMap((story) => witnesses.map((asked) => ({ story, asked, name: story.name })))
  .filter(({ name, asked }) => isAll || chosen.has(`${name} ${asked}`))
/** A minute takes seconds; more of them on a busy computer. */
const longMs = 120_000

/** Everything that was accused in one look. */
function accused({ brokenAt, says, findings }: Look): string[] {
  return [...(brokenAt === null ? [] : [`${brokenAt}: ${says ?? ''}`]), ...findings]
}

/** Whoever makes a bundle while nobody answers has nothing to show. */
function hasAnswer({ device, gateway }: Diagnosis): boolean {
  return device?.state === 'answers' || gateway?.state === 'answers' || gateway?.state === 'notShown'
}

function wanted({ diagnosis }: FaultStory, asked: Asked): string | undefined {
  const named = diagnosis?.[asked]
  if (named === undefined) return undefined
  return 'link' in named ? `${named.link}: ${named.says}` : named.finding
}

describe('Within a minute of simulated time', () => {
  it.each(clean)(
    'nothing is accused of a clean vehicle (%s), asking %s',
    async (plays, asked) => {
      const { looks, last, faults } = await diagnoseStory(null, { asked, plays })
      expect(looks.flatMap(accused)).toEqual([])
      expect(looks.flatMap(({ contradictions }) => contradictions)).toEqual([])
      expect(last.chain.filter(({ state }) => state === 'unknown').map(({ link }) => link)).toEqual(
        asked === 'device' ? ['gatewayEvent', 'vehicle', 'visible'] : []
      )
      expect(faults).toEqual([])
    },
    longMs
  )

  it(
    'a device that is moved to another vehicle at the gateway, while the screen is open, is noticed within 15 s',
    async () => {
      const moved = faultStories.find(({ name }) => name === 'vehicleWrong') ?? null
      const beginsAfterMs = 20_000
      const { looks, faults } = await diagnoseStory(moved, { asked: 'both', plays: 'parked', beginsAfterMs })
      expect(looks.filter(({ atMs }) => atMs < beginsAfterMs).flatMap(accused)).toEqual([])
      const noticed = looks.find(({ brokenAt }) => brokenAt === 'vehicle')
      expect(noticed?.says).toBe('chain.vehicle.deviceElsewhere')
      const told = looks.find(({ atMs }) => atMs >= beginsAfterMs)
      expect((noticed?.atMs ?? Infinity) - (told?.atMs ?? 0)).toBeLessThanOrEqual(15_000)
      expect(faults).toEqual([])
    },
    longMs
  )

  it.each(told)(
    '$name is named by itself, and nothing else before, asking $asked',
    async ({ story, asked }) => {
      const { looks, last, evidence, faults } = await diagnoseStory(story, {
        asked,
        plays: story.diagnosis?.while ?? 'parked'
      })
      const cause = wanted(story, asked)
      const also = new Set([cause, ...(story.diagnosis?.also ?? [])])
      expect(looks.flatMap(accused).filter((one) => !also.has(one))).toEqual([])
      if (cause !== undefined) expect(looks.flatMap(accused)).toContain(cause)
      expect(looks.flatMap(({ contradictions }) => contradictions)).toEqual([])
      // From a support bundle it is the same to the word.
      if (hasAnswer(last))
        expect(evidence && (await diagnosedInBundle(tempFolder(), evidence))).toEqual({
          tone: last.tone,
          since: last.since,
          headline: last.headline,
          brokenAt: last.brokenAt,
          chain: last.chain,
          findings: last.findings,
          facts: last.facts,
          proof: last.proof
        })
      if (story.diagnosis?.deviceIs && asked !== 'gateway') expect(last.device?.state).toBe(story.diagnosis.deviceIs)
      expect(faults).toEqual([])
    },
    longMs
  )
})
