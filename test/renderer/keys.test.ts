import { mount } from '@vue/test-utils'
import { afterEach, expect, it } from 'vitest'
import { defineComponent, h } from 'vue'
import { useKeys } from '../../renderer/ui/useKeys.ts'

const pressed: string[] = []
const Screen = defineComponent({
  setup() {
    useKeys({ n: () => pressed.push('n'), j: () => pressed.push('j') })
    return () => h('div', [h('input', { id: 'field' }), h('button', { id: 'button' }), h('div', { role: 'dialog' }, [h('button', { id: 'inDialog' })])])
  }
})

function open() {
  return mount(Screen, { attachTo: document.body })
}

function press(id: string, key: string, more: KeyboardEventInit = {}): void {
  document.getElementById(id)?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
}

afterEach(() => {
  pressed.length = 0
  document.body.replaceChildren()
})

it('does what the letter says, in either case', () => {
  const screen = open()
  press('button', 'n')
  press('button', 'J')
  expect(pressed).toEqual(['n', 'j'])
  screen.unmount()
})

it('leaves letters alone while somebody types or answers a dialog, with Ctrl, and when held down', () => {
  const screen = open()
  press('field', 'n')
  press('inDialog', 'n')
  press('button', 'n', { ctrlKey: true })
  press('button', 'n', { repeat: true })
  expect(pressed).toEqual([])
  screen.unmount()
})

it('ends with its screen', () => {
  open().unmount()
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'n' }))
  expect(pressed).toEqual([])
})
