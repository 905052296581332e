import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defineComponent, h } from 'vue'
import { chosenKeys, lettersOn } from '../../../renderer/base/shell/keys/bindings.ts'
import KeyCap from '../../../renderer/base/shell/keys/KeyCap.vue'
import { useKeys, type KeyActs } from '../../../renderer/base/shell/keys/useKeys.ts'
import { loadLanguage } from '../../../renderer/base/say.ts'
import { isFrozen } from '../../../renderer/base/ui/time/frozen.ts'

const pressed: string[] = []

function screen(acts: KeyActs, when?: () => boolean) {
  return mount(
    defineComponent({
      setup() {
        useKeys(acts, when)
        return () =>
          h('div', [
            h('input', { id: 'field' }),
            h('div', { contenteditable: 'true', id: 'editable' }),
            h('button', { id: 'button' }),
            h('p', { id: 'text' }),
            h('div', { role: 'dialog' }, [h('button', { id: 'inDialog' })])
          ])
      }
    }),
    { attachTo: document.body }
  )
}

const note = (word: string) => () => void pressed.push(word)

function press(id: string, key: string, more: KeyboardEventInit & { timeStamp?: number } = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  // This DOM takes Alt for AltGr, which no browser does.
  Object.defineProperty(event, 'getModifierState', {
    value: (name: string) => name === 'AltGraph' && more.modifierAltGraph === true
  })
  if (more.timeStamp !== undefined) Object.defineProperty(event, 'timeStamp', { value: more.timeStamp })
  document.getElementById(id)?.dispatchEvent(event)
  return event
}

beforeEach(() => loadLanguage('en'))
afterEach(() => {
  pressed.length = 0
  chosenKeys.value = {}
  lettersOn.value = true
  document.body.replaceChildren()
})

it('does what the key of the table says, in either case, and takes the key from the browser', () => {
  const open = screen({ 'job.next': note('next'), 'job.below': note('below') })
  expect(press('button', 'n').defaultPrevented).toBe(true)
  press('button', 'J')
  expect(pressed).toEqual(['next', 'below'])
  expect(press('button', 'q').defaultPrevented).toBe(false)
  open.unmount()
})

it('leaves keys alone while somebody types or answers a dialog, with another modifier, and when held down', () => {
  const open = screen({ 'job.next': note('next'), 'job.above': note('above') })
  press('field', 'n')
  press('editable', 'n')
  press('inDialog', 'n')
  press('button', 'n', { ctrlKey: true })
  press('button', 'n', { altKey: true })
  press('button', 'N', { shiftKey: true })
  press('button', 'n', { repeat: true })
  expect(pressed).toEqual([])
  press('button', 'k', { repeat: true })
  expect(pressed).toEqual(['above'])
  open.unmount()
})

it('hears Ctrl K while somebody types, and Ctrl and the full stop in dialogs too', () => {
  const open = screen({ 'app.find': note('find'), 'outputs.allOff': note('off') })
  press('field', 'k', { ctrlKey: true })
  press('inDialog', 'k', { ctrlKey: true })
  press('inDialog', '.', { ctrlKey: true })
  press('field', '.', { metaKey: true })
  expect(pressed).toEqual(['find', 'off', 'off'])
  open.unmount()
})

it('takes a sign by what is printed, with Shift or AltGr as the keyboard wants it', () => {
  const open = screen({ 'app.keys': note('keys'), 'charts.previousGap': note('gap') })
  press('button', '?', { shiftKey: true })
  press('button', '[', { ctrlKey: true, altKey: true, modifierAltGraph: true })
  expect(pressed).toEqual(['keys', 'gap'])
  open.unmount()
})

it('leaves Enter and the space bar to the control that has the focus', () => {
  const open = screen({ 'job.doIt': note('do') })
  expect(press('button', 'Enter').defaultPrevented).toBe(false)
  press('text', 'Enter')
  expect(pressed).toEqual(['do'])
  open.unmount()
})

it('goes somewhere by two keys one after the other, and only when the second comes soon', () => {
  const open = screen({ 'go.jobs': note('jobs'), 'job.below': note('below') })
  press('text', 'g', { timeStamp: 1_000 })
  press('text', 'j', { timeStamp: 2_500 })
  expect(pressed).toEqual(['jobs'])
  press('text', 'g', { timeStamp: 5_000 })
  press('text', 'j', { timeStamp: 6_501 })
  expect(pressed).toEqual(['jobs', 'below'])
  press('text', 'g', { timeStamp: 8_000 })
  press('text', 'x', { timeStamp: 8_100 })
  press('text', 'j', { timeStamp: 8_200 })
  expect(pressed).toEqual(['jobs', 'below', 'below'])
  open.unmount()
})

it('lets what was opened last answer first, and gives the key back when it is gone or has nothing to do', () => {
  let isBusy = true
  const below = screen({ 'job.below': note('step') })
  const above = screen({ 'lists.below': note('line') }, () => isBusy)
  press('text', 'j')
  isBusy = false
  press('text', 'j')
  above.unmount()
  press('text', 'j')
  expect(pressed).toEqual(['line', 'step', 'step'])
  below.unmount()
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))
  expect(pressed).toEqual(['line', 'step', 'step'])
})

it('tells of a key that is held down until it is let go, or the window loses it', () => {
  const open = screen({ 'job.arm': { press: note('press'), release: note('release') } })
  press('text', ' ')
  press('text', ' ', { repeat: true })
  window.dispatchEvent(new KeyboardEvent('keyup', { key: ' ' }))
  press('text', ' ')
  window.dispatchEvent(new Event('blur'))
  expect(pressed).toEqual(['press', 'release', 'press', 'release'])
  open.unmount()
})

it('goes by the key that the person chose, and by no letter when they are switched off', () => {
  const open = screen({
    'job.next': note('next'),
    'go.jobs': note('jobs'),
    'app.find': note('find'),
    'job.doIt': note('do')
  })
  chosenKeys.value = { 'job.next': 'ñ' }
  press('text', 'n')
  press('text', 'Ñ')
  expect(pressed).toEqual(['next'])
  lettersOn.value = false
  press('text', 'ñ')
  press('text', 'g')
  press('text', 'j')
  expect(pressed).toEqual(['next'])
  press('text', 'k', { ctrlKey: true })
  press('text', 'Enter')
  expect(pressed).toEqual(['next', 'find', 'do'])
  open.unmount()
})

it('does nothing while the window stands still', () => {
  const open = screen({ 'job.next': note('next') })
  isFrozen.value = true
  press('text', 'n')
  isFrozen.value = false
  expect(pressed).toEqual([])
  open.unmount()
})

it('shows a key as it is printed, the one that the person chose, and none when there is none', async () => {
  const caps = (of: 'job.runAgain' | 'go.jobs' | 'app.find' | 'charts.zoomIn' | 'lists.chooseToHere') =>
    mount(KeyCap, { props: { of } })
      .findAll('kbd')
      .map((cap) => cap.text())
  expect(caps('app.find')).toEqual(['Ctrl', 'K'])
  expect(caps('go.jobs')).toEqual(['G', 'J'])
  expect(caps('charts.zoomIn')).toEqual(['+'])
  expect(caps('lists.chooseToHere')).toEqual(['Shift', 'X'])
  const cap = mount(KeyCap, { props: { of: 'job.runAgain' } })
  expect(cap.text()).toBe('R')
  chosenKeys.value = { 'job.runAgain': 'w' }
  await cap.vm.$nextTick()
  expect(cap.text()).toBe('W')
  lettersOn.value = false
  await cap.vm.$nextTick()
  expect(cap.text()).toBe('')
})
