import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { beforeAll, expect, it } from 'vitest'
import type { InputProof } from '../../../preload/contract/job/jobSeen.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import InputTable from '../../../renderer/job/run/evidence/InputTable.vue'
import { loadLanguage } from '../../../renderer/base/say.ts'

beforeAll(() => loadLanguage('en'))

it('An ordered input stands by its name, with how it is operated as long as somebody has to', () => {
  const panic: InputProof = {
    line: 'IN1',
    name: plainMessage('Panic button'),
    wire: plainMessage('white and red'),
    instruction: plainMessage('Press the red button under the seat.'),
    cycles: 1,
    wantedCycles: 2,
    isOn: false,
    isChattering: false,
    isOrdered: true,
    gateway: null
  }
  const inputs: InputProof[] = [
    panic,
    { line: 'IN5', cycles: 1, wantedCycles: 2, isOn: false, isChattering: false, isOrdered: false, gateway: null }
  ]
  const table = (isRunning: boolean) =>
    mount(InputTable, {
      props: { inputs, lines: null, isRunning, send: () => Promise.resolve() },
      global: { plugins: [createPinia()] }
    })
  const running = table(true)
  expect(running.findAll('tbody th').map((row) => row.text().replace(/\s+/g, ' '))).toEqual([
    'Panic buttonIN1 · white and redPress the red button under the seat.',
    'IN5not ordered'
  ])
  expect(table(false).text()).not.toContain('Press the red button')
  expect([
    running.text().includes('Is anything else wired?'),
    table(false).text().includes('Is anything else wired?')
  ]).toEqual([true, false])
})
