import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import NewJobDialog from '../../renderer/features/job/NewJobDialog.vue'
import type { LikeJob } from '../../renderer/shell/dialogs.ts'
import { place } from '../../renderer/shell/router.ts'
import { useJobs } from '../../renderer/features/job/jobs.store.ts'
import { useSettings } from '../../renderer/shell/settings.store.ts'
import { useDevices } from '../../renderer/features/devices/devices.store.ts'
import { createFakeBridge, type FakeBridge } from '../support/fakeBridge.ts'
import { plainMessage } from '../../preload/contract/messages.ts'
import * as data from '../support/fakeData.ts'

let core: FakeBridge
let dialog: VueWrapper

async function open(own: Parameters<typeof createFakeBridge>[0], scannedImei?: string, deviceKey = data.devices[0]?.key ?? '', like?: LikeJob): Promise<void> {
  core = createFakeBridge(own)
  window.fitter = core
  const pinia = createPinia()
  setActivePinia(pinia)
  await useDevices().watch()
  await useSettings().load()
  await useJobs().show(data.jobId)
  dialog = mount(NewJobDialog, { props: { deviceKey, scannedImei, like }, global: { plugins: [pinia], stubs: { teleport: true } }, attachTo: document.body })
  await flushPromises()
}

const created = () => core.made.filter(({ name }) => name === 'jobs.create').map(({ input }) => input)

async function press(text: string): Promise<void> {
  const found = dialog.findAll('button').find((one) => one.text().includes(text))
  if (!found) throw new Error(`No button "${text}" in: ${dialog.text()}`)
  await found.trigger(found.attributes('type') === 'submit' ? 'submit' : 'click')
  await flushPromises()
}

beforeEach(() => setActivePinia(createPinia()))
afterEach(() => dialog.unmount())

it('asks before a second job is made on a device that has an open one, and makes it when the person means it', async () => {
  await open({
    'jobs.create': ({ besideOpenJob }) => (besideOpenJob ? { outcome: 'created', id: data.jobId } : { outcome: 'openJob', job: data.listedJob })
  })
  await press('Create and start')
  expect(dialog.get('[role=alert]').text()).toContain('already has an open job')
  await press('Start another job')
  expect(created()).toMatchObject([{ besideOpenJob: false }, { besideOpenJob: true }])
})

it('does not begin with the device that was just finished', async () => {
  const [first, second] = data.devices
  await open({ 'jobs.show': () => ({ ...data.job, state: 'done', device: { ...data.job.device, imei: first?.imei ?? '' } }) }, undefined, '')
  expect(dialog.get('select').element.value).toBe(second?.key)
})

it('asks whose work it is where nobody said so, and keeps the name', async () => {
  await open({ 'settings.get': () => ({ ...data.settings, technician: '' }) })
  await dialog.get('input[autocomplete=name]').setValue('Ana Torres')
  await press('Create and start')
  expect(core.made.find(({ name }) => name === 'settings.change')?.input).toMatchObject({ technician: 'Ana Torres' })
  expect(created()).toHaveLength(1)
})

it('leads to the open job', async () => {
  await open({ 'jobs.create': () => ({ outcome: 'openJob', job: data.listedJob }) })
  await press('Create and start')
  await press('Continue open job')
  expect(place.value).toMatchObject({ screen: 'job', id: data.jobId })
})

const line = (more: object) => ({ ...data.vehicleLines[0], ...more }) as (typeof data.vehicleLines)[number]

it('fills in the vehicle that the local copy names for the device, and nothing where two claim it', async () => {
  const imei = data.devices[0]?.imei ?? ''
  const found = (...lines: (typeof data.vehicleLines)[number][]) => ({ 'vehicles.search': () => ({ vehicles: lines, more: false, copy: data.vehicleCopy }) })
  await open(found(line({ imei, plate: 'HLD 012' }), line({ imei: '356938035643809', plate: 'XXX 999' })))
  const field = () => dialog.findAll('input').find((one) => one.attributes('maxlength') === '200')
  expect(field()?.element.value).toBe('HLD 012')
  await press('Create and start')
  expect(created()).toMatchObject([{ vehicleText: 'HLD 012' }])
  dialog.unmount()
  await open(found(line({ imei, plate: 'HLD 012' }), line({ imei, plate: 'XXX 999' })))
  expect(field()?.element.value).toBe('')
})

it('keeps the vehicle that a person typed, whatever device is chosen then', async () => {
  const imei = data.devices[0]?.imei ?? ''
  await open({ 'vehicles.search': ({ text }) => ({ vehicles: [line({ imei: text, plate: text === imei ? 'HLD 012' : 'OTHER' })], more: false, copy: data.vehicleCopy }) })
  const field = dialog.findAll('input').find((one) => one.attributes('maxlength') === '200')
  const second = dialog.findAll('option').find((one) => one.attributes('value') === data.devices[1]?.key)
  await dialog.get('select').setValue(second?.attributes('value'))
  await flushPromises()
  expect(field?.element.value).toBe('OTHER')
  await field?.setValue('ABC 123')
  await dialog.get('select').setValue(data.devices[0]?.key)
  await flushPromises()
  expect(field?.element.value).toBe('ABC 123')
})

const template = (id: string) => ({ id, version: 1, name: plainMessage(id), kind: 'installation' as const, description: plainMessage(''), steps: 14 })
const both = [template('standard-installation'), template('trailer')]

it('offers to have no trailer or driver again, with the checklist of the last job alone', async () => {
  await open({ 'jobs.templates': () => ({ templates: both }), 'jobs.remembered': () => ({ customer: '', withoutTrailer: 'standard-installation' }) })
  await press('Create and start')
  await dialog.get('input[type=checkbox]').setValue(false)
  await press('Create and start')
  expect(created()).toMatchObject([{ withoutTrailer: true }, {}])
  expect(created()[1]).not.toHaveProperty('withoutTrailer')
  await dialog.get('input[type=radio][value="trailer"]').setValue()
  expect(dialog.find('input[type=checkbox]').exists()).toBe(false)
})

it('begins like another job: its checklist, its customer and its order', async () => {
  const order = { reference: 'A-7', items: [{ kind: 'photo' as const, purpose: 'plate' as const }], vehicle: '', customer: '', notes: '' }
  await open({ 'jobs.templates': () => ({ templates: both }) }, undefined, undefined, { templateId: 'trailer', customer: 'Holden Transport', order })
  await press('Create and start')
  expect(created()).toMatchObject([{ templateId: 'trailer', customer: 'Holden Transport', order: { reference: 'A-7', items: [{ kind: 'photo' }] } }])
})

it('gives the label that was read to the job, and remembers the customer of the last one', async () => {
  await open({ 'jobs.remembered': () => ({ customer: 'Holden Transport' }) }, '867698040023056')
  await press('Create and start')
  expect(created()).toMatchObject([{ scannedImei: '867698040023056', customer: 'Holden Transport' }])
})
