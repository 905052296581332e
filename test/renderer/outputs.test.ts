import { flushPromises, mount, type DOMWrapper, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccessoryTest, LineState } from '../../preload/contract/gateway/accessories.ts'
import type { CallName, CallOutput } from '../../preload/contract/index.ts'
import { message, plainMessage } from '../../preload/contract/messages.ts'
import type { LedgerEntry } from '../../preload/contract/device/outputs.ts'
import App from '../../renderer/frame/App.vue'
import OutputsPart from '../../renderer/features/vehicle/accessories/OutputsPart.vue'
import { followLines } from '../../renderer/instruments/charts/lanes/story.ts'
import OutputsPane from '../../renderer/features/device/outputs/OutputsPane.vue'
import { formatWhen } from '../../renderer/format.ts'
import { goTo, type ScreenName } from '../../renderer/shell/router.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../support/fakeBridge.ts'
import * as data from '../support/fakeData.ts'

const first: LedgerEntry = {
  id: 4,
  imei: '867698040023056',
  output: 'OUT1',
  path: 'local',
  vehicle: null,
  since: data.at(-120),
  by: 'Technician One',
  jobId: null,
  state: 'mayBeOn',
  trouble: null,
  isReachable: true
}
const second: LedgerEntry = { ...first, id: 5, output: 'e 2', path: 'gateway', imei: '356938035643809', isReachable: false }
const key = '867698040023056'

let core: FakeBridge
let page: VueWrapper | undefined
/** Calls of this name that wait for their answer, oldest first. */
let waiting: (() => void)[]

/** Holds the answers of these calls back until they are let go. */
function holdBack(...names: CallName[]): void {
  const answer = core.call.bind(core)
  core.call = async (name, input) => {
    const result = await answer(name, input)
    if (names.includes(name)) await new Promise<void>((resolve) => waiting.push(resolve))
    return result
  }
}

function begin(own: Parameters<typeof createFakeBridge>[0] = {}): void {
  core = createFakeBridge(own)
  window.fitter = core
}

async function open(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<VueWrapper> {
  begin({ 'outputs.ledger': () => ({ outputs: [first, second] }), 'outputs.allOff': () => ({ outputs: [] }), ...own })
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
  return page
}

function button(text: string, where: VueWrapper | DOMWrapper<Element> = page!): DOMWrapper<HTMLButtonElement> {
  const found = where.findAll('button').find((one) => one.text().includes(text))
  if (!found) throw new Error(`No button "${text}" in: ${where.text()}`)
  return found
}
const isBusy = (text: string, where?: VueWrapper | DOMWrapper<Element>) => button(text, where).element.disabled
const made = (name: CallName): unknown[] => core.made.filter((call) => call.name === name).map((call) => call.input)
const items = () => page!.findAll('.ledger li')

async function press(where: EventTarget, key: string, more: KeyboardEventInit = {}): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  where.dispatchEvent(event)
  await flushPromises()
  return event
}

beforeEach(() => {
  setActivePinia(createPinia())
  goTo('start')
  waiting = []
})
afterEach(async () => {
  for (const letGo of waiting) letGo()
  await flushPromises()
  page?.unmount()
  page = undefined
})

const screens: [ScreenName, string][] = [
  ['start', ''], ['devices', ''], ['device', key], ['board', ''], ['self-test', ''], ['jobs', ''],
  ['job', data.jobId], ['vehicles', ''], ['vehicle', '7'], ['accessories', '7'], ['waiting', ''], ['settings', '']
]

describe('Outputs that may be on', () => {
  it.each(screens)('stand before everything else on the screen "%s"', async (screen, id) => {
    const shown = await open()
    goTo(screen, id)
    await flushPromises()
    const banner = shown.get('.ledger').element
    expect(banner.getAttribute('role')).toBe('alert')
    expect(banner.compareDocumentPosition(shown.get('main').element) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
    expect(shown.get('.work').element.firstElementChild).toBe(banner)
  })

  it('are named with their device, since when and by whom, and how they stand', async () => {
    await open()
    const [local, atGateway] = items().map((item) => item.text())
    expect(page!.get('.ledger').text()).toContain('2 outputs may be on')
    for (const part of ['OUT1', `of the device ${first.imei}`, `since ${formatWhen(first.since)}, by Technician One`, 'not confirmed off']) expect(local).toContain(part)
    for (const part of ['expander output 2', `of the device ${second.imei}, through the gateway`, 'Fitter switches it off when the device is found']) expect(atGateway).toContain(part)
  })

  it('are one sentence where there is one, with the vehicle and without the gateway’s code of the output', async () => {
    await open({ 'outputs.ledger': () => ({ outputs: [{ ...second, state: 'on', vehicle: { id: 7, name: 'Unit 0007' } }] }) })
    expect(page!.get('.ledger .what').text()).toBe('expander output 2 of Unit 0007 is on')
  })

  it('appear when the core tells of one, with why it cannot be proved off, and go when it is', async () => {
    await open({ 'outputs.ledger': () => ({ outputs: [] }) })
    expect(page!.find('.ledger').exists()).toBe(false)
    core.emit('outputs.changed', { outputs: [{ ...first, trouble: message('outputs.hostUnnamed', { host: '10.0.0.31' }) }] })
    await flushPromises()
    expect(page!.get('.ledger').text()).toContain('10.0.0.31 does not say which device it is.')
    core.emit('outputs.changed', { outputs: [] })
    await flushPromises()
    expect(page!.find('.ledger').exists()).toBe(false)
  })

  it('move nothing on the screen: they lie over the strip when they come, have a row from the next screen on, and leave their row empty until the next one', async () => {
    await open({ 'outputs.ledger': () => ({ outputs: [] }) })
    const tell = async (...outputs: LedgerEntry[]) => {
      core.emit('outputs.changed', { outputs })
      await flushPromises()
    }
    await tell(first)
    expect(page!.get('.ledger').classes()).toContain('over')
    goTo('jobs')
    await flushPromises()
    expect(page!.get('.ledger').classes()).not.toContain('over')
    await tell()
    expect(page!.get('.work > .row').text()).toBe('No outputs are known to be on.')
    goTo('devices')
    await flushPromises()
    expect(page!.find('.work > .row').exists()).toBe(false)
  })

  it('are not told where each has its own Off, until one is in doubt', async () => {
    const on: LedgerEntry = { ...first, imei: key, state: 'on' }
    await open({ 'outputs.ledger': () => ({ outputs: [on] }) })
    goTo('device', key, 'lines')
    await expect.poll(() => page!.find('.ledger').exists()).toBe(false)
    core.emit('outputs.changed', { outputs: [{ ...on, state: 'mayBeOn' }] })
    await flushPromises()
    expect(page!.find('.ledger').exists()).toBe(true)
  })

  it('are each switched off by a button of their own, which waits for no other', async () => {
    await open({ 'outputs.switchOff': ({ id }) => ({ outputs: [first, second].filter((entry) => entry.id !== id) }) })
    holdBack('outputs.switchOff')
    await button('Switch OUT1 off').trigger('click')
    expect([isBusy('Switch OUT1 off'), isBusy('Switch expander output 2 off'), isBusy('All off')]).toEqual([true, false, false])
    await button('Switch expander output 2 off').trigger('click')
    await flushPromises()
    expect(made('outputs.switchOff')).toEqual([{ id: first.id }, { id: second.id }])
    waiting.shift()?.()
    await flushPromises()
    expect(items().map((item) => item.get('b').text())).toEqual(['expander output 2'])
    expect(isBusy('Switch expander output 2 off')).toBe(true)
  })

  it('say at the output itself why it could not be switched off', async () => {
    await open({
      'outputs.switchOff': () => {
        throw new FakeFailure({ code: 'TIMEOUT', message: 'The device is silent.', retryable: true })
      }
    })
    await button('Switch OUT1 off').trigger('click')
    await flushPromises()
    expect(items().map((item) => item.text().includes('The device is silent.'))).toEqual([true, false])
    expect(isBusy('Switch OUT1 off')).toBe(false)
  })

  it('are taken as off only on the word of a person with a reason', async () => {
    await open({ 'outputs.confirmOff': () => ({ outputs: [second] }) })
    const [item] = items()
    await button('I checked the relay: it is off', item).trigger('click')
    await item!.get('input').setValue('  a ')
    expect(isBusy('It is off', item)).toBe(true)
    await item!.get('input').setValue('the relay is open')
    await item!.get('form').trigger('submit')
    await flushPromises()
    expect(made('outputs.confirmOff')).toEqual([{ id: first.id, reason: 'the relay is open' }])
    expect(items()).toHaveLength(1)
  })
})

describe('Ctrl and the full stop', () => {
  it.each(screens)('switch everything off from the screen "%s"', async (screen, id) => {
    await open()
    goTo(screen, id)
    await flushPromises()
    await press(document.body, '.', { ctrlKey: true })
    expect(made('outputs.allOff')).toEqual([{}])
    expect(page!.find('.ledger').exists()).toBe(false)
  })

  it('do so while somebody types, and nothing is typed by it', async () => {
    await open()
    await button('I checked the relay: it is off').trigger('click')
    const field = page!.get('.ledger input')
    expect((await press(field.element, '.')).defaultPrevented).toBe(false)
    expect(made('outputs.allOff')).toEqual([])
    expect((await press(field.element, '.', { ctrlKey: true })).defaultPrevented).toBe(true)
    expect(made('outputs.allOff')).toEqual([{}])
  })

  it('do so also while one of them is being switched off, and while nothing is known to be on', async () => {
    await open({ 'outputs.switchOff': () => ({ outputs: [] }) })
    holdBack('outputs.switchOff')
    await button('Switch OUT1 off').trigger('click')
    await press(document.body, '.', { ctrlKey: true })
    expect(page!.find('.ledger').exists()).toBe(false)
    await press(document.body, '.', { metaKey: true })
    expect(made('outputs.allOff')).toEqual([{}, {}])
  })

  it('say why not, also when nothing is listed', async () => {
    await open({
      'outputs.ledger': () => ({ outputs: [] }),
      'outputs.allOff': () => {
        throw new FakeFailure({ code: 'TIMEOUT', message: 'Fitter does not answer.', retryable: true })
      }
    })
    await press(document.body, '.', { ctrlKey: true })
    expect(page!.get('.work').text()).toContain('Fitter does not answer.')
  })
})

describe('Off by hand', () => {
  it('of one output of a device waits for no other', async () => {
    begin()
    page = mount(OutputsPane, { props: { deviceKey: key, imei: key, story: followLines(null, data.lines), wiring: new Map() }, global: { plugins: [createPinia()] }, attachTo: document.body })
    await flushPromises()
    holdBack('workspace.switchOff')
    await button('Off OUT1').trigger('click')
    expect(['OUT1', 'OUT2', 'OUT3', 'OUT4'].map((out) => isBusy(`Off ${out}`))).toEqual([true, false, false, false])
    await button('Off OUT2').trigger('click')
    await flushPromises()
    expect(made('workspace.switchOff')).toEqual([{ key, out: 'OUT1' }, { key, out: 'OUT2' }])
  })

  it('through the gateway waits neither for another output nor for an "on" that is under way', async () => {
    const story: CallOutput<'remoteOutputs.story'> = { conditions: [], lines: [] as LineState[], linesAt: null, log: [], knownTypes: ['e'], holdMs: 0, expiresS: 45, readAt: data.at(0) }
    const followed: AccessoryTest = {
      id: 't', kind: 'output', vehicleId: 7, title: plainMessage('Expander output 1 on'), state: 'waiting', startedAt: data.at(0), endsAt: data.at(45),
      endedAt: null, note: plainMessage('Waiting.'), remedy: null, witness: null, evidence: null, photos: []
    }
    begin({ 'remoteOutputs.story': () => story, 'remoteOutputs.set': () => followed })
    page = mount(OutputsPart, { props: { vehicleId: 7, imei: null }, global: { plugins: [createPinia()] }, attachTo: document.body })
    await flushPromises()
    expect(page.text()).toContain('not confirmed within 45 s')
    holdBack('remoteOutputs.set')
    page.getComponent({ name: 'HoldButton' }).vm.$emit('armed')
    await flushPromises()
    const choose = async (number: string) => {
      await page!.findAll('label').find((label) => label.text() === number)?.get('input').trigger('change')
      await flushPromises()
    }
    expect(isBusy('Switch expander output 1 off')).toBe(false)
    await button('Switch expander output 1 off').trigger('click')
    expect(isBusy('Switch expander output 1 off')).toBe(true)
    await choose('2')
    await button('Switch expander output 2 off').trigger('click')
    await flushPromises()
    expect(made('remoteOutputs.set')).toMatchObject([{ out: 1, on: true }, { out: 1, on: false }, { out: 2, on: false }])
  })
})
