import { AppError } from '../../../preload/contract/errors.ts'
import type { Command } from '../command.ts'

/** A command that is documented and that this version does not have: it says so and names what there is instead. */
export function notInThisVersion(name: string, instead: string): Command {
  return () => Promise.reject(new AppError('INVALID_REQUEST', `This version of Fitter has no "${name}". ${instead}`))
}
