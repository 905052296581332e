import { flushPromises, mount, type DOMWrapper, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AccessoryTest, LineState } from '../../../preload/contract/gateway/accessories.ts'
import type { CallName, CallOutput } from '../../../preload/contract/index.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import type { LedgerEntry } from '../../../preload/contract/device/outputs.ts'
import App from '../../../renderer/app/frame/App.vue'
import { useAccessories } from '../../../renderer/job/accessories/accessories.store.ts'
import OutputsPart from '../../../renderer/job/accessories/OutputsPart.vue'
import { useOutputs } from '../../../renderer/job/outputs/outputs.store.ts'
import { followLines } from '../../../preload/job/linesStory.ts'
import OutputsPane from '../../../renderer/support/deviceSession/outputs/OutputsPane.vue'
import { formatSecond, formatWhen } from '../../../renderer/base/format.ts'
import { goTo, type ScreenName } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'

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
  isReachable: true,
  mayConfirmOff: true
}
const second: LedgerEntry = {
  ...first,
  id: 5,
  output: 'e 2',
  path: 'gateway',
  imei: '356938035643809',
  isReachable: false
}
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
  for (const release of waiting) release()
  await flushPromises()
  page?.unmount()
  page = undefined
})

const screens: [ScreenName, string][] = [
  ['start', ''],
  ['devices', ''],
  ['device', key],
  ['board', ''],
  ['self-test', ''],
  ['jobs', ''],
  ['job', data.jobId],
  ['vehicles', ''],
  ['vehicle', '7'],
  ['accessories', '7'],
  ['waiting', ''],
  ['settings', '']
]

describe('Outputs that may be on', () => {
  it.each(screens.filter(([screen]) => screen !== 'job'))(
    'stand before everything else on the screen "%s"',
    async (screen, id) => {
      const shown = await open()
      goTo(screen, id)
      await flushPromises()
      const banner = shown.get('.ledger').element
      expect(banner.getAttribute('role')).toBe('alert')
      expect(banner.compareDocumentPosition(shown.get('main').element) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
      // A row of the window, over its full width: before the rail, too.
      expect(shown.get('.app').element.children[1]?.contains(banner)).toBe(true)
      expect(shown.get('.app').element.children[2]?.tagName).toBe('NAV')
    }
  )

  it('stand in the line of a job, before its steps and in no other place', async () => {
    const shown = await open()
    goTo('job', data.jobId)
    await vi.waitFor(() => expect(shown.find('main .alarm.line .ledger').exists()).toBe(true), { timeout: 30_000 })
    expect(shown.findAll('.ledger').map((one) => one.attributes('role'))).toEqual(['alert'])
    expect(
      shown.get('.ledger').element.compareDocumentPosition(shown.get('main .stage').element) &
        Node.DOCUMENT_POSITION_FOLLOWING
    ).toBeTruthy()
  })

  it('are named with their device, since when and by whom, and how they stand', async () => {
    await open()
    const [local, atGateway] = items().map((item) => item.text())
    expect(page!.get('.ledger').text()).toContain('2 outputs may be on')
    for (const part of [
      'OUT1',
      `of the device ${first.imei}`,
      `since ${formatWhen(first.since)}, by Technician One`,
      'not confirmed off'
    ])
      expect(local).toContain(part)
    for (const part of [
      'expander output 2',
      `of the device ${second.imei}, through the gateway`,
      'Fitter switches it off when the device is found'
    ])
      expect(atGateway).toContain(part)
  })

  it('are one sentence where there is one, with the vehicle and without the gateway’s code of the output', async () => {
    await open({
      'outputs.ledger': () => ({ outputs: [{ ...second, state: 'on', vehicle: { id: 7, name: 'Unit 0007' } }] })
    })
    expect(page!.get('.ledger .what').text()).toBe('expander output 2 of Unit 0007 is on')
  })

  it('say until when one is watched that is off already, and then nothing is red', async () => {
    const watchedUntil = '2026-11-20T10:03:45.000Z'
    await open({ 'outputs.ledger': () => ({ outputs: [{ ...first, state: 'watched', watchedUntil }] }) })
    expect(page!.get('.ledger .what').text()).toBe(
      `OUT1 is off. Fitter watches it until ${formatSecond(watchedUntil)}.`
    )
    expect(page!.find('.ledger [data-shape=fail]').exists()).toBe(false)
  })

  it('appear when the core tells of one, with why it cannot be proved off, and go when it is', async () => {
    await open({ 'outputs.ledger': () => ({ outputs: [] }) })
    expect(page!.find('.ledger').exists()).toBe(false)
    core.emit('outputs.changed', {
      outputs: [{ ...first, trouble: message('outputs.hostUnnamed', { host: '10.0.0.31' }) }]
    })
    await flushPromises()
    expect(page!.get('.ledger').text()).toContain('10.0.0.31 does not say which device it is.')
    core.emit('outputs.changed', { outputs: [] })
    await flushPromises()
    expect(page!.find('.ledger').exists()).toBe(false)
  })

  it('have a row of their own that covers nothing, is red, and stays empty until the next screen when they are gone', async () => {
    await open({ 'outputs.ledger': () => ({ outputs: [] }) })
    const tell = async (...outputs: LedgerEntry[]) => {
      core.emit('outputs.changed', { outputs })
      await flushPromises()
    }
    expect(page!.get('.alarm').text()).toBe('')
    await tell(first)
    expect(page!.find('.ledger [data-shape=fail]').exists()).toBe(true)
    await tell()
    expect(page!.get('.alarm > .row').text()).toBe('No outputs are known to be on.')
    goTo('devices')
    await flushPromises()
    expect(page!.find('.alarm > .row').exists()).toBe(false)
  })

  it('say how long one stays on that was switched on through the gateway, and lead to it', async () => {
    const offAt = new Date(Date.now() + 41_400).toISOString()
    await open({
      'outputs.ledger': () => ({ outputs: [{ ...second, state: 'on', vehicle: { id: 7, name: 'Unit 0007' }, offAt }] })
    })
    expect(page!.get('.ledger .what').text()).toMatch(/^expander output 2 of Unit 0007 is on, 0:4[01] left$/)
    expect(page!.get('.ledger .head a').attributes('href')).toBe('#/accessories/7/outputs')
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

  it('are each switched off by a button of their own, which waits for no other and for no earlier press', async () => {
    await open({ 'outputs.switchOff': ({ id }) => ({ outputs: [first, second].filter((entry) => entry.id !== id) }) })
    holdBack('outputs.switchOff')
    await button('Switch OUT1 off').trigger('click')
    expect([isBusy('Switch OUT1 off'), isBusy('Switch expander output 2 off'), isBusy('All off')]).toEqual([
      false,
      false,
      false
    ])
    await button('Switch expander output 2 off').trigger('click')
    await button('Switch OUT1 off').trigger('click')
    await flushPromises()
    expect(made('outputs.switchOff')).toEqual([{ id: first.id }, { id: second.id }, { id: first.id }])
    waiting.shift()?.()
    await flushPromises()
    expect(items().map((item) => item.get('b').text())).toEqual(['expander output 2'])
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
    expect(page!.get('.alarm').text()).toContain('Fitter does not answer.')
  })
})

describe('“I checked the relay” in the alarm', () => {
  it('is offered only where the word of a person counts, and Off is the first button of every line', async () => {
    await open({ 'outputs.ledger': () => ({ outputs: [first, { ...second, state: 'on', mayConfirmOff: false }] }) })
    expect(items().map((item) => item.findAll('button').map((one) => one.text()))).toEqual([
      ['Switch OUT1 off', 'I checked the relay: it is off'],
      ['Switch expander output 2 off']
    ])
  })
})

describe('Off by hand', () => {
  it('of one output of a device waits for no other and for no earlier press', async () => {
    begin()
    page = mount(OutputsPane, {
      props: { deviceKey: key, imei: key, story: followLines(null, data.lines), wiring: new Map() },
      global: { plugins: [createPinia()] },
      attachTo: document.body
    })
    await flushPromises()
    holdBack('workspace.switchOff')
    await button('Off OUT1').trigger('click')
    expect(['OUT1', 'OUT2', 'OUT3', 'OUT4'].map((out) => isBusy(`Off ${out}`))).toEqual([false, false, false, false])
    await button('Off OUT2').trigger('click')
    await button('Off OUT1').trigger('click')
    await flushPromises()
    expect(made('workspace.switchOff')).toEqual([
      { key, out: 'OUT1' },
      { key, out: 'OUT2' },
      { key, out: 'OUT1' }
    ])
  })

  it('through the gateway waits neither for another output nor for an "on" that is under way', async () => {
    const story: CallOutput<'remoteOutputs.story'> = {
      conditions: [],
      lines: [] as LineState[],
      linesAt: null,
      log: [],
      knownTypes: ['e'],
      holdMs: 0,
      expiresS: 45,
      mostOnS: 60,
      readAt: data.at(0)
    }
    const followed: AccessoryTest = {
      id: 't',
      kind: 'output',
      vehicleId: 7,
      title: plainMessage('Expander output 1 on'),
      state: 'waiting',
      startedAt: data.at(0),
      endsAt: data.at(45),
      endedAt: null,
      note: plainMessage('Waiting.'),
      remedy: null,
      witness: null,
      evidence: null,
      photos: []
    }
    begin({ 'remoteOutputs.story': () => story, 'remoteOutputs.set': () => followed })
    page = mount(OutputsPart, {
      props: { vehicleId: 7, imei: null },
      global: { plugins: [createPinia()] },
      attachTo: document.body
    })
    await flushPromises()
    expect(page.text()).toContain('not confirmed within 45 s')
    holdBack('remoteOutputs.set')
    page.getComponent({ name: 'HoldButton' }).vm.$emit('armed')
    await flushPromises()
    const choose = async (number: string) => {
      await page!.findAll('[role=option]')[Number(number) - 1]?.trigger('click')
      await flushPromises()
    }
    expect(isBusy('Switch expander output 1 off')).toBe(false)
    await button('Switch expander output 1 off').trigger('click')
    expect(isBusy('Switch expander output 1 off')).toBe(false)
    await choose('2')
    await button('Switch expander output 2 off').trigger('click')
    await flushPromises()
    expect(made('remoteOutputs.set')).toMatchObject([
      { out: 1, on: true },
      { out: 1, on: false },
      { out: 2, on: false }
    ])
  })
})

describe('Outputs through the gateway', () => {
  const name = message('gatewayOutputs.expander', { out: 1 })
  const followed = (own: Partial<AccessoryTest>): AccessoryTest => ({
    id: 't',
    kind: 'output',
    vehicleId: 7,
    title: message('gatewayOutputs.titleOn', { name }),
    state: 'waiting',
    startedAt: data.at(0),
    endsAt: data.at(60),
    endedAt: null,
    note: message('gatewayOutputs.notInLog'),
    remedy: null,
    witness: null,
    evidence: null,
    photos: [],
    ...own
  })
  const story = (own: Partial<CallOutput<'remoteOutputs.story'>> = {}): CallOutput<'remoteOutputs.story'> => ({
    conditions: [{ id: 'fresh', holds: true, what: message('gatewayOutputs.eventAge', { ageS: 3, mostS: 60 }) }],
    lines: [{ name: 'EXP OUT1', kind: 'expanderOutput', number: 1, on: false, isShorted: null }],
    linesAt: data.at(0),
    log: [],
    knownTypes: ['e'],
    holdMs: 0,
    expiresS: 60,
    mostOnS: 60,
    readAt: data.at(0),
    ...own
  })
  const entry: LedgerEntry = { ...second, output: 'e 1', state: 'on' }

  async function openPart(own: {
    story?: CallOutput<'remoteOutputs.story'>
    tests?: AccessoryTest[]
    ledger?: LedgerEntry[]
  }): Promise<VueWrapper> {
    begin({
      'remoteOutputs.story': () => own.story ?? story(),
      'remoteOutputs.set': () => followed({}),
      'outputs.ledger': () => ({ outputs: own.ledger ?? [] }),
      'accessories.tests': () => ({ tests: own.tests ?? [] })
    })
    const pinia = createPinia()
    setActivePinia(pinia)
    await Promise.all([useOutputs().load(), useAccessories().load()])
    page = mount(OutputsPart, {
      props: { vehicleId: 7, imei: entry.imei },
      global: { plugins: [pinia] },
      attachTo: document.body
    })
    await flushPromises()
    return page
  }

  it('show Off as the largest thing, focused for the space bar, with the time left and the phases', async () => {
    const shown = await openPart({
      ledger: [{ ...entry, offAt: new Date(Date.now() + 41_400).toISOString() }],
      tests: [
        followed({
          state: 'found',
          note: message('gatewayOutputs.shownOn', { name }),
          endedAt: data.at(3),
          evidence: { entry: { at: data.at(1) } }
        })
      ]
    })
    expect(shown.get('.sentence').text()).toBe('expander output 1 is ON. Check that it works.')
    expect(shown.get('[role=timer]').text()).toMatch(/^0:4[01]of 1:00 left$/)
    const off = shown.get('button.filled')
    expect(off.element).toBe(document.activeElement)
    expect(off.text()).toContain('Off')
    expect(shown.text()).toContain('At 0:00 Fitter sends it automatically.')
    expect(
      shown.findAll('.phases li').map((phase) => [phase.get('b').text(), phase.classes().includes('done')])
    ).toEqual([
      ['Sent', true],
      ['Gateway logged', true],
      ['Confirmed ON', true],
      ['Confirmed off', false]
    ])
    expect(shown.findComponent({ name: 'HoldButton' }).exists()).toBe(false)
    await off.trigger('click')
    expect(made('remoteOutputs.set')).toEqual([{ vehicleId: 7, otype: 'e', out: 1, on: false, confirmed: true }])
  })

  it('say what is not confirmed yet, and that "Stop watching" only stops watching', async () => {
    const shown = await openPart({
      tests: [followed({ note: message('gatewayOutputs.lineNotYet') })],
      ledger: [{ ...entry, state: 'goingOn' }]
    })
    expect(shown.findAll('.phases .done').map((phase) => phase.get('b').text())).toEqual(['Sent', 'Gateway logged'])
    useAccessories().take(followed({ note: message('gatewayOutputs.notInLog') }))
    await flushPromises()
    expect(shown.findAll('.phases .done').map((phase) => phase.get('b').text())).toEqual(['Sent'])
    expect(button('Stop watching').text()).toBe('Stop watching')
    expect(shown.findAll('[role=option]').map((one) => one.get('.state').text())).toEqual([
      'on …',
      '–',
      '–',
      '–',
      '–',
      '–'
    ])
  })

  it('name the condition that is missing, and switch off all the same; another output is chosen by keys', async () => {
    const shown = await openPart({
      story: story({ conditions: [{ id: 'standing', holds: false, what: message('gatewayOutputs.noSpeed') }] })
    })
    expect(shown.get('.sentence').text()).toBe('expander output 1 cannot be switched on now')
    expect(shown.get('.conditions').text()).toContain('The gateway shows no speed.')
    expect(shown.getComponent({ name: 'HoldButton' }).props('disabled')).toBe(true)
    expect(isBusy('Switch expander output 1 off')).toBe(false)
    await press(document.body, 'j')
    expect(shown.get('[role=option][aria-selected=true]').text()).toContain('Expander output 2')
  })
})
