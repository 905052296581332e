import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { misuseCall, okAnswer, recordEffect, Refusal, withBody, type Call, type Endpoint } from './call.ts'
import type { GatewayState, JsonRecord, Session, User } from './state.ts'

const loginBody = z.strictObject({
  username: z.string(),
  password: z.string(),
  scheme: z.literal('infinite').optional(),
  app: z.string().optional(),
  expires: z.number().int().positive().optional()
})

const sessionBody = z.strictObject({
  scheme: z.enum(['infinite', 'finite']),
  app: z.string().min(1),
  limit: z.number().int().positive().optional(),
  scopes: z.string().min(1)
})

const receiverBody = z.strictObject({
  resource: z.literal('receivers.json'),
  app: z.string().min(1),
  app_scheme: z.string().regex(/^ips=[0-9a-fA-F.:,]+(&ips_blacklist=1)?$/)
})

interface NewSession {
  scheme: Session['scheme']
  app: string | null
  expires: number
  origin: string
  nowMs: number
  scopesText?: string
}

function openSession(state: GatewayState, user: User, made: NewSession): Session {
  const { groups, scopes } =
    made.scopesText === undefined ? { groups: null, scopes: null } : parseScopes(made.scopesText)
  const session: Session = {
    token: randomBytes(24).toString('hex'),
    userId: user.id,
    scheme: made.scheme,
    app: made.app,
    origin: made.origin,
    scopesText: made.scopesText ?? '',
    groups,
    scopes,
    lastUsedMs: made.nowMs,
    endsMs: made.scheme === 'finite' ? made.nowMs + made.expires * 1000 : null,
    expires: made.expires,
    isApplication: made.scopesText !== undefined
  }
  state.sessions.push(session)
  return session
}

/** `groups=1,2&write=assets&read=vehicles`. */
function parseScopes(text: string): { groups: number[] | null; scopes: Record<string, 'r' | 'w'> } {
  const parts = new URLSearchParams(text)
  for (const name of parts.keys())
    if (!['groups', 'write', 'read'].includes(name)) throw new Refusal(400, `scopes holds ${name}`)
  const groups = parts.get('groups')
  const scopes: Record<string, 'r' | 'w'> = {}
  for (const scope of (parts.get('read') ?? '').split(',')) if (scope !== '') scopes[scope] = 'r'
  for (const scope of (parts.get('write') ?? '').split(',')) if (scope !== '') scopes[scope] = 'w'
  return { groups: groups === null ? null : groups.split(',').map(Number), scopes }
}

/** The session of a token, unless it has ended. */
export function findSession(
  state: GatewayState,
  token: string,
  nowMs: number,
  tokenIdleMs: number
): Session | undefined {
  const session = state.sessions.find((candidate) => candidate.token === token)
  if (!session) return undefined
  const hasEnded =
    session.scheme === 'normal'
      ? nowMs - session.lastUsedMs >= tokenIdleMs
      : session.endsMs !== null && nowMs >= session.endsMs
  if (hasEnded) {
    state.sessions.splice(state.sessions.indexOf(session), 1)
    return undefined
  }
  return session
}

function sessionRecord(call: Call, session: Session): JsonRecord {
  const left =
    session.endsMs === null ? call.tokenIdleMs - (call.nowMs - session.lastUsedMs) : session.endsMs - call.nowMs
  return {
    origin: session.origin,
    scopes: session.scopesText,
    app: session.app ?? '',
    expires: session.scheme === 'infinite' ? 0 : Math.max(0, Math.round(left / 1000)),
    token: session.token,
    app_scheme: '',
    scheme: session.scheme
  }
}

export const sessionEndpoints: Endpoint[] = [
  withBody({
    id: 'session.login',
    body: loginBody,
    handle: (call, body) => {
      const user = call.state.users.find(
        (candidate) => candidate.username === body.username && candidate.password === body.password
      )
      if (!user) throw new Refusal(401, 'wrong username or password')
      const scheme = body.scheme ?? (body.expires === undefined ? 'normal' : 'finite')
      const session = openSession(call.state, user, {
        scheme,
        app: body.app ?? null,
        expires: body.expires ?? 3600,
        origin: call.origin,
        nowMs: call.nowMs
      })
      user.lastLogin = Math.floor(call.nowMs / 1000)
      return okAnswer({ message: 'Logged in', app: session.app, auth: session.token })
    }
  }),
  {
    id: 'session.logout',
    query: ['auth'],
    handle: (call) => {
      const token = call.query.get('auth')
      if (token === null) throw misuseCall(call, 'logout without auth')
      const index = call.state.sessions.findIndex(
        (session) => session.token === token && session.userId === call.user.id
      )
      if (index < 0) throw new Refusal(404, 'no such session')
      call.state.sessions.splice(index, 1)
      return okAnswer({ message: 'Logged out' })
    }
  },
  {
    id: 'session.list',
    handle: (call) => {
      const own = call.state.sessions.filter((session) => session.userId === call.user.id)
      return okAnswer({
        tokens: own.map((session) => sessionRecord(call, session)),
        session: sessionRecord(call, call.session)
      })
    }
  },
  withBody({
    id: 'session.create',
    body: sessionBody,
    handle: (call, body) => {
      const made = {
        scheme: body.scheme,
        app: body.app,
        expires: body.limit ?? 3600,
        origin: call.origin,
        nowMs: call.nowMs,
        scopesText: body.scopes
      }
      const session = openSession(call.state, call.user, made)
      recordEffect(call, { app: body.app })
      return call.state.shape('session created', 2) === 0
        ? { status: 201, body: sessionRecord(call, session) }
        : { status: 200, body: { auth: session.token, ...sessionRecord(call, session) } }
    }
  }),
  {
    id: 'receivers.list',
    handle: (call) =>
      okAnswer(call.state.receivers.filter((receiver) => receiver.owner === call.user.id).map(receiverRecord))
  },
  withBody({
    id: 'receivers.create',
    body: receiverBody,
    handle: (call, body) => {
      if (!call.session.isApplication) throw misuseCall(call, 'a receiver is made with an application token', 403)
      const isDouble = call.state.receivers.some(
        (receiver) => receiver.owner === call.user.id && receiver.app === body.app
      )
      if (isDouble) call.note(`doubled effect: receiver ${body.app} made twice`)
      const receiver = {
        token: randomBytes(16).toString('hex'),
        origin: call.origin,
        app: body.app,
        app_scheme: body.app_scheme,
        scheme: 'infinite' as const,
        owner: call.user.id,
        items: []
      }
      call.state.receivers.push(receiver)
      recordEffect(call, { app: body.app })
      return { status: 201, body: receiverRecord(receiver) }
    }
  }),
  {
    id: 'receivers.delete',
    handle: (call) => {
      call.state.receivers.splice(call.state.receivers.indexOf(ownReceiver(call)), 1)
      recordEffect(call, {})
      return { status: 204 }
    }
  },
  {
    id: 'receivers.stream',
    handle: (call) => {
      const { items } = ownReceiver(call)
      return okAnswer({ size: items.length, items })
    }
  }
]

function ownReceiver(call: Call): GatewayState['receivers'][number] {
  const receiver = call.state.receivers.find(
    (candidate) => candidate.token === call.params['token'] && candidate.owner === call.user.id
  )
  if (!receiver) throw new Refusal(404, 'no such receiver')
  return receiver
}

function receiverRecord(receiver: GatewayState['receivers'][number]): JsonRecord {
  return {
    origin: receiver.origin,
    app: receiver.app,
    token: receiver.token,
    app_scheme: receiver.app_scheme,
    scheme: receiver.scheme
  }
}
