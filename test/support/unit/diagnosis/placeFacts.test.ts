import { describe, expect, it } from 'vitest'
import type { BothSay } from '../../../../main/support/diagnosis/facts/bothSay.ts'
import { placeFacts } from '../../../../main/support/diagnosis/facts/placeFacts.ts'
import type { FactName } from '../../../../preload/contract/support/facts.ts'
import type { Tolerances } from '../../../../preload/contract/support/tolerances.ts'
import { english } from '../../../world/window/english.ts'

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
const atMs = Date.parse('2026-11-22T10:00:00Z')
const heard = <T>(value: T, ageS: number | null = 0) => ({ value, atMs, ageS })
/** So many metres north of where the device is. */
const northM = (metres: number) => ({ latitude: 4.711 + metres / 111_195, longitude: -74.0721 })

type Said = Record<string, unknown>
function facts(device: Said, gateway: Said) {
  const nothing = Object.fromEntries(
    ['contact', 'place', 'hasFix', 'satellites', 'hdop', 'speedKmh', 'headingDeg'].map((name) => [
      name,
      { missing: null }
    ])
  )
  const all = placeFacts({
    device: { ...nothing, ...device },
    gateway: { ...nothing, ...gateway },
    tolerances
  } as unknown as BothSay)
  return (name: FactName) => all.find((fact) => fact?.fact === name)
}

describe('A place', () => {
  const positions = (metres: number, kmh: number, ageS: number) =>
    facts({ place: heard(northM(0)), speedKmh: heard(kmh) }, { place: heard(northM(metres), ageS) })('position')
      ?.verdict

  it('of a vehicle that stands may be 50 m apart', () => {
    expect([positions(49, 0, 0), positions(52, 0, 0), positions(52, 3, 200)]).toEqual(['agree', 'differ', 'differ'])
  })

  // 36 km/h are 10 m/s, half as fast again 15 m/s: with 2 s of whole seconds 50 + 15 * (4 + 2) = 140 m in 4 s.
  it('of a vehicle that moves may be as far away as it can have come, and not further', () => {
    expect([positions(138, 36, 4), positions(142, 36, 4)]).toEqual(['stale', 'differ'])
    expect([positions(78, 36, 0), positions(82, 36, 0)]).toEqual(['stale', 'differ'])
  })

  it('is reached by the faster of both speeds', () => {
    const both = (mine: number, theirs: number) =>
      facts(
        { place: heard(northM(0)), speedKmh: heard(mine) },
        { place: heard(northM(138), 4), speedKmh: heard(theirs, 4) }
      )('position')?.verdict
    expect([both(0, 36), both(36, 0), both(0, 0)]).toEqual(['stale', 'stale', 'differ'])
  })

  it('of a vehicle that moves says nothing about now when it is older than a moment', () => {
    expect([
      positions(5_000, 36, 10),
      positions(5_000, 36, 11),
      positions(5_000, 0, 300),
      positions(5_000, 0, 301)
    ]).toEqual(['differ', 'stale', 'differ', 'stale'])
  })

  it('is said with five digits', () => {
    expect(
      english(
        facts({ place: heard({ latitude: 4.7110004, longitude: -74.0721 }) }, {})('position')?.device?.message ?? {
          id: '',
          values: {}
        }
      )
    ).toBe('4.71100, -74.07210')
  })
})

it.each<[FactName, string, unknown, unknown, string]>([
  ['lastContact', 'contact', 0, 300, 'agree'],
  ['lastContact', 'contact', 0, 301, 'differ'],
  ['validFix', 'hasFix', true, true, 'agree'],
  ['validFix', 'hasFix', true, false, 'differ'],
  ['satellites', 'satellites', 8, 5, 'agree'],
  ['satellites', 'satellites', 8, 4, 'differ'],
  ['satellites', 'satellites', 4, 8, 'differ'],
  ['hdop', 'hdop', 0.8, 1.8, 'agree'],
  ['hdop', 'hdop', 0.8, 1.9, 'differ'],
  ['speed', 'speedKmh', 50, 55, 'agree'],
  ['speed', 'speedKmh', 50, 56, 'differ'],
  ['heading', 'headingDeg', 350, 20, 'agree'],
  ['heading', 'headingDeg', 20, 350, 'agree'],
  ['heading', 'headingDeg', 350, 21, 'differ'],
  ['heading', 'headingDeg', 90, 270, 'differ'],
  ['heading', 'headingDeg', 0, 360, 'agree']
])('%s (%s): %j and %j', (fact, name, mine, theirs, verdict) => {
  expect(facts({ [name]: heard(mine) }, { [name]: heard(theirs) })(fact)?.verdict).toBe(verdict)
})

it.each<[FactName, string, unknown, unknown, number]>([
  ['validFix', 'hasFix', true, false, 60],
  ['satellites', 'satellites', 12, 4, 10],
  ['hdop', 'hdop', 0.8, 9, 10],
  ['speed', 'speedKmh', 50, 90, 10],
  ['heading', 'headingDeg', 90, 270, 10]
])('%s (%s) of the gateway contradicts only for so long', (fact, name, mine, theirs, mostS) => {
  const verdict = (ageS: number) => facts({ [name]: heard(mine) }, { [name]: heard(theirs, ageS) })(fact)?.verdict
  expect([verdict(mostS), verdict(mostS + 1)]).toEqual(['differ', 'stale'])
})

it.each<[FactName, string, unknown]>([
  ['validFix', 'hasFix', true],
  ['satellites', 'satellites', 8],
  ['hdop', 'hdop', 0.8],
  ['speed', 'speedKmh', 50],
  ['heading', 'headingDeg', 90],
  ['position', 'place', northM(0)]
])('%s (%s) of long ago does not even agree', (fact, name, same) => {
  const verdict = (ageS: number) => facts({ [name]: heard(same) }, { [name]: heard(same, ageS) })(fact)?.verdict
  expect([verdict(300), verdict(301)]).toEqual(['agree', 'stale'])
})

it('the time between both words counts, whichever is the older one', () => {
  const verdict = (metres: number, deviceAgeS: number, gatewayAgeS: number) =>
    facts(
      { place: heard(northM(0), deviceAgeS), speedKmh: heard(36) },
      { place: heard(northM(metres), gatewayAgeS) }
    )('position')?.verdict
  expect([verdict(82, 4, 4), verdict(160, 10, 4), verdict(175, 10, 4)]).toEqual(['differ', 'stale', 'differ'])
})

it('each fact is said with its value', () => {
  const contact = (agoS: number) => facts({ contact: heard(0) }, { contact: heard(agoS) })('lastContact')
  expect(contact(5)?.device?.message).toEqual({ id: 'facts.hereNow', values: {} })
  expect([90.4, 119, 120, 149, 200].map((agoS) => contact(agoS)?.gateway?.message)).toEqual(
    [90, 119, 120, 120, 180].map((agoS) => ({ id: 'facts.ago', values: { agoS } }))
  )
  expect([true, false].map((has) => facts({ hasFix: heard(has) }, {})('validFix')?.device?.message.id)).toEqual([
    'facts.fix',
    'facts.withoutFix'
  ])
  const said = (name: string, fact: FactName, value: number) =>
    english(facts({ [name]: heard(value) }, {})(fact)?.device?.message ?? { id: '', values: {} })
  expect([
    said('satellites', 'satellites', 8),
    said('hdop', 'hdop', 0.8),
    said('speedKmh', 'speed', 50),
    said('headingDeg', 'heading', 90)
  ]).toEqual([
    expect.stringContaining('8'),
    expect.stringContaining('0.8'),
    expect.stringContaining('50 km/h'),
    expect.stringMatching(/90 ?°/)
  ])
})
