import { expect, test } from 'vitest'
import { createClock, imei, makeReport, openGateway } from './gatewayClient.ts'

async function openVehicle() {
  const clock = createClock()
  const client = await openGateway({ now: clock.now })
  client.gateway.receive(makeReport({ deviceTimeMs: clock.now() }))
  const vid = client.gateway.state.vehicles.find((vehicle) => vehicle.device === Number(imei))?.id ?? 0
  return { clock, client, vid }
}

test('an output command reaches the device, is logged with its user, and twice is a violation', async () => {
  const { client, vid } = await openVehicle()
  const told: unknown[] = []
  client.gateway.onRemoteOutput((command) => told.push(command))
  const body = { otype: 'o', out: 2, state: true }
  const reply = (await client.send('POST', `/vehicles/${vid}/remote/output`, body)).body
  expect(reply).toEqual({ msg: expect.any(String), device_is_online: true, oids: [expect.any(Number)] })
  expect(told).toEqual([{ imei, out: 2, state: true }])
  const log = (await client.get(`/vehicles/${vid}/remote/outputsetlog`)).body
  expect(log).toMatchObject([{ ...body, user: client.gateway.user }])
  expect((await client.get(`/devices/${imei}/remote/outputsetlog`)).body).toEqual(log)
  await client.send('POST', `/vehicles/${vid}/remote/output`, { ...body, state: false })
  expect(client.gateway.violations).toEqual([])
  await client.send('POST', `/vehicles/${vid}/remote/output`, { ...body, state: false })
  expect(client.gateway.violations).toHaveLength(1)
})

test('a command to a device that is away waits and fires when it comes back', async () => {
  const { client, vid, clock } = await openVehicle()
  const told: unknown[] = []
  client.gateway.onRemoteOutput((command) => told.push(command))
  clock.pass(600_000)
  const reply = (await client.send('POST', `/vehicles/${vid}/remote/output`, { otype: 'o', out: 1, state: true })).body
  expect(reply.device_is_online).toBe(false)
  expect(told).toEqual([])
  client.gateway.receive(makeReport({ deviceTimeMs: clock.now() }))
  expect(told).toEqual([{ imei, out: 1, state: true }])
})

test('an expander output and, with nobody playing the device, an output show in ios_state', async () => {
  const { client, vid } = await openVehicle()
  await client.send('POST', `/vehicles/${vid}/remote/output`, { otype: 'e', out: 3, state: true })
  await client.send('POST', `/vehicles/${vid}/remote/output`, { otype: 'o', out: 1, state: true })
  expect((await client.get(`/devices/${imei}?select=ios_state`)).body.ios_state).toMatchObject({
    io_exp_out3: true,
    io_out1: true
  })
})

test('the engine-bus state tells whether the bus was found and what it may carry', async () => {
  const { client, vid, clock } = await openVehicle()
  expect((await client.get(`/vehicles/${vid}/remote/ecu_state`)).body).toMatchObject({
    detected: false,
    engineison: false,
    params: []
  })
  client.gateway.receive(makeReport({ deviceTimeMs: clock.now(), ecu: { detected: true, parameters: ['FUEL_LEVEL'] } }))
  const state = (await client.get(`/vehicles/${vid}/remote/ecu_state`)).body
  expect(state).toMatchObject({ detected: true, engineison: true, upgrading: false })
  expect(state.params).toContainEqual(['ecu_fuel_level', 'FUEL_LEVEL'])
})

test('a photo goes from request through upload to ready, then shows in last, browse and from_event', async () => {
  const { client, vid, clock } = await openVehicle()
  const camera = `/vehicles/${vid}/plugins/photocam`
  const numbers: number[] = []
  const statusNow = async (): Promise<number> => {
    const { body } = await client.get(`${camera}/last`)
    return (body.photos?.[0] ?? body).status_no as number
  }
  expect((await client.get(`${camera}/capture`)).body).toMatchObject({
    device_is_online: true,
    oids: [expect.any(Number)]
  })
  for (let i = 0; i < 5; i++) {
    numbers.push(await statusNow())
    clock.pass(625)
  }
  expect(numbers).toEqual([0, 1, 2, 3, 4])
  const last = (await client.get(`${camera}/last`)).body
  expect(last.photos).toMatchObject([{ status_no: 4, imei: Number(imei), photo_id: 1 }])
  const picture = Buffer.from(last.photos[0].b64data as string, 'base64')
  expect(picture.length).toBe(last.photos[0].size)
  expect([...picture.subarray(0, 2), ...picture.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xd9])

  const [event] = (await client.get(`${camera}/browse?_from=2026-11-20&_to=2026-11-21`)).body
  expect(event).toMatchObject({ vid, dphoto_ptr: 1, lat: 40.4168 })
  const time = String(event.system_time).slice(0, 19)
  expect((await client.get(`${camera}/from_event?event=${event.id}&time=${time}`)).body.photos).toEqual(last.photos)
  expect((await client.get(`${camera}/from_event?event=${event.id}&time=2026-11-20T01:00:00`)).status).toBe(404)
  expect((await client.get(`${camera}/browse`)).status).toBe(400)
})

test('a photo of the flash camera has the status numbers of that camera on its way', async () => {
  const { client, vid, clock } = await openVehicle()
  client.gateway.connectCameras(() => [{ source: 99, isCovered: false, failsWith: null }])
  const camera = `/vehicles/${vid}/plugins/photocam`
  await client.get(`${camera}/capture`)
  const numbers: unknown[] = []
  for (let i = 0; i < 4; i++) {
    numbers.push((await client.get(`${camera}/last`)).body.photos?.[0]?.status_no)
    clock.pass(625)
  }
  expect(numbers).toEqual([0, 0, 3, 3])
})

test('a second photo asked for while one is under way is a doubled effect; one of an absent device waits', async () => {
  const { client, vid, clock } = await openVehicle()
  await client.get(`/vehicles/${vid}/plugins/photocam/capture`)
  await client.get(`/devices/${imei}/plugins/photocam/capture`)
  expect(client.gateway.violations).toHaveLength(1)
  clock.pass(600_000)
  const reply = (await client.get(`/vehicles/${vid}/plugins/photocam/capture`)).body
  expect(reply).toEqual({ msg: expect.any(String), device_is_online: false })
})

test('the navigation unit takes messages of 40 characters once its mode is on', async () => {
  const { client, vid } = await openVehicle()
  const unit = `/vehicles/${vid}/plugins/navscreen`
  const message = { mtype: 'inbox', message: 'x'.repeat(40) }
  expect((await client.send('POST', `${unit}/message`, message)).status).toBe(400)
  await client.send('POST', `${unit}/state`, { new_mode: true })
  expect((await client.get(`${unit}/state`)).body).toEqual({ state: 1, pending: 0 })
  expect((await client.send('POST', `${unit}/message`, message)).body).toMatchObject({
    ts_message_id: 1,
    device_is_online: true
  })
  expect((await client.send('POST', `${unit}/job`, { message: 'Gate 4', flat: 40.1, flon: -3.2 })).body).toMatchObject({
    job_message_id: 2
  })
  expect(client.gateway.violations).toEqual([])
  expect((await client.send('POST', `${unit}/message`, { ...message, message: 'x'.repeat(41) })).status).toBe(400)
  expect((await client.send('POST', `${unit}/job`, { message: 'Tür 4', flat: 40.1, flon: -3.2 })).status).toBe(400)
  const list = (await client.get(`${unit}/message?_from=2026-11-20&upto=10`)).body
  expect(list).toMatchObject({
    skip: 0,
    set: 1,
    total: 1,
    data: [{ msg: message.message, type: 'inbox', imei: Number(imei), deleted: false }]
  })
  expect((await client.send('DELETE', `${unit}/message`)).status).toBe(204)
  expect((await client.get(`${unit}/message?_from=2026-11-20`)).body.data[0].deleted).toBe(true)
})
