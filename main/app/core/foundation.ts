import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Notice } from '../../../preload/contract/app/app.ts'
import { createConnections, type Connections, type ConnectionsOptions } from '../../gateway/accounts/connections.ts'
import type { OutputsPort } from '../../gateway/accounts/outputsPort.ts'
import { createDeviceMemory } from '../../device/discovery/memory.ts'
import type { EventSource } from '../../gateway/events/source.ts'
import type { Profile } from '../../job/jobs/engine/profile.ts'
import { loadShipped } from '../../job/jobs/checklists/shipped.ts'
import { createTemplates } from '../../job/jobs/checklists/templates.ts'
import { createTexts } from '../../base/messages/texts.ts'
import { manageDeviceProfiles, manageMaps, manageSettings } from '../policy/managed.ts'
import { readPolicy, refuseGateway, withoutConnections, type ConnectionRule, type Policy } from '../policy/policy.ts'
import { policyPath } from '../policy/policyPath.ts'
import { createSealKey } from '../../base/secrets/sealKey.ts'
import { openStore, type Store } from '../../data/store/index.ts'
import { createEventHub } from '../events.ts'
import { readCompanyFiles, withCompanyTemplates, type CompanyFiles } from './companyFiles.ts'
import { findSettingLayers, findSettingOrigins } from '../settingOrigins.ts'

export interface CoreOptions {
  dataFolder: string
  /** The open data folder; it is closed with the core. */
  store?: Store
  resourcesFolder: string
  /** Overrides the address in the settings, for this process. */
  gatewayUrl?: string | undefined
  /** Overrides the profile in the settings, for this process. */
  profileId?: string | undefined
  given?: ConnectionsOptions['given']
  inMemorySecrets?: boolean
  /** Sign-ins of this run that no file keeps. */
  runMemory?: ConnectionsOptions['runMemory']
  /** For the team log, in this process only. */
  teamPassword?: string | undefined
  /** The company's policy, if it is not this computer's. */
  policy?: Policy | undefined
  interfaces?: ConnectionsOptions['interfaces']
  /** Everything is practice: `gatewayUrl` is the simulated gateway, and nothing else but `yard` is reached. */
  isTraining?: boolean
  /** `host:port` of each simulated device. */
  yard?: readonly string[]
  /** The source of vehicle events, if it is not the gateway. */
  eventSource?: EventSource
  /** The system's proxies, if the platform provides them. */
  proxies?: ConnectionsOptions['proxies']
  /** Finishes gateway work automatically while it runs; the terminal decides separately. */
  background?: boolean
  firstNotices?: Notice[]
  /** Notices that do not belong to the data folder. */
  moreNotices?: () => Notice[]
  reportFault(error: unknown): void
}

export type Foundation = ReturnType<typeof layFoundation>

/** Events for parts that stand on the foundation and are built after it. */
export interface FoundationNews {
  noticesChanged(): void
  gatewayHeard(): void
  outputs: OutputsPort
}

/**
 * Opens the data folder (AppError DATA_LOCKED, DATA_UNUSABLE; REFUSED for a profile that the company does not allow).
 * Sends no requests yet.
 */
export function layFoundation(options: CoreOptions, { noticesChanged, gatewayHeard, outputs }: FoundationNews) {
  const { reportFault } = options
  const events = createEventHub(reportFault)
  const builtIn = loadShipped(options.resourcesFolder)
  const company = readCompanyFiles(options.policy ?? readPolicy(policyPath()), builtIn)
  const { policy } = company
  const companyProfile = options.isTraining ? undefined : policy.values['work.profile']
  if (companyProfile !== undefined && options.profileId !== undefined && options.profileId !== companyProfile)
    throw new AppError('REFUSED', message('policy.setByCompany'))
  const shipped = withCompanyTemplates(builtIn, company.templates)
  const store = putBelow(
    { ...company, policy: options.isTraining ? withoutConnections(policy) : policy },
    options.store ?? openStore(options.dataFolder)
  )
  const connectionRule: ConnectionRule = {
    values: policy.values,
    simulated: options.isTraining ? (options.gatewayUrl ?? '') : undefined
  }
  const memory = createDeviceMemory({
    rows: store.knownDevices,
    discovery: () => connections.discovery,
    problemChanged: noticesChanged,
    reportFault
  })
  const connections: Connections = createConnections({
    gatewayUrl: () => options.gatewayUrl ?? store.settings.get().gatewayUrl,
    // An address for this process only does not belong to the account in the settings.
    gatewayUser: () => (options.gatewayUrl === undefined ? store.settings.get().gatewayUser : ''),
    deviceModels: () => store.settings.get().deviceModels,
    gatewayCalls: () => (options.isTraining ? null : store.settings.get().gatewayCalls),
    given: options.given,
    inMemory: options.inMemorySecrets ?? policy.values['credentials.keep'] === 'session',
    runMemory: options.runMemory,
    interfaces: options.interfaces,
    onGatewayStatus: gatewayHeard,
    noticesChanged,
    internet: store.settings,
    proxies: options.proxies,
    refuseGateway: (url) => refuseGateway(connectionRule, url),
    onlyDevices: options.isTraining ? (options.yard ?? []) : undefined,
    known: memory,
    outputs
  })
  const texts = { en: createTexts({ language: 'en' }), es: createTexts({ language: 'es' }) }
  /** The profile that checks use now: the one of the settings, unless this process was given another. */
  const profileInUse = (): string => options.profileId ?? store.settings.get().profile
  return {
    store,
    policy,
    connectionRule,
    shipped,
    events,
    connections,
    memory,
    templates: createTemplates({
      shipped,
      rows: store.templates,
      say: (language, text) => texts[language].say(text),
      hasText: texts.en.has,
      mayHaveOwn: policy.values['checklists.own'] !== false,
      reportFault
    }),
    sealKey: createSealKey({
      secrets: connections.secrets,
      workplaceId: () => store.sealKeys.workplaceId(),
      remember: (publicKey) => store.sealKeys.remember(publicKey)
    }),
    profileInUse,
    settingOrigins: () => ({
      settings: findSettingOrigins({ store, policy, given: options }),
      layers: findSettingLayers(
        store,
        options.isTraining || options.gatewayUrl === undefined ? {} : { gatewayUrl: options.gatewayUrl }
      )
    }),
    /** The complete profile (AppError INVALID_REQUEST for an unknown name). */
    profile(): Profile {
      const inUse = shipped.profiles.get(profileInUse())
      if (!inUse) throw new AppError('INVALID_REQUEST', message('jobs.noSuchProfile', { id: profileInUse() }))
      return inUse
    },
    technician: (): string => store.settings.get().technician
  }
}

function putBelow({ policy, deviceProfiles }: CompanyFiles, store: Store): Store {
  if (!policy.isThere) return store
  return Object.assign(Object.create(store) as Store, {
    settings: manageSettings(store.settings, policy),
    maps: manageMaps(store.maps, policy),
    deviceProfiles: manageDeviceProfiles(store.deviceProfiles, deviceProfiles)
  })
}
