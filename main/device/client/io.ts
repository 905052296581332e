import { ioState, type IoState, type OutputLine, type Reading } from '../../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export type IoArea = ReturnType<typeof ioArea>

export function ioArea(wire: Wire) {
  return {
    /** `GET /IO/all`: booleans; AN1, AN2, DAN and BAT (the internal battery) in mV. There is no supply voltage. */
    all: (options?: CallOptions): Promise<Reading<IoState>> => wire.read('io.all', ioState, options),
    /**
     * `POST /IO/OUT1/true`: read OUTn and SOn back. The device has no timer, and this client checks no interlock; its
     * callers do.
     */
    setOutput: (
      { out, state }: { out: OutputLine; state: boolean },
      options?: CallOptions
    ): Promise<Reading<unknown>> => wire.command('io.setOutput', { params: { out, state: String(state) } }, options)
  }
}
