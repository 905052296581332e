import type { Csv, SearchValue, Select } from '../request/fieldKinds.ts'

/**
 * Inputs of every paginated collection ("Conventions" 8 to 10). `search` uses key paths: `{'info.license_plate': 'X'}`.
 */
export type PageInput = {
  select?: Select
  search?: Record<string, SearchValue | undefined>
  set?: number
  page?: number
}
export type PageInputWithIds = PageInput & { ids?: Csv }
