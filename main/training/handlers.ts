import { AppError } from '../../preload/contract/errors.ts'
import type { HandlersOf } from '../../preload/contract/index.ts'
import type { Training } from './training.ts'
import { message } from '../../preload/contract/messages.ts'

/** The calls of the training drawer; refused outside of the training workplace. */
export function createTrainingHandlers(training: Training | null): HandlersOf<'training'> {
  function present(): Training {
    if (!training) throw new AppError('INVALID_REQUEST', message('app.notInTraining'))
    return training
  }

  return {
    'training.vehicles': () => present().describe(),
    'training.act': ({ imei, act }) => {
      present().act(imei, act)
      return {}
    }
  }
}
