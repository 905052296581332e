import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { message } from '../../../preload/contract/messages.ts'
import ImeiInput from '../../../renderer/device/devices/label/ImeiInput.vue'
import { groupImei } from '../../../renderer/base/format.ts'
import { loadLanguage } from '../../../renderer/base/say.ts'
import { createFakeBridge, FakeFailure } from '../../world/window/fakes/fakeBridge.ts'

let page: VueWrapper

function open(own: Parameters<typeof createFakeBridge>[0] = {}): HTMLInputElement {
  window.fitter = createFakeBridge(own)
  page = mount(ImeiInput, {
    props: { submitText: 'Find', busy: false },
    global: { plugins: [createPinia()] },
    attachTo: document.body
  })
  return page.get('input').element
}

async function enter(text: string): Promise<void> {
  await page.get('input').setValue(text)
  await page.get('form').trigger('submit')
  await flushPromises()
}

beforeAll(() => loadLanguage('en'))
afterEach(() => page.unmount())

describe('the field for an IMEI', () => {
  it('can be typed or scanned into as soon as it is there', () => {
    const input = open()
    expect(document.activeElement).toBe(input)
  })

  it('shows the digits in the groups of a label while they are typed', async () => {
    open()
    await page.get('input').setValue('86123401667')
    expect(page.get('.grouped').text()).toBe('861234016 67')
    await page.get('input').setValue('861234016670005')
    expect(page.get('.grouped').text()).toBe('861234016 670005')
    await page.get('input').setValue('https://label.example')
    expect(page.get('.grouped').text()).toBe('')
  })

  it('keeps what was typed beside the reason, which belongs to it, and selects the part that is wrong', async () => {
    const input = open({
      'discovery.readLabel': () => ({ kind: 'none', detail: message('label.notADigit', { part: 'O' }) })
    })
    await enter('86123401667O005')
    expect(input.value).toBe('86123401667O005')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    const reason = page.get(`[id="${input.getAttribute('aria-describedby')}"]`)
    expect(reason.text()).toContain('“O” is not a digit')
    expect(reason.attributes('role')).toBe('alert')
    expect([input.selectionStart, input.selectionEnd]).toEqual([11, 12])
    // Who corrects it is not told of the old one any longer.
    await page.get('input').setValue('861234016670005')
    expect(page.find('[role=alert]').exists()).toBe(false)
    expect(input.hasAttribute('aria-invalid')).toBe(false)
  })

  it('keeps what was typed when nothing answers', async () => {
    const input = open({
      'discovery.readLabel': () => {
        throw new FakeFailure({ code: 'UNREACHABLE', message: message('discovery.searchStopped'), retryable: true })
      }
    })
    await enter('861234016670005')
    expect(input.value).toBe('861234016670005')
    expect(page.get('[role=alert]').text()).toContain('The search was stopped.')
  })

  it('hears the next line of a label while the one before is still being read', async () => {
    const first = Promise.withResolvers<void>()
    const read: string[] = []
    open({
      'discovery.readLabel': ({ text }) => {
        read.push(text)
        return text.includes('861234016670005')
          ? { kind: 'imei', imei: '861234016670005' }
          : { kind: 'none', detail: message('label.notADigit', { part: 'M' }) }
      }
    })
    const bridge = window.fitter as NonNullable<typeof window.fitter>
    window.fitter = {
      ...bridge,
      call: async (name, input) => {
        const answer = await bridge.call(name, input)
        if (read.length === 1) await first.promise
        return answer
      }
    }
    await enter('MODEL ft4')
    // Enter does nothing in a form whose button cannot be pressed.
    await page.get('input').setValue('IMEI: 861234016670005')
    expect(page.get('button[type=submit]').attributes('disabled')).toBeUndefined()
    await page.get('form').trigger('submit')
    first.resolve()
    await flushPromises()
    expect(read).toEqual(['MODEL ft4', 'IMEI: 861234016670005'])
    expect(page.emitted('give')).toEqual([['861234016670005']])
  })

  it('gives a number that was read, and what is scanned next takes its place', async () => {
    const input = open({ 'discovery.readLabel': () => ({ kind: 'imei', imei: '861234016670005' }) })
    await enter('IMEI: 861234016670005')
    expect(page.emitted('give')).toEqual([['861234016670005']])
    expect([input.selectionStart, input.selectionEnd]).toEqual([0, 15])
  })
})

it('groups as many digits as there are', () => {
  expect(['', '8', '861', '86123401667000', '8612340166700051'].map(groupImei)).toEqual([
    '',
    '8',
    '861',
    '861234016 67000',
    '861234016 670005 1'
  ])
})
