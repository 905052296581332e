import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import App from '../../../renderer/app/frame/App.vue'
import { loadScreens } from '../../../renderer/app/frame/screens.ts'
import { formatWhen } from '../../../renderer/base/format.ts'
import { say } from '../../../renderer/base/say.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import type { PolicyState } from '../../../preload/contract/app/policy.ts'
import { message } from '../../../preload/contract/messages.ts'
import { createFakeBridge, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import { useGateway } from '../../../renderer/base/shell/gateway.store.ts'
import { gateway as gatewayStatus, settings } from '../../world/data/fakeData.ts'

let core: FakeBridge
let page: VueWrapper
const address = 'https://gateway.rionorte.example/api'
const policy: PolicyState = {
  file: '/etc/fitter/policy.json',
  isThere: true,
  changedAt: '2026-11-18T09:00:00.000Z',
  company: 'Rio Norte',
  contact: { name: 'IT Service Desk', mail: 'it@rionorte.example', phone: '' },
  values: [
    { key: 'gateway.address', value: address, line: 6 },
    { key: 'gateway.others', value: false, line: 7 },
    { key: 'gateway.callsPerMinute', value: 30, line: 8 },
    { key: 'reading.timeZone', value: 'America/Bogota', line: 11 }
  ],
  problems: [
    {
      line: 14,
      key: 'reading.units',
      sentence: message('policy.wrongValue', { key: 'reading.units', value: '"furlongs"' })
    }
  ]
}

async function open(where: string, values = policy, more: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  const own = { own: null, commandLine: null, byDefault: null }
  core = createFakeBridge({
    'settings.get': () => ({ ...settings, gatewayUrl: address, gatewayCalls: 30 }),
    'policy.get': () => values,
    'policy.text': () => ({ text: '{\n  "company": { "name": "Rio Norte" }\n}\n' }),
    'app.settingOrigins': () => ({
      settings: [],
      layers: {
        gatewayUrl: { ...own, own: 'https://old.rionorte.example/api' },
        gatewayCalls: { ...own, own: 60 },
        timeZone: own
      }
    }),
    ...more
  })
  window.fitter = core
  ;(
    window as unknown as { happyDOM: { setViewport(size: { width: number; height: number }): void } }
  ).happyDOM.setViewport({ width: 1280, height: 800 })
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  goTo('settings', where)
  await flushPromises()
  await flushPromises()
}

const row = (id: string) => page.get(`#setting-${id}`)
const navigation = () => page.findAll('nav.parts button').map((one) => one.text())

beforeAll(loadScreens)
beforeEach(() => {
  setActivePinia(createPinia())
  goTo('start')
})
afterEach(() => page.unmount())

it('a value of the company has no control, and the side pane says where it comes from, what the person’s own is, and whom to ask', async () => {
  await open('gateway')
  expect(row('gatewayAddress').text()).toContain(`${address}Set by your company`)
  expect(row('gatewayOthers').text()).toContain('Not allowed')
  expect(
    page.findAll('#setting-gatewayAddress input, #setting-gatewayOthers input, #setting-gatewayOthers select')
  ).toEqual([])
  const aside = () => page.get('aside.pane').text()
  expect(aside()).toMatch(
    /Company policy.*In use.*gateway\.rionorte\.example\/api.*policy\.json, line 6, changed 18 Nov 2026/
  )
  expect(aside()).toMatch(/You.*old\.rionorte\.example\/api.*Stored, but not used/)
  expect(aside()).toContain('IT Service Desk')
  await page.get('aside.pane button').trigger('click')
  await flushPromises()
  expect(page.get('dialog pre').text()).toContain('2    "company"')
})

it('a limit of the company shows both numbers, and the person’s own stays theirs to change', async () => {
  await open('gateway')
  expect(row('gatewayCalls').text()).toMatch(/30 a minute 60/)
  expect(row('gatewayCalls').get('s').text()).toBe('60')
  expect(row('gatewayCalls').text()).toContain('Company limit: 30 a minute. Your 60 is not used.')
  await row('gatewayCalls').get('select').setValue('20')
  await flushPromises()
  expect(core.made.filter(({ name }) => name === 'settings.change').map(({ input }) => input)).toEqual([
    { gatewayCalls: 20 }
  ])
})

it('a value that cannot be read is named with its line on every page, and the others apply', async () => {
  await open('reading')
  expect(page.get('.told').text()).toMatch(
    /One value of the company policy cannot be read.*Line 14: “reading\.units” cannot be "furlongs".*The other 4 values apply/
  )
  expect(row('timeZone').text()).toContain('America/Bogota')
  expect(row('units').find('select').exists()).toBe(true)
})

it('the search counts on each page, marks the words, opens the first page that has some, and its keys go through those pages', async () => {
  await open('reading')
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
  expect(document.activeElement?.getAttribute('type')).toBe('search')
  const field = page.get('input[type=search]')
  await field.setValue('GATEWAY')
  await flushPromises()
  expect(page.get('[role=search] [role=status]').text()).toBe('7 settings on 4 pages')
  expect(navigation().filter((text) => /\d$/.test(text))).toEqual([
    'Gateway3',
    'Connection2',
    'Device passwords1',
    'This Fitter1'
  ])
  expect(page.get('h2').text()).toBe('Gateway')
  expect(
    row('gatewayCalls')
      .findAll('mark')
      .map((mark) => mark.text())
  ).toEqual(['gateway', 'gateway'])
  await field.trigger('keydown', { key: 'Enter' })
  await flushPromises()
  const press = async (key: string) => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    await flushPromises()
  }
  await press('j')
  await press('ArrowDown')
  expect(document.activeElement?.textContent).toContain('Device passwords')
  await press('k')
  expect(document.activeElement?.textContent).toContain('Connection')
  await field.setValue('zzz')
  await flushPromises()
  expect(page.get('[role=search] [role=status]').text()).toBe('No setting contains this')
})

it('only the languages and the gateways of the company are offered, and a part of Fitter that it decides has a row', async () => {
  const sites = [
    { name: 'North', address },
    { name: 'South', address: 'https://south.example/api' }
  ]
  await open('reading', {
    ...policy,
    values: [
      { key: 'reading.languages', value: ['es'], line: 2 },
      { key: 'gateway.sites', value: sites, line: 3 },
      { key: 'gateway.others', value: false, line: 5 },
      { key: 'support.mail', value: 'help@rionorte.example', line: 4 }
    ]
  })
  expect(
    row('language')
      .findAll('option')
      .map((option) => option.text())
  ).toEqual(['Español'])
  goTo('settings', 'gateway')
  await flushPromises()
  expect(row('gatewaySites').text()).toContain('North, SouthSet by your company')
  await page
    .findAll('.panels button')
    .find((one) => one.text() === 'Add account')
    ?.trigger('click')
  expect(
    page
      .findAll('.panels form select')
      .at(0)
      ?.findAll('option')
      .map((option) => option.text())
  ).toEqual(['North', 'South'])
  expect(page.findAll('.panels form select').at(0)?.element.closest('fieldset')?.disabled).toBe(false)
  goTo('settings', 'work')
  await flushPromises()
  expect(row('supportMail').text()).toContain('help@rionorte.example')
  expect(page.find('#setting-checklistOwn').exists()).toBe(false)
})

it('without a policy nothing is locked, and no pane speaks of a company', async () => {
  await open('gateway', { ...policy, isThere: false, changedAt: null, values: [], problems: [] })
  expect(page.text()).not.toContain('Set by your company')
  expect(page.find('aside.pane [aria-label="Who can change it"]').exists()).toBe(false)
})

it('units as the gateway account and the chosen zone are those of every number and time of the window, and the zones are the gateway’s', async () => {
  await open(
    'reading',
    { ...policy, isThere: false, changedAt: null, values: [], problems: [] },
    { 'gateway.timeZones': () => ({ zones: ['UTC', 'America/Bogota'] }) }
  )
  expect(
    row('timeZone')
      .findAll('option')
      .map((option) => option.attributes('value'))
  ).toEqual(['', 'UTC', 'America/Bogota'])
  core.emit('settings.changed', { ...settings, units: 'gateway', gatewayUnits: 'imperial', timeZone: 'Asia/Tokyo' })
  await flushPromises()
  expect([say(message('common.speedKmh', { speedKmh: 100 })), formatWhen('2026-11-20T08:00:00.000Z')]).toEqual([
    '62.1 mph',
    '20 Nov 2026, 17:00'
  ])
  // A zone that the gateway does not name stays the chosen one.
  expect(row('timeZone').get('select').element.value).toBe('Asia/Tokyo')
  core.emit('settings.changed', { ...settings, units: 'gateway', gatewayUnits: null })
  await flushPromises()
  expect(say(message('common.speedKmh', { speedKmh: 100 }))).toBe('100 km/h')
})

it('a part of Fitter that is stored elsewhere is not called a default without a value, and a sign-in elsewhere is the person’s own address at once', async () => {
  const others = { own: null, commandLine: null, byDefault: null }
  let own = 'https://old.rionorte.example/api'
  await open(
    'team',
    { ...policy, isThere: false, changedAt: null, values: [], problems: [] },
    { 'app.settingOrigins': () => ({ settings: [], layers: { gatewayUrl: { ...others, own } } }) }
  )
  const pane = (): string => page.find('aside.pane').text()
  for (const where of ['team', 'maps', 'passwords', 'data']) {
    goTo('settings', where)
    await flushPromises()
    expect([where, page.find('aside.pane ol').exists()]).toEqual([where, false])
  }
  goTo('settings', 'gateway')
  await flushPromises()
  expect(pane()).toContain(`You In use${own}`)
  own = 'https://new.rionorte.example/api'
  useGateway().status = { ...gatewayStatus, url: own }
  await flushPromises()
  expect(pane()).toContain(`You In use${own}`)
})
