import {
  accelerometerConfiguration,
  accelerometerState,
  type AccelerometerConfiguration,
  type AccelerometerState,
  type Reading
} from '../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export interface AccelerometerArea {
  /** `GET /storage/hgetall/accel_current_state`: strings; MOTION `0` or `1`. */
  state(options?: CallOptions): Promise<Reading<AccelerometerState>>
  /** `GET /storage/hgetall/accel_configuration`: strings; thresholds in milli-g, times in seconds. */
  configuration(options?: CallOptions): Promise<Reading<AccelerometerConfiguration>>
  /** `POST /Accel/AutoAlignment`: the result cannot be read back. */
  autoAlignment(input: { state: boolean }, options?: CallOptions): Promise<Reading<unknown>>
}

export function accelerometerArea(wire: Wire): AccelerometerArea {
  return {
    state: (options) => wire.read('accel.state', accelerometerState, options),
    configuration: (options) => wire.read('accel.configuration', accelerometerConfiguration, options),
    autoAlignment: ({ state }, options) => wire.command('accel.autoAlignment', { body: { state } }, options)
  }
}
