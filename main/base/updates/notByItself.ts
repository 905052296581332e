import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { message, type Message } from '../../../preload/contract/messages.ts'

export interface InstalledAs {
  frontEnd: 'desktop' | 'browser' | 'terminal'
  platform: NodeJS.Platform
  /** The AppImage that runs; empty elsewhere. */
  appImage: string | undefined
  /** Electron's `process.resourcesPath`; undefined in Node.js. */
  resourcesPath: string | undefined
  execPath: string
}

/** Why a Fitter that was installed like this does not update itself; null when it does. */
export function sayNotByItself({ frontEnd, platform, appImage, resourcesPath, execPath }: InstalledAs): Message | null {
  if (resourcesPath === undefined || !existsSync(path.join(resourcesPath, 'app.asar')))
    return message('updates.fromSources')
  if (frontEnd === 'browser') return message('updates.inBrowser')
  if (platform === 'darwin') return null
  if (platform === 'win32')
    return existsSync(path.join(path.dirname(execPath), 'Uninstall Fitter.exe')) ? null : message('updates.fromArchive')
  if (appImage !== undefined && appImage !== '') return null
  return existsSync(path.join(resourcesPath, 'package-type'))
    ? message('updates.byPackageManager', {
        kind: readFileSync(path.join(resourcesPath, 'package-type'), 'utf8').trim().slice(0, 20)
      })
    : message('updates.fromArchive')
}

/** How this process was installed. */
export function installedAs(frontEnd: InstalledAs['frontEnd']): InstalledAs {
  return {
    frontEnd,
    platform: process.platform,
    appImage: process.env['APPIMAGE'],
    resourcesPath: (process as { resourcesPath?: string }).resourcesPath,
    execPath: process.execPath
  }
}
