import { computed, onBeforeUnmount, onMounted, ref, shallowRef, watch } from 'vue'
import type { Fact } from '../../../preload/contract/support/facts.ts'
import { BridgeError, call } from '../../base/bridge.ts'
import type { WitnessPlace } from '../../base/instruments/map/mapPositions.ts'
import { useDevices } from '../../device/devices/devices.store.ts'

const everyMs = 5_000

/** The connected device: the vehicle's own when nearby, else another one with a verified identity. */
export function useDeviceHere(theirs: () => string | null) {
  const devices = useDevices()
  const chosen = ref('')
  const facts = shallowRef<readonly Fact[]>([])
  let timer: ReturnType<typeof setInterval> | undefined
  let isReading = false

  /** Only a device with a verified identity can be compared with the vehicle's. */
  const nearby = computed(() =>
    devices.devices.filter((device) => device.standing === 'verified' && device.imei !== null)
  )
  const here = computed(
    () =>
      nearby.value.find(({ imei }) => imei === chosen.value) ??
      nearby.value.find(({ imei }) => imei === theirs()) ??
      nearby.value[0] ??
      null
  )
  const isSame = computed(() => here.value !== null && here.value.imei === theirs())
  /** The position from the device itself. */
  const place = computed<WitnessPlace | null>(() => {
    const position = facts.value.find(({ fact }) => fact === 'position')?.device
    return position && typeof position.value === 'object'
      ? { ...position.value, atMs: position.readAt === null ? undefined : Date.parse(position.readAt) }
      : null
  })

  async function read(): Promise<void> {
    const device = here.value
    if (!device?.signedIn || !isSame.value || isReading) return
    isReading = true
    try {
      facts.value = (await call('workspace.compare', { key: device.key })).facts
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error
      // The screen is about the gateway; the device's own screen explains why it does not answer.
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
  watch(
    () => `${String(here.value?.key)} ${String(isSame.value)}`,
    () => {
      facts.value = []
      void read()
    },
    { immediate: true }
  )

  /** Compares another nearby device with the vehicle's. */
  function compareWith(imei: string): void {
    chosen.value = imei
  }

  return { nearby, here, isSame, facts, place, compareWith }
}
