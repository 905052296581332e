import type { ExerciseResult } from '../../../../preload/contract/app/exercises.ts'
import type { DataFile } from '../file/database.ts'
import { createStoredValues } from '../storedValues.ts'

const name = '$exercises'
const keptResults = 500

/** Training exercises, newest first; only the training data folder has any. */
export function createExerciseStore(data: DataFile) {
  const values = createStoredValues(data, 'setting')
  const list = (): ExerciseResult[] => values.read<ExerciseResult[]>(name) ?? []
  return { list, keep: (result: ExerciseResult): void => values.put(name, [result, ...list()].slice(0, keptResults)) }
}
