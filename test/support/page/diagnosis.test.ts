import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import type { Diagnosis } from '../../../preload/contract/support/diagnosis.ts'
import ApnDialog from '../../../renderer/support/diagnosis/ApnDialog.vue'
import { subjectIn } from '../../../renderer/base/shell/diagnoseSubject.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { diagnoseLine, wordsToDiagnose } from '../../../renderer/support/find/useFinding.ts'
import { useToasts } from '../../../renderer/base/shell/toasts.store.ts'
import { goTo, place } from '../../../renderer/base/shell/router.ts'
import { FakeFailure } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { startedAt } from '../../world/data/fakeData.ts'
import { brokenAtAddress, calm, clockBehind, nobodyCanSay } from '../../world/window/fakes/fakeDiagnosis.ts'
import { core, made, putCore } from '../../world/window/fakes/fakeWindow.ts'
import { factRows, key, looking, openDiagnosis, press, useDiagnosisPage } from '../../world/window/diagnosisPage.ts'

useDiagnosisPage()

it('the APN is sent with nothing empty unless the person says so, and the dialog can be left without sending', async () => {
  putCore({})
  const dialog = mount(ApnDialog, {
    props: { deviceKey: key, apn: 'fleet.example' },
    global: { plugins: [createPinia()] },
    attachTo: document.body
  })
  await flushPromises()
  const send = dialog.get<HTMLButtonElement>('button[type=submit]')
  expect(send.element.disabled).toBe(true)
  expect(dialog.get('label.check').text()).toBe(
    'Send empty: APN user, APN password and SIM PIN. The device may then clear what it has stored.'
  )
  await dialog.get('label.check input').setValue(true)
  expect(send.element.disabled).toBe(false)
  await dialog.get('.actions .quiet').trigger('click')
  expect(dialog.emitted('close')).toHaveLength(1)
  expect(core.made.map(({ name }) => name)).not.toContain('workspace.change')
  dialog.unmount()
})

describe('where it broke', () => {
  it('names the first broken link, greys what stands behind it, and offers its remedy with what it will do', async () => {
    const shown = await openDiagnosis()
    expect(shown.get('h1').text()).toBe('Unit 0007 has not reported for 47 minutes')
    expect(shown.findAll('.chain li').map((link) => link.attributes('data-state'))).toEqual([
      'ok',
      'ok',
      'ok',
      'broken',
      ...Array<string>(5).fill('notReached')
    ])
    expect(shown.findAll('.chain li').at(5)?.text()).toContain('not checked')
    expect(shown.get('.banner').text()).toContain('Registered on the mobile network, but no IP address assigned.')
    await shown.get('.banner .primary').trigger('click')
    expect(shown.get('dialog input').element).toHaveProperty('value', 'fleet.example')
    expect(made('workspace.change')).toEqual([])
  })

  it('offers nothing that needs a device where none is beside us: the remedy stays in words', async () => {
    const shown = await openDiagnosis(
      looking({ ...brokenAtAddress, device: null, subject: { ...brokenAtAddress.subject, deviceKey: null } }),
      ['vehicle', '7']
    )
    expect(made('diagnosis.look')[0]).toEqual({ subject: { vehicleId: 7 }, atMs: null, isQuick: true })
    expect(shown.get('.banner').text()).toContain('Set the APN to the ordered one.')
    expect(shown.get('.banner .primary').text()).toContain('Prepare a service visit')
  })

  it('checks everything again by its key, and one link by its button', async () => {
    const shown = await openDiagnosis()
    expect(shown.get('.screen-head .again').text()).toMatch(/^Check againR$/)
    press('r')
    await flushPromises()
    expect(made('diagnosis.retest')).toEqual([{ subject: { key }, link: null }])
    await shown.get('[data-link=sim] button').trigger('click')
    expect(shown.get('.banner').text()).toContain('sim is ok.')
    await shown
      .findAll('.banner button')
      .find((one) => one.text() === 'Re-test this link')
      ?.trigger('click')
    await flushPromises()
    expect(made('diagnosis.retest')).toContainEqual({ subject: { key }, link: 'sim' })
  })

  it('says on each link who was read, and how long ago', async () => {
    const shown = await openDiagnosis(
      looking({
        ...calm,
        chain: calm.chain.map((one) =>
          one.link === 'vehicle'
            ? { ...one, witness: 'gateway' as const, readAt: new Date(startedAt - 47 * 60_000).toISOString() }
            : one
        )
      })
    )
    expect(shown.get('[data-link=power] .age').text()).toBe('2 s')
    expect(shown.get('[data-link=vehicle] .age').text()).toBe('47 min')
    const drawn = (link: string) => shown.get(`[data-link=${link}] .age svg`).html()
    expect(drawn('power')).not.toBe(drawn('vehicle'))
  })

  it('is calm and green only when nothing at all was found', async () => {
    const shown = await openDiagnosis(looking(calm))
    expect(shown.get('h1').text()).toBe('Unit 0007 reports, 4 s ago')
    expect(shown.get('.banner.calm').text()).toContain('No fault found between vehicle and gateway.')
    expect(shown.find('.beside').exists()).toBe(false)
  })

  it('takes what the core puts first as the headline: amber, with its age and since when, and the others beside it', async () => {
    const other = { ...clockBehind, id: 'late', sentence: plainMessage('Data arrives late.') }
    const shown = await openDiagnosis(
      looking({ ...calm, tone: 'warn', headline: { finding: 'late' }, findings: [clockBehind, other] })
    )
    expect(shown.find('.banner.calm').exists()).toBe(false)
    expect(shown.get('.banner.warn').text()).toMatch(
      /^Data arrives late\.Wait for a fix\.Since .+ Go to \d\d:\d\d.*device, 2 s ago/
    )
    expect(shown.findAll('.beside li').map((one) => one.attributes('data-finding'))).toEqual(['clockOff'])
  })

  it('is red where this may be another device, vehicle or SIM, also when a link is broken', async () => {
    const wrong = {
      ...clockBehind,
      id: 'simDiffers',
      tone: 'fail' as const,
      sentence: plainMessage('The SIM is another one.')
    }
    const shown = await openDiagnosis(
      looking({ ...brokenAtAddress, headline: { finding: 'simDiffers' }, findings: [wrong] })
    )
    expect(shown.get('h1').text()).toBe('Unit 0007: wrong device, vehicle or SIM')
    expect(shown.get('.banner.fail').text()).toContain('The SIM is another one.')
    await shown.get('[data-link=address] button').trigger('click')
    expect(shown.get('.banner.broken').text()).toContain(
      'Registered on the mobile network, but no IP address assigned.'
    )
  })

  it('says of a chain that nobody could see what is missing and how to get it, and calls nothing well', async () => {
    const shown = await openDiagnosis(looking(nobodyCanSay), ['vehicle', '7'])
    const banner = shown.get('.banner.unknown').text()
    expect(banner).toContain('No fault found so far; some checks could not be run.')
    expect(banner).toContain('No device is connected to this computer.')
    expect(shown.get('.banner.unknown a[href="#/settings/gateway"]').text()).toBe('Sign in to the gateway')
    expect(shown.find('.banner.calm').exists()).toBe(false)
  })

  it('marks what was read at an earlier visit, and is itself again when it was read afresh', async () => {
    const earlier = new Date(startedAt - 600_000).toISOString()
    const fresh = new Date(startedAt + 1).toISOString()
    const read = (readAt: string): Diagnosis => ({
      ...calm,
      nextInMs: 10,
      chain: calm.chain.map((one) => (one.link === 'vehicle' ? { ...one, readAt } : { ...one, readAt: fresh }))
    })
    let isRead = false
    const shown = await openDiagnosis({ 'diagnosis.look': () => read(isRead ? fresh : earlier) })
    expect(shown.get('.banner.calm').classes()).toContain('grey')
    expect(shown.get('p.former').text()).toMatch(/^From .*Checking again …$/)
    expect(shown.findAll('.chain li.former').map((one) => one.attributes('data-link'))).toEqual(['vehicle'])
    isRead = true
    await vi.waitFor(() => expect(shown.find('p.former').exists()).toBe(false), 15_000)
    expect(shown.find('.banner.grey').exists()).toBe(false)
  })

  it('a window that was hidden for longer than the core says begins a visit of its own', async () => {
    const fresh = new Date(startedAt + 1).toISOString()
    const shown = await openDiagnosis(
      looking({ ...calm, openedAfterMs: 1_000, chain: calm.chain.map((one) => ({ ...one, readAt: fresh })) })
    )
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
    const shown = await openDiagnosis(looking(calm))
    await shown.get('.again').trigger('click')
    await flushPromises()
    expect(made('diagnosis.retest')).toEqual([{ subject: { key }, link: null }])
  })

  it('keeps what was seen when the core fails, without colour, and says why', async () => {
    let rounds = 0
    const shown = await openDiagnosis({
      'diagnosis.look': () => {
        if (rounds++ > 0) throw new FakeFailure({ code: 'UNREACHABLE', message: 'Nothing answers.', retryable: true })
        return { ...brokenAtAddress, nextInMs: 10 }
      }
    })
    await vi.waitFor(() => expect(shown.get('.diagnosis [role=alert]').text()).toContain('Nothing answers.'), 15_000)
    expect(shown.get('.facts table').classes()).toContain('stale')
    expect(factRows(shown)).toHaveLength(brokenAtAddress.facts.length)
  })
})

it('a support bundle that waits for calls of the gateway says so, and can be cancelled', async () => {
  const shown = await openDiagnosis(looking(calm))
  const { call } = core
  vi.spyOn(core, 'call').mockImplementation((name, input) =>
    name === 'bundles.prepare' ? new Promise<never>(() => undefined) : call(name, input)
  )
  core.emit('gateway.changed', {
    ...data.gateway,
    state: 'reachable',
    rateLimit: { limit: 30, remaining: 0, resetAt: new Date(Date.now() + 20_000).toISOString() }
  })
  await shown
    .findAll('button')
    .find((one) => one.text() === 'Support bundle…')
    ?.trigger('click')
  await flushPromises()
  await vi.dynamicImportSettled()
  const dialog = () => shown.find('dialog')
  expect(dialog().text()).toMatch(/The gateway limits calls\. Fitter continues in (20|19) s\./)
  await dialog()
    .findAll('button')
    .find((one) => one.text() === 'Cancel')
    ?.trigger('click')
  await flushPromises()
  expect(dialog().exists()).toBe(false)
  expect(made('bundles.end')).toHaveLength(1)
})

describe('a support bundle before it is saved', () => {
  const part = (kind: string, bytes: number, items: number | null = null) => ({
    name: `${kind}.json`,
    kind,
    bytes,
    items,
    from: null,
    to: null
  })
  const prepared = (more: object = {}) => ({
    fileName: 'bundle.zip',
    bytes: 41_000,
    writtenAt: new Date(startedAt).toISOString(),
    holds: { photos: true, positions: true, names: true },
    masked: { secrets: 4, positions: 0, names: 0 },
    removable: { positions: 2_418, names: 14 },
    about: 'Unit 0007',
    parts: [
      part('evidence', 66_000),
      part('limits', 500),
      part('answers', 140_000, 32),
      part('writes', 0, 0),
      part('versions', 190),
      part('photo', 900_000),
      part('photo', 700_000)
    ],
    ...more
  })
  const openBundle = async (own: object): Promise<VueWrapper> => {
    const shown = await openDiagnosis({ ...looking(calm), ...own } as never)
    await shown.get('button.bundle').trigger('click')
    await flushPromises()
    await vi.dynamicImportSettled()
    await flushPromises()
    return shown
  }

  it('names what leaves the computer with its size, and what each switch would remove', async () => {
    const shown = await openBundle({ 'bundles.prepare': () => prepared() })
    expect(shown.get('dialog').attributes('aria-label')).toBe('Support bundle of Unit 0007')
    expect(shown.findAll('dialog .group').map((group) => group.findAll('b').map((one) => one.text()))).toEqual([
      ['Diagnosis', '66.5 kB'],
      ['Device, vehicle and events', '140 kB'],
      ['Sent to the device', '0 B'],
      ['Fitter and this computer', '190 B'],
      ['Job photos', '1.6 MB']
    ])
    expect(shown.findAll('dialog .choice').map((one) => one.text())).toEqual([
      expect.stringContaining('Off removes 14 names and numbers'),
      expect.stringContaining('Off removes 2,418 positions'),
      expect.stringContaining('Off removes 2 photos, 1.6 MB')
    ])
    expect(shown.get('dialog .secrets').text()).toBe('4 removed from this bundle')
    expect(shown.get('dialog .primary').text()).toMatch(/^Save bundle/)
  })

  it('once it is saved, names the address that the company set for support', async () => {
    const nobody = {
      file: '/etc/fitter/policy.json',
      isThere: true,
      changedAt: null,
      company: '',
      contact: { name: '', mail: '', phone: '' },
      problems: []
    }
    const shown = await openBundle({
      'bundles.prepare': () => prepared(),
      'bundles.part': () => ({ base64: '', next: null }),
      'policy.get': () => ({ ...nobody, values: [{ key: 'support.mail', value: 'help@rionorte.example', line: 4 }] })
    })
    await shown.get('dialog form').trigger('submit')
    await flushPromises()
    await flushPromises()
    expect(useToasts().toasts.map(({ text }) => text)).toContain('bundle.zip saved. Send it to help@rionorte.example.')
  })

  it('without positions says how many were removed, while the next file is made', async () => {
    const shown = await openBundle({
      'bundles.prepare': ({ holds }: { holds: { positions: boolean } }) =>
        prepared({ holds, masked: { secrets: 4, positions: holds.positions ? 0 : 2_418, names: 0 } })
    })
    await shown.findAll('dialog [role=switch]')[1]?.trigger('click')
    await flushPromises()
    expect(shown.findAll('dialog .choice')[1]?.text()).toContain('Off: 2,418 positions removed')
  })

  it('says what it waits for while it is made, and the list has its place already', async () => {
    const shown = await openDiagnosis(looking(calm))
    const { call } = core
    vi.spyOn(core, 'call').mockImplementation((name, input) =>
      name === 'bundles.prepare' ? new Promise<never>(() => undefined) : call(name, input)
    )
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

describe('the ways in', () => {
  it('“Diagnose” before a name finds whom to diagnose; a name alone, or the word alone, is looked for as it is', () => {
    expect(['diagnose Unit 0007', 'diag hld 7', 'Unit 0007', 'diagnose', 'die unit'].map(wordsToDiagnose)).toEqual([
      'Unit 0007',
      'hld 7',
      null,
      null,
      null
    ])
    const line = {
      id: 'vehicle 7',
      kind: 'vehicle',
      icon: 'vehicle',
      title: 'Unit 0007, HLD007',
      note: '',
      vehicle: { id: 7, name: 'Unit 0007', plate: 'HLD007', imei: null },
      act: () => undefined
    } as const
    expect(diagnoseLine(line).map(({ title }) => title)).toEqual(['Diagnose Unit 0007, HLD007'])
    expect(diagnoseLine({ ...line, vehicle: undefined } as never)).toEqual([])
  })

  it('a number that nobody here knows can be asked for at the gateway', async () => {
    const shown = await openDiagnosis({}, ['choose', ''])
    await shown.get('.choose input').setValue('990000862471854')
    await vi.waitFor(
      () =>
        expect(shown.findAll('.choose .line').map((line) => line.attributes('href'))).toEqual([
          '#/diagnose/imei/990000862471854'
        ]),
      15_000
    )
    await shown.get('.choose input').trigger('keydown', { key: 'Enter' })
    await vi.waitFor(
      () => expect(place.value).toMatchObject({ screen: 'diagnose', id: 'imei', part: '990000862471854' }),
      15_000
    )
  })

  it('an address names somebody or nobody', () => {
    expect(subjectIn('device', 'ft4 x')).toEqual({ key: 'ft4 x' })
    expect(subjectIn('vehicle', '7')).toEqual({ vehicleId: 7 })
    expect(subjectIn('imei', key)).toEqual({ imei: key })
    for (const [kind, id] of [
      ['vehicle', 'x'],
      ['imei', '12'],
      ['device', ''],
      ['choose', '']
    ] as const)
      expect(subjectIn(kind, id)).toBeNull()
  })

  it('the rail leads back to whom one looked at last, and “/” to somebody else', async () => {
    const shown = await openDiagnosis()
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
    const shown = await openDiagnosis(
      { 'discovery.watch': () => ({ devices: [], cards: [], lastHeardAt: null, changeNumber: 1 }) },
      ['choose', '']
    )
    expect(shown.findAll('.choose .line').map((line) => line.attributes('href'))).toContain(`#/diagnose/imei/${key}`)
  })
})
