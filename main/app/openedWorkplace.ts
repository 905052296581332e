import { networkInterfaces } from 'node:os'
import type { Notice, Workplace } from '../../preload/contract/app/app.ts'
import type { Handlers } from '../../preload/contract/index.ts'
import type { EventName } from '../../preload/contract/events.ts'
import { message } from '../../preload/contract/messages.ts'
import { createCore, type Core, type CoreOptions } from './core.ts'
import { trainingFolderIn } from './dataFolder.ts'
import { createEventHub } from './events.ts'
import type { Host, OutputsLeft } from './frontEnd.ts'
import { openFolder } from '../data/store/index.ts'
import type { Progress } from '../data/store/file/progress.ts'
import { createFaultLog } from './faultLog.ts'
import type { DesktopFiles } from './handlers.ts'
import { createHandlers, routeCall } from './router.ts'
import { openUpdates, type UpdatePlatform } from './openUpdates.ts'
import { listUpdateReasons, trainingReason } from './updateReasons.ts'
import { createBundleDoor } from './openedBundleDoor.ts'
import { removeBundleFolders } from '../support/bundleViewer/folder.ts'
import type { PickDataPath } from '../data/backups/handlers.ts'
import { exchangeData, type Incoming } from '../data/store/backups/copies.ts'
import { answerMap } from './maps/answer.ts'
import type { PickMapFile } from './maps/handlers.ts'
import type { PickFontFile } from '../job/reports/reportFontHandlers.ts'
import { createSequence } from '../base/time/sequence.ts'
import { createTexts } from '../base/messages/texts.ts'
import { sayLedger } from '../job/outputs/sayLedger.ts'
import type { Exercises } from '../job/training/exercises.ts'
import type { Training } from '../job/training/training.ts'
import { version } from './version.ts'
import path from 'node:path'
import { AppError } from '../../preload/contract/errors.ts'
import { readerOf } from '../../preload/base/messages/settings.ts'

export interface WorkplaceOptions {
  frontEnd: 'desktop' | 'browser' | 'terminal'
  dataFolder: string
  resourcesFolder: string
  start?: Workplace
  gatewayUrl?: string | undefined
  given?: CoreOptions['given']
  /** For the team log, in this process only. */
  teamPassword?: CoreOptions['teamPassword']
  openPage(page: 'documentation' | 'licences'): Promise<void>
  /** Saved files and mail, where the front end is a desktop window. */
  desktopFiles?: DesktopFiles
  pickMapFile?: PickMapFile
  pickFontFile?: PickFontFile
  proxies?: CoreOptions['proxies']
  pickDataPath?: PickDataPath
  /** How this program is installed, if the process does not tell. */
  updates?: Partial<UpdatePlatform> | undefined
}

interface Open {
  kind: Workplace
  dataFolder: string
  core: Core
  handlers: Handlers
  training: Training | null
  exercises: Exercises | null
  stopEvents: () => void
}

type Begun = Partial<Pick<Open, 'core' | 'training' | 'exercises' | 'stopEvents'>>

/** Whoever quits has just waited for the outputs. */
const askedAgainAfterMs = 3_000

/** Nobody needs more jobs for the five steps of the guided tour. */
const tourJobs = 5

/** What a window shows: the real workplace, or the training one with a simulated yard and a log in its own folder. */
export async function openHost(options: WorkplaceOptions, progress: Progress): Promise<Host> {
  /** One for each workplace. Those of closed ones stay: a late fault may belong to one of them. */
  const redactors = new Set<(text: string) => string>()
  const logFault = createFaultLog(options.dataFolder, (text) =>
    [...redactors].reduce((clean, redact) => redact(clean), text)
  )
  let noteFault = (_error: unknown): void => undefined
  const reportFault = (error: unknown): void => {
    logFault(error)
    noteFault(error)
  }
  const hub = createEventHub(reportFault)
  const cab = createBundleDoor({
    resourcesFolder: options.resourcesFolder,
    frontEnd: { frontEnd: options.frontEnd, version },
    behind: () => present,
    entered: () => hub.tell('app.entered', { workplace: present.kind }),
    onRedactor: (redact) => redactors.add(redact),
    reportFault
  })
  /** Real sign-ins that no file keeps: training does not end them. */
  const runMemory = {
    secrets: new Map<string, string | null>(),
    unstored: new Map<string, string>(),
    picked: new Map<string, string | null>()
  }
  /** The version that the activity list has as ready to install. */
  let toldReady = ''
  const updates = openUpdates({
    frontEnd: options.frontEnd,
    dataFolder: options.dataFolder,
    resourcesFolder: options.resourcesFolder,
    platform: options.updates,
    // While the data is replaced, no call is answered, so nothing can be installed either.
    reasons: () =>
      present.kind === 'training' ? trainingReason() : isReplacing ? [] : listUpdateReasons(present.core),
    async connect(url, how) {
      if (present.kind === 'training') throw new AppError('REFUSED', message('training.onlySimulation'))
      return present.core.connections.internet.ways.connect(url, how)
    },
    changed() {
      // A record that cannot be read must not end a download.
      orReport(() => hub.tell('updates.changed', updates.state()))
      if (isReplacing) return
      present.core.tellNotices()
      const { phase, offer } = updates.state()
      if (phase !== 'ready' || !offer || offer.version === toldReady) return
      toldReady = offer.version
      present.core.activity.write({
        topic: 'updates',
        kind: 'updateReady',
        text: message('activity.updateReady', { version: offer.version }),
        place: { screen: 'settings', id: 'about' }
      })
    },
    reportFault
  })
  /** Of devices that no announcement brings back. */
  let typed: string[] = []
  let present = show(await openFirst(options.start ?? 'real'))
  /** One workplace takes the place of another at a time. */
  const inTurn = createSequence()
  let isExchanging: Promise<void> | undefined
  let isReplacing = false
  /** Everything has ended, and nothing was in the way. */
  let isUpdateDue = false
  let stopping: Promise<void> | undefined
  let outputsAskedMs = -Infinity
  /** Whoever cannot open the data looks for no updates: each try begins with its own. */
  async function openFirst(kind: Workplace): Promise<Open> {
    try {
      return await open(kind)
    } catch (error) {
      await updates.stop()
      throw error
    }
  }

  async function open(kind: Workplace, firstNotices: Notice[] = []): Promise<Open> {
    /** What an opening that fails has to end. */
    const begun: Begun = {}
    try {
      const training = kind === 'training' ? (begun.training = await beginTraining()) : null
      const dataFolder = training ? trainingFolderIn(options.dataFolder) : options.dataFolder
      const core = await openCore({
        dataFolder,
        resourcesFolder: options.resourcesFolder,
        background: true,
        firstNotices,
        moreNotices: () => updates.notices(),
        isTraining: kind === 'training',
        reportFault,
        ...(training
          ? {
              gatewayUrl: training.gateway.url,
              yard: training.devices.map(({ address }) => address),
              profileId: 'short-holds',
              given: { gateway: training.gateway },
              inMemorySecrets: true,
              interfaces: loopbackOnly
            }
          : {
              runMemory,
              gatewayUrl: options.gatewayUrl,
              given: options.given,
              teamPassword: options.teamPassword,
              proxies: options.proxies
            })
      })
      begun.core = core
      // This process has the folder alone now: leftovers are from a Fitter that ended with a support bundle open.
      removeBundleFolders(dataFolder)
      const exercises = training ? (begun.exercises = await openExercises(training, core)) : null
      const handlers = createHandlers({
        core,
        training,
        exercises,
        updates,
        frontEnd: options.frontEnd,
        version,
        workplace: kind,
        dataFolder,
        enter,
        openPage: (page) => options.openPage(page),
        desktopFiles: options.desktopFiles,
        pickMapFile: options.pickMapFile,
        pickFontFile: options.pickFontFile,
        pickDataPath: options.pickDataPath,
        takePlace,
        cab,
        reportFault
      })
      const { redactor } = core.connections
      redactors.add((text) => redactor.text(text))
      // Events of the workplace behind a support bundle do not belong on screen.
      const stopEvents = core.events.onEvent((name, payload) => {
        if (mayChangeReasons.has(name)) updates.reasonsChanged()
        if (!cab.handlers()) hub.tell(name, payload as never)
      })
      begun.stopEvents = stopEvents
      if (training) await prepareYard(core, training, reportFault)
      return { kind, dataFolder, core, handlers, training, exercises, stopEvents }
    } catch (error) {
      await close(begun).catch(reportFault)
      throw error
    }
  }

  /** From now on the window shows it, and its activity has the faults. */
  function show(next: Open): Open {
    noteFault = (error) => next.core.activity.noteFault(error)
    return next
  }

  async function openCore(parts: CoreOptions): Promise<Core> {
    const store = await openFolder(parts.dataFolder, { progress })
    try {
      return createCore({ ...parts, store })
    } catch (error) {
      store.close()
      throw error
    }
  }

  async function beginTraining(): Promise<Training> {
    // Loaded only here: the real workplace never needs the simulator.
    const { startTraining } = await import('../job/training/training.ts')
    return startTraining({ changed: (vehicles) => hub.tell('training.changed', { vehicles }) })
  }

  async function openExercises(training: Training, { store, jobs, outputs }: Core): Promise<Exercises> {
    const { createExercises } = await import('../job/training/exercises.ts')
    const { traceJob, tourOf } = await import('../job/training/trace.ts')
    return createExercises({
      scene: (imei) => training.scene(imei),
      devices: training.devices.map(({ imei }) => imei),
      kept: store.exercises,
      // An exercise has one job at a time: the newest of the device.
      trace(imei, since) {
        const [newest] = store.jobs.page({ search: imei, limit: 1 }).jobs
        if (!newest) return { tests: 0, needlessSteps: 0, deeds: [], dangers: [] }
        const { steps } = jobs.show(newest.id)
        return traceJob(
          {
            entries: jobs.journal(newest.id),
            titleOf: (stepId) => steps.find(({ id }) => id === stepId)?.title ?? null
          },
          since
        )
      },
      outputsOn: (imei) => outputs.ledger().filter((entry) => entry.imei === imei && entry.state !== 'watched').length,
      technician: () => store.settings.get().technician,
      tour: () =>
        tourOf(store.jobs.page({ search: '', limit: tourJobs }).jobs.map(({ id }) => ({ entries: jobs.journal(id) })))
    })
  }

  async function outputsOff(core: Core): Promise<OutputsLeft | null> {
    await core.outputs.allOff().catch(reportFault)
    // From the ledger in memory: a failing disk must not make an output look off.
    const left = sayLedger(core.outputs.ledger())
    if (!left) return null
    const { say } = createTexts(readerOf(core.readableSettings()))
    return { sentence: say(left), quit: say(message('outputs.quitAnyway')), stay: say(message('outputs.stay')) }
  }

  async function close(
    { stopEvents, exercises, core, training }: Begun,
    how: Parameters<Core['stop']>[0] = {}
  ): Promise<void> {
    stopEvents?.()
    exercises?.stop()
    await core?.stop(how)
    await training?.stop()
  }

  function enter(kind: Workplace): Promise<void> {
    return inTurn(async () => {
      await cab.leave()
      if (kind === present.kind) return
      const before = present
      // Nobody switches off from another workplace. In training nothing real is on: its outputs end with it.
      if (kind === 'training') await before.core.outputs.leave()
      // The new one first: if it cannot be opened, the person stays where they are.
      const next = await open(kind)
      try {
        if (kind === 'training') {
          // Something may have been switched on while it was opened.
          await before.core.outputs.leave()
          takeOverReader(before.core, next.core)
        }
      } catch (error) {
        await close(next)
        throw error
      }
      if (kind === 'training') typed = typedAddresses(before.core)
      else
        for (const address of new Set([...runMemory.picked.keys(), ...typed]))
          next.core.connections.discovery.addAddress(address).catch(reportFault)
      present = show(next)
      if (kind === 'training') updates.interrupt()
      await close(before)
      hub.tell('app.entered', { workplace: kind })
      updates.reasonsChanged()
    })
  }

  /** Makes a prepared file the data of the workplace. If it cannot be opened, the previous one is opened again. */
  function takePlace(incoming: Incoming): Promise<void> {
    const replacing = inTurn(async () => {
      await cab.leave()
      const { kind, dataFolder } = present
      isReplacing = true
      try {
        await close(present)
        const restored = exchangeData(dataFolder, incoming, new Date())
        try {
          present = show(await open(kind, [restoredNotice(incoming, restored.kept)]))
        } catch (error) {
          restored.undo()
          throw error
        }
      } catch (error) {
        reportFault(error)
        present = show(await open(kind, [notRestoredNotice(error)]))
      } finally {
        incoming.remove()
        isReplacing = false
      }
      hub.tell('app.entered', { workplace: kind })
    })
    isExchanging = replacing.catch(() => undefined)
    return replacing
  }

  function orReport<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      reportFault(error)
      return undefined
    }
  }

  async function stop(): Promise<void> {
    // After every change that was begun before.
    await inTurn(() => Promise.resolve())
    const mayInstall = orReport(() => updates.mayInstall()) ?? false
    await Promise.all([cab.close(), updates.stop()])
    await close(present, { areOutputsAsked: performance.now() - outputsAskedMs < askedAgainAfterMs })
    // Something may have been switched on after that, and may still be on.
    isUpdateDue = mayInstall && present.core.outputs.ledger().length === 0
  }

  return {
    // While the file is replaced, there is no core to ask.
    call: async (name, input) => {
      await isExchanging
      return routeCall(cab.handlers() ?? present.handlers, name, input, reportFault)
    },
    onEvent: (listener: (name: EventName, payload: unknown) => void) => hub.onEvent(listener),
    answerMap: (path, range) =>
      answerMap(cab.handlers() ? withoutInternet(present.core.maps) : present.core.maps, path, range),
    powerResumed: () => present.core.powerResumed(),
    async outputsOff() {
      const left = await outputsOff(present.core)
      outputsAskedMs = performance.now()
      return left
    },
    async faulted(error) {
      // Before anything is written: the disk may be the problem.
      await outputsOff(present.core)
      reportFault(error)
    },
    async installUpdate() {
      if (isUpdateDue) await updates.installNow().catch(reportFault)
    },
    stop: () => (stopping ??= stop())
  }
}

/** What begins or ends a reason for an update to wait. */
const mayChangeReasons: ReadonlySet<EventName> = new Set([
  'deviceProfiles.run',
  'jobs.state',
  'operations.changed',
  'outputs.changed',
  'team.changed',
  'team.taking'
])

/** A support bundle makes no requests, not even for map tiles. */
function withoutInternet(maps: Core['maps']): Pick<Core['maps'], 'readFile' | 'picture'> {
  return { readFile: (from, length) => maps.readFile(from, length), picture: () => Promise.resolve(undefined) }
}

function typedAddresses({ connections }: Core): string[] {
  return connections.discovery
    .table()
    .devices.filter(({ via }) => via === 'address')
    .flatMap((device) => connections.addressOf(device) ?? [])
}

/** In training the person is the same: their name, and how they read. */
function takeOverReader({ store }: Core, training: Core): void {
  const { technician, language, units, gatewayUnits, timeZone, theme, deskRows, keys, letterKeys, sounds } =
    store.settings.get()
  training.store.settings.change({
    technician,
    language,
    units,
    gatewayUnits,
    timeZone,
    theme,
    deskRows,
    keys,
    letterKeys,
    sounds
  })
}

/**
 * A trainee is signed in from the start. Devices are added by address too: mDNS does not always return to its own
 * sender.
 */
async function prepareYard(core: Core, training: Training, report: (error: unknown) => void): Promise<void> {
  core.store.settings.change({ firstRun: 'done' })
  const { devices, discovery } = core.connections
  for (const { imei, address, user, password } of training.devices) {
    await devices.keep(imei, { user, password }, false)
    devices.pick(address, imei)
  }
  // Only then: a device that was found earlier would show nobody signed in.
  for (const { address } of training.devices) discovery.addAddress(address).catch(report)
}

function loopbackOnly() {
  return Object.fromEntries(
    Object.entries(networkInterfaces()).filter(([, addresses]) => addresses?.some((address) => address.internal))
  )
}

/** Until the next start: everything on screen is from a different time than the person last saw. */
function restoredNotice({ mark, findings }: Pick<Incoming, 'mark' | 'findings'>, kept: string | null): Notice {
  const text = message('backups.restored', { madeAt: mark.madeAt, n: mark.jobs, work: mark.openOperations })
  const remedies = [
    ...(kept === null ? [] : [message('backups.kept', { file: path.basename(kept) })]),
    ...findings.slice(0, 3)
  ]
  return {
    id: 'restored',
    level: findings.length > 0 ? 'warn' : 'info',
    text,
    ...(remedies[0] ? { remedy: remedies.length === 1 ? remedies[0] : message('backups.several', { remedies }) } : {})
  }
}

function notRestoredNotice(error: unknown): Notice {
  return {
    id: 'not-restored',
    level: 'warn',
    text: message('backups.notRestored'),
    ...(error instanceof AppError ? { remedy: error.sentence } : {})
  }
}
