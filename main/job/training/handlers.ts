import { AppError } from '../../../preload/contract/errors.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Exercises } from './exercises.ts'
import type { Training } from './training.ts'
import { message } from '../../../preload/contract/messages.ts'

interface TrainingHandlerParts {
  training: Training | null
  exercises: Exercises | null
  /** The results as a file for the person, or for their team leader. */
  print(at: string | undefined): Promise<{ fileName: string; mediaType: string; content: Uint8Array }>
}

/** The calls of the training drawer and of the exercises; refused outside of the training workplace. */
export function createTrainingHandlers({ training, exercises, print }: TrainingHandlerParts): HandlersOf<'training'> {
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
    'training.act': ({ imei, act }) => {
      practice().watchAct(imei, act)
      present().act(imei, act)
    },
    'training.exercises': () => ({
      running: practice().running(),
      causes: practice().causes(),
      results: practice().results(),
      list: practice().list(),
      tour: practice().tour()
    }),
    'training.startExercise': (wanted) =>
      'id' in wanted ? practice().startListed(wanted.id) : practice().start(wanted.imei, wanted.area),
    'training.nameCause': ({ cause }) => ({ result: practice().nameCause(cause) }),
    'training.hint': () => practice().hint(),
    'training.openYard': ({ imei, faults }) => practice().openYard(imei, faults),
    'training.print': async ({ at }) => {
      practice()
      const { content, ...file } = await print(at)
      return { ...file, base64: Buffer.from(content).toString('base64') }
    }
  }
}
