import type { Client, ClientConfig } from 'pg'
import { isLoopback } from '../../base/addresses/address.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { atMost } from '../../base/time/pause.ts'
import { teamError } from './failures.ts'

export interface TeamServer {
  host: string
  port: number
  database: string
  user: string
  /** The certificate authority as PEM; null: those of the system. */
  authority: string | null
}

export interface ServerLimits {
  connectMs: number
  queryMs: number
}

/** A password, or a function that asks for it if the server requires one. */
export type TeamPassword = string | (() => string | Promise<string>)

const standardLimits: ServerLimits = { connectMs: 10_000, queryMs: 40_000 }
/** How long a server may take to close its end of a connection that we closed. */
const closeLimitMs = 1_000

/**
 * Parses `postgres://user@host[:port]/database`. @throws AppError INVALID_REQUEST for anything else; also for an
 * address with a password, which the terminal's history and the list of processes would show.
 */
export function readServerAddress(text: string): Omit<TeamServer, 'authority'> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.password) throw new AppError('INVALID_REQUEST', message('team.passwordInAddress'))
  const [database, user, host] = [
    decoded(url?.pathname.slice(1)),
    decoded(url?.username),
    decoded(url?.hostname).replace(/^\[|\]$/g, '')
  ]
  if (
    !url ||
    !/^postgres(ql)?:$/.test(url.protocol) ||
    host === '' ||
    user === '' ||
    database === '' ||
    database.includes('/') ||
    url.hash !== '' ||
    url.port === '0'
  ) {
    throw new AppError('INVALID_REQUEST', message('team.address'))
  }
  // The address cannot choose the encryption; other parameters would be silently ignored.
  const more = [...url.searchParams.keys()].filter((name) => name !== 'sslmode')
  if (more.length > 0) throw new AppError('INVALID_REQUEST', message('teamWay.addressMore', { names: more }))
  return { host, port: url.port === '' ? 5432 : Number(url.port), database, user }
}

/** Empty for a text that is not an address. */
function decoded(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return ''
    throw error
  }
}

/**
 * Runs work over one connection, which is closed afterwards, because hundreds of laptops share a pooler. Encrypted, and
 * only with the server that its certificate names, unless it is this computer. It uses no session state and no named
 * statements, so that a pooler may use another connection for each transaction. @throws AppError with one sentence for
 * every failure of the server or the connection.
 */
export async function withServer<T>(
  server: TeamServer,
  password: TeamPassword,
  work: (client: Client) => Promise<T>,
  { limits = standardLimits, signal }: { limits?: ServerLimits; signal?: AbortSignal | undefined } = {}
): Promise<T> {
  // Loaded with the first connection: most laptops have no team log.
  const { TeamClient } = await import('./teamClient.ts')
  signal?.throwIfAborted()
  const client = new TeamClient(configOf(server, password, limits), server.host)
  const over = new AbortController()
  const stopped = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new AppError('CANCELLED', message('team.stopped'))), {
      signal: over.signal
    })
  )
  try {
    return await Promise.race([stopped, client.connect().then(() => work(client))])
  } catch (error) {
    if (signal?.aborted) throw new AppError('CANCELLED', message('team.stopped'), { cause: error })
    throw teamError(error, server.host)
  } finally {
    over.abort()
    await close(client)
  }
}

/** Whether the connection is encrypted: always, except to this computer without a certificate authority. */
export function isEncrypted({ host, authority }: Pick<TeamServer, 'host' | 'authority'>): boolean {
  return authority !== null || !isLoopback(host)
}

function configOf(
  { host, port, database, user, authority }: TeamServer,
  password: TeamPassword,
  limits: ServerLimits
): ClientConfig {
  const isPlain = !isEncrypted({ host, authority })
  return {
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
  }
}

/** Ends the session without waiting for a silent server. */
async function close(client: Client): Promise<void> {
  await atMost(closeLimitMs, client.end()).catch(() => undefined)
  client.connection.stream.destroy()
}
