import {
  hotspotList,
  hotspotState,
  type HotspotList,
  type HotspotState,
  type Reading
} from '../../../../preload/contract/device/deviceAreas.ts'
import { assertHotspot } from './wifiText.ts'
import type { CallOptions, Wire } from '../wire.ts'

/** `/hotspot/*`. All are GETs, including changes; the answers of changes are not documented. */
export function hotspotArea(wire: Wire) {
  return {
    /** `GET /hotspot/list`: the clients; the shape of one is not documented. */
    list: (options?: CallOptions): Promise<Reading<HotspotList>> => wire.read('hotspot.list', hotspotList, options),
    /** `GET /hotspot/state`: `pass` is masked, by the device and again here. */
    state: (options?: CallOptions): Promise<Reading<HotspotState>> => wire.read('hotspot.state', hotspotState, options),
    /** Creates the hotspot. The password is part of the path. */
    async edit(
      { name, password }: { name: string; password: string },
      options?: CallOptions
    ): Promise<Reading<unknown>> {
      assertHotspot({ name, password })
      return wire.command(
        'hotspot.edit',
        { params: { name, password }, secrets: [password], passwords: [password] },
        options
      )
    },
    /** The device's Wi-Fi leaves its network for it. */
    start: (options?: CallOptions): Promise<Reading<unknown>> => wire.command('hotspot.start', {}, options),
    stop: (options?: CallOptions): Promise<Reading<unknown>> => wire.command('hotspot.stop', {}, options)
  }
}
