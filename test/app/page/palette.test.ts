import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import App from '../../../renderer/app/frame/App.vue'
import FindDialog from '../../../renderer/support/find/FindDialog.vue'
import { useDevices } from '../../../renderer/device/devices/devices.store.ts'
import { closeDialog, dialog, openDialog } from '../../../renderer/base/shell/dialogs.ts'
import { goTo, place } from '../../../renderer/base/shell/router.ts'
import { loadScreens } from '../../../renderer/app/frame/screens.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { createFakeBridge, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'

type Kept = CallOutput<'find.kept'>

let core: FakeBridge
let page: VueWrapper
let answers: ((kept: Kept) => void)[]

const nothing: Kept = {
  jobs: { found: [], n: 0, isMore: false, total: 104_318, isSimilar: false },
  vehicles: { found: [], isMore: false, total: 3_204, states: [], copiedAt: null, instead: null },
  devices: { found: [], n: 0, total: 2_981 }
}

const noCounts = {
  pass: 0,
  warn: 0,
  sent: 0,
  waived: 0,
  fail: 0,
  unreadable: 0,
  deferred: 0,
  notApplicable: 0,
  waiting: 0,
  running: 0
}

function keptVehicle(id: number, plate: string): Kept {
  return {
    ...nothing,
    vehicles: {
      ...nothing.vehicles,
      found: [{ id, name: `Unit ${plate.slice(-3)}`, plate, vin: null, imei: null, groups: [], info: {} }]
    }
  }
}

function options(): string[] {
  return [...document.querySelectorAll('[role=option]')].map((option) =>
    (option.textContent ?? '').replace(/\s+/g, ' ').trim()
  )
}

/** The kinds with their counts. */
function tabs(): string[] {
  return [...document.querySelectorAll('[role=tab]')].map((tab) => (tab.textContent ?? '').replace(/\s+/g, ' ').trim())
}

function chosen(): string {
  return document.querySelector('[role=option][aria-selected=true]')?.textContent ?? ''
}

async function type(text: string): Promise<void> {
  const field = document.querySelector<HTMLInputElement>('input[role=combobox]')
  if (!field) throw new Error('No field')
  field.value = text
  field.dispatchEvent(new Event('input'))
  await vi.advanceTimersByTimeAsync(130)
}

async function press(key: string, more: KeyboardEventInit = {}): Promise<void> {
  document
    .querySelector('input[role=combobox]')
    ?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
  await flushPromises()
}

beforeAll(loadScreens)
beforeEach(async () => {
  setActivePinia(createPinia())
  goTo('start')
  answers = []
  core = createFakeBridge({ 'gateway.status': () => ({ ...data.gateway, state: 'reachable' }) })
  window.fitter = {
    ...core,
    async call(name, input) {
      if (name !== 'find.kept') return core.call(name, input)
      return { ok: true, value: await new Promise<Kept>((resolve) => answers.push(resolve)) } as never
    }
  }
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  openDialog({ what: 'find' })
  await vi.dynamicImportSettled()
  await flushPromises()
})
afterEach(() => {
  vi.useRealTimers()
  closeDialog()
  page.unmount()
  document.body.replaceChildren()
})

it('drops the answer to older words, whenever it comes', async () => {
  expect(page.findComponent(FindDialog).exists()).toBe(true)
  await type('hld 7')
  await type('hld 70')
  expect(answers).toHaveLength(2)
  answers[1]?.(keptVehicle(70, 'HLD070'))
  await flushPromises()
  expect(chosen()).toContain('Unit 070, HLD070')
  answers[0]?.(keptVehicle(7007, 'HLD007'))
  await flushPromises()
  expect(options().join()).not.toContain('HLD007')
  expect(tabs()).toEqual(['All 5', 'Vehicles 1', 'Devices 0', 'Jobs 0', 'Commands 4'])
})

it('says what it shows instead of a word with a typing error, and never counts "2 of 1 jobs"', async () => {
  await type('hdl 70')
  const found = keptVehicle(70, 'HLD070')
  answers[0]?.({ ...found, jobs: { ...found.jobs, total: 1 }, vehicles: { ...found.vehicles, instead: 'HLD070' } })
  await flushPromises()
  expect(document.querySelector('dialog .instead')?.textContent).toBe(
    'Nothing matches “hdl 70”. Showing “HLD070” and similar results.'
  )
  expect(chosen()).toContain('Unit 070, HLD070')
  expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['HLD070'])
  expect(tabs().slice(0, 4)).toEqual(['All 5', 'Vehicles 1', 'Devices 0', 'Jobs 0'])
  await type('hdl 7')
  expect(document.querySelector('dialog .instead')?.textContent).toContain('“hdl 70”')
  answers[1]?.({ ...found, vehicles: { ...found.vehicles, isMore: true } })
  await flushPromises()
  expect(tabs().slice(0, 4)).toEqual(['All 5+', 'Vehicles 1+', 'Devices 0', 'Jobs 0'])
  expect(document.querySelector('dialog .instead')).toBeNull()
})

it('asks once for what is typed in one go', async () => {
  const field = document.querySelector<HTMLInputElement>('input[role=combobox]')
  for (const text of ['h', 'hl', 'hld']) {
    if (field) field.value = text
    field?.dispatchEvent(new Event('input'))
    await vi.advanceTimersByTimeAsync(50)
  }
  await vi.advanceTimersByTimeAsync(130)
  expect(answers).toHaveLength(1)
})

it('goes round the list with the arrows, opens with Enter, and does the first thing with Ctrl and Enter', async () => {
  await type('hld007')
  answers[0]?.(keptVehicle(7007, 'HLD007'))
  await flushPromises()
  expect(
    [...document.querySelectorAll('[role=group]')].map((group) =>
      document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent?.trim()
    )
  ).toEqual(['Vehicles 1', 'Commands for HLD007', 'Always available'])
  expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['HLD007'])
  await press('ArrowUp')
  expect(chosen()).toContain('All outputs off')
  await press('ArrowDown')
  expect(chosen()).toContain('Unit 007, HLD007')
  await press('Enter', { ctrlKey: true })
  expect(dialog.value).toMatchObject({ what: 'newJob', vehicleText: 'HLD007' })
  openDialog({ what: 'find' })
  await flushPromises()
  await type('hld007')
  answers.at(-1)?.(keptVehicle(7007, 'HLD007'))
  await flushPromises()
  await press('Enter')
  expect(place.value).toMatchObject({ screen: 'vehicle', id: '7007' })
  expect(dialog.value).toBeNull()
})

it('says what a code means that is asked about, and goes there', async () => {
  core = createFakeBridge({
    'knowledge.explain': ({ code }) => ({
      terms:
        code === 'hdop'
          ? [
              {
                id: 'device.gps.hdop',
                area: 'device.gps',
                areaName: 'GPS position',
                side: 'device',
                codes: ['extras.hdop', 'hdop'],
                name: 'HDOP, spread of the satellites',
                text: ''
              }
            ]
          : [],
      nearest: []
    })
  })
  const ask = core.call
  window.fitter = { ...core, call: (name, input) => ask(name, input) }
  for (const words of ['hdop', 'what is hdop?', '¿qué significa hdop?']) {
    await type(words)
    await flushPromises()
    expect(options().join('\n')).toContain('Meaning: HDOP, spread of the satellites')
  }
  await type('hdop')
  await flushPromises()
  await press('Enter')
  expect(place.value).toEqual({ screen: 'explain', id: 'extras.hdop', part: 'device.gps' })
})

it('shows screens and what is at hand before anything is typed, and finds rarer things by their words', async () => {
  expect(options().join('\n')).toMatch(/Devices ?screen/)
  expect(options().join('\n')).toContain('All outputs off')
  expect(options().join('\n')).not.toContain('Theme')
  await type('theme dark')
  answers[0]?.(nothing)
  await flushPromises()
  expect(options()[0]).toContain('Theme: Dark')
  await press('Enter')
  await flushPromises()
  expect(core.made.filter(({ name }) => name === 'settings.change').map(({ input }) => input)).toEqual([
    { theme: 'dark' }
  ])
})

const silent = data.stateAt('2026-11-25T06:00:00.000Z', { readAt: '2026-11-27T06:00:00.000Z' })

it('shows each hit as its kind, with how it stands', async () => {
  await type('hld 70')
  const kept = keptVehicle(70, 'HLD070')
  answers[0]?.({
    ...kept,
    jobs: {
      ...nothing.jobs,
      n: 1,
      found: [
        {
          ...data.listedJob,
          vehicle: { id: 70, name: 'Unit 070, HLD070' },
          state: 'done',
          counts: { ...noCounts, pass: 9, waived: 2 },
          isActive: false
        }
      ]
    },
    vehicles: { ...kept.vehicles, states: [silent] },
    devices: {
      found: [
        {
          imei: '861234090000017',
          model: 'ft4',
          label: '',
          lastVehicle: 'HLD070',
          lastAddress: null,
          lastJobAt: null,
          lastSeenAt: '2026-11-20T06:00:00.000Z'
        }
      ],
      n: 1,
      total: 1
    }
  })
  await flushPromises()
  const states = [...document.querySelectorAll('[role=option] .label')].map((label) => label.textContent)
  expect(states[0]).toMatch(/^silent since 25 Nov.* \(read 27 Nov/)
  expect(states.slice(1)).toEqual(['not nearby', 'Done, 2 steps skipped'])
  expect(document.querySelector('[role=option].device .title')?.textContent).toBe('ft4 861234090 000017')
  expect([...document.querySelectorAll('[role=option].device mark')].map((mark) => mark.textContent)).toEqual([
    'HLD',
    '70'
  ])
})

it('changes the kind with Tab, and opens the one hit of that kind', async () => {
  await type('hld007')
  answers[0]?.(keptVehicle(7007, 'HLD007'))
  await flushPromises()
  const current = () => document.querySelector('[role=tab][aria-selected=true]')?.textContent?.trim()
  await press('Tab')
  expect(current()).toMatch(/^Vehicles/)
  expect(options()).toHaveLength(1)
  await press('Tab', { shiftKey: true })
  await press('Tab', { shiftKey: true })
  expect(current()).toMatch(/^Commands/)
  expect(options()[0]).toContain('Start a job')
  await press('Tab')
  await press('Tab')
  await press('Enter')
  expect(place.value).toMatchObject({ screen: 'vehicle', id: '7007' })
})

it('opens what was typed in one go with Enter, when the answer is there, and never something else', async () => {
  await type('hld007')
  await press('Enter')
  expect(dialog.value).toMatchObject({ what: 'find' })
  answers[0]?.(keptVehicle(7007, 'HLD007'))
  await flushPromises()
  expect(place.value).toMatchObject({ screen: 'vehicle', id: '7007' })
  openDialog({ what: 'find' })
  await flushPromises()
  await type('nothing like it')
  answers.at(-1)?.(nothing)
  await flushPromises()
  await press('Enter')
  expect(core.made.map(({ name }) => name)).not.toContain('outputs.allOff')
  expect(chosen()).toBe('')
})

it('goes to the commands of a result with the right arrow', async () => {
  await type('hld 7')
  const first = keptVehicle(7007, 'HLD007')
  answers[0]?.({
    ...first,
    vehicles: { ...first.vehicles, found: [...first.vehicles.found, ...keptVehicle(7017, 'HLD070').vehicles.found] }
  })
  await flushPromises()
  await press('ArrowDown')
  expect(chosen()).toContain('HLD070')
  await press('ArrowRight')
  expect(chosen()).toContain('Start a job')
  await press('Enter')
  expect(dialog.value).toMatchObject({ what: 'newJob', vehicleText: 'HLD070' })
})

it('finds a device nearby by the vehicle that it was in', async () => {
  const known = useDevices().devices.find(({ lastVehicle }) => lastVehicle !== null)
  await type(known?.lastVehicle ?? 'none')
  answers[0]?.(nothing)
  await flushPromises()
  expect(options()[0]).toContain(`${known?.model ?? ''} ${known?.imei?.slice(0, -6) ?? ''}`)
  expect(document.querySelector('[role=option].device mark')?.textContent).toBe(known?.lastVehicle)
})
