import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, win32 } from 'node:path'

const systemFolders = ['/usr/bin', '/usr/sbin', '/bin', '/sbin']

/**
 * Where the system itself keeps one of its programs. Never by its bare name: another program of that name may lie in the
 * working folder or earlier in PATH.
 */
export function systemProgram(name: string, platform: NodeJS.Platform = process.platform, exists: (file: string) => boolean = existsSync): string | undefined {
  const files =
    platform === 'win32'
      ? [win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', `${name}.exe`)]
      : systemFolders.map((folder) => join(folder, name))
  return files.find((file) => exists(file))
}

/** What a program of the system prints; empty where it is missing or refuses, which is what the system not telling means. */
export function readSystemProgram(name: string, args: string[], timeoutMs: number): Promise<string> {
  const file = systemProgram(name)
  if (file === undefined) return Promise.resolve('')
  return new Promise((resolve) => {
    execFile(file, args, { timeout: timeoutMs, windowsHide: true }, (_error, stdout) => resolve(stdout))
  })
}
