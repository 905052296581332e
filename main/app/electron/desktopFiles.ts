import type { Session, Shell } from 'electron'
import type { SystemPage } from '../../../preload/contract/app/app.ts'
import type { DesktopFiles } from '../handlers.ts'

/** The only addresses that open the system's settings; Linux has none that every desktop knows. */
const systemPages: { readonly [Platform in NodeJS.Platform]?: Readonly<Record<SystemPage, string>> } = {
  win32: {
    time: 'ms-settings:dateandtime',
    firewall: 'windowsdefender://network',
    localNetwork: 'ms-settings:network'
  },
  darwin: {
    time: 'x-apple.systempreferences:com.apple.preference.datetime',
    firewall: 'x-apple.systempreferences:com.apple.preference.security?Firewall',
    localNetwork: 'x-apple.systempreferences:com.apple.preference.security?Privacy_LocalNetwork'
  }
}

/**
 * Follows what the window saves: the latest file can be shown in its folder. Mail opens in the person's mail program.
 */
export function createDesktopFiles(
  session: Pick<Session, 'on'>,
  shell: Pick<Shell, 'showItemInFolder' | 'openExternal'>,
  platform: NodeJS.Platform = process.platform
): DesktopFiles {
  let saved: string | undefined
  session.on('will-download', (_event, item) => {
    item.once('done', (_done, state) => {
      if (state === 'completed') saved = item.getSavePath()
    })
  })
  return {
    showDownload() {
      if (saved === undefined) return false
      shell.showItemInFolder(saved)
      return true
    },
    canOpenSystem: systemPages[platform] !== undefined,
    async openSystemPage(page) {
      const address = systemPages[platform]?.[page]
      if (address !== undefined) await shell.openExternal(address)
      return address !== undefined
    },
    async writeMail({ subject, text }) {
      await shell.openExternal(`mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`)
    }
  }
}
