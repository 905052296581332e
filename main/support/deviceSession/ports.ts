import type { DeviceClient } from '../../device/client/client.ts'

export interface OpenedDevice {
  key: string
  imei: string | null
  model: string | null
  /** The `host:port` in use. */
  address: string
  device: DeviceClient
}
