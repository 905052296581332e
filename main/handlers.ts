import type { Workplace } from '../preload/contract/app.ts'
import type { AreaReading, DeviceArea } from '../preload/contract/device.ts'
import type { SeenDevice } from '../preload/contract/discovery.ts'
import { AppError } from '../preload/contract/errors.ts'
import { parseDeviceName } from '../preload/contract/imei.ts'
import { createAccessoryHandlers } from './accessoryHandlers.ts'
import type { Core } from './core.ts'
import { readArea } from './device/areas.ts'
import { sameHost } from './deviceFacts.ts'
import { runDoctor } from './doctor.ts'
import { createGatewayHandlers } from './gatewayHandlers.ts'
import { makeReport } from './jobReport.ts'
import { readLabelText } from './labelText.ts'
import type { Handlers } from './router.ts'
import type { Training } from './training/training.ts'

export interface HandlerContext {
  core: Core
  frontEnd: 'desktop' | 'browser' | 'terminal'
  version: string
  workplace: Workplace
  dataFolder: string
  training: Training | null
  enter(workplace: Workplace): Promise<void>
  openPage(page: 'documentation' | 'licences'): Promise<void>
  reportFault(error: unknown): void
}

/** One line for each call of the contract. */
export function createHandlers(context: HandlerContext): Handlers {
  const { core } = context
  const { reach, jobs, operations, store, desk } = core

  return {
    'app.info': async () => ({
      version: context.version,
      frontEnd: context.frontEnd,
      workplace: context.workplace,
      dataFolder: context.dataFolder,
      notices: await core.notices()
    }),
    'app.enter': async ({ workplace }) => {
      await context.enter(workplace)
      return {}
    },
    'app.selfTest': async () => ({ findings: await runDoctor(core.reach, { dataFolder: context.dataFolder, isTraining: context.workplace === 'training', checkData: () => store.check() }) }),
    'app.openPage': async ({ page }) => {
      await context.openPage(page)
      return {}
    },

    'settings.get': () => store.settings.get(),
    'settings.change': (change) => store.settings.change(change),
    'settings.profiles': () => ({
      profiles: [...core.shipped.profiles.values()].map(({ id, name, version }) => ({ id, name, version }))
    }),

    'discovery.watch': () => reach.discovery.watch(),
    'discovery.ask': () => {
      reach.discovery.ask()
      return {}
    },
    'discovery.addAddress': ({ address, confirmPublic }, signal) => reach.discovery.addAddress(address, { confirmPublic, signal }),
    'discovery.findImei': ({ imei }, signal) => reach.discovery.findImei(imei, { signal }),
    'discovery.readLabel': ({ text }) => readLabelText(text),
    'discovery.gateways': async (_input, signal) => ({ networks: await core.discoveryDesk.networks(signal) }),
    'discovery.sweep': ({ card }) => core.discoveryDesk.sweep(card),
    'discovery.stopSweep': () => {
      core.discoveryDesk.stopSweep()
      return {}
    },
    'discovery.sweepState': () => ({ sweep: core.discoveryDesk.sweepState() }),
    'discovery.known': () => ({ devices: core.discoveryDesk.known() }),
    'discovery.label': ({ imei, label }) => core.discoveryDesk.label(imei, label),
    'discovery.forget': ({ imei }) => {
      core.discoveryDesk.forget(imei)
      return {}
    },

    'device.signIn': ({ key, user, password, shared }, signal) => signIn(core, findSeen(core, key), { user, password }, shared, signal),
    'device.signOut': async ({ key }) => {
      const device = findSeen(core, key)
      await reach.devices.forget(device.imei)
      reach.discovery.setSignedIn(key, false)
      return {}
    },
    'device.read': async ({ key, areas }, signal) => {
      const client = reach.devices.open(addressOf(core, findSeen(core, key)), findSeen(core, key).imei)
      const read = await Promise.all(areas.map(async (area): Promise<[DeviceArea, AreaReading]> => [area, await readArea(client, area, { signal })]))
      return { areas: Object.fromEntries(read) }
    },

    ...createGatewayHandlers(core),
    ...createAccessoryHandlers(core.accessories),

    'jobs.templates': () => ({ templates: jobs.templates() }),
    'jobs.create': ({ templateId, deviceKey, vehicleText, customer }) => {
      const seen = findSeen(core, deviceKey)
      if (seen.imei === null || seen.model === null) throw new AppError('INVALID_REQUEST', 'This device has not said who it is yet. Sign in first.')
      const device = { imei: seen.imei, model: seen.model, address: addressOf(core, seen) }
      return { id: jobs.create({ templateId, device, vehicleText, customer }) }
    },
    'jobs.list': (filter) => ({ jobs: jobs.list(filter) }),
    'jobs.show': ({ id }) => jobs.show(id),
    'jobs.start': async ({ id }, signal) => {
      await jobs.start(id, signal)
      return {}
    },
    'jobs.pause': async ({ id }) => {
      await jobs.pause(id)
      return {}
    },
    'jobs.runStep': ({ id, stepId }) => {
      // The window follows the step through events; what goes wrong inside ends as its outcome.
      jobs.runStep(id, stepId).catch(context.reportFault)
      return {}
    },
    'jobs.stopStep': async ({ id, stepId }) => {
      await jobs.stopStep(id, stepId)
      return {}
    },
    'jobs.answer': ({ id, stepId, answer }) => {
      if (answer.photo !== undefined) throw new AppError('INVALID_REQUEST', 'A picture is named in the file of answers only.')
      jobs.answer(id, stepId, answer)
      return {}
    },
    'jobs.waive': async ({ id, stepId, reason }) => {
      await jobs.waive(id, stepId, reason, store.settings.get().technician)
      return {}
    },
    'jobs.cancel': async ({ id, reason }) => {
      await jobs.cancel(id, reason)
      return {}
    },
    'jobs.live': ({ id }) => jobs.live(id),
    'jobs.report': async ({ id, format }) => {
      const report = await makeReport(core, id, format, context.version)
      return { fileName: report.fileName, mediaType: report.mediaType, base64: Buffer.from(report.content).toString('base64') }
    },

    'operations.list': () => ({ operations: operations.list() }),
    'operations.sync': (_input, signal) => core.sync(signal),
    'operations.retry': ({ id, reason }) => {
      operations.retry(id, reason)
      return {}
    },
    'operations.drop': ({ id, reason }) => {
      operations.drop(id, reason)
      return {}
    },
    'operations.close': ({ id, reason }) => {
      operations.close(id, reason)
      return {}
    },

    'workspace.read': (input, signal) => desk.workspace.read(input, signal),
    'workspace.closeView': ({ view }) => {
      desk.workspace.closeView(view)
      return {}
    },
    'workspace.link': ({ key }, signal) => desk.workspace.link(key, signal),
    'workspace.change': (input, signal) => desk.workspace.change(input, signal),
    'workspace.scanWifi': (input, signal) => desk.workspace.scanWifi(input, signal),
    'workspace.checkUpdate': (input, signal) => desk.workspace.checkUpdate(input, signal),
    'workspace.exec': (input, signal) => desk.workspace.exec(input, signal),
    'workspace.history': (input) => desk.workspace.history(input),
    'workspace.lines': ({ key }) => desk.lines.story(key),
    'workspace.watchOutput': ({ key, out }) => desk.lines.watch(key, out),
    'workspace.armOutput': ({ key, out }) => desk.lines.arm(key, out),
    'workspace.switchOff': ({ key, out }) => desk.lines.switchOff(key, out),
    'workspace.checkEcuList': (input) => desk.workspace.checkEcuList(input),
    'workspace.ecuPresets': () => desk.workspace.ecuPresets(),
    'workspace.startRun': (input) => desk.workspace.startRun(input),
    'workspace.runs': () => ({ runs: desk.workspace.runs() }),
    'workspace.stopRun': ({ id }) => desk.workspace.stopRun(id),
    'workspace.continueRun': ({ id, alsoUnknown }) => desk.workspace.continueRun(id, alsoUnknown),
    'workspace.requiredApps': () => ({ names: desk.workspace.requiredApps() }),
    'workspace.setRequiredApps': ({ names }) => ({ names: desk.workspace.setRequiredApps(names) }),
    'workspace.signInState': ({ key }) => signInState(core, findSeen(core, key)),
    'workspace.keepDefaults': async (credentials) => {
      await reach.devices.keepDefaults(credentials)
      return {}
    },
    'workspace.forgetDefaults': async () => {
      await reach.devices.forgetDefaults()
      return {}
    },
    'workspace.tryDefaults': async ({ key }, signal) => {
      const credentials = await reach.devices.defaults()
      if (!credentials) throw new AppError('NOT_FOUND', 'No default user and password were typed yet. Keep them first.')
      return signIn(core, findSeen(core, key), credentials, false, signal)
    },

    'training.vehicles': () => trainingOf(context).describe(),
    'training.act': ({ imei, act }) => {
      trainingOf(context).act(imei, act)
      return {}
    }
  }
}

function findSeen(core: Core, key: string): SeenDevice {
  const device = core.reach.discovery.table().devices.find((candidate) => candidate.key === key)
  if (!device) throw new AppError('NOT_FOUND', 'This device is no longer in the list. Search again.')
  return device
}

function addressOf(core: Core, device: SeenDevice): string {
  const address = core.reach.addressOf(device)
  if (address === undefined) throw new AppError('UNREACHABLE', 'No address of this device is known. Wait until it is heard again, or enter its address.')
  return address
}

function trainingOf({ training }: HandlerContext): Training {
  if (!training) throw new AppError('INVALID_REQUEST', 'The simulated vehicle exists only in the training workplace.')
  return training
}

async function signInState({ reach }: Core, { imei, signedIn }: SeenDevice) {
  const [known, usesDefaults] = await Promise.all([reach.devices.defaults(), reach.devices.usesDefaults(imei)])
  return { signedIn, defaultsKnown: known !== undefined, usesDefaults: signedIn ? usesDefaults : null }
}

async function signIn(core: Core, device: SeenDevice, credentials: { user: string; password: string }, isShared: boolean, signal: AbortSignal) {
  const { devices, discovery, secrets } = core.reach
  const address = addressOf(core, device)
  core.reach.redactor.add(credentials.password)
  const client = devices.openWith(address, credentials)
  try {
    const { value } = await client.auth.login({ username: credentials.user, password: credentials.password }, { signal })
    const system = await client.system.info({ signal })
    const { hostname, osVersion } = system.value
    const own = hostname === undefined ? undefined : parseDeviceName(hostname)
    if (device.imei === null && !own) {
      return { kind: 'impostor' as const, detail: `It calls itself ${hostname ?? 'nothing'}, which is no name of a device. Do not work on it.` }
    }
    if (device.imei !== null && hostname !== undefined && !sameHost(hostname, device.imei)) {
      return { kind: 'impostor' as const, detail: `It answers as ${hostname}, not as ${device.hostname ?? device.imei}. Do not work on it.` }
    }
    await devices.keep(device.imei ?? own?.imei ?? null, credentials, isShared)
    if (hostname !== undefined) discovery.learn(device.key, { hostname, osVersion: osVersion ?? null })
    discovery.setSignedIn(device.key, true)
    return { kind: 'signedIn' as const, name: value.user?.name ?? null, kept: (await secrets.status()).kind === 'keychain' }
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_AUTHENTICATED') return { kind: 'wrongPassword' as const, detail: error.message }
    throw error
  }
}
