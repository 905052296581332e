import type { DataFile } from './file/database.ts'
import { createStoredValues } from './storedValues.ts'

export interface KeptMaps {
  /** The path of the offline map on this computer; null: none. */
  path: string | null
  online: { isOn: boolean; template: string; attribution: string }
}

export type MapStore = ReturnType<typeof createMapStore>

const name = 'maps'
const nothingKept: KeptMaps = { path: null, online: { isOn: false, template: '', attribution: '' } }

/** An invalid value counts as missing: online maps are off then. */
export function createMapStore(data: DataFile) {
  const values = createStoredValues(data, 'preference')
  return {
    get(): KeptMaps {
      const kept = values.read(name)
      return isKept(kept) ? kept : structuredClone(nothingKept)
    },
    keep: (maps: KeptMaps): void => values.put(name, maps)
  }
}

function isKept(value: unknown): value is KeptMaps {
  if (typeof value !== 'object' || value === null) return false
  const { path, online } = value as Record<string, unknown>
  if (path !== null && typeof path !== 'string') return false
  if (typeof online !== 'object' || online === null) return false
  const { isOn, template, attribution } = online as Record<string, unknown>
  return typeof isOn === 'boolean' && typeof template === 'string' && typeof attribution === 'string'
}
