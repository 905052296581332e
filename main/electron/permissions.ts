import type { MediaAccessPermissionRequest, Session } from 'electron'
import { isOwnAddress } from './origin.ts'

const clipboard = 'clipboard-sanitized-write'
const camera = 'media'

/**
 * Our own page may write text to the clipboard and see through the camera, and nothing else: no microphone, place,
 * notification, USB, serial port. Any other page, and a frame inside of ours, may do nothing at all.
 *
 * The camera is the one exception from denying everything that reaches outside: a technician reads the IMEI off the label
 * of a device with it. It is granted to the main frame of our own page, for pictures alone, and the page opens it only
 * while the dialog that shows the picture is open. The system asks the person itself where it has such a question.
 */
export function restrictPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => answer(isOwnFrame(details) && (permission === clipboard || (permission === camera && isForCamera(details as MediaAccessPermissionRequest)))))
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame, mediaType }) =>
      isMainFrame && isOwnAddress(origin) && (permission === clipboard || (permission === camera && mediaType === 'video'))
  )
  session.setDevicePermissionHandler(() => false)
}

function isOwnFrame({ isMainFrame, requestingUrl }: Pick<MediaAccessPermissionRequest, 'isMainFrame' | 'requestingUrl'>): boolean {
  return isMainFrame && isOwnAddress(requestingUrl)
}

function isForCamera({ mediaTypes = [] }: MediaAccessPermissionRequest): boolean {
  return mediaTypes.length > 0 && mediaTypes.every((type) => type === 'video')
}
