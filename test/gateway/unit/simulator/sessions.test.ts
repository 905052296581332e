import { expect, test } from 'vitest'
import { createClock, imei, openGateway, request, signIn } from './gatewayClient.ts'

test('a normal session ends after an hour without a request, not before', async () => {
  const clock = createClock()
  const client = await openGateway({ now: clock.now })
  clock.pass(3_599_000)
  expect((await client.get('/user')).status).toBe(200)
  clock.pass(3_599_000)
  expect((await client.get('/user')).status).toBe(200)
  clock.pass(3_600_000)
  expect((await client.get('/user')).status).toBe(401)
})

test('a finite session ends at its time even while it is used; an infinite one does not end', async () => {
  const clock = createClock()
  const { gateway } = await openGateway({ now: clock.now })
  const credentials = { username: gateway.user, password: gateway.password }
  const finite = (await request(gateway, 'POST', '/login', { ...credentials, expires: 120 })).body.auth as string
  const infinite = (await request(gateway, 'POST', '/login', { ...credentials, scheme: 'infinite', app: 'desk' })).body
    .auth as string
  clock.pass(119_000)
  expect((await request(gateway, 'GET', '/user', undefined, finite)).status).toBe(200)
  clock.pass(1000)
  expect((await request(gateway, 'GET', '/user', undefined, finite)).status).toBe(401)
  clock.pass(400 * 86_400_000)
  expect((await request(gateway, 'GET', '/user', undefined, infinite)).status).toBe(200)
})

test('an application token has the groups and scopes it was made with, and no more', async () => {
  const client = await openGateway()
  const made = await client.send('POST', '/user/sessions', {
    scheme: 'finite',
    app: 'kiosk',
    limit: 600,
    scopes: 'groups=1&read=vehicles,triggers'
  })
  const kiosk = client.as((made.body.token ?? made.body.auth) as string)
  const seen = (await kiosk.get('/vehicles?set=1000')).body.data as { groups: number[] }[]
  expect(seen.length).toBeGreaterThan(5)
  expect(seen.every((vehicle) => vehicle.groups.includes(1))).toBe(true)
  expect((await kiosk.get('/assets/131')).status).toBe(401)
  expect((await kiosk.send('POST', '/triggers', {})).status).toBe(401)
  const sessions = (await client.get('/user/sessions')).body
  expect(sessions.tokens).toContainEqual(
    expect.objectContaining({ app: 'kiosk', scheme: 'finite', scopes: 'groups=1&read=vehicles,triggers' })
  )
  expect(sessions.session).toMatchObject({ scheme: 'normal' })
})

test('groups and scopes decide what an account may see and do', async () => {
  const installer = await openGateway()
  const outsider = await signIn(installer, 'outsider')
  const viewer = await signIn(installer, 'viewer')
  const vid = (await installer.get(`/vehicles?search.device=${imei}`)).body.data[0].id as number
  expect([401, 404]).toContain((await outsider.get(`/vehicles/${vid}`)).status)
  expect([401, 404]).toContain((await outsider.get(`/rawdata?vehicles=${vid}&duration=PT1H`)).status)
  expect((await viewer.get(`/vehicles/${vid}`)).status).toBe(200)
  expect((await viewer.send('POST', '/assets', { name: 'Driver 50', type: 'driver' })).status).toBe(401)
  expect((await viewer.get(`/vehicles/${vid}/plugins/photocam/capture`)).status).toBe(401)
  expect((await installer.get('/user')).body).not.toHaveProperty('password')
})

test('a receiver token is made by an application only, and can be removed', async () => {
  const client = await openGateway()
  const body = { resource: 'receivers.json', app: 'loader', app_scheme: 'ips=192.0.2.7&ips_blacklist=1' }
  expect((await client.send('POST', '/tokens', body)).status).toBe(403)
  const made = await client.send('POST', '/user/sessions', {
    scheme: 'infinite',
    app: 'loader',
    scopes: 'groups=1&write=vehicles'
  })
  const application = client.as(made.body.token as string)
  const token = (await application.send('POST', '/tokens', body)).body.token as string
  expect((await client.get(`/tokens/${token}/stream`)).body).toEqual({ size: 0, items: [] })
  expect((await client.send('DELETE', `/tokens/${token}`)).status).toBe(204)
  expect((await client.get('/tokens')).body).toEqual([])
})
