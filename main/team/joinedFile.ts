import fs from 'node:fs'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { Membership } from '../store/teamPush.ts'
import { mostJoinFileBytes, readJoinFile } from './joinFile.ts'

/**
 * The password out of the file with which this laptop joined, where it has no keychain and the file is still there.
 * @throws AppError NOT_AUTHENTICATED where others may read it: what they may read is no secret.
 */
export function passwordInFile({ joinFile, host, login }: Membership): string | undefined {
  if (joinFile === undefined) return undefined
  const stat = fs.statSync(joinFile, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > mostJoinFileBytes) return undefined
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) throw new AppError('NOT_AUTHENTICATED', message('teamWay.fileOpen', { file: joinFile }))
  try {
    const { server, password } = readJoinFile(fs.readFileSync(joinFile, 'utf8'))
    return server.host === host && server.user === login ? password : undefined
  } catch {
    // It is another file now, or cannot be read: there is no password in it.
    return undefined
  }
}
