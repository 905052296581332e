import { expect, test } from 'vitest'
import { createClock, imei, makeReport, openGateway, type Client } from './gatewayClient.ts'

const minute = 60_000

async function openWithEvents() {
  const clock = createClock()
  const client = await openGateway({ now: clock.now })
  const vid = client.gateway.state.vehicles.find((vehicle) => vehicle.device === Number(imei))?.id ?? 0
  for (let i = 0; i < 6; i++) {
    client.gateway.receive(
      makeReport({
        deviceTimeMs: clock.now() - 2500,
        speedKmh: i * 36,
        label: i === 0 ? 'ignon' : 'prdtst',
        type: i === 5 ? 100 : 10,
        sv: 4 + i,
        distanceM: i * 500,
        ignitionS: i * 60
      })
    )
    clock.pass(minute)
  }
  const query = async (rest: string) => (await client.get(`/rawdata?vehicles=${vid}&duration=PT1H&${rest}`)).body
  return { client, clock, vid, query }
}

const speeds = (answer: { events: { speed: number }[] }) => answer.events.map((event) => event.speed)

test('the default fields come with every event, times with seconds and with microseconds', async () => {
  const { query, vid } = await openWithEvents()
  const { units, events } = await query('speed=kph')
  expect(units).toEqual({ volume: 'liter', distance: 'meter', speed: 'kph', time: 'second' })
  expect(events).toHaveLength(6)
  expect(Object.keys(events[0])).toEqual(['system_time', 'event_time', 'id', 'vid'])
  expect(events[0].vid).toBe(vid)
  expect(events[0].event_time).toMatch(/^2026-11-20T08:59:57(Z|\+00:00)$/)
  expect(events[0].system_time).toMatch(/^2026-11-20T09:00:00\.000\d{3}(Z|\+00:00)$/)
})

test('speed is in metres per second unless the request says otherwise', async () => {
  const { query } = await openWithEvents()
  expect(speeds(await query('fields=speed&head=3'))).toEqual([0, 10, 20])
  expect(speeds(await query('fields=speed&head=3&speed=kph'))).toEqual([0, 36, 72])
  expect(speeds(await query('fields=speed&head=3&distance=km&time=hour'))).toEqual([0, 36, 72])
  expect(speeds(await query('fields=speed&head=3&speed=user'))).toEqual([0, 36, 72])
  expect((await query('fields=speed&head=2')).events[1].mph).toBeCloseTo(22.37, 2)
})

test('sets, expressions, casts and a JSON array choose the fields; exclude drops them', async () => {
  const { query } = await openWithEvents()
  expect(Object.keys((await query('fields=$network&tail=1')).events[0])).toEqual(
    expect.arrayContaining(['cf_rssi', 'comdelay'])
  )
  const fields = encodeURIComponent(JSON.stringify(['twice:@sv*2', 'text:@sv__str+@label', 'comdelay']))
  expect((await query(`fields=${fields}&head=1`)).events[0]).toMatchObject({ twice: 8, text: '4ignon', comdelay: 3 })
  expect(Object.keys((await query('fields=lat,lon&exclude=.*_time,lat')).events[0])).toEqual(['id', 'vid', 'lon'])
})

test('types, labels and a filter narrow the events; order, head and tail cut them', async () => {
  const { query } = await openWithEvents()
  expect((await query('types=100')).events).toHaveLength(1)
  expect((await query('labels=ignon,other')).events).toHaveLength(1)
  const filter = encodeURIComponent('valid_position and (sv > 5 and not speed >= 40)')
  expect(speeds(await query(`fields=speed&filter=${filter}`))).toEqual([20, 30])
  expect(speeds(await query('fields=speed&types=10&order=-event_time&head=2'))).toEqual([40, 30])
  expect(speeds(await query('fields=speed&types=10&head=-1'))).toEqual([0, 10, 20, 30])
  expect(speeds(await query('fields=speed&types=10&tail=-1'))).toEqual([10, 20, 30, 40])
  expect(speeds(await query('fields=speed&types=10&tail=2'))).toEqual([30, 40])
})

test.each([
  ['fields=nothing'],
  ['fields=x:@label*2'],
  ['filter=speed%20%3E%20%22a%22'],
  ['speed=knots'],
  ['head=two'],
  ['export=pdf'],
  ['tz=Mars/North'],
  ['vehicles=a'],
  ['duration=1H'],
  ['from=2026-13-01'],
  ['from=2026-11-20T08:00:00Z']
])('%s is refused and recorded', async (rest) => {
  const client = await openGateway()
  expect((await client.get(`/rawdata?${rest}`)).status).toBe(400)
  expect(client.gateway.violations).toHaveLength(1)
})

test('times are read and written in the zone of the request', async () => {
  const { client, vid } = await openWithEvents()
  const range = `/rawdata?vehicles=${vid}&from=2026-11-20T09:59:00&to=2026-11-20T10:00:30`
  const events = (await client.get(`${range}&tz=Europe/Madrid`)).body.events as { event_time: string }[]
  expect(events.map((event) => event.event_time)).toEqual(['2026-11-20T09:59:57+01:00'])
  expect((await client.get(range, { 'X-Time-Zone': 'Europe/Madrid' })).body.events).toHaveLength(1)
  expect((await client.get(range)).body.events).toHaveLength(0)
})

test('csv and tsv come as text, and an asynchronous request becomes a job with a file', async () => {
  const { client, query, vid, clock } = await openWithEvents()
  const csv = await client.get(`/rawdata?vehicles=${vid}&duration=PT1H&fields=label&export=csv&head=1`)
  expect(csv.headers.get('content-type')).toContain('text/csv')
  expect(csv.text.split('\n')[0]).toBe('system_time,event_time,id,vid,label')
  const { job_id: jobId } = await query('fields=label&async=1')
  const job = (await client.get(`/jobs/${jobId}`)).body
  expect(job).toMatchObject({ id: jobId, control: 'run', user_id: 11, params: { async: '1' } })
  clock.pass(1000)
  expect((await client.get(`/jobs/${jobId}/data.json`)).body).toHaveLength(6)
  expect((await client.get(`/jobs/${jobId}/data.csv`)).status).toBe(404)
})

test('the catalogue describes every field, with those of the engine-bus list', async () => {
  const client = await openGateway()
  client.gateway.receive(makeReport({ ecu: { detected: true, parameters: ['FUEL_LEVEL'] } }))
  const { keys } = (await client.get('/rawdata')).body
  expect(keys.speed).toEqual({ short_desc: 'speed', long_desc: expect.any(String), type: 'number', group: 'basic' })
  expect(keys).toHaveProperty('ecu_fuel_level_flag')
  expect((await client.get('/labels')).body.prdtst).toMatchObject({ label: 'prdtst', en: expect.stringContaining(':') })
})

test('engine-bus values are flagged: T with the engine on, F with it off, D without a bus', async () => {
  const clock = createClock()
  const client = await openGateway({ now: clock.now })
  const at = () => ({ deviceTimeMs: clock.now() })
  client.gateway.receive(makeReport({ ...at(), ecu: { detected: false, parameters: [] } }))
  client.gateway.receive(makeReport({ ...at(), ecu: { detected: true, parameters: [] } }))
  client.gateway.receive(makeReport({ ...at(), engineOn: false, ecu: { detected: true, parameters: [] } }))
  const { events } = (await client.get('/rawdata?duration=PT1H&fields=ecu_battery,ecu_battery_flag')).body
  expect(events.map((event: Record<string, unknown>) => [event['ecu_battery'], event['ecu_battery_flag']])).toEqual([
    [null, 'D'],
    [13_800, 'T'],
    [13_800, 'F']
  ])
})

test('resampling gathers events in periods, per field by its own method, and fills gaps', async () => {
  const { query } = await openWithEvents()
  const { events } = await query('types=10&fields=speed,sv&resample=event_time&freq=2T&how=max,sv:first')
  expect(events.map((event: Record<string, unknown>) => [event['speed'], event['sv']])).toEqual([
    [0, 4],
    [20, 5],
    [40, 7]
  ])
  const filled = (
    await query('labels=ignon,prdtst&types=10&filter=sv%20!%3D%206&fields=sv&resample=event_time&freq=1T&fill=ffill')
  ).events as { sv: number }[]
  expect(filled.map((event) => event.sv)).toEqual([4, 5, 5, 7, 8])
})

test('a report is hidden until its delay has passed, in rawdata and in the device state alike', async () => {
  const clock = createClock()
  const client: Client = await openGateway({ now: clock.now, delayMs: 800 })
  client.gateway.receive(makeReport({ deviceTimeMs: clock.now() }))
  clock.pass(799)
  expect((await client.get('/rawdata?duration=PT1H')).body.events).toHaveLength(0)
  expect((await client.get(`/devices/${imei}`)).body.latest).toBeNull()
  clock.pass(1)
  expect((await client.get('/rawdata?duration=PT1H')).body.events).toHaveLength(1)
  const device = (await client.get(`/devices/${imei}`)).body
  expect(Object.keys(device.ios_state).sort()).toEqual([
    '_epoch',
    'io_ign',
    'io_in1',
    'io_in2',
    'io_in3',
    'io_out1',
    'io_out1_short',
    'io_out2',
    'io_out2_short',
    'io_pwr'
  ])
})
