import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import type { Finding } from '../../preload/contract/app.ts'
import type { DeviceTable, NetworkCard, SeenDevice } from '../../preload/contract/discovery.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { isValidImei, parseDeviceName } from '../../preload/contract/imei.ts'
import { devicePort, hostWithPort, isPrivateAddress, parseAddress } from './address.ts'
import { createCardWatch, type CardWatch } from './cardWatch.ts'
import { isOnCard, type Card, type Interfaces } from './cards.ts'
import { findGateways } from './gatewayRoutes.ts'
import { createProbeGate, probeEntry } from './prober.ts'
import type { Probe, ProbeResult } from './probe.ts'
import type { HeardHost } from './querier.ts'
import { readHostName } from './records.ts'
import { runSelfTest } from './selfTest.ts'
import { subnetHosts } from './sweep.ts'
import { SightingTable, liveSightings, type DeviceEntry, type KnownDevice, type Sighting, type Via } from './table.ts'

export { parseAddress, isPrivateAddress } from './address.ts'
export { probeDevice, type Probe, type ProbeResult, type ProbeTarget } from './probe.ts'
export type { KnownDevice } from './table.ts'

export interface DiscoveryOptions {
  /** Asks one place who it is; 2 s at most (see `probeDevice`). */
  probe: Probe
  /** Models that an IMEI is looked up with, besides those seen. */
  models: () => string[]
  known?: {
    find: (imei: string) => KnownDevice | undefined
    seen: (device: SeenDevice) => void
  }
  interfaces?: () => Interfaces
  now?: () => Date
}

export type AddedAddress =
  | { kind: 'added'; device: SeenDevice }
  | { kind: 'notADevice'; detail: string }
  | { kind: 'publicAddress'; detail: string }

export type FoundImei = { kind: 'found'; device: SeenDevice } | { kind: 'notHeard'; detail: string } | { kind: 'badImei'; detail: string }

export interface SweepProgress {
  asked: number
  total: number
  found: number
  leftMs: number
}

export interface Discovery {
  /** Starts listening (if it does not listen yet) and gives the table. */
  watch(): DeviceTable
  stop(): void
  /** Asks again on every card, every known place and every default gateway at once. */
  ask(): void
  table(): DeviceTable
  onChange(listener: (table: DeviceTable) => void): () => void
  addAddress(text: string, options?: { confirmPublic?: boolean | undefined; signal?: AbortSignal | undefined }): Promise<AddedAddress>
  findImei(imei: string, options?: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined }): Promise<FoundImei>
  /** The machine was asleep: every socket is opened anew and every device asked. */
  resumed(): void
  /** Asks the default gateway of each card (a device's own hotspot) and gives those that are devices. */
  gatewayAddresses(options?: { signal?: AbortSignal | undefined }): Promise<SeenDevice[]>
  /** Asks every address of the card's own subnet, /24 at most. Only ever when a person asked for it. */
  sweep(card: string, options?: { onProgress?: ((progress: SweepProgress) => void) | undefined; signal?: AbortSignal | undefined }): Promise<{ found: SeenDevice[]; asked: number }>
  selfTest(): Promise<Finding[]>
  /** Asks the device again, now; undefined when the table has no such key. */
  probeNow(key: string, options?: { signal?: AbortSignal | undefined }): Promise<SeenDevice | undefined>
  /** Shown in the table; discovery itself never sees credentials. */
  setSignedIn(key: string, isSignedIn: boolean): void
}

const pollMs = 5000
const retryMs = 200
// Answers come in a storm; reading them goes before asking those that were heard.
const firstProbeMs = 30
const lostPollMs = 30_000
const changeGapMs = 25
const imeiTimeoutMs = 5000
// The first two rounds of questions must be out before their answers can be judged.
const selfTestAfterMs = 1500

/** Finds devices on every network card, asks each who it is, and keeps the table of them. */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const nowMs = (): number => performance.now()
  const now = options.now ?? (() => new Date())
  const probe = createProbeGate(options.probe)
  const listeners = new Set<(table: DeviceTable) => void>()
  const polls = new Map<string, { timer: NodeJS.Timeout | undefined; isRunning: boolean; isAgain: boolean }>()
  const lookups = new Set<string>()
  const looks = new Set<() => void>()
  let sightings = new SightingTable({ nowMs, now, find: options.known?.find })
  let watching: CardWatch | undefined
  let ending = new AbortController()
  let changeTimer: NodeJS.Timeout | undefined
  let changedAtMs = -Infinity
  let lastHeardAt: string | null = null
  let watchedSinceMs = -Infinity

  const table = (): DeviceTable => ({ devices: sightings.showAll(), cards: watching?.cards() ?? [], lastHeardAt })

  const tell = (): void => {
    changeTimer = undefined
    changedAtMs = nowMs()
    const current = table()
    for (const listener of listeners) listener(current)
  }

  // The first change is told at once; a storm of answers is told in steps.
  const changed = (): void => {
    for (const look of [...looks]) look()
    if (listeners.size === 0 || changeTimer) return
    changeTimer = setTimeout(tell, Math.max(0, changedAtMs + changeGapMs - nowMs()))
  }

  const remember = (entry: DeviceEntry): void => {
    if (entry.imei && options.known) options.known.seen(sightings.show(entry))
  }

  const see = (sighting: Sighting): DeviceEntry | undefined => {
    const before = sightings.entries().length
    const entry = sightings.see(sighting)
    if (entry && sightings.entries().length > before) remember(entry)
    return entry
  }

  const namesOf = (entry: DeviceEntry): string[] => [...new Set(liveSightings(entry).flatMap((item) => (item.hostname ? [item.hostname] : [])))]

  /** Two misses in a row are a loss, unless the name was heard by mDNS since the first one. */
  const judgeMiss = (entry: DeviceEntry): void => {
    if (entry.misses < 2) {
      for (const name of namesOf(entry)) watching?.verify(name)
      return
    }
    const heardSince = liveSightings(entry).some((item) => item.card !== null && item.hostname && item.heardAtMs > (entry.missedSinceMs ?? Infinity))
    if (heardSince) sightings.markMute(entry)
    else entry.isLost ??= 'silent'
  }

  /** Asks one device who it is and plans the next time. */
  const poll = async (entry: DeviceEntry): Promise<void> => {
    const state = polls.get(entry.key) ?? { timer: undefined, isRunning: false, isAgain: false }
    polls.set(entry.key, state)
    if (state.isRunning) {
      state.isAgain = true
      return
    }
    clearTimeout(state.timer)
    state.isRunning = true
    const before = JSON.stringify(sightings.show(entry))
    const { signal } = ending
    try {
      const outcome = await probeEntry(entry, probe, signal)
      if (signal.aborted || sightings.get(entry.key) !== entry) return
      if (outcome) {
        const wasVerified = entry.answer?.result.kind === 'device'
        sightings.answered(entry, outcome.result, outcome.place)
        // A host that refuses the connection is there as well.
        if (outcome.result.kind !== 'unreachable' || (outcome.result.refused && entry.misses === 0)) for (const name of namesOf(entry)) watching?.confirm(name)
        if (outcome.result.kind === 'device' && !wasVerified) remember(entry)
      }
      if (entry.misses > 0) judgeMiss(entry)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CANCELLED')) throw error
      return
    } finally {
      state.isRunning = false
    }
    if (shownWithoutTime(before) !== shownWithoutTime(JSON.stringify(sightings.show(entry)))) changed()
    const isAgain = state.isAgain
    state.isAgain = false
    plan(entry, isAgain ? 0 : entry.isLost ? lostPollMs : entry.misses === 1 ? retryMs : pauseFor(entry))
  }

  const plan = (entry: DeviceEntry, delayMs: number): void => {
    const state = polls.get(entry.key) ?? { timer: undefined, isRunning: false, isAgain: false }
    polls.set(entry.key, state)
    if (state.isRunning) {
      state.isAgain ||= delayMs <= firstProbeMs
      return
    }
    clearTimeout(state.timer)
    state.timer = setTimeout(() => void poll(entry), delayMs)
  }

  const hearHost = (card: Card, host: HeardHost): void => {
    lastHeardAt = now().toISOString()
    const addresses = host.addresses
      .filter((item) => card.kind === 'loopback' || !item.address.startsWith('127.'))
      .map((item) => ({ ...item, address: /^fe80/i.test(item.address) ? `${item.address}%${card.zone}` : item.address }))
    if (addresses.length === 0) return
    const id = `${card.id} ${host.name}`
    const device = readHostName(host.name)
    if (!device) return
    if (device.isRenamed) {
      if (sightings.seeRival(device.imei, id, { name: host.name, addresses: addresses.map((item) => item.address) })) changed()
      return
    }
    const existing = sightings.byImei(device.imei)
    const before = existing && shownWithoutTime(JSON.stringify(sightings.show(existing)))
    const known = existing?.sightings.get(id)
    // A host that was gone is asked again even where it comes back unchanged.
    const oldPlaces = known && !known.isGone && !existing?.isLost ? placeText(known) : ''
    const via: Via = lookups.has(host.name) && !known ? 'imei' : (known?.via ?? 'mdns')
    const entry = see({ id, hostname: host.name, card: card.name, via, addresses, ports: portsOf(host), heardAtMs: host.heardAtMs, isGone: false })
    if (!entry) return
    const current = entry.sightings.get(id)
    if (current && placeText(current) !== oldPlaces) plan(entry, firstProbeMs)
    if (before !== shownWithoutTime(JSON.stringify(sightings.show(entry)))) changed()
  }

  const hostGone = (card: Card, name: string, reason: 'goodbye' | 'expired'): void => {
    const device = readHostName(name)
    if (device?.isRenamed) {
      if (sightings.seeRival(device.imei, `${card.id} ${name}`, null)) changed()
      return
    }
    const entry = sightings.leave(`${card.id} ${name}`, reason === 'goodbye' ? 'goodbye' : 'silent')
    if (!entry) return
    plan(entry, entry.isLost ? lostPollMs : 0)
    changed()
  }

  const cardOf = (address: string): string | null => watching?.cards().find((item) => item.address === address)?.name ?? watching?.list().find((card) => isOnCard(address, card))?.name ?? null

  /** Takes a place that answered as a device into the table. */
  const admit = (place: { host: string; port: number }, via: Via, result: ProbeResult): DeviceEntry | undefined => {
    const own = result.kind === 'device' ? parseDeviceName(result.hostname) : undefined
    const existing = sightings.byAddress(place.host, place.port) ?? (own && sightings.byImei(own.imei))
    const id = `${via} ${hostWithPort(place.host, place.port)}`
    const entry =
      existing && !existing.isLost && liveSightings(existing).some((item) => item.addresses.some((held) => held.address === place.host))
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
    sightings.answered(entry, result, { address: place.host, port: place.port })
    remember(entry)
    plan(entry, pollMs)
    changed()
    return entry
  }

  const askPlace = async (place: { host: string; port: number }, signal: AbortSignal | undefined): Promise<ProbeResult> =>
    probe({ ...place, imei: null }, signal ? AbortSignal.any([signal, ending.signal]) : ending.signal)

  const resolveHost = async (host: string): Promise<string[]> => {
    const heard = watching?.addressesOf(`${host.replace(/\.local$/, '')}.local`) ?? []
    if (heard.length > 0) return heard
    try {
      return (await lookup(host, { all: true })).map((item) => item.address)
    } catch {
      // An unknown name is an answer, not a failure: the caller says so.
      return []
    }
  }

  const addAddress: Discovery['addAddress'] = async (text, { confirmPublic = false, signal } = {}) => {
    const parsed = parseAddress(text)
    if (!parsed) return { kind: 'notADevice', detail: `“${text.trim()}” is no address. Type a host name or an IP address, for example 192.168.8.1 or 192.168.8.1:8080.` }
    const name = parseDeviceName(parsed.host)
    if (parsed.isName && name) {
      const found = await findImei(name.imei, { signal })
      if (found.kind === 'found') return { kind: 'added', device: found.device }
    }
    const addresses = parsed.isName ? await resolveHost(parsed.host) : [parsed.host]
    if (addresses.length === 0) return { kind: 'notADevice', detail: `No machine called ${parsed.host} is known on this network. Try its IP address.` }
    const isPublic = addresses.some((address) => !isPrivateAddress(address))
    if (isPublic && !confirmPublic) {
      return { kind: 'publicAddress', detail: `${parsed.host} is not on a local network: what is sent there can be read on the way. Confirm that it is meant.` }
    }
    let detail = ''
    for (const host of addresses.slice(0, 4)) {
      const result = await askPlace({ host, port: parsed.port }, signal)
      if (result.kind === 'needsSignIn' || (result.kind === 'device' && parseDeviceName(result.hostname))) {
        const entry = admit({ host, port: parsed.port }, 'address', result)
        if (entry) return { kind: 'added', device: sightings.show(entry) }
        detail = 'The table of devices is full.'
      } else if (result.kind === 'device') {
        detail = `${hostWithPort(host, parsed.port)} calls itself “${result.hostname}”, which is no device's name.`
      } else {
        detail = `${hostWithPort(host, parsed.port)}: ${result.detail}`
      }
    }
    return { kind: 'notADevice', detail }
  }

  const findImei: Discovery['findImei'] = async (text, { timeoutMs = imeiTimeoutMs, signal } = {}) => {
    const imei = text.replace(/[\s-]/g, '')
    if (!/^\d{15}$/.test(imei)) return { kind: 'badImei', detail: `An IMEI has 15 digits; this has ${imei.replace(/\D/g, '').length}.` }
    if (!isValidImei(imei)) return { kind: 'badImei', detail: 'The check digit does not fit. Read the number again.' }
    watch()
    const present = (): DeviceEntry | undefined => {
      const entry = sightings.byImei(imei)
      return entry && !entry.isLost ? entry : undefined
    }
    const already = present()
    if (already) return { kind: 'found', device: sightings.show(already) }
    const models = new Set([...options.models(), ...sightings.entries().flatMap((entry) => (entry.model ? [entry.model] : []))].map((model) => model.toLowerCase()))
    const names = [...models].map((model) => `${model}-${imei}.local`)
    for (const name of names) lookups.add(name)
    const last = options.known?.find(imei)?.lastAddress
    if (last) void askKnown(last, imei)
    watching?.lookUp(names)
    const entry = await waitFor(present, timeoutMs, signal)
    for (const name of names) lookups.delete(name)
    if (entry) return { kind: 'found', device: sightings.show(entry) }
    return { kind: 'notHeard', detail: `No device with IMEI ${imei} answered on any card. Check its power and that this machine is on its network, or type its address.` }
  }

  const askKnown = async (address: string, imei: string): Promise<void> => {
    const parsed = parseAddress(address)
    if (!parsed || parsed.isName || !isPrivateAddress(parsed.host)) return
    try {
      const result = await askPlace(parsed, undefined)
      if (result.kind === 'device' && parseDeviceName(result.hostname)?.imei === imei) admit(parsed, 'known', result)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CANCELLED')) throw error
    }
  }

  const waitFor = <T>(read: () => T | undefined, timeoutMs: number, signal: AbortSignal | undefined): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        done()
        reject(new AppError('CANCELLED', 'The search was stopped.'))
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
    const gateways = await findGateways()
    const found: SeenDevice[] = []
    await Promise.all(
      gateways.filter(isPrivateAddress).map(async (host) => {
        const existing = sightings.byAddress(host)
        if (existing && !existing.isLost) return
        const result = await askPlace({ host, port: devicePort }, signal)
        if (result.kind !== 'needsSignIn' && !(result.kind === 'device' && parseDeviceName(result.hostname))) return
        const entry = admit({ host, port: devicePort }, 'gateway-address', result)
        if (entry) found.push(sightings.show(entry))
      })
    )
    return found
  }

  const tryGateways = (): void => {
    gatewayAddresses().catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'CANCELLED')) throw error
    })
  }

  const sweep: Discovery['sweep'] = async (cardName, { onProgress, signal } = {}) => {
    watch()
    const card = watching?.list().find((item) => item.name === cardName || item.address === cardName)
    if (!card || card.kind === 'loopback') throw new AppError('INVALID_REQUEST', `There is no network card called ${cardName} to search.`)
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
          if (entry) found.push(sightings.show(entry))
        }
        const spentMs = nowMs() - startedMs
        onProgress?.({ asked, total: hosts.length, found: found.length, leftMs: Math.round((spentMs / asked) * (hosts.length - asked)) })
      })
    )
    return { found, asked }
  }

  const watch = (): DeviceTable => {
    if (!watching) {
      ending = new AbortController()
      watchedSinceMs = nowMs()
      sightings = new SightingTable({ nowMs, now, find: options.known?.find })
      watching = createCardWatch({
        interfaces: options.interfaces ?? networkInterfaces,
        onHost: hearHost,
        onGone: hostGone,
        onCards: () => {
          changed()
        },
        onNewCard: () => tryGateways(),
        onResume: () => pollAll()
      })
      watching.start()
    }
    return table()
  }

  const pollAll = (): void => {
    for (const entry of sightings.entries()) plan(entry, 0)
  }

  return {
    watch,
    table,
    stop: () => {
      ending.abort()
      watching?.stop()
      watching = undefined
      clearTimeout(changeTimer)
      changeTimer = undefined
      for (const state of polls.values()) clearTimeout(state.timer)
      polls.clear()
    },
    ask: () => {
      watch()
      watching?.ask()
      pollAll()
      tryGateways()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    addAddress: async (text, given) => {
      watch()
      return addAddress(text, given)
    },
    findImei,
    resumed: () => {
      watching?.rebuild()
      pollAll()
    },
    gatewayAddresses: async (given) => {
      watch()
      return gatewayAddresses(given)
    },
    sweep,
    selfTest: async () => {
      watch()
      const leftMs = watchedSinceMs + selfTestAfterMs - nowMs()
      if (leftMs > 0) await new Promise((done) => setTimeout(done, leftMs))
      return runSelfTest(watching?.report() ?? [], sightings.showAll())
    },
    probeNow: async (key, { signal } = {}) => {
      const entry = sightings.get(key)
      if (!entry) return undefined
      const outcome = await probeEntry(entry, probe, signal ? AbortSignal.any([signal, ending.signal]) : ending.signal)
      if (outcome) sightings.answered(entry, outcome.result, outcome.place)
      changed()
      return sightings.show(entry)
    },
    setSignedIn: (key, isSignedIn) => {
      if (sightings.setSignedIn(key, isSignedIn)) changed()
    }
  }
}

/** A host whose name is heard but that never answers is asked less and less often. */
function pauseFor(entry: DeviceEntry): number {
  return Math.min(pollMs * 2 ** entry.muteRounds, 60_000)
}

function placeText(sighting: Sighting): string {
  return `${sighting.addresses
    .filter((item) => !item.isLeaving)
    .map((item) => item.address)
    .sort()
    .join(' ')} ${sighting.ports.join(' ')}`
}

function shownWithoutTime(text: string): string {
  return text.replace(/"lastSeenAt":"[^"]*",?/, '')
}

/** Web services first, then what stands above the reserved ports; 80 is the device's own management page. */
function portsOf(host: HeardHost): number[] {
  const isWeb = (type: string): boolean => type.includes('http')
  return [...host.services]
    .filter((service) => service.port !== 80 && (isWeb(service.type) || service.port > 1023))
    .sort((a, b) => Number(isWeb(b.type)) - Number(isWeb(a.type)) || a.port - b.port)
    .map((service) => service.port)
    .filter((port, index, all) => all.indexOf(port) === index)
    .slice(0, 3)
}

export type { Finding, NetworkCard }
