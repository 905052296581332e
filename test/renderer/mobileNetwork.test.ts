import { describe, expect, it } from 'vitest'
import { diagnosisLimits } from '../../main/diagnosis/limits.ts'
import { loadShipped } from '../../main/jobs/checklists/shipped.ts'
import { readFacts } from '../../main/workspace/facts.ts'
import { findChain } from '../../renderer/features/device/overview/chain.ts'
import { findProblems } from '../../renderer/features/device/overview/problems.ts'
import { liveReading, workspaceAnswers } from '../support/fakeWorkspace.ts'
import { useFakeWindow } from '../support/fakeWindow.ts'
import { modemCases } from '../support/modemCases.ts'
import { resourcesFolder } from '../support/quickProfile.ts'
import { openPanel } from '../support/workspacePage.ts'

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
