import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Notice } from '../../../preload/contract/app/app.ts'
import { createConnections, type Connections, type ConnectionsOptions } from '../../connections/connections.ts'
import { createDeviceMemory, type DeviceMemory } from '../../discovery/memory.ts'
import type { EventSource } from '../../events/source.ts'
import type { Profile } from '../../jobs/engine/profile.ts'
import { loadShipped, type Shipped } from '../../jobs/checklists/shipped.ts'
import { createTemplates, type Templates } from '../../jobs/checklists/templates.ts'
import { createTexts } from '../../messages/texts.ts'
import { createSealKey, type SealKey } from '../../secrets/sealKey.ts'
import { openStore, type Store } from '../../store/index.ts'
import { createEventHub, type EventHub } from '../events.ts'

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

/** What everything else of a core stands on. */
export interface Foundation {
  store: Store
  /** Checklists and profiles that come with Fitter. */
  shipped: Shipped
  events: EventHub
  connections: Connections
  /** What is known of devices from before. */
  memory: DeviceMemory
  /** The checklists that jobs are made from. */
  templates: Templates
  sealKey: SealKey
  /** The profile that checks follow now: the one of the settings, unless this process was given another. */
  profileInUse(): string
  /** The same, whole (AppError INVALID_REQUEST when there is none of that name). */
  profile(): Profile
  /** Who works here, as the settings say. */
  technician(): string
}

/** What is told to parts that stand on the foundation, and so are built after it. */
export interface FoundationNews {
  noticesChanged(): void
  gatewayHeard(): void
}

/** Opens the data folder (AppError DATA_LOCKED, DATA_UNUSABLE). Nothing is asked of anybody yet. */
export function layFoundation(options: CoreOptions, { noticesChanged, gatewayHeard }: FoundationNews): Foundation {
  const { reportFault } = options
  const events = createEventHub(reportFault)
  const shipped = loadShipped(options.resourcesFolder)
  const store = options.store ?? openStore(options.dataFolder)
  const memory = createDeviceMemory({ rows: store.knownDevices, discovery: () => connections.discovery, problemChanged: noticesChanged, reportFault })
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
  const texts = { en: createTexts({ language: 'en' }), es: createTexts({ language: 'es' }) }
  const profileInUse = (): string => options.profileId ?? store.settings.get().profile
  return {
    store,
    shipped,
    events,
    connections,
    memory,
    templates: createTemplates({ shipped, rows: store.templates, say: (language, text) => texts[language].say(text), hasText: texts.en.has, reportFault }),
    sealKey: createSealKey({ secrets: connections.secrets, workplaceId: () => store.sealKeys.workplaceId(), remember: (publicKey) => store.sealKeys.remember(publicKey) }),
    profileInUse,
    profile() {
      const inUse = shipped.profiles.get(profileInUse())
      if (!inUse) throw new AppError('INVALID_REQUEST', message('jobs.noSuchProfile', { id: profileInUse() }))
      return inUse
    },
    technician: () => store.settings.get().technician
  }
}
