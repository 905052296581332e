import { ethernetState, type EthernetState, type Reading } from '../../preload/contract/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export interface EthernetArea {
  /** `GET /eth/state`: strings, but `connected`; bytes as strings. */
  state(options?: CallOptions): Promise<Reading<EthernetState>>
}

export function ethernetArea(wire: Wire): EthernetArea {
  return { state: (options) => wire.read('eth.state', ethernetState, options) }
}
