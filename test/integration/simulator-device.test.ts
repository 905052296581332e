import { request as sendRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import endpoints from '../../resources/endpoints.json' with { type: 'json' }
import * as areas from '../../preload/contract/device/deviceAreas.ts'
import { parseDeviceName } from '../../preload/contract/imei.ts'
import { startDevice } from '../../simulator/device/device.ts'
import { makeIdentity } from '../../simulator/identity.ts'
import type { DeviceReport } from '../../simulator/report.ts'
import { startSimulation, type SimulatedDevice, type Simulation, type SimulationOptions } from '../../simulator/simulation.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

async function simulate(options: SimulationOptions = {}): Promise<{ simulation: Simulation; device: SimulatedDevice }> {
  const simulation = await startSimulation(options)
  stops.push(simulation.stop)
  const device = simulation.devices[0]
  if (!device) throw new Error('no device was started')
  return { simulation, device }
}

interface Sent {
  method?: string
  body?: unknown
  rawBody?: string
  type?: string | null
  credentials?: string | null
  limitMs?: number
}

interface Received {
  status: number
  type: string
  text: string
  json: unknown
}

function send(device: SimulatedDevice, path: string, sent: Sent = {}): Promise<Received> {
  const payload = sent.rawBody ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const headers: Record<string, string> = {}
  const credentials = sent.credentials === undefined ? `${device.user}:${device.password}` : sent.credentials
  if (credentials !== null) headers['Authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
  if (payload !== undefined && sent.type !== null) headers['Content-Type'] = sent.type ?? 'application/json'
  return new Promise((resolve, reject) => {
    const request = sendRequest({ host: device.host, port: device.port, path, method: sent.method ?? 'GET', headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text, json: parse(text) })
      })
    })
    request.setTimeout(sent.limitMs ?? 5000, () => request.destroy(new Error('no answer in time')))
    request.on('error', reject)
    request.end(payload)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const post = (device: SimulatedDevice, path: string, body?: unknown) => send(device, path, { method: 'POST', body })
const read = async (device: SimulatedDevice, path: string) => (await send(device, path)).json as Record<string, unknown>

const ecuParameter = {
  PARAM_NAME: 'ecu_speed',
  PGN: 'FEF1',
  TRANSMISSION_RATE: '100',
  PRIORITY: '6',
  DLC: '8',
  LENGTH: '2',
  START_POSITION: '2',
  MULTIPLIER: '0.00390625',
  GROUP: 'SIGNAL',
  OFFSET: 0
}

/** A documented request for each operation, and the schema of its answer where the document shows one. */
const samples: Record<string, { path?: string; body?: unknown; schema?: { safeParse: (value: unknown) => { success: boolean } } }> = {
  'auth.login': { body: { username: 'trainee', password: 'filled in below' } },
  'exec.run': { body: { command: 'uptime' } },
  'gps.position': { schema: areas.gpsPosition },
  'eth.state': { schema: areas.ethernetState },
  'wifi.state': { schema: areas.wifiState },
  'wifi.start': {},
  'wifi.stop': {},
  'wifi.reset': {},
  'wifi.list': { schema: areas.wifiList },
  'wifi.scan': { schema: areas.wifiScan },
  'wifi.add': { path: '/wifi/add/Yard/not-a-secret-yard' },
  'wifi.remove': { path: '/wifi/remove/Yard' },
  'hotspot.list': { schema: areas.hotspotList },
  'hotspot.state': { schema: areas.hotspotState },
  'hotspot.edit': { path: '/hotspot/edit/Van/not-a-secret' },
  'hotspot.start': {},
  'hotspot.stop': {},
  'modem.information': { schema: areas.modemInformation },
  'modem.configuration': { schema: areas.modemConfiguration },
  'modem.editApn': { body: { apn: 'm2m.example', user: 'u', pass: 'p', pin: '0000' } },
  'io.all': { schema: areas.ioState },
  'io.setOutput': { path: '/IO/OUT2/true' },
  'accel.state': { schema: areas.accelerometerState },
  'accel.configuration': { schema: areas.accelerometerConfiguration },
  'accel.autoAlignment': { body: { state: true } },
  'system.info': { schema: areas.systemInfo },
  'updates.osCheck': { schema: areas.osUpdate },
  'apps.list': { schema: areas.applications },
  'ecu.addParameter': { body: ecuParameter },
  'ecu.configure': { body: { PRIMARY_CAN: 'J1939', SECONDARY_CAN: 'NONE', J1708: 'FALSE', LISTEN_ONLY_MODE: 'NONE' } }
}

describe('every documented operation of the device API', () => {
  test('has a sample here', () => {
    expect(Object.keys(samples).sort()).toEqual(endpoints.device.map(({ id }) => id).sort())
    expect(endpoints.device).toHaveLength(30)
  })

  test.each(endpoints.device)('$id answers in the documented shape, and not without credentials', async ({ id, method, path }) => {
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
      const { error } = refused.json as { error: { error: Record<string, unknown>; errorText: string; output: string } }
      expect(error.error).toMatchObject({ killed: false, code: 1, cmd: expect.any(String) })
      expect(JSON.parse(error.output)).toEqual({ error: 'Invalid Username or Password' })
    }
    expect(device.requests.map(({ operation, status }) => [operation, status])).toEqual([
      [id, 200],
      [id, 401],
      [id, 401]
    ])
  })

  test('the answers hold no field that the document does not name', async () => {
    const { device } = await simulate()
    expect(Object.keys(await read(device, '/storage/hgetall/modem_information')).sort()).toEqual(Object.keys(areas.modemInformation.shape).sort())
    expect(Object.keys(await read(device, '/IO/all')).sort()).toEqual(Object.keys(areas.ioState.shape).sort())
    expect(Object.keys(await read(device, '/system-info')).sort()).toEqual(Object.keys(areas.systemInfo.shape).sort())
  })

  test('a wrong password in the body of the login is refused', async () => {
    const { device } = await simulate()
    const answer = await post(device, '/auth/login', { username: device.user, password: 'wrong' })
    expect(answer.status).toBe(401)
    expect((await post(device, '/auth/login', { username: device.user, password: device.password })).json).toEqual({ user: { name: device.user } })
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
    ['another content type', '/storage/edit', { method: 'POST', rawBody: 'apn=a', type: 'application/x-www-form-urlencoded' }, 400, /application\/json/],
    ['a body that is not JSON', '/storage/edit', { method: 'POST', rawBody: '{' }, 400, /not JSON/],
    ['a missing field', '/storage/edit', { method: 'POST', body: { apn: 'a', user: '', pass: '' } }, 400, /pin/],
    ['a field too many', '/storage/edit', { method: 'POST', body: { ...apn, auth: 'PAP' } }, 400, /not documented: auth/],
    ['a field of another type', '/storage/edit', { method: 'POST', body: { ...apn, pin: 1234 } }, 400, /pin/],
    ['a boolean as text', '/Accel/AutoAlignment', { method: 'POST', body: { state: 'true' } }, 400, /state/],
    ['an offset as text', '/ecu/eculist', { method: 'POST', body: { ...ecuParameter, OFFSET: '0' } }, 400, /OFFSET/],
    ['a group that does not exist', '/ecu/eculist', { method: 'POST', body: { ...ecuParameter, GROUP: 'OTHER' } }, 400, /GROUP/],
    ['a group number that is not hexadecimal', '/ecu/eculist', { method: 'POST', body: { ...ecuParameter, PGN: 'FEXX' } }, 400, /hexadecimal/],
    ['a huge body', '/storage/edit', { method: 'POST', body: { ...apn, apn: 'a'.repeat(70_000) } }, 400, /64 KiB/]
  ]

  test.each(cases)('%s', async (_, path, sent, status, why) => {
    const { device } = await simulate()
    const before = device.kept()
    expect((await send(device, path, sent)).status).toBe(status)
    expect(device.violations).toMatchObject([{ kind: 'undocumented', method: sent.method ?? 'GET', why: expect.stringMatching(why) }])
    expect(device.kept()).toEqual(before)
    expect(device.vehicle.state().outputs.OUT1).toBe(false)
  })

  test('a second unit of an effect that is there already', async () => {
    const { device, simulation } = await simulate()
    await post(device, '/IO/OUT2/false')
    await post(device, '/Accel/AutoAlignment', { state: true })
    await post(device, '/Accel/AutoAlignment', { state: true })
    await post(device, '/ecu/eculist', ecuParameter)
    await post(device, '/ecu/eculist', { ...ecuParameter, MULTIPLIER: '1' })
    expect(device.violations.map(({ kind, path }) => [kind, path])).toEqual([
      ['doubled', '/IO/OUT2/false'],
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
    await post(device, '/storage/edit', { apn: 'a', user: 'hunter2', pass: 'hunter2', pin: 'hunter2', hunter: 'hunter2' })
    await post(device, '/auth/login', { username: 'hunter2', password: 'hunter2' })
    const kept = JSON.stringify([device.requests, device.violations])
    expect(kept).not.toContain('hunter2')
    expect(kept).not.toContain(device.password)
  })
})

describe('a fault', () => {
  test.each(['reset', 'dropsReply'] as const)('%s ends the connection without an answer', async (fault) => {
    const { device } = await simulate({ faults: [fault] })
    await expect(post(device, '/IO/OUT3/true')).rejects.toThrow(/ECONNRESET|hang up/)
    // The reply was lost after the effect, or the request before it.
    expect(device.vehicle.state().outputs.OUT3).toBe(fault === 'dropsReply')
  })

  test('hang never answers, and ends when it is told to', async () => {
    const { device } = await simulate({ faults: ['hang'] })
    await expect(send(device, '/gps/position', { limitMs: 300 })).rejects.toThrow(/in time/)
    device.setFault('hang', false)
    expect((await send(device, '/gps/position')).status).toBe(200)
  })

  test('stopsAnswering answers the first requests only', async () => {
    const { device } = await simulate({ faults: ['stopsAnswering'], stopsAfterRequests: 2 })
    await send(device, '/gps/position')
    await send(device, '/gps/position')
    await expect(send(device, '/gps/position', { limitMs: 300 })).rejects.toThrow(/in time/)
  })

  test('slow answers late', async () => {
    const { device } = await simulate({ faults: ['slow'], slowMs: 250 })
    const beganMs = performance.now()
    expect((await send(device, '/gps/position')).status).toBe(200)
    expect(performance.now() - beganMs).toBeGreaterThan(240)
  })

  test('html answers with a page and 200', async () => {
    const { device } = await simulate({ faults: ['html'] })
    expect(await send(device, '/IO/all', { credentials: null })).toMatchObject({ status: 200, type: expect.stringContaining('text/html') })
  })

  test('truncated cuts the JSON in the middle', async () => {
    const { device } = await simulate({ faults: ['truncated'] })
    const answer = await send(device, '/IO/all')
    expect(answer).toMatchObject({ status: 200, type: expect.stringContaining('application/json'), json: undefined })
    expect(answer.text.length).toBeGreaterThan(20)
  })

  test('wrongTypes changes the type of every value', async () => {
    const { device } = await simulate({ faults: ['wrongTypes'] })
    const io = await read(device, '/IO/all')
    expect(io).toMatchObject({ IGN: 'false', AN2: '0' })
    expect(areas.gpsPosition.safeParse(await read(device, '/gps/position')).success).toBe(false)
    expect(areas.modemInformation.safeParse(await read(device, '/storage/hgetall/modem_information')).success).toBe(false)
  })

  test('extraFields adds fields and keeps the documented ones', async () => {
    const { device } = await simulate({ faults: ['extraFields'] })
    const position = await read(device, '/gps/position')
    expect(areas.gpsPosition.safeParse(position).success).toBe(true)
    expect(position).toMatchObject({ undocumented: {}, coords: { undocumented: {} } })
  })

  test.each([
    ['unauthorized', 401],
    ['notFound', 404],
    ['serverError', 500]
  ] as const)('%s answers %i and changes nothing', async (fault, status) => {
    const { device } = await simulate({ faults: [fault] })
    expect((await post(device, '/IO/OUT3/true')).status).toBe(status)
    expect(device.vehicle.state().outputs.OUT3).toBe(false)
  })

  test('huge answers with 30 MB', async () => {
    const { device } = await simulate({ faults: ['huge'] })
    expect((await send(device, '/IO/all')).text.length).toBeGreaterThan(30_000_000)
  })

  test('holds for one operation where one is named', async () => {
    const { device } = await simulate()
    device.setFault('serverError', true, 'gps.position')
    expect((await send(device, '/gps/position')).status).toBe(500)
    expect((await send(device, '/IO/all')).status).toBe(200)
    expect(device.faults()).toEqual(['serverError'])
    device.setFault('serverError', false, 'gps.position')
    expect((await send(device, '/gps/position')).status).toBe(200)
    expect(device.faults()).toEqual([])
  })

  test('impostor answers with the host name of another valid device', async () => {
    const { device } = await simulate({ faults: ['impostor'] })
    const { hostname } = (await read(device, '/system-info')) as { hostname: string }
    expect(parseDeviceName(hostname)?.imei).toMatch(/^\d{15}$/)
    expect(parseDeviceName(hostname)?.imei).not.toBe(device.imei)
  })

  test('noFix has no satellites and fix status 0', async () => {
    const { device } = await simulate({ faults: ['noFix'] })
    expect(await read(device, '/gps/position')).toMatchObject({ coords: { latitude: 0 }, extras: { fix: 0, satsActive: 0 } })
  })

  test('noSim and notRegistered show in the modem information', async () => {
    const { device } = await simulate({ faults: ['notRegistered'] })
    expect(await read(device, '/storage/hgetall/modem_information')).toMatchObject({ GSM_REG: '0', GPRS_REG: '0', IP: '', SIM_STATE: 'READY' })
    device.setFault('noSim', true)
    expect(await read(device, '/storage/hgetall/modem_information')).toMatchObject({ SIM_ID: '', SIM_STATE: 'NOT INSERTED' })
  })

  test('shortOnOut1 shows on SO1 while OUT1 is on', async () => {
    const { device } = await simulate({ faults: ['shortOnOut1'] })
    expect(await read(device, '/IO/all')).toMatchObject({ SO1: false })
    await post(device, '/IO/OUT1/true')
    expect(await read(device, '/IO/all')).toMatchObject({ OUT1: true, SO1: true })
  })

  test.each(['chatter', 'pwrDropsWhileCranking', 'ignitionWireMissing'] as const)('%s reaches the wiring of the vehicle', async (fault) => {
    let nowMs = 1_800_000_000_000
    const { device } = await simulate({ faults: [fault], now: () => nowMs })
    device.vehicle.turnKey('crank')
    const seen = []
    for (let i = 0; i < 8; i++) {
      nowMs += 150
      seen.push(await read(device, '/IO/all'))
    }
    if (fault === 'chatter') expect(new Set(seen.map(({ IN1 }) => IN1)).size).toBe(2)
    if (fault === 'pwrDropsWhileCranking') expect(seen[2]).toMatchObject({ PWR: false })
    if (fault === 'ignitionWireMissing') expect(seen.every(({ IGN }) => IGN === false)).toBe(true)
  })
})

describe('reports of a device', () => {
  async function startReporting(options: { faults?: ('noFix' | 'notRegistered')[] } = {}) {
    const reports: DeviceReport[] = []
    let nowMs = 1_800_000_000_000
    const device = await startDevice({
      identity: makeIdentity(1, 0),
      model: 'ft4',
      user: 'u',
      password: 'p',
      host: '127.0.0.1',
      seed: 1,
      now: () => nowMs,
      reportEveryMs: 30,
      report: (report) => reports.push(report),
      ...options
    })
    stops.push(device.stop)
    return { device, reports, pass: (ms: number) => (nowMs += ms) }
  }

  test('begin with a connection message and go on with regular events and keep-alives', async () => {
    const { reports, device } = await startReporting()
    await expect.poll(() => reports.some(({ type }) => type === 100)).toBe(true)
    expect(reports[0]).toMatchObject({ type: 110, imei: device.imei, sequence: 1 })
    expect(reports[1]).toMatchObject({ type: 10, validPosition: true, iccid: device.iccid, io: { ign: false, pwr: true } })
    expect(reports.map(({ sequence }) => sequence)).toEqual(reports.map((_, index) => index + 1))
  })

  test('tell a changed line at once', async () => {
    const { reports, device } = await startReporting()
    device.vehicle.setInput('IN3', true)
    device.vehicle.turnKey('on')
    expect(reports.slice(-2)).toMatchObject([
      { type: 11, label: 'in3on', io: { in3: true, ign: false } },
      { type: 11, label: 'ignon', io: { in3: true, ign: true } }
    ])
  })

  test('are empty events without a fix', async () => {
    const { reports } = await startReporting({ faults: ['noFix'] })
    expect(reports.at(-1)).toMatchObject({ type: 20, lat: 0, lon: 0, validPosition: false })
  })

  test('wait while the device is not registered and arrive later as backlog', async () => {
    const { reports, device, pass } = await startReporting({ faults: ['notRegistered'] })
    device.vehicle.setInput('IN1', true)
    expect(reports).toEqual([])
    device.setFault('notRegistered', false)
    pass(1_000)
    device.vehicle.setInput('IN2', true)
    expect(reports.map(({ type }) => type)).toContain(13)
    expect(reports.at(-1)).toMatchObject({ label: 'in2on' })
  })

  test('carry the engine bus once it is configured and the engine has run', async () => {
    const { reports, device, pass } = await startReporting()
    await post({ ...device, user: 'u', password: 'p' }, '/ecu/eculist', ecuParameter)
    await post({ ...device, user: 'u', password: 'p' }, '/ecu/ecuconfig', samples['ecu.configure']?.body)
    device.vehicle.setInput('IN4', true)
    expect(reports.at(-1)).toMatchObject({ label: 'in4on', ecu: { detected: false, parameters: ['ecu_speed'] } })
    device.vehicle.turnKey('crank')
    pass(3_000)
    device.vehicle.setInput('IN1', true)
    expect(reports.at(-1)).toMatchObject({ engineOn: true, ecu: { detected: true, parameters: ['ecu_speed'] } })
  })
})

describe('a simulation', () => {
  test('has as many devices as asked for, each with its own identity and port', async () => {
    const { simulation } = await simulate({ devices: 4, seed: 2 })
    expect(new Set(simulation.devices.map(({ imei }) => imei)).size).toBe(4)
    expect(new Set(simulation.devices.map(({ port }) => port)).size).toBe(4)
    for (const device of simulation.devices) expect((await send(device, '/IO/all')).status).toBe(200)
  })

  test('with the same seed gives the same answers', async () => {
    const now = () => 1_800_000_000_000
    const { device: one } = await simulate({ seed: 5, now })
    const { device: other } = await simulate({ seed: 5, now })
    const { device: third } = await simulate({ seed: 6, now })
    const all = async (device: SimulatedDevice) => {
      const answers = []
      for (const path of ['/gps/position', '/IO/all', '/wifi/scan', '/storage/hgetall/modem_information']) answers.push((await send(device, path)).text)
      return answers
    }
    expect(await all(other)).toEqual(await all(one))
    expect(await all(third)).not.toEqual(await all(one))
    expect([other.user, other.password]).toEqual([one.user, one.password])
  })

  test('with a gateway sends it the reports of every device and takes its remote commands', async () => {
    const { simulation, device } = await simulate({ devices: 2, gateway: true, gatewayDelayMs: 20, reportEveryMs: 100 })
    const gateway = simulation.gateway!
    const call = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(gateway.url + path, { ...init, headers: { 'Content-Type': 'application/json', ...init.headers } })
      return (await answer.json()) as Record<string, unknown>
    }
    const { user: username, password } = gateway
    const { auth } = await call('/login', { method: 'POST', body: JSON.stringify({ username, password }) })
    const headers = { Authenticate: String(auth) }
    device.vehicle.setInput('IN2', true)
    await expect
      .poll(() => call(`/devices/${device.imei}?select=ios_state`, { headers }))
      .toMatchObject({ ios_state: { io_in2: true, io_ign: false } })

    const from = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)
    const { events } = (await call(`/rawdata?from=${from}&fields=$basic`, { headers })) as { events: { device_id: number; label: string }[] }
    expect(events.filter(({ label }) => label === 'conn').map(({ device_id }) => String(device_id)).sort()).toEqual(simulation.devices.map(({ imei }) => imei).sort())

    const { data } = (await call('/vehicles?set=100', { headers })) as { data: { id: number; device: number }[] }
    const vehicle = data.find((entry) => String(entry.device) === device.imei)!
    await call(`/vehicles/${vehicle.id}/remote/output`, { method: 'POST', headers, body: JSON.stringify({ otype: 'i', out: 2, state: true }) })
    await expect.poll(() => read(device, '/IO/all')).toMatchObject({ OUT2: true })
    expect(simulation.devices[1]!.vehicle.state().outputs.OUT2).toBe(false)
    expect(simulation.violations()).toEqual([])
  })

  test('leaves no server behind when it stops, even with a request that hangs', async () => {
    const { simulation, device } = await simulate({ faults: ['hang'] })
    const hanging = send(device, '/gps/position').catch((error: Error) => error.message)
    await expect.poll(() => device.requests.length).toBe(1)
    await simulation.stop()
    expect(await hanging).toMatch(/ECONNRESET|hang up/)
    await expect(send(device, '/gps/position')).rejects.toThrow(/ECONNREFUSED/)
  })
})
