import type { Answer } from './call.ts'
import type { GatewayState } from './state.ts'

/** Error bodies other than those of 429 are not shown in the document: the seed chooses. */
export function describeError(state: GatewayState, status: number, reason: string): Answer {
  const shape = state.shape(`error ${status}`, 4)
  if (shape === 0) return { status, body: { message: reason } }
  if (shape === 1) return { status, body: { error: reason, status } }
  if (shape === 2) return { status, text: reason, contentType: 'text/plain; charset=utf-8' }
  return { status, body: { errors: [{ detail: reason }] } }
}

/** The documented body of 429. */
export function describeRateLimit(reason: string, limit: number, value: number): Answer {
  return { status: 429, body: { reason, message: 'Rate exceeded', limit, id: `rl-${reason}`, value } }
}

export const portalPage = '<!doctype html><html><head><title>Welcome</title></head><body><h1>Sign in to this network</h1></body></html>'
