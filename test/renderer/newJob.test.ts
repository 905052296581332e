import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import NewJobDialog from '../../renderer/features/job/NewJobDialog.vue'
import { place } from '../../renderer/shell/router.ts'
import { useJobs } from '../../renderer/features/job/jobs.store.ts'
import { useSettings } from '../../renderer/shell/settings.store.ts'
import { useDevices } from '../../renderer/features/devices/devices.store.ts'
import { createFakeBridge, type FakeBridge } from '../support/fakeBridge.ts'
import * as data from '../support/fakeData.ts'

let core: FakeBridge
let dialog: VueWrapper

async function open(own: Parameters<typeof createFakeBridge>[0], scannedImei?: string, deviceKey = data.devices[0]?.key ?? ''): Promise<void> {
  core = createFakeBridge(own)
  window.fitter = core
  const pinia = createPinia()
  setActivePinia(pinia)
  await useDevices().watch()
  await useSettings().load()
  await useJobs().show(data.jobId)
  dialog = mount(NewJobDialog, { props: { deviceKey, scannedImei }, global: { plugins: [pinia], stubs: { teleport: true } }, attachTo: document.body })
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

it('gives the label that was read to the job, and remembers the customer of the last one', async () => {
  await open({ 'jobs.remembered': () => ({ customer: 'Holden Transport' }) }, '867698040023056')
  await press('Create and start')
  expect(created()).toMatchObject([{ scannedImei: '867698040023056', customer: 'Holden Transport' }])
})
