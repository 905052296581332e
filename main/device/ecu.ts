import type { Reading } from '../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

/** "Engine-bus interface configuration": all strings except OFFSET. PGN hexadecimal, trailing zeros trimmed. */
export interface EcuParameter {
  PARAM_NAME: string
  PGN: string
  TRANSMISSION_RATE: string
  PRIORITY: string
  DLC: string
  LENGTH: string
  START_POSITION: string
  MULTIPLIER: string
  GROUP: string
  OFFSET: number
}

export interface EcuConfiguration {
  PRIMARY_CAN: string
  SECONDARY_CAN: string
  J1708: string
  LISTEN_ONLY_MODE: string
}

/** `/ecu/*` is write-only; the gateway shows the effect. Answers are not documented. */
export interface EcuArea {
  addParameter(input: EcuParameter, options?: CallOptions): Promise<Reading<unknown>>
  configure(input: EcuConfiguration, options?: CallOptions): Promise<Reading<unknown>>
}

export function ecuArea(wire: Wire): EcuArea {
  return {
    addParameter: (input, options) => wire.command('ecu.addParameter', { body: input }, options),
    configure: (input, options) => wire.command('ecu.configure', { body: input }, options)
  }
}
