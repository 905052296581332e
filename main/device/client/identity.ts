import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { whyPlaceholder } from '../../base/reading/imeiSentence.ts'
import { sameHost } from './facts.ts'

/** How long a proof of identity is valid if waiting for the next one would keep an output on. */
const holdsMs = 3_000

/** The expected device of a client, and when it was last confirmed. */
export type IdentityProof = ReturnType<typeof createIdentityProof>

export function createIdentityProof(imei: string) {
  let provedAtMs = -Infinity
  /** Records the answer of `/system-info`. */
  function heard(hostname: string | undefined): void {
    provedAtMs = hostname !== undefined && sameHost(hostname, imei) ? performance.now() : -Infinity
  }
  return {
    imei,
    heard,
    /** The same, and throws WRONG_DEVICE for a different device, UNREADABLE for one without a name. */
    demand(hostname: string | undefined): void {
      heard(hostname)
      demandDevice(hostname, imei)
    },
    isFresh: (): boolean => performance.now() - provedAtMs < holdsMs
  }
}

/**
 * Throws WRONG_DEVICE when this host name (`<model>-<IMEI>`) belongs to a different device, UNREADABLE without a name
 * of its own.
 */
export function demandDevice(hostname: string | undefined, imei: string): void {
  if (!hostname) throw new AppError('UNREADABLE', message('device.hidesName'), { retryable: true })
  const placeholder = whyPlaceholder(hostname)
  if (placeholder) throw new AppError('UNREADABLE', placeholder, { retryable: true })
  if (!sameHost(hostname, imei)) {
    throw new AppError('WRONG_DEVICE', message('device.another', { hostname, imei }))
  }
}
