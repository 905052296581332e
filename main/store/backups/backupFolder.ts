import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

const name = '$backupPlace'

/** An additional folder for backups on another disk; null when none was chosen. */
export function createBackupPlace(data: DataFile) {
  const read = data.prepare<[string], { value: string }>('select value from setting where name = ?')
  const put = data.prepare('insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value')
  return {
    get(): string | null {
      const row = read.get(name)
      const folder = row && readJson<unknown>(row.value)
      return typeof folder === 'string' ? folder : null
    },
    set: (folder: string | null) => data.write(() => void put.run(name, JSON.stringify(folder)))
  }
}
