import { homedir } from 'node:os'
import { basename, join } from 'node:path'

export { resourcesFolder as sourceResourcesFolder } from '../base/projectFolder.ts'

/** The default data folder of window, browser and terminal: `data` in Electron's `userData`. */
export function findDataFolder(): string {
  return join(findApplicationFolder(), 'data')
}

const trainingFolderName = 'training'

/** The training log is inside the data folder, so that practice is never among real jobs. */
export function trainingFolderIn(dataFolder: string): string {
  return join(dataFolder, trainingFolderName)
}

/** Whether a folder contains practice, whichever front end opened it. */
export function isTrainingFolder(dataFolder: string): boolean {
  return basename(dataFolder) === trainingFolderName
}

function findApplicationFolder(): string {
  const { env, platform } = process
  const home = env.HOME ?? homedir()
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Fitter')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Fitter')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Fitter')
}
