import { expect, test } from 'vitest'
import { createClock, imei, openGateway, type Client } from './gatewayClient.ts'

function find(client: Client) {
  const { state } = client.gateway
  const asset = (name: string): number => state.assets.find((candidate) => candidate.name === name)?.id ?? 0
  return { vid: state.vehicles.find((vehicle) => vehicle.device === Number(imei))?.id ?? 0, asset }
}

test.each([1, 2, 3, 4, 5, 6])('a link enters the association history of the primary (seed %i)', async (seed) => {
  const client = await openGateway({ seed })
  const { vid, asset } = find(client)
  expect(JSON.stringify((await client.get(`/vehicles/${vid}`)).body)).not.toContain(String(asset('Driver 02')))
  expect(
    (await client.send('POST', '/entities/link', { primary_id: vid, secondary_id: asset('Driver 02') })).status
  ).toBe(200)
  expect(JSON.stringify((await client.get(`/vehicles/${vid}`)).body)).toContain(String(asset('Driver 02')))
  expect(client.gateway.violations).toEqual([])
})

test('a new driver ends the link of the one before; a trailer stays beside the driver', async () => {
  const clock = createClock()
  const client = await openGateway({ now: clock.now })
  const { vid, asset } = find(client)
  for (const name of ['Driver 01', 'Trailer 11', 'Driver 02']) {
    await client.send('POST', '/entities/link', { primary_id: vid, secondary_id: asset(name) })
    clock.pass(1000)
  }
  const open = client.gateway.state.links.filter((link) => link.endMs === null).map((link) => link.secondary)
  expect(open.sort()).toEqual([asset('Driver 02'), asset('Trailer 11')].sort())
  expect(client.gateway.state.links).toHaveLength(3)
})

test('the same link twice is a doubled effect', async () => {
  const client = await openGateway()
  const { vid, asset } = find(client)
  const body = { primary_id: vid, secondary_id: asset('Driver 01') }
  await client.send('POST', '/entities/link', body)
  expect(client.gateway.violations).toEqual([])
  await client.send('POST', '/entities/link', body)
  expect(client.gateway.violations).toMatchObject([
    { method: 'POST', path: '/api/entities/link', why: expect.stringContaining('doubled effect') }
  ])
  expect(client.gateway.state.effects.filter((effect) => effect.operation === 'entities.link')).toHaveLength(2)
})

test('an iButton exists once: the second one gets 409, whoever asks and for whatever asset', async () => {
  const client = await openGateway()
  const { asset } = find(client)
  expect((await client.send('POST', '/ibuttons', { id: 'AB12AB12AB12AB12', entity: asset('Driver 06') })).status).toBe(
    201
  )
  expect((await client.send('POST', '/ibuttons', { id: 'AB12AB12AB12AB12', entity: asset('Driver 06') })).status).toBe(
    409
  )
  expect((await client.send('POST', '/ibuttons', { id: 'AB12AB12AB12AB12', entity: asset('Driver 07') })).status).toBe(
    409
  )
  expect((await client.get('/ibuttons')).body.filter((fob: { id: string }) => fob.id === 'AB12AB12AB12AB12')).toEqual([
    { id: 'AB12AB12AB12AB12', entity: asset('Driver 06') }
  ])
  expect(client.gateway.violations).toEqual([])
  expect((await client.send('POST', '/ibuttons', { id: 'SHORT', entity: asset('Driver 07') })).status).toBe(400)
})

test('an asset is made once, and its tag is kept', async () => {
  const client = await openGateway()
  const body = { name: 'Driver 40', type: 'driver', info: { ref: 'ref:01JD0000000000000000000000' }, groups: [1] }
  const made = await client.send('POST', '/assets', body)
  expect(made.status).toBe(201)
  expect((await client.get(`/assets/${made.body.id}`)).body).toMatchObject({ ...body, ibuttons: [], device: null })
  expect((await client.get(`/entities/${made.body.id}`)).body).toMatchObject({ name: 'Driver 40' })
  expect((await client.get('/assets?search.info.ref=ref:01JD0000000000000000000000')).body.total).toBe(1)
  await client.send('PUT', '/bt_tags/AC:23:3F:00:00:01', { asset_id: made.body.id })
  expect(client.gateway.state.btTags).toMatchObject([{ mac: 'AC233F000001', asset_id: made.body.id }])
  expect(client.gateway.violations).toEqual([])
  await client.send('POST', '/assets', body)
  expect(client.gateway.violations).toMatchObject([{ why: 'doubled effect: asset Driver 40 made twice' }])
})

test('where the list of assets is only implied, a gateway may not have it', async () => {
  const client = await openGateway({ impliedLists: false })
  for (const path of ['/assets', '/triggers', '/tasks']) expect((await client.get(path)).status).toBe(404)
  expect(client.gateway.violations).toEqual([])
})
