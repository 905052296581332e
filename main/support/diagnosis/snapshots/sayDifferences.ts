import type { Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Snapshot, SnapshotDifference } from '../../../../preload/contract/support/snapshots.ts'
import { hasIp, readRegistration, readSignal } from '../../../device/client/facts.ts'
import { isFix } from '../../../../preload/base/maps/position.ts'
import { apartM } from './diff.ts'
import { numberOf } from './noiseRules.ts'

export interface SayOptions {
  before: Snapshot
  after: Snapshot
  differences: readonly SnapshotDifference[]
  /** The least number of restarts between the two. */
  restarts: number
}

type Found = (area: SnapshotDifference['area'], field: string) => SnapshotDifference | undefined

/** Sentences about confirmed changes, most important first: those that keep a vehicle from reporting. */
export function sayDifferences({ before, after, differences, restarts }: SayOptions): Message[] {
  const real = differences.filter(({ noise }) => !noise)
  const said = new Set<SnapshotDifference>()
  const find: Found = (area, field) => {
    const one = real.find((candidate) => candidate.area === area && candidate.field === field)
    if (one) said.add(one)
    return one
  }
  const taken = (matches: (one: SnapshotDifference) => boolean): SnapshotDifference[] => {
    const all = real.filter((one) => !said.has(one) && matches(one))
    for (const one of all) said.add(one)
    return all
  }
  const sentences = [
    ...sayPower(find),
    ...sayModem(find, before, after),
    ...sayPosition(find, before, after),
    ...sayVersions(find),
    ...(restarts > 0 ? [message('snapshots.said.restarted', { n: restarts })] : []),
    ...sayLines(find),
    ...sayApps(taken(({ area }) => area === 'apps')),
    ...sayNames(
      taken(({ area, field }) => area === 'accelerometer' && field.startsWith('configuration.')),
      'accelerometer'
    ),
    ...sayNames(
      taken(({ area, field }) => area === 'modem' && field.startsWith('configuration.')),
      'modem'
    ),
    ...sayGateway(find),
    ...sayGatewayLines(
      taken(({ area, field }) => area === 'gateway' && field.startsWith('lines.')),
      real
    )
  ]
  find('system', 'uptime')
  const rest = real.filter((one) => !said.has(one)).length
  return rest === 0
    ? sentences
    : [...sentences, message(sentences.length === 0 ? 'snapshots.said.onlyOther' : 'snapshots.said.other', { n: rest })]
}

function sayPower(find: Found): Message[] {
  const one = find('io', 'PWR')
  return typeof one?.after === 'boolean' && typeof one.before === 'boolean'
    ? [message('snapshots.said.power', { isOn: one.after ? 'yes' : 'no' })]
    : []
}

function sayModem(find: Found, before: Snapshot, after: Snapshot): Message[] {
  const sentences: Message[] = []
  const information = (name: string) => find('modem', `information.${name}`)
  const sim = information('SIM_ID')
  if (sim) sentences.push(saidChange('sim', sim))
  for (const name of [
    'SIM_IMSI',
    'eSIM_ID',
    'eSIM_IMSI',
    'SIM_TYPE',
    'SIM_STATE',
    'eSIM_STATE',
    'MODEM_STATE',
    'OPERATOR',
    'RAT',
    'IMEI'
  ] as const) {
    const one = information(name)
    // A number that belongs to the card adds nothing to the card's own number.
    if (one && !(sim && name === 'SIM_IMSI'))
      sentences.push(message('snapshots.said.modem', { name, before: textOf(one.before), after: textOf(one.after) }))
  }
  const [gsm, gprs] = [information('GSM_REG'), information('GPRS_REG')]
  if (gsm ?? gprs) {
    const [was, is] = [registrationOf(before), registrationOf(after)]
    if (was !== is) sentences.push(message('snapshots.said.registration', { before: was, after: is }))
  }
  const ip = information('IP')
  const [hadIp, isIp] = [hasIp(asText(ip?.before)), hasIp(asText(ip?.after))]
  if (ip && hadIp !== isIp) sentences.push(message('snapshots.said.ip', { has: isIp ? 'yes' : 'no' }))
  const rssi = information('RSSI')
  const [weak, strong] = [readSignal(asText(rssi?.before))?.dBm, readSignal(asText(rssi?.after))?.dBm]
  if (weak !== undefined && strong !== undefined)
    sentences.push(message('snapshots.said.signal', { beforeDbm: weak, afterDbm: strong }))
  const apn = find('modem', 'configuration.APN')
  if (apn) sentences.push(saidChange('apn', apn))
  return sentences
}

/** One sentence for both numbers: only one of them may have changed. */
function registrationOf({ readings }: Snapshot): string {
  const { GSM_REG, GPRS_REG } = (readings['modem.information']?.value ?? {}) as Record<string, Json>
  return readRegistration(asText(GSM_REG), asText(GPRS_REG))
}

function sayPosition(find: Found, before: Snapshot, after: Snapshot): Message[] {
  const sentences: Message[] = []
  const fix = find('gps', 'extras.fix')
  const [modeBefore, modeAfter] = [numberOf(fix?.before ?? null), numberOf(fix?.after ?? null)]
  if (modeBefore !== undefined && modeAfter !== undefined && isFix(modeBefore) !== isFix(modeAfter))
    sentences.push(message('snapshots.said.fix', { has: isFix(modeAfter) ? 'yes' : 'no' }))
  const satellites = find('gps', 'extras.satsActive')
  const [were, are] = [numberOf(satellites?.before ?? null), numberOf(satellites?.after ?? null)]
  if (were !== undefined && are !== undefined)
    sentences.push(
      message('snapshots.said.satellites', {
        n: Math.abs(are - were),
        way: are < were ? 'fewer' : 'more',
        before: were,
        after: are
      })
    )
  const [latitude, longitude] = [find('gps', 'coords.latitude'), find('gps', 'coords.longitude')]
  const movedM = apartM(before, after)
  if ((latitude ?? longitude) && movedM !== undefined)
    sentences.push(message('snapshots.said.place', { distanceM: Math.round(movedM) }))
  return sentences
}

function sayVersions(find: Found): Message[] {
  const os = find('system', 'osVersion')
  // These fields repeat the same version.
  find('system', 'releaseDate')
  find('system', 'kernelVersion')
  const accelerometer = find('accelerometer', 'state.FW_VERSION')
  return [
    ...(os ? [saidChange('os', os)] : []),
    ...(accelerometer ? [saidChange('accelerometerVersion', accelerometer)] : [])
  ]
}

const switchedLines = [
  'IGN',
  'TIG',
  ...[1, 2, 3, 4, 5, 6, 7].map((n) => `IN${n}`),
  ...[1, 2, 3, 4].map((n) => `OUT${n}`)
]

function sayLines(find: Found): Message[] {
  const switched = switchedLines.flatMap((line) => {
    const one = find('io', line)
    return typeof one?.before === 'boolean' && typeof one.after === 'boolean'
      ? [message('snapshots.said.line', { line, isOn: one.after ? 'yes' : 'no' })]
      : []
  })
  const shorts = [1, 2, 3, 4].flatMap((n) => {
    const one = find('io', `SO${n}`)
    return typeof one?.after === 'boolean'
      ? [message('snapshots.said.short', { line: `OUT${n}`, isShort: one.after ? 'yes' : 'no' })]
      : []
  })
  const voltages = ['AN1', 'AN2', 'DAN', 'BAT'].flatMap((line) => {
    const one = find('io', line)
    const [were, are] = [numberOf(one?.before ?? null), numberOf(one?.after ?? null)]
    return were !== undefined && are !== undefined
      ? [message('snapshots.said.voltage', { line, beforeMv: were, afterMv: are })]
      : []
  })
  return [...switched, ...shorts, ...voltages]
}

/** If an application was added or removed, all its fields changed together. */
function sayApps(differences: readonly SnapshotDifference[]): Message[] {
  const sentences: Message[] = []
  for (const { field, before, after } of differences) {
    const name = field.replace(/\.[^.]*$/, '')
    if (field.endsWith('.version') && !field.includes('.manifest.')) {
      if (before === null) sentences.push(message('snapshots.said.appCame', { name, version: textOf(after) }))
      else if (after === null) sentences.push(message('snapshots.said.appLeft', { name }))
      else sentences.push(message('snapshots.said.appVersion', { name, before: textOf(before), after: textOf(after) }))
    } else if (field.endsWith('.status') && before !== null && after !== null) {
      sentences.push(message('snapshots.said.appStatus', { name, before: textOf(before), after: textOf(after) }))
    }
  }
  return sentences
}

function sayNames(differences: readonly SnapshotDifference[], what: 'accelerometer' | 'modem'): Message[] {
  if (differences.length === 0) return []
  const names = differences.map(
    ({ field, before, after }) => `${field.replace('configuration.', '')} ${textOf(before)} → ${textOf(after)}`
  )
  return [message('snapshots.said.settings', { what, names })]
}

function sayGateway(find: Found): Message[] {
  const vehicle = find('gateway', 'vehicle.name') ?? find('gateway', 'vehicle')
  find('gateway', 'vehicle.id')
  return vehicle
    ? [message('snapshots.said.vehicle', { before: vehicleName(vehicle.before), after: vehicleName(vehicle.after) })]
    : []
}

/**
 * Lines at the gateway. A change that also happened at the device has a sentence; a line that appeared or disappeared
 * did not switch.
 */
function sayGatewayLines(differences: readonly SnapshotDifference[], all: readonly SnapshotDifference[]): Message[] {
  const switched = differences.flatMap(({ field, before, after }) => {
    const line = field.replace('lines.', '').replace(/^io_/, '').toUpperCase()
    const isSaid = all.some((one) => one.area === 'io' && one.field === line && one.after === after)
    return isSaid || typeof before !== 'boolean' || typeof after !== 'boolean'
      ? []
      : [message('snapshots.said.gatewayLine', { line, isOn: after ? 'yes' : 'no' })]
  })
  const cameN = differences.filter(({ before, after }) => before === null && after !== null).length
  const wentN = differences.filter(({ before, after }) => before !== null && after === null).length
  return [
    ...switched,
    ...(cameN > 0 ? [message('snapshots.said.gatewayShows', { n: cameN, way: 'came' })] : []),
    ...(wentN > 0 ? [message('snapshots.said.gatewayShows', { n: wentN, way: 'went' })] : [])
  ]
}

function vehicleName(value: Json): string {
  return value === null ? '-' : textOf(value)
}

function saidChange(
  what: 'os' | 'accelerometerVersion' | 'apn' | 'sim',
  { before, after }: SnapshotDifference
): Message {
  return message('snapshots.said.change', { what, before: textOf(before), after: textOf(after) })
}

function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Short, for use inside a sentence. */
function textOf(value: Json): string {
  const text = value === null || value === '' ? '-' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
