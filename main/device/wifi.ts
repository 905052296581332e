import {
  wifiList,
  wifiScan,
  wifiState,
  type Reading,
  type WifiList,
  type WifiScan,
  type WifiState
} from '../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

/** `/wifi/*`. All are GETs, including changes; the answers of changes are not documented. */
export interface WifiArea {
  /** `GET /wifi/state`: `signal` in dBm, as a string. */
  state(options?: CallOptions): Promise<Reading<WifiState>>
  /** Enables the interface. */
  start(options?: CallOptions): Promise<Reading<unknown>>
  /** Disables the interface: a client connected through it cuts its own connection. */
  stop(options?: CallOptions): Promise<Reading<unknown>>
  reset(options?: CallOptions): Promise<Reading<unknown>>
  /** `GET /wifi/list`: the saved networks. */
  list(options?: CallOptions): Promise<Reading<WifiList>>
  /** `GET /wifi/scan`: networks in range, `signal` in dBm. May take seconds. */
  scan(options?: CallOptions): Promise<Reading<WifiScan>>
  /** Saves a network; without a password (or with an empty one) an open network. The password is part of the path. */
  add(input: { ssid: string; password?: string | undefined }, options?: CallOptions): Promise<Reading<unknown>>
  remove(input: { ssid: string }, options?: CallOptions): Promise<Reading<unknown>>
}

export function wifiArea(wire: Wire): WifiArea {
  return {
    state: (options) => wire.read('wifi.state', wifiState, options),
    start: (options) => wire.command('wifi.start', {}, options),
    stop: (options) => wire.command('wifi.stop', {}, options),
    reset: (options) => wire.command('wifi.reset', {}, options),
    list: (options) => wire.read('wifi.list', wifiList, options),
    scan: (options) => wire.read('wifi.scan', wifiScan, options),
    add: ({ ssid, password }, options) =>
      wire.command('wifi.add', { params: { ssid, password }, secrets: [password], passwords: [password] }, options),
    remove: ({ ssid }, options) => wire.command('wifi.remove', { params: { ssid } }, options)
  }
}
