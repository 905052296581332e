import type { Reading } from '../../preload/contract/device/deviceAreas.ts'
import type { EcuEntry } from '../../preload/contract/device/workspace.ts'
import type { CallOptions, Wire } from './wire.ts'

export interface EcuConfiguration {
  PRIMARY_CAN: string
  SECONDARY_CAN: string
  J1708: string
  LISTEN_ONLY_MODE: string
}

/** `/ecu/*` is write-only; the gateway shows the effect. Answers are not documented. */
export function ecuArea(wire: Wire) {
  return {
    addParameter: (input: EcuEntry, options?: CallOptions): Promise<Reading<unknown>> => wire.command('ecu.addParameter', { body: input }, options),
    configure: (input: EcuConfiguration, options?: CallOptions): Promise<Reading<unknown>> => wire.command('ecu.configure', { body: input }, options)
  }
}
