import { AppError } from '../../../preload/contract/errors.ts'
import { proveIdentity } from '../../gateway/accounts/proveIdentity.ts'
import type { DeviceOutputs } from './deviceOutputs.ts'
import type { ClaimRequest, OutputRecord } from './outputRecord.ts'
import type { Fall } from './outputTypes.ts'

const tickMs = 250
/** The wall clock may be set by a little while Fitter runs; a computer that slept is off by more. */
const sleptMs = 5_000

/** While it is on: the conditions, each with its own age limit, and the device's identity. */
export async function watchOn(outputs: DeviceOutputs, kept: OutputRecord, claim: ClaimRequest): Promise<void> {
  let lookedMs = outputs.monotonicMs()
  let wallMs = outputs.now().getTime()
  let other: AppError | undefined
  const isOn = () => kept.state.phase === 'goingOn' || kept.state.phase === 'on'
  while (isOn() && !outputs.isStopped()) {
    const why = other ? { kind: 'otherDevice' as const, error: other } : whyOff(claim)
    if (why) return outputs.fall(kept, why)
    // The monotonic clock may stand still while the computer sleeps.
    const slept = outputs.now().getTime() - wallMs > sleptMs
    if (slept) return outputs.fall(kept, { kind: 'asleep' })
    wallMs = outputs.now().getTime()
    claim.interlock.beginRead()
    if (outputs.monotonicMs() - lookedMs >= claim.limits.identityEveryS * 1000) {
      lookedMs = outputs.monotonicMs()
      proveIdentity(claim.device, outputs.imei, { overtakes: true }).catch((error: unknown) => {
        if (!(error instanceof AppError)) outputs.reportFault(error)
        else if (error.code === 'WRONG_DEVICE') {
          other = error
          kept.waker.wake()
        }
      })
    }
    await kept.waker.sleep(tickMs)
  }
}

/** Why it must not go on, or stay on, now. */
export function whyOff(claim: ClaimRequest): Fall | undefined {
  if (claim.signal.aborted) return { kind: 'asked' }
  const broken = claim.interlock.broken()
  if (broken.length > 0) return { kind: 'conditions', what: broken }
  const isShort = claim.isShort()
  if (isShort) return { kind: 'short' }
  if (isShort === undefined) return { kind: 'shortUnreadable' }
  return claim.over?.()
}
