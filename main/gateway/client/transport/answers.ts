import { AppError, type ErrorCode } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { parseJson } from '../../../base/reading/json.ts'
import { isMarkup, type Judgement } from '../../../base/internet/judgement.ts'
import { wordsOfServer } from '../../../base/internet/serverWords.ts'
import { quoteServer } from './redact.ts'
import type { TransportAnswer } from './transport.ts'
import { withoutMark } from '../../../../preload/base/messages/utf8.ts'

const foreign = message('gateway.foreign')

export interface FailureContext {
  secrets: readonly string[]
  /**
   * False when the answer may contain an unknown secret: the token of a sign-in. Notes about the gateway or the account
   * contain none.
   */
  mayQuote: boolean
  /** When requests of this kind are accepted again, epoch ms. */
  retryAtMs: number | undefined
  /** A write without a clear answer may have been applied. */
  isWrite: boolean
  isSignIn: boolean
}

/**
 * What an answer other than the wanted one means ("Errors" of the gateway document). Undefined: its body is what was
 * asked for.
 */
export function failureOf(judgement: Judgement, answer: TransportAnswer, about: FailureContext): AppError | undefined {
  const { status } = answer
  const fail = (code: ErrorCode, sentence: Message, retryable = false): AppError =>
    new AppError(code, sentence, {
      status,
      retryable,
      ...(about.retryAtMs !== undefined && (status === 429 || about.isSignIn) ? { retryAtMs: about.retryAtMs } : {}),
      ...(withoutProof.has(code) ? { fate: about.isWrite ? 'unknown' : 'away' } : {})
    })
  const quoting = (what: Message): Message => addWords(what, answer, about.secrets)
  const saying = (what: Message): Message => (about.mayQuote ? quoting(what) : what)
  switch (judgement.kind) {
    case 'network':
      // A page with a good status may be a file that was asked for: its reader decides.
      if (status < 300) return undefined
      return fail('UNREADABLE', status < 400 ? message('gateway.sentOn', { status, why: foreign }) : foreign, true)
    case 'challenge':
      return fail('UNREADABLE', message('gateway.challenge', { status }), true)
    case 'between':
      return fail('UNREADABLE', message('gateway.inBetween', { status }), true)
    case 'proxy':
      return fail('UNREACHABLE', message('gateway.proxyAsks', { proxy: proxyNameOf(answer, about) }), true)
    case 'failedBefore':
      return fail('SERVER_ERROR', orLater(message('gateway.failedBefore', { status }), about), true)
    case 'maintenance':
      return fail('SERVER_ERROR', orLater(quoting(message('gateway.maintenance')), about), true)
    case 'legalBlock':
      return fail('REFUSED', saying(message('gateway.legalBlock')))
    case 'accountLocked':
      return fail('NOT_AUTHENTICATED', orLater(quoting(message('gateway.accountLocked')), about))
    case 'sessionOver': {
      const over = saying(message(about.isWrite ? 'gateway.sessionOverChange' : 'gateway.sessionOver'))
      return new AppError('NOT_AUTHENTICATED', over, { status, fate: about.isWrite ? 'unknown' : 'away' })
    }
    case 'refusedInBody':
      // No other refusal of a sign-in is documented.
      return about.isSignIn
        ? fail('NOT_AUTHENTICATED', quoting(message('gateway.wrongPassword')))
        : fail('REFUSED', quoting(message('gateway.refused', { status })))
    case 'status':
      return ofStatus(status, { about, fail, saying })
  }
}

interface Failing {
  about: FailureContext
  fail(code: ErrorCode, sentence: Message, retryable?: boolean): AppError
  saying(what: Message): Message
}

function ofStatus(status: number, { about, fail, saying }: Failing): AppError | undefined {
  if (status >= 200 && status < 300) return undefined
  // The status of a wrong password is not documented; at a sign-in none of these can mean anything else.
  if (about.isSignIn && [400, 401, 403].includes(status))
    return fail('NOT_AUTHENTICATED', message('gateway.wrongPassword'))
  if (status === 400) return fail('REFUSED', saying(message('gateway.invalid')))
  if (status === 401) return fail('NOT_AUTHENTICATED', saying(message('gateway.notAccepted')))
  if (status === 403) return fail('NOT_PERMITTED', saying(message('gateway.notAllowed')))
  if (status === 404) return fail('NOT_FOUND', message('gateway.notFound'))
  if (status === 409) return fail('CONFLICT', saying(message('gateway.conflict')))
  if (status === 429) return fail('RATE_LIMITED', orLater(message('gateway.tooManyRequests'), about), true)
  if (status === 408) return fail('TIMEOUT', message('gateway.gaveUp'), true)
  if (status >= 500) return fail('SERVER_ERROR', orLater(saying(message('gateway.failed', { status })), about), true)
  if (status < 200) return fail('UNREADABLE', message('gateway.oddStatus', { status }))
  return fail('REFUSED', saying(message('gateway.refused', { status })))
}

/** A sign-in that the server wants later says when. */
function orLater(what: Message, { isSignIn, retryAtMs }: FailureContext): Message {
  return isSignIn && retryAtMs !== undefined
    ? message('gateway.noSignInFor', { what, waitS: Math.ceil((retryAtMs - Date.now()) / 1000) })
    : what
}

/** The proxy of this route; otherwise the name that it writes itself. */
function proxyNameOf({ headers, proxy }: TransportAnswer, { secrets }: FailureContext): string {
  const realm = /realm="?([^",]+)/i.exec(headers.get('proxy-authenticate') ?? '')?.[1]
  const via = /^\s*\S+\s+([^\s,;]+)/.exec(headers.get('via') ?? '')?.[1]
  return quoteServer(proxy ?? realm ?? via ?? '', secrets).slice(0, 80)
}

/** Answers that do not say what happened to the request. */
const withoutProof: ReadonlySet<string> = new Set(['UNREADABLE', 'UNREACHABLE', 'TIMEOUT', 'SERVER_ERROR'])

/** With the server's own message, marked as such. */
function addWords(what: Message, answer: TransportAnswer, secrets: readonly string[]): Message {
  if (isMarkup(answer)) return what
  const words = quoteServer(wordsOfServer(answer.body), secrets)
  return words === '' ? what : message('gateway.itSays', { what, words })
}

export type DecodedBody = { kind: 'empty' } | { kind: 'json'; value: unknown }

/** Parses the JSON of a 2xx answer. UNREADABLE when it is invalid, or too large to show. */
export async function decodeJson(
  answer: TransportAnswer,
  isWrite: boolean,
  signal?: AbortSignal
): Promise<DecodedBody> {
  const unreadable = (sentence: Message, retryable = true) =>
    new AppError('UNREADABLE', sentence, { status: answer.status, retryable, fate: isWrite ? 'unknown' : 'away' })
  const start = withoutMark(answer.body.subarray(0, 4000).toString('utf8'))
  if (start.trim() === '' && answer.body.length <= 4000) return { kind: 'empty' }
  if (isMarkup(answer)) throw unreadable(foreign)
  const read = await parseJson(answer.body, signal)
  switch (read.kind) {
    case 'json':
      return { kind: 'json', value: read.value }
    case 'tooDeep':
      throw unreadable(message('gateway.tooDeep'))
    case 'tooMany':
      throw unreadable(message('gateway.tooMany'), false)
    case 'notJson':
      throw unreadable(message('gateway.damaged'))
  }
}
