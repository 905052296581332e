import { computed, onBeforeUnmount, onMounted, ref, shallowRef, watch } from 'vue'
import type { Fact } from '../../../preload/contract/diagnosis/facts.ts'
import { BridgeError, call } from '../../bridge.ts'
import type { WitnessPlace } from '../../instruments/map/mapPositions.ts'
import { useDevices } from '../devices/devices.store.ts'

const everyMs = 5_000

/** The device beside the person: the vehicle's own where it is near, else another one that proved who it is. */
export function useDeviceHere(theirs: () => string | null) {
  const devices = useDevices()
  const chosen = ref('')
  const facts = shallowRef<readonly Fact[]>([])
  let timer: ReturnType<typeof setInterval> | undefined
  let isReading = false

  /** Only a device that proved who it is can be held against the vehicle's. */
  const nearby = computed(() => devices.devices.filter((device) => device.standing === 'verified' && device.imei !== null))
  const here = computed(() => nearby.value.find(({ imei }) => imei === chosen.value) ?? nearby.value.find(({ imei }) => imei === theirs()) ?? nearby.value[0] ?? null)
  const isSame = computed(() => here.value !== null && here.value.imei === theirs())
  /** Where the device itself says it is. */
  const place = computed<WitnessPlace | null>(() => {
    const told = facts.value.find(({ fact }) => fact === 'position')?.device
    return told && typeof told.value === 'object' ? { ...told.value, atMs: told.readAt === null ? undefined : Date.parse(told.readAt) } : null
  })

  async function read(): Promise<void> {
    const device = here.value
    if (!device?.signedIn || !isSame.value || isReading) return
    isReading = true
    try {
      facts.value = (await call('workspace.compare', { key: device.key })).facts
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error
      // The screen is about the gateway's side; why a device does not answer is said on its own screen.
      facts.value = []
    } finally {
      isReading = false
    }
  }

  onMounted(() => {
    timer = setInterval(() => {
      if (document.visibilityState === 'visible') void read()
    }, everyMs)
  })
  onBeforeUnmount(() => clearInterval(timer))
  watch(() => `${String(here.value?.key)} ${String(isSame.value)}`, () => {
    facts.value = []
    void read()
  }, { immediate: true })

  /** Holds another device of those that are near against the vehicle's. */
  function compareWith(imei: string): void {
    chosen.value = imei
  }

  return { nearby, here, isSame, facts, place, compareWith }
}
