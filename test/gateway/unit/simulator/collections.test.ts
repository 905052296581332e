import { expect, test } from 'vitest'
import { imei, iccid, makeReport, openGateway } from './gatewayClient.ts'

test('a page holds 200 items by default and 1000 at most, 500 for devices', async () => {
  const client = await openGateway({ vehicles: 1600 })
  const first = (await client.get('/vehicles')).body
  expect(first).toMatchObject({ set: 200, page: 1 })
  expect(first.data).toHaveLength(200)
  expect(first.pages).toBe(Math.ceil(first.total / 200))
  expect(client.gateway.violations).toEqual([])

  expect((await client.get('/vehicles?set=5000')).body.set).toBe(1000)
  expect((await client.get('/devices?set=1000')).body.set).toBe(500)
  expect(client.gateway.violations.map(({ why }) => why)).toEqual(['set is more than 1000', 'set is more than 500'])
  expect((await client.get('/vehicles?page=0')).status).toBe(400)
  const last = (await client.get(`/vehicles?page=${first.pages}`)).body
  expect(last.set).toBe(first.total - 200 * (first.pages - 1))
  expect((await client.get(`/vehicles?page=${first.pages + 1}`)).body).toMatchObject({ set: 0, data: [] })
})

test('select limits the fields and joins the device in every documented form', async () => {
  const client = await openGateway({ vehicles: 3 })
  client.gateway.receive(makeReport())
  const one = async (select: string) =>
    (await client.get(`/vehicles?search.device=${imei}&select=${encodeURIComponent(select)}`)).body.data[0] as Record<
      string,
      Record<string, unknown>
    >
  expect(Object.keys(await one('name,info'))).toEqual(['id', 'name', 'info'])
  expect((await one('name,device:*'))['device']).toMatchObject({
    imei: Number(imei),
    ios_state: { io_ign: true },
    latest: { type: 10 }
  })
  expect(Object.keys((await one('device:last*'))['device'] ?? {})).toEqual(['last_reported'])
  const joined = (await one('device:latest.loc network connection'))['device'] ?? {}
  expect(Object.keys(joined)).toEqual(['latest', 'network', 'connection'])
  expect(joined['latest']).toEqual({ loc: expect.objectContaining({ lat: 40.4168 }) })
  const groups = (await client.get('/groups?select=name,users:*')).body.data as { users: { username: string }[] }[]
  expect(groups[0]?.users.map((user) => user.username)).toContain(client.gateway.user)
  expect(client.gateway.violations).toEqual([])
  expect((await client.get('/vehicles?select=driver:name')).status).toBe(400)
})

test('search reads nested keys, joins several conditions with and, and matches any element of an array', async () => {
  const client = await openGateway()
  const all = (await client.get('/vehicles?set=1000')).body.data as {
    id: number
    info: Record<string, unknown>
    groups: number[]
  }[]
  const wanted = all[3]
  const plate = encodeURIComponent(String(wanted?.info['license_plate']))
  expect((await client.get(`/vehicles?search.info.license_plate=${plate}`)).body.data).toEqual([wanted])
  expect((await client.get(`/vehicles?search.info.license_plate=${plate}&search.name=nobody`)).body.total).toBe(0)
  const second = all.filter((vehicle) => vehicle.groups.some((group) => [2, 9].includes(group)))
  expect((await client.get('/vehicles?search.groups=[2,9]')).body.total).toBe(second.length)
  expect((await client.get(`/vehicles?ids=${all[0]?.id},${all[1]?.id}`)).body.total).toBe(2)
  expect((await client.get('/assets?search.info.email=driver03@example.com')).body.data[0]).toMatchObject({
    name: 'Driver 03'
  })
  expect(client.gateway.violations).toEqual([])
})

test('a SIM is found by the number of the card and by its id, and changed by its id only', async () => {
  const client = await openGateway()
  const sim = (await client.get(`/sims/${iccid}`)).body as { id: number }
  expect((await client.send('PUT', `/sims/${sim.id}`, { line_number: '+34600000000' })).status).toBe(200)
  expect((await client.get(`/sims/${sim.id}`)).body).toMatchObject({ iccid, line_number: '+34600000000' })
  expect(client.gateway.violations).toEqual([])
  expect((await client.send('PUT', `/sims/${iccid}`, { line_number: '1' })).status).toBe(404)
  expect(client.gateway.violations).toHaveLength(1)
})

test('a card that a device reports for the first time gets a SIM record', async () => {
  const client = await openGateway()
  client.gateway.receive(makeReport({ iccid: '89883030000000099999' }))
  expect((await client.get('/sims/89883030000000099999')).status).toBe(200)
})
