import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { DeviceArea } from '../../../preload/contract/device.ts'
import type { CardNetwork, DeviceTable, KnownDevice, NetworkCard, SeenDevice, SweepState } from '../../../preload/contract/discovery.ts'
import type { CallInput, CallOutput } from '../../../preload/contract/index.ts'
import { call } from '../../bridge.ts'

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

/** A device that was seen at another address before. */
export interface Move {
  from: string
  at: string
}

/** The table of devices seen, and everything that is done to find one or get into it. */
export const useDevices = defineStore('devices', () => {
  const table = ref<DeviceTable | null>(null)
  /** Best first, in the order of first sight within a standing: a card never jumps because it was heard again. */
  const devices = computed(() =>
    [...(table.value?.devices ?? [])].sort(
      (a, b) => order[a.standing] - order[b.standing] || a.firstSeenMs - b.firstSeenMs || a.key.localeCompare(b.key)
    )
  )

  const moves = ref<Record<string, Move>>({})
  const known = shallowRef<KnownDevice[]>([])
  const networks = shallowRef<CardNetwork[]>([])
  const sweep = shallowRef<SweepState | null>(null)
  /** Known from before and not heard since Fitter listens, newest first. */
  const absent = computed(() => known.value.filter(({ imei }) => byImei(imei) === undefined))

  /** Takes the whole table; a device that left the address it was used at is noted. */
  function take(next: DeviceTable): void {
    for (const device of next.devices) {
      const before = byKey(device.key)
      const from = before?.addresses[0]
      if (device.standing === 'lost' || from === undefined || device.addresses.length === 0 || device.addresses.includes(from)) continue
      moves.value[device.key] = { from, at: device.lastSeenAt }
    }
    table.value = next
  }

  function labelOf(imei: string | null): string {
    return known.value.find((device) => device.imei === imei)?.label ?? ''
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

  async function ask(): Promise<void> {
    await call('discovery.ask', {})
  }

  async function addAddress(input: CallInput<'discovery.addAddress'>): Promise<CallOutput<'discovery.addAddress'>> {
    return call('discovery.addAddress', input)
  }

  async function findImei(imei: string): Promise<CallOutput<'discovery.findImei'>> {
    return call('discovery.findImei', { imei })
  }

  async function readLabel(text: string): Promise<CallOutput<'discovery.readLabel'>> {
    return call('discovery.readLabel', { text: text.slice(0, 2000) })
  }

  async function loadKnown(): Promise<void> {
    known.value = (await call('discovery.known', {})).devices
  }

  async function loadNetworks(): Promise<void> {
    const [found, state] = await Promise.all([call('discovery.gateways', {}), call('discovery.sweepState', {})])
    networks.value = found.networks
    sweep.value = state.sweep
  }

  async function startSweep(card: string): Promise<void> {
    sweep.value = await call('discovery.sweep', { card })
  }

  async function stopSweep(): Promise<void> {
    await call('discovery.stopSweep', {})
  }

  async function setLabel(imei: string, label: string): Promise<void> {
    await call('discovery.label', { imei, label })
    await loadKnown()
  }

  async function forget(imei: string): Promise<void> {
    await call('discovery.forget', { imei })
    await loadKnown()
  }

  async function signIn(input: CallInput<'device.signIn'>): Promise<CallOutput<'device.signIn'>> {
    return call('device.signIn', input)
  }

  async function signInKept(key: string): Promise<CallOutput<'device.signInKept'>> {
    return call('device.signInKept', { key })
  }

  async function signOut(key: string): Promise<void> {
    await call('device.signOut', { key })
  }

  async function read(key: string, areas: DeviceArea[]): Promise<CallOutput<'device.read'>['areas']> {
    return (await call('device.read', { key, areas })).areas
  }

  return {
    table,
    devices,
    moves,
    known,
    absent,
    networks,
    sweep,
    take,
    byKey,
    byImei,
    byAddress,
    cardOf,
    labelOf,
    watch,
    ask,
    addAddress,
    findImei,
    readLabel,
    loadKnown,
    loadNetworks,
    startSweep,
    stopSweep,
    setLabel,
    forget,
    signIn,
    signInKept,
    signOut,
    read
  }
})
