import type { MediaAccessPermissionRequest, Session } from 'electron'
import { isOwnAddress } from './origin.ts'

const clipboard = 'clipboard-sanitized-write'
const camera = 'media'
/** So that the screen stays on while a step of a job runs in large type. Electron's types do not name it. */
const wakeLock: string = 'screen-wake-lock'

/**
 * Our own page may write text to the clipboard, keep the screen on and use the camera, and nothing else: no microphone,
 * location, notification,
 * USB, serial port. Any other page, and a frame inside of ours, may do nothing.
 * The camera is the one exception from denying everything external: a technician scans the IMEI on a label with it. It
 * is granted to the main frame of our own page, for pictures only, and the page opens it only while the dialog with the
 * picture is open. Where the system has a camera permission, it asks the person itself.
 */
export function restrictPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(
      isOwnFrame(details) &&
        (permission === clipboard ||
          permission === wakeLock ||
          (permission === camera && isForCamera(details as MediaAccessPermissionRequest)))
    )
  )
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame, mediaType }) =>
      isMainFrame &&
      isOwnAddress(origin) &&
      (permission === clipboard || permission === wakeLock || (permission === camera && mediaType === 'video'))
  )
  session.setDevicePermissionHandler(() => false)
}

function isOwnFrame({
  isMainFrame,
  requestingUrl
}: Pick<MediaAccessPermissionRequest, 'isMainFrame' | 'requestingUrl'>): boolean {
  return isMainFrame && isOwnAddress(requestingUrl)
}

function isForCamera({ mediaTypes = [] }: MediaAccessPermissionRequest): boolean {
  return mediaTypes.length > 0 && mediaTypes.every((type) => type === 'video')
}
