import type { ExerciseResult } from '../../../preload/contract/app/exercises.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

const name = '$exercises'
const keptResults = 500
/** What results of earlier versions lack. */
const unknown = { id: null, by: '', vehicle: '', limitS: 900, answers: [], hintsUsed: 0, dangers: [], deeds: [], parts: null } as const satisfies Partial<ExerciseResult>

/** Training exercises, newest first; only the training data folder has any. */
export function createExerciseStore(data: DataFile) {
  const get = data.prepare<[string], { value: string }>('select value from setting where name = ?')
  const put = data.prepare('insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value')

  function list(): ExerciseResult[] {
    const row = get.get(name)
    return row ? readJson<ExerciseResult[]>(row.value).map((result) => ({ ...unknown, ...result })) : []
  }

  return {
    list,
    keep(result: ExerciseResult): void {
      data.write(() => put.run(name, JSON.stringify([result, ...list()].slice(0, keptResults))))
    }
  }
}
