import { AppError } from '../../preload/contract/errors.ts'
import type { HandlersOf } from '../../preload/contract/index.ts'
import type { Exercises } from './exercises.ts'
import type { Training } from './training.ts'
import { message } from '../../preload/contract/messages.ts'

/** The calls of the training drawer; refused outside of the training workplace. */
export function createTrainingHandlers(training: Training | null, exercises: Exercises | null): HandlersOf<'training'> {
  function present(): Training {
    if (!training) throw new AppError('INVALID_REQUEST', message('app.notInTraining'))
    return training
  }

  function practice(): Exercises {
    if (!exercises) throw new AppError('INVALID_REQUEST', message('app.notInTraining'))
    return exercises
  }

  return {
    'training.vehicles': () => present().describe(),
    'training.act': ({ imei, act }) => present().act(imei, act),
    'training.exercises': () => ({ running: practice().running(), causes: practice().causes(), results: practice().results() }),
    'training.startExercise': ({ imei, area }) => practice().start(imei, area),
    'training.nameCause': ({ cause }) => ({ result: practice().nameCause(cause) })
  }
}
