import type { DataFile } from './file/database.ts'
import { createStoredValues } from './storedValues.ts'

const name = 'reportFont'

/** The path of the font file for reports on this computer; null: none was chosen. */
export function createReportFontStore(data: DataFile) {
  const values = createStoredValues(data, 'preference')
  return {
    path(): string | null {
      const kept = values.read(name)
      return typeof kept === 'string' ? kept : null
    },
    keep: (path: string): void => values.put(name, path),
    forget: (): void => values.drop(name)
  }
}

export type ReportFontStore = ReturnType<typeof createReportFontStore>
