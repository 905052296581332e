import { ioState, type IoState, type OutputLine, type Reading } from '../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export interface IoArea {
  /** `GET /IO/all`: booleans; AN1, AN2, DAN and BAT (the internal battery) in mV. There is no supply voltage. */
  all(options?: CallOptions): Promise<Reading<IoState>>
  /**
   * `POST /IO/OUT1/true`. The answer is not documented: read OUTn and SOn back. The device has no timer: nothing switches
   * an output off when the connection drops. This client does not check the interlock; its callers do.
   */
  setOutput(input: { out: OutputLine; state: boolean }, options?: CallOptions): Promise<Reading<unknown>>
}

export function ioArea(wire: Wire): IoArea {
  return {
    all: (options) => wire.read('io.all', ioState, options),
    setOutput: ({ out, state }, options) => wire.command('io.setOutput', { params: { out, state: String(state) } }, options)
  }
}
