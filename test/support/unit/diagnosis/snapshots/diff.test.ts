import { expect, it } from 'vitest'
import type { Snapshot } from '../../../../../preload/contract/support/snapshots.ts'
import { compareSnapshots } from '../../../../../main/support/diagnosis/snapshots/compare.ts'
import { diffSnapshots } from '../../../../../main/support/diagnosis/snapshots/diff.ts'
import { noiseRules } from '../../../../../main/support/diagnosis/snapshots/noiseRules.ts'
import { restartsSeen } from '../../../../../main/support/diagnosis/snapshots/restarts.ts'
import { english } from '../../../../world/window/english.ts'
import { sampleAnswers, sampleSnapshot } from '../../../../world/data/bundles/snapshots.ts'

const { 'gps.position': position, 'io.all': lines, 'modem.information': modem, 'system.info': system } = sampleAnswers
const later = '2026-04-12T10:00:00.000Z'
const said = (
  ...[before, after, between]: [
    Parameters<typeof sampleSnapshot>[0],
    Parameters<typeof sampleSnapshot>[0],
    { takenAt: string; uptime: number | null }[]?
  ]
) =>
  compareSnapshots({
    before: sampleSnapshot(before),
    after: sampleSnapshot(after, { takenAt: later }),
    between: between ?? []
  }).sentences.map(english)

it('says what changed since the installation, what keeps a vehicle from reporting first', () => {
  const after = {
    'gps.position': { ...position, extras: { ...position.extras, satsActive: 7 } },
    'io.all': { ...lines, IN2: true, PWR: false, SO1: true },
    'modem.information': {
      ...modem,
      GSM_REG: '2',
      GPRS_REG: '0',
      RSSI: '-101',
      SIM_ID: '8942',
      SIM_IMSI: '2281',
      IP: ''
    },
    'modem.configuration': { ...sampleAnswers['modem.configuration'], APN: 'other' },
    'system.info': { ...system, osVersion: '24.10', uptime: 20 },
    'apps.list': [
      { name: 'tracker', version: '3.9.0', status: 'active' },
      { name: 'camera', version: '1', status: 'active' }
    ]
  }
  expect(said({}, after)).toEqual([
    'External power is missing now, it was present',
    'SIM card 8941 → 8942',
    'Mobile network: registered, now searching',
    'The mobile network no longer assigns an address',
    'Signal −71 dBm, now −101 dBm',
    'APN internet → other',
    '4 satellites fewer (11, now 7)',
    'OS 24.8 → 24.10',
    'Restarted at least once',
    'IN2 is active now, it was not',
    'OUT1: short circuit now',
    'Application tracker 3.8.0 → 3.9.0',
    'Application camera 1 is new'
  ])
})

it('finds nothing to say about a device on which nobody did anything', () => {
  const after = {
    'gps.position': {
      coords: { ...position.coords, latitude: 47.4001, speed: 1.2, accuracy: 9, altitude: 412, bearing: 290 },
      timestamp: 1_800_003_600,
      extras: { ...position.extras, hdop: 1.3, satsActive: 9 }
    },
    'io.all': { ...lines, AN1: 12_350, BAT: 4_020, MOT: true },
    'modem.information': { ...modem, RSSI: '-79', IP: '10.9.9.9', BAND: '3' },
    'system.info': {
      ...system,
      uptime: 8_600,
      sessionCount: 9,
      loadAvg: [1, 2, 3],
      ram: { total: 8, used: 3, free: 5, available: 5 }
    },
    'wifi.list': { ssids: ['Office', 'Yard'] }
  }
  const { differences, sentences } = compareSnapshots({
    before: sampleSnapshot(),
    after: sampleSnapshot(after, { takenAt: later })
  })
  expect(sentences).toEqual([])
  expect(differences.every(({ noise, rule }) => noise && rule !== null)).toBe(true)
  expect(differences.map(({ area, field }) => `${area} ${field}`)).toContain('gps coords.latitude')
  // The order in which saved networks are listed is no difference at all.
  expect(differences.some(({ area }) => area === 'wifi')).toBe(false)
})

it('calls the same differences real where they go beyond a rule', () => {
  const noiseOf = (before: Parameters<typeof sampleSnapshot>[0], after: Parameters<typeof sampleSnapshot>[0]) =>
    Object.fromEntries(
      diffSnapshots(sampleSnapshot(before), sampleSnapshot(after)).differences.map(({ area, field, noise }) => [
        `${area} ${field}`,
        noise
      ])
    )
  const moved = { ...position, coords: { ...position.coords, latitude: 47.41, speed: 60, bearing: 290 } }
  expect(noiseOf({}, { 'gps.position': moved })).toEqual({
    'gps coords.latitude': false,
    'gps coords.speed': false,
    'gps coords.bearing': false
  })
  // Without a position, coordinates say nothing.
  expect(noiseOf({}, { 'gps.position': { ...moved, extras: { ...position.extras, fix: 0 } } })).toMatchObject({
    'gps coords.latitude': true,
    'gps extras.fix': false
  })
  expect(noiseOf({}, { 'modem.information': { ...modem, RSSI: '-85' } })).toEqual({ 'modem information.RSSI': false })
  // In whichever of its two units the modem says it: 21 is -71 dBm.
  expect(noiseOf({}, { 'modem.information': { ...modem, RSSI: '21' } })).toEqual({ 'modem information.RSSI': true })
  expect(noiseOf({}, { 'system.info': { ...system, uptime: 10 } })).toEqual({ 'system uptime': false })
  expect(noiseOf({}, { 'io.all': { ...lines, AN1: 0 } })).toEqual({ 'io AN1': false })
})

it('hides nothing by a rule that a person left out', () => {
  const after = { 'io.all': { ...lines, BAT: 4_000 } }
  const of = (without: string[]) => diffSnapshots(sampleSnapshot(), sampleSnapshot(after), without).differences
  expect(of([])).toEqual([{ area: 'io', field: 'BAT', before: 3_900, after: 4_000, noise: true, rule: 'battery' }])
  expect(of(['battery'])).toEqual([{ area: 'io', field: 'BAT', before: 3_900, after: 4_000, noise: false, rule: null }])
})

it('tells what it cannot know instead of calling it a change', () => {
  const { differences, unknown, sentences } = compareSnapshots({
    before: sampleSnapshot({ 'io.all': null }),
    after: sampleSnapshot({ 'wifi.list': null })
  })
  expect(differences).toEqual([])
  expect(sentences).toEqual([])
  expect(unknown).toContainEqual({ area: 'io', part: null })
  expect(unknown).toContainEqual({ area: 'wifi', part: 'list' })
  expect(unknown.some(({ area }) => area === 'gateway')).toBe(false)
})

it('counts restarts only where two readings in a row show one', () => {
  const at = (minutes: number, uptime: number | null) => ({
    takenAt: new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString(),
    uptime
  })
  expect(restartsSeen([at(0, 100), at(60, 3_700)])).toBe(0)
  expect(restartsSeen([at(0, 100), at(60, 20)])).toBe(1)
  // Up for less time than has passed since, although it is more than before.
  expect(restartsSeen([at(0, 100), at(6_000, 40_000)])).toBe(1)
  expect(restartsSeen([at(180, 30), at(0, 9_000), at(60, 50), at(120, 40), at(240, null)])).toBe(3)
})

it('counts what other snapshots between the two show', () => {
  const between = [
    { takenAt: '2026-04-12T09:20:00.000Z', uptime: 40 },
    { takenAt: '2026-04-12T09:40:00.000Z', uptime: 30 }
  ]
  expect(said({}, { 'system.info': { ...system, uptime: 20 } }, between)).toEqual(['Restarted at least 3 times'])
})

it('says each rule with its limit, and no two alike', () => {
  const texts = noiseRules.map(({ text }) => english(text))
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts).toContain('Signal differs by up to 10 dB')
})

it('a gateway that had heard nothing yet is no list of lines that switched', () => {
  const shown = (values: Record<string, boolean>): Partial<Snapshot> => ({
    gateway: {
      state: 'answers',
      why: null,
      aheadS: 0,
      user: null,
      vehicle: null,
      elsewhere: null,
      stays: [],
      record: null,
      sim: null,
      engineBus: null,
      distanceM: null,
      events: null,
      eventsSinceAt: null,
      refused: {},
      lines: { value: { values, atMs: 0, raw: null }, readAt: later }
    }
  })
  const between = (before: Record<string, boolean>, after: Record<string, boolean>) =>
    compareSnapshots({
      before: sampleSnapshot({}, shown(before)),
      after: sampleSnapshot({}, { ...shown(after), takenAt: later }),
      between: []
    })
  const heard = between({}, { io_pwr: true, io_ign: false })
  expect(heard.differences.map(({ field, before, after }) => [field, before, after])).toEqual([
    ['lines.io_pwr', null, true],
    ['lines.io_ign', null, false]
  ])
  expect(heard.sentences.map(english)).toEqual(['The gateway shows 2 lines that it did not show before'])
  expect(between({ io_pwr: true, io_ign: false }, { io_ign: true }).sentences.map(english)).toEqual([
    'IGN at the gateway: active now',
    'The gateway does not show 1 line any more'
  ])
})

it('tells a battery that has lost its charge and storage that has filled up, in the units of the document and in those of the maker', () => {
  const bodies = (volts: number, freeMb: number, times: { mV: number; bytes: number }) => ({
    'io.all': { ...lines, BAT: volts * times.mV },
    'system.info': {
      ...system,
      ram: {
        total: 506_000 * times.bytes,
        used: 173_000 * times.bytes,
        free: 139_000 * times.bytes,
        available: 343_000 * times.bytes
      },
      datafs: { total: 2_255_000 * times.bytes, free: freeMb * 1_000 * times.bytes }
    }
  })
  const [document, maker] = [
    { mV: 1_000, bytes: 1_000 },
    { mV: 1, bytes: 1 }
  ]
  for (const [before, after] of [
    [document, document],
    [maker, maker],
    [maker, document]
  ] as const) {
    const { differences } = diffSnapshots(
      sampleSnapshot(bodies(4.05, 2_035, before)),
      sampleSnapshot(bodies(3.3, 1_235, after))
    )
    expect(differences).toEqual([
      { area: 'io', field: 'BAT', before: 4_050, after: 3_300, noise: false, rule: null },
      { area: 'system', field: 'datafs.free', before: 2_035_000_000, after: 1_235_000_000, noise: false, rule: null }
    ])
  }
})

it('compares no number whose unit is unknown', () => {
  expect(
    diffSnapshots(
      sampleSnapshot({ 'io.all': { ...lines, BAT: 41 } }),
      sampleSnapshot({ 'io.all': { ...lines, BAT: 33 } })
    ).differences
  ).toEqual([])
})
