import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { DeviceArea } from '../../../preload/contract/device.ts'
import type { DeviceTable, NetworkCard, SeenDevice } from '../../../preload/contract/discovery.ts'
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

/** The table of devices seen, and everything that is done to find one or get into it. */
export const useDevices = defineStore('devices', () => {
  const table = ref<DeviceTable | null>(null)
  /** Best first, in the order of first sight within a standing: a card never jumps because it was heard again. */
  const devices = computed(() =>
    [...(table.value?.devices ?? [])].sort(
      (a, b) => order[a.standing] - order[b.standing] || a.firstSeenMs - b.firstSeenMs || a.key.localeCompare(b.key)
    )
  )

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

  async function signIn(input: CallInput<'device.signIn'>): Promise<CallOutput<'device.signIn'>> {
    return call('device.signIn', input)
  }

  async function signOut(key: string): Promise<void> {
    await call('device.signOut', { key })
  }

  async function read(key: string, areas: DeviceArea[]): Promise<CallOutput<'device.read'>['areas']> {
    return (await call('device.read', { key, areas })).areas
  }

  return { table, devices, byKey, byImei, cardOf, watch, ask, addAddress, findImei, signIn, signOut, read }
})
