import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import { message } from '../../../preload/contract/messages.ts'
import DifferingNumbers from '../../../renderer/job/run/evidence/DifferingNumbers.vue'
import RemedyBox from '../../../renderer/job/run/done/RemedyBox.vue'
import { job, step } from '../../world/data/fakeData.ts'

const failed = {
  ...step('a', 'A', { state: 'fail', remedy: 'The wire is missing.' }),
  remedySteps: [message('ignition.stepFind'), message('jobs.stepRunAgain')]
}

it('a remedy says one thing after the other, and draws a plug only where the checklist has one', () => {
  const plain = mount(RemedyBox, { props: { step: failed, plug: null, lines: ['IGN'] } })
  expect(plain.get('h3').text()).toBe('The wire is missing.')
  expect(plain.findAll('li').map((one) => one.text())).toEqual([
    'Find the IGN wire and pull gently: is it firm in the plug?',
    'Run again.'
  ])
  expect(plain.find('svg').exists()).toBe(false)

  const plug = {
    columns: 2,
    pins: [
      { pin: '1', line: 'PWR' },
      { pin: '2', line: 'GND' },
      { pin: '3', line: 'IGN' }
    ]
  }
  const drawn = mount(RemedyBox, { props: { step: failed, plug, lines: ['IGN'] } }).get('svg')
  expect(drawn.attributes('aria-label')).toBe('Plug, seen from the wires. IGN is pin 3')
  expect(drawn.findAll('g.meant').map((pin) => pin.text())).toEqual(['3IGN'])
})

it('two numbers stand side by side with the digits marked that differ, and who says which', () => {
  const other = {
    wanted: '867698040023056',
    seen: '867698040023064',
    said: [
      { who: 'label' as const, says: '867698040023056', isSame: true },
      { who: 'hostName' as const, says: 'ft4-867698040023064', isSame: false },
      { who: 'gateway' as const, says: null, isSame: false }
    ]
  }
  const page = mount(DifferingNumbers, { props: { other, job } })
  expect(page.findAll('mark').map((one) => one.text())).toEqual(['5', '6', '6', '4'])
  expect(page.findAll('.says li').map((one) => [one.get('svg').attributes('data-shape'), one.text()])).toEqual([
    ['pass', 'Label867698040023056'],
    ['fail', 'Host nameft4-867698040023064'],
    ['none', 'Gatewaynot asked']
  ])
})
