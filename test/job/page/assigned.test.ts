import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, it } from 'vitest'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { Assigned } from '../../../preload/contract/team/teamAssigned.ts'
import { dialog as openedDialog, closeDialog } from '../../../renderer/base/shell/dialogs.ts'
import AssignedPanel from '../../../renderer/job/assigned/AssignedPanel.vue'
import { dueOf, instantOf } from '../../../renderer/job/assigned/dueTimes.ts'
import PrepareDialog from '../../../renderer/job/assigned/PrepareDialog.vue'
import { useDevices } from '../../../renderer/device/devices/devices.store.ts'
import EarlierJobs from '../../../renderer/job/log/EarlierJobs.vue'
import NewJobDialog from '../../../renderer/job/run/NewJobDialog.vue'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'

let core: FakeBridge
let shown: VueWrapper
const [device] = data.devices
const soon = '2026-03-02T13:30:00.000Z'

const prepared: Assigned = {
  id: '01PREPARED',
  by: 'Office',
  madeAt: '2026-03-01T08:00:00.000Z',
  to: 'Laptop 1',
  dueAt: soon,
  template: { id: 'service-visit', version: 1, name: plainMessage('Service visit') },
  vehicle: 'Unit 0012',
  customer: 'Customer One',
  imei: device?.imei ?? '',
  order: null,
  notes: 'The key is at the gate.',
  begun: null,
  withdrawn: null,
  jobId: null,
  told: null,
  whyNot: null,
  hint: null
}
const list = (assigned: Assigned[], more: Partial<CallOutput<'team.assigned'>> = {}): CallOutput<'team.assigned'> => ({
  assigned,
  keptAt: null,
  why: null,
  next: null,
  ...more
})

async function show(
  component: Parameters<typeof mount>[0],
  own: Parameters<typeof createFakeBridge>[0],
  props = {}
): Promise<void> {
  core = createFakeBridge(own)
  window.fitter = core
  const pinia = createPinia()
  setActivePinia(pinia)
  await useDevices().watch()
  shown = mount(component, {
    props,
    global: { plugins: [pinia], stubs: { teleport: true } },
    attachTo: document.body
  }) as VueWrapper
  await flushPromises()
}

const inputs = (name: string) => core.made.filter((one) => one.name === name).map(({ input }) => input)
async function press(text: string): Promise<void> {
  const found = shown.findAll('button').find((one) => one.text().includes(text))
  if (!found) throw new Error(`No button "${text}" in: ${shown.text()}`)
  await found.trigger(found.attributes('type') === 'submit' ? 'submit' : 'click')
  await flushPromises()
}

afterEach(() => {
  shown.unmount()
  closeDialog()
})

it('what is prepared stands there from the copy, with its age, while the team log is not reached', async () => {
  await show(AssignedPanel, {
    'team.assigned': ({ from }) => {
      if (from !== 'copy') throw new FakeFailure({ code: 'TIMEOUT', message: 'It takes long.', retryable: true })
      return list([prepared], { keptAt: '2026-03-01T10:00:00.000Z' })
    }
  })
  expect(shown.text()).toContain('Unit 0012')
  expect(shown.text()).toContain('local copy')
  expect(shown.text()).toContain('It takes long.')
  shown.unmount()
  await show(AssignedPanel, {
    'team.assigned': ({ from }) =>
      list(from === 'copy' ? [] : [prepared], {
        keptAt: '2026-03-01T10:00:00.000Z',
        why: from === 'copy' ? null : message('team.away', { host: 'db.example.com' })
      })
  })
  expect(inputs('team.assigned')).toEqual([{ from: 'copy' }, { from: 'server' }])
  expect(shown.text()).toContain('db.example.com cannot be reached')
})

it('beginning opens the dialog of a new job with all that was prepared, and the job is begun from it', async () => {
  await show(AssignedPanel, { 'team.assigned': () => list([prepared]) })
  await press('Start')
  expect(openedDialog.value).toMatchObject({ what: 'newJob', deviceKey: device?.key, assigned: { id: '01PREPARED' } })
  shown.unmount()
  await show(
    NewJobDialog,
    { 'jobs.remembered': () => ({ customer: 'Another' }) },
    { deviceKey: device?.key, assigned: prepared }
  )
  expect(shown.text()).toContain('The key is at the gate.')
  await press('Start')
  expect(inputs('jobs.create')).toMatchObject([
    {
      templateId: 'service-visit',
      deviceKey: device?.key,
      vehicleText: 'Unit 0012',
      customer: 'Customer One',
      assignedId: '01PREPARED'
    }
  ])
})

it('what was taken back or is begun by somebody else is told, and goes when the person has read it', async () => {
  let isThere = true
  const told = { ...prepared, told: message('assigned.begunBefore', { by: 'Laptop 2', begunAt: soon }), jobId: '01JOB' }
  await show(AssignedPanel, {
    'team.assigned': () => list(isThere ? [told] : []),
    'team.putAway': () => ((isThere = false), {})
  })
  expect(shown.text()).toContain('Laptop 2 also started this job')
  expect(shown.get('a').attributes('href')).toBe('#/job/01JOB')
  expect(shown.findAll('button').some((one) => one.text().startsWith('Start'))).toBe(false)
  await press('Remove from list')
  expect(inputs('team.putAway')).toEqual([{ id: '01PREPARED' }])
  expect(shown.text()).toBe('')
})

it('one whose checklist is not here says so and cannot be begun', async () => {
  await show(AssignedPanel, {
    'team.assigned': () =>
      list([{ ...prepared, whyNot: message('assigned.noChecklist', { name: 'Our vans', id: 'our-vans' }) }])
  })
  expect(shown.text()).toContain('The checklist Our vans (our-vans) is not on this laptop.')
  expect(
    shown
      .findAll('button')
      .find((one) => one.text().startsWith('Start'))
      ?.attributes('disabled')
  ).toBeDefined()
  shown.unmount()
  await show(AssignedPanel, {
    'team.assigned': () =>
      list([
        {
          ...prepared,
          template: { ...prepared.template, sha256: 'a'.repeat(64) },
          whyNot: message('assigned.noChecklist', { name: 'Our vans', id: 'our-vans' })
        }
      ]),
    'team.takeChecklist': () => ({})
  })
  await press('Use this checklist')
  expect(inputs('team.takeChecklist')).toEqual([{ id: '01PREPARED' }])
})

it('where nothing is prepared there is nothing', async () => {
  await show(AssignedPanel, {})
  expect(shown.text()).toBe('')
})

it.each([
  [null, 'no date', false],
  [soon, 'today, 13:30', false],
  ['2026-03-03T08:00:00.000Z', 'tomorrow, 08:00', false],
  ['2026-03-02T09:00:00.000Z', 'today, 09:00, late', true]
])('the date %j is said as %j', (dueAt, text, isLate) => {
  expect(dueOf(dueAt, Date.parse('2026-03-02T10:00:00.000Z'))).toMatchObject({
    text,
    isLate,
    shape: isLate ? 'warn' : 'wait'
  })
})

it('what is typed as a time is of the clock of the person, also in the night in which it changes', () => {
  expect(instantOf('2026-11-23T13:30', 'Europe/Madrid')).toBe('2026-11-23T12:30:00.000Z')
  expect(instantOf('2026-07-01T13:30', 'Europe/Madrid')).toBe('2026-07-01T11:30:00.000Z')
  expect(instantOf('2026-03-29T03:30', 'Europe/Madrid')).toBe('2026-03-29T01:30:00.000Z')
  expect(instantOf('', 'Europe/Madrid')).toBeNull()
})

it('the office prepares a job for a laptop of the team', async () => {
  await show(PrepareDialog, {
    'team.receivers': () => ({ names: ['Laptop 1', 'Laptop 2'] }),
    'team.prepare': () => ({ id: '01PREPARED' })
  })
  const field = (name: string) => shown.findAll('label').find((label) => label.text().includes(name))
  await field('Vehicle')?.get('input').setValue(' Unit 0012 ')
  await field('For')?.get('select').setValue('Laptop 2')
  await field('IMEI')?.get('input').setValue('1234')
  expect(shown.get('button.primary').attributes('disabled')).toBeDefined()
  await field('IMEI')?.get('input').setValue('867698040023056')
  await field('When')?.get('input').setValue('2026-03-02T13:30')
  await press('Prepare')
  expect(inputs('team.prepare')).toMatchObject([
    { vehicle: 'Unit 0012', to: 'Laptop 2', imei: '867698040023056', dueAt: soon, order: null }
  ])
  expect(shown.emitted('prepared')).toEqual([['01PREPARED']])
})

const earlier = (more: Partial<CallOutput<'team.earlier'>> = {}): CallOutput<'team.earlier'> => ({
  isJoined: true,
  jobs: [],
  isMore: false,
  keptAt: null,
  why: null,
  ...more
})
const teamJob = {
  ...data.listedJob,
  holder: 'Laptop 2',
  isMine: false,
  changedAt: data.listedJob.updatedAt,
  needsHelp: false,
  endedAt: null,
  entries: 3,
  forks: 0,
  keptAt: null,
  isHere: false
}

it('a device shows every earlier job; those of colleagues open only to be read', async () => {
  await show(
    EarlierJobs,
    {
      'team.earlier': () =>
        earlier({
          jobs: [
            { ...teamJob, id: '01THEIRS' },
            { ...teamJob, id: '01OURS', holder: 'Laptop 1', isHere: true }
          ]
        })
    },
    { imei: device?.imei }
  )
  expect(shown.findAll('a').map((link) => link.attributes('href'))).toEqual(['#/team-job/01THEIRS', '#/job/01OURS'])
  expect(shown.text()).toContain('Laptop 2')
})

it('without the team log the screen keeps what is here and says so in one line; where none was joined there is nothing', async () => {
  await show(
    EarlierJobs,
    {
      'team.earlier': ({ from }) =>
        earlier({
          jobs: [teamJob],
          keptAt: '2026-03-01T10:00:00.000Z',
          why: from === 'copy' ? null : message('team.away', { host: 'db.example.com' })
        })
    },
    { imei: device?.imei }
  )
  expect(shown.findAll('a')).toHaveLength(1)
  expect(shown.text()).toContain('db.example.com cannot be reached. Colleagues’ jobs are from the local copy of')
  shown.unmount()
  await show(EarlierJobs, {}, { imei: device?.imei })
  expect(shown.text()).toBe('')
  shown.unmount()
  await show(
    EarlierJobs,
    {
      'team.earlier': () => {
        throw new FakeFailure({ code: 'INTERNAL', message: 'A fault.', retryable: false })
      }
    },
    { imei: device?.imei }
  )
  expect(shown.text()).toContain('A fault.')
})

it('shows the jobs of the device that is chosen now, also when another one was chosen before its answer', async () => {
  const late = Promise.withResolvers<CallOutput<'team.earlier'>>()
  await show(
    EarlierJobs,
    {
      'team.earlier': ({ imei }) =>
        imei === '1' ? late.promise : earlier({ jobs: [{ ...teamJob, id: `01OF${imei}` }] })
    },
    { imei: '1' }
  )
  await shown.setProps({ imei: '2' })
  await flushPromises()
  late.resolve(earlier({ jobs: [{ ...teamJob, id: '01OF1' }] }))
  await flushPromises()
  expect(shown.findAll('a').map((link) => link.attributes('href'))).toEqual(['#/team-job/01OF2'])
})
