import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { expect, it } from 'vitest'
import { plainMessage } from '../../../preload/contract/messages.ts'
import OutputPanel from '../../../renderer/job/run/evidence/OutputPanel.vue'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'

function open(lostForMs: number | null) {
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
      send: (answer: unknown) => Promise.resolve(void sent.push(answer))
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
