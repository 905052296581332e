import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { formSchemas } from '../../../main/job/jobs/checklists/schema.ts'
import NewJobDialog from '../../../renderer/job/run/NewJobDialog.vue'
import type { LikeJob } from '../../../renderer/base/shell/dialogs.ts'
import { place } from '../../../renderer/base/shell/router.ts'
import { useJobs } from '../../../renderer/base/shell/jobs.store.ts'
import { useSettings } from '../../../renderer/base/shell/settings.store.ts'
import { useDevices } from '../../../renderer/device/devices/devices.store.ts'
import { createFakeBridge, holdAnswers, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import { needsOfOrder } from '../../../main/job/jobs/orders/orderNeeds.ts'
import type { Order } from '../../../preload/contract/job/orders.ts'
import type { Template } from '../../../preload/contract/job/templates.ts'
import { stepOfWords } from '../../world/window/english.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import * as data from '../../world/data/fakeData.ts'
import type { VehicleLine } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import CameraView from '../../../renderer/device/devices/label/CameraView.vue'
import VehicleCamera from '../../../renderer/device/devices/label/VehicleCamera.vue'
import { useToasts } from '../../../renderer/base/shell/toasts.store.ts'

let core: FakeBridge
let dialog: VueWrapper

async function open(
  own: Parameters<typeof createFakeBridge>[0],
  scannedImei?: string,
  deviceKey = data.devices[0]?.key ?? '',
  like?: LikeJob
): Promise<void> {
  core = createFakeBridge({ 'templates.schema': () => ({ ...formSchemas(), thresholds: {} }), ...own })
  window.fitter = core
  const pinia = createPinia()
  setActivePinia(pinia)
  await useDevices().watch()
  await useSettings().load()
  await useJobs().show(data.jobId)
  dialog = mount(NewJobDialog, {
    props: { deviceKey, scannedImei, like },
    global: { plugins: [pinia], stubs: { teleport: true } },
    attachTo: document.body
  })
  await vi.dynamicImportSettled()
  await flushPromises()
}

const inputs = (name: string) => core.made.filter((one) => one.name === name).map(({ input }) => input)
const created = () => inputs('jobs.create')
const foot = () => dialog.get('.foot')
const start = () => dialog.get<HTMLButtonElement>('button[type=submit]').element
const deviceField = () => dialog.get<HTMLInputElement>('[role=combobox]')

async function press(text: string): Promise<void> {
  const found = dialog.findAll('button').find((one) => one.text().includes(text))
  if (!found) throw new Error(`No button "${text}" in: ${dialog.text()}`)
  await found.trigger(found.attributes('type') === 'submit' ? 'submit' : 'click')
  await flushPromises()
}

async function addItem(text: string): Promise<void> {
  await press('Add an item')
  const found = dialog.findAll('.drop-panel button').find((one) => one.text() === text)
  if (!found) throw new Error(`No item "${text}" in: ${dialog.get('.drop-panel').text()}`)
  await found.trigger('click')
  await flushPromises()
}

beforeEach(() => setActivePinia(createPinia()))
afterEach(() => {
  dialog.unmount()
  vi.useRealTimers()
})

it('asks before a second job is made on a device that has an open one, and makes it when the person means it', async () => {
  await open({
    'jobs.create': ({ besideOpenJob }) =>
      besideOpenJob ? { outcome: 'created', id: data.jobId } : { outcome: 'openJob', job: data.listedJob }
  })
  await press('Start')
  expect(dialog.get('[role=alert]').text()).toContain('already has an open job')
  await press('Start another job')
  expect(created()).toMatchObject([{ besideOpenJob: false }, { besideOpenJob: true }])
})

it('does not begin with the device that was just finished', async () => {
  const [first, second] = data.devices
  await open(
    {
      'jobs.show': () => ({ ...data.job, state: 'done', device: { ...data.job.device, imei: first?.imei ?? '' } }),
      'jobs.create': () => ({ outcome: 'created', id: data.jobId })
    },
    undefined,
    ''
  )
  await press('Start')
  expect(created()).toMatchObject([{ deviceKey: second?.key }])
})

it('asks whose work it is where nobody said so, and keeps the name', async () => {
  await open({ 'settings.get': () => ({ ...data.settings, technician: '' }) })
  await dialog.get('input[autocomplete=name]').setValue('Ana Torres')
  await press('Start')
  expect(core.made.find(({ name }) => name === 'settings.change')?.input).toMatchObject({ technician: 'Ana Torres' })
  expect(created()).toHaveLength(1)
})

it('leads to the open job', async () => {
  await open({ 'jobs.create': () => ({ outcome: 'openJob', job: data.listedJob }) })
  await press('Start')
  await press('Continue open job')
  expect(place.value).toMatchObject({ screen: 'job', id: data.jobId })
})

const template = (id: string) => ({
  id,
  version: 1,
  name: plainMessage(id),
  kind: 'installation' as const,
  description: plainMessage(''),
  steps: 14
})
const both = [template('standard-installation'), template('trailer')]

it('offers to have no trailer or driver again, with the checklist of the last job alone', async () => {
  await open({
    'jobs.templates': () => ({ templates: both }),
    'jobs.remembered': () => ({ customer: '', withoutTrailer: 'standard-installation' })
  })
  await press('Start')
  await dialog.get('input[type=checkbox]').setValue(false)
  await press('Start')
  expect(created()).toMatchObject([{ withoutTrailer: true }, {}])
  expect(created()[1]).not.toHaveProperty('withoutTrailer')
  await dialog.get('input[type=radio][value="trailer"]').setValue()
  expect(dialog.find('input[type=checkbox]').exists()).toBe(false)
})

it('begins like another job: its checklist, its customer and its order', async () => {
  const order = {
    reference: 'A-7',
    items: [{ kind: 'photo' as const, purpose: 'plate' as const }],
    vehicle: '',
    customer: '',
    notes: ''
  }
  await open({ 'jobs.templates': () => ({ templates: both }) }, undefined, undefined, {
    templateId: 'trailer',
    customer: 'Holden Transport',
    order
  })
  await press('Start')
  expect(created()).toMatchObject([
    { templateId: 'trailer', customer: 'Holden Transport', order: { reference: 'A-7', items: [{ kind: 'photo' }] } }
  ])
})

it('gives the label that was read to the job, and remembers the customer of the last one', async () => {
  await open({ 'jobs.remembered': () => ({ customer: 'Holden Transport' }) }, '867698040023056')
  await press('Start')
  expect(created()).toMatchObject([{ scannedImei: '867698040023056', customer: 'Holden Transport' }])
})

it('finds a device by a number that is typed into the one field, and gives the label to the job', async () => {
  const [first, second] = data.devices
  if (!second?.imei || !first) throw new Error('The fake list has no second device')
  await open({
    'discovery.readLabel': ({ text }) => ({ kind: 'imei', imei: text }),
    'discovery.findImei': () => ({ kind: 'found', device: second }),
    'jobs.create': () => ({ outcome: 'created', id: data.jobId })
  })
  await deviceField().setValue(second.imei)
  await deviceField().trigger('keydown', { key: 'Enter' })
  await flushPromises()
  expect(created()).toEqual([])
  await press('Start')
  expect(created()).toMatchObject([{ deviceKey: second.key, scannedImei: second.imei }])
})

it('a device that is chosen from the list with the arrow keys is no scanned label', async () => {
  const [, second] = data.devices
  await open({ 'jobs.create': () => ({ outcome: 'created', id: data.jobId }) })
  await deviceField().setValue(second?.imei?.slice(-6) ?? '')
  await deviceField().trigger('keydown', { key: 'ArrowDown' })
  await deviceField().trigger('keydown', { key: 'Enter' })
  await press('Start')
  expect(created()).toMatchObject([{ deviceKey: second?.key }])
  expect(created()[0]).not.toHaveProperty('scannedImei')
})

it('says that a typed number was not found, and starts nothing', async () => {
  await open({ 'discovery.readLabel': () => ({ kind: 'none', detail: { id: 'windowJobs.choose.none', values: {} } }) })
  await deviceField().setValue('99')
  await deviceField().trigger('keydown', { key: 'Enter' })
  await flushPromises()
  expect(dialog.get('[role=alert]').text()).toContain('No match')
  expect(created()).toEqual([])
})

it('shows the number of steps with this order, and which of them the order brings', async () => {
  await open({})
  expect(foot().text()).toContain('2 steps')
  await addItem('Key fob')
  expect(foot().text()).toContain('3 steps')
  expect(foot().text()).toContain('2 of the checklist, 1 of the order: ordered-0')
  expect(dialog.get('.checklists').text()).not.toContain('12 steps')
})

it('counts again when the order changes during the count', async () => {
  await open({})
  const release = holdAnswers(core, 'templates.preview')
  await addItem('Key fob')
  await addItem('Inputs')
  expect(foot().text()).toContain('2 steps')
  release()
  await flushPromises()
  expect(foot().text()).toContain('4 steps')
})

it('offers Start to the Enter key, and leaves the focus with somebody who already types', async () => {
  await open({})
  expect(document.activeElement).toBe(start())
  dialog.unmount()
  const release = holdAnswers(core, 'jobs.templates')
  dialog = mount(NewJobDialog, { props: { deviceKey: data.devices[0]?.key ?? '' }, attachTo: document.body })
  deviceField().element.focus()
  await deviceField().trigger('input')
  release()
  await flushPromises()
  expect(start().disabled).toBe(false)
  expect(document.activeElement).toBe(deviceField().element)
})

it('names the missing field and starts only once it is filled in', async () => {
  await open({ 'jobs.create': () => ({ outcome: 'created', id: data.jobId }) })
  await addItem('Custom question')
  expect(foot().text()).toContain('1 item needs a value: the text of the question.')
  expect(start().disabled).toBe(true)
  await dialog.get('form').trigger('keydown', { key: 'Enter', ctrlKey: true })
  expect(created()).toEqual([])
  await dialog.get('[placeholder^="What should"]').setValue('Is the seal there?')
  await flushPromises()
  expect(start().disabled).toBe(false)
  await dialog.get('form').trigger('keydown', { key: 'Enter', ctrlKey: true })
  await flushPromises()
  expect(created()).toMatchObject([{ order: { items: [{ kind: 'question', name: { en: 'Is the seal there?' } }] } }])
})

it('asks for the value of an item before the start, names it, and leads to it', async () => {
  const template = {
    steps: [
      stepOfWords({ id: 'apn', kind: 'apn', title: 'APN', instruction: 'Wait.', when: { ordered: 'apn' } }),
      stepOfWords({
        id: 'keys',
        kind: 'iButton',
        title: 'Keys',
        instruction: 'Hold them.',
        when: { ordered: 'iButton' }
      })
    ]
  } as unknown as Template
  await open({
    'templates.preview': ({ order }) => ({
      steps: [],
      missing: [],
      needs: needsOfOrder(template, order as Order | null)
    }),
    'jobs.create': () => ({ outcome: 'created', id: data.jobId })
  })
  await addItem('APN')
  await addItem('Key fob')
  const rows = () => dialog.findAll('.items li')
  expect(rows().map((row) => [row.classes('lacking'), row.get('[data-shape]').attributes('data-shape')])).toEqual([
    [true, 'wait'],
    [true, 'wait']
  ])
  expect(rows()[0]?.text()).toContain('Enter the APN. Without it the step has nothing to compare.')
  expect(rows()[1]?.text()).toContain('Add at least one key.')
  expect(foot().text()).toContain('2 items need a value: APN, Key fob.')
  expect(start().disabled).toBe(true)
  expect(dialog.findAll('.foot .primary')).toHaveLength(1)
  await press('Fill in APN')
  expect(document.activeElement).toBe(rows()[0]?.get('input').element)
  await rows()[0]?.get('input').setValue('internet.example')
  await flushPromises()
  expect(rows()[0]?.classes('lacking')).toBe(false)
  await press('Fill in Key fob')
  expect(document.activeElement).toBe(rows()[1]?.get('textarea').element)
  await rows()[1]?.get('textarea').setValue('7E000001A2B3C401')
  await flushPromises()
  expect(start().disabled).toBe(false)
  await press('Start')
  expect(created()).toMatchObject([
    {
      order: {
        items: [
          { kind: 'apn', apn: 'internet.example' },
          { kind: 'iButton', ids: ['7E000001A2B3C401'] }
        ]
      }
    }
  ])
})

it('places the wheels of a layout as the gateway counts them, and an order without items is none', async () => {
  await open({ 'jobs.create': () => ({ outcome: 'created', id: data.jobId }) })
  await addItem('Tyre modules')
  await dialog
    .findAll('[role=radio]')
    .find((one) => one.text().includes('2 axles'))
    ?.trigger('click')
  await flushPromises()
  expect(dialog.get('[aria-checked=true]').text()).toContain('6 tyres')
  await press('Start')
  const wheels = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
    [1, 2],
    [1, 3]
  ].map(([axle, wheel]) => ({ axle, wheel }))
  expect(created()).toMatchObject([{ order: { items: [{ kind: 'tyres', wheels }] } }])
  await dialog.get('[aria-label^="Remove Tyre"]').trigger('click')
  await press('Start')
  expect(created()[1]).toMatchObject({ order: null })
})

const atGateway = {
  id: 7,
  name: 'Unit 0007',
  plate: 'HLD007',
  imei: '867698040023056',
  kind: 'vehicle' as const,
  assetType: null
}

it('fills in the one vehicle that the local copy names for the device, and confirms it with the gateway', async () => {
  await open(
    {
      'gateway.findEntities': () => ({ entities: [atGateway], complete: true }),
      'jobs.create': () => ({ outcome: 'created', id: data.jobId })
    },
    undefined,
    '867698040023056'
  )
  expect(inputs('gateway.findEntities')).toEqual([{ kind: 'vehicle', text: '7' }])
  expect(dialog.text()).toContain('Confirmed: the gateway lists the device there')
  await press('Start')
  expect(created()).toMatchObject([{ vehicleText: 'Unit 0007' }])
})

it('takes the vehicle back where the gateway lists another device there now', async () => {
  await open(
    {
      'gateway.findEntities': () => ({ entities: [{ ...atGateway, imei: '490154203237518' }], complete: true }),
      'jobs.create': () => ({ outcome: 'created', id: data.jobId })
    },
    undefined,
    '867698040023056'
  )
  expect(dialog.text()).not.toContain('Unit 0007')
  await press('Start')
  expect(created()).toMatchObject([{ vehicleText: '' }])
})

it('keeps the vehicle that a person typed, whatever device is chosen then', async () => {
  await open(
    {
      'gateway.findEntities': () => ({ entities: [atGateway], complete: true }),
      'jobs.create': () => ({ outcome: 'created', id: data.jobId })
    },
    undefined,
    '867698040023056'
  )
  await press('Change vehicle')
  await dialog.findAll('[role=combobox]')[1]?.setValue('ABC 123')
  await deviceField().setValue(data.devices[1]?.imei?.slice(-6) ?? '')
  await deviceField().trigger('keydown', { key: 'ArrowDown' })
  await deviceField().trigger('keydown', { key: 'Enter' })
  await flushPromises()
  await press('Start')
  expect(created()).toMatchObject([{ deviceKey: data.devices[1]?.key, vehicleText: 'ABC 123' }])
})

it('confirms nothing from an old copy, and says when the gateway lists another device', async () => {
  let answer = { ...atGateway, copiedAt: data.at(-3600) } as typeof atGateway
  await open({ 'gateway.findEntities': () => ({ entities: [answer], complete: true }) }, undefined, '867698040023056')
  expect(dialog.text()).toContain('Not confirmed: the gateway cannot be reached')
  expect(dialog.text()).not.toContain('Confirmed:')
  await press('Change vehicle')
  answer = { ...atGateway, imei: '490154203237518' }
  await dialog.findAll('[role=combobox]')[1]?.setValue('Unit 0007')
  await vi.waitFor(
    () => expect(dialog.findAll('[role=option]').some((one) => one.text().includes('Unit 0007'))).toBe(true),
    15_000
  )
  await dialog
    .findAll('[role=option]')
    .find((one) => one.text().includes('Unit 0007'))
    ?.trigger('click')
  await flushPromises()
  expect(dialog.text()).toContain('The gateway lists another device there')
})

const vin = '1M8GDM9AXKP042788'
const lineOf = (id: number, more: Partial<VehicleLine>): VehicleLine => ({
  id,
  name: `Unit ${String(id)}`,
  plate: null,
  vin: null,
  imei: null,
  groups: [],
  info: {},
  ...more
})

/** Opens the camera of the vehicle; a test has none, so what it would read comes from its component. */
async function openVehicleCamera() {
  await dialog.get('button[aria-label="Use camera for VIN or plate"]').trigger('click')
  await vi.dynamicImportSettled()
  await flushPromises()
  return dialog.getComponent(CameraView)
}
const vehicleText = () =>
  dialog.findAll<HTMLInputElement>('[role=combobox]').find((one) => one.attributes('aria-label') === 'Vehicle')?.element
    .value

it('chooses the vehicle whose VIN the camera reads, and says that its check digit agrees', async () => {
  await open({
    'vehicles.search': ({ text }) =>
      data.vehicleList(
        text === vin ? [lineOf(8, { vin: '1M8GDM9AXKP042789' }), lineOf(9, { vin: vin.toLowerCase() })] : []
      ),
    'jobs.create': () => ({ outcome: 'created', id: data.jobId })
  })
  const camera = await openVehicleCamera()
  camera.vm.$emit('read', `VIN ${vin}`)
  await flushPromises()
  expect(dialog.get('.card').text()).toContain('Unit 9')
  expect(dialog.text()).toContain('Its check digit agrees.')
  expect(dialog.findComponent(CameraView).exists()).toBe(false)
  await press('Start')
  expect(created()).toMatchObject([{ vehicleText: 'Unit 9' }])
})

it('keeps a VIN that no vehicle has, judges a European one by no check digit, and takes nothing from another code', async () => {
  await open({ 'vehicles.search': () => data.vehicleList([]) })
  const camera = await openVehicleCamera()
  camera.vm.$emit('read', '490154203237518')
  await flushPromises()
  expect(dialog.get('p[role=alert]').text()).toBe('This code contains no VIN.')
  expect(vehicleText()).toBe('')
  camera.vm.$emit('read', 'WVWZZZ1JZXW000001')
  await flushPromises()
  expect(vehicleText()).toBe('WVWZZZ1JZXW000001')
  expect(dialog.text()).toContain('Its region requires no check digit')
  expect(dialog.text()).not.toContain('agrees')
})

it('shows the photo of a plate while it is typed, and adds it to the job as the photo of the plate', async () => {
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'data:image/png;base64,AAAA', revokeObjectURL: () => undefined })
  )
  await open({
    'vehicles.search': () => data.vehicleList([]),
    'jobs.create': () => ({ outcome: 'created', id: data.jobId }),
    'attachments.add': () => ({ outcome: 'refused', reason: plainMessage('No room.') })
  })
  await openVehicleCamera()
  dialog.getComponent(VehicleCamera).vm.$emit('plate', new Blob([new Uint8Array([1, 2, 3])], { type: 'image/jpeg' }))
  await vi.dynamicImportSettled()
  await flushPromises()
  expect(dialog.get('img').attributes('src')).toBe('data:image/png;base64,AAAA')
  expect(vehicleText()).toBe('')
  await press('Start')
  await vi.waitFor(
    () =>
      expect(inputs('attachments.add')).toMatchObject([
        { jobId: data.jobId, stepId: null, purpose: 'plate', source: 'webcam' }
      ]),
    15_000
  )
  await vi.waitFor(
    () =>
      expect(
        useToasts()
          .toasts.map(({ text }) => text)
          .join()
      ).toContain('The photo of the plate was not added to the job: No room.'),
    15_000
  )
})
