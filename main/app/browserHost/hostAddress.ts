import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** The stored address of this host, so that an open page reconnects after a restart. */
export interface HostAddress {
  /** The random part of the host name: no other program on this computer knows it, so no other gets the cookie. */
  name: string
  port: number
  /** Digests of the issued cookies. */
  sessions: string[]
}

const fileName = 'browser-host.json'

function isKeptPlace(value: unknown): value is HostAddress {
  if (typeof value !== 'object' || value === null) return false
  const { name, port, sessions } = value as Record<string, unknown>
  return (
    typeof name === 'string' &&
    /^[0-9a-f]{32}$/.test(name) &&
    Number.isInteger(port) &&
    Number(port) >= 0 &&
    Number(port) <= 65_535 &&
    Array.isArray(sessions) &&
    sessions.every((digest) => typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest))
  )
}

/** The stored address in this folder; a new one when there is none or it is invalid. */
export function readHostAddress(folder: string | undefined): HostAddress {
  const fresh = { name: randomBytes(16).toString('hex'), port: 0, sessions: [] }
  if (folder === undefined) return fresh
  try {
    const kept: unknown = JSON.parse(fs.readFileSync(path.join(folder, fileName), 'utf8'))
    return isKeptPlace(kept) ? kept : fresh
  } catch {
    // Missing the first time; if it is damaged, only an open page cannot reconnect.
    return fresh
  }
}

/** Stores it for the next start; false when the folder is not writable, which must not stop anyone from working. */
export function storeHostAddress(folder: string | undefined, place: HostAddress): boolean {
  if (folder === undefined) return false
  const file = path.join(folder, fileName)
  const partial = `${file}.${randomBytes(6).toString('hex')}`
  try {
    fs.writeFileSync(partial, JSON.stringify(place), { mode: 0o600, flag: 'wx' })
    fs.renameSync(partial, file)
    return true
  } catch {
    fs.rmSync(partial, { force: true })
    return false
  }
}
