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
export interface EcuArea {
  addParameter(input: EcuEntry, options?: CallOptions): Promise<Reading<unknown>>
  configure(input: EcuConfiguration, options?: CallOptions): Promise<Reading<unknown>>
}

export function ecuArea(wire: Wire): EcuArea {
  return {
    addParameter: (input, options) => wire.command('ecu.addParameter', { body: input }, options),
    configure: (input, options) => wire.command('ecu.configure', { body: input }, options)
  }
}
