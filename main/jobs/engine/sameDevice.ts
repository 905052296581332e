import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { proveIdentity, watchIdentity, type IdentifiedDevice, type IdentityWatch } from '../../connections/identity.ts'
import { mismatch, unreadable, type Outcome } from './check.ts'
import { otherNumber } from './otherNumber.ts'

export interface SameDeviceOptions {
  device: IdentifiedDevice
  imei: string
  changed(error: AppError): void
  reportFault(error: unknown): void
}

/** Sees to it that a job is credited with nothing that another device did: one may be plugged in at any moment. */
export interface SameDevice extends IdentityWatch {
  /** An outcome that the device confirms, once that device has confirmed again who it is. */
  believe(outcome: Outcome, signal: AbortSignal): Promise<Outcome>
}

export function keepSameDevice(options: SameDeviceOptions): SameDevice {
  const watch = watchIdentity(options)
  return {
    ...watch,
    async believe(outcome, signal) {
      const isCredit = outcome.state === 'pass' || outcome.state === 'warn'
      if (!isCredit || !outcome.witness.includes('device')) return outcome
      try {
        await proveIdentity(options.device, options.imei, { signal })
        return outcome
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
        if (error.code !== 'WRONG_DEVICE') {
          return unreadable(message('jobs.notProvedAgain', { why: error.sentence }), message('jobs.runAgainWhileAnswering'))
        }
        options.changed(error)
        return otherDevice(error)
      }
    }
  }
}

/** How a step ends while which another device was found in the place of the job's own. */
export function otherDevice(error: AppError): Outcome {
  const { hostname, imei } = error.sentence.values
  const outcome = mismatch(error.sentence, message('jobs.otherDeviceCountsNot'), ['device'])
  return typeof hostname === 'string' && typeof imei === 'string' ? otherNumber(outcome, imei, [{ who: 'hostName', says: hostname, isSame: false }]) : outcome
}
