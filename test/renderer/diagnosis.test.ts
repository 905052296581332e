import { readFileSync } from 'node:fs'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick, ref, shallowRef } from 'vue'
import type { Diagnosis } from '../../preload/contract/diagnosis/diagnosis.ts'
import { type Fact, factNames } from '../../preload/contract/diagnosis/facts.ts'
import App from '../../renderer/frame/App.vue'
import ApnDialog from '../../renderer/features/diagnosis/ApnDialog.vue'
import { headingOf } from '../../renderer/features/diagnosis/heading.ts'
import { piecesOf } from '../../renderer/features/diagnosis/headline/pieces.ts'
import { subjectIn } from '../../renderer/shell/diagnoseSubject.ts'
import { diagnosisText, factsCsv } from '../../renderer/features/diagnosis/diagnosisText.ts'
import { useRowOrder } from '../../renderer/features/diagnosis/useRowOrder.ts'
import { evidenceSources } from '../../renderer/features/diagnosis/headline/evidenceSources.ts'
import { plainMessage, type Message } from '../../preload/contract/messages.ts'
import { termOf } from '../../renderer/features/diagnosis/terms.ts'
import { diagnoseLine, wordsToDiagnose } from '../../renderer/features/find/useFinding.ts'
import { startWatch, stopWatch, watchForMs, watchOf } from '../../renderer/features/diagnosis/watch/watching.ts'
import { useGateway } from '../../renderer/shell/gateway.store.ts'
import { useToasts } from '../../renderer/shell/toasts.store.ts'
import { goTo, place } from '../../renderer/shell/router.ts'
import { loadScreens } from '../../renderer/frame/screens.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../support/fakeBridge.ts'
import * as data from '../support/fakeData.ts'
import { startedAt } from '../support/fakeData.ts'
import { brokenAtAddress, calm, clockBehind, fact, nobodyCanSay, step } from '../support/fakeDiagnosis.ts'

let core: FakeBridge
let page: VueWrapper | undefined
const key = '867698040023056'

async function open(own: Parameters<typeof createFakeBridge>[0] = {}, where: [string, string] = ['device', key]): Promise<VueWrapper> {
  core = createFakeBridge(own)
  window.fitter = core
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
  goTo('diagnose', ...where)
  await flushPromises()
  return page
}
const looking = (look: Diagnosis) => ({ 'diagnosis.look': () => look })
const made = (name: string): unknown[] => core.made.filter((call) => call.name === name).map((call) => call.input)
const rows = (shown: VueWrapper): string[] => shown.findAll('tr.fact').map((row) => row.attributes('data-fact') ?? '')
function press(name: string): void {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
}

beforeAll(loadScreens)
beforeEach(() => {
  setActivePinia(createPinia())
  goTo('start')
  vi.useFakeTimers({ now: startedAt, toFake: ['Date'] })
})
afterEach(() => {
  page?.unmount()
  page = undefined
  vi.useRealTimers()
})

it('the APN is sent with nothing empty unless the person says so, and the dialog can be left without sending', async () => {
  core = createFakeBridge({})
  window.fitter = core
  const dialog = mount(ApnDialog, { props: { deviceKey: key, apn: 'fleet.example' }, global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
  const send = dialog.get<HTMLButtonElement>('button[type=submit]')
  expect(send.element.disabled).toBe(true)
  expect(dialog.get('label.check').text()).toBe('Send empty: APN user, APN password and SIM PIN. The device may then clear what it has stored.')
  await dialog.get('label.check input').setValue(true)
  expect(send.element.disabled).toBe(false)
  await dialog.get('.actions .quiet').trigger('click')
  expect(dialog.emitted('close')).toHaveLength(1)
  expect(core.made.map(({ name }) => name)).not.toContain('workspace.change')
  dialog.unmount()
})

describe('where it broke', () => {
  it('names the first broken link, greys what stands behind it, and offers its remedy with what it will do', async () => {
    const shown = await open()
    expect(shown.get('h1').text()).toBe('Unit 0007 has not reported for 47 minutes')
    expect(shown.findAll('.chain li').map((link) => link.attributes('data-state'))).toEqual(['ok', 'ok', 'ok', 'broken', ...Array<string>(5).fill('notReached')])
    expect(shown.findAll('.chain li').at(5)?.text()).toContain('not checked')
    expect(shown.get('.banner').text()).toContain('Registered on the mobile network, but no IP address assigned.')
    await shown.get('.banner .primary').trigger('click')
    expect(shown.get('dialog input').element).toHaveProperty('value', 'fleet.example')
    expect(made('workspace.change')).toEqual([])
  })

  it('offers nothing that needs a device where none is beside us: the remedy stays in words', async () => {
    const shown = await open(looking({ ...brokenAtAddress, device: null, subject: { ...brokenAtAddress.subject, deviceKey: null } }), ['vehicle', '7'])
    expect(made('diagnosis.look')[0]).toEqual({ subject: { vehicleId: 7 }, atMs: null, isQuick: true })
    expect(shown.get('.banner').text()).toContain('Set the APN to the ordered one.')
    expect(shown.get('.banner .primary').text()).toContain('Prepare a service visit')
  })

  it('checks everything again by its key, and one link by its button', async () => {
    const shown = await open()
    expect(shown.get('.screen-head .again').text()).toMatch(/^Check againR$/)
    press('r')
    await flushPromises()
    expect(made('diagnosis.retest')).toEqual([{ subject: { key }, link: null }])
    await shown.get('[data-link=sim] button').trigger('click')
    expect(shown.get('.banner').text()).toContain('sim is ok.')
    await shown.findAll('.banner button').find((one) => one.text() === 'Re-test this link')?.trigger('click')
    await flushPromises()
    expect(made('diagnosis.retest')).toContainEqual({ subject: { key }, link: 'sim' })
  })

  it('says on each link who was read, and how long ago', async () => {
    const shown = await open(looking({ ...calm, chain: calm.chain.map((one) => (one.link === 'vehicle' ? { ...one, witness: 'gateway' as const, readAt: new Date(startedAt - 47 * 60_000).toISOString() } : one)) }))
    expect(shown.get('[data-link=power] .age').text()).toBe('2 s')
    expect(shown.get('[data-link=vehicle] .age').text()).toBe('47 min')
    const drawn = (link: string) => shown.get(`[data-link=${link}] .age svg`).html()
    expect(drawn('power')).not.toBe(drawn('vehicle'))
  })

  it('is calm and green only when nothing at all was found', async () => {
    const shown = await open(looking(calm))
    expect(shown.get('h1').text()).toBe('Unit 0007 reports, 4 s ago')
    expect(shown.get('.banner.calm').text()).toContain('No fault found between vehicle and gateway.')
    expect(shown.find('.beside').exists()).toBe(false)
  })

  it('takes what the core puts first as the headline: amber, with its age and since when, and the others beside it', async () => {
    const other = { ...clockBehind, id: 'late', sentence: plainMessage('Data arrives late.') }
    const shown = await open(looking({ ...calm, tone: 'warn', headline: { finding: 'late' }, findings: [clockBehind, other] }))
    expect(shown.find('.banner.calm').exists()).toBe(false)
    expect(shown.get('.banner.warn').text()).toMatch(/^Data arrives late\.Wait for a fix\.Since .+ Go to \d\d:\d\d.*device, 2 s ago/)
    expect(shown.findAll('.beside li').map((one) => one.attributes('data-finding'))).toEqual(['clockOff'])
  })

  it('is red where this may be another device, vehicle or SIM, also when a link is broken', async () => {
    const wrong = { ...clockBehind, id: 'simDiffers', tone: 'fail' as const, sentence: plainMessage('The SIM is another one.') }
    const shown = await open(looking({ ...brokenAtAddress, headline: { finding: 'simDiffers' }, findings: [wrong] }))
    expect(shown.get('h1').text()).toBe('Unit 0007: wrong device, vehicle or SIM')
    expect(shown.get('.banner.fail').text()).toContain('The SIM is another one.')
    await shown.get('[data-link=address] button').trigger('click')
    expect(shown.get('.banner.broken').text()).toContain('Registered on the mobile network, but no IP address assigned.')
  })

  it('says of a chain that nobody could see what is missing and how to get it, and calls nothing well', async () => {
    const shown = await open(looking(nobodyCanSay), ['vehicle', '7'])
    const banner = shown.get('.banner.unknown').text()
    expect(banner).toContain('No fault found so far; some checks could not be run.')
    expect(banner).toContain('No device is connected to this computer.')
    expect(shown.get('.banner.unknown a[href="#/settings/gateway"]').text()).toBe('Sign in to the gateway')
    expect(shown.find('.banner.calm').exists()).toBe(false)
  })

  it('marks what was read at an earlier visit, and is itself again when it was read afresh', async () => {
    const earlier = new Date(startedAt - 600_000).toISOString()
    const fresh = new Date(startedAt + 1).toISOString()
    const read = (readAt: string): Diagnosis => ({ ...calm, nextInMs: 10, chain: calm.chain.map((one) => (one.link === 'vehicle' ? { ...one, readAt } : { ...one, readAt: fresh })) })
    let isRead = false
    const shown = await open({ 'diagnosis.look': () => read(isRead ? fresh : earlier) })
    expect(shown.get('.banner.calm').classes()).toContain('grey')
    expect(shown.get('p.former').text()).toMatch(/^From .*Checking again …$/)
    expect(shown.findAll('.chain li.former').map((one) => one.attributes('data-link'))).toEqual(['vehicle'])
    isRead = true
    await vi.waitFor(() => expect(shown.find('p.former').exists()).toBe(false), 15_000)
    expect(shown.find('.banner.grey').exists()).toBe(false)
  })

  it('a window that was hidden for longer than the core says begins a visit of its own', async () => {
    const fresh = new Date(startedAt + 1).toISOString()
    const shown = await open(looking({ ...calm, openedAfterMs: 1_000, chain: calm.chain.map((one) => ({ ...one, readAt: fresh })) }))
    const visibility = vi.spyOn(document, 'visibilityState', 'get')
    async function hideFor(ms: number): Promise<void> {
      for (const state of ['hidden', 'visible'] as const) {
        visibility.mockReturnValue(state)
        document.dispatchEvent(new Event('visibilitychange'))
        if (state === 'hidden') vi.setSystemTime(Date.now() + ms)
      }
      await flushPromises()
    }
    try {
      await hideFor(1_000)
      expect(shown.find('p.former').exists()).toBe(false)
      await hideFor(1_001)
      expect(shown.find('p.former').exists()).toBe(true)
    } finally {
      visibility.mockRestore()
    }
  })

  it('“Check again” is always there, and reads everything', async () => {
    const shown = await open(looking(calm))
    await shown.get('.again').trigger('click')
    await flushPromises()
    expect(made('diagnosis.retest')).toEqual([{ subject: { key }, link: null }])
  })

  it('keeps what was seen when the core fails, without colour, and says why', async () => {
    let rounds = 0
    const shown = await open({
      'diagnosis.look': () => {
        if (rounds++ > 0) throw new FakeFailure({ code: 'UNREACHABLE', message: 'Nothing answers.', retryable: true })
        return { ...brokenAtAddress, nextInMs: 10 }
      }
    })
    await vi.waitFor(() => expect(shown.get('.diagnosis [role=alert]').text()).toContain('Nothing answers.'), 15_000)
    expect(shown.get('.facts table').classes()).toContain('stale')
    expect(rows(shown)).toHaveLength(brokenAtAddress.facts.length)
  })
})

it('a support bundle that waits for calls of the gateway says so, and can be cancelled', async () => {
  const shown = await open(looking(calm))
  const { call } = core
  vi.spyOn(core, 'call').mockImplementation((name, input) => (name === 'bundles.prepare' ? new Promise<never>(() => undefined) : call(name, input)))
  core.emit('gateway.changed', { ...data.gateway, state: 'reachable', rateLimit: { limit: 30, remaining: 0, resetAt: new Date(Date.now() + 20_000).toISOString() } })
  await shown.findAll('button').find((one) => one.text() === 'Support bundle…')?.trigger('click')
  await flushPromises()
  await vi.dynamicImportSettled()
  const dialog = () => shown.find('dialog')
  expect(dialog().text()).toMatch(/The gateway limits calls\. Fitter continues in (20|19) s\./)
  await dialog().findAll('button').find((one) => one.text() === 'Cancel')?.trigger('click')
  await flushPromises()
  expect(dialog().exists()).toBe(false)
  expect(made('bundles.end')).toHaveLength(1)
})

describe('a support bundle before it is saved', () => {
  const part = (kind: string, bytes: number, items: number | null = null) => ({ name: `${kind}.json`, kind, bytes, items, from: null, to: null })
  const prepared = (more: object = {}) => ({ fileName: 'bundle.zip', bytes: 41_000, writtenAt: new Date(startedAt).toISOString(), holds: { photos: true, positions: true, names: true }, masked: { secrets: 4, positions: 0, names: 0 }, removable: { positions: 2_418, names: 14 }, about: 'Unit 0007', parts: [part('evidence', 66_000), part('limits', 500), part('answers', 140_000, 32), part('writes', 0, 0), part('versions', 190), part('photo', 900_000), part('photo', 700_000)], ...more })
  const openBundle = async (own: object): Promise<VueWrapper> => {
    const shown = await open({ ...looking(calm), ...own } as never)
    await shown.get('button.bundle').trigger('click')
    await flushPromises()
    await vi.dynamicImportSettled()
    await flushPromises()
    return shown
  }

  it('names what leaves the computer with its size, and what each switch would remove', async () => {
    const shown = await openBundle({ 'bundles.prepare': () => prepared() })
    expect(shown.get('dialog').attributes('aria-label')).toBe('Support bundle of Unit 0007')
    expect(shown.findAll('dialog .group').map((group) => group.findAll('b').map((one) => one.text()))).toEqual([['Diagnosis', '66.5 kB'], ['Device, vehicle and events', '140 kB'], ['Sent to the device', '0 B'], ['Fitter and this computer', '190 B'], ['Job photos', '1.6 MB']])
    expect(shown.findAll('dialog .choice').map((one) => one.text())).toEqual([expect.stringContaining('Off removes 14 names and numbers'), expect.stringContaining('Off removes 2,418 positions'), expect.stringContaining('Off removes 2 photos, 1.6 MB')])
    expect(shown.get('dialog .secrets').text()).toBe('4 removed from this bundle')
    expect(shown.get('dialog .primary').text()).toMatch(/^Save bundle/)
  })

  it('once it is saved, names the address that the company set for support', async () => {
    const nobody = { file: '/etc/fitter/policy.json', isThere: true, changedAt: null, company: '', contact: { name: '', mail: '', phone: '' }, problems: [] }
    const shown = await openBundle({ 'bundles.prepare': () => prepared(), 'bundles.part': () => ({ base64: '', next: null }), 'policy.get': () => ({ ...nobody, values: [{ key: 'support.mail', value: 'help@rionorte.example', line: 4 }] }) })
    await shown.get('dialog form').trigger('submit')
    await flushPromises()
    await flushPromises()
    expect(useToasts().toasts.map(({ text }) => text)).toContain('bundle.zip saved. Send it to help@rionorte.example.')
  })

  it('without positions says how many were removed, while the next file is made', async () => {
    const shown = await openBundle({ 'bundles.prepare': ({ holds }: { holds: { positions: boolean } }) => prepared({ holds, masked: { secrets: 4, positions: holds.positions ? 0 : 2_418, names: 0 } }) })
    await shown.findAll('dialog [role=switch]')[1]?.trigger('click')
    await flushPromises()
    expect(shown.findAll('dialog .choice')[1]?.text()).toContain('Off: 2,418 positions removed')
  })

  it('says what it waits for while it is made, and the list has its place already', async () => {
    const shown = await open(looking(calm))
    const { call } = core
    vi.spyOn(core, 'call').mockImplementation((name, input) => (name === 'bundles.prepare' ? new Promise<never>(() => undefined) : call(name, input)))
    let view = ''
    vi.spyOn(crypto, 'randomUUID').mockImplementation(() => (view = '00000000-0000-4000-8000-000000000000'))
    await shown.get('button.bundle').trigger('click')
    await flushPromises()
    await vi.dynamicImportSettled()
    expect(shown.findAll('dialog .group')).toHaveLength(6)
    core.emit('bundles.progress', { view, done: 2, total: 4, waitsFor: 'events', call: { n: 9, of: 20 } })
    await nextTick()
    expect(shown.get('dialog [role=status]').text()).toBe('Reading events, call 9 of 20')
    expect(shown.get('dialog .primary').attributes('disabled')).toBeDefined()
    vi.mocked(crypto.randomUUID).mockRestore()
  })
})

describe('the sentence above a diagnosis', () => {
  const says = (more: Partial<Diagnosis>, label = '') => headingOf({ ...brokenAtAddress, ...more }, label, startedAt)
  const heard = (ageS: number, reportsWithinS = 300) => ({ lastReport: { at: new Date(startedAt - ageS * 1000).toISOString(), ageS, reportsWithinS } })

  it('takes the gateway’s word on reporting only from a gateway that answers now', () => {
    expect(says({ ...heard(299), brokenAt: 'vehicle' })).toBe('Unit 0007 reports, 4 min ago')
    expect(says(heard(12))).toBe('Unit 0007 last reported 12 s ago. Broken now: Address')
    expect(says({ ...heard(301, 600), brokenAt: null })).toBe('Unit 0007 reports, 5 min ago')
    expect(says(heard(3 * 3600))).toBe('Unit 0007 has not reported for 3 hours')
    expect(says(heard(3 * 86_400))).toBe('Unit 0007 has not reported for 3 days')
    expect(says({ gateway: { state: 'away', why: null, readAt: null, aheadS: null } })).toBe('Unit 0007: fault at “Address”')
    expect(says({ gateway: null, lastReport: null, brokenAt: null })).toBe('Unit 0007: reporting status unknown')
    expect(says({ lastReport: null, brokenAt: null })).toBe('Unit 0007: no report at the gateway')
  })

  it('says in words what a gateway refuses that answers', () => {
    const refused = (why: Message) => ({ lastReport: null, brokenAt: null, chain: [step('gatewayEvent', 'unknown', { sentence: { id: 'chain.gatewayEvent.unreadable', values: { why } } })] })
    expect(says(refused({ id: 'gateway.notFound', values: {} }))).toBe('Unit 0007: The gateway answers: not found or not permitted.')
    const quoted: Message = { id: 'gateway.itSays', values: { what: { id: 'gateway.notAllowed', values: {} }, words: '{"code": 7}' } }
    expect(says(refused(quoted))).toBe('Unit 0007: The gateway does not allow this for any user.')
  })

  it('calls a device by its number where no vehicle is known', () => {
    const subject = { ...brokenAtAddress.subject, name: null, plate: null }
    expect(says({ subject, ...heard(2), brokenAt: null })).toBe('ft4 …023056 reports, 2 s ago')
    expect(says({ subject, ...heard(2), brokenAt: null }, 'Bench 3')).toBe('Bench 3 reports, 2 s ago')
  })

  it('sets the names in a sentence apart from its words', () => {
    const message = { id: 'windowDiagnosis.do.setApn', values: { apn: 'fleet.example' } }
    expect(piecesOf(message)).toEqual([{ text: 'Set the APN to ', isCode: false }, { text: 'fleet.example', isCode: true }])
  })

  it('knows what is missing of each witness', () => {
    expect(evidenceSources(nobodyCanSay).map(({ who, to }) => [who, to])).toEqual([['noDevice', 'devices'], ['noGateway', 'settings']])
    const locked: Diagnosis = { ...calm, device: { state: 'locked', why: null, readAt: null }, gateway: { state: 'notShown', why: null, readAt: null, aheadS: null } }
    expect(evidenceSources(locked).map(({ who, to }) => [who, to])).toEqual([['device', 'signIn'], ['gateway', null]])
    expect(evidenceSources(calm)).toEqual([])
  })
})

describe('what each of them says', () => {
  it('stands wrong first, then old, then what only one can say, with counts on the filters', async () => {
    const shown = await open()
    expect(rows(shown).slice(0, 5)).toEqual(['lastContact', 'position', 'satellites', 'hdop', 'ignition'])
    expect(shown.findAll('.filters button').map((chip) => chip.text())).toEqual(['All13', 'Differ2', 'Old3', 'Device only3', 'Gateway only1', 'Agree4'])
    await shown.get('[data-filter=gatewayOnly]').trigger('click')
    expect(rows(shown)).toEqual(['distance'])
    expect(shown.get('tr.fact').text()).toContain('84120 km1 min')
  })

  it('keeps every row in its place while verdicts change, apart from what differs, and sorts anew when the person chooses a filter', async () => {
    const facts = shallowRef<Fact[]>([fact('position', 'agree'), fact('speed', 'agree'), fact('power', 'agree')])
    const isSettled = ref(true)
    const { rows: shown, counts, choose } = useRowOrder(() => facts.value, () => isSettled.value, { at: () => null, isChanged: () => false })
    const names = () => shown.value.map(({ fact }) => fact)
    facts.value = [fact('position', 'agree'), fact('speed', 'agree'), fact('power', 'differ'), fact('ignition', 'differ')]
    await nextTick()
    expect([names(), counts.value.differ]).toEqual([['power', 'ignition', 'position', 'speed'], 2])
    choose('differ')
    expect(names()).toEqual(['power', 'ignition'])
    facts.value = [fact('position', 'differ'), fact('speed', 'agree'), fact('power', 'agree'), fact('ignition', 'differ')]
    await nextTick()
    expect(names()).toEqual(['ignition', 'position', 'power'])
    choose('all')
    expect(names()).toEqual(['position', 'ignition', 'speed', 'power'])
  })

  it('sorts once more when both witnesses have said their first word', async () => {
    const facts = shallowRef<Fact[]>([fact('position', 'onlyDevice'), fact('power', 'onlyDevice')])
    const isSettled = ref(false)
    const { rows: shown } = useRowOrder(() => facts.value, () => isSettled.value, { at: () => null, isChanged: () => false })
    facts.value = [fact('position', 'agree'), fact('power', 'differ')]
    isSettled.value = true
    await nextTick()
    expect(shown.value.map(({ fact }) => fact)).toEqual(['power', 'position'])
    isSettled.value = false
    facts.value = [fact('position', 'stale'), fact('power', 'agree')]
    await nextTick()
    isSettled.value = true
    await nextTick()
    expect(shown.value.map(({ fact }) => fact)).toEqual(['power', 'position'])
  })

  it('marks what differs with the moment since when it was seen, until it agrees', async () => {
    const facts = shallowRef<Fact[]>([fact('power', 'agree')])
    const at = ref('2026-11-20T10:00:00.000Z')
    const { since } = useRowOrder(() => facts.value, () => true, { at: () => at.value, isChanged: () => false })
    for (const [when, verdict] of [['2026-11-20T10:00:02.000Z', 'differ'], ['2026-11-20T10:00:04.000Z', 'differ']] as const) {
      at.value = when
      facts.value = [fact('power', verdict)]
      await nextTick()
    }
    expect([...since.value]).toEqual([['power', '2026-11-20T10:00:02.000Z']])
    facts.value = [fact('power', 'agree')]
    await nextTick()
    expect([...since.value]).toEqual([])
  })

  it('says once that a sign-in would help, and not in each row', async () => {
    const shown = await open(looking({ ...calm, device: { state: 'locked', why: null, readAt: null } }))
    expect(shown.get('.unheard').text()).toContain('The device needs a sign-in.')
    expect(shown.findAll('.unheard')).toHaveLength(1)
    await shown.get('.unheard button').trigger('click')
    expect(shown.find('dialog').exists()).toBe(true)
  })

  it('says what a gateway that fails answers, in our words, and offers to try again', async () => {
    const why = { id: 'gateway.itSays', values: { what: { id: 'gateway.failed', values: { status: 503 } }, words: '{"raw": "json"}' } }
    const look: Diagnosis = { ...nobodyCanSay, gateway: { state: 'away', why: why as never, readAt: null, aheadS: null } }
    const shown = await open(looking(look))
    expect(shown.get('h1').text()).toBe('Unit 0007: reporting status unknown')
    expect(shown.get('.trouble h2').text()).toBe('The gateway is failing (503).')
    expect(shown.get('.diagnosis .banner').text()).not.toContain('raw')
    const again = shown.findAll('.banner button').find((one) => one.text().startsWith('Try again'))
    await again?.trigger('click')
    expect(made('diagnosis.retest')).toEqual([{ subject: { key }, link: null }])
  })

  it('shows what is not as it was installed', async () => {
    const then = [fact('sim', 'agree'), fact('apn', 'notExposed', { device: { ...fact('apn', 'notExposed').device, value: 'before.example' } as Fact['device'] })]
    const shown = await open({ 'diagnosis.look': () => brokenAtAddress, 'diagnosis.installed': () => ({ installed: { takenAt: '2026-04-12T09:00:00.000Z', facts: then } }) })
    await shown.get('[data-filter=installed]').trigger('click')
    expect(rows(shown)).toContain('apn')
    expect(rows(shown)).not.toContain('position')
  })

  it('says of a witness that was not heard nothing that it kept back', async () => {
    const shown = await open(looking({ ...brokenAtAddress, gateway: { state: 'signedOut', why: null, readAt: null, aheadS: null } }))
    expect(shown.findAll('.unheard').map((one) => one.text())).toEqual(['The gateway did not answer. Its values are from earlier.'])
    expect(shown.get('[data-fact=apn]').text()).not.toContain('not shown')
  })

  it('opens a fact by keyboard, and changes its limit where it stands', async () => {
    const shown = await open()
    for (const name of ['j', 'j']) {
      press(name)
      await flushPromises()
    }
    expect(document.activeElement?.getAttribute('aria-label')).toBe('More about: Position')
    ;(document.activeElement as HTMLElement).click()
    await nextTick()
    expect(shown.get('[data-more=position]').text()).toContain('4.74821, -74.05902')
    await shown.get('[data-fact=position] .verdict button').trigger('click')
    await shown.get('[data-fact=position] input').setValue('80')
    await shown.get('[data-fact=position] form').trigger('submit')
    await flushPromises()
    expect(made('diagnosis.setTolerance')).toEqual([{ id: 'positionM', value: 80 }])
  })

  it('says beside each fact how it was when the installation was signed off, where that is kept', async () => {
    const then = [fact('sim', 'agree'), fact('satellites', 'agree', { device: { ...fact('sim', 'agree').device, message: plainMessage('12') } as Fact['device'] }), fact('apn', 'notExposed')]
    const shown = await open({ 'diagnosis.installed': ({ imei }) => ({ installed: imei === key ? { takenAt: '2026-04-12T09:00:00.000Z', facts: then } : null }) })
    expect(shown.findAll('.facts th').map((head) => head.text())).toContain('At installation, 12 Apr 2026')
    expect(['sim', 'satellites', 'apn', 'clock'].map((name) => shown.get(`[data-fact=${name}] .then`).text())).toEqual(['onchanged', '12 and on', 'onchanged', ''])
    await shown.get('.save').trigger('click')
    await flushPromises()
    expect(made('snapshots.take')).toMatchObject([{ key }])
  })

  it('has an explanation for each fact', () => {
    const known = new Set((JSON.parse(readFileSync('resources/knowledge/terms.json', 'utf8')) as { terms: { id: string }[] }).terms.map(({ id }) => id))
    expect(factNames.filter((name) => !known.has(termOf(name) ?? ''))).toEqual([])
  })

  it('can be carried away as text and as a table', () => {
    const text = diagnosisText(brokenAtAddress, 'Unit 0007 has not reported for 47 minutes')
    expect(text).toContain('Address (broken): Registered on the mobile network, but no IP address assigned.')
    expect(text).toContain('Events (not checked)\n')
    const [head = '', first = ''] = factsCsv(brokenAtAddress.facts).split('\r\n')
    expect(head.split(',')).toHaveLength(first.split(',').length)
    expect(first.startsWith('Last contact,here now,here now,,2026-11-20T10:41:05.212Z,47 min ago')).toBe(true)
  })
})

describe('a gateway that cannot be asked', () => {
  const failing = { state: 'away', why: { id: 'gateway.failed', values: { status: 503 } } as never, readAt: new Date(startedAt - 14_000).toISOString(), aheadS: 0, retry: { failedSince: new Date(startedAt - 12_000).toISOString(), attempts: 3, nextAt: new Date(startedAt + 12_000).toISOString() } } as const
  const remote: Diagnosis = { ...brokenAtAddress, subject: { ...brokenAtAddress.subject, deviceKey: null, copiedAt: new Date(startedAt - 180_000).toISOString(), copiedReportAt: new Date(startedAt - 2_800_000).toISOString() }, device: null, gateway: failing, tone: 'unknown', headline: null, brokenAt: null, chain: calm.chain.map((one) => ({ ...one, witness: 'gateway' as const, readAt: failing.readAt })) }

  it('is the headline with its next attempt; the last result is grey with clock times, and what works without it stands beside', async () => {
    const shown = await open({ ...looking(remote), 'jobs.list': () => ({ jobs: [data.listedJob] }), 'eventLog.last': () => ({ state: null }), 'snapshots.list': () => ({ snapshots: [], next: null }) } as never, ['vehicle', '7'])
    expect(shown.get('h1').text()).toBe('Unit 0007: reporting status unknown')
    expect(shown.get('.screen-head .sub').text()).toContain('name from the local copy of')
    expect(shown.get('.trouble').text()).toMatch(/The gateway is failing \(503\)\.Fitter could not check whether Unit 0007 reports\. It tries again in 12 s; 3 attempts failed since \d\d:\d\d:\d\d\.Try again/)
    expect(shown.get('.last-result').text()).toMatch(/^Last result, as of \d\d:\d\d:\d\d: last report /)
    expect(shown.get('.chain').classes()).toContain('grey')
    expect(shown.get('[data-link=power] .age').text()).toMatch(/^\d\d:\d\d:\d\d$/)
    expect(shown.get('.facts .bar').text()).toContain('as of')
    expect(shown.find('.banner.calm').exists()).toBe(false)
    await vi.waitFor(() => expect(shown.get('.without').text()).toContain('Support bundle'), 15_000)
    press('r')
    await flushPromises()
    expect(made('diagnosis.retest')).toEqual([{ subject: { vehicleId: 7 }, link: null }])
  })

  it('is one line below what the device itself says', async () => {
    const shown = await open(looking({ ...brokenAtAddress, gateway: failing }))
    expect(shown.get('.banner.broken').text()).toContain('no IP address')
    expect(shown.get('.trouble.thin').text()).toContain('The gateway is failing (503).')
    expect(shown.find('.without').exists()).toBe(false)
  })

  it('says that the device of the vehicle is on this network and wants a sign-in', async () => {
    const seen = { ...data.devices[0], imei: key, key, signedIn: false, standing: 'needsSignIn' }
    const shown = await open({ ...looking(remote), 'discovery.watch': () => ({ devices: [seen], cards: [], lastHeardAt: null, changeNumber: 1 }) } as never, ['vehicle', '7'])
    expect(shown.get('.near').text()).toContain('Its device is next to you.')
    await shown.get('.near button').trigger('click')
    await vi.dynamicImportSettled()
    expect(shown.find('dialog').exists()).toBe(true)
  })
})

it('what the local copy knows is the first picture, marked as such, and the gateway is asked at once', async () => {
  const subject = { ...nobodyCanSay.subject, copiedAt: new Date(startedAt - 180_000).toISOString(), copiedReportAt: new Date(startedAt - 2_800_000).toISOString() }
  const asking: Diagnosis = { ...nobodyCanSay, subject, gateway: { state: 'asking', why: null, readAt: null, aheadS: null }, isWhole: false, nextInMs: 10 }
  let isRead = false
  const shown = await open({ 'diagnosis.look': () => (isRead ? brokenAtAddress : asking) }, ['vehicle', '7'])
  expect(shown.get('h1').text()).toBe('Unit 0007: checking the gateway')
  expect(shown.get('.screen-head .sub').text()).toMatch(/name from the local copy of .+ · last report there /)
  expect(made('diagnosis.look')[0]).toMatchObject({ isQuick: true })
  isRead = true
  await vi.waitFor(() => expect(shown.get('h1').text()).toBe('Unit 0007 has not reported for 47 minutes'), 15_000)
})

describe('since when', () => {
  it('leads to the events of that moment, and draws how the value became wrong', async () => {
    const sinceAt = new Date(startedAt - 3_600_000).toISOString()
    const points = [[startedAt - 7_200_000, 3], [startedAt - 3_600_000, 5_600], [startedAt, 5_610]] as [number, number][]
    const apart = { ...clockBehind, id: 'otherPlace', sentence: plainMessage('Positions differ.'), sinceAt, link: 'fix' as const, short: plainMessage('5.6 km apart'), trend: { measure: 'apartM' as const, limit: 50, points } }
    const shown = await open(looking({ ...calm, tone: 'warn', headline: { finding: 'otherPlace' }, findings: [apart] }))
    expect(shown.get('h1').text()).toBe('Unit 0007 reports, but 1 thing is wrong')
    expect(shown.get('.trend svg').attributes('aria-label')).toBe('Distance between the positions, km: from 0 to 5.6, 3 values, limit 0.1')
    expect(shown.get('[data-link=fix]').attributes('data-state')).toBe('problem')
    expect(shown.get('[data-link=fix] .short').text()).toBe('5.6 km apart')
    await shown.get('.banner .since button').trigger('click')
    expect(place.value).toEqual({ screen: 'events', id: '7', part: String(Date.parse(sinceAt)) })
  })
})

describe('nobody is at the vehicle', () => {
  const silent: Diagnosis = { ...brokenAtAddress, subject: { ...brokenAtAddress.subject, deviceKey: null }, device: null, chain: brokenAtAddress.chain.map((one) => (one.link === 'address' ? { ...one, action: null } : one)), latest: [{ at: new Date(startedAt - 60_000).toISOString(), what: plainMessage('Ignition off') }] }
  const visits = () => {
    let kept: Record<string, unknown> = { visit: null, outcome: 'open', notes: [] }
    return {
      'visits.read': () => ({ case: kept }),
      'visits.save': ({ visit, outcome }: Record<string, unknown>) => ({ case: (kept = { ...kept, visit, outcome }) }),
      'visits.addNote': ({ text }: Record<string, unknown>) => ({ case: (kept = { ...kept, notes: [{ at: new Date(startedAt).toISOString(), by: 'Technician One', text }] }) })
    }
  }
  const openVisit = async (): Promise<VueWrapper> => {
    const shown = await open({ ...looking(silent), ...visits() } as never, ['vehicle', '7'])
    press('d')
    await flushPromises()
    return shown
  }

  it('a service visit is filled in from the diagnosis, and what is changed in it is kept', async () => {
    const shown = await openVisit()
    expect(shown.get('.latest').text()).toContain('Ignition off')
    expect(shown.get('.todo').text()).toContain('Set the APN to the ordered one.')
    expect(shown.get('.plan .chip').text()).toBe('filled in from this diagnosis')
    const [place] = shown.findAll<HTMLInputElement>('.fields input')
    expect(place?.element.value).toBe('4.74821, -74.05902')
    await place?.setValue('North depot')
    await flushPromises()
    expect(made('visits.save')).toMatchObject([{ vehicleId: 7, imei: key, outcome: 'open', visit: { checklistId: 'service-visit', place: 'North depot', dueAt: null } }])
    expect(shown.get('.plan .chip').text()).toBe('saved on this computer')
    const day = shown.get<HTMLSelectElement>('select[aria-label="When"]')
    await day.setValue(day.findAll('option')[3]?.attributes('value'))
    await shown.get('select[aria-label="Time of day"]').setValue('600')
    await flushPromises()
    const due = new Date(startedAt)
    due.setDate(due.getDate() + 2)
    due.setHours(10, 0, 0, 0)
    expect(made('visits.save').at(-1)).toMatchObject({ visit: { dueAt: due.toISOString() } })
  })

  it('the customer’s text says what is known and no coordinates, in either language', async () => {
    const shown = await openVisit()
    expect(shown.get('.customer').text()).toMatch(/^Your vehicle HLD007 has not reported since .+\. Its device has no data connection\. A technician will visit it\. We will tell you when\.$/)
    await shown.findAll('.words input[type=radio]')[1]?.setValue(true)
    await vi.waitFor(() => expect(shown.get('.customer').text()).toMatch(/^Su vehículo HLD007 no reporta desde /), 15_000)
  })

  it('the customer is told no time where none is known', async () => {
    const never: Diagnosis = { ...silent, lastReport: null, brokenAt: 'gatewayEvent', headline: { link: 'gatewayEvent' }, chain: calm.chain.map((one) => (one.link === 'gatewayEvent' ? step('gatewayEvent', 'broken') : one)) }
    const shown = await open({ ...looking(never), ...visits() } as never, ['vehicle', '7'])
    press('d')
    await vi.waitFor(() => expect(shown.get('.customer').text()).toBe('Your vehicle HLD007 does not report. A technician will visit it. We will tell you when.'), 15_000)
  })

  it('a planned visit is named beside the title, and one press leads to it', async () => {
    const dueAt = new Date(startedAt + 86_400_000).toISOString()
    const planned = { case: { visit: { checklistId: 'service-visit', place: 'North depot', technician: '', dueAt, note: '' }, outcome: 'planned', notes: [] } }
    const shown = await open({ ...looking(silent), ...visits(), 'visits.read': () => planned } as never, ['vehicle', '7'])
    await flushPromises()
    expect(shown.get('.kept').text()).toMatch(/^Visit planned for 21 Nov, \d\d:\d\d$/)
    await shown.get('.kept').trigger('click')
    await flushPromises()
    expect(shown.findAll<HTMLInputElement>('.fields input')[0]?.element.value).toBe('North depot')
  })

  it('a note and the outcome are kept', async () => {
    const shown = await openVisit()
    await shown.get('.words form input').setValue('Called, nobody answered.')
    await shown.get('.words form').trigger('submit')
    await flushPromises()
    expect(made('visits.addNote')).toEqual([{ vehicleId: 7, imei: key, text: 'Called, nobody answered.' }])
    expect(shown.get('.words ul').text()).toContain('Called, nobody answered.')
    await shown.findAll('footer input[type=radio]')[1]?.setValue(true)
    await flushPromises()
    expect(made('visits.save')).toMatchObject([{ outcome: 'planned' }])
  })
})

it('a fault that is older than the loaded events says so, and leads to the weeks', async () => {
  const points = [[startedAt - 600_000, -105], [startedAt - 300_000, -104], [startedAt, -105]] as [number, number][]
  const weak = { ...clockBehind, id: 'weakSignal', sentence: plainMessage('Weak signal.'), sinceAt: null, link: 'registration' as const, trend: { measure: 'signalDbm' as const, limit: -95, points } }
  const shown = await open({ ...looking({ ...calm, tone: 'warn', headline: { finding: 'weakSignal' }, findings: [weak] }), 'vehicles.signalWeeks': () => ({ days: [], readAt: new Date(startedAt).toISOString() }) })
  expect(shown.get('.banner small').text()).toMatch(/^Since before \d\d:\d\d:\d\d/)
  await shown.findAll('.banner button').find((one) => one.text() === 'Signal over weeks')?.trigger('click')
  await flushPromises()
  expect(shown.get('.weeks').text()).toContain('No events in this period')
})

it('a signal over weeks names the day from which it is another one, and what was before', async () => {
  const day = (n: number) => new Date(Date.UTC(2026, 8, 26 + n)).toISOString().slice(0, 10)
  const days = Array.from({ length: 40 }, (_, n) => ({ day: day(n), signalDbm: n < 26 ? -83 : -98, satellites: 10, delayS: null, reports: 1_000 }))
  const band = { low: -92, middle: -85, high: -78 }
  const few = { days: [], groups: [{ id: 7, name: 'South yard', isOwn: true }], places: { signalDbm: { place: 41, of: 43 }, satellites: null, delayS: null, reports: null }, withData: 2, least: 5, weakest: [], readAt: new Date(startedAt).toISOString() }
  const groups = [{ ...few, withData: 42, days: days.slice(10).map((one) => ({ day: one.day, signalDbm: band, satellites: null, delayS: null, reports: null })), weakest: [{ id: 9, name: 'Unit 0155', plate: 'JPK133', signalDbm: -101 }] }]
  const shown = await open({ ...looking(calm), 'vehicles.signalWeeks': () => ({ days, readAt: new Date(startedAt).toISOString() }), 'vehicles.signalGroup': () => groups.shift() ?? few })
  await shown.get('.screen-head .menu > button').trigger('click')
  await shown.findAll('[role=menuitem]').find((one) => one.text() === 'Signal over weeks')?.trigger('click')
  await flushPromises()
  expect(made('vehicles.signalWeeks')).toEqual([{ id: 7, weeks: 8 }])
  expect(shown.get('.weeks [role=status]').text()).toBe('Signal, dBm: −83 before 22 Oct 2026, −98 since then; 13 dB below the group.')
  expect(shown.findAll('.weeks tbody tr').map((row) => row.findAll('td').map((cell) => cell.text()))).toEqual([['−83', '−98', '−85', '41 of 43', '22 Oct 2026'], ['10', '–', '–', '–', 'no change'], ['–', '–', '–', '–', 'no change'], ['1000', '–', '–', '–', 'no change']])
  expect(shown.get('.weeks .lanes').text()).toContain('80 % of 42 vehicles')
  // Days without the group have no band: 30 of 40.
  expect(shown.get('.weeks .band').attributes('d')?.match(/Z/g)).toHaveLength(30)
  expect(shown.get('.weeks .weakest').text()).toContain('Unit 0155')
  await shown.findAll('.weeks input[type=radio]')[0]?.setValue(true)
  await flushPromises()
  expect(made('vehicles.signalWeeks').at(-1)).toEqual({ id: 7, weeks: 2 })
  expect(shown.find('.weeks .band').exists()).toBe(false)
  await shown.findAll('.weeks select option').find((one) => one.text() === 'South yard')?.setValue()
  await flushPromises()
  expect(made('vehicles.signalGroup').at(-1)).toEqual({ id: 7, weeks: 2, groupId: 7 })
  expect(shown.get('.weeks').text()).toContain('Only 2 other vehicles have data in this period; 5 are needed to compare.')
})

describe('a watch', () => {
  const look = (agoS: number, more: Partial<Diagnosis> = {}): Diagnosis => ({ ...brokenAtAddress, lastReport: { at: new Date(startedAt - agoS * 1000).toISOString(), ageS: agoS, reportsWithinS: 300 }, ...more })
  const subject = { vehicleId: 7 }
  const watchWith = (answers: Diagnosis[], status: object = { rateLimit: null }) => {
    vi.useFakeTimers({ now: startedAt, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    core = createFakeBridge({ 'diagnosis.look': () => answers.shift() ?? look(2_000) })
    window.fitter = core
    useGateway().status = { ...data.gateway, ...status }
    startWatch(subject, 'Unit 0007', look(2_000).lastReport?.at ?? null)
  }
  const minute = async (n = 1) => {
    for (let i = 0; i < n; i++) {
      await vi.advanceTimersByTimeAsync(60_000)
    }
  }
  afterEach(() => stopWatch(subject))

  it('checks once a minute, and says once when the vehicle reports again', async () => {
    watchWith([look(2_000), look(3)])
    await minute()
    expect([made('diagnosis.look').length, watchOf(subject)?.isWaiting]).toEqual([1, false])
    expect(useToasts().toasts).toEqual([])
    await minute()
    expect(useToasts().toasts.map(({ text }) => text)).toEqual([expect.stringMatching(/^Unit 0007 reports again, since /)])
    expect(watchOf(subject)).toBeUndefined()
    await minute(2)
    expect(made('diagnosis.look')).toHaveLength(2)
  })

  it('asks nothing while the gateway allows few calls', async () => {
    watchWith([], { rateLimit: { limit: 30, remaining: 4, resetAt: new Date(startedAt + 90_000).toISOString() } })
    await minute()
    expect([made('diagnosis.look').length, watchOf(subject)?.isWaiting]).toEqual([0, true])
    await minute()
    expect(made('diagnosis.look')).toHaveLength(1)
  })

  it('ends at the time that it names, and says so', async () => {
    watchWith([])
    await minute(watchForMs / 60_000 + 1)
    expect(useToasts().toasts.map(({ text }) => text)).toEqual([expect.stringMatching(/^Unit 0007 has not reported while Fitter watched\. /)])
    const n = made('diagnosis.look').length
    await minute(3)
    expect(made('diagnosis.look')).toHaveLength(n)
  })

  it('is begun beside “Check again” for a vehicle that does not report, and named there with its end', async () => {
    const shown = await open(looking(brokenAtAddress), ['vehicle', '7'])
    await shown.get('.watch').trigger('click')
    expect(shown.get('.watch').text()).toMatch(/^Watching until \d\d:\d\d$/)
    await shown.get('.watch').trigger('click')
    expect(shown.get('.watch').text()).toBe('Watch')
  })

  it('is not offered for a vehicle that reports', async () => {
    expect((await open(looking(calm), ['vehicle', '7'])).find('.watch').exists()).toBe(false)
  })
})

describe('the session again', () => {
  it('shows the chain and the table of a moment with the ages of then, offers no change there, and comes back to now', async () => {
    const then = new Date(startedAt - 590_000).toISOString()
    const shown = await open({ 'diagnosis.look': ({ atMs }) => ({ ...brokenAtAddress, at: typeof atMs === 'number' ? new Date(atMs).toISOString() : brokenAtAddress.at }) })
    press('p')
    await nextTick()
    const slider = shown.get('.moment [role=slider]')
    await slider.trigger('keydown', { key: 'Home' })
    await slider.trigger('keydown', { key: 'ArrowRight' })
    await flushPromises()
    expect(made('diagnosis.look')).toContainEqual({ subject: { key }, atMs: Date.parse(then) })
    expect(shown.get('.told').text()).toContain('As it was at')
    expect(shown.find('.banner .do button').exists()).toBe(false)
    press('n')
    await flushPromises()
    expect(shown.find('.told').exists()).toBe(false)
    expect(made('diagnosis.look').at(-1)).toEqual({ subject: { key }, atMs: null })
  })
})

describe('the ways in', () => {
  it('“Diagnose” before a name finds whom to diagnose; a name alone, or the word alone, is looked for as it is', () => {
    expect(['diagnose Unit 0007', 'diag hld 7', 'Unit 0007', 'diagnose', 'die unit'].map(wordsToDiagnose)).toEqual(['Unit 0007', 'hld 7', null, null, null])
    const line = { id: 'vehicle 7', kind: 'vehicle', icon: 'vehicle', title: 'Unit 0007, HLD007', note: '', vehicle: { id: 7, name: 'Unit 0007', plate: 'HLD007', imei: null }, act: () => undefined } as const
    expect(diagnoseLine(line).map(({ title }) => title)).toEqual(['Diagnose Unit 0007, HLD007'])
    expect(diagnoseLine({ ...line, vehicle: undefined } as never)).toEqual([])
  })

  it('a number that nobody here knows can be asked for at the gateway', async () => {
    const shown = await open({}, ['choose', ''])
    await shown.get('.choose input').setValue('990000862471854')
    await vi.waitFor(() => expect(shown.findAll('.choose .line').map((line) => line.attributes('href'))).toEqual(['#/diagnose/imei/990000862471854']), 15_000)
    await shown.get('.choose input').trigger('keydown', { key: 'Enter' })
    await vi.waitFor(() => expect(place.value).toMatchObject({ screen: 'diagnose', id: 'imei', part: '990000862471854' }), 15_000)
  })

  it('an address names somebody or nobody', () => {
    expect(subjectIn('device', 'ft4 x')).toEqual({ key: 'ft4 x' })
    expect(subjectIn('vehicle', '7')).toEqual({ vehicleId: 7 })
    expect(subjectIn('imei', key)).toEqual({ imei: key })
    for (const [kind, id] of [['vehicle', 'x'], ['imei', '12'], ['device', ''], ['choose', '']] as const) expect(subjectIn(kind, id)).toBeNull()
  })

  it('the rail leads back to whom one looked at last, and “/” to somebody else', async () => {
    const shown = await open()
    goTo('start')
    await flushPromises()
    goTo('diagnose')
    await flushPromises()
    expect(shown.get('h1').text()).toContain('Unit 0007')
    press('/')
    await flushPromises()
    expect([place.value.id, shown.get('h1').text()]).toEqual(['choose', 'Which vehicle is not reporting?'])
    expect(shown.findAll('.choose .line').map((line) => line.attributes('href'))).toContain(`#/diagnose/device/${key}`)
  })

  it('a job leads to its device also when that is not here', async () => {
    const shown = await open({ 'discovery.watch': () => ({ devices: [], cards: [], lastHeardAt: null, changeNumber: 1 }) }, ['choose', ''])
    expect(shown.findAll('.choose .line').map((line) => line.attributes('href'))).toContain(`#/diagnose/imei/${key}`)
  })
})
