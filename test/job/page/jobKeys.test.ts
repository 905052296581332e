import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flushPromises } from '@vue/test-utils'
import { expect, it } from 'vitest'
import type { Step } from '../../../preload/contract/job/jobs.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import * as data from '../../world/data/fakeData.ts'
import { made, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

useFakeWindow()

async function openStep(state: Step['state']): Promise<void> {
  const steps = [data.step('only', 'The one step', { state, attempts: 1 })]
  await openWindow({ 'jobs.show': () => ({ ...data.job, steps }), 'jobs.accept': () => ({}) })
  goTo('job', data.jobId)
  await flushPromises()
  await flushPromises()
}

async function press(key: string): Promise<void> {
  window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  await flushPromises()
}

it('the key for skipping never opens the note of a step that passed with a warning', async () => {
  await openStep('warn')
  expect(page.get('.stage .foot').text()).toContain('Add a note')
  await press('s')
  expect(page.find('dialog').exists()).toBe(false)
})

it('the key for skipping asks for the reason of a step that failed', async () => {
  await openStep('fail')
  await press('s')
  expect(page.get('dialog').text()).toContain('Skip')
  await page.get('dialog textarea').setValue('No aerial yet')
  await page.get('dialog form').trigger('submit')
  await flushPromises()
  expect(made('jobs.waive')).toEqual([{ id: data.jobId, stepId: 'only', reason: 'No aerial yet' }])
})

it('the key for skipping does nothing on a step that passed', async () => {
  await openStep('pass')
  await press('s')
  expect(page.find('dialog').exists()).toBe(false)
})

it('the key for the main action accepts a warning', async () => {
  await openStep('warn')
  await press('Enter')
  expect(made('jobs.accept')).toEqual([{ id: data.jobId, stepId: 'only' }])
})

it('every filled button of a step says that the key for the main action presses it', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'renderer', 'job', 'run')
  const files = [
    'StageFoot.vue',
    ...['prompts', 'largeType'].flatMap((room) => readdirSync(join(folder, room)).map((file) => `${room}/${file}`)),
    'done/SignOffForm.vue',
    'done/DonePanel.vue'
  ]
  const buttons = files
    .filter((file) => file.endsWith('.vue'))
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split(/<(?=button\b|a\b)/)
        .slice(1)
        .filter((button) => /class="[^"]*\bprimary\b/.test(button))
        .map((button) => [file, button.includes('data-does=')])
    )
  expect(buttons.length).toBeGreaterThan(15)
  expect(buttons.filter(([, isBound]) => !isBound)).toEqual([])
})
