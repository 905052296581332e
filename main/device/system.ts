import {
  applications,
  osUpdate,
  systemInfo,
  type Applications,
  type OsUpdate,
  type Reading,
  type SystemInfo
} from '../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export interface SystemArea {
  /** `GET /system-info`: file systems in bytes, CPU usage in percent; `hostname` is `<model>-<IMEI>`. */
  info(options?: CallOptions): Promise<Reading<SystemInfo>>
}

export interface UpdatesArea {
  /**
   * `GET /updates/os/check`: one of the update messages, or the documented error. One of its messages is "Update in
   * progress", with a restart, so it counts as a change: in a job only the step about software calls it, when a person
   * starts that step.
   */
  osCheck(options?: CallOptions): Promise<Reading<OsUpdate>>
}

export interface AppsArea {
  /** `GET /apps-manager`: the installed applications. */
  list(options?: CallOptions): Promise<Reading<Applications>>
}

export function systemArea(wire: Wire): SystemArea {
  return { info: (options) => wire.read('system.info', systemInfo, options) }
}

export function updatesArea(wire: Wire): UpdatesArea {
  return { osCheck: (options) => wire.read('updates.osCheck', osUpdate, options) }
}

export function appsArea(wire: Wire): AppsArea {
  return { list: (options) => wire.read('apps.list', applications, options) }
}
