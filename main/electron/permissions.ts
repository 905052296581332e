import type { Session } from 'electron'

const granted = 'clipboard-sanitized-write'

/** The page may write text to the clipboard, and nothing else: no camera, place, notification, USB, serial port. */
export function restrictPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === granted))
  session.setPermissionCheckHandler((_contents, permission) => permission === granted)
  session.setDevicePermissionHandler(() => false)
}
