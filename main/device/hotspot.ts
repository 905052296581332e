import {
  hotspotList,
  hotspotState,
  type HotspotList,
  type HotspotState,
  type Reading
} from '../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

/** `/hotspot/*`. All are GETs, including changes; the answers of changes are not documented. */
export interface HotspotArea {
  /** `GET /hotspot/list`: the clients; the shape of one is not documented. */
  list(options?: CallOptions): Promise<Reading<HotspotList>>
  /** `GET /hotspot/state`: `pass` is masked, by the device and again here. */
  state(options?: CallOptions): Promise<Reading<HotspotState>>
  /** Creates the hotspot. The password is part of the path. */
  edit(input: { name: string; password: string }, options?: CallOptions): Promise<Reading<unknown>>
  start(options?: CallOptions): Promise<Reading<unknown>>
  stop(options?: CallOptions): Promise<Reading<unknown>>
}

export function hotspotArea(wire: Wire): HotspotArea {
  return {
    list: (options) => wire.read('hotspot.list', hotspotList, options),
    state: (options) => wire.read('hotspot.state', hotspotState, options),
    edit: ({ name, password }, options) =>
      wire.command('hotspot.edit', { params: { name, password }, secrets: [password], passwords: [password] }, options),
    start: (options) => wire.command('hotspot.start', {}, options),
    stop: (options) => wire.command('hotspot.stop', {}, options)
  }
}
