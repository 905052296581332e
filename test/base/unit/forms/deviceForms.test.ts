import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createDeviceClient, type DeviceClient } from '../../../../main/device/client/client.ts'
import { createFixWatch } from '../../../../main/device/client/fixWatch.ts'
import { correctGpsEpoch } from '../../../../main/device/client/facts.ts'

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  )
})

/** A device that gives these answers by path. */
async function deviceThatAnswers(bodies: Readonly<Record<string, unknown>>): Promise<DeviceClient> {
  const server = createServer((request, answer) => {
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(bodies[request.url ?? ''] ?? null))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return createDeviceClient({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` })
}

const lines = {
  IGN: true,
  TIG: false,
  PWR: true,
  MOT: false,
  AN1: 0,
  AN2: 0,
  DAN: 0,
  BAT: 4.043,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`IN${n}`, false])),
  ...Object.fromEntries(
    [1, 2, 3, 4].flatMap((n) => [
      [`OUT${n}`, false],
      [`SO${n}`, false]
    ])
  )
}
const system = {
  ram: { total: 506_080, used: 173_300, free: 139_880, available: 343_900 },
  cpu: { currF: 1_000, usage: 24, governor: 'ondemand', stats: { 300: 1_154.5 } },
  rootfs: { total: 444_000, free: 146_600 },
  datafs: { total: 2_255_600, free: 2_035_900 },
  uptime: 101_860,
  loadAvg: [1, 1, 1],
  apexVersion: 'apex-20.45.2',
  releaseDate: '20201109203527',
  sessionCount: 2,
  kernelVersion: '5.4.20',
  netLink: { name: 'wlan0', ip: '192.168.1.111' },
  hostname: 'ft4-861234000000011'
}

const position = {
  coords: { latitude: 4.7, longitude: -74, speed: 0, accuracy: 5, altitude: 2_600, bearing: 90, altitudeAccuracy: 4 },
  timestamp: 1_795_867_200,
  extras: { hdop: 0.9, vdop: 1.2, pdop: 1.5, fix: 3, satsActive: 9, criteria: 'signal' }
}
const partsOf = (part: 'coords' | 'extras') =>
  Object.keys(position[part])
    .filter((name) => name !== 'fix')
    .map((name) => [part, name] as const)

describe('A receiver', () => {
  it.each([...partsOf('coords'), ...partsOf('extras'), ['timestamp', ''] as const])(
    'may leave out what it does not know, or answer null or false: %s %s',
    async (part, name) => {
      for (const told of [undefined, null, false]) {
        const body =
          part === 'timestamp'
            ? { ...position, timestamp: told }
            : { ...position, [part]: { ...position[part], [name]: told } }
        const { value, problems } = await (await deviceThatAnswers({ '/gps/position': body })).gps.position()
        expect(problems).toEqual([])
        expect(part === 'timestamp' ? value.timestamp : (value[part] as Record<string, unknown>)[name]).toBeUndefined()
      }
    }
  )

  it('that answers text in the place of a number, or no fix at all, is told', async () => {
    const { problems } = await (
      await deviceThatAnswers({
        '/gps/position': {
          ...position,
          coords: { ...position.coords, bearing: 'north' },
          extras: { ...position.extras, fix: undefined }
        }
      })
    ).gps.position()
    expect(problems.map(({ values }) => values['path'])).toEqual(['coords.bearing', 'extras.fix'])
  })
})

describe('A device that answers in the forms of the maker’s public page', () => {
  it('has a battery of 4.043 V, which is shown in millivolts as the document has it', async () => {
    const { value, problems, raw } = await (await deviceThatAnswers({ '/IO/all': lines })).io.all()
    expect(value.BAT).toBe(4_043)
    expect(problems).toEqual([])
    expect(raw).toMatchObject({ BAT: 4.043 })
  })

  it.each([
    [4_100, 4_100],
    [2_900, 2_900],
    [0, 0],
    [3, 3_000]
  ])('a battery of %s is %s mV', async (told, mV) => {
    expect((await (await deviceThatAnswers({ '/IO/all': { ...lines, BAT: told } })).io.all()).value.BAT).toBe(mV)
  })

  it.each([41, 12.6, 0.9, 12_400, -3.7])(
    'a battery of %s is neither volts nor millivolts of a cell: its unit is unknown',
    async (told) => {
      const { value, problems } = await (await deviceThatAnswers({ '/IO/all': { ...lines, BAT: told } })).io.all()
      expect(value.BAT).toBeUndefined()
      expect(problems).toMatchObject([{ id: 'forms.unitUnknown', values: { path: 'BAT', seen: String(told) } }])
    }
  )

  it('reads a line that is told as the text true or false', async () => {
    const { value, problems } = await (
      await deviceThatAnswers({ '/IO/all': { ...lines, IGN: 'true', OUT1: 'false' } })
    ).io.all()
    expect(value).toMatchObject({ IGN: true, OUT1: false })
    expect(problems).toEqual([])
  })

  it('has 344 MB of 506 MB of memory, 2.3 GB of storage and a system of the name apexVersion', async () => {
    const { value, problems } = await (await deviceThatAnswers({ '/system-info': system })).system.info()
    expect(value.ram).toEqual({ total: 506_080_000, used: 173_300_000, free: 139_880_000, available: 343_900_000 })
    expect(value.rootfs).toEqual({ total: 444_000_000, free: 146_600_000 })
    expect(value.datafs).toEqual({ total: 2_255_600_000, free: 2_035_900_000 })
    expect(value.cpu).toMatchObject({ currF: 1_000_000, stats: { 300000: 1_154.5 } })
    expect(value.osVersion).toBe('apex-20.45.2')
    expect(problems).toEqual([])
  })

  it('keeps the documented bytes and kilohertz', async () => {
    const ofDocument = {
      ...system,
      ram: { total: 1_038_090_240, used: 402_653_184, free: 0, available: 601_882_624 },
      cpu: { ...system.cpu, currF: 996_000 },
      osVersion: '4.2.1'
    }
    const { value } = await (await deviceThatAnswers({ '/system-info': ofDocument })).system.info()
    expect(value.ram).toEqual(ofDocument.ram)
    expect(value.cpu?.currF).toBe(996_000)
    expect(value.osVersion).toBe('4.2.1')
  })

  it('memory that is neither bytes nor kilobytes of a computer is not shown as a number', async () => {
    const { value, problems } = await (
      await deviceThatAnswers({
        '/system-info': { ...system, ram: { total: 506, used: 173, free: 139, available: 343 } }
      })
    ).system.info()
    expect(value.ram).toEqual({})
    expect(problems.map(({ id, values }) => [id, values['path']])).toEqual(
      ['total', 'used', 'free', 'available'].map((name) => ['forms.unitUnknown', `ram.${name}`])
    )
  })

  it('says that it has stored nothing, where a stored key is missing', async () => {
    const device = await deviceThatAnswers({})
    for (const read of [
      device.modem.information,
      device.modem.configuration,
      device.accel.state,
      device.accel.configuration
    ]) {
      const { value, problems, raw } = await read()
      expect(value).toEqual({})
      expect(raw).toBeNull()
      expect(problems).toMatchObject([{ id: 'forms.nothingStored' }])
    }
  })

  it('an interface without “connected” is read without a problem', async () => {
    const device = await deviceThatAnswers({
      '/eth/state': {
        state: 'Enabled',
        mac: '02:1D:58:3D:5E:9D',
        ip: '192.168.0.11',
        bcast: '192.168.0.255',
        mask: '255.255.255.0',
        rx_bytes: '1',
        tx_bytes: '2'
      }
    })
    expect(await device.eth.state()).toMatchObject({ problems: [], value: { state: 'Enabled', ip: '192.168.0.11' } })
  })
})

describe('The fix of a receiver', () => {
  const at = (fix: unknown, coords = {}) => ({
    '/gps/position': {
      coords: {
        latitude: 4.7,
        longitude: -74.1,
        speed: 0,
        accuracy: 20_000,
        altitude: 0,
        bearing: 0,
        altitudeAccuracy: 0,
        ...coords
      },
      timestamp: 1_795_867_200,
      extras: { hdop: 9, vdop: 9, pdop: 9, fix, satsActive: 3, criteria: 'signal' }
    }
  })
  async function hasFix(bodies: Readonly<Record<string, unknown>>): Promise<boolean> {
    const watch = createFixWatch({
      device: await deviceThatAnswers(bodies),
      signal: new AbortController().signal,
      monotonicMs: () => performance.now(),
      now: () => new Date(1_795_867_200_000)
    })
    await watch.read()
    return watch.hasFix()
  }

  it.each([
    [0, false],
    [1, false],
    [2, true],
    [3, true],
    [4, false],
    [-1, false]
  ])('is its mode: %s is %s', async (fix, has) => {
    expect(await hasFix(at(fix))).toBe(has)
  })

  it('is no position outside of the globe, or at 0, 0', async () => {
    expect(await hasFix(at(3, { latitude: 471_100 }))).toBe(false)
    expect(await hasFix(at(3, { longitude: 181 }))).toBe(false)
    expect(await hasFix(at(3, { latitude: 0, longitude: 0.00001 }))).toBe(false)
  })
})

describe('The time stamp of a device', () => {
  const nowMs = Date.parse('2026-11-28T12:00:00Z')
  const nowS = nowMs / 1000

  it.each([
    ['seconds', nowS, { unixMs: nowMs, assumed: 'unix' }],
    ['seconds of the GPS epoch', nowS - 315_964_782, { unixMs: nowMs, assumed: 'gps' }],
    ['milliseconds', nowMs, { unixMs: nowMs, assumed: 'unix' }],
    [
      '1,024 weeks behind',
      nowS - 7_168 * 86_400,
      { unixMs: nowMs - 7_168 * 86_400_000, assumed: 'unix', rolledWeeks: 1_024 }
    ],
    [
      '2,048 weeks behind',
      nowS - 2 * 7_168 * 86_400 + 40,
      { unixMs: nowMs - 2 * 7_168 * 86_400_000 + 40_000, assumed: 'unix', rolledWeeks: 2_048 }
    ],
    [
      '1,024 weeks behind in the GPS epoch',
      nowS - 315_964_782 - 7_168 * 86_400,
      { unixMs: nowMs - 7_168 * 86_400_000, assumed: 'gps', rolledWeeks: 1_024 }
    ],
    [
      'years off, which may count from either epoch,',
      Date.parse('2004-01-01T00:00:00Z') / 1000,
      { unixMs: Date.parse('2004-01-01T00:00:00Z') + 315_964_782_000, assumed: 'gps', isUnsure: true }
    ],
    ['three days behind', nowS - 3 * 86_400, { unixMs: nowMs - 3 * 86_400_000, assumed: 'unix' }]
  ])('of %s is recognised', (_name, timestamp, read) => {
    expect(correctGpsEpoch(timestamp, nowMs)).toEqual(read)
  })
})

describe('The speed of a device', () => {
  /** Drives straight to the north, one reading each second, and returns the speeds that were read. */
  async function drive(
    metersPerS: (s: number) => number,
    told: (metersPerS: number) => number,
    seconds = 40
  ): Promise<number[]> {
    let s = 0
    let coveredM = 0
    const server = createServer((_request, answer) => {
      const position = {
        coords: {
          latitude: 4.7 + coveredM / 111_195,
          longitude: -74.1,
          speed: told(metersPerS(s)),
          accuracy: 4,
          altitude: 0,
          bearing: 0,
          altitudeAccuracy: 3
        },
        timestamp: Math.floor(Date.now() / 1000) + s,
        extras: { hdop: 1, vdop: 1, pdop: 1, fix: 3, satsActive: 9, criteria: 'signal' }
      }
      answer.setHeader('content-type', 'application/json').end(JSON.stringify(position))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const device = createDeviceClient({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` })
    const read: number[] = []
    for (; s < seconds; s++) {
      read.push((await device.gps.position()).value.coords?.speed ?? NaN)
      coveredM += metersPerS(s)
    }
    return read
  }

  it('in m/s is read in km/h, once the way that it covers has shown it twice', async () => {
    const read = await drive(
      () => 10,
      (metersPerS) => metersPerS
    )
    expect(read[0]).toBe(10)
    expect(read.at(-1)).toBe(36)
  })

  it('in km/h is never taken for m/s, however a vehicle drives', async () => {
    for (const speed of [
      () => 10,
      () => 3,
      () => 30,
      (s: number) => (s % 12) * 3,
      (s: number) => (s < 20 ? s : 40 - s)
    ]) {
      const read = await drive(speed, (metersPerS) => metersPerS * 3.6)
      expect(read).toEqual(Array.from({ length: 40 }, (_, s) => speed(s) * 3.6))
    }
  })
})
