import { describe, expect, it, test } from 'vitest'
import { expectedOf } from '../../../../main/support/diagnosis/expected.ts'
import { walkChain } from '../../../../main/support/diagnosis/chain.ts'
import { diagnose } from '../../../../main/support/diagnosis/diagnosis.ts'
import { viewOfDevice } from '../../../../main/support/diagnosis/deviceCompare.ts'
import { compareFacts } from '../../../../main/support/diagnosis/facts/facts.ts'
import { findBeside } from '../../../../main/support/diagnosis/findings.ts'
import { readSimState } from '../../../../main/device/client/radio/mobileNetwork.ts'
import { viewEvidence } from '../../../../main/support/diagnosis/evidenceView.ts'
import type { ChainLink } from '../../../../preload/contract/support/diagnosis.ts'
import type { Evidence, GatewayEvidence, SeenEvent } from '../../../../preload/contract/support/evidence.ts'
import { message } from '../../../../preload/contract/messages.ts'
import {
  at,
  device,
  event,
  fewMinutes,
  gateway,
  imei,
  kept,
  limits,
  nowMs,
  seen,
  tolerances
} from '../../../world/data/bundles/diagnosisEvidence.ts'

function walked(evidence: Evidence): string {
  const broken = walkChain(evidence, limits).find(({ state }) => state === 'broken')
  return broken ? `${broken.link}: ${broken.sentence.id}` : 'nothing'
}
const stateOf = (evidence: Evidence, link: ChainLink) =>
  walkChain(evidence, limits).find((step) => step.link === link)?.state

describe('the chain', () => {
  it('is whole where everything is well, and each link behind a broken one is judged as well', () => {
    expect(walked(seen({ device: device(), gateway: gateway() }))).toBe('nothing')
    const chain = walkChain(
      seen({ device: device({ 'modem.information': { IP: '' }, 'gps.position': { extras: { fix: 0 } } }) }),
      limits
    )
    expect(chain.map(({ state }) => state)).toEqual([
      'ok',
      'ok',
      'ok',
      'broken',
      // Without an address no APN is proved.
      'unknown',
      'unknown',
      'broken',
      'unknown',
      'unknown'
    ])
    expect(
      chain
        .filter(({ state }) => state === 'broken')
        .every(({ remedy, witness }) => remedy !== null && witness !== null)
    ).toBe(true)
  })

  it('accuses nothing where nobody could be asked', () => {
    const nobody = seen({
      device: device({}, { state: 'away', readings: {}, why: message('chain.notAsked') }),
      gateway: gateway({ state: 'away', vehicle: null, events: null, lines: null, record: null, user: null })
    })
    expect(new Set(walkChain(nobody, limits).map(({ state }) => state))).toEqual(new Set(['unknown']))
  })

  it('uses nothing of another device that answers in its place', () => {
    const other = seen({
      device: { ...device({ 'io.all': { PWR: false } }), state: 'another', why: message('chain.notAsked') }
    })
    expect(walked(other)).toBe('nothing')
  })

  const cases: [string, Evidence, string][] = [
    ['no external power', seen({ device: device({ 'io.all': { PWR: false } }) }), 'power: chain.power.none'],
    ['a flag that came as text', seen({ device: device({ 'io.all': { PWR: undefined } }) }), 'nothing'],
    [
      'power that was gone with the last report',
      seen({
        gateway: gateway({
          lines: kept({ values: { io_pwr: false }, atMs: nowMs - 7_200_000, raw: {} }),
          events: kept([event(7_200)])
        })
      }),
      'power: chain.power.goneAtGateway'
    ],
    [
      'no SIM',
      seen({ device: device({ 'modem.information': { SIM_STATE: 'ABSENT', GSM_REG: '0', GPRS_REG: '0', IP: '' } }) }),
      'sim: chain.sim.absent'
    ],
    [
      'a SIM that wants its PIN',
      seen({ device: device({ 'modem.information': { SIM_STATE: 'SIM PIN', GSM_REG: '0', GPRS_REG: '0', IP: '' } }) }),
      'sim: chain.sim.pin'
    ],
    [
      'a word for the SIM that nobody documented',
      seen({ device: device({ 'modem.information': { SIM_STATE: 'FROBNICATED' } }) }),
      'nothing'
    ],
    [
      'a built-in SIM in use while the holder is empty',
      seen({
        device: device({ 'modem.information': { SIM_STATE: 'ABSENT', eSIM_STATE: 'READY', SIM_TYPE: 'EMBEDDED' } })
      }),
      'nothing'
    ],
    [
      'a refused SIM',
      seen({ device: device({ 'modem.information': { GSM_REG: '0,3', GPRS_REG: '3', IP: '' } }) }),
      'registration: chain.registration.denied'
    ],
    [
      'roaming in words',
      seen({ device: device({ 'modem.information': { GSM_REG: 'registered, roaming', GPRS_REG: '0,5' } }) }),
      'nothing'
    ],
    [
      'no network',
      seen({ device: device({ 'modem.information': { GSM_REG: '0', GPRS_REG: '0', IP: '' } }) }),
      'registration: chain.registration.notRegistered'
    ],
    [
      'a start of a minute ago',
      seen({
        device: device({
          'modem.information': { GSM_REG: '2', GPRS_REG: '2', IP: '' },
          'gps.position': { extras: { fix: 0 } },
          'system.info': { uptime: 60 }
        })
      }),
      'nothing'
    ],
    ...['', '0.0.0.0', 'none', '::'].map((IP): [string, Evidence, string] => [
      `the address "${IP}"`,
      seen({ device: device({ 'modem.information': { IP } }) }),
      'address: chain.address.none'
    ]),
    [
      'an address in a form that nobody knows',
      seen({ device: device({ 'modem.information': { IP: 'assigned by peer' } }) }),
      'nothing'
    ],
    ['no APN', seen({ device: device({ 'modem.configuration': { APN: ' ' } }) }), 'apn: chain.apn.empty'],
    [
      'another APN than the ordered one',
      seen({ device: device(), expected: { apn: 'fleet.example' } }),
      'apn: chain.apn.differs'
    ],
    [
      'another APN through which events arrive',
      seen({ device: device(), gateway: gateway(), expected: { apn: 'fleet.example' } }),
      'nothing'
    ],
    [
      'silence since long',
      seen({ rhythm: fewMinutes, gateway: gateway({ events: kept([event(7_200)]), lines: null }) }),
      'gatewayEvent: chain.gatewayEvent.silent'
    ],
    [
      'silence that may be a pause',
      seen({ device: device(), gateway: gateway({ events: kept([event(900)]) }) }),
      'nothing'
    ],
    [
      'nothing in a day',
      seen({ gateway: gateway({ events: kept([]), lines: null }) }),
      'gatewayEvent: chain.gatewayEvent.never'
    ],
    [
      'only events of the future',
      seen({ gateway: gateway({ events: kept([event(-7_200, { arrivedAtMs: nowMs + 7_200_000 })]), lines: null }) }),
      'gatewayEvent: chain.gatewayEvent.never'
    ],
    [
      'keep-alives and no position',
      seen({
        gateway: gateway({
          events: kept(
            [10, 70, 130].map((agoS) =>
              event(agoS, { type: 100, latitude: null, longitude: null, isPositionValid: null })
            )
          )
        })
      }),
      'fix: chain.fix.noPositions'
    ],
    [
      'keep-alives of a parked vehicle',
      seen({
        gateway: gateway({
          events: kept([
            ...[10, 70, 130].map((agoS) => event(agoS, { type: 100, latitude: null, longitude: null })),
            event(7_200)
          ])
        })
      }),
      'nothing'
    ],
    [
      'events that do not name their device',
      seen({ gateway: gateway({ events: kept([event(10, { imei: null })]), lines: null, record: null }) }),
      'nothing'
    ],
    [
      'events of the device that the vehicle had before',
      seen({ gateway: gateway({ events: kept([event(10, { imei: '356938035643809' })]), lines: null }) }),
      'gatewayEvent: chain.gatewayEvent.never'
    ],
    [
      'only empty events',
      seen({
        gateway: gateway({
          events: kept(
            [10, 20].map((agoS) => event(agoS, { type: 20, latitude: 0, longitude: 0, isPositionValid: false }))
          )
        })
      }),
      'fix: chain.fix.empty'
    ],
    [
      'what it had kept, arriving now',
      seen({
        gateway: gateway({
          events: kept([7_200, 7_190].map((agoS) => event(agoS, { type: 13, arrivedAtMs: nowMs - 5_000 })))
        })
      }),
      'nothing'
    ],
    [
      'no fix',
      seen({ device: device({ 'gps.position': { extras: { fix: 0, satsActive: 1 } } }) }),
      'fix: chain.fix.none'
    ],
    [
      'the mode of no fix, with old coordinates',
      seen({ device: device({ 'gps.position': { extras: { fix: 1, satsActive: 0 } } }) }),
      'fix: chain.fix.none'
    ],
    [
      'a place that is not on earth',
      seen({ device: device({ 'gps.position': { coords: { latitude: 471_100, longitude: 8 } } }) }),
      'fix: contradictions.scaled'
    ],
    [
      'a fix without satellites, of kilometres',
      seen({
        device: device({
          'gps.position': {
            coords: { latitude: 47.4, longitude: 8.5, speed: 0, accuracy: 20_000 },
            extras: { fix: 3, satsActive: 0, hdop: 99.99 }
          }
        })
      }),
      'fix: chain.fix.contradicted'
    ],
    [
      'events with whole numbers for degrees',
      seen({
        device: device(),
        gateway: gateway({
          events: kept([10, 20].map((agoS) => event(agoS, { latitude: 471_100, longitude: -7_407_210 })))
        })
      }),
      'fix: contradictions.scaled'
    ],
    [
      'an hour at 60 km/h at one point',
      seen({
        device: device(),
        gateway: gateway({ events: kept(Array.from({ length: 60 }, (_, n) => event(10 + n * 60, { speedKmh: 60 }))) })
      }),
      'fix: contradictions.frozen'
    ],
    [
      'keep-alives, and a position of yesterday',
      seen({
        gateway: gateway({
          events: kept([
            ...[10, 70, 130].map((agoS) => event(agoS, { type: 100, latitude: null, longitude: null })),
            event(26 * 3_600)
          ])
        })
      }),
      'fix: chain.fix.onlyKeepAlives'
    ],
    [
      'a fix at zero',
      seen({ device: device({ 'gps.position': { coords: { latitude: 0, longitude: 0 } } }) }),
      'fix: chain.fix.zero'
    ],
    [
      'a vehicle that carries another device',
      seen({
        device: device(),
        gateway: gateway({
          vehicle: kept({ id: 7, name: 'Unit 0007', plate: null, groups: [1], imei: '356938035643809' }),
          elsewhere: kept({ id: 8, name: 'Unit 0008', plate: null })
        })
      }),
      'vehicle: chain.vehicle.carriesOther'
    ],
    [
      'a vehicle without a device',
      seen({
        gateway: gateway({
          vehicle: kept({ id: 7, name: 'Unit 0007', plate: null, groups: [1], imei: null }),
          events: kept([]),
          lines: null
        }),
        imei: null
      }),
      'vehicle: chain.vehicle.noDevice'
    ],
    [
      'a device in no vehicle that is shown',
      seen({ device: device(), gateway: gateway({ vehicle: kept(null), events: kept([]) }) }),
      'vehicle: chain.vehicle.inNoneShown'
    ],
    [
      'a device of which nothing is shown',
      seen({
        device: device(),
        gateway: gateway({
          state: 'notShown',
          vehicle: kept(null),
          record: kept(null),
          events: kept([]),
          lines: kept(null)
        })
      }),
      'visible: chain.visible.deviceHidden'
    ],
    [
      'a name that no vehicle has',
      seen({
        vehicleText: 'Unit 9',
        gateway: gateway({ vehicle: kept(null), record: null, events: null, lines: null })
      }),
      'visible: chain.visible.notFound'
    ],
    [
      'a right that is missing',
      seen({
        gateway: gateway({
          user: kept({ name: 'support@example.com', isStaff: false, scopes: { vehicles: 'r' }, groups: [1] }),
          events: null,
          refused: { events: { status: 401, why: message('gateway.noRight') } }
        })
      }),
      'visible: chain.visible.scopeMissing'
    ],
    [
      'a gateway that is away behind a device that is well',
      seen({
        device: device(),
        gateway: gateway({ state: 'away', vehicle: null, events: null, lines: null, record: null, user: null })
      }),
      'nothing'
    ]
  ]
  it.each(cases)('with %s', (_, evidence, expected) => {
    expect(walked(evidence)).toBe(expected)
  })
})

it('offers the ordered APN where there is no address', () => {
  const chain = walkChain(
    seen({
      device: device({ 'modem.information': { IP: '' } }),
      expected: { apn: 'fleet.example', from: message('chain.notAsked') }
    }),
    limits
  )
  expect(chain.find(({ link }) => link === 'address')).toMatchObject({
    action: { kind: 'setApn', apn: 'fleet.example' },
    detail: { id: 'chain.apn.otherOrdered' },
    source: { id: 'chain.notAsked' }
  })
})

it('tells ages by the gateway’s clock, wherever this computer’s stands', () => {
  const hourAhead = gateway({ aheadS: 3_600, events: kept([event(-3_590)]), lines: null })
  expect(stateOf(seen({ gateway: hourAhead }), 'gatewayEvent')).toBe('ok')
})

it('says that a device stopped which reported regularly, only while its key is on', () => {
  const regular = kept([60, 70, 80, 90, 100, 110].map((agoS) => event(agoS)))
  const lines = (isOn: boolean) => kept({ values: { io_pwr: true, io_ign: isOn }, atMs: nowMs - 60_000, raw: {} })
  expect(
    walked(
      seen({ device: device({ 'io.all': { IGN: true } }), gateway: gateway({ events: regular, lines: lines(true) }) })
    )
  ).toBe('gatewayEvent: chain.gatewayEvent.stopped')
  expect(walked(seen({ device: device(), gateway: gateway({ events: regular, lines: lines(false) }) }))).toBe('nothing')
})

test.each([
  ['READY', 'ready'],
  ['+CPIN: READY', 'ready'],
  ['SIM PIN', 'pin'],
  ['PIN_REQUIRED', 'pin'],
  ['SIM PUK', 'puk'],
  ['ABSENT', 'absent'],
  ['NOT INSERTED', 'absent'],
  ['no sim', 'absent'],
  ['PERM_DISABLED', 'blocked'],
  ['SIM BLOCKED', 'blocked'],
  ['SIM failure', 'blocked'],
  ['NOT_READY', 'notReady'],
  ['SIM PIN2', 'unknown'],
  ['PIN2 BLOCKED', 'unknown'],
  ['PIN 2 permanently blocked', 'unknown'],
  ['SIM PUK2', 'unknown'],
  ['READY, PIN2 BLOCKED', 'ready'],
  ['SIM BLOCKED, PIN2 REQUIRED', 'blocked'],
  ['no error', 'unknown'],
  ['no fault', 'unknown'],
  ['NO -- SIM', 'absent'],
  ['READY (no errors)', 'ready'],
  ['NOT BLOCKED', 'unknown'],
  ['SIM error', 'blocked'],
  ['ERROR: no SIM', 'absent'],
  ['PIN blocked', 'blocked'],
  ['READY, no error, no failure', 'ready'],
  ['', 'unknown'],
  ['5', 'unknown']
])('SIM_STATE "%s" means %s', (text, meaning) => {
  expect(readSimState(text)).toBe(meaning)
})

it.each<[string, Partial<SeenEvent>, SeenEvent[]]>([
  ['name this device', {}, [event(10), event(20)]],
  ['name no device', { imei: null }, []],
  ['name another device', { imei: '356938035643809' }, []]
])('chain, facts and comparison go by the same events where all %s', (_, more, own) => {
  const evidence = seen({
    device: device(),
    gateway: gateway({ events: kept([event(10, more), event(20, more)]), lines: null, record: null })
  })
  expect(viewEvidence(evidence, limits).events).toEqual(own)
  const isTold = own.length > 0
  expect(compareFacts(evidence, tolerances).find(({ fact }) => fact === 'lastContact')?.gateway !== null).toBe(isTold)
  expect(viewOfDevice(evidence, tolerances).newest !== null).toBe(isTold)
})

it.each<[string, Partial<GatewayEvidence>, number]>([
  ['an event', {}, 9],
  [
    'its record',
    {
      events: kept([event(900)]),
      lines: null,
      record: kept({ imei, simIds: [], raw: { latest: { system_epoch: (nowMs - 40_000) / 1000 } } })
    },
    40
  ],
  ['its lines', { events: kept([event(900)]) }, 10]
])('chain and table tell one last contact, heard by %s', (_, more, agoS) => {
  const evidence = seen({ device: device(), gateway: gateway(more) })
  expect(viewEvidence(evidence, limits).heard?.ageS).toBe(agoS)
  expect(compareFacts(evidence, tolerances).find(({ fact }) => fact === 'lastContact')?.gateway?.ageS).toBe(agoS)
})

describe('a parked device', () => {
  const parked = (everyS: number, n: number) =>
    seen({
      gateway: gateway({
        lines: kept({ values: { io_pwr: true, io_ign: false }, atMs: nowMs - 94_020_000, raw: {} }),
        events: kept(Array.from({ length: n }, (_, index) => event(94_020 + everyS * index)))
      })
    })
  const said = (evidence: Evidence) => {
    const step = walkChain(evidence, limits).find(({ link }) => link === 'gatewayEvent')
    return [step?.sentence.id, step?.detail?.id]
  }

  it('that reported every 2 min while it was parked is silent by its own rhythm, without an excuse', () => {
    expect(said(parked(120, 12))).toEqual(['chain.gatewayEvent.silent', 'chain.gatewayEvent.wasRegular'])
  })

  it('whose rhythm is not known may report rarely', () => {
    expect(said(parked(120, 3))).toEqual(['chain.gatewayEvent.silent', 'chain.gatewayEvent.wasParked'])
  })
})

describe('what is said of one vehicle', () => {
  const first = (evidence: Evidence) => {
    const { facts, proof, headline } = diagnose(evidence, { limits, tolerances })
    return { headline, proof, of: (name: string) => facts.find(({ fact }) => fact === name) }
  }

  it('has the row of the headline first', () => {
    const noPower = first(seen({ device: device({ 'io.all': { PWR: false } }), gateway: gateway() }))
    expect([noPower.headline, noPower.proof?.[0]]).toEqual([{ link: 'power' }, 'power'])
    const weak = first(seen({ device: device({ 'modem.information': { RSSI: '-108' } }), gateway: gateway() }))
    expect([weak.headline, weak.proof]).toEqual([{ finding: 'weakSignal' }, ['signal']])
  })

  it('is not “valid” of a fix that is no position', () => {
    const zero = first(
      seen({ device: device({ 'gps.position': { coords: { latitude: 0, longitude: 0 } } }), gateway: gateway() })
    )
    expect(zero.headline).toEqual({ link: 'fix' })
    expect(zero.of('validFix')?.device?.message).toEqual(message('facts.fixWithoutPlace'))
    expect(zero.of('validFix')?.verdict).toBe('differ')
  })
})

describe('since when', () => {
  const found = (evidence: Evidence, id: string) => findBeside(evidence, limits).find((one) => one.id === id)
  const times = (agoS: number) => new Date(nowMs - agoS * 1000 + 1_000).toISOString()
  const far = { latitude: 47.45 }

  it('positions differ since the first event of the present run that was elsewhere, and the chart has each of them', () => {
    const events = [event(10, far), event(20, far), event(30), event(40, far), event(50)]
    const otherPlace = found(seen({ device: device(), gateway: gateway({ events: kept(events) }) }), 'otherPlace')
    expect(otherPlace).toMatchObject({
      link: 'fix',
      sinceAt: new Date(nowMs - 20_000).toISOString(),
      trend: { measure: 'apartM', limit: limits.apartWarnM }
    })
    expect(otherPlace?.trend?.points.map(([, apartM]) => apartM > 1_000)).toEqual([false, true, false, true, true])
  })

  it('is unknown where every loaded event is wrong: it may have begun earlier', () => {
    const events = [10, 20, 30].map((agoS) => event(agoS, { signalDbm: -105 }))
    const weak = found(seen({ gateway: gateway({ events: kept(events) }) }), 'weakSignal')
    expect([weak?.sinceAt, weak?.trend?.points.length]).toEqual([null, 3])
  })

  const lost = (events: SeenEvent[], earlier: SeenEvent[] = []) =>
    walkChain(
      seen({
        gateway: gateway({
          lines: kept({ values: { io_pwr: false }, atMs: nowMs - 10_000, raw: {} }),
          events: kept(events),
          earlier
        })
      }),
      limits
    )[0]?.sinceAt
  const without = [10, 130, 250].map((agoS) => event(agoS, { hasPower: false }))

  it.each<[string, SeenEvent[], SeenEvent[], number | null]>([
    ['the first event without it, after one with it', [...without, event(370, { hasPower: true })], [], 250],
    ['an event that names the loss itself', [event(10), event(130, { label: 'pwroff', hasPower: false })], [], 130],
    [
      'an event before the latest ones',
      without,
      [event(370, { hasPower: false }), event(490, { hasPower: true })],
      370
    ],
    ['nothing, where no event shows the change', without, [], null],
    ['nothing, where no event tells the power', [event(10), event(130)], [], null],
    [
      'the date of the device for one that was buffered',
      [
        event(10, { hasPower: false }),
        event(900, { type: 13, arrivedAtMs: nowMs - 60_000, hasPower: false }),
        event(1_000, { hasPower: true })
      ],
      [],
      900
    ]
  ])('power is gone since %s', (_, events, earlier, agoS) => {
    expect(lost(events, earlier)).toBe(agoS === null ? null : new Date(nowMs - agoS * 1000).toISOString())
  })

  it('of a clock goes by the delays of events, without those that the device had buffered', () => {
    const late = (agoS: number) =>
      event(agoS, { eventAtMs: nowMs - agoS * 1000 - 900_000, arrivedAtMs: nowMs - agoS * 1000 + 1_000 })
    const events = [
      late(10),
      event(20, { type: 13, eventAtMs: nowMs - 9_000_000, arrivedAtMs: nowMs - 19_000 }),
      late(30),
      event(40),
      event(50)
    ]
    const clock = found(
      seen({
        device: device({ 'gps.position': { timestamp: nowMs / 1000 - 900 } }),
        gateway: gateway({ events: kept(events) })
      }),
      'clockOff'
    )
    expect(clock).toMatchObject({ link: 'gatewayEvent', sinceAt: times(30) })
    expect(clock?.trend?.points).toHaveLength(4)
  })
})

describe('findings', () => {
  const ids = (evidence: Evidence) => findBeside(evidence, limits).map(({ id }) => id)

  it('are none where all is well', () => {
    expect(ids(seen({ device: device(), gateway: gateway() }))).toEqual([])
  })

  it.each([
    [
      'a running engine without the key',
      seen({ device: device({ 'io.all': { TIG: true } }) }),
      ['ignitionWireMissing']
    ],
    [
      'a short and an output that is on',
      seen({ device: device({ 'io.all': { OUT1: true, SO1: true } }) }),
      ['short1', 'out1On']
    ],
    [
      'another SIM',
      seen({ device: device({ 'modem.information': { SIM_ID: '89570000000000000025' } }), gateway: gateway() }),
      ['simDiffers']
    ],
    [
      'another APN that works',
      seen({ device: device(), gateway: gateway(), expected: { apn: 'fleet.example' } }),
      ['apnDiffers']
    ],
    [
      'a clock that is off',
      seen({ device: device({ 'gps.position': { timestamp: nowMs / 1000 - 900 } }), gateway: gateway() }),
      ['clockOff']
    ],
    [
      'a week number that has started again',
      seen({ device: device({ 'gps.position': { timestamp: nowMs / 1000 - 7_168 * 86_400 } }), gateway: gateway() }),
      ['clockRolled']
    ],
    [
      'a clock of 2004, which may count from either epoch',
      seen({ device: device({ 'gps.position': { timestamp: Date.UTC(2004, 0, 1) / 1000 } }), gateway: gateway() }),
      ['clockYearsOff']
    ],
    [
      'a clock in milliseconds',
      seen({ device: device({ 'gps.position': { timestamp: nowMs } }), gateway: gateway() }),
      []
    ],
    [
      'events that are dated 1,024 weeks back',
      seen({
        gateway: gateway({
          events: kept(
            [10, 70, 130].map((agoS) => event(agoS, { eventAtMs: nowMs - agoS * 1000 - 7_168 * 86_400_000 }))
          )
        })
      }),
      ['eventsRolled']
    ],
    ...(['2000-01-01', '2004-02-29', '2005-06-01'] as const).map((date): [string, Evidence, string[]] => [
      `events of ${date} that arrive now`,
      seen({
        gateway: gateway({
          events: kept([10, 70, 130].map((agoS) => event(agoS, { eventAtMs: Date.parse(date) - agoS * 1000 })))
        })
      }),
      ['eventsMisdated']
    ]),
    [
      'events that are always 32 days old',
      seen({
        gateway: gateway({
          events: kept([10, 70, 130].map((agoS) => event(agoS, { eventAtMs: nowMs - agoS * 1000 - 32 * 86_400_000 })))
        })
      }),
      ['eventsMisdated']
    ],
    [
      'events of 2038',
      seen({
        gateway: gateway({
          events: kept([10, 70, 130].map((agoS) => event(agoS, { eventAtMs: Date.parse('2038-01-19') - agoS * 1000 })))
        })
      }),
      ['eventsMisdated']
    ],
    [
      'events that are dated 1,024 weeks ahead',
      seen({
        gateway: gateway({
          events: kept(
            [10, 70, 130].map((agoS) => event(agoS, { eventAtMs: nowMs - agoS * 1000 + 7_168 * 86_400_000 }))
          )
        })
      }),
      ['eventsRolled']
    ],
    [
      'one event that arrives each minute',
      seen({
        gateway: gateway({
          events: kept([10, 70, 130, 190].map((agoS) => event(agoS, { eventAtMs: nowMs - 7_200_000 })))
        })
      }),
      ['eventRepeated']
    ],
    [
      'one IMEI in two places',
      seen({
        gateway: gateway({
          events: kept(
            [10, 70, 130, 190, 250, 310].map((agoS, n) =>
              event(agoS, { latitude: n % 2 ? 4.711 : 6.2442, longitude: n % 2 ? -74.0721 : -75.5812 })
            )
          )
        })
      }),
      ['twoPlaces']
    ],
    [
      'a speed of 0 of a place that moves',
      seen({
        gateway: gateway({
          events: kept([10, 70, 130, 190, 250, 310, 370].map((agoS) => event(agoS, { latitude: 47.4 + agoS / 10_000 })))
        })
      }),
      ['noSpeed']
    ],
    [
      'latitude and longitude exchanged in some events',
      seen({
        gateway: gateway({
          events: kept(
            [10, 70, 130, 190, 250].map((agoS, n) => event(agoS, n % 2 ? { latitude: 8.5, longitude: 47.4 } : {}))
          )
        })
      }),
      ['exchanged']
    ],
    [
      'an ignition that is on for a day without movement',
      seen({
        gateway: gateway({
          lines: kept({ values: { io_pwr: true, io_ign: true }, atMs: nowMs - 10_000, raw: {} }),
          restingOn: kept(nowMs - 86_000_000)
        })
      }),
      ['ignitionAlwaysOn']
    ],
    ['an ignition that is on for a shift', seen({ gateway: gateway({ restingOn: kept(nowMs - 8 * 3_600_000) }) }), []],
    [
      'a record that heard just now, and no event of a month',
      seen({ gateway: gateway({ events: kept([]), eventsSinceAt: new Date(nowMs - 30 * 86_400_000).toISOString() }) }),
      ['heardWithoutEvents']
    ],
    [
      'events of another place',
      seen({
        device: device({ 'gps.position': { coords: { latitude: 47.5, longitude: 8.5, speed: 0 } } }),
        gateway: gateway()
      }),
      ['otherPlace']
    ],
    [
      'a modem of another device',
      seen({ device: device({ 'modem.information': { IMEI: '356938035643809' } }) }),
      ['modemOther']
    ],
    ['a full storage', seen({ device: device({ 'system.info': { datafs: { total: 100, free: 3 } } }) }), ['datafsFull']]
  ])('name %s', (_, evidence, expected) => {
    expect(ids(evidence)).toEqual(expected)
  })
})

it('the same difference of the clock, read again, is told in the same words', () => {
  const said = (offS: number) =>
    findBeside(
      seen({ device: device({ 'gps.position': { timestamp: nowMs / 1000 - offS } }), gateway: gateway() }),
      limits
    ).map(({ sentence }) => sentence)
  expect(said(901)).toEqual(said(899))
  expect(said(124)).toEqual(said(121))
})

describe('what is over does not go on', () => {
  const line = (name: string, changes: [agoS: number, on: boolean][]) => ({
    name,
    changes: changes.map(([agoS, on]): [number, boolean] => [nowMs - agoS * 1000, on])
  })
  const watched = (...lines: ReturnType<typeof line>[]) => ({
    lately: { sinceAt: new Date(nowMs - 300_000).toISOString(), lines }
  })
  const bounces = (endedS: number): [number, boolean][] => [
    [299, false],
    ...Array.from({ length: 12 }, (_, n): [number, boolean] => [endedS + (11 - n) * 0.05, n % 2 === 0])
  ]

  it('a loose contact ends when the line is quiet', () => {
    const ids = (endedS: number) =>
      findBeside(seen({ device: device({}, watched(line('IN1', bounces(endedS)))) }), limits).map(({ id }) => id)
    expect(ids(1)).toEqual(['chatterIN1'])
    expect(ids(11)).toEqual([])
  })

  it('one long drop of power that is over is told, and hides no other fault', () => {
    const evidence = seen({
      device: device(
        { 'modem.information': { IP: '' } },
        watched(
          line('PWR', [
            [299, true],
            [40, false],
            [20, true]
          ])
        )
      )
    })
    const { brokenAt: link, findings } = diagnose(evidence, { limits, tolerances })
    expect([link, findings.map(({ id, sentence }) => [id, sentence.id])]).toEqual([
      'address',
      [['powerDropped', 'findings.powerWasGone']]
    ])
  })
})

it('does not say that data arrives where nothing can arrive', () => {
  const evidence = seen({
    device: device({ 'modem.information': { IP: '' } }),
    gateway: gateway(),
    expected: { apn: 'fleet.example' }
  })
  expect(diagnose(evidence, { limits, tolerances }).findings).toEqual([])
  expect(findBeside(evidence, limits).map(({ id }) => id)).toEqual(['apnDiffers'])
})

describe('the headline is the worst of chain and findings', () => {
  const headline = (evidence: Evidence) => {
    const verdicts = diagnose(evidence, { limits, tolerances })
    return [verdicts.tone, verdicts.since, verdicts.headline]
  }
  const otherVehicle = gateway({
    vehicle: kept({ id: 7, name: 'Unit 0007', plate: null, groups: [1], imei: '356938035643809' }),
    stays: [{ imei: '356938035643809', fromAt: '2026-11-18T18:04:00.000Z', untilAt: null }]
  })
  it.each<[string, Evidence, unknown[]]>([
    ['all is well', seen({ device: device(), gateway: gateway() }), ['pass', null, null]],
    ['nobody could ask the gateway', seen({ device: device() }), ['unknown', null, null]],
    [
      'the clock is off',
      seen({ device: device({ 'gps.position': { timestamp: nowMs / 1000 - 900 } }), gateway: gateway() }),
      ['warn', null, { finding: 'clockOff' }]
    ],
    [
      'positions differ',
      seen({
        device: device({ 'gps.position': { coords: { latitude: 47.5, longitude: 8.5, speed: 0 } } }),
        gateway: gateway()
      }),
      ['warn', null, { finding: 'otherPlace' }]
    ],
    [
      'the SIM is another one',
      seen({ device: device({ 'modem.information': { SIM_ID: '89570000000000000025' } }), gateway: gateway() }),
      ['fail', null, { finding: 'simDiffers' }]
    ],
    [
      'another device answers',
      seen({
        device: device({}, { state: 'another', why: message('chain.notAsked'), readings: {} }),
        gateway: gateway()
      }),
      ['fail', null, { finding: 'anotherDevice' }]
    ],
    [
      'the vehicle carries another device',
      seen({ device: device({ 'gps.position': { extras: { fix: 3, satsActive: 2 } } }), gateway: otherVehicle }),
      ['fail', '2026-11-18T18:04:00.000Z', { link: 'vehicle' }]
    ],
    [
      'the vehicle carries another device, behind a broken link',
      seen({ device: device({ 'modem.information': { IP: '' } }), gateway: otherVehicle }),
      ['fail', '2026-11-18T18:04:00.000Z', { finding: 'vehicleOther' }]
    ],
    [
      'nothing arrives any more',
      seen({ rhythm: fewMinutes, gateway: gateway({ events: kept([event(7_200)]), lines: null }) }),
      ['fail', '2026-11-20T08:00:01.000Z', { link: 'gatewayEvent' }]
    ]
  ])('%s', (_, evidence, expected) => {
    expect(headline(evidence)).toEqual(expected)
  })
})

it('takes as the right APN what was set from here after the installation, else what was there then', () => {
  const reading = (value: object) => ({
    value: value as never,
    raw: null,
    problems: [],
    readAt: at,
    elapsedMs: 1,
    failure: null
  })
  const installed = {
    takenAt: '2026-04-12T09:00:00.000Z',
    readings: {
      'modem.configuration': reading({ APN: 'fleet.example' }),
      'modem.information': reading({ SIM_ID: '89570000000000000017', SIM_STATE: 'READY' })
    }
  }
  expect(expectedOf({ lastSet: undefined, installed })).toMatchObject({
    apn: 'fleet.example',
    simId: '89570000000000000017',
    from: { id: 'chain.expected.installed' }
  })
  expect(
    expectedOf({ lastSet: { at: '2026-05-01T09:00:00.000Z', input: { apn: 'other.example' } }, installed })
  ).toMatchObject({ apn: 'other.example', from: { id: 'chain.expected.set' } })
  expect(
    expectedOf({ lastSet: { at: '2026-03-01T09:00:00.000Z', input: { apn: 'other.example' } }, installed }).apn
  ).toBe('fleet.example')
  expect(expectedOf({ lastSet: undefined, installed: null })).toEqual({ apn: null, simId: null, from: null })
})

describe('Data that arrives late', () => {
  const findingsOf = (newestAgeS: number, delaysS: readonly number[]) => {
    const events = delaysS.map((delayS, n) =>
      event(newestAgeS + 30 * n + delayS, { arrivedAtMs: nowMs - (newestAgeS + 30 * n) * 1000, raw: { id: n } })
    )
    return findBeside(seen({ device: device(), gateway: gateway({ events: kept(events) }) }), limits)
  }
  const found = (...delaysS: number[]) => findingsOf(10, delaysS).map(({ id }) => id)

  it('is told while the latest events were late, and not by one that was late alone', () => {
    expect(found(900, 901, 900, 902, 900)).toEqual(['late'])
    expect(found(900, 2, 3, 2, 900)).toEqual([])
  })

  it('ends with the first event that arrived in time', () => {
    expect(found(2, 900, 400, 700, 1_200)).toEqual([])
  })

  it('says since when, and for how long no event has come that could show whether the next one is late too', () => {
    expect(findingsOf(10, [900, 900, 900, 2, 2])).toMatchObject([
      {
        id: 'late',
        sentence: message('findings.late', { delayS: 900 }),
        sinceAt: new Date(nowMs - 70_000).toISOString()
      }
    ])
    // Three events have no rhythm, and the device counts as reporting.
    expect(findingsOf(120, [900, 900, 900])).toMatchObject([{ sentence: message('findings.late', { delayS: 900 }) }])
    expect(findingsOf(120, [900, 900, 900, 900, 900])).toMatchObject([
      {
        id: 'late',
        sentence: message('findings.wereLate', { delayS: 900, arrivedAt: new Date(nowMs - 120_000).toISOString() }),
        sinceAt: null
      }
    ])
  })

  it('a minute after the latest event is no silence of a device that reports every 2 min', () => {
    const events = [0, 1, 2, 3, 4].map((n) =>
      event(70 + 120 * n + 93_600, { arrivedAtMs: nowMs - (70 + 120 * n) * 1000, raw: { id: n } })
    )
    const sight = seen({ gateway: gateway({ events: kept(events) }) })
    const [late] = findBeside(sight, limits)
    expect(late?.sentence.id).not.toBe('findings.wereLate')
    const clock = diagnose(sight, { limits, tolerances }).facts.find(({ fact }) => fact === 'clock')
    expect(clock?.gateway?.message).toEqual(message('facts.datedBy', { apartS: 93_600, way: 'behind' }))
  })

  it('is no more told once the clock that dated the events was set', () => {
    expect(found(2, 900, 901, 900, 902)).toEqual([])
    expect(found(2, 3, 900, 901, 900, 902)).toEqual([])
    // Set the wrong way: late from then on.
    expect(found(900, 900, 900, 2, 2, 2)).toEqual(['late'])
  })
})
