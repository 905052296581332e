import { AppError, type ErrorCode } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { parseJson } from '../../reading/json.ts'
import { isMarkup } from './loginPage.ts'
import { quoteServer } from './redact.ts'
import type { TransportAnswer } from './transport.ts'

const foreign = message('gateway.foreign')

export interface FailureContext {
  secrets: readonly string[]
  /** False when the answer may contain an unknown secret: the token of a sign-in. */
  mayQuote: boolean
  /** For a 429, epoch ms. */
  retryAtMs: number | undefined
  /** A write without a clear answer may have been applied. */
  isWrite: boolean
  /** A sign-in: if it is refused with a web page, that is not the gateway, which answers in JSON. */
  isSignIn: boolean
}

/** Turns an answer with a status other than 2xx into its failure ("Errors" of the gateway document). Undefined for 2xx. */
export function failureOf(answer: TransportAnswer, about: FailureContext): AppError | undefined {
  const { status } = answer
  const { retryAtMs } = about
  if (status >= 200 && status < 300) return undefined
  const words = about.mayQuote ? serverWords(answer, about.secrets) : ''
  const saying = (what: Message): Message => (words === '' ? what : message('gateway.itSays', { what, words }))
  const fail = (code: ErrorCode, sentence: Message, retryable = false): AppError =>
    new AppError(code, sentence, {
      status,
      retryable,
      ...(withoutProof.has(code) ? { fate: about.isWrite ? 'unknown' : 'away' } : {})
    })
  if (status >= 300 && status < 400) {
    return fail('UNREADABLE', message('gateway.sentOn', { status, why: foreign }), true)
  }
  if (about.isSignIn && status < 500 && isMarkup(answer)) return fail('UNREADABLE', foreign, true)
  if (status === 400) return fail('REFUSED', saying(message('gateway.invalid')))
  if (status === 401) return fail('NOT_AUTHENTICATED', saying(message('gateway.notAccepted')))
  if (status === 403) return fail('NOT_PERMITTED', saying(message('gateway.notAllowed')))
  if (status === 404) return fail('NOT_FOUND', message('gateway.notFound'))
  if (status === 409) return fail('CONFLICT', saying(message('gateway.conflict')))
  if (status === 429) {
    return new AppError('RATE_LIMITED', message('gateway.tooManyRequests'), {
      status,
      retryable: true,
      ...(retryAtMs === undefined ? {} : { retryAtMs })
    })
  }
  if (status === 511) return fail('UNREADABLE', foreign, true)
  if (status === 408) return fail('TIMEOUT', message('gateway.gaveUp'), true)
  if (status >= 500) return fail('SERVER_ERROR', saying(message('gateway.failed', { status })), true)
  if (status < 200) return fail('UNREADABLE', message('gateway.oddStatus', { status }))
  return fail('REFUSED', saying(message('gateway.refused', { status })))
}

/** Answers that do not say what happened to the request. */
const withoutProof: ReadonlySet<string> = new Set(['UNREADABLE', 'TIMEOUT', 'SERVER_ERROR'])

/** The server's own message: the shape of an error body is not documented, so any short text of it is used. */
function serverWords(answer: TransportAnswer, secrets: readonly string[]): string {
  const text = answer.body.subarray(0, 4000).toString('utf8')
  if (isMarkup(answer)) return ''
  let words = text
  try {
    words = wordsOf(JSON.parse(text)) ?? text
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return quoteServer(words, secrets)
}

function wordsOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return undefined
  for (const key of ['message', 'msg', 'error', 'reason', 'detail', 'description']) {
    const value = (body as Record<string, unknown>)[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
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
  const start = answer.body
    .subarray(0, 4000)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
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
