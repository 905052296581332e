import { orAborted } from '../../../base/time/pause.ts'
import type { CallOptions } from '../../../device/client/wire.ts'
import type { DevicePort } from './ports.ts'

/** An answer this recent serves all callers. */
const freshMs = 900

/**
 * The device for checks that run side by side: equal readings share a request. Writes, and readings of its identity,
 * never do.
 */
export function shareDevice(device: DevicePort, monotonicMs: () => number) {
  type Ask<Options, Answer> = (options?: Options) => Promise<Answer>

  function shared<Options extends { signal?: AbortSignal } | undefined, Answer>(
    ask: Ask<Options, Answer>
  ): (beganMs: number) => Ask<Options, Answer> {
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
    /** For a check that began then: it never gets an earlier reading. */
    since: (beganMs: number): DevicePort => ({
      ...device,
      gps: { ...device.gps, position: position(beganMs) },
      modem: { ...device.modem, information: information(beganMs) }
    })
  }
}
