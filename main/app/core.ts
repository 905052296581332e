import path from 'node:path'
import type { Notice } from '../../preload/contract/app/app.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { createActivity, type Activity } from '../support/activity/activity.ts'
import { listenToWork } from '../support/activity/listenToWork.ts'
import { createLogFile, logFolderName } from '../support/activity/logFile.ts'
import { createBackups, type Backups } from '../data/backups/backups.ts'
import { createTexts } from '../base/messages/texts.ts'
import { createMaps, type Maps } from './maps/maps.ts'
import { buildDeviceWork, type DeviceWork } from './core/deviceWork.ts'
import { layFoundation, type CoreOptions, type Foundation } from './core/foundation.ts'
import { buildGatewayRecords, type GatewayRecords } from './core/gatewayRecords.ts'
import { watchGateway } from './core/gatewayWatch.ts'
import { buildGatewayWork, type GatewayWork } from './core/gatewayWork.ts'
import { buildTeamLog, type TeamLog } from './core/teamLog.ts'
import { buildWorkFiles, type WorkFiles } from './core/workFiles.ts'
import { outputsPort } from './core/outputsPort.ts'
import { diskNotice } from './diskNotice.ts'
import { quicklyChecked } from './doctor.ts'
import { version } from './version.ts'
import { defaultSettings } from '../../preload/app/defaultSettings.ts'
import type { GatewayStatus } from '../../preload/contract/gateway/gateway.ts'
import type { Settings } from '../../preload/contract/app/settings.ts'
import type { Store } from '../data/store/index.ts'
import { readerOf } from '../../preload/base/messages/settings.ts'
import { vehicleNameOf } from '../../preload/job/vehicleName.ts'

export type { CoreOptions } from './core/foundation.ts'

/** Every service of one data folder, built once. Front ends reach them through the handlers of the contract. */
export interface Core extends Foundation, GatewayWork, DeviceWork, GatewayRecords, WorkFiles {
  teamLog: TeamLog
  maps: Maps
  /** The data of this computer: health and backups. */
  backups: Backups
  /** The log, and what happened while nobody looked. */
  activity: Activity
  /** The settings, or the defaults where the data cannot be read; a fault in Fitter is reported. */
  readableSettings(): Settings
  notices(): Promise<Notice[]>
  /** Sends the notices to every window. */
  tellNotices(): void
  powerResumed(): void
  /** `areOutputsAsked`: the wait for their proof is over already, and is not repeated. */
  stop(how?: { areOutputsAsked?: boolean }): Promise<void>
}

/** Opens the data folder (AppError DATA_LOCKED, DATA_UNUSABLE) and connects the services. Sends no requests yet. */
export function createCore(options: CoreOptions): Core {
  const { reportFault } = options
  const ending = new AbortController()
  let stopping: Promise<void> | undefined

  // A part that needs a later one gets it when it is used.
  const foundation = layFoundation(options, {
    noticesChanged: tellNotices,
    gatewayHeard: () => gatewayWatch.noticeGateway(),
    outputs: outputsPort(() => deviceWork.outputs)
  })
  const { store, connections, events, memory } = foundation
  const { rest: restGatewayWork, ...gatewayWork } = buildGatewayWork(foundation, {
    options,
    ending: ending.signal,
    jobs: () => deviceWork.jobs,
    copiedVehicle: async (id) => (await records.vehicles.copy.get(id))?.vehicle
  })
  const { closePhotos, ...deviceWork } = buildDeviceWork(foundation, {
    options,
    operations: gatewayWork.operations,
    copies: () => records.copies
  })
  const records = buildGatewayRecords(foundation, { options, ...deviceWork, ...gatewayWork })
  const files = buildWorkFiles(foundation, {
    options,
    ...deviceWork,
    ...gatewayWork,
    ...records,
    team: () => team.teamLog.background.work()
  })
  const gatewayWatch = watchGateway(foundation, {
    options,
    ending: ending.signal,
    ...gatewayWork,
    ...records,
    hasDeferred: () => deviceWork.jobs.hasDeferred(),
    noticesChanged: tellNotices,
    networkChanged() {
      connections.internet.ways.forget()
      team.isBack()
    }
  })
  const team = buildTeamLog(foundation, { options, ...deviceWork, ...gatewayWork, ...files })
  const maps = createMaps({ store: store.maps, events, userAgent: `Fitter/${version}`, isTraining: options.isTraining })
  const backups = createBackups({
    store,
    dataFolder: options.dataFolder,
    events,
    quicklyChecked,
    background: options.background ?? false,
    noticesChanged: tellNotices,
    reportFault
  })
  // Read once; afterwards a change says so. A log entry reads nothing: the disk may fail, or the data be closed
  // already.
  let settingsNow = readableSettings()
  const activity = createActivity({
    // Only a window writes the log: a command beside it would rotate the same files.
    file: createLogFile({
      folder: options.background && store.readOnly === null ? path.join(options.dataFolder, logFolderName) : null
    }),
    redact: (value) => connections.redactor.json(value),
    settings: () => settingsNow,
    events,
    environment: process.env['FITTER_LOG'],
    texts() {
      return createTexts(readerOf(settingsNow))
    },
    read: {
      get: () => readableSettings().activityReadUpTo,
      set: (activityReadUpTo) => void store.settings.change({ activityReadUpTo })
    }
  })
  const listen = listenToWork(activity.write, nameOfJob)
  const stopActivity = events.onEvent((name, payload) => {
    if (name === 'settings.changed') settingsNow = payload as Settings
    listen(name, payload)
  })
  activity.write({ topic: 'app', text: message('activity.started', { version }) })
  const stopMemory = memory.follow()
  const stopDisk = store.disk.onChange(diskChanged)
  const stopTable = connections.discovery.onChange((change) => {
    events.tell('discovery.changed', change)
    continuePlans()
  })
  const stopJobs = events.onEvent((name, payload) => {
    if (name === 'jobs.state') continuePlans()
    // A command ends soon: it switches off there only what a person asks for.
    if (name === 'gateway.changed' && options.background && (payload as GatewayStatus).state === 'reachable')
      deviceWork.outputs.gateway.seen()
  })

  /**
   * The settings, or the defaults where the data cannot be read: that must stop neither the start nor a warning about
   * outputs.
   */
  function readableSettings(): Settings {
    try {
      return store.settings.get()
    } catch (error) {
      if (!(error instanceof AppError)) reportFault(error)
      return defaultSettings
    }
  }

  function nameOfJob(id: string): string {
    try {
      const { vehicle, vehicleText, device } = deviceWork.jobs.show(id)
      return vehicleNameOf({ vehicle, vehicleText }) || device.imei
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return id
    }
  }

  async function notices(): Promise<Notice[]> {
    const notKept = memory.problem()
    const disk = diskNotice(store.disk)
    return [
      ...(disk ? [disk] : []),
      ...openingNotices(store),
      ...(await connections.notices()),
      ...(notKept ? [{ id: 'device-memory', level: 'warn' as const, text: notKept }] : []),
      ...backups.notices(),
      ...(options.firstNotices ?? []),
      ...(options.moreNotices?.() ?? [])
    ]
  }

  function tellNotices(): void {
    notices().then((list) => events.tell('app.notices', { notices: list }), reportFault)
  }

  /** A command ends soon, and must not leave a device half configured. */
  function continuePlans(): void {
    if (options.background && store.readOnly === null) deviceWork.workspaceDevices.deviceProfiles.continuePlans()
  }

  /** Work that waited for the disk continues at once. */
  function diskChanged(): void {
    tellNotices()
    if (store.disk.standing() === 'usable') gatewayWork.sendSoon()
  }

  return {
    ...foundation,
    ...gatewayWork,
    ...deviceWork,
    ...records,
    ...files,
    teamLog: team.teamLog,
    maps,
    backups,
    activity,
    readableSettings,
    notices,
    tellNotices,
    powerResumed() {
      connections.discovery.resumed()
      gatewayWatch.resumed()
      team.isBack()
    },
    stop: ({ areOutputsAsked = false } = {}) => (stopping ??= stop(areOutputsAsked))
  }

  async function stop(areOutputsAsked: boolean): Promise<void> {
    const { jobs, outputs, workspaceDevices, diagnosis, networks } = deviceWork
    const { copies, accessories, eventLogs } = records
    const { exports, transferFiles, bundles, numbers } = files
    restGatewayWork()
    gatewayWatch.rest()
    team.rest()
    stopTable()
    stopJobs()
    stopDisk()
    stopActivity()
    maps.stop()
    // Outputs first, all in parallel, before anything else.
    const off = endEach(() => outputs.allOff())
    if (!areOutputsAsked) await off
    await endEach(
      () => diagnosis.stop(),
      () => jobs.stop(),
      () => workspaceDevices.stop(),
      () => backups.stop()
    )
    await endEach(() => outputs.stop())
    await off
    await endEach(closePhotos)
    await endEach(
      ...[exports, transferFiles, bundles, numbers, networks, copies, accessories].map((part) => () => part.stop()),
      () => eventLogs.stopAll(),
      stopMemory
    )
    await endEach(() => team.stop())
    ending.abort(new AppError('CANCELLED', message('operations.closing')))
    await endEach(() => gatewayWork.operations.stop())
    await endEach(() => connections.close())
    await endEach(() => activity.stop())
    await endEach(() => store.close())
  }

  /** A part that fails to end does not stop the others: the next start needs the folder. */
  async function endEach(...ends: (() => unknown)[]): Promise<void> {
    await Promise.all(
      ends.map(async (end) => {
        try {
          await end()
        } catch (error) {
          reportFault(error)
        }
      })
    )
  }
}

export { sourceResourcesFolder } from './dataFolder.ts'

/** Notices about how the data folder was opened, until a person has read them. */
function openingNotices(store: Pick<Store, 'opening' | 'lossRecords'>): Notice[] {
  const { opening } = store
  const mended: Notice[] =
    opening.how === 'mended'
      ? [{ id: 'data-mended', level: 'info', text: message('damage.mended', { name: opening.aside }) }]
      : []
  const losses = store
    .lossRecords()
    .filter(({ readAt }) => readAt === null)
    .map(({ key, message: text }): Notice => ({ id: `loss-${key}`, level: 'warn', text, loss: key }))
  return [...losses, ...mended]
}
