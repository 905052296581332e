import type { z } from 'zod'
import type { RemoteOutputCommand } from '../report.ts'
import type { GatewayState, JsonRecord, Session, User } from './state.ts'
import type { CameraLook } from './types.ts'

export interface Answer {
  status: number
  /** Sent as JSON; omitted: no body. */
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  text?: string
  contentType?: string
}

export interface Call {
  operation: string
  params: Record<string, string>
  query: URLSearchParams
  body: unknown
  /** Present on everything but POST /login. */
  user: User
  session: Session
  groups: number[]
  state: GatewayState
  nowMs: number
  /** IANA zone of the times in the answer. */
  zone: string
  delayMs: number
  photoMs: number
  origin: string
  tokenIdleMs: number
  note(why: string): void
  /** False when no simulated device is connected: then its lines change by themselves. */
  tellDevice(command: RemoteOutputCommand): boolean
  lookThrough: CameraLook
  impliedLists: boolean
}

/** One operation of resources/endpoints.json. Method and path come from there. */
export interface Endpoint {
  id: string
  /** One of these scopes is enough; none: any signed-in user. */
  scopes?: readonly string[]
  /** `w` for a GET with an effect. */
  level?: 'w'
  /** Query names besides `tz`; a final `*` is a prefix. */
  query?: readonly string[]
  body?: z.ZodType
  handle(call: Call): Answer
}

/** An endpoint with a body, which its handler gets as the schema describes it. */
export function withBody<Schema extends z.ZodType>({
  handle,
  ...endpoint
}: Omit<Endpoint, 'body' | 'handle'> & { body: Schema; handle(call: Call, body: z.infer<Schema>): Answer }): Endpoint {
  return { ...endpoint, handle: (call) => handle(call, call.body as z.infer<Schema>) }
}

export class Refusal extends Error {
  readonly status: number
  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

/** Refuses a request, and records that the document does not allow it. */
export function misuseCall(call: Pick<Call, 'note'>, why: string, status = 400): Refusal {
  call.note(why)
  return new Refusal(status, why)
}

/** 200 with JSON. */
export function okAnswer(body: unknown): Answer {
  return { status: 200, body }
}

/** The reply of a write whose response is not documented: the seed chooses a plausible one. */
export function notShown(call: Call, record: unknown): Answer {
  const shape = call.state.shape(call.operation, 3)
  if (shape === 0) return { status: 200, body: record }
  if (shape === 1) return { status: 200, body: { message: 'ok' } }
  return { status: 200, body: {} }
}

/** Counts an effect, so that tests can check how often it was applied. */
export function recordEffect(call: Call, detail: Record<string, unknown>): void {
  call.state.effects.push({
    at: new Date(call.nowMs).toISOString(),
    operation: call.operation,
    user: call.user.username,
    detail
  })
}

/** A stored record as the gateway shows it. */
export function withoutOwner({ owner: _, ...record }: JsonRecord): JsonRecord {
  return record
}
