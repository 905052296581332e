import type { Notice } from '../../preload/contract/app.ts'
import type { GatewayCopies } from '../../preload/contract/copies.ts'
import type { Json } from '../../preload/contract/define.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { createAccessories, type Accessories } from '../accessories/accessories.ts'
import { accessoryKinds } from '../accessories/accessoryOperations.ts'
import { createEventHub, type EventHub } from './events.ts'
import { createDiagnosisGateway } from '../gateway/diagnosisGateway.ts'
import { createGatewayEvents } from '../events/gatewaySource.ts'
import { createEventLogs, type EventLogs } from '../events/logs.ts'
import type { EventSource } from '../events/source.ts'
import { createEventReader } from '../gateway/eventReader.ts'
import { createInstallationGateway } from '../gateway/installation.ts'
import { createVehicleGateway, type VehicleGateway } from '../gateway/vehicles.ts'
import { createCopies, type Copies } from '../copies/copies.ts'
import { vehicleCopyOf } from '../vehicles/localVehicles.ts'
import { vehicleKinds } from '../vehicles/vehicleKinds.ts'
import { createTeamBackground, type TeamBackground } from '../team/background.ts'
import { createTeamKept, type TeamKept } from '../team/kept.ts'
import { createTeamNews, type TeamNewsDesk } from '../team/news.ts'
import { createAssignments, type Assignments } from '../team/assignments.ts'
import { createEarlier, type Earlier } from '../team/earlier.ts'
import { createHolding, type Holding } from '../team/holding.ts'
import { createTeam, type Team } from '../team/team.ts'
import { createVehicles, type Vehicles } from '../vehicles/vehicles.ts'
import { createGatewayAccounts, type GatewayAccounts } from '../connections/gatewayAccounts.ts'
import { createJobs, type Jobs } from '../jobs/jobs.ts'
import type { OperationsPort } from '../jobs/ports.ts'
import { createMaps, type Maps } from '../maps/maps.ts'
import { loadShipped, type Shipped } from '../jobs/shipped.ts'
import { outputLimits } from '../outputs/limits.ts'
import { createOutputs, type Outputs } from '../outputs/outputs.ts'
import type { SwitchEntry } from '../outputs/words.ts'
import { createOperations, type Operations } from '../operations/engine.ts'
import { createPassTimer, type PassTimer } from '../operations/passTimer.ts'
import { createStories, type Stories } from '../operations/stories.ts'
import { createStoryNews } from '../operations/storyNews.ts'
import { createWaiting, type Waiting } from '../operations/waiting.ts'
import { counterKey, setGlobalKind, setGlobalTitle } from '../operations/kinds/counters.ts'
import { linkKey, linkKind, linkTitle } from '../operations/kinds/entitiesLink.ts'
import { ibuttonKey, ibuttonsCreateKind, ibuttonTitle } from '../operations/kinds/ibuttonsCreate.ts'
import { officeNote } from '../operations/kinds/officeNote.ts'
import { createBackupDesk, type BackupDesk } from '../backups/backupDesk.ts'
import { createConnections, type Connections, type ConnectionsOptions } from '../connections/connections.ts'
import { createTolerances, type ToleranceDesk } from '../diagnosis/tolerances.ts'
import type { Profile } from '../jobs/profile.ts'
import { createDeviceDesk, type DeviceDesk } from '../workspace/devices.ts'
import { createDiagnosisDesk, type DiagnosisDesk } from '../diagnosis/desk.ts'
import type { Measures } from '../diagnosis/diagnosis.ts'
import { expectedOf } from '../diagnosis/expected.ts'
import { diagnosisLimits } from '../diagnosis/limits.ts'
import { createDeviceMemory, type DeviceMemory } from '../discovery/memory.ts'
import { createNetworks, type Networks } from '../discovery/networks.ts'
import { createBundleDesk, type BundleDesk } from '../diagnosis/bundles/bundleDesk.ts'
import type { BundleSubject } from '../diagnosis/bundles/sources.ts'
import { createTransfers, type Transfers } from '../jobs/transfer/transfers.ts'
import { createTransferFiles, type TransferFiles } from '../jobs/transfer/transferFiles.ts'
import { createSnapshots, type Snapshots } from '../diagnosis/snapshots/desk.ts'
import { createJobExports, type JobExports } from '../reports/jobExports.ts'
import { makeReport, type Report, type ReportSource, type ReportWish } from '../reports/jobReport.ts'
import { createSealKey } from '../secrets/sealKey.ts'
import { createWorkNumbers, type WorkNumbersDesk } from '../reports/workNumbers.ts'
import { isTrainingFolder } from './dataFolder.ts'
import { quicklyChecked } from './doctor.ts'
import { bundleSubjectOf, createBundleSources } from './bundleSources.ts'
import { openingNotices } from './openingNotices.ts'
import { storyOfJob } from './storyOfJob.ts'
import { diskNotice } from './diskNotice.ts'
import { version } from './version.ts'
import { openPhotoThread } from '../photos/photoThread.ts'
import { openStore, type Store } from '../store/index.ts'
import { createTemplates, type Templates } from '../jobs/templates/templates.ts'
import { createTexts } from '../messages/texts.ts'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { isLoopback } from '../addresses/address.ts'
import { createLookout, type Lookout } from '../connections/lookout.ts'
import { cardAddresses } from '../internet/ways.ts'

export interface CoreOptions {
  dataFolder: string
  /** The data folder, opened already; it is closed with the core. */
  store?: Store
  resourcesFolder: string
  /** Overrides the address in the settings, for this process. */
  gatewayUrl?: string | undefined
  /** Overrides the profile in the settings, for this process. */
  profileId?: string | undefined
  given?: ConnectionsOptions['given']
  inMemorySecrets?: boolean
  /** For the team log, in this process alone. */
  teamPassword?: string | undefined
  interfaces?: ConnectionsOptions['interfaces']
  /** Where the events of vehicles come from, where that is not the gateway. */
  eventSource?: EventSource
  /** The system's proxies, where the platform tells them. */
  proxies?: ConnectionsOptions['proxies']
  /** Finishes gateway work by itself while it runs; the terminal decides on its own. */
  background?: boolean
  /** What a person is told from the start, of how this folder came to be as it is. */
  firstNotices?: Notice[]
  /** A fault inside Fitter that nobody waits for. */
  reportFault(error: unknown): void
}

/** Every service of one data folder, built once. Front ends reach them through the handlers of the contract. */
export interface Core {
  store: Store
  shipped: Shipped
  /** The profile that checks follow now: the one of the settings, unless this process was given another. */
  profileInUse(): string
  connections: Connections
  jobs: Jobs
  /** The checklists that jobs are made from. */
  templates: Templates
  operations: Operations
  /** Waiting work as one story for each vehicle. */
  stories: Stories
  /** What a person does with it. */
  waiting: Waiting
  /** Every output that is on or may be, and the only way to switch one. */
  outputs: Outputs
  /** Keeps what was sent to an output outside of the screens. */
  recordWrite(imei: string, jobId: string | null, entry: SwitchEntry): void
  events: EventHub
  /** Devices outside of a checklist: live values, settings, outputs, console. */
  desk: DeviceDesk
  /** How far device and gateway may be apart and still agree. */
  tolerances: ToleranceDesk
  /** Where a vehicle that does not report broke. */
  diagnosis: DiagnosisDesk
  /** Sweeps and default gateways. */
  networks: Networks
  /** What is known of devices from before. */
  memory: DeviceMemory
  /** What is kept of the gateway for work without it. */
  copies: Copies
  /** Vehicles outside of a checklist, with and without the gateway. */
  vehicles: Vehicles
  /** Who is signed in to which gateway. */
  accounts: GatewayAccounts
  gatewayVehicles: VehicleGateway
  /** The accessory work of an installation, at the gateway. */
  accessories: Accessories
  eventLogs: EventLogs
  /** What maps are drawn on. */
  maps: Maps
  /** The report of a job in one of its forms, without secrets. */
  report(wish: ReportWish): Promise<Report>
  /** Many jobs in one file. */
  exports: JobExports
  /** Everything that was read of a device at one time, kept and compared. */
  snapshots: Snapshots
  /** Work that goes to another laptop or comes from one. */
  transfers: Transfers
  /** The same for the window, which gives and gets files piece by piece. */
  transferFiles: TransferFiles
  /** What evidence is held against here. */
  measures(): Measures
  /** Support bundles that are made here. */
  bundles: BundleDesk
  /** From now on bundles hold what screens are told: whoever can ask for it says how. */
  answerBundlesWith(ask: (subject: BundleSubject, signal: AbortSignal) => Promise<Json[]>): void
  /** What the work took. */
  numbers: WorkNumbersDesk
  /** This laptop in the team log, and what goes there by itself. */
  teamLog: { team: Team; background: TeamBackground; news: TeamNewsDesk; kept: TeamKept; assignments: Assignments; earlier: Earlier; holding: Holding }
  /** The data of this computer: whether all is well with them, and their copies. */
  backups: BackupDesk
  notices(): Promise<Notice[]>
  /** Sends what waits and finishes what was left for the gateway. */
  sync(signal: AbortSignal, mode?: 'once' | 'settle'): ReturnType<Operations['pass']>
  /** Sends what waits, as soon as may be; nobody waits for it. */
  sendSoon(): void
  powerResumed(): void
  stop(): Promise<void>
}

const syncEveryMs = 20_000
const commandWaitsForDiskMs = 30_000

/** Opens the data folder (AppError DATA_LOCKED, DATA_UNUSABLE) and puts the services together. Nothing is asked yet. */
export function createCore(options: CoreOptions): Core {
  const events = createEventHub(options.reportFault)
  const shipped = loadShipped(options.resourcesFolder)
  const store = options.store ?? openStore(options.dataFolder)
  const memory = createDeviceMemory({
    rows: store.knownDevices,
    discovery: () => connections.discovery,
    problemChanged: tellNotices,
    reportFault: options.reportFault
  })
  const connections: Connections = createConnections({
    gatewayUrl: () => options.gatewayUrl ?? store.settings.get().gatewayUrl,
    // An address for this process alone says nothing about who is chosen in the settings.
    gatewayUser: () => (options.gatewayUrl === undefined ? store.settings.get().gatewayUser : ''),
    deviceModels: () => store.settings.get().deviceModels,
    given: options.given,
    inMemory: options.inMemorySecrets ?? false,
    interfaces: options.interfaces,
    onGatewayStatus: gatewayHeard,
    internet: store.settings,
    proxies: options.proxies,
    known: memory
  })
  const ending = new AbortController()
  const profileInUse = (): string => options.profileId ?? store.settings.get().profile
  let statusTimer: NodeJS.Timeout | undefined
  let stopping: Promise<void> | undefined
  let isClockWrong = false

  const gatewayVehicles = createVehicleGateway(() => connections.gateway.client())
  const news = options.background
    ? createStoryNews({ rows: store.operations, stories: () => stories, events, vehicleOfJob: (id) => store.waiting.vehicleOfJob(id), reportFault: options.reportFault })
    : undefined
  const operations = createOperations({
    rows: store.operations,
    isReadOnly: store.readOnly !== null,
    kinds: [...vehicleKinds(connections.installation, gatewayVehicles), officeNote(gatewayVehicles), ...accessoryKinds(connections)],
    clockDifferenceMs: () => connections.gateway.clockDifferenceMs(),
    learnTime: async (signal) => (await connections.gateway.client()).learnTime(signal),
    sentBy: () => store.settings.get().technician,
    mayBeElsewhere: () => store.teamPush.hasEverJoined(),
    isPaused: () => store.waiting.paused() !== null,
    changed: (operation) => {
      events.tell('operations.changed', { operation, counts: operations.counts() })
      news?.operationMoved(operation.id)
    },
    held: (id) => news?.operationMoved(id),
    reportFault: options.reportFault
  })

  const outputs = createOutputs({
    ledger: store.outputLedger,
    shipped: outputLimits.parse(shipped.profiles.get('standard')?.output),
    chosen: () => shipped.profiles.get(options.profileId ?? store.settings.get().profile)?.output ?? {},
    reach: (imei) => reachSignedIn(connections, imei),
    technician: () => store.settings.get().technician,
    record: recordWrite,
    changed: (ledger) => events.tell('outputs.changed', { outputs: ledger }),
    reportFault: options.reportFault
  })

  /** The attempt journal of an output that no check and no screen has in hand. */
  function recordWrite(imei: string, jobId: string | null, entry: SwitchEntry): void {
    if (jobId !== null && jobs.isWhole(jobId)) return jobs.recordWrite(jobId, entry)
    const { operation, input, what: detail, raw: answer } = entry
    const at = new Date().toISOString()
    const id = store.deviceWrites.begin({ imei, at, operation, input, by: store.settings.get().technician, jobId })
    store.deviceWrites.end(id, { outcome: entry.phase === 'unknown' ? 'unknown' : 'done', detail, answer, at })
  }

  const texts = { en: createTexts({ language: 'en' }), es: createTexts({ language: 'es' }) }
  const templates = createTemplates({ shipped, rows: store.templates, say: (language, text) => texts[language].say(text), hasText: texts.en.has, reportFault: options.reportFault })
  const sealKey = createSealKey({ secrets: connections.secrets, workplaceId: () => store.sealKeys.workplaceId(), remember: (publicKey) => store.sealKeys.remember(publicKey) })

  /** A command does not wait for ever: what it has seen is told, and it ends. */
  function waitForDisk(signal: AbortSignal): Promise<void> | undefined {
    const standing = store.disk.standing()
    if (standing === 'usable' || standing === 'reserve') return undefined
    return store.disk.usable(options.background ? signal : AbortSignal.any([signal, AbortSignal.timeout(commandWaitsForDiskMs)]))
  }

  const photos = openPhotoThread()
  const snapshots = createSnapshots({
    rows: store.snapshots,
    devices: connections.devices,
    find: (key) => {
      const { imei, model, address } = desk.find(key)
      return { imei, model, address }
    },
    askGateway: (subject, mostMs) => diagnosis.gateway({ ...subject, simId: undefined }, mostMs),
    async isGatewayBusy() {
      const { state, rateLimit } = await connections.gateway.status()
      return state !== 'reachable' || (rateLimit !== null && rateLimit.remaining < rateLimit.limit / 2)
    },
    redact: <T>(value: T) => connections.redactor.json(value) as T,
    technician: () => store.settings.get().technician,
    fitterVersion: version,
    events
  })
  const jobs: Jobs = createJobs({
    log: store.jobs,
    damagedJobs: store.damagedJobs,
    isReadOnly: store.readOnly !== null,
    attachments: store.attachments,
    diskUsable: waitForDisk,
    photos,
    shipped,
    templates,
    connect: (device, signal) => connect(connections, device, signal),
    gateway: { ...(connections.installation satisfies ReturnType<typeof createInstallationGateway>), findCopied: (kind, text) => copies.findExact(kind, text) },
    operations: operationsPort(operations),
    outputs,
    profileId: profileInUse,
    technician: () => store.settings.get().technician,
    snapshots,
    sign: (text) => sealKey.sign(text),
    clockDifferenceMs: () => connections.gateway.clockDifferenceMs(),
    events,
    worked: ({ device, vehicle, updatedAt }) =>
      memory.remember({
        imei: device.imei,
        model: device.model,
        lastAddress: device.address,
        lastJobAt: updatedAt,
        lastSeenAt: updatedAt,
        ...(vehicle ? { lastVehicle: vehicle.name } : {})
      }),
    reportFault: options.reportFault
  })

  const copies = createCopies({
    rows: store.copies,
    site: () => connections.gateway.site(),
    client: () => connections.gateway.client(),
    changed: tellCopies,
    isBusy: () => jobs.hasOpen(),
    reportFault: options.reportFault
  })

  const profile = (): Profile => {
    const inUse = shipped.profiles.get(profileInUse())
    if (!inUse) throw new AppError('INVALID_REQUEST', message('jobs.noSuchProfile', { id: profileInUse() }))
    return inUse
  }
  const tolerances = createTolerances({ profile, settings: store.settings, changed: (settings) => events.tell('settings.changed', settings) })
  const desk = createDeviceDesk({
    store,
    connections,
    jobs,
    outputs,
    events,
    profile,
    heard: (key, readings) => diagnosis.heard(key, readings),
    reportFault: options.reportFault
  })
  const diagnosis: DiagnosisDesk = createDiagnosisDesk({
    door: (key) => desk.door(key),
    imeiOf: (key) => connections.discovery.table().devices.find((device) => device.key === key)?.imei ?? null,
    nearby: (imei) => connections.discovery.table().devices.find((device) => device.imei === imei && device.signedIn)?.key ?? null,
    gateway: createDiagnosisGateway(() => connections.gateway.client()),
    async gatewayName() {
      const { url, user, state } = await connections.gateway.status()
      return state === 'notSet' ? null : JSON.stringify([url, user, state === 'signedOut'])
    },
    expected: (imei) =>
      expectedOf({
        lastSet: store.deviceWrites.list({ imei, operations: ['modem.editApn'], limit: 5 }).find(({ outcome }) => outcome === 'done'),
        installed: snapshots.installed(imei).content
      }),
    installed: (imei) => snapshots.installed(imei).content,
    limits: () => diagnosisLimits(profile()),
    tolerances: () => tolerances.current(),
    reportFault: options.reportFault
  })
  const measures = (): Measures => ({ limits: diagnosisLimits(profile()), tolerances: tolerances.current() })
  const networks = createNetworks({ discovery: connections.discovery, events, interfaces: options.interfaces, reportFault: options.reportFault })
  const stopMemory = memory.follow()
  const vehicles = createVehicles({
    copies,
    connections,
    operations,
    vehicles: gatewayVehicles,
    sendSoon
  })
  const accounts = createGatewayAccounts({
    gateway: connections.gateway,
    settings: store.settings,
    events,
    copies: {
      leave: () => copies.stop(),
      forget: (site) => store.copies.forgetSite(site),
      tell: async () => tellCopies(await copies.status()),
      groups: async () => (await copies.all('groups', 5_000))?.records
    },
    onSecret: (text) => connections.redactor.add(text)
  })
  const accessories = createAccessories({
    store,
    connections,
    copies,
    operations,
    jobs,
    outputs,
    events,
    sendSoon,
    reportFault: options.reportFault
  })
  const eventLogs = createEventLogs({
    source: options.eventSource ?? createGatewayEvents(() => connections.gateway.client(), createEventReader(() => connections.gateway.client())),
    fences: async (signal) => (await gatewayVehicles.fences(null, signal)).fences,
    names: async (ids, signal) => new Map((await vehicles.assets(ids, signal)).map(({ id, name }) => [id, name])),
    events,
    folder: path.join(options.dataFolder, 'fitter.events'),
    reportFault: options.reportFault
  })
  const exports = createJobExports({
    folder: path.join(options.dataFolder, 'fitter.exports'),
    page: (request) => jobs.list(request),
    facets: (filter) => store.jobFacets(filter),
    source: reportSource,
    events,
    reportFault: options.reportFault
  })
  const transfers = createTransfers({
    log: store.jobs,
    isThroughTeam: (id) => store.teamHolding.offer(id) !== undefined,
    handovers: store.handovers,
    attachments: store.attachments,
    snapshots: { ofJob: (jobId, sha256) => snapshots.named(jobId, sha256), refusal: (text, jobId) => snapshots.refusal(text, jobId), adopt: (text, jobId) => snapshots.adopt(text, jobId) },
    operations,
    jobs,
    together: (work) => store.together(work),
    technician: () => store.settings.get().technician,
    isTraining: isTrainingFolder(options.dataFolder),
    clockDifferenceMs: () => connections.gateway.clockDifferenceMs()
  })
  const transferFiles = createTransferFiles({ folder: path.join(options.dataFolder, 'fitter.transfers'), transfers })
  let bundleAnswers: (subject: BundleSubject, signal: AbortSignal) => Promise<Json[]> = () => Promise.resolve([])
  const bundleParts = { store, jobs, operations, connections, vehicles, outputs, diagnosis, measures, dataFolder: options.dataFolder, isWindow: options.background ?? false, answers: (subject: BundleSubject, signal: AbortSignal) => bundleAnswers(subject, signal) }
  const bundles = createBundleDesk({
    folder: path.join(options.dataFolder, 'fitter.bundles'),
    sources: createBundleSources(bundleParts),
    subjectOf: (about) => bundleSubjectOf(about, bundleParts),
    events,
    reportFault: options.reportFault
  })
  const numbers = createWorkNumbers({ store, reader: () => reportSource().reader, reportFault: options.reportFault })
  const maps = createMaps({ store: store.maps, events, userAgent: `Fitter/${version}` })
  const stopDisk = store.disk.onChange(diskChanged)
  const stopTable = connections.discovery.onChange((change) => events.tell('discovery.changed', change))
  const stories: Stories = createStories({
    rows: store.operations,
    operations,
    jobs: { waiting: () => store.waiting.jobs(), story: (id) => storyOfJob(jobs, id) },
    vehicle: async (id) => (await vehicles.copy.get(id))?.vehicle,
    gatewayState: async () => (await connections.gateway.status()).state,
    passes: () => timer?.times() ?? null,
    paused: () => store.waiting.paused()
  })
  const waiting = createWaiting({ operations, stories, kept: store.waiting, sync, technician: () => store.settings.get().technician, events, sendSoon })
  const timer: PassTimer | undefined = options.background && store.readOnly === null ? createPassTimer({ everyMs: syncEveryMs, run: syncQuietly, nextMoveInMs: () => operations.nextMoveInMs() }) : undefined
  const lookout: Lookout | undefined = options.background
    ? createLookout({
        gateway: connections.gateway,
        network: presentNetwork,
        hasWork: () => operations.hasWork() || jobs.hasDeferred(),
        back: gatewayIsBack,
        networkChanged() {
          connections.internet.ways.forget()
          teamIsBack()
        },
        reportFault: options.reportFault
      })
    : undefined
  const stopNews = news && events.onEvent((name, payload) => name === 'jobs.state' && news.jobMoved((payload as { id: string }).id))

  function reportSource(): ReportSource {
    const { language, units, timeZone } = store.settings.get()
    const reader = { language, units, ...(timeZone === '' ? {} : { timeZone }) }
    return { jobs, readPicture: (sha256) => store.attachments.read(sha256), sign: (text) => sealKey.sign(text), reader, appVersion: version, isTraining: isTrainingFolder(options.dataFolder), redact: (text) => connections.redactor.text(text) }
  }

  async function notices(): Promise<Notice[]> {
    const notKept = memory.problem()
    const disk = diskNotice(store.disk)
    return [...(disk ? [disk] : []), ...openingNotices(store), ...(await connections.notices()), ...(notKept ? [{ id: 'device-memory', level: 'warn' as const, text: notKept }] : []), ...backups.notices(), ...(options.firstNotices ?? [])]
  }

  const team = createTeam({ store, secrets: connections.secrets, given: options.teamPassword, onSecret: (password) => connections.redactor.add(password), idleMs: 10_000 })
  const teamKept = createTeamKept({ team, kept: store.teamKept, away: () => (teamNews.live().state === 'away' ? teamNews.live().why : null) })
  const assignments = createAssignments({ team, store, templates })
  const earlier = createEarlier({ team, store, own: (search, limit) => jobs.list({ search, limit, isCounted: false }).jobs })
  const holding = createHolding({
    team,
    store,
    transfers,
    jobs,
    operations,
    snapshot: (jobId, sha256) => snapshots.named(jobId, sha256),
    folder: path.join(options.dataFolder, 'fitter.transfers'),
    now: () => new Date(),
    told(pulled) {
      events.tell('team.pulled', pulled)
      // A command sends nothing that it was not asked for.
      if (options.background) sendSoon()
    }
  })
  const teamBackground = createTeamBackground({ team, holding, copies: [(signal) => assignments.renew(signal), (signal) => teamKept.refresh(signal)], changed: (work) => events.tell('team.changed', work), reportFault: options.reportFault })
  const teamNews = createTeamNews({
    source: team,
    live: (live) => events.tell('team.live', live),
    news: (told) => {
      events.tell('team.news', told)
      if (isTeamTold) teamBackground.heard()
    },
    reportFault: options.reportFault
  })
  const isTeamTold = options.background === true && store.readOnly === null
  const stopTeam = isTeamTold ? events.onEvent((name) => ((name.startsWith('jobs.') && name !== 'jobs.live' && name !== 'jobs.lines') || name === 'operations.changed' ? teamBackground.soon() : undefined)) : undefined
  if (isTeamTold) teamBackground.renew()
  const backups = createBackupDesk({ store, dataFolder: options.dataFolder, events, quicklyChecked, background: options.background ?? false, noticesChanged: tellNotices, reportFault: options.reportFault })

  function tellNotices(): void {
    notices().then((list) => events.tell('app.notices', { notices: list }), options.reportFault)
  }

  /** What could not be written down meanwhile goes on at once. */
  function diskChanged(): void {
    tellNotices()
    if (store.disk.standing() === 'usable') sendSoon()
  }

  function tellCopies(state: GatewayCopies): void {
    events.tell('copies.changed', state)
    events.tell('vehicles.copied', vehicleCopyOf(state))
  }

  function gatewayHeard(): void {
    tellGatewayStatus()
    lookout?.heard()
  }

  /** The way to the team log may be open again. */
  function teamIsBack(): void {
    if (isTeamTold) teamBackground.renew()
    teamNews.renew()
  }

  async function refreshOldCopies(): Promise<void> {
    if (store.readOnly !== null || (await connections.gateway.status()).state !== 'reachable' || ending.signal.aborted) return
    await copies.refreshOld()
  }

  /** Checks ask the gateway several times a second at their busiest; once a second is news enough. */
  function tellGatewayStatus(): void {
    statusTimer ??= setTimeout(() => {
      statusTimer = undefined
      connections.gateway.status().then((status) => events.tell('gateway.changed', status), options.reportFault)
      tellClock()
      if (!options.background) return
      accounts.learnRightsOnce(ending.signal).catch(options.reportFault)
      refreshOldCopies().catch(options.reportFault)
    }, 1_000)
  }

  /** A clock that stands wrong is a notice; it goes when the clock is right again. */
  function tellClock(): void {
    const isWrong = Math.abs(connections.gateway.clockDifferenceMs() ?? 0) >= 60_000
    if (isWrong === isClockWrong) return
    isClockWrong = isWrong
    notices().then((list) => events.tell('app.notices', { notices: list }), options.reportFault)
  }

  /** What waited goes on by itself, and every window hears of it at once. */
  function gatewayIsBack(): void {
    operations.gatewayIsBack()
    sendSoon()
    clearTimeout(statusTimer)
    statusTimer = undefined
    connections.gateway.status().then((status) => events.tell('gateway.changed', status), options.reportFault)
    tellGatewayStatus()
  }

  function presentNetwork(): string {
    const cards = cardAddresses((options.interfaces ?? networkInterfaces)()).map(({ card, address }) => `${card} ${address}`).join()
    const url = URL.parse(options.gatewayUrl ?? store.settings.get().gatewayUrl)
    // A gateway on this computer itself needs no network.
    return url && isLoopback(url.hostname) ? `here ${cards}` : cards
  }

  async function sync(signal: AbortSignal, mode: 'once' | 'settle' = 'once') {
    const result = mode === 'once' ? await operations.pass(signal) : await operations.settle(signal)
    if (!waiting.paused()) await jobs.finishDeferred(signal)
    return result
  }

  async function syncQuietly(): Promise<void> {
    const hasWork = operations.hasWork() || (!waiting.paused() && jobs.hasDeferred())
    if (!hasWork || (await connections.gateway.status()).state === 'signedOut') return
    try {
      await sync(ending.signal)
    } catch (error) {
      if (!ending.signal.aborted) options.reportFault(error)
    }
  }

  function sendSoon(): void {
    if (timer) timer.soon()
    else void syncQuietly()
  }

  return {
    store,
    shipped,
    profileInUse,
    connections,
    jobs,
    templates,
    operations,
    stories,
    waiting,
    outputs,
    recordWrite,
    events,
    desk,
    tolerances,
    diagnosis,
    networks,
    memory,
    copies,
    vehicles,
    accounts,
    gatewayVehicles,
    accessories,
    eventLogs,
    maps,
    sync,
    report: (wish) => makeReport(reportSource(), wish),
    exports,
    snapshots,
    transfers,
    transferFiles,
    measures,
    bundles,
    answerBundlesWith(ask) {
      bundleAnswers = ask
    },
    numbers,
    teamLog: { team, background: teamBackground, news: teamNews, kept: teamKept, assignments, earlier, holding },
    backups,
    notices,
    sendSoon,
    powerResumed() {
      connections.discovery.resumed()
      lookout?.resumed()
      teamIsBack()
    },
    stop: () => (stopping ??= stop())
  }

  async function stop(): Promise<void> {
    timer?.stop()
    lookout?.stop()
    stopNews?.()
    stopTeam?.()
    news?.stop()
    clearTimeout(statusTimer)
    stopTable()
    stopDisk()
    maps.stop()
    // Outputs first, all in parallel; nothing else may stand before them.
    await outputs.allOff()
    diagnosis.stop()
    await Promise.all([jobs.stop(), desk.stop(), backups.stop()])
    await outputs.stop()
    await photos.close()
    await Promise.all([exports.stop(), transferFiles.stop(), bundles.stop(), numbers.stop(), networks.stop(), copies.stop(), accessories.stop()])
    await Promise.all([exports.stop(), transferFiles.stop(), numbers.stop(), networks.stop(), copies.stop(), accessories.stop(), eventLogs.stopAll()])
    stopMemory()
    await Promise.all([teamBackground.stop(), teamNews.stop()])
    await team.close()
    ending.abort(new AppError('CANCELLED', message('operations.closing')))
    await operations.stop()
    connections.close()
    store.close()
  }
}

/** A device that may be asked for something by itself: it is seen, it is the one, and somebody is signed in there. */
function reachSignedIn(connections: Connections, imei: string) {
  const seen = connections.discovery.table().devices.find((device) => device.imei === imei && device.signedIn)
  const isDoubtful = seen?.standing === 'impostor' || seen?.standing === 'conflict' || seen?.standing === 'wrongService'
  const address = seen && !isDoubtful ? connections.addressOf(seen) : undefined
  return address === undefined ? undefined : connections.devices.open(address, imei)
}

/**
 * Where the device answers now: where the list shows it, then where the job was last worked on. Starting a job picks the
 * first of them, and only that one gets the password.
 */
async function connect(connections: Connections, device: { imei: string; address: string }, signal: AbortSignal) {
  const seen = connections.discovery.table().devices.find((candidate) => candidate.imei === device.imei)
  const addresses = [...new Set([seen && connections.addressOf(seen), device.address])].filter((address) => address !== undefined)
  if (addresses[0] !== undefined) connections.devices.pick(addresses[0], device.imei)
  let failure: unknown
  for (const address of addresses) {
    try {
      const client = await connections.devices.openVerified(address, device.imei, signal)
      return { device: client, address, close: () => undefined }
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

function operationsPort(operations: Operations): OperationsPort {
  return {
    addLink({ jobId, ...payload }) {
      const { primary, secondary, copied = [] } = payload
      const draft = primary.id === null || secondary.id === null || copied.length > 0
      return operations.add({ kind: linkKind, key: linkKey(primary), title: linkTitle(payload), payload, jobId, draft })
    },
    addKey({ jobId, ...payload }) {
      return operations.add({ kind: ibuttonsCreateKind, key: ibuttonKey(payload.id), title: ibuttonTitle(payload), payload, jobId, draft: payload.assetId === null || (payload.copied ?? []).length > 0 })
    },
    addCounter({ jobId, ...payload }) {
      return operations.add({ kind: setGlobalKind, key: counterKey(payload.vid, payload.counter), title: setGlobalTitle(payload), payload, jobId, draft: (payload.copied ?? []).length > 0 })
    },
    sendNow: (work) => operations.sendNow(work),
    endLive: (id, end) => operations.endLive(id, end),
    ofJob: (jobId) => operations.ofJob(jobId),
    settled: (id, signal) => operations.settled(id, signal)
  }
}

/** Checklists, profiles, endpoints and the rest of what comes with the application, seen from the sources. */
export const sourceResourcesFolder = path.join(import.meta.dirname, '..', '..', 'resources')
