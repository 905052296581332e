import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'

/** What the functions of the team log say with a state of their own (migrations/0001-log.ts, 0002-holding.ts). */
export type TeamRefusal = 'notOfTeam' | 'heldByOther' | 'hashDiffers' | 'gap' | 'tooMuch' | 'form' | 'noSuchLaptop' | 'withdrawn' | 'notThere'

const refusals: Readonly<Record<string, TeamRefusal>> = {
  FT001: 'notOfTeam',
  FT002: 'heldByOther',
  FT003: 'hashDiffers',
  FT004: 'gap',
  FT005: 'tooMuch',
  FT006: 'form',
  FT007: 'noSuchLaptop',
  FT008: 'withdrawn',
  FT009: 'notThere'
}

interface ServerError {
  code?: unknown
  message?: unknown
  detail?: unknown
}

/** What a function of the team log refused; null for every other failure. */
export function refusalOf(error: unknown): TeamRefusal | null {
  const { code } = (error ?? {}) as ServerError
  return typeof code === 'string' ? (refusals[code] ?? null) : null
}

/** A failure of the server or of the way to it, as one sentence for a person. AppErrors stay as they are. */
export function teamError(error: unknown, host: string): AppError {
  if (error instanceof AppError) return error
  const { code } = (error ?? {}) as ServerError
  const state = typeof code === 'string' ? code : ''
  const make = (kind: ConstructorParameters<typeof AppError>[0], sentence: Message, retryable = false) => new AppError(kind, sentence, { retryable, cause: error })
  const refusal = refusalOf(error)
  if (refusal === 'heldByOther') return make('CONFLICT', message('team.heldByOther'))
  if (refusal === 'withdrawn') return make('CONFLICT', message('teamServer.withdrawn'))
  if (refusal === 'noSuchLaptop') return make('NOT_FOUND', message('teamServer.noSuchLaptop'))
  if (refusal === 'notThere') return make('NOT_FOUND', message('teamServer.notThere'))
  if (refusal === 'notOfTeam' || state === '42501') return make('NOT_PERMITTED', message('team.noRight'))
  if (state === '28P01' || state === '28000') return make('NOT_AUTHENTICATED', message('team.wrongPassword', { host }))
  if (state === '3D000') return make('NOT_FOUND', message('team.noDatabase', { host }))
  if (state === '3F000' || state === '42P01' || state === '42883') return make('NOT_FOUND', message('team.noSchema', { host }))
  if (state === '53100') return make('SERVER_ERROR', message('team.serverFull', { host }), true)
  if (state === '53300') return make('UNREACHABLE', message('team.tooMany', { host }), true)
  // Too late, or two that waited for each other: the same again may go well.
  if (['57014', '55P03', '40P01', '40001'].includes(state)) return make('TIMEOUT', message('team.late', { host }), true)
  // Class 57: it stops or starts; 25006: it has become, or is still, a standby.
  if (state.startsWith('57P') || state === '25006') return make('UNREACHABLE', message('team.notNow', { host }), true)
  if (isCertificateError(state)) return make('UNREACHABLE', message('team.certificate', { host, why: state }))
  if (error instanceof Error && /does not support SSL/.test(error.message)) return make('UNREACHABLE', message('team.noTls', { host }))
  if (state === 'ETIMEDOUT' || (error instanceof Error && /timeout/i.test(error.message))) return make('TIMEOUT', message('team.late', { host }), true)
  if (isAway(error, state)) return make('UNREACHABLE', message('team.away', { host }), true)
  return make('SERVER_ERROR', message('team.failed', { host, state: state === '' ? 'XX000' : state }))
}

function isCertificateError(code: string): boolean {
  return code.startsWith('CERT_') || code.startsWith('ERR_TLS_CERT') || ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'HOSTNAME_MISMATCH'].includes(code)
}

function isAway(error: unknown, code: string): boolean {
  if (/^E(CONN|HOST|NET|AI_|NOTFOUND|PIPE)/.test(code) || code === 'ENOTFOUND') return true
  return error instanceof Error && /Connection terminated|not queryable/.test(error.message)
}
