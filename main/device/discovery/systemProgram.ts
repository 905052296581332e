import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, win32 } from 'node:path'
import { windowsFolder } from '../../data/store/file/systemFolders.ts'

const systemFolders = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/usr/libexec/ApplicationFirewall']

/**
 * The system's own path of one of its programs. Never by its bare name: the working folder or PATH may contain another
 * program with that name.
 */
export function systemProgram(
  name: string,
  platform: NodeJS.Platform = process.platform,
  exists: (file: string) => boolean = existsSync
): string | undefined {
  const files =
    platform === 'win32'
      ? [win32.join(windowsFolder(), 'System32', `${name}.exe`)]
      : systemFolders.map((folder) => join(folder, name))
  return files.find((file) => exists(file))
}

/**
 * The output of a system program; empty when it is missing or fails, which means that the system gives no information.
 */
export function readSystemProgram(name: string, args: string[], timeoutMs: number): Promise<string> {
  const file = systemProgram(name)
  if (file === undefined) return Promise.resolve('')
  return new Promise((resolve) => {
    execFile(file, args, { timeout: timeoutMs, windowsHide: true }, (_error, stdout) => resolve(stdout))
  })
}
