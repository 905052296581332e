import { flushPromises, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import type { Diagnosis } from '../../../preload/contract/support/diagnosis.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { startWatch, stopWatch, watchForMs, watchOf } from '../../../renderer/support/diagnosis/watch/watching.ts'
import { useGateway } from '../../../renderer/base/shell/gateway.store.ts'
import { useToasts } from '../../../renderer/base/shell/toasts.store.ts'
import * as data from '../../world/data/fakeData.ts'
import { startedAt } from '../../world/data/fakeData.ts'
import { brokenAtAddress, calm, clockBehind, nobodyCanSay, step } from '../../world/window/fakes/fakeDiagnosis.ts'
import { made, putCore } from '../../world/window/fakes/fakeWindow.ts'
import { key, looking, openDiagnosis, press, useDiagnosisPage } from '../../world/window/diagnosisPage.ts'

useDiagnosisPage()

describe('a gateway that cannot be asked', () => {
  const failing = {
    state: 'away',
    why: { id: 'gateway.failed', values: { status: 503 } } as never,
    readAt: new Date(startedAt - 14_000).toISOString(),
    aheadS: 0,
    retry: {
      failedSince: new Date(startedAt - 12_000).toISOString(),
      attempts: 3,
      nextAt: new Date(startedAt + 12_000).toISOString()
    }
  } as const
  const remote: Diagnosis = {
    ...brokenAtAddress,
    subject: {
      ...brokenAtAddress.subject,
      deviceKey: null,
      copiedAt: new Date(startedAt - 180_000).toISOString(),
      copiedReportAt: new Date(startedAt - 2_800_000).toISOString()
    },
    device: null,
    gateway: failing,
    tone: 'unknown',
    headline: null,
    brokenAt: null,
    chain: calm.chain.map((one) => ({ ...one, witness: 'gateway' as const, readAt: failing.readAt }))
  }

  it('is the headline with its next attempt; the last result is grey with clock times, and what works without it stands beside', async () => {
    const shown = await openDiagnosis(
      {
        ...looking(remote),
        'jobs.list': () => ({ jobs: [data.listedJob] }),
        'eventLog.last': () => ({ state: null }),
        'snapshots.list': () => ({ snapshots: [], next: null })
      } as never,
      ['vehicle', '7']
    )
    expect(shown.get('h1').text()).toBe('Unit 0007: reporting status unknown')
    expect(shown.get('.screen-head .sub').text()).toContain('name from the local copy of')
    expect(shown.get('.trouble').text()).toMatch(
      /The gateway is failing \(503\)\.Fitter could not check whether Unit 0007 reports\. It tries again in 12 s; 3 attempts failed since \d\d:\d\d:\d\d\.Try again/
    )
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
    const shown = await openDiagnosis(looking({ ...brokenAtAddress, gateway: failing }))
    expect(shown.get('.banner.broken').text()).toContain('no IP address')
    expect(shown.get('.trouble.thin').text()).toContain('The gateway is failing (503).')
    expect(shown.find('.without').exists()).toBe(false)
  })

  it('says that the device of the vehicle is on this network and wants a sign-in', async () => {
    const seen = { ...data.devices[0], imei: key, key, signedIn: false, standing: 'needsSignIn' }
    const shown = await openDiagnosis(
      {
        ...looking(remote),
        'discovery.watch': () => ({ devices: [seen], cards: [], lastHeardAt: null, changeNumber: 1 })
      } as never,
      ['vehicle', '7']
    )
    expect(shown.get('.near').text()).toContain('Its device is next to you.')
    await shown.get('.near button').trigger('click')
    await vi.dynamicImportSettled()
    expect(shown.find('dialog').exists()).toBe(true)
  })
})

it('an account that is refused is the headline, and its password the one thing to do', async () => {
  const refused: Diagnosis = {
    ...nobodyCanSay,
    gateway: {
      state: 'signedOut',
      why: { id: 'gateway.wrongPassword', values: {} } as never,
      readAt: null,
      aheadS: 0,
      trouble: 'account',
      username: 'm.pena'
    }
  }
  const shown = await openDiagnosis(
    {
      ...looking(refused),
      'gateway.signIn': () => ({ kind: 'wrongPassword', detail: plainMessage('Not this one.') })
    } as never,
    ['vehicle', '7']
  )
  const banner = shown.get('.banner.account')
  expect(banner.get('h2').text()).toBe('The gateway no longer accepts m.pena (401).')
  expect(shown.findAll('.headline .primary').map((one) => one.text())).toEqual(['Sign in again'])
  await banner.get('input[type=password]').setValue('new')
  await banner.get('form').trigger('submit')
  await flushPromises()
  expect(made('gateway.signIn').at(-1)).toMatchObject({ user: 'm.pena', password: 'new' })
  expect(banner.get('[role=alert]').text()).toBe('Not this one.')
  expect(shown.text()).not.toContain('Prepare a service visit')
})

it('a missing right is asked for with a complete text in both languages, and nobody is sent to the vehicle', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const visible = step('visible', 'broken', {
    witness: 'gateway',
    sentence: { id: 'chain.visible.refused', values: { name: 'm.pena', isNamed: 'yes', status: '403' } } as never,
    action: { kind: 'askAdministrator', username: 'm.pena', scope: 'vehicles', status: 403 }
  })
  const forbidden: Diagnosis = {
    ...nobodyCanSay,
    gateway: { state: 'answers', why: null, readAt: null, aheadS: 0 },
    tone: 'fail',
    headline: { link: 'visible' },
    brokenAt: 'visible',
    chain: [...nobodyCanSay.chain.slice(0, -1), visible]
  }
  const shown = await openDiagnosis(looking(forbidden), ['vehicle', '7'])
  expect(shown.get('.banner h2').text()).toBe('m.pena may not read vehicles (403).')
  expect(shown.findAll('.headline .primary').map((one) => one.text())).toEqual([
    expect.stringContaining('Copy the request')
  ])
  await shown.get('.headline .primary').trigger('click')
  await vi.waitFor(() => expect(writeText).toHaveBeenCalledOnce(), 15_000)
  const text = writeText.mock.calls[0]?.[0] ?? ''
  expect(text).toContain('the right “vehicles”')
  expect(text).toContain('el permiso “vehicles”')
  expect(text).not.toContain('{')
  writeText.mockRestore()
})

it('a verdict that is read again stays where it is, greyed, and no button is filled meanwhile', async () => {
  const held: Diagnosis = {
    ...brokenAtAddress,
    chain: brokenAtAddress.chain.map((one) => (one.link === 'address' ? { ...one, isHeld: true } : one))
  }
  const shown = await openDiagnosis(looking(held))
  expect(shown.get('.banner').classes()).toContain('held')
  expect(shown.get('[data-link=address]').classes()).toContain('held')
  expect(shown.findAll('.headline .primary')).toEqual([])
})

it('what the local copy knows is the first picture, marked as such, and the gateway is asked at once', async () => {
  const subject = {
    ...nobodyCanSay.subject,
    copiedAt: new Date(startedAt - 180_000).toISOString(),
    copiedReportAt: new Date(startedAt - 2_800_000).toISOString()
  }
  const asking: Diagnosis = {
    ...nobodyCanSay,
    subject,
    gateway: { state: 'asking', why: null, readAt: null, aheadS: null },
    isWhole: false,
    nextInMs: 10
  }
  let isRead = false
  const shown = await openDiagnosis({ 'diagnosis.look': () => (isRead ? brokenAtAddress : asking) }, ['vehicle', '7'])
  expect(shown.get('h1').text()).toBe('Unit 0007: checking the gateway')
  expect(shown.get('.screen-head .sub').text()).toMatch(/name from the local copy of .+ · last report there /)
  expect(made('diagnosis.look')[0]).toMatchObject({ isQuick: true })
  isRead = true
  await vi.waitFor(() => expect(shown.get('h1').text()).toBe('Unit 0007 has not reported for 47 minutes'), 15_000)
})

describe('nobody is at the vehicle', () => {
  const silent: Diagnosis = {
    ...brokenAtAddress,
    subject: { ...brokenAtAddress.subject, deviceKey: null },
    device: null,
    chain: brokenAtAddress.chain.map((one) => (one.link === 'address' ? { ...one, action: null } : one)),
    latest: [{ at: new Date(startedAt - 60_000).toISOString(), what: plainMessage('Ignition off') }]
  }
  const visits = () => {
    let kept: Record<string, unknown> = { visit: null, outcome: 'open', notes: [] }
    return {
      'visits.read': () => ({ case: kept }),
      'visits.save': ({ visit, outcome }: Record<string, unknown>) => ({ case: (kept = { ...kept, visit, outcome }) }),
      'visits.addNote': ({ text }: Record<string, unknown>) => ({
        case: (kept = { ...kept, notes: [{ at: new Date(startedAt).toISOString(), by: 'Technician One', text }] })
      })
    }
  }
  const openVisit = async (): Promise<VueWrapper> => {
    const shown = await openDiagnosis({ ...looking(silent), ...visits() } as never, ['vehicle', '7'])
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
    expect(made('visits.save')).toMatchObject([
      {
        vehicleId: 7,
        imei: key,
        outcome: 'open',
        visit: { checklistId: 'service-visit', place: 'North depot', dueAt: null }
      }
    ])
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
    expect(shown.get('.customer').text()).toMatch(
      /^Your vehicle HLD007 has not reported since .+\. Its device has no data connection\. A technician will visit it\. We will tell you when\.$/
    )
    await shown.findAll('.words input[type=radio]')[1]?.setValue(true)
    await vi.waitFor(
      () => expect(shown.get('.customer').text()).toMatch(/^Su vehículo HLD007 no reporta desde /),
      15_000
    )
  })

  it('the customer is told no time where none is known', async () => {
    const never: Diagnosis = {
      ...silent,
      lastReport: null,
      brokenAt: 'gatewayEvent',
      headline: { link: 'gatewayEvent' },
      chain: calm.chain.map((one) => (one.link === 'gatewayEvent' ? step('gatewayEvent', 'broken') : one))
    }
    const shown = await openDiagnosis({ ...looking(never), ...visits() } as never, ['vehicle', '7'])
    press('d')
    await vi.waitFor(
      () =>
        expect(shown.get('.customer').text()).toBe(
          'Your vehicle HLD007 does not report. A technician will visit it. We will tell you when.'
        ),
      15_000
    )
  })

  it('a planned visit is named beside the title, and one press leads to it', async () => {
    const dueAt = new Date(startedAt + 86_400_000).toISOString()
    const planned = {
      case: {
        visit: { checklistId: 'service-visit', place: 'North depot', technician: '', dueAt, note: '' },
        outcome: 'planned',
        notes: []
      }
    }
    const shown = await openDiagnosis({ ...looking(silent), ...visits(), 'visits.read': () => planned } as never, [
      'vehicle',
      '7'
    ])
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
  const points = [
    [startedAt - 600_000, -105],
    [startedAt - 300_000, -104],
    [startedAt, -105]
  ] as [number, number][]
  const weak = {
    ...clockBehind,
    id: 'weakSignal',
    sentence: plainMessage('Weak signal.'),
    sinceAt: null,
    link: 'registration' as const,
    trend: { measure: 'signalDbm' as const, limit: -95, points }
  }
  const shown = await openDiagnosis({
    ...looking({ ...calm, tone: 'warn', headline: { finding: 'weakSignal' }, findings: [weak] }),
    'vehicles.signalWeeks': () => ({ days: [], readAt: new Date(startedAt).toISOString() })
  })
  expect(shown.get('.banner small').text()).toMatch(/^Since before \d\d:\d\d:\d\d/)
  await shown
    .findAll('.banner button')
    .find((one) => one.text() === 'Signal over weeks')
    ?.trigger('click')
  await flushPromises()
  expect(shown.get('.weeks').text()).toContain('No events in this period')
})

it('a signal over weeks names the day from which it is another one, and what was before', async () => {
  const day = (n: number) => new Date(Date.UTC(2026, 8, 26 + n)).toISOString().slice(0, 10)
  const days = Array.from({ length: 40 }, (_, n) => ({
    day: day(n),
    signalDbm: n < 26 ? -83 : -98,
    satellites: 10,
    delayS: null,
    reports: 1_000
  }))
  const band = { low: -92, middle: -85, high: -78 }
  const few = {
    days: [],
    groups: [{ id: 7, name: 'South yard', isOwn: true }],
    places: { signalDbm: { place: 41, of: 43 }, satellites: null, delayS: null, reports: null },
    withData: 2,
    least: 5,
    weakest: [],
    readAt: new Date(startedAt).toISOString()
  }
  const groups = [
    {
      ...few,
      withData: 42,
      days: days
        .slice(10)
        .map((one) => ({ day: one.day, signalDbm: band, satellites: null, delayS: null, reports: null })),
      weakest: [{ id: 9, name: 'Unit 0155', plate: 'JPK133', signalDbm: -101 }]
    }
  ]
  const shown = await openDiagnosis({
    ...looking(calm),
    'vehicles.signalWeeks': () => ({ days, readAt: new Date(startedAt).toISOString() }),
    'vehicles.signalGroup': () => groups.shift() ?? few
  })
  await shown.get('.screen-head .menu > button').trigger('click')
  await shown
    .findAll('[role=menuitem]')
    .find((one) => one.text() === 'Signal over weeks')
    ?.trigger('click')
  await flushPromises()
  expect(made('vehicles.signalWeeks')).toEqual([{ id: 7, weeks: 8 }])
  expect(shown.get('.weeks [role=status]').text()).toBe(
    'Signal, dBm: −83 before 22 Oct 2026, −98 since then; 13 dB below the group.'
  )
  expect(shown.findAll('.weeks tbody tr').map((row) => row.findAll('td').map((cell) => cell.text()))).toEqual([
    ['−83', '−98', '−85', '41 of 43', '22 Oct 2026'],
    ['10', '–', '–', '–', 'no change'],
    ['–', '–', '–', '–', 'no change'],
    ['1000', '–', '–', '–', 'no change']
  ])
  expect(shown.get('.weeks .lanes').text()).toContain('80 % of 42 vehicles')
  // Days without the group have no band: 30 of 40.
  expect(shown.get('.weeks .band').attributes('d')?.match(/Z/g)).toHaveLength(30)
  expect(shown.get('.weeks .weakest').text()).toContain('Unit 0155')
  await shown.findAll('.weeks input[type=radio]')[0]?.setValue(true)
  await flushPromises()
  expect(made('vehicles.signalWeeks').at(-1)).toEqual({ id: 7, weeks: 2 })
  expect(shown.find('.weeks .band').exists()).toBe(false)
  await shown
    .findAll('.weeks select option')
    .find((one) => one.text() === 'South yard')
    ?.setValue()
  await flushPromises()
  expect(made('vehicles.signalGroup').at(-1)).toEqual({ id: 7, weeks: 2, groupId: 7 })
  expect(shown.get('.weeks').text()).toContain(
    'Only 2 other vehicles have data in this period; 5 are needed to compare.'
  )
})

describe('a watch', () => {
  const look = (agoS: number, more: Partial<Diagnosis> = {}): Diagnosis => ({
    ...brokenAtAddress,
    lastReport: { at: new Date(startedAt - agoS * 1000).toISOString(), ageS: agoS, reportsWithinS: 300 },
    ...more
  })
  const subject = { vehicleId: 7 }
  const watchWith = (answers: Diagnosis[], status: object = { rateLimit: null }) => {
    vi.useFakeTimers({ now: startedAt, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    putCore({ 'diagnosis.look': () => answers.shift() ?? look(2_000) })
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
    expect(useToasts().toasts.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Unit 0007 reports again, since /)
    ])
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
    expect(useToasts().toasts.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Unit 0007 has not reported while Fitter watched\. /)
    ])
    const n = made('diagnosis.look').length
    await minute(3)
    expect(made('diagnosis.look')).toHaveLength(n)
  })

  it('is begun beside “Check again” for a vehicle that does not report, and named there with its end', async () => {
    const shown = await openDiagnosis(looking(brokenAtAddress), ['vehicle', '7'])
    await shown.get('.watch').trigger('click')
    expect(shown.get('.watch').text()).toMatch(/^Watching until \d\d:\d\d$/)
    await shown.get('.watch').trigger('click')
    expect(shown.get('.watch').text()).toBe('Watch')
  })

  it('is not offered for a vehicle that reports', async () => {
    expect((await openDiagnosis(looking(calm), ['vehicle', '7'])).find('.watch').exists()).toBe(false)
  })
})

describe('the session again', () => {
  it('shows the chain and the table of a moment with the ages of then, offers no change there, and comes back to now', async () => {
    const then = new Date(startedAt - 590_000).toISOString()
    const shown = await openDiagnosis({
      'diagnosis.look': ({ atMs }) => ({
        ...brokenAtAddress,
        at: typeof atMs === 'number' ? new Date(atMs).toISOString() : brokenAtAddress.at
      })
    })
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
