import { expect, test } from 'vitest'
import { createClock, imei, iccid, makeReport, openGateway, request } from '../unit/simulator/gatewayClient.ts'

test('a technician signs in, finds the vehicle of the device and sees its first report arrive', async () => {
  const clock = createClock()
  const client = await openGateway({ now: clock.now, delayMs: 800 })
  const { gateway } = client

  expect((await client.get('/')).body.name).toMatch(/^\d+\.\d+\.\d+$/)
  expect((await client.get('/tz')).body).toMatchObject({ server_utc_epoch: clock.now() / 1000 })
  expect((await client.get('/user')).body.username).toBe(gateway.user)

  const vehicles = await client.get(`/vehicles?select=name,info,device&search.device=${imei}`)
  expect(vehicles.body).toMatchObject({ total: 1, page: 1, pages: 1, set: 1, data: [{ device: Number(imei) }] })
  const vid = vehicles.body.data[0].id as number
  expect((await client.get(`/sims/${iccid}`)).body).toMatchObject({ iccid, line_number: '' })

  const query = `/rawdata?vehicles=${vid}&duration=PT1H&fields=type,lat,lon,speed,comdelay&speed=kph`
  gateway.receive(makeReport({ deviceTimeMs: clock.now() }))
  expect((await client.get(query)).body.events).toEqual([])
  clock.pass(800)
  const answer = (await client.get(query)).body
  expect(answer.units.speed).toBe('kph')
  expect(answer.events).toMatchObject([{ vid, type: 10, lat: 40.4168, lon: -3.7038, speed: 36, comdelay: 0 }])

  const device = (await client.get(`/devices/${imei}?select=ios_state,latest.loc`)).body
  expect(device).toMatchObject({
    imei: Number(imei),
    ios_state: { io_ign: true, io_pwr: true, io_in1: false },
    latest: { loc: { lat: 40.4168 } }
  })
  expect(device.ios_state).not.toHaveProperty('io_in4')

  const driver = gateway.state.assets.find((asset) => asset.name === 'Driver 07')
  expect((await client.send('POST', '/ibuttons', { id: '00000000ABCDEF12', entity: driver?.id })).status).toBe(201)
  expect((await client.send('POST', '/entities/link', { primary_id: vid, secondary_id: driver?.id })).status).toBe(200)
  expect(JSON.stringify((await client.get(`/vehicles/${vid}`)).body)).toContain(String(driver?.id))
  expect((await client.get('/ibuttons')).body).toContainEqual({ id: '00000000ABCDEF12', entity: driver?.id })
  expect((await client.get(`/assets/${driver?.id}`)).body.ibuttons).toContain('00000000ABCDEF12')
  expect((await client.get(`/logout?auth=${client.token}`)).status).toBe(200)
  expect((await client.get('/user')).status).toBe(401)
  expect(gateway.violations).toEqual([])
})

test('without a token nothing but sign-in answers', async () => {
  const { gateway } = await openGateway()
  expect((await request(gateway, 'GET', '/user')).status).toBe(401)
  expect((await request(gateway, 'POST', '/login', { username: gateway.user, password: 'wrong' })).status).toBe(401)
})
