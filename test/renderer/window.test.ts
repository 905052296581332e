import type { OutputCondition } from '../../preload/contract/device/conditions.ts'
import { message, plainMessage } from '../../preload/contract/messages.ts'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import App from '../../renderer/frame/App.vue'
import { takeFirst } from '../../renderer/frame/listen.ts'
import { askFirst } from '../../renderer/frame/firstRequests.ts'
import { closeDialog, dialog, openDialog } from '../../renderer/shell/dialogs.ts'
import { goTo, place } from '../../renderer/shell/router.ts'
import { useSettings } from '../../renderer/shell/settings.store.ts'
import { useToasts } from '../../renderer/shell/toasts.store.ts'
import { loadScreens } from '../../renderer/frame/screens.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../support/fakeBridge.ts'
import * as data from '../support/fakeData.ts'

let core: FakeBridge
let page: VueWrapper

async function open(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  core = createFakeBridge(own)
  window.fitter = core
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
}

function made(name: string): unknown[] {
  return core.made.filter((call) => call.name === name).map((call) => call.input)
}

function button(text: string) {
  const found = page.findAll('button').find((one) => one.text().includes(text) || one.attributes('aria-label') === text)
  if (!found) throw new Error(`No button "${text}" in: ${page.text()}`)
  return found
}

beforeAll(loadScreens)
beforeEach(() => {
  setActivePinia(createPinia())
  goTo('start')
})
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

describe('the window', () => {
  it('shows its first screen before jobs, devices, gateway and work have answered, and another screen when they have', async () => {
    const first: readonly string[] = ['app.opening', 'settings.get', 'app.info']
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    core = createFakeBridge()
    window.fitter = {
      ...core,
      async call(name, input) {
        if (!first.includes(name)) await answered
        return core.call(name, input)
      }
    }
    page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
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
    core = createFakeBridge()
    window.fitter = { ...core, call: (name, input) => (made('app.opening').length > 0 ? new Promise(() => undefined) : core.call(name, input)) }
    const pinia = createPinia()
    setActivePinia(pinia)
    useSettings().take((await takeFirst(askFirst())) ?? expect.fail('no settings'))
    page = mount(App, { global: { plugins: [pinia] }, attachTo: document.body })
    expect(page.get('main h1').text()).toMatch(/^\w+day \d{1,2} \w+$/)
  })

  it('asks for all of that at the same moment', () => {
    const asked: string[] = []
    window.fitter = {
      ...createFakeBridge(),
      call(name) {
        asked.push(name)
        return new Promise(() => undefined)
      }
    }
    void askFirst()
    expect(asked.sort()).toEqual(['app.info', 'app.opening', 'settings.get'])
  })

  it('tells that the data folder takes long to open, instead of waiting for settings that come from it', async () => {
    let isOpen = false
    core = createFakeBridge({ 'app.opening': () => (isOpen ? { state: 'open' } : { state: 'opening', done: 3, total: 12 }) })
    window.fitter = { ...core, call: (name, input) => (isOpen || name === 'app.opening' ? core.call(name, input) : new Promise(() => undefined)) }
    expect(await takeFirst(askFirst())).toBeUndefined()
    page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
    await flushPromises()
    expect(page.find('main progress, main [role=progressbar]').exists()).toBe(true)
    isOpen = true
    await vi.waitFor(() => expect(page.get('main h1').text()).toMatch(/^\w+day \d{1,2} \w+$/), 15_000)
  })

  it('begins at the diagnosis for support, and never shows the day of a technician first', async () => {
    window.location.hash = ''
    core = createFakeBridge({ 'settings.get': () => ({ ...data.settings, role: 'support' }) })
    window.fitter = core
    const pinia = createPinia()
    setActivePinia(pinia)
    useSettings().take((await takeFirst(askFirst())) ?? expect.fail('no settings'))
    page = mount(App, { global: { plugins: [pinia] }, attachTo: document.body })
    expect(page.find('main h1').exists()).toBe(false)
    await flushPromises()
    expect(place.value.screen).toBe('diagnose')
  })

  it('enters the training workplace and then shows its vehicle', async () => {
    localStorage.setItem('training.drawer', 'open')
    await open()
    await button('Open training').trigger('click')
    await import('../../renderer/frame/EnterDialog.vue')
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

  it.each([[true, 'diagnose'], [undefined, 'job']])('begins an opened bundle with what it was made about', async (isAboutDevice, screen) => {
    const bundle = { writtenAt: data.at(0), fitter: '0.1.0', by: '', jobId: data.jobId, imei: '867698040023056', vehicleId: 7, vehicleName: 'Unit 0007', deviceKey: '867698040023056', isTraining: false, ...(isAboutDevice ? { isAboutDevice: true as const } : {}) }
    await open({ 'app.info': () => ({ version: '0.1.0', frontEnd: 'browser', workplace: 'real', dataFolder: '/data', readOnly: null, bundle, notices: [] }) })
    core.emit('app.entered', { workplace: 'real' })
    await flushPromises()
    await flushPromises()
    expect(place.value.screen).toBe(screen)
  })

  it('says first what opening training interrupts, and does nothing when the person stays', async () => {
    await open({
      'app.info': () => ({ version: '0.1.0', frontEnd: 'browser', workplace: 'real', dataFolder: '/data', readOnly: null, bundle: null, notices: [{ id: 'keychain', level: 'warn', text: message('keychain.notUsed') }] })
    })
    await button('Open training').trigger('click')
    await flushPromises()
    expect(page.get('dialog').text()).toContain('The running job pauses until you come back.')
    expect(made('app.enter')).toEqual([])
    await page.findAll('dialog button').find((one) => one.text() === 'Stay here')?.trigger('click')
    await flushPromises()
    expect([page.find('dialog').exists(), made('app.enter')]).toEqual([false, []])
  })

  it('is left out of training only on purpose and after a question', async () => {
    await open({ 'app.info': () => ({ version: '0.1.0', frontEnd: 'browser', workplace: 'training', dataFolder: '/data', readOnly: null, bundle: null, notices: [] }) })
    goTo('devices')
    await flushPromises()
    goTo('start')
    await flushPromises()
    await button('Leave training').trigger('click')
    await vi.waitUntil(() => page.find('dialog').exists(), 15_000)
    expect(made('app.enter')).toEqual([])
    await page.get('dialog').findAll('button').find((one) => one.text() === 'Leave training')?.trigger('click')
    await flushPromises()
    expect(made('app.enter')).toEqual([{ workplace: 'real' }])
  })

  it('shows every standing of a device with its own shape and word, and its detail where it is not good', async () => {
    await open()
    goTo('devices')
    await flushPromises()
    const cards = page.findAll('li.device').map((card) => [card.get('svg').attributes('data-shape'), card.text()] as const)
    expect(cards.map(([shape]) => shape)).toEqual(['pass', 'pass', 'warn', 'fail', 'wait'])
    expect(cards[3]?.[1]).toContain('calls itself syrus4-867698040023999')
  })

  it('takes a changed device table without being asked', async () => {
    await open()
    goTo('devices')
    await flushPromises()
    const [first, ...others] = data.devices
    const told = { cards: [], lastHeardAt: null }
    core.emit('discovery.changed', { ...told, devices: [], gone: others.map(({ key }) => key), changeNumber: 2 })
    await flushPromises()
    expect(page.get('h1').text()).toBe('1 device nearby')
    core.emit('discovery.changed', { ...told, devices: [{ ...first!, key: 'another', imei: null }], gone: [], changeNumber: 3 })
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
    await open({
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
    await open({ 'app.info': () => ({ version: '0.1.0', frontEnd: 'browser', workplace: 'real', dataFolder: '/data', readOnly: null, bundle: null, notices: [{ id: 'one', level: 'warn', text: plainMessage('Something to know') }] }) })
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
    await open({ 'app.info': () => ({ version: '0.1.0', frontEnd: 'browser', workplace: 'real', dataFolder: '/data', readOnly: null, bundle: null, notices: [{ id: 'one', level: 'warn', text: plainMessage('Something to know') }] }) })
    useToasts().say('The report was saved')
    useToasts().close(useToasts().toasts[0]?.id ?? 0)
    await button('Notifications, 2 unread').trigger('click')
    expect(page.get('.notices [role=dialog]').text()).toMatch(/Needs you 2.*Something to know.*Done 1.*The report was saved/s)
    await button('Mark all read').trigger('click')
    expect(button('Notifications').exists()).toBe(true)
    expect(page.find('.notices .count').exists()).toBe(false)
    expect(page.get('.notices [role=dialog]').text()).toContain('Something to know')
  })

  it('leaves a dialog behind with the screen that it was opened over', async () => {
    await open()
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

  it('counts what waits for the gateway on the rail', async () => {
    await open()
    expect(page.findAll('nav .badge').map((badge) => [badge.get('svg').attributes('data-shape'), badge.text()])).toEqual([['warn', '11 needs you'], ['defer', '22 pending']])
    expect(document.title).toBe('(1) Fitter: Start')
    const [operation] = data.operations
    if (!operation) throw new Error('no operation')
    core.emit('operations.changed', { operation: { ...operation, state: 'done' }, counts: { done: 4, waiting: 0, needsAttention: 0, failed: 0 } })
    await flushPromises()
    expect(page.find('nav .badge').exists()).toBe(false)
    expect(document.title).toBe('Fitter: Start')
    core.emit('operations.paused', { paused: { at: '2026-03-01T10:00:00.000Z', by: 'Technician One' } })
    await flushPromises()
    expect(page.get('nav .badge').text()).toContain('paused')
    expect(page.get('header').text()).toContain('paused')
  })
})

describe('the job screen', () => {
  async function openJob(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
    await open(own)
    goTo('job', data.jobId)
    await flushPromises()
  }

  it('says what to do in one sentence, with live values and the time left', async () => {
    await openJob()
    expect(page.get('.stage h2').text()).toBe('Open and close the driver’s door twice.')
    expect(page.get('.stage .top').text()).toMatch(/Time left 1:1\d/)
    core.emit('jobs.live', { ...data.live, say: plainMessage('Once more.') })
    await flushPromises()
    expect(page.get('.stage h2').text()).toBe('Once more.')
  })

  it('shows each input by what hangs on it, how it moved, and who saw it', async () => {
    await openJob()
    const rows = page.findAll('.stage tbody tr').map((row) => row.findAll('th, td').map((cell) => cell.text().replace(/\s+/g, ' ')).filter((text) => text !== ''))
    expect(rows).toEqual([
      ['Driver’s doorIN2 · blue and black', 'on', '1 / 2', 'changing', 'not yet', 'Not wired'],
      ['Refrigerator alarmIN5', 'bouncing', 'Loose contact: check crimp and plug.', '14 in 4 s', 'not yet', 'Not wired'],
      ['Power take-offIN6', 'Not wired: The kit comes in May', 'Undo'],
      ['Panic buttonIN1', 'off', '2 / 2', 'seen', '4 s later']
    ])
    await button('Undo').trigger('click')
    expect(made('jobs.answer')).toEqual([{ id: data.jobId, stepId: 'input2', answer: { notWired: { lines: ['IN6'], reason: null } } }])
  })

  it('leaves out the rest of the inputs with one reason', async () => {
    await openJob()
    await button('Rest not wired').trigger('click')
    await page.get('dialog textarea').setValue('The kit comes in May')
    await page.get('dialog form').trigger('submit')
    await flushPromises()
    expect(made('jobs.answer')).toEqual([{ id: data.jobId, stepId: 'input2', answer: { notWired: { lines: ['IN2', 'IN5'], reason: 'The kit comes in May' } } }])
  })

  it('marks a skipped step by shape, word and reason', async () => {
    await openJob()
    const waived = page.findAll('.steps li').find((item) => item.text().includes('Cover and seals'))
    expect(waived?.get('svg').attributes('data-shape')).toBe('waived')
    expect(waived?.text()).toContain('skipped')
    expect(waived?.get('button').attributes('title')).toContain('cover plate not delivered')
  })

  it('brings the step that asks the person to the stage and sends the answer to it', async () => {
    await openJob({ 'jobs.live': () => ({ active: true, steps: [{ ...data.live, prompt: null }], lines: data.lines }), 'jobs.stopStep': () => ({}), 'outputs.switchOff': () => ({ outputs: [] }) })
    const [output] = data.job.steps.filter((step) => step.id === 'output1')
    if (!output) throw new Error('No step output1')
    core.emit('jobs.step', { jobId: data.jobId, step: { ...output, state: 'running' } })
    core.emit('jobs.live', { ...data.live, stepId: 'output1', say: plainMessage('Listen to the relay.'), output: { out: 'OUT1', phase: 'effect', countdownMs: 3_000 }, prompt: { kind: 'effect', text: plainMessage('Did it click?') } })
    await flushPromises()
    expect(page.get('.stage h2').text()).toBe('Listen to the relay.')
    await button('Switch OUT1 off').trigger('click')
    await flushPromises()
    expect(made('jobs.stopStep')).toEqual([{ id: data.jobId, stepId: 'output1' }])
    core.emit('outputs.changed', { outputs: [{ id: 7, imei: data.job.device.imei, output: 'OUT1', path: 'local', vehicle: null, since: data.job.updatedAt, by: '', jobId: data.jobId, state: 'on', trouble: null, isReachable: true }] })
    await flushPromises()
    await button('Switch OUT1 off').trigger('click')
    await flushPromises()
    expect(made('outputs.switchOff')).toEqual([{ id: 7 }])
    await button('No').trigger('click')
    expect(made('jobs.answer')).toEqual([{ id: data.jobId, stepId: 'output1', answer: { effect: false } }])
  })

  it('gives each value its age while the device is lost', async () => {
    await openJob({ 'jobs.live': () => ({ active: true, steps: [{ ...data.live, prompt: null }], lines: data.lines }) })
    const [output] = data.job.steps.filter((step) => step.id === 'output1')
    core.emit('jobs.step', { jobId: data.jobId, step: { ...output!, state: 'running' } })
    core.emit('jobs.live', { ...data.live, inputs: undefined, stepId: 'output1', prompt: { kind: 'yesNo', text: plainMessage('Did it click?') } })
    core.emit('jobs.lines', { ...data.lines, lostForMs: 4_000 })
    await flushPromises()
    expect(page.get('.stage .meters').classes()).toContain('stale')
    for (const meter of page.findAll('.stage .meters > *')) expect(meter.text()).toMatch(/read [345] s ago/)
  })

  describe('with the test of an output on the stage', () => {
    const condition = (id: OutputCondition['id'], what: string, value: string): OutputCondition => ({ id, holds: true, what: plainMessage(what), value: plainMessage(value), todo: null })
    const ledger = { id: 7, imei: data.job.device.imei, output: 'OUT1', path: 'local', vehicle: null, since: data.job.updatedAt, by: '', jobId: data.jobId, state: 'on', trouble: null, isReachable: true } as const

    async function openOutput(phase: 'countdown' | 'effect'): Promise<void> {
      await openJob({ 'jobs.live': () => ({ active: true, steps: [{ ...data.live, prompt: { kind: 'effect', text: plainMessage('Another question?') } }], lines: data.lines }), 'outputs.ledger': () => ({ outputs: [ledger] }) })
      const [output] = data.job.steps.filter((step) => step.id === 'output1')
      if (!output) throw new Error('No step output1')
      core.emit('jobs.step', { jobId: data.jobId, step: { ...output, state: 'running' } })
      core.emit('jobs.live', {
        ...data.live,
        inputs: undefined,
        stepId: 'output1',
        say: plainMessage('Did it click?'),
        hint: plainMessage('OUT1 is on. It goes off when you answer, or in 0:58.'),
        conditions: [condition('device', 'The device answers', 'read 0.2 s ago'), condition('standstill', 'Standing still', '0 km/h'), condition('noShort', 'No short', 'SO1 off')],
        output: { out: 'OUT1', phase, countdownMs: 3_000 },
        prompt: phase === 'effect' ? { kind: 'effect', text: plainMessage('Did it click?') } : null
      })
      await flushPromises()
      const list = page.findAll('.steps button').find((one) => one.text().includes('Output 1'))
      await list?.trigger('click')
      await flushPromises()
    }

    it('has no filled button beside Off while it is on, and one key for each answer', async () => {
      await openOutput('effect')
      expect(page.findAll('.stage .primary').map((one) => one.text())).toEqual([])
      expect(page.get('.stage .off').text()).toContain('Switch OUT1 off')
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }))
      await flushPromises()
      expect(made('jobs.answer')).toEqual([{ id: data.jobId, stepId: 'output1', answer: { effect: true } }])
    })

    it('is cancelled during the countdown, and nothing leads away from it', async () => {
      await openOutput('countdown')
      expect(page.findAll('.stage .primary').map((one) => one.text())).toEqual([])
      expect(page.get('.stage .off').text()).toContain('Cancel')
      expect(page.get('.stage .top').text()).not.toContain('gives up')
    })

    it('is told over the screen only once it is left', async () => {
      await openOutput('effect')
      expect(page.find('.ledger').exists()).toBe(false)
      goTo('devices')
      await flushPromises()
      expect(page.get('.ledger').text()).toContain('OUT1')
    })

    it('knows nothing of its conditions while the device is lost: grey, unknown, with their age', async () => {
      await openOutput('effect')
      const shapes = () => page.findAll('.conditions svg, .conditions [data-shape]').map((one) => one.attributes('data-shape'))
      expect(new Set(shapes())).toEqual(new Set(['pass']))
      core.emit('jobs.lines', { ...data.lines, lostForMs: 4_000 })
      await flushPromises()
      expect(new Set(shapes())).toEqual(new Set(['unknown']))
      expect(page.findAll('.conditions li').map((row) => row.text().replace(/read [345] s ago/, 'old'))).toEqual(['The device answersold', 'Standing still0 km/h, old', 'No shortSO1 off, old'])
      expect(page.get('.stage .words').text()).toContain('The device does not answer. OUT1 may still be on.')
    })
  })

  it('says that the customer did not sign where only the name was entered', async () => {
    const signOff = { ...data.job.steps.at(-1)!, state: 'pass' as const, attempts: 1, lastResult: { state: 'pass' as const, summary: plainMessage('signed'), remedy: null, witness: [], at: data.job.updatedAt } }
    await openJob({ 'jobs.show': () => ({ ...data.job, state: 'done', technician: 'Technician One', customer: 'Customer One', steps: [...data.job.steps.slice(0, -1), signOff] }) })
    expect(page.get('.verdict').text()).toMatch(/Signed by Technician One at .*\. Customer One did not sign\./)
  })

  it('does not skip a step without a reason of three characters', async () => {
    await openJob()
    await button('Skip with reason').trigger('click')
    const confirm = () => page.get('dialog button[type=submit]')
    await page.get('dialog textarea').setValue(' no ')
    expect(confirm().attributes('disabled')).toBeDefined()
    await page.get('dialog textarea').setValue('lamp missing')
    await page.get('dialog form').trigger('submit')
    await flushPromises()
    expect(made('jobs.waive')).toEqual([{ id: data.jobId, stepId: 'input2', reason: 'lamp missing' }])
    expect(page.find('dialog').exists()).toBe(false)
  })

  it('accepts a warning with its filled button, beside the one that runs the step again', async () => {
    const steps = data.job.steps.map((step) => (step.id === 'input2' ? { ...step, state: 'warn' as const, summary: plainMessage('Weak') } : step))
    await openJob({ 'jobs.show': () => ({ ...data.job, steps }) })
    await page.findAll('.steps button')[5]?.trigger('click')
    expect(page.findAll('.foot .primary').map((one) => one.text())).toEqual([expect.stringContaining('Accept')])
    expect(button('Run again').exists()).toBe(true)
    await button('Accept').trigger('click')
    await flushPromises()
    expect(made('jobs.accept')).toEqual([{ id: data.jobId, stepId: 'input2' }])
  })

  it('says what works and what is not available after a warning, and takes a note about it', async () => {
    const consequences = { works: [message('ignition.ignition'), message('ignition.trips')], notAvailable: [message('ignition.engineHours')] }
    const noted = { ...data.job.steps[5]!.evidence[0]!, seq: 900, witness: 'person' as const, what: message('jobs.noted', { by: 'A. Ruiz', note: 'Electric van' }) }
    const steps = data.job.steps.map((step) => (step.id === 'input2' ? { ...step, state: 'warn' as const, summary: plainMessage('Weak'), remedy: plainMessage('Normal here.'), consequences, evidence: [...step.evidence, noted] } : step))
    await openJob({ 'jobs.show': () => ({ ...data.job, steps }) })
    await page.findAll('.steps button')[5]?.trigger('click')
    expect(page.get('.stage .remedy').text()).toContain('Works: ignition, start and end of trips')
    expect(page.get('.stage .remedy').text()).toContain('Not available: running time of the engine')
    expect(page.get('.stage').text()).toMatch(/Note by A\. Ruiz, .*: Electric van/)
    await button('Add a note').trigger('click')
    await page.get('dialog textarea').setValue('The customer knows')
    await page.get('dialog form').trigger('submit')
    await flushPromises()
    expect(made('jobs.note')).toEqual([{ id: data.jobId, stepId: 'input2', note: 'The customer knows' }])
    expect(page.find('dialog').exists()).toBe(false)
  })

  it('shows the remedy of a failed step and offers to run it again', async () => {
    const steps = data.job.steps.map((step) =>
      step.id === 'input2' ? { ...step, state: 'fail' as const, summary: plainMessage('Input 2 never moved'), remedy: plainMessage('Check pin 5.') } : step
    )
    await openJob({ 'jobs.show': () => ({ ...data.job, steps }) })
    await page.findAll('.steps button')[5]?.trigger('click')
    expect(page.get('.stage h2').text()).toBe('Input 2 never moved')
    expect(page.get('.remedy.fail').text()).toContain('Check pin 5.')
    await button('Run again').trigger('click')
    await flushPromises()
    expect(made('jobs.runStep')).toEqual([{ id: data.jobId, stepId: 'input2' }])
  })
})

describe('the settings', () => {
  it('put theme and language on the page at once', async () => {
    await open()
    goTo('settings')
    await flushPromises()
    const choose = async (text: string) => {
      const label = page.findAll('label').find((one) => one.text() === text)
      await label?.get('input').trigger('change')
      await flushPromises()
    }
    const speak = async (language: string) => {
      await page.get('#setting-language select').setValue(language)
      await flushPromises()
    }
    await choose('Sunlight')
    expect(document.documentElement.dataset['theme']).toBe('sunlight')
    await speak('es')
    expect(page.get('h1').text()).toBe('Ajustes')
    await speak('en')
    expect(made('settings.change')).toEqual([{ theme: 'sunlight' }, { language: 'es' }, { language: 'en' }])
  })

  it('that another window changed hold in this one too', async () => {
    await open()
    const now = await core.call('settings.get', {})
    core.emit('settings.changed', { ...(now.ok ? now.value : {}), language: 'es', theme: 'dark' } as never)
    // The page is in a language when its texts are.
    expect(document.documentElement.lang).toBe('en')
    await flushPromises()
    expect([document.documentElement.lang, document.documentElement.dataset['theme']]).toEqual(['es', 'dark'])
    core.emit('settings.changed', { ...(now.ok ? now.value : {}), language: 'en', theme: 'light' } as never)
    await flushPromises()
  })
})
