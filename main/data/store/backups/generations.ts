import fs from 'node:fs'
import path from 'node:path'
import { readCopyMark, type CopyMark } from './copyMark.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import type { DataFile } from '../file/database.ts'
import { backupsFolderName } from '../file/fileNames.ts'
import { withFile } from '../file/withFile.ts'
import { createStoredValues } from '../storedValues.ts'

export interface Generation {
  file: string
  madeAt: string
  sizeBytes: number
  /** Null for an unreadable one. */
  mark: CopyMark | null
}

const placeName = '$backupPlace'

/** An additional folder for backups on another disk; null when none was chosen. */
export function createBackupPlace(data: DataFile) {
  const values = createStoredValues(data, 'setting')
  return {
    get(): string | null {
      const folder = values.read(placeName)
      return typeof folder === 'string' ? folder : null
    },
    set: (folder: string | null): void => values.put(placeName, folder)
  }
}

const nameForm = /^fitter-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db$/

export function backupsFolderIn(dataFolder: string): string {
  return path.join(dataFolder, backupsFolderName)
}

export function generationName(at: Date): string {
  return `fitter-${at.toISOString().replaceAll(':', '-')}.db`
}

/** The copies of a data folder, newest first, without opening them. */
export function generationFiles(dataFolder: string): string[] {
  return filesIn(backupsFolderIn(dataFolder))
}

/** When the copies of a data folder were made, newest first. */
export function generationTimes(dataFolder: string): string[] {
  return generationFiles(dataFolder).map(timeOf)
}

function filesIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  const names = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && nameForm.test(entry.name))
  return names
    .map(({ name }) => path.join(folder, name))
    .sort()
    .reverse()
}

/** The copies in a folder with their contents, newest first, including unreadable ones. */
export function listGenerations(folder: string): Generation[] {
  return filesIn(folder).map((file) => ({
    file,
    madeAt: timeOf(file),
    sizeBytes: fs.statSync(file).size,
    mark: markOf(file)
  }))
}

function timeOf(file: string): string {
  const [, day = '', hour = '', minute = '', second = ''] = nameForm.exec(path.basename(file)) ?? []
  return `${day}${hour}:${minute}:${second}`
}

function markOf(file: string): CopyMark | null {
  try {
    return withFile(file, { readonly: true, fileMustExist: true }, (sql) => readCopyMark(sql) ?? null)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
