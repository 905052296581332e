import { nameMessage, type Message } from './messages.ts'

/** Every way in which a call can fail. Expected outcomes are values in a call's output, not errors. */
export const errorCodes = [
  'INVALID_REQUEST', // the input does not match the contract
  'UNREACHABLE', // nothing answers at that address, or the connection broke
  'TIMEOUT', // it answered too late or stopped answering
  'UNREADABLE', // something answered, but not as the API document says (a captive portal, truncated JSON)
  'NOT_AUTHENTICATED', // no credentials, or wrong ones
  'NOT_PERMITTED', // known user, not allowed
  'NOT_FOUND', // not found, or (at the gateway) not permitted: the API does not distinguish them
  'REFUSED', // the other side refused the request as invalid (400)
  'CONFLICT', // it exists already or contradicts what is there (409)
  'RATE_LIMITED', // too many requests: wait until the reset
  'SERVER_ERROR', // the other side failed (5xx)
  'WRONG_DEVICE', // another device answers at this address
  'INTERLOCK', // a safety condition of an output does not hold
  'DATA_LOCKED', // another Fitter, or another program, uses the data folder
  'DATA_UNUSABLE', // data folder unreadable, not writable, full or damaged
  'CANCELLED', // the caller no longer wants it
  'INTERNAL' // a bug
] as const
export type ErrorCode = (typeof errorCodes)[number]

/**
 * What can have happened to a failed request, decided where it was made; retries and questions depend on it.
 * `notSent`: nothing left this computer: it may be sent again at any time.
 * `refused`: the other side, or a check before sending, refused it: nothing was applied, and a repetition will be
 * refused too. `away`: no valid answer, and nothing can have been applied (a read, a rate limit, not signed in): it may
 * succeed later. `unknown`: it may have been applied: read back before anything is sent again.
 */
export type Fate = 'notSent' | 'refused' | 'away' | 'unknown'

/** What a code alone proves about the request; codes that prove nothing are missing. */
const fateOfCode: Readonly<Partial<Record<ErrorCode, Fate>>> = {
  INVALID_REQUEST: 'refused',
  NOT_PERMITTED: 'refused',
  NOT_FOUND: 'refused',
  REFUSED: 'refused',
  CONFLICT: 'refused',
  WRONG_DEVICE: 'refused',
  INTERLOCK: 'refused',
  NOT_AUTHENTICATED: 'away',
  RATE_LIMITED: 'away'
}

/** An error as it crosses a border (IPC, WebSocket, `--json`). */
export interface ErrorData {
  code: ErrorCode
  message: Message
  retryable: boolean
}

export interface AppErrorOptions {
  retryable?: boolean
  cause?: unknown
  status?: number
  /** When the other side allows a retry (epoch milliseconds). */
  retryAtMs?: number
  /** What can have happened to the request; if omitted, what the code alone proves. */
  fate?: Fate
}

/** A failure with a code and a sentence with the remedy. `message` is for logs; a person reads the `sentence`. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly sentence: Message
  readonly retryable: boolean
  readonly status: number | undefined
  readonly retryAtMs: number | undefined
  readonly fate: Fate

  constructor(code: ErrorCode, sentence: Message, options: AppErrorOptions = {}) {
    super(nameMessage(sentence), { cause: options.cause })
    this.code = code
    this.sentence = sentence
    this.retryable = options.retryable ?? false
    this.status = options.status
    this.retryAtMs = options.retryAtMs
    this.fate = options.fate ?? fateOfCode[code] ?? 'unknown'
  }

  /** The same failure for another request, which waited for the failed one and has an outcome of its own. */
  withFate(fate: Fate): AppError {
    if (fate === this.fate) return this
    const { code, sentence, retryable, cause, status, retryAtMs } = this
    return new AppError(code, sentence, {
      retryable,
      cause,
      fate,
      ...(status === undefined ? {} : { status }),
      ...(retryAtMs === undefined ? {} : { retryAtMs })
    })
  }

  toData(): ErrorData {
    return { code: this.code, message: this.sentence, retryable: this.retryable }
  }
}

/** What crosses the border instead of an exception: a value or an error, never a thrown object. */
export type CallResult<T> = { ok: true; value: T } | { ok: false; error: ErrorData }
