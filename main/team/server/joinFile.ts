import { z } from 'zod'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { readAuthorities } from '../../base/internet/authorities.ts'
import type { TeamServer } from './server.ts'

/** A larger file is not an invitation. */
export const mostJoinFileBytes = 200_000

const joinFile = z.strictObject({
  fitter: z.literal('team'),
  version: z.literal(1),
  team: z.string().min(1).max(200),
  /** Of the laptop, or of its person. */
  name: z.string().min(1).max(200),
  host: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\s/@?#]+$/),
  port: z.number().int().min(1).max(65_535),
  database: z.string().min(1).max(63),
  login: z.string().regex(/^fitter_[0-9a-f]{16}$/),
  password: z.string().regex(/^[0-9a-f]{48}$/),
  authority: z.string().max(100_000).nullable()
})

export interface Joining {
  team: string
  name: string
  server: TeamServer
  password: string
}

/** What a laptop needs to join, including its secret: for one laptop, to be sent over a private channel. */
export function writeJoinFile({ team, name, server, password }: Joining): string {
  const { host, port, database, user, authority } = server
  return `${JSON.stringify({ fitter: 'team', version: 1, team, name, host, port, database, login: user, password, authority } satisfies z.infer<typeof joinFile>, null, 2)}\n`
}

/** The name of its file: the laptop's name as part of a file name on every system. */
export function joinFileName(name: string): string {
  const part = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60)
  return `fitter-team-${part || 'laptop'}.json`
}

/** @throws AppError INVALID_REQUEST for any other file, or one from a newer Fitter. */
export function readJoinFile(text: string): Joining {
  if (text.length > mostJoinFileBytes) throw new AppError('INVALID_REQUEST', message('team.noJoinFile'))
  const value = parseOrNull(text)
  const version = (value as { fitter?: unknown; version?: unknown } | null)?.version
  if ((value as { fitter?: unknown } | null)?.fitter === 'team' && typeof version === 'number' && version > 1)
    throw new AppError('INVALID_REQUEST', message('team.joinFileNewer'))
  const read = joinFile.safeParse(value)
  if (!read.success) throw new AppError('INVALID_REQUEST', message('team.noJoinFile'))
  const { team, name, host, port, database, login, password, authority } = read.data
  if (authority !== null && readAuthorities(authority).kind !== 'read')
    throw new AppError('INVALID_REQUEST', message('team.noJoinFile'))
  return { team, name, server: { host, port, database, user: login, authority }, password }
}

/** Null for what is no JSON. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
