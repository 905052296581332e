import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'
import { readFields } from '../../../main/base/reading/fields.ts'
import { createJobs, type Jobs, type JobsOptions } from '../../../main/job/jobs/jobs.ts'
import type {
  DevicePort,
  EngineBusAtGateway,
  ExactEntity,
  GatewayEvent,
  GatewayLines,
  GatewayPort,
  JobLog,
  OperationsPort,
  RoadGateway
} from '../../../main/job/jobs/engine/ports.ts'
import type { AccessoryEvents } from '../../../main/job/jobs/engine/accessoryPort.ts'
import type { TemplateStep } from '../../../preload/contract/job/steps/index.ts'
import { openStore, type Store } from '../../../main/data/store/index.ts'
import {
  applications,
  gpsPosition,
  hotspotState,
  ioState,
  modemConfiguration,
  modemInformation,
  osUpdate,
  systemInfo,
  wifiState,
  type Reading
} from '../../../preload/contract/device/deviceAreas.ts'
import type { EntityChoice } from '../../../preload/contract/gateway/gateway.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { EventName } from '../../../preload/contract/events.ts'
import type { Answer, LiveStep, Prompt } from '../../../preload/contract/job/jobs.ts'
import { Vehicle } from '../../../simulator/vehicle.ts'
import { preparePhoto } from '../../../main/job/photos/preparePhoto.ts'
import type { Outputs } from '../../../main/job/outputs/outputs.ts'
import { putEmptyData } from '../data/emptyData.ts'
import { openOutputs } from './outputs.ts'
import { liveInWords, stepInWords, type LiveInWords, type StepInWords } from '../window/english.ts'
import { quickShipped, templatesOf } from './quickProfile.ts'

export const virtualImei = '490154203237518'
const iccid = '8900110000000000017'
const standardNow = '2026-11-20T09:00:00.000Z'

type Operation =
  | 'gps.position'
  | 'io.all'
  | 'io.setOutput'
  | 'modem.information'
  | 'system.info'
  | 'accel.autoAlignment'
  | 'wifi.state'
  | 'hotspot.state'
  | 'modem.configuration'
  | 'modem.editApn'
  | 'updates.osCheck'
  | 'apps.list'
  | 'ecu.addParameter'
type Raw = Record<string, unknown>

/**
 * The job engine on a virtual clock: the simulator's vehicle, the real parser of answers, a real store. Only the
 * connections are missing, so that minutes pass in milliseconds.
 */
export interface VirtualJob {
  readonly vehicle: Vehicle
  readonly jobs: Jobs
  readonly id: string
  readonly store: Store
  outputs: Outputs
  readonly faults: unknown[]
  /** Commands that reached the device, `OUT1 on`. */
  readonly commands: string[]
  readonly asked: { lines: number; events: number }
  /** The events to front ends, oldest first. */
  readonly told: { name: EventName; payload: unknown }[]
  /** How often the device was connected to. */
  connects: number
  /** The data given to the known devices: the vehicle's name, as far as it was known then. */
  worked: (string | null)[]
  /** What the device would answer, changed before it is parsed. */
  spoil(operation: Operation, change: (raw: Raw) => unknown): void
  /** The device's answer to an operation is this failure, or none at all; `null` makes it well again. */
  breakDevice(operation: Operation | 'all', how: 'hang' | AppError | null): void
  /** How long the device takes for an answer. */
  answersAfterMs: number
  gateway: {
    isAway: AppError | null
    /** What each call passes before it is answered, such as a limit of the gateway. */
    admit: (() => Promise<void>) | null
    /** Its clock less this computer's, in seconds; null: it sends no time. */
    clockAheadS: number | null
    lines: (() => GatewayLines | null) | null
    events: () => GatewayEvent[]
    engineBus: () => EngineBusAtGateway | null
    accessories: () => AccessoryEvents
    device: { imei: string | null; simIds: string[]; raw: null } | null
    sims: string[]
    entities: EntityChoice[]
    /** Where the gateway has the device. */
    vehicle: EntityChoice | null
    /** What a drive and an exchange of devices leave there. */
    road: {
      [Name in keyof RoadGateway]: (request: Parameters<RoadGateway[Name]>[0]) => Awaited<ReturnType<RoadGateway[Name]>>
    }
  }
  operations: OperationsPort
  answers: Partial<Record<Prompt['kind'], Answer>>
  /** Whether writing an entry of this type fails, as on a full disk. */
  logFails: boolean | ((type: string) => boolean)
  connect(): Promise<void>
  /** Runs a step until it ends or the time is over. */
  run(stepId: string, maxMs?: number): Promise<StepInWords>
  begin(stepId: string): void
  pass(ms: number): Promise<void>
  step(stepId: string): StepInWords
  live(stepId: string): LiveInWords | undefined
  /** Another engine on the same data; `meanwhile` happens to the closed data file. */
  restart(meanwhile?: (file: string) => void): void
  close(): Promise<void>
}

export function openVirtualJob(
  steps: TemplateStep[],
  vehicleText = 'Truck 1',
  options: Pick<JobsOptions, 'sign' | 'clockDifferenceMs' | 'diskUsable' | 'withoutSecrets'> = {}
): VirtualJob {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: new Date(standardNow)
  })
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-virtual-'))
  putEmptyData(folder)
  let store = openStore(folder)
  const vehicle = new Vehicle({ seed: 3, now: () => Date.now() })
  const spoils = new Map<Operation, (raw: Raw) => unknown>()
  const broken = new Map<string, 'hang' | AppError>()
  const commands: string[] = []
  let apn = 'internet.example'
  const lives = new Map<string, LiveStep>()
  const told: VirtualJob['told'] = []

  async function answer<T>(
    operation: Operation,
    schema: unknown,
    raw: () => Raw,
    options?: { signal?: AbortSignal; timeoutMs?: number }
  ): Promise<Reading<T>> {
    await new Promise((resolve) => setTimeout(resolve, Math.min(bench.answersAfterMs, options?.timeoutMs ?? 10_000)))
    if (bench.answersAfterMs > (options?.timeoutMs ?? 10_000))
      throw new AppError('TIMEOUT', plainMessage('The device did not answer in time.'), { retryable: true })
    options?.signal?.throwIfAborted()
    const how = broken.get(operation) ?? broken.get('all')
    if (how === 'hang') {
      await new Promise((resolve) => setTimeout(resolve, options?.timeoutMs ?? 5_000))
      throw new AppError('TIMEOUT', plainMessage('The device did not answer in time.'), { retryable: true })
    }
    if (how) throw how
    const given = structuredClone(raw())
    const body = spoils.get(operation)?.(given) ?? given
    const parsed = schema ? readFields(schema as typeof gpsPosition, body) : { value: body, problems: [] }
    if ('wanted' in parsed) throw new AppError('UNREADABLE', plainMessage('The answer is not as documented.'))
    return {
      operation,
      status: 200,
      value: parsed.value as Reading<T>['value'],
      problems: parsed.problems,
      raw: body,
      readAt: new Date().toISOString(),
      elapsedMs: 5
    }
  }

  const device: DevicePort = {
    gps: { position: (options) => answer('gps.position', gpsPosition, () => readGps(vehicle), options) },
    io: {
      all: (options) => answer('io.all', ioState, () => readIo(vehicle), options),
      setOutput: ({ out, state }, options) => {
        commands.push(`${out} ${state ? 'on' : 'off'}`)
        return answer(
          'io.setOutput',
          undefined,
          () => {
            vehicle.setOutput(out, state)
            return { result: 'OK' }
          },
          options
        )
      }
    },
    modem: {
      information: (options) => answer('modem.information', modemInformation, readModem, options),
      configuration: (options) => answer('modem.configuration', modemConfiguration, () => ({ APN: apn }), options),
      editApn: (input, options) => {
        commands.push(`APN ${input.apn}`)
        apn = input.apn
        return answer('modem.editApn', undefined, () => ({ result: 'OK' }), options)
      }
    },
    updates: { osCheck: (options) => answer('updates.osCheck', osUpdate, () => ({ mess: 'Up To Date' }), options) },
    apps: { list: (options) => answer('apps.list', applications, () => [] as unknown as Raw, options) },
    ecu: {
      addParameter: ({ PARAM_NAME }, options) => {
        commands.push(`list ${PARAM_NAME}`)
        return answer('ecu.addParameter', undefined, () => ({ result: 'OK' }), options)
      }
    },
    system: {
      info: (options) =>
        answer('system.info', systemInfo, () => ({ hostname: `ft4-${virtualImei}`, osVersion: '4.2.1' }), options)
    },
    wifi: {
      state: (options) =>
        answer('wifi.state', wifiState, () => ({ state: 'Completed', connected: true, ssid: 'Yard' }), options)
    },
    hotspot: { state: (options) => answer('hotspot.state', hotspotState, () => ({ state: 'Disabled' }), options) },
    accel: {
      autoAlignment: (_input, options) => {
        commands.push('align')
        return answer('accel.autoAlignment', undefined, () => ({ result: 'OK' }), options)
      }
    }
  }

  const asked = { lines: 0, events: 0 }
  async function atGateway<T>(what: () => T): Promise<T> {
    await bench.gateway.admit?.()
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (bench.gateway.isAway) throw bench.gateway.isAway
    return what()
  }
  const gatewayPort: GatewayPort = {
    findDevice: () => atGateway(() => bench.gateway.device),
    findSim: (id) => atGateway(() => (bench.gateway.sims.includes(id) ? { raw: null } : null)),
    readLines: () => {
      asked.lines += 1
      return atGateway(() => (bench.gateway.lines ? bench.gateway.lines() : gatewayLines(vehicle)))
    },
    readEvents: () => {
      asked.events += 1
      return atGateway(() => bench.gateway.events())
    },
    findVehicleOfDevice: () => atGateway(() => bench.gateway.vehicle),
    readClock: () => atGateway(() => ({ aheadS: bench.gateway.clockAheadS })),
    readEngineBus: () => atGateway(() => bench.gateway.engineBus()),
    road: {
      readEvents: (request) => atGateway(() => bench.gateway.road.readEvents(request)),
      readTrips: (request) => atGateway(() => bench.gateway.road.readTrips(request)),
      readDistance: (request) => atGateway(() => bench.gateway.road.readDistance(request)),
      readFitting: (id) => atGateway(() => bench.gateway.road.readFitting(id)),
      readCounters: (id) => atGateway(() => bench.gateway.road.readCounters(id)),
      readCountersOf: (request) => atGateway(() => bench.gateway.road.readCountersOf(request))
    },
    accessories: {
      readEvents: () => atGateway(() => bench.gateway.accessories()),
      readKeys: () => atGateway(() => []),
      nameOfAsset: () => atGateway(() => null),
      findLink: () => atGateway(() => ({ found: false, sure: false })),
      readTriggers: () => atGateway(() => null),
      readCounters: () => atGateway(() => null),
      lastPhotos: () => atGateway(() => null),
      capturePhoto: () => atGateway(() => ({ message: '', deviceIsOnline: true, raw: null }))
    },
    findCopied: () => Promise.resolve(undefined),
    readRecord: () => atGateway(() => bench.gateway.entities[0] ?? null),
    findExact: () =>
      atGateway((): ExactEntity => {
        const { entities } = bench.gateway
        const [only] = entities
        return entities.length === 1 && only
          ? { kind: 'one', entity: only }
          : { kind: entities.length === 0 ? 'none' : 'several', similar: entities }
      })
  }

  function follow(live: LiveStep): void {
    lives.set(live.stepId, live)
    const given = live.prompt && bench.answers[live.prompt.kind]
    if (!given) return
    queueMicrotask(() => {
      const now = bench.jobs.live(live.jobId).steps.find((step) => step.stepId === live.stepId)
      if (now?.prompt?.kind === live.prompt?.kind) bench.jobs.answer(live.jobId, live.stepId, given)
    })
  }

  function engine(): Jobs {
    const shipped = quickShipped(steps)
    return createJobs({
      ...options,
      log: guardedLog(store.jobs, (type) =>
        typeof bench.logFails === 'function' ? bench.logFails(type) : bench.logFails
      ),
      attachments: store.attachments,
      photos: { prepare: preparePhoto },
      shipped,
      templates: templatesOf(shipped, store),
      connect() {
        bench.connects += 1
        return Promise.resolve({ device, address: 'ft4.local:8080', close: () => undefined })
      },
      gateway: gatewayPort,
      outputs: bench.outputs,
      operations: {
        addLink: (link) => bench.operations.addLink(link),
        addKey: (key) => bench.operations.addKey(key),
        addCounter: (counter) => bench.operations.addCounter(counter),
        sendNow: (work) => bench.operations.sendNow(work),
        endLive: (id, end) => bench.operations.endLive(id, end),
        settled: (id, signal) => bench.operations.settled(id, signal),
        ofJob: (id) => bench.operations.ofJob(id)
      },
      profileId: () => 'quick',
      technician: () => '',
      folderMark: () => null,
      events: {
        tell(name, payload) {
          told.push({ name, payload })
          if (name === 'jobs.live') follow(payload as LiveStep)
        }
      },
      worked: ({ vehicle }) => bench.worked.push(vehicle?.name ?? null),
      reportFault: (fault) => bench.faults.push(fault)
    })
  }

  const bench: VirtualJob & { jobs: Jobs; id: string } = {
    vehicle,
    told,
    commands,
    asked,
    connects: 0,
    worked: [],
    answersAfterMs: 5,
    faults: [],
    get store() {
      return store
    },
    jobs: undefined as unknown as Jobs,
    outputs: undefined as unknown as Outputs,
    id: '',
    spoil: (operation, change) => spoils.set(operation, change),
    breakDevice(operation, how) {
      if (how) broken.set(operation, how)
      else broken.delete(operation)
    },
    gateway: {
      isAway: null,
      admit: null,
      clockAheadS: 0,
      lines: null,
      events: () => [event(vehicle)],
      engineBus: () => null,
      accessories: () => ({ events: [], ofOthers: 0, fields: new Set(), nowMs: Date.now() }),
      device: { imei: virtualImei, simIds: [iccid], raw: null },
      vehicle: null,
      road: {
        readEvents: () => ({ events: [], isWhole: true }),
        readTrips: () => null,
        readDistance: () => null,
        readFitting: () => null,
        readCounters: () => null,
        readCountersOf: () => null
      },
      sims: [iccid],
      entities: [{ id: 7, name: 'Truck 1', plate: null, imei: virtualImei, kind: 'vehicle', assetType: null }]
    },
    operations: {
      addLink: () => ({ id: 'link' }),
      addKey: () => ({ id: 'key' }),
      addCounter: () => ({ id: 'counter' }),
      sendNow: async ({ send }) => ({ id: 'live', kind: 'answered', answer: await send() }),
      endLive: () => undefined,
      settled: () => Promise.resolve({ state: 'done', reason: 'Linked.', evidence: [] }),
      ofJob: () => []
    },
    answers: {},
    logFails: false,
    connect: () => settle(bench.jobs.start(bench.id, new AbortController().signal)),
    async run(stepId, maxMs = 120_000) {
      await settle(bench.jobs.runStep(bench.id, stepId), maxMs)
      return bench.step(stepId)
    },
    begin(stepId) {
      bench.jobs.runStep(bench.id, stepId).catch((fault: unknown) => bench.faults.push(fault))
    },
    pass: async (ms) => {
      await vi.advanceTimersByTimeAsync(ms)
    },
    step(stepId) {
      const found = bench.jobs.show(bench.id).steps.find((step) => step.id === stepId)
      if (!found) throw new Error(`No step ${stepId}`)
      return stepInWords(found)
    },
    live(stepId) {
      const live = lives.get(stepId)
      return live && liveInWords(live)
    },
    restart(meanwhile) {
      // A process that ended switches nothing any more.
      void bench.outputs.stop()
      store.close()
      meanwhile?.(store.file)
      store = openStore(folder)
      begin()
    },
    async close() {
      bench.logFails = false
      await settle(bench.jobs.stop())
      await settle(bench.outputs.stop())
      store.close()
      fs.rmSync(folder, { recursive: true, force: true })
      vi.useRealTimers()
    }
  }
  function begin(): void {
    bench.outputs = openOutputs(
      store.outputLedger,
      (jobId, entry) => jobId !== null && bench.jobs.recordWrite(jobId, entry),
      (fault) => bench.faults.push(fault)
    )
    bench.jobs = engine()
  }
  begin()
  bench.id = bench.jobs.create({
    templateId: 'some-steps',
    device: { imei: virtualImei, model: 'ft4', address: 'ft4.local:8080' },
    vehicleText,
    customer: ''
  })
  return bench
}

/** Moves the clock until the promise settles. */
async function settle<T>(work: Promise<T>, maxMs = 60_000): Promise<T> {
  let isOver = false
  work.then(
    () => (isOver = true),
    () => (isOver = true)
  )
  for (let passedMs = 0; !isOver && passedMs < maxMs; passedMs += 50) await vi.advanceTimersByTimeAsync(50)
  if (!isOver) throw new Error(`Not settled within ${maxMs} ms of virtual time`)
  return work
}

function guardedLog(real: Store['jobs'], isFailing: (type: string) => boolean): JobLog {
  return {
    journal: (id) => real.journal(id),
    readable: (id) => real.readable(id),
    page: (request) => real.page(request),
    inState: (...states) => real.inState(...states),
    runningWith: (bead) => real.runningWith(bead),
    openOfDevice: (imei) => real.openOfDevice(imei),
    lose: (id, lost, summary) => real.lose(id, lost, summary),
    lostOf: (id) => real.lostOf(id),
    append(id, entries, summarise) {
      return real.append(id, entries, (added) => {
        const summary = summarise(added)
        // After the engine has taken them in, as a full disk shows at the commit.
        if (entries.some((entry) => isFailing(entry.type)))
          throw new AppError('DATA_UNUSABLE', plainMessage('The disk is full. Make room and run the step again.'))
        return summary
      })
    }
  }
}

function readIo(vehicle: Vehicle): Raw {
  const state = vehicle.state()
  return {
    IGN: state.ignition,
    TIG: state.ignitionByRipple,
    ...state.inputs,
    PWR: state.power,
    MOT: state.isMoving,
    ...state.outputs,
    SO1: state.shorts.OUT1,
    SO2: state.shorts.OUT2,
    SO3: state.shorts.OUT3,
    SO4: state.shorts.OUT4,
    AN1: state.an1Mv,
    AN2: 0,
    DAN: 0,
    BAT: 4100
  }
}

function readGps(vehicle: Vehicle): Raw {
  const { fix } = vehicle.state()
  return {
    coords: {
      latitude: fix.latitude,
      longitude: fix.longitude,
      speed: fix.speedKmh,
      accuracy: 2,
      altitude: 400,
      bearing: 0,
      altitudeAccuracy: 4
    },
    timestamp: Math.floor(Date.now() / 1000),
    extras: { hdop: 0.8, vdop: 1.1, pdop: 1.4, fix: 3, satsActive: 11, criteria: 'signal' }
  }
}

function readModem(): Raw {
  return {
    IMEI: virtualImei,
    SIM_ID: iccid,
    SIM_TYPE: 'EXTERNAL',
    SIM_STATE: 'READY',
    GSM_REG: '1',
    GPRS_REG: '1',
    RSSI: '-71',
    IP: '10.64.12.7',
    RAT: 'LTE',
    OPERATOR: 'Test network'
  }
}

export function gatewayLines(vehicle: Vehicle): GatewayLines {
  const { ignition, inputs } = vehicle.state()
  return {
    values: new Map([
      ['io_ign', ignition],
      ['io_in1', inputs.IN1],
      ['io_in2', inputs.IN2],
      ['io_in3', inputs.IN3]
    ]),
    atMs: Date.now(),
    ageS: 0,
    raw: null
  }
}

export function event(vehicle: Vehicle, more: Partial<GatewayEvent> = {}): GatewayEvent {
  const { fix } = vehicle.state()
  return {
    eventAtMs: Date.now() - 3_000,
    ageS: 3,
    delayS: 1,
    latitude: fix.latitude,
    longitude: fix.longitude,
    type: 10,
    label: 'prdtst',
    isPositionValid: true,
    raw: { device_id: Number(virtualImei) },
    ...more
  }
}
