import { AppError } from '../../preload/contract/errors.ts'
import { demandDevice } from '../device/identity.ts'
import type { SystemArea } from '../device/system.ts'
import type { CallOptions } from '../device/wire.ts'

export interface IdentifiedDevice {
  system: Pick<SystemArea, 'info'>
}

/**
 * Reads `/system-info` again. Throws WRONG_DEVICE, naming who answers, when it is another device; UNREADABLE when the
 * device hides its name; else what the request itself failed with.
 */
export async function proveIdentity(device: IdentifiedDevice, imei: string, options: CallOptions = {}): Promise<void> {
  const { value } = await device.system.info({ timeoutMs: 3_000, ...options })
  demandDevice(value.hostname, imei)
}

export interface IdentityWatch {
  /** Looks at once: after a gap in which another device may have been put in. */
  look(): void
  stop(): void
}

export interface IdentityWatchOptions {
  device: IdentifiedDevice
  imei: string
  everyMs?: number
  /** Another device answers (WRONG_DEVICE). Told once; nobody looks any more then. */
  changed(error: AppError): void
  reportFault(error: unknown): void
}

const usualEveryMs = 3_000

/** Reads every few seconds who answers, as long as somebody works with the device. A device that is silent stays who it is. */
export function watchIdentity(options: IdentityWatchOptions): IdentityWatch {
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
