import type { z } from 'zod'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Reading } from '../../../../preload/contract/device/deviceAreas.ts'
import { decodeJson, failureOf } from './answers.ts'
import { buildRequest, type BuiltRequest, type Input } from '../request/buildRequest.ts'
import type { Endpoint } from '../request/endpointTable.ts'
import { isOfAnother, judge } from '../../../base/internet/judgement.ts'
import type { LoginPageGuard } from './loginPage.ts'
import { bucketOfPath, type Priority, type RateLimit, type RateLimiter } from './rateLimit.ts'
import { readFields, readFieldsInTurns, type WrongKind } from '../../../base/reading/fields.ts'
import { isLarge } from '../../../base/reading/json.ts'
import { refuseRequest } from './refuse.ts'
import type { ServerTime } from './serverTime.ts'
import type { Session } from './session.ts'
import type { Transport, TransportAnswer } from './transport.ts'
import { firstOf } from '../../../base/time/pause.ts'
import { presentAsker } from '../../../base/time/turns.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Takes it back as long as nothing of it has left; afterwards its answer is waited for. */
  untilSent?: AbortSignal | undefined
  /** Sent at once, whatever else is being sent and whatever limit Fitter keeps: only for switching an output off. */
  overtakes?: boolean | undefined
  /** For the whole call: waiting for the rate limit, signing in, answer. Default: that of the client. */
  timeoutMs?: number | undefined
  /** How long it may wait for the rate limit, beyond `timeoutMs` (when reading many pages). Default: `timeoutMs`. */
  rateLimitWaitMs?: number | undefined
  /** A person's requests come before background requests. */
  priority?: Priority | undefined
}

export type GatewayReading<T> = Reading<T> & { rateLimit: RateLimit | null }

/** How the body of an answer is read. `any`: its form is not documented, and it is only kept. */
export type AnswerForm<T> =
  | { kind: 'record'; schema: z.ZodType<T> }
  | { kind: 'any' }
  | { kind: 'page'; schema: z.ZodType<T> }
  /** A requested file; JSON is parsed. A web page is a file only if one was requested. */
  | { kind: 'file'; isHtmlExpected: boolean }

export interface CallerParts {
  base: string
  endpoints: ReadonlyMap<string, Endpoint>
  transport: Transport
  limiter: RateLimiter
  serverTime: ServerTime
  /** Missing for a service without sign-in. */
  session?: Session | undefined
  /** Withholds secrets while a sign-in page of the network is in front of the gateway. */
  guard?: LoginPageGuard | undefined
  timeoutMs: number
  onSeen(outcome: LastAnswer): void
  /** Something other than the gateway answered at this local address. */
  onForeign?(localAddress: string): void
}

/** The state of the gateway by the last request. An answer from something else does not count. */
export interface LastAnswer {
  isAnswered: boolean
  /**
   * Its answer was a failure of its own (5xx): it is there, and its look-outs may rest, but nothing can be done with
   * it.
   */
  failure?: Message | null
  rateLimit: RateLimit | null
  problem: Message | null
}

export const anyForm: AnswerForm<unknown> = { kind: 'any' }
export function recordForm<T>(schema: z.ZodType<T>): AnswerForm<T> {
  return { kind: 'record', schema }
}
export function pageForm<T>(schema: z.ZodType<T>): AnswerForm<T> {
  return { kind: 'page', schema }
}

export type Caller = ReturnType<typeof createCaller>

interface Exchange {
  answer: TransportAnswer
  rateLimit: RateLimit | null
}

interface Sending {
  endpoint: Endpoint
  token?: string
  isPageExpected: boolean
}

/** Runs an operation from its inputs to its parsed answer: sign-in, rate limit, one repetition after a 401. */
export function createCaller(parts: CallerParts) {
  /** 401 in spite of a fresh sign-in: it is about rights, so no further sign-in for it. Path without query. */
  const notPermitted = new Map<string, { token: string; atMs: number }>()
  /** The token of the sign-in that followed “session ended”: if that is said of it too, signing in does not help. */
  let afterEnded: string | undefined

  async function exchange(
    request: BuiltRequest,
    { endpoint, token, isPageExpected }: Sending,
    limits: Limits
  ): Promise<Exchange> {
    await parts.guard?.pass({ isPerson: limits.priority === 'person', signal: limits.signal })
    const permit = await parts.limiter.enter(bucketOfPath(request.path), {
      priority: limits.priority,
      waitMs: limits.waitMs(),
      signal: limits.signal,
      overtakes: limits.overtakes
    })
    let isLeft = false
    try {
      const answer = await parts.transport.send({
        method: request.method,
        url: `${parts.base}${request.path === '/' ? '' : request.path}${request.query === '' ? '' : `?${request.query}`}`,
        headers: {
          Accept: 'application/json, */*;q=0.5',
          ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(token === undefined ? {} : { Authenticate: token })
        },
        body: request.body,
        isWrite: endpoint.mutates,
        timeoutMs: limits.leftMs(),
        signal: limits.sentSignal,
        untilSent: limits.untilSent
      })
      isLeft = true
      const isSignIn = !endpoint.isAuthenticated
      const judgement = judge(answer, { isSignIn, isPageExpected, isChange: endpoint.mutates, sent: request.body })
      const foreign = isOfAnother(judgement)
      const doubtful = judgement.kind === 'status' && judgement.isDoubtful
      if (foreign || doubtful) parts.guard?.doubt()
      if (foreign) parts.onForeign?.(answer.localAddress)
      // Limits and times from something else are not the gateway's.
      const rateLimit = permit.leave(
        foreign ? undefined : { status: answer.status, headers: answer.headers, endedAtMs: answer.endedAtMs }
      )
      if (!foreign && judgement.kind !== 'failedBefore')
        parts.serverTime.learnDate(answer.headers.get('date'), answer.startedAtMs, answer.endedAtMs)
      const secrets = [...request.secrets, ...(parts.session?.secrets() ?? []), ...(token === undefined ? [] : [token])]
      const failure = failureOf(judgement, answer, {
        secrets,
        mayQuote: endpoint.isAuthenticated,
        retryAtMs: permit.retryAtMs(),
        isWrite: endpoint.mutates,
        isSignIn
      })
      const isFailing = failure?.code === 'SERVER_ERROR'
      parts.onSeen({
        isAnswered: !foreign,
        failure: isFailing ? failure.sentence : null,
        rateLimit,
        problem: foreign || failure?.code === 'UNREADABLE' ? (failure?.sentence ?? message('gateway.foreign')) : null
      })
      // Only the gateway itself may say that a password is wrong.
      if (doubtful && isSignIn) await parts.guard?.pass({ isPerson: true, signal: limits.signal })
      if (failure) throw failure
      return { answer, rateLimit }
    } catch (error) {
      if (!isLeft) permit.leave()
      if (!isLeft && error instanceof AppError && error.code !== 'CANCELLED') {
        parts.onSeen({ isAnswered: false, rateLimit: null, problem: error.sentence })
      }
      throw error
    }
  }

  /** A user without a right may still ask for their own record: if that succeeds, "sign in again" would not help. */
  async function prove(token: string, limits: Limits): Promise<void> {
    const endpoint = parts.endpoints.get('user.own')
    if (!endpoint) return
    try {
      await exchange(buildRequest(endpoint, {}), { endpoint, token, isPageExpected: false }, limits)
      parts.session?.seenAccepted(token)
    } catch (error) {
      // It stays unproven, and the refusal itself is reported.
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    }
  }

  async function signedIn(request: BuiltRequest, sending: Sending, limits: Limits): Promise<Exchange> {
    const { session } = parts
    if (!session || !sending.endpoint.isAuthenticated) return exchange(request, sending, limits)
    let token = await inTime(session.token(limits.signal), limits.leftMs())
    for (let isRepeat = false; ; isRepeat = true) {
      try {
        const result = await exchange(request, { ...sending, token }, limits)
        session.seenAccepted(token)
        return result
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const isEnded = error.code === 'NOT_AUTHENTICATED' && error.status !== 401
        if (isEnded) {
          if (isRepeat || (afterEnded === token && !session.isProven(token))) throw error
          // Switching off twice does no harm, and leaving something on may.
          if (error.fate === 'unknown' && !limits.overtakes) {
            session.ended(token)
            throw error
          }
          afterEnded = token = await inTime(session.renew(token, limits.signal), limits.leftMs())
          continue
        }
        if (error.status !== 401 || error.code !== 'NOT_AUTHENTICATED') {
          if (error.code === 'NOT_PERMITTED' || error.code === 'NOT_FOUND') session.seenAccepted(token)
          throw error
        }
        const about = `${request.method} ${request.path}`
        const known = notPermitted.get(about)
        if (isRepeat || (known?.token === token && performance.now() - known.atMs < 600_000)) {
          notPermitted.set(about, { token, atMs: performance.now() })
          if (!session.isProven(token)) await prove(token, limits)
          throw refusedAgain(session.isProven(token), error)
        }
        // A 401 proves that nothing was applied: even a change may be sent again.
        token = await inTime(session.renew(token, limits.signal), limits.leftMs())
      }
    }
  }

  return {
    async call<T>(
      id: string,
      input: object | undefined,
      options: CallOptions | undefined,
      form: AnswerForm<T>
    ): Promise<GatewayReading<T>> {
      const endpoint = parts.endpoints.get(id)
      if (!endpoint) throw refuseRequest(message('gatewayCall.noOperation', { operation: id }))
      const request = buildRequest(endpoint, (input ?? {}) as Input)
      const limits = limitsOf(options, parts.timeoutMs)
      const sending = { endpoint, isPageExpected: form.kind === 'file' && form.isHtmlExpected }
      const { answer, rateLimit } = await repeatAfter429(endpoint, limits, () => signedIn(request, sending, limits))
      const read = await readBody(endpoint, answer, form, limits.signal)
      return {
        operation: id,
        status: answer.status,
        ...read,
        readAt: new Date(answer.endedAtMs).toISOString(),
        elapsedMs: answer.elapsedMs,
        rateLimit
      }
    }
  }
}

type Limits = ReturnType<typeof limitsOf>

function limitsOf(options: CallOptions | undefined, defaultMs: number) {
  const timeoutMs = options?.timeoutMs ?? defaultMs
  const started = performance.now()
  const elapsedMs = (): number => performance.now() - started
  const rateLimitWaitMs = options?.rateLimitWaitMs ?? presentAsker()?.line?.mostMs
  return {
    priority: options?.priority ?? 'person',
    /** Until it is sent. */
    signal: firstOf(options?.untilSent, options?.signal),
    sentSignal: options?.signal,
    untilSent: options?.untilSent,
    overtakes: options?.overtakes ?? false,
    waitMs: (): number => Math.max(1, Math.max(timeoutMs, rateLimitWaitMs ?? 0) - elapsedMs()),
    // A caller that agreed to wait for the rate limit still needs the whole time for the answer itself.
    leftMs: (): number => (rateLimitWaitMs === undefined ? Math.max(1, timeoutMs - elapsedMs()) : timeoutMs)
  }
}

/** The sign-in is shared and has its own time limit; each caller waits only as long as it wants. */
async function inTime<T>(work: Promise<T>, leftMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('TIMEOUT', message('gateway.signInLate'), { retryable: true, fate: 'notSent' })),
      Math.max(0, leftMs)
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A read that met an unannounced rate limit continues after the reset, if the caller can wait. */
async function repeatAfter429(endpoint: Endpoint, limits: Limits, send: () => Promise<Exchange>): Promise<Exchange> {
  try {
    return await send()
  } catch (error) {
    const isWorthIt = error instanceof AppError && error.status === 429 && !endpoint.mutates
    if (!isWorthIt || error.retryAtMs === undefined || error.retryAtMs - Date.now() > limits.waitMs()) throw error
    return await send()
  }
}

function refusedAgain(isProven: boolean, cause: AppError): AppError {
  if (isProven) {
    return new AppError('NOT_PERMITTED', message('gateway.noRight'), { status: 401, cause })
  }
  return new AppError('NOT_AUTHENTICATED', message('gateway.refusedAgain'), { status: 401, cause })
}

type ReadBody<T> = Pick<GatewayReading<T>, 'value' | 'problems' | 'raw'>

async function readBody<T>(
  endpoint: Endpoint,
  answer: TransportAnswer,
  form: AnswerForm<T>,
  signal: AbortSignal | undefined
): Promise<ReadBody<T>> {
  const mediaType = answer.headers.get('content-type') ?? ''
  if (form.kind === 'file' && !/\bjson\b/i.test(mediaType) && (form.isHtmlExpected || !/\bhtml\b/i.test(mediaType))) {
    const file = fileOf(mediaType, answer.body)
    return { value: file as ReadBody<T>['value'], problems: [], raw: file }
  }
  const body = await decodeJson(answer, endpoint.mutates, signal)
  if (body.kind === 'empty') {
    // 201 and 204 have no body; a write that answers 200 with an empty body is accepted too, with a note.
    if (!endpoint.mutates && form.kind !== 'any') {
      throw new AppError('UNREADABLE', message('gateway.emptyAnswer'), {
        status: answer.status,
        retryable: true,
        fate: 'away'
      })
    }
    const isExpected = form.kind === 'any' || answer.status === 201 || answer.status === 204
    return { value: {} as ReadBody<T>['value'], problems: isExpected ? [] : [message('gateway.noBody')], raw: null }
  }
  if (form.kind === 'any' || form.kind === 'file')
    return { value: body.value as ReadBody<T>['value'], problems: [], raw: body.value }
  // Some lists are documented both as a page and as a plain list.
  const given = form.kind === 'page' && Array.isArray(body.value) ? { data: body.value } : body.value
  const result = await (isLarge(answer.body) ? readFieldsInTurns(form.schema, given) : readFields(form.schema, given))
  const wrong = 'wanted' in result ? result : wrongPage(form, given)
  if (wrong || 'wanted' in result) {
    const { wanted, seen } = wrong ?? (result as WrongKind)
    throw new AppError(
      'UNREADABLE',
      message('gateway.otherForm', { why: message('reading.otherKind', { wanted, seen }) }),
      {
        status: answer.status,
        retryable: !endpoint.mutates,
        fate: endpoint.mutates ? 'unknown' : 'away'
      }
    )
  }
  return { value: result.value as ReadBody<T>['value'], problems: result.problems, raw: body.value }
}

/** A page without its list is invalid. */
function wrongPage(form: { kind: string }, given: unknown): WrongKind | undefined {
  if (form.kind !== 'page') return undefined
  const { data } = given as { data?: unknown }
  return Array.isArray(data)
    ? undefined
    : {
        wanted: message('reading.listIn', { path: 'data' }),
        seen: data === undefined ? message('reading.nothing') : message('reading.somethingElse')
      }
}

function fileOf(mediaType: string, body: Buffer): GatewayFile {
  return /^(text\/|application\/(xml|csv))|charset=/i.test(mediaType)
    ? { mediaType, text: body.toString('utf8') }
    : { mediaType, base64: body.toString('base64') }
}

/** A file from the gateway or an engine: text if it is text, otherwise base64. */
interface GatewayFile {
  mediaType: string
  text?: string
  base64?: string
}
