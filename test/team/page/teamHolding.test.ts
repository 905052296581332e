import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Job, StepState } from '../../../preload/contract/job/jobs.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import type { TeamOffer } from '../../../preload/contract/team/teamHolding.ts'
import { useJobs } from '../../../renderer/base/shell/jobs.store.ts'
import { useTeam } from '../../../renderer/base/shell/team.store.ts'
import IncomingOffers from '../../../renderer/job/handover/IncomingOffers.vue'
import { takePulled, takeTaking } from '../../../renderer/job/handover/teamHolding.store.ts'
import AsideLogs from '../../../renderer/job/forks/AsideLogs.vue'
import ForkStopped from '../../../renderer/job/forks/ForkStopped.vue'
import HandedOver from '../../../renderer/job/handover/HandedOver.vue'
import HandOverDialog from '../../../renderer/job/handover/HandOverDialog.vue'
import { useToasts } from '../../../renderer/base/shell/toasts.store.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { work } from '../../world/window/fakes/fakeTeam.ts'

let core: FakeBridge
let page: VueWrapper | undefined
const jobId = data.job.id
const at = '2026-07-13T08:00:00.000Z'
const offer: TeamOffer = {
  id: 'OFFER1',
  from: 'Laptop 2',
  to: '',
  at,
  state: 'open',
  direction: 'toAnybody',
  takenBy: '',
  why: null,
  jobs: [
    {
      id: jobId,
      vehicle: 'Unit 0101',
      customer: 'Customer One',
      imei: '867698040021002',
      template: plainMessage('Standard installation')
    }
  ],
  operations: 2
}
const taken = {
  id: offer.id,
  outcome: 'taken' as const,
  from: 'Laptop 2',
  to: '',
  at,
  jobs: [
    {
      id: jobId,
      isTaken: true,
      template: plainMessage('Standard installation'),
      device: data.job.device,
      vehicle: 'Unit 0101',
      customer: 'Customer One',
      state: 'running' as const
    }
  ],
  operations: [],
  attachments: 0
}
const takenNow = {
  id: jobId,
  state: 'taken' as const,
  pictures: { done: 0, total: 0, doneBytes: 0, totalBytes: 0 },
  why: null,
  taken
}

async function show(
  component: unknown,
  props: object,
  own: Parameters<typeof createFakeBridge>[0] = {},
  joined: typeof work.joined = work.joined
): Promise<VueWrapper> {
  core = createFakeBridge({
    'transfers.plan': () => ({
      jobs: 1,
      operations: [{ id: 'OP1', title: plainMessage('Register a key'), state: 'pending' }],
      attachments: 3,
      pictureBytes: 9_000,
      leftOut: 0
    }),
    'team.laptops': () => ({
      laptops: [
        { name: 'Laptop 1', isMe: true, mayWrite: true, pushedAt: at },
        { name: 'Laptop 3', isMe: false, mayWrite: true, pushedAt: at },
        { name: 'Reader', isMe: false, mayWrite: false, pushedAt: null }
      ]
    }),
    'team.offers': () => ({ offers: [], lost: [], takings: [], why: null }),
    ...own
  })
  window.fitter = core
  useTeam().take({ ...work, joined })
  page = mount(component as never, { props: props as never, attachTo: document.body })
  await flushPromises()
  return page
}

const named = (wanted: string) => page?.findAll('button').find((button) => button.text().startsWith(wanted))
const made = (name: string) => core.made.filter((call) => call.name === name).map(({ input }) => input)

beforeEach(() => setActivePinia(createPinia()))
afterEach(() => {
  page?.unmount()
  page = undefined
})

describe('Handing a job over', () => {
  it('is offered as a file alone where no team log was joined, or only read', async () => {
    for (const joined of [null, { team: 'North', name: 'Laptop 1', mayWrite: false, at }]) {
      const shown = await show(HandOverDialog, { jobId }, {}, joined)
      expect(shown.findAll('input[type=radio]')).toHaveLength(0)
      expect(named('Hand over')?.exists()).toBe(true)
      expect(made('team.laptops')).toEqual([])
      shown.unmount()
    }
  })

  it('goes through the team log to a laptop that may work on it, with what goes along shown before', async () => {
    const shown = await show(
      HandOverDialog,
      { jobId },
      { 'team.handOver': ({ to }) => ({ ...offer, direction: 'mine', from: 'Laptop 1', to }) }
    )
    expect(shown.text()).toContain('Register a key')
    expect(shown.text()).toContain('3 pictures')
    expect(shown.findAll('option').map((option) => option.attributes('value'))).toEqual(['', 'Laptop 3'])
    await shown.get('select').setValue('Laptop 3')
    await shown.get('form').trigger('submit')
    await flushPromises()
    expect(made('team.handOver')).toEqual([{ jobIds: [jobId], to: 'Laptop 3' }])
    expect(shown.get('[role=status]').text()).toBe('Offered to Laptop 3.')
  })

  it('says what it means that the server is away: it leaves here, and nobody sees it there yet', async () => {
    const shown = await show(
      HandOverDialog,
      { jobId },
      {
        'team.handOver': () => ({
          ...offer,
          direction: 'mine',
          state: 'leaving',
          why: plainMessage('The server does not answer.')
        })
      }
    )
    await shown.get('form').trigger('submit')
    await flushPromises()
    expect(made('team.handOver')).toEqual([{ jobIds: [jobId], to: '' }])
    expect(shown.get('[role=status]').text()).toContain('will be sent when the server is back')
    expect(shown.text()).toContain('The server does not answer.')
  })

  it('goes as a file to whoever wants that, and a laptop that was chosen is no name of the file', async () => {
    const shown = await show(HandOverDialog, { jobId }, {})
    await shown.get('select').setValue('Laptop 3')
    await shown.get('input[value=file]').setValue()
    expect((shown.get('input[type=text]').element as HTMLInputElement).value).toBe('')
    expect(named('Hand over')?.exists()).toBe(true)
  })
})

describe('A job that left through the team log', () => {
  const handedOver: NonNullable<Job['handedOver']> = { id: 'OFFER1', to: '', at, through: 'team' }
  const mine: TeamOffer = { ...offer, direction: 'mine', from: 'Laptop 1' }

  it.each([
    ['leaving', 'Nobody else can see it yet', true],
    ['open', 'not taken over yet', true],
    ['taken', 'Taken over by Laptop 3.', false],
    ['withdrawing', 'Taking the job back', false]
  ] as const)('says that it is %s', async (state, words, mayComeBack) => {
    const shown = await show(
      HandedOver,
      { jobId, handedOver },
      {
        'team.offers': () => ({
          offers: [{ ...mine, state, takenBy: state === 'taken' ? 'Laptop 3' : '' }],
          lost: [],
          takings: [],
          why: null
        })
      }
    )
    expect(shown.get('[role=status]').text()).toContain(words)
    expect(named('Take back') !== undefined).toBe(mayComeBack)
    // The file of it would be a second one to take over.
    expect(named('Save the file again')).toBeUndefined()
  })

  it('comes back while nobody took it', async () => {
    let state: TeamOffer['state'] = 'open'
    await show(
      HandedOver,
      { jobId, handedOver },
      {
        'team.offers': () => ({ offers: [{ ...mine, state }], lost: [], takings: [], why: null }),
        'team.withdrawOffer': () => ((state = 'withdrawn'), { isBack: true, offer: { ...mine, state } })
      }
    )
    await named('Take back')?.trigger('click')
    await flushPromises()
    expect(made('team.withdrawOffer')).toEqual([{ id: 'OFFER1' }])
    expect(made('jobs.show').length).toBeGreaterThan(0)
    expect(useToasts().toasts.map(({ text }) => text)).toEqual(['The job is back on this computer.'])
  })

  it('says by whom, when and why it was taken over, and is only read', async () => {
    const shown = await show(HandedOver, {
      jobId,
      handedOver: { ...handedOver, id: '', takenOver: { by: 'Laptop 3', reason: 'The laptop is in repair.' } }
    })
    expect(shown.get('h3').text()).toContain('Taken over by Laptop 3')
    expect(shown.text()).toContain('Reason: The laptop is in repair.')
    expect(shown.text()).toContain('stays in this log')
    expect(shown.findAll('button').map((button) => button.text())).toEqual(['Take over'])
    expect(shown.find('[role=alert]').exists()).toBe(false)
  })
})

describe('A log that went on in two ways', () => {
  const side = (by: string, text: string, state: StepState = 'pass') => ({
    by,
    pushedAt: at,
    entries: [
      { seq: 7, at, type: 'stepEnded', stepId: data.job.steps[0]?.id ?? null, what: plainMessage(text), state },
      { seq: 8, at, type: 'namesGiven', stepId: null, what: null },
      { seq: 9, at, type: 'ofTomorrow', stepId: null, what: null }
    ],
    more: 3
  })
  const fork = {
    jobId,
    name: 'Unit 0101',
    holder: 'Laptop 2',
    here: 'stopped' as const,
    seq: 7,
    lastHash: 'ab',
    before: null,
    log: side('Laptop 2', 'Engine on', 'fail'),
    other: side('Laptop 1', 'Engine off', 'pass'),
    settled: [],
    isSettled: false
  }
  const stopped = [{ jobId, name: 'Unit 0101', why: message('team.fork') }]

  it("shows both sides from where they part, and goes on with the team's for a reason", async () => {
    const shown = await show(
      ForkStopped,
      { job: data.job },
      {
        'team.forks': () => ({
          forks: [fork, { ...fork, jobId: 'ANOTHER' }, { ...fork, here: 'setAside' as const, lastHash: 'cd' }]
        }),
        'team.forkEntries': () => ({
          before: [{ seq: 1, at, type: 'created', stepId: null, what: plainMessage('Before all') }],
          log: [{ seq: 7, at, type: 'stepEnded', stepId: null, what: plainMessage('The last of the team') }],
          other: [{ seq: 7, at, type: 'stepEnded', stepId: null, what: plainMessage('The last of here') }],
          more: 0
        }),
        'team.report': () => ({ fileName: 'fitter-1.pdf', mediaType: 'application/pdf', base64: '' }),
        'jobs.report': () => ({ fileName: 'fitter-1.pdf', mediaType: 'application/pdf', base64: '' }),
        'team.status': () => work,
        'operations.ofJob': () => ({
          operations: [
            {
              ...(data.operations[0] as NonNullable<(typeof data.operations)[number]>),
              id: 'OP1',
              title: plainMessage('Set a counter'),
              state: 'unknown',
              reason: plainMessage('No answer came.')
            }
          ]
        }),
        'team.job': () => ({
          job: data.job,
          holder: 'Laptop 2',
          isMine: false,
          keptAt: null,
          forks: [],
          work: [
            {
              id: 'OP9',
              kind: 'link',
              title: plainMessage('Assign a trailer'),
              state: 'done',
              reason: plainMessage('It is there.'),
              updatedAt: at
            }
          ]
        }),
        'team.settle': () => ({
          jobId,
          seq: 7,
          entries: 4,
          at,
          reason: 'Laptop 2 finished it',
          holder: 'Laptop 2',
          operations: [{ id: 'OP1', kind: 'counter', title: plainMessage('Set a counter'), state: 'unknown' }]
        })
      }
    )
    // What other jobs stopped for is no business of this one.
    expect(shown.find('section').exists()).toBe(false)
    useTeam().take({ ...work, stopped: [{ ...stopped[0]!, why: message('team.logDamaged') }] })
    await flushPromises()
    expect(shown.find('section').exists()).toBe(false)
    useTeam().take({ ...work, stopped })
    await flushPromises()
    await named('Compare and settle')?.trigger('click')
    await import('../../../renderer/job/forks/ForkDialog.vue')
    for (let n = 0; n < 8; n++) await flushPromises()
    const dialog = shown.get('dialog')
    expect(dialog.findAll('h2').map((one) => one.text())).toEqual(['Team version', 'Local version'])
    expect(dialog.findAll('section[role=region]')).toHaveLength(1)
    for (const words of [
      'entry 7',
      'Laptop 2, from',
      'Engine on',
      'Laptop 1, this computer, from',
      'Engine off',
      'Names entered',
      'Written by a newer Fitter',
      '3 more entries',
      '6 entries',
      'Nothing changes for Laptop 2',
      '1 local change is not sent automatically'
    ])
      expect(dialog.text()).toContain(words)
    expect(dialog.text()).not.toContain('namesGiven')
    // Entries that are not shown may hold the sign-off.
    expect(dialog.text()).not.toContain('signed off')
    expect(dialog.findAll('li.first [data-shape]').map((one) => one.attributes('data-shape'))).toEqual(['fail', 'pass'])
    expect(
      dialog
        .findAll('.gateway li')
        .map((one) => [one.find('[data-shape]').attributes('data-shape'), one.text().includes('Set a counter')])
    ).toEqual([
      ['pass', false],
      ['unknown', true]
    ])
    await named('Show all 18 entries')?.trigger('click')
    for (let n = 0; n < 4; n++) await flushPromises()
    for (const words of ['Before all', 'The last of the team', 'The last of here'])
      expect(dialog.text()).toContain(words)
    expect(dialog.text()).not.toContain('3 more entries')
    await named('Show differences only')?.trigger('click')
    expect(dialog.text()).not.toContain('Before all')
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    await named('Print both')?.trigger('click')
    for (let n = 0; n < 4; n++) await flushPromises()
    expect(saved).toEqual(['fitter-1-team-version.pdf', 'fitter-1-local-version.pdf'])
    expect(useToasts().toasts.map(({ text }) => text)).toEqual([
      'Reports created: fitter-1-team-version.pdf and fitter-1-local-version.pdf'
    ])
    useToasts().toasts.splice(0)
    expect(dialog.get('button.primary').attributes('disabled')).toBeDefined()
    await dialog.get('input').setValue('Laptop 2 finished it')
    await dialog.get('form').trigger('submit')
    await flushPromises()
    expect(made('team.settle')).toEqual([{ jobId, reason: 'Laptop 2 finished it' }])
    expect(shown.emitted('settled')).toHaveLength(1)
    expect(useToasts().toasts.map(({ text }) => text)).toEqual([
      'The job continues with the team version. 1 gateway change needs you.'
    ])
    expect(shown.find('section').exists()).toBe(false)
  })

  it('says what kept it from being settled, and nothing changes', async () => {
    const shown = await show(
      ForkStopped,
      { job: data.job },
      {
        'team.forks': () => {
          throw new FakeFailure({
            code: 'UNREACHABLE',
            message: message('team.away', { host: 'team.example' }),
            retryable: true
          })
        }
      }
    )
    useTeam().take({ ...work, stopped })
    await flushPromises()
    await named('Compare and settle')?.trigger('click')
    await import('../../../renderer/job/forks/ForkDialog.vue')
    for (let n = 0; n < 8; n++) await flushPromises()
    expect(shown.get('dialog [role=alert]').text()).toContain('team.example cannot be reached')
    expect(shown.emitted('settled')).toBeUndefined()
  })

  it('is read here afterwards, with what was set aside and its check, and can be taken over again', async () => {
    const handedOver: NonNullable<Job['handedOver']> = {
      id: '',
      to: 'Laptop 2',
      at,
      through: 'team',
      takenOver: { by: 'Laptop 2', reason: 'Laptop 2 finished it', isSettled: true }
    }
    const left = await show(HandedOver, { jobId, handedOver }, { 'team.takeOver': () => takenNow })
    expect(left.get('h3').text()).toContain('Team version in use since')
    for (const words of ['Reason: Laptop 2 finished it', 'Laptop 2 holds this job'])
      expect(left.text()).toContain(words)
    await named('Take over')?.trigger('click')
    await left.get('textarea').setValue('It is needed here')
    await left.get('form').trigger('submit')
    await flushPromises()
    expect(made('team.takeOver')).toEqual([{ jobId, reason: 'It is needed here' }])
    left.unmount()
    const aside = {
      number: 1,
      seq: 7,
      at,
      reason: 'Laptop 2 finished it',
      holder: 'Laptop 2',
      entries: side('Laptop 1', 'Engine off').entries,
      more: 0
    }
    const kept = await show(
      AsideLogs,
      { job: data.job },
      {
        'team.asides': () => ({
          asides: [
            { ...aside, sealFaults: [] },
            { ...aside, number: 2, sealFaults: [message('damage.jobBroken', { entry: 3 })] }
          ]
        })
      }
    )
    expect(kept.findAll('details')).toHaveLength(2)
    expect(kept.findAll('details')[0]?.text()).toContain('intact from its first entry')
    expect(kept.findAll('details')[0]?.text()).toContain('Engine off')
    expect(kept.findAll('details')[1]?.text()).not.toContain('intact from its first entry')
    expect(kept.findAll('details')[1]?.text()).toContain('entry 3')
  })
})

describe('What colleagues hand over', () => {
  it('is said with from whom, which vehicle and what waits, and taken with one button', async () => {
    let offers = [offer]
    const shown = await show(
      IncomingOffers,
      {},
      {
        'team.offers': () => ({ offers, lost: [], takings: [], why: null }),
        'team.takeOffer': () => ((offers = []), { ...takenNow, id: 'OFFER1', state: 'underWay', taken: null })
      }
    )
    expect(shown.text()).toContain('Unit 0101 · Customer One')
    expect(shown.text()).toContain('From Laptop 2, for anyone · 2 gateway changes waiting')
    await named('Take over')?.trigger('click')
    await flushPromises()
    expect(made('team.takeOffer')).toEqual([{ id: 'OFFER1' }])
    expect(shown.get('[role=status]').text()).toBe('Taking over…')
    takeTaking({
      ...takenNow,
      id: 'OFFER1',
      state: 'underWay',
      pictures: { done: 3, total: 40, doneBytes: 3, totalBytes: 40 },
      taken: null
    })
    await flushPromises()
    expect(shown.get('[role=status]').text()).toBe('Taking over… 3 of 40 pictures')
    expect(named('Take over')?.attributes('disabled')).toBeDefined()
    expect(shown.emitted('taken')).toBeUndefined()
    takeTaking({ ...takenNow, id: 'OFFER1' })
    await flushPromises()
    expect(shown.emitted('taken')).toHaveLength(1)
    expect(shown.find('section').exists()).toBe(false)
    expect(useToasts().toasts.map(({ text }) => text)).toEqual(['1 job was taken over from Laptop 2.'])
  })

  it('is not there where nothing is offered, where it is our own, and where no team log was joined', async () => {
    const shown = await show(
      IncomingOffers,
      {},
      {
        'team.offers': () => ({
          offers: [
            { ...offer, direction: 'mine' },
            { ...offer, state: 'taken' }
          ],
          lost: [],
          takings: [],
          why: null
        })
      }
    )
    expect(shown.find('section').exists()).toBe(false)
    shown.unmount()
    const none = await show(IncomingOffers, {}, {}, null)
    expect(none.find('section').exists()).toBe(false)
    expect(made('team.offers')).toEqual([])
  })

  it('says why one could not be taken, and what is offered now', async () => {
    const shown = await show(
      IncomingOffers,
      {},
      {
        'team.offers': () => ({ offers: [offer], lost: [], takings: [], why: null }),
        'team.takeOffer': () => {
          throw new Error('Laptop 3 has it.')
        }
      }
    )
    await named('Take over')?.trigger('click')
    await flushPromises()
    expect(shown.get('[role=alert]').text()).toContain('Laptop 3 has it.')
    expect(made('team.offers')).toHaveLength(2)
  })
})

it('says why a take-over failed where the person is, once its screen is gone', async () => {
  const shown = await show(
    IncomingOffers,
    {},
    {
      'team.offers': () => ({ offers: [offer], lost: [], takings: [], why: null }),
      'team.takeOffer': () => ({ ...takenNow, id: 'OFFER1', state: 'underWay', taken: null })
    }
  )
  await named('Take over')?.trigger('click')
  await flushPromises()
  const failed = {
    ...takenNow,
    id: 'OFFER1',
    state: 'failed' as const,
    why: message('teamHolding.offerGone'),
    taken: null
  }
  takeTaking(failed)
  await flushPromises()
  expect(shown.get('[role=alert]').text()).toContain('Somebody else has already taken the job over.')
  expect(useToasts().toasts).toEqual([])
  shown.unmount()
  takeTaking(failed)
  expect(useToasts().toasts.map(({ text }) => text)).toEqual(['Somebody else has already taken the job over.'])
})

it('is told when jobs came by themselves, or somebody took them over', async () => {
  core = createFakeBridge({ 'jobs.list': () => ({ jobs: [], next: null }) as never })
  window.fitter = core
  useJobs().job = data.job
  takePulled({
    arrived: [taken],
    lost: [
      { jobId, by: 'Laptop 3', at, reason: 'Repair' },
      { jobId: 'OTHER', by: 'Laptop 3', at, reason: 'Repair' }
    ]
  })
  await flushPromises()
  expect(useToasts().toasts.map(({ text }) => text)).toEqual([
    '1 job was taken over from Laptop 2.',
    '2 jobs were taken over by Laptop 3: they can only be read here.'
  ])
  expect(made('jobs.show')).toEqual([{ id: jobId }])
})
