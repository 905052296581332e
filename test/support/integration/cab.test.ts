import dgram from 'node:dgram'
import dns from 'node:dns'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readUpdates } from '../../../main/app/openUpdates.ts'
import { showBundle, type OpenedBundle } from '../../../main/app/openedBundle.ts'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { routeCall } from '../../../main/app/router.ts'
import { noCab } from '../../../main/support/bundleViewer/handlers.ts'
import { callSources } from '../../../main/support/bundleViewer/callSources.ts'
import { diagnose, type Measures } from '../../../main/support/diagnosis/diagnosis.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import type { CallResult } from '../../../preload/contract/errors.ts'
import {
  calls,
  type CallInput,
  type CallName,
  type CallOutput,
  type Handlers
} from '../../../preload/contract/index.ts'
import { recordCab, type Recorded } from '../../world/window/recordedCab.ts'
import { openWorkspaceBench } from '../../world/device/workspaceBench.ts'

let recorded: Recorded
let cab: OpenedBundle
let folder: string
const faults: unknown[] = []
const touched: string[] = []

/** The recorded bundle, with what a file could say otherwise. */
function openBundle(changed: Partial<Recorded['bundle']> = {}): Promise<OpenedBundle> {
  return showBundle({
    bundle: { ...recorded.bundle, ...changed },
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    reader: () => readerHandlers,
    frontEnd: { frontEnd: 'browser', version: '9.9.9' },
    door: noCab,
    reportFault: (error) => faults.push(error)
  })
}

beforeAll(async () => {
  const bench = await openWorkspaceBench({ seed: 617, gateway: true, gatewayDelayMs: 0, reportEveryMs: 1_000 })
  try {
    recorded = await recordCab(bench)
    expect(bench.faults).toEqual([])
  } finally {
    await bench.stop()
  }
  // From here on there is neither a device nor a gateway, and nothing may look for one.
  vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (this: net.Socket, ...wish: unknown[]) {
    touched.push(`connect ${JSON.stringify(wish[0])}`)
    return this
  })
  vi.spyOn(dgram, 'createSocket').mockImplementation(() => {
    touched.push('datagram')
    throw new Error('no network here')
  })
  vi.spyOn(dns.promises, 'lookup').mockImplementation(() => {
    touched.push('look-up')
    return Promise.reject(new Error('no network here'))
  })
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-cab-'))
  cab = await openBundle()
}, 360_000)
afterAll(async () => {
  await cab.close()
  fs.rmSync(folder, { recursive: true, force: true })
  vi.restoreAllMocks()
})

/** What the person's own Fitter says of how they read. */
const readerHandlers = {
  'activity.list': () => ({ entries: [], readUpTo: 0, away: null }),
  'activity.looking': () => ({}),
  'settings.get': () => ({
    technician: 'Support One',
    theme: 'dark',
    language: 'es',
    units: 'metric',
    gatewayUnits: null,
    timeZone: null,
    deskRows: 'dense',
    gatewayUrl: '',
    gatewayUser: '',
    gatewaySites: [],
    gatewayProxy: { kind: 'system' },
    gatewayCard: '',
    gatewayAuthorities: [],
    deviceModels: [],
    profile: 'standard',
    keys: {},
    letterKeys: true
  }),
  'settings.profiles': () => ({ inUse: 'standard', profiles: [] }),
  'app.settingOrigins': () => ({ settings: [], layers: {} }),
  'policy.get': () => ({
    file: '',
    isThere: false,
    changedAt: null,
    company: '',
    contact: { name: '', mail: '', phone: '' },
    values: [],
    problems: []
  }),
  'policy.text': () => ({ text: '' }),
  'updates.get': () => readUpdates(folder),
  'maps.state': () => ({
    offline: null,
    online: { isOn: true, template: 'https://tiles.example/{z}/{x}/{y}', attribution: 'a' },
    chosenBy: 'path'
  }),
  'reportFont.state': () => ({ font: null, chosenBy: 'path' })
} as unknown as Handlers

const ask = (name: CallName, input: unknown): Promise<CallResult<unknown>> =>
  routeCall(cab.handlers, name, input, (error) => faults.push(error))
async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
  const result = await ask(name, input)
  if (!result.ok) throw result.error
  return result.value as CallOutput<Name>
}

const everyEvent = { types: null, conditions: [] }

/** What each screen asks. A call that is answered in a bundle has a question here. */
function questions(snapshotId: string): Partial<Record<CallName, unknown>> {
  const { jobId, imei, vehicleId, deviceKey: key } = recorded
  const conditions = { rules: [{ id: 'A', key: 'speed', operator: '>', value: 10 }], postfix: ['A'] }
  const from = '2026-11-01'
  return {
    'accessories.keys': {},
    'accessories.read': { vehicleId },
    'accessories.tags': { vehicleId },
    'accessories.tests': {},
    'app.enter': { workplace: 'real' },
    'activity.list': { limit: 5 },
    'activity.looking': { view: 'window', isLooking: true },
    'app.info': {},
    'app.opening': {},
    'attachments.read': { jobId, sha256: recorded.bundle.photos[0]?.sha256, piece: 0 },
    'cab.add': { upload: 'something', totalBytes: 4, from: 0, base64: 'AAAA' },
    'cab.drop': { upload: 'something' },
    'cab.leave': {},
    'cab.list': {},
    'cab.reopen': { id: '0'.repeat(12) },
    'cab.forget': { id: '0'.repeat(12) },
    'copies.status': {},
    'day.work': { from: '2026-01-01T00:00:00.000Z', weekFrom: '2026-01-01T00:00:00.000Z' },
    'device.read': { key, areas: ['gps', 'io', 'modem', 'updates'] },
    'diagnosis.installed': { imei },
    'diagnosis.look': { subject: { key } },
    'diagnosis.raw': { subject: { key } },
    'diagnosis.tolerances': {},
    'discovery.gateways': {},
    'discovery.known': { limit: 10 },
    'discovery.readLabel': { text: imei },
    'discovery.sweepState': {},
    'discovery.watch': {},
    'eventLog.count': { id: 'x', filter: everyEvent, field: 'sv', value: 0 },
    'eventLog.endExport': { id: 'x' },
    'eventLog.event': { id: 'x', row: 0, columns: [] },
    'eventLog.export': { id: 'x', filter: everyEvent, format: 'csv', columns: null },
    'eventLog.exportPart': { id: 'x', from: 0 },
    'eventLog.fields': {},
    'eventLog.find': { id: 'x', filter: everyEvent, at: { ms: 0 } },
    'eventLog.judge': { id: 'x', silentFromS: null },
    'eventLog.labels': { id: 'x' },
    'eventLog.last': { vehicleId },
    'eventLog.merged': { ids: ['x', 'y'], filter: everyEvent, first: 0, n: 1, columns: [] },
    'eventLog.open': { vehicleId, fromMs: Date.now() - 3_600_000, toMs: Date.now(), fields: [] },
    'eventLog.picture': { id: 'x', filter: everyEvent, fromMs: 0, toMs: 1, columns: 1, points: 1, fields: [] },
    'eventLog.rows': { id: 'x', filter: everyEvent, first: 0, n: 1, columns: [] },
    'eventLog.state': { id: 'x' },
    'eventLog.stop': { id: 'x' },
    'eventLog.stretches': { id: 'x' },
    'find.kept': { text: 'Customer' },
    'gateway.findEntities': { kind: 'vehicle', text: '1' },
    'gateway.groups': {},
    'gateway.sessions': {},
    'gateway.sites': {},
    'gateway.status': {},
    'internet.networks': {},
    'internet.settings': {},
    'jobLog.facets': { filter: {} },
    'jobLog.page': { filter: {}, limit: 10 },
    'jobs.list': { limit: 10 },
    'jobs.live': { id: jobId },
    'jobs.remembered': {},
    'jobs.report': { id: jobId, format: 'json' },
    'jobs.show': { id: jobId },
    'jobs.templates': {},
    'knowledge.explain': { code: 'device.gps.hdop', language: 'en' },
    'knowledge.find': { text: 'hdop', language: 'en' },
    'losses.list': {},
    'maps.state': {},
    'reportFont.state': {},
    'navUnit.messages': { vehicleId },
    'navUnit.state': { vehicleId },
    'numbers.table': { filter: {} },
    'numbers.work': { filter: {} },
    'operations.list': {},
    'operations.ofJob': { jobId },
    'operations.paused': {},
    'operations.show': { id: 'x' },
    'operations.stories': {},
    'orders.read': { base64: Buffer.from('[]').toString('base64') },
    'outputs.ledger': {},
    'photos.browse': { vehicleId, from, to: from },
    'photos.last': { vehicleId },
    'photos.open': { vehicleId, eventId: 1, systemTime: '2026-11-01T00:00:00' },
    'rawdata.check': { fields: ['speed'], filter: '' },
    'rawdata.fields': {},
    'rawdata.journeys': { vehicleId },
    'rawdata.query': { vehicleId, from, to: from, fields: ['speed'] },
    'remoteOutputs.story': { vehicleId },
    'policy.get': {},
    'policy.text': {},
    'settings.get': {},
    'app.settingOrigins': {},
    'settings.profiles': {},
    'snapshots.diff': { before: snapshotId, after: snapshotId },
    'snapshots.export': { id: snapshotId },
    'snapshots.installed': { imei },
    'snapshots.list': { imei },
    'snapshots.open': { text: '{}' },
    'snapshots.read': { id: snapshotId },
    'team.assigned': {},
    'team.earlier': { imei },
    'team.status': {},
    'templates.check': { template: {} },
    'templates.export': { id: 'standard-installation' },
    'templates.list': {},
    'templates.open': { id: 'standard-installation' },
    'templates.preview': { template: {}, order: null },
    'templates.schema': {},
    'triggers.describe': conditions,
    'triggers.fences': {},
    'triggers.labels': {},
    'triggers.list': { vehicleId },
    'triggers.past': { vehicleId, ...conditions },
    'triggers.structure': {},
    'vehicles.assets': { ids: [1] },
    'vehicles.copy': {},
    'vehicles.counters': { id: vehicleId },
    'vehicles.events': { id: vehicleId },
    'vehicles.fences': { latitude: null, longitude: null },
    'vehicles.ids': { text: '' },
    'vehicles.lines': { ids: [vehicleId, 99] },
    'vehicles.reports': { id: vehicleId, from, to: from },
    'vehicles.road': { id: vehicleId, fromMs: 0, untilMs: Date.now() },
    'vehicles.search': { text: '' },
    'vehicles.show': { id: vehicleId },
    'vehicles.standings': { ids: [vehicleId, 99] },
    'workspace.checkUpdate': { key, view: 'v' },
    'workspace.closeView': { view: 'v' },
    'workspace.compare': { key },
    'workspace.ecuPresets': {},
    'workspace.history': { key },
    'workspace.limits': {},
    'workspace.lines': { key },
    'workspace.link': { key },
    'workspace.read': { key, view: 'v', operations: ['gps.position', 'io.all'] },
    'workspace.requiredApps': {},
    'workspace.runs': {},
    'updates.get': {},
    'workspace.scanWifi': { key, view: 'v' },
    'workspace.signInState': { key },
    'workspace.signals': { key },
    'workspace.track': { key },
    'workspace.watchOutput': { key, out: 'OUT1' }
  }
}

/** Nothing of these was recorded here: the bundle says so. */
const notHere: readonly CallName[] = [
  'accessories.keys',
  'gateway.findEntities',
  'gateway.groups',
  'gateway.sessions',
  'gateway.sites',
  'internet.settings',
  'navUnit.messages',
  'navUnit.state',
  'operations.show',
  'photos.browse',
  'photos.last',
  'photos.open',
  'rawdata.check',
  'rawdata.fields',
  'rawdata.query',
  'triggers.fences',
  'triggers.labels',
  'triggers.past',
  'triggers.structure',
  'workspace.checkUpdate',
  'workspace.scanWifi',
  'workspace.watchOutput'
]

/** What only a log that is open has an answer to. */
const needsLog: readonly CallName[] = [
  'eventLog.count',
  'eventLog.event',
  'eventLog.export',
  'eventLog.find',
  'eventLog.judge',
  'eventLog.labels',
  'eventLog.merged',
  'eventLog.picture',
  'eventLog.rows',
  'eventLog.state',
  'eventLog.stop',
  'eventLog.stretches'
]
const said: Partial<Record<CallName, string>> = {
  'cab.add': 'cab.onlyLookedAt',
  'cab.reopen': 'cab.onlyLookedAt',
  'eventLog.exportPart': 'report.noSuchExport',
  ...Object.fromEntries(notHere.map((name) => [name, 'cab.notInBundle'])),
  ...Object.fromEntries(needsLog.map((name) => [name, 'eventLog.gone']))
}

it('the events of the vehicle are read from the file, in words and over time', async () => {
  const { vehicleId } = recorded
  const { events } = await call('vehicles.events', { id: vehicleId ?? 0 })
  const times = events.map(({ at }) => Date.parse(at))
  const { id } = await call('eventLog.open', {
    vehicleId: vehicleId ?? 0,
    fromMs: Math.min(...times) - 1_000,
    toMs: Math.max(...times) + 1_000,
    fields: ['speed']
  })
  await vi.waitUntil(async () => (await call('eventLog.state', { id })).loading !== 'running', 15_000)
  expect(await call('eventLog.state', { id })).toMatchObject({ loading: 'whole', n: events.length, problem: null })
  const { rows } = await call('eventLog.rows', { id, filter: everyEvent, first: 0, n: 200, columns: ['speed'] })
  const words = (list: readonly { what: unknown }[]) => list.map(({ what }) => JSON.stringify(what)).sort()
  expect(words(rows)).toEqual(words(events))
  expect(touched).toEqual([])
})

it('every look is answered from the file, or is said not to be in it, and nobody is asked', async () => {
  const [snapshot] = (await call('snapshots.list', { imei: recorded.imei })).snapshots
  const asked = questions(snapshot!.id)
  expect(Object.keys(asked).sort(), 'every call with a way has a question').toEqual(Object.keys(callSources).sort())
  const told: Record<string, string> = {}
  for (const [name, input] of Object.entries(asked) as [CallName, unknown][]) {
    const result = await ask(name, input)
    told[name] = result.ok ? 'told' : (result.error.message.id as string)
  }
  expect(told).toEqual(Object.fromEntries(Object.keys(asked).map((name) => [name, said[name as CallName] ?? 'told'])))
  expect(touched).toEqual([])
  expect(faults).toEqual([])
})

it('every other call of the contract is refused with one sentence, without an effect', async () => {
  const before = filesOf(folder)
  const others = (Object.keys(calls) as CallName[]).filter((name) => !callSources[name])
  expect(others).toContain('jobs.runStep')
  for (const name of others) {
    await expect(
      Promise.resolve().then(() =>
        (cab.handlers[name] as (input: unknown, signal: AbortSignal) => unknown)({}, AbortSignal.timeout(1_000))
      ),
      name
    ).rejects.toMatchObject({ code: 'NOT_PERMITTED', sentence: { id: 'cab.onlyLookedAt' } })
  }
  expect(filesOf(folder)).toEqual(before)
  expect(touched).toEqual([])
})

it('the job, its log and its pictures are those of the file', async () => {
  const { jobId, imei } = recorded
  const job = await call('jobs.show', { id: jobId })
  expect(job).toMatchObject({ id: jobId, customer: 'Customer One', technician: 'Technician One', device: { imei } })
  expect((await call('jobs.list', { limit: 10 })).jobs.map(({ id }) => id)).toEqual([jobId])
  // A photo is in the file as it was taken and as reports show it, in the order of their hashes.
  const [photo, ...others] = job.attachments ?? []
  expect(others).toEqual([])
  const sha256 = photo?.sha256 ?? ''
  expect(recorded.bundle.photos.map((one) => one.sha256)).toEqual(expect.arrayContaining([sha256, photo?.reportSha256]))
  const { base64 } = await call('attachments.read', { jobId, sha256, piece: 0 })
  expect(Buffer.from(base64, 'base64').equals(Buffer.from((await recorded.bundle.photo(sha256)).bytes))).toBe(true)
})

it('the device stands in the list as it was seen, and its readings, histories and lines are told once', async () => {
  const { deviceKey: key, imei } = recorded
  const { devices } = await call('discovery.watch', {})
  expect(devices).toMatchObject([{ key, imei, standing: 'answering' }])
  const { readings, nextInMs } = await call('workspace.read', {
    key,
    view: 'v',
    operations: ['gps.position', 'io.all', 'modem.information']
  })
  expect(readings['gps.position']).toMatchObject({ failure: null, value: { extras: { fix: 3 } } })
  expect(readings['io.all']?.value).toMatchObject({ PWR: true })
  expect(nextInMs).toBeGreaterThan(60_000)
  const { signals, nowMs } = await call('workspace.signals', { key, names: ['satellites'] })
  expect(signals.satellites?.values.length).toBeGreaterThan(0)
  expect(
    (await call('workspace.signals', { key, names: ['satellites'], sinceMs: nowMs })).signals.satellites?.values
  ).toEqual([])
  const lines = await call('workspace.lines', { key })
  expect((await call('workspace.lines', { key, since: { story: lines.story, mark: lines.mark } })).lines).toEqual([])
  await expect(call('workspace.read', { key: 'another', view: 'v', operations: ['io.all'] })).rejects.toMatchObject({
    message: { id: 'cab.notInBundle' }
  })
})

it('the vehicle is what the gateway said of it, and no other one is there', async () => {
  const { vehicleId } = recorded
  const sheet = await call('vehicles.show', { id: vehicleId })
  expect(sheet).toMatchObject({ source: 'gateway', vehicle: { id: vehicleId } })
  expect((await call('vehicles.search', { text: sheet.vehicle.name })).vehicles.map(({ id }) => id)).toEqual([
    vehicleId
  ])
  expect((await call('vehicles.search', { text: 'nothing like it' })).vehicles).toEqual([])
  expect((await call('vehicles.standings', { ids: [vehicleId, 99] })).standings.map(({ id }) => id)).toEqual([
    vehicleId
  ])
  await expect(call('vehicles.show', { id: 99_999 })).rejects.toMatchObject({ message: { id: 'cab.notInBundle' } })
})

it('the chain and the table are what the same evidence gave in the vehicle, by its device and by its vehicle', async () => {
  const { deviceKey: key, vehicleId, bundle } = recorded
  const told = await call('diagnosis.look', { subject: { key } })
  expect(told).toMatchObject({
    at: bundle.evidence?.at,
    brokenAt: null,
    isWhole: true,
    subject: { deviceKey: key, vehicleId, imei: recorded.imei },
    device: { state: 'answers' },
    gateway: { state: 'answers' }
  })
  expect(told.chain.map(({ state }) => state)).not.toContain('notReached')
  expect(told.facts.length).toBeGreaterThan(10)
  expect((await call('diagnosis.look', { subject: { vehicleId } })).facts).toEqual(told.facts)
  await expect(call('diagnosis.look', { subject: { vehicleId: 99_999 } })).rejects.toMatchObject({
    message: { id: 'cab.notInBundle' }
  })
})

it('what was recorded is looked at again from the file', async () => {
  const { deviceKey: key } = recorded
  const { recorded: span } = await call('diagnosis.look', { subject: { key } })
  expect(span).not.toBeNull()
  const first = await call('diagnosis.look', { subject: { key }, atMs: span!.fromMs })
  expect(Date.parse(first.at)).toBeLessThanOrEqual(span!.toMs)
})

it('snapshots of the job and its device are listed, read and compared', async () => {
  const { snapshots } = await call('snapshots.list', { imei: recorded.imei })
  expect(snapshots).toMatchObject([{ cause: 'person', imei: recorded.imei }])
  expect((await call('snapshots.read', { id: snapshots[0]!.id })).content.readings['gps.position']?.failure).toBeNull()
})

it('a window knows that it shows a bundle, from when it is and who wrote it', async () => {
  const { writtenAt } = recorded.bundle.manifest
  expect(await call('app.info', {})).toMatchObject({
    readOnly: { id: 'cab.onlyLookedAt' },
    bundle: {
      writtenAt,
      fitter: '0.0.1',
      by: 'Technician One',
      jobId: recorded.jobId,
      imei: recorded.imei,
      deviceKey: recorded.deviceKey,
      vehicleId: recorded.vehicleId
    }
  })
  expect(await call('settings.get', {})).toMatchObject({ language: 'es', technician: 'Support One' })
})

it('what another version or a forger wrote in the place of an answer is not in the bundle', async () => {
  const { vehicleId } = recorded
  const forged = await showBundle({
    bundle: {
      ...recorded.bundle,
      answers: () =>
        Promise.resolve([
          {
            call: 'vehicles.show',
            input: { id: vehicleId },
            output: { vehicle: 'x' },
            readAt: '2026-11-01T00:00:00.000Z'
          },
          { call: '__proto__', input: null, output: 1, readAt: '' },
          7
        ])
    },
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    reader: () => readerHandlers,
    frontEnd: { frontEnd: 'browser', version: '9.9.9' },
    door: noCab,
    reportFault: (error) => faults.push(error)
  })
  try {
    const result = await routeCall(forged.handlers, 'vehicles.show', { id: vehicleId }, (error) => faults.push(error))
    expect(result).toMatchObject({ ok: false, error: { message: { id: 'cab.notInBundle' } } })
    expect(await routeCall(forged.handlers, 'gateway.status', {}, (error) => faults.push(error))).toMatchObject({
      ok: true,
      value: { state: 'unknown' }
    })
  } finally {
    await forged.close()
  }
  expect(faults).toEqual([])
})

it('a bundle about a device or a vehicle opens with the snapshots of jobs that are not in it, and no fault of a file is one of the reader’s data', async () => {
  const { bundle } = recorded
  const [snapshot] = (await bundle.snapshots()) as Record<string, Json>[]
  const manifest = { ...bundle.manifest, subject: { ...bundle.manifest.subject, jobId: null } }
  const ofJob = { ...snapshot, cause: 'signOff', jobId: '01JD2F7Q3XW9V6M0KZ4T8B5HCX' }
  const device = await openBundle({
    manifest,
    photos: [],
    entries: () => Promise.resolve([]),
    snapshots: () => Promise.resolve([ofJob])
  })
  try {
    const listed = await routeCall(device.handlers, 'snapshots.list', { imei: recorded.imei }, (error) =>
      faults.push(error)
    )
    expect(listed).toMatchObject({ ok: true, value: { snapshots: [{ cause: 'signOff', jobId: null }] } })
  } finally {
    await device.close()
  }
  const entries = await bundle.entries()
  const twice = openBundle({ entries: () => Promise.resolve([...entries, entries.at(-1) as (typeof entries)[number]]) })
  await expect(twice).rejects.toMatchObject({ code: 'INVALID_REQUEST', sentence: { id: 'cab.doesNotFit' } })
  expect(faults).toEqual([])
})

it('events that are not in the file are no silence, and the gateway is not shown as one that answers', async () => {
  const { bundle, vehicleId } = recorded
  const recordedAnswers = (await bundle.answers()) as {
    call: string
    output: { events: { at: string; raw: Record<string, Json> }[] }
    readAt: string
  }[]
  const asked = recordedAnswers.find((one) => one.call === 'vehicles.events')
  const [event] = asked?.output.events ?? []
  if (!asked || !event) throw new Error('No events were recorded')
  const untilMs = Date.parse(asked.readAt)
  // A full page: 200 events of the last ten minutes.
  const events = Array.from({ length: 200 }, (_, n) => {
    const at = new Date(untilMs - n * 3_000).toISOString()
    return {
      ...event,
      at,
      raw: {
        ...event.raw,
        event_time: at,
        system_time: at,
        event_epoch: Date.parse(at) / 1000,
        system_epoch: Date.parse(at) / 1000
      }
    }
  })
  const others = recordedAnswers.filter((one) => one !== asked) as unknown as Json[]
  const open = await showBundle({
    bundle: {
      ...bundle,
      answers: () => Promise.resolve([...others, { ...asked, output: { ...asked.output, events } } as unknown as Json])
    },
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    reader: () => readerHandlers,
    frontEnd: { frontEnd: 'browser', version: '9.9.9' },
    door: noCab,
    reportFault: (error) => faults.push(error)
  })
  async function ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    const result = await routeCall(open.handlers, name, input, (error) => faults.push(error))
    if (!result.ok) throw result.error
    return result.value as CallOutput<Name>
  }
  try {
    const { id } = await ask('eventLog.open', { vehicleId, fromMs: untilMs - 86_400_000, toMs: untilMs, fields: [] })
    const state = await vi.waitFor(async () => {
      const seen = await ask('eventLog.state', { id })
      expect(seen.loading).toBe('full')
      return seen
    }, 15_000)
    expect(state.coveredFromMs).toBeGreaterThanOrEqual(untilMs - 601_000)
    expect(state.found.silentS).toBe(0)
    expect((await ask('eventLog.stretches', { id })).gaps).toEqual([])
    expect(await ask('gateway.status', {})).toMatchObject({
      state: 'unknown',
      rateLimit: null,
      detail: { id: 'cab.gatewayNotAsked' }
    })
  } finally {
    await open.close()
  }
  expect(faults).toEqual([])
})

it('the chain is held against the limits of its writer, as the terminal does', async () => {
  const { bundle, deviceKey: key } = recorded
  const { limits, tolerances } = bundle.limits as unknown as Measures
  const measures = { limits: { ...limits, reportsS: -1, silentS: -1 }, tolerances }
  const strict = await showBundle({
    bundle: { ...bundle, limits: measures as unknown as Json },
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    reader: () => readerHandlers,
    frontEnd: { frontEnd: 'browser', version: '9.9.9' },
    door: noCab,
    reportFault: (error) => faults.push(error)
  })
  try {
    const evidence = bundle.evidence as Evidence
    const [there, here] = [measures, { limits, tolerances }].map((by) => diagnose(evidence, by).chain)
    expect(there).not.toEqual(here)
    expect((await call('diagnosis.look', { subject: { key } })).chain).toEqual(here)
    expect(
      await routeCall(strict.handlers, 'diagnosis.look', { subject: { key } }, (error) => faults.push(error))
    ).toMatchObject({ ok: true, value: { chain: there } })
  } finally {
    await strict.close()
  }
})

function filesOf(top: string): string[] {
  return fs
    .readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      ({ parentPath, name }) =>
        `${path.relative(top, path.join(parentPath, name))} ${fs.statSync(path.join(parentPath, name)).size}`
    )
    .sort()
}
