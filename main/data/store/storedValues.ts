import type { DataFile } from './file/database.ts'
import { readJson } from './file/errors.ts'

/** Single values by name, stored as JSON. The names of settings that are not the person's begin with `$`. */
export function createStoredValues(data: DataFile, table: 'setting' | 'preference') {
  const one = data.prepare<[string], { value: string }>(`select value from ${table} where name = ?`)
  const insert = data.prepare(
    `insert into ${table} (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`
  )
  const remove = data.prepare(`delete from ${table} where name = ?`)
  return {
    /** Null when it was never stored. */
    read<Value>(name: string): Value | null {
      const row = one.get(name)
      return row ? readJson<Value>(row.value) : null
    },
    put: (name: string, value: unknown): void => void data.write(() => insert.run(name, JSON.stringify(value))),
    drop: (name: string): void => void data.write(() => remove.run(name))
  }
}
