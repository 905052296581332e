import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { describe, expect, it, vi } from 'vitest'
import App from '../../../renderer/app/frame/App.vue'
import { takeFirst } from '../../../renderer/app/frame/listen.ts'
import { askFirst } from '../../../renderer/app/frame/firstRequests.ts'
import { closeDialog, dialog, openDialog } from '../../../renderer/base/shell/dialogs.ts'
import { goTo, place } from '../../../renderer/base/shell/router.ts'
import { useSettings } from '../../../renderer/base/shell/settings.store.ts'
import { useToasts } from '../../../renderer/base/shell/toasts.store.ts'
import { createFakeBridge, FakeFailure } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import {
  button,
  core,
  made,
  openWindow,
  page,
  putCore,
  putPage,
  testEnd,
  useFakeWindow
} from '../../world/window/fakes/fakeWindow.ts'

useFakeWindow()

describe('the window', () => {
  it('shows its first screen before jobs, devices, gateway and work have answered, and another screen when they have', async () => {
    const first: readonly string[] = ['app.opening', 'settings.get', 'app.info']
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    putCore()
    window.fitter = {
      ...core,
      async call(name, input) {
        if (!first.includes(name)) await answered
        return core.call(name, input)
      }
    }
    putPage()
    await flushPromises()
    expect(page.get('main h1').text()).toMatch(/^\w+day \d{1,2} \w+$/)
    goTo('devices')
    await flushPromises()
    expect(page.find('main h1').exists()).toBe(false)
    answer()
    await flushPromises()
    expect(page.get('main h1').text()).toContain('nearby')
  })

  it('shows its first screen at once when what it needs was asked for before, without a single answer more', async () => {
    putCore()
    const ended = testEnd()
    window.fitter = {
      ...core,
      call: (name, input) =>
        made('app.opening').length > 0 ? ended.then(() => core.call(name, input)) : core.call(name, input)
    }
    const pinia = createPinia()
    setActivePinia(pinia)
    useSettings().take((await takeFirst(askFirst())) ?? expect.fail('no settings'))
    putPage(mount(App, { global: { plugins: [pinia] }, attachTo: document.body }))
    expect(page.get('main h1').text()).toMatch(/^\w+day \d{1,2} \w+$/)
  })

  it('asks for all of that at the same moment', () => {
    const asked: string[] = []
    const ended = testEnd()
    const bridge = createFakeBridge()
    window.fitter = {
      ...bridge,
      async call(name, input) {
        asked.push(name)
        await ended
        return bridge.call(name, input)
      }
    }
    void askFirst()
    expect(asked.sort()).toEqual(['app.info', 'app.opening', 'settings.get'])
  })

  it('tells that the data folder takes long to open, instead of waiting for settings that come from it', async () => {
    let isOpen = false
    const ended = testEnd()
    putCore({ 'app.opening': () => (isOpen ? { state: 'open' } : { state: 'opening', done: 3, total: 12 }) })
    window.fitter = {
      ...core,
      call: (name, input) =>
        isOpen || name === 'app.opening' ? core.call(name, input) : ended.then(() => core.call(name, input))
    }
    expect(await takeFirst(askFirst())).toBeUndefined()
    putPage()
    await flushPromises()
    expect(page.find('main progress, main [role=progressbar]').exists()).toBe(true)
    isOpen = true
    await vi.waitFor(() => expect(page.get('main h1').text()).toMatch(/^\w+day \d{1,2} \w+$/), 15_000)
  })

  it('begins at the diagnosis for support, and never shows the day of a technician first', async () => {
    window.location.hash = ''
    putCore({ 'settings.get': () => ({ ...data.settings, role: 'support' }) })
    const pinia = createPinia()
    setActivePinia(pinia)
    useSettings().take((await takeFirst(askFirst())) ?? expect.fail('no settings'))
    putPage(mount(App, { global: { plugins: [pinia] }, attachTo: document.body }))
    expect(page.find('main h1').exists()).toBe(false)
    await flushPromises()
    expect(place.value.screen).toBe('diagnose')
  })

  it('enters the training workplace and then shows its vehicle', async () => {
    localStorage.setItem('training.drawer', 'open')
    await openWindow()
    await button('Open training').trigger('click')
    await import('../../../renderer/app/frame/EnterDialog.vue')
    await flushPromises()
    // A job runs: it is said first that it pauses.
    await page.get('dialog button.primary').trigger('click')
    await flushPromises()
    expect(made('app.enter')).toEqual([{ workplace: 'training' }])
    core.emit('app.entered', { workplace: 'training' })
    await flushPromises()
    await flushPromises()
    expect(page.get('header').text()).toContain('Training')
    expect(page.get('aside.drawer').text()).toContain('13.90 V')
  })

  it.each([
    [true, 'diagnose'],
    [undefined, 'job']
  ])('begins an opened bundle with what it was made about', async (isAboutDevice, screen) => {
    const bundle = {
      writtenAt: data.at(0),
      fitter: '0.1.0',
      by: '',
      jobId: data.jobId,
      imei: '867698040023056',
      vehicleId: 7,
      vehicleName: 'Unit 0007',
      deviceKey: '867698040023056',
      isTraining: false,
      ...(isAboutDevice ? { isAboutDevice: true as const } : {})
    }
    await openWindow({
      'app.info': () => ({
        version: '0.1.0',
        frontEnd: 'browser',
        workplace: 'real',
        dataFolder: '/data',
        readOnly: null,
        bundle,
        notices: []
      })
    })
    core.emit('app.entered', { workplace: 'real' })
    await flushPromises()
    await flushPromises()
    expect(place.value.screen).toBe(screen)
  })

  it('says first what opening training interrupts, and does nothing when the person stays', async () => {
    await openWindow({
      'app.info': () => ({
        version: '0.1.0',
        frontEnd: 'browser',
        workplace: 'real',
        dataFolder: '/data',
        readOnly: null,
        bundle: null,
        notices: [{ id: 'keychain', level: 'warn', text: message('keychain.notUsed') }]
      })
    })
    await button('Open training').trigger('click')
    await flushPromises()
    expect(page.get('dialog').text()).toContain('The running job pauses until you come back.')
    expect(made('app.enter')).toEqual([])
    await page
      .findAll('dialog button')
      .find((one) => one.text() === 'Stay here')
      ?.trigger('click')
    await flushPromises()
    expect([page.find('dialog').exists(), made('app.enter')]).toEqual([false, []])
  })

  it('is left out of training only on purpose and after a question', async () => {
    await openWindow({
      'app.info': () => ({
        version: '0.1.0',
        frontEnd: 'browser',
        workplace: 'training',
        dataFolder: '/data',
        readOnly: null,
        bundle: null,
        notices: []
      })
    })
    goTo('devices')
    await flushPromises()
    goTo('start')
    await flushPromises()
    await button('Leave training').trigger('click')
    await vi.waitUntil(() => page.find('dialog').exists(), 15_000)
    expect(made('app.enter')).toEqual([])
    await page
      .get('dialog')
      .findAll('button')
      .find((one) => one.text() === 'Leave training')
      ?.trigger('click')
    await flushPromises()
    expect(made('app.enter')).toEqual([{ workplace: 'real' }])
  })

  it('shows every standing of a device with its own shape and word, and its detail where it is not good', async () => {
    await openWindow()
    goTo('devices')
    await flushPromises()
    const cards = page
      .findAll('li.device')
      .map((card) => [card.get('svg').attributes('data-shape'), card.text()] as const)
    expect(cards.map(([shape]) => shape)).toEqual(['pass', 'pass', 'warn', 'fail', 'wait'])
    expect(cards[3]?.[1]).toContain('calls itself syrus4-867698040023999')
  })

  it('takes a changed device table without being asked', async () => {
    await openWindow()
    goTo('devices')
    await flushPromises()
    const [first, ...others] = data.devices
    const told = { cards: [], lastHeardAt: null }
    core.emit('discovery.changed', { ...told, devices: [], gone: others.map(({ key }) => key), changeNumber: 2 })
    await flushPromises()
    expect(page.get('h1').text()).toBe('1 device nearby')
    core.emit('discovery.changed', {
      ...told,
      devices: [{ ...first!, key: 'another', imei: null }],
      gone: [],
      changeNumber: 3
    })
    await flushPromises()
    expect(page.get('h1').text()).toBe('2 devices nearby')
    // What comes late is in the table already.
    core.emit('discovery.changed', { ...told, devices: [], gone: ['another'], changeNumber: 3 })
    await flushPromises()
    expect(page.get('h1').text()).toBe('2 devices nearby')
    // A number was missed: the whole is asked for.
    core.emit('discovery.changed', { ...told, devices: [], gone: ['another'], changeNumber: 5 })
    await flushPromises()
    expect(page.get('h1').text()).toBe('4 devices nearby')
  })

  it('says why a call failed, with what to do, next to where it was made', async () => {
    await openWindow({
      'discovery.ask': () => {
        throw new FakeFailure({ code: 'UNREACHABLE', message: 'No network card is up.', retryable: true })
      }
    })
    goTo('devices')
    await flushPromises()
    await button('Check again').trigger('click')
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('No network card is up.')
    expect(page.get('[role=alert]').text()).toContain('Check the power and the network')
  })

  it('closes the notices with Escape, with a press elsewhere and with another screen', async () => {
    await openWindow({
      'app.info': () => ({
        version: '0.1.0',
        frontEnd: 'browser',
        workplace: 'real',
        dataFolder: '/data',
        readOnly: null,
        bundle: null,
        notices: [{ id: 'one', level: 'warn', text: plainMessage('Something to know') }]
      })
    })
    const bell = () => button('Notifications, 2 unread')
    const panel = () => page.find('.notices [role=dialog]')
    const leave: (() => unknown)[] = [
      () => panel().trigger('keydown', { key: 'Escape' }),
      () => page.get('.notices .outside').trigger('pointerdown'),
      () => goTo('settings')
    ]
    for (const act of leave) {
      await bell().trigger('click')
      expect(panel().text()).toContain('Something to know')
      await act()
      await flushPromises()
      expect(panel().exists()).toBe(false)
    }
  })

  it('keeps in the notifications what was done, and counts only what was not read', async () => {
    await openWindow({
      'app.info': () => ({
        version: '0.1.0',
        frontEnd: 'browser',
        workplace: 'real',
        dataFolder: '/data',
        readOnly: null,
        bundle: null,
        notices: [{ id: 'one', level: 'warn', text: plainMessage('Something to know') }]
      })
    })
    useToasts().say('The report was saved')
    useToasts().close(useToasts().toasts[0]?.id ?? 0)
    await button('Notifications, 2 unread').trigger('click')
    expect(page.get('.notices [role=dialog]').text()).toMatch(
      /Needs you 2.*Something to know.*Done 1.*The report was saved/s
    )
    await button('Mark all read').trigger('click')
    expect(button('Notifications').exists()).toBe(true)
    expect(page.find('.notices .count').exists()).toBe(false)
    expect(page.get('.notices [role=dialog]').text()).toContain('Something to know')
  })

  it('leaves a dialog behind with the screen that it was opened over', async () => {
    await openWindow()
    openDialog({ what: 'keys' })
    await flushPromises()
    expect(dialog.value?.what).toBe('keys')
    goTo('settings')
    expect(dialog.value).toBeNull()
    openDialog({ what: 'keys' })
    await flushPromises()
    expect(dialog.value?.what).toBe('keys')
    closeDialog()
  })

  it('says what is done in a dialog inside it, where it can be seen and closed, and goes on when the dialog has closed', async () => {
    await openWindow()
    useToasts().say('Before')
    openDialog({ what: 'keys' })
    await vi.waitUntil(() => document.querySelector('dialog'), 15_000)
    useToasts().say('Copied')
    await flushPromises()
    const said = (where: string) => [...document.querySelectorAll(`${where} .toast`)].map((toast) => toast.textContent)
    expect(said('dialog')).toEqual(['Before', 'Copied'])
    document.querySelector<HTMLElement>('dialog .toast button')?.click()
    closeDialog()
    await flushPromises()
    expect([document.querySelector('dialog'), said('body')]).toEqual([null, ['Copied']])
  })

  it('counts what waits for the gateway on the rail', async () => {
    await openWindow()
    expect(
      page.findAll('nav .badge').map((badge) => [badge.get('svg').attributes('data-shape'), badge.text()])
    ).toEqual([
      ['warn', '11 needs you'],
      ['defer', '22 pending']
    ])
    expect(document.title).toBe('(1) Fitter: Start')
    const [operation] = data.operations
    if (!operation) throw new Error('no operation')
    core.emit('operations.changed', {
      operation: { ...operation, state: 'done' },
      counts: { done: 4, waiting: 0, needsAttention: 0, failed: 0 }
    })
    await flushPromises()
    expect(page.find('nav .badge').exists()).toBe(false)
    expect(document.title).toBe('Fitter: Start')
    core.emit('operations.paused', { paused: { at: '2026-03-01T10:00:00.000Z', by: 'Technician One' } })
    await flushPromises()
    expect(page.get('nav .badge').text()).toContain('paused')
    expect(page.get('header').text()).toContain('paused')
  })
})
