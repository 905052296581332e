import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { expect, test, vi } from 'vitest'
import { message } from '../../../preload/contract/messages.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge, FakeFailure } from '../../world/window/fakes/fakeBridge.ts'
import type { ProfileDraft, ProfilePlan } from '../../../preload/contract/device/deviceProfiles.ts'
import SaveProfileDialog from '../../../renderer/support/deviceSession/profile/SaveProfileDialog.vue'
import { useDevices } from '../../../renderer/device/devices/devices.store.ts'
import { previewTable } from '../../../renderer/support/deviceSession/profile/profileTexts.ts'
import { at } from '../../world/data/fakeData.ts'
import { deviceProfileAnswers, key, listed, preview, run } from '../../world/window/fakes/fakeDeviceProfiles.ts'
import { core, made, openWindow, page, putCore, putPage, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

async function open(go: () => void, own: Parameters<typeof createFakeBridge>[0] = {}): Promise<VueWrapper> {
  await openWindow(own)
  go()
  await flushPromises()
  return page
}
const openProfile = (own: Parameters<typeof createFakeBridge>[0] = {}) => open(() => goTo('profiles', key, 'p1'), own)
const rows = (where: VueWrapper): string[] =>
  where.findAll('tbody tr:not(.group)').map((one) =>
    one
      .findAll('th, td')
      .map((cell) => cell.text())
      .filter((text) => text !== '')
      .join(' | ')
  )
function button(where: VueWrapper, text: string) {
  const found = where.findAll('button').find((one) => one.text().startsWith(text))
  if (!found) throw new Error(`No button "${text}" in: ${where.text()}`)
  return found
}
function pick(where: VueWrapper, setting: string) {
  const found = where.findAll('tbody label').find((one) => one.text() === `Send ${setting}`)
  if (!found) throw new Error(`No box for ${setting}`)
  return found.get<HTMLInputElement>('input')
}

useFakeWindow()

test('a profile is shown beside the device: old and new, the same, what cannot be read, and what was sent before', async () => {
  const shown = await openProfile()
  expect(rows(shown)).toEqual([
    'Send APN | APN | internet.rionorte | claro.test | will change',
    'Send Hotspot | Hotspot | off | on | will change',
    'Send Wi-Fi | Wi-Fi | on | on | same',
    'Send Engine speed | Engine speed | PGN F004, position 4 | cannot be read | cannot be confirmed',
    expect.stringMatching(/^Send Fuel level \| Fuel level \| PGN FEFC, position 4 \| sent by Fitter .* \| sent before$/)
  ])
  // What nobody can take back is not sent twice unless the person says so.
  expect(pick(shown, 'Fuel level').element.checked).toBe(false)
  expect(pick(shown, 'Wi-Fi').element.disabled).toBe(true)
  expect(shown.get('aside').text()).toContain('IMEI, SIM and login of the device')
  expect(button(shown, 'Apply 3 settings').attributes('disabled')).toBeUndefined()
  expect(made('deviceProfiles.apply')).toEqual([])
})

test('single settings can be taken out, and only the rest is sent', async () => {
  const shown = await openProfile()
  await pick(shown, 'APN').setValue(false)
  await pick(shown, 'Engine speed').setValue(false)
  expect(rows(shown)[0]).toContain('stays as it is')
  await button(shown, 'Apply 1 setting').trigger('click')
  await flushPromises()
  expect(made('deviceProfiles.apply')).toEqual([
    { key, id: 'p1', settings: ['hotspotOn'], apnLogin: null, confirmCut: false }
  ])
})

test('the login of an APN is asked for, and an empty one has to be meant', async () => {
  const shown = await openProfile()
  await button(shown, 'Apply 3').trigger('click')
  await flushPromises()
  expect(made('deviceProfiles.apply')).toEqual([])
  const dialog = shown.get('dialog')
  const send = () => dialog.findAll('button').find((one) => one.text().startsWith('Apply'))
  expect(send()?.attributes('disabled')).toBeDefined()
  await dialog.get('input').setValue('rionorte')
  expect(send()?.attributes('disabled')).toBeDefined()
  await dialog.get('input[type=checkbox]').setValue(true)
  await dialog.get('form').trigger('submit')
  await flushPromises()
  expect(made('deviceProfiles.apply')).toEqual([
    {
      key,
      id: 'p1',
      settings: ['apn', 'hotspotOn', 'busParameter:ENGINE_SPEED'],
      apnLogin: { user: 'rionorte', pass: '', pin: '' },
      confirmCut: false
    }
  ])
})

test('what can cut our own connection is said before it is sent, with the way back', async () => {
  const cut = {
    detail: message('workspace.cuts', { link: message('workspace.viaHotspot', { host: '192.168.43.1' }) }),
    wayBack: message('workspace.backHotspot')
  }
  const shown = await openProfile({
    'deviceProfiles.preview': () =>
      preview({
        rows: preview()
          .rows.filter(({ id }) => id === 'hotspotOn')
          .map((row) => ({ ...row, cut }))
      })
  })
  expect(shown.get('aside').text()).toContain('1 setting can cut this connection.')
  await button(shown, 'Apply 1').trigger('click')
  await flushPromises()
  expect(made('deviceProfiles.apply')).toEqual([])
  expect(shown.get('dialog').text()).toContain('To start the hotspot again you need its Wi-Fi network or a cable.')
  await shown.get('dialog form').trigger('submit')
  await flushPromises()
  expect(made('deviceProfiles.apply')).toMatchObject([{ confirmCut: true }])
})

test('a run says for each setting what became of it, can be stopped, and is checked again afterwards', async () => {
  const shown = await openProfile({
    'deviceProfiles.runs': () => ({
      runs: [run({ apn: 'confirmed', hotspotOn: 'sending', 'busParameter:ENGINE_SPEED': 'sent' })]
    })
  })
  expect(rows(shown).map((row) => row.split(' | ').at(-1))).toEqual([
    'confirmed',
    'sending now',
    'same',
    'sent, not confirmed',
    'sent before'
  ])
  await button(shown, 'Stop after this one').trigger('click')
  await flushPromises()
  expect(made('deviceProfiles.stop')).toEqual([{ id: 'run1' }])
  core.emit(
    'deviceProfiles.run',
    run({ apn: 'confirmed', hotspotOn: 'refused' }, { state: 'lost', why: message('deviceProfiles.running') })
  )
  await flushPromises()
  expect(shown.get('aside').text()).toContain('The device stopped answering. Nothing more was sent.')
  expect(rows(shown)[1]).toContain('refused')
  const before = made('deviceProfiles.preview').length
  await button(shown, 'Check again').trigger('click')
  await flushPromises()
  expect(made('deviceProfiles.preview')).toHaveLength(before + 1)
})

test('nothing can be applied while the core refuses it, and another model is named', async () => {
  const refusal = message('deviceProfiles.jobOfOther', { technician: 'B. Soto' })
  const shown = await openProfile({
    'deviceProfiles.preview': () =>
      preview({ refusal, isSameModel: false, device: { key, imei: key, model: 'ft9', osVersion: '5.0' } })
  })
  expect(shown.get('aside').text()).toContain('B. Soto has an open job on this device.')
  expect(shown.get('aside').text()).toContain('The profile comes from model ft4, this device is model ft9.')
  expect(button(shown, 'Apply 3').attributes('disabled')).toBeDefined()
})

test('a device that does not answer says so, and nothing old can be applied', async () => {
  const shown = await openProfile({
    'deviceProfiles.preview': () => {
      throw new FakeFailure({ code: 'UNREACHABLE', message: 'Nothing answers.', retryable: true })
    }
  })
  expect(shown.get('[role=alert]').text()).toContain('Nothing answers.')
  expect(shown.findAll('button').some((one) => one.text().startsWith('Apply'))).toBe(false)
})

test('a device is saved as a profile from its menu: what is saved is shown and chosen first', async () => {
  const shown = await open(() => goTo('device', '867698040023056'))
  await shown.get('[aria-label="More for this device"]').trigger('click')
  await button(shown, 'Save as profile').trigger('click')
  await vi.waitFor(
    () => expect(shown.get('dialog').text()).toContain('Not saved: The device does not show this setting.'),
    { timeout: 45_000 }
  )
  const dialog = shown.get('dialog')
  expect(dialog.text()).toContain('Passwords, Wi-Fi networks and hotspot name')
  await dialog.get('input').setValue('Río Sur')
  const wifi = dialog.findAll('label').find((one) => one.text().startsWith('Wi-Fi'))
  await wifi?.get('input').setValue(false)
  await dialog.get('form').trigger('submit')
  await flushPromises()
  expect(made('deviceProfiles.save')).toEqual([
    {
      draft: 'draft1',
      name: 'Río Sur',
      settings: ['hotspotOn', 'busParameter:ENGINE_SPEED', 'busParameter:FUEL_LEVEL']
    }
  ])
})

test('the settings to save are those of the device that is chosen now, also when another one was read meanwhile', async () => {
  const draft = deviceProfileAnswers['deviceProfiles.read']({ key })
  const [slow, quick] = [Promise.withResolvers<ProfileDraft>(), Promise.withResolvers<ProfileDraft>()]
  putCore({ 'deviceProfiles.read': () => (made('deviceProfiles.read').length === 1 ? slow.promise : quick.promise) })
  setActivePinia(createPinia())
  await useDevices().watch()
  putPage(mount(SaveProfileDialog, { props: { deviceKey: '' }, attachTo: document.body }) as VueWrapper)
  await flushPromises()
  await page.get('select').setValue(page.findAll('option').at(-1)?.attributes('value'))
  slow.resolve({ ...draft, id: 'of the first' })
  await flushPromises()
  expect(page.find('fieldset').exists()).toBe(false)
  quick.resolve({ ...draft, id: 'of the second' })
  await flushPromises()
  await page.get('input').setValue('Río Sur')
  await page.get('form').trigger('submit')
  await flushPromises()
  expect(made('deviceProfiles.save')).toMatchObject([{ draft: 'of the second' }])
})

test('a profile is renamed, removed, and a wrong file is refused with the reason', async () => {
  const shown = await openProfile()
  await shown.get('[aria-label="More for this profile"]').trigger('click')
  await button(shown, 'Rename').trigger('click')
  await flushPromises()
  await shown.get('dialog input').setValue('Río Norte 2027')
  await shown.get('dialog form').trigger('submit')
  await flushPromises()
  expect(made('deviceProfiles.rename')).toEqual([{ id: 'p1', name: 'Río Norte 2027' }])
  await shown.get('[aria-label="More for this profile"]').trigger('click')
  await button(shown, 'Remove').trigger('click')
  await flushPromises()
  expect(shown.get('dialog').text()).toContain('Devices keep their settings.')
  await shown.get('dialog form').trigger('submit')
  await flushPromises()
  expect(made('deviceProfiles.remove')).toEqual([{ id: 'p1' }])
  const input = shown.get<HTMLInputElement>('input[type=file]')
  Object.defineProperty(input.element, 'files', { value: [new File(['{}'], 'other.json')] })
  await input.trigger('change')
  await vi.waitFor(() => expect(shown.text()).toContain('This is not a device profile.'), { timeout: 45_000 })
  expect(made('deviceProfiles.import')).toEqual([{ text: '{}' }])
})

const panel = (where: VueWrapper) => where.get('aside[aria-label^="Apply to"]')
async function chooseAll(where: VueWrapper): Promise<void> {
  const all = where.findAll('thead label').find((one) => one.text() === 'Choose all')
  await all?.get('input').setValue(true)
  await vi.waitFor(() => expect(panel(where).text()).toMatch(/\d+devices? change/), { timeout: 45_000 })
  await flushPromises()
}

test('on the board a profile is previewed for every chosen device, and only those that change are sent to', async () => {
  const cut = { detail: message('deviceProfiles.apnCuts'), wayBack: message('deviceProfiles.apnBack') }
  const shown = await open(() => goTo('board'), {
    'deviceProfiles.preview': ({ key: asked }) => {
      const device = { key: asked, imei: asked, model: 'ft4', osVersion: null }
      if (asked.endsWith('56'))
        return preview({ device, rows: preview().rows.map((row) => (row.id === 'apn' ? { ...row, cut } : row)) })
      throw new FakeFailure({ code: 'TIMEOUT', message: 'No answer.', retryable: true })
    }
  })
  await chooseAll(shown)
  expect(panel(shown).text()).toContain('Hotspot')
  expect(panel(shown).text()).toContain('1 setting can cut a connection.')
  button(shown, 'Apply to 1 device')
  await panel(shown).get('form').trigger('submit')
  await flushPromises()
  expect(made('deviceProfiles.apply')).toMatchObject([
    { id: listed.id, settings: ['hotspotOn', 'busParameter:ENGINE_SPEED'], afterJob: true }
  ])
})

test('on the board a device in a job gets the profile after its job, also the job of someone else, and it can be discarded', async () => {
  const plan: ProfilePlan = {
    imei: key,
    jobId: 'job1',
    profile: { id: listed.id, name: listed.name },
    settings: ['hotspotOn'],
    plannedAt: at(1),
    plannedBy: 'A. Ruiz',
    hasLogin: false,
    why: null
  }
  const shown = await open(() => goTo('board'), {
    'deviceProfiles.preview': ({ key: asked }) =>
      preview({
        device: { key: asked, imei: asked, model: 'ft4', osVersion: null },
        openJob: { id: 'job1', technician: 'B. Soto' },
        refusal: message('deviceProfiles.jobOfOther', { technician: 'B. Soto' }),
        rows: preview().rows.filter(({ id }) => id === 'hotspotOn')
      }),
    'deviceProfiles.apply': () => ({ kind: 'planned', plan })
  })
  await chooseAll(shown)
  expect(panel(shown).text()).toContain('after its job')
  expect(panel(shown).text()).not.toContain('B. Soto has an open job')
  await panel(shown).get('form').trigger('submit')
  await flushPromises()
  core.emit('deviceProfiles.plans', { plans: [plan] })
  await flushPromises()
  expect(shown.text()).toContain('“Río Norte 2026” is applied to …023064 after its job.')
  await button(shown, 'Discard').trigger('click')
  await flushPromises()
  expect(made('deviceProfiles.cancelPlan')).toEqual([{ imei: key }])
})

test('on the board a preview is saved as a table that contains no login', async () => {
  const open = preview({ openJob: { id: 'job1', technician: 'B. Soto' } })
  const table = previewTable([
    { name: 'Unit 0007', preview: open },
    { name: 'Unit 0014', preview: new Error('No answer.') }
  ])
  expect(table.split('\r\n').map((line) => line.replaceAll('"', ''))).toEqual([
    '\ufeffDevice,IMEI,Setting,On the device now,In the profile,State,When',
    `Unit 0007,${key},APN,claro.test,internet.rionorte,will change,after its job`,
    `Unit 0007,${key},Hotspot,on,off,will change,after its job`,
    `Unit 0007,${key},Wi-Fi,on,on,same,`,
    expect.stringMatching(/Engine speed,cannot be read,PGN F004, position 4,cannot be confirmed,after its job$/),
    expect.stringMatching(/Fuel level,sent by Fitter .*,sent before,$/),
    'Unit 0014,,,,,No answer.,',
    ''
  ])
})

test('on the board a device that a filter hides is not changed with the others', async () => {
  const shown = await open(() => goTo('board'))
  await chooseAll(shown)
  const before = panel(shown).attributes('aria-label')
  await shown.get('input[type=search]').setValue('no such device')
  expect(shown.find('aside[aria-label^="Apply to"]').exists()).toBe(false)
  await shown.get('input[type=search]').setValue('')
  expect(panel(shown).attributes('aria-label')).toBe(before)
})

test('a profile that the company offers says so, and cannot be renamed or removed', async () => {
  const shown = await openProfile({ 'deviceProfiles.list': () => ({ profiles: [{ ...listed, byCompany: true }] }) })
  expect(shown.get('.pairing').text()).toContain('Set by your company')
  await shown.get('.pairing [aria-haspopup]').trigger('click')
  await flushPromises()
  const isOff = (text: string) =>
    shown
      .findAll('[role=menuitem]')
      .find((one) => one.text() === text)
      ?.attributes('disabled') !== undefined
  expect(['Rename', 'Import a file', 'Remove'].map(isOff)).toEqual([true, false, true])
})

test('on the board Enter opens the only hit of the search', async () => {
  const shown = await open(() => goTo('board'))
  await shown.get('input[type=search]').setValue('023056')
  await shown.get('input[type=search]').trigger('keydown', { key: 'Enter' })
  expect(window.location.hash).toBe('#/device/867698040023056')
})
