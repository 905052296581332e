import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { expect, it } from 'vitest'
import { plainMessage } from '../../../preload/contract/messages.ts'
import OutputPanel from '../../../renderer/job/run/evidence/OutputPanel.vue'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'

function open(lostForMs: number | null, more: object = {}) {
  window.fitter = createFakeBridge({})
  const pinia = createPinia()
  setActivePinia(pinia)
  const sent: unknown[] = []
  const page = mount(OutputPanel, {
    global: { plugins: [pinia] },
    attachTo: document.body,
    props: {
      jobId: 'job',
      stepId: 'output-1',
      imei: '490154203237518',
      test: { out: 'OUT1', phase: 'effect' } as never,
      conditions: [],
      lostForMs,
      prompt: { kind: 'effect', text: plainMessage('Does it click?') } as never,
      send: (answer: unknown) => Promise.resolve(void sent.push(answer)),
      ...more
    }
  })
  const button = (text: string) => page.findAll('button').find((one) => one.text().startsWith(text))
  const press = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  return { page, sent, button, press }
}

it('the effect of an output is answered while the device answers, by button or key', async () => {
  const { page, sent, button } = open(null)
  await button('Yes')?.trigger('click')
  expect(sent).toEqual([{ effect: true }])
  page.unmount()
})

it('a device that stopped answering takes the answer away, and leaves Off', async () => {
  const { page, sent, button, press } = open(4_000)
  expect([button('Yes'), button('No')].map((one) => one?.attributes('disabled'))).toEqual(['', ''])
  press('y')
  press('x')
  expect(sent).toEqual([])
  expect(page.get('button.off').attributes('disabled')).toBe(undefined)
  page.unmount()
})

it('says in the largest figure how long it stays on, and when it goes off by itself', () => {
  const { page } = open(null, { left: { seconds: 43, atMs: Date.parse('2026-11-20T16:03:26Z') }, share: 0.7 })
  expect(page.get('.remain b').text()).toBe('0:43')
  expect(page.get('.remain').text()).toMatch(/left, then OUT1 goes off automatically at\s\d\d:03:26/)
  page.unmount()
})

it('keeps Off for an output that the ended step left in doubt, with what is known of it', async () => {
  const doubt = { out: 'OUT1', entry: null }
  const { page, button } = open(8_400, { test: { out: 'OUT1', phase: 'off', countdownMs: 0 }, prompt: null, doubt })
  expect(page.get('button.off').text()).toContain('Switch OUT1 off')
  expect(page.get('.remain').text()).toMatch(/^8 s\s+without an answer. OUT1 stays as it was until Off arrives.$/)
  expect(page.get('[aria-current=step]').text()).toBe('Offnot confirmed')
  expect(button('Yes')).toBeUndefined()
  await page.setProps({ lostForMs: null })
  expect(page.get('.remain').text()).toContain('The device answers and still reads OUT1 on.')
  page.unmount()
})

it('shows each condition with its age by the same clock as the news, and a lost one with the age of the silence', async () => {
  const condition = (id: string, ageMs: number) => ({
    id,
    holds: true,
    what: plainMessage(id),
    value: plainMessage('0 km/h'),
    todo: null,
    ageMs
  })
  const conditions = [condition('device', 100), condition('standstill', 1_300)]
  const { page } = open(null, { conditions, newsMs: 150 })
  const rows = () => page.findAll('.conditions li').map((row) => row.text())
  expect(rows()).toEqual(['device0.2 s ago', 'standstill0 km/h, 1 s ago'])
  await page.setProps({ lostForMs: 8_900 })
  expect(rows()).toEqual(['device8 s ago', 'standstill0 km/h, 8 s ago'])
  page.unmount()
})
