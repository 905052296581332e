import type { Json } from '../../../preload/contract/define.ts'
import type { CallName, CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import type { DiagnosisSubject } from '../../../preload/contract/support/diagnosis.ts'
import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { OperationLine } from '../../../preload/contract/gateway/operations.ts'
import {
  vehicleFilters,
  type FleetKnowledge,
  type VehicleLine,
  type VehicleState
} from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { SignalName } from '../../../preload/contract/device/signals.ts'
import { liveReading, type LiveOperation, type LiveReading } from '../../../preload/contract/device/workspace.ts'
import type { DiagnosisLimits } from '../diagnosis/limits.ts'
import { readFacts } from '../deviceSession/readFacts.ts'
import type { Answers } from './bundleAnswers.ts'
import type { CabBundle } from './bundle.ts'
import { roadMs } from './record.ts'
import { plainJson } from '../../job/jobs/record/journal.ts'

/** A bundle never changes, so screens poll rarely. */
const againInMs = 3_600_000

type Responders = { [Name in CallName]?: (input: CallParsed<Name>) => CallOutput<Name> | undefined }

export type FileAnswers = ReturnType<typeof createFileAnswers>

export interface FileAnswersParts {
  bundle: Pick<CabBundle, 'manifest' | 'device'>
  /** The evidence over time, oldest first: first that of snapshots, at the end the last evidence. */
  seen: readonly Evidence[]
  answers: Answers
  writes: CallOutput<'workspace.history'>['writes']
  recordedAt(atMs: number): Evidence | null
  limits: DiagnosisLimits
  diagnose(evidence: Evidence): CallOutput<'diagnosis.look'>
  compare(evidence: Evidence): CallOutput<'workspace.compare'>
}

const unknownState: VehicleState = {
  reporting: { is: 'unknown', since: null, why: 'notRead', limitS: null, rhythmS: null },
  conditions: [],
  since: null,
  isSinceKnown: false,
  lastReportedAt: null,
  signalDbm: null,
  readAt: null
}

/** The bundle has one vehicle of a fleet: it counts nothing. */
const nothingRead: FleetKnowledge = {
  readAt: null,
  known: Object.fromEntries(vehicleFilters.map((filter) => [filter, 0])) as FleetKnowledge['known'],
  unknown: { notRead: 0, notShown: 0, noRhythm: 0 }
}

/** The answers for the screens from a file: as recorded, or only the part that a screen requests. */
export function createFileAnswers({
  bundle,
  answers,
  writes,
  seen,
  recordedAt,
  limits,
  diagnose,
  compare
}: FileAnswersParts) {
  const { manifest } = bundle
  const { subject } = manifest
  const writtenMs = Date.parse(manifest.writtenAt)
  const table = answers.find('discovery.watch')
  const known = table?.devices[0] ?? deviceOf(bundle)
  const deviceKey = known?.key ?? null

  function isDevice(key: string): boolean {
    return deviceKey !== null && key === deviceKey
  }

  function readings(): Partial<Record<LiveOperation, LiveReading>> {
    const read = deviceKey === null ? undefined : answers.find('workspace.read', { key: deviceKey })
    // The later of the screen's reading and the chain's reading; a failed reading never hides an earlier one.
    const all: Record<string, LiveReading> = {}
    for (const source of [...seen.map(({ device }) => device?.readings ?? {}), read?.readings ?? {}]) {
      for (const [operation, reading] of Object.entries(source)) {
        const checked = liveReading.safeParse(reading)
        if (!checked.success) continue
        const before = all[operation]
        if (!before || before.failure !== null || checked.data.failure === null) all[operation] = checked.data
      }
    }
    return all
  }

  const notRecorded = (at: string): LiveReading => ({
    value: null,
    raw: null,
    problems: [],
    readAt: at,
    elapsedMs: null,
    failure: { code: 'NOT_FOUND', message: message('cab.notInBundle') }
  })

  const work = (): OperationLine[] =>
    subject.jobId === null ? [] : (answers.find('operations.ofJob', { jobId: subject.jobId })?.operations ?? [])
  const counts = () => ({
    done: work().filter(({ state }) => state === 'done').length,
    waiting: work().filter(({ state }) => !ended.has(state) && state !== 'needsAttention' && state !== 'failed').length,
    needsAttention: work().filter(({ state }) => state === 'needsAttention').length,
    failed: work().filter(({ state }) => state === 'failed').length
  })

  const responders: Responders = {
    'discovery.watch': () => ({
      devices: known ? [known] : [],
      cards: table?.cards ?? [],
      lastHeardAt: table?.lastHeardAt ?? null,
      changeNumber: 0
    }),
    'discovery.gateways': () => answers.find('discovery.gateways') ?? { networks: [] },
    'discovery.sweepState': () => ({ sweep: null }),
    // The recorded account is shown; whether the gateway answers now is not checked.
    'gateway.status': () => ({ ...(answers.find('gateway.status') ?? unknownGateway()), ...notAsked() }),
    'diagnosis.raw': ({ subject: wanted, atMs }) => {
      const evidence = evidenceOf(wanted, atMs)
      return (
        evidence && {
          at: evidence.at,
          device: plainJson(evidence.device?.readings ?? {}) as Record<string, Json>,
          gateway: plainJson(evidence.gateway ?? {}) as Record<string, Json>
        }
      )
    },
    'diagnosis.look': ({ subject: wanted, atMs }) => {
      const evidence = evidenceOf(wanted, atMs)
      return evidence ? { ...diagnose(evidence), isWhole: true, nextInMs: againInMs } : undefined
    },
    'outputs.ledger': () => answers.find('outputs.ledger') ?? { outputs: [] },
    'operations.paused': () => ({ paused: answers.find('operations.paused')?.paused ?? null, counts: counts() }),
    'operations.list': ({ scope, before, limit }) => {
      const lines = work()
        .filter(
          ({ state, sequence }) => ended.has(state) === (scope === 'ended') && (before === null || sequence < before)
        )
        .sort((a, b) => b.sequence - a.sequence)
      return { operations: lines.slice(0, limit), more: lines.length > limit, counts: counts() }
    },
    'operations.ofJob': ({ jobId }) => answers.find('operations.ofJob', { jobId }),
    'operations.stories': ({ id, jobId, after }) => {
      const all = subject.jobId === null ? undefined : answers.find('operations.stories', { jobId: subject.jobId })
      if (!all) return undefined
      if (after !== null || (jobId !== null && jobId !== subject.jobId))
        return { stories: [], more: false, total: all.total, counts: counts(), paused: null }
      const stories = all.stories.filter((story) => id === null || story.id === id)
      return { ...all, stories, more: false, total: stories.length, counts: counts() }
    },
    'vehicles.copy': () => copyHere(),
    'vehicles.search': ({ text }) => ({
      ...linesOf(vehiclesWith(text)),
      more: false,
      copy: copyHere(),
      filter: 'all',
      counts: null,
      fleet: nothingRead,
      groups: [],
      instead: null
    }),
    'vehicles.ids': ({ text }) => ({ ids: vehiclesWith(text).map(({ id }) => id), instead: null }),
    'vehicles.lines': ({ ids }) => linesOf(vehiclesWith('').filter(({ id }) => ids.includes(id))),
    'vehicles.standings': ({ ids }) => {
      const all =
        subject.vehicleId === null ? undefined : answers.find('vehicles.standings', { ids: [subject.vehicleId] })
      return {
        standings: (all?.standings ?? []).filter(({ id }) => ids.includes(id)),
        readAt: all?.readAt ?? manifest.writtenAt
      }
    },
    'vehicles.assets': ({ ids }) => ({ assets: allAssets().filter(({ id }) => ids.includes(id)) }),
    'vehicles.events': ({ id, hours, limit }) => {
      const all = answers.find('vehicles.events', { id })
      const sinceMs = Date.parse(all?.readAt ?? manifest.writtenAt) - hours * 3_600_000
      return all && { ...all, events: all.events.filter(({ at }) => Date.parse(at) >= sinceMs).slice(0, limit) }
    },
    'vehicles.road': ({ id, fromMs, untilMs }) => {
      const all = answers.find('vehicles.road', { id })
      if (!all) return undefined
      const points = all.points.filter(([atMs]) => atMs >= fromMs && atMs <= untilMs)
      const trips = all.trips.filter((trip) => trip.fromMs <= untilMs && (trip.untilMs ?? trip.fromMs) >= fromMs)
      const isOlder = fromMs < Date.parse(all.readAt) - roadMs - 60_000
      return {
        ...all,
        points,
        trips,
        events: points.length === all.points.length ? all.events : points.length,
        problems: [...all.problems, ...(isOlder ? [message('cab.notInBundle')] : [])]
      }
    },
    'workspace.read': ({ key, operations }) => {
      if (!isDevice(key)) return undefined
      const all = readings()
      const wanted = Object.fromEntries(
        operations.map((operation) => [operation, all[operation] ?? notRecorded(manifest.writtenAt)])
      )
      const atMs =
        Math.max(
          0,
          ...Object.values(wanted)
            .filter(({ failure }) => failure === null)
            .map(({ readAt }) => Date.parse(readAt))
        ) || writtenMs
      return { readings: wanted, facts: readFacts(wanted, atMs, limits), nextInMs: againInMs, isSlow: false }
    },
    'workspace.signals': ({ key, names, sinceMs }) => {
      if (!isDevice(key)) return undefined
      const all = answers.find('workspace.signals', { key })
      const entries = Object.entries(all?.signals ?? {}) as [
        SignalName,
        { atMs: number[]; values: (number | null)[] }
      ][]
      const signals = Object.fromEntries(
        entries
          .filter(([name]) => names.includes(name))
          .map(([name, points]) => {
            const kept = points.atMs
              .map((atMs, index) => [atMs, points.values[index] ?? null] as const)
              .filter(([atMs]) => atMs > sinceMs)
            return [name, { atMs: kept.map(([atMs]) => atMs), values: kept.map(([, value]) => value) }]
          })
      )
      return { nowMs: all?.nowMs ?? writtenMs, signals }
    },
    'workspace.track': ({ key, sinceMs }) => {
      if (!isDevice(key)) return undefined
      const all = answers.find('workspace.track', { key })
      return {
        nowMs: all?.nowMs ?? writtenMs,
        drivenM: all?.drivenM ?? 0,
        points: (all?.points ?? []).filter(([atMs]) => atMs > sinceMs)
      }
    },
    'workspace.lines': ({ key, since }) => {
      const all = isDevice(key) ? answers.find('workspace.lines', { key }) : undefined
      if (all && since?.story === all.story && since.mark === all.mark)
        return { ...all, since: since.mark, lines: [], gaps: [], voltages: [] }
      return all
    },
    'workspace.compare': ({ key }) => {
      const evidence = seen.at(-1)
      return isDevice(key) ? (answers.find('workspace.compare', { key }) ?? (evidence && compare(evidence))) : undefined
    },
    'workspace.history': ({ key, operations, limit }) => {
      if (!isDevice(key)) return undefined
      return {
        writes: writes
          .filter(({ operation }) => operations.length === 0 || operations.includes(operation))
          .slice(0, limit)
      }
    },
    'workspace.signInState': ({ key }) =>
      answers.find('workspace.signInState', { key }) ?? { signedIn: false, defaultsKnown: false, usesDefaults: null },
    'workspace.requiredApps': () => answers.find('workspace.requiredApps') ?? { names: [] },
    'device.read': ({ key, areas }) => {
      if (!isDevice(key)) return undefined
      const all = readings()
      return { areas: Object.fromEntries(areas.map((area) => [area, areaOf(area, all, manifest.writtenAt)])) }
    }
  }

  function evidenceOf(wanted: DiagnosisSubject, atMs: number | null): Evidence | undefined {
    const isOurs =
      'key' in wanted
        ? isDevice(wanted.key)
        : 'imei' in wanted
          ? wanted.imei === subject.imei
          : wanted.vehicleId === subject.vehicleId
    if (!isOurs) return undefined
    return (atMs === null ? seen.at(-1) : recordedAt(atMs)) ?? undefined
  }

  /** The writer's copy contained all vehicles; the bundle contains one of them. */
  /** The vehicle of the bundle, if it has these words. */
  function vehiclesWith(text: string): VehicleLine[] {
    const line =
      subject.vehicleId === null ? undefined : answers.find('vehicles.show', { id: subject.vehicleId })?.vehicle
    if (!line) return []
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    const { id, name, plate, vin, imei, info } = line
    const said = JSON.stringify([id, name, plate, vin, imei, Object.values(info)]).toLowerCase()
    return words.every((word) => said.includes(word)) ? [line] : []
  }

  function linesOf(vehicles: VehicleLine[]): CallOutput<'vehicles.lines'> {
    return {
      vehicles,
      states: vehicles.map(({ id }) => answers.find('vehicles.show', { id })?.state ?? unknownState)
    }
  }

  function copyHere(): CallOutput<'vehicles.copy'> {
    const count = subject.vehicleId !== null && answers.find('vehicles.show', { id: subject.vehicleId }) ? 1 : 0
    return {
      site: null,
      copiedAt: null,
      problem: null,
      ...answers.find('vehicles.copy'),
      count,
      complete: false,
      running: null
    }
  }

  /** Names of assets were requested in one question, for any set of assets. */
  function allAssets(): CallOutput<'vehicles.assets'>['assets'] {
    const history =
      subject.vehicleId === null ? undefined : answers.find('vehicles.show', { id: subject.vehicleId })?.history
    const ids = [...new Set((history ?? []).filter(({ kind }) => kind === 'asset').map(({ id }) => Number(id)))].filter(
      Number.isSafeInteger
    )
    return answers.find('vehicles.assets', { ids: ids.slice(0, 12) })?.assets ?? []
  }

  return {
    deviceKey,
    tell(call: CallName, input: unknown): unknown {
      const respond = responders[call] as ((input: unknown) => unknown) | undefined
      return respond ? respond(input) : answers.find(call, input)
    }
  }
}

const ended: ReadonlySet<OperationLine['state']> = new Set(['done', 'cancelled', 'expired', 'superseded', 'moved'])

/** If the table of devices was not recorded, the device is known from the job. */
function deviceOf({ manifest, device }: FileAnswersParts['bundle']): SeenDevice | undefined {
  const imei = device?.imei ?? manifest.subject.imei
  if (imei === null) return undefined
  const model = device?.model ?? manifest.subject.model
  const [, host, port] = /^(.+?)(?::(\d{1,5}))?$/.exec(device?.address ?? '') ?? []
  return {
    key: imei,
    imei,
    model: model === '' ? null : model,
    hostname: model ? `${model}-${imei}` : null,
    addresses: host === undefined ? [] : [host],
    port: Number(port ?? 8080),
    card: null,
    via: 'known',
    standing: 'found',
    verified: false,
    detail: message('cab.deviceFromFile'),
    osVersion: null,
    firstSeenMs: 0,
    firstSeenAt: device?.lastSeenAt ?? manifest.writtenAt,
    lastSeenAt: device?.lastSeenAt ?? manifest.writtenAt,
    lastVehicle: device?.lastVehicle ?? manifest.subject.vehicleName,
    lastJobAt: null,
    label: device?.label ?? '',
    signedIn: true
  }
}

function unknownGateway(): CallOutput<'gateway.status'> {
  return { url: '', user: null, scopes: null, isStaff: null, groups: null, clockDifferenceS: null, ...notAsked() }
}

function notAsked() {
  return {
    state: 'unknown' as const,
    rateLimit: null,
    answeredAt: null,
    hindrance: null,
    way: null,
    detail: message('cab.gatewayNotAsked')
  }
}

const partsOfAreas: Readonly<Record<string, LiveOperation | Readonly<Record<string, LiveOperation>>>> = {
  gps: 'gps.position',
  eth: 'eth.state',
  wifi: { state: 'wifi.state', list: 'wifi.list' },
  hotspot: { state: 'hotspot.state', list: 'hotspot.list' },
  modem: { information: 'modem.information', configuration: 'modem.configuration' },
  io: 'io.all',
  accelerometer: { state: 'accel.state', configuration: 'accel.configuration' },
  system: 'system.info',
  apps: 'apps.list'
}

function areaOf(
  area: string,
  readings: Partial<Record<LiveOperation, LiveReading>>,
  at: string
): { value: Json; readAt: string; problems: Message[] } {
  const parts = partsOfAreas[area]
  const list = parts === undefined ? [] : typeof parts === 'string' ? [['', parts] as const] : Object.entries(parts)
  const found = list.flatMap(([name, operation]) => {
    const reading = readings[operation]
    return reading && reading.failure === null ? [{ name, reading }] : []
  })
  const [first] = found
  if (!first) return { value: null, readAt: at, problems: [message('cab.notInBundle')] }
  const value =
    first.name === ''
      ? first.reading.value
      : Object.fromEntries(found.map(({ name, reading }) => [name, reading.value]))
  return { value, readAt: first.reading.readAt, problems: found.flatMap(({ reading }) => reading.problems) }
}
