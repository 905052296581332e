import type { Json } from '../../../../preload/contract/define.ts'
import type { SnapshotArea } from '../../../../preload/contract/support/snapshots.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'

/**
 * Conditions under which a difference in some fields is not meaningful. always: the value changes with every reading.
 * grows: the value only increases; a decrease is a difference. within: changes by at most `most`. signalWithin: the
 * same for a signal in dBm or CSQ. placeWithin: both have a fix, at most this far apart. withoutFix: one of the two had
 * no fix. standing: the heading of a vehicle that was parked both times. otherValue: present both times.
 */
export type NoiseTest =
  | { kind: 'always' | 'grows' | 'withoutFix' | 'standing' | 'otherValue' }
  | { kind: 'within' | 'signalWithin' | 'placeWithin'; most: number }

export interface NoiseRuleForm {
  id: string
  fields: readonly { area: SnapshotArea; field: RegExp }[]
  test: NoiseTest
  text: Message
}

const limits = {
  placeM: 30,
  altitudeM: 30,
  satellites: 2,
  hdop: 1,
  speedKmh: 3,
  signalDb: 10,
  supplyMv: 500,
  batteryMv: 300,
  freeBytes: 100_000_000
} as const

/** The changes from one reading to the next on an untouched device. The first matching rule counts. */
export const noiseRules: readonly NoiseRuleForm[] = [
  {
    id: 'clock',
    fields: [{ area: 'gps', field: /^timestamp$/ }],
    test: { kind: 'always' },
    text: message('snapshots.rule.clock')
  },
  {
    id: 'withoutFix',
    fields: [{ area: 'gps', field: /^coords\./ }],
    test: { kind: 'withoutFix' },
    text: message('snapshots.rule.withoutFix')
  },
  {
    id: 'place',
    fields: [{ area: 'gps', field: /^coords\.(latitude|longitude)$/ }],
    test: { kind: 'placeWithin', most: limits.placeM },
    text: message('snapshots.rule.place', { mostM: limits.placeM })
  },
  {
    id: 'altitude',
    fields: [{ area: 'gps', field: /^coords\.altitude$/ }],
    test: { kind: 'within', most: limits.altitudeM },
    text: message('snapshots.rule.altitude', { mostM: limits.altitudeM })
  },
  {
    id: 'accuracy',
    fields: [{ area: 'gps', field: /^coords\.(accuracy|altitudeAccuracy)$/ }],
    test: { kind: 'always' },
    text: message('snapshots.rule.accuracy')
  },
  {
    id: 'hdop',
    fields: [{ area: 'gps', field: /^extras\.[hvp]dop$/ }],
    test: { kind: 'within', most: limits.hdop },
    text: message('snapshots.rule.hdop', { most: limits.hdop })
  },
  {
    id: 'satellites',
    fields: [{ area: 'gps', field: /^extras\.satsActive$/ }],
    test: { kind: 'within', most: limits.satellites },
    text: message('snapshots.rule.satellites', { n: limits.satellites })
  },
  {
    id: 'speed',
    fields: [{ area: 'gps', field: /^coords\.speed$/ }],
    test: { kind: 'within', most: limits.speedKmh },
    text: message('snapshots.rule.speed', { mostKmh: limits.speedKmh })
  },
  {
    id: 'heading',
    fields: [{ area: 'gps', field: /^coords\.bearing$/ }],
    test: { kind: 'standing' },
    text: message('snapshots.rule.heading')
  },
  {
    id: 'signal',
    fields: [
      { area: 'modem', field: /^information\.RSSI$/ },
      { area: 'wifi', field: /^state\.signal$/ }
    ],
    test: { kind: 'signalWithin', most: limits.signalDb },
    text: message('snapshots.rule.signal', { mostDb: limits.signalDb })
  },
  {
    id: 'bytes',
    fields: [
      { area: 'eth', field: /^[rt]x_bytes$/ },
      { area: 'wifi', field: /^state\.[rt]x_bytes$/ }
    ],
    test: { kind: 'always' },
    text: message('snapshots.rule.bytes')
  },
  {
    id: 'uptime',
    fields: [{ area: 'system', field: /^uptime$/ }],
    test: { kind: 'grows' },
    text: message('snapshots.rule.uptime')
  },
  {
    id: 'sessions',
    fields: [{ area: 'system', field: /^sessionCount$/ }],
    test: { kind: 'always' },
    text: message('snapshots.rule.sessions')
  },
  {
    id: 'load',
    fields: [{ area: 'system', field: /^(loadAvg|ram\.(used|free|available)|cpu\.(currF|usage|stats\..*|stats))$/ }],
    test: { kind: 'always' },
    text: message('snapshots.rule.load')
  },
  {
    id: 'storage',
    fields: [{ area: 'system', field: /^(rootfs|datafs)\.free$/ }],
    test: { kind: 'within', most: limits.freeBytes },
    text: message('snapshots.rule.storage', { mostBytes: limits.freeBytes })
  },
  {
    id: 'supply',
    fields: [{ area: 'io', field: /^(AN1|AN2|DAN)$/ }],
    test: { kind: 'within', most: limits.supplyMv },
    text: message('snapshots.rule.supply', { mostMv: limits.supplyMv })
  },
  {
    id: 'battery',
    fields: [{ area: 'io', field: /^BAT$/ }],
    test: { kind: 'within', most: limits.batteryMv },
    text: message('snapshots.rule.battery', { mostMv: limits.batteryMv })
  },
  {
    id: 'motion',
    fields: [
      { area: 'io', field: /^MOT$/ },
      { area: 'accelerometer', field: /^state\.MOTION$/ }
    ],
    test: { kind: 'always' },
    text: message('snapshots.rule.motion')
  },
  {
    id: 'networkAddress',
    fields: [{ area: 'modem', field: /^information\.(IP|BAND)$/ }],
    test: { kind: 'otherValue' },
    text: message('snapshots.rule.networkAddress')
  },
  {
    id: 'stations',
    fields: [{ area: 'hotspot', field: /^list\./ }],
    test: { kind: 'always' },
    text: message('snapshots.rule.stations')
  },
  {
    id: 'distance',
    fields: [{ area: 'gateway', field: /^distanceM$/ }],
    test: { kind: 'grows' },
    text: message('snapshots.rule.distance')
  }
]

/** The rule for a field, whether or not its condition is met. */
export function rulesFor(area: SnapshotArea, field: string): NoiseRuleForm[] {
  return noiseRules.filter((rule) => rule.fields.some((one) => one.area === area && one.field.test(field)))
}

/** Some answers contain numbers as texts. */
export function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}
