import { flushPromises, mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import type { Component } from 'vue'
import type { PolicyState } from '../../../preload/contract/app/policy.ts'
import { message } from '../../../preload/contract/messages.ts'
import { useSettings } from '../../../renderer/base/shell/settings.store.ts'
import GatewayStep from '../../../renderer/job/start/firstRun/GatewayStep.vue'
import LanguageStep from '../../../renderer/job/start/firstRun/LanguageStep.vue'
import { settings } from '../../world/data/fakeData.ts'
import { FakeFailure } from '../../world/window/fakes/fakeBridge.ts'
import { putCore, putPage, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

const sites = [
  { name: 'Norte', address: 'https://north.example/api' },
  { name: 'Sur', address: 'https://south.example/api' }
]
const policyWith = (...values: PolicyState['values']): PolicyState => ({
  file: '/etc/fitter/policy.json',
  isThere: true,
  changedAt: '2026-11-18T09:00:00.000Z',
  company: 'Rio Norte',
  contact: { name: 'IT Service Desk', mail: '', phone: '' },
  values,
  problems: []
})
useFakeWindow()

async function open(step: Component, policy: PolicyState) {
  putCore({
    'settings.get': () => ({ ...settings, gatewayUrl: '', language: 'es' }),
    'settings.change': (change) => {
      if (change.language !== undefined)
        throw new FakeFailure({ code: 'REFUSED', message: message('policy.setByCompany'), retryable: false })
      return { ...settings, ...change }
    },
    'policy.get': () => policy,
    'internet.try': () => ({ ok: true, steps: [], remedy: null })
  })
  await useSettings().load()
  const page = putPage(mount(step, { attachTo: document.body }))
  await flushPromises()
  return page
}

it.each([
  { key: 'reading.language' as const, value: 'es', line: 2 },
  { key: 'reading.languages' as const, value: ['es'], line: 2 }
])('nothing is red in the first window of a company that decided $key', async (entry) => {
  const shown = await open(LanguageStep, policyWith(entry))
  expect(shown.findAll('[role=alert]').map((one) => one.text())).toEqual([])
})

it.each([
  ['with no word about others', []],
  ['with others forbidden', [{ key: 'gateway.others' as const, value: false, line: 4 }]]
])('the sites of the company are offered by name, and each can be chosen: %s', async (_name, more) => {
  const shown = await open(GatewayStep, policyWith({ key: 'gateway.sites', value: sites, line: 3 }, ...more))
  const select = shown.get<HTMLSelectElement>('select')
  expect(select.findAll('option').map((one) => one.text())).toEqual(['Norte', 'Sur'])
  expect([select.element.value, select.element.closest('fieldset')?.disabled]).toEqual([sites[0]!.address, false])
  expect(shown.find('input[type=url]').exists()).toBe(false)
  await select.setValue(sites[1]!.address)
  expect(select.element.value).toBe(sites[1]!.address)
})

it('the company’s only gateway is shown and cannot be changed', async () => {
  const shown = await open(
    GatewayStep,
    policyWith(
      { key: 'gateway.address', value: sites[0]!.address, line: 3 },
      { key: 'gateway.others', value: false, line: 4 }
    )
  )
  expect(shown.get<HTMLInputElement>('input[type=url]').element.closest('fieldset')?.disabled).toBe(true)
})
