import type { Session, Shell } from 'electron'
import type { DesktopFiles } from '../app/handlers.ts'

/** Follows what the window saves: the latest file can be shown in its folder. Mail opens in the person's mail program. */
export function createDesktopFiles(session: Pick<Session, 'on'>, shell: Pick<Shell, 'showItemInFolder' | 'openExternal'>): DesktopFiles {
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
    async writeMail({ subject, text }) {
      await shell.openExternal(`mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`)
    }
  }
}
