import {
  wifiList,
  wifiScan,
  wifiState,
  type Reading,
  type WifiList,
  type WifiScan,
  type WifiState
} from '../../../../preload/contract/device/deviceAreas.ts'
import { assertNetwork, assertRemovable } from './wifiText.ts'
import type { CallOptions, Wire } from '../wire.ts'

/** `/wifi/*`. All are GETs, including changes; the answers of changes are not documented. */
export function wifiArea(wire: Wire) {
  return {
    /** `GET /wifi/state`: `signal` in dBm, as a string. */
    state: (options?: CallOptions): Promise<Reading<WifiState>> => wire.read('wifi.state', wifiState, options),
    /** Enables the interface. */
    start: (options?: CallOptions): Promise<Reading<unknown>> => wire.command('wifi.start', {}, options),
    /** Disables the interface: a client connected through it cuts its own connection. */
    stop: (options?: CallOptions): Promise<Reading<unknown>> => wire.command('wifi.stop', {}, options),
    reset: (options?: CallOptions): Promise<Reading<unknown>> => wire.command('wifi.reset', {}, options),
    /** `GET /wifi/list`: the saved networks. */
    list: (options?: CallOptions): Promise<Reading<WifiList>> => wire.read('wifi.list', wifiList, options),
    /** `GET /wifi/scan`: networks in range, `signal` in dBm. May take seconds. */
    scan: (options?: CallOptions): Promise<Reading<WifiScan>> => wire.read('wifi.scan', wifiScan, options),
    /** Saves a network; without a password (or with an empty one) an open network. The password is part of the path. */
    async add(
      { ssid, password }: { ssid: string; password?: string | undefined },
      options?: CallOptions
    ): Promise<Reading<unknown>> {
      assertNetwork({ ssid, password })
      return wire.command(
        'wifi.add',
        { params: { ssid, password }, secrets: [password], passwords: [password] },
        options
      )
    },
    async remove({ ssid }: { ssid: string }, options?: CallOptions): Promise<Reading<unknown>> {
      assertRemovable({ ssid })
      return wire.command('wifi.remove', { params: { ssid } }, options)
    }
  }
}
