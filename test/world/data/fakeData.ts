import { copyKinds, type GatewayCopies } from '../../../preload/contract/gateway/copies.ts'
import type { KnownDevice, SeenDevice, SweepState } from '../../../preload/contract/device/discovery.ts'
import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import type { Evidence, Job, JobLines, LiveStep, Step, ListedJob } from '../../../preload/contract/job/jobs.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import type { Operation } from '../../../preload/contract/gateway/operations.ts'
import type { Story } from '../../../preload/contract/gateway/stories.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import type { TrainingVehicle } from '../../../preload/contract/app/training.ts'
import {
  vehicleFilters,
  type FleetKnowledge,
  type VehicleCopy,
  type VehicleLine,
  type VehicleState
} from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { reportingAt } from '../../../preload/gateway/reporting.ts'

/** Plausible answers of the core, for tests and pictures of the window. Times are relative to a fixed moment. */
export const startedAt = Date.parse('2026-11-20T10:41:07.212Z')

export function at(offsetS: number): string {
  return new Date(startedAt + offsetS * 1000).toISOString()
}

export const settings: Settings = {
  technician: 'Technician',
  theme: 'light',
  language: 'en',
  units: 'metric',
  deskRows: 'dense',
  gatewayUnits: null,
  timeZone: null,
  gatewayUrl: 'https://gateway.example/api',
  gatewayUser: 'fitter',
  gatewaySites: [{ url: 'https://gateway.example/api', user: 'fitter', scheme: { kind: 'normal' } }],
  gatewayProxy: { kind: 'system' },
  gatewayCard: '',
  gatewayAuthorities: [],
  gatewayCalls: null,
  deviceModels: ['syrus4'],
  profile: 'standard',
  keys: {},
  letterKeys: true,
  firstRun: 'done',
  tolerances: {},
  eventViews: [],
  sounds: false,
  role: 'technician',
  logLevels: {},
  activityReadUpTo: 0,
  notifications: {}
}

function device(imei: string, more: Partial<SeenDevice>): SeenDevice {
  return {
    key: imei,
    imei,
    model: 'syrus4',
    hostname: `syrus4-${imei}.local`,
    addresses: ['10.0.0.31'],
    port: 8080,
    card: 'eth0',
    via: 'mdns',
    standing: 'verified',
    verified: true,
    detail: message('discovery.sameName'),
    osVersion: '24.10.1',
    firstSeenMs: 40,
    firstSeenAt: at(-60),
    lastSeenAt: at(-1),
    lastVehicle: null,
    lastJobAt: null,
    label: null,
    signedIn: true,
    ...more
  }
}

export const devices: SeenDevice[] = [
  device('867698040023056', { addresses: ['192.168.4.1'], card: 'wlan0', lastVehicle: 'Unit 0007', label: 'Bench' }),
  device('867698040023064', { osVersion: '24.8.0', firstSeenMs: 52 }),
  device('867698040023072', {
    addresses: ['10.0.0.32'],
    standing: 'needsSignIn',
    verified: false,
    signedIn: false,
    osVersion: null,
    lastVehicle: 'Unit 0112',
    detail: message('discovery.wantsSignIn')
  }),
  device('867698040023080', {
    addresses: ['10.0.0.33'],
    standing: 'impostor',
    verified: false,
    signedIn: false,
    osVersion: null,
    detail: message('discovery.otherName', { name: 'syrus4-867698040023080', ownName: 'syrus4-867698040023999' })
  }),
  device('867698040023098', {
    addresses: ['10.0.0.34'],
    standing: 'lost',
    verified: false,
    signedIn: false,
    lastSeenAt: at(-240),
    detail: message('discovery.stoppedAnswering')
  })
]

/** A device of the memory that is not here now. */
export const known: KnownDevice[] = [
  {
    imei: '356938035643809',
    model: 'syrus4',
    label: 'Spare 3',
    lastVehicle: null,
    lastAddress: '10.0.0.71:8080',
    lastJobAt: null,
    lastSeenAt: at(-900_000)
  }
]

export const sweep: SweepState = {
  card: 'eth0',
  address: '10.0.0.5',
  asked: 0,
  total: 253,
  found: 0,
  leftMs: 63_250,
  running: true,
  ended: null,
  problem: null
}

export const gateway: GatewayStatus = {
  state: 'unreachable',
  url: 'https://gateway.example/api',
  user: 'fitter',
  scopes: { vehicles: 'r', assets: 'w', 'entities.link': 'w' },
  isStaff: false,
  groups: [1, 2],
  rateLimit: { limit: 30, remaining: 21, resetAt: at(40) },
  clockDifferenceS: 1.4,
  answeredAt: null,
  hindrance: 'network',
  way: null,
  detail: message('gateway.away')
}

/** A step of the fake core, in words. */
export interface SaidStep extends Partial<Omit<Step, 'summary' | 'remedy' | 'instruction'>> {
  summary?: string
  remedy?: string
  instruction?: string
}

export function evidence(seq: number, what: string, more: Partial<Evidence> = {}): Evidence {
  return {
    seq,
    at: at(seq * 2),
    attempt: 1,
    witness: 'device',
    what: plainMessage(what),
    raw: { IN2: true },
    thresholds: null,
    hash: 'a1',
    ...more
  }
}

export function step(id: string, title: string, { summary, remedy, instruction, ...more }: SaidStep = {}): Step {
  return {
    id,
    kind: 'question',
    title: plainMessage(title),
    instruction: plainMessage(instruction ?? ''),
    state: 'waiting',
    witness: [],
    attempts: 0,
    summary: summary === undefined ? null : plainMessage(summary),
    remedy: remedy === undefined ? null : plainMessage(remedy),
    waiver: null,
    startedAt: null,
    durationMs: null,
    evidence: [],
    ...more
  }
}

const done: SaidStep = { state: 'pass', witness: ['device'], attempts: 1 }

export const jobId = '01JOB0000000000000000000A1'

export const job: Job = {
  id: jobId,
  kind: 'installation',
  state: 'running',
  template: { id: 'standard', version: 3, name: plainMessage('Standard installation') },
  profile: { id: 'standard', version: 3, name: plainMessage('standard') },
  device: { imei: '867698040023056', model: 'syrus4', address: '192.168.4.1' },
  vehicle: { id: 7, name: 'Unit 0007' },
  vehicleText: 'HLD007',
  customer: 'Holden Transport',
  technician: 'Technician',
  createdAt: at(-600),
  updatedAt: at(0),
  stepsDone: 5,
  stepsTotal: 12,
  operations: [],
  seal: '9f2c',
  steps: [
    step('identity', 'Identity', { ...done, kind: 'identity', summary: 'label = mDNS = modem', durationMs: 8_000 }),
    step('power', 'External power', { ...done, kind: 'externalPower', summary: 'steady 60 s', durationMs: 60_000 }),
    step('ignition', 'Ignition', {
      ...done,
      kind: 'ignition',
      summary: 'off-on-off twice, TIG follows',
      durationMs: 41_000
    }),
    step('position', 'Position', { ...done, kind: 'position', summary: '11 satellites, HDOP 0.8', durationMs: 12_000 }),
    step('network', 'Network', {
      ...done,
      kind: 'network',
      state: 'warn',
      summary: 'LTE, -94 dBm',
      remedy: 'Move the antenna away from metal if you can.',
      durationMs: 9_000
    }),
    step('input2', 'Input 2: door switch', {
      kind: 'inputs',
      state: 'running',
      attempts: 1,
      instruction: 'Open and close the driver’s door twice.',
      witness: ['device'],
      startedAt: at(-18),
      evidence: [
        evidence(-8, 'Watching /IO/all, 4 a second', { raw: null }),
        evidence(0, 'IN2 0 → 1', { thresholds: { wantedChanges: 4, timeoutS: 90 } })
      ]
    }),
    step('output1', 'Output 1: starter relay', {
      kind: 'output',
      instruction: 'The starter relay is switched for 5 s while you look whether the starter is blocked.',
      summary: 'interlock'
    }),
    step('alignment', 'Auto-alignment', { kind: 'alignment', instruction: 'Park level and stand still.' }),
    step('vehicle', 'Vehicle and link', { kind: 'vehicle', state: 'deferred', summary: 'waits for the gateway' }),
    step('delivered', 'Delivered', { kind: 'delivered', state: 'deferred', summary: 'waits for the gateway' }),
    step('cover', 'Cover and seals', {
      state: 'waived',
      attempts: 1,
      waiver: { reason: 'cover plate not delivered', by: 'Technician', at: at(-30) }
    }),
    step('signOff', 'Sign-off', { kind: 'signOff' })
  ]
}

const { steps: _steps, profile: _profile, vehicleText: _text, operations: _operations, seal: _seal, ...summary } = job
export const listedJob: ListedJob = { ...summary, isActive: true, damage: null }

export const live: LiveStep = {
  jobId,
  stepId: 'input2',
  say: plainMessage('Open and close the driver’s door twice.'),
  hint: plainMessage(
    'If the lamp goes on and input 2 stays still, the wire is on the lamp side: take the switch side, blue-black on this model.'
  ),
  meters: [
    { label: plainMessage('Input 2 now'), value: plainMessage('open'), target: null, progress: 1, tone: 'live' },
    { label: plainMessage('Changes seen'), value: plainMessage('1 of 4'), target: null, progress: 0.25, tone: 'live' }
  ],
  inputs: [
    {
      line: 'IN2',
      name: plainMessage('Driver’s door'),
      wire: plainMessage('blue and black'),
      cycles: 1,
      wantedCycles: 2,
      isOn: true,
      isChattering: false,
      isOrdered: true,
      gateway: null
    },
    {
      line: 'IN5',
      name: plainMessage('Refrigerator alarm'),
      cycles: 7,
      wantedCycles: 2,
      isOn: false,
      isChattering: true,
      chatter: { changes: 14, forMs: 4_000 },
      isOrdered: true,
      gateway: null
    },
    {
      line: 'IN6',
      name: plainMessage('Power take-off'),
      cycles: 0,
      wantedCycles: 2,
      isOn: false,
      isChattering: false,
      isOrdered: true,
      notWired: 'The kit comes in May',
      gateway: null
    },
    {
      line: 'IN1',
      name: plainMessage('Panic button'),
      cycles: 2,
      wantedCycles: 2,
      isOn: false,
      isChattering: false,
      isOrdered: true,
      gateway: 'agrees',
      gatewayAfterMs: 4_000
    }
  ],
  elapsedMs: 18_000,
  leftMs: 72_000,
  prompt: { kind: 'lines', text: plainMessage('The switch of the driver’s door'), lines: ['IN2'] }
}

const nowMs = Date.parse(at(0))
const steady = (name: string, on = false): JobLines['lines'][number] => ({ name, changes: [[nowMs - 300_000, on]] })
const wentOn = (name: string, agoMs: number): JobLines['lines'][number] => ({
  name,
  changes: [
    [nowMs - 300_000, false],
    [nowMs - agoMs, true]
  ]
})
export const lines: JobLines = {
  jobId,
  story: 'story1',
  since: null,
  mark: nowMs,
  nowMs,
  fromMs: nowMs - 300_000,
  readMs: nowMs,
  problem: null,
  lostForMs: null,
  lines: [
    steady('PWR', true),
    wentOn('IGN', 22_500),
    wentOn('TIG', 21_000),
    steady('MOT'),
    steady('IN1'),
    wentOn('IN2', 8_000),
    ...['IN3', 'IN4', 'IN5', 'IN6', 'IN7', 'OUT1', 'OUT2', 'OUT3', 'OUT4', 'SO1', 'SO2', 'SO3', 'SO4'].map((name) =>
      steady(name)
    )
  ],
  gaps: [],
  voltages: (
    [
      ['AN1', 12_610],
      ['AN2', 28_000],
      ['DAN', null],
      ['BAT', 4_100]
    ] as const
  ).map(([name, valueMv]) => ({ name, points: [[nowMs, valueMv, valueMv]] })),
  pace: { everyMs: 250, longestMs: 260 }
}

export function operation(id: string, more: Partial<Operation>): Operation {
  const made = {
    id,
    sequence: Number(id.slice(2)),
    kind: 'entities.link',
    key: 'vehicle:7',
    state: 'pending' as const,
    attempts: 0,
    createdAt: at(-400),
    updatedAt: at(-20),
    reason: plainMessage('The gateway does not answer.'),
    jobId,
    title: plainMessage('Link trailer T-19 with Unit 0007.'),
    payload: {},
    evidence: [],
    ...more
  }
  return { ...made, evidenceCount: made.evidence.length, choices: more.choices ?? [], tries: more.tries ?? [] }
}

export const operations: Operation[] = [
  operation('op1', {
    state: 'needsAttention',
    attempts: 2,
    reason: plainMessage('Another driver was linked in between: it may be there, replaced, or never arrived.'),
    title: plainMessage('Link driver key 01A2B3 with Unit 0007.'),
    evidence: [
      { at: at(-300), what: plainMessage('Sent; the connection broke before the reply.'), raw: { status: null } },
      {
        at: at(-100),
        what: plainMessage('History of Unit 0007 read: key 77FF since 10:39.'),
        raw: { history: [{ secondary: 77 }] }
      }
    ]
  }),
  operation('op2', {}),
  operation('op3', {
    state: 'blocked',
    reason: plainMessage('Waits until the trailer is there.'),
    title: plainMessage('Set the odometer of Unit 0007 to 120 340 km.')
  }),
  operation('op4', {
    state: 'done',
    attempts: 1,
    reason: plainMessage('Read back.'),
    title: plainMessage('Create trailer T-19.')
  })
]

/** A page of them, as the core gives it. */
export function operationPage({ scope }: { scope?: 'open' | 'ended' | undefined }) {
  const isEnded = ({ state }: Operation): boolean => state === 'done'
  return {
    operations: operations.filter((one) => isEnded(one) === (scope === 'ended')).reverse(),
    more: false,
    counts: { done: 1, waiting: 2, needsAttention: 1, failed: 0 }
  }
}

/** The story of the vehicle that all of them are about. */
export const story: Story = {
  id: 'vehicle:12',
  place: { rank: 0, sequence: 1, id: 'vehicle:12' },
  about: { kind: 'vehicle', id: 12, name: 'Unit 0007', plate: '1234 ABC' },
  sentence: plainMessage('Continues when you decide.'),
  next: { cause: 'person', inMs: null },
  needPerson: 1,
  waiting: 2,
  isPaused: false,
  jobs: [],
  operations: operations
    .filter(({ state }) => state !== 'done')
    .map(({ payload: _payload, evidence: _evidence, tries: _tries, ...line }) => ({
      ...line,
      next: line.state === 'needsAttention' ? { cause: 'person', inMs: null } : { cause: 'decision', inMs: null },
      paused: null,
      needs: []
    })),
  moreOperations: 0,
  moreJobs: 0
}

/** Stories as the core gives them. */
export function storyPage({ jobId = null }: { jobId?: string | null | undefined } = {}) {
  const stories = jobId === null || story.operations.some((one) => one.jobId === jobId) ? [story] : []
  return { stories, more: false, total: stories.length, counts: operationPage({}).counts, paused: null }
}

export const vehicles: TrainingVehicle[] = [
  {
    imei: '867698040023056',
    key: 'on',
    engineOn: true,
    speedKmh: 0,
    chosenKmh: 0,
    supplyMv: 13_900,
    inputs: [
      { line: 'IN1', label: 'panic button', on: false },
      { line: 'IN2', label: 'driver’s door', on: true }
    ],
    powerCut: false,
    gatewayOnline: false,
    starterBlocked: false,
    faults: [
      { name: 'ignitionWireMissing', on: true },
      { name: 'noFix', on: false }
    ],
    helper: false
  }
]

export const gatewayCopies: GatewayCopies = {
  site: { url: 'https://gateway.example/api', user: 'fitter' },
  kinds: copyKinds.map((kind, index) => ({
    kind,
    count: 2 * index + 2,
    copiedAt: at(-86_400),
    complete: true,
    open: null,
    refused: null
  })),
  running: null,
  problem: null,
  others: []
}

export const vehicleCopy: VehicleCopy = {
  site: { url: 'https://gateway.example/api', user: 'fitter' },
  count: 2,
  copiedAt: at(-86_400),
  complete: true,
  running: null,
  problem: null
}

export const vehicleLines: VehicleLine[] = [
  {
    id: 7,
    name: 'Unit 0007',
    plate: 'HLD007',
    vin: null,
    imei: '867698040023056',
    groups: [1],
    info: { make: 'Hino', model: '300' }
  },
  { id: 71, name: 'Unit 0071', plate: null, vin: null, imei: null, groups: [1], info: {} }
]

export const unknownState: VehicleState = {
  reporting: { is: 'unknown', since: null, why: 'notRead', limitS: null, rhythmS: null },
  conditions: [],
  since: null,
  isSinceKnown: false,
  lastReportedAt: null,
  signalDbm: null,
  readAt: null
}

/** How a vehicle stands that reported then, read at `readAt`, by the rule without a rhythm. */
export function stateAt(lastReportedAt: string | null, own: Partial<VehicleState> = {}): VehicleState {
  const readAt = own.readAt ?? new Date().toISOString()
  const reporting = reportingAt(
    { hasDevice: true, isRead: true, lastReportedAt, isDriving: null, rhythm: null },
    Date.parse(readAt)
  )
  const isSilent = reporting.is === 'silent'
  return {
    ...unknownState,
    reporting,
    conditions: isSilent ? ['silent'] : [],
    since: reporting.since,
    isSinceKnown: isSilent,
    lastReportedAt,
    readAt,
    ...own
  }
}

/** A copy that knows the state of so many vehicles. */
export function fleetOf(known: number, own: Partial<FleetKnowledge> = {}): FleetKnowledge {
  return {
    readAt: null,
    known: Object.fromEntries(vehicleFilters.map((filter) => [filter, known])) as FleetKnowledge['known'],
    unknown: { notRead: 0, notShown: 0, noRhythm: 0 },
    ...own
  }
}

/** An answer with these vehicles, of which the copy tells nothing more. */
export function vehicleList(
  vehicles: VehicleLine[],
  own: Partial<CallOutput<'vehicles.search'>> = {}
): CallOutput<'vehicles.search'> {
  return {
    vehicles,
    more: false,
    copy: vehicleCopy,
    states: vehicles.map(() => unknownState),
    filter: 'all',
    counts: null,
    fleet: fleetOf(own.counts ? vehicles.length : 0),
    groups: [],
    instead: null,
    ...own
  }
}
