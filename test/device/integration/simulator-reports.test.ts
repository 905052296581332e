import { describe, expect, onTestFinished, test } from 'vitest'
import { startDevice } from '../../../simulator/device/device.ts'
import { makeIdentity } from '../../../simulator/identity.ts'
import type { DeviceReport } from '../../../simulator/report.ts'
import type { SimulatedDevice } from '../../../simulator/simulation.ts'
import { ecuParameter, post, read, samples, send, simulate } from '../../world/device/simulatedDevice.ts'

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
    onTestFinished(() => device.stop())
    return { device, reports, pass: (ms: number) => (nowMs += ms) }
  }

  test('begin with a connection message and go on with regular events and keep-alives', async () => {
    const { reports, device } = await startReporting()
    await expect.poll(() => reports.some(({ type }) => type === 100)).toBe(true)
    expect(reports[0]).toMatchObject({ type: 110, imei: device.imei, sequence: 1 })
    expect(reports[1]).toMatchObject({
      type: 10,
      validPosition: true,
      iccid: device.iccid,
      io: { ign: false, pwr: true }
    })
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
      for (const path of ['/gps/position', '/IO/all', '/wifi/scan', '/storage/hgetall/modem_information'])
        answers.push((await send(device, path)).text)
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
      const answer = await fetch(gateway.url + path, {
        ...init,
        headers: { 'Content-Type': 'application/json', ...init.headers }
      })
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
    const { events } = (await call(`/rawdata?from=${from}&fields=$basic`, { headers })) as {
      events: { device_id: number; label: string }[]
    }
    expect(
      events
        .filter(({ label }) => label === 'conn')
        .map(({ device_id }) => String(device_id))
        .sort()
    ).toEqual(simulation.devices.map(({ imei }) => imei).sort())

    const { data } = (await call('/vehicles?set=100', { headers })) as { data: { id: number; device: number }[] }
    const vehicle = data.find((entry) => String(entry.device) === device.imei)!
    await call(`/vehicles/${vehicle.id}/remote/output`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ otype: 'i', out: 2, state: true })
    })
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
