import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, describe, expect, it } from 'vitest'
import type { WorkNumbers } from '../../../preload/contract/job/numbers.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { farthestGroups, longestSteps, mainCauses, passTrend } from '../../../renderer/job/log/numbers/findings.ts'
import NumbersScreen from '../../../renderer/job/log/numbers/NumbersScreen.vue'
import { createFakeBridge, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'

let core: FakeBridge
let screen: VueWrapper | undefined
afterEach(() => screen?.unmount())

const step = (kind: string, averageS: number, more: Partial<WorkNumbers['steps'][number]> = {}) => ({
  kind,
  name: plainMessage(kind),
  runs: 10,
  averageMs: averageS * 1_000,
  firstTime: 8,
  failures: 1,
  waived: 0,
  middleMs: averageS * 900,
  lowMs: averageS * 500,
  highMs: averageS * 2_000,
  ...more
})
const group = (by: 'technician' | 'template', value: string, jobs: number, firstTimeJobs: number) => ({
  by,
  value,
  name: plainMessage(value),
  jobs,
  firstTimeJobs,
  averageMs: 1_000_000,
  steps: jobs * 10,
  waived: jobs,
  commonest: null
})
const whole: WorkNumbers = {
  jobs: 40,
  firstTimeJobs: 34,
  middleMs: 1_620_000,
  steps: [step('Inputs', 200), step('Network', 20), step('Position', 30), step('Clock', 20)],
  causes: [{ step: plainMessage('Inputs'), sentence: plainMessage('Door contact not wired'), steps: 6 }],
  failedSteps: 10,
  months: [
    { month: '2026-01', jobs: 20, firstTimeJobs: 16 },
    { month: '2026-02', jobs: 20, firstTimeJobs: 18 }
  ],
  uncounted: 0,
  groups: [
    group('technician', 'Ana', 20, 18),
    group('technician', 'Luis', 20, 16),
    group('template', 'standard', 40, 34)
  ],
  building: null
}

async function open(
  answer: (filter: { from?: string | undefined; technician?: string | undefined }) => WorkNumbers
): Promise<VueWrapper> {
  core = createFakeBridge({ 'numbers.work': ({ filter }) => answer(filter) })
  window.fitter = core
  setActivePinia(createPinia())
  screen = mount(NumbersScreen, { attachTo: document.body })
  await flushPromises()
  return screen
}
const filters = () =>
  core.made.filter(({ name }) => name === 'numbers.work').map(({ input }) => (input as { filter: object }).filter)

describe('a title', () => {
  it('names the steps that take two thirds of the time, unless it is all of them', () => {
    expect(longestSteps(whole.steps)).toMatchObject({ steps: [{ kind: 'Inputs' }], sharePercent: 74 })
    expect(longestSteps([step('One', 1), step('Two', 1)])).toBe(null)
    expect(longestSteps([])).toBe(null)
  })

  it('counts at most three causes against all failures', () => {
    const causes = [5, 3, 2, 1].map((steps) => ({ step: plainMessage('s'), sentence: plainMessage('w'), steps }))
    expect(mainCauses({ causes, failedSteps: 20 })).toEqual({ n: 3, sharePercent: 50 })
    expect(mainCauses({ causes: [], failedSteps: 0 })).toBe(null)
  })

  it('says that the rate rose or fell only from months with enough jobs', () => {
    expect(passTrend(whole.months)).toEqual({ kind: 'rose', fromPercent: 80, toPercent: 90 })
    expect(
      passTrend([
        { month: '2026-01', jobs: 20, firstTimeJobs: 16 },
        { month: '2026-02', jobs: 1, firstTimeJobs: 1 }
      ])
    ).toBe(null)
  })

  it('compares only groups with enough jobs', () => {
    expect(farthestGroups(whole.groups.slice(0, 2))).toMatchObject({ best: { value: 'Ana' }, last: { value: 'Luis' } })
    expect(farthestGroups([group('technician', 'Ana', 20, 18), group('technician', 'Luis', 2, 0)])).toBe(null)
  })
})

describe('the statistics', () => {
  it('say their findings as titles, and the middle of the times instead of their mean', async () => {
    const page = await open(() => whole)
    const titles = page.findAll('h2').map((one) => one.text().replaceAll(/\s%/g, ' %'))
    expect(titles).toEqual([
      'Inputs: 74 % of the step time',
      'One cause explains 60 % of the failures',
      'First-pass rate rose: 80 % to 90 %',
      'Ana has the highest first-pass rate, Luis the lowest'
    ])
    expect(page.text()).toContain('Other causes')
    expect(
      page
        .findAll('tbody tr')
        .find((row) => row.text().startsWith('Inputs'))
        ?.text()
    ).toContain('3 min')
  })

  it('fall back to the whole log when the latest period is empty, and keep a period that somebody chose', async () => {
    const page = await open(({ from }) => (from === undefined ? whole : { ...whole, jobs: 0 }))
    expect(filters()).toEqual([{ from: expect.any(String) as string }, {}])
    expect(page.text()).toContain('Inputs')
    await page.findAll('input[type=radio]')[0]?.setValue(true)
    await flushPromises()
    expect(page.text()).toContain('No jobs ended in this period')
    expect(filters()).toHaveLength(3)
  })

  it('say how many ended jobs cannot be measured, instead of being empty', async () => {
    const page = await open(() => ({ ...whole, jobs: 0, uncounted: 2_571 }))
    expect(page.text()).toContain('2,571 jobs ended, but their logs contain no steps.')
  })

  it('do not say that no job ended while earlier jobs are still being counted', async () => {
    const page = await open(() => ({ ...whole, jobs: 0, building: { done: 3, total: 9 } }))
    expect(page.text()).toContain('Counting jobs of earlier versions: 3 of 9.')
    expect(page.text()).not.toContain('No jobs ended')
  })

  it('are narrowed to a technician, who can then be exchanged for another', async () => {
    const page = await open(({ technician }) =>
      technician ? { ...whole, groups: whole.groups.filter(({ value }) => value === technician) } : whole
    )
    await page.findAll('select')[0]?.setValue('Luis')
    await flushPromises()
    expect(filters().at(-1)).toMatchObject({ technician: 'Luis' })
    expect(
      page
        .findAll('select')[0]
        ?.findAll('option')
        .map((one) => one.text())
    ).toEqual(['All technicians', 'Ana', 'Luis'])
  })
})
