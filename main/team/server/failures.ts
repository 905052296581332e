import { AppError, type ErrorCode } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { codeOfFailure, sayTlsFault, tlsFaultOf } from '../../base/internet/tlsFault.ts'

/** The SQL states of the team log's functions (team/server/migrations/log.ts). */
const refusals = {
  FT001: 'notOfTeam',
  FT002: 'heldByOther',
  FT003: 'hashDiffers',
  FT004: 'gap',
  FT005: 'tooMuch',
  FT006: 'form',
  FT007: 'noSuchLaptop',
  FT008: 'withdrawn',
  FT009: 'notThere',
  FT010: 'dayFull',
  FT011: 'dropped',
  FT012: 'forkFull',
  FT013: 'atWork',
  FT014: 'expired',
  FT015: 'preparedFull'
} as const

export type TeamRefusal = (typeof refusals)[keyof typeof refusals]

/** A timeout or a conflict at the server: a smaller call may succeed. */
export function isOutOfTime(error: unknown): boolean {
  const { code } = (error ?? {}) as ServerError
  return typeof code === 'string' && (code === '57014' || code === '55P03' || code.startsWith('40'))
}

/** Someone kept a needed row locked for too long. */
export function isLocked(error: unknown): boolean {
  return ((error ?? {}) as ServerError).code === '55P03'
}

interface ServerError {
  code?: unknown
  message?: unknown
  detail?: unknown
}

/** The refusal of a team log function; null for every other failure. */
export function refusalOf(error: unknown): TeamRefusal | null {
  const { code } = (error ?? {}) as ServerError
  return typeof code === 'string' ? ((refusals as Partial<Record<string, TeamRefusal>>)[code] ?? null) : null
}

/** The result of a team log function, or its refusal; every other failure is thrown. */
export async function orRefusal<T>(
  asked: Promise<T>
): Promise<{ refusal: null; value: T } | { refusal: TeamRefusal; detail: string }> {
  try {
    return { refusal: null, value: await asked }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    return { refusal, detail: String((error as { detail?: unknown }).detail ?? '') }
  }
}

/** A failure of the server or the connection, as one sentence for a person. AppErrors are unchanged. */
export function teamError(error: unknown, host: string): AppError {
  if (error instanceof AppError) return error
  const state = codeOfFailure((error ?? {}) as ServerError)
  const make = (kind: ErrorCode, sentence: Message, retryable = false) =>
    new AppError(kind, sentence, { retryable, cause: error })
  const text = error instanceof Error ? error.message : ''
  const known = sayStates(host).find(([states]) => states.test(state))
  if (known) return make(known[1], known[2], known[3])
  return (
    ofTheWay() ??
    make('SERVER_ERROR', message('team.failed', { host, state: /^[0-9A-Z]{5}$/.test(state) ? state : 'XX000' }))
  )

  function ofTheWay(): AppError | undefined {
    const fault = tlsFaultOf(state)
    const isOther = fault === 'notEncrypted' || fault === 'other'
    if (fault !== undefined && !isOther) return make('UNREACHABLE', sayTlsFault(fault, state, host))
    if (/does not support SSL/.test(text)) return make('UNREACHABLE', message('team.noTls', { host }))
    // After it said that it encrypts, PostgreSQL speaks TLS: whatever does not is another service.
    if (isOther || /establishing an SSL connection/.test(text))
      return make('UNREACHABLE', message('teamWay.noPostgres', { host }))
    if (/^SASL: Only mechanism/.test(text)) return make('UNREACHABLE', message('teamWay.wantsPassword', { host }))
    if (text.startsWith('SASL: ')) return make('UNREACHABLE', message('teamWay.noProof', { host }))
    const refused = /startup parameter(?: in options)?[^\w]*([\w.]+)/.exec(text)?.[1]
    if (refused !== undefined) return make('UNREACHABLE', message('teamWay.poolerRefuses', { host, name: refused }))
    // An unknown statement name or no transaction: a pooler in statement mode.
    if (['26000', '42P05', '25P01'].includes(state) || /statement pooling/.test(text))
      return make('UNREACHABLE', message('teamWay.poolerMode', { host }))
    if (state === 'ETIMEDOUT' || /timeout/i.test(text)) return make('TIMEOUT', message('team.late', { host }), true)
    if (isAway(error, state)) return make('UNREACHABLE', message('team.away', { host }), true)
    return undefined
  }
}

/** What the server's refusals and its own failures mean to a person, where no caller says more; the first one counts. */
function sayStates(host: string): [states: RegExp, code: ErrorCode, sentence: Message, isRetryable?: boolean][] {
  return [
    [/^(FT001|42501)$/, 'NOT_PERMITTED', message('team.noRight')],
    [/^FT002$/, 'CONFLICT', message('team.heldByOther')],
    [/^FT007$/, 'NOT_FOUND', message('teamServer.noSuchLaptop')],
    [/^FT008$/, 'CONFLICT', message('teamServer.withdrawn')],
    [/^FT009$/, 'NOT_FOUND', message('teamServer.notThere')],
    [/^FT010$/, 'NOT_PERMITTED', message('teamServer.dayFull'), true],
    [/^FT011$/, 'CONFLICT', message('teamServer.dropped')],
    [/^FT012$/, 'CONFLICT', message('teamForks.tooMuch')],
    [/^FT014$/, 'NOT_PERMITTED', message('teamOffice.expired')],
    [/^28P01$/, 'NOT_AUTHENTICATED', message('team.wrongPassword', { host })],
    [/^28000$/, 'NOT_AUTHENTICATED', message('teamWay.notAdmitted', { host })],
    [/^3D000$/, 'NOT_FOUND', message('team.noDatabase', { host })],
    [/^(3F000|42P01|42883)$/, 'NOT_FOUND', message('team.noSchema', { host })],
    // Something else has tables with the same names.
    [/^42703$/, 'CONFLICT', message('teamWay.foreignSchema', { host })],
    [/^53100$/, 'SERVER_ERROR', message('team.serverFull', { host }), true],
    [/^53300$/, 'UNREACHABLE', message('team.tooMany', { host }), true],
    // Class 53: no room for more locks, no memory, a limit of its own.
    [/^53/, 'UNREACHABLE', message('teamServer.busy', { host }), true],
    // Timeouts of a statement, a lock and a transaction; class 40: conflicting transactions.
    [/^(57014|55P03|25P0[34])$|^40/, 'TIMEOUT', message('team.late', { host }), true],
    // Class 57: it stops or starts; 25006: it is a standby.
    [/^57P|^25006$/, 'UNREACHABLE', message('team.notNow', { host }), true]
  ]
}

function isAway(error: unknown, code: string): boolean {
  if (/^E(CONN|HOST|NET|AI_|NOTFOUND|PIPE)/.test(code) || code === 'ENOTFOUND') return true
  return error instanceof Error && /Connection terminated|not queryable/.test(error.message)
}
