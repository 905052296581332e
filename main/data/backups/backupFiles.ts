import fs from 'node:fs'
import path from 'node:path'
import type { DataSource } from '../../../preload/contract/app/dataFolder.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { backupsFolderIn } from '../store/backups/generations.ts'

/**
 * In a chosen folder on another disk, backups have a subfolder, which distinguishes that disk from its empty mount
 * point.
 */
const folderElsewhere = 'fitter-backups'

export function elsewhereIn(chosen: string): string {
  return path.join(chosen, folderElsewhere)
}

/** Creates the backup folder in a chosen one. Throws INVALID_REQUEST. */
export async function makeCopyFolder(chosen: string, dataFolder: string): Promise<void> {
  const isFolder =
    path.isAbsolute(chosen) &&
    (await fs.promises.stat(chosen).then(
      (one) => one.isDirectory(),
      () => false
    ))
  if (!isFolder) throw new AppError('INVALID_REQUEST', message('backups.noFolder', { folder: chosen }))
  const within = path.relative(dataFolder, chosen)
  if (within === '' || (!within.startsWith('..') && !path.isAbsolute(within)))
    throw new AppError('INVALID_REQUEST', message('backups.insideData'))
  try {
    await fs.promises.mkdir(elsewhereIn(chosen), { recursive: true, mode: 0o700 })
    await fs.promises.access(elsewhereIn(chosen), fs.constants.W_OK)
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', message('backups.notWritable', { folder: chosen }), { cause })
  }
}

/** The file of a backup name. A name leads to no other folder. */
export function fileMeant(
  from: DataSource,
  places: { dataFolder: string; elsewhere: string | null; picked: string | undefined }
): string {
  const { dataFolder, elsewhere, picked } = places
  const noSuch = new AppError('NOT_FOUND', message('backups.noSuch'))
  switch (from.kind) {
    case 'file':
      return path.resolve(from.path)
    case 'picked':
      if (picked === undefined) throw noSuch
      return picked
    case 'putAside':
      if (!isPutAside(from.name)) throw noSuch
      return path.join(dataFolder, from.name)
    case 'backup': {
      const folder =
        from.place === 'here' ? backupsFolderIn(dataFolder) : elsewhere === null ? undefined : elsewhereIn(elsewhere)
      if (folder === undefined || from.id !== path.basename(from.id)) throw noSuch
      return path.join(folder, from.id)
    }
  }
}

/** A file that a restore set aside is complete, so it can be restored. */
export function isPutAside(name: string): boolean {
  return /^fitter\.db\.before-restore-[0-9TZ.-]+$/.test(name)
}
