import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type {
  CardNetwork,
  DeviceTable,
  KnownDevice,
  NetworkCard,
  SeenDevice,
  SweepState,
  TableChange
} from '../../../preload/contract/device/discovery.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { call } from '../../base/bridge.ts'
import { useToasts } from '../../base/shell/toasts.store.ts'

const order: Record<SeenDevice['standing'], number> = {
  verified: 0,
  needsSignIn: 1,
  answering: 2,
  found: 3,
  impostor: 4,
  conflict: 5,
  wrongService: 6,
  lost: 7
}

const mostPerPage = 200

/** A device that was seen at another address before. */
export interface Move {
  from: string
  at: string
}

/** The table of devices seen, and everything that is done to find one or get into it. */
export const useDevices = defineStore('devices', () => {
  const table = ref<DeviceTable | null>(null)
  /** Best state first, in the order of discovery within a state: a card never moves because it was heard again. */
  const devices = computed(() =>
    [...(table.value?.devices ?? [])].sort(
      (a, b) => order[a.standing] - order[b.standing] || a.firstSeenMs - b.firstSeenMs || a.key.localeCompare(b.key)
    )
  )

  /** Those that answer or were heard a moment ago. */
  const near = computed(() => devices.value.filter(({ standing }) => standing !== 'lost'))
  /** The network cards on which Fitter hears devices. */
  const listening = computed(() => (table.value?.cards ?? []).filter((card) => card.listening))

  let isAskingAgain: Promise<void> | undefined
  const moves = ref<Record<string, Move>>({})
  /** Known devices that were not found since Fitter listens, last seen first, as far as they were loaded. */
  const absent = shallowRef<KnownDevice[]>([])
  const absentTotal = ref(0)
  const absentNext = ref<string | null>(null)
  const networks = shallowRef<CardNetwork[]>([])
  const sweep = shallowRef<SweepState | null>(null)

  /**
   * Shows what changed; a device that left the address it was used at is noted. A change from before the whole table is
   * in it already.
   */
  function receive(change: TableChange): void {
    if (!table.value || change.changeNumber <= table.value.changeNumber) return
    if (change.changeNumber > table.value.changeNumber + 1) {
      askAgain()
      return
    }
    for (const device of change.devices) {
      const before = byKey(device.key)
      const from = before?.addresses[0]
      if (
        device.standing === 'lost' ||
        from === undefined ||
        device.addresses.length === 0 ||
        device.addresses.includes(from)
      )
        continue
      moves.value[device.key] = { from, at: device.lastSeenAt }
    }
    const changed = new Map(change.devices.map((device) => [device.key, device]))
    const gone = new Set(change.gone)
    const kept = table.value.devices
      .filter(({ key }) => !gone.has(key))
      .map((device) => {
        const now = changed.get(device.key)
        changed.delete(device.key)
        return now ?? device
      })
    table.value = {
      devices: [...kept, ...changed.values()],
      cards: change.cards,
      lastHeardAt: change.lastHeardAt,
      changeNumber: change.changeNumber
    }
  }

  function labelOf(imei: string | null): string {
    if (imei === null) return ''
    return byImei(imei)?.label ?? absent.value.find((device) => device.imei === imei)?.label ?? ''
  }

  function byAddress(address: string): SeenDevice | undefined {
    return table.value?.devices.find((device) => device.standing !== 'lost' && device.addresses.includes(address))
  }

  function byKey(key: string): SeenDevice | undefined {
    return table.value?.devices.find((device) => device.key === key)
  }

  function byImei(imei: string): SeenDevice | undefined {
    return table.value?.devices.find((device) => device.imei === imei)
  }

  function cardOf(device: SeenDevice): NetworkCard | undefined {
    return table.value?.cards.find((card) => card.name === device.card)
  }

  async function watch(): Promise<void> {
    moves.value = {}
    table.value = await call('discovery.watch', {})
  }

  /** A change was missed on the way (the page was away for a moment). */
  function askAgain(): void {
    isAskingAgain ??= call('discovery.watch', {})
      .then((whole) => void (table.value = whole), useToasts().sayFailure)
      .finally(() => (isAskingAgain = undefined))
  }

  /** The first ones, or as many as are shown already. */
  async function loadAbsent(limit: number): Promise<void> {
    showAbsent([], await call('discovery.known', { limit: Math.min(mostPerPage, Math.max(1, limit)) }))
  }

  async function loadMoreAbsent(): Promise<void> {
    if (absentNext.value === null) return
    showAbsent(absent.value, await call('discovery.known', { after: absentNext.value, limit: mostPerPage }))
  }

  function showAbsent(before: KnownDevice[], page: CallOutput<'discovery.known'>): void {
    absent.value = [...before, ...page.devices]
    absentNext.value = page.next
    absentTotal.value = page.total
  }

  async function loadNetworks(): Promise<void> {
    const [found, state] = await Promise.all([call('discovery.gateways', {}), call('discovery.sweepState', {})])
    networks.value = found.networks
    sweep.value = state.sweep
  }

  async function startSweep(card: string): Promise<void> {
    sweep.value = await call('discovery.sweep', { card })
  }

  async function setLabel(imei: string, label: string): Promise<void> {
    await call('discovery.label', { imei, label })
    await loadAbsent(absent.value.length)
  }

  async function forget(imei: string): Promise<void> {
    await call('discovery.forget', { imei })
    await loadAbsent(absent.value.length)
  }

  return {
    table,
    devices,
    near,
    listening,
    moves,
    absent,
    absentTotal,
    absentNext,
    networks,
    sweep,
    receive,
    byKey,
    byImei,
    byAddress,
    cardOf,
    labelOf,
    watch,
    loadAbsent,
    loadMoreAbsent,
    loadNetworks,
    startSweep,
    setLabel,
    forget
  }
})
