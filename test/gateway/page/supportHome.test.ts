import { flushPromises } from '@vue/test-utils'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { LatestDiagnosis } from '../../../preload/contract/support/visits.ts'
import type { SilentSpan, VehicleState } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { useVehicles } from '../../../renderer/gateway/vehicles/vehicles.store.ts'
import { goTo, place } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { core, giveRoom, made, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

const hourMs = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString()
const silent = (hours: number, own: Partial<VehicleState> = {}): VehicleState =>
  data.stateAt(ago(hours), { signalDbm: -83, readAt: ago(0.1), ...own })
const [vehicle] = data.vehicleLines
if (!vehicle) throw new Error('no vehicle')
const lines = [
  { ...vehicle, id: 117, name: 'Unit 0117', plate: 'MNZ309', groups: [1] },
  { ...vehicle, id: 89, name: 'Unit 0089', plate: null, groups: [1] }
]
const copy = { ...data.vehicleCopy, count: 1_204, copiedAt: ago(0.1) }
const nothingLive = { standings: [], readAt: ago(24 * 30) }

function answers(
  states: VehicleState[] = [silent(532, { conditions: ['noPower', 'silent'] }), silent(227)],
  more: Parameters<typeof createFakeBridge>[0] = {}
): Parameters<typeof createFakeBridge>[0] {
  const settings = { ...data.settings, role: 'support' as const }
  return {
    'settings.get': () => settings,
    'vehicles.silent': ({ span = 'all' }) => {
      const counts: Record<SilentSpan, number> = { all: states.length, week: 0, month: 1, longer: 1 }
      return {
        vehicles: span === 'all' ? lines.slice(0, states.length) : [],
        states,
        more: false,
        copy,
        counts,
        fleet: data.fleetOf(4, { readAt: ago(0.1) }),
        groups: [{ id: 1, name: 'North depot' }]
      }
    },
    'vehicles.standings': () => nothingLive,
    'visits.latest': () => ({ latest: [] }),
    'cab.list': () => ({ bundles: [] }),
    ...more
  }
}

async function open(own: Parameters<typeof createFakeBridge>[0]): Promise<void> {
  await openWindow(own)
  await flushPromises()
}
const rows = () => page.findAll('[role=row][data-index]').map((row) => row.text().replace(/\s+/g, ' '))

useFakeWindow()
beforeAll(() => giveRoom())
beforeEach(() => {
  window.history.replaceState(null, '', '#')
  goTo('start')
  window.history.replaceState(null, '', window.location.pathname)
})

test('support begins with the silent vehicles, the longest first, each with what its last event said', async () => {
  await open(answers())
  expect(place.value.screen).toBe('diagnose')
  expect(rows()).toHaveLength(2)
  expect(rows()[0]).toMatch(/Unit 0117 ?MNZ309 ?North depot ?22 d 4 h ?External power lost/)
  expect(rows()[1]).toMatch(/Unit 0089.*9 d 11 h ?Signal −83 dBm/)
  expect(page.text()).toContain('1 to 2 of 2, longest first · 1,204 vehicles')
  expect(page.get('.head').text()).toContain('status read 6 min ago')
})

test('a technician begins with the day', async () => {
  await open({})
  expect(place.value.screen).toBe('start')
})

test('a vehicle that reports again by a fresh answer of the gateway says so', async () => {
  await open(
    answers([silent(48)], {
      'gateway.status': () => ({ ...data.gateway, state: 'reachable', hindrance: null }),
      'vehicles.standings': () => ({
        standings: [{ id: 117, lastReportedAt: ago(0.02), isOnline: true, state: data.stateAt(ago(0.02)) }],
        readAt: new Date().toISOString()
      })
    })
  )
  await useVehicles().askStandings([117])
  await flushPromises()
  expect(rows()[0]).toMatch(/Reports again, 1 min ago/)
  expect(rows()[0]).not.toMatch(/2 d/)
})

test('another span chosen while the list is read shows that span', async () => {
  const all = Promise.withResolvers<undefined>()
  const own = answers() ?? {}
  await open({
    ...own,
    'vehicles.silent': async (input) => {
      if ((input.span ?? 'all') === 'all') await all.promise
      return own['vehicles.silent']!(input)
    }
  })
  await page
    .findAll('button')
    .find((one) => one.text().startsWith('Longer'))
    ?.trigger('click')
  await flushPromises()
  all.resolve(undefined)
  await flushPromises()
  expect(made('vehicles.silent').map((input) => (input as { span?: string }).span)).toContain('longer')
  expect(rows()).toEqual([])
})

test('J, K and Enter choose and diagnose; words search instead', async () => {
  await open(answers())
  ;(document.activeElement as HTMLElement | null)?.blur()
  await page.trigger('keydown', { key: 'j' })
  await page.trigger('keydown', { key: 'Enter' })
  await flushPromises()
  expect(place.value).toMatchObject({ screen: 'diagnose', id: 'vehicle', part: '89' })
})

const noCounts = { vehicles: [], states: [], more: false, counts: null, groups: [], fleet: data.fleetOf(0) }
const noneSilent = { ...noCounts, copy, counts: { all: 0, week: 0, month: 0, longer: 0 } }
test.each([
  [
    'nothing was copied',
    { ...noCounts, copy: { ...copy, count: 0, copiedAt: null } },
    'No vehicles in the local copy yet.'
  ],
  ['the devices were not copied', { ...noCounts, copy }, 'The local copy does not contain the devices yet'],
  [
    'no device shows when it reported',
    { ...noneSilent, fleet: data.fleetOf(0, { unknown: { notRead: 0, notShown: 1_204, noRhythm: 0 } }) },
    'Silence is not known for any vehicle'
  ],
  [
    'no vehicle of those that are known is silent',
    { ...noneSilent, fleet: data.fleetOf(1_192, { unknown: { notRead: 0, notShown: 12, noRhythm: 0 } }) },
    'None of 1,192 known vehicles is silent'
  ]
])('an empty list says why: %s', async (_why, answer, said) => {
  const known = { ...data.vehicleCopy, count: answer.copy.count, copiedAt: answer.copy.copiedAt }
  await open({
    ...answers(),
    'vehicles.silent': () => answer,
    'vehicles.copy': () => known,
    'vehicles.search': () => data.vehicleList([], { copy: known })
  })
  expect(page.text()).toContain(said)
})

test('while the devices are copied the home says how far it is, what is unknown and why, and offers no second sync', async () => {
  const first = {
    ...copy,
    copiedAt: null,
    running: { kind: 'devices', done: 300, total: 1_204, leftMs: 55_000 }
  } as const
  const unknown = { notRead: 904, notShown: 0, noRhythm: 24 }
  await open(
    answers([silent(532)], {
      'gateway.status': () => ({ ...data.gateway, state: 'reachable', hindrance: null }),
      'vehicles.copy': () => first,
      'vehicles.search': () => data.vehicleList([], { copy: first }),
      'vehicles.silent': () => ({
        vehicles: lines.slice(0, 1),
        states: [silent(532)],
        more: false,
        copy: first,
        counts: { all: 1, week: 0, month: 0, longer: 1 },
        fleet: data.fleetOf(276, { readAt: ago(0), unknown }),
        groups: []
      })
    })
  )
  expect(page.get('.copying').text()).toContain('Devices: 300 of 1,204')
  expect(page.get('.unknown').text()).toBe(
    '928 vehicles are unknown. 904 are not read yet, 24 have too few known reports. They count neither as silent nor as reporting.'
  )
  expect(page.findAll('button').map((one) => one.text())).not.toContain('Sync now')
})

test('a count of silent vehicles that nobody has read is a dash, not a zero', async () => {
  const nobody = data.fleetOf(0, { unknown: { notRead: 0, notShown: 60, noRhythm: 0 } })
  await open(
    answers([], {
      'vehicles.silent': () => ({ ...noneSilent, fleet: nobody })
    })
  )
  expect(page.findAll('.head [aria-pressed]').map((one) => one.text())).toEqual([
    'All–',
    'Under 7 days–',
    '1 to 4 weeks–',
    'Longer–'
  ])
  expect(page.text()).not.toContain('is silent')
  expect(page.get('.unknown').text()).toContain('60 vehicles are unknown. 60 show no last report.')
})

test('without the gateway the age of the copy is said, and what it says is grey', async () => {
  await open({ ...answers(), 'gateway.status': () => ({ ...data.gateway, state: 'unreachable' }) })
  expect(page.get('.away').text()).toContain('The gateway cannot be reached. Showing the local copy from')
  expect(page.get('[role=row][data-index] .grey').text()).toContain('22 d')
})

test('the latest subjects show their chain as it was, with the fault in words', async () => {
  const one: LatestDiagnosis = {
    subject: { vehicleId: 7 },
    name: 'Unit 0007',
    plate: 'HLD007',
    imei: '867698040023056',
    at: ago(1),
    tone: 'fail',
    brokenAt: 'address',
    sinceAt: null,
    what: plainMessage('wrong APN'),
    links: ['ok', 'ok', 'ok', 'broken', 'notReached', 'notReached', 'notReached', 'notReached', 'notReached']
  }
  await open({
    ...answers(),
    'visits.latest': () => ({
      latest: [
        one,
        {
          ...one,
          subject: { vehicleId: 12 },
          name: 'Unit 0012',
          tone: 'pass',
          brokenAt: null,
          what: null,
          links: one.links.map(() => 'ok' as const)
        }
      ]
    })
  })
  const latest = page.get('aside[aria-label="Your latest"]')
  expect(latest.text()).toContain('Fault at “Address”: wrong APN')
  expect(latest.text()).toContain('All checks passed.')
  expect(
    latest.findAll('[role=img][aria-label$="links in order"]').map((beads) => beads.attributes('aria-label'))
  ).toEqual(['3 of 9 links in order', '9 of 9 links in order'])
  expect(latest.get('a').attributes('href')).toBe('#/diagnose/vehicle/7')
})

test('bundles of the last 24 hours are opened again by one press, and removed by another', async () => {
  const kept = {
    id: 'aaaaaaaaaaaa',
    writtenAt: ago(20),
    by: 'Technician One',
    jobId: null,
    imei: null,
    vehicleName: 'Unit 0007',
    sizeBytes: 3_200_000,
    until: ago(-2.1)
  }
  await open(
    answers([], {
      'cab.list': () => ({
        bundles: [
          kept,
          { ...kept, id: 'bbbbbbbbbbbb', by: '', vehicleName: null, imei: '867698040023056', until: ago(-0.5) }
        ]
      }),
      'cab.reopen': () => ({}),
      'cab.forget': () => ({ bundles: [kept] })
    })
  )
  const list = page.get('ul[aria-label="Support bundles"]')
  expect(list.findAll('li').map((row) => row.text().replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^Unit 0007 ?2 h left ?From Technician One, 3.2 MB, /),
    expect.stringMatching(/^…023056 ?(29|30) min left ?3.2 MB, /)
  ])
  await list.get('button.open').trigger('click')
  expect(core.made.find(({ name }) => name === 'cab.reopen')?.input).toEqual({ id: 'aaaaaaaaaaaa' })
  await list.get('button[aria-label="Remove “…023056” from this computer"]').trigger('click')
  await flushPromises()
  expect(core.made.find(({ name }) => name === 'cab.forget')?.input).toEqual({ id: 'bbbbbbbbbbbb' })
  expect(page.findAll('ul[aria-label="Support bundles"] li')).toHaveLength(1)
})
