import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { ulid } from 'ulid'
import type { DataFile } from '../file/database.ts'
import { onData, readJson } from '../file/errors.ts'
import { databaseFileName } from '../file/fileNames.ts'

const idName = '$workplace'
const keysName = '$sealKeys'
const readSetting = 'select value from setting where name = ?'

/** The public keys that seal jobs here. The private key is in the keychain. */
export function createSealKeyStore(data: DataFile) {
  const read = data.prepare<[string], { value: string }>(readSetting)
  const put = data.prepare('insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value')

  /** All public keys (SPKI, base64) that were ever used here. */
  function known(): string[] {
    return readKeys(read.get(keysName)?.value)
  }

  return {
    /** The id of this workplace, and of its key; created at the first call. */
    workplaceId(): string {
      const present = read.get(idName)
      if (present) return readJson<string>(present.value)
      const id = ulid()
      data.write(() => put.run(idName, JSON.stringify(id)))
      return id
    },
    known,
    remember(publicKey: string): void {
      const keys = known()
      if (!keys.includes(publicKey)) data.write(() => put.run(keysName, JSON.stringify([...keys, publicKey])))
    }
  }
}

/** The same list, read while another Fitter uses the folder; undefined without a log. */
export function readSealKeys(folder: string): string[] | undefined {
  const file = path.join(folder, databaseFileName)
  if (!fs.existsSync(file)) return undefined
  return onData(() => {
    const sql = new Database(file, { timeout: 1_000, readonly: true })
    try {
      return readKeys(sql.prepare<[string], { value: string }>(readSetting).get(keysName)?.value)
    } finally {
      sql.close()
    }
  })
}

function readKeys(text: string | undefined): string[] {
  return text === undefined ? [] : readJson<string[]>(text)
}
