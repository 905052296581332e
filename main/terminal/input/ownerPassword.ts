import fs from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { TeamServer } from '../../team/server/server.ts'
import { takeTeamPassword } from './environmentCredentials.ts'

/**
 * The owner's password without asking: from FITTER_TEAM_PASSWORD, or from PostgreSQL's own sources (PGPASSWORD,
 * PGPASSFILE, .pgpass).
 */
export function takeOwnerPassword(server: TeamServer): string | undefined {
  const given = takeTeamPassword() ?? process.env['PGPASSWORD']
  return given === undefined || given === '' ? fromFile(passwordFile(), server) : given
}

function passwordFile(): string {
  const named = process.env['PGPASSFILE']
  if (named !== undefined && named !== '') return named
  return process.platform === 'win32'
    ? path.join(process.env['APPDATA'] ?? homedir(), 'postgresql', 'pgpass.conf')
    : path.join(process.env['HOME'] ?? homedir(), '.pgpass')
}

/**
 * Lines of `host:port:database:user:password`, `*` for any; a file that others can read is ignored, as PostgreSQL does.
 */
function fromFile(file: string, { host, port, database, user }: TeamServer): string | undefined {
  const wanted = [host, String(port), database, user]
  for (const line of readLines(file)) {
    const fields = line.split(/(?<!\\):/).map((field) => field.replace(/\\(.)/g, '$1'))
    const password = line.startsWith('#') ? undefined : fields.slice(4).join(':')
    if (
      password !== undefined &&
      password !== '' &&
      wanted.every((value, index) => fields[index] === '*' || fields[index] === value)
    )
      return password
  }
  return undefined
}

function readLines(file: string): string[] {
  try {
    const stat = fs.statSync(file)
    if (!stat.isFile() || stat.size > 1_000_000 || (process.platform !== 'win32' && (stat.mode & 0o077) !== 0))
      return []
    return fs.readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    // Usually there is none; an unreadable one counts as none.
    return []
  }
}
