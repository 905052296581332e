import type { DeviceClient } from '../device/client.ts'

/** A device of the table, ready for use. */
export interface OpenedDevice {
  key: string
  imei: string | null
  model: string | null
  /** The `host:port` in use. */
  address: string
  device: DeviceClient
}
