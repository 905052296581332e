import { AppError } from '../../../preload/contract/errors.ts'
import { demandDevice } from '../../device/client/identity.ts'
import type { SystemArea } from '../../device/client/system.ts'
import type { CallOptions } from '../../device/client/wire.ts'

export interface IdentifiedDevice {
  system: Pick<SystemArea, 'info'>
}

/**
 * Reads `/system-info` again. Throws WRONG_DEVICE for a different one, UNREADABLE when the name is hidden, or the
 * request's failure.
 */
export async function proveIdentity(device: IdentifiedDevice, imei: string, options: CallOptions = {}): Promise<void> {
  const { value } = await device.system.info({ timeoutMs: 3_000, ...options })
  demandDevice(value.hostname, imei)
}

export interface IdentityWatchOptions {
  device: IdentifiedDevice
  imei: string
  everyMs?: number
  /** A different device answers (WRONG_DEVICE). Called once; nothing is checked any more then. */
  changed(error: AppError): void
  reportFault(error: unknown): void
}

const usualEveryMs = 3_000

/** Checks every few seconds which device answers, while someone works with it. A silent device keeps its identity. */
export function watchIdentity(options: IdentityWatchOptions) {
  const everyMs = options.everyMs ?? usualEveryMs
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  async function read(): Promise<void> {
    try {
      await proveIdentity(options.device, options.imei, { signal: abort.signal })
    } catch (error) {
      if (abort.signal.aborted) return
      if (!(error instanceof AppError)) throw error
      if (error.code !== 'WRONG_DEVICE') return
      stop()
      options.changed(error)
    }
  }

  /** Checks at once: after a gap in which the device may have been exchanged. */
  function look(): void {
    clearTimeout(timer)
    looking ??= read()
      .catch(options.reportFault)
      .finally(() => {
        looking = undefined
        if (!abort.signal.aborted) timer = setTimeout(look, everyMs)
      })
  }

  function stop(): void {
    abort.abort()
    clearTimeout(timer)
  }

  timer = setTimeout(look, everyMs)
  return { look, stop }
}
