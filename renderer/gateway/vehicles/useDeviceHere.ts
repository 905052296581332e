import { computed, onBeforeUnmount, onMounted, shallowRef, watch } from 'vue'
import type { Fact } from '../../../preload/contract/support/facts.ts'
import { BridgeError, call } from '../../base/bridge.ts'
import type { WitnessPlace } from '../../base/instruments/map/mapPositions.ts'
import { useJobs } from '../../base/shell/jobs.store.ts'
import { useDevices } from '../../device/devices/devices.store.ts'

const everyMs = 5_000

/**
 * The connected device: the vehicle's own when nearby, else the one that an open job fits into this vehicle. Any other
 * device nearby has nothing to do with it. `theirs`: the IMEI that the gateway has in the vehicle.
 */
export function useDeviceHere({ vehicleId, theirs }: { vehicleId(): number | null; theirs(): string | null }) {
  const devices = useDevices()
  const jobs = useJobs()
  const facts = shallowRef<readonly Fact[]>([])
  let timer: ReturnType<typeof setInterval> | undefined
  let isReading = false

  /** Only a device with a verified identity can be compared with the vehicle's. */
  const nearby = computed(() =>
    devices.devices.filter((device) => device.standing === 'verified' && device.imei !== null)
  )
  const here = computed(() => {
    const byImei = (imei: string | null) => nearby.value.find((device) => device.imei === imei)
    const fitted = jobs.openJobs.filter(({ vehicle }) => vehicle !== null && vehicle.id === vehicleId())
    return byImei(theirs()) ?? fitted.map(({ device }) => byImei(device.imei)).find(Boolean) ?? null
  })
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

  return { here, isSame, facts, place }
}
