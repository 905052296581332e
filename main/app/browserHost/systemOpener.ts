import { spawn } from 'node:child_process'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

/** True when this process can show a window. */
export function hasDisplay(): boolean {
  return (
    process.platform === 'win32' ||
    process.platform === 'darwin' ||
    Boolean(process.env.DISPLAY) ||
    Boolean(process.env.WAYLAND_DISPLAY)
  )
}

/** What a browser needs to find its display, its files and its language. */
const passedOn =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|BROWSER|(GDK|GTK|QT|KDE|GNOME|FONTCONFIG)_\w+|LD_LIBRARY_PATH|__CF_USER_TEXT_ENCODING|System(Root|Drive)|windir|(LOCAL)?APPDATA|(Common)?Program(Files(\(x86\))?|Data|W6432)|ALLUSERSPROFILE|PUBLIC|USER(PROFILE|NAME|DOMAIN)|COMPUTERNAME|SESSIONNAME|HOMEDRIVE|HOMEPATH|ComSpec|PATHEXT|OS|NUMBER_OF_PROCESSORS|PROCESSOR_\w+)$/i

/** The environment for other programs: without the passwords in Fitter's own. */
export function environmentForOthers(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name)))
}

function openerOf(platform: NodeJS.Platform, target: string): [string, string[]] {
  if (platform === 'darwin') return ['open', [target]]
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', target]]
  return ['xdg-open', [target]]
}

/**
 * Opens a file or an address with the person's default program. @throws AppError NOT_FOUND when there is no display, or
 * no such program
 */
export async function openWithSystem(target: string): Promise<void> {
  if (!hasDisplay()) throw new AppError('NOT_FOUND', message('app.noDisplay', { target }))
  const [program, parameters] = openerOf(process.platform, target)
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, parameters, { stdio: 'ignore', detached: true, env: environmentForOthers() })
    child.once('error', (cause) => {
      reject(new AppError('NOT_FOUND', message('app.openerMissing', { program, target }), { cause }))
    })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
