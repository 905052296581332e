import { Client } from 'pg'
import { isLoopback } from '../addresses/address.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { teamError } from './failures.ts'

/** Where the team log is. */
export interface TeamServer {
  host: string
  port: number
  database: string
  user: string
  /** Who vouches for it, as PEM; null: whoever this system trusts. */
  authority: string | null
}

export interface ServerLimits {
  connectMs: number
  queryMs: number
}

const standardLimits: ServerLimits = { connectMs: 10_000, queryMs: 40_000 }

/**
 * Reads `postgres://user@host[:port]/database`.
 * @throws AppError INVALID_REQUEST for anything else; also for an address with a password in it, which would be in the
 * history of a terminal.
 */
export function readServerAddress(text: string): Omit<TeamServer, 'authority'> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.password) throw new AppError('INVALID_REQUEST', message('team.passwordInAddress'))
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '')
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '' || url.username === '' || database === '' || database.includes('/')) {
    throw new AppError('INVALID_REQUEST', message('team.address'))
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 5432 : Number(url.port), database, user: decodeURIComponent(url.username) }
}

/**
 * Works with the server over one connection, which is closed afterwards: hundreds of laptops share a pooler. Encrypted, and
 * only with the server that its certificate names, unless it is this computer. No state of a session and no named
 * statement is used, so that a pooler may give each transaction another connection.
 * @throws AppError with one sentence for whatever the server or the way to it does.
 */
export async function withServer<T>(server: TeamServer, password: string, work: (client: Client) => Promise<T>, { limits = standardLimits, signal }: { limits?: ServerLimits; signal?: AbortSignal | undefined } = {}): Promise<T> {
  signal?.throwIfAborted()
  const { host, port, database, user, authority } = server
  const isPlain = authority === null && isLoopback(host)
  const client = new Client({
    host,
    port,
    database,
    user,
    password,
    ssl: isPlain ? false : { host, rejectUnauthorized: true, ...(authority === null ? {} : { ca: authority }) },
    enableChannelBinding: !isPlain,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    application_name: 'Fitter'
  })
  // A connection that breaks between two questions is told with the next one.
  client.on('error', () => undefined)
  const stop = (): void => void client.end().catch(() => undefined)
  signal?.addEventListener('abort', stop)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    if (signal?.aborted) throw new AppError('CANCELLED', message('team.stopped'), { cause: error })
    throw teamError(error, host)
  } finally {
    signal?.removeEventListener('abort', stop)
    await client.end().catch(() => undefined)
  }
}
