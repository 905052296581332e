import { describe, expect, it } from 'vitest'
import { diagnosisLimits } from '../../../main/support/diagnosis/limits.ts'
import { loadShipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { readFacts } from '../../../main/support/deviceSession/readFacts.ts'
import { findChain } from '../../../renderer/support/deviceSession/overview/chain.ts'
import { findProblems } from '../../../renderer/support/deviceSession/overview/problems.ts'
import { liveReading, workspaceAnswers } from '../../world/window/fakes/fakeWorkspace.ts'
import { useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'
import { modemCases } from '../../world/device/modemCases.ts'
import { resourcesFolder } from '../../world/device/quickProfile.ts'
import { openPanel } from '../../world/window/workspacePage.ts'

useFakeWindow()

const limits = diagnosisLimits(loadShipped(resourcesFolder).standardProfile)
const workspaceLimits = workspaceAnswers['workspace.limits']({})

describe('One judgement of the mobile network', () => {
  it.each(modemCases)(
    '$name: overview and network page say what the diagnosis says',
    async ({ modem, step, sim, says, remedy, inUse = 'external' }) => {
      const readings = {
        'modem.information': liveReading('modem.information', { value: JSON.parse(JSON.stringify(modem)) as never })
      }
      const facts = readFacts(readings, Date.now(), limits)
      expect(findProblems(readings, facts, Date.now(), workspaceLimits).filter(({ id }) => id !== 'clock')).toEqual(
        step === 'fail' ? [expect.objectContaining({ tone: 'fail', section: 'network', text: says, todo: remedy })] : []
      )
      const drawn = findChain({
        readings,
        facts,
        limits: workspaceLimits,
        compare: null,
        link: null,
        model: '',
        vehicleName: ''
      }).mobile
      expect(drawn.tone === 'fail').toBe(step === 'fail')
      if (step === 'fail') expect(drawn.value).toBe(says)

      const page = await openPanel('network', {
        'workspace.read': () => ({ readings, facts, nextInMs: 60_000, isSlow: false })
      })
      if (says !== undefined) expect(page.text()).toContain(says)
      const toneOf = (label: string) =>
        page
          .findAll('dl.facts > div')
          .find((row) => row.find('dt').text().startsWith(label))
          ?.get('dd')
          .classes()
          .filter((name) => ['pass', 'warn', 'fail'].includes(name))
      const labels = ['SIM state', 'eSIM state']
      const [own = '', other = ''] = inUse === 'embedded' ? labels.toReversed() : labels
      expect(toneOf(own)).toEqual([sim === 'ok' ? 'pass' : 'fail'])
      expect(toneOf(other)).toEqual([])
    }
  )
})
