import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { LiveReading } from '../../../../preload/contract/device/workspace.ts'
import { fact as factSchema, factNames, type Fact, type FactName } from '../../../../preload/contract/support/facts.ts'
import type { Tolerances } from '../../../../preload/contract/support/tolerances.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { compareFacts } from '../../../../main/support/diagnosis/facts/facts.ts'
import type { Evidence, SeenEvent } from '../../../../preload/contract/support/evidence.ts'

const imei = '867698040023056'
const nowMs = Date.parse('2026-11-22T10:00:00Z')
const at = new Date(nowMs).toISOString()
const tolerances: Tolerances = {
  lastContactS: 300,
  positionM: 50,
  satellites: 3,
  hdop: 1,
  speedKmh: 5,
  headingDeg: 30,
  signalDb: 10,
  clockS: 5,
  gatewayAgeS: 300,
  lineAgeS: 60,
  momentS: 10
}

type Fields = Record<string, unknown>
interface Given {
  gps?: Fields
  io?: Fields
  modem?: Fields
  system?: Fields
  event?: Partial<SeenEvent>
  eventAgeS?: number
  lines?: Record<string, boolean>
  linesAgeS?: number | null
  lately?: NonNullable<NonNullable<Evidence['device']>['lately']>
  device?: null
  gateway?: Partial<NonNullable<Evidence['gateway']>> | null
}

function reading(value: unknown, problems: LiveReading['problems'] = []): LiveReading {
  return { value: value as LiveReading['value'], raw: null, problems, readAt: at, elapsedMs: 3, failure: null }
}

const vehicleWith = (its: string) => ({ id: 7, name: 'Unit 0007', plate: null, groups: null, imei: its })
function seenEvent(told: Partial<SeenEvent>): SeenEvent {
  return {
    eventAtMs: nowMs,
    arrivedAtMs: nowMs,
    type: 10,
    label: null,
    imei,
    vehicleId: 7,
    latitude: 4.711,
    longitude: -74.0721,
    isPositionValid: true,
    speedKmh: 0,
    headingDeg: 90,
    satellites: 11,
    hdop: 0.8,
    signalDbm: -81,
    raw: null,
    ...told
  }
}

function evidenceOf({
  gps = {},
  io = {},
  modem = {},
  system = {},
  event = {},
  eventAgeS = 5,
  lines = {},
  linesAgeS = 5,
  lately,
  device,
  gateway = {}
}: Given = {}): Evidence {
  const { fix = 3, satsActive = 11, hdop = 0.8, timestamp = nowMs / 1000, ...coords } = gps
  const seen = seenEvent({ eventAtMs: nowMs - eventAgeS * 1000, arrivedAtMs: nowMs - (eventAgeS - 2) * 1000, ...event })
  const readAt = at
  return {
    at,
    imei,
    vehicleText: null,
    expected: { apn: null, simId: null, from: null },
    device:
      device === null
        ? null
        : {
            state: 'answers',
            why: null,
            host: '127.0.0.1:8080',
            lately: lately ?? null,
            readings: {
              'gps.position': reading({
                coords: { latitude: 4.711, longitude: -74.0721, speed: 0, bearing: 90, ...coords },
                timestamp,
                extras: { fix, satsActive, hdop }
              }),
              'io.all': reading({
                IGN: true,
                TIG: true,
                PWR: true,
                IN1: false,
                IN4: true,
                OUT1: false,
                OUT3: false,
                SO1: false,
                ...io
              }),
              'modem.information': reading({
                IMEI: imei,
                SIM_ID: '8957000000000000001',
                RSSI: '-81',
                OPERATOR: 'Claro',
                IP: '10.20.30.40',
                SIM_TYPE: 'EXTERNAL',
                ...modem
              }),
              'modem.configuration': reading({ APN: 'fleet.example' }),
              'system.info': reading({ hostname: `ft4-${imei}`, osVersion: '24.10.1', ...system }),
              'accel.state': reading({ FW_VERSION: '1.4' })
            }
          },
    gateway:
      gateway === null
        ? null
        : {
            state: 'answers',
            why: null,
            aheadS: 0,
            user: null,
            elsewhere: null,
            stays: [],
            eventsSinceAt: null,
            refused: {},
            vehicle: { value: vehicleWith(imei), readAt },
            record: { value: { imei, simIds: ['89570000000000000019'], raw: null }, readAt },
            sim: null,
            lines: {
              value: {
                values: { io_ign: true, io_pwr: true, io_in1: false, io_out1: false, io_out1_short: false, ...lines },
                atMs: linesAgeS === null ? null : nowMs - linesAgeS * 1000,
                raw: null
              },
              readAt
            },
            engineBus: {
              value: {
                isDetected: true,
                isEngineOn: true,
                protocol: null,
                firmware: null,
                atMs: nowMs - 5_000,
                raw: null
              },
              readAt
            },
            distanceM: { value: 84_120_000, readAt },
            events: { value: [seen], readAt },
            ...gateway
          }
  }
}
const compare = (given: Given, limits: Partial<Tolerances> = {}) =>
  compareFacts(evidenceOf(given), { ...tolerances, ...limits })
const find = (facts: Fact[], name: FactName) => facts.find(({ fact }) => fact === name)
const verdict = (name: FactName, given: Given) => find(compare(given), name)?.verdict

test('a device that is well and a gateway that has just heard it agree, and what only one can say is no failure', () => {
  const facts = compare({})
  expect(Object.fromEntries(facts.map(({ fact, verdict: one }) => [fact, one]))).toEqual({
    ...Object.fromEntries(
      [
        'lastContact',
        'position',
        'validFix',
        'satellites',
        'hdop',
        'speed',
        'ignition',
        'power',
        'in1',
        'out1',
        'so1',
        'signal',
        'sim',
        'clock',
        'imei',
        'hostName',
        'vehicleDevice'
      ].map((name) => [name, 'agree'])
    ),
    ...Object.fromEntries(
      ['engine', 'in4', 'out3', 'operator', 'address', 'apn', 'os', 'accelerometer'].map((name) => [name, 'notExposed'])
    ),
    ecu: 'onlyGateway',
    distance: 'onlyGateway'
  })
  expect(facts.map(({ fact }) => factNames.indexOf(fact))).toEqual(
    facts.map(({ fact }) => factNames.indexOf(fact)).sort((a, b) => a - b)
  )
  for (const one of facts) expect(factSchema.parse(one)).toEqual(one)
})

describe('Each fact is held against its own measure', () => {
  const cases: [FactName, Fact['verdict'], Given][] = [
    ['lastContact', 'differ', { eventAgeS: 2_820, linesAgeS: 2_820 }],
    ['position', 'agree', { event: { latitude: 4.71135 } }],
    ['position', 'differ', { event: { latitude: 4.7119 } }],
    ['position', 'stale', { event: { latitude: 4.7119 }, eventAgeS: 301 }],
    ['position', 'stale', { event: { latitude: 4.711 }, eventAgeS: 301 }],
    ['position', 'stale', { gps: { speed: 50 }, event: { latitude: 4.7119, speedKmh: 50 }, eventAgeS: 30 }],
    ['position', 'stale', { gps: { speed: 50 }, event: { latitude: 4.712, speedKmh: 50 }, eventAgeS: 8 }],
    ['position', 'differ', { gps: { speed: 50 }, event: { latitude: 4.8, speedKmh: 50 }, eventAgeS: 8 }],
    ['position', 'onlyDevice', { event: { isPositionValid: false } }],
    ['position', 'onlyGateway', { gps: { fix: 0 } }],
    ['validFix', 'differ', { gps: { fix: 0 } }],
    ['validFix', 'agree', { gps: { fix: 0 }, event: { isPositionValid: false } }],
    ['satellites', 'agree', { event: { satellites: 9 } }],
    ['satellites', 'differ', { event: { satellites: 4 } }],
    ['satellites', 'stale', { event: { satellites: 4 }, eventAgeS: 12 }],
    ['satellites', 'onlyDevice', { event: { satellites: null } }],
    ['hdop', 'differ', { event: { hdop: 3.1 } }],
    ['speed', 'agree', { gps: { speed: 50 }, event: { speedKmh: 50.1 } }],
    ['speed', 'differ', { gps: { speed: 50 }, event: { speedKmh: 180 } }],
    ['heading', 'agree', { gps: { speed: 50, bearing: 350 }, event: { speedKmh: 50, headingDeg: 10 } }],
    ['heading', 'differ', { gps: { speed: 50, bearing: 350 }, event: { speedKmh: 50, headingDeg: 90 } }],
    ['ignition', 'differ', { lines: { io_ign: false } }],
    ['ignition', 'stale', { lines: { io_ign: false }, linesAgeS: 61 }],
    ['ignition', 'stale', { linesAgeS: 301 }],
    ['ignition', 'stale', { lines: { io_ign: false }, linesAgeS: null }],
    ['ignition', 'agree', { linesAgeS: null }],
    ['so1', 'differ', { io: { SO1: true } }],
    ['signal', 'agree', { modem: { RSSI: '11' }, event: { signalDbm: -87 } }],
    ['signal', 'differ', { modem: { RSSI: '-60' } }],
    ['signal', 'onlyDevice', { event: { signalDbm: null } }],
    ['signal', 'onlyGateway', { modem: { RSSI: '99,99' } }],
    ['sim', 'differ', { modem: { SIM_ID: '8957000000000000999' } }],
    [
      'sim',
      'agree',
      {
        gateway: {
          record: { value: { imei, simIds: [], raw: null }, readAt: at },
          sim: { value: { raw: null }, readAt: at }
        }
      }
    ],
    ['sim', 'onlyDevice', { gateway: { record: { value: { imei, simIds: [], raw: null }, readAt: at } } }],
    ['clock', 'agree', { gps: { timestamp: nowMs / 1000 - 315_964_782 } }],
    ['clock', 'differ', { gps: { timestamp: nowMs / 1000 - 90 } }],
    ['clock', 'onlyDevice', { gateway: { state: 'away', why: plainMessage('away') } }],
    ['imei', 'differ', { modem: { IMEI: '356938035643809' } }],
    ['hostName', 'differ', { system: { hostname: 'ft4-356938035643809' } }],
    ['vehicleDevice', 'differ', { gateway: { vehicle: { value: vehicleWith('356938035643809'), readAt: at } } }],
    ['vehicleDevice', 'onlyDevice', { gateway: { vehicle: { value: null, readAt: at } } }],
    ['in4', 'notExposed', { lines: { io_in4: false } }],
    ['out3', 'notExposed', { lines: { io_out3: true } }]
  ]
  it.each(cases)('%s: %s', (name, expected, given) => expect(verdict(name, given)).toBe(expected))
})

test('a line that was switched after the gateway heard it is of another time; one that was so before contradicts', () => {
  const switchedBefore = (...changes: [number, boolean | null][]) => ({
    lately: {
      sinceAt: at,
      lines: [
        { name: 'IGN', changes: changes.map(([agoS, isOn]): [number, boolean | null] => [nowMs - agoS * 1000, isOn]) }
      ]
    }
  })
  const off = { lines: { io_ign: false }, linesAgeS: 40 }
  expect(verdict('ignition', { ...off, ...switchedBefore([300, false], [20, true]) })).toBe('stale')
  expect(verdict('ignition', { ...off, ...switchedBefore([300, false], [50, true]) })).toBe('differ')
  expect(verdict('ignition', { ...off, linesAgeS: 200, ...switchedBefore([290, true]) })).toBe('differ')
  expect(verdict('ignition', { ...off, linesAgeS: 1, ...switchedBefore([290, false]) })).toBe('stale')
  expect(verdict('ignition', { ...off, linesAgeS: 200, ...switchedBefore([100, true]) })).toBe('stale')
})

test('what could not be read is no value and says why', () => {
  const wrong = { id: 'reading.wrong', values: { path: 'extras.hdop', wanted: 'number', seen: 'text' } }
  const evidence = evidenceOf()
  evidence.device = {
    ...evidence.device!,
    readings: {
      ...evidence.device?.readings,
      'gps.position': reading(
        { coords: { latitude: 4.711, longitude: -74.0721, speed: 9_999 }, extras: { fix: 3, satsActive: -4 } },
        [wrong]
      )
    }
  }
  const facts = compareFacts(evidence, tolerances)
  expect(find(facts, 'hdop')).toMatchObject({ device: null, verdict: 'onlyGateway', why: { device: wrong } })
  expect(find(facts, 'satellites')).toMatchObject({
    device: null,
    why: { device: { id: 'facts.unusable', values: { said: '-4' } } }
  })
  expect(find(facts, 'speed')).toMatchObject({ device: null, why: { device: { id: 'facts.unusable' } } })
  expect(find(compare({ event: { signalDbm: null } }), 'signal')?.why.gateway).toMatchObject({
    id: 'facts.notInEvents'
  })
  expect(find(compare({ gps: { speed: 0 }, event: { speedKmh: 50 } }), 'heading')).toMatchObject({
    device: null,
    why: { device: { id: 'facts.stands' } }
  })
})

test.each([0, 1_000])(
  'a state of the engine bus that the gateway never set is none (%i ms after the epoch)',
  (atMs) => {
    const engineBus = {
      value: { isDetected: false, isEngineOn: null, protocol: null, firmware: null, atMs, raw: null },
      readAt: new Date(nowMs).toISOString()
    }
    expect(find(compare({ gateway: { engineBus } }), 'ecu')).toBeUndefined()
  }
)

test('with one witness alone nothing differs, and nothing is told of the other', () => {
  const alone = compare({ gateway: null })
  expect(alone.every(({ gateway }) => gateway === null)).toBe(true)
  expect(new Set(alone.map((one) => one.verdict))).toEqual(new Set(['onlyDevice', 'notExposed']))
  const remote = compare({ device: null })
  expect(remote.every(({ device, verdict: one }) => device === null && one === 'onlyGateway')).toBe(true)
  expect(find(remote, 'lastContact')?.gateway).toMatchObject({ value: 3, unit: 's' })
  expect(compareFacts(evidenceOf({ device: null, gateway: null }), tolerances)).toEqual([])
})

test('events of another device vouch for nothing about this one', () => {
  const facts = compare({ event: { imei: '356938035643809' } })
  expect(find(facts, 'position')).toMatchObject({ verdict: 'onlyDevice', why: { gateway: { id: 'facts.noEvent' } } })
})

test('a backlog that arrives now is contact now, and its place is of then', () => {
  const facts = compare({
    linesAgeS: 2_000,
    event: { eventAtMs: nowMs - 2_000_000, arrivedAtMs: nowMs - 10_000, type: 13 }
  })
  expect(find(facts, 'lastContact')).toMatchObject({ verdict: 'agree', gateway: { value: 10 } })
  expect(find(facts, 'position')?.verdict).toBe('stale')
})

describe('Whatever both say', () => {
  const number = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true })
  const given = fc.record({
    gps: fc.record({
      speed: number(0, 200),
      bearing: number(0, 360),
      satsActive: fc.integer({ min: 0, max: 30 }),
      hdop: number(0, 20),
      latitude: number(4.6, 4.8),
      fix: fc.constantFrom(0, 2, 3)
    }),
    io: fc.record({ IGN: fc.boolean(), IN2: fc.boolean(), SO2: fc.boolean() }),
    modem: fc.record({ RSSI: fc.integer({ min: -120, max: 31 }).map(String) }),
    event: fc.record({
      satellites: fc.integer({ min: 0, max: 30 }),
      hdop: number(0, 20),
      speedKmh: number(0, 200),
      headingDeg: number(0, 360),
      signalDbm: fc.option(fc.integer({ min: -113, max: -51 })),
      latitude: number(4.6, 4.8),
      isPositionValid: fc.boolean()
    }),
    eventAgeS: fc.integer({ min: 0, max: 1_000 }),
    linesAgeS: fc.option(fc.integer({ min: 0, max: 1_000 })),
    lines: fc.record({ io_ign: fc.boolean(), io_in2: fc.boolean(), io_out2_short: fc.boolean() })
  })

  it('never agrees beyond a tolerance, and an old word of the gateway is stale before it differs', () => {
    fc.assert(
      fc.property(given, (one) => {
        for (const { verdict: said, apart, tolerance, gateway, device, fact: name } of compare(one)) {
          if (said === 'agree' && tolerance) expect(apart?.value).toBeLessThanOrEqual(tolerance.value)
          if (said === 'differ' && tolerance) expect(apart?.value).toBeGreaterThan(tolerance.value)
          const canChange = ![
            'lastContact',
            'clock',
            'sim',
            'imei',
            'hostName',
            'vehicleDevice',
            'ecu',
            'distance'
          ].includes(name)
          if (device && gateway && canChange && (gateway.ageS ?? 0) > tolerances.gatewayAgeS)
            expect(said, name).toBe('stale')
          if (device && gateway) expect(device.unit).toBe(gateway.unit)
          expect(said === 'onlyGateway').toBe(device === null)
          expect(said === 'onlyDevice' || said === 'notExposed').toBe(gateway === null)
        }
      })
    )
  })

  it('is the same in whichever unit the device said it: dBm or CSQ, seconds since 1970 or since 1980', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31 }), fc.integer({ min: -100, max: 100 }), (csq, offS) => {
        const asCsq = compare({ modem: { RSSI: String(csq) }, gps: { timestamp: nowMs / 1000 + offS } })
        const asDbm = compare({
          modem: { RSSI: String(-113 + 2 * csq) },
          gps: { timestamp: nowMs / 1000 + offS - 315_964_782 }
        })
        expect(asCsq).toEqual(asDbm)
      })
    )
  })
})
