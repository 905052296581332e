import type { CallInput, CallName, CallOutput } from '../../../../preload/contract/index.ts'
import type { Fact, FactName, FactValue, SaidFact, Verdict } from '../../../../preload/contract/support/facts.ts'
import type { DeviceCompare } from '../../../../preload/contract/device/deviceCompare.ts'
import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { OutputCondition } from '../../../../preload/contract/device/conditions.ts'
import type { LiveOperation, LiveReading, OutputState, Run } from '../../../../preload/contract/device/workspace.ts'
import { at, lines } from '../../data/fakeData.ts'

/** What the device of the fake core says, by operation. */
export const liveValues: Record<LiveOperation, LiveReading['value']> = {
  'gps.position': {
    coords: {
      latitude: 4.711,
      longitude: -74.0721,
      speed: 0,
      accuracy: 4.2,
      altitude: 2_640,
      bearing: 90,
      altitudeAccuracy: 6
    },
    timestamp: 1_795_000_000,
    extras: { hdop: 0.8, vdop: 1.1, pdop: 1.4, fix: 3, satsActive: 11, criteria: 'signal' }
  },
  'eth.state': {
    state: 'Enabled',
    connected: true,
    ip: '10.0.0.31',
    mac: '02:00:00:00:00:01',
    rx_bytes: '120450',
    tx_bytes: '88412'
  },
  'wifi.state': {
    state: 'Completed',
    connected: true,
    ip: '192.168.1.20',
    ssid: 'Yard',
    signal: '-61',
    key_mgmt: 'WPA2-PSK'
  },
  'wifi.list': { ssids: ['Yard', 'Workshop'] },
  'hotspot.state': { state: 'Enabled', ssid: 'Unit 4', pass: '********', routing: 'Enabled' },
  'hotspot.list': { stations: [] },
  'modem.information': {
    IMEI: '867698040023056',
    SIM_STATE: 'READY',
    GSM_REG: '1',
    GPRS_REG: '1',
    RSSI: '-94',
    IP: '10.64.12.7',
    OPERATOR: 'Test network',
    RAT: 'LTE'
  },
  'modem.configuration': { APN: 'fleet.example', SIM_PRIORITY: '0', SIM_SW_INTERVAL: '24', KEEP_ALIVE: '60' },
  'io.all': {
    IGN: true,
    TIG: true,
    PWR: true,
    MOT: false,
    IN1: false,
    OUT1: false,
    OUT2: true,
    SO1: false,
    SO2: false,
    AN1: 12_610,
    AN2: 28_000,
    DAN: 0,
    BAT: 4_100
  },
  'accel.state': { MOTION: '0', FW_VERSION: '2.3' },
  'accel.configuration': { MOTION_THRESHOLD: '60', MOTION_DURATION: '2', CFG_HARD_BRAKING: '-900' },
  'system.info': {
    hostname: 'syrus4-867698040023056',
    osVersion: '24.10.1',
    releaseDate: '20260412083000',
    uptime: 93_600,
    sessionCount: 3,
    ram: { total: 1_000_000_000, used: 400_000_000, free: 300_000_000, available: 600_000_000 },
    rootfs: { total: 3_000_000_000, free: 150_000_000 },
    datafs: { total: 4_000_000_000, free: 3_900_000_000 },
    cpu: { currF: 996_000, usage: 12.4, governor: 'interactive', stats: { '396000': 300, '996000': 100 } },
    loadAvg: [0.42, 0.38, 0.31]
  },
  'apps.list': [
    {
      name: 'tracker',
      version: '3.8.0',
      status: 'active',
      stable: '3.8.0',
      manifest: { description: 'Reports position and events' }
    },
    { name: 'camera-link', version: '0.7.1', status: 'inactive', stable: '0.8.0', manifest: {} }
  ]
}

export function liveReading(operation: LiveOperation, more: Partial<LiveReading> = {}): LiveReading {
  const value = liveValues[operation]
  return { value, raw: value, problems: [], readAt: at(0), elapsedMs: 12, failure: null, ...more }
}

export const finishedRun: Run = {
  id: 'run1',
  operation: 'modem.editApn',
  startedAt: at(-30),
  state: 'ended',
  done: 1,
  total: 2,
  leftMs: null,
  devices: [
    {
      key: '867698040023056',
      imei: '867698040023056',
      state: 'done',
      detail: plainMessage('The device shows: the APN is "fleet.example".'),
      rows: []
    },
    {
      key: '867698040023064',
      imei: '867698040023064',
      state: 'failed',
      detail: plainMessage('The device refuses the user name or password.'),
      rows: []
    }
  ]
}

function said(value: FactValue, message: Message, ageS = 0): SaidFact {
  return { value, unit: null, ageS, readAt: at(-ageS), message }
}
function held(fact: FactName, verdict: Verdict, device: SaidFact | null, gateway: SaidFact | null): Fact {
  return {
    fact,
    verdict,
    device,
    gateway,
    tolerance: null,
    apart: null,
    why: { device: null, gateway: null },
    message: message('facts.same')
  }
}
const isOn = (yes: boolean) => said(yes, message(yes ? 'facts.on' : 'facts.off'))
const number = (n: number, ageS = 0) => said(n, message('facts.amount.number', { n }), ageS)
const named = said('867698040023056', message('plain.text', { text: '867698040023056' }))
const here = { latitude: 4.711, longitude: -74.0721 }

/** Device and gateway agree in most; one thing differs, one is old, and some only one of them can say. */
export const comparison: DeviceCompare = {
  gateway: { state: 'answers', why: null },
  vehicle: { id: 7, name: 'Unit 0007', plate: 'HLD007' },
  facts: [
    {
      ...held(
        'position',
        'agree',
        said(here, plainMessage('4.71100, -74.07210')),
        said(here, plainMessage('4.71103, -74.07210'), 3)
      ),
      tolerance: { id: 'positionM', value: 50, unit: 'm' },
      apart: { value: 3, unit: 'm' }
    },
    held('satellites', 'stale', number(11), number(4, 600)),
    held('ignition', 'differ', isOn(true), isOn(false)),
    held('engine', 'notExposed', said(true, message('facts.runs')), null),
    held('imei', 'agree', named, named),
    held('distance', 'onlyGateway', null, said(84_120_000, message('facts.amount.metres', { distanceM: 84_120_000 })))
  ],
  places: { gateway: { latitude: 4.7108, longitude: -74.07238, ageS: 3 }, apartM: 38, isParked: true },
  newest: { at: at(-3), ageS: 3, delayS: 2 },
  delays: [
    { at: at(-23), delayS: 4 },
    { at: at(-13), delayS: 3 },
    { at: at(-3), delayS: 2 }
  ]
}

const standing: OutputCondition = {
  id: 'standstill',
  holds: true,
  what: { id: 'outputs.condition.standstill', values: {} },
  value: { id: 'outputs.value.speed', values: { speedKmh: 0 } },
  todo: null
}
const engineOff: OutputCondition = {
  id: 'engineOff',
  holds: true,
  what: { id: 'outputs.condition.engineOff', values: {} },
  value: { id: 'outputs.value.lineOff', values: { line: 'TIG' } },
  todo: null
}
const conditions = [standing, engineOff]
const engineRuns: OutputCondition = {
  ...engineOff,
  holds: false,
  value: { id: 'outputs.value.lineOn', values: { line: 'TIG' } },
  todo: { id: 'outputs.todo.engineOff', values: {} }
}

/** An output whose conditions all hold. */
export function outputOf(out: OutputState['out'], more: Partial<OutputState> = {}): OutputState {
  return {
    out,
    phase: 'watching',
    missing: [],
    leftMs: null,
    holdMs: 1_500,
    on: false,
    isShort: false,
    detail: null,
    conditions,
    ...more
  }
}

type WorkspaceCall = Extract<CallName, `workspace.${string}`>

/** Answers of the workspace's calls for the fake core. */
export const workspaceAnswers: { [Name in WorkspaceCall]: (input: CallInput<Name>) => CallOutput<Name> } = {
  'workspace.read': ({ operations }) => ({
    readings: Object.fromEntries(operations.map((operation) => [operation, liveReading(operation)])),
    facts: {
      links: { power: 'ok', sim: 'ok', registration: 'ok', address: 'ok', fix: 'ok' },
      clock: { differenceS: 0.4, assumed: 'unix' },
      modem: {
        signal: { dBm: -94, assumed: 'dBm' },
        registration: 'registered',
        hasIp: true,
        signalNotKnown: null,
        simInUse: 'external'
      },
      ...(operations.includes('wifi.state')
        ? { wifi: { inUse: { ssid: 'Yard', signalDbm: -61, auth: 'WPA2-PSK' } } }
        : {})
    },
    nextInMs: 1_000,
    isSlow: false
  }),
  'workspace.limits': () => ({
    signalPassDbm: -90,
    signalWarnDbm: -100,
    satellitesPass: 6,
    satellitesWarn: 4,
    hdopPass: 1.5,
    delayPassS: 30,
    eventAgeWarnS: 300,
    apartPassM: 50,
    apartWarnM: 200
  }),
  'workspace.compare': () => comparison,
  'workspace.closeView': () => ({}),
  'workspace.signals': ({ sinceMs = 0 }) => ({
    nowMs: Date.now(),
    signals:
      sinceMs > 0
        ? {}
        : {
            signalDbm: { atMs: [Date.now() - 2_000, Date.now() - 1_000], values: [-94, -95] },
            satellites: { atMs: [Date.now() - 1_000], values: [11] }
          }
  }),
  'workspace.track': ({ sinceMs = 0 }) => ({
    nowMs: Date.now(),
    drivenM: 1_900,
    points:
      sinceMs > 0
        ? []
        : [
            [Date.now() - 120_000, 4.71, -74.0721, 38, false],
            [Date.now() - 60_000, 4.7105, -74.0721, 40, false],
            [Date.now() - 1_000, 4.711, -74.0721, 0, true]
          ]
  }),
  'workspace.link': () => ({
    address: '192.168.4.1:8080',
    over: 'hotspot',
    detail: plainMessage('It is taken for its hotspot.'),
    effects: { 'hotspot.stop': plainMessage('Use a cable.') }
  }),
  'workspace.change': ({ change, confirmCut }) =>
    change.operation === 'hotspot.stop' && !confirmCut
      ? {
          kind: 'cutsLink',
          over: 'hotspot',
          detail: plainMessage('This cuts the connection that you are using now.'),
          wayBack: plainMessage('Use a cable.')
        }
      : {
          kind: 'changed',
          result: {
            kind: change.operation.startsWith('accel') ? 'sent' : 'readBack',
            detail: plainMessage('As wanted.'),
            answer: null,
            readBack: null,
            at: at(0)
          }
        },
  'workspace.scanWifi': () => ({
    networks: [
      { ssid: 'Yard', signalDbm: -48, auth: 'WPA2-PSK', heard: 2, isSaved: true },
      { ssid: '', signalDbm: -70, auth: 'WPA2-PSK', heard: 1, isSaved: false }
    ],
    raw: { nets: [] },
    problems: []
  }),
  'workspace.checkUpdate': () => ({ state: 'upToDate', said: 'Up To Date', raw: { mess: 'Up To Date' } }),
  'workspace.lines': () => ({ ...lines, value: liveValues['io.all'], problems: [], readAt: at(0), wiring: [] }),
  'workspace.watchOutput': ({ out }) =>
    outputOf(out, {
      missing: [{ id: 'outputs.missing.engineOff', values: {} }],
      conditions: conditions.map((one) => (one.id === 'engineOff' ? engineRuns : one))
    }),
  'workspace.armOutput': ({ out }) => outputOf(out, { phase: 'countdown', leftMs: 3_000 }),
  'workspace.switchOff': ({ out }) =>
    outputOf(out, { phase: 'off', detail: { id: 'outputs.provedOff', values: { output: out } } }),
  'workspace.exec': () => ({ kind: 'ran', output: ' up 6 min\n', raw: ' up 6 min\n', elapsedMs: 40 }),
  'workspace.history': () => ({ writes: [] }),
  'workspace.checkEcuList': ({ rows = [] }) => ({
    problem: null,
    configuration: null,
    rows: rows.map((row) => ({
      row,
      entry: row.PGN === 'XYZ' ? null : { ...row, OFFSET: Number(row.OFFSET) },
      problems: row.PGN === 'XYZ' ? [{ field: 'PGN', text: plainMessage('A hexadecimal number.') }] : [],
      notes: [],
      sentAt: null
    }))
  }),
  'workspace.ecuPresets': () => ({ presets: [] }),
  'workspace.startRun': () => finishedRun,
  'workspace.runs': () => ({ runs: [finishedRun] }),
  'workspace.stopRun': () => finishedRun,
  'workspace.continueRun': () => finishedRun,
  'workspace.requiredApps': () => ({ names: ['tracker', 'camera-link', 'bus-reader'] }),
  'workspace.setRequiredApps': ({ names }) => ({ names }),
  'workspace.signInState': () => ({ signedIn: true, defaultsKnown: true, usesDefaults: true }),
  'workspace.keepDefaults': () => ({}),
  'workspace.forgetDefaults': () => ({}),
  'workspace.tryDefaults': () => ({ kind: 'signedIn', name: 'admin', kept: true })
}
