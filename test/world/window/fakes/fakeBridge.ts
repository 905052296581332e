import type { Workplace } from '../../../../preload/contract/app/app.ts'
import type { EventName, Events } from '../../../../preload/contract/events.ts'
import type { ErrorCode, ErrorData } from '../../../../preload/contract/errors.ts'
import { asMessage, message, type Message, nameMessage, plainMessage } from '../../../../preload/contract/messages.ts'
import type { Operation } from '../../../../preload/contract/gateway/operations.ts'
import type { Bridge, CallInput, CallName, CallOutput } from '../../../../preload/contract/index.ts'
import * as data from '../../data/fakeData.ts'
import { brokenAtAddress } from './fakeDiagnosis.ts'
import { deviceProfileAnswers } from './fakeDeviceProfiles.ts'
import { workspaceAnswers } from './fakeWorkspace.ts'

type Answers = { [Name in CallName]?: (input: CallInput<Name>) => CallOutput<Name> | Promise<CallOutput<Name>> }

/** Throw this in an answer to make the call fail as the core would. */
export class FakeFailure extends Error {
  readonly data: ErrorData
  constructor(data: { code: ErrorCode; message: Message | string; retryable: boolean }) {
    const message = asMessage(data.message)
    super(nameMessage(message))
    this.data = { ...data, message }
  }
}

export interface FakeBridge extends Bridge {
  /** Every call that was made, oldest first. */
  made: { name: CallName; input: unknown }[]
  emit<Name extends EventName>(name: Name, payload: Events[Name]): void
  /** From now on no sign of life comes, until it is called with false. */
  fallSilent(isSilent: boolean): void
}

function defaults(): Answers {
  let settings = structuredClone(data.settings)
  let workplace: Workplace = 'real'
  return {
    ...workspaceAnswers,
    ...deviceProfileAnswers,
    'app.info': () => ({
      version: '0.1.0',
      frontEnd: 'browser',
      workplace,
      dataFolder: '/home/technician/.fitter',
      readOnly: null,
      bundle: null,
      notices: []
    }),
    'app.opening': () => ({ state: 'open' }),
    'app.openAgain': () => ({ state: 'open' }),
    'losses.list': () => ({ losses: [], putAside: [] }),
    'losses.acknowledge': () => ({}),
    'app.enter': (input) => {
      workplace = input.workplace
      return {}
    },
    'app.openPage': () => ({}),
    'app.showDownload': () => ({ shown: false }),
    'app.writeMail': () => ({ opened: false }),
    'app.selfTest': () => ({
      findings: [
        {
          name: message('selfTest.cardName', { card: 'wlan0' }),
          ok: true,
          detail: message('selfTest.traffic', { address: '192.168.4.20', sent: 6, heard: 12, names: 3 }),
          remedy: null,
          group: 'network'
        },
        {
          name: message('selfTest.cardName', { card: 'eth0' }),
          ok: false,
          detail: message('selfTest.trafficThen', {
            traffic: message('selfTest.traffic', { address: '10.0.0.5', sent: 6, heard: 0, names: 0 }),
            why: message('selfTest.noEcho')
          }),
          remedy: message('selfTest.firewall', { port: 5353 }),
          group: 'network'
        },
        {
          name: message('selfTest.keychainName'),
          ok: true,
          notTested: true,
          detail: message('selfTest.keychainInMemory'),
          remedy: null
        },
        {
          name: message('selfTest.dataName'),
          ok: true,
          detail: message('selfTest.dataIntact', { folder: '/home/technician/Fitter', n: 3 }),
          remedy: null
        }
      ]
    }),
    'activity.list': () => ({ entries: [], readUpTo: 0, away: null }),
    'activity.looking': () => ({}),
    'app.settingOrigins': () => ({
      settings: [
        {
          name: message('common.gateway'),
          value: plainMessage('https://gateway.example/api'),
          from: 'company',
          line: 7
        },
        { name: message('common.language'), value: plainMessage('English'), from: 'default', line: null }
      ],
      layers: {}
    }),
    'team.asides': () => ({ asides: [] }),
    'team.assigned': () => ({ assigned: [], keptAt: null, why: null, next: null }),
    'team.earlier': () => ({ isJoined: false, jobs: [], isMore: false, keptAt: null, why: null }),
    'day.work': () => ({ stretches: [], done: { n: 0, withSkipped: 0, jobs: [] }, skipped: { steps: 0, jobs: [] } }),
    'knowledge.explain': () => ({ terms: [], nearest: [] }),
    'find.kept': () => ({
      jobs: { found: [], n: 0, isMore: false, total: 0, isSimilar: false },
      vehicles: { found: [], states: [], isMore: false, total: 0, copiedAt: null, instead: null },
      devices: { found: [], n: 0, total: 0 }
    }),
    'settings.get': () => settings,
    'reportFont.state': () => ({ font: null, chosenBy: 'path' }),
    'settings.change': (change) => (settings = { ...settings, ...change } as typeof settings),
    'gateway.timeZones': () => ({ zones: null }),
    'settings.profiles': () => ({
      inUse: 'standard',
      profiles: [{ id: 'standard', name: plainMessage('Standard'), version: 3 }]
    }),
    'diagnosis.look': () => brokenAtAddress,
    'diagnosis.retest': () => brokenAtAddress,
    'diagnosis.installed': () => ({ installed: null }),
    'diagnosis.raw': () => ({ at: data.at(0), device: { 'io.all': { PWR: true } }, gateway: {} }),
    'diagnosis.setTolerance': () => ({ tolerances: [] }),
    'discovery.watch': () => ({
      devices: data.devices,
      cards: [
        { name: 'wlan0', address: '192.168.4.20', kind: 'wifi', listening: true, problem: null },
        { name: 'eth0', address: '10.0.0.5', kind: 'ethernet', listening: true, problem: null }
      ],
      lastHeardAt: data.at(-1),
      changeNumber: 1
    }),
    'discovery.ask': () => ({}),
    'discovery.known': () => ({ devices: data.known, next: null, total: data.known.length }),
    'discovery.gateways': () => ({
      networks: [
        { card: 'wlan0', address: '192.168.4.20', kind: 'wifi', gateways: ['192.168.4.1'], sweepSize: 253 },
        { card: 'eth0', address: '10.0.0.5', kind: 'ethernet', gateways: ['10.0.0.1'], sweepSize: 253 }
      ]
    }),
    'discovery.sweepState': () => ({ sweep: null }),
    'discovery.sweep': ({ card }) => ({ ...data.sweep, address: card }),
    'discovery.stopSweep': () => ({}),
    'discovery.readLabel': ({ text }) =>
      /^\d{15}$/.test(text)
        ? { kind: 'imei', imei: text }
        : { kind: 'none', detail: message('label.length', { n: text.length }) },
    'discovery.label': ({ imei, label }) => ({ ...data.known[0], imei, label }) as CallOutput<'discovery.label'>,
    'discovery.forget': () => ({}),
    'gateway.status': () => data.gateway,
    'gateway.signOut': () => ({ ...data.gateway, state: 'signedOut', user: null }),
    'gateway.findEntities': ({ text }) => ({
      entities: [
        {
          id: 7,
          name: 'Unit 0007',
          plate: 'HLD007',
          imei: '867698040023056',
          kind: 'vehicle' as const,
          assetType: null
        },
        { id: 71, name: 'Unit 0071', plate: null, imei: null, kind: 'vehicle' as const, assetType: null }
      ].filter((entity) => entity.name.includes(text) || (entity.plate ?? '').includes(text)),
      complete: true
    }),
    'gateway.sites': () => ({
      sites: data.settings.gatewaySites.map((site) => ({ ...site, isActive: true, hasPassword: true }))
    }),
    'gateway.sessions': () => ({ sessions: [] }),
    'copies.status': () => data.gatewayCopies,
    'copies.refresh': () => data.gatewayCopies,
    'vehicles.copy': () => data.vehicleCopy,
    'vehicles.search': () => data.vehicleList(data.vehicleLines),
    'vehicles.refresh': () => data.vehicleCopy,
    'vehicles.refreshStates': () => data.vehicleCopy,
    'device.signIn': () => ({ kind: 'signedIn', name: 'admin', kept: true }),
    'device.signOut': () => ({}),
    'device.read': () => ({
      areas: {
        io: { value: { IGN: true, TIG: true, PWR: true, AN1: 12610, BAT: 4100 }, readAt: data.at(0), problems: [] },
        gps: {
          value: { coords: { latitude: 4.711, longitude: -74.0721, speed: 0 }, extras: { hdop: 0.8, satsActive: 11 } },
          readAt: data.at(0),
          problems: []
        },
        modem: {
          value: { OPERATOR: 'Claro', RAT: 'LTE', RSSI: '-94' },
          readAt: data.at(0),
          problems: [message('jobs.missingInAnswer', { path: 'BAND' })]
        },
        system: { value: { osVersion: '24.10.1', uptime: 86400 }, readAt: data.at(0), problems: [] }
      }
    }),
    'jobs.templates': () => ({
      templates: [
        {
          id: 'standard',
          version: 3,
          name: plainMessage('Standard installation'),
          kind: 'installation',
          description: plainMessage('Power, ignition, inputs, outputs.'),
          steps: 12
        },
        {
          id: 'removal',
          version: 1,
          name: plainMessage('Removal'),
          kind: 'removal',
          description: plainMessage('Takes a device out and proves it.'),
          steps: 4
        }
      ]
    }),
    'templates.open': ({ id }) => ({ template: { id, steps: [] }, origin: 'shipped' }),
    'templates.preview': ({ order }) => ({
      steps: [...['power', 'sign-off'], ...(order?.items ?? []).map((_, index) => `ordered-${index}`)].map((id) => ({
        id,
        kind: 'question' as const,
        title: plainMessage(id),
        instruction: plainMessage(''),
        isByAnswer: false
      })),
      missing: [],
      needs: []
    }),
    'templates.schema': () => ({ step: {}, item: {}, thresholds: {} }),
    'jobs.list': () => ({
      jobs: [
        data.listedJob,
        {
          ...data.listedJob,
          id: 'b',
          state: 'installedAwaitingGateway',
          vehicle: { id: 8, name: 'Unit 0112' },
          stepsDone: 11,
          updatedAt: data.at(-4000)
        },
        {
          ...data.listedJob,
          id: 'c',
          state: 'done',
          vehicle: { id: 9, name: 'Unit 0031' },
          stepsDone: 12,
          updatedAt: data.at(-90000)
        },
        { ...data.listedJob, id: 'd', state: 'failed', vehicle: null, stepsDone: 3, updatedAt: data.at(-190000) }
      ],
      next: null,
      total: 4,
      isMore: false,
      counts: { running: 1, installedAwaitingGateway: 1, done: 1, failed: 1 },
      isSimilar: false
    }),
    'device.kept': () => ({ hasShared: true }),
    'internet.settings': () => ({
      proxy: { kind: 'system' },
      proxyUser: null,
      hasPac: false,
      card: '',
      authorities: []
    }),
    'internet.networks': () => ({ summary: message('internet.overNone'), cards: [] }),
    'device.forgetShared': () => ({ hasShared: false }),
    'jobLog.page': () => ({ jobs: [data.listedJob], next: null, total: 1, isMore: false, isSimilar: false }),
    'jobLog.facets': () => ({
      total: 1,
      standings: { running: 1 },
      customers: { values: [{ value: data.listedJob.customer, jobs: 1 }], more: 0 },
      technicians: { values: [{ value: data.listedJob.technician, jobs: 1 }], more: 0 },
      templates: { values: [{ value: 'standard', jobs: 1, name: plainMessage('Standard installation') }], more: 0 },
      months: [{ month: '2026-11', jobs: 1 }]
    }),
    'jobs.show': () => data.job,
    'jobs.live': () => ({ active: true, steps: [data.live], lines: data.lines, after: {} }),
    'jobs.create': () => ({ outcome: 'created', id: data.jobId }),
    'jobs.remembered': () => ({ customer: '' }),
    'jobs.start': () => ({}),
    'jobs.pause': () => ({}),
    'jobs.runStep': () => ({}),
    'jobs.stopStep': () => ({}),
    'jobs.answer': () => ({}),
    'jobs.waive': () => ({}),
    'jobs.accept': () => ({}),
    'jobs.note': () => ({}),
    'jobs.cancel': () => ({}),
    'jobs.report': ({ format }) => ({ fileName: `job.${format}`, mediaType: 'application/json', base64: 'e30=' }),
    'outputs.ledger': () => ({ outputs: [] }),
    'operations.stories': (input) => data.storyPage(input),
    'operations.paused': () => ({ paused: null, counts: data.operationPage({}).counts }),
    'operations.pause': () => ({}),
    'operations.resume': () => ({}),
    'operations.tryNow': () => ({ counts: data.operationPage({}).counts, held: [], moreHeld: 0 }),
    'operations.list': (page) => data.operationPage(page),
    'operations.ofJob': () => ({ operations: data.operations }),
    'operations.show': ({ id }) => data.operations.find((one) => one.id === id) as Operation,
    'operations.sync': () => ({ done: 1, waiting: 2, needsAttention: 1, failed: 0 }),
    'operations.retry': () => ({}),
    'operations.drop': () => ({}),
    'operations.close': () => ({}),
    'operations.choose': () => ({}),
    'team.status': () => ({
      joined: null,
      server: null,
      pushedAt: null,
      waiting: 0,
      leaving: 0,
      held: [],
      forks: 0,
      stopped: [],
      isPushing: false,
      problem: null,
      nextAt: null
    }),
    'training.vehicles': () => ({
      vehicles: data.vehicles,
      device: { user: 'trainee', password: 'trainee' },
      gateway: { url: 'http://127.0.0.1:4010/api', user: 'trainee', password: 'trainee' }
    }),
    'training.act': () => ({}),
    'training.exercises': () => ({ running: null, causes: [], results: [], list: [], tour: [] })
  }
}

/** A core that answers from a table, for tests and pictures of the window only. */
export function createFakeBridge(own: Answers = {}): FakeBridge {
  const answers = { ...defaults(), ...own } as Record<string, ((input: unknown) => unknown) | undefined>
  const listeners = new Set<(name: EventName, payload: never) => void>()
  const made: FakeBridge['made'] = []
  let silentSinceMs: number | undefined
  return {
    made,
    call(name, input) {
      made.push({ name, input })
      const answer = answers[name]
      try {
        if (!answer) throw new FakeFailure({ code: 'INTERNAL', message: `No answer for ${name}.`, retryable: false })
        const answered: unknown = answer(input)
        const sent = (value: unknown) => ({ ok: true as const, value: structuredClone(value) as never })
        return answered instanceof Promise ? answered.then(sent) : Promise.resolve(sent(answered))
      } catch (error) {
        if (!(error instanceof FakeFailure)) throw error
        return Promise.resolve({ ok: false, error: error.data })
      }
    },
    subscribe(listener) {
      listeners.add(listener as never)
      return () => listeners.delete(listener as never)
    },
    lastHeardMs: () => silentSinceMs ?? performance.now(),
    fallSilent(isSilent) {
      silentSinceMs = isSilent ? performance.now() : undefined
    },
    emit(name, payload) {
      for (const listener of listeners) listener(name, payload as never)
    }
  }
}

/** From now on the answers to these calls wait until the returned function is called. */
export function holdAnswers(core: FakeBridge, held: CallName): () => void {
  const { call } = core
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  core.call = ((name: CallName, input: never, ...more: []) =>
    name === held ? released.then(() => call(name, input, ...more)) : call(name, input, ...more)) as FakeBridge['call']
  return () => {
    core.call = call
    release()
  }
}
