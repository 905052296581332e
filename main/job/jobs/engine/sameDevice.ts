import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { proveIdentity, watchIdentity, type IdentifiedDevice } from '../../../gateway/accounts/proveIdentity.ts'
import { mismatch, unreadable, type Outcome } from './check.ts'
import { otherNumber } from './otherNumber.ts'

export interface SameDeviceOptions {
  device: IdentifiedDevice
  imei: string
  changed(error: AppError): void
  reportFault(error: unknown): void
}

/** Sees to it that a job is credited with nothing that another device did: one may be plugged in at any moment. */
export function keepSameDevice(options: SameDeviceOptions) {
  return {
    ...watchIdentity(options),
    /** An outcome that the device confirms counts after the device has confirmed again who it is. */
    async believe(outcome: Outcome, signal: AbortSignal): Promise<Outcome> {
      const isCredit = ['pass', 'received', 'warn'].includes(outcome.state)
      if (!isCredit || !outcome.witness.includes('device')) return outcome
      return (await whyNotProved(options.device, options.imei, signal, (error) => options.changed(error))) ?? outcome
    }
  }
}

/** How the step ends when the device cannot confirm that it is the job's; undefined when it does. */
export async function whyNotProved(
  device: IdentifiedDevice,
  imei: string,
  signal: AbortSignal,
  changed?: (error: AppError) => void
): Promise<Outcome | undefined> {
  try {
    await proveIdentity(device, imei, { signal })
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    if (error.code !== 'WRONG_DEVICE')
      return unreadable(message('jobs.notProvedAgain', { why: error.sentence }), message('jobs.runAgainWhileAnswering'))
    changed?.(error)
    return otherDevice(error)
  }
}

/** The end of a step during which another device was found in the place of the job's. */
export function otherDevice(error: AppError): Outcome {
  const { hostname, imei } = error.sentence.values
  const outcome = mismatch(error.sentence, message('jobs.otherDeviceCountsNot'), ['device'])
  return typeof hostname === 'string' && typeof imei === 'string'
    ? otherNumber(outcome, imei, [{ who: 'hostName', says: hostname, isSame: false }])
    : outcome
}
