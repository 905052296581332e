import { computed, onBeforeUnmount, onMounted, ref, shallowRef, watch } from 'vue'
import { BridgeError, call } from '../../bridge.ts'
import type { WitnessPlace } from '../../map/places.ts'
import { useDevices } from '../devices/devices.store.ts'
import { at, numberAt } from '../workspace/values.ts'
import type { DeviceWitness } from './agreement.ts'

const everyMs = 5_000

/** The device beside the person: the vehicle's own where it is near, else another one that proved who it is. */
export function useDeviceHere(theirs: () => string | null) {
  const devices = useDevices()
  const chosen = ref('')
  const place = shallowRef<WitnessPlace | null>(null)
  const lines = shallowRef<Readonly<Record<string, unknown>> | null>(null)
  let timer: ReturnType<typeof setInterval> | undefined
  let isReading = false

  /** Only a device that proved who it is can be held against the vehicle's. */
  const nearby = computed(() => devices.devices.filter((device) => device.standing === 'verified' && device.imei !== null))
  const here = computed(() => nearby.value.find(({ imei }) => imei === chosen.value) ?? nearby.value.find(({ imei }) => imei === theirs()) ?? nearby.value[0] ?? null)
  const isSame = computed(() => here.value !== null && here.value.imei === theirs())
  const witness = computed<DeviceWitness | null>(() => (here.value?.imei ? { imei: here.value.imei, place: isSame.value ? place.value : null, lines: isSame.value ? lines.value : null } : null))

  async function read(): Promise<void> {
    const device = here.value
    if (!device?.signedIn || !isSame.value || isReading) return
    isReading = true
    try {
      const { areas } = await call('device.read', { key: device.key, areas: ['gps', 'io'] })
      const gps = areas.gps?.value ?? null
      const latitude = numberAt(gps, 'coords', 'latitude')
      const longitude = numberAt(gps, 'coords', 'longitude')
      place.value = latitude === undefined || longitude === undefined ? null : { latitude, longitude, atMs: Date.parse(areas.gps?.readAt ?? '') }
      const io = at(areas.io?.value ?? null)
      lines.value = io !== null && typeof io === 'object' && !Array.isArray(io) ? (io as Record<string, unknown>) : null
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error
      // The screen is about the gateway's side; why a device does not answer is said on its own screen.
      place.value = null
      lines.value = null
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
    place.value = null
    lines.value = null
    void read()
  }, { immediate: true })

  /** Holds another device of those that are near against the vehicle's. */
  function compareWith(imei: string): void {
    chosen.value = imei
  }

  return { nearby, here, isSame, witness, place, compareWith }
}
