import { createHash } from 'node:crypto'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { CallParsed } from '../../../../preload/contract/index.ts'
import type { GatewaySession } from '../../../../preload/contract/gateway/gateway.ts'
import type { SessionRecord } from '../records/people.ts'
import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import type { CallOptions } from './caller.ts'
import type { GatewayClient } from '../client.ts'
import { refuseRequest } from './refuse.ts'

/**
 * The sessions of this user, the own one first ("Session and tokens"). Their tokens stay here: a key represents each.
 */
export async function listSessions(client: GatewayClient, options: CallOptions = {}): Promise<GatewaySession[]> {
  const { value } = await client.session.list({}, options)
  const own = value.session?.token
  const tokens = (value.tokens ?? []).filter((one) => typeof one.token === 'string')
  return tokens
    .map((one) => toSession(one, one.token === own))
    .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.app.localeCompare(b.app))
}

/** Ends the session with this key. NOT_FOUND when it has already ended; to end the own one, sign out. */
export async function endSession(client: GatewayClient, key: string, options: CallOptions = {}): Promise<void> {
  const { value } = await client.session.list({}, options)
  const token = (value.tokens ?? [])
    .map((one) => one.token)
    .find((one) => typeof one === 'string' && keyOf(one) === key)
  if (token === undefined) throw new AppError('NOT_FOUND', message('gateway.sessionGone'))
  if (token === value.session?.token) throw refuseRequest(message('gateway.ownSession'))
  await client.session.logout({ auth: token }, options)
}

export type TokenWish = CallParsed<'gateway.createToken'>

/**
 * Creates an application token limited to groups and scopes; UNREADABLE when the undocumented answer contains no token.
 */
export async function createToken(client: GatewayClient, wish: TokenWish, options: CallOptions = {}) {
  if (wish.groups.length === 0) throw refuseRequest(message('gateway.tokenNeedsGroup'))
  if (wish.read.length + wish.write.length === 0) throw refuseRequest(message('gateway.tokenNeedsScope'))
  if (wish.scheme === 'finite' && wish.limitS === undefined) throw refuseRequest(message('gateway.tokenNeedsLimit'))
  const limitedTo = scopesText(wish)
  const { value } = await client.session.create(
    {
      scheme: wish.scheme,
      app: wish.app,
      scopes: limitedTo,
      ...(wish.scheme === 'finite' && wish.limitS !== undefined ? { limit: wish.limitS } : {})
    },
    options
  )
  const token = value.token ?? (value as { auth?: unknown }).auth
  if (typeof token !== 'string') {
    throw new AppError('UNREADABLE', message('gateway.tokenNotShown'))
  }
  return { app: wish.app, token, limitedTo }
}

/** `groups=1,2&write=assets&read=vehicles` ("Authentication" 4). */
function scopesText({ groups, read, write }: TokenWish): string {
  const parts = [`groups=${groups.join(',')}`]
  if (write.length > 0) parts.push(`write=${write.join(',')}`)
  if (read.length > 0) parts.push(`read=${read.join(',')}`)
  return parts.join('&')
}

function toSession(record: Sparse<SessionRecord>, isOwn: boolean): GatewaySession {
  return {
    key: keyOf(record.token ?? ''),
    app: record.app ?? '',
    scheme: record.scheme ?? '',
    origin: record.origin ?? '',
    limitedTo: record.scopes ?? '',
    expiresS: record.scheme === 'infinite' ? null : (record.expires ?? null),
    isOwn
  }
}

function keyOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 24)
}
