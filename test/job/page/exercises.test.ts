import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { afterEach, expect, it } from 'vitest'
import type { Exercise, ExerciseResult } from '../../../preload/contract/app/exercises.ts'
import ScoreScreen from '../../../renderer/job/training/ScoreScreen.vue'
import VehicleDrawer from '../../../renderer/job/training/VehicleDrawer.vue'
import { message } from '../../../preload/contract/messages.ts'
import { makeResult } from '../../world/data/trainingResults.ts'
import { createFakeBridge, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'

let core: FakeBridge
let page: VueWrapper
afterEach(() => page.unmount())

const causes = [
  { area: 'supply' as const, cause: 'noPower' },
  { area: 'supply' as const, cause: 'powerSwitched' },
  { area: 'radio' as const, cause: 'noFix' }
]
const result: ExerciseResult = makeResult({
  at: '2026-11-20T09:06:40.000Z',
  id: null,
  cause: 'powerSwitched',
  tookS: 400,
  points: 80
})
const begun: Exercise = {
  id: null,
  imei: '',
  area: null,
  vehicle: 'Unit 0001',
  startedAt: '2026-11-20T09:00:00.000Z',
  limitS: 900,
  wrongGuesses: 0,
  hints: [],
  hintsLeft: 3,
  ruledOut: [],
  removedFaults: 0
}

async function open(): Promise<void> {
  localStorage.setItem('training.drawer', 'open')
  let running: Exercise | null = null
  core = createFakeBridge({
    'training.exercises': () => ({ running, causes, results: [], list: [], tour: [] }),
    'training.startExercise': (wanted) => (running = { ...begun, ...wanted }),
    'training.hint': () =>
      (running = {
        ...begun,
        area: 'supply',
        hints: [message('training.hint.supply')],
        hintsLeft: 2,
        ruledOut: ['noPower']
      }),
    'training.nameCause': ({ cause }) => ({ result: cause === 'powerSwitched' ? result : null })
  })
  window.fitter = core
  page = mount(VehicleDrawer, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
  await flushPromises()
}

async function press(name: string): Promise<void> {
  const button = page.findAll('button').find((one) => one.text() === name)
  if (!button) throw new Error(`No button "${name}" in: ${page.text()}`)
  await button.trigger('click')
  await flushPromises()
}

it('an exercise hides a fault together with the list of faults, and tells the score once the cause is named', async () => {
  await open()
  expect(page.text()).toContain('Ignition wire missing')
  await page.get('select[aria-label="Area of the fault"]').setValue('supply')
  await press('Start exercise')
  expect(core.made.find(({ name }) => name === 'training.startExercise')?.input).toMatchObject({ area: 'supply' })
  expect(page.text()).toContain('Fit the device into Unit 0001')
  expect(page.text()).not.toContain('Ignition wire missing')

  await press('Name the cause')
  const choices = page.get('dialog select')
  // The area that was chosen narrows it down.
  expect(choices.findAll('optgroup').map((group) => group.attributes('label'))).toEqual(['Power and ignition'])
  await choices.setValue('noPower')
  await page.get('dialog form').trigger('submit')
  await flushPromises()
  expect(page.get('dialog [role="status"]').text()).toBe('Not correct. 1 wrong guess so far.')

  await choices.setValue('powerSwitched')
  await page.get('dialog form').trigger('submit')
  await flushPromises()
  expect(page.find('dialog').exists()).toBe(false)
  const told = page.get('[role="status"]').text()
  expect(told).toContain('Found: 80 of 100 points')
  expect(told).toContain('The supply goes off with the key')
  expect(told).toMatch(/7 min|6 min 40 s|400 s/)
  expect(page.text()).toContain('Ignition wire missing')
})

it('without an area any cause may be meant, and nothing is sent before one is chosen', async () => {
  await open()
  await press('Start exercise')
  expect(core.made.find(({ name }) => name === 'training.startExercise')?.input).toMatchObject({ area: null })
  await press('Name the cause')
  expect(page.findAll('dialog optgroup').filter((group) => group.findAll('option').length > 0)).toHaveLength(2)
  await page.get('dialog form').trigger('submit')
  await press('Show answer')
  expect(core.made.filter(({ name }) => name === 'training.nameCause').map(({ input }) => input)).toEqual([
    { cause: null }
  ])
})

it('a hint says where to look and takes wrong answers away', async () => {
  await open()
  await press('Start exercise')
  await press('Show a hint, minus 10 points')
  expect(page.text()).toContain('Look at the supply and the ignition line')
  await press('Name the cause')
  expect(page.findAll('dialog option').map((option) => option.attributes('value'))).not.toContain('noPower')
})

it('a dangerous action is shown at its moment on the line of time', async () => {
  window.fitter = createFakeBridge({
    'training.exercises': () => ({ running: null, causes, results: [], list: [], tour: [] })
  })
  Element.prototype.scrollIntoView = () => undefined
  const done = makeResult()
  page = mount(ScoreScreen, { props: { result: done }, global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
  expect(page.find('.mark.shown').exists()).toBe(false)
  await press('Show the moment')
  expect(page.findAll('.mark.shown')).toHaveLength(1)
  expect(page.get('.deeds [role="status"]').text()).toMatch(/^Dangerous action, after \d+ (min|s)/)
})
