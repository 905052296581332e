import {
  accelerometerConfiguration,
  accelerometerState,
  type AccelerometerConfiguration,
  type AccelerometerState,
  type Reading
} from '../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export function accelerometerArea(wire: Wire) {
  return {
    /** `GET /storage/hgetall/accel_current_state`: strings; MOTION `0` or `1`. */
    state: (options?: CallOptions): Promise<Reading<AccelerometerState>> => wire.read('accel.state', accelerometerState, options),
    /** `GET /storage/hgetall/accel_configuration`: strings; thresholds in milli-g, times in seconds. */
    configuration: (options?: CallOptions): Promise<Reading<AccelerometerConfiguration>> => wire.read('accel.configuration', accelerometerConfiguration, options),
    /** `POST /Accel/AutoAlignment`: the result cannot be read back. */
    autoAlignment: ({ state }: { state: boolean }, options?: CallOptions): Promise<Reading<unknown>> => wire.command('accel.autoAlignment', { body: { state } }, options)
  }
}
