import { expect, test } from 'vitest'
import { createClock, imei, makeReport, openGateway, signIn } from './gatewayClient.ts'

async function openVehicle() {
  const clock = createClock()
  const client = await openGateway({ now: clock.now })
  const vid = client.gateway.state.vehicles.find((vehicle) => vehicle.device === Number(imei))?.id ?? 0
  const report = (minutes: number, changes: Parameters<typeof makeReport>[0] = {}): void => {
    client.gateway.receive(
      makeReport({
        deviceTimeMs: clock.now(),
        distanceM: minutes * 1000,
        ignitionS: minutes * 60,
        idleS: 0,
        ...changes
      })
    )
    clock.pass(60_000)
  }
  return { clock, client, vid, report }
}

test('counters over a range are what was added, with derived values and units', async () => {
  const { client, vid, report } = await openVehicle()
  for (const minutes of [0, 1, 2]) report(minutes)
  const { units, counters } = (
    await client.get(`/counters?vehicles=${vid}&duration=PT1H&distance=km&time=hour&round=3`)
  ).body
  expect(units).toMatchObject({ distance: 'km', time: 'hour', speed: 'km/hour' })
  expect(counters).toMatchObject([{ vid, dev_dist: 2, dev_ign: 0.033, dev_tot_avg_speed: 60, ecu_dist: null }])
  expect((await client.get(`/counters?vehicles=${vid}&duration=PT1H&delta=1T`)).body.counters).toHaveLength(3)
  const described = (await client.get('/counters')).body
  expect(Object.keys(described.base)).toHaveLength(10)
  expect(described.derived.ecu_fuelp_idling).toBe('ecu_ifuel*100/ecu_tfuel')
  expect((await client.get('/counters?duration=PT1H&round=11')).status).toBe(400)
})

test('a global counter shows its new value after the next report only', async () => {
  const { client, vid, report } = await openVehicle()
  report(0)
  const distance = async (): Promise<number> =>
    (await client.get(`/vehicles/${vid}/counters`)).body.vehicle.plain.dev_dist as number
  const before = await distance()
  expect((await client.send('PUT', `/vehicles/${vid}/counters`, { counter: 'dev_dist', value: 250_000 })).status).toBe(
    200
  )
  expect(await distance()).toBe(before)
  report(1)
  expect(await distance()).toBe(251_000)
  const { events } = (
    await client.get(`/rawdata?vehicles=${vid}&duration=PT1H&fields=dev_dist,vehicle_dev_dist&tail=1`)
  ).body
  expect(events[0]).toMatchObject({ dev_dist: before + 1000, vehicle_dev_dist: 251_000 })
  expect((await client.send('PUT', `/vehicles/${vid}/counters`, { counter: 'dev_orpm', value: 1 })).status).toBe(400)
})

test('a user counter starts at its initial value and grows with the counter beneath it', async () => {
  const { client, vid, report } = await openVehicle()
  report(0)
  const body = { counter: 'dev_dist', initial_value: '500', description: 'Oil change' }
  await client.send('POST', `/vehicles/${vid}/counters`, body)
  report(3)
  const read = async () => (await client.get(`/vehicles/${vid}/counters`)).body.user[0]
  expect(await read()).toMatchObject({ counter: 'dev_dist', description: 'Oil change', value: 3500 })
  await client.send('PUT', `/vehicles/${vid}/counters/${(await read()).id}`, { ...body, initial_value: 10 })
  expect((await read()).value).toBe(10)
  expect(client.gateway.violations).toEqual([])
})

test('trips and stops follow the ignition', async () => {
  const { client, vid, report } = await openVehicle()
  const off = makeReport().io
  for (const minutes of [0, 5, 10]) report(minutes)
  report(10, { io: { ...off, ign: false } })
  const trips = (await client.get(`/trips?vehicles=${vid}&duration=PT1H&distance=km&time=minute&speed=kph`)).body
  expect(trips).toMatchObject([{ moving: true, distance: 10, duration: 3, mean_speed: 200 }, { moving: false }])
  expect((await client.get(`/trips?vehicles=${vid}&duration=PT1H&fields=moving&export=csv`)).text).toBe(
    'moving\ntrue\nfalse\n'
  )
  expect((await client.get('/trips/keys?data=units,type')).body.distance).toEqual({ units: 'distance', type: 'number' })
  expect((await client.get('/trips/keys?data=none')).body.moving).toEqual({})
})

const square = [
  [-3.7, 40.4],
  [-3.6, 40.4],
  [-3.6, 40.5],
  [-3.7, 40.4]
]
const properties = { name: 'Yard', visibility: 'private' }

test('a geofence is made, changed, found by its own properties and deleted', async () => {
  const { client } = await openVehicle()
  const body = {
    geometry: { type: 'Circle', radius: 50, coordinates: [-3.7, 40.4] },
    properties: { ...properties, custom: { ref: 'ref:1' } }
  }
  const made = (await client.send('POST', '/geofences', body)).body
  expect(made).toMatchObject({ type: 'Feature', geometry: body.geometry, properties: { name: 'Yard', owner: 11 } })
  expect(made.bbox).toHaveLength(4)
  const list = async (): Promise<unknown[]> => {
    const { body: found } = await client.get('/geofences?search.properties.custom.ref=ref:1')
    return (found.data ?? found) as unknown[]
  }
  expect(await list()).toHaveLength(1)
  await client.send('PUT', `/geofences/${made.id}`, { ...body, geometry: { type: 'Polygon', coordinates: [square] } })
  expect(await list()).toMatchObject([{ geometry: { type: 'Polygon' } }])
  const support = await signIn(client, 'support')
  expect((await support.send('DELETE', `/geofences/${made.id}`)).status).toBe(404)
  expect((await client.send('DELETE', `/geofences/${made.id}`)).status).toBe(204)
  expect(await list()).toHaveLength(0)
  expect(client.gateway.violations).toEqual([])
})

test.each([
  ['an open polygon', { geometry: { type: 'Polygon', coordinates: [square.slice(0, 3)] }, properties }],
  [
    'a polygon of more than 800 positions',
    {
      geometry: { type: 'Polygon', coordinates: [[...Array.from({ length: 800 }, () => square[0]), square[0]]] },
      properties
    }
  ],
  ['a circle below 50 metres', { geometry: { type: 'Circle', radius: 49, coordinates: [-3.7, 40.4] }, properties }],
  [
    'group visibility without groups',
    { geometry: { type: 'Polygon', coordinates: [square] }, properties: { name: 'Yard', visibility: 'groups' } }
  ]
])('%s is refused', async (_, body) => {
  const { client } = await openVehicle()
  expect((await client.send('POST', '/geofences', body)).status).toBe(400)
})

const checkpoints = [
  { lat: 40.4, lon: -3.7, buffer: 100 },
  { lat: 41.4, lon: 2.1, buffer: 100, name: 'Port' }
]
const stops = [{ time: '10:00' }, { time: '12:30', min_duration: 5, mandatory: true }]
const route = {
  name: 'Coast run',
  active: true,
  checkpoints,
  schedules: [{ active: true, timezone: 'Europe/Madrid', repeat: 'Mon,Fri', valid_until: null, checkpoints: stops }]
}

test('a route is changed while it is not finalized; its state follows the arrival time', async () => {
  const { client, vid, clock } = await openVehicle()
  const made = (await client.send('POST', `/entities/${vid}/routes`, route)).body
  expect(made).toMatchObject({ primary_id: vid, name: 'Coast run' })
  const state = async (by = client) => (await by.get(`/route_states?ids=${vid}`)).body[0]
  expect(await state()).toMatchObject({
    route_id: made.id,
    finalized: false,
    route_start: '2611201000',
    checkpoints: [{ id: 'cpt.start' }, { id: 'cpt.end', name: 'Port' }]
  })
  expect(
    (await client.send('PUT', `/entities/${vid}/routes/${made.id}`, { ...made, name: 'Coast run 2' })).body.name
  ).toBe('Coast run 2')
  clock.pass(2.6 * 3_600_000)
  const later = await signIn(client, 'installer')
  expect((await state(later)).finalized).toBe(true)
  expect((await later.send('PUT', `/entities/${vid}/routes/${made.id}`, made)).status).toBe(403)
  expect((await later.send('DELETE', `/entities/${vid}/routes/${made.id}`)).status).toBe(204)
  expect((await later.get(`/entities/${vid}/routes`)).body).toEqual([])
})

test('a route needs two checkpoints, and times at its ends', async () => {
  const { client, vid } = await openVehicle()
  expect(
    (await client.send('POST', `/entities/${vid}/routes`, { ...route, checkpoints: checkpoints.slice(0, 1) })).status
  ).toBe(400)
  const timeless = { ...route.schedules[0], checkpoints: [{}, { time: '12:00' }] }
  expect((await client.send('POST', `/entities/${vid}/routes`, { ...route, schedules: [timeless] })).status).toBe(400)
})

test('a trigger may be made empty or whole, with rules that its postfix names', async () => {
  const { client, vid } = await openVehicle()
  const { structure } = (await client.get('/resources/triggers/structure')).body
  expect(structure.vehicle.event).toMatchObject({ key: 'vid', rule_keys: expect.arrayContaining(['label']) })
  expect((await client.send('POST', '/triggers', {})).status).toBe(201)
  const rules = [
    { id: 'moving', key: 'speed', operator: '>', value: 3 },
    { id: 'left', key: 'lat', operator: 'exited_fence', value: { fences: [1], types: [] } }
  ]
  const whole = {
    name: 'Leaves the yard',
    description: 'ref:7',
    type: 'event',
    category: 'vehicle',
    timezone: 'UTC',
    rules,
    postfix: ['moving', 'left', 'and'],
    vehicles: [vid],
    processes: [['email_event', { destinations: ['desk@example.com'] }]]
  }
  expect((await client.send('POST', '/triggers', whole)).body).toMatchObject({ name: 'Leaves the yard', id: 2 })
  expect((await client.get('/triggers?search.description=ref:7')).body.total).toBe(1)
  expect(client.gateway.violations).toEqual([])
  expect((await client.send('POST', '/triggers', { rules, postfix: ['moving', 'and'] })).status).toBe(400)
  expect((await client.send('POST', '/triggers', { rules, postfix: ['moving', 'other', 'and'] })).status).toBe(400)
  expect((await client.send('POST', '/triggers', { rules, postfix: ['moving', 'and', 'left'] })).status).toBe(400)
  expect(
    (await client.send('POST', '/triggers', { rules: [{ id: 'a', key: 'lat', operator: 'within', value: 3 }] })).status
  ).toBe(400)
})

test('a report job runs until it is done, then gives its file and takes no more updates', async () => {
  const { client } = await openVehicle()
  const [engine] = (await client.get('/job_manager/engines')).body
  const job = (
    await client.send('POST', '/job_manager', {
      script: 'fleet_status',
      name: 'Week 47',
      expires: 3600,
      engine,
      args: { vehicles: [101] }
    })
  ).body
  expect(job).toMatchObject({ state: 'created', done_at: null, owner: 11 })
  const path = `/job_manager/${job.id}`
  expect((await client.send('PUT', path, { state: 'running', progress: { percentage: 40 } })).body.state).toBe(
    'running'
  )
  expect((await client.get(`${path}/week.csv`)).status).toBe(404)
  expect((await client.send('PUT', path, { state: 'done', result: { files: ['week.csv'] } })).body.done_at).toBeTruthy()
  expect((await client.get(`${path}/week.csv`)).headers.get('content-type')).toContain('text/csv')
  expect((await client.send('PUT', path, { progress: { percentage: 50 } })).status).toBe(403)
})

test('a task carries a script, its parameters and a schedule', async () => {
  const { client } = await openVehicle()
  const task = {
    name: 'Weekly',
    processes: [
      { name: 'Weekly', script: 'fleet_status', tz: 'UTC', engine: 'https://engine.example.com/reports' },
      { vehicles: [101], recipients: ['desk@example.com'], back: { days: 7, hours: 0 } }
    ],
    schedule: '0 6 * * 1'
  }
  const made = (await client.send('POST', '/tasks', task)).body
  expect(made).toMatchObject({ ...task, id: 1 })
  expect((await client.send('POST', '/tasks', { ...task, id: 1, name: 'Weekly report' })).body.name).toBe(
    'Weekly report'
  )
  expect((await client.get('/tasks?search.name=Weekly report')).body.total).toBe(1)
  expect((await client.send('POST', '/tasks', { ...task, schedule: 'weekly' })).status).toBe(400)
})
