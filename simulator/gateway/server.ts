import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { scopeLevel, sharedGroups } from './access.ts'
import { type Answer, type Call, type Endpoint, misuseCall, Refusal } from './call.ts'
import { answerOfFront } from './fronts.ts'
import type { Match, Router } from './router.ts'
import { findSession } from './sessions.ts'
import type { GatewayState, Session, User } from './state.ts'
import { isZone } from './time.ts'
import type { Fault, RequestRecord, Violation } from './types.ts'
import type { createFaults } from './faults.ts'
import type { createRateLimits } from './rateLimits.ts'

const maxRequests = 2000
const maxBodyBytes = 2_000_000
/** Operations with a rate tier of their own. */
const dataOperations = /^(rawdata|counters\.(describe|query)|trips)/

export interface ServerParts {
  state: GatewayState
  route: Router
  faults: ReturnType<typeof createFaults>
  limits: ReturnType<typeof createRateLimits>
  now: () => number
  settle: () => void
  isOnline: () => boolean
  later: (ms: number, act: () => void) => void
  requests: RequestRecord[]
  violations: Violation[]
  readCacheMs: number
  settings: Pick<Call, 'delayMs' | 'photoMs' | 'tokenIdleMs' | 'tellDevice' | 'lookThrough' | 'impliedLists'>
}

interface Incoming {
  request: IncomingMessage
  method: string
  path: string
  query: URLSearchParams
  bodyText: string
  shownPath: string
  match: Match | undefined
  isMethodWrong: boolean
}

/** Handles HTTP requests one after the other: faults, sign-in, rate limits, checks, the endpoint, the reply. */
export function createRequestHandler(
  parts: ServerParts
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { state, faults, requests, violations } = parts
  const cache = new Map<string, { untilMs: number; answer: Answer }>()

  return async (request, response) => {
    const bodyText = await readBody(request)
    if (!parts.isOnline() || bodyText === undefined) return resetSocket(request.socket)
    const incoming = readIncoming(request, bodyText)
    const record: RequestRecord = {
      at: iso(),
      operation: incoming.match?.listed.id ?? null,
      method: incoming.method,
      path: incoming.shownPath,
      body: readJson(bodyText),
      status: null
    }
    requests.push(record)
    if (requests.length > maxRequests) requests.shift()
    const fault = faults.takeFault(record.operation, `${incoming.path} ${bodyText}`)
    const reply = (answer: Answer, cut = false): void => {
      record.status = answer.status
      send(response, answer, cut)
    }
    if (!fault) return reply(apply(incoming, response))
    return spoil(fault, incoming, response, reply)
  }

  function spoil(
    fault: Fault,
    incoming: Incoming,
    response: ServerResponse,
    reply: (answer: Answer, cut?: boolean) => void
  ): void {
    const socket = incoming.request.socket
    if (fault.resetBefore) return resetSocket(socket)
    if (fault.lateMs !== undefined) {
      parts.later(fault.lateMs, () => apply(incoming, undefined))
      return resetSocket(socket)
    }
    if (fault.resetAfter) {
      apply(incoming, undefined)
      return resetSocket(socket)
    }
    if (fault.truncated) return reply(apply(incoming, response), true)
    if (fault.twice) {
      const first = apply(incoming, response)
      const known = violations.length
      apply(incoming, undefined)
      // Caused by the proxy, not by the client.
      violations.splice(known)
      return reply(first)
    }
    if (fault.after) apply(incoming, undefined)
    if (fault.hang) return
    if (fault.front) {
      const { answer, headers } = answerOfFront(fault.front, fault.retryAfter)
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      return reply(answer)
    }
    if (fault.html) return reply({ status: 200, text: portalPage, contentType: 'text/html; charset=utf-8' })
    const status = fault.status ?? 500
    if (status !== 429) return reply(describeError(state, status, 'the simulated gateway was told to refuse'))
    const resetS = Math.ceil(parts.now() / 1000) + (fault.resetAfterS ?? 2)
    setLimitHeaders(response, { limit: 1, remaining: 0, resetS })
    reply(describeRateLimit(incoming.match?.listed.id ?? 'gateway', 1, 2))
  }

  /** Runs the request: the only place where the effect of a write is applied. */
  function apply(incoming: Incoming, response: ServerResponse | undefined): Answer {
    parts.settle()
    const note = (why: string): void =>
      void violations.push({ at: iso(), method: incoming.method, path: incoming.shownPath, why })
    try {
      return dispatch(incoming, response, note)
    } catch (error) {
      if (error instanceof Refusal) return describeError(state, error.status, error.message)
      throw error
    }
  }

  function dispatch(incoming: Incoming, response: ServerResponse | undefined, note: (why: string) => void): Answer {
    const { match, request } = incoming
    const caller = findCaller(incoming)
    const kind = match && dataOperations.test(match.listed.id) ? 'data' : 'other'
    const verdict = parts.limits.countRequest(
      caller?.user.username ?? incoming.request.socket.remoteAddress ?? '',
      kind,
      parts.now()
    )
    if (response) {
      setLimitHeaders(response, verdict)
      response.setHeader('X-Gw-Id', '77')
      response.setHeader('X-Gw-Server', 'sim-1')
      if (caller) response.setHeader('X-Gw-User-Id', String(caller.user.id))
    }
    checkHeaders(incoming, note)
    if (!verdict.allowed) {
      if (verdict.isEarly) note('request sent into a closed rate window')
      return describeRateLimit(match?.listed.id ?? 'gateway', verdict.limit, verdict.value)
    }
    if (!match) {
      note(incoming.isMethodWrong ? `the path does not take ${incoming.method}` : 'undocumented path')
      throw new Refusal(404, 'not found')
    }
    const { endpoint, listed } = match
    if (listed.auth !== false && !caller) throw new Refusal(401, 'not authenticated')
    const call = makeCall(incoming, match, caller, note)
    checkScopes(call, endpoint, incoming.method)
    checkQuery(call, endpoint)
    checkBody(call, endpoint, incoming)
    const cacheKey =
      parts.readCacheMs > 0 && incoming.method === 'GET' ? `${caller?.session.token ?? ''} ${request.url ?? ''}` : null
    const known = cacheKey === null ? undefined : cache.get(cacheKey)
    if (known && parts.now() < known.untilMs) return known.answer
    const answer = endpoint.handle(call)
    // Copied: the cache must keep the answer unchanged when the records change later.
    if (cacheKey !== null)
      cache.set(cacheKey, { untilMs: parts.now() + parts.readCacheMs, answer: structuredClone(answer) })
    return answer
  }

  function findCaller(incoming: Incoming): { user: User; session: Session } | undefined {
    const token = incoming.request.headers['authenticate']
    if (typeof token !== 'string') return undefined
    const session = findSession(state, token, parts.now(), parts.settings.tokenIdleMs)
    const user = state.users.find((candidate) => candidate.id === session?.userId)
    if (!session || !user) return undefined
    session.lastUsedMs = parts.now()
    return { user, session }
  }

  function makeCall(
    incoming: Incoming,
    match: Match,
    caller: { user: User; session: Session } | undefined,
    note: (why: string) => void
  ): Call {
    const zone = incoming.query.get('tz') ?? incoming.request.headers['x-time-zone'] ?? 'UTC'
    if (typeof zone !== 'string' || !isZone(zone))
      throw misuseCall({ note }, `time zone ${String(zone)} is not in GET /tz`)
    return {
      operation: match.listed.id,
      params: match.params,
      query: incoming.query,
      body: incoming.bodyText === '' ? undefined : readJson(incoming.bodyText),
      user: caller?.user as User,
      session: caller?.session as Session,
      groups: caller ? sharedGroups(caller.user, caller.session) : [],
      state,
      nowMs: parts.now(),
      zone,
      origin: incoming.request.socket.remoteAddress ?? '',
      note,
      ...parts.settings
    }
  }

  function checkHeaders({ request, query, path }: Incoming, note: (why: string) => void): void {
    if (request.headers.authorization !== undefined) note('Authorization header: the token goes into Authenticate')
    for (const [name, value] of query) {
      const isToken = state.sessions.some((session) => session.token === value)
      if ((isToken || name === 'auth') && !(path === '/logout' && name === 'auth')) note('token in a URL')
    }
    if (state.sessions.some((session) => path.includes(session.token))) note('token in a URL')
  }

  function readIncoming(request: IncomingMessage, bodyText: string): Incoming {
    const url = new URL(request.url ?? '/', 'http://gateway')
    const hasApi = url.pathname === '/api' || url.pathname.startsWith('/api/')
    const isBelow = hasApi || state.speaks('address.apiHost')
    const path = hasApi ? url.pathname.slice(4).replace(/(.)\/$/, '$1') || '/' : url.pathname
    const method = request.method ?? 'GET'
    const found = isBelow ? parts.route(method, path, url.searchParams) : undefined
    const match = found === 'method' ? undefined : found
    return {
      request,
      method,
      path,
      query: url.searchParams,
      bodyText,
      shownPath: maskTokens(url),
      match,
      isMethodWrong: found === 'method'
    }
  }

  function maskTokens(url: URL): string {
    let shown = url.pathname + url.search
    for (const { token } of [...state.sessions, ...state.receivers]) shown = shown.replaceAll(token, '***')
    return shown.replace(/([?&]auth=)[^&]*/, '$1***')
  }

  function iso(): string {
    return new Date(parts.now()).toISOString()
  }

  function send(response: ServerResponse, answer: Answer, cut: boolean): void {
    const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body))
    const shown = cut ? text.slice(0, Math.floor(text.length / 2)) : text
    response.statusCode = answer.status
    response.setHeader('Date', new Date(parts.now()).toUTCString())
    if (text !== '') response.setHeader('Content-Type', answer.contentType ?? 'application/json')
    response.setHeader('Content-Length', Buffer.byteLength(shown))
    response.end(shown)
  }
}

function checkScopes(call: Call, { scopes, level }: Endpoint, method: string): void {
  if (!scopes) return
  const levels = scopes.map((scope) => scopeLevel(call.user, call.session, scope))
  const isAllowed =
    method === 'GET' && level !== 'w' ? levels.some((level) => level !== undefined) : levels.includes('w')
  if (!isAllowed) throw new Refusal(401, `scope ${scopes.join(' or ')} is missing`)
}

function checkQuery(call: Call, { query = [] }: Endpoint): void {
  for (const name of new Set(call.query.keys())) {
    const isKnown =
      name === 'tz' ||
      query.some((known) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : known === name))
    if (!isKnown) call.note(`undocumented query parameter ${name}`)
    if (call.query.getAll(name).length > 1) call.note(`query parameter ${name} is given twice`)
  }
}

function checkBody(call: Call, { body: schema }: Endpoint, { bodyText, request }: Incoming): void {
  if (bodyText === '') {
    if (schema) throw misuseCall(call, 'the body is missing')
    return
  }
  if (!schema) call.note('a body where none is documented')
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    call.note('a body without Content-Type: application/json')
  if (call.body === undefined) throw misuseCall(call, 'the body is not JSON')
  const checked = schema?.safeParse(call.body)
  if (checked && !checked.success) {
    const issue = checked.error.issues[0]
    throw misuseCall(call, `body ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong'}`)
  }
}

function setLimitHeaders(response: ServerResponse, limit: { limit: number; remaining: number; resetS: number }): void {
  response.setHeader('X-RateLimit-Limit', String(limit.limit))
  response.setHeader('X-RateLimit-Remaining', String(limit.remaining))
  response.setHeader('X-RateLimit-Reset', String(limit.resetS))
}

function resetSocket(socket: Socket): void {
  socket.resetAndDestroy()
}

/** The whole body; undefined when the client disconnected or sent too much. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      size += (chunk as Buffer).length
      if (size > maxBodyBytes) return undefined
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    if (request.destroyed) return undefined
    throw error
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The document shows no error bodies except for 429: the seed chooses. */
function describeError(state: GatewayState, status: number, reason: string): Answer {
  const shape = state.shape(`error ${status}`, 4)
  if (shape === 0) return { status, body: { message: reason } }
  if (shape === 1) return { status, body: { error: reason, status } }
  if (shape === 2) return { status, text: reason, contentType: 'text/plain; charset=utf-8' }
  return { status, body: { errors: [{ detail: reason }] } }
}

/** The documented body of 429. */
function describeRateLimit(reason: string, limit: number, value: number): Answer {
  return { status: 429, body: { reason, message: 'Rate exceeded', limit, id: `rl-${reason}`, value } }
}

const portalPage =
  '<!doctype html><html><head><title>Welcome</title></head><body><h1>Sign in to this network</h1></body></html>'
