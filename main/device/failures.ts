import { AppError, type Fate } from '../../preload/contract/errors.ts'

/** What is known about a request when it fails: nothing of it is secret. */
export interface FailedRequest {
  /** Where it went, as it is shown to people. */
  label: string
  operation: string
  /** A change may have taken effect although its answer was lost: it is never offered for a blind repeat. */
  mutates: boolean
}

/** Of a request that got no clear answer: what changes something may have been applied. */
function withoutProof({ mutates }: Pick<FailedRequest, 'mutates'>): Fate {
  return mutates ? 'unknown' : 'away'
}

const neverSent = new Set(['EINVAL', 'ENODEV', 'ENXIO', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'])
const notResolved = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL', 'ENODATA'])
const forbiddenHere = new Set(['EACCES', 'EPERM'])

/** A failure of the connection, by the code of the operating system or of the HTTP library, as one of ours. */
export function connectionFailure(code: string, text: string, request: FailedRequest): AppError {
  const { label, operation, mutates } = request
  const cause = new Error(code)
  const effect = mutates ? ` It is not known whether ${operation} took effect: read it back before you repeat it.` : ''
  if (code === 'ECONNREFUSED') {
    return new AppError(
      'UNREACHABLE',
      `${label} is there but refuses the connection. The device may still be starting: wait a minute, then check that this is the device's address and port.`,
      { retryable: true, cause, fate: 'notSent' }
    )
  }
  if (neverSent.has(code)) {
    return new AppError(
      'UNREACHABLE',
      `Nothing can be reached at ${label}. Check that the device has power and that this computer is on the same network or on the device's hotspot.`,
      { retryable: true, cause, fate: 'notSent' }
    )
  }
  if (notResolved.has(code)) {
    return new AppError(
      'UNREACHABLE',
      `The name in ${label} is not known on this network. Check that this computer is on the same network or on the device's hotspot, or give the IP address instead.`,
      { retryable: true, cause, fate: 'notSent' }
    )
  }
  if (forbiddenHere.has(code)) {
    return new AppError(
      'UNREACHABLE',
      `This computer does not let Fitter reach ${label}. Allow Fitter to use the local network in the system's privacy or firewall settings.`,
      { cause, fate: 'notSent' }
    )
  }
  if (code === 'ETIMEDOUT' || code === 'ESOCKETTIMEDOUT') return timeout(request, undefined)
  if (/maxContentLength/.test(text)) {
    return unreadable(request, 'the answer is larger than anything a device sends (2 MB)')
  }
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_URL' || code === 'Z_DATA_ERROR') {
    return unreadable(request, 'it does not speak the device\'s protocol')
  }
  return new AppError('UNREACHABLE', `The connection to ${label} broke off during ${operation}.${effect || ' Try again.'}`, {
    retryable: !mutates,
    cause,
    fate: withoutProof(request)
  })
}

export function noAddress(text: string): AppError {
  return new AppError(
    'INVALID_REQUEST',
    `"${text.slice(0, 80)}" is not an address. Give a host name, an IPv4 address, or an IPv6 address in brackets, with an optional port.`
  )
}

export function publicAddress(label: string): AppError {
  return new AppError(
    'INVALID_REQUEST',
    `${label} is an address of the internet, not of the local network. Fitter talks to a device there only when a person has confirmed it.`
  )
}

export function noSuchCard({ label }: FailedRequest, zone: string): AppError {
  return new AppError(
    'UNREACHABLE',
    `${label} cannot be reached: this computer has no network card "${zone}" that is connected now. Plug it in or join the network again.`,
    { retryable: true, fate: 'notSent' }
  )
}

/** No answer in time. `isConnected`: whether the connection was there, so that the request can have arrived. */
export function timeout(request: FailedRequest, timeoutMs: number | undefined, isConnected = true): AppError {
  const { label, operation } = request
  const mayHaveArrived = request.mutates && isConnected
  const limit = timeoutMs === undefined ? '' : ` within ${Number((timeoutMs / 1000).toFixed(1))} s`
  const advice = mayHaveArrived
    ? `It is not known whether ${operation} took effect: read it back before you repeat it.`
    : "Check the device's power and how good the connection is, then try again."
  return new AppError('TIMEOUT', `${label} did not answer ${operation}${limit}. ${advice}`, {
    retryable: !mayHaveArrived,
    fate: isConnected ? withoutProof(request) : 'notSent'
  })
}

/** Something answered, but not what the API document says. */
export function unreadable(request: FailedRequest, what: string, status?: number): AppError {
  const { label, operation } = request
  return new AppError(
    'UNREADABLE',
    `${label} answers ${operation} with something else than a device does: ${what}. Check that this is the device's address.`,
    { fate: withoutProof(request), ...(status === undefined ? {} : { status }) }
  )
}

/** A web page or a redirect where a device would send its data. */
export function somethingElseAnswers(request: FailedRequest, status: number): AppError {
  const { label, operation } = request
  return new AppError(
    'UNREADABLE',
    `Something else answers at ${label} (a captive portal or another service), not a device: ${operation} brought a web page. Check the network that this computer is on and the address.`,
    { status, fate: withoutProof(request) }
  )
}

/**
 * The error that an HTTP status stands for; undefined for 2xx. `words` is what the device said about it, already
 * without secrets. Error bodies other than the 401 of the login are not documented.
 */
export function statusFailure(status: number, words: string, request: FailedRequest): AppError | undefined {
  const { label, operation, mutates } = request
  const said = words === '' ? '' : ` It says: "${words}".`
  const options = { status }
  if (status >= 200 && status < 300) return undefined
  if (status < 400 || status === 511) return somethingElseAnswers(request, status)
  switch (status) {
    case 400:
      return new AppError('REFUSED', `The device at ${label} refuses ${operation} as invalid (HTTP 400).${said}`, options)
    case 401:
      return new AppError(
        'NOT_AUTHENTICATED',
        `The device refuses the user name or password (${label}). Sign in to this device again.`,
        options
      )
    case 403:
      return new AppError('NOT_PERMITTED', `The device at ${label} does not allow ${operation} for this user.${said}`, options)
    case 404:
      return new AppError(
        'NOT_FOUND',
        `This device does not know ${operation} (${label}). Its software may be older or newer than the documented one.`,
        options
      )
    case 408:
      return new AppError('TIMEOUT', `The device at ${label} gave up waiting during ${operation}. Try again.`, {
        ...options,
        retryable: !mutates,
        fate: withoutProof(request)
      })
    case 409:
      return new AppError('CONFLICT', `The device at ${label} says that ${operation} contradicts what is there.${said}`, options)
    case 429:
      return new AppError('RATE_LIMITED', `The device at ${label} gets too many requests. Wait a moment, then try again.`, {
        ...options,
        retryable: true
      })
  }
  if (status < 500) {
    return new AppError('REFUSED', `The device at ${label} refuses ${operation} (HTTP ${status}).${said}`, options)
  }
  const advice = mutates ? 'Read back what it did before you repeat it.' : 'Try again; if it stays, restart the device.'
  return new AppError('SERVER_ERROR', `The device at ${label} failed during ${operation} (HTTP ${status}).${said} ${advice}`, {
    ...options,
    retryable: !mutates,
    fate: withoutProof(request)
  })
}
