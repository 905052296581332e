import { networkInterfaces } from 'node:os'
import type { CardNetwork, DeviceTable, KnownDevice, SweepState } from '../../preload/contract/discovery.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { isOnCard, listCards, type Interfaces } from './cards.ts'
import { findGateways } from './gatewayRoutes.ts'
import { subnetHosts } from './sweep.ts'
import type { Teller } from '../../preload/contract/events.ts'
import type { Connections } from '../connections/connections.ts'
import type { Store } from '../store/index.ts'

export interface DiscoveryDeskOptions {
  store: Store
  connections: Connections
  events: Teller
  interfaces?: (() => Interfaces) | undefined
  reportFault(error: unknown): void
}

/** What a person does about finding devices, beyond listening: sweeps, gateways, and the memory of known devices. */
export interface DiscoveryDesk {
  networks(signal: AbortSignal): Promise<CardNetwork[]>
  sweep(card: string): SweepState
  stopSweep(): void
  sweepState(): SweepState | null
  known(): KnownDevice[]
  label(imei: string, label: string): KnownDevice
  forget(imei: string): void
  stop(): Promise<void>
}

const tellEveryMs = 200
// Eight at a time, 2 s each where nobody answers (see the prober): what a sweep takes at most.
const longestPerHostMs = 2_000 / 8

export function createDiscoveryDesk({ store, connections, events, interfaces = networkInterfaces, reportFault }: DiscoveryDeskOptions): DiscoveryDesk {
  const { discovery } = connections
  let sweep: SweepState | null = null
  let stopping: AbortController | undefined
  let sweeping: Promise<void> = Promise.resolve()
  let toldAtMs = -Infinity
  /** Verified devices and when they were last heard: written down once they are gone, not at every sight. */
  const present = new Map<string, string>()
  const stopTable = discovery.onChange(noteLastSights)

  function tell(next: SweepState, isUrgent: boolean): void {
    sweep = next
    const nowMs = performance.now()
    if (!isUrgent && nowMs - toldAtMs < tellEveryMs) return
    toldAtMs = nowMs
    events.tell('discovery.sweep', next)
  }

  async function run(start: SweepState, signal: AbortSignal): Promise<void> {
    let last = start
    try {
      await discovery.sweep(start.address, {
        signal,
        onProgress(progress) {
          if (signal.aborted) return
          last = { ...last, ...progress }
          tell(last, false)
        }
      })
      tell({ ...last, leftMs: 0, running: false, ended: 'done' }, true)
    } catch (error) {
      const isStopped = signal.aborted
      if (!isStopped) reportFault(error)
      const problem = isStopped ? null : error instanceof AppError ? error.sentence : message('discovery.sweepFault')
      tell({ ...last, leftMs: 0, running: false, ended: isStopped ? 'stopped' : 'failed', problem }, true)
    }
  }

  function noteLastSights({ devices }: DeviceTable): void {
    for (const { imei, verified, standing, lastSeenAt } of devices) {
      if (imei === null) continue
      if (verified) present.set(imei, lastSeenAt)
      else if (standing === 'lost' && present.delete(imei)) writeLastSight(imei, lastSeenAt)
    }
  }

  function writeLastSight(imei: string, lastSeenAt: string): void {
    const known = store.knownDevices.find(imei)
    if (known && known.lastSeenAt < lastSeenAt) store.knownDevices.remember({ imei, model: known.model, lastSeenAt })
  }

  function findKnown(imei: string): KnownDevice {
    const known = store.knownDevices.find(imei)
    if (!known) throw new AppError('NOT_FOUND', message('discovery.notKnown', { imei }))
    return known
  }

  return {
    async networks(signal) {
      const [found] = await Promise.all([findGateways(), discovery.gatewayAddresses({ signal })])
      return listCards(interfaces()).map((card) => {
        const isOutside = card.kind !== 'loopback'
        return {
          card: card.name,
          address: card.address,
          kind: card.kind,
          gateways: isOutside ? found.filter((gateway) => isOnCard(gateway, card)) : [],
          sweepSize: isOutside ? subnetHosts(card).length : 0
        }
      })
    },
    sweep(cardName) {
      if (sweep?.running) throw new AppError('CONFLICT', message('discovery.stillSearched', { card: sweep.card }))
      const card = listCards(interfaces()).find((item) => item.kind !== 'loopback' && (item.address === cardName || item.name === cardName))
      if (!card) throw new AppError('INVALID_REQUEST', message('discovery.noSuchCard', { card: cardName }))
      const total = subnetHosts(card).length
      const start: SweepState = {
        card: card.name,
        address: card.address,
        asked: 0,
        total,
        found: 0,
        leftMs: Math.round(total * longestPerHostMs),
        running: true,
        ended: null,
        problem: null
      }
      stopping = new AbortController()
      tell(start, true)
      sweeping = run(start, stopping.signal)
      return start
    },
    stopSweep: () => stopping?.abort(),
    sweepState: () => sweep,
    known: () => store.knownDevices.all(),
    label(imei, label) {
      const { model, lastSeenAt } = findKnown(imei)
      store.knownDevices.remember({ imei, model, lastSeenAt, label })
      return findKnown(imei)
    },
    forget(imei) {
      present.delete(imei)
      store.knownDevices.forget(imei)
    },
    async stop() {
      stopTable()
      stopping?.abort()
      await sweeping
      for (const { imei, verified, lastSeenAt } of discovery.table().devices) if (imei !== null && verified && present.has(imei)) writeLastSight(imei, lastSeenAt)
    }
  }
}
