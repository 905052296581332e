import { lookup } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { parseDeviceName, readAnnouncedName } from '../../../preload/contract/base/imei.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { whyNoImei, whyPlaceholder } from '../../base/reading/imeiSentence.ts'
import {
  devicePort,
  hostWithPort,
  isLocalIp,
  parseAddress,
  whyNoAddress,
  type Address
} from '../../base/addresses/address.ts'
import type { CardWatch } from './cardWatch.ts'
import { isOnCard } from './cards.ts'
import type { Discovery, DiscoveryOptions } from './discovery.ts'
import { findGateways } from './gatewayRoutes.ts'
import type { Probe, ProbeResult } from './probe.ts'
import type { LookUp } from './querier.ts'
import { subnetHosts } from './sweep.ts'
import { liveSightings, type DeviceEntry, type Sighting, type Via } from './sighting.ts'
import type { SightingTable } from './table.ts'

const imeiTimeoutMs = 5000

export interface SearchContext {
  options: DiscoveryOptions
  probe: Probe
  /** Host names that are looked up because a person entered their IMEI. */
  lookups: Set<string>
  /** Called at every change of the table. */
  looks: Set<() => void>
  nowMs: () => number
  table: () => SightingTable
  cards: () => CardWatch | undefined
  ending: () => AbortSignal
  /** True when it was not listening yet; then the names are asked first. */
  watch: (urgent?: LookUp) => boolean
  see: (sighting: Sighting) => DeviceEntry | undefined
  remember: (entry: DeviceEntry) => void
  changed: (entry: DeviceEntry) => void
  planPoll: (entry: DeviceEntry) => void
}

/**
 * Finds devices that mDNS alone does not find: by address, by IMEI, at default gateways, and by a sweep of one subnet.
 */
export function createSearch(
  context: SearchContext
): Pick<Discovery, 'addAddress' | 'findImei' | 'gatewayAddresses' | 'sweep'> {
  const { options, probe, lookups, looks, nowMs, table, cards, ending, watch, see, remember, changed, planPoll } =
    context

  const cardOf = (address: string): string | null =>
    cards()
      ?.cards()
      .find((item) => item.address === address)?.name ??
    cards()
      ?.list()
      .find((card) => isOnCard(address, card))?.name ??
    null

  /** Adds an address that answered as a device to the table. */
  const admit = (place: { host: string; port: number }, via: Via, result: ProbeResult): DeviceEntry | undefined => {
    const own = result.kind === 'device' ? parseDeviceName(result.hostname) : undefined
    const existing = table().byAddress(place.host, place.port) ?? (own && table().byImei(own.imei))
    const id = `${via} ${hostWithPort(place.host, place.port)}`
    const entry =
      existing &&
      !existing.isLost &&
      liveSightings(existing).some((item) => item.addresses.some((held) => held.address === place.host))
        ? existing
        : see({
            id,
            hostname: via === 'known' || (existing && own) ? `${own?.model}-${own?.imei}.local` : null,
            card: cardOf(place.host),
            via,
            addresses: [{ address: place.host, heardAtMs: nowMs(), isLeaving: false }],
            ports: [place.port],
            heardAtMs: nowMs(),
            isGone: false
          })
    if (!entry) return undefined
    table().answered(entry, result, { address: place.host, port: place.port })
    remember(entry)
    planPoll(entry)
    changed(entry)
    return entry
  }

  const askPlace = async (
    place: { host: string; port: number },
    signal: AbortSignal | undefined
  ): Promise<ProbeResult> => probe({ ...place, imei: null }, signal ? AbortSignal.any([signal, ending()]) : ending())

  const resolveHost = async (host: string): Promise<string[]> => {
    const heard = cards()?.addressesOf(`${host.replace(/\.local$/, '')}.local`) ?? []
    if (heard.length > 0) return heard
    try {
      return (await lookup(host, { all: true })).map((item) => item.address)
    } catch {
      // An unknown name is an answer, not a failure: the caller reports it.
      return []
    }
  }

  const addAddress: Discovery['addAddress'] = async (text, { confirmPublic = false, signal } = {}) => {
    watch()
    const parsed = parseAddress(text)
    if (!parsed) return { kind: 'notADevice', detail: whyNoAddress(text) }
    const name = readAnnouncedName(parsed.host)
    if (parsed.isName && name) {
      const found = await findImei(name.imei, { signal })
      if (found.kind === 'found') return { kind: 'added', device: found.device }
    }
    // Before the name is looked up: that is a request too.
    const refused = options.refuse?.(hostWithPort(parsed.host, parsed.port))
    if (refused) return { kind: 'notADevice', detail: refused }
    const addresses = parsed.isName ? await resolveHost(parsed.host) : [parsed.host]
    if (addresses.length === 0)
      return { kind: 'notADevice', detail: message('discovery.unknownHost', { host: parsed.host }) }
    const isPublic = addresses.some((address) => !isLocalIp(address))
    if (isPublic && !confirmPublic)
      return { kind: 'publicAddress', detail: message('discovery.publicHost', { host: parsed.host }) }
    if (isPublic) for (const address of addresses) options.confirmed?.(address)
    let detail: Message = message('discovery.doesNotAnswer')
    for (const host of addresses.slice(0, 4)) {
      const result = await askPlace({ host, port: parsed.port }, signal)
      if (result.kind === 'needsSignIn' || (result.kind === 'device' && parseDeviceName(result.hostname))) {
        const entry = admit({ host, port: parsed.port }, 'address', result)
        if (entry) return { kind: 'added', device: table().show(entry) }
        detail = message('discovery.tableFull')
      } else if (result.kind === 'device') {
        detail =
          whyPlaceholder(result.hostname) ??
          message('discovery.noDeviceName', { where: hostWithPort(host, parsed.port), name: result.hostname })
      } else {
        detail = message('discovery.notThere', { where: hostWithPort(host, parsed.port), why: result.detail })
      }
    }
    return { kind: 'notADevice', detail }
  }

  const findImei: Discovery['findImei'] = async (text, { timeoutMs = imeiTimeoutMs, signal } = {}) => {
    const imei = text.replace(/[\s\p{Cf}-]/gu, '')
    const wrong = whyNoImei(imei)
    if (wrong) return { kind: 'badImei', detail: wrong }
    const present = (): DeviceEntry | undefined => {
      const entry = table().byImei(imei)
      return entry && !entry.isLost ? entry : undefined
    }
    const remembered = options.known?.find(imei)
    const seenModels = table()
      .entries()
      .flatMap((entry) => (entry.model ? [entry.model] : []))
    const models = new Set(
      [...(remembered ? [remembered.model] : []), ...options.models(), ...seenModels].map((model) =>
        model.toLowerCase()
      )
    )
    const names = [...models].map((model) => `${model}-${imei}.local`)
    const last = remembered?.lastAddress ? parseAddress(remembered.lastAddress) : undefined
    const wanted = { names, lastAddress: last && isIPv4(last.host) ? last.host : undefined }
    const isNew = watch(wanted)
    const already = present()
    if (already) return { kind: 'found', device: table().show(already) }
    for (const name of names) lookups.add(name)
    if (!isNew) cards()?.lookUp(wanted)
    if (last) void askKnown(last, imei)
    const entry = await waitFor(present, timeoutMs, signal)
    for (const name of names) lookups.delete(name)
    if (entry) return { kind: 'found', device: table().show(entry) }
    return { kind: 'notHeard', detail: message('discovery.imeiNotHeard', { imei }) }
  }

  /** Without credentials: the host at a remembered address has not confirmed its identity yet. */
  const askKnown = async (last: Address, imei: string): Promise<void> => {
    if (last.isName || !isLocalIp(last.host)) return
    try {
      const result = await askPlace(last, undefined)
      if (result.kind === 'device' && parseDeviceName(result.hostname)?.imei === imei) admit(last, 'known', result)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CANCELLED')) throw error
    }
  }

  const waitFor = <T>(
    read: () => T | undefined,
    timeoutMs: number,
    signal: AbortSignal | undefined
  ): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        done()
        reject(new AppError('CANCELLED', message('discovery.searchStopped')))
      }
      const look = (): void => {
        const value = read()
        if (value === undefined) return
        done()
        resolve(value)
      }
      const timer = setTimeout(() => {
        done()
        resolve(read())
      }, timeoutMs)
      const done = (): void => {
        clearTimeout(timer)
        looks.delete(look)
        signal?.removeEventListener('abort', abort)
      }
      if (signal?.aborted) return abort()
      signal?.addEventListener('abort', abort)
      looks.add(look)
      look()
    })

  const gatewayAddresses: Discovery['gatewayAddresses'] = async ({ signal } = {}) => {
    watch()
    // With loopback alone (training) no other computer is asked.
    if (
      !cards()
        ?.list()
        .some((card) => !card.isLoopback)
    )
      return []
    const gateways = await findGateways()
    const found: SeenDevice[] = []
    await Promise.all(
      gateways.filter(isLocalIp).map(async (host) => {
        const existing = table().byAddress(host)
        if (existing && !existing.isLost) return
        const result = await askPlace({ host, port: devicePort }, signal)
        if (result.kind !== 'needsSignIn' && !(result.kind === 'device' && parseDeviceName(result.hostname))) return
        const entry = admit({ host, port: devicePort }, 'gateway-address', result)
        if (entry) found.push(table().show(entry))
      })
    )
    return found
  }

  const sweep: Discovery['sweep'] = async (cardName, { onProgress, signal } = {}) => {
    watch()
    const card = cards()
      ?.list()
      .find((item) => item.name === cardName || item.address === cardName)
    if (!card || card.isLoopback)
      throw new AppError('INVALID_REQUEST', message('discovery.noSuchCard', { card: cardName }))
    const hosts = subnetHosts(card)
    const found: SeenDevice[] = []
    const startedMs = nowMs()
    let asked = 0
    await Promise.all(
      hosts.map(async (host) => {
        const result = await askPlace({ host, port: devicePort }, signal)
        asked += 1
        if (result.kind === 'needsSignIn' || (result.kind === 'device' && parseDeviceName(result.hostname))) {
          const entry = admit({ host, port: devicePort }, 'sweep', result)
          if (entry) found.push(table().show(entry))
        }
        const spentMs = nowMs() - startedMs
        onProgress?.({
          asked,
          total: hosts.length,
          found: found.length,
          leftMs: Math.round((spentMs / asked) * (hosts.length - asked))
        })
      })
    )
    return { found, asked }
  }

  return { addAddress, findImei, gatewayAddresses, sweep }
}
