import { flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PhoneCard, PhoneState } from '../../../preload/contract/job/phone.ts'
import MoreMenu from '../../../renderer/job/run/MoreMenu.vue'
import PhoneDialog from '../../../renderer/job/run/PhoneDialog.vue'
import { usePhone } from '../../../renderer/job/run/phone.store.ts'
import { dialog } from '../../../renderer/base/shell/dialogs.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { message } from '../../../preload/contract/messages.ts'

const wifi: PhoneCard = { id: 'wlan0 192.168.178.34', name: 'wlan0', address: '192.168.178.34', kind: 'wifi' }
const cable: PhoneCard = { id: 'eth0 10.0.0.7', name: 'eth0', address: '10.0.0.7', kind: 'ethernet' }
const pageOn = (card: PhoneCard, more: Partial<NonNullable<PhoneState['page']>> = {}): PhoneState['page'] => ({
  jobId: data.job.id,
  cardId: card.id,
  url: `http://${card.address}:40123/${'a'.repeat(32)}`,
  code: { size: 29, path: 'M4 4h1v1h-1z' },
  startedAt: new Date().toISOString(),
  phones: 0,
  isReached: false,
  ...more
})

let core: FakeBridge
let state: PhoneState
const opened: { unmount(): void }[] = []

async function open(
  cards: PhoneCard[],
  page: PhoneState['page'] = null,
  answers: Parameters<typeof createFakeBridge>[0] = {}
) {
  state = { cards, page, ended: null }
  core = createFakeBridge({
    'phone.state': () => state,
    'phone.start': ({ cardId }) =>
      (state = { ...state, page: pageOn(cards.find(({ id }) => id === cardId) ?? wifi), ended: null }),
    'phone.stop': () => (state = { ...state, page: null, ended: { jobId: data.job.id, why: 'switchedOff' } }),
    ...answers
  })
  window.fitter = core
  const box = mount(PhoneDialog, { props: { jobId: data.job.id } })
  opened.push(box)
  await flushPromises()
  return box
}
const made = (name: string) => core.made.filter((one) => one.name === name).map(({ input }) => input)
const onOff = (box: Awaited<ReturnType<typeof open>>) => box.get('[role=switch]')

beforeEach(() => setActivePinia(createPinia()))
afterEach(() => {
  vi.useRealTimers()
  for (const box of opened.splice(0)) box.unmount()
})

it('is off at first, and says in one sentence what it shows and to whom', async () => {
  const box = await open([wifi])
  expect(box.text()).toContain(
    'Shows the running step of this job, read-only, to every phone in this network that has the address.'
  )
  expect(onOff(box).attributes('aria-checked')).toBe('false')
  expect([box.find('.address').exists(), box.find('svg[role=img]').exists()]).toEqual([false, false])
  expect(made('phone.start')).toEqual([])
})

it('shows the code and the address as text once it is on, and switches off again', async () => {
  const box = await open([wifi])
  await onOff(box).trigger('click')
  await flushPromises()
  expect(made('phone.start')).toEqual([{ jobId: data.job.id, cardId: wifi.id }])
  expect(onOff(box).attributes('aria-checked')).toBe('true')
  expect(box.get('.address').text()).toBe(`http://192.168.178.34:40123/${'a'.repeat(32)}`)
  expect(box.get('svg[role=img] path').attributes('d')).toBe('M4 4h1v1h-1z')
  expect(box.text()).toContain('Waiting for a phone.')
  await onOff(box).trigger('click')
  await flushPromises()
  expect(made('phone.stop')).toEqual([{}])
  expect(box.find('.address').exists()).toBe(false)
})

it('lets the person choose among several networks; a page that is on moves to the chosen one', async () => {
  const box = await open([wifi, cable])
  const choice = box.get('select')
  expect(choice.findAll('option').map((one) => one.text())).toEqual([
    'Wi-Fi, wlan0 · 192.168.178.34',
    'Cable, eth0 · 10.0.0.7'
  ])
  await choice.setValue(cable.id)
  expect(made('phone.start')).toEqual([])
  await onOff(box).trigger('click')
  await flushPromises()
  expect(made('phone.start')).toEqual([{ jobId: data.job.id, cardId: cable.id }])
  await choice.setValue(wifi.id)
  await flushPromises()
  expect(made('phone.start').at(-1)).toEqual({ jobId: data.job.id, cardId: wifi.id })
  expect(box.get('.address').text()).toContain('192.168.178.34')
  expect((await open([wifi])).find('select').exists()).toBe(false)
})

it('counts the phones as they come and go', async () => {
  const box = await open([wifi], pageOn(wifi))
  usePhone().receive({ ...state, page: pageOn(wifi, { phones: 1, isReached: true }) })
  await flushPromises()
  expect(box.text()).toContain('1 phone shows the page.')
  usePhone().receive({ ...state, page: pageOn(wifi, { phones: 0, isReached: true }) })
  await flushPromises()
  expect(box.text()).toContain('No phone shows the page.')
})

it('names what may be in the way when no phone came for 20 s, and only then', async () => {
  vi.useFakeTimers()
  const box = await open([wifi], pageOn(wifi))
  await vi.advanceTimersByTimeAsync(18_000)
  expect(box.text()).not.toContain('No phone has reached the page yet.')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(box.text()).toContain('No phone has reached the page yet.')
  expect(box.findAll('ol li').map((one) => one.text())).toEqual([
    'The phone must be in the same network as this computer: Wi-Fi, wlan0. Turn off its mobile data and VPN.',
    'This computer’s firewall may block it. Allow Fitter, or port 40123, for private networks.',
    'Guest Wi-Fi often isolates phones from computers. Use another Wi-Fi or the phone’s hotspot.'
  ])
  usePhone().receive({ ...state, page: pageOn(wifi, { isReached: true, startedAt: state.page?.startedAt ?? '' }) })
  await vi.advanceTimersByTimeAsync(0)
  expect(box.text()).not.toContain('No phone has reached the page yet.')
})

it('says what to do without a network, why a page went off without the person, and that another job has it', async () => {
  const none = await open([])
  expect(none.text()).toContain('This computer is in no local network.')
  expect(none.find('[role=switch]').exists()).toBe(false)
  const box = await open([wifi])
  for (const [why, said] of [
    ['otherJob', 'because another job is on the screen'],
    ['cardGone', 'because this computer left the network'],
    ['jobEnded', 'because the job has ended'],
    ['fault', 'after a fault in Fitter']
  ] as const) {
    usePhone().receive({ ...state, ended: { jobId: data.job.id, why } })
    await flushPromises()
    expect(box.text()).toContain(said)
  }
  usePhone().receive({ ...state, ended: { jobId: 'other', why: 'otherJob' } })
  await flushPromises()
  expect(box.text()).not.toContain('The page was switched off')
  usePhone().receive({ ...state, page: pageOn(wifi, { jobId: 'other' }) })
  await flushPromises()
  expect(box.text()).toContain('The phone page of another job is on.')
  expect([onOff(box).attributes('aria-checked'), box.find('.address').exists()]).toEqual(['false', false])
})

it('says why it cannot be switched on', async () => {
  const box = await open([wifi], null, {
    'phone.start': () => {
      throw new FakeFailure({
        code: 'REFUSED',
        message: message('phonePage.notListening', { address: '192.168.178.34', reason: 'EACCES' }),
        retryable: false
      })
    }
  })
  await onOff(box).trigger('click')
  await flushPromises()
  expect(box.text()).toContain('The page could not be opened on 192.168.178.34 (EACCES). Nothing was switched on.')
  expect(onOff(box).attributes('aria-checked')).toBe('false')
})

it('is in the menu of a job that is worked on, and a page that is on has a mark beside it', async () => {
  await open([wifi], pageOn(wifi))
  const menu = mount(MoreMenu, { props: { job: data.job } })
  await flushPromises()
  const mark = menu.get('button[aria-label="Phone page is on"]')
  await mark.trigger('click')
  expect(dialog.value).toEqual({ what: 'phone', jobId: data.job.id })
  usePhone().receive({ ...state, page: null })
  await flushPromises()
  expect(menu.find('button[aria-label="Phone page is on"]').exists()).toBe(false)
  await menu.get('button').trigger('click')
  expect(menu.findAll('[role=menuitem]').map((one) => one.text())).toContain('Show on a phone')
  await menu.setProps({ job: { ...data.job, state: 'done' } })
  expect(menu.findAll('[role=menuitem]').map((one) => one.text())).not.toContain('Show on a phone')
})
