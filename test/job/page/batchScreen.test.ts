import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, it, vi } from 'vitest'
import type { LiveStep } from '../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import BatchScreen from '../../../renderer/job/log/batch/BatchScreen.vue'
import { useBatch } from '../../../renderer/job/log/batch/batch.store.ts'
import { useDevices } from '../../../renderer/device/devices/devices.store.ts'
import { createFakeBridge, holdAnswers, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'

let core: FakeBridge
let screen: VueWrapper
afterEach(() => screen.unmount())
const rows = () =>
  screen.findAll('tbody tr').map((row) =>
    row
      .findAll('td')
      .slice(0, 3)
      .map((cell) => cell.text())
      .join(' ')
  )

/** The screen in front of this core, with the devices that it sees. */
async function openScreen(answers: Parameters<typeof createFakeBridge>[0], table?: string): Promise<void> {
  core = createFakeBridge(answers)
  window.fitter = core
  const pinia = createPinia()
  setActivePinia(pinia)
  await useDevices().watch()
  screen = mount(BatchScreen, { global: { plugins: [pinia] }, attachTo: document.body })
  await flushPromises()
  if (table === undefined) return
  await useBatch().read(new Blob([table]))
  await flushPromises()
}

const orderOf = (vehicle: string) => ({ reference: '', items: [], vehicle, customer: '', notes: '' })
const order = (device: string, vehicle: string) => ({
  line: null,
  device,
  template: 'standard',
  order: orderOf(vehicle)
})

it('a batch begins what is in sight, says what is not, and names what a person does next', async () => {
  const [seen] = data.devices
  if (!seen?.imei) throw new Error('The fake list has no device')
  const mine = {
    ...data.listedJob,
    vehicle: { id: 1, name: 'Truck 1' },
    state: 'running' as const,
    isActive: true,
    device: { ...data.listedJob.device, imei: seen.imei }
  }
  await openScreen(
    {
      'jobs.show': () => ({
        ...data.job,
        template: { ...data.job.template, id: 'standard' },
        order: orderOf('Truck 1')
      }),
      'orders.read': () => ({
        orders: [order(seen.imei ?? '', 'Truck 1'), order('10.9.9.9', 'Truck 2')],
        findings: [],
        reading: null
      }),
      'jobs.list': () => ({ jobs: [], next: null, total: 0, isMore: false, counts: {}, isSimilar: false }),
      'jobs.create': () => ({ outcome: 'openJob', job: { ...mine, template: { ...mine.template, id: 'standard' } } }),
      'jobs.start': () => ({})
    },
    'device;vehicle'
  )
  expect(screen.text()).toContain('0 of 2 done')
  // The table is checked before it begins: nothing was asked or sent.
  expect(rows()).toEqual(['2 problem Truck 2', '1 ready Truck 1'])
  expect(screen.text()).toContain('Device not found nearby')
  expect(screen.text()).toContain('1 of 2 rows are ready')
  expect(core.made.some(({ name }) => name === 'jobs.create' || name === 'jobs.start')).toBe(false)
  await screen
    .findAll('button')
    .find((button) => button.text() === 'Start 1 job')
    ?.trigger('click')
  await flushPromises()
  expect(core.made.filter(({ name }) => name === 'jobs.start')).toHaveLength(1)
  expect(rows()).toEqual(['2 problem Truck 2', '1 working Truck 1'])
  expect(screen.text()).toContain('Device not found nearby')
  expect(screen.findAll('button').some((button) => button.text().startsWith('Run'))).toBe(false)

  core.emit('jobs.live', {
    jobId: mine.id,
    stepId: 'clean',
    say: plainMessage('Look.'),
    hint: null,
    meters: [],
    elapsedMs: 0,
    leftMs: null,
    prompt: { kind: 'yesNo', text: plainMessage('Is it clean?') }
  } satisfies LiveStep)
  await flushPromises()
  expect(screen.get('tr.asks').text()).toContain('Is it clean?')
  expect(screen.findAll('.primary').map((one) => [one.text(), one.attributes('href')])).toEqual([
    ['Next that needs you', `#/job/${mine.id}`]
  ])
  core.emit('jobs.state', { ...mine, state: 'done', isActive: false })
  await flushPromises()
  expect(screen.text()).toContain('1 of 2 done')
})

it('a row whose order lacks a value is a problem that names item and value, and starts no job', async () => {
  const [seen] = data.devices
  const line = order(seen?.imei ?? '', 'Truck 1')
  await openScreen(
    {
      'orders.read': () => ({
        orders: [{ ...line, order: { ...line.order, items: [{ kind: 'apn' as const }] } }],
        findings: [],
        reading: null
      }),
      'templates.preview': () => ({
        steps: [],
        missing: [],
        needs: [
          {
            item: 0,
            kind: 'apn' as const,
            title: plainMessage('APN'),
            fields: ['apn'],
            say: plainMessage('Enter the APN.'),
            isMissing: true
          }
        ]
      })
    },
    'device;apn'
  )
  expect(rows()).toEqual(['1 problem Truck 1'])
  expect(screen.text()).toContain('APN: Enter the APN.')
  expect(screen.findAll('button').find((button) => button.text().startsWith('Start'))?.element.disabled).toBe(true)
})

it.each([
  ['Keep that job', { made: [], started: ['open'] }],
  ['New job', { made: [true], started: ['made'] }]
])('an open job with other work is never taken over unasked: %s', async (answer, expected) => {
  const [seen] = data.devices
  if (!seen?.imei) throw new Error('The fake list has no device')
  const open = {
    ...data.listedJob,
    id: 'open',
    template: { ...data.listedJob.template, id: 'standard', name: plainMessage('Large installation') },
    device: { ...data.listedJob.device, imei: seen.imei }
  }
  const made = { ...open, id: 'made' }
  await openScreen(
    {
      'jobs.show': () => ({ ...data.job, template: open.template, order: orderOf('Truck 7') }),
      'orders.read': () => ({ orders: [order(seen.imei ?? '', 'Truck 1')], findings: [], reading: null }),
      'jobs.list': () => ({
        jobs: core.made.some(({ name }) => name === 'jobs.create') ? [made, open] : [open],
        next: null,
        total: 1,
        isMore: false,
        counts: {},
        isSimilar: false
      }),
      'jobs.create': ({ besideOpenJob }) =>
        besideOpenJob ? { outcome: 'created', id: 'made' } : { outcome: 'openJob', job: open },
      'jobs.start': () => ({})
    },
    'device;vehicle'
  )
  expect(rows()).toEqual(['1 problem Truck 1'])
  expect(screen.text()).toContain('Another job of this device is open: Large installation')
  const button = (text: string) => screen.findAll('button').find((one) => one.text() === text)
  expect(button('Start 0 jobs')?.attributes('disabled')).toBeDefined()
  // Nor by a start that was on its way when the other job was opened.
  useBatch().begin()
  await flushPromises()
  expect(core.made.some(({ name }) => name === 'jobs.start')).toBe(false)
  expect(screen.text()).toContain('Another job of this device is open: Large installation')
  await button(answer)?.trigger('click')
  core.made.length = 0
  useBatch().retryFailed()
  await flushPromises()
  const inputs = (name: string) => core.made.filter((one) => one.name === name).map(({ input }) => input)
  expect({
    made: inputs('jobs.create').flatMap((input) => (input as { besideOpenJob: boolean }).besideOpenJob || []),
    started: inputs('jobs.start').map((input) => (input as { id: string }).id)
  }).toEqual(expected)
})

it('a job that is still being started is at work, and not left open', async () => {
  const [seen] = data.devices
  if (!seen?.imei) throw new Error('The fake list has no device')
  const made = {
    ...data.listedJob,
    vehicle: { id: 1, name: 'Truck 1' },
    isActive: false,
    template: { ...data.listedJob.template, id: 'standard' },
    device: { ...data.listedJob.device, imei: seen.imei }
  }
  await openScreen(
    {
      'jobs.show': () => ({
        ...data.job,
        template: { ...data.job.template, id: 'standard' },
        order: orderOf('Truck 1')
      }),
      'orders.read': () => ({ orders: [order(seen.imei ?? '', 'Truck 1')], findings: [], reading: null }),
      'jobs.list': () => ({ jobs: [], next: null, total: 0, isMore: false, counts: {}, isSimilar: false }),
      'jobs.create': () => ({ outcome: 'openJob', job: made }),
      'jobs.start': () => ({})
    },
    'device;vehicle'
  )
  const release = holdAnswers(core, 'jobs.start')
  useBatch().begin()
  await flushPromises()
  expect(rows()).toEqual(['1 working Truck 1'])
  release()
  await flushPromises()
  expect(rows()).toEqual(['1 problem Truck 1'])
})

it('a table shows how it was read, and is read again in the letters that the person chooses; pasted cells are a table too', async () => {
  const reading = {
    encoding: 'ibm850' as const,
    unclear: { one: 'vanánorte', other: 'van norte', otherEncoding: 'windows-1252' as const },
    separator: ';' as const,
    skipped: ['Orders of Monday'],
    columns: ['device', 'vehicle'],
    rows: [['10.0.0.9', 'vanánorte']],
    n: 1,
    notes: []
  }
  core = createFakeBridge({
    'orders.read': () => ({ orders: [order('10.0.0.9', 'vanánorte')], findings: [], reading })
  })
  window.fitter = core
  const pinia = createPinia()
  setActivePinia(pinia)
  screen = mount(BatchScreen, { global: { plugins: [pinia] }, attachTo: document.body })
  await flushPromises()
  const pasted = new Event('paste', { bubbles: true })
  Object.assign(pasted, { clipboardData: { getData: () => 'device\tvehicle\n10.0.0.9\tvan' } })
  document.body.dispatchEvent(pasted)
  await flushPromises()
  await vi.waitFor(() => expect(screen.text()).toContain('1 line, DOS 850'), 15_000)
  expect(screen.text()).toContain('“vanánorte” (DOS 850) or “van norte” (Windows 1252)')
  expect(screen.text()).toContain('Orders of Monday')
  await screen.get('.reading select').setValue('windows-1252')
  await flushPromises()
  expect(
    core.made.filter(({ name }) => name === 'orders.read').map(({ input }) => (input as { encoding?: string }).encoding)
  ).toEqual([undefined, 'windows-1252'])
})
