import { describe, expect, test } from 'vitest'
import endpoints from '../../../resources/endpoints.json' with { type: 'json' }
import * as areas from '../../../preload/contract/device/deviceAreas.ts'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import { ecuParameter, post, read, samples, send, simulate, type Sent } from '../../world/device/simulatedDevice.ts'

describe('every documented operation of the device API', () => {
  test('has a sample here', () => {
    expect(Object.keys(samples).sort()).toEqual(endpoints.device.map(({ id }) => id).sort())
    expect(endpoints.device).toHaveLength(30)
  })

  test.each(endpoints.device)(
    '$id answers in the documented shape, and not without credentials',
    async ({ id, method, path }) => {
      const { device } = await simulate()
      const sample = samples[id]
      const body = id === 'auth.login' ? { username: device.user, password: device.password } : sample?.body
      const url = sample?.path ?? path
      const answer = await send(device, url, { method, body })
      expect(answer.status).toBe(200)
      if (sample?.schema) expect(sample.schema.safeParse(answer.json)).toMatchObject({ success: true })
      expect(device.violations).toEqual([])

      for (const credentials of [null, `${device.user}:wrong`]) {
        const refused = await send(device, url, { method, body, credentials })
        expect(refused.status).toBe(401)
        const { error } = refused.json as {
          error: { error: Record<string, unknown>; errorText: string; output: string }
        }
        expect(error.error).toMatchObject({ killed: false, code: 1, cmd: expect.any(String) })
        expect(JSON.parse(error.output)).toEqual({ error: 'Invalid Username or Password' })
      }
      expect(device.requests.map(({ operation, status }) => [operation, status])).toEqual([
        [id, 200],
        [id, 401],
        [id, 401]
      ])
    }
  )

  test('the answers hold no field that the document does not name', async () => {
    const { device } = await simulate()
    expect(Object.keys(await read(device, '/storage/hgetall/modem_information')).sort()).toEqual(
      Object.keys(areas.modemInformation.shape).sort()
    )
    expect(Object.keys(await read(device, '/IO/all')).sort()).toEqual(Object.keys(areas.ioState.shape).sort())
    expect(Object.keys(await read(device, '/system-info')).sort()).toEqual(Object.keys(areas.systemInfo.shape).sort())
  })

  test('a wrong password in the body of the login is refused', async () => {
    const { device } = await simulate()
    const answer = await post(device, '/auth/login', { username: device.user, password: 'wrong' })
    expect(answer.status).toBe(401)
    expect((await post(device, '/auth/login', { username: device.user, password: device.password })).json).toEqual({
      user: { name: device.user }
    })
  })

  test('only /system-info answers without credentials where that is asked for', async () => {
    const { device } = await simulate({ openSystemInfo: true })
    expect((await send(device, '/system-info', { credentials: null })).status).toBe(200)
    expect((await send(device, '/gps/position', { credentials: null })).status).toBe(401)
  })
})

describe('settings of a device', () => {
  test('a saved network is listed, joined when its password is right, and removed', async () => {
    const { device } = await simulate()
    const { ssid, password } = device.networks[1]!
    await send(device, `/wifi/add/${encodeURIComponent(ssid)}/${encodeURIComponent(password)}`)
    expect(await read(device, '/wifi/list')).toEqual({ ssids: [ssid] })
    await expect.poll(() => read(device, '/wifi/state')).toMatchObject({ state: 'Completed', connected: true, ssid })
    await send(device, `/wifi/remove/${encodeURIComponent(ssid)}`)
    expect(await read(device, '/wifi/list')).toEqual({ ssids: [] })
    expect(await read(device, '/wifi/state')).toMatchObject({ connected: false })
    await send(device, '/wifi/stop')
    expect(await read(device, '/wifi/state')).toMatchObject({ state: 'Interface_disabled' })
    expect(await read(device, '/wifi/scan')).toEqual({ nets: [] })
  })

  test('a wrong password saves the network and does not join it', async () => {
    let nowMs = 1_800_000_000_000
    const { device } = await simulate({ now: () => nowMs })
    await send(device, '/wifi/add/Yard/wrong')
    nowMs += 5000
    expect(await read(device, '/wifi/state')).toMatchObject({ state: 'Scanning', connected: false })
    await send(device, '/wifi/add/Guests')
    nowMs += 5000
    expect(await read(device, '/wifi/state')).toMatchObject({ connected: true, ssid: 'Guests', key_mgmt: 'None' })
  })

  test('the hotspot takes a new name, hides its password, and disables', async () => {
    const { device } = await simulate()
    await send(device, '/hotspot/edit/Van%207/hunter2hunter2')
    const state = await read(device, '/hotspot/state')
    expect(state).toMatchObject({ state: 'Enabled', ssid: 'Van 7' })
    expect(JSON.stringify(state)).not.toContain('hunter2')
    await send(device, '/hotspot/stop')
    expect(await read(device, '/hotspot/state')).toEqual({ state: 'Disabled' })
  })

  test('the APN reads back, its credentials do not', async () => {
    const { device } = await simulate()
    await post(device, '/storage/edit', { apn: 'm2m.example', user: 'someone', pass: 'hunter2', pin: '4711' })
    const configuration = await read(device, '/storage/hgetall/modem_configuration')
    expect(configuration).toMatchObject({ APN: 'm2m.example' })
    expect(JSON.stringify(configuration)).not.toMatch(/hunter2|4711|someone/)
    expect(device.kept().apn.pass).toBe('hunter2')
  })

  test('OUT1 switches, reads back, and interrupts the starter of the vehicle', async () => {
    const { device } = await simulate()
    expect((await post(device, '/IO/OUT1/true')).status).toBe(200)
    expect(await read(device, '/IO/all')).toMatchObject({ OUT1: true, SO1: false })
    expect(device.vehicle.state().starterBlocked).toBe(true)
    await post(device, '/IO/OUT1/false')
    expect(await read(device, '/IO/all')).toMatchObject({ OUT1: false })
    expect(device.violations).toEqual([])
  })

  test('alignment and engine bus are kept though nothing reads them back', async () => {
    const { device } = await simulate()
    await post(device, '/Accel/AutoAlignment', { state: true })
    await post(device, '/ecu/eculist', ecuParameter)
    await post(device, '/ecu/ecuconfig', samples['ecu.configure']?.body)
    expect(device.kept()).toMatchObject({
      autoAlignments: [{ state: true }],
      ecuParameters: [ecuParameter],
      ecuConfiguration: { PRIMARY_CAN: 'J1939' }
    })
  })

  test('an update walks through the four messages, and a failed check says so', async () => {
    const { device } = await simulate({ faults: ['updateAvailable'] })
    const before = await read(device, '/system-info')
    const told = []
    for (let i = 0; i < 5; i++) told.push((await read(device, '/updates/os/check'))['mess'])
    expect(told).toEqual([
      'Update available',
      'Update in progress. This will take a few minutes',
      'Successfully updated. Device will be restarted in any moment',
      'Up To Date',
      'Up To Date'
    ])
    expect((await read(device, '/system-info'))['osVersion']).not.toBe(before['osVersion'])
    device.setFault('updateCheckFails', true)
    expect(await read(device, '/updates/os/check')).toEqual({ error: 'Error getting file. Try again' })
  })

  test('the console answers a few commands and refuses those that remove files', async () => {
    const { device } = await simulate()
    expect((await post(device, '/exec', { command: 'uptime' })).text).toContain('load average')
    expect((await post(device, '/exec', { command: 'ls /data' })).text).toBe('apps\nlogs\n')
    expect((await post(device, '/exec', { command: 'nosuch' })).text).toContain('not found')
    expect(device.violations).toEqual([])
    for (const command of ['rm -rf /data', 'ls; /bin/rm x', 'find / -delete', 'echo x > /etc/passwd']) {
      expect((await post(device, '/exec', { command })).status).toBe(403)
    }
    expect(device.violations.map(({ kind }) => kind)).toEqual(['refused', 'refused', 'refused', 'refused'])
  })

  test('GPS time counts from the GPS epoch where that is asked for', async () => {
    const now = () => 1_800_000_000_000
    const { device: unix } = await simulate({ now })
    const { device: gps } = await simulate({ now, gpsTimestamp: 'gps' })
    expect((await read(unix, '/gps/position'))['timestamp']).toBe(1_800_000_000)
    expect((await read(gps, '/gps/position'))['timestamp']).toBe(1_800_000_000 - 315_964_800 + 18)
  })

  test('the host name names the IMEI of the modem', async () => {
    const { device } = await simulate({ seed: 9 })
    const { hostname } = (await read(device, '/system-info')) as { hostname: string }
    expect(parseDeviceName(hostname)?.imei).toBe(device.imei)
    expect((await read(device, '/storage/hgetall/modem_information'))['IMEI']).toBe(device.imei)
  })
})

describe('a strict device refuses and records', () => {
  const apn = { apn: 'a', user: '', pass: '', pin: '' }
  const cases: [string, string, Sent, number, RegExp][] = [
    ['a path that is not documented', '/gps', {}, 404, /no such path/],
    ['another letter case', '/io/all', {}, 404, /no such path/],
    ['a trailing slash', '/gps/position/', {}, 404, /no such path/],
    ['another method', '/gps/position', { method: 'POST' }, 405, /another method/],
    ['PUT on a setting', '/storage/edit', { method: 'PUT', body: apn }, 405, /another method/],
    ['a query', '/gps/position?fresh=1', {}, 400, /no query/],
    ['a body where none belongs', '/IO/OUT1/true', { method: 'POST', body: {} }, 400, /no body/],
    ['an output that does not exist', '/IO/OUT5/true', { method: 'POST' }, 400, /OUT1 to OUT4/],
    ['an output by its bare number', '/IO/1/true', { method: 'POST' }, 400, /OUT1 to OUT4/],
    ['a state that is no boolean', '/IO/OUT1/on', { method: 'POST' }, 400, /true or false/],
    ['a missing body', '/storage/edit', { method: 'POST' }, 400, /application\/json/],
    [
      'another content type',
      '/storage/edit',
      { method: 'POST', rawBody: 'apn=a', type: 'application/x-www-form-urlencoded' },
      400,
      /application\/json/
    ],
    ['a body that is not JSON', '/storage/edit', { method: 'POST', rawBody: '{' }, 400, /not JSON/],
    ['a missing field', '/storage/edit', { method: 'POST', body: { apn: 'a', user: '', pass: '' } }, 400, /pin/],
    [
      'a field too many',
      '/storage/edit',
      { method: 'POST', body: { ...apn, auth: 'PAP' } },
      400,
      /not documented: auth/
    ],
    ['a field of another type', '/storage/edit', { method: 'POST', body: { ...apn, pin: 1234 } }, 400, /pin/],
    ['a boolean as text', '/Accel/AutoAlignment', { method: 'POST', body: { state: 'true' } }, 400, /state/],
    ['an offset as text', '/ecu/eculist', { method: 'POST', body: { ...ecuParameter, OFFSET: '0' } }, 400, /OFFSET/],
    [
      'a group that does not exist',
      '/ecu/eculist',
      { method: 'POST', body: { ...ecuParameter, GROUP: 'OTHER' } },
      400,
      /GROUP/
    ],
    [
      'a group number that is not hexadecimal',
      '/ecu/eculist',
      { method: 'POST', body: { ...ecuParameter, PGN: 'FEXX' } },
      400,
      /hexadecimal/
    ],
    ['a huge body', '/storage/edit', { method: 'POST', body: { ...apn, apn: 'a'.repeat(70_000) } }, 400, /64 KiB/]
  ]

  test.each(cases)('%s', async (_, path, sent, status, why) => {
    const { device } = await simulate()
    const before = device.kept()
    expect((await send(device, path, sent)).status).toBe(status)
    expect(device.violations).toMatchObject([
      { kind: 'undocumented', method: sent.method ?? 'GET', why: expect.stringMatching(why) }
    ])
    expect(device.kept()).toEqual(before)
    expect(device.vehicle.state().outputs.OUT1).toBe(false)
  })

  test('a second unit of an effect that is there already; “off” is always right', async () => {
    const { device, simulation } = await simulate()
    await post(device, '/IO/OUT2/false')
    await post(device, '/IO/OUT2/true')
    await post(device, '/IO/OUT2/true')
    await post(device, '/Accel/AutoAlignment', { state: true })
    await post(device, '/Accel/AutoAlignment', { state: true })
    await post(device, '/ecu/eculist', ecuParameter)
    await post(device, '/ecu/eculist', ecuParameter)
    expect(device.violations.map(({ kind, path }) => [kind, path])).toEqual([
      ['doubled', '/IO/OUT2/true'],
      ['doubled', '/Accel/AutoAlignment'],
      ['doubled', '/ecu/eculist']
    ])
    expect(simulation.violations()).toMatchObject([{ from: 'device', imei: device.imei }, {}, {}])
  })

  test('an alignment repeated later is none', async () => {
    let nowMs = 1_800_000_000_000
    const { device } = await simulate({ now: () => nowMs })
    await post(device, '/Accel/AutoAlignment', { state: true })
    nowMs += 5001
    await post(device, '/Accel/AutoAlignment', { state: true })
    expect(device.violations).toEqual([])
  })

  test('without a secret in its records', async () => {
    const { device } = await simulate()
    await send(device, '/wifi/add/Yard/hunter2')
    await send(device, '/hotspot/edit/Van/hunter2')
    await send(device, '/wifi/add/Yard/hunter2/hunter2')
    await send(device, '/gps/position?password=hunter2')
    await post(device, '/storage/edit', {
      apn: 'a',
      user: 'hunter2',
      pass: 'hunter2',
      pin: 'hunter2',
      hunter: 'hunter2'
    })
    await post(device, '/auth/login', { username: 'hunter2', password: 'hunter2' })
    const kept = JSON.stringify([device.requests, device.violations])
    expect(kept).not.toContain('hunter2')
    expect(kept).not.toContain(device.password)
  })
})
