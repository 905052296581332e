import fs from 'node:fs'
import path from 'node:path'
import { ulid } from 'ulid'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'
import { databaseFileName } from '../file/fileNames.ts'
import { withFile } from '../file/withFile.ts'
import { createStoredValues } from '../storedValues.ts'

const idName = '$workplace'
const keysName = '$sealKeys'

/** The public keys that seal jobs here. The private key is in the keychain. */
export function createSealKeyStore(data: DataFile) {
  const values = createStoredValues(data, 'setting')
  const known = (): string[] => values.read<string[]>(keysName) ?? []
  return {
    /** The id of this workplace, and of its key; created at the first call. */
    workplaceId(): string {
      const present = values.read<string>(idName)
      if (present !== null) return present
      const id = ulid()
      values.put(idName, id)
      return id
    },
    /** All public keys (SPKI, base64) that were ever used here. */
    known,
    remember(publicKey: string): void {
      const keys = known()
      if (!keys.includes(publicKey)) values.put(keysName, [...keys, publicKey])
    }
  }
}

/** The same list, read while another Fitter uses the folder; undefined without a log. */
export function readSealKeys(folder: string): string[] | undefined {
  const file = path.join(folder, databaseFileName)
  if (!fs.existsSync(file)) return undefined
  return withFile(file, { timeout: 1_000, readonly: true }, (sql) => {
    const row = sql.prepare<[string], { value: string }>('select value from setting where name = ?').get(keysName)
    return row ? readJson<string[]>(row.value) : []
  })
}
