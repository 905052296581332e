import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where Fitter keeps its data when nothing else is said: the same folder for the window, the browser and the terminal.
 * It is Electron's `userData` (product name in the system's folder for application data) and `data` in it.
 */
export function findDataFolder(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  return join(findApplicationFolder(env, platform), 'data')
}

function findApplicationFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = env.HOME ?? homedir()
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Fitter')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Fitter')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Fitter')
}
