import { orAborted } from '../../time/pause.ts'
import type { CallOptions } from '../../device/wire.ts'
import type { DevicePort } from './ports.ts'

export interface SharedDeviceOptions {
  monotonicMs(): number
  /** An answer this recent serves all callers. */
  freshMs: number
}

export interface SharedDevice {
  /** For a check that began then: it never gets an earlier reading. */
  since(beganMs: number): DevicePort
}

/**
 * The device for checks that run side by side: what several of them read at the same time is asked once. Only readings
 * are shared. Whatever writes goes through as it is, and who the device is is always asked anew, by the session.
 */
export function shareDevice(device: DevicePort, { monotonicMs, freshMs }: SharedDeviceOptions): SharedDevice {
  type Ask<Options, Answer> = (options?: Options) => Promise<Answer>

  function shared<Options extends { signal?: AbortSignal } | undefined, Answer>(ask: Ask<Options, Answer>): (beganMs: number) => Ask<Options, Answer> {
    let last: { atMs: number; answer: Promise<Answer> } | undefined
    return (beganMs) => (options) => {
      if (!last || last.atMs <= beganMs || monotonicMs() - last.atMs > freshMs) {
        // Bound to no check's signal: it must not end with the check that asked first. The client has its own limit.
        const { signal: _signal, ...rest } = options ?? {}
        const asked = { atMs: monotonicMs(), answer: ask(rest as Options) }
        last = asked
        asked.answer.catch(() => {
          if (last === asked) last = undefined
        })
      }
      return options?.signal ? orAborted(last.answer, options.signal) : last.answer
    }
  }

  const position = shared((options: CallOptions | undefined) => device.gps.position(options))
  const information = shared((options: CallOptions | undefined) => device.modem.information(options))
  return {
    since: (beganMs) => ({
      ...device,
      gps: { ...device.gps, position: position(beganMs) },
      modem: { ...device.modem, information: information(beganMs) }
    })
  }
}
