import fs from 'node:fs'
import path from 'node:path'
import type { JobFacets } from '../../../../preload/contract/job/jobLog.ts'
import type { NumbersFilter, WorkNumbers } from '../../../../preload/contract/job/numbers.ts'
import { checkData, type CheckRequest, type DataCheck } from '../damage/checkDataFile.ts'
import {
  copyForOthers,
  lookInto,
  makeGeneration,
  prepareCopy,
  type FileContent,
  type GenerationWish,
  type MadeGeneration,
  type Prepared
} from '../backups/copyWork.ts'
import { onData } from './errors.ts'
import { sizesOf, type FolderSizes } from './folderSizes.ts'
import { listGenerations, type Generation } from '../backups/generations.ts'
import { countFacets } from '../jobs/jobFacets.ts'
import type { JobFilter } from '../jobs/jobFilter.ts'
import { removeOrphans } from '../damage/orphans.ts'
import { buildNumbers, readNumbers } from '../jobs/readNumbers.ts'
import { salvageFile, type Salvaged, type SalvageRequest } from '../damage/salvage/salvage.ts'
import type { Progress } from './progress.ts'
import { withFile } from './withFile.ts'

/** A task for a separate thread, on the data file or a copy of it. */
export type DataWork =
  | ({ task: 'check'; file: string } & CheckRequest)
  | { task: 'facets'; file: string; filter: JobFilter }
  | { task: 'numbers'; file: string; filter: NumbersFilter }
  /** Adds jobs that ended before statistics existed. */
  | { task: 'buildNumbers'; file: string }
  /** Writes a complete copy of `file`, with pictures, into the empty file `target`. */
  | { task: 'copy'; file: string; target: string }
  | ({ task: 'generation' } & GenerationWish)
  /** The backups in some folders; null for a folder on a disk that is not connected. */
  | { task: 'generations'; folders: string[] }
  /** Prepares a copy from elsewhere to replace the data file, as `file` beside it. */
  | { task: 'prepare'; from: string; file: string }
  | { task: 'lookInto'; files: string[] }
  | { task: 'sizes'; file: string }
  | { task: 'removeOrphans'; file: string }
  | { task: 'salvage'; request: SalvageRequest }

export interface DataWorkResults {
  check: DataCheck
  facets: JobFacets
  numbers: Omit<WorkNumbers, 'building'>
  buildNumbers: number
  copy: null
  generation: MadeGeneration
  generations: (Generation[] | null)[]
  prepare: Prepared
  lookInto: (FileContent | null)[]
  sizes: FolderSizes
  removeOrphans: { files: number; sizeBytes: number }
  salvage: Salvaged
}

export async function runDataWork(work: DataWork, tell: Progress): Promise<DataWorkResults[DataWork['task']]> {
  switch (work.task) {
    case 'check':
      return withFile(work.file, { readonly: true }, (sql) => {
        // One consistent view of the file from start to end, while the other thread continues writing.
        sql.exec('begin')
        return checkData(sql, work, tell)
      })
    case 'facets':
      return withFile(work.file, { readonly: true }, (sql) => countFacets(sql, work.filter))
    case 'numbers':
      return withFile(work.file, { readonly: true }, (sql) => readNumbers(sql, work.filter))
    case 'buildNumbers':
      return withFile(work.file, {}, (sql) => buildNumbers(sql, tell))
    case 'copy':
      return copyForOthers(work.file, work.target, tell)
    case 'generation':
      return makeGeneration(work, tell)
    case 'generations':
      return work.folders.map((folder) => (fs.existsSync(folder) ? onData(() => listGenerations(folder)) : null))
    case 'prepare':
      return prepareCopy(work.from, work.file, tell)
    case 'lookInto':
      return work.files.map(lookInto)
    case 'sizes':
      return onData(() => sizesOf(path.dirname(work.file)))
    case 'removeOrphans':
      return withFile(work.file, { readonly: true }, (sql) => removeOrphans(sql, Date.now()))
    case 'salvage':
      return onData(() => salvageFile(work.request, tell))
  }
}
