import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { win32 } from 'node:path'
import { tryTo } from './tryTo.ts'

/** What Windows itself says. A variable of the environment is never asked: the user can set it. */
export interface WindowsAnswers {
  /** The real path of a file or a link; throws when there is none. */
  realPath(path: string): string
  /** The output of a system program; throws when it fails. */
  run(program: string, args: string[]): string
}

const ofThisComputer: WindowsAnswers = {
  realPath: (path) => realpathSync.native(path),
  run: (program, args) =>
    execFileSync(program, args, {
      encoding: 'utf8',
      timeout: 5_000,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {}
    })
}

const usualFolder = 'C:\\Windows'
const isFolder = (path: string): boolean => /^[A-Za-z]:\\[^\\]/.test(path)

/** The folder of Windows, by the kernel's own name for it. */
export function windowsFolder({ realPath }: Pick<WindowsAnswers, 'realPath'> = ofThisComputer): string {
  const found = tryTo(() => realPath('\\\\?\\GLOBALROOT\\SystemRoot'))
  return found !== undefined && isFolder(found) ? found : usualFolder
}

let kept: string | undefined

/**
 * The folder of data for all users (`ProgramData`), where only an administrator can write to a folder that an
 * administrator made: by the link that Windows keeps to it beside the profiles, otherwise by the registry.
 */
export function programDataFolder(answers: WindowsAnswers = ofThisComputer): string {
  if (answers === ofThisComputer && kept !== undefined) return kept
  const windows = windowsFolder(answers)
  const drive = windows.slice(0, 2)
  const linked = tryTo(() => answers.realPath(`${drive}\\Users\\All Users`))
  const found = linked !== undefined && isFolder(linked) ? linked : tryTo(() => readRegistry(answers, windows))
  const folder = found ?? `${drive}\\ProgramData`
  if (answers === ofThisComputer) kept = folder
  return folder
}

function readRegistry({ run }: WindowsAnswers, windows: string): string | undefined {
  const said = run(win32.join(windows, 'System32', 'reg.exe'), [
    'query',
    'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList',
    '/v',
    'ProgramData'
  ])
  const value = /^\s*ProgramData\s+REG_(?:EXPAND_)?SZ\s+(\S.*?)\s*$/m.exec(said)?.[1]
  const folder = value?.replace(/%SystemDrive%/gi, windows.slice(0, 2)).replace(/%SystemRoot%/gi, windows)
  return folder !== undefined && isFolder(folder) && !folder.includes('%') ? folder : undefined
}
