import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { readCopyMark, type CopyMark } from './copyMark.ts'
import { translateDataError } from '../file/errors.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { backupsFolderName } from '../file/fileNames.ts'

export interface Generation {
  file: string
  madeAt: string
  sizeBytes: number
  /** Null for an unreadable one. */
  mark: CopyMark | null
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
  const names = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && nameForm.test(entry.name))
  return names.map(({ name }) => path.join(folder, name)).sort().reverse()
}

/** The copies in a folder with their contents, newest first, including unreadable ones. */
export function listGenerations(folder: string): Generation[] {
  return filesIn(folder).map((file) => ({ file, madeAt: timeOf(file), sizeBytes: fs.statSync(file).size, mark: lookInto(file) }))
}

function timeOf(file: string): string {
  const [, day = '', hour = '', minute = '', second = ''] = nameForm.exec(path.basename(file)) ?? []
  return `${day}${hour}:${minute}:${second}`
}

function lookInto(file: string): CopyMark | null {
  let sql: Database.Database | undefined
  try {
    sql = new Database(file, { readonly: true, fileMustExist: true })
    return readCopyMark(sql) ?? null
  } catch (error) {
    if (translateDataError(error) instanceof AppError) return null
    throw error
  } finally {
    sql?.close()
  }
}
