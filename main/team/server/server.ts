import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { isLoopback } from '../../addresses/address.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
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

/** A password, or who is asked for it once the server wants one. */
export type TeamPassword = string | (() => string | Promise<string>)

const standardLimits: ServerLimits = { connectMs: 10_000, queryMs: 40_000 }
/** So long may a server take to close its end of a connection that we closed. */
const closeLimitMs = 1_000

/**
 * Reads `postgres://user@host[:port]/database`.
 * @throws AppError INVALID_REQUEST for anything else; also for an address with a password in it, which would be in the
 * history of a terminal and in the list of processes.
 */
export function readServerAddress(text: string): Omit<TeamServer, 'authority'> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.password) throw new AppError('INVALID_REQUEST', message('team.passwordInAddress'))
  const [database, user, host] = [decoded(url?.pathname.slice(1)), decoded(url?.username), decoded(url?.hostname).replace(/^\[|\]$/g, '')]
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || host === '' || user === '' || database === '' || database.includes('/') || url.hash !== '' || url.port === '0') {
    throw new AppError('INVALID_REQUEST', message('team.address'))
  }
  // How the way is secured is not for the address to say; whatever else stands there would be left out in silence.
  const more = [...url.searchParams.keys()].filter((name) => name !== 'sslmode')
  if (more.length > 0) throw new AppError('INVALID_REQUEST', message('teamWay.addressMore', { names: more }))
  return { host, port: url.port === '' ? 5432 : Number(url.port), database, user }
}

/** Empty for what is no text of an address. */
function decoded(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return ''
    throw error
  }
}

/**
 * Gives no password away: it answers only a question (SCRAM) whose answer is of no use to whoever hears it, and goes on
 * only with a server that has shown that it knows the login as well.
 */
class TeamClient extends Client {
  #isProofOwed = false

  constructor(config: ClientConfig, host: string) {
    super(config)
    const refuse = (): void => void this.connection.emit('error', new AppError('UNREACHABLE', message('teamWay.wantsPassword', { host })))
    Object.assign(this, { _handleAuthCleartextPassword: refuse, _handleAuthMD5Password: refuse })
    this.connection.on('authenticationSASL', () => (this.#isProofOwed = true))
    this.connection.on('authenticationSASLFinal', () => (this.#isProofOwed = false))
    this.connection.on('authenticationOk', () => {
      if (this.#isProofOwed) this.connection.emit('error', new AppError('UNREACHABLE', message('teamWay.noProof', { host })))
    })
    // A connection that breaks between two questions is told with the next one.
    this.on('error', () => undefined)
  }
}

/**
 * Works with the server over one connection, which is closed afterwards: hundreds of laptops share a pooler. Encrypted, and
 * only with the server that its certificate names, unless it is this computer. No state of a session and no named
 * statement is used, so that a pooler may give each transaction another connection.
 * @throws AppError with one sentence for whatever the server or the way to it does.
 */
export async function withServer<T>(server: TeamServer, password: TeamPassword, work: (client: Client) => Promise<T>, { limits = standardLimits, signal }: { limits?: ServerLimits; signal?: AbortSignal | undefined } = {}): Promise<T> {
  signal?.throwIfAborted()
  const client = new TeamClient(configOf(server, password, limits), server.host)
  const over = new AbortController()
  const stopped = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new AppError('CANCELLED', message('team.stopped'))), { signal: over.signal }))
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

/** Whether the connection is encrypted: to every server but one on this computer for which no authority is named. */
export function isEncrypted({ host, authority }: Pick<TeamServer, 'host' | 'authority'>): boolean {
  return authority !== null || !isLoopback(host)
}

function configOf({ host, port, database, user, authority }: TeamServer, password: TeamPassword, limits: ServerLimits): ClientConfig {
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

/** Says goodbye, and does not wait for a server that does not hear it. */
async function close(client: TeamClient): Promise<void> {
  const ending = new AbortController()
  await Promise.race([client.end(), wait(closeLimitMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined)]).catch(() => undefined)
  ending.abort()
  client.connection.stream.destroy()
}
