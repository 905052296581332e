import { computed } from 'vue'
import { useDevices } from '../../../device/devices/devices.store.ts'

/** Devices whose settings can be read now: found on the network, and without a doubt about who they are. */
export function readableDevices() {
  const devices = useDevices()
  return computed(() =>
    devices.devices.filter(({ standing, signedIn }) => standing === 'verified' || (signedIn && standing !== 'lost'))
  )
}
