import { AppError } from '../../../preload/contract/errors.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { DataStatus } from '../../../preload/contract/app/dataFolder.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Incoming } from '../store/backups/copies.ts'
import type { Backups } from './backups.ts'

/**
 * The system's dialogs for backup files and folders, if the front end has them; undefined when the person cancelled.
 */
export type PickDataPath = (wish: 'saveCopy' | 'copy' | 'folder') => Promise<string | undefined>

export interface DataHandlerParts {
  backups: Backups
  pick: PickDataPath | undefined
  /** Closes the workplace, replaces its file, and opens it again. */
  takePlace(incoming: Incoming): Promise<void>
}

/** The calls about the data of this computer. If there is a dialog, the page cannot pass a path. */
export function createDataHandlers({ backups, pick, takePlace }: DataHandlerParts): HandlersOf<'data'> {
  const status = async (): Promise<DataStatus> => ({ ...(await backups.status()), chosenBy: pick ? 'dialog' : 'path' })

  /** Undefined when the person cancelled. */
  async function chosen(path: string | null, wish: 'saveCopy' | 'folder'): Promise<string | undefined> {
    if (pick && path !== null) throw new AppError('REFUSED', message('maps.onlyDialog'))
    if (!pick && path === null) throw new AppError('REFUSED', message('maps.noDialog'))
    return path ?? (await pick?.(wish))
  }

  return {
    'data.status': status,
    'data.check': () => backups.check(),
    'data.stop': () => backups.stopWork(),
    'data.backUp': () => backups.backUp(),
    'data.saveCopy': async ({ path }) => {
      const file = await chosen(path, 'saveCopy')
      if (file !== undefined) backups.saveCopy(file)
    },
    'data.pick': async () => {
      if (!pick) throw new AppError('REFUSED', message('maps.noDialog'))
      const file = await pick('copy')
      return file === undefined ? null : backups.picked(file)
    },
    'data.look': ({ from }) => {
      if (pick && from.kind === 'file') throw new AppError('REFUSED', message('maps.onlyDialog'))
      return backups.look(from)
    },
    'data.restore': ({ from }) => {
      if (pick && from.kind === 'file') throw new AppError('REFUSED', message('maps.onlyDialog'))
      backups.restore(from, takePlace)
    },
    'data.removeOrphans': () => backups.removeOrphans(),
    'data.choosePlace': async ({ path }) => {
      const folder = await chosen(path, 'folder')
      if (folder !== undefined) await backups.choosePlace(folder)
      return status()
    },
    'data.forgetPlace': () => {
      backups.forgetPlace()
      return status()
    }
  }
}
