import { expect, onTestFinished, test, vi } from 'vitest'
import { createTexts } from '../../../main/base/messages/texts.ts'
import { english } from '../../world/window/english.ts'
import { imei, reportParked } from '../../world/data/parkedReport.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'
import { callsOf, copied, openCore, openGateway, signal, signedIn } from '../../world/gateway/vehicleCalls.ts'

test('all vehicles of the user are copied, and found by name, plate, IMEI and any info value while the gateway is away', async () => {
  const gateway = await openGateway()
  const { calls } = await signedIn(gateway)
  const state = await copied(calls)
  const visible = gateway.state.vehicles.filter((vehicle) => vehicle.groups.some((group) => group !== 3))
  expect(state).toMatchObject({ count: visible.length, complete: true })

  gateway.setOnline(false)
  const wanted = visible[4]
  if (!wanted) throw new Error('too few vehicles')
  const find = async (text: string) =>
    (await calls['vehicles.search']({ text, filter: 'all', group: null, limit: 50 }, signal)).vehicles
  const plate = String(wanted.info['license_plate'])
  for (const text of [wanted.name, plate, plate.replace(' ', ''), plate.toLowerCase(), String(wanted.id)]) {
    expect((await find(text))[0]?.id, text).toBe(wanted.id)
  }
  const color = String(wanted.info['color'])
  const colored = await find(`color:${color} make:${String(wanted.info['make']).split(' ')[0]}`)
  expect(colored.map((vehicle) => vehicle.id)).toContain(wanted.id)
  expect(colored.every((vehicle) => vehicle.info['color'] === color)).toBe(true)
  expect((await find(imei.slice(-6)))[0]?.imei).toBe(imei)

  const sheet = await calls['vehicles.show']({ id: wanted.id }, signal)
  expect(sheet).toMatchObject({ source: 'copy', vehicle: { name: wanted.name } })
  const found = await calls['gateway.findEntities']({ kind: 'vehicle', text: plate }, signal)
  expect(found.entities[0]).toMatchObject({ id: wanted.id, copiedAt: state.copiedAt })
})

test('a vehicle that the gateway no longer shows leaves the copy with the next whole walk', async () => {
  const gateway = await openGateway()
  const { calls } = await signedIn(gateway)
  const before = await copied(calls)
  const gone = gateway.state.vehicles.find((vehicle) => vehicle.groups.includes(1))
  if (!gone) throw new Error('no vehicle')
  gateway.state.vehicles.splice(gateway.state.vehicles.indexOf(gone), 1)
  const after = await copied(calls)
  expect(after.count).toBe(before.count - 1)
  expect(
    (await calls['vehicles.search']({ text: gone.name, filter: 'all', group: null, limit: 5 }, signal)).vehicles.map(
      ({ id }) => id
    )
  ).not.toContain(gone.id)
})

test('the work list comes from the copy: silent, no power, no position and weak signal, each since when, and unknown is none', async () => {
  const gateway = await openGateway()
  const { calls } = await signedIn(gateway)
  const [first, second, third] = gateway.state.vehicles.filter(
    ({ device, groups }) => device !== null && device !== Number(imei) && groups.includes(1)
  )
  const deviceOf = (vehicle: typeof first) => gateway.state.devices.find((one) => one.imei === vehicle?.device)
  const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000
  const [silent, dark, weak] = [deviceOf(first), deviceOf(second), deviceOf(third)]
  if (!first || !second || !third || !silent || !dark || !weak) throw new Error('too few vehicles')
  Object.assign(silent, { lastReportMs: hoursAgo(50) })
  Object.assign(dark, {
    lastReportMs: hoursAgo(2),
    ioEpoch: 1,
    io: { io_pwr: false },
    latest: { loc: { valid_position: false } }
  })
  Object.assign(weak, { lastReportMs: hoursAgo(1), latest: { cf_rssi: 1 } })
  await copied(calls)
  gateway.setOnline(false)
  const look = (filter: 'noPower' | null, group: number | null = null, text = '') =>
    calls['vehicles.search']({ text, filter, group, limit: 5 }, signal)
  const list = await look(null)
  expect(list.vehicles.map(({ id }) => id)).toEqual([first.id, second.id, third.id])
  expect(list.states.map(({ conditions }) => conditions)).toEqual([
    ['silent'],
    ['noPower', 'noPosition'],
    ['weakSignal']
  ])
  expect(list.counts).toMatchObject({ attention: 3, silent: 1, noPower: 1, noPosition: 1, weakSignal: 1 })
  expect(Math.round(Date.parse(list.states[0]?.since ?? '') / 60_000)).toBe(Math.round(hoursAgo(50) / 60_000))
  expect((await look('noPower')).vehicles.map(({ id }) => id)).toEqual([second.id])
  const next = (after: number) =>
    calls['vehicles.search']({ text: '', filter: 'attention', group: null, limit: 1, after }, signal)
  expect(await next(first.id)).toMatchObject({ vehicles: [{ id: second.id }], more: true })
  expect(await next(999_999)).toMatchObject({ vehicles: [], more: false })
  expect((await look(null, 2)).counts).toMatchObject({
    attention: list.vehicles.filter(({ groups }) => groups.includes(2)).length
  })
  const plate = String(second.info['license_plate'])
  const swapped = `${plate[1] ?? ''}${plate[0] ?? ''}${plate.slice(2)}`
  expect(await look(null, null, swapped)).toMatchObject({
    vehicles: [{ id: second.id }],
    instead: plate,
    filter: 'all'
  })
})

test.each(['document', 'maker', 'mixed'] as const)(
  'a gateway whose records have the form "%s" is asked for the times and the power of its devices, in the list and on the page',
  async (form) => {
    const gateway = await openGateway({ form })
    const { calls } = await signedIn(gateway)
    const device = gateway.state.devices.find((one) => one.imei === Number(imei))
    const vehicle = gateway.state.vehicles.find((one) => one.device === Number(imei))
    if (!device || !vehicle) throw new Error('no vehicle')
    const reportedMs = Math.floor(Date.now() / 1_000) * 1_000 - 120_000
    const at = new Date(reportedMs).toISOString()
    Object.assign(device, {
      lastReportMs: reportedMs,
      ioEpoch: reportedMs / 1_000,
      io: { io_pwr: false, io_ign: true },
      latest: { loc: { lat: 40.4, lon: -3.7, valid_position: true, system_time: at, event_time: at } }
    })
    const expected = { conditions: ['noPower'], lastReportedAt: at, reporting: { is: 'reports' } }
    const { standings } = await calls['vehicles.standings']({ ids: [vehicle.id] }, signal)
    expect(standings[0]?.state).toMatchObject(expected)
    expect((await calls['vehicles.show']({ id: vehicle.id }, signal)).state).toMatchObject(expected)
    await copied(calls)
    expect((await calls['vehicles.lines']({ ids: [vehicle.id] }, signal)).states[0]).toMatchObject(expected)
  }
)

test('the vehicle screen has groups by name, the device, its association history, counters and events', async () => {
  const gateway = await openGateway()
  const { calls } = await signedIn(gateway)
  const vehicle = gateway.state.vehicles.find((candidate) => candidate.device === Number(imei))
  if (!vehicle) throw new Error('no vehicle')
  const sheet = await calls['vehicles.show']({ id: vehicle.id }, signal)
  expect(sheet).toMatchObject({
    source: 'gateway',
    note: null,
    vehicle: { imei },
    device: { imei },
    historyKnown: true
  })
  expect(sheet.groups[0]?.name).toMatch(/depot/)
  expect(sheet.history).toEqual([expect.objectContaining({ kind: 'device', id: imei, until: null })])
  const counters = await calls['vehicles.counters']({ id: vehicle.id }, signal)
  expect(counters.global).toContainEqual(expect.objectContaining({ counter: 'dev_dist', unit: 'm', settable: true }))
  expect((await calls['vehicles.events']({ id: vehicle.id, hours: 24, limit: 20 }, signal)).events).toEqual([])
  expect(gateway.violations).toEqual([])
  gateway.setFault({ operation: 'groups.list', status: 403 })
  const { note } = await calls['vehicles.show']({ id: vehicle.id }, signal)
  expect(note && createTexts({ language: 'es' }).say(note)).toMatch(/Grupos: /)
})

test('a list knows which vehicles report, and a line of time has the names of assets and the reports of each day', async () => {
  const gateway = await openGateway({ history: true })
  const { calls } = await signedIn(gateway)
  const vehicle = gateway.state.vehicles.find((candidate) => candidate.device === Number(imei))
  const bare = gateway.state.vehicles.find(({ device, groups }) => device === null && !groups.includes(3))
  if (!vehicle || !bare) throw new Error('no vehicle')
  const device = gateway.state.devices.find((candidate) => candidate.imei === Number(imei))
  if (device) device.lastReportMs = Date.parse('2026-03-01T08:00:00Z')
  const { standings } = await calls['vehicles.standings']({ ids: [vehicle.id, bare.id] }, signal)
  expect(standings).toEqual(
    expect.arrayContaining([
      {
        id: vehicle.id,
        lastReportedAt: '2026-03-01T08:00:00.000Z',
        isOnline: false,
        state: expect.objectContaining({ conditions: ['silent'], lastReportedAt: '2026-03-01T08:00:00.000Z' })
      },
      {
        id: bare.id,
        lastReportedAt: null,
        isOnline: null,
        state: expect.objectContaining({ reporting: expect.objectContaining({ is: 'noDevice' }) })
      }
    ])
  )

  const { history } = await calls['vehicles.show']({ id: vehicle.id }, signal)
  expect(history.filter(({ kind }) => kind === 'device')).toHaveLength(2)
  const ids = [...new Set(history.filter(({ kind }) => kind === 'asset').map(({ id }) => Number(id)))]
  const { assets } = await calls['vehicles.assets']({ ids: [...ids, 999_999] }, signal)
  expect(assets.map(({ name }) => name).sort()).toEqual([
    'Driver 01',
    'Driver 02',
    'Driver 03',
    'Trailer 11',
    'Trailer 12'
  ])

  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const range = { id: vehicle.id, from: dayOf(Date.now() - 70 * 86_400_000), to: dayOf(Date.now() + 86_400_000) }
  const { days } = await calls['vehicles.reports'](range, signal)
  const count = (day: string) =>
    gateway.state.events.filter(({ vid, deviceTimeMs }) => vid === vehicle.id && dayOf(deviceTimeMs) === day).length
  const silent = days.filter(({ reports }) => reports === 0)
  expect(silent.length).toBeGreaterThanOrEqual(8)
  for (const { day, reports } of days) expect(reports, day).toBe(count(day))
  // The history has -69 dBm and 11 satellites throughout.
  const weeks = (await calls['vehicles.signalWeeks']({ id: vehicle.id, weeks: 8 }, signal)).days.filter(
    ({ reports }) => reports > 0
  )
  expect(weeks.length).toBeGreaterThan(30)
  for (const { day, signalDbm, satellites, reports } of weeks.slice(0, -1))
    expect([signalDbm, satellites, reports], day).toEqual([-69, 11, count(day)])
  // Only this vehicle has a history of weeks: too few to compare with, and that is said.
  await copied(calls)
  expect(await calls['vehicles.signalGroup']({ id: vehicle.id, weeks: 8, groupId: null }, signal)).toMatchObject({
    days: [],
    least: 5
  })
  const own = gateway.state.events.filter(({ vid }) => vid === vehicle.id)
  const others = gateway.state.vehicles
    .filter(({ id, device, groups }) => device !== null && id !== vehicle.id && !groups.includes(3))
    .slice(0, 6)
  others.forEach(({ id }, n) =>
    gateway.state.events.push(
      ...own.map((event) => ({ ...event, vid: id, fields: { ...event.fields, cf_rssi: 10 + n } }))
    )
  )
  const group = await calls['vehicles.signalGroup']({ id: vehicle.id, weeks: 8, groupId: null }, signal)
  expect(group).toMatchObject({ withData: 6, weakest: [{ id: others[0]?.id, signalDbm: -93 }, {}, {}, {}] })
  expect(group.days.find(({ signalDbm }) => signalDbm !== null)?.signalDbm).toEqual({
    low: -92,
    middle: -88,
    high: -84
  })
  expect(gateway.violations).toEqual([])
})

test('without words the vehicles come page by page, each once', async () => {
  const gateway = await openGateway()
  const { calls } = await signedIn(gateway)
  const { count } = await copied(calls)
  const seen: number[] = []
  for (;;) {
    const after = seen.at(-1)
    const page = await calls['vehicles.search'](
      { text: '', filter: 'all', group: null, limit: 10, ...(after === undefined ? {} : { after }) },
      signal
    )
    seen.push(...page.vehicles.map(({ id }) => id))
    if (!page.more) break
  }
  expect(new Set(seen).size).toBe(count)
  expect(seen).toHaveLength(count)
})

test('the last events are said in words, with the name of what came to the vehicle', async () => {
  const gateway = await openGateway({ history: true })
  const { calls } = await signedIn(gateway)
  const vehicle = gateway.state.vehicles.find((candidate) => candidate.device === Number(imei))
  if (!vehicle) throw new Error('no vehicle')
  const driver = gateway.state.assets.find(({ ibuttons }) => ibuttons.length > 0)
  gateway.receive(
    reportParked()({
      label: 'ibutton',
      accessories: { fields: {}, expanderInputs: null, keyFob: driver?.ibuttons[0] ?? '' }
    })
  )
  const { events } = await calls['vehicles.events']({ id: vehicle.id, hours: 2, limit: 40 }, signal)
  const said = events.map(({ what, detail }) => [english(what), detail === null ? '' : english(detail)].join('; '))
  expect(said[0]).toBe(`Key held to the reader; standing, with ${driver?.name}`)
  expect(said).toContain('Harsh braking; driving, 12 km/h')
  expect(said).toContain('External power lost; ')
  expect(said).toContain('Connection message; ')
  expect(events.find(({ label }) => label === 'pwroff')?.delayS).toBe(430)
  expect(said.some((text) => text.endsWith('buffered, sent late'))).toBe(true)
})

test('the road of a chosen time has the valid places and the trips of it; a part that may not be read says why', async () => {
  const gateway = await openGateway({ history: true })
  const { calls } = await signedIn(gateway)
  const vehicle = gateway.state.vehicles.find((candidate) => candidate.device === Number(imei))
  if (!vehicle) throw new Error('no vehicle')
  // What trips are made of.
  const untilMs = Date.now() + 1_000
  for (const [n, event] of gateway.state.events
    .filter(({ vid, deviceTimeMs }) => vid === vehicle.id && deviceTimeMs > untilMs - 7_200_000)
    .entries())
    Object.assign(event.fields, { ignition: n < 5, dev_dist: n * 500 })
  const road = (fromMs: number) => calls['vehicles.road']({ id: vehicle.id, fromMs, untilMs }, signal)
  const { events: told } = await calls['vehicles.events']({ id: vehicle.id, hours: 24, limit: 200 }, signal)
  const valid = told.filter(({ validPosition, latitude }) => validPosition && latitude !== null)
  const day = await road(untilMs - 86_400_000)
  expect(day.problems).toEqual([])
  expect(day.points.length).toBeGreaterThan(1)
  expect(day.events).toBe(day.points.length)
  expect(day.points.map(([atMs]) => atMs)).toEqual(day.points.map(([atMs]) => atMs).sort((a, b) => a - b))
  const [newest] = valid
  expect(day.points.at(-1)?.slice(0, 3)).toEqual([Date.parse(newest?.at ?? ''), newest?.latitude, newest?.longitude])
  expect(day.points.some(([, , , , delayS]) => delayS === 430)).toBe(true)
  expect(day.trips.some(({ kind, distanceM }) => kind === 'trip' && (distanceM ?? 0) > 0)).toBe(true)
  const hour = await road(untilMs - 3_600_000)
  expect(hour.points.every(([atMs]) => atMs >= untilMs - 3_600_000)).toBe(true)

  gateway.setFault({ operation: 'trips.list', status: 403 })
  const withoutTrips = await road(untilMs - 86_400_000)
  expect(withoutTrips.trips).toEqual([])
  expect(withoutTrips.points.length).toBe(day.points.length)
  expect(withoutTrips.problems.map((problem) => english(problem))).toEqual([expect.stringMatching(/^Trips: /)])
  for (const [fromMs, toMs] of [
    [5, 5],
    [0, 40 * 86_400_000]
  ] as const) {
    await expect(
      Promise.resolve(calls['vehicles.road']({ id: vehicle.id, fromMs, untilMs: toMs }, signal))
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  }
})

test('geofences come from the copy while the gateway is away, with their age and what lies in them', async () => {
  const gateway = await openGateway()
  const { core, calls } = await signedIn(gateway)
  gateway.state.geofences.push({
    id: 5,
    owner: 1,
    type: 'Feature',
    geometry: { type: 'Circle', radius: 100, coordinates: [-3.7, 40.4] },
    properties: { name: 'North depot', visibility: 'all' }
  })
  await copied(calls)
  const circle = (await calls['vehicles.fences']({ latitude: null, longitude: null }, signal)).fences.find(
    ({ shape }) => shape.type === 'Circle'
  )
  const [longitude, latitude] = circle?.shape.type === 'Circle' ? circle.shape.center : [0, 0]
  const live = await calls['vehicles.fences']({ latitude, longitude }, signal)
  expect(live).toMatchObject({ source: 'gateway' })
  gateway.setOnline(false)
  const kept = await calls['vehicles.fences']({ latitude, longitude }, signal)
  expect(kept).toMatchObject({
    source: 'copy',
    readAt: (await core.copies.status()).kinds.find(({ kind }) => kind === 'fences')?.copiedAt
  })
  expect(kept.fences).toEqual(live.fences)
  expect(kept.fences.find(({ id }) => id === circle?.id)?.inside).toBe(true)
})

test.each(['another account', 'a sign-out', 'the account of another gateway'] as const)(
  'a copy that is under way ends with %s, and stores nothing of what was asked for meanwhile',
  async (change) => {
    const held: (() => void)[] = []
    const vehicle = (id: number, name: string) => ({ id, name, info: {}, device: null, groups: [1] })
    const lists = {
      one: [[vehicle(1, 'Van of one'), vehicle(2, 'Bus of one')], [vehicle(3, 'Car of one')]],
      two: [[vehicle(9, 'Van of two')]]
    } as const
    let isHolding = false
    const serve = () =>
      startScriptedServer((request, response) => {
        const { pathname, searchParams } = new URL(request.path, 'http://gateway.invalid')
        if (pathname === '/api/login')
          return sendJson(response, {
            auth: `token-of-${request.path.includes('one') || request.body.includes('one@') ? 'one' : 'two'}`
          })
        if (pathname === '/api/user') return sendJson(response, { id: 1, username: 'someone', scopes: {}, groups: [1] })
        const whose = JSON.stringify(request.headers).includes('token-of-one') ? 'one' : 'two'
        const page = Number(searchParams.get('page') ?? 1)
        const data = pathname === '/api/vehicles' ? (lists[whose][page - 1] ?? []) : []
        const answer = () =>
          sendJson(response, {
            set: 2,
            page,
            pages: pathname === '/api/vehicles' ? lists[whose].length : 1,
            total: pathname === '/api/vehicles' ? lists[whose].flat().length : 0,
            data
          })
        if (isHolding && whose === 'one' && pathname === '/api/vehicles') held.push(answer)
        else answer()
      })
    const [server, other] = [await serve(), await serve()]
    onTestFinished(() => server.stop())
    onTestFinished(() => other.stop())
    const core = openCore()
    const calls = callsOf(core)
    const signIn = (address: string, user: string) =>
      calls['gateway.signIn'](
        { url: `http://${address}/api`, user, password: `password-${user}`, scheme: { kind: 'normal' } },
        signal
      )
    await signIn(server.address, 'one@example.com')
    await copied(calls)
    const ofOne = { url: `http://${server.address}/api`, user: 'one@example.com' }
    const before = {
      ...core.store.copies.state(ofOne, 'vehicles'),
      names: core.store.copies.first(ofOne, 'vehicles', { limit: 9 }).map((one) => (one as { name: string }).name)
    }
    expect(before).toMatchObject({ count: 3, isComplete: true })

    isHolding = true
    await calls['vehicles.refresh']({}, signal)
    await vi.waitFor(() => expect(held).toHaveLength(1), 15_000)
    if (change === 'a sign-out') await calls['gateway.signOut']({}, signal)
    else await signIn(change === 'another account' ? server.address : other.address, 'two@example.com')
    isHolding = false
    for (const answer of held) answer()
    await core.copies.ended()

    const after = core.store.copies.state(ofOne, 'vehicles')
    expect(after).toMatchObject({
      count: 3,
      copiedAt: before.copiedAt,
      endedAt: before.endedAt,
      open: { nextPage: 1, seen: 0 }
    })
    expect(
      core.store.copies.first(ofOne, 'vehicles', { limit: 9 }).map((one) => (one as { name: string }).name)
    ).toEqual(before.names)
    expect(await core.copies.status()).toMatchObject({ running: null, problem: null })
    if (change === 'a sign-out') return
    expect((await copied(calls)).count).toBe(1)
    expect(
      (await calls['vehicles.search']({ text: 'of', filter: 'all', group: null, limit: 9 }, signal)).vehicles.map(
        ({ name }) => name
      )
    ).toEqual(['Van of two'])
  }
)
