import { whyNoAddress } from '../../base/addresses/address.ts'
import { AppError, type Fate } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'

/** Information about a request for its failure, without secrets. */
export interface FailedRequest {
  label: string
  operation: string
  /** A change may have taken effect although its answer was lost: it must never be repeated blindly. */
  mutates: boolean
}

/** For a request without a clear answer: a change may have been applied. */
function withoutProof({ mutates }: Pick<FailedRequest, 'mutates'>): Fate {
  return mutates ? 'unknown' : 'away'
}

const neverSent = new Set([
  'EINVAL',
  'ENODEV',
  'ENXIO',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL'
])
const notResolved = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL', 'ENODATA'])
const forbiddenHere = new Set(['EACCES', 'EPERM'])

/** A connection failure, by the code of the operating system or of the HTTP library, as an AppError. */
export function connectionFailure(code: string, text: string, request: FailedRequest): AppError {
  const { label, operation, mutates } = request
  const cause = new Error(code)
  const notSent = { retryable: true, cause, fate: 'notSent' } as const
  if (code === 'ECONNREFUSED')
    return new AppError('UNREACHABLE', message('device.connectionRefused', { label }), notSent)
  if (neverSent.has(code)) return new AppError('UNREACHABLE', message('device.notReached', { label }), notSent)
  if (notResolved.has(code)) return new AppError('UNREACHABLE', message('device.nameNotKnown', { label }), notSent)
  if (forbiddenHere.has(code))
    return new AppError('UNREACHABLE', message('device.forbiddenHere', { label }), { cause, fate: 'notSent' })
  if (code === 'ETIMEDOUT' || code === 'ESOCKETTIMEDOUT') return deviceTimeout(request, undefined)
  if (/maxContentLength/.test(text)) return unreadableAnswer(request, message('device.tooLarge'))
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_URL' || code === 'Z_DATA_ERROR')
    return unreadableAnswer(request, message('device.otherProtocol'))
  const sentence = mutates
    ? message('device.changeBrokeOff', { label, operation })
    : message('device.brokeOff', { label, operation })
  return new AppError('UNREACHABLE', sentence, { retryable: !mutates, cause, fate: withoutProof(request) })
}

/** The device answers everything but its position: usually there is none yet. */
export function positionUnanswered(timeout: AppError): AppError {
  return new AppError('TIMEOUT', message('device.positionUnanswered'), {
    retryable: true,
    fate: timeout.fate,
    cause: timeout
  })
}

export function isPositionUnanswered(error: AppError | undefined): boolean {
  return error?.sentence.id === 'device.positionUnanswered'
}

export function noAddress(text: string): AppError {
  return new AppError('INVALID_REQUEST', whyNoAddress(text))
}

export function publicAddress(label: string): AppError {
  return new AppError('INVALID_REQUEST', message('device.publicAddress', { label }))
}

export function noSuchCard({ label }: FailedRequest, zone: string): AppError {
  return new AppError('UNREACHABLE', message('device.noSuchCard', { label, card: zone }), {
    retryable: true,
    fate: 'notSent'
  })
}

/** No answer in time. `isConnected`: the connection existed, so the request can have arrived. */
export function deviceTimeout(request: FailedRequest, timeoutMs: number | undefined, isConnected = true): AppError {
  const { label, operation } = request
  const mayHaveArrived = request.mutates && isConnected
  const silence =
    timeoutMs === undefined
      ? message('device.noAnswer', { label, operation })
      : message('device.noAnswerWithin', { label, operation, limitS: Number((timeoutMs / 1000).toFixed(1)) })
  return new AppError(
    'TIMEOUT',
    mayHaveArrived
      ? message('device.changeUnanswered', { silence, operation })
      : message('device.unanswered', { silence }),
    {
      retryable: !mayHaveArrived,
      fate: isConnected ? withoutProof(request) : 'notSent'
    }
  )
}

/** Something answered, but not what the API document says. */
export function unreadableAnswer(request: FailedRequest, what: Message, status?: number): AppError {
  const { label, operation } = request
  return new AppError('UNREADABLE', message('device.unreadable', { label, operation, what }), {
    fate: withoutProof(request),
    ...(status === undefined ? {} : { status })
  })
}

/** A web page or a redirect where a device would send data. */
export function somethingElseAnswers(request: FailedRequest, status: number): AppError {
  const { label, operation } = request
  return new AppError('UNREADABLE', message('device.somethingElse', { label, operation }), {
    status,
    fate: withoutProof(request)
  })
}

/** What every device knows: a page that refuses it comes from something else, such as a router. */
const knownToAll = 'system.info'

/**
 * The error for an HTTP status; undefined for 2xx. `words`: the device's own message, without secrets. `isPage`: a web
 * page instead.
 */
export function statusFailure(
  status: number,
  words: string,
  request: FailedRequest & { isPage?: boolean }
): AppError | undefined {
  const { label, operation, mutates } = request
  const saying = (what: Message): Message => (words === '' ? what : message('device.itSays', { what, words }))
  const options = { status }
  const withoutAnswer = { ...options, retryable: !mutates, fate: withoutProof(request) }
  if (status >= 200 && status < 300) return undefined
  if (status < 400 || status === 511 || status === 407) return somethingElseAnswers(request, status)
  if (request.isPage && (status === 451 || ((status === 403 || status === 404) && operation === knownToAll)))
    return somethingElseAnswers(request, status)
  switch (status) {
    case 400:
      return new AppError('REFUSED', saying(message('device.invalid', { label, operation })), options)
    case 401:
      return new AppError('NOT_AUTHENTICATED', message('device.notAuthenticated', { label }), options)
    case 403:
      return new AppError('NOT_PERMITTED', saying(message('device.notPermitted', { label, operation })), options)
    case 404:
      return new AppError('NOT_FOUND', message('device.notKnown', { label, operation }), options)
    case 408:
      return new AppError('TIMEOUT', message('device.gaveUp', { label, operation }), withoutAnswer)
    case 409:
      return new AppError('CONFLICT', saying(message('device.conflict', { label, operation })), options)
    case 429:
      return new AppError('RATE_LIMITED', message('device.tooManyRequests', { label }), { ...options, retryable: true })
  }
  if (status < 500)
    return new AppError('REFUSED', saying(message('device.refused', { label, operation, status })), options)
  const what = saying(message('device.failed', { label, operation, status }))
  return new AppError(
    'SERVER_ERROR',
    mutates ? message('device.changeFailed', { what }) : message('device.readFailed', { what }),
    withoutAnswer
  )
}
