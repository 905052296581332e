import { describe, expect, test } from 'vitest'
import * as areas from '../../../preload/contract/device/deviceAreas.ts'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import { post, read, send, simulate } from '../../world/device/simulatedDevice.ts'

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
    expect(await send(device, '/IO/all', { credentials: null })).toMatchObject({
      status: 200,
      type: expect.stringContaining('text/html')
    })
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
    expect(areas.modemInformation.safeParse(await read(device, '/storage/hgetall/modem_information')).success).toBe(
      false
    )
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
    expect(await read(device, '/gps/position')).toMatchObject({
      coords: { latitude: 0 },
      extras: { fix: 0, satsActive: 0 }
    })
  })

  test('noSim and notRegistered show in the modem information', async () => {
    const { device } = await simulate({ faults: ['notRegistered'] })
    expect(await read(device, '/storage/hgetall/modem_information')).toMatchObject({
      GSM_REG: '0',
      GPRS_REG: '0',
      IP: '',
      SIM_STATE: 'READY'
    })
    device.setFault('noSim', true)
    expect(await read(device, '/storage/hgetall/modem_information')).toMatchObject({
      SIM_ID: '',
      SIM_STATE: 'NOT INSERTED'
    })
  })

  test('shortOnOut1 shows on SO1 while OUT1 is on', async () => {
    const { device } = await simulate({ faults: ['shortOnOut1'] })
    expect(await read(device, '/IO/all')).toMatchObject({ SO1: false })
    await post(device, '/IO/OUT1/true')
    expect(await read(device, '/IO/all')).toMatchObject({ OUT1: true, SO1: true })
  })

  test.each(['chatter', 'pwrDropsWhileCranking', 'ignitionWireMissing'] as const)(
    '%s reaches the wiring of the vehicle',
    async (fault) => {
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
    }
  )
})
