import {
  applications,
  osUpdate,
  systemInfo,
  type Applications,
  type OsUpdate,
  type Reading,
  type SystemInfo
} from '../../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export type SystemArea = ReturnType<typeof systemArea>

export function systemArea(wire: Wire) {
  /** `GET /system-info`: file systems in bytes, CPU usage in percent; `hostname` is `<model>-<IMEI>`. */
  return {
    info: (options?: CallOptions): Promise<Reading<SystemInfo>> => wire.read('system.info', systemInfo, options)
  }
}

export function updatesArea(wire: Wire) {
  /** `GET /updates/os/check` may start an update with a restart, so it counts as a change and a person starts it. */
  return {
    osCheck: (options?: CallOptions): Promise<Reading<OsUpdate>> => wire.read('updates.osCheck', osUpdate, options)
  }
}

export function appsArea(wire: Wire) {
  /** `GET /apps-manager`: the installed applications. */
  return {
    list: (options?: CallOptions): Promise<Reading<Applications>> => wire.read('apps.list', applications, options)
  }
}
